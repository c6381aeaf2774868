//! The permission to send.

use crate::domain::intent::{Destination, RequestBytes};
use crate::domain::{Order, OrderId};

/// The permission to send the bytes of an intent once. It comes out of the journal together with the durable record of
/// the attempt, is not made anywhere else, cannot be copied, and is used up by sending.
#[derive(Debug)]
#[must_use = "the attempt is on record; an order that is dropped reads as one whose outcome nobody knows"]
pub struct SendPermit {
    pub(super) order: Order,
    pub(super) attempt: u32,
    pub(super) destination: Destination,
}

impl SendPermit {
    /// Which intent.
    pub fn id(&self) -> OrderId {
        self.order.id
    }

    /// The intent, this attempt included.
    pub fn intent(&self) -> &Order {
        &self.order
    }

    /// Which attempt this is, counted from 1.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The bytes.
    pub fn request_bytes(&self) -> &RequestBytes {
        &self.order.drafted.request
    }

    /// Where they go.
    pub fn destination(&self) -> &Destination {
        &self.destination
    }
}
