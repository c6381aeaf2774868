//! The journal's JSON of swaps: the draft, the reviewed quote, and the service's response.

use serde::{Deserialize, Serialize};

use super::fields::parse_amount;
use crate::domain::draft::{InstantSwap, Swap};
use crate::domain::{ConfirmedQuote, SlippageTolerance, SwapDetails, SwapProceeds, Text, Timestamp, UserId, WalletId};

#[derive(Serialize, Deserialize)]
pub(super) struct SwapBody {
    wallet: String,
    blockchain: String,
    from: String,
    amount: String,
    to: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ref_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct InstantSwapBody {
    sub_wallet: String,
    from: String,
    amount: String,
    to: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ext_id: Option<String>,
}

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

impl From<&Swap> for SwapBody {
    fn from(Swap { wallet, blockchain, from, amount, to, ref_id, note }: &Swap) -> Self {
        Self {
            wallet: wallet.to_string(),
            blockchain: blockchain.to_string(),
            from: from.to_string(),
            amount: amount.to_string(),
            to: to.to_string(),
            ref_id: ref_id.as_ref().map(ToString::to_string),
            note: note.as_ref().map(ToString::to_string),
        }
    }
}

impl From<SwapBody> for Swap {
    fn from(body: SwapBody) -> Self {
        Self {
            wallet: WalletId::read(&body.wallet),
            blockchain: Text::clean(&body.blockchain),
            from: Text::clean(&body.from),
            amount: Text::clean(&body.amount),
            to: Text::clean(&body.to),
            ref_id: body.ref_id.as_deref().map(Text::clean),
            note: body.note.as_deref().map(Text::clean),
        }
    }
}

impl From<&InstantSwap> for InstantSwapBody {
    fn from(InstantSwap { sub_wallet, from, amount, to, ext_id }: &InstantSwap) -> Self {
        Self {
            sub_wallet: sub_wallet.to_string(),
            from: from.to_string(),
            amount: amount.to_string(),
            to: to.to_string(),
            ext_id: ext_id.as_ref().map(ToString::to_string),
        }
    }
}

impl From<InstantSwapBody> for InstantSwap {
    fn from(body: InstantSwapBody) -> Self {
        Self {
            sub_wallet: UserId::read(&body.sub_wallet),
            from: Text::clean(&body.from),
            amount: Text::clean(&body.amount),
            to: Text::clean(&body.to),
            ext_id: body.ext_id.as_deref().map(Text::clean),
        }
    }
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

impl From<&SwapDetails> for SwapDetailsBody {
    fn from(SwapDetails { group, proceeds: received }: &SwapDetails) -> Self {
        let received = received.as_ref().map(|SwapProceeds { coin, amount }| SwapProceedsBody {
            coin: coin.to_string(),
            raw: amount.raw().to_string(),
            decimals: amount.decimals(),
        });
        Self { group: group.as_ref().map(ToString::to_string), received }
    }
}

impl From<SwapDetailsBody> for SwapDetails {
    fn from(body: SwapDetailsBody) -> Self {
        // An invalid amount was never written here; without it the swap is shown as one without proceeds yet.
        let received = body.received.and_then(|received| {
            let amount = parse_amount(&received.raw, received.decimals)?;
            Some(SwapProceeds { coin: Text::clean(&received.coin), amount })
        });
        Self { group: body.group.as_deref().map(Text::clean), proceeds: received }
    }
}
