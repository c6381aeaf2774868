//! Health of a receiver: whether it accepts events, and how long it is paused.

use std::time::Duration;

use super::retry_pause;
use crate::domain::Timestamp;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DeliveryResult {
    Accepted,
    /// The HTTP status.
    Rejected(u16),
    NoAnswer,
}

/// A receiver is paused after this many failures in a row: a single rejected event delays no others.
const FAILURES_BEFORE_PAUSE: u32 = 3;

/// The longest pause, so that a receiver gets events soon after it recovers.
const MAX_PAUSE: Duration = Duration::from_mins(1);

#[derive(Debug, Default)]
pub(super) struct ReceiverHealth {
    /// Failures in a row.
    failures_in_a_row: u32,
    pause_ends_at: Option<Timestamp>,
    /// The last reply, which the log has reported.
    last_reply: Option<DeliveryResult>,
}

impl ReceiverHealth {
    /// The end of the pause, if the receiver is paused.
    pub(super) fn paused_until(&self, now: Timestamp) -> Option<Timestamp> {
        // A pause that ends later than `MAX_PAUSE` from now was set by a clock that was ahead.
        self.pause_ends_at.filter(|until| *until > now && *until <= now.plus(MAX_PAUSE))
    }

    /// Records a reply. Returns a line for the log if the reply differs from the one before.
    pub(super) fn record_reply(&mut self, reply: DeliveryResult, now: Timestamp) -> Option<String> {
        if reply == DeliveryResult::Accepted {
            (self.failures_in_a_row, self.pause_ends_at) = (0, None);
        } else {
            self.failures_in_a_row = self.failures_in_a_row.saturating_add(1);
            let more = self.failures_in_a_row.checked_sub(FAILURES_BEFORE_PAUSE);
            self.pause_ends_at = more.map(|more| now.plus(retry_pause(more).min(MAX_PAUSE)));
        }
        let before = self.last_reply.replace(reply);
        match reply {
            _ if before == Some(reply) => None,
            DeliveryResult::Accepted => before.map(|_| "the receiver accepts events again".to_owned()),
            DeliveryResult::Rejected(status) => Some(format!(
                "the receiver rejects events with status {status}: they are kept for a day and sent again"
            )),
            DeliveryResult::NoAnswer => {
                Some("the receiver does not answer: events are kept for a day and sent again".into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Issue 22: 23,116 lines in 50 seconds.
    #[test]
    fn a_receiver_that_refuses_is_left_alone_for_longer_and_longer_and_said_once() {
        let (mut health, mut now) = (ReceiverHealth::default(), Timestamp::from_millis(0));
        let (mut news, mut sent_count) = (Vec::new(), 0);
        while now < Timestamp::from_millis(3_600_000) {
            if let Some(until) = health.paused_until(now) {
                now = until;
            } else {
                sent_count += 1;
                news.extend(health.record_reply(DeliveryResult::Rejected(503), now));
            }
        }
        assert!(sent_count < 75, "{sent_count} in an hour");
        news.extend(health.record_reply(DeliveryResult::NoAnswer, now));
        news.extend(health.record_reply(DeliveryResult::NoAnswer, now));
        news.extend(health.record_reply(DeliveryResult::Accepted, now));
        assert_eq!(health.paused_until(now), None);
        let words: Vec<_> = news.iter().map(|news| news.split(':').next().unwrap()).collect();
        let expected = [
            "the receiver rejects events with status 503",
            "the receiver does not answer",
            "the receiver accepts events again",
        ];
        assert_eq!(words, expected);
        assert_eq!(
            ReceiverHealth::default().record_reply(DeliveryResult::Accepted, now),
            None,
            "what is well from the start is not said"
        );
    }

    #[test]
    fn one_event_that_is_not_liked_holds_up_no_others_and_a_clock_that_is_set_back_none_either() {
        let (mut health, now) = (ReceiverHealth::default(), Timestamp::from_millis(1_000_000_000));
        for _ in 0..100 {
            health.record_reply(DeliveryResult::Rejected(400), now);
            assert_eq!(health.paused_until(now), None);
            health.record_reply(DeliveryResult::Accepted, now);
        }
        (0..9).for_each(|_| drop(health.record_reply(DeliveryResult::NoAnswer, now)));
        assert!(health.paused_until(now).is_some());
        assert_eq!(health.paused_until(Timestamp::from_millis(0)), None);
    }
}
