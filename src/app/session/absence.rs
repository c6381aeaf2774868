//! The "Since 12:03" summary: the history at the moment the operator left, compared with the history on their return.
//!
//! An operator who leaves without a word has left at their last key, which shows only after a long idle time. So the
//! history is marked at each key press before which it has changed.

mod summary;
mod track;

use std::sync::Arc;
use std::time::Duration;

use crate::app::request_id::RequestId;
use crate::domain::Timestamp;
use crate::domain::history_diff::{HistoryCheckpoint, HistoryDiff, RowChanges};
pub use summary::summary_line;
pub(in crate::app) use track::{
    apply_baseline, apply_changes, apply_last_visit, begin_absence_if_idle, complete_summary_after_load,
    dismiss_summary, end_absence, leave_window, list_changes, mark_baseline_outdated, request_baseline,
    step_through_changes,
};

#[derive(Debug, Clone)]
pub struct AbsenceTracker {
    /// Idle time after which the operator counts as away.
    away_after: Duration,
    request_id: RequestId,
    /// When the last key was pressed or the window got the focus; `None` before the first message.
    last_input: Option<Timestamp>,
    state: AbsenceState,
    /// The history as of the last key, while the operator is present.
    baseline: Option<Box<HistoryCheckpoint>>,
    /// Whether the history is unchanged since the mark was last requested from the store.
    is_baseline_current: bool,
    last_visit: LastVisitState,
    /// The rows of the last summary, also after it was closed: a list may still be filtered by them.
    row_changes: Option<Arc<RowChanges>>,
}

/// What the operator saw before this start: it is read once, and no mark replaces it before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum LastVisitState {
    /// The newest rows were not read yet, so that nothing could have come since.
    #[default]
    Unread,
    Requested,
    Read,
}

#[derive(Debug, Clone, Default)]
enum AbsenceState {
    /// The operator is present, and no summary is open.
    #[default]
    Present,
    /// The operator left at `since`; `mark` is the history as of then, once the store has answered.
    Away { since: Timestamp, baseline: Option<Box<HistoryCheckpoint>> },
    Returned {
        since: Timestamp,
        returned_at: Timestamp,
        baseline: Box<HistoryCheckpoint>,
        changes: HistoryDiff,
        is_complete: bool,
        selected_change: Option<usize>,
    },
}

impl AbsenceTracker {
    pub fn new(away_after: Duration) -> Self {
        Self {
            away_after,
            request_id: RequestId::default(),
            last_input: None,
            state: AbsenceState::Present,
            baseline: None,
            is_baseline_current: false,
            last_visit: LastVisitState::Unread,
            row_changes: None,
        }
    }

    /// What came or changed during the last absence of which there was a summary.
    pub fn row_changes(&self) -> Option<Arc<RowChanges>> {
        self.row_changes.clone()
    }

    /// The changes since the operator left, and when that was, while the summary is open.
    pub fn changes_while_away(&self) -> Option<(Timestamp, &HistoryDiff)> {
        let AbsenceState::Returned { since, changes, .. } = &self.state else { return None };
        (!changes.is_empty()).then_some((*since, changes))
    }
}
