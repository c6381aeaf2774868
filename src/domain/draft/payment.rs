//! A payment by version 1 of the service, which carries a memo and no idempotency key.
//!
//! Its safety is weaker than that of version 2: nothing in the request keeps the service from executing it twice. So it
//! is sent once; if its answer is lost, it is looked up by its `clientTxId` and never sent again.

use serde::{Deserialize, Serialize};

use super::{Draft, Metadata, Text, WalletId, Withdrawal};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "SerializedV1Payment", into = "SerializedV1Payment")]
pub struct V1Payment {
    /// The fields that a withdrawal has too. The wallet is the paying sub-wallet or the Prime Wallet; the reference is
    /// `clientTxId`; there is no note.
    pub withdrawal: Withdrawal,
    /// The highest fee allowed: a decimal in the operator's grammar.
    pub fee: Option<Text>,
    pub memo: Option<Text>,
}

/// Whether a payment's request has a field for a memo or tag, and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoSupport<'a> {
    Unsupported,
    Supported(Option<&'a Text>),
}

impl Draft {
    /// A payment to one recipient by either version of the service; `None` for any other draft.
    pub fn single_payment(&self) -> Option<&Withdrawal> {
        match self {
            Self::Withdraw(withdrawal) => Some(withdrawal),
            Self::Payment(payment) => Some(&payment.withdrawal),
            _ => None,
        }
    }

    pub fn memo(&self) -> MemoSupport<'_> {
        match self {
            Self::Payment(payment) => MemoSupport::Supported(payment.memo.as_ref()),
            _ => MemoSupport::Unsupported,
        }
    }
}

/// The fields of a payment by version 1, in that version's words.
#[derive(Serialize, Deserialize)]
struct SerializedV1Payment {
    sub_wallet: WalletId,
    coin: Text,
    chain: Text,
    to: Text,
    amount: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_tx_id: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fee: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memo: Option<Text>,
    /// Version 1 has no note, so no request includes one; a draft's note is stored all the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<Text>,
}

impl From<V1Payment> for SerializedV1Payment {
    fn from(V1Payment { withdrawal, fee, memo }: V1Payment) -> Self {
        let Withdrawal { wallet, blockchain, token, amount, to, ref_id, note, metadata: _ } = withdrawal;
        Self { sub_wallet: wallet, coin: token, chain: blockchain, to, amount, client_tx_id: ref_id, fee, memo, note }
    }
}

impl From<SerializedV1Payment> for V1Payment {
    fn from(fields: SerializedV1Payment) -> Self {
        let SerializedV1Payment { sub_wallet, coin, chain, to, amount, client_tx_id, fee, memo, note } = fields;
        let metadata = Metadata::default();
        let withdrawal = Withdrawal {
            wallet: sub_wallet,
            blockchain: chain,
            token: coin,
            amount,
            to,
            ref_id: client_tx_id,
            note,
            metadata,
        };
        Self { withdrawal, fee, memo }
    }
}
