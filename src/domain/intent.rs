//! Intents: what an operator means to change, from the first word to the last.
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
//!   settled, partly settled, failed, refused, not sent, written off ── a row that contradicts it ──▶ accepted, reopened
//! ```
//!
//! An intent is the sum of its events, in the order in which the journal holds them. What may follow on what is decided
//! here alone; the journal asks before it writes. No closed word is final against evidence: what was ever sent stays
//! matched with every row that is read, and one that contradicts how it was closed opens it again until somebody has
//! looked and closes it.

mod addresses;
mod contradiction;
mod destination;
mod event;
mod parts;
mod rule;
#[cfg(test)]
mod tests;

use std::fmt;
use std::time::Duration;

use uuid::Uuid;

use super::draft::{Draft, Operation, Sender};
use super::outcome::{AttemptResult, ObservedTransaction, Outcome, RecipientObservation};
use super::{ConfirmedQuote, Text, Timestamp, TransactionId};

pub use addresses::{AddressAnswer, ProfileAddress, Relation, ServiceAddresses};
pub use destination::Destination;
pub use event::Event;
pub use rule::{Because, Illegal};

/// Names an intent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OrderId(pub Uuid);

impl fmt::Display for OrderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Debug for OrderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IntentId({})", self.0)
    }
}

/// A request, frozen: these bytes are sent, and no others. It holds no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestBytes {
    /// Which operation it asks for.
    pub operation: Operation,
    /// `POST` or `PATCH`.
    pub method: String,
    /// Its path, with the version.
    pub path: String,
    /// Its body, byte for byte.
    pub body: String,
    /// The idempotency key inside the body; absent where the operation has none.
    pub key: Option<Uuid>,
}

/// Who acts: a console and the person at it, as the system names them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Console {
    /// The user's name at the system.
    pub user: Text,
    /// The machine.
    pub host: Text,
    /// Tells this run of the program from others, also on the same machine.
    pub run: Uuid,
}

/// When something happened, and by whose hand.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub by: Console,
}

/// A draft in the moment in which it becomes an intent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftedOrder {
    /// What the operator wants.
    pub draft: Draft,
    /// The paying side, for a payment.
    pub sender: Option<Sender>,
    /// The request.
    pub request: RequestBytes,
    /// Where it goes.
    pub destination: Destination,
    /// The newest outgoing transactions that were known.
    pub newest: Vec<TransactionId>,
    /// The newest of them that were at rest by then, and so do not move any more in whatever order the service lists its
    /// transactions: a read that comes down to them has passed everything that is newer.
    pub anchors: Vec<TransactionId>,
}

/// What the operator confirmed, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmation {
    /// What was typed to confirm it, word by word.
    pub typed: Vec<Text>,
    /// Every finding that the review showed, one line each, overridden ones with the words that did it.
    pub findings: Vec<Text>,
    /// What the review showed of a swap.
    pub agreed: Option<ConfirmedQuote>,
}

/// One time that the request was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Its number, counted from 1.
    pub number: u32,
    /// Why it was sent.
    pub reason: Because,
    /// When it was recorded, and who sent it; the request left after that.
    pub stamp: Stamp,
    /// When the sender will have given up waiting. Until then nobody else may send.
    pub gives_up_at: Timestamp,
    /// What came back, and when.
    pub answer: Option<(Timestamp, AttemptResult)>,
}

/// A look into the service's history for an intent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HistoryLookup {
    /// What was found under its key or reference.
    pub found: Option<ObservedTransaction>,
    /// A transaction that has the same chain, address, token, amount and time, but not its key: only a suggestion.
    pub similar_transaction: Option<TransactionId>,
    /// Whether everything since the request was first sent was provably read.
    pub is_complete: bool,
    /// Where what was found says something else than the request, or was paid more than once: each an alarm, in words.
    pub differences: Vec<Text>,
    /// Where what was found cost far more than expected: an alarm, too, which keeps nothing open.
    pub costs: Vec<Text>,
    /// Of a batch that the service tells apart: what is new of single recipients.
    pub parts: Vec<RecipientObservation>,
    /// Whether everything since the request was first sent was provably read, and all or some of it failed by that: said
    /// of an order only after several such reads.
    pub shows_failure: bool,
    /// How what was found contradicts the way in which the order was closed: an alarm in words.
    pub contradiction: Option<Text>,
}

/// How an intent ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderEnd {
    /// Done, by the service's word.
    Settled,
    /// A batch of which some was done and some did not happen, by the service's word.
    PartlySettled,
    /// Did not happen, by the service's word.
    Failed,
    /// Nothing was ever sent, and the draft was given up: by the operator, or for this reason by the console.
    Abandoned(Option<Text>),
    /// The operator closed it, with a reason.
    WrittenOff(Text),
}

/// How an intent stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// Recorded, not confirmed.
    Drafted,
    /// Confirmed; nothing was sent.
    Confirmed,
    /// On its way, at this moment.
    Sending,
    /// Tried; no byte of it left.
    NotSent,
    /// We do not know whether it was executed.
    Unknown,
    /// It reads like a refusal, and only a read of the history can close it.
    ProbablyRefused,
    /// Refused; nothing was executed, by the service's word or by what reads like it and by whole reads of the history.
    Refused,
    /// The service took it.
    Accepted,
    /// Done.
    Settled,
    /// Some of it was done, and some did not happen.
    PartlySettled,
    /// Did not happen.
    Failed,
    /// Given up before anything was sent.
    Abandoned,
    /// Closed by the operator.
    WrittenOff,
}

/// An intent, read back from its events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Which.
    pub id: OrderId,
    /// What it was born as.
    pub drafted: DraftedOrder,
    /// When, and by whom.
    pub created: Stamp,
    /// What was confirmed, when and by whom.
    pub confirmed: Option<(Stamp, Confirmation)>,
    /// Each time it was sent.
    pub attempts: Vec<Attempt>,
    /// What the history was found to say, in the order of looking.
    pub lookups: Vec<(Timestamp, HistoryLookup)>,
    /// How it ended, when and by whom.
    pub end: Option<(Stamp, OrderEnd)>,
}

/// How many covering reads it takes to say that something was not seen.
pub const NOT_SEEN_READS: usize = 3;
/// Over how long they must be spread at the least.
pub const NOT_SEEN_AFTER: Duration = Duration::from_mins(10);

impl Order {
    /// How it stands at this time.
    pub fn state(&self, now: Timestamp) -> State {
        if let Some((_, end)) = &self.end {
            return match end {
                OrderEnd::Settled => State::Settled,
                OrderEnd::PartlySettled => State::PartlySettled,
                OrderEnd::Failed => State::Failed,
                OrderEnd::Abandoned(_) => State::Abandoned,
                OrderEnd::WrittenOff(_) => State::WrittenOff,
            };
        }
        if self.confirmed.is_none() {
            return State::Drafted;
        }
        if self.last_observed().is_some() {
            return State::Accepted;
        }
        if self.attempts.iter().any(|attempt| attempt.is_under_way(now)) {
            return State::Sending;
        }
        match self.outcome() {
            None => State::Confirmed,
            Some(Outcome::NotSent) => State::NotSent,
            Some(Outcome::Accepted) => State::Accepted,
            Some(Outcome::Refused) => State::Refused,
            Some(Outcome::ProbablyRefused { .. } | Outcome::Declined) if self.is_refusal_confirmed() => State::Refused,
            Some(Outcome::ProbablyRefused { .. } | Outcome::Declined) => State::ProbablyRefused,
            Some(Outcome::Unknown) => State::Unknown,
        }
    }

    /// What all attempts came to together; an attempt without an answer is as good as an unknown one. `None` before the
    /// first.
    pub fn outcome(&self) -> Option<Outcome> {
        combined_outcome(self.attempts.iter())
    }

    /// What the service last told of its transaction.
    pub fn last_observed(&self) -> Option<&ObservedTransaction> {
        let looked = self.lookups.iter().rev().find_map(|(_, look)| look.found.as_ref());
        looked.or_else(|| {
            self.attempts.iter().rev().find_map(|attempt| match &attempt.answer.as_ref()?.1.made {
                Some(super::outcome::Made::Transaction(seen)) => Some(seen),
                _ => None,
            })
        })
    }

    /// The transaction that is surely its own: one that was found under its key or reference, or that an answer named
    /// which says nothing else than the request. An answer that does may speak of another payment.
    pub fn transaction(&self) -> Option<&TransactionId> {
        self.sure_observations().find_map(|seen| seen.transaction.as_ref())
    }

    /// What was told of a transaction that is surely its own, as [`Order::transaction`] says, the last word first.
    pub fn sure_observations(&self) -> impl Iterator<Item = &ObservedTransaction> {
        let looked = self.lookups.iter().rev().filter_map(|(_, look)| look.found.as_ref());
        let answers = self.attempts.iter().rev().filter_map(|attempt| Some(&attempt.answer.as_ref()?.1));
        let answered = answers.filter(|answer| answer.differences.is_empty()).filter_map(|answer| match &answer.made {
            Some(super::outcome::Made::Transaction(seen)) => Some(seen),
            _ => None,
        });
        looked.chain(answered)
    }

    /// Every transaction that was ever named as its own, by the history or by an answer that says nothing else than the
    /// request. A service that tried more than once may name several.
    pub fn transactions(&self) -> impl Iterator<Item = &TransactionId> {
        let looked = self.lookups.iter().filter_map(|(_, look)| look.found.as_ref()?.transaction.as_ref());
        let answers = self.attempts.iter().filter_map(|attempt| Some(&attempt.answer.as_ref()?.1));
        let answered = answers.filter(|answer| answer.differences.is_empty()).filter_map(|answer| match &answer.made {
            Some(super::outcome::Made::Transaction(seen)) => seen.transaction.as_ref(),
            _ => None,
        });
        let parts = self.lookups.iter().flat_map(|(_, look)| &look.parts);
        looked.chain(answered).chain(parts.filter_map(|part| part.observed.transaction.as_ref()))
    }

    /// The first time that bytes of it may have left.
    pub fn first_sent(&self) -> Option<Timestamp> {
        self.attempts.first().map(|attempt| attempt.stamp.at)
    }

    /// When it happened, for people: when it was first sent, and before that when it was drafted.
    pub fn time(&self) -> Timestamp {
        self.first_sent().unwrap_or(self.created.at)
    }

    /// Whether it was given up before anything was sent.
    pub fn is_given_up(&self) -> bool {
        matches!(self.end, Some((_, OrderEnd::Abandoned(_))))
    }

    /// Whether nobody knows what became of it: it counts against limits, blocks an equal payment, and stands first.
    pub fn is_unresolved(&self, now: Timestamp) -> bool {
        match self.state(now) {
            State::Unknown | State::ProbablyRefused => true,
            // Somebody must look: what it came to was said before, and is not so.
            State::Accepted => self.is_reopened(),
            // While it is sent again, what was not known before goes on not being known.
            State::Sending => {
                let before = self.attempts.iter().filter(|attempt| !attempt.is_under_way(now));
                matches!(
                    combined_outcome(before),
                    Some(Outcome::Unknown | Outcome::ProbablyRefused { .. } | Outcome::Declined)
                )
            }
            _ => false,
        }
    }

    /// Whether something is still to come of it.
    pub fn is_open(&self, now: Timestamp) -> bool {
        matches!(
            self.state(now),
            State::Sending | State::NotSent | State::Unknown | State::ProbablyRefused | State::Confirmed
        ) || (self.state(now) == State::Accepted && self.drafted.draft.operation().moves_money())
    }

    /// When reads since its last sending provably saw everything, without finding it: one before that says nothing of
    /// what was sent then.
    pub fn complete_reads(&self) -> Vec<Timestamp> {
        let sent = self.attempts.last().map(|attempt| attempt.answer.as_ref().map_or(attempt.stamp.at, |(at, _)| *at));
        let covers =
            |(at, look): &&(Timestamp, HistoryLookup)| look.is_complete && look.found.is_none() && Some(*at) >= sent;
        self.lookups.iter().filter(covers).map(|(at, _)| *at).collect()
    }

    /// Whether it may be said that it was not seen: never that it failed.
    pub fn was_not_seen(&self) -> bool {
        let covering = self.complete_reads();
        let long =
            covering.first().zip(covering.last()).is_some_and(|(first, last)| first.age(*last) >= NOT_SEEN_AFTER);
        self.last_observed().is_none() && long && covering.len() >= NOT_SEEN_READS
    }
}

/// What attempts came to together.
fn combined_outcome<'a>(attempts: impl Iterator<Item = &'a Attempt>) -> Option<Outcome> {
    attempts.fold(None, |earlier, attempt| {
        let this = attempt.answer.as_ref().map_or(Outcome::Unknown, |(_, answer)| answer.outcome);
        Some(earlier.map_or(this, |earlier| this.after(earlier)))
    })
}

/// How much earlier than the beginning of a sending it may be where somebody looks at it.
const CLOCK_SLACK: Duration = Duration::from_millis(500);

impl Attempt {
    /// Whether somebody is still waiting for its answer.
    pub fn is_under_way(&self, now: Timestamp) -> bool {
        // A clock that was set back would make it last for ever, so it counts only from its own beginning on; whoever
        // asks may have looked at the clock a moment before it began.
        self.answer.is_none() && self.stamp.at <= now.plus(CLOCK_SLACK) && now < self.gives_up_at
    }
}
