//! How an order is told: a word for a list, and the sentences for whoever has to decide.

use std::collections::BTreeMap;

use super::super::model::Model;
use super::alarms::{alarms, lacks_proceeds};
use super::{elsewhere, next_resend_at};
use crate::app::link;
use crate::domain::intent::{Attempt, NOT_SEEN_AFTER, NOT_SEEN_READS, OrderEnd, Relation, State};
use crate::domain::{Operation, Order, Outcome, Status, SwapProceeds, Timestamp};

/// How much an order wants to be seen, for the paint and the glyph of its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Attention {
    /// Nothing to do.
    Quiet,
    /// On its way.
    Open,
    /// Done.
    Good,
    /// Did not happen.
    Bad,
    /// Somebody must look.
    Alarm,
}

/// How much an order wants to be seen.
pub fn attention(order: &Order, now: Timestamp) -> Attention {
    if !alarms(order, now).is_empty() {
        return Attention::Alarm;
    }
    match order.state(now) {
        State::Unknown | State::ProbablyRefused => Attention::Alarm,
        State::Sending if order.is_unresolved(now) => Attention::Alarm,
        State::Accepted if !order.drafted.draft.operation().moves_money() => Attention::Good,
        State::Drafted | State::Confirmed | State::Sending | State::Accepted => Attention::Open,
        State::Settled => Attention::Good,
        // Of what is done in part, somebody must see to those who got nothing.
        State::NotSent | State::Refused | State::PartlySettled | State::Failed => Attention::Bad,
        State::Abandoned | State::WrittenOff => Attention::Quiet,
    }
}

/// A state in a word or two, for a list.
pub fn state_label(order: &Order, now: Timestamp) -> &'static str {
    match order.state(now) {
        State::Drafted => "drafted",
        State::Confirmed => "not sent yet",
        State::Sending if order.is_unresolved(now) => "sent again",
        State::Sending => "sending",
        State::NotSent => "not sent",
        State::Unknown => "unknown",
        State::ProbablyRefused => "refused?",
        State::Refused => "refused",
        State::Accepted if !order.drafted.draft.operation().moves_money() => "made",
        State::Accepted if order.is_reopened() => "reopened",
        State::Accepted if order.lookups.last().is_some_and(|(_, look)| look.shows_failure) => "failed?",
        State::Accepted => "accepted",
        State::Settled => "settled",
        State::PartlySettled => "partly done",
        State::Failed => "failed",
        State::Abandoned => "given up",
        State::WrittenOff => "written off",
    }
}

/// What a payment by version 1 does not promise.
pub const V1_WARNING: &str = "Version 1 has no idempotency key: if the answer is lost, this console never sends the payment \
                          again. It looks for its clientTxId in the history instead.";

/// What is to be said of an order: whole sentences, the gravest first.
pub fn status_messages(model: &Model, order: &Order) -> Vec<String> {
    let now = model.now;
    let mut said = alarms(order, now);
    let alarms = said.len();
    said.extend(match order.state(now) {
        State::Drafted => vec!["Recorded, and not confirmed. Nothing was sent.".into()],
        State::Confirmed => vec!["Confirmed, and not sent. Nothing has left this machine.".into()],
        State::Sending if order.is_unresolved(now) => {
            let mut said = unknown(model, order);
            said.insert(1, sending(model, order));
            said
        }
        State::Sending => vec![sending(model, order)],
        State::NotSent => vec![format!("Not sent: {}. Nothing has left this machine.", last_said(order))],
        State::Unknown => unknown(model, order),
        State::ProbablyRefused => probably_refused(model, order),
        State::Refused => vec![closed_message(order)],
        State::Accepted => vec![accepted(model, order)],
        State::Settled => vec![format!("Done: the service calls it {}.{}", service_status(order), came(order))],
        State::PartlySettled => vec![partly(order)],
        State::Failed => vec![format!("It did not happen: the service calls it {}.", service_status(order))],
        State::Abandoned => vec![abandoned(order)],
        State::WrittenOff => vec![written_off(order)],
    });
    let profile = &order.drafted.destination.profile;
    if *profile != model.identity.profile {
        said.insert(said.len().min(alarms + 1), format!("It was made under the profile {profile}, at this service."));
    }
    said
}

fn this(order: &Order) -> &'static str {
    match order.drafted.draft.operation() {
        Operation::Withdraw | Operation::Payment => "this payment",
        Operation::CreateUser => "this user",
        Operation::CreateAccount => "this account",
        Operation::CreateWallet => "this wallet",
        Operation::UpdateWallet => "this change of a wallet",
        Operation::UpdateUser => "this change of a user",
        Operation::CreateSubWallet => "this sub-wallet",
        Operation::CreateAddress | Operation::CreateSandboxAddress => "this deposit address",
        Operation::SimulateDeposit => "this simulated deposit",
        Operation::Batch => "this batch",
        Operation::Swap | Operation::InstantSwap => "this swap",
    }
}

/// What whoever does not know must not do.
fn not_again(order: &Order) -> &'static str {
    if order.drafted.draft.operation().is_swap() {
        " Do not swap again from elsewhere."
    } else {
        " Do not pay again from elsewhere."
    }
}

fn clock(model: &Model, at: Timestamp) -> String {
    // A day is told where the hour alone would leave it open.
    let today = model.zone.day(at) == model.zone.day(model.now);
    model.zone.format(at, if today { "%H:%M:%S" } else { "%Y-%m-%d %H:%M:%S" })
}

fn sending(model: &Model, order: &Order) -> String {
    let Some(attempt) = order.attempts.last() else { return String::new() };
    let (by, at) = (&attempt.stamp.by, clock(model, attempt.stamp.at));
    let until = clock(model, attempt.gives_up_at);
    format!("Being sent since {at} by {} at {}. Its answer is waited for until {until}.", by.user, by.host)
}

/// What an attempt that says nothing of its fate came to.
fn silence(attempt: &Attempt) -> String {
    match &attempt.answer {
        None => "no answer came".into(),
        Some((_, answer)) if answer.status.is_none() => format!("no answer came ({})", answer.message),
        Some((_, answer)) => format!("the answer does not say what became of it ({})", answer.message),
    }
}

fn unknown(model: &Model, order: &Order) -> Vec<String> {
    let now = model.now;
    let money = order.drafted.draft.operation().moves_money();
    // One that is on its way again says nothing yet.
    let done: Vec<&Attempt> = order.attempts.iter().filter(|attempt| !attempt.is_under_way(now)).collect();
    let left = match done.as_slice() {
        [] => String::new(),
        [only] => format!(" The request left at {} and {}.", clock(model, only.stamp.at), silence(only)),
        [first, .., last] => format!(
            " The request left {} times with one key, from {} to {}, and at last {}.",
            done.len(),
            clock(model, first.stamp.at),
            clock(model, last.stamp.at),
            silence(last),
        ),
    };
    let warning = if money { not_again(order) } else { " Look whether it is there before you make another." };
    let mut said = vec![format!("We do not know whether {} was made.{left}{warning}", this(order))];
    if order.drafted.draft.operation() == Operation::Payment {
        said.push(V1_WARNING.to_owned());
    }
    said.extend(reading(model, order));
    said.extend(again(model, order));
    said
}

fn probably_refused(model: &Model, order: &Order) -> Vec<String> {
    let again = if order.drafted.draft.operation().moves_money() { not_again(order) } else { "" };
    let mut said = vec![if order.outcome() == Some(Outcome::Declined) {
        format!("{}. Its history is read before that is sure.{again}", refusal_message(order))
    } else {
        format!(
            "The service seems to have refused it ({}). Only its history can say so for sure.{again}",
            last_said(order)
        )
    }];
    said.extend(reading(model, order));
    said.extend(self::again(model, order));
    said
}

/// How a refusal is told: by the service's own word, or by what reads like one and by the history.
pub fn closed_message(order: &Order) -> String {
    if order.outcome() == Some(Outcome::Declined) {
        return format!(
            "{}. Nothing was executed: a read of the whole history that began later does not show it. Should any read show \
             it yet, it is opened again.",
            refusal_message(order)
        );
    }
    if order.is_refusal_confirmed() {
        return format!(
            "Its answer reads like a refusal ({}), and {} whole reads of the history since did not show it: it is closed as \
             refused. Should any read show it yet, it is opened again.",
            last_said(order),
            order.complete_reads().len()
        );
    }
    format!("{}. Nothing was executed.", refusal_message(order))
}

/// How far the search in the history has come.
fn reading(model: &Model, order: &Order) -> Vec<String> {
    if !order.drafted.draft.operation().moves_money() {
        return Vec::new();
    }
    if let Some(there) = elsewhere(model, order) {
        let then = match model.addresses.relation(&order.drafted.destination.base_url) {
            Some(Relation::Unanswered) => {
                " Whether it is the same service is to be said first; until then it counts for payments from here as if \
                 it were."
            }
            Some(Relation::Other) if order.is_unresolved(model.now) => {
                " By an operator's word it is another service. Whoever was to be paid may have been, so that it counts \
                 for payments to them until it is written off: ask that service first."
            }
            Some(Relation::Same | Relation::Other) | None => "",
        };
        return vec![format!(
            "It went to {there}, which this profile does not name any more: it is not looked for here.{then}"
        )];
    }
    if model.read_only.is_some() {
        return vec!["This console only reads and does not look for it; a console that may pay does.".into()];
    }
    let mut said = Vec::new();
    let reads = order.complete_reads().len();
    let never_covers = !order.lookups.is_empty() && order.lookups.iter().all(|(_, look)| !look.is_complete);
    said.push(if order.was_not_seen() {
        format!(
            "It was not seen in {reads} whole reads of the history since. That does not prove that it was not made: ask the \
             service before you write it off."
        )
    } else if is_untold(model, order) {
        "No list of version 1 tells of its swaps, and the history of version 2 was not seen to show one yet, so that not \
         seeing it there says nothing. Look at what is held of both coins, ask the service, and write it off with what \
         you learnt: until then it counts as made, and the same swap is stopped."
            .into()
    } else if never_covers {
        "The history that was read does not reach back whole to the sending, so that not seeing it there says nothing.".into()
    } else if let (None, Some((failure, _))) = (model.remotes.orders.in_flight, &model.remotes.orders.failure) {
        format!("The history cannot be read ({}); it is tried again.", failure.reason)
    } else if order.outcome() == Some(Outcome::Declined) {
        "Checking the history again and again: one whole read that does not show it closes it.".into()
    } else if reads < NOT_SEEN_READS {
        let when = if model.remotes.orders.in_flight.is_some() { "now" } else { "again and again" };
        let next = reads + 1;
        let first = order.complete_reads().first().copied();
        let last = first.map_or(String::new(), |first| {
            let which = if next == NOT_SEEN_READS { "," } else { "; the last one" };
            format!("{which} at {} or later", clock(model, first.plus(NOT_SEEN_AFTER)))
        });
        format!("Checking the history {when} (read {next} of {NOT_SEEN_READS}{last}).")
    } else {
        "Checking the history until ten minutes have passed.".into()
    });
    if let Some((_, look)) = order.lookups.iter().rev().find(|(_, look)| look.similar_transaction.is_some())
        && let Some(transaction) = &look.similar_transaction
    {
        let same = if order.drafted.draft.operation().is_swap() {
            "sells the same token and amount"
        } else {
            "has the same chain, recipient, token and amount"
        };
        let mark = if order.drafted.request.key.is_some() { "key" } else { "reference" };
        said.push(format!("Transaction {transaction} {same}, but not its {mark}: it may be this one."));
    }
    said
}

/// Whether no read can say that it was not made: a swap by version 1 at a service whose history was not seen to show one.
fn is_untold(model: &Model, order: &Order) -> bool {
    order.drafted.draft.operation() == Operation::InstantSwap
        && order.complete_reads().is_empty()
        && !model.orders.iter().any(Order::is_instant_swap_in_history)
}

fn again(model: &Model, order: &Order) -> Option<String> {
    let at = next_resend_at(model, order)?;
    let wait = link::words(model.now.age(at));
    Some(format!("The same request is sent again, with the same key, in {wait} unless it is found before."))
}

fn last_said(order: &Order) -> String {
    let answer = order.attempts.last().and_then(|attempt| attempt.answer.as_ref());
    answer.map_or_else(
        || "no answer came".into(),
        |(_, answer)| answer.message.to_string().trim_end_matches('.').to_owned(),
    )
}

/// What the service said in refusing it, for the beginning of a sentence.
pub fn refusal_message(order: &Order) -> String {
    let said = last_said(order);
    said.strip_prefix("refused").map_or_else(|| format!("Refused: {said}"), |rest| format!("Refused{rest}"))
}

/// What came of a swap, where that was told.
fn came(order: &Order) -> String {
    let told = |came: &SwapProceeds| format!("{} {}", came.amount.grouped(), came.coin);
    match (order.proceeds_in_history(), order.proceeds()) {
        _ if !order.drafted.draft.operation().is_swap() => String::new(),
        (Some(came), _) => format!(" It brought {}.", told(came)),
        (None, Some(came)) => format!(" Its answer says that it brought {}; the history did not show it.", told(came)),
        (None, None) => " What it brought is not known: the history did not show it.".into(),
    }
}

pub(super) fn service_status(order: &Order) -> String {
    let seen = order.last_observed();
    match (seen.and_then(|seen| seen.status.as_ref()).map(Status::word), seen.and_then(|seen| seen.confirmed)) {
        (Some(word), _) => format!("“{word}”"),
        (None, Some(true)) => "confirmed".into(),
        (None, _) => "taken, without a word on how far it is".into(),
    }
}

fn accepted(model: &Model, order: &Order) -> String {
    if order.is_reopened() {
        return format!(
            "It was closed, and is open again: the service calls it {} now. It counts as paid until somebody has looked. \
             Ask the service what is true, and do not pay it again; then write it off with what you learnt.",
            service_status(order)
        );
    }
    let failing = order.failing_reads(&model.book.final_words);
    if let Some(first) = failing.first() {
        let next = failing.len().saturating_add(1).min(NOT_SEEN_READS);
        let from = clock(model, first.plus(NOT_SEEN_AFTER));
        return format!(
            "The service calls it {}. One reading may be wrong: it is told as failed once {NOT_SEEN_READS} whole reads of \
             the history over ten minutes say so (read {next} of {NOT_SEEN_READS}, the last one at {from} or later). It \
             counts as paid until then.",
            service_status(order)
        );
    }
    if order.is_contradicted_by_history() {
        return format!(
            "The service has it under this order's key and calls it {}. It stays open until somebody has looked.",
            service_status(order)
        );
    }
    if lacks_proceeds(order) {
        format!(
            "The service calls it {}. It is watched until the history that shows what it brought was read.",
            service_status(order)
        )
    } else if order.drafted.draft.operation().moves_money() {
        format!("The service took it and calls it {}. It is watched until it is final.", service_status(order))
    } else {
        "The service made it.".into()
    }
}

/// How many of a batch fared how, by the service's own words.
fn partly(order: &Order) -> String {
    let mut words: BTreeMap<&str, usize> = BTreeMap::new();
    for seen in order.parts().into_values() {
        *words.entry(seen.status.as_ref().map_or("without a word", Status::word)).or_default() += 1;
    }
    let words: Vec<String> = words.iter().map(|(word, count)| format!("{count} “{word}”")).collect();
    format!(
        "Partly done: of {} recipients the service calls {}. Each is listed below; pay those who got nothing anew.",
        order.recipients(),
        words.join(", ")
    )
}

fn abandoned(order: &Order) -> String {
    match &order.end {
        Some((_, OrderEnd::Abandoned(Some(why)))) => format!("Given up by the console: {why}. Nothing was sent."),
        _ => "Given up. Nothing was sent.".into(),
    }
}

fn written_off(order: &Order) -> String {
    let Some((stamp, OrderEnd::WrittenOff(reason))) = &order.end else { return String::new() };
    let fate = match order.last_observed() {
        Some(_) => format!(" The service calls it {}.", service_status(order)),
        None => " What became of it is not known.".into(),
    };
    let counts = " For 24 hours from its sending it counts against limits, and an equal payment asks for typed words.";
    format!("Written off by {} at {}: {reason}.{fate}{counts}", stamp.by.user, stamp.by.host)
}
