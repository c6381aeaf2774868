//! Whether an unresolved order may already have made this payment or swap.
//!
//! While an order to a recipient is unresolved, every payment to that recipient is at least a danger, whatever its
//! amount, token and chain. From 98% of the order's amount on it is stopped. The sum counts: this payment and
//! everything that went to the recipient since the order was sent. So neither a slightly smaller amount, nor a larger
//! one, nor instalments get past it. Amounts of two tokens cannot be summed: another token is a danger.

use std::time::Duration;

use super::duplicate::{limited_lines, payment_lines};
use super::facts::GuardedSwap;
use super::{Finding, GuardedPayment, Override, RecentPayment, RecentSwap, Rule, duplicate_swap, truncate_word};
use crate::domain::address::is_same_address;
use crate::domain::{Amount, Timestamp};

const RULE: Rule = Rule::Duplicate;

/// The clocks of this machine and of the service may differ by this much without an alarm.
const CLOCK_TOLERANCE: Duration = Duration::from_mins(5);

/// Whether a payment was sent after an order, as far as the clocks show; a payment without a time may have been. An
/// order from the future was sent while the clock was ahead, at an unknown time, so every payment may have followed it.
pub fn may_be_after(at: Option<Timestamp>, order: Option<Timestamp>, now: Timestamp) -> bool {
    at.zip(order).is_none_or(|(at, order)| at.plus(CLOCK_TOLERANCE) >= order || order > now.plus(CLOCK_TOLERANCE))
}

/// Whether a sum is within 2% of an amount, or above it. A sum that overflows reaches every amount.
fn reaches_amount(sum: Option<Amount>, amount: Amount) -> bool {
    let products = sum.and_then(|sum| Some((sum.checked_mul(50)?, amount.checked_mul(49)?)));
    products.is_none_or(|(sum, amount)| sum.cmp_value(amount).is_ge())
}

struct UnresolvedOrder<'a, T> {
    order: &'a T,
    /// Whether this payment, with those since, would pay the order's amount again.
    is_reached: bool,
    /// What was paid or swapped since the order was sent.
    since: Vec<&'a T>,
}

pub(super) fn judge(case: &GuardedPayment<'_>) -> Vec<Finding> {
    let to_it = || case.facts.recent_payments.iter().filter(|payment| is_same_address(&payment.to, &case.request.to));
    let open: Vec<UnresolvedOrder<'_, RecentPayment>> = to_it()
        .filter(|payment| payment.is_unresolved)
        .map(|order| {
            let is_other = |payment: &&RecentPayment| {
                !std::ptr::eq(*payment, order) && (payment.order.is_none() || payment.order != order.order)
            };
            let of_token = |payment: &&RecentPayment| is_same_token(case, payment);
            let since: Vec<&RecentPayment> = to_it()
                .filter(is_other)
                .filter(of_token)
                .filter(|payment| may_be_after(payment.at, order.at, case.now))
                .collect();
            let all =
                since.iter().map(|payment| payment.amount).try_fold(case.sender.amount, Amount::checked_add_rescaled);
            UnresolvedOrder {
                order,
                is_reached: is_same_token(case, order) && reaches_amount(all, order.amount),
                since,
            }
        })
        .collect();
    let Some(first) = open.iter().find(|open| open.is_reached).or(open.first()) else { return Vec::new() };
    let orders: Vec<&RecentPayment> = open.iter().map(|open| open.order).collect();
    let is_equal = first.order.amount.cmp_value(case.sender.amount).is_eq();
    let lines =
        limited_lines(&orders, |payment| payment_lines(case, payment)).into_iter().chain(sum_lines(case, first));
    if !first.is_reached {
        let message = "Another payment to this recipient is unresolved and may have been made. Resolve that order first, unless \
                     you are sure that this pays for something else.";
        return vec![Finding::danger(RULE, Override::Unresolved, message.into()).with_lines(lines)];
    }
    let message = match (is_equal, first.since.is_empty()) {
        (true, _) => "An equal payment is unresolved and may have been made.",
        (false, true) => {
            "Another payment to this recipient is unresolved and may have been made, and this amount is at least 98% of it."
        }
        (false, false) => {
            "Another payment to this recipient is unresolved and may have been made, and what was paid there since reaches its amount together \
             with this."
        }
    };
    vec![Finding::stop(RULE, format!("{message} Resolve that order first.")).with_lines(lines)]
}

/// The sum paid to the recipient since then, and whether it may be incomplete.
fn sum_lines(case: &GuardedPayment<'_>, open: &UnresolvedOrder<'_, RecentPayment>) -> Vec<String> {
    let mut lines = Vec::new();
    let symbol = truncate_word(&case.request.token);
    let since = open.since.iter().map(|payment| payment.amount).try_fold(Amount::zero(0), Amount::checked_add_rescaled);
    if !open.since.is_empty() {
        let grouped =
            |sum: Option<Amount>| sum.map_or_else(|| "more than can be counted".to_owned(), Amount::format_grouped);
        lines.push(format!("since then  {} {symbol} in {}", grouped(since), payments_label(open.since.len())));
        let all = since.and_then(|since| since.checked_add_rescaled(case.sender.amount));
        lines.push(format!("with this   {} {symbol}", grouped(all)));
    }
    let is_counted = case.facts.outflows_known_from.zip(open.order.at).is_some_and(|(from, at)| from <= at);
    if !is_counted {
        lines.push("payments by others since then are not all known".into());
    }
    lines
}

fn payments_label(payments: usize) -> String {
    if payments == 1 { "1 payment".to_owned() } else { format!("{payments} payments") }
}

/// Whether an earlier payment was in this payment's token, on any chain: by contract, by symbol, or by a symbol that
/// differs only by a chain or bridge suffix, such as `USDC.e`.
fn is_same_token(case: &GuardedPayment<'_>, payment: &RecentPayment) -> bool {
    let head = |symbol: &str| {
        let head = symbol.trim().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if head.is_empty() { symbol.trim().to_lowercase() } else { head.to_lowercase() }
    };
    payment.token == case.sender.token || head(&payment.symbol) == head(&case.request.token)
}

/// The rule for a swap: unresolved swaps of the same pair, on any chain.
pub(super) fn judge_swap(case: &GuardedSwap<'_>) -> Vec<Finding> {
    let (facts, sold) = (case.sale.facts, case.sale.sender.amount);
    let of_pair = || facts.recent_swaps.iter().filter(|swap| duplicate_swap::is_of_pair(case, swap));
    let most = |swap: &RecentSwap| swap.amounts.iter().copied().reduce(Amount::larger);
    let open: Vec<UnresolvedOrder<'_, RecentSwap>> = of_pair()
        .filter(|swap| swap.is_unresolved)
        .map(|order| {
            let is_other =
                |swap: &&RecentSwap| !std::ptr::eq(*swap, order) && (swap.order.is_none() || swap.order != order.order);
            let since: Vec<&RecentSwap> =
                of_pair().filter(is_other).filter(|swap| may_be_after(swap.at, order.at, case.sale.now)).collect();
            let all = since.iter().try_fold(sold, |sum, swap| sum.checked_add_rescaled(most(swap)?));
            UnresolvedOrder { order, is_reached: most(order).is_none_or(|amount| reaches_amount(all, amount)), since }
        })
        .collect();
    let Some(first) = open.iter().find(|open| open.is_reached).or(open.first()) else { return Vec::new() };
    let orders: Vec<&RecentSwap> = open.iter().map(|open| open.order).collect();
    let lines = limited_lines(&orders, |swap| vec![duplicate_swap::swap_line(swap)]);
    if !first.is_reached {
        let message = "Another swap of these two tokens is unresolved and may have been made. Resolve that order first, unless you are \
                     sure that this swap is in addition to it.";
        return vec![Finding::danger(RULE, Override::Unresolved, message.into()).with_lines(lines)];
    }
    let is_equal = most(first.order).is_some_and(|amount| amount.cmp_value(sold).is_eq());
    let message = match (is_equal, first.since.is_empty()) {
        (true, _) => "An equal swap is unresolved and may have been made.",
        (false, true) => {
            "Another swap of these two tokens is unresolved and may have been made, and this amount is at least 98% of it."
        }
        (false, false) => {
            "Another swap of these two tokens is unresolved and may have been made, and what was swapped since reaches its amount together with this."
        }
    };
    vec![Finding::stop(RULE, format!("{message} Resolve that order first.")).with_lines(lines)]
}

#[cfg(test)]
mod tests;
