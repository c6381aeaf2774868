//! What the host tells whoever runs it: a line for each thing that happens to a visitor. Never what they typed.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::time::Instant;

use super::Role;

/// How far apart lines are on what strangers can make happen as often as they like.
const BETWEEN_LINES: Duration = Duration::from_secs(1);

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// A connection was turned away before it said anything.
    TurnedAway {
        /// From where it came.
        peer: SocketAddr,
        /// Why.
        why: String,
        /// How many others were, of whom nothing was said.
        unsaid: usize,
    },
    /// Somebody gave a wrong pass-phrase.
    Guessed {
        /// From where.
        peer: SocketAddr,
        /// How many other wrong ones were given, from anywhere, of which nothing was said.
        unsaid: usize,
    },
    /// Somebody was let in and got nothing, such as a command that is not run here.
    Refused {
        /// From where they came.
        peer: SocketAddr,
        /// Why, as they were told.
        why: String,
    },
    /// A visitor came.
    Came {
        /// From where.
        peer: SocketAddr,
        /// As what.
        role: Role,
    },
    /// A visitor left.
    Left {
        /// From where they had come.
        peer: SocketAddr,
        /// As what.
        role: Role,
        /// Why.
        why: Why,
        /// How long they stayed.
        stayed: Duration,
    },
}

/// Why a visit ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// The visitor wanted to.
    Quit,
    /// The connection broke off.
    HungUp,
    /// No key was pressed for this long.
    Idle(Duration),
    /// This is the longest that a visit may be.
    Longest(Duration),
    /// The host stops.
    Stopping,
    /// It panicked.
    Panicked,
    /// Another login presents from then on.
    TakenOver,
    /// No workspace could be lent, for this reason.
    NoWorkspace(String),
}

impl Why {
    /// What the visitor is told on their own screen, if anything.
    pub(super) fn farewell(&self) -> Option<String> {
        Some(match self {
            Self::Quit | Self::HungUp => return None,
            Self::Idle(time) => format!("this visit ended after {} without a key; log in again any time", Span(*time)),
            Self::Longest(time) => {
                format!("this visit ended after {}, the longest there is; log in again any time", Span(*time))
            }
            Self::Stopping => "this visit ended because the host is being stopped".into(),
            Self::Panicked => "this visit broke off, which is a fault in bursar; log in again any time".into(),
            Self::TakenOver => "another login presents now, and took over; log in as watch to look on".into(),
            Self::NoWorkspace(_) => "no workspace can be lent at the moment; try again later".into(),
        })
    }

    /// The exit status that says it.
    pub(super) fn status(&self) -> u32 {
        match self {
            Self::Quit => 0,
            Self::Panicked => 101,
            _ => 1,
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Quit => f.write_str("quit"),
            Self::HungUp => f.write_str("hung up"),
            Self::Idle(time) => write!(f, "no key for {}", Span(*time)),
            Self::Longest(time) => write!(f, "{} are the longest visit", Span(*time)),
            Self::Stopping => f.write_str("the host stops"),
            Self::Panicked => f.write_str("a panic, which is a fault in bursar"),
            Self::TakenOver => f.write_str("another login presents"),
            Self::NoWorkspace(why) => write!(f, "no workspace: {why}"),
        }
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TurnedAway { peer, why, unsaid: 0 } => write!(f, "{peer} turned away: {why}"),
            Self::TurnedAway { peer, why, unsaid } => write!(f, "{peer} turned away, and {unsaid} more: {why}"),
            Self::Guessed { peer, unsaid: 0 } => write!(f, "{peer} gave a wrong pass-phrase"),
            Self::Guessed { peer, unsaid } => {
                write!(f, "{peer} gave a wrong pass-phrase, and {unsaid} more were given")
            }
            Self::Refused { peer, why } => write!(f, "{peer} refused: {why}"),
            Self::Came { peer, role } => write!(f, "{peer} came as {}", role.name()),
            Self::Left { peer, role, why, stayed } => {
                write!(f, "{peer} left as {} after {}: {why}", role.name(), Span(*stayed))
            }
        }
    }
}

/// Tells of what happens too often: a flood must not become one of lines.
#[derive(Debug, Default)]
pub(super) struct Sparing {
    said: Option<Instant>,
    unsaid: usize,
}

impl Sparing {
    /// Whether another one is to be told of, and with how many of which nothing was said.
    pub(super) fn one_more(&mut self, now: Instant) -> Option<usize> {
        if self.said.is_some_and(|said| now < said + BETWEEN_LINES) {
            self.unsaid += 1;
            return None;
        }
        self.said = Some(now);
        Some(std::mem::take(&mut self.unsaid))
    }
}

/// A span of time in words, in whole units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span(pub(super) Duration);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        let (count, unit) = match seconds {
            0..120 if seconds != 60 => (seconds, "second"),
            _ if seconds.is_multiple_of(3_600) => (seconds / 3_600, "hour"),
            _ => (seconds / 60, "minute"),
        };
        write!(f, "{count} {unit}{}", if count == 1 { "" } else { "s" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::Clock;

    #[test]
    fn a_flood_is_no_flood_of_lines() {
        let mut sparing = Sparing::default();
        let now = Clock::System.moment();
        assert_eq!(sparing.one_more(now), Some(0));
        assert!((0..500).all(|_| sparing.one_more(now).is_none()));
        assert_eq!(sparing.one_more(now + BETWEEN_LINES), Some(500));
        assert_eq!(sparing.one_more(now + BETWEEN_LINES), None);
        let peer = "192.0.2.7:51234".parse().unwrap();
        let line = |unsaid| Told::Guessed { peer, unsaid }.to_string();
        assert_eq!(line(0), "192.0.2.7:51234 gave a wrong pass-phrase");
        assert_eq!(line(500), "192.0.2.7:51234 gave a wrong pass-phrase, and 500 more were given");
    }

    #[test]
    fn spans_are_told_in_words() {
        for (seconds, words) in [
            (0, "0 seconds"),
            (1, "1 second"),
            (60, "1 minute"),
            (119, "119 seconds"),
            (600, "10 minutes"),
            (3_600, "1 hour"),
        ] {
            assert_eq!(Span(Duration::from_secs(seconds)).to_string(), words);
        }
    }

    #[test]
    fn each_end_has_its_line() {
        let peer = "192.0.2.7:51234".parse().unwrap();
        let stayed = Duration::from_secs(75);
        let line = |why| Told::Left { peer, role: Role::Visitor, why, stayed }.to_string();
        assert_eq!(line(Why::Quit), "192.0.2.7:51234 left as demo after 75 seconds: quit");
        assert!(line(Why::Idle(Duration::from_mins(10))).ends_with("no key for 10 minutes"));
        assert_eq!(Why::Quit.farewell(), None);
        assert!(Why::Longest(Duration::from_hours(1)).farewell().unwrap().contains("1 hour"));
    }
}
