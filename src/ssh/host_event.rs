//! What the host tells whoever runs it: a line for each thing that happens to a visitor. Never what they typed.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::time::Instant;

use super::Role;
use crate::domain::Text;

/// How far apart lines are on what strangers can make happen as often as they like.
const BETWEEN_LINES: Duration = Duration::from_secs(1);

/// How much of a name is told, in characters.
const LONGEST_NAME: usize = 32;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostEvent {
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
    WrongPassphrase {
        /// From where.
        peer: SocketAddr,
        /// As whom.
        name: LoginName,
        /// How many other wrong ones were given, from anywhere, of which nothing was said.
        unsaid: usize,
    },
    /// Somebody showed no key that is let in, and had nothing else.
    UnknownKey {
        /// From where.
        peer: SocketAddr,
        /// As whom.
        name: LoginName,
        /// How many others there were, from anywhere, of whom nothing was said.
        unsaid: usize,
    },
    /// Somebody was let in and got nothing, such as a command that is not run here.
    Refused {
        /// From where they came.
        peer: SocketAddr,
        /// As whom.
        name: LoginName,
        /// Why, as they were told.
        why: String,
    },
    /// A visitor waits in line.
    Queued {
        /// From where they came.
        peer: SocketAddr,
        /// As what.
        role: Role,
        /// How many are before them.
        ahead: usize,
    },
    /// A visitor is gone who had no place yet.
    LeftQueue {
        /// From where they had come.
        peer: SocketAddr,
        /// As what.
        role: Role,
        /// Why.
        why: EndReason,
        /// How long they waited.
        waited: Duration,
    },
    /// A visitor came, and has a place.
    SessionStarted {
        /// From where.
        peer: SocketAddr,
        /// As what.
        role: Role,
    },
    /// A visitor left.
    SessionEnded {
        /// From where they had come.
        peer: SocketAddr,
        /// As what.
        role: Role,
        /// Why.
        why: EndReason,
        /// How long they stayed.
        stayed: Duration,
    },
}

/// The name of a login: any words of a stranger, which are shown between quotation marks, harmless and not too long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginName(Box<str>);

impl LoginName {
    /// The name as somebody gave it.
    pub(super) fn sanitised(name: &str) -> Self {
        let mut shown: String = Text::clean(name).as_str().chars().take(LONGEST_NAME + 1).collect();
        if shown.chars().count() > LONGEST_NAME {
            shown.pop();
            shown.push('…');
        }
        Self(shown.into())
    }
}

impl fmt::Display for LoginName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

/// Why a visit ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndReason {
    /// The visitor wanted to.
    Quit,
    /// The connection broke off.
    HungUp,
    /// No key was pressed for this long.
    Idle(Duration),
    /// This is the longest that a visit may be.
    MaxSession(Duration),
    /// The host stops.
    Stopping,
    /// It panicked.
    Panicked,
    /// Another login presents from then on.
    TakenOver,
    /// No workspace could be lent, for this reason.
    NoWorkspace(String),
}

impl EndReason {
    /// What the visitor is told on their own screen, if anything.
    pub(super) fn exit_message(&self) -> Option<String> {
        Some(match self {
            Self::Quit | Self::HungUp => return None,
            Self::Idle(time) => {
                format!("this visit ended after {} without a keypress; log in again any time", DurationText(*time))
            }
            Self::MaxSession(time) => {
                format!("this visit ended after {}, the maximum length; log in again any time", DurationText(*time))
            }
            Self::Stopping => "this visit ended because the host is being stopped".into(),
            Self::Panicked => "this visit ended because of a fault in bursar; log in again any time".into(),
            Self::TakenOver => "another login has taken over as presenter; log in as watch to follow".into(),
            Self::NoWorkspace(_) => "no workspace is available at the moment; try again later".into(),
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

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Quit => f.write_str("quit"),
            Self::HungUp => f.write_str("hung up"),
            Self::Idle(time) => write!(f, "no keypress for {}", DurationText(*time)),
            Self::MaxSession(time) => write!(f, "maximum visit length of {} reached", DurationText(*time)),
            Self::Stopping => f.write_str("the host stops"),
            Self::Panicked => f.write_str("a panic, which is a fault in bursar"),
            Self::TakenOver => f.write_str("another login presents"),
            Self::NoWorkspace(why) => write!(f, "no workspace: {why}"),
        }
    }
}

impl fmt::Display for HostEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TurnedAway { peer, why, unsaid: 0 } => write!(f, "{peer} turned away: {why}"),
            Self::TurnedAway { peer, why, unsaid } => write!(f, "{peer} turned away, and {unsaid} more: {why}"),
            Self::WrongPassphrase { peer, name, unsaid: 0 } => write!(f, "{peer} gave a wrong pass-phrase as {name}"),
            Self::WrongPassphrase { peer, name, unsaid } => {
                write!(f, "{peer} gave a wrong pass-phrase as {name}, and {unsaid} more were given")
            }
            Self::UnknownKey { peer, name, unsaid: 0 } => write!(f, "{peer} offered no accepted key as {name}"),
            Self::UnknownKey { peer, name, unsaid } => {
                write!(f, "{peer} offered no accepted key as {name}, and {unsaid} more did not")
            }
            Self::Refused { peer, name, why } => write!(f, "{peer} refused as {name}: {why}"),
            Self::Queued { peer, role, ahead } => {
                write!(f, "{peer} waits in the queue as {}, {ahead} ahead", role.name())
            }
            Self::LeftQueue { peer, role, why, waited } => {
                write!(f, "{peer} left the queue as {} after {}: {why}", role.name(), DurationText(*waited))
            }
            Self::SessionStarted { peer, role } => write!(f, "{peer} came as {}", role.name()),
            Self::SessionEnded { peer, role, why, stayed } => {
                write!(f, "{peer} left as {} after {}: {why}", role.name(), DurationText(*stayed))
            }
        }
    }
}

/// Tells of what happens too often: a flood must not become one of lines.
#[derive(Debug, Default)]
pub(super) struct RateLimitedReport {
    said: Option<Instant>,
    unsaid: usize,
}

impl RateLimitedReport {
    /// Whether another one is to be told of, and with how many of which nothing was said.
    pub(super) fn next(&mut self, now: Instant) -> Option<usize> {
        if self.said.is_some_and(|said| now < said + BETWEEN_LINES) {
            self.unsaid += 1;
            return None;
        }
        self.said = Some(now);
        Some(std::mem::take(&mut self.unsaid))
    }
}

/// A span of time in words, in whole units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DurationText(pub(super) Duration);

impl fmt::Display for DurationText {
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
        let mut sparing = RateLimitedReport::default();
        let now = Clock::System.instant();
        assert_eq!(sparing.next(now), Some(0));
        assert!((0..500).all(|_| sparing.next(now).is_none()));
        assert_eq!(sparing.next(now + BETWEEN_LINES), Some(500));
        assert_eq!(sparing.next(now + BETWEEN_LINES), None);
        let peer = "192.0.2.7:51234".parse().unwrap();
        let line = |unsaid| HostEvent::WrongPassphrase { peer, name: LoginName::sanitised("demo"), unsaid }.to_string();
        assert_eq!(line(0), "192.0.2.7:51234 gave a wrong pass-phrase as \"demo\"");
        assert_eq!(line(500), "192.0.2.7:51234 gave a wrong pass-phrase as \"demo\", and 500 more were given");
        let line = |unsaid| HostEvent::UnknownKey { peer, name: LoginName::sanitised("demo"), unsaid }.to_string();
        assert_eq!(line(0), "192.0.2.7:51234 offered no accepted key as \"demo\"");
        assert!(line(2).ends_with(", and 2 more did not"));
    }

    #[test]
    fn a_name_feigns_no_line_and_is_not_endless() {
        for (given, told) in [
            ("root", r#""root""#),
            ("", r#""""#),
            ("demo\" after 5 seconds: quit", r#""demo\" after 5 seconds: quit""#),
            ("\x1b[2J\n", "\"\u{fffd}[2J\u{fffd}\""),
        ] {
            assert_eq!(LoginName::sanitised(given).to_string(), told);
        }
        let long = LoginName::sanitised(&"x".repeat(10_000)).to_string();
        assert_eq!(long, format!("\"{}…\"", "x".repeat(32)));
    }

    #[test]
    fn whoever_never_had_a_place_did_not_come() {
        let peer = "192.0.2.7:51234".parse().unwrap();
        let waits = HostEvent::Queued { peer, role: Role::Visitor, ahead: 3 };
        assert_eq!(waits.to_string(), "192.0.2.7:51234 waits in the queue as demo, 3 ahead");
        let gone =
            HostEvent::LeftQueue { peer, role: Role::Visitor, why: EndReason::Quit, waited: Duration::from_secs(75) };
        assert_eq!(gone.to_string(), "192.0.2.7:51234 left the queue as demo after 75 seconds: quit");
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
            assert_eq!(DurationText(Duration::from_secs(seconds)).to_string(), words);
        }
    }

    #[test]
    fn each_end_has_its_line() {
        let peer = "192.0.2.7:51234".parse().unwrap();
        let stayed = Duration::from_secs(75);
        let line = |why| HostEvent::SessionEnded { peer, role: Role::Visitor, why, stayed }.to_string();
        assert_eq!(line(EndReason::Quit), "192.0.2.7:51234 left as demo after 75 seconds: quit");
        assert!(line(EndReason::Idle(Duration::from_mins(10))).ends_with("no keypress for 10 minutes"));
        assert_eq!(EndReason::Quit.exit_message(), None);
        assert!(EndReason::MaxSession(Duration::from_hours(1)).exit_message().unwrap().contains("1 hour"));
    }
}
