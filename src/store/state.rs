//! What the cache knows about itself: one small record, written with every change of the history.

use rusqlite::{Connection, OptionalExtension};
use serde::{Deserialize, Serialize};

use super::StoreError;
use super::gap_repair::GapRepair;
use crate::domain::history::{Evidence, ListingEvidence, Progress};
use crate::domain::{Direction, Text, Timestamp, UserStats};

/// How far one of the two lists was read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct ListState {
    /// Whether its first page was read once. Its first rows then were these: what stands above them is an arrival.
    pub(super) opened: bool,
    pub(super) first_ids: Vec<String>,
    /// How many entries of the list, counted from its top, are kept.
    pub(super) passed: u64,
    /// How many more could not be read, when all of them were last looked at.
    #[serde(default)]
    pub(super) unread: u64,
    /// The same among those that were looked at since.
    #[serde(default)]
    pub(super) unread_since: u64,
    /// Whether the look that is under way has been through all of it (see `mending`).
    #[serde(default)]
    pub(super) looked_through: bool,
    /// How many entries arrived at its top since it was opened.
    pub(super) arrived: u64,
    /// The time that a row without one inherits.
    pub(super) last_time: Option<i64>,
    /// Whether the first read came to its end.
    pub(super) done: bool,
    pub(super) page_limit: Option<u64>,
    pub(super) expected: Option<u64>,
    /// How often a row was dated earlier, and later, than the row above it.
    #[serde(default)]
    pub(super) earlier: u64,
    #[serde(default)]
    pub(super) later: u64,
    /// How many rows were missing when the list was last read to its end: those that had arrived and were not met yet, and
    /// those that moved from one page to another meanwhile.
    #[serde(default)]
    pub(super) lacking: u64,
    /// The pass that looks for rows that the former one left out, if one is under way.
    #[serde(default)]
    pub(super) again: Option<Again>,
    /// How many such passes in a row brought nothing.
    #[serde(default)]
    pub(super) vain: u32,
    /// When the last of them ended, in milliseconds.
    #[serde(default)]
    pub(super) vain_at: Option<i64>,
}

/// How far another pass over a list has come, from its top down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Again {
    /// How many entries were looked at.
    pub(super) covered: u64,
    /// How many of them were new.
    pub(super) brought: u64,
    /// How many of them could not be read.
    #[serde(default)]
    pub(super) unread: u64,
    /// How many pages were looked at.
    #[serde(default)]
    pub(super) pages: u64,
    /// The first row of the last page, and how many pages of other numbers in a row began with it.
    #[serde(default)]
    pub(super) first: Option<(i64, u32)>,
    /// The number of the last page, and how many entries it may hold.
    #[serde(default)]
    pub(super) page_no: u64,
    #[serde(default)]
    pub(super) page_limit: Option<u64>,
    /// How often a row was dated earlier, and later, than the row above it.
    #[serde(default)]
    pub(super) earlier: u64,
    #[serde(default)]
    pub(super) later: u64,
    /// Whether it looks for what could not be read: sums that are told without it stand meanwhile.
    #[serde(default)]
    pub(super) mending: bool,
}

/// Passes in a row that may bring nothing while rows are missing.
const VAIN: u32 = 3;

/// How long after such a pass in vain another one is made, in milliseconds; and so much longer for each so many rows, since
/// a pass reads them all.
pub(super) const REST: i64 = 3_600_000;
pub(super) const REST_FOR_EACH: u64 = 100_000;

impl ListState {
    /// How many entries could not be read, as far as is known.
    pub(super) fn unreadable(&self) -> u64 {
        self.unread.max(self.unread_since)
    }

    /// How many entries of the list were met.
    pub(super) fn entries(&self) -> u64 {
        self.passed.saturating_add(self.unreadable())
    }

    /// Takes in what a look at the head says of rows that were missing: so many arrived, and the list now ends with this
    /// row where that was asked for. Says whether rows are missing that no pass found.
    pub(super) fn account(&mut self, arrived: u64, counted: Option<u64>, now: Timestamp) -> bool {
        if self.is_looked_for_in_vain() {
            return self.account_in_vain(counted, now.millis());
        }
        let lacking = std::mem::take(&mut self.lacking);
        if lacking > arrived {
            self.again = Some(Again::default());
            self.looked_through = false;
        } else if lacking > 0 {
            // As many arrived as were missing; whether they are the same is told by the end of the list.
            self.lacking = counted.map_or(0, |counted| counted.saturating_sub(self.entries()));
        }
        false
    }

    /// What is missing may be listed again some day: the end of the list tells when all of it came by itself, and now and
    /// then all of the list is looked through once more.
    fn account_in_vain(&mut self, counted: Option<u64>, now: i64) -> bool {
        if let Some(counted) = counted {
            self.lacking = counted.saturating_sub(self.entries());
            if self.lacking == 0 {
                self.vain = 0;
            }
        }
        let rest = REST.saturating_mul(i64::try_from(self.passed / REST_FOR_EACH + 1).unwrap_or(i64::MAX));
        if self.lacking == 0 || self.vain_at.is_some_and(|ended| (ended..ended.saturating_add(rest)).contains(&now)) {
            return self.lacking > 0;
        }
        (self.lacking, self.vain, self.again) = (0, VAIN - 1, Some(Again::default()));
        true
    }

    /// Whether rows are missing, or were when last counted, that no pass found.
    fn is_looked_for_in_vain(&self) -> bool {
        self.vain == VAIN
    }

    /// Whether rows may be missing, so that the list's end is worth a look.
    pub(super) fn may_have_gaps(&self) -> bool {
        self.lacking > 0 || self.is_looked_for_in_vain()
    }
}

/// Why a history is not to be trusted.
pub(super) mod flaw {
    use crate::domain::Direction;

    pub(in crate::store) const PAGING: &str = "the service ignores paging";
    pub(in crate::store) const REPEATS: &str = "the service repeats its pages";
    pub(in crate::store) const FILTER: &str = "the service ignores txType";
    pub(in crate::store) const ORDER: &str = "the service does not list the newest first";
    pub(in crate::store) const GAP: &str = "the service counts more rows than its pages held";
    pub(in crate::store) const WORDS: &str = "a row is neither incoming nor outgoing";
    pub(in crate::store) const ENDLESS: &str = "the service's list comes to no end";

    /// What a row says against the list on which it stands.
    pub(in crate::store) fn of_row(list: &Direction, row: &Direction) -> Option<&'static str> {
        match row {
            row if row == list => None,
            Direction::Other(_) => Some(WORDS),
            _ => Some(FILTER),
        }
    }
}

/// The whole record.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) lists: [ListState; 2],
    /// Rows that are final and do not say enough to be counted.
    #[serde(default)]
    pub(super) incomplete: u64,
    /// What is done to have what is missing.
    #[serde(default)]
    pub(super) mending: Option<GapRepair>,
    pub(super) partial: Option<String>,
    /// Consecutive steps of the first read that brought nothing new.
    pub(super) fruitless: u32,
    /// The time of the last look at the head.
    pub(super) head_at: Option<i64>,
    /// The oldest and newest sealed segment.
    pub(super) sealed: Option<(i64, i64)>,
    /// The oldest and newest row that `held` counts.
    pub(super) held: Option<(i64, i64)>,
    /// Rows of `fresh_id`.
    pub(super) fresh: u64,
    pub(super) tokens_at: Option<i64>,
    pub(super) stats: Option<StatsRecord>,
    /// The mark of the last import that was taken in from the journal, in hexadecimal digits.
    #[serde(default)]
    pub(super) imports: Option<String>,
}

/// The counts of the workspace, with when they were read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct StatsRecord {
    pub(super) counts: [Option<u64>; 6],
    pub(super) at: i64,
}

impl StatsRecord {
    pub(super) fn of(stats: UserStats, at: i64) -> Self {
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

    pub(super) fn stats(&self) -> UserStats {
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

/// The two lists, in the order in which the state names them.
pub(super) const LISTS: [Direction; 2] = [Direction::Incoming, Direction::Outgoing];

impl State {
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

    /// Whether both lists were read to their ends, and no row of them is looked for again that was never met.
    pub(super) fn complete(&self) -> bool {
        let is_whole = |again: &Again| again.mending;
        self.lists.iter().all(|list| list.opened && list.done && list.again.as_ref().is_none_or(is_whole))
    }

    /// Whether nothing is to be read but what arrives.
    pub(super) fn is_idle(&self) -> bool {
        self.complete() && self.lists.iter().all(|list| list.again.is_none())
    }

    /// Says so where the service does not list the newest first. Nothing is read any more behind that word, so that it waits
    /// until all is read.
    pub(super) fn judge_order(&mut self) {
        let whole = self.complete() && self.lists.iter().all(|list| list.lacking == 0);
        if whole && self.lists.iter().any(|list| list.later > list.earlier) {
            self.distrust(flaw::ORDER);
        }
    }

    pub(super) fn progress(&self, rows: u64, pending: u64) -> Progress {
        let complete = self.complete();
        let told = self.lists.iter().map(|list| list.expected).sum::<Option<u64>>();
        Progress {
            rows,
            expected: if complete { Some(rows) } else { told.map(|expected| expected.max(rows)) },
            complete,
            again: self.is_repairing()
                || self.lists.iter().all(|list| list.done) && self.lists.iter().any(|list| list.again.is_some()),
            unreadable: self.unreadable(),
            incomplete: self.incomplete,
            retry_at: self.repair_due_at().map(Timestamp::from_millis),
            pending,
            partial: self.partial.as_deref().map(Text::clean),
        }
    }

    /// What was seen of how the service lists.
    pub(super) fn proof(&self) -> ListingEvidence {
        let flaw = self.partial.as_deref();
        let judged = |fails: bool, holds: bool| match (fails, holds) {
            (true, _) => Evidence::Refuted,
            (false, true) => Evidence::Confirmed,
            (false, false) => Evidence::Unknown,
        };
        let has_pages = |list: &ListState| list.page_limit.is_some_and(|limit| list.passed > limit);
        let paging = matches!(flaw, Some(flaw::PAGING | flaw::REPEATS | flaw::GAP | flaw::ENDLESS));
        ListingEvidence {
            paging: judged(paging, self.lists.iter().any(has_pages)),
            filter: judged(
                matches!(flaw, Some(flaw::FILTER | flaw::WORDS)),
                self.lists.iter().all(|list| list.passed > 0),
            ),
            order: judged(flaw == Some(flaw::ORDER), self.lists.iter().any(|list| list.earlier > list.later)),
        }
    }

    /// Rows that were missing are there: the history is whole again, if that was all.
    pub(super) fn clear_gap(&mut self) {
        let is_whole = |list: &ListState| list.again.is_none_or(|again| again.mending) && !list.may_have_gaps();
        if self.partial.as_deref() == Some(flaw::GAP) && self.lists.iter().all(is_whole) {
            self.partial = None;
        }
    }

    /// Notes why the history cannot be trusted to be whole; the first reason stays.
    pub(super) fn distrust(&mut self, why: &str) {
        if why != flaw::GAP {
            self.note_flaw();
        }
        self.partial.get_or_insert_with(|| why.to_owned());
    }
}

/// The oldest and the newest row, if there are any. The rows between them are all there.
pub(super) fn ends(connection: &Connection) -> Result<Option<(i64, i64)>, StoreError> {
    let (oldest, newest): (Option<i64>, Option<i64>) = connection
        .prepare_cached("SELECT (SELECT -max(nth) FROM deed), (SELECT -min(nth) FROM deed)")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(oldest.zip(newest))
}

/// How many rows are not final yet.
pub(super) fn pending(connection: &Connection) -> Result<u64, StoreError> {
    let count: i64 = connection.prepare_cached("SELECT count(*) FROM open_deed")?.query_row([], |row| row.get(0))?;
    Ok(u64::try_from(count).unwrap_or(0))
}

/// How many rows there are.
pub(super) fn rows(ends: Option<(i64, i64)>) -> u64 {
    ends.map_or(0, |(oldest, newest)| u64::try_from(newest - oldest + 1).unwrap_or(0))
}
