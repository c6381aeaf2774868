//! Motions in lists and in texts.

mod pane_list;

use crate::app::data::queries;
use crate::app::input::keymap::Command;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::pages::markets;
use crate::app::pages::overview::accounts::after_account_change;
use crate::app::pages::overview::balances::grouping::BalanceGrouping;
use crate::app::pages::users;
use crate::app::screen::Pane;
pub(in crate::app) use pane_list::PaneList;

/// The list of a pane, if it shows one.
pub(in crate::app) fn pane_list_mut(model: &mut Model, pane: Pane) -> Option<&mut dyn PaneList> {
    Some(match pane {
        Pane::Accounts => &mut model.pages.overview.accounts,
        Pane::Wallets => &mut model.pages.overview.wallets,
        Pane::Balances if model.pages.overview.balances.grouping == BalanceGrouping::TokenAndChain => {
            &mut model.pages.overview.balances.listing
        }
        Pane::Balances => &mut model.pages.overview.balances.groups,
        Pane::Recent => &mut model.pages.overview.recent.listing,
        Pane::History => &mut model.pages.transactions.listing,
        Pane::Orders => &mut model.pages.orders.listing,
        Pane::Tokens => &mut model.pages.markets.tokens,
        Pane::Chains => &mut model.pages.markets.chains,
        Pane::Pairs => &mut model.pages.markets.pairs,
        Pane::Events => &mut model.pages.events.listing,
        Pane::Book => &mut model.pages.book.listing,
        Pane::Attention => &mut model.pages.attention.listing,
        Pane::Watches => &mut model.session.watches.listing,
        Pane::Users => &mut model.pages.users.listing,
        Pane::Holdings => &mut model.pages.users.holdings,
        Pane::Assets => &mut model.pages.users.assets,
        Pane::Addresses => &mut model.pages.users.addresses,
        Pane::Deposits => &mut model.pages.users.deposits,
        Pane::Withdrawals => &mut model.pages.users.withdrawals,
        Pane::Transfers => &mut model.pages.users.transfers,
        Pane::User => return None,
    })
}

/// Moves in the list that has the focus. Requests more rows where the window ends.
pub(in crate::app) fn move_in_focused_list(model: &mut Model, command: Command) -> Vec<Effect> {
    let pane = model.focus();
    match pane {
        Pane::Accounts => {
            let before = model.pages.overview.accounts.selected_key().cloned();
            model.pages.overview.accounts.run_motion(command, false);
            if model.pages.overview.accounts.selected_key() == before.as_ref() {
                Vec::new()
            } else {
                after_account_change(model)
            }
        }
        Pane::Wallets => {
            let before = model.pages.overview.wallets.selected_key().cloned();
            let short = model.pages.overview.wallets.run_motion(command, false);
            let mut effects = if short { vec![queries::query_wallets(model)] } else { Vec::new() };
            if model.pages.overview.wallets.selected_key() != before.as_ref() {
                model.pages.overview.recent.listing.reset();
                effects.extend(queries::query_selection(model));
            }
            effects
        }
        Pane::Recent | Pane::History => {
            let Some(history) = model.focused_history_mut() else { return Vec::new() };
            let list = history.list;
            if history.listing.run_motion(command, true) {
                vec![queries::query_history_rows(model, list)]
            } else {
                Vec::new()
            }
        }
        Pane::Tokens => markets::move_token_selection(model, command),
        Pane::Users => users::move_selection(model, command),
        Pane::Balances
        | Pane::User
        | Pane::Holdings
        | Pane::Assets
        | Pane::Addresses
        | Pane::Deposits
        | Pane::Withdrawals
        | Pane::Transfers
        | Pane::Orders
        | Pane::Chains
        | Pane::Events
        | Pane::Pairs
        | Pane::Attention
        | Pane::Watches
        | Pane::Book => {
            if let Some(list) = pane_list_mut(model, pane) {
                list.run_motion(command, pane == Pane::Events);
            }
            users::further_rows::request_next_page(model, pane).into_iter().collect()
        }
    }
}

/// Scrolls a text. Returns whether the command is a motion.
#[expect(clippy::wildcard_enum_match_arm, reason = "other commands are no motions")]
pub(super) fn scroll_text(top: &mut u16, page: u16, command: Command) -> bool {
    *top = match command {
        Command::Down => top.saturating_add(1),
        Command::Up => top.saturating_sub(1),
        Command::HalfDown => top.saturating_add(page.div_ceil(2)),
        Command::HalfUp => top.saturating_sub(page.div_ceil(2)),
        Command::PageDown => top.saturating_add(page),
        Command::PageUp => top.saturating_sub(page),
        Command::First => 0,
        Command::Last => u16::MAX,
        _ => return false,
    };
    true
}
