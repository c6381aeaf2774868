//! Whether there is a quote for a swap, and whether it fits the swap. Every quote is indicative: [`check_quote`] checks
//! a new one right before the swap is sent.

use super::facts::GuardedSwap;
use super::{Finding, Rule, truncate_word};
use crate::domain::draft::RequestedSwap;
use crate::domain::{Amount, ConfirmedQuote, ReceivedQuote};

const RULE: Rule = Rule::Quote;

pub(super) fn judge(case: &GuardedSwap<'_>) -> Vec<Finding> {
    let GuardedSwap { sale, exchange } = case;
    let stop = |message: String| vec![Finding::stop(RULE, message)];
    let to = truncate_word(exchange.to);
    match &sale.facts.quote {
        None => stop(format!("No quote in {to} was requested for this swap.")),
        Some(Err(reason)) => {
            stop(format!("What this swap gives in {to} is not known: {reason}. Nothing is swapped without a quote."))
        }
        Some(Ok(quoted)) => match quoted.checked_output(exchange, sale.sender.amount) {
            Err(useless) => stop(format!("What this swap gives in {to} is not known: {useless}.")),
            Ok(_) => uncovered_fee(case, quoted).into_iter().collect(),
        },
    }
}

/// A fee in the quote that the balance may not cover: it is not documented whether it is taken out of the amount sold
/// or on top.
fn uncovered_fee(case: &GuardedSwap<'_>, quoted: &ReceivedQuote) -> Option<Finding> {
    let funds = case.sale.facts.funds.as_ref()?;
    let (wallet_balance, sold) = (funds.amount?, case.sale.sender.amount);
    let fee = quoted.quote.fee.as_ref()?.exact().filter(|fee| !fee.is_zero())?;
    let is_beyond = sold.checked_add_rescaled(fee).is_none_or(|total| total.cmp_value(wallet_balance).is_gt());
    (is_beyond && sold.cmp_value(wallet_balance).is_le()).then(|| {
        let (fee, from) = (fee.format_grouped(), truncate_word(case.exchange.from));
        let message = format!(
            "The quote has a fee of {fee} but does not name its coin. If the fee is taken in {from} on top of the amount sold, the \
             wallet does not hold enough, and the service will reject the swap."
        );
        Finding::caution(RULE, message)
    })
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuoteRejection {
    #[error("{0}")]
    Unusable(#[from] crate::domain::quote::QuoteError),
    /// The swap would give less than was shown and the tolerance allows.
    #[error("the swap would now give {now} {coin}, but {reviewed} {coin} was shown: that is more than {bound} less")]
    Worse { now: String, reviewed: String, coin: String, bound: String },
    #[error("no quote was shown when this swap was confirmed")]
    NotShown,
}

/// Whether a swap of this amount may be sent by the quote `now`, after a review that showed `agreed`. Returns the
/// amount bought.
///
/// # Errors
/// Why it may not: then nothing is sent, and an open review shows the new quote.
pub fn check_quote(
    agreed: Option<&ConfirmedQuote>,
    now: &ReceivedQuote,
    exchange: &RequestedSwap<'_>,
    sold: Amount,
) -> Result<Amount, QuoteRejection> {
    let output = now.checked_output(exchange, sold)?;
    let agreed =
        agreed.filter(|agreed| agreed.coin.eq_ignore_ascii_case(exchange.to)).ok_or(QuoteRejection::NotShown)?;
    if agreed.accepts(output) {
        return Ok(output);
    }
    Err(QuoteRejection::Worse {
        now: output.format_grouped(),
        reviewed: agreed.amount.format_grouped(),
        coin: truncate_word(exchange.to),
        bound: agreed.slippage.format_percent(),
    })
}

#[cfg(test)]
mod tests;
