//! A payment by version 1 of the service, which carries a memo and no idempotency key.
//!
//! Its safety is weaker than that of version 2: nothing in the request keeps the service from executing it twice. So it
//! is sent once; if its answer is lost, it is looked up by its `clientTxId` and never sent again.

use super::{Draft, Text, Withdrawal};

#[derive(Debug, Clone, PartialEq, Eq)]
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
