//! The permit to send an order.

use crate::domain::order::{Destination, RequestBytes};
use crate::domain::{Order, OrderId};

/// The permit to send the bytes of an order once. Only the journal makes one, together with the durable record of the
/// attempt; it cannot be copied, and sending consumes it.
#[derive(Debug)]
#[must_use = "the attempt is on record; an order that is dropped reads as one whose outcome nobody knows"]
pub struct SendPermit {
    pub(super) order: Order,
    pub(super) attempt: u32,
    pub(super) destination: Destination,
}

impl SendPermit {
    pub fn id(&self) -> OrderId {
        self.order.id
    }

    /// The order, this attempt included.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// Counted from 1.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    pub fn request_bytes(&self) -> &RequestBytes {
        &self.order.drafted.request
    }

    pub fn destination(&self) -> &Destination {
        &self.destination
    }
}
