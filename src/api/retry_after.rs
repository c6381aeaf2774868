//! The header `Retry-After` of an answer.

use std::time::Duration;

use chrono::DateTime;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// The wait that a service requests: seconds, or a date, relative to the service's own `Date` so that this machine's
/// clock does not matter. A day at most.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    const LONGEST: Duration = Duration::from_hours(24);
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let wait = if text.bytes().all(|byte| byte.is_ascii_digit()) {
        Duration::from_secs(text.parse().unwrap_or(u64::MAX))
    } else {
        let now = DateTime::parse_from_rfc2822(headers.get(DATE)?.to_str().ok()?).ok()?;
        let then = DateTime::parse_from_rfc2822(text).ok()?;
        then.signed_duration_since(now).to_std().unwrap_or_default()
    };
    (!text.is_empty()).then(|| wait.min(LONGEST))
}
