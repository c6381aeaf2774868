//! How much one payment may be now, said before an amount is typed.

use crate::app::model::Model;
use crate::domain::policy::{Limit, OverLimit};
use crate::domain::{Amount, Percent};

/// The smallest limit on a payment, with its reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::app) struct PaymentLimit {
    pub(in crate::app) amount: Amount,
    /// Such as `the limit per payment`.
    pub(in crate::app) reason: String,
    pub(in crate::app) over_limit: OverLimit,
}

/// The limit of a payment of a token on a chain; `balance` is the wallet's, where it can be relied on. `None` where no
/// limit is known.
pub(in crate::app) fn payment_limit(
    model: &Model,
    symbol: &str,
    blockchain: &str,
    balance: Option<Amount>,
) -> Option<PaymentLimit> {
    let usage = model.journal.limit_counts.usage.as_ref().and_then(|usage| usage.as_ref().ok());
    let left_today = |limit: &Limit| usage?.iter().find(|used| used.limit == *limit)?.left_today();
    let limits = model.journal.policy.limits_for(symbol, blockchain);
    let candidates = limits.into_iter().flat_map(|limit| {
        let of = |amount: Amount, reason: String| PaymentLimit { amount, reason, over_limit: limit.over_limit };
        let share = limit
            .percent_of_balance
            .and_then(|percent| Some((percent, balance?.share(Percent::from_whole_percent(percent))?)));
        [
            limit.per_payment.map(|most| of(most, "the limit per payment".to_owned())),
            left_today(limit).map(|remainder| of(remainder, "what is left of the 24-hour limit".to_owned())),
            share.map(|(percent, share)| of(share, format!("{percent}% of the balance"))),
        ]
    });
    candidates.flatten().reduce(|one, other| if other.amount.cmp_value(one.amount).is_lt() { other } else { one })
}
