//! How the connection to the service stands, as the header says it.

use std::time::Duration;

use super::model::Model;
use crate::domain::{Reason, Timestamp};

/// How the connection stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Link {
    /// Nothing has been answered yet.
    #[default]
    Connecting,
    /// Answers come in time.
    Live,
    /// The last good answer is older than two poll periods, and nothing has failed.
    Slow,
    /// The service asks to be left alone for a while.
    Busy,
    /// The last attempt failed, and so did all since this time.
    Offline {
        /// When the last good answer came; `None` if none ever did.
        since: Option<Timestamp>,
    },
    /// The key was rejected: nothing is asked any more until the operator says so. One that may only not read is tried again
    /// with growing pauses.
    KeyRejected,
}

impl Link {
    /// Whether answers come, or may still come: if not, what was never read is not being read either.
    pub fn is_answered(self) -> bool {
        matches!(self, Self::Connecting | Self::Live | Self::Slow)
    }
}

/// How old a figure may be before it counts as stale: two poll periods, and never less than three seconds, so that a
/// quick demo does not flicker.
pub fn stale_after(period: Duration) -> Duration {
    period.saturating_mul(2).max(Duration::from_secs(3))
}

/// How far two looks at clocks may lie apart before one of them must have been set.
pub const CLOCK_STEP: Duration = Duration::from_secs(2);

/// How the connection stands now. A rejected key stays rejected until a read succeeds.
pub fn assess(model: &Model) -> Link {
    let head = &model.remotes.latest;
    if model.link == Link::KeyRejected && head.failure.is_some() {
        return Link::KeyRejected;
    }
    match (&head.failure, head.last_success) {
        (Some((failure, _)), _) if matches!(failure.reason, Reason::Busy { .. }) => Link::Busy,
        (Some(_), since) => Link::Offline { since },
        (None, None) => Link::Connecting,
        (None, Some(last)) if last.age(model.now) <= stale_after(model.period) => Link::Live,
        // Nothing else is asked either, and the header says why nothing comes.
        (None, Some(_)) if paused_until(model).is_some() => Link::Busy,
        (None, Some(_)) => Link::Slow,
    }
}

/// Until when the service is left alone, as it asked for; `None` while it is not.
pub fn paused_until(model: &Model) -> Option<Timestamp> {
    let head = &model.remotes.latest;
    let busy = head.failure.as_ref().is_some_and(|(failure, _)| matches!(failure.reason, Reason::Busy { .. }));
    let until = model.remotes.quiet_until.max(head.due.filter(|_| busy));
    until.filter(|until| *until > model.now)
}

/// A duration in a form for people: whole seconds, then minutes, hours, days; [`Duration::MAX`] is one that nobody knows.
pub fn words(age: Duration) -> String {
    let seconds = age.as_secs();
    match seconds {
        u64::MAX => "?".into(),
        0..120 => format!("{seconds}s"),
        120..7_200 => format!("{}m", seconds / 60),
        7_200..172_800 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}
