//! Motions in the list that has the focus.

use super::account_changed;
use crate::app::ask;
use crate::app::keymap::Command;
use crate::app::listing::{Keyed, Listing};
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::panes::markets;
use crate::app::screen::Pane;
use crate::app::users;

/// Moves in the list that has the focus.
pub(in crate::app) fn motion(model: &mut Model, command: Command) -> Vec<Effect> {
    match model.focus() {
        Pane::Accounts => {
            let before = model.accounts.selected_key().cloned();
            moved(&mut model.accounts, command, false);
            if model.accounts.selected_key() == before.as_ref() { Vec::new() } else { account_changed(model) }
        }
        Pane::Wallets => {
            let before = model.wallets.selected_key().cloned();
            let short = moved(&mut model.wallets, command, false);
            let mut effects = if short { vec![ask::wallets(model)] } else { Vec::new() };
            if model.wallets.selected_key() != before.as_ref() {
                model.recent.listing.reset();
                effects.extend(ask::scoped(model));
            }
            effects
        }
        Pane::Balances => {
            moved(&mut model.balances.listing, command, false);
            Vec::new()
        }
        Pane::Recent | Pane::History => {
            let Some(history) = model.focused_history_mut() else { return Vec::new() };
            let list = history.list;
            if moved(&mut history.listing, command, true) { vec![ask::history(model, list)] } else { Vec::new() }
        }
        Pane::Orders => {
            moved(&mut model.order_list, command, false);
            Vec::new()
        }
        Pane::Events => {
            moved(&mut model.events.listing, command, true);
            Vec::new()
        }
        Pane::Book => {
            moved(&mut model.book.listing, command, false);
            Vec::new()
        }
        pane @ (Pane::Tokens | Pane::Chains | Pane::Pairs) => markets::motion(model, pane, command),
        pane => users::motion(model, pane, command),
    }
}

/// Moves in a list. Returns whether rows must be asked for.
pub(in crate::app) fn moved<T: Keyed>(listing: &mut Listing<T>, command: Command, follows: bool) -> bool {
    match command {
        Command::Up => listing.move_by(-1),
        Command::Down => listing.move_by(1),
        Command::HalfUp => listing.scroll_by(-listing.half()),
        Command::HalfDown => listing.scroll_by(listing.half()),
        Command::PageUp => listing.scroll_by(-listing.page()),
        Command::PageDown => listing.scroll_by(listing.page()),
        Command::First => listing.to_first(follows),
        Command::Last => listing.to_last(),
        _ => false,
    }
}

/// Scrolls a text; says whether the command was one that scrolls.
pub(super) fn scrolled(top: &mut u16, page: u16, command: Command) -> bool {
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
