//! Orders: everything that this console was told to change, what became of it, and what can be done about it.

pub mod timeline;
pub mod view;

use std::cmp::Reverse;

use super::Tone;
use crate::app::Model;
use crate::app::orders::{Mark, mark, rank, word};
use crate::app::update::whole;
use crate::domain::intent::State;
use crate::domain::{Draft, Intent, IntentId, Timestamp};

pub use timeline::lines;

/// Puts the list in order. How an order stands changes with the time alone, so this is done after every message; the
/// list is touched only when it came out otherwise.
pub fn arrange(model: &mut Model) {
    let mut orders: Vec<&Intent> = model.orders.iter().collect();
    orders.sort_by_key(|order| (rank(order, model.now), Reverse(order.born.at)));
    if !orders.iter().map(|order| &order.id).eq(model.order_list.held()) || !model.order_list.is_loaded() {
        let ids = orders.into_iter().map(|order| order.id).collect();
        model.order_list.accept(whole(ids));
    }
}

/// An order that is known.
pub fn find(model: &Model, id: IntentId) -> Option<&Intent> {
    model.orders.iter().find(|order| order.id == id)
}

/// Of how many orders nobody knows what became of them.
pub fn unresolved(model: &Model) -> usize {
    model.orders.iter().filter(|order| order.is_unresolved(model.now)).count()
}

/// How an order stands, in a glyph and a word, and what that means. An answer that says something else than its request
/// is marked whatever else became of the order.
pub fn state(order: &Intent, now: Timestamp) -> (String, Tone) {
    let glyph = match order.state(now) {
        State::Drafted | State::Confirmed => "·",
        State::Sending => "◌",
        State::NotSent => "○",
        State::Unknown | State::ProbablyRefused => "?",
        State::Refused | State::Failed => "✗",
        State::Accepted if order.drafted.draft.operation().moves_money() => "●",
        State::Accepted | State::Settled => "✓",
        State::Abandoned | State::WrittenOff => "−",
    };
    let differs = if order.differences().next().is_some() { " !" } else { "" };
    let tone = match mark(order, now) {
        Mark::Quiet => Tone::Dim,
        Mark::Open => Tone::Warn,
        Mark::Good => Tone::Good,
        Mark::Bad | Mark::Alarm => Tone::Bad,
    };
    (format!("{glyph} {}{differs}", word(order, now)), tone)
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
