//! Whether this may be paid or swapped already by an order of which nobody knows what became of it.
//!
//! While such an order to a recipient is unresolved, every payment to it is at least a danger: of whatever amount and
//! token, on whatever chain. From 98 percent of the order's amount on it is stopped, and it is the sum that counts: all
//! that went to the recipient since the order left, and this. So neither a little less, nor more, nor the same in parts
//! gets past it. Of two tokens no sum can be made: another token is a danger.

use std::time::Duration;

use super::duplicate::{limited_lines, line};
use super::swap::GuardedSwap;
use super::{Finding, GuardedPayment, Override, RecentPayment, RecentSwap, Rule, duplicate_swap, truncate_word};
use crate::domain::address::is_same_address;
use crate::domain::{Amount, Timestamp};

const RULE: Rule = Rule::Duplicate;

/// By so much the clocks of this machine and of the service may differ without an alarm.
const SKEW: Duration = Duration::from_mins(5);

/// Whether something left after an order did, as far as clocks can tell; what has no time may have. An order that seems to lie
/// ahead left by a clock that was ahead: nobody knows when, so that everything may have left after it.
pub fn may_be_after(at: Option<Timestamp>, order: Option<Timestamp>, now: Timestamp) -> bool {
    at.zip(order).is_none_or(|(at, order)| at.plus(SKEW) >= order || order > now.plus(SKEW))
}

/// Whether a sum comes to within 2 percent of an amount, or beyond it. What cannot be counted reaches everything.
fn reaches(sum: Option<Amount>, amount: Amount) -> bool {
    let both = sum.and_then(|sum| Some((sum.times(50)?, amount.times(49)?)));
    both.is_none_or(|(sum, amount)| sum.cmp_value(amount).is_ge())
}

/// An unresolved order beside what is judged.
struct UnresolvedOrder<'a, T> {
    order: &'a T,
    /// Whether this would pay it again, with what left since.
    is_reached: bool,
    /// What left since it did, if anything.
    since: Vec<&'a T>,
}

pub(super) fn judge(case: &GuardedPayment<'_>) -> Vec<Finding> {
    let to_it = || case.facts.recent_payments.iter().filter(|paid| is_same_address(&paid.to, &case.request.to));
    let open: Vec<UnresolvedOrder<'_, RecentPayment>> = to_it()
        .filter(|paid| paid.is_unresolved)
        .map(|order| {
            let is_other = |paid: &&RecentPayment| {
                !std::ptr::eq(*paid, order) && (paid.intent.is_none() || paid.intent != order.intent)
            };
            let of_token = |paid: &&RecentPayment| is_same_token(case, paid);
            let since: Vec<&RecentPayment> = to_it()
                .filter(is_other)
                .filter(of_token)
                .filter(|paid| may_be_after(paid.at, order.at, case.now))
                .collect();
            let all = since.iter().map(|paid| paid.amount).try_fold(case.sender.amount, Amount::checked_add_value);
            UnresolvedOrder { order, is_reached: is_same_token(case, order) && reaches(all, order.amount), since }
        })
        .collect();
    let Some(first) = open.iter().find(|open| open.is_reached).or(open.first()) else { return Vec::new() };
    let orders: Vec<&RecentPayment> = open.iter().map(|open| open.order).collect();
    let is_equal = first.order.amount.cmp_value(case.sender.amount).is_eq();
    let lines = limited_lines(&orders, |paid| line(case, paid)).into_iter().chain(sum_lines(case, first));
    if !first.is_reached {
        let words = "Another payment to this recipient is unresolved and may have been made. Resolve that order first, unless \
                     you are sure that this pays for something else.";
        return vec![Finding::danger(RULE, Override::Unresolved, words.into()).with_lines(lines)];
    }
    let words = match (is_equal, first.since.is_empty()) {
        (true, _) => "An equal payment is unresolved and may have been made.",
        (false, true) => {
            "Another payment to this recipient is unresolved and may have been made, and this amount is at least 98% of it."
        }
        (false, false) => {
            "Another payment to this recipient is unresolved and may have been made, and what was paid there since reaches its amount together \
             with this."
        }
    };
    vec![Finding::stop(RULE, format!("{words} Resolve that order first: it may have been executed.")).with_lines(lines)]
}

/// What went to the recipient since, and what is not known of that.
fn sum_lines(case: &GuardedPayment<'_>, open: &UnresolvedOrder<'_, RecentPayment>) -> Vec<String> {
    let mut lines = Vec::new();
    let symbol = truncate_word(&case.request.token);
    let since = open.since.iter().map(|paid| paid.amount).try_fold(Amount::zero(0), Amount::checked_add_value);
    if !open.since.is_empty() {
        let grouped = |sum: Option<Amount>| sum.map_or_else(|| "more than can be counted".to_owned(), Amount::grouped);
        lines.push(format!("since then  {} {symbol} in {}", grouped(since), count(open.since.len())));
        let all = since.and_then(|since| since.checked_add_value(case.sender.amount));
        lines.push(format!("with this   {} {symbol}", grouped(all)));
    }
    let is_counted = case.facts.outflows_known_from.zip(open.order.at).is_some_and(|(from, at)| from <= at);
    if !is_counted {
        lines.push("payments by others since then are not all known".into());
    }
    lines
}

fn count(payments: usize) -> String {
    if payments == 1 { "1 payment".to_owned() } else { format!("{payments} payments") }
}

/// Whether something was paid in the payment's token, on whichever chain: by its contract, its symbol, or a symbol that is
/// the same but for what marks a chain or a bridge, such as `USDC.e`.
fn is_same_token(case: &GuardedPayment<'_>, paid: &RecentPayment) -> bool {
    let head = |symbol: &str| {
        let head = symbol.trim().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if head.is_empty() { symbol.trim().to_lowercase() } else { head.to_lowercase() }
    };
    paid.token == case.sender.token || head(&paid.symbol) == head(&case.request.token)
}

/// The same of a swap: of the same pair, on whichever chain.
pub(super) fn judge_swap(case: &GuardedSwap<'_>) -> Vec<Finding> {
    let (known, sold) = (case.sale.facts, case.sale.sender.amount);
    let of_pair = || known.recent_swaps.iter().filter(|swap| duplicate_swap::is_of_pair(case, swap));
    let most = |swap: &RecentSwap| swap.amounts.iter().copied().reduce(Amount::max_value);
    let open: Vec<UnresolvedOrder<'_, RecentSwap>> = of_pair()
        .filter(|swap| swap.is_unresolved)
        .map(|order| {
            let is_other = |swap: &&RecentSwap| {
                !std::ptr::eq(*swap, order) && (swap.intent.is_none() || swap.intent != order.intent)
            };
            let since: Vec<&RecentSwap> =
                of_pair().filter(is_other).filter(|swap| may_be_after(swap.at, order.at, case.sale.now)).collect();
            let all = since.iter().try_fold(sold, |sum, swap| sum.checked_add_value(most(swap)?));
            UnresolvedOrder { order, is_reached: most(order).is_none_or(|amount| reaches(all, amount)), since }
        })
        .collect();
    let Some(first) = open.iter().find(|open| open.is_reached).or(open.first()) else { return Vec::new() };
    let orders: Vec<&RecentSwap> = open.iter().map(|open| open.order).collect();
    let lines = limited_lines(&orders, |swap| vec![duplicate_swap::line(swap)]);
    if !first.is_reached {
        let words = "Another swap of these two tokens is unresolved and may have been made. Resolve that order first, unless you are \
                     sure that this swap is in addition to it.";
        return vec![Finding::danger(RULE, Override::Unresolved, words.into()).with_lines(lines)];
    }
    let is_equal = most(first.order).is_some_and(|amount| amount.cmp_value(sold).is_eq());
    let words = match (is_equal, first.since.is_empty()) {
        (true, _) => "An equal swap is unresolved and may have been made.",
        (false, true) => {
            "Another swap of these two tokens is unresolved and may have been made, and this amount is at least 98% of it."
        }
        (false, false) => {
            "Another swap of these two tokens is unresolved and may have been made, and what was swapped since reaches its amount together with this."
        }
    };
    vec![Finding::stop(RULE, format!("{words} Resolve that order first: it may have been executed.")).with_lines(lines)]
}

#[cfg(test)]
mod tests;
