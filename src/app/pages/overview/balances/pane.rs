//! The pane of balances, or of their sums.

use super::grouping::{BalanceGrouping, GroupKey};
use super::{open_group, refresh_balance_rows, switch_grouping};
use crate::app::data::queries;
use crate::app::input::keymap::{Command, Context};
use crate::app::list_filter::examples::distinct_single_words;
use crate::app::listing::PaneList;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::chart::{self, ChartKind};
use crate::app::overlays::copying::items::items_of_known_values;
use crate::app::overlays::directory_record::scope::selected_scope;
use crate::app::overlays::export::ExportList;
use crate::app::overlays::export::list::{balance_table, filter_phrase, hidden_tokens_remark, scope_phrase};
use crate::app::overlays::menu::MenuItem;
use crate::app::pages::holdings;
use crate::app::pages::pane::{FilterText, OpenRow, PaneLogic};
use crate::app::screen::{HistoryList, Pane};
use crate::domain::history::Scope;
use crate::domain::{AccountId, WalletId};

pub struct BalancesPane;

fn is_grouped(model: &Model) -> bool {
    model.pages.overview.balances.grouping != BalanceGrouping::TokenAndChain
}

impl PaneLogic for BalancesPane {
    fn list<'a>(&self, model: &'a Model) -> Option<&'a dyn PaneList> {
        let balances = &model.pages.overview.balances;
        if is_grouped(model) { Some(&balances.groups) } else { Some(&balances.listing) }
    }

    fn list_mut<'a>(&self, model: &'a mut Model) -> Option<&'a mut dyn PaneList> {
        let is_grouped = is_grouped(model);
        let balances = &mut model.pages.overview.balances;
        if is_grouped { Some(&mut balances.groups) } else { Some(&mut balances.listing) }
    }

    fn open_row(&self) -> Option<OpenRow> {
        Some(|model| if is_grouped(model) { open_group(model) } else { show_transactions_of_holding(model) })
    }

    fn filter(&self) -> Option<FilterText> {
        Some(|model| &mut model.pages.overview.balances.filter)
    }

    fn after_filter_change(&self, model: &mut Model) -> Vec<Effect> {
        model.pages.overview.balances.listing.reset_position();
        refresh_balance_rows(model);
        Vec::new()
    }

    fn filter_examples(&self, model: &Model) -> Vec<String> {
        let first = model.pages.overview.balances.listing.rows().first();
        distinct_single_words([first.map(|holding| &holding.symbol), first.map(|holding| &holding.token.blockchain)])
    }

    fn has_sum(&self, model: &Model) -> bool {
        !model.pages.overview.balances.filter.is_empty()
    }

    fn copy_items(&self, model: &Model) -> Vec<MenuItem> {
        let Some(holding) = model.pages.overview.balances.listing.selected() else { return Vec::new() };
        items_of_known_values([
            ("Amount", holding.amount.as_ref().map(|amount| amount.even_if_disputed().to_string())),
            ("Contract", holding.token.contract.as_ref().map(ToString::to_string)),
        ])
    }

    fn exportable_list(&self, model: &Model) -> Option<ExportList> {
        let balances = &model.pages.overview.balances;
        Some(ExportList {
            nouns: ["balance", "balances"],
            qualifiers: scope_phrase(model, &balances.scope)
                + &filter_phrase(&balances.filter)
                + &hidden_tokens_remark(model, &balances.all),
            rows: |model| {
                let balances = &model.pages.overview.balances;
                Some(balance_table(model, &balances.scope, balances.listing.rows()))
            },
        })
    }

    fn scope_of_selected_row(&self, model: &Model) -> Option<Scope> {
        if !is_grouped(model) {
            return selected_scope(model);
        }
        match &model.pages.overview.balances.groups.selected()?.key {
            GroupKey::Account(id) => Some(Scope::Account(AccountId::from_text(id))),
            GroupKey::Wallet(id) => Some(Scope::Wallet(WalletId::from_text(id))),
            GroupKey::Token(_) | GroupKey::Chain(_) => selected_scope(model),
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the pane decides nothing about other commands")]
    fn availability(&self, model: &Model, mode: &Mode, command: Command) -> Option<Result<(), String>> {
        match command {
            Command::Sort | Command::Group => Some(Ok(())),
            Command::Copy | Command::Chart if is_grouped(model) && matches!(mode, Mode::Browse) => {
                Some(Err("this row is a sum of balances: open it, then choose one".into()))
            }
            Command::Chart => Some(chart::check_chartable(mode, model.pages.overview.balances.listing.count())),
            _ => None,
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other commands mean here what they mean elsewhere")]
    fn run_command(&self, model: &mut Model, command: Command) -> Option<Vec<Effect>> {
        match command {
            Command::Sort => holdings::toggle_holding_order(model),
            Command::Group => switch_grouping(model),
            Command::Chart => {
                let balances = &model.pages.overview.balances;
                let (scope, holding) = (balances.scope.clone(), balances.listing.selected()?.clone());
                chart::open_chart(model, ChartKind::Balance, scope, holding.token, holding.symbol);
            }
            _ => return None,
        }
        Some(Vec::new())
    }

    fn help_contexts(&self) -> &'static [Context] {
        &[Context::Balances, Context::Charts]
    }
}

/// Shows a token's transactions on this page, by a filter that could have been typed.
fn show_transactions_of_holding(model: &mut Model) -> Vec<Effect> {
    let overview = &mut model.pages.overview;
    let Some(holding) = overview.balances.listing.selected() else { return Vec::new() };
    let filter = format!("token:{} chain:{}", holding.symbol, holding.token.blockchain);
    let is_new = overview.recent.filter != filter;
    overview.recent.filter = filter;
    model.set_focus(Pane::Recent);
    if !is_new {
        return Vec::new();
    }
    model.pages.overview.recent.listing.reset_position();
    vec![queries::query_history_rows(model, HistoryList::Recent)]
}
