//! What a swap gives: as it is quoted, as a review showed it, and as it came. Held against each other exactly, digit by
//! digit; nothing here is rounded.

use std::time::Duration;

use ruint::Uint;

use super::draft::Exchange;
use super::v1::Quote;
use super::{Amount, ObservedTransaction, Order, ReportedAmount, Text, Timestamp};

#[cfg(test)]
mod tests;

/// A quote, and when it was told. It says neither how long it holds nor that it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedQuote {
    /// The quote.
    pub quote: Quote,
    /// When it came.
    pub at: Timestamp,
}

/// By how much less than was shown a swap may give, in hundredths of a percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SlippageTolerance(u16);

/// Why a quote does not say what a swap gives.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuoteError {
    /// It speaks of other coins.
    #[error("the quote is for {0} and {1}, not for the requested coins")]
    OtherCoins(Text, Text),
    /// It speaks of another amount.
    #[error("the quote is for {0}, not for the requested amount")]
    OtherAmount(String),
    /// Its figures contradict themselves.
    #[error("the quote contradicts itself")]
    Disputed,
    /// Nothing would come of it.
    #[error("the quoted amount is zero")]
    Nothing,
}

/// What a review showed of a swap when it was confirmed: with what comes of it this is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmedQuote {
    /// The symbol of what is bought.
    pub coin: Text,
    /// How much of it was quoted: the most that the review showed since it took keys.
    pub amount: Amount,
    /// When that was told.
    pub at: Timestamp,
    /// How much less it may be.
    pub slippage: SlippageTolerance,
}

/// What the service tells of a swap beyond its transaction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SwapDetails {
    /// What the two sides of the swap have in common.
    pub group: Option<Text>,
    /// What came of it.
    pub proceeds: Option<SwapProceeds>,
}

/// What came of a swap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwapProceeds {
    /// The symbol.
    pub coin: Text,
    /// How much.
    pub amount: Amount,
}

/// How long after one side of a swap is final the other one is waited for.
const COUNTERPART_WINDOW: Duration = Duration::from_mins(10);

/// A whole, in hundredths of a percent.
const FULL_BASIS_POINTS: u16 = 10_000;

/// Wide enough for any amount with any fraction digits, times a whole: 256 + 256 + 14 bits.
type Wide = Uint<576, 9>;

impl SlippageTolerance {
    /// Where nobody said otherwise: half a percent.
    pub const DEFAULT: Self = Self(50);

    /// So many hundredths of a percent, all of it at most.
    pub fn new(hundredths: u16) -> Self {
        Self(hundredths.min(FULL_BASIS_POINTS))
    }

    /// Hundredths of a percent.
    pub fn basis_points(self) -> u16 {
        self.0
    }

    /// For people: `0.50%`.
    pub fn words(self) -> String {
        format!("{}.{:02}%", self.0 / 100, self.0 % 100)
    }

    /// Whether an amount is no further below the one that was shown than this. What cannot be reckoned with is not.
    pub fn allows(self, shown: Amount, now: Amount) -> bool {
        let allowed = || {
            let digits = shown.decimals().max(now.decimals());
            let least = wide(shown, digits)?.checked_mul(Wide::from(FULL_BASIS_POINTS.checked_sub(self.0)?))?;
            Some(least <= wide(now, digits)?.checked_mul(Wide::from(FULL_BASIS_POINTS))?)
        };
        allowed().unwrap_or(false)
    }
}

/// An amount in units of so many fraction digits.
fn wide(amount: Amount, digits: u8) -> Option<Wide> {
    let more = digits.checked_sub(amount.decimals())?;
    let factor = Wide::from(10_u8).checked_pow(Wide::from(more))?;
    Wide::saturating_from(amount.raw()).checked_mul(factor)
}

impl ReceivedQuote {
    /// How much a swap gives by this quote, of which amount `sold` is sold.
    pub fn output_for(&self, exchange: &Exchange<'_>, sold: Amount) -> Result<Amount, QuoteError> {
        let Quote { from_coin, to_coin, from_amount, to_amount, .. } = &self.quote;
        if !from_coin.eq_ignore_ascii_case(exchange.from) || !to_coin.eq_ignore_ascii_case(exchange.to) {
            return Err(QuoteError::OtherCoins(from_coin.clone(), to_coin.clone()));
        }
        let [from, to] = [from_amount, to_amount].map(ReportedAmount::exact);
        let (from, to) = from.zip(to).ok_or(QuoteError::Disputed)?;
        if from.cmp_value(sold).is_ne() {
            return Err(QuoteError::OtherAmount(from.grouped()));
        }
        if to.is_zero() { Err(QuoteError::Nothing) } else { Ok(to) }
    }
}

impl ConfirmedQuote {
    /// Whether an amount is as good as what was shown, or no worse than the bound allows.
    pub fn accepts(&self, now: Amount) -> bool {
        self.slippage.allows(self.amount, now)
    }
}

impl Order {
    /// What came of a swap, as far as the service told: what stands in its history before what it answered.
    pub fn proceeds(&self) -> Option<&SwapProceeds> {
        let mut answered = self.attempts.iter().rev().filter_map(|attempt| match &attempt.answer.as_ref()?.1.made {
            Some(super::Made::Transaction(seen)) => Some(seen),
            _ => None,
        });
        let promised = || answered.find_map(|seen| seen.swap.as_ref()?.proceeds.as_ref());
        self.proceeds_in_history().or_else(promised)
    }

    /// What came of a swap, as far as the history shows it: an answer may promise what is not kept.
    pub fn proceeds_in_history(&self) -> Option<&SwapProceeds> {
        let mut looked = self.lookups.iter().rev().filter_map(|(_, look)| look.found.as_ref());
        looked.find_map(|seen| seen.swap.as_ref()?.proceeds.as_ref())
    }

    /// Whether the history may still show what came of a swap though the service calls the side that left final, as
    /// `is_final` says: its two sides need not be listed in one moment.
    pub fn awaits_proceeds(&self, is_final: impl Fn(&ObservedTransaction) -> bool, now: Timestamp) -> bool {
        let answers = self.attempts.iter().filter_map(|attempt| attempt.answer.as_ref());
        let answered = answers.filter_map(|(at, answer)| match &answer.made {
            Some(super::Made::Transaction(seen)) => Some((*at, seen)),
            _ => None,
        });
        let looked = self.lookups.iter().filter_map(|(at, look)| Some((*at, look.found.as_ref()?)));
        let first = answered.chain(looked).filter(|(_, seen)| is_final(seen)).map(|(at, _)| at).min();
        self.drafted.draft.operation().is_swap()
            && self.proceeds_in_history().is_none()
            && first.is_none_or(|first| first.age(now) < COUNTERPART_WINDOW)
    }

    /// What a review showed of a swap.
    pub fn confirmed_quote(&self) -> Option<&ConfirmedQuote> {
        self.confirmed.as_ref()?.1.agreed.as_ref()
    }

    /// Where a swap gave another coin than was asked for, or less than was shown and the bound allows; in words.
    pub fn shortfall(&self) -> Option<String> {
        let (agreed, received) = (self.confirmed_quote()?, self.proceeds()?);
        let ConfirmedQuote { coin, amount, slippage: bound, .. } = agreed;
        if !received.coin.eq_ignore_ascii_case(coin) {
            return Some(format!("coin bought: the review showed {coin}, the service gave {}", received.coin));
        }
        (!agreed.accepts(received.amount)).then(|| {
            let (shown, came) = (amount.grouped(), received.amount.grouped());
            let bound = bound.words();
            format!("amount bought: the review showed {shown} {coin} and {bound} less at most, the service gave {came}")
        })
    }
}
