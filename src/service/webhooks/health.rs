//! How a receiver does: whether it takes events, and how long it is left alone where it takes none.

use std::time::Duration;

use super::pause;
use crate::domain::Timestamp;

/// What came of telling an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DeliveryResult {
    Accepted,
    /// Refused with this status.
    Rejected(u16),
    /// There was no answer.
    NoAnswer,
}

/// A receiver that took so few events in a row is left alone: one event that it does not like holds up no others.
const IN_A_ROW: u32 = 3;

/// The longest for which it is left alone, so that it is told soon when it is well again.
const LONGEST: Duration = Duration::from_mins(1);

/// How a receiver does.
#[derive(Debug, Default)]
pub(super) struct ReceiverHealth {
    /// Events in a row that it did not take.
    untaken: u32,
    until: Option<Timestamp>,
    /// What was said of it last.
    state: Option<DeliveryResult>,
}

impl ReceiverHealth {
    /// Until when it is left alone, where that has not come.
    pub(super) fn paused_until(&self, now: Timestamp) -> Option<Timestamp> {
        // A time that lies further ahead is one of a clock that was ahead.
        self.until.filter(|until| *until > now && *until <= now.plus(LONGEST))
    }

    /// Takes note of a reply, and gives what is to be said of it: something where it is another than the one before.
    pub(super) fn record_reply(&mut self, reply: DeliveryResult, now: Timestamp) -> Option<String> {
        if reply == DeliveryResult::Accepted {
            (self.untaken, self.until) = (0, None);
        } else {
            self.untaken = self.untaken.saturating_add(1);
            let more = self.untaken.checked_sub(IN_A_ROW);
            self.until = more.map(|more| now.plus(pause(more).min(LONGEST)));
        }
        let before = self.state.replace(reply);
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
        let (mut news, mut sent) = (Vec::new(), 0);
        while now < Timestamp::from_millis(3_600_000) {
            if let Some(until) = health.paused_until(now) {
                now = until;
            } else {
                sent += 1;
                news.extend(health.record_reply(DeliveryResult::Rejected(503), now));
            }
        }
        assert!(sent < 75, "{sent} in an hour");
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
