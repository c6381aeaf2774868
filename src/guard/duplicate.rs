//! Whether an equal payment was made recently, by this console or by somebody else.

use std::cmp::Ordering;
use std::time::Duration;

use super::{Finding, GuardedPayment, Override, RecentPayment, Rule, reference, truncate_word};
use crate::domain::address::is_same_address;
use crate::domain::{address, chain};

const RULE: Rule = Rule::Duplicate;

/// An equal payment within this time counts as the same one.
const DAY: Duration = Duration::from_hours(24);
/// How many earlier payments are shown.
const MAX_SHOWN: usize = 3;

pub(super) fn judge(case: &GuardedPayment<'_>) -> Vec<Finding> {
    equal_payments(case)
        .into_iter()
        .chain(same_reference(case))
        .chain(same_wordy_note(case))
        .chain(incomplete_comparison(case))
        .collect()
}

pub(super) fn equal_payments(case: &GuardedPayment<'_>) -> Vec<Finding> {
    let is_again = |payment: &&RecentPayment| {
        !payment.is_unresolved && is_recent(case, payment) && is_equal_payment(case, payment)
    };
    let repeats: Vec<&RecentPayment> = case.facts.recent_payments.iter().filter(is_again).collect();
    let Some(first) = repeats.first() else { return Vec::new() };
    let when = if repeats.len() == 1 { "once".to_owned() } else { format!("{} times", repeats.len()) };
    let message = format!(
        "The same amount was paid to the same address {when} within 24 hours ({}). This would pay it again.",
        truncate_word(&first.state)
    );
    vec![
        Finding::danger(RULE, Override::PayAgain, message)
            .with_lines(limited_lines(&repeats, |payment| payment_lines(case, payment))),
    ]
}

/// Whether another order has the same reference as a batch, and whether all payments could be compared. Words that
/// identify a payment only per recipient are compared for each recipient.
pub(super) fn judge_batch_reference(case: &GuardedPayment<'_>) -> Vec<Finding> {
    same_reference(case).into_iter().chain(incomplete_comparison(case)).collect()
}

/// Whether a recipient of a batch was paid under the same words before.
pub(super) fn judge_recipient(case: &GuardedPayment<'_>) -> Vec<Finding> {
    same_wordy_note(case).into_iter().collect()
}

/// Whether a recipient of a batch was paid before under its own reference. `case` has it as the reference of the
/// payment, and `payments` are those that may share it.
pub(super) fn judge_own_reference(case: &GuardedPayment<'_>, payments: &[&RecentPayment]) -> Vec<Finding> {
    let of_them = |holds: fn(&GuardedPayment<'_>, &RecentPayment) -> bool| {
        let matching: Vec<&RecentPayment> = payments.iter().copied().filter(|payment| holds(case, payment)).collect();
        (!matching.is_empty()).then(|| limited_lines(&matching, |payment| payment_lines(case, payment)))
    };
    let same_reference = of_them(|case, payments| reference::has_same_reference(case.request, payments));
    let wordy = of_them(is_noted_alike);
    same_reference.map(same_reference_finding).into_iter().chain(wordy.map(same_words_finding)).collect()
}

/// Whether a payment has the same reference, whatever its recipient, amount, token, chain and age.
fn same_reference(case: &GuardedPayment<'_>) -> Option<Finding> {
    matching_lines(case, |payment| reference::has_same_reference(case.request, payment)).map(same_reference_finding)
}

fn same_reference_finding(lines: Vec<String>) -> Finding {
    let message = "Another payment carries the same reference or note. It may be the same invoice, already paid.";
    Finding::danger(RULE, Override::SameReference, message.into()).with_lines(lines)
}

/// Whether the recipient was paid under the same words without a number in them. Such words recur, as `rent` does.
fn same_wordy_note(case: &GuardedPayment<'_>) -> Option<Finding> {
    matching_lines(case, |payment| is_noted_alike(case, payment)).map(same_words_finding)
}

fn is_noted_alike(case: &GuardedPayment<'_>, payment: &RecentPayment) -> bool {
    is_same_address(&payment.to, &case.request.to)
        && reference::has_same_words(case.request, payment)
        && !reference::has_same_reference(case.request, payment)
}

fn same_words_finding(lines: Vec<String>) -> Finding {
    let message =
        "This recipient was paid before with the same reference or note. It may be the same debt, already paid.";
    Finding::caution(RULE, message.into()).with_lines(lines)
}

fn matching_lines(case: &GuardedPayment<'_>, is_shown: impl Fn(&RecentPayment) -> bool) -> Option<Vec<String>> {
    let all: Vec<&RecentPayment> = case.facts.recent_payments.iter().filter(|payment| is_shown(payment)).collect();
    (!all.is_empty()).then(|| limited_lines(&all, |payment| payment_lines(case, payment)))
}

/// Whether all recent payments could be compared.
fn incomplete_comparison(case: &GuardedPayment<'_>) -> Option<Finding> {
    let reason: String = case.facts.history_gap.as_ref()?.chars().take(120).collect();
    Some(Finding::caution(RULE, format!("Not all earlier payments could be compared: {reason}.")))
}

/// Chain, recipient, token and amount are the same. The request names a token by its symbol, so one symbol on one chain
/// counts as one token, whatever contract a row states.
fn is_equal_payment(case: &GuardedPayment<'_>, payment: &RecentPayment) -> bool {
    let token = payment.token == case.sender.token || payment.symbol.eq_ignore_ascii_case(&case.request.token);
    token
        && chain::is_same_chain(&payment.blockchain, &case.request.blockchain)
        && payment.amount.cmp_value(case.sender.amount) == Ordering::Equal
        && is_same_address(&payment.to, &case.request.to)
}

/// A payment without a time, or with a future one, may be recent.
fn is_recent(case: &GuardedPayment<'_>, payment: &RecentPayment) -> bool {
    payment.at.is_none_or(|at| at.age(case.now) <= DAY)
}

/// The lines of some of them, and how many more there are.
pub(super) fn limited_lines<T>(all: &[&T], lines: impl Fn(&T) -> Vec<String>) -> Vec<String> {
    let mut shown_lines: Vec<String> = all.iter().take(MAX_SHOWN).flat_map(|one| lines(one)).collect();
    if all.len() > MAX_SHOWN {
        shown_lines.push(format!("and {} more", all.len() - MAX_SHOWN));
    }
    shown_lines
}

/// An earlier payment; with its recipient, if that is not this payment's.
pub(super) fn payment_lines(case: &GuardedPayment<'_>, payment: &RecentPayment) -> Vec<String> {
    let at = payment.at.map_or_else(|| "time not known".to_owned(), |at| at.format("%Y-%m-%d %H:%M UTC"));
    let by = if payment.order.is_some() { "" } else { ", not by this console" };
    let reference = payment.recipient_reference.as_ref().or(payment.ref_id.as_ref());
    let reference = reference.map(|reference| format!(", ref {}", truncate_word(reference))).unwrap_or_default();
    let payment_line = format!(
        "{at}  {} {}, {}{by}{reference}",
        payment.amount.format_grouped(),
        truncate_word(&payment.symbol),
        truncate_word(&payment.state)
    );
    let is_here = is_same_address(&payment.to, &case.request.to)
        && chain::is_same_chain(&payment.blockchain, &case.request.blockchain);
    let place = || {
        let chain = truncate_word(chain::chain_display_name(&payment.blockchain));
        format!("                      to {} on {chain}", truncate_word(&address::shorten_address(&payment.to)))
    };
    std::iter::once(payment_line).chain((!is_here).then(place)).collect()
}

#[cfg(test)]
mod tests;
