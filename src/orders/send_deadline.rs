//! Until when an attempt that is recorded may still leave.

use std::time::Duration;

use crate::domain::Timestamp;

/// How long after the time-out an order counts as being sent: disk and scheduler delay the first byte.
const SEND_TIMEOUT_MARGIN: Duration = Duration::from_secs(5);

/// When the answer to an attempt is no longer awaited.
pub fn gives_up_at(recorded_at: Timestamp, send_timeout: Duration) -> Timestamp {
    recorded_at.plus(send_timeout).plus(SEND_TIMEOUT_MARGIN)
}

/// How long an attempt was held up since it was recorded, if that is too long to send it: the program was suspended, or
/// the machine slept. By now other consoles treat it as unknown, may have looked it up in vain and paid in another way,
/// so it must not be sent. `held_up` is the same time on a monotonic clock: a clock that was set affects only one of the
/// two.
pub fn delay_past_sending(recorded_at: Timestamp, now: Timestamp, held_up: Duration) -> Option<Duration> {
    let late = recorded_at.age(now).max(held_up);
    (late > SEND_TIMEOUT_MARGIN).then_some(late)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ctrl-Z between the record and the first byte, and `fg` an hour later.
    #[test]
    fn what_was_held_up_after_it_was_recorded_is_not_sent() {
        let at = Timestamp::from_millis(1_790_000_000_000);
        let hour = Duration::from_hours(1);
        for (now, held_up, late) in [
            (at, Duration::ZERO, None),
            (at.plus(SEND_TIMEOUT_MARGIN), SEND_TIMEOUT_MARGIN, None),
            // The program was stopped.
            (at.plus(hour), hour, Some(hour)),
            // The machine slept, which the time that never jumps may leave out.
            (at.plus(hour), Duration::ZERO, Some(hour)),
            // The clock was set back meanwhile.
            (Timestamp::from_millis(0), hour, Some(hour)),
        ] {
            assert_eq!(delay_past_sending(at, now, held_up), late, "{now} {held_up:?}");
        }
    }
}
