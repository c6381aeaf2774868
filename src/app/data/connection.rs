//! The state of the connection to the service, as the header shows it.

mod assess;

use std::time::Duration;

use crate::domain::Timestamp;
pub use assess::{assess_connection, paused_until};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ConnectionState {
    #[default]
    Connecting,
    Live,
    /// The last successful read is older than two poll periods, and nothing has failed.
    Slow,
    /// The service is rate-limiting or asks for a pause.
    Busy,
    Offline {
        /// The last successful read; `None` if there was none.
        since: Option<Timestamp>,
    },
    /// The key was rejected: reading stops until the operator presses `r`. A key that only lacks the read permission is
    /// retried with growing pauses.
    KeyRejected,
}

impl ConnectionState {
    /// Whether answers come or may still come; otherwise data that were never read are not being read either.
    pub fn is_answered(self) -> bool {
        matches!(self, Self::Connecting | Self::Live | Self::Slow)
    }
}

/// The age at which a figure is stale: two poll periods, at least three seconds, so that a quick demo does not flicker.
pub fn stale_after(period: Duration) -> Duration {
    period.saturating_mul(2).max(Duration::from_secs(3))
}

/// The largest difference between two clock readings before the clock must have been set.
pub const CLOCK_STEP: Duration = Duration::from_secs(2);
