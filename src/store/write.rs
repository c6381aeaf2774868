//! Writing: one transaction at a time, and the derived tables to update with every row.

mod id_lookup;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;

use rusqlite::{Connection, TransactionBehavior, params};

use super::by_time::SegmentTimeRange;
use super::cache_state::{self, CacheState, flaw};
use super::dictionary::{DictionaryReadGuard, PhraseCode};
use super::row::{self, DictionaryLines, RowParts};
use super::segment::{self, Segment, SegmentExtent};
use super::totals::TotalChanges;
use super::touched_segments::{BatchChanges, DirectoryList};
use super::wallet_totals::WalletTotals;
use super::{Store, StoreError, directory, lock_mutex, schema};
use crate::domain::history::{RowTimes, SyncProgress};
use crate::domain::{BalanceDelta, Direction, FinalStatuses, Timestamp, Transaction, UserId};

pub(super) use id_lookup::{IdSlot, find_id_slot, hash_of_id};

/// The result of a read of the service's lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyncResult {
    pub added: u64,
    pub changed: u64,
    /// Users of these rows, whose cached balances are now out of date. Not all of them where many rows changed at once.
    pub affected_users: Vec<UserId>,
    pub progress: SyncProgress,
}

/// The most users of one batch that are reported as affected.
const MAX_AFFECTED_USERS: usize = 64;

/// Hashes in `fresh_id` before they are moved to the large index.
const MAX_RECENT_IDS: u64 = 32_768;

pub(super) struct WriteBatch<'a> {
    pub(super) store: &'a Store,
    pub(super) connection: &'a Connection,
    pub(super) state: CacheState,
    pub(super) ends: Option<(i64, i64)>,
    segments_to_reseal: BTreeSet<i64>,
    changes: BatchChanges,
    affected_users: BTreeSet<UserId>,
    wallet_totals: WalletTotals,
    time_ranges: BTreeMap<i64, SegmentTimeRange>,
    pub(super) totals: TotalChanges,
}

impl Store {
    pub(super) fn with_write_batch<T>(
        &self,
        work: impl FnOnce(&mut WriteBatch<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if let Some(folder) = &self.inner.folder {
            folder.check_free_space()?;
        }
        let mut writer = lock_mutex(&self.inner.writer);
        let phrases_before = self.read_dictionary().len();
        let answer = (|| {
            let writer = self.open_writer_if_needed(&mut writer)?;
            let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let state = CacheState::read(&transaction)?;
            let before = state.clone();
            let mut batch = WriteBatch {
                store: self,
                connection: &transaction,
                ends: cache_state::oldest_and_newest_seq(&transaction)?,
                state,
                segments_to_reseal: BTreeSet::new(),
                changes: BatchChanges::default(),
                affected_users: BTreeSet::new(),
                wallet_totals: WalletTotals::new(self.final_statuses().clone()),
                time_ranges: BTreeMap::new(),
                totals: TotalChanges::default(),
            };
            let answer = work(&mut batch)?;
            batch.update_derived_tables()?;
            if self.read_dictionary().len() > phrases_before {
                self.read_dictionary().save_pages(&transaction, phrases_before)?;
            }
            if batch.state != before {
                batch.state.write(&transaction)?;
            }
            let complete = batch.state.is_complete();
            let changes = batch.changes;
            transaction.commit()?;
            if complete {
                // Later batches are small and mostly seconds apart: cached pages would be of no use to the next.
                writer.release_memory()?;
            }
            if complete && !before.is_complete() {
                schema::checkpoint_often(writer)?;
            }
            Ok((answer, changes))
        })();
        match self.mark_damaged_on_error(answer) {
            Ok((answer, changes)) => {
                if !changes.is_empty() {
                    // Readers that see the new version must see which segments it touched.
                    let mut log = lock_mutex(&self.inner.touched_segments);
                    let version = self.version() + 1;
                    log.record_batch(&changes, version);
                    self.inner.version.store(version, Ordering::Release);
                }
                Ok(answer)
            }
            Err(error) => {
                self.write_dictionary().truncate(phrases_before);
                Err(error)
            }
        }
    }
}

impl WriteBatch<'_> {
    pub(super) fn index_dictionary(&mut self) -> Result<(), StoreError> {
        self.store.load_whole_dictionary(self.connection)?;
        self.store.write_dictionary().build_index();
        Ok(())
    }

    pub(super) fn mark_changed(&mut self) {
        self.changes.of_display = true;
    }

    pub(super) fn mark_renamed(&mut self) {
        self.changes.of_names = true;
    }

    /// An entry of a list was written.
    pub(super) fn mark_directory_changed(&mut self, list: DirectoryList) {
        self.changes.of_directory.insert(list);
    }

    /// Packs a row, adding the phrases that it needs. An unknown wallet or user is added to the directory.
    pub(super) fn pack_row(
        &mut self,
        transaction: &Transaction,
        seen_at: Timestamp,
        fallback_time: Timestamp,
    ) -> Result<Vec<u8>, StoreError> {
        let (lines, found_codes) = {
            let phrases = self.store.read_dictionary();
            let lines = DictionaryLines::of_transaction(transaction, &phrases);
            let codes = [
                phrases.find_code(&lines.wallet),
                phrases.find_code(&lines.transfer),
                phrases.find_code(&lines.status),
            ];
            (lines, codes)
        };
        if found_codes[0].is_none() {
            directory::add_entries_of_transaction(self, transaction)?;
            self.changes.of_display = true;
        }
        let find_or_append = |code: Option<PhraseCode>, line: &str| {
            code.unwrap_or_else(|| self.store.write_dictionary().append_line(line))
        };
        let codes = [
            find_or_append(found_codes[0], &lines.wallet),
            find_or_append(found_codes[1], &lines.transfer),
            find_or_append(found_codes[2], &lines.status),
        ];
        Ok(row::pack_row(transaction, &lines, codes, seen_at, fallback_time, self.store.final_statuses()))
    }

    /// Adds a row, or updates it if its identifier is stored. `list` and `ordinal` are its position at the service, and
    /// `fallback_time` is its sort time if it has none of its own.
    pub(super) fn add_row(
        &mut self,
        seq: i64,
        transaction: &Transaction,
        now: Timestamp,
        (list, ordinal): (usize, i64),
        fallback_time: Option<i64>,
    ) -> Result<RowChange, StoreError> {
        let hash = match find_id_slot(self.connection, transaction.id.as_str())? {
            IdSlot::Free(hash) => hash,
            IdSlot::Taken(seq) => {
                return Ok(if self.update_row(seq, transaction)? { RowChange::Changed } else { RowChange::Known });
            }
        };
        // No row is dated later than it was read.
        let fallback_time = fallback_time.map_or(now, |at| Timestamp::from_millis(at).min(now));
        let body = self.pack_row(transaction, now, fallback_time)?;
        self.widen_time_range(seq, &body);
        self.connection.prepare_cached("INSERT INTO deed (nth, body) VALUES (-?1, ?2)")?.execute(params![seq, body])?;
        self.connection
            .prepare_cached("INSERT INTO fresh_id (hash, seq) VALUES (?1, ?2)")?
            .execute(params![hash, seq])?;
        self.state.fresh += 1;
        self.state.incomplete += u64::from(lacks_facts_for_sums(transaction, self.store.final_statuses()));
        if !transaction.is_final(self.store.final_statuses()) {
            self.connection
                .prepare_cached("INSERT OR REPLACE INTO open_deed (seq, list, ordinal) VALUES (?1, ?2, ?3)")?
                .execute(params![seq, i64::try_from(list).unwrap_or(0), ordinal])?;
        }
        self.ends = Some(self.ends.map_or((seq, seq), |(oldest, newest)| (oldest.min(seq), newest.max(seq))));
        self.changes.segments.insert(segment::segment_number_of(seq));
        self.changes.of_display = true;
        Ok(RowChange::New)
    }

    /// Adds a row at the head, above all others.
    pub(super) fn add_latest(
        &mut self,
        transaction: &Transaction,
        now: Timestamp,
        list: usize,
        fallback_time: Option<i64>,
    ) -> Result<RowChange, StoreError> {
        let seq = self.ends.map_or(1, |(_, newest)| newest + 1);
        let ordinal = i64::try_from(self.state.lists[list].arrived).unwrap_or(i64::MAX).saturating_add(1);
        let added = self.add_row(seq, transaction, now, (list, ordinal), fallback_time)?;
        if added == RowChange::New {
            self.state.lists[list].arrived += 1;
            self.state.lists[list].passed += 1;
            self.mark_user_affected(transaction);
        }
        Ok(added)
    }

    /// Notes the user of a row, whose cached balances are now out of date.
    fn mark_user_affected(&mut self, transaction: &Transaction) {
        if let Some(user) = transaction.user.as_ref().filter(|_| self.affected_users.len() < MAX_AFFECTED_USERS) {
            self.affected_users.insert(user.clone());
        }
    }

    /// Updates a stored row to what the service reports now. The time of its first reading stays.
    pub(super) fn update_row(&mut self, seq: i64, transaction: &Transaction) -> Result<bool, StoreError> {
        self.change_row(seq, transaction, false)
    }

    /// `update` where the stored row, its list included, may be wrong.
    pub(super) fn correct_row(&mut self, seq: i64, transaction: &Transaction) -> Result<bool, StoreError> {
        self.change_row(seq, transaction, true)
    }

    fn change_row(&mut self, seq: i64, transaction: &Transaction, corrects: bool) -> Result<bool, StoreError> {
        let old_body: Vec<u8> = self
            .connection
            .prepare_cached("SELECT body FROM deed WHERE nth = -?1")?
            .query_row([seq], |row| row.get(0))?;
        let unpacked = row::unpack_row(&old_body, &self.store.read_dictionary());
        let (old, RowTimes { seen_at, .. }) = unpacked.ok_or_else(|| StoreError::damaged("a row cannot be read"))?;
        if old == *transaction {
            return Ok(false);
        }
        if old.direction != transaction.direction && !matches!(old.direction, Direction::Other(_)) {
            // Both lists have the row, so its direction is unclear: the first reading stays until a rescan of both
            // lists corrects it. That rescan also shows whether the other list still has the row.
            let unknown = matches!(transaction.direction, Direction::Other(_));
            self.state.record_flaw(if unknown { flaw::UNKNOWN_DIRECTION } else { flaw::IGNORES_TYPE_FILTER });
            self.changes.of_display = true;
            if unknown || !corrects {
                return Ok(false);
            }
        }
        let final_statuses = self.store.final_statuses();
        let incomplete = (self.state.incomplete + u64::from(lacks_facts_for_sums(transaction, final_statuses)))
            .saturating_sub(u64::from(lacks_facts_for_sums(&old, final_statuses)));
        self.state.incomplete = incomplete;
        let fallback_time = RowParts::read(&old_body).map_or(seen_at, |old| old.final_sort_time());
        let body = self.pack_row(transaction, seen_at, fallback_time)?;
        self.widen_time_range(seq, &body);
        self.connection.prepare_cached("UPDATE deed SET body = ?2 WHERE nth = -?1")?.execute(params![seq, body])?;
        let final_statuses = self.store.final_statuses();
        if transaction.is_final(final_statuses) && !old.is_final(final_statuses) {
            self.connection.prepare_cached("DELETE FROM open_deed WHERE seq = ?1")?.execute([seq])?;
        }
        self.mark_user_affected(transaction);
        if self.state.counted_span.is_some_and(|(oldest, newest)| (oldest..=newest).contains(&seq)) {
            self.wallet_totals.remove_row(self.connection, &old)?;
            self.wallet_totals.add_row(self.connection, transaction)?;
        }
        let parts = RowParts::read(&old_body).zip(RowParts::read(&body));
        let is_search_equal = parts.is_some_and(|(old, new)| segment::is_search_equal(&old, &new));
        if !is_search_equal
            || BalanceDelta::from_transaction(&old, final_statuses)
                != BalanceDelta::from_transaction(transaction, final_statuses)
        {
            self.changes.segments.insert(segment::segment_number_of(seq));
        }
        if !is_search_equal {
            self.segments_to_reseal.insert(segment::segment_number_of(seq));
        }
        self.changes.of_display = true;
        Ok(true)
    }

    /// Widens the time range of the row's segment by its sort time.
    fn widen_time_range(&mut self, seq: i64, body: &[u8]) {
        if let Some(parts) = RowParts::read(body) {
            self.time_ranges.entry(segment::segment_number_of(seq)).or_default().include_time(parts.sort_time());
        }
    }

    /// Updates the position at which a row that is not final was last listed.
    pub(super) fn update_ordinal(&self, seq: i64, ordinal: i64) -> Result<(), StoreError> {
        self.connection
            .prepare_cached("UPDATE open_deed SET ordinal = ?2 WHERE seq = ?1 AND ordinal <> ?2")?
            .execute(params![seq, ordinal])?;
        Ok(())
    }

    /// Updates everything derived from rows, at the end of the batch.
    fn update_derived_tables(&mut self) -> Result<(), StoreError> {
        if self.state.fresh >= MAX_RECENT_IDS {
            self.connection
                .prepare_cached("INSERT INTO old_id (hash, seq) SELECT hash, seq FROM fresh_id ORDER BY hash")?
                .execute([])?;
            self.connection.prepare_cached("DELETE FROM fresh_id")?.execute([])?;
            self.state.fresh = 0;
        }
        for (number, time_range) in std::mem::take(&mut self.time_ranges) {
            time_range.merge_into_stored(self.connection, number)?;
        }
        if let Some(ends) = self.ends {
            self.seal_segments(ends)?;
            self.add_rows_to_wallet_totals(ends)?;
        }
        self.wallet_totals.apply_and_save_sums(self.connection, &mut self.totals)?;
        self.totals.add_groups_and_write(self.connection)
    }

    fn seal_segments(&mut self, (oldest, newest): (i64, i64)) -> Result<(), StoreError> {
        // The segments all of whose rows are there.
        let first = segment::segment_number_of(oldest + segment::segment_bounds(0).1);
        let last = segment::segment_number_of(newest + 1) - 1;
        let (low, high) = self.state.sealed.unwrap_or((last + 1, last));
        let fresh = (first..low).chain(high.max(first - 1) + 1..=last);
        let resealed =
            std::mem::take(&mut self.segments_to_reseal).into_iter().filter(|number| (low..=high).contains(number));
        for number in resealed.chain(fresh) {
            let built =
                Segment::build_from_rows(self.connection, &self.store.read_dictionary(), number, SegmentExtent::Whole)?;
            built.seal(self.connection, number)?;
        }
        if first <= last {
            self.state.sealed = Some((first, last));
        }
        Ok(())
    }

    fn add_rows_to_wallet_totals(&mut self, (oldest, newest): (i64, i64)) -> Result<(), StoreError> {
        // Sums are not used before the history is complete, and one run is cheaper than one per batch.
        if !self.state.is_complete() || self.state.counted_span == Some((oldest, newest)) {
            return Ok(());
        }
        let from = match self.state.counted_span {
            None => {
                self.wallet_totals.add_all_rows(self.connection, &self.store.read_dictionary())?;
                self.totals.rebuild_all();
                newest + 1
            }
            Some((_, count)) => count + 1,
        };
        let mut statement = self.connection.prepare_cached("SELECT body FROM deed WHERE nth <= -?1")?;
        let mut rows = statement.query([from])?;
        while let Some(row) = rows.next()? {
            let body = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
            let unpacked = row::unpack_row(body, &self.store.read_dictionary());
            let (transaction, _) = unpacked.ok_or_else(|| StoreError::damaged("a row cannot be read"))?;
            self.wallet_totals.add_row(self.connection, &transaction)?;
        }
        self.state.counted_span = Some((oldest, newest));
        Ok(())
    }

    pub(super) fn sync_result(&self, added: u64, changed: u64) -> Result<SyncResult, StoreError> {
        let progress =
            self.state.progress(cache_state::count_rows(self.ends), cache_state::count_pending_rows(self.connection)?);
        let affected_users = self.affected_users.iter().cloned().collect();
        Ok(SyncResult { added, changed, affected_users, progress })
    }

    pub(super) fn read_dictionary(&self) -> DictionaryReadGuard<'_> {
        self.store.read_dictionary()
    }
}

/// Whether a row is final and lacks a fact that sums need: direction, amount or wallet.
fn lacks_facts_for_sums(transaction: &Transaction, final_statuses: &FinalStatuses) -> bool {
    let says_enough = transaction.wallet.is_some()
        && BalanceDelta::from_transaction(transaction, final_statuses) != Some(BalanceDelta::Unclear);
    transaction.is_final(final_statuses) && !says_enough
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowChange {
    New,
    Changed,
    Known,
}
