//! Whether the profile's limits allow a payment: by itself, with all payments of 24 hours, and as a share of the
//! balance.

mod usage;

use std::time::Duration;

use super::facts::GuardedSwap;
use super::{Finding, GuardedPayment, Outflow, Override, Rule, truncate_word};
use crate::domain::policy::{Limit, OverLimit};
use crate::domain::{Amount, BalanceBasis, Text, chain};
pub use usage::{LimitUsage, empty_payment, limit_usage};

const RULE: Rule = Rule::Limits;

const DAY: Duration = Duration::from_hours(24);

pub(super) fn judge(case: &GuardedPayment<'_>) -> Vec<Finding> {
    judge_payment(case).into_iter().chain(judge_sum(case)).collect()
}

/// Judges the sale of a swap. Where its request names no chain, the service may sell on any, so the limits of every
/// chain count.
pub(super) fn judge_sale(case: &GuardedSwap<'_>) -> Vec<Finding> {
    let sale = &case.sale;
    if case.exchange.chain.is_some() {
        return judge(sale);
    }
    let limits = sale.facts.policy.limits_for_unknown_chain(&sale.request.token);
    payment_limit_finding(sale, &limits).into_iter().chain(judge_totals(sale, &limits)).collect()
}

/// The limits on each payment by itself, also inside a batch.
pub(super) fn judge_payment(case: &GuardedPayment<'_>) -> Option<Finding> {
    payment_limit_finding(case, &applicable_limits(case))
}

/// The limits on all outgoing amounts together.
pub(super) fn judge_sum(case: &GuardedPayment<'_>) -> Vec<Finding> {
    judge_totals(case, &applicable_limits(case))
}

fn judge_totals(case: &GuardedPayment<'_>, limits: &[&Limit]) -> Vec<Finding> {
    let all = [daily_limit_finding(case, limits), share_limit_finding(case, limits), incomplete_history(case, limits)];
    all.into_iter().flatten().collect()
}

fn applicable_limits<'a>(case: &GuardedPayment<'a>) -> Vec<&'a Limit> {
    case.facts.policy.limits_for(&case.request.token, &case.request.blockchain)
}

/// A finding with the severity of the strictest of the limits.
fn limit_finding(limits: &[&Limit], overridden_by: Override, message: String) -> Option<Finding> {
    if limits.is_empty() {
        None
    } else if limits.iter().any(|limit| limit.over_limit == OverLimit::Stop) {
        Some(Finding::stop(RULE, message))
    } else {
        Some(Finding::danger(RULE, overridden_by, message))
    }
}

/// The limits for which `holds` is true.
fn matching_limits<'a>(limits: &[&'a Limit], holds: impl Fn(&Limit) -> bool) -> Vec<&'a Limit> {
    limits.iter().copied().filter(|limit| holds(limit)).collect()
}

fn payment_limit_finding(case: &GuardedPayment<'_>, limits: &[&Limit]) -> Option<Finding> {
    let amount = case.sender.amount;
    let over = matching_limits(limits, |limit| limit.per_payment.is_some_and(|most| amount.cmp_value(most).is_gt()));
    let symbol = truncate_word(&case.request.token);
    let finding =
        limit_finding(&over, Override::Limit, format!("One payment of {symbol} is limited to less than this."))?;
    let most = over.iter().filter_map(|limit| Some((limit, limit.per_payment?)));
    let lines = most.map(|(limit, most)| {
        format!("at most  {} per payment of {}", most.format_grouped(), truncate_word(&limit.title()))
    });
    Some(finding.with_lines([format!("amount   {} {symbol}", amount.format_grouped())]).with_lines(lines))
}

fn daily_limit_finding(case: &GuardedPayment<'_>, limits: &[&Limit]) -> Option<Finding> {
    let amount = case.sender.amount;
    let is_over = |limit: &Limit| {
        // A sum beyond what any token can hold exceeds any limit.
        let with_this = || paid_within_day(case, limit).amount.and_then(|sum| sum.checked_add_rescaled(amount));
        limit.per_day.is_some_and(|most| with_this().is_none_or(|sum| sum.cmp_value(most).is_gt()))
    };
    let over = matching_limits(limits, is_over);
    let symbol = truncate_word(&case.request.token);
    let message = format!("With this, more {symbol} than is allowed would be paid within 24 hours.");
    let finding = limit_finding(&over, Override::DailyLimit, message)?;
    let mut lines = vec![format!("amount   {} {symbol}", amount.format_grouped())];
    for (limit, most) in over.iter().filter_map(|limit| Some((limit, limit.per_day?))) {
        let title = truncate_word(&limit.title());
        lines.push(format!("paid     {}", paid_within_day(case, limit)));
        lines.push(format!("at most  {} of {title} in 24 hours", most.format_grouped()));
    }
    Some(finding.with_lines(lines))
}

fn paid_within_day(case: &GuardedPayment<'_>, limit: &Limit) -> OutflowSum {
    OutflowSum::of(case.facts.outflows.iter().filter(|spent| counts_towards_limit(case, limit, spent) == Some(true)))
}

/// Whether an outflow counts towards a daily limit; `None` where its token or chain is not clear. An unresolved outflow
/// always counts, and so does one of unknown time.
///
/// The limit is one of this payment's token, whatever name the outflow uses for it.
fn counts_towards_limit(case: &GuardedPayment<'_>, limit: &Limit, spent: &Outflow) -> Option<bool> {
    let is_of_day = spent.is_unresolved || spent.at.is_none_or(|at| at.age(case.now) <= DAY);
    let of_chain = match &limit.chain {
        Some(_) if spent.blockchain.trim().is_empty() => None,
        Some(chain) => Some(chain::is_same_chain(chain, &spent.blockchain)),
        None => Some(true),
    };
    match (is_of_day, case.is_of_token(spent), of_chain) {
        (false, ..) | (_, Some(false), _) | (.., Some(false)) => Some(false),
        (true, Some(true), Some(true)) => Some(true),
        (true, ..) => None,
    }
}

/// What was paid of a token within 24 hours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutflowSum {
    /// `None` where it overflows.
    pub amount: Option<Amount>,
    pub payments: usize,
    pub unresolved: usize,
}

impl OutflowSum {
    fn of<'a>(spent: impl Iterator<Item = &'a Outflow>) -> Self {
        let nothing = Self { amount: Some(Amount::zero(0)), payments: 0, unresolved: 0 };
        spent.fold(nothing, |sum, spent| Self {
            amount: sum.amount.and_then(|amount| amount.checked_add_rescaled(spent.amount)),
            payments: sum.payments + 1,
            unresolved: sum.unresolved + usize::from(spent.is_unresolved),
        })
    }
}

impl std::fmt::Display for OutflowSum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let amount = self.amount.map_or_else(|| "more than can be counted".to_owned(), Amount::format_grouped);
        let payments = if self.payments == 1 { "1 payment".to_owned() } else { format!("{} payments", self.payments) };
        let unresolved = match self.unresolved {
            0 => String::new(),
            count => format!(", {count} unresolved"),
        };
        write!(f, "{amount} in {payments}{unresolved}")
    }
}

fn share_limit_finding(case: &GuardedPayment<'_>, limits: &[&Limit]) -> Option<Finding> {
    let amount = case.sender.amount;
    let funds = case.facts.funds.as_ref().filter(|funds| funds.basis != BalanceBasis::Unknown);
    let symbol = truncate_word(&case.request.token);
    let Some(wallet_balance) = funds.and_then(|funds| funds.amount) else {
        let limited = matching_limits(limits, |limit| limit.percent_of_balance.is_some());
        let message =
            format!("Only a share of the balance may be paid, and how much {symbol} the wallet holds is not known.");
        return limit_finding(&limited, Override::Share, message);
    };
    let is_over = |limit: &Limit| {
        let bound = |percent: u8| wallet_balance.checked_mul(u16::from(percent));
        // An amount whose hundredfold overflows exceeds any balance; a share that overflows does not limit it.
        limit.percent_of_balance.is_some_and(|percent| match (amount.checked_mul(100), bound(percent)) {
            (Some(amount), Some(bound)) => amount.cmp_value(bound).is_gt(),
            (None, _) => true,
            (Some(_), None) => false,
        })
    };
    let over = matching_limits(limits, is_over);
    let finding = limit_finding(
        &over,
        Override::Share,
        "This is a larger share of the wallet's balance than the limit for one payment allows.".into(),
    )?;
    let lines = over
        .iter()
        .filter_map(|limit| limit.percent_of_balance)
        .map(|percent| format!("at most  {percent}% of the balance"));
    Some(
        finding
            .with_lines([
                format!("amount   {} {symbol}", amount.format_grouped()),
                format!("balance  {} {symbol}", wallet_balance.format_grouped()),
            ])
            .with_lines(lines),
    )
}

/// The finding that a daily limit cannot be checked reliably, since the outflows may be incomplete.
fn incomplete_history(case: &GuardedPayment<'_>, limits: &[&Limit]) -> Option<Finding> {
    let of_day = matching_limits(limits, |limit| limit.per_day.is_some());
    let is_unclear = |spent: &&Outflow| of_day.iter().any(|limit| counts_towards_limit(case, limit, spent).is_none());
    let unclear = case.facts.outflows.iter().filter(is_unclear).count();
    let reason = uncertainty(unclear, case.facts.outflow_gap.as_ref().filter(|_| !of_day.is_empty()))?;
    let reason: String = reason.chars().take(110).collect();
    let message = format!("The daily limit may be exceeded, because not all payments could be counted: {reason}.");
    Some(Finding::danger(RULE, Override::LimitUncertain, message))
}

/// Why the payments of 24 hours may be more than were counted; `unclear` of them have no clear token or chain.
fn uncertainty(unclear: usize, gap: Option<&Text>) -> Option<String> {
    let unclear = match unclear {
        0 => None,
        1 => Some("1 payment has no clear token or chain".to_owned()),
        count => Some(format!("{count} payments have no clear token or chain")),
    };
    let reasons: Vec<String> = unclear.into_iter().chain(gap.map(ToString::to_string)).collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

#[cfg(test)]
mod tests;
