//! Data that are missing although the service answers: figures may be incomplete.

use super::remote::PollState;
use crate::app::model::Model;
use crate::app::pages::group_thousands;
use crate::domain::FailureReason;

impl Model {
    pub fn gap_message(&self) -> Option<String> {
        let progress = &self.data.progress;
        if progress.partial.is_some() {
            return Some("history partial".into());
        }
        if progress.unreadable > 0 {
            return Some(format!("{} rows unread", group_thousands(progress.unreadable)));
        }
        if progress.incomplete > 0 {
            return Some(format!("{} rows unclear", group_thousands(progress.incomplete)));
        }
        let remotes = &self.data.remotes;
        if [&remotes.scope_balances, &remotes.all_balances].into_iter().any(is_unparsable) {
            return Some("balances unread".into());
        }
        let lists = [(&remotes.lists, "accounts or wallets"), (&remotes.markets, "tokens"), (&remotes.pairs, "pairs")];
        let unread = lists.into_iter().find(|(remote, _)| remote.unreadable.is_some() || is_unparsable(remote));
        unread.map(|(_, subject)| format!("{subject} unread"))
    }

    /// When the next attempt to complete the history is due.
    pub(in crate::app) fn next_attempt_message(&self) -> String {
        match self.data.progress.retry_at {
            Some(at) if at > self.now => {
                format!(" Next attempt at {}, or press r.", self.console.zone.format_with_offset(at, "%H:%M:%S"))
            }
            _ => " Retrying now.".into(),
        }
    }
}

/// Whether the service answers with something that cannot be parsed.
fn is_unparsable(remote: &PollState) -> bool {
    remote.failure.as_ref().is_some_and(|(failure, _)| failure.reason == FailureReason::NotUnderstood)
}
