//! What an operator can do with an order.

use serde::Deserialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrderCommand {
    /// Read the history now.
    CheckAgain,
    /// Resend the same request with the same idempotency key.
    SendAgain,
    /// Give up an order that was never sent.
    Abandon,
    /// Close an order whose outcome stays unknown, with a reason.
    WriteOff,
    /// Pay the same recipient again, after a test payment.
    SendRest,
}

impl OrderCommand {
    /// Whether the action changes the order or leads to a new one.
    pub fn is_change(self) -> bool {
        self != Self::CheckAgain
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::CheckAgain => "check again",
            Self::SendAgain => "resend the same request (same key)",
            Self::Abandon => "give up",
            Self::WriteOff => "write off…",
            Self::SendRest => "pay the rest: the same wallet, token and address, another amount",
        }
    }
}
