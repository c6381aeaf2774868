//! How much of each limit was used, before there is a payment.

use super::{OutflowSum, counts_towards_limit, paid_within_day, uncertainty};
use crate::domain::policy::Limit;
use crate::domain::{Amount, Metadata, Sender, Text, Timestamp, TokenKey, WalletId, Withdrawal};
use crate::guard::{GuardFacts, GuardedPayment};

/// A limit of the policy with what was paid within 24 hours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitUsage {
    pub limit: Limit,
    /// `None` where the limit has no sum over 24 hours.
    pub paid: Option<OutflowSum>,
    /// Why more may have been paid than was counted, if so.
    pub uncertainty: Option<String>,
}

impl LimitUsage {
    /// What may still be paid within 24 hours; `None` where nothing limits it.
    pub fn left_today(&self) -> Option<Amount> {
        let most = self.limit.per_day?;
        let outflow_sum = self.paid.as_ref()?;
        // A sum beyond what any token can hold exceeds any limit.
        let rest = outflow_sum.amount.and_then(|paid_amount| {
            let decimals = most.decimals().max(paid_amount.decimals());
            most.rescaled(decimals)?.checked_sub(paid_amount.rescaled(decimals)?)
        });
        Some(rest.unwrap_or_else(|| Amount::zero(most.decimals())))
    }

    /// The most that one payment may be now, whatever the wallet's balance; `None` where nothing limits it.
    pub fn largest_payment(&self) -> Option<Amount> {
        let all = self.limit.per_payment.into_iter().chain(self.left_today());
        all.reduce(|one, other| if other.cmp_value(one).is_lt() { other } else { one })
    }
}

/// The usage of every limit of `facts.policy`, by `facts.outflows`, in the order of the policy.
///
/// A limit on all chains is judged as for a payment on the chain where least of it is left; `tokens` are the symbols and
/// tokens that can be paid.
pub fn limit_usage(facts: &GuardFacts, tokens: &[(Text, TokenKey)], now: Timestamp) -> Vec<LimitUsage> {
    let of_limit = |limit: &Limit| {
        let payments = possible_payments(limit, tokens);
        let least = payments
            .iter()
            .map(|(request, sender)| usage_for(limit, &GuardedPayment { request, sender, facts, now }))
            .reduce(stricter_usage);
        least.unwrap_or_else(|| LimitUsage { limit: limit.clone(), paid: None, uncertainty: None })
    };
    facts.policy.limits.iter().map(of_limit).collect()
}

fn usage_for(limit: &Limit, case: &GuardedPayment<'_>) -> LimitUsage {
    if limit.per_day.is_none() {
        return LimitUsage { limit: limit.clone(), paid: None, uncertainty: None };
    }
    let case = &case.by_earlier_clock();
    let outflows = &case.facts.outflows;
    let unclear = outflows.iter().filter(|spent| counts_towards_limit(case, limit, spent).is_none()).count();
    LimitUsage {
        limit: limit.clone(),
        paid: Some(paid_within_day(case, limit)),
        uncertainty: uncertainty(unclear, case.facts.outflow_gap.as_ref()),
    }
}

fn stricter_usage(one: LimitUsage, other: LimitUsage) -> LimitUsage {
    match (one.left_today(), other.left_today()) {
        (Some(rest), Some(other_left)) if other_left.cmp_value(rest).is_lt() => other,
        _ => one,
    }
}

/// A payment of the limit's token on each chain where it can be made; at least one.
fn possible_payments(limit: &Limit, tokens: &[(Text, TokenKey)]) -> Vec<(Withdrawal, Sender)> {
    let is_limited = |(symbol, token): &&(Text, TokenKey)| {
        symbol.eq_ignore_ascii_case(&limit.token) && limit.applies_to(symbol, &token.blockchain)
    };
    let mut keys: Vec<TokenKey> = tokens.iter().filter(is_limited).map(|(_, token)| token.clone()).collect();
    if keys.is_empty() {
        keys.push(TokenKey { blockchain: limit.chain.clone().unwrap_or_default(), contract: None });
    }
    keys.into_iter().map(|token| empty_payment(&limit.token, token)).collect()
}

/// A payment of nothing to nobody: outflows are gathered for it, and those of its token recognised.
pub fn empty_payment(symbol: &Text, token: TokenKey) -> (Withdrawal, Sender) {
    let request = Withdrawal {
        wallet: WalletId::from_text(""),
        blockchain: token.blockchain.clone(),
        token: symbol.clone(),
        amount: Text::default(),
        to: Text::default(),
        ref_id: None,
        note: None,
        metadata: Metadata::default(),
    };
    let sender = Sender { name: None, address: None, account: None, user: None, token, amount: Amount::zero(0) };
    (request, sender)
}

#[cfg(test)]
mod tests;
