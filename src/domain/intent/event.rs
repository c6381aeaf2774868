//! What happens to an intent, and how it changes by it.

use super::{
    Attempt, AttemptResult, Because, Confirmation, DraftedOrder, HistoryLookup, Order, OrderEnd, OrderId, Stamp,
};
use crate::domain::Timestamp;

/// What happened to an intent. Its birth is [`Event::Drafted`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// It was born.
    Drafted(Box<DraftedOrder>),
    /// The operator confirmed what its bytes say.
    Confirmed(Confirmation),
    /// It is being sent: recorded before its first byte leaves.
    Sending {
        /// Counted from 1.
        attempt: u32,
        /// Why.
        reason: Because,
        /// When the sender will have given up waiting.
        gives_up_at: Timestamp,
    },
    /// An attempt was answered, or is known not to be.
    Answered {
        /// Which.
        attempt: u32,
        /// What came of it.
        answer: Box<AttemptResult>,
    },
    /// The service's history was read.
    Looked(HistoryLookup),
    /// It ended.
    Ended(OrderEnd),
    /// It had ended, and this look contradicts how: it is open again.
    Reopened(HistoryLookup),
}

impl Event {
    /// Whether it says that the history contradicts how an order was closed.
    pub fn is_contradiction(&self) -> bool {
        matches!(self, Self::Looked(look) | Self::Reopened(look) if look.contradiction.is_some())
    }
}

impl Order {
    /// An intent that was just born.
    pub fn new(id: OrderId, created: Stamp, drafted: DraftedOrder) -> Self {
        Self { id, drafted, created, confirmed: None, attempts: Vec::new(), lookups: Vec::new(), end: None }
    }

    /// Takes in what happened next. What cannot happen to it changes nothing: whoever writes asks [`Order::check_event`]
    /// first, and a journal that holds such an event says so when it is verified.
    pub fn apply(&mut self, stamp: Stamp, event: Event) {
        match event {
            Event::Drafted(_) => {}
            Event::Confirmed(confirmation) => self.confirmed = Some((stamp, confirmation)),
            Event::Sending { attempt: number, reason: because, gives_up_at } => {
                self.attempts.push(Attempt { number, reason: because, stamp, gives_up_at, answer: None });
            }
            Event::Answered { attempt, answer } => {
                if let Some(known) = self.attempts.iter_mut().find(|known| known.number == attempt) {
                    known.answer = Some((stamp.at, *answer));
                }
            }
            Event::Looked(look) => self.lookups.push((stamp.at, look)),
            Event::Ended(end) => self.end = Some((stamp, end)),
            Event::Reopened(look) => {
                self.lookups.push((stamp.at, look));
                self.end = None;
            }
        }
    }
}
