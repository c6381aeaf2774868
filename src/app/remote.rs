//! What is known of a data set's freshness: the last good answer, what is under way, what failed, what is due.

use std::time::Duration;

use super::msg::RequestId;
use crate::domain::{Failure, Reason, Timestamp};

/// The state of reading one data set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Remote {
    /// What sets its pauses apart from those of other data sets and of other consoles.
    pub seed: u64,
    /// The turn of the newest request.
    pub turn: RequestId,
    /// Since when a request is under way, if one is.
    pub in_flight: Option<Timestamp>,
    /// When the last good answer came.
    pub last_success: Option<Timestamp>,
    /// The failures since, if any: the newest, and how many in a row.
    pub failure: Option<(Failure, u32)>,
    /// How many entries of the last good answer could not be read, and how many answers in a row had some.
    pub unreadable: Option<(u64, u32)>,
    /// When it is to be read next; `None` for at once.
    pub due: Option<Timestamp>,
    /// Whether it was asked for while a request was under way.
    pub is_requested: bool,
    /// When the newest request started.
    pub started_at: Option<Timestamp>,
    /// From when on a hint wants it read, if one came while a request was under way.
    pub hint_due: Option<Timestamp>,
}

/// How far apart requests are that hints lead to: a flood of hints asks no more than this.
const BETWEEN_HINTS: Duration = Duration::from_secs(1);

impl Remote {
    /// Whether a request may start now.
    pub fn is_due(&self, now: Timestamp) -> bool {
        self.in_flight.is_none() && self.due.is_none_or(|due| due <= now)
    }

    /// A request starts.
    pub fn start(&mut self, now: Timestamp) -> RequestId {
        self.in_flight = Some(now);
        self.started_at = Some(now);
        self.is_requested = false;
        self.hint_due = None;
        self.turn.advance()
    }

    /// Asks for a request at once, or right after the one under way: the operator's word, which no pause stands against.
    pub fn request_now(&mut self) {
        if self.in_flight.is_some() {
            self.is_requested = true;
        } else {
            self.due = None;
        }
    }

    /// The same where the program itself has a reason to read sooner: a pause after a failure is kept, or a service in
    /// trouble would be asked again with every row that arrives elsewhere.
    pub fn request_unless_failing(&mut self) {
        if self.in_flight.is_some() || self.failure.is_none() {
            self.request_now();
        }
    }

    /// A hint came that there is something to read: at once, unless the last request started only just now. A pause after
    /// a failure is kept.
    pub fn apply_hint(&mut self, now: Timestamp) {
        let earliest = self.started_at.map_or(now, |started| started.plus(BETWEEN_HINTS).max(now));
        if self.in_flight.is_some() {
            self.hint_due = Some(earliest);
        } else if self.failure.is_none() {
            self.due = self.due.map(|due| due.min(earliest));
        }
    }

    /// The same data of something else are wanted: what was known of their freshness says nothing any more. The request
    /// under way is waited for, and a service that wants to be left alone is left alone.
    pub fn change_target(&mut self) {
        self.last_success = None;
        if !self.failure.as_ref().is_some_and(|(failure, _)| asks_for_peace(failure)) {
            self.failure = None;
            self.request_now();
        }
    }

    /// The same for one of many who share a service: what is wanted elsewhere is read at once too, and then no oftener than
    /// it is read by itself, however fast somebody moves. What the store knows of it stands there meanwhile, with its age.
    pub fn change_target_paced(&mut self, now: Timestamp, pause: Duration) {
        let earliest = self.started_at.map(|started| started.plus(pause)).filter(|earliest| *earliest > now);
        self.change_target();
        if earliest.is_some() && self.failure.is_none() {
            (self.is_requested, self.due) = (false, earliest);
        }
    }

    /// An answer came that nobody needs any more, as to a question about something else. What it says of the service
    /// itself counts all the same.
    pub fn discard_answer(&mut self, now: Timestamp, failure: Option<Failure>, period: Duration) {
        match failure {
            Some(failure) if asks_for_peace(&failure) => self.fail(now, failure, period),
            _ => {
                self.in_flight = None;
                self.is_requested = false;
                self.due = self.due.filter(|due| *due > now);
            }
        }
    }

    /// A good answer came; the next one is due after a pause.
    pub fn succeed(&mut self, now: Timestamp, pause: Duration) {
        self.in_flight = None;
        self.last_success = Some(now);
        self.failure = None;
        self.unreadable = None;
        let paused = now.plus(pause);
        let hinted = self.hint_due.take().map_or(paused, |hinted| hinted.min(paused));
        self.due = if self.is_requested { None } else { Some(hinted) };
        self.is_requested = false;
    }

    /// A good answer came of which so many entries cannot be read: it is asked for again, after pauses that grow with each
    /// such answer in a row.
    pub fn succeed_in_part(&mut self, now: Timestamp, pause: Duration, unreadable: u64, period: Duration) {
        let count = self.unreadable.map_or(1, |(_, count)| count.saturating_add(1));
        let sooner = growing(period.max(SOONEST), count, MAX_PAUSE, spread(self.seed, self.turn));
        self.succeed(now, pause.min(sooner));
        self.unreadable = Some((unreadable, count));
    }

    /// A request failed; the next one is due after a pause that grows with each failure in a row, or after what the
    /// service asked for.
    pub fn fail(&mut self, now: Timestamp, failure: Failure, period: Duration) {
        let count = self.failure.as_ref().map_or(1, |(_, count)| count.saturating_add(1));
        self.in_flight = None;
        self.is_requested = false;
        self.hint_due = None;
        let pause = match failure.reason {
            // A key that is refused stays refused: only the operator asks again.
            Reason::KeyRejected => Duration::MAX,
            // What it may not read now it is given some day, or not, or it was refused for once.
            Reason::Forbidden => growing(period.max(SOONEST), count, MAX_PAUSE, spread(self.seed, self.turn)),
            _ => pause_after(&failure, count, period, spread(self.seed, self.turn)),
        };
        self.due = Some(now.plus(pause));
        self.failure = Some((failure, count));
    }
}

/// Whether a failure speaks of the service and the key, whatever was asked.
fn asks_for_peace(failure: &Failure) -> bool {
    !failure.is_retryable() || matches!(failure.reason, Reason::Busy { .. })
}

/// How soon what the key may not read, or nobody can read, is asked for again, and how long it is left alone at most.
const SOONEST: Duration = Duration::from_secs(5);
pub(super) const MAX_PAUSE: Duration = Duration::from_mins(10);
/// The longest pause between two attempts.
const LONGEST: Duration = Duration::from_mins(1);
/// The longest that a service may ask to be left alone; the operator may ask sooner.
const LONGEST_ASKED: Duration = Duration::from_hours(1);

/// How long to wait after so many failures in a row, longer by so many 1,024ths.
fn pause_after(failure: &Failure, count: u32, period: Duration, spread: u32) -> Duration {
    if let Reason::Busy { retry_after: Some(asked), .. } = failure.reason {
        let asked = asked.clamp(Duration::from_millis(200), LONGEST_ASKED);
        // Those that were turned away together and come back together are turned away again.
        let again = if count > 1 { spread } else { 0 };
        return asked + asked.saturating_mul(again) / 1024;
    }
    growing(period, count, LONGEST, spread)
}

/// A pause that doubles with each time in a row up to the longest, longer by so many 1,024ths.
fn growing(first: Duration, count: u32, longest: Duration, spread: u32) -> Duration {
    let doubled = first.saturating_mul(1_u32.checked_shl(count.saturating_sub(1).min(16)).unwrap_or(u32::MAX));
    let pause = doubled.min(longest);
    pause + pause.saturating_mul(spread) / 1024
}

/// Up to a quarter more, so that consoles that lost a service together do not return together: each has a seed of its own,
/// and each of its attempts another share.
fn spread(seed: u64, turn: RequestId) -> u32 {
    let mixed = seed.wrapping_add(turn.0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    u32::try_from((mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 56).unwrap_or(0)
}

#[cfg(test)]
mod tests;
