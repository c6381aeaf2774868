//! Watches: what the operator wants to be told of, and when that is so.
//!
//! A figure that is not known, or too old, raises nothing and clears nothing: then a watch cannot tell, and says so.

mod gauge;

use std::time::Duration;

use super::history::Scope;
use super::{Amount, Text, Timestamp};

pub use gauge::{Crossing, Gauge};

/// What the operator wants to be told of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    /// What it is called, where somebody gave it a name.
    pub name: Option<Text>,
    /// The symbol of the token; for what is pending any token, where none is named.
    pub token: Option<Text>,
    /// The blockchain; all of them together, where none is named.
    pub chain: Option<Text>,
    /// Whose.
    pub scope: WatchScope,
    /// When it is raised.
    pub condition: Condition,
    /// How old a figure may be that it believes; twelve poll periods and at least a minute, where nobody said. A sum over
    /// many users may then be as old as it takes to read them all twice, as long as the history tells which of them moved.
    pub max_age: Option<Duration>,
    /// How the operator is called, besides the flag in the header and the row among the events.
    pub alert: Alert,
}

/// Whose balances or transactions a watch looks at.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum WatchScope {
    /// Everybody's.
    Everything,
    /// Those of an account, by its name or identifier.
    Account(Text),
    /// Those of a wallet, by its name or identifier.
    Wallet(Text),
}

/// When a watch is raised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// The balance is below a limit; it is clear again from limit and margin on.
    Below {
        /// The limit.
        limit: Amount,
        /// How far above it the balance must rise.
        margin: Amount,
    },
    /// The balance is above a limit; it is clear again from the limit less the margin down.
    Above {
        /// The limit.
        limit: Amount,
        /// How far below it the balance must fall.
        margin: Amount,
    },
    /// The balance changed by this much within a time; clear again when it has not.
    Change {
        /// By how much.
        by: Amount,
        /// Within which time.
        within: Duration,
    },
    /// Something is pending for longer than a time.
    Pending {
        /// The time.
        longer: Duration,
    },
}

/// How an operator is called who looks elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Alert {
    /// By the terminal's bell.
    pub bell: bool,
    /// By a notification of the desktop, where the terminal knows OSC 9.
    pub notification: bool,
}

/// What a watch looks at, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WatchReading {
    /// A balance, and when its oldest part was read.
    Balance {
        /// The balance.
        amount: Amount,
        /// When.
        as_of: Timestamp,
    },
    /// What is pending.
    Pending {
        /// Since when the oldest of it is; `None` while nothing is.
        oldest: Option<Timestamp>,
        /// How many transactions.
        count: u64,
        /// When the history was last looked at.
        as_of: Timestamp,
    },
    /// It is not known, and why.
    Unknown(String),
    /// What the watch names is not there, or is several: it will not be known before somebody mends the watch or brings in
    /// what it names. Why.
    Nowhere(String),
}

/// What was read for a watch, and of whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopedReading {
    /// Whose it is; `None` where no account or wallet of that name is known.
    pub scope: Option<Scope>,
    /// What was read.
    pub reading: WatchReading,
    /// Of how many users the balances are in it.
    pub users: u64,
}

impl Watch {
    /// How old a figure may be that it believes, for a poll period.
    pub fn max_age(&self, period: Duration) -> Duration {
        self.max_age.unwrap_or_else(|| period.saturating_mul(12).max(Duration::from_mins(1)))
    }

    /// What it is called: its name, or what it looks at.
    pub fn title(&self) -> String {
        self.name.as_ref().map_or_else(|| self.subject(), Text::to_string)
    }

    /// What it looks at, and when it is raised.
    fn subject(&self) -> String {
        let token = self.token.as_ref().map_or("transactions", |token| token.as_str());
        let chain = self.chain.as_ref().map_or_else(String::new, |chain| format!(" on {chain}"));
        let of = match &self.scope {
            WatchScope::Everything => String::new(),
            WatchScope::Account(name) | WatchScope::Wallet(name) => format!(" of {name}"),
        };
        let condition = match self.condition {
            Condition::Below { limit, .. } => format!("below {}", limit.grouped()),
            Condition::Above { limit, .. } => format!("above {}", limit.grouped()),
            Condition::Change { by, within } => {
                format!("changed by {} in {}", by.grouped(), humantime::format_duration(within))
            }
            Condition::Pending { longer } => format!("pending longer than {}", humantime::format_duration(longer)),
        };
        format!("{token}{chain}{of} {condition}")
    }

    /// All that it says: its name, what it looks at, its margin, how old a figure may be, and how it calls.
    pub fn words(&self) -> String {
        let name = self.name.as_ref().map_or_else(String::new, |name| format!("{name}: "));
        let mut words = vec![format!("{name}{}", self.subject())];
        if let Condition::Below { margin, .. } | Condition::Above { margin, .. } = self.condition
            && !margin.is_zero()
        {
            words.push(format!("margin {}", margin.grouped()));
        }
        words.extend(self.max_age.map(|age| format!("figures up to {} old", humantime::format_duration(age))));
        let calls = [(self.alert.bell, "bell"), (self.alert.notification, "notification")];
        words.extend(calls.into_iter().filter(|(called, _)| *called).map(|(_, how)| how.to_owned()));
        words.join(", ")
    }
}

#[cfg(test)]
mod tests;
