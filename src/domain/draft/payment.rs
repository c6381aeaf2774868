//! A payment by version 1 of the service: it carries a memo, and no idempotency key.
//!
//! The promise is weaker than that of version 2: nothing in the request keeps the service from executing it twice, so
//! that it is sent once and, should its answer be lost, looked for by its `clientTxId` and never sent again.

use super::{Draft, Text, Withdrawal};

/// A payment by version 1 of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    /// What it says like a withdrawal of version 2. The wallet is the sub-wallet that pays, or the Prime Wallet; the
    /// reference is `clientTxId`; there is no note.
    pub paid: Withdrawal,
    /// The most that the fee may come to: a decimal in the operator's grammar.
    pub fee: Option<Text>,
    /// The memo or tag that the recipient needs.
    pub memo: Option<Text>,
}

/// Whether a payment's request has a place for a memo or tag, and what stands there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag<'a> {
    /// It has none.
    Unsupported,
    /// It has one.
    Supported(Option<&'a Text>),
}

impl Draft {
    /// What a payment to one recipient says, by whichever version of the service it is asked for; `None` for anything
    /// else.
    pub fn single_payment(&self) -> Option<&Withdrawal> {
        match self {
            Self::Withdraw(withdrawal) => Some(withdrawal),
            Self::Payment(payment) => Some(&payment.paid),
            _ => None,
        }
    }

    /// Whether its request can carry a memo or tag.
    pub fn tag(&self) -> Tag<'_> {
        match self {
            Self::Payment(payment) => Tag::Supported(payment.memo.as_ref()),
            _ => Tag::Unsupported,
        }
    }
}
