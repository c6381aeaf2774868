//! Writing: one transaction at a time, and the derived tables to update with every row.

mod slot;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;

use rusqlite::{Connection, TransactionBehavior, params};

use super::by_time::Reach;
use super::dictionary::{Code, ReadGuard};
use super::row::{self, DictionaryLines, RowParts};
use super::segment::{self, Extent, Segment};
use super::state::{self, State, flaw};
use super::totals::TotalChanges;
use super::wallet_totals::WalletTotals;
use super::{Store, StoreError, directory, lock, schema};
use crate::domain::history::Progress;
use crate::domain::{BalanceDelta, Direction, FinalStatuses, Timestamp, Transaction, UserId};

pub(super) use slot::{Slot, find, hash_of};

/// The result of a read of the service's lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyncResult {
    pub added: u64,
    pub changed: u64,
    /// Users of these rows, whose cached balances are now out of date. Not all of them where many rows changed at once.
    pub affected_users: Vec<UserId>,
    pub progress: Progress,
}

/// The most users of one batch that are reported as affected.
const MOVED: usize = 64;

/// Hashes in `fresh_id` before they are moved to the large index.
const FRESH: u64 = 32_768;

pub(super) struct WriteBatch<'a> {
    pub(super) store: &'a Store,
    pub(super) connection: &'a Connection,
    pub(super) state: State,
    pub(super) ends: Option<(i64, i64)>,
    touched: BTreeSet<i64>,
    reseal: BTreeSet<i64>,
    changed: bool,
    named: bool,
    moved: BTreeSet<UserId>,
    tally: WalletTotals,
    reached: BTreeMap<i64, Reach>,
    pub(super) totals: TotalChanges,
}

impl Store {
    pub(super) fn write<T>(
        &self,
        work: impl FnOnce(&mut WriteBatch<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if let Some(home) = &self.inner.home {
            home.spare()?;
        }
        let mut writer = lock(&self.inner.writer);
        let coined = self.phrases().len();
        let answer = (|| {
            let writer = self.ensure_open(&mut writer)?;
            let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let state = State::read(&transaction)?;
            let before = state.clone();
            let mut batch = WriteBatch {
                store: self,
                connection: &transaction,
                ends: state::ends(&transaction)?,
                state,
                touched: BTreeSet::new(),
                reseal: BTreeSet::new(),
                changed: false,
                named: false,
                moved: BTreeSet::new(),
                tally: WalletTotals::of(self.final_words().clone()),
                reached: BTreeMap::new(),
                totals: TotalChanges::default(),
            };
            let answer = work(&mut batch)?;
            batch.finish()?;
            if self.phrases().len() > coined {
                self.phrases().save(&transaction, coined)?;
            }
            if batch.state != before {
                batch.state.write(&transaction)?;
            }
            let complete = batch.state.complete();
            let WriteBatch { touched, changed, named, .. } = batch;
            transaction.commit()?;
            if complete {
                // Later batches are small and mostly seconds apart: cached pages would be of no use to the next.
                writer.release_memory()?;
            }
            if complete && !before.complete() {
                schema::keep_log_short(writer)?;
            }
            Ok((answer, touched, changed, named))
        })();
        match self.note_damage(answer) {
            Ok((answer, touched, changed, named)) => {
                if changed || named || !touched.is_empty() {
                    // Readers that see the new version must see which segments it touched.
                    let mut log = lock(&self.inner.touched_segments);
                    let version = self.version() + 1;
                    log.mark_touched(&touched, version);
                    if named {
                        log.mark_renamed(version);
                    }
                    self.inner.version.store(version, Ordering::Release);
                }
                Ok(answer)
            }
            Err(error) => {
                self.phrases_mut().truncate(coined);
                Err(error)
            }
        }
    }
}

impl WriteBatch<'_> {
    pub(super) fn prepare(&mut self) -> Result<(), StoreError> {
        self.store.load_phrases(self.connection)?;
        self.store.phrases_mut().index();
        Ok(())
    }

    pub(super) fn mark_changed(&mut self) {
        self.changed = true;
    }

    pub(super) fn mark_renamed(&mut self) {
        self.named = true;
    }

    /// Packs a row, adding the phrases that it needs. An unknown wallet or user is added to the directory.
    pub(super) fn pack(
        &mut self,
        transaction: &Transaction,
        seen_at: Timestamp,
        stands_at: Timestamp,
    ) -> Result<Vec<u8>, StoreError> {
        let (lines, found) = {
            let phrases = self.store.phrases();
            let lines = DictionaryLines::of(transaction, &phrases);
            let found = [phrases.find(&lines.place), phrases.find(&lines.kind), phrases.find(&lines.status)];
            (lines, found)
        };
        if found[0].is_none() {
            directory::learn_from_transaction(self, transaction)?;
            self.changed = true;
        }
        let coin = |known: Option<Code>, line: &str| known.unwrap_or_else(|| self.store.phrases_mut().add_line(line));
        let codes = [coin(found[0], &lines.place), coin(found[1], &lines.kind), coin(found[2], &lines.status)];
        Ok(row::pack(transaction, &lines, codes, seen_at, stands_at, self.store.final_words()))
    }

    /// Adds a row, or updates it if its identifier is stored. `list` and `ordinal` are its position at the service, and
    /// `stands_at` is its sort time if it has none of its own.
    pub(super) fn add(
        &mut self,
        seq: i64,
        transaction: &Transaction,
        now: Timestamp,
        (list, ordinal): (usize, i64),
        stands_at: Option<i64>,
    ) -> Result<RowChange, StoreError> {
        let hash = match find(self.connection, transaction.id.as_str())? {
            Slot::Free(hash) => hash,
            Slot::Taken(known) => {
                return Ok(if self.update(known, transaction)? { RowChange::Changed } else { RowChange::Known });
            }
        };
        // No row is dated later than it was read.
        let stands_at = stands_at.map_or(now, |at| Timestamp::from_millis(at).min(now));
        let body = self.pack(transaction, now, stands_at)?;
        self.note_time(seq, &body);
        self.connection.prepare_cached("INSERT INTO deed (nth, body) VALUES (-?1, ?2)")?.execute(params![seq, body])?;
        self.connection
            .prepare_cached("INSERT INTO fresh_id (hash, seq) VALUES (?1, ?2)")?
            .execute(params![hash, seq])?;
        self.state.fresh += 1;
        self.state.incomplete += u64::from(is_incomplete(transaction, self.store.final_words()));
        if !transaction.is_final(self.store.final_words()) {
            self.connection
                .prepare_cached("INSERT OR REPLACE INTO open_deed (seq, list, ordinal) VALUES (?1, ?2, ?3)")?
                .execute(params![seq, i64::try_from(list).unwrap_or(0), ordinal])?;
        }
        self.ends = Some(self.ends.map_or((seq, seq), |(oldest, newest)| (oldest.min(seq), newest.max(seq))));
        self.touched.insert(segment::number_of(seq));
        self.changed = true;
        Ok(RowChange::New)
    }

    /// Adds a row at the head, above all others.
    pub(super) fn add_latest(
        &mut self,
        transaction: &Transaction,
        now: Timestamp,
        list: usize,
        stands_at: Option<i64>,
    ) -> Result<RowChange, StoreError> {
        let seq = self.ends.map_or(1, |(_, newest)| newest + 1);
        let ordinal = i64::try_from(self.state.lists[list].arrived).unwrap_or(i64::MAX).saturating_add(1);
        let added = self.add(seq, transaction, now, (list, ordinal), stands_at)?;
        if added == RowChange::New {
            self.state.lists[list].arrived += 1;
            self.state.lists[list].passed += 1;
            self.mark_affected(transaction);
        }
        Ok(added)
    }

    /// Notes the user of a row, whose cached balances are now out of date.
    fn mark_affected(&mut self, transaction: &Transaction) {
        if let Some(user) = transaction.user.as_ref().filter(|_| self.moved.len() < MOVED) {
            self.moved.insert(user.clone());
        }
    }

    /// Updates a stored row to what the service reports now. The time of its first reading stays.
    pub(super) fn update(&mut self, seq: i64, transaction: &Transaction) -> Result<bool, StoreError> {
        self.change(seq, transaction, false)
    }

    /// `update` where the stored row, its list included, may be wrong.
    pub(super) fn correct(&mut self, seq: i64, transaction: &Transaction) -> Result<bool, StoreError> {
        self.change(seq, transaction, true)
    }

    fn change(&mut self, seq: i64, transaction: &Transaction, corrects: bool) -> Result<bool, StoreError> {
        let old_body: Vec<u8> = self
            .connection
            .prepare_cached("SELECT body FROM deed WHERE nth = -?1")?
            .query_row([seq], |row| row.get(0))?;
        let unpacked = row::unpack(&old_body, &self.store.phrases());
        let (old, seen_at) = unpacked.ok_or_else(|| StoreError::damaged("a row cannot be read"))?;
        if old == *transaction {
            return Ok(false);
        }
        if old.direction != transaction.direction && !matches!(old.direction, Direction::Other(_)) {
            // Both lists have the row, so its direction is unclear: the first reading stays until a rescan of both
            // lists corrects it. That rescan also shows whether the other list still has the row.
            let unknown = matches!(transaction.direction, Direction::Other(_));
            self.state.distrust(if unknown { flaw::WORDS } else { flaw::FILTER });
            self.changed = true;
            if unknown || !corrects {
                return Ok(false);
            }
        }
        let words = self.store.final_words();
        let incomplete = (self.state.incomplete + u64::from(is_incomplete(transaction, words)))
            .saturating_sub(u64::from(is_incomplete(&old, words)));
        self.state.incomplete = incomplete;
        let stands_at = RowParts::read(&old_body).map_or(seen_at, |old| old.settled_sort_time());
        let body = self.pack(transaction, seen_at, stands_at)?;
        self.note_time(seq, &body);
        self.connection.prepare_cached("UPDATE deed SET body = ?2 WHERE nth = -?1")?.execute(params![seq, body])?;
        let words = self.store.final_words();
        if transaction.is_final(words) && !old.is_final(words) {
            self.connection.prepare_cached("DELETE FROM open_deed WHERE seq = ?1")?.execute([seq])?;
        }
        self.mark_affected(transaction);
        if self.state.held.is_some_and(|(oldest, newest)| (oldest..=newest).contains(&seq)) {
            self.tally.remove(self.connection, &old)?;
            self.tally.add(self.connection, transaction)?;
        }
        let parts = RowParts::read(&old_body).zip(RowParts::read(&body));
        let found_alike = parts.is_some_and(|(old, new)| segment::found_alike(&old, &new));
        if !found_alike
            || BalanceDelta::from_transaction(&old, words) != BalanceDelta::from_transaction(transaction, words)
        {
            self.touched.insert(segment::number_of(seq));
        }
        if !found_alike {
            self.reseal.insert(segment::number_of(seq));
        }
        self.changed = true;
        Ok(true)
    }

    /// Widens the reach of the row's segment by its sort time.
    fn note_time(&mut self, seq: i64, body: &[u8]) {
        if let Some(parts) = RowParts::read(body) {
            self.reached.entry(segment::number_of(seq)).or_default().take_in(parts.sort_time());
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
    fn finish(&mut self) -> Result<(), StoreError> {
        if self.state.fresh >= FRESH {
            self.connection
                .prepare_cached("INSERT INTO old_id (hash, seq) SELECT hash, seq FROM fresh_id ORDER BY hash")?
                .execute([])?;
            self.connection.prepare_cached("DELETE FROM fresh_id")?.execute([])?;
            self.state.fresh = 0;
        }
        for (number, reach) in std::mem::take(&mut self.reached) {
            reach.join(self.connection, number)?;
        }
        if let Some(ends) = self.ends {
            self.seal(ends)?;
            self.update_wallet_totals(ends)?;
        }
        self.tally.write(self.connection, &mut self.totals)?;
        self.totals.settle(self.connection)
    }

    fn seal(&mut self, (oldest, newest): (i64, i64)) -> Result<(), StoreError> {
        // The segments all of whose rows are there.
        let first = segment::number_of(oldest + segment::bounds(0).1);
        let last = segment::number_of(newest + 1) - 1;
        let (low, high) = self.state.sealed.unwrap_or((last + 1, last));
        let fresh = (first..low).chain(high.max(first - 1) + 1..=last);
        let resealed = std::mem::take(&mut self.reseal).into_iter().filter(|number| (low..=high).contains(number));
        for number in resealed.chain(fresh) {
            let built = Segment::read(self.connection, &self.store.phrases(), number, Extent::Whole)?;
            built.seal(self.connection, number)?;
        }
        if first <= last {
            self.state.sealed = Some((first, last));
        }
        Ok(())
    }

    fn update_wallet_totals(&mut self, (oldest, newest): (i64, i64)) -> Result<(), StoreError> {
        // Sums are not used before the history is complete, and one run is cheaper than one per batch.
        if !self.state.complete() || self.state.held == Some((oldest, newest)) {
            return Ok(());
        }
        let from = match self.state.held {
            None => {
                self.tally.all(self.connection, &self.store.phrases())?;
                self.totals.start_anew();
                newest + 1
            }
            Some((_, counted)) => counted + 1,
        };
        let mut statement = self.connection.prepare_cached("SELECT body FROM deed WHERE nth <= -?1")?;
        let mut rows = statement.query([from])?;
        while let Some(found) = rows.next()? {
            let body = found.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
            let unpacked = row::unpack(body, &self.store.phrases());
            let (transaction, _) = unpacked.ok_or_else(|| StoreError::damaged("a row cannot be read"))?;
            self.tally.add(self.connection, &transaction)?;
        }
        self.state.held = Some((oldest, newest));
        Ok(())
    }

    pub(super) fn merged(&self, added: u64, changed: u64) -> Result<SyncResult, StoreError> {
        let progress = self.state.progress(state::rows(self.ends), state::pending(self.connection)?);
        let moved = self.moved.iter().cloned().collect();
        Ok(SyncResult { added, changed, affected_users: moved, progress })
    }

    pub(super) fn phrases(&self) -> ReadGuard<'_> {
        self.store.phrases()
    }
}

/// Whether a row is final and lacks a fact that sums need: direction, amount or wallet.
fn is_incomplete(transaction: &Transaction, words: &FinalStatuses) -> bool {
    let says_enough = transaction.wallet.is_some()
        && BalanceDelta::from_transaction(transaction, words) != Some(BalanceDelta::Unclear);
    transaction.is_final(words) && !says_enough
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowChange {
    New,
    Changed,
    Known,
}
