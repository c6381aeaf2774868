//! The amount that a swap gives: quoted, reviewed and received. The three are compared exactly, digit by digit; nothing
//! here is rounded.

use std::time::Duration;

use ruint::Uint;

use super::draft::RequestedSwap;
use super::v1::Quote;
use super::{Amount, ObservedTransaction, Order, ReportedAmount, Text, Timestamp};

#[cfg(test)]
mod tests;

/// A quote and when it was received. It has no expiry and is not binding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedQuote {
    pub quote: Quote,
    pub at: Timestamp,
}

/// How much less than reviewed a swap may give, in hundredths of a percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SlippageTolerance(u16);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuoteError {
    #[error("the quote is for {0} and {1}, not for the requested coins")]
    OtherCoins(Text, Text),
    #[error("the quote is for {0}, not for the requested amount")]
    OtherAmount(String),
    #[error("the quote contradicts itself")]
    Disputed,
    #[error("the quoted amount is zero")]
    ZeroAmount,
}

/// The quote that the review showed when a swap was confirmed; the proceeds are compared with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmedQuote {
    pub coin: Text,
    /// The quoted amount: the most that the review showed since it accepted keys.
    pub amount: Amount,
    pub at: Timestamp,
    /// How much less is acceptable.
    pub slippage: SlippageTolerance,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SwapObservation {
    /// The identifier that both legs of the swap share.
    pub group: Option<Text>,
    pub proceeds: Option<SwapProceeds>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwapProceeds {
    pub coin: Text,
    pub amount: Amount,
}

/// How long after one leg of a swap is final the other one is awaited.
const COUNTERPART_WINDOW: Duration = Duration::from_mins(10);

/// 100%, in hundredths of a percent.
const FULL_BASIS_POINTS: u16 = 10_000;

/// Wide enough for any amount with any fraction digits, times 10,000: 256 + 256 + 14 bits.
type WideInteger = Uint<576, 9>;

impl SlippageTolerance {
    /// Half a percent.
    pub const DEFAULT: Self = Self(50);

    /// At most 100%.
    pub fn new(hundredths: u16) -> Self {
        Self(hundredths.min(FULL_BASIS_POINTS))
    }

    /// In hundredths of a percent.
    pub fn basis_points(self) -> u16 {
        self.0
    }

    /// For people: `0.50%`.
    pub fn format_percent(self) -> String {
        format!("{}.{:02}%", self.0 / 100, self.0 % 100)
    }

    /// Whether `now` is no further below `expected` than this; `false` where that cannot be calculated.
    pub fn allows(self, expected: Amount, now: Amount) -> bool {
        let allowed = || {
            let digits = expected.decimals().max(now.decimals());
            let least = to_wide_integer(expected, digits)?
                .checked_mul(WideInteger::from(FULL_BASIS_POINTS.checked_sub(self.0)?))?;
            Some(least <= to_wide_integer(now, digits)?.checked_mul(WideInteger::from(FULL_BASIS_POINTS))?)
        };
        allowed().unwrap_or(false)
    }
}

/// An amount in units of this many fraction digits.
fn to_wide_integer(amount: Amount, digits: u8) -> Option<WideInteger> {
    let more = digits.checked_sub(amount.decimals())?;
    let factor = WideInteger::from(10_u8).checked_pow(WideInteger::from(more))?;
    WideInteger::saturating_from(amount.raw()).checked_mul(factor)
}

impl ReceivedQuote {
    /// The amount bought by this quote when `sold` is sold.
    pub fn checked_output(&self, exchange: &RequestedSwap<'_>, sold: Amount) -> Result<Amount, QuoteError> {
        let Quote { from_coin, to_coin, from_amount, to_amount, .. } = &self.quote;
        if !from_coin.eq_ignore_ascii_case(exchange.from) || !to_coin.eq_ignore_ascii_case(exchange.to) {
            return Err(QuoteError::OtherCoins(from_coin.clone(), to_coin.clone()));
        }
        let [from, to] = [from_amount, to_amount].map(ReportedAmount::exact);
        let (from, to) = from.zip(to).ok_or(QuoteError::Disputed)?;
        if from.cmp_value(sold).is_ne() {
            return Err(QuoteError::OtherAmount(from.format_grouped()));
        }
        if to.is_zero() { Err(QuoteError::ZeroAmount) } else { Ok(to) }
    }
}

impl ConfirmedQuote {
    /// Whether an amount is at least what was shown, less the tolerance.
    pub fn accepts(&self, now: Amount) -> bool {
        self.slippage.allows(self.amount, now)
    }
}

impl Order {
    /// The proceeds of a swap as reported: the history takes precedence over answers.
    pub fn proceeds(&self) -> Option<&SwapProceeds> {
        let mut answered = self.attempts.iter().rev().filter_map(|attempt| match &attempt.answer.as_ref()?.1.created {
            Some(super::CreatedObject::Transaction(transaction)) => Some(transaction),
            _ => None,
        });
        let promised = || answered.find_map(|observed| observed.swap.as_ref()?.proceeds.as_ref());
        self.proceeds_in_history().or_else(promised)
    }

    /// The proceeds that the history shows: an answer may promise what is not delivered.
    pub fn proceeds_in_history(&self) -> Option<&SwapProceeds> {
        let mut observations = self.lookups.iter().rev().filter_map(|(_, look)| look.observed.as_ref());
        observations.find_map(|observed| observed.swap.as_ref()?.proceeds.as_ref())
    }

    /// Whether the history may still show the proceeds although the outgoing leg is final (by `is_final`): the two legs
    /// need not be listed at the same moment.
    pub fn awaits_proceeds(&self, is_final: impl Fn(&ObservedTransaction) -> bool, now: Timestamp) -> bool {
        let answers = self.attempts.iter().filter_map(|attempt| attempt.answer.as_ref());
        let answered = answers.filter_map(|(at, answer)| match &answer.created {
            Some(super::CreatedObject::Transaction(transaction)) => Some((*at, transaction)),
            _ => None,
        });
        let in_history = self.lookups.iter().filter_map(|(at, look)| Some((*at, look.observed.as_ref()?)));
        let first = answered.chain(in_history).filter(|(_, observed)| is_final(observed)).map(|(at, _)| at).min();
        self.drafted.draft.operation().is_swap()
            && self.proceeds_in_history().is_none()
            && first.is_none_or(|first| first.age(now) < COUNTERPART_WINDOW)
    }

    pub fn confirmed_quote(&self) -> Option<&ConfirmedQuote> {
        self.confirmed.as_ref()?.1.agreed.as_ref()
    }

    /// In words, where a swap gave another coin than requested, or less than the review showed and the tolerance
    /// allows.
    pub fn proceeds_mismatch_text(&self) -> Option<String> {
        let (agreed, received) = (self.confirmed_quote()?, self.proceeds()?);
        let ConfirmedQuote { coin, amount, slippage: bound, .. } = agreed;
        if !received.coin.eq_ignore_ascii_case(coin) {
            return Some(format!("coin bought: the review showed {coin}, the service gave {}", received.coin));
        }
        (!agreed.accepts(received.amount)).then(|| {
            let (expected, proceeds) = (amount.format_grouped(), received.amount.format_grouped());
            let bound = bound.format_percent();
            format!(
                "amount bought: the review showed {expected} {coin} and {bound} less at most, the service gave {proceeds}"
            )
        })
    }
}
