//! Orders: what an operator means to change at the service, from draft to outcome.
//!
//! ```text
//!             confirm          send            answer
//!   drafted ──────────▶ confirmed ────▶ sending ──────▶ accepted ──────▶ settled
//!      │                   │              │  │ ▲           │ ▲ ├─────────▶ partly settled
//!      │                   │              │  │ ▲           │ ▲ └─────────▶ failed
//!      └──── abandon ◀─────┘              │  │ └── same bytes again ──┐
//!                                         │  ├──▶ not sent ───────────┤
//!                                         │  ├──▶ probably refused ───┤     a read that finds it: accepted
//!                                         │  └──▶ unknown ────────────┘     the operator: written off
//!                                         └─────▶ refused
//!
//!   settled, partly settled, failed, refused, not sent, written off ── contradicting row ──▶ accepted, reopened
//! ```
//!
//! An order is the sum of its events, in journal order. [`orders`](crate::orders) alone decides which event may follow which; the
//! journal asks it before it writes. No closed state is final against evidence: every row that is read is still matched
//! with each order that was ever sent, and a row that contradicts how the order was closed reopens it until an operator
//! reviews and closes it.

mod address_relations;
mod alarms;
mod approval;
mod console_identity;
mod event;
mod illegal_event;
mod paid_dues;
mod parts;
mod service_destination;
#[cfg(test)]
mod tests;

use std::time::Duration;

use uuid::Uuid;

use super::draft::{Draft, Operation, Sender};
use super::outcome::{AttemptResult, ObservedTransaction, Outcome, RecipientObservation};
use super::template::TemplateUse;
use super::{ConfirmedQuote, Text, Timestamp, TransactionId};

pub use super::ids::OrderId;
pub use address_relations::{AddressAnswer, AddressRelation, AddressRelations, ProfileAddress};
pub use approval::OrderApproval;
pub use console_identity::ConsoleIdentity;
pub use event::{OrderEvent, SendReason};
pub use illegal_event::IllegalOrderEvent;
pub use paid_dues::PaidDues;
pub use service_destination::ServiceDestination;

/// A serialised request: exactly these bytes are sent. They contain no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestBytes {
    pub operation: Operation,
    /// `POST` or `PATCH`.
    pub method: String,
    /// With the API version.
    pub path: String,
    pub body: String,
    /// The idempotency key inside the body; absent where the operation has none.
    pub key: Option<Uuid>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EventStamp {
    pub at: Timestamp,
    pub by: ConsoleIdentity,
}

/// The content of [`OrderEvent::Drafted`]: a draft as it becomes an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftedOrder {
    pub draft: Draft,
    pub sender: Option<Sender>,
    pub request: RequestBytes,
    pub destination: ServiceDestination,
    /// The newest outgoing transactions known when the order was drafted.
    pub newest: Vec<TransactionId>,
    /// Those of `newest` that were at rest by then, and so keep their position however the service orders its
    /// transactions: a read that reaches them has passed every newer transaction.
    pub anchors: Vec<TransactionId>,
    /// The template that the form was filled in from.
    pub template: Option<TemplateUse>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmation {
    /// The texts typed to confirm, in order.
    pub typed: Vec<Text>,
    /// Every finding of the review, one line each; overridden ones with their override phrase.
    pub findings: Vec<Text>,
    /// The quote that the review of a swap showed.
    pub agreed: Option<ConfirmedQuote>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Counted from 1.
    pub number: u32,
    pub reason: SendReason,
    /// When the attempt was recorded, and by whom; the request left after that.
    pub stamp: EventStamp,
    /// When the sender gives up waiting. Nobody may send again before then.
    pub gives_up_at: Timestamp,
    /// The result, and when it came.
    pub answer: Option<(Timestamp, AttemptResult)>,
}

/// The result of reading the service's history for an order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HistoryLookup {
    /// The transaction under the order's key or reference.
    pub observed: Option<ObservedTransaction>,
    /// A transaction with the same chain, address, token, amount and time, but another key: only a suggestion.
    pub similar_transaction: Option<TransactionId>,
    /// Whether everything since the first attempt was provably read.
    pub is_complete: bool,
    /// Alarms, in words: where `observed` differs from the request, or the order was paid more than once.
    pub differences: Vec<Text>,
    /// Alarms, in words, that `observed` cost far more than expected. They keep no order open.
    pub cost_alarms: Vec<Text>,
    /// Of a batch whose recipients the service reports separately: what is new about single recipients.
    pub recipient_reports: Vec<RecipientObservation>,
    /// Whether everything since the first attempt was provably read and shows that all or part of the order failed. An
    /// order counts as failed only after several such reads.
    pub shows_failure: bool,
    /// An alarm, in words: how `observed` contradicts the way in which the order was closed.
    pub contradiction: Option<Text>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderEnd {
    /// Reported as done by the service.
    Settled,
    /// A batch of which the service reports one part as done and another as failed.
    PartlySettled,
    /// Reported as failed by the service.
    Failed,
    /// Nothing was ever sent: given up by the operator, or by the console for this reason.
    Abandoned(Option<Text>),
    /// Closed by the operator, with a reason.
    WrittenOff(Text),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderState {
    /// Recorded, not confirmed.
    Drafted,
    /// Confirmed, never sent.
    Confirmed,
    /// An attempt is waiting for its answer.
    Sending,
    /// Attempted; no byte of the request left.
    NotSent,
    Unknown,
    /// The answer reads like a rejection; only reads of the history can confirm it.
    ProbablyRefused,
    /// Rejected and not executed: by the service's answer, or by an answer that reads like one and complete reads of
    /// the history.
    Refused,
    Accepted,
    Settled,
    PartlySettled,
    Failed,
    /// Given up before anything was sent.
    Abandoned,
    WrittenOff,
}

/// An order, rebuilt from its events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub id: OrderId,
    pub drafted: DraftedOrder,
    pub created: EventStamp,
    /// The last confirmation: an order that was proposed is confirmed again when it is released.
    pub confirmed: Option<(EventStamp, Confirmation)>,
    pub approval: Option<OrderApproval>,
    pub attempts: Vec<Attempt>,
    /// The history lookups, in the order in which they were made.
    pub lookups: Vec<(Timestamp, HistoryLookup)>,
    pub end: Option<(EventStamp, OrderEnd)>,
}

/// How many complete reads it takes before an order counts as not seen.
pub const NOT_SEEN_READS: usize = 3;
/// The least time that those reads must span.
pub const NOT_SEEN_AFTER: Duration = Duration::from_mins(10);

impl Order {
    /// The state at a time: a waiting attempt ends at its time-out.
    pub fn state(&self, now: Timestamp) -> OrderState {
        if let Some((_, end)) = &self.end {
            return match end {
                OrderEnd::Settled => OrderState::Settled,
                OrderEnd::PartlySettled => OrderState::PartlySettled,
                OrderEnd::Failed => OrderState::Failed,
                OrderEnd::Abandoned(_) => OrderState::Abandoned,
                OrderEnd::WrittenOff(_) => OrderState::WrittenOff,
            };
        }
        if self.confirmed.is_none() {
            return OrderState::Drafted;
        }
        if self.last_observation().is_some() {
            return OrderState::Accepted;
        }
        if self.attempts.iter().any(|attempt| attempt.is_under_way(now)) {
            return OrderState::Sending;
        }
        match self.outcome() {
            None => OrderState::Confirmed,
            Some(Outcome::NotSent) => OrderState::NotSent,
            Some(Outcome::Accepted) => OrderState::Accepted,
            Some(Outcome::Refused) => OrderState::Refused,
            Some(Outcome::ProbablyRefused { .. } | Outcome::Declined) if self.is_refusal_confirmed_by_history() => {
                OrderState::Refused
            }
            Some(Outcome::ProbablyRefused { .. } | Outcome::Declined) => OrderState::ProbablyRefused,
            Some(Outcome::Unknown) => OrderState::Unknown,
        }
    }

    /// The combined outcome of all attempts; an attempt without an answer counts as unknown. `None` before the first
    /// attempt.
    pub fn outcome(&self) -> Option<Outcome> {
        combined_outcome(self.attempts.iter())
    }

    /// The last report of the order's transaction: the history takes precedence over answers.
    pub fn last_observation(&self) -> Option<&ObservedTransaction> {
        let in_history = self.lookups.iter().rev().find_map(|(_, look)| look.observed.as_ref());
        in_history.or_else(|| {
            self.attempts.iter().rev().find_map(|attempt| match &attempt.answer.as_ref()?.1.created {
                Some(super::outcome::CreatedObject::Transaction(transaction)) => Some(transaction),
                _ => None,
            })
        })
    }

    /// The transaction that certainly belongs to the order: found under its key or reference, or named by an answer
    /// that agrees with the request. An answer that differs may be about another payment.
    pub fn transaction_id(&self) -> Option<&TransactionId> {
        self.sure_observations().find_map(|observed| observed.transaction.as_ref())
    }

    /// The reports of a transaction that certainly belongs to the order (see [`Order::transaction_id`]): lookups before
    /// answers, each newest first.
    pub fn sure_observations(&self) -> impl Iterator<Item = &ObservedTransaction> {
        let in_history = self.lookups.iter().rev().filter_map(|(_, look)| look.observed.as_ref());
        let answers = self.attempts.iter().rev().filter_map(|attempt| Some(&attempt.answer.as_ref()?.1));
        let answered =
            answers.filter(|answer| answer.differences.is_empty()).filter_map(|answer| match &answer.created {
                Some(super::outcome::CreatedObject::Transaction(transaction)) => Some(transaction),
                _ => None,
            });
        in_history.chain(answered)
    }

    /// Every transaction ever reported for the order, by the history or by an answer that agrees with the request. A
    /// service that tried more than once may report several.
    pub fn transaction_ids(&self) -> impl Iterator<Item = &TransactionId> {
        let in_history = self.lookups.iter().filter_map(|(_, look)| look.observed.as_ref()?.transaction.as_ref());
        let answers = self.attempts.iter().filter_map(|attempt| Some(&attempt.answer.as_ref()?.1));
        let answered =
            answers.filter(|answer| answer.differences.is_empty()).filter_map(|answer| match &answer.created {
                Some(super::outcome::CreatedObject::Transaction(transaction)) => transaction.transaction.as_ref(),
                _ => None,
            });
        let parts = self.lookups.iter().flat_map(|(_, look)| &look.recipient_reports);
        in_history.chain(answered).chain(parts.filter_map(|part| part.observed.transaction.as_ref()))
    }

    /// When the first attempt was recorded: the earliest time that bytes of the request may have left.
    pub fn first_sent_at(&self) -> Option<Timestamp> {
        self.attempts.first().map(|attempt| attempt.stamp.at)
    }

    /// The order's time for people: when it was first sent, or else when it was drafted.
    pub fn display_time(&self) -> Timestamp {
        self.first_sent_at().unwrap_or(self.created.at)
    }

    /// Whether the order was given up before anything was sent.
    pub fn is_abandoned(&self) -> bool {
        matches!(self.end, Some((_, OrderEnd::Abandoned(_))))
    }

    /// Whether the outcome is unknown: the order then counts against limits, blocks an equal payment, and is listed
    /// first.
    pub fn is_unresolved(&self, now: Timestamp) -> bool {
        match self.state(now) {
            OrderState::Unknown | OrderState::ProbablyRefused => true,
            // An operator must review it: its earlier outcome turned out to be wrong.
            OrderState::Accepted => self.is_reopened(),
            // While the order is sent again, an outcome that was unknown before stays unknown.
            OrderState::Sending => {
                let before = self.attempts.iter().filter(|attempt| !attempt.is_under_way(now));
                matches!(
                    combined_outcome(before),
                    Some(Outcome::Unknown | Outcome::ProbablyRefused { .. } | Outcome::Declined)
                )
            }
            _ => false,
        }
    }

    /// Whether a further event is expected.
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.end.is_none() && self.approval.is_some() && self.first_sent_at().is_none()
            || matches!(
                self.state(now),
                OrderState::Sending
                    | OrderState::NotSent
                    | OrderState::Unknown
                    | OrderState::ProbablyRefused
                    | OrderState::Confirmed
            )
            || (self.state(now) == OrderState::Accepted && self.drafted.draft.operation().moves_money())
    }

    /// The times of the complete reads since the last attempt that did not find the order. A read before that attempt
    /// proves nothing about it.
    pub fn complete_miss_times(&self) -> Vec<Timestamp> {
        let last_sent_at =
            self.attempts.last().map(|attempt| attempt.answer.as_ref().map_or(attempt.stamp.at, |(at, _)| *at));
        let covers = |(at, look): &&(Timestamp, HistoryLookup)| {
            look.is_complete && look.observed.is_none() && Some(*at) >= last_sent_at
        };
        self.lookups.iter().filter(covers).map(|(at, _)| *at).collect()
    }

    /// Whether an answer that reads like a rejection is confirmed: the history was read completely since (once after an
    /// explicit rejection, else as often and over as long a time as [`Order::counts_as_not_seen`] requires) and shows
    /// neither the order nor a similar transaction. An order with an unknown outcome is never closed by that.
    pub fn is_refusal_confirmed_by_history(&self) -> bool {
        let is_read = match self.outcome() {
            Some(Outcome::Declined) => self.last_observation().is_none() && !self.complete_miss_times().is_empty(),
            Some(Outcome::ProbablyRefused { .. }) => self.counts_as_not_seen(),
            _ => false,
        };
        is_read
            && self.differences().is_empty()
            && !self.lookups.iter().any(|(_, look)| look.similar_transaction.is_some())
    }

    /// Whether the order may be reported as not seen, which never means that it failed.
    pub fn counts_as_not_seen(&self) -> bool {
        let covering = self.complete_miss_times();
        let long =
            covering.first().zip(covering.last()).is_some_and(|(first, last)| first.age(*last) >= NOT_SEEN_AFTER);
        self.last_observation().is_none() && long && covering.len() >= NOT_SEEN_READS
    }
}

fn combined_outcome<'a>(attempts: impl Iterator<Item = &'a Attempt>) -> Option<Outcome> {
    attempts.fold(None, |earlier, attempt| {
        let latest = attempt.answer.as_ref().map_or(Outcome::Unknown, |(_, answer)| answer.outcome);
        Some(earlier.map_or(latest, |earlier| latest.combine_after(earlier)))
    })
}

/// How much earlier than an attempt's own time the clock may be when its state is judged.
const CLOCK_SLACK: Duration = Duration::from_millis(500);

impl Attempt {
    pub fn is_under_way(&self, now: Timestamp) -> bool {
        // If the clock was set back, the wait would never end, so it counts only from the attempt's own time on. The
        // slack covers a caller that read the clock a moment before the attempt was recorded.
        self.answer.is_none() && self.stamp.at <= now.plus(CLOCK_SLACK) && now < self.gives_up_at
    }
}
