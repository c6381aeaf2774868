//! The state of an order in a word, and how much attention it needs.

use super::alarms::alarm_messages;
use super::proposal_text::refusal_statement;
use crate::app::pages::Tone;
use crate::domain::order::OrderState;
use crate::domain::{Order, Timestamp};

/// How urgently an order needs the operator, for the glyph and colour of its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttentionLevel {
    Quiet,
    Open,
    Good,
    /// Not executed, or not in full.
    Bad,
    /// An operator must look into it.
    Alarm,
}

pub fn attention_level(order: &Order, now: Timestamp) -> AttentionLevel {
    if !alarm_messages(order, now).is_empty() {
        return AttentionLevel::Alarm;
    }
    match order.state(now) {
        OrderState::Unknown | OrderState::ProbablyRefused => AttentionLevel::Alarm,
        OrderState::Sending if order.is_unresolved(now) => AttentionLevel::Alarm,
        OrderState::Accepted if !order.drafted.draft.operation().moves_money() => AttentionLevel::Good,
        OrderState::Drafted | OrderState::Confirmed | OrderState::Sending | OrderState::Accepted => {
            AttentionLevel::Open
        }
        OrderState::Settled => AttentionLevel::Good,
        // Recipients of a partly settled batch that received nothing must be paid in a new order.
        OrderState::NotSent | OrderState::Refused | OrderState::PartlySettled | OrderState::Failed => {
            AttentionLevel::Bad
        }
        OrderState::Abandoned if refusal_statement(order).is_some() => AttentionLevel::Bad,
        OrderState::Abandoned | OrderState::WrittenOff => AttentionLevel::Quiet,
    }
}

pub fn state_label(order: &Order, now: Timestamp) -> &'static str {
    match order.state(now) {
        OrderState::Drafted | OrderState::Confirmed if order.approval.is_some() => "proposed",
        OrderState::Drafted => "drafted",
        OrderState::Confirmed => "not sent yet",
        OrderState::Sending if order.is_unresolved(now) => "resending",
        OrderState::Sending => "sending",
        OrderState::NotSent => "not sent",
        OrderState::Unknown => "unknown",
        OrderState::ProbablyRefused => "rejected?",
        OrderState::Refused => "rejected",
        OrderState::Accepted if !order.drafted.draft.operation().moves_money() => "created",
        OrderState::Accepted if order.is_reopened() => "reopened",
        OrderState::Accepted if order.lookups.last().is_some_and(|(_, look)| look.shows_failure) => "failed?",
        OrderState::Accepted => "accepted",
        OrderState::Settled => "settled",
        OrderState::PartlySettled => "partly paid",
        OrderState::Failed => "failed",
        OrderState::Abandoned if refusal_statement(order).is_some() => "refused",
        OrderState::Abandoned => "given up",
        OrderState::WrittenOff => "written off",
    }
}

/// The state of an order as glyph and word, with its tone. An alarm is marked whatever the state.
pub fn state_text(order: &Order, now: Timestamp) -> (String, Tone) {
    let glyph = match order.state(now) {
        OrderState::Drafted | OrderState::Confirmed => "·",
        OrderState::Sending if order.is_unresolved(now) => "?",
        OrderState::Sending => "◌",
        OrderState::NotSent => "○",
        OrderState::Unknown | OrderState::ProbablyRefused => "?",
        OrderState::Accepted if order.is_reopened() => "?",
        OrderState::Refused | OrderState::Failed => "✗",
        OrderState::Accepted if order.drafted.draft.operation().moves_money() => "●",
        OrderState::Accepted | OrderState::Settled => "✓",
        OrderState::PartlySettled => "◐",
        OrderState::Abandoned if refusal_statement(order).is_some() => "✗",
        OrderState::Abandoned | OrderState::WrittenOff => "−",
    };
    let alarm = if alarm_messages(order, now).is_empty() { "" } else { " !" };
    let tone = match attention_level(order, now) {
        AttentionLevel::Quiet => Tone::Dim,
        AttentionLevel::Open => Tone::Warn,
        AttentionLevel::Good => Tone::Good,
        AttentionLevel::Bad | AttentionLevel::Alarm => Tone::Bad,
    };
    (format!("{glyph} {}{alarm}", state_label(order, now)), tone)
}
