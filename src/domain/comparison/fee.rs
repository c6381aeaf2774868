//! Compares a payment's reported fee and total with what was expected.
//!
//! No operation quotes a fee before sending, so the fee is compared with past payments of the token, and with the
//! amount paid. It is excessive where
//!
//! - it is more than the most that the request allows (version 1), or
//! - it is more than [`MAX_FACTOR`] times the highest of the past payments, or
//! - it is at least half of the amount paid, and more than [`MAX_FACTOR_FOR_SMALL`] times the highest of the past
//!   payments, if there are any: the usual fee may well be half of a small payment.
//!
//! A fee without a token's name is taken to be in the token paid; a fee in another token cannot be compared.
//!
//! An excessive fee is an alarm, but no contradiction of the request: the payment is the intended one.

use super::{AmountOrText, ExpectedReport, ReportedPayment, RequestedPayment, parse_exact_amount};
use crate::domain::draft::Draft;
use crate::domain::{Amount, ReportedAmount, Text};

/// A fee may be this many times the highest fee of past payments.
const MAX_FACTOR: u16 = 10;
/// The same for a fee of at least half of the amount paid.
const MAX_FACTOR_FOR_SMALL: u16 = 2;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeeBounds {
    /// The amount paid, without the fee.
    amount: Amount,
    /// The highest fee of one past payment, times the number of payments in this order.
    usual_fee: Option<Amount>,
    max_fee: Option<Amount>,
    /// Whether the reported total is amount plus fee. For a swap a service may report it otherwise, and for a batch it
    /// may report the recipients separately.
    has_total: bool,
}

impl FeeBounds {
    /// The bounds for an expected payment; `None` where its amount cannot be parsed.
    pub(super) fn for_expectation(expected: &ExpectedReport<'_>) -> Option<Self> {
        let (paid_amount, payments) = match expected.draft {
            Draft::Batch(batch) => (batch.total_as_written()?, u16::try_from(batch.to.len()).unwrap_or(u16::MAX)),
            draft => {
                let amount = draft
                    .single_payment()
                    .map(|paid_amount| &paid_amount.amount)
                    .or_else(|| Some(draft.exchange()?.amount))?;
                (parse_exact_amount(amount)?, 1)
            }
        };
        // The fee of a swap is a share of the amount sold; payments' fees are no measure for it.
        let usual = expected.usual_fee.filter(|_| expected.draft.exchange().is_none());
        Some(Self {
            amount: paid_amount,
            usual_fee: usual.and_then(|fee| fee.checked_mul(payments)),
            max_fee: None,
            has_total: expected.draft.single_payment().is_some(),
        })
    }

    pub(super) fn with_max_fee(self, most: Option<&Text>) -> Self {
        Self { max_fee: most.and_then(parse_exact_amount), ..self }
    }

    /// In words, where the reported fee or total cannot be read, or does not fit the amount paid.
    pub(super) fn differences(
        &self,
        requested: &RequestedPayment,
        reported: &ReportedPayment,
        total: Option<&AmountOrText>,
        source: &str,
    ) -> Vec<Text> {
        let mut messages = Vec::new();
        let mut unread = |part: &str, claim: Option<&AmountOrText>| match claim {
            Some(AmountOrText::Unparsed(as_it_stands)) => {
                messages.push(Text::clean(&format!("{part}: {source} says {as_it_stands}, which is no amount")));
            }
            Some(AmountOrText::Reported(ReportedAmount::Disputed { raw, formatted })) => {
                messages.push(Text::clean(&format!("{part}: {source} says both {raw} and {formatted}")));
            }
            _ => {}
        };
        let is_elsewhere = is_fee_in_other_token(requested, reported);
        // A fee in another token cannot be compared with its other form without that token's fraction digits.
        if !is_elsewhere || matches!(reported.fee, Some(AmountOrText::Unparsed(_))) {
            unread("fee", reported.fee.as_ref());
        }
        unread("total", total);
        let (fee, total) = self.reported_fee_and_total(requested, reported, total);
        let in_all = |fee: Amount| self.amount.checked_add_rescaled(fee);
        let is = |one: Amount, other: Option<Amount>| other.is_some_and(|other| one.cmp_value(other).is_eq());
        match (total, fee) {
            (Some(total), Some(fee)) if !is(total, Some(self.amount)) && !is(total, in_all(fee)) => {
                let paid_amount = self.amount;
                messages.push(Text::clean(&format!(
                    "total: the request says {paid_amount}, {source} says that {total} left, with a fee of {fee}"
                )));
            }
            (Some(total), None) if total.cmp_value(self.amount).is_lt() => {
                messages.push(Text::clean(&format!("total: the request says {}, {source} {total}", self.amount)));
            }
            _ => {}
        }
        messages
    }

    /// Why the reported fee is excessive, if it is. The words do not name the report's source, so that the alarm is
    /// raised once.
    pub(super) fn excess_alarm(&self, requested: &RequestedPayment, reported: &ReportedPayment) -> Option<Text> {
        // If the amount differs, the total does too.
        let is_paid = exact_amount_of_claim(reported.amount.as_ref(), requested.decimals)
            .is_none_or(|reported_amount| reported_amount.cmp_value(self.amount).is_eq());
        let (fee, total) =
            self.reported_fee_and_total(requested, reported, reported.total.as_ref().filter(|_| is_paid));
        // What left beyond the amount paid is a fee, whatever it is called.
        let beyond =
            || if is_fee_in_other_token(requested, reported) { None } else { checked_difference(total?, self.amount) };
        self.fee_excess_text(fee.or_else(beyond)?, requested.token.as_deref().unwrap_or_default())
    }

    /// The fee, if it is in the token paid, and the total.
    fn reported_fee_and_total(
        &self,
        requested: &RequestedPayment,
        reported: &ReportedPayment,
        total: Option<&AmountOrText>,
    ) -> (Option<Amount>, Option<Amount>) {
        let fee = exact_amount_of_claim(reported.fee.as_ref(), requested.decimals)
            .filter(|_| !is_fee_in_other_token(requested, reported));
        (fee, exact_amount_of_claim(total, requested.decimals).filter(|_| self.has_total))
    }

    fn fee_excess_text(&self, fee: Amount, token: &str) -> Option<Text> {
        let exceeds = |bound: Option<Amount>| bound.is_some_and(|bound| fee.cmp_value(bound).is_gt());
        let usual = |times: u16| self.usual_fee.and_then(|usual| usual.checked_mul(times));
        let is_half = fee.checked_mul(2).is_some_and(|twice| twice.cmp_value(self.amount).is_ge());
        let is_small_one = self.usual_fee.is_some() && !exceeds(usual(MAX_FACTOR_FOR_SMALL));
        let expected = if exceeds(self.max_fee) {
            format!("the request allows {}", self.max_fee?)
        } else if exceeds(usual(MAX_FACTOR)) || (self.usual_fee.is_some() && is_half && !is_small_one) {
            format!("{} was to be expected by past payments", self.usual_fee?)
        } else if is_half && self.usual_fee.is_none() {
            "no past payment tells what it was to be".to_owned()
        } else {
            return None;
        };
        let (fee, paid_amount) = (fee.format_grouped(), self.amount.format_grouped());
        Some(Text::clean(&format!("fee: the service takes {fee} {token} for paying {paid_amount}, and {expected}")))
    }
}

fn is_fee_in_other_token(requested: &RequestedPayment, reported: &ReportedPayment) -> bool {
    let tokens = reported.fee_token.as_ref().zip(requested.token.as_ref());
    tokens.is_some_and(|(fee, token)| !fee.trim().eq_ignore_ascii_case(token))
}

/// The reported amount, where it is a number without contradiction.
pub(super) fn exact_amount_of_claim(claim: Option<&AmountOrText>, decimals: Option<u8>) -> Option<Amount> {
    match claim? {
        AmountOrText::Reported(amount) => amount.exact(),
        AmountOrText::Units(units) => Amount::parse_raw(units, decimals?),
        AmountOrText::Unparsed(_) => None,
    }
}

/// `one - other`; `None` below zero.
fn checked_difference(one: Amount, other: Amount) -> Option<Amount> {
    let decimals = one.decimals().max(other.decimals());
    one.rescaled(decimals)?.checked_sub(other.rescaled(decimals)?)
}
