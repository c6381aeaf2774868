//! What running effects report to the loop.

use crate::app::Msg;

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all of them are messages, and each is moved a few times")]
pub(super) enum Completion {
    Message(Msg),
    /// An effect is complete; no message follows.
    Done(EffectKind),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EffectKind {
    /// Reads from the service, and runs analyses.
    NetworkRead,
    /// Queries the store.
    StoreQuery,
    /// Works on orders.
    OrderWork,
    Export,
}
