//! Whether the initial sync goes on.

use crate::app::model::Model;
use crate::domain::history::SyncProgress;

impl Model {
    /// Whether rows of the history are still to be read for the first time. A partial history is not read on, unless a
    /// rescan may complete it.
    pub(in crate::app) fn wants_initial_sync(&self) -> bool {
        let goes_on = !self.data.progress.complete && self.data.progress.partial.is_none();
        (goes_on || self.data.progress.is_rescanning || self.data.initial_sync.retry_requested)
            && !self.data.initial_sync.paused
    }

    /// Whether rows of the history are missing or unclear, so that another read may complete them.
    pub fn lacks_history(&self) -> bool {
        let SyncProgress { unreadable, incomplete, partial, .. } = &self.data.progress;
        *unreadable > 0 || *incomplete > 0 || partial.is_some()
    }
}

pub(in crate::app) fn toggle_pause(model: &mut Model) {
    if model.data.progress.complete {
        model.notice = Some("the initial sync is complete".into());
        return;
    }
    model.data.initial_sync.paused = !model.data.initial_sync.paused;
    model.data.initial_sync.recent_row_counts.clear();
    model.notice = Some(
        if model.data.initial_sync.paused {
            "the initial sync is paused; P resumes it, and so does the next start"
        } else {
            "the initial sync resumes where it stopped"
        }
        .into(),
    );
}
