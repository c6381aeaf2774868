//! The attempts of an order, and what the service reports on it.

use crate::domain::order::SendReason;
use crate::domain::{CreatedObject, Order, Outcome};
use crate::runtime::export::table::{Cell, multi_line_cell, optional_cell};

/// The cells from `attempts` to `differences`.
pub(super) fn sending_cells(intent: &Order) -> [Cell; 11] {
    let last = intent.attempts.last();
    let answer = intent.attempts.iter().rev().find_map(|attempt| attempt.answer.as_ref());
    let because = |because: &SendReason| match because {
        SendReason::Confirmed => "confirmed",
        SendReason::Retry => "again by itself",
        SendReason::Operator { warned: false } => "again by the operator",
        SendReason::Operator { warned: true } => "again by the operator, warned",
    };
    [
        Some(intent.attempts.len().to_string()),
        multi_line_cell(intent.attempts.iter().map(|attempt| because(&attempt.reason))),
        optional_cell(intent.first_sent().as_ref()),
        optional_cell(last.map(|attempt| attempt.stamp.at).as_ref()),
        optional_cell(last.map(|attempt| attempt.gives_up_at).as_ref()),
        intent.outcome().map(|outcome| outcome_text(outcome).to_owned()),
        optional_cell(answer.and_then(|(_, answer)| answer.status).as_ref()),
        optional_cell(answer.map(|(_, answer)| &answer.message)),
        optional_cell(answer.map(|(at, _)| at)),
        answer.and_then(|(_, answer)| answer.raw.clone()),
        multi_line_cell(intent.differences().into_iter().chain(intent.cost_alarms())),
    ]
}

/// The cells from `made` to `last_read_told_at`.
pub(super) fn history_cells(intent: &Order) -> [Cell; 9] {
    let made = intent.attempts.iter().rev().find_map(|attempt| attempt.answer.as_ref()?.1.created.as_ref());
    let seen = intent.last_observed();
    let reads = intent.lookups.len();
    [
        made.and_then(|made| match made {
            CreatedObject::Transaction(seen) => optional_cell(seen.transaction.as_ref()),
            CreatedObject::User(user) => Some(user.id.to_string()),
            CreatedObject::Account(account) => Some(account.id.to_string()),
            CreatedObject::Wallet(wallet) => Some(wallet.id.to_string()),
            CreatedObject::Address(address) => Some(address.address.to_string()),
        }),
        optional_cell(seen.and_then(|seen| seen.transaction.as_ref())),
        optional_cell(seen.and_then(|seen| seen.status.as_ref())),
        optional_cell(seen.and_then(|seen| seen.confirmed).as_ref()),
        optional_cell(seen.and_then(|seen| seen.confirmed_at).as_ref()),
        optional_cell(seen.and_then(|seen| seen.confirmation).as_ref()),
        optional_cell(seen.and_then(|seen| seen.tx_hash.as_ref())),
        Some(reads.to_string()),
        optional_cell(intent.lookups.last().map(|(at, _)| at)),
    ]
}

fn outcome_text(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::NotSent => "not sent",
        Outcome::Accepted => "accepted",
        Outcome::Refused | Outcome::Declined => "refused",
        Outcome::ProbablyRefused { .. } => "probably refused",
        Outcome::Unknown => "unknown",
    }
}
