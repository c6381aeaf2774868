//! Events reported to the host's operator: one line for each thing that happens to a visitor. Never what visitors type.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::Role;
use crate::domain::Text;

/// The least time between lines on events that unauthenticated clients can cause at will.
const MIN_REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Most characters shown of a login name.
const LONGEST_NAME: usize = 32;

/// Receives each event of the host.
pub type EventCallback = Arc<dyn Fn(HostEvent) + Send + Sync>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostEvent {
    /// A connection was closed before authentication.
    TurnedAway {
        peer: SocketAddr,
        reason: String,
        /// Earlier events of this kind that were not reported.
        unreported_count: usize,
    },
    WrongPassphrase {
        peer: SocketAddr,
        name: LoginName,
        /// Other wrong pass-phrases, from any address, that were not reported.
        unreported_count: usize,
    },
    /// A client offered no accepted key, and did not authenticate otherwise.
    UnknownKey {
        peer: SocketAddr,
        name: LoginName,
        /// Other such clients, from any address, that were not reported.
        unreported_count: usize,
    },
    /// An authenticated client was refused, for instance because it requested a command.
    Refused {
        peer: SocketAddr,
        name: LoginName,
        /// The message that the client was shown.
        reason: String,
    },
    Queued {
        peer: SocketAddr,
        role: Role,
        visitors_ahead: usize,
    },
    /// A visitor left before getting a slot.
    LeftQueue {
        peer: SocketAddr,
        role: Role,
        reason: EndReason,
        waited: Duration,
    },
    /// A visitor got a slot.
    SessionStarted {
        peer: SocketAddr,
        role: Role,
    },
    SessionEnded {
        peer: SocketAddr,
        role: Role,
        reason: EndReason,
        stayed: Duration,
    },
}

/// A login name: text from an unauthenticated client, sanitised and truncated, and displayed in quotation marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginName(Box<str>);

impl LoginName {
    pub(super) fn sanitised(name: &str) -> Self {
        let mut short_name: String = Text::clean(name).as_str().chars().take(LONGEST_NAME + 1).collect();
        if short_name.chars().count() > LONGEST_NAME {
            short_name.pop();
            short_name.push('…');
        }
        Self(short_name.into())
    }
}

impl fmt::Display for LoginName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndReason {
    Quit,
    HungUp,
    /// No key was pressed for this long.
    Idle(Duration),
    /// The maximum length of a visit was reached.
    MaxSession(Duration),
    Stopping,
    Panicked,
    /// Another presenter logged in.
    TakenOver,
    NoWorkspace(String),
}

impl EndReason {
    /// The message on the visitor's own screen, if any.
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

    /// The exit status of the visitor's shell.
    pub(super) fn exit_status(&self) -> u32 {
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
            Self::NoWorkspace(reason) => write!(f, "no workspace: {reason}"),
        }
    }
}

impl fmt::Display for HostEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TurnedAway { peer, reason, unreported_count: 0 } => write!(f, "{peer} turned away: {reason}"),
            Self::TurnedAway { peer, reason, unreported_count } => {
                write!(f, "{peer} turned away, and {unreported_count} more: {reason}")
            }
            Self::WrongPassphrase { peer, name, unreported_count: 0 } => {
                write!(f, "{peer} gave a wrong pass-phrase as {name}")
            }
            Self::WrongPassphrase { peer, name, unreported_count } => {
                write!(f, "{peer} gave a wrong pass-phrase as {name}, and {unreported_count} more were given")
            }
            Self::UnknownKey { peer, name, unreported_count: 0 } => {
                write!(f, "{peer} offered no accepted key as {name}")
            }
            Self::UnknownKey { peer, name, unreported_count } => {
                write!(f, "{peer} offered no accepted key as {name}, and {unreported_count} more did not")
            }
            Self::Refused { peer, name, reason } => write!(f, "{peer} refused as {name}: {reason}"),
            Self::Queued { peer, role, visitors_ahead } => {
                write!(f, "{peer} waits in the queue as {}, {visitors_ahead} ahead", role.name())
            }
            Self::LeftQueue { peer, role, reason, waited } => {
                write!(f, "{peer} left the queue as {} after {}: {reason}", role.name(), DurationText(*waited))
            }
            Self::SessionStarted { peer, role } => write!(f, "{peer} came as {}", role.name()),
            Self::SessionEnded { peer, role, reason, stayed } => {
                write!(f, "{peer} left as {} after {}: {reason}", role.name(), DurationText(*stayed))
            }
        }
    }
}

/// Rate-limits reports of an event, so that a flood of events is no flood of lines.
#[derive(Debug, Default)]
pub(super) struct RateLimitedReport {
    last_reported: Option<Instant>,
    unreported: usize,
}

impl RateLimitedReport {
    /// Whether to report an event now, and how many before it were not reported.
    pub(super) fn report_unless_limited(&mut self, now: Instant) -> Option<usize> {
        if self.last_reported.is_some_and(|last_report| now < last_report + MIN_REPORT_INTERVAL) {
            self.unreported += 1;
            return None;
        }
        self.last_reported = Some(now);
        Some(std::mem::take(&mut self.unreported))
    }
}

/// Displayed in whole units, for instance "75 seconds".
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
        assert_eq!(sparing.report_unless_limited(now), Some(0));
        assert!((0..500).all(|_| sparing.report_unless_limited(now).is_none()));
        assert_eq!(sparing.report_unless_limited(now + MIN_REPORT_INTERVAL), Some(500));
        assert_eq!(sparing.report_unless_limited(now + MIN_REPORT_INTERVAL), None);
        let peer = "192.0.2.7:51234".parse().unwrap();
        let line = |unreported_count| {
            HostEvent::WrongPassphrase { peer, name: LoginName::sanitised("demo"), unreported_count }.to_string()
        };
        assert_eq!(line(0), "192.0.2.7:51234 gave a wrong pass-phrase as \"demo\"");
        assert_eq!(line(500), "192.0.2.7:51234 gave a wrong pass-phrase as \"demo\", and 500 more were given");
        let line = |unreported_count| {
            HostEvent::UnknownKey { peer, name: LoginName::sanitised("demo"), unreported_count }.to_string()
        };
        assert_eq!(line(0), "192.0.2.7:51234 offered no accepted key as \"demo\"");
        assert!(line(2).ends_with(", and 2 more did not"));
    }

    #[test]
    fn a_name_feigns_no_line_and_is_not_endless() {
        for (name, expected) in [
            ("root", r#""root""#),
            ("", r#""""#),
            ("demo\" after 5 seconds: quit", r#""demo\" after 5 seconds: quit""#),
            ("\x1b[2J\n", "\"\u{fffd}[2J\u{fffd}\""),
        ] {
            assert_eq!(LoginName::sanitised(name).to_string(), expected);
        }
        let long = LoginName::sanitised(&"x".repeat(10_000)).to_string();
        assert_eq!(long, format!("\"{}…\"", "x".repeat(32)));
    }

    #[test]
    fn whoever_never_had_a_place_did_not_come() {
        let peer = "192.0.2.7:51234".parse().unwrap();
        let waits = HostEvent::Queued { peer, role: Role::Visitor, visitors_ahead: 3 };
        assert_eq!(waits.to_string(), "192.0.2.7:51234 waits in the queue as demo, 3 ahead");
        let departure = HostEvent::LeftQueue {
            peer,
            role: Role::Visitor,
            reason: EndReason::Quit,
            waited: Duration::from_secs(75),
        };
        assert_eq!(departure.to_string(), "192.0.2.7:51234 left the queue as demo after 75 seconds: quit");
    }

    #[test]
    fn spans_are_told_in_words() {
        for (seconds, expected) in [
            (0, "0 seconds"),
            (1, "1 second"),
            (60, "1 minute"),
            (119, "119 seconds"),
            (600, "10 minutes"),
            (3_600, "1 hour"),
        ] {
            assert_eq!(DurationText(Duration::from_secs(seconds)).to_string(), expected);
        }
    }

    #[test]
    fn each_end_has_its_line() {
        let peer = "192.0.2.7:51234".parse().unwrap();
        let stayed = Duration::from_secs(75);
        let line = |reason| HostEvent::SessionEnded { peer, role: Role::Visitor, reason, stayed }.to_string();
        assert_eq!(line(EndReason::Quit), "192.0.2.7:51234 left as demo after 75 seconds: quit");
        assert!(line(EndReason::Idle(Duration::from_mins(10))).ends_with("no keypress for 10 minutes"));
        assert_eq!(EndReason::Quit.exit_message(), None);
        assert!(EndReason::MaxSession(Duration::from_hours(1)).exit_message().unwrap().contains("1 hour"));
    }
}
