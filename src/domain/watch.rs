//! Watches: conditions that the operator wants to be alerted to.
//!
//! An unknown or stale figure neither raises nor clears a watch: the watch is then reported as unavailable.

mod alert_state;
mod condition;
mod edit;
mod notice;
pub mod sentence;
pub mod trial;

use std::time::Duration;

use super::duration::period_text;
use super::history::Scope;
use super::{Amount, Text, Timestamp, ValuationAmount};

pub use alert_state::{AlertState, WatchCrossing, WatchStanding};
pub use condition::{WatchCondition, WatchFigure};
pub use edit::WatchEdit;
pub use notice::WatchNotice;
pub use trial::WatchTrialRequest;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    /// The name, where the operator gave one.
    pub name: Option<Text>,
    /// The token's symbol; without one, balances are the total value, and rows those of any token.
    pub token: Option<Text>,
    /// All chains together, where none is named.
    pub chain: Option<Text>,
    pub scope: WatchScope,
    pub condition: WatchCondition,
    /// The greatest age of a figure that the watch accepts; by default twelve poll periods and at least a minute. A sum
    /// over many users may be as old as two reads of them all take, as long as the history shows which of them moved.
    pub max_age: Option<Duration>,
    /// How the operator is alerted, besides the flag in the header and the row among the events.
    pub alert: AlertChannels,
    /// It is judged and shown, but alerts nobody.
    pub is_muted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum WatchScope {
    Everything,
    /// Of an account, by its name or identifier.
    Account(Text),
    /// Of a wallet, by its name or identifier.
    Wallet(Text),
}

/// How an operator who is not looking at the console is alerted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AlertChannels {
    pub bell: bool,
    /// A desktop notification, where the terminal supports OSC 9.
    pub notification: bool,
}

/// The value of everything, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TotalReading<'a> {
    pub value: Option<ValuationAmount>,
    pub valuation: &'a Text,
    /// How many tokens are held, and how many of them are not in the value.
    pub tokens: usize,
    pub missing: usize,
    /// When the oldest of its balances and prices was read.
    pub as_of: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WatchReading {
    Balance {
        amount: Amount,
        /// When its oldest part was read.
        as_of: Timestamp,
    },
    Pending {
        /// The time of the oldest pending transaction; `None` while there is none.
        oldest: Option<Timestamp>,
        count: u64,
        /// When the history was last read.
        as_of: Timestamp,
    },
    /// How many transactions meet the condition.
    Count {
        count: u64,
        /// When the history was last read.
        as_of: Timestamp,
    },
    /// Not known, for this reason.
    Unknown(String),
    /// The watch names something that does not exist or is ambiguous, for this reason: it stays unknown until an
    /// operator corrects the watch or imports what it names.
    NotFound(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopedReading {
    /// `None` where no account or wallet of that name is known.
    pub scope: Option<Scope>,
    pub reading: WatchReading,
    pub users: u64,
}

impl WatchReading {
    /// The value of everything, if every token has a price.
    pub fn of_total(total: &TotalReading<'_>) -> Self {
        match (total.value.and_then(ValuationAmount::amount), total.as_of) {
            _ if total.missing > 0 => Self::Unknown(format!(
                "{} of {} tokens have no price in {}",
                total.missing, total.tokens, total.valuation
            )),
            (Some(amount), Some(as_of)) => Self::Balance { amount, as_of },
            _ => Self::Unknown("the total is not known yet".into()),
        }
    }
}

impl Watch {
    /// The greatest age of a figure that the watch accepts, for a poll period.
    pub fn max_age(&self, period: Duration) -> Duration {
        self.max_age.unwrap_or_else(|| period.saturating_mul(12).max(Duration::from_mins(1)))
    }

    /// The name, or else what is watched.
    pub fn title(&self) -> String {
        self.name.as_ref().map_or_else(|| self.condition_text(), Text::to_string)
    }

    /// The name with what is watched.
    pub fn full_title(&self) -> String {
        let condition = self.condition_text();
        self.name.as_ref().map_or_else(|| condition.clone(), |name| format!("{name} ({condition})"))
    }

    /// Whether it watches the total value.
    pub fn is_of_total(&self) -> bool {
        self.condition.figure() == WatchFigure::Balance && self.token.is_none()
    }

    /// What identifies it among the watches of a profile, as long as it is not changed.
    pub fn key(&self) -> String {
        self.name.as_ref().map_or_else(|| self.condition_text(), |name| format!("{name}: {}", self.condition_text()))
    }

    /// What is watched, and when the watch is raised.
    pub fn condition_text(&self) -> String {
        let others = if self.is_of_total() { "total value" } else { "transactions" };
        let token = self.token.as_ref().map_or(others, |token| token.as_str());
        let chain = self.chain.as_ref().map_or_else(String::new, |chain| format!(" on {chain}"));
        let of = match &self.scope {
            WatchScope::Everything => String::new(),
            WatchScope::Account(name) | WatchScope::Wallet(name) => format!(" of {name}"),
        };
        format!("{token}{chain}{of} {}", self.condition.predicate_text())
    }

    /// The whole watch: its name, subject, margin, greatest age and alerts.
    pub fn summary(&self) -> String {
        let name = self.name.as_ref().map_or_else(String::new, |name| format!("{name}: "));
        let mut parts = vec![format!("{name}{}", self.condition_text())];
        let margin = self.condition.margin().filter(|margin| !margin.is_zero());
        parts.extend(margin.map(|margin| format!("margin {}", margin.format_grouped())));
        parts.extend(self.max_age.map(|age| format!("figures up to {} old", period_text(age))));
        let calls = [(self.alert.bell, "bell"), (self.alert.notification, "notification")];
        parts.extend(calls.into_iter().filter(|(called, _)| *called).map(|(_, how)| how.to_owned()));
        parts.extend(self.is_muted.then(|| "muted".to_owned()));
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests;
