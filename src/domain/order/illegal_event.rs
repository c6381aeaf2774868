//! Why an event may not happen to an order.

use crate::domain::approval::NotApproved;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IllegalOrderEvent {
    #[error("this order has ended")]
    Ended,
    #[error("nothing contradicts the state of this order")]
    NotContradicted,
    #[error("this order was not confirmed")]
    NotConfirmed,
    /// The order was confirmed, or sent, before.
    #[error("this order was already confirmed")]
    Confirmed,
    #[error("this order is being sent at this moment, perhaps by another console")]
    UnderWay,
    /// The outcome is known: resending could only do harm.
    #[error("this order does not need to be sent again: {0}")]
    Resolved(&'static str),
    /// The request has no idempotency key, so resending it might execute it twice.
    #[error("this request carries no idempotency key; if it is sent again, it may be executed twice")]
    NoKey,
    /// That the service honours the key is an assumption.
    #[error(
        "it is not documented that the service honours the idempotency key of a swap; a swap that is sent again may be executed twice"
    )]
    UndocumentedKey,
    /// Automatic attempts are limited to three, within five minutes.
    #[error("the console may not send this order automatically any more")]
    RetryLimit,
    #[error("its key is older than 12 hours, and it is not documented how long the service remembers keys")]
    KeyExpired,
    /// What was reviewed may no longer be true, and nothing was sent.
    #[error("this order was reviewed more than 5 minutes ago and was never sent; give it up and draft it again")]
    ReviewExpired,
    /// An equal payment was sent since this order was drafted, so its review did not show it.
    #[error("an equal payment was sent after this one was drafted, perhaps by another console")]
    DuplicateSent,
    /// The limits and the address book were checked before another payment was sent, or before the book was changed.
    #[error(
        "another order was sent, or the address book was changed, while this order was being checked; review it again"
    )]
    Stale,
    /// The service, or the API key, is not the one that the order was drafted for.
    #[error("this order belongs to {0} and may only be sent there")]
    OtherDestination(String),
    /// This machine's clock was set back since the last attempt.
    #[error("the clock of this machine was set back since this order was sent")]
    ClockSetBack,
    /// Something was sent, so the order cannot be given up as if nothing had been.
    #[error("a request was sent for this order: it can be written off, but not given up")]
    Sent,
    #[error("no such attempt is waiting for an answer")]
    NoSuchAttempt,
    #[error("this order was not proposed, or it was proposed again since")]
    NotProposed,
    /// Its proposal lacks approvals, or what was approved is not what would be sent.
    #[error(transparent)]
    NotApproved(#[from] NotApproved),
}
