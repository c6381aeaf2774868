//! The permission to send.

use crate::domain::intent::{Destination, Frozen};
use crate::domain::{Intent, IntentId};

/// The permission to send the bytes of an intent once. It comes out of the journal together with the durable record of
/// the attempt, is not made anywhere else, cannot be copied, and is used up by sending.
#[derive(Debug)]
#[must_use = "the attempt is on record; an order that is dropped reads as one whose outcome nobody knows"]
pub struct Order {
    pub(super) intent: Intent,
    pub(super) attempt: u32,
    pub(super) destination: Destination,
}

impl Order {
    /// Which intent.
    pub fn id(&self) -> IntentId {
        self.intent.id
    }

    /// The intent, this attempt included.
    pub fn intent(&self) -> &Intent {
        &self.intent
    }

    /// Which attempt this is, counted from 1.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The bytes.
    pub fn frozen(&self) -> &Frozen {
        &self.intent.drafted.frozen
    }

    /// Where they go.
    pub fn destination(&self) -> &Destination {
        &self.destination
    }
}
