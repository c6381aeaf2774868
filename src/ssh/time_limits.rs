//! Time limits of connections and visits.

use std::time::Duration;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeLimits {
    /// For each step that a client takes without its user: to start, to request authentication after the key exchange,
    /// and to request a shell after authentication.
    pub client_step_time_out: Duration,
    /// From the first byte to authentication: meanwhile a person reads a fingerprint and types a pass-phrase.
    pub login_time_out: Duration,
    /// Longest time without a key press.
    pub idle_time_out: Duration,
    /// Longest duration of a visit.
    pub max_visit: Duration,
    /// How long before `idle_time_out` or `max_visit` ends a visit the visitor is warned.
    pub warning_before_end: Duration,
    /// The least time that a refused log-in takes.
    pub refusal_delay: Duration,
    /// How long a client may take to close its end.
    pub close_time_out: Duration,
    /// How long a client may stay silent; keep-alives are sent to it meanwhile.
    pub silence_time_out: Duration,
    /// How long visits may take to end when the host is stopped.
    pub shutdown_time_out: Duration,
}

impl Default for TimeLimits {
    fn default() -> Self {
        Self {
            client_step_time_out: Duration::from_secs(15),
            login_time_out: Duration::from_mins(2),
            idle_time_out: Duration::from_mins(10),
            max_visit: Duration::from_hours(1),
            warning_before_end: Duration::from_mins(1),
            refusal_delay: Duration::from_secs(1),
            close_time_out: Duration::from_secs(2),
            silence_time_out: Duration::from_mins(2),
            shutdown_time_out: Duration::from_secs(3),
        }
    }
}
