//! Orders that people closed, in words.

use super::proposal_text::{refusal_statement, signer_and_reason};
use super::status_text::service_status;
use crate::domain::Order;
use crate::domain::order::OrderEnd;

pub(super) fn abandoned_message(order: &Order) -> String {
    if let Some(refusal) = refusal_statement(order) {
        return format!("Refused by {}. Nothing was sent.", signer_and_reason(refusal).trim_end_matches('.'));
    }
    match &order.end {
        Some((_, OrderEnd::Abandoned(Some(reason)))) => format!("Given up by the console: {reason}. Nothing was sent."),
        _ => "Given up. Nothing was sent.".into(),
    }
}

pub(super) fn written_off_message(order: &Order) -> String {
    let Some((stamp, OrderEnd::WrittenOff(reason))) = &order.end else { return String::new() };
    let fate = match order.last_observation() {
        Some(_) => format!(" The service reports it as {}.", service_status(order)),
        None => " The outcome is not known.".into(),
    };
    let counts = " For 24 hours after sending it counts against limits, and an equal payment must be confirmed with typed words.";
    format!("Written off by {} at {}: {reason}.{fate}{counts}", stamp.by.user, stamp.by.host)
}
