//! Expected fees, from past payments of the same token on the same chain.

use std::cmp::Ordering;

use crate::domain::{
    Amount, ReportedAmount, Sender, SubType, Text, Timestamp, TokenKey, Transaction, Withdrawal, chain,
};
use crate::guard::ExpectedFee;
use crate::store::OutgoingRows;

/// How many of the newest payments are evaluated.
const MAX_EVALUATED_PAYMENTS: usize = 50;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PastFeeSummary {
    /// In the token sent.
    pub(super) estimate: Option<ExpectedFee>,
    /// The token in which the latest payment took its fee, if none took it in the token sent.
    pub(super) other_fee_token: Option<Text>,
}

pub(super) fn fees_of_similar_payments(
    outgoing_rows: &OutgoingRows,
    withdrawal: &Withdrawal,
    sender: &Sender,
) -> PastFeeSummary {
    let token = TokenKey { blockchain: withdrawal.blockchain.clone(), ..sender.token.clone() };
    past_fee_summary(outgoing_rows, &withdrawal.token, &token)
}

/// The past fees of a token under its symbol, before there is a payment.
pub(super) fn past_fee_summary(outgoing_rows: &OutgoingRows, symbol: &Text, token: &TokenKey) -> PastFeeSummary {
    past_fees_in_rows(outgoing_rows.outgoing.iter().map(|(_, row)| row), symbol, token)
}

/// The highest fee of payments that were read before an order was drafted, so that its own fee is left out. `None` if
/// all were sponsored, since the next one need not be.
pub(super) fn usual_fee_before(
    outgoing_rows: &OutgoingRows,
    withdrawal: &Withdrawal,
    sender: &Sender,
    created_at: Timestamp,
) -> Option<Amount> {
    let token = TokenKey { blockchain: withdrawal.blockchain.clone(), ..sender.token.clone() };
    let before = outgoing_rows.outgoing.iter().filter(|(read_at, _)| *read_at < created_at).map(|(_, row)| row);
    let estimate = past_fees_in_rows(before, &withdrawal.token, &token).estimate?;
    Some(estimate.highest).filter(|highest| !highest.is_zero())
}

fn past_fees_in_rows<'a>(
    rows: impl Iterator<Item = &'a Transaction>,
    symbol: &Text,
    token: &TokenKey,
) -> PastFeeSummary {
    let mut fees: Vec<Amount> = Vec::new();
    let mut elsewhere = None;
    for row in rows.filter(|row| is_comparable_row(row, token)) {
        match &row.fee_token {
            Some(other) if !other.eq_ignore_ascii_case(symbol) => {
                elsewhere.get_or_insert_with(|| other.clone());
            }
            _ => fees.extend(row.total_fee.as_ref().and_then(ReportedAmount::exact)),
        }
        if fees.len() == MAX_EVALUATED_PAYMENTS {
            break;
        }
    }
    // Payments without a fee were sponsored, and are no measure for one that is not.
    if fees.iter().any(|fee| !fee.is_zero()) {
        fees.retain(|fee| !fee.is_zero());
    }
    fees.sort_by(|one, other| one.cmp_value(*other));
    let estimate = fees.last().zip(fees.get(fees.len() / 2)).map(|(highest, median)| ExpectedFee {
        highest: *highest,
        median: *median,
        payments: u32::try_from(fees.len()).unwrap_or(u32::MAX),
    });
    let is_elsewhere =
        estimate.as_ref().is_none_or(|estimate| estimate.highest.cmp_value(Amount::zero(0)) == Ordering::Equal);
    PastFeeSummary { estimate, other_fee_token: elsewhere.filter(|_| is_elsewhere) }
}

/// Excludes batches, whose fee covers many payments, and swaps, whose fee is a share of the amount sold.
fn is_comparable_row(row: &Transaction, token: &TokenKey) -> bool {
    row.is_batch != Some(true)
        && row.sub_type != Some(SubType::Swap)
        && row.to_address.is_some()
        && row.token.contract == token.contract
        && chain::is_same_chain(&row.token.blockchain, &token.blockchain)
}
