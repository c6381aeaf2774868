//! How a console reads its service and follows its operator: what a profile may say in place of the defaults.

use std::time::Duration;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServicePreferences {
    /// How often what is on screen is read again.
    pub poll_period: Duration,
    /// Whether to try the lists of accounts, wallets and users, which the specification does not have.
    pub probe_lists: bool,
    /// Whether version 1 is used for data about users. What only version 1 has, like the list of tokens, is read in any
    /// case.
    pub v1: bool,
    /// Whether version 2 is used to move money; version 1 is used where it is not. What only version 2 has, like the
    /// history, is read in any case.
    pub v2: bool,
    /// Idle time after which the operator counts as away.
    pub away_after: Duration,
}

impl ServicePreferences {
    /// What the veil shows of them. Every field is named: whoever adds a preference decides here whether it is shown.
    #[must_use]
    pub fn to_masked(&self) -> Self {
        let Self { poll_period, probe_lists, v1, v2, away_after: _ } = *self;
        // What is masked is only drawn, and never counts its operator as away.
        Self { poll_period, probe_lists, v1, v2, away_after: Duration::MAX }
    }
}

impl Default for ServicePreferences {
    fn default() -> Self {
        Self {
            poll_period: Duration::from_secs(5),
            probe_lists: true,
            v1: true,
            v2: true,
            away_after: Duration::from_mins(5),
        }
    }
}
