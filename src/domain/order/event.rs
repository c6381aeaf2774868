//! The events of an order, and how they change it.

use super::{
    Attempt, AttemptResult, Confirmation, DraftedOrder, EventStamp, HistoryLookup, Order, OrderApproval, OrderEnd,
    OrderId,
};
use crate::domain::Timestamp;
use crate::domain::approval::{StatementKind, StatementWithProposal};

/// Why an attempt is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SendReason {
    Confirmed,
    Retry,
    Operator {
        /// Whether the operator was warned that it is not documented how long the service remembers keys.
        warned: bool,
    },
}

/// An event of an order. The first is [`OrderEvent::Drafted`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderEvent {
    Drafted(Box<DraftedOrder>),
    /// The operator confirmed the content of the request bytes.
    Confirmed(Confirmation),
    /// An attempt: recorded before its first byte leaves.
    Sending {
        /// Counted from 1.
        attempt: u32,
        reason: SendReason,
        /// When the sender gives up waiting.
        gives_up_at: Timestamp,
    },
    /// An attempt was answered, or will not be.
    Answered {
        attempt: u32,
        answer: Box<AttemptResult>,
    },
    LookedUp(HistoryLookup),
    /// Somebody signed the order's proposal: its maker, an approver, or who refuses it.
    Signed(Box<StatementWithProposal>),
    Ended(OrderEnd),
    /// A lookup contradicts how the order was closed: it is open again.
    Reopened(HistoryLookup),
}

impl OrderEvent {
    /// Whether the event records that the history contradicts how the order was closed.
    pub fn is_contradiction_by_history(&self) -> bool {
        matches!(self, Self::LookedUp(look) | Self::Reopened(look) if look.contradiction.is_some())
    }
}

impl Order {
    pub fn new(id: OrderId, created: EventStamp, drafted: DraftedOrder) -> Self {
        Self {
            id,
            drafted,
            created,
            confirmed: None,
            approval: None,
            attempts: Vec::new(),
            lookups: Vec::new(),
            end: None,
        }
    }

    /// Applies an event. An event that is not allowed is not rejected here: the writer calls [`Order::check_event`]
    /// first, and a journal with such an event is reported when it is verified.
    pub fn apply(&mut self, stamp: EventStamp, event: OrderEvent) {
        match event {
            OrderEvent::Drafted(_) => {}
            OrderEvent::Confirmed(confirmation) => self.confirmed = Some((stamp, confirmation)),
            OrderEvent::Sending { attempt: number, reason, gives_up_at } => {
                self.attempts.push(Attempt { number, reason, stamp, gives_up_at, answer: None });
            }
            OrderEvent::Answered { attempt, answer } => {
                if let Some(answered) = self.attempts.iter_mut().find(|other| other.number == attempt) {
                    answered.answer = Some((stamp.at, *answer));
                }
            }
            OrderEvent::LookedUp(look) => self.lookups.push((stamp.at, look)),
            OrderEvent::Signed(signed) => {
                let StatementWithProposal { file, statement } = *signed;
                match (&mut self.approval, statement.kind) {
                    // A proposal is never changed, only made anew.
                    (approval, StatementKind::Propose) => {
                        let is_drafted_here =
                            approval.as_ref().map_or(self.confirmed.is_some(), |former| former.is_drafted_here);
                        let statements = vec![(stamp.at, statement)];
                        *approval = Some(OrderApproval { file, is_drafted_here, statements });
                    }
                    (Some(approval), _) if approval.file == file => approval.statements.push((stamp.at, statement)),
                    _ => {}
                }
            }
            OrderEvent::Ended(end) => self.end = Some((stamp, end)),
            OrderEvent::Reopened(look) => {
                self.lookups.push((stamp.at, look));
                self.end = None;
            }
        }
    }
}
