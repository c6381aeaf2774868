//! Orders in words: labels for lists, and messages for the operator who has to decide.

use std::collections::BTreeMap;

use super::super::model::Model;
use super::alarms::{alarm_messages, lacks_proceeds};
use super::closing_text::{abandoned_message, written_off_message};
use super::proposal_text::proposal_messages;
use super::{expected_resend_at, other_service_of_order};
use crate::domain::duration;
use crate::domain::order::{AddressRelation, Attempt, NOT_SEEN_AFTER, NOT_SEEN_READS, OrderState};
use crate::domain::{Operation, Order, Outcome, Status, SwapProceeds, Timestamp};

/// What a version 1 payment does not guarantee.
pub const V1_WARNING: &str = "Version 1 has no idempotency key: if the answer is lost, this console never sends the payment \
                          again. It looks for its clientTxId in the history instead.";

/// The messages on an order: whole sentences, the gravest first.
pub fn status_messages(model: &Model, order: &Order) -> Vec<String> {
    let now = model.now;
    let mut messages = alarm_messages(order, now);
    let alarms = messages.len();
    messages.extend(match order.state(now) {
        OrderState::Drafted | OrderState::Confirmed if order.approval.is_some() => proposal_messages(model, order),
        OrderState::Drafted => vec!["Recorded but not confirmed. Nothing was sent.".into()],
        OrderState::Confirmed => vec!["Confirmed but not sent. Nothing has left this machine.".into()],
        OrderState::Sending if order.is_unresolved(now) => {
            let mut outcome_messages = unknown_outcome_messages(model, order);
            outcome_messages.insert(1, sending_message(model, order));
            outcome_messages
        }
        OrderState::Sending => vec![sending_message(model, order)],
        OrderState::NotSent => vec![format!("Not sent: {}. Nothing has left this machine.", last_answer_text(order))],
        OrderState::Unknown => unknown_outcome_messages(model, order),
        OrderState::ProbablyRefused => probable_rejection_messages(model, order),
        OrderState::Refused => vec![closed_message(order)],
        OrderState::Accepted => vec![accepted_message(model, order)],
        OrderState::Settled => {
            vec![format!("Settled: the service reports it as {}.{}", service_status(order), proceeds_text(order))]
        }
        OrderState::PartlySettled => vec![partly_paid_message(order)],
        OrderState::Failed => vec![format!("Failed: the service reports it as {}.", service_status(order))],
        OrderState::Abandoned => vec![abandoned_message(order)],
        OrderState::WrittenOff => vec![written_off_message(order)],
    });
    let profile = &order.drafted.destination.profile;
    if *profile != model.console.identity.profile {
        messages.insert(
            messages.len().min(alarms + 1),
            format!("The order was created under the profile {profile}, at this service."),
        );
    }
    messages
}

/// The warning on an order whose outcome is not known.
fn duplicate_warning(order: &Order) -> &'static str {
    if order.drafted.draft.operation().is_swap() {
        " Do not swap again from elsewhere."
    } else {
        " Do not pay again from elsewhere."
    }
}

fn format_time(model: &Model, at: Timestamp) -> String {
    // The date is added unless the time is today's.
    let today = model.console.zone.local_day(at) == model.console.zone.local_day(model.now);
    model.console.zone.format(at, if today { "%H:%M:%S" } else { "%Y-%m-%d %H:%M:%S" })
}

fn sending_message(model: &Model, order: &Order) -> String {
    let Some(attempt) = order.attempts.last() else { return String::new() };
    let (by, at) = (&attempt.stamp.by, format_time(model, attempt.stamp.at));
    let until = format_time(model, attempt.gives_up_at);
    format!("Sending since {at} by {} at {}. Waiting for the answer until {until}.", by.user, by.host)
}

/// The result of an attempt that leaves the outcome unknown.
fn unknown_result_text(attempt: &Attempt) -> String {
    match &attempt.answer {
        None => "no answer came".into(),
        Some((_, answer)) if answer.status.is_none() => format!("no answer came ({})", answer.message),
        Some((_, answer)) => format!("the answer does not report the outcome ({})", answer.message),
    }
}

fn unknown_outcome_messages(model: &Model, order: &Order) -> Vec<String> {
    let now = model.now;
    let money = order.drafted.draft.operation().moves_money();
    // An attempt under way has no result yet.
    let attempts: Vec<&Attempt> = order.attempts.iter().filter(|attempt| !attempt.is_under_way(now)).collect();
    let request_text = match attempts.as_slice() {
        [] => String::new(),
        [only] => {
            format!(" The request was sent at {}; {}.", format_time(model, only.stamp.at), unknown_result_text(only))
        }
        [first, .., last] => format!(
            " The request was sent {} times with the same key, from {} to {}; result of the last: {}.",
            attempts.len(),
            format_time(model, first.stamp.at),
            format_time(model, last.stamp.at),
            unknown_result_text(last),
        ),
    };
    let warning = if money { duplicate_warning(order) } else { " Check whether it exists before you create another." };
    let mut messages = vec![format!(
        "We do not know whether {} was made.{request_text}{warning}",
        order.drafted.draft.operation().phrase()
    )];
    if order.drafted.draft.operation() == Operation::Payment {
        messages.push(V1_WARNING.to_owned());
    }
    messages.extend(lookup_messages(model, order));
    messages.extend(resend_message(model, order));
    messages
}

fn probable_rejection_messages(model: &Model, order: &Order) -> Vec<String> {
    let warning = if order.drafted.draft.operation().moves_money() { duplicate_warning(order) } else { "" };
    let mut messages = vec![if order.outcome() == Some(Outcome::Declined) {
        format!("{}. The rejection is certain only after the history is read.{warning}", refusal_message(order))
    } else {
        format!(
            "The service seems to have rejected it ({}). Only the history can confirm the rejection.{warning}",
            last_answer_text(order)
        )
    }];
    messages.extend(lookup_messages(model, order));
    messages.extend(self::resend_message(model, order));
    messages
}

/// The message on a rejected order: rejected by the service's own words, or by the answer and the history.
pub fn closed_message(order: &Order) -> String {
    if order.outcome() == Some(Outcome::Declined) {
        return format!(
            "{}. Nothing was executed: a complete read of the history that began later does not show it. If any later read shows \
             it, the order is reopened.",
            refusal_message(order)
        );
    }
    if order.is_refusal_confirmed_by_history() {
        return format!(
            "The answer reads like a rejection ({}), and {} complete reads of the history since did not show it: the order is closed as \
             rejected. If any later read shows it, the order is reopened.",
            last_answer_text(order),
            order.complete_miss_times().len()
        );
    }
    format!("{}. Nothing was executed.", refusal_message(order))
}

/// The progress of the search in the history.
fn lookup_messages(model: &Model, order: &Order) -> Vec<String> {
    if !order.drafted.draft.operation().moves_money() {
        return Vec::new();
    }
    if let Some(service) = other_service_of_order(model, order) {
        let then = match model.journal.addresses.relation(&order.drafted.destination.base_url) {
            Some(AddressRelation::Unanswered) => {
                " Confirm first whether it is the same service; until then the order counts for payments from here as if \
                 it were."
            }
            Some(AddressRelation::Other) if order.is_unresolved(model.now) => {
                " An operator declared it another service. The recipients may have been paid, so the order counts \
                 for payments to them until it is written off: ask that service first."
            }
            Some(AddressRelation::Same | AddressRelation::Other) | None => "",
        };
        return vec![format!(
            "The order went to {service}, which this profile no longer names: this console does not look for it.{then}"
        )];
    }
    if model.console.read_only.is_some() {
        return vec!["This console is read-only and does not look for it; a console that may pay does.".into()];
    }
    let mut messages = Vec::new();
    let reads = order.complete_miss_times().len();
    let never_covers = !order.lookups.is_empty() && order.lookups.iter().all(|(_, look)| !look.is_complete);
    messages.push(if order.counts_as_not_seen() {
        format!(
            "The order was not seen in {reads} complete reads of the history since. That does not prove that it was not made: ask the \
             service before you write it off."
        )
    } else if is_never_reported(model, order) {
        "No list of version 1 reports its swaps, and the history of version 2 has not shown one yet, so not \
         seeing it there proves nothing. Check the balances of both coins, ask the service, and write the swap off with what \
         you learnt: until then it counts as made, and the same swap is stopped."
            .into()
    } else if never_covers {
        "The history read so far does not reach back completely to the time of sending, so not seeing it there proves nothing.".into()
    } else if let (None, Some((failure, _))) = (model.data.remotes.orders.in_flight, &model.data.remotes.orders.failure) {
        format!("The history cannot be read ({}); retrying.", failure.reason)
    } else if order.outcome() == Some(Outcome::Declined) {
        "Checking the history repeatedly: one complete read that does not show it closes the order.".into()
    } else if reads < NOT_SEEN_READS {
        let when = if model.data.remotes.orders.in_flight.is_some() { "now" } else { "repeatedly" };
        let next = reads + 1;
        let first = order.complete_miss_times().first().copied();
        let last = first.map_or(String::new(), |first| {
            let which = if next == NOT_SEEN_READS { "," } else { "; the last one" };
            format!("{which} at {} or later", format_time(model, first.plus(NOT_SEEN_AFTER)))
        });
        format!("Checking the history {when} (read {next} of {NOT_SEEN_READS}{last}).")
    } else {
        "Checking the history until ten minutes have passed.".into()
    });
    if let Some((_, look)) = order.lookups.iter().rev().find(|(_, look)| look.similar_transaction.is_some())
        && let Some(transaction) = &look.similar_transaction
    {
        let similarity = if order.drafted.draft.operation().is_swap() {
            "sells the same token and amount"
        } else {
            "has the same chain, recipient, token and amount"
        };
        let mark = if order.drafted.request.key.is_some() { "key" } else { "reference" };
        messages.push(format!("Transaction {transaction} {similarity}, but not its {mark}: it may be this order."));
    }
    messages
}

/// Whether no read can show that it was not executed: a version 1 swap, and no history has shown one so far.
fn is_never_reported(model: &Model, order: &Order) -> bool {
    order.drafted.draft.operation() == Operation::InstantSwap
        && order.complete_miss_times().is_empty()
        && !model.journal.orders.iter().any(Order::is_instant_swap_in_history)
}

fn resend_message(model: &Model, order: &Order) -> Option<String> {
    let at = expected_resend_at(model, order)?;
    let wait = duration::format_age(model.now.age(at));
    Some(format!("The same request is resent, with the same key, in {wait} unless it is found before."))
}

fn last_answer_text(order: &Order) -> String {
    let answer = order.attempts.last().and_then(|attempt| attempt.answer.as_ref());
    answer.map_or_else(
        || "no answer came".into(),
        |(_, answer)| answer.message.to_string().trim_end_matches('.').to_owned(),
    )
}

/// The service's rejection, as the beginning of a sentence.
pub fn refusal_message(order: &Order) -> String {
    let answer_text = last_answer_text(order);
    // Journals of earlier versions say “refused”.
    let rest = answer_text.strip_prefix("rejected").or_else(|| answer_text.strip_prefix("refused"));
    rest.map_or_else(|| format!("Rejected: {answer_text}"), |rest| format!("Rejected{rest}"))
}

fn proceeds_text(order: &Order) -> String {
    let amount_text = |proceeds: &SwapProceeds| format!("{} {}", proceeds.amount.format_grouped(), proceeds.coin);
    match (order.proceeds_in_history(), order.proceeds()) {
        _ if !order.drafted.draft.operation().is_swap() => String::new(),
        (Some(proceeds), _) => format!(" Proceeds: {}.", amount_text(proceeds)),
        (None, Some(proceeds)) => {
            format!(" The answer reports proceeds of {}; the history did not show them.", amount_text(proceeds))
        }
        (None, None) => " The proceeds are not known: the history did not show them.".into(),
    }
}

pub(super) fn service_status(order: &Order) -> String {
    let observation = order.last_observation();
    match (
        observation.and_then(|observation| observation.status.as_ref()).map(Status::word),
        observation.and_then(|observation| observation.confirmed),
    ) {
        (Some(word), _) => format!("“{word}”"),
        (None, Some(true)) => "confirmed".into(),
        (None, _) => "accepted, without a status".into(),
    }
}

fn accepted_message(model: &Model, order: &Order) -> String {
    let status = service_status(order);
    if order.is_reopened() {
        return format!(
            "The order was closed and is open again: the service now reports it as {status}. It counts as paid until \
             somebody has checked. Ask the service what is true, and do not pay again; then write it off with what you \
             learnt."
        );
    }
    let failing = order.failing_read_times(&model.journal.final_statuses);
    if let Some(first) = failing.first() {
        let next = failing.len().saturating_add(1).min(NOT_SEEN_READS);
        let from = format_time(model, first.plus(NOT_SEEN_AFTER));
        return format!(
            "The service reports it as {status}. One read may be wrong: the order is shown as failed once \
             {NOT_SEEN_READS} complete reads of the history over ten minutes say so (read {next} of {NOT_SEEN_READS}, \
             the last one at {from} or later). It counts as paid until then."
        );
    }
    if order.is_contradicted_by_history() {
        return format!(
            "The service has it under this order's key and reports it as {status}. It stays open until somebody has \
             checked."
        );
    }
    if lacks_proceeds(order) {
        format!(
            "The service reports it as {status}. This console tracks it until the history that shows the proceeds is \
             read."
        )
    } else if order.drafted.draft.operation().moves_money() {
        format!("The service accepted it and reports it as {status}. This console tracks it until it is final.")
    } else {
        "The service carried it out.".into()
    }
}

/// How many recipients of a batch have each status, in the service's words.
fn partly_paid_message(order: &Order) -> String {
    let mut status_counts: BTreeMap<&str, usize> = BTreeMap::new();
    for report in order.recipient_reports().into_values() {
        *status_counts.entry(report.status.as_ref().map_or("no status", Status::word)).or_default() += 1;
    }
    let status_counts: Vec<String> = status_counts.iter().map(|(word, count)| format!("{count} “{word}”")).collect();
    format!(
        "Partly paid: of {} recipients the service reports {}. Each is listed below; to pay those who received nothing, make a new order for them only.",
        order.recipient_count(),
        status_counts.join(", ")
    )
}
