//! Motions in lists and in texts.

use super::after_account_change;
use crate::app::keymap::Command;
use crate::app::listing::{Keyed, Listing};
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::panes::markets;
use crate::app::queries;
use crate::app::screen::Pane;
use crate::app::users;

/// Moves in the list that has the focus. Requests more rows where the window ends.
pub(in crate::app) fn move_in_focused_list(model: &mut Model, command: Command) -> Vec<Effect> {
    match model.focus() {
        Pane::Accounts => {
            let before = model.accounts.selected_key().cloned();
            move_in_list(&mut model.accounts, command, false);
            if model.accounts.selected_key() == before.as_ref() { Vec::new() } else { after_account_change(model) }
        }
        Pane::Wallets => {
            let before = model.wallets.selected_key().cloned();
            let short = move_in_list(&mut model.wallets, command, false);
            let mut effects = if short { vec![queries::query_wallets(model)] } else { Vec::new() };
            if model.wallets.selected_key() != before.as_ref() {
                model.recent.listing.reset();
                effects.extend(queries::query_selection(model));
            }
            effects
        }
        Pane::Balances => {
            move_in_list(&mut model.balances.listing, command, false);
            Vec::new()
        }
        Pane::Recent | Pane::History => {
            let Some(history) = model.focused_history_mut() else { return Vec::new() };
            let list = history.list;
            if move_in_list(&mut history.listing, command, true) {
                vec![queries::query_history_rows(model, list)]
            } else {
                Vec::new()
            }
        }
        Pane::Orders => {
            move_in_list(&mut model.order_list, command, false);
            Vec::new()
        }
        Pane::Events => {
            move_in_list(&mut model.events.listing, command, true);
            Vec::new()
        }
        Pane::Book => {
            move_in_list(&mut model.book.listing, command, false);
            Vec::new()
        }
        pane @ (Pane::Tokens | Pane::Chains | Pane::Pairs) => markets::move_selection(model, pane, command),
        pane => users::move_selection(model, pane, command),
    }
}

/// Moves in a list. Returns whether more rows must be requested.
pub(in crate::app) fn move_in_list<T: Keyed>(listing: &mut Listing<T>, command: Command, follows: bool) -> bool {
    match command {
        Command::Up => listing.move_by(-1),
        Command::Down => listing.move_by(1),
        Command::HalfUp => listing.scroll_by(-listing.half_page_rows()),
        Command::HalfDown => listing.scroll_by(listing.half_page_rows()),
        Command::PageUp => listing.scroll_by(-listing.page_rows()),
        Command::PageDown => listing.scroll_by(listing.page_rows()),
        Command::First => listing.go_to_first(follows),
        Command::Last => listing.go_to_last(),
        _ => false,
    }
}

/// Scrolls a text. Returns whether the command is a motion.
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
