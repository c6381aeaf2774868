//! Orders: everything that this console was told to change, what became of it, and what can be done about it.

pub mod timeline;
pub mod view;

use super::Tone;
use crate::app::Model;
use crate::app::update::whole;
use crate::domain::intent::State;
use crate::domain::{Draft, Failure, Intent, IntentId, Timestamp};

pub use timeline::lines;

/// The journal was read, or could not be. What was known before stays on screen.
pub fn told(model: &mut Model, told: Result<Vec<Intent>, Failure>) {
    match told {
        Ok(orders) => {
            model.orders = orders;
            model.orders_failure = None;
        }
        Err(failure) => model.orders_failure = Some(failure),
    }
}

/// Puts the list in order. How an order stands changes with the time alone, so this is done after every message; the
/// list is touched only when it came out otherwise.
pub fn arrange(model: &mut Model) {
    let mut orders: Vec<&Intent> = model.orders.iter().collect();
    orders.sort_by_key(|intent| rank(intent, model.now));
    if !orders.iter().map(|intent| &intent.id).eq(model.order_list.held()) || !model.order_list.is_loaded() {
        let ids = orders.into_iter().map(|intent| intent.id).collect();
        model.order_list.accept(whole(ids));
    }
}

/// Where an order stands in the list: those first that need somebody. Within a rank the newest is first, as the journal
/// tells them.
fn rank(intent: &Intent, now: Timestamp) -> u8 {
    match intent.state(now) {
        _ if intent.is_unresolved(now) => 0,
        _ if intent.is_open(now) => 1,
        State::Drafted => 2,
        _ => 3,
    }
}

/// An order that is known.
pub fn find(model: &Model, id: IntentId) -> Option<&Intent> {
    model.orders.iter().find(|intent| intent.id == id)
}

/// Of how many orders nobody knows what became of them.
pub fn unresolved(model: &Model) -> usize {
    model.orders.iter().filter(|intent| intent.is_unresolved(model.now)).count()
}

/// How an order stands, in a glyph and a word.
pub fn state(intent: &Intent, now: Timestamp) -> (&'static str, Tone) {
    match intent.state(now) {
        State::Drafted => ("· drafted", Tone::Dim),
        State::Confirmed => ("· confirmed", Tone::Warn),
        State::Sending => ("◌ sending", Tone::Warn),
        State::NotSent => ("○ not sent", Tone::Warn),
        State::Unknown => ("? unknown", Tone::Bad),
        State::ProbablyRefused => ("? refused?", Tone::Bad),
        State::Refused => ("✗ refused", Tone::Bad),
        State::Accepted if intent.drafted.draft.operation().moves_money() => ("● accepted", Tone::Warn),
        State::Accepted => ("✓ made", Tone::Good),
        State::Settled => ("✓ settled", Tone::Good),
        State::Failed => ("✗ failed", Tone::Bad),
        State::Abandoned => ("− abandoned", Tone::Dim),
        State::WrittenOff => ("− written off", Tone::Dim),
    }
}

/// What an order is about, for what moves no money: the name that was wanted.
pub fn subject(draft: &Draft) -> &str {
    match draft {
        Draft::Withdraw(withdrawal) => &withdrawal.to,
        Draft::CreateUser(user) => {
            let names = [&user.display_name, &user.email, &user.ref_id];
            names.into_iter().flatten().next().map_or("—", |name| name.as_str())
        }
        Draft::CreateAccount(account) => &account.name,
        Draft::CreateWallet(wallet) => wallet.name.as_ref().map_or("—", |name| name.as_str()),
    }
}
