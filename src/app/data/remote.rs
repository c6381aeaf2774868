//! The polling state of one data set: the last success, the request under way, failures, and when it is next due.

use std::time::Duration;

use crate::app::request_id::RequestId;
use crate::domain::{Failure, FailureReason, Timestamp};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PollState {
    /// Jitters the pauses of data sets and consoles apart.
    pub seed: u64,
    pub request_id: RequestId,
    pub in_flight: Option<Timestamp>,
    pub last_success: Option<Timestamp>,
    /// When the request of the last success was made: what happened since is not in its answer.
    pub success_began: Option<Timestamp>,
    /// The newest failure since the last success, and how many in a row.
    pub failure: Option<(Failure, u32)>,
    /// Entries of the last answer that could not be parsed, and how many answers in a row had some.
    pub unreadable: Option<(u64, u32)>,
    /// When it is next read; `None` for at once.
    pub due: Option<Timestamp>,
    /// Whether a read was requested while another one was under way.
    pub is_requested: bool,
    pub started_at: Option<Timestamp>,
    /// The earliest time for a read on account of a webhook that came while a request was under way.
    pub hint_due: Option<Timestamp>,
}

/// The shortest interval of reads on account of webhooks, however many arrive.
const MIN_HINT_INTERVAL: Duration = Duration::from_secs(1);

impl PollState {
    /// Why a data set was never read, by its newest failure. A busy service reports what it is busy with.
    pub fn unread_reason(&self) -> Option<String> {
        let (failure, _) = self.failure.as_ref().filter(|_| self.last_success.is_none())?;
        let is_explained = matches!(failure.reason, FailureReason::Busy { .. }) && !failure.detail.is_empty();
        Some(if is_explained { failure.detail.to_string() } else { format!("not read: {failure}") })
    }

    pub fn is_due(&self, now: Timestamp) -> bool {
        self.in_flight.is_none() && self.due.is_none_or(|due| due <= now)
    }

    pub fn start(&mut self, now: Timestamp) -> RequestId {
        self.in_flight = Some(now);
        self.started_at = Some(now);
        self.is_requested = false;
        self.hint_due = None;
        self.request_id.advance()
    }

    /// Requests a read at once, or right after the one under way. Overrides any pause, as on the operator's command.
    pub fn request_now(&mut self) {
        if self.in_flight.is_some() {
            self.is_requested = true;
        } else {
            self.due = None;
        }
    }

    /// Requests a read for a reason of the console's own. A pause after a failure is kept, or a service in trouble
    /// would be polled with every row that arrives elsewhere.
    pub fn request_unless_failing(&mut self) {
        if self.in_flight.is_some() || self.failure.is_none() {
            self.request_now();
        }
    }

    /// Requests a read for a webhook: at once, unless a request started just now. A pause after a failure is kept.
    pub fn apply_hint(&mut self, now: Timestamp) {
        let earliest = self.started_at.map_or(now, |started| started.plus(MIN_HINT_INTERVAL).max(now));
        if self.in_flight.is_some() {
            self.hint_due = Some(earliest);
        } else if self.failure.is_none() {
            self.due = self.due.map(|due| due.min(earliest));
        }
    }

    /// The data set now is of another scope, so its freshness is unknown. A request under way is awaited, and a pause
    /// that the service asked for is kept.
    pub fn change_target(&mut self) {
        (self.last_success, self.success_began) = (None, None);
        if !self.failure.as_ref().is_some_and(|(failure, _)| applies_to_any_request(failure)) {
            self.failure = None;
            self.request_now();
        }
    }

    /// The same for a console that shares its service with many: the first change reads at once, later ones no oftener
    /// than polling does. Meanwhile the screen shows what the store has, with its age.
    pub fn change_target_paced(&mut self, now: Timestamp, pause: Duration) {
        let earliest = self.started_at.map(|started| started.plus(pause)).filter(|earliest| *earliest > now);
        self.change_target();
        if earliest.is_some() && self.failure.is_none() {
            (self.is_requested, self.due) = (false, earliest);
        }
    }

    /// An answer came that is not needed any more, such as one for another scope. A failure of the service itself
    /// counts nevertheless.
    pub fn discard_answer(&mut self, now: Timestamp, failure: Option<Failure>, period: Duration) {
        match failure {
            Some(failure) if applies_to_any_request(&failure) => self.fail(now, failure, period),
            _ => {
                self.in_flight = None;
                self.is_requested = false;
                self.due = self.due.filter(|due| *due > now);
            }
        }
    }

    /// A good answer came; the next read is due after a pause.
    pub fn succeed(&mut self, now: Timestamp, pause: Duration) {
        self.in_flight = None;
        self.last_success = Some(now);
        self.success_began = self.started_at;
        self.failure = None;
        self.unreadable = None;
        let paused = now.plus(pause);
        let due = self.hint_due.take().map_or(paused, |due| due.min(paused));
        self.due = if self.is_requested { None } else { Some(due) };
        self.is_requested = false;
    }

    /// A good answer came with entries that could not be parsed: it is read again after growing pauses.
    pub fn succeed_in_part(&mut self, now: Timestamp, pause: Duration, unreadable: u64, period: Duration) {
        let count = self.unreadable.map_or(1, |(_, count)| count.saturating_add(1));
        let sooner = doubling_pause(
            period.max(MIN_REREAD_PAUSE),
            count,
            MAX_REREAD_PAUSE,
            retry_jitter(self.seed, self.request_id),
        );
        self.succeed(now, pause.min(sooner));
        self.unreadable = Some((unreadable, count));
    }

    /// A request failed; the next is due after a pause that grows with each failure, or that the service asked for.
    pub fn fail(&mut self, now: Timestamp, failure: Failure, period: Duration) {
        let count = self.failure.as_ref().map_or(1, |(_, count)| count.saturating_add(1));
        self.in_flight = None;
        self.is_requested = false;
        self.hint_due = None;
        let pause = match failure.reason {
            // A rejected key stays rejected: only the operator retries.
            FailureReason::KeyRejected => Duration::MAX,
            // A missing permission may be granted later.
            FailureReason::Forbidden => doubling_pause(
                period.max(MIN_REREAD_PAUSE),
                count,
                MAX_REREAD_PAUSE,
                retry_jitter(self.seed, self.request_id),
            ),
            FailureReason::Unreachable
            | FailureReason::TimedOut
            | FailureReason::ConnectionLost
            | FailureReason::NotFound
            | FailureReason::Busy { .. }
            | FailureReason::Refused { .. }
            | FailureReason::Redirected
            | FailureReason::TooLarge
            | FailureReason::NotUnderstood
            | FailureReason::Local => pause_after(&failure, count, period, retry_jitter(self.seed, self.request_id)),
        };
        self.due = Some(now.plus(pause));
        self.failure = Some((failure, count));
    }
}

/// Whether a failure applies to the service and the key, whatever was requested.
fn applies_to_any_request(failure: &Failure) -> bool {
    !failure.is_retryable() || matches!(failure.reason, FailureReason::Busy { .. })
}

/// Shortest and longest pause after data that are forbidden or could not be parsed.
const MIN_REREAD_PAUSE: Duration = Duration::from_secs(5);
pub(in crate::app) const MAX_REREAD_PAUSE: Duration = Duration::from_mins(10);
/// The longest pause after other failures.
const MAX_FAILURE_PAUSE: Duration = Duration::from_mins(1);
/// The longest pause that a service may ask for; the operator may override it.
const MAX_REQUESTED_PAUSE: Duration = Duration::from_hours(1);

/// The pause after `count` failures in a row, longer by `spread` 1,024ths.
fn pause_after(failure: &Failure, count: u32, period: Duration, spread: u32) -> Duration {
    if let FailureReason::Busy { retry_after: Some(pause), .. } = failure.reason {
        let pause = pause.clamp(Duration::from_millis(200), MAX_REQUESTED_PAUSE);
        // Retries are jittered: clients that were rate-limited together would collide again.
        let jitter = if count > 1 { spread } else { 0 };
        return pause + pause.saturating_mul(jitter) / 1024;
    }
    doubling_pause(period, count, MAX_FAILURE_PAUSE, spread)
}

/// A pause that doubles each time up to `longest`, longer by `spread` 1,024ths.
fn doubling_pause(first: Duration, count: u32, longest: Duration, spread: u32) -> Duration {
    let doubled = first.saturating_mul(1_u32.checked_shl(count.saturating_sub(1).min(16)).unwrap_or(u32::MAX));
    let pause = doubled.min(longest);
    pause + pause.saturating_mul(spread) / 1024
}

/// Jitter of up to a quarter, in 1,024ths: consoles that lost a service together must not return together. It differs
/// by seed and by attempt.
fn retry_jitter(seed: u64, request_id: RequestId) -> u32 {
    let mixed = seed.wrapping_add(request_id.0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    u32::try_from((mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 56).unwrap_or(0)
}

#[cfg(test)]
mod tests;
