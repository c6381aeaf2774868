//! The state of the connection, from what the last reads brought.

use super::{ConnectionState, stale_after};
use crate::app::model::Model;
use crate::domain::{FailureReason, Timestamp};

/// The present state of the connection. A rejected key stays rejected until a read succeeds.
pub fn assess_connection(model: &Model) -> ConnectionState {
    let head = &model.data.remotes.latest;
    if model.data.connection == ConnectionState::KeyRejected && head.failure.is_some() {
        return ConnectionState::KeyRejected;
    }
    match (&head.failure, head.last_success) {
        (Some((failure, _)), _) if matches!(failure.reason, FailureReason::Busy { .. }) => ConnectionState::Busy,
        (Some(_), since) => ConnectionState::Offline { since },
        (None, None) => ConnectionState::Connecting,
        (None, Some(last)) if last.age(model.now) <= stale_after(model.console.preferences.poll_period) => {
            ConnectionState::Live
        }
        // Reads are paused for every data set, which explains the late answer.
        (None, Some(_)) if paused_until(model).is_some() => ConnectionState::Busy,
        (None, Some(_)) => ConnectionState::Slow,
    }
}

/// Until when the service asked to be left alone; `None` if it did not.
pub fn paused_until(model: &Model) -> Option<Timestamp> {
    let head = &model.data.remotes.latest;
    let busy = head.failure.as_ref().is_some_and(|(failure, _)| matches!(failure.reason, FailureReason::Busy { .. }));
    let until = model.data.remotes.quiet_until.max(head.due.filter(|_| busy));
    until.filter(|until| *until > model.now)
}
