//! Whether the profile's limits allow a payment: by itself, with all of the last 24 hours, and of what the wallet holds.

use std::time::Duration;

use super::swap::SwapCase;
use super::{Case, Finding, Override, Rule, Spent, short};
use crate::domain::policy::{Beyond, Limit};
use crate::domain::{Amount, Basis, chain};

const RULE: Rule = Rule::Limits;

/// Over this time payments are summed up.
const DAY: Duration = Duration::from_hours(24);

pub(super) fn judge(case: &Case<'_>) -> Vec<Finding> {
    of_payment(case).into_iter().chain(of_sum(case)).collect()
}

/// The same of what is sold by a swap. Where its request names no chain, the service may take it from any, so that the
/// limits of each count.
pub(super) fn of_sale(case: &SwapCase<'_>) -> Vec<Finding> {
    let sale = &case.sale;
    if case.exchange.chain.is_some() {
        return judge(sale);
    }
    let limits = sale.known.policy.limits_anywhere(&sale.says.token);
    per_payment(sale, &limits).into_iter().chain(together(sale, &limits)).collect()
}

/// What holds of each payment by itself, also inside a batch.
pub(super) fn of_payment(case: &Case<'_>) -> Option<Finding> {
    per_payment(case, &limits(case))
}

/// What holds of all that leaves together.
pub(super) fn of_sum(case: &Case<'_>) -> Vec<Finding> {
    together(case, &limits(case))
}

fn together(case: &Case<'_>, limits: &[&Limit]) -> Vec<Finding> {
    let all = [per_day(case, limits), share(case, limits), uncertain(case, limits)];
    all.into_iter().flatten().collect()
}

fn limits<'a>(case: &Case<'a>) -> Vec<&'a Limit> {
    case.known.policy.limits_of(&case.says.token, &case.says.blockchain)
}

/// A finding of the severity that the gravest of the limits asks for.
fn beyond(limits: &[&Limit], overridden_by: Override, words: String) -> Option<Finding> {
    if limits.is_empty() {
        None
    } else if limits.iter().any(|limit| limit.beyond == Beyond::Stop) {
        Some(Finding::stop(RULE, words))
    } else {
        Some(Finding::danger(RULE, overridden_by, words))
    }
}

/// The limits for which something holds.
fn those<'a>(limits: &[&'a Limit], holds: impl Fn(&Limit) -> bool) -> Vec<&'a Limit> {
    limits.iter().copied().filter(|limit| holds(limit)).collect()
}

fn per_payment(case: &Case<'_>, limits: &[&Limit]) -> Option<Finding> {
    let amount = case.sender.amount;
    let over = those(limits, |limit| limit.per_payment.is_some_and(|most| amount.cmp_value(most).is_gt()));
    let symbol = short(&case.says.token);
    let found = beyond(&over, Override::Limit, format!("One payment of {symbol} may be less than this."))?;
    let most = over.iter().filter_map(|limit| Some((limit, limit.per_payment?)));
    let lines =
        most.map(|(limit, most)| format!("at most  {} per payment of {}", most.grouped(), short(&limit.title())));
    Some(found.with([format!("amount   {} {symbol}", amount.grouped())]).with(lines))
}

fn per_day(case: &Case<'_>, limits: &[&Limit]) -> Option<Finding> {
    let amount = case.sender.amount;
    let spent =
        |limit: &Limit| Sum::of(case.known.spent.iter().filter(|spent| counts(case, limit, spent) == Some(true)));
    let is_over = |limit: &Limit| {
        // A sum beyond what any token can hold is more than any limit.
        let with_this = || spent(limit).amount.and_then(|sum| sum.plus_value(amount));
        limit.per_day.is_some_and(|most| with_this().is_none_or(|sum| sum.cmp_value(most).is_gt()))
    };
    let over = those(limits, is_over);
    let symbol = short(&case.says.token);
    let words = format!("With this, more {symbol} than is allowed would be paid within 24 hours.");
    let found = beyond(&over, Override::DailyLimit, words)?;
    let mut lines = vec![format!("amount   {} {symbol}", amount.grouped())];
    for (limit, most) in over.iter().filter_map(|limit| Some((limit, limit.per_day?))) {
        let title = short(&limit.title());
        lines.push(format!("paid     {}", spent(limit)));
        lines.push(format!("at most  {} of {title} in 24 hours", most.grouped()));
    }
    Some(found.with(lines))
}

/// Whether a payment counts towards what was paid within the day; `None` where it does not say clearly of which token or
/// on which chain it was. One that nobody knows the fate of is always of the day, and so is one of unknown time.
///
/// The limit is one of this payment's token, under whatever name the other one was made.
fn counts(case: &Case<'_>, limit: &Limit, spent: &Spent) -> Option<bool> {
    let is_of_day = spent.is_unresolved || spent.at.is_none_or(|at| at.age(case.now) <= DAY);
    let of_chain = match &limit.chain {
        Some(_) if spent.blockchain.trim().is_empty() => None,
        Some(chain) => Some(chain::same(chain, &spent.blockchain)),
        None => Some(true),
    };
    match (is_of_day, case.is_of_token(spent), of_chain) {
        (false, ..) | (_, Some(false), _) | (.., Some(false)) => Some(false),
        (true, Some(true), Some(true)) => Some(true),
        (true, ..) => None,
    }
}

/// What was paid in all.
struct Sum {
    /// `None` where it is more than can be counted.
    amount: Option<Amount>,
    payments: usize,
    unresolved: usize,
}

impl Sum {
    fn of<'a>(spent: impl Iterator<Item = &'a Spent>) -> Self {
        let nothing = Self { amount: Some(Amount::zero(0)), payments: 0, unresolved: 0 };
        spent.fold(nothing, |sum, spent| Self {
            amount: sum.amount.and_then(|amount| amount.plus_value(spent.amount)),
            payments: sum.payments + 1,
            unresolved: sum.unresolved + usize::from(spent.is_unresolved),
        })
    }
}

impl std::fmt::Display for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let amount = self.amount.map_or_else(|| "more than can be counted".to_owned(), Amount::grouped);
        let payments = if self.payments == 1 { "1 payment".to_owned() } else { format!("{} payments", self.payments) };
        let unresolved = match self.unresolved {
            0 => String::new(),
            count => format!(", {count} of unknown outcome"),
        };
        write!(f, "{amount} in {payments}{unresolved}")
    }
}

fn share(case: &Case<'_>, limits: &[&Limit]) -> Option<Finding> {
    let amount = case.sender.amount;
    let funds = case.known.funds.as_ref().filter(|funds| funds.basis != Basis::Unknown);
    let symbol = short(&case.says.token);
    let Some(held) = funds.and_then(|funds| funds.amount) else {
        let limited = those(limits, |limit| limit.percent_of_balance.is_some());
        let words =
            format!("Only a part of the balance may be paid, and how much {symbol} the wallet holds is not known.");
        return beyond(&limited, Override::Share, words);
    };
    let is_over = |limit: &Limit| {
        let bound = |percent: u8| held.times(u16::from(percent));
        // What cannot be counted is more than every token holds: a hundred times the amount is beyond it, a share is not.
        limit.percent_of_balance.is_some_and(|percent| match (amount.times(100), bound(percent)) {
            (Some(amount), Some(bound)) => amount.cmp_value(bound).is_gt(),
            (None, _) => true,
            (Some(_), None) => false,
        })
    };
    let over = those(limits, is_over);
    let found = beyond(&over, Override::Share, "This is more of the wallet's balance than one payment may be.".into())?;
    let lines =
        over.iter().filter_map(|limit| limit.percent_of_balance).map(|percent| format!("at most  {percent}% of it"));
    Some(
        found
            .with([format!("amount   {} {symbol}", amount.grouped()), format!("balance  {} {symbol}", held.grouped())])
            .with(lines),
    )
}

/// That what others paid within the day is not all known, where a limit depends on it.
fn uncertain(case: &Case<'_>, limits: &[&Limit]) -> Option<Finding> {
    let of_day = those(limits, |limit| limit.per_day.is_some());
    let is_unclear = |spent: &&Spent| of_day.iter().any(|limit| counts(case, limit, spent).is_none());
    let unclear = match case.known.spent.iter().filter(is_unclear).count() {
        0 => None,
        1 => Some("a payment does not say clearly of which token or chain it was".to_owned()),
        count => Some(format!("{count} payments do not say clearly of which token or chain they were")),
    };
    let unread = case.known.uncounted.as_ref().filter(|_| !of_day.is_empty()).map(ToString::to_string);
    let why: Vec<String> = unclear.into_iter().chain(unread).collect();
    if why.is_empty() {
        return None;
    }
    let why: String = why.join("; ").chars().take(110).collect();
    let words = format!("The limit of 24 hours may be passed, for not all payments could be counted: {why}.");
    Some(Finding::danger(RULE, Override::LimitUncertain, words))
}

#[cfg(test)]
mod tests;
