//! A notification on its way to a command or a URL, and when it is tried again.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::Timestamp;

/// The pause after the first failed delivery; each further one is twice as long.
const FIRST_RETRY_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_RETRY_PAUSE: Duration = Duration::from_hours(1);
/// A notification that nobody accepted for a day is dropped.
const MAX_DELIVERY_AGE: Duration = Duration::from_hours(24);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Target {
    Command,
    Url,
}

/// A notification for one target, until it accepted it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Delivery {
    pub(super) target: Target,
    /// The same for every target and attempt.
    pub(super) id: Uuid,
    pub(super) body: String,
    created_at: i64,
    due_at: i64,
    attempts: u32,
}

impl Delivery {
    pub(super) fn new(target: Target, id: Uuid, body: String, now: Timestamp) -> Self {
        Self { target, id, body, created_at: now.millis(), due_at: now.millis(), attempts: 0 }
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        (self.target, self.id) == (other.target, other.id)
    }

    pub(super) fn due_at(&self) -> Timestamp {
        Timestamp::from_millis(self.due_at)
    }

    pub(super) fn is_too_old(&self, now: Timestamp) -> bool {
        Timestamp::from_millis(self.created_at).age(now) >= MAX_DELIVERY_AGE
    }

    /// Puts the next attempt off after a failed one.
    pub(super) fn postpone(&mut self, now: Timestamp) {
        let factor = 1_u32.checked_shl(self.attempts).unwrap_or(u32::MAX);
        self.attempts = self.attempts.saturating_add(1);
        self.due_at = now.plus(FIRST_RETRY_PAUSE.saturating_mul(factor).min(LONGEST_RETRY_PAUSE)).millis();
    }
}
