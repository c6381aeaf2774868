//! The initial sync of the history: its pace, and whether the operator paused it.

mod pause;

use crate::app::data::poll::Snapshot;
use std::collections::VecDeque;
use std::time::Duration;

use crate::domain::Timestamp;
pub(in crate::app) use pause::toggle_pause;

/// The period over which the pace is measured.
const PACE_WINDOW: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InitialSync {
    /// Paused by the operator, until they resume it or the next start.
    pub paused: bool,
    /// Whether the operator requested a retry of rows that could not be read.
    pub retry_requested: bool,
    /// Recent row counts, oldest first.
    recent_row_counts: VecDeque<(Timestamp, u64)>,
}

impl InitialSync {
    pub(in crate::app) fn record_progress(&mut self, now: Timestamp, snapshot: &Snapshot) {
        let Snapshot::History { progress, .. } = snapshot else { return };
        self.recent_row_counts.push_back((now, progress.rows));
        while self.recent_row_counts.len() > 2
            && self.recent_row_counts.front().is_some_and(|(at, _)| at.age(now) > PACE_WINDOW)
        {
            self.recent_row_counts.pop_front();
        }
    }

    /// Rows a second of late; `None` until it can be measured.
    pub fn rows_per_second(&self) -> Option<u64> {
        let ((first, before), (last, after)) = (self.recent_row_counts.front()?, self.recent_row_counts.back()?);
        let millis = u64::try_from(first.age(*last).as_millis()).ok().filter(|millis| *millis > 0)?;
        Some(after.saturating_sub(*before).saturating_mul(1_000) / millis).filter(|pace| *pace > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::history::SyncProgress;

    fn snapshot_of_rows(rows: u64) -> Snapshot {
        Snapshot::History { added: 0, changed: 0, progress: Box::new(SyncProgress { rows, ..SyncProgress::default() }) }
    }

    #[test]
    fn the_pace_is_that_of_the_last_seconds() {
        let at = |seconds: i64| Timestamp::from_millis(seconds * 1_000);
        let mut first = InitialSync::default();
        assert_eq!(first.rows_per_second(), None);
        first.record_progress(at(0), &snapshot_of_rows(100));
        assert_eq!(first.rows_per_second(), None, "one moment tells no pace");
        first.record_progress(at(4), &snapshot_of_rows(2_100));
        assert_eq!(first.rows_per_second(), Some(500));
        first.record_progress(at(12), &snapshot_of_rows(2_900));
        assert_eq!(first.rows_per_second(), Some(100), "what was before counts no more");
        first.record_progress(at(60), &snapshot_of_rows(2_900));
        assert_eq!(first.rows_per_second(), None, "it stands still");
    }
}
