//! The cache's own state: one small record, written with every change of the history.

use rusqlite::{Connection, OptionalExtension};
use serde::{Deserialize, Serialize};

use super::StoreError;
use super::gap_repair::GapRepair;
use crate::domain::history::{ListingProperties, PropertyEvidence, SyncProgress};
use crate::domain::{Direction, Text, Timestamp, UserStats};

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct ListState {
    /// Whether its first page was read once, with the rows `first_ids`: rows above them are arrivals.
    pub(super) opened: bool,
    pub(super) first_ids: Vec<String>,
    /// Entries of the list, counted from its top, that are stored.
    pub(super) passed: u64,
    /// Further entries that were unreadable in the last whole pass.
    #[serde(default)]
    pub(super) unread: u64,
    /// Entries that were unreadable in reads since that pass.
    #[serde(default)]
    pub(super) unread_since: u64,
    /// Whether the repair pass under way has finished this list (see `gap_repair`).
    #[serde(default)]
    pub(super) looked_through: bool,
    /// Entries that arrived at its top since it was opened.
    pub(super) arrived: u64,
    /// The time that a row without one inherits.
    pub(super) last_time: Option<i64>,
    /// Whether the backfill reached its end.
    pub(super) done: bool,
    pub(super) page_limit: Option<u64>,
    pub(super) expected: Option<u64>,
    /// Rows dated earlier, and later, than the row above them.
    #[serde(default)]
    pub(super) earlier: u64,
    #[serde(default)]
    pub(super) later: u64,
    /// Rows missing when the list was last read to its end: arrivals not read yet, and rows that moved between pages
    /// meanwhile.
    #[serde(default)]
    pub(super) lacking: u64,
    /// The rescan under way, which searches for rows that the former pass left out.
    #[serde(default)]
    pub(super) again: Option<RescanState>,
    /// Consecutive rescans that brought nothing.
    #[serde(default)]
    pub(super) vain: u32,
    /// When the last of them ended, in milliseconds.
    #[serde(default)]
    pub(super) vain_at: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct RescanState {
    /// Entries read.
    pub(super) covered: u64,
    /// Entries read that were new.
    pub(super) brought: u64,
    #[serde(default)]
    pub(super) unread: u64,
    #[serde(default)]
    pub(super) pages: u64,
    /// The first row of the last page, and the number of consecutive pages of other numbers that began with it.
    #[serde(default)]
    pub(super) first: Option<(i64, u32)>,
    /// The number of the last page, and its limit of entries.
    #[serde(default)]
    pub(super) page_no: u64,
    #[serde(default)]
    pub(super) page_limit: Option<u64>,
    /// Rows dated earlier, and later, than the row above them.
    #[serde(default)]
    pub(super) earlier: u64,
    #[serde(default)]
    pub(super) later: u64,
    /// Whether the rescan is part of a repair: sums without the missing rows are shown meanwhile.
    #[serde(default)]
    pub(super) mending: bool,
    /// Whether the rescan started again from the top, which it does once at most.
    #[serde(default)]
    pub(super) restarted: bool,
}

/// Consecutive rescans that may bring nothing while rows are missing.
const MAX_VAIN_RESCANS: u32 = 3;

/// The pause after such rescans before the next one, in milliseconds; as much again for each
/// [`ROWS_PER_RESCAN_PAUSE`] rows, since a rescan reads them all.
pub(super) const RESCAN_PAUSE_MS: i64 = 3_600_000;
pub(super) const ROWS_PER_RESCAN_PAUSE: u64 = 100_000;

impl ListState {
    /// The best count of unreadable entries.
    pub(super) fn unreadable_count(&self) -> u64 {
        self.unread.max(self.unread_since)
    }

    /// Entries of the list read so far, readable or not.
    pub(super) fn entries_read(&self) -> u64 {
        self.passed.saturating_add(self.unreadable_count())
    }

    /// Updates the count of missing rows by a sync of the newest rows: `arrived` new rows, and `list_length` as the
    /// length of the list where its end was read. Returns whether rows are missing that no rescan found.
    pub(super) fn update_missing_rows(&mut self, arrived: u64, list_length: Option<u64>, now: Timestamp) -> bool {
        if self.has_exhausted_rescans() {
            return self.recheck_missing_rows(list_length, now.millis());
        }
        let lacking = std::mem::take(&mut self.lacking);
        if lacking > arrived {
            self.again = Some(RescanState::default());
            self.looked_through = false;
        } else if lacking > 0 {
            // As many arrived as were missing; the end of the list shows whether they are the same.
            self.lacking = list_length.map_or(0, |row_count| row_count.saturating_sub(self.entries_read()));
        }
        false
    }

    /// Missing rows may be listed again some day: the end of the list shows when all have come back, and from time to
    /// time the whole list is rescanned.
    fn recheck_missing_rows(&mut self, reported_count: Option<u64>, now: i64) -> bool {
        if let Some(reported_count) = reported_count {
            self.lacking = reported_count.saturating_sub(self.entries_read());
            if self.lacking == 0 {
                self.vain = 0;
            }
        }
        let rest =
            RESCAN_PAUSE_MS.saturating_mul(i64::try_from(self.passed / ROWS_PER_RESCAN_PAUSE + 1).unwrap_or(i64::MAX));
        if self.lacking == 0 || self.vain_at.is_some_and(|ended| (ended..ended.saturating_add(rest)).contains(&now)) {
            return self.lacking > 0;
        }
        (self.lacking, self.vain, self.again) = (0, MAX_VAIN_RESCANS - 1, Some(RescanState::default()));
        true
    }

    /// Whether rows are missing, or were when last counted, that no rescan found.
    fn has_exhausted_rescans(&self) -> bool {
        self.vain == MAX_VAIN_RESCANS
    }

    /// Whether rows may be missing, so that the list's end is worth fetching.
    pub(super) fn may_have_gaps(&self) -> bool {
        self.lacking > 0 || self.has_exhausted_rescans()
    }
}

/// Why a history is not to be trusted.
pub(super) mod flaw {
    use crate::domain::Direction;

    pub(in crate::store) const IGNORES_PAGING: &str = "the service ignores paging";
    pub(in crate::store) const REPEATS_PAGES: &str = "the service repeats its pages";
    pub(in crate::store) const IGNORES_TYPE_FILTER: &str = "the service ignores txType";
    pub(in crate::store) const NOT_NEWEST_FIRST: &str = "the service does not list the newest first";
    pub(in crate::store) const MISSING_ROWS: &str = "the service counts more rows than its pages held";
    pub(in crate::store) const UNKNOWN_DIRECTION: &str = "a row is neither incoming nor outgoing";
    pub(in crate::store) const ENDLESS_LIST: &str = "the service's list comes to no end";

    pub(in crate::store) fn page_direction_flaw(list: &Direction, row: &Direction) -> Option<&'static str> {
        match row {
            row if row == list => None,
            Direction::Other(_) => Some(UNKNOWN_DIRECTION),
            _ => Some(IGNORES_TYPE_FILTER),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct CacheState {
    pub(super) lists: [ListState; 2],
    /// Final rows that lack a fact that sums need.
    #[serde(default)]
    pub(super) incomplete: u64,
    /// The repair of missing entries, planned or under way.
    #[serde(default)]
    pub(super) mending: Option<GapRepair>,
    pub(super) partial: Option<String>,
    /// Consecutive steps of the backfill that brought nothing new.
    pub(super) fruitless: u32,
    /// The time of the last sync of the newest rows.
    pub(super) head_at: Option<i64>,
    /// The oldest and newest sealed segment.
    pub(super) sealed: Option<(i64, i64)>,
    /// The oldest and newest row that the table `held` counts.
    #[serde(rename = "held")]
    pub(super) counted_span: Option<(i64, i64)>,
    /// Rows of the table `fresh_id`.
    pub(super) fresh: u64,
    pub(super) tokens_at: Option<i64>,
    pub(super) stats: Option<StatsRecord>,
    /// The marker of the last import applied from the journal, in hexadecimal digits.
    #[serde(default)]
    pub(super) imports: Option<String>,
    /// How often the address of a wallet was added or changed.
    #[serde(default)]
    pub(super) own_address_changes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct StatsRecord {
    pub(super) counts: [Option<u64>; 6],
    pub(super) at: i64,
}

impl StatsRecord {
    pub(super) fn from_stats(stats: UserStats, at: i64) -> Self {
        let counts = [
            stats.deposits,
            stats.deposits_in_30_days,
            stats.transactions,
            stats.transactions_in_30_days,
            stats.withdraws,
            stats.withdraws_in_30_days,
        ];
        Self { counts, at }
    }

    pub(super) fn to_stats(&self) -> UserStats {
        let [deposits, deposits_in_30_days, transactions, transactions_in_30_days, withdraws, withdraws_in_30_days] =
            self.counts;
        UserStats {
            deposits,
            deposits_in_30_days,
            transactions,
            transactions_in_30_days,
            withdraws,
            withdraws_in_30_days,
        }
    }
}

/// The two lists, in the order of [`CacheState::lists`].
pub(super) const LIST_DIRECTIONS: [Direction; 2] = [Direction::Incoming, Direction::Outgoing];

impl CacheState {
    pub(super) fn read(connection: &Connection) -> Result<Self, StoreError> {
        let json: Option<String> = connection
            .prepare_cached("SELECT json FROM state WHERE one = 1")?
            .query_row([], |row| row.get(0))
            .optional()?;
        match json {
            None => Ok(Self::default()),
            Some(json) => serde_json::from_str(&json).map_err(|error| StoreError::damaged(&error.to_string())),
        }
    }

    pub(super) fn write(&self, connection: &Connection) -> Result<(), StoreError> {
        let json = serde_json::to_string(self).map_err(|error| StoreError::damaged(&error.to_string()))?;
        connection.prepare_cached("INSERT OR REPLACE INTO state (one, json) VALUES (1, ?1)")?.execute([json])?;
        Ok(())
    }

    /// Whether both lists were read to their ends, and no rescan searches for rows never read.
    pub(super) fn is_complete(&self) -> bool {
        let is_whole = |progress: &RescanState| progress.mending;
        self.lists.iter().all(|list| list.opened && list.done && list.again.as_ref().is_none_or(is_whole))
    }

    /// Whether sums of rows can be trusted: an unreadable row is missing from each of them.
    pub(super) fn is_whole(&self) -> bool {
        self.is_complete() && self.partial.is_none() && self.unreadable_entries() == 0
    }

    /// Whether only arrivals are left to read.
    pub(super) fn is_idle(&self) -> bool {
        self.is_complete() && self.lists.iter().all(|list| list.again.is_none())
    }

    /// Records the flaw where the service does not list the newest first. Reading stops once that is recorded, so it is
    /// judged only when all is read.
    pub(super) fn check_list_order(&mut self) {
        let whole = self.is_complete() && self.lists.iter().all(|list| list.lacking == 0);
        if whole && self.lists.iter().any(|list| list.later > list.earlier) {
            self.record_flaw(flaw::NOT_NEWEST_FIRST);
        }
    }

    pub(super) fn progress(&self, rows: u64, pending: u64) -> SyncProgress {
        let complete = self.is_complete();
        let expected_rows = self.lists.iter().map(|list| list.expected).sum::<Option<u64>>();
        SyncProgress {
            rows,
            expected: if complete { Some(rows) } else { expected_rows.map(|expected| expected.max(rows)) },
            complete,
            is_rescanning: self.is_repairing()
                || self.lists.iter().all(|list| list.done) && self.lists.iter().any(|list| list.again.is_some()),
            unreadable: self.unreadable_entries(),
            incomplete: self.incomplete,
            retry_at: self.repair_due_at().map(Timestamp::from_millis),
            pending,
            partial: self.partial.as_deref().map(Text::clean),
        }
    }

    pub(super) fn paging_and_order_evidence(&self) -> ListingProperties {
        let flaw = self.partial.as_deref();
        let judged = |fails: bool, holds: bool| match (fails, holds) {
            (true, _) => PropertyEvidence::Refuted,
            (false, true) => PropertyEvidence::Confirmed,
            (false, false) => PropertyEvidence::Unknown,
        };
        let has_pages = |list: &ListState| list.page_limit.is_some_and(|limit| list.passed > limit);
        let paging =
            matches!(flaw, Some(flaw::IGNORES_PAGING | flaw::REPEATS_PAGES | flaw::MISSING_ROWS | flaw::ENDLESS_LIST));
        ListingProperties {
            paging: judged(paging, self.lists.iter().any(has_pages)),
            filter: judged(
                matches!(flaw, Some(flaw::IGNORES_TYPE_FILTER | flaw::UNKNOWN_DIRECTION)),
                self.lists.iter().all(|list| list.passed > 0),
            ),
            order: judged(
                flaw == Some(flaw::NOT_NEWEST_FIRST),
                self.lists.iter().any(|list| list.earlier > list.later),
            ),
        }
    }

    /// Clears the gap when the missing rows have come, if nothing else is missing.
    pub(super) fn clear_gap(&mut self) {
        let is_whole = |list: &ListState| list.again.is_none_or(|progress| progress.mending) && !list.may_have_gaps();
        if self.partial.as_deref() == Some(flaw::MISSING_ROWS) && self.lists.iter().all(is_whole) {
            self.partial = None;
        }
    }

    /// Records why the history may not be whole; the first reason stays.
    pub(super) fn record_flaw(&mut self, flaw: &str) {
        if flaw != flaw::MISSING_ROWS {
            self.mark_pass_flawed();
        }
        self.partial.get_or_insert_with(|| flaw.to_owned());
    }
}

/// The oldest and the newest row, if there are any. No row between them is missing.
pub(super) fn oldest_and_newest_seq(connection: &Connection) -> Result<Option<(i64, i64)>, StoreError> {
    let (oldest, newest): (Option<i64>, Option<i64>) = connection
        .prepare_cached("SELECT (SELECT -max(nth) FROM deed), (SELECT -min(nth) FROM deed)")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(oldest.zip(newest))
}

pub(super) fn count_pending_rows(connection: &Connection) -> Result<u64, StoreError> {
    let count: i64 = connection.prepare_cached("SELECT count(*) FROM open_deed")?.query_row([], |row| row.get(0))?;
    Ok(u64::try_from(count).unwrap_or(0))
}

pub(super) fn count_rows(ends: Option<(i64, i64)>) -> u64 {
    ends.map_or(0, |(oldest, newest)| u64::try_from(newest - oldest + 1).unwrap_or(0))
}
