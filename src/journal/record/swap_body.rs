//! The journal's JSON of swaps: the reviewed quote, and the service's response.

use serde::{Deserialize, Serialize};

use super::fields::parse_amount;
use crate::domain::{ConfirmedQuote, SlippageTolerance, SwapObservation, SwapProceeds, Text, Timestamp};

#[derive(Serialize, Deserialize)]
pub(super) struct ConfirmedQuoteBody {
    coin: String,
    /// Smallest units.
    raw: String,
    decimals: u8,
    at: i64,
    /// Hundredths of a percent.
    bound: u16,
}

#[derive(Serialize, Deserialize)]
pub(super) struct SwapDetailsBody {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    received: Option<SwapProceedsBody>,
}

#[derive(Serialize, Deserialize)]
struct SwapProceedsBody {
    coin: String,
    /// Smallest units.
    raw: String,
    decimals: u8,
}

impl From<&ConfirmedQuote> for ConfirmedQuoteBody {
    fn from(ConfirmedQuote { coin, amount, at, slippage: bound }: &ConfirmedQuote) -> Self {
        Self {
            coin: coin.to_string(),
            raw: amount.raw().to_string(),
            decimals: amount.decimals(),
            at: at.millis(),
            bound: bound.basis_points(),
        }
    }
}

impl ConfirmedQuoteBody {
    /// `None` if the content makes no sense.
    pub(super) fn read(self) -> Option<ConfirmedQuote> {
        Some(ConfirmedQuote {
            coin: Text::clean(&self.coin),
            amount: parse_amount(&self.raw, self.decimals)?,
            at: Timestamp::from_millis(self.at),
            slippage: SlippageTolerance::new(self.bound),
        })
    }
}

impl From<&SwapObservation> for SwapDetailsBody {
    fn from(SwapObservation { group, proceeds: received }: &SwapObservation) -> Self {
        let received = received.as_ref().map(|SwapProceeds { coin, amount }| SwapProceedsBody {
            coin: coin.to_string(),
            raw: amount.raw().to_string(),
            decimals: amount.decimals(),
        });
        Self { group: group.as_ref().map(ToString::to_string), received }
    }
}

impl From<SwapDetailsBody> for SwapObservation {
    fn from(body: SwapDetailsBody) -> Self {
        // An invalid amount was never written here; without it the swap is shown as one without proceeds yet.
        let received = body.received.and_then(|received| {
            let amount = parse_amount(&received.raw, received.decimals)?;
            Some(SwapProceeds { coin: Text::clean(&received.coin), amount })
        });
        Self { group: body.group.as_deref().map(Text::clean), proceeds: received }
    }
}
