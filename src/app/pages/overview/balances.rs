//! Balances: what the selected wallet or account holds.

pub mod grouping;
pub mod pane;
pub mod view;

use grouping::{BalanceGrouping, GroupKey};

use crate::app::data::queries;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::pages::holdings::order::HoldingOrder;
use crate::app::pages::overview::accounts::after_account_change;
use crate::domain::chain::chain_display_name;
use crate::domain::filter::AllWordsFilter;
use crate::domain::history::{Scope, Window};
use crate::domain::{AccountId, Holding, WalletId};

/// Shows the holdings of the selected wallet or account that match the filter, ranked, with or without imitation
/// tokens.
pub(in crate::app) fn refresh_balance_rows(model: &mut Model) {
    let balances = &model.pages.overview.balances;
    let word_filter = AllWordsFilter::parse(&balances.filter);
    let is_shown = |holding: &&Holding| {
        let chain = &holding.token.blockchain;
        let is_wanted = model.pages.shows_suspicious || !holding.suspicious;
        is_wanted && word_filter.matches([holding.symbol.as_str(), chain.as_str(), chain_display_name(chain)])
    };
    let mut rows: Vec<_> = balances.all.iter().filter(is_shown).cloned().collect();
    model.pages.holding_order.sort_holdings(&model.data.prices, &mut rows);
    model.pages.overview.balances.listing.apply_window(Window::whole(rows));
    refresh_groups(model);
}

/// Sums the holdings that match the filter by the grouping. Imitation tokens are in no sum.
pub(in crate::app) fn refresh_groups(model: &mut Model) {
    let balances = &model.pages.overview.balances;
    let word_filter = AllWordsFilter::parse(&balances.filter);
    let is_shown = |holding: &Holding| {
        let chain = &holding.token.blockchain;
        word_filter.matches([holding.symbol.as_str(), chain.as_str(), chain_display_name(chain)])
    };
    let worth = |holding: &Holding| model.data.prices.worth_of_holding(holding);
    let visible = balances.all.iter().filter(|holding| is_shown(holding));
    let mut groups = match balances.grouping {
        BalanceGrouping::TokenAndChain => return,
        BalanceGrouping::Token => {
            let key = |holding: &Holding| GroupKey::Token(holding.symbol.clone());
            grouping::group_holdings(visible.map(|holding| (key(holding), holding)), worth)
        }
        BalanceGrouping::Chain => {
            let key = |holding: &Holding| GroupKey::Chain(holding.token.blockchain.clone());
            grouping::group_holdings(visible.map(|holding| (key(holding), holding)), worth)
        }
        BalanceGrouping::Account | BalanceGrouping::Wallet => {
            let Some(parts) = model.data.analyses.holdings_by_part(&balances.scope, balances.grouping) else {
                model.pages.overview.balances.groups.unload();
                return;
            };
            let keyed = parts.iter().filter_map(|part| Some((grouping::group_key_of_scope(&part.scope)?, part)));
            let visible = keyed.flat_map(|(key, part)| part.holdings.iter().map(move |holding| (key.clone(), holding)));
            grouping::group_holdings(visible.filter(|(_, holding)| is_shown(holding)), worth)
        }
    };
    if model.pages.holding_order == HoldingOrder::Name {
        groups.sort_by_cached_key(|group| group_name(model, &group.key).to_lowercase());
    }
    model.pages.overview.balances.groups.apply_window(Window::whole(groups));
}

/// The name of a group on screen.
pub fn group_name(model: &Model, key: &GroupKey) -> String {
    let scope = match key {
        GroupKey::Token(symbol) => return symbol.to_string(),
        GroupKey::Chain(chain) => return chain_display_name(chain).to_owned(),
        GroupKey::Account(id) => Scope::Account(AccountId::from_text(id)),
        GroupKey::Wallet(id) => Scope::Wallet(WalletId::from_text(id)),
    };
    let parts = model
        .data
        .analyses
        .holdings_by_part(&model.pages.overview.balances.scope, model.pages.overview.balances.grouping);
    let part = parts.into_iter().flatten().find(|part| part.scope == scope);
    part.and_then(|part| part.name.as_ref()).map_or_else(|| model.scope_name(&scope), ToString::to_string)
}

/// Sums the balances by the next grouping.
pub(in crate::app) fn switch_grouping(model: &mut Model) {
    set_grouping(model, model.pages.overview.balances.grouping.next());
    model.notice = Some(format!("balances: {}", model.pages.overview.balances.grouping.label()));
}

fn set_grouping(model: &mut Model, grouping: BalanceGrouping) {
    model.pages.overview.balances.grouping = grouping;
    model.pages.overview.balances.listing.deselect();
    model.pages.overview.balances.groups.unload();
    refresh_groups(model);
}

/// Opens the balances of the selected group; where none is selected, selects the first one instead.
pub(in crate::app) fn open_group(model: &mut Model) -> Vec<Effect> {
    if model.pages.overview.balances.groups.select_first_visible() {
        return Vec::new();
    }
    let Some(key) = model.pages.overview.balances.groups.selected_key().cloned() else { return Vec::new() };
    set_grouping(model, BalanceGrouping::TokenAndChain);
    match key {
        GroupKey::Token(word) | GroupKey::Chain(word) => {
            model.pages.overview.balances.filter = word.to_string();
            model.pages.overview.balances.listing.reset_position();
            refresh_balance_rows(model);
            Vec::new()
        }
        GroupKey::Account(id) => {
            if model.pages.overview.accounts.select(&AccountId::from_text(&id)) {
                after_account_change(model)
            } else {
                Vec::new()
            }
        }
        GroupKey::Wallet(id) => {
            model.pages.overview.recent.listing.reset_position();
            let must_fetch = model.pages.overview.wallets.select_or_fetch(&WalletId::from_text(&id));
            let mut effects = if must_fetch { vec![queries::query_wallets(model)] } else { Vec::new() };
            effects.extend(queries::query_for_selected_scope(model));
            effects
        }
    }
}
