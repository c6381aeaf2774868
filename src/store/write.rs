//! Writing: one transaction at a time, and what has to be kept true with every row.

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

/// What a look at the service's lists brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyncResult {
    /// Rows that are new.
    pub added: u64,
    /// Rows that were known and have changed.
    pub changed: u64,
    /// Users whose rows these are: what is known of their balances is older than what happened to them. Not all of them
    /// where many moved at once.
    pub affected_users: Vec<UserId>,
    /// How far the history is read now.
    pub progress: Progress,
}

/// Users of one batch that are told of as moved.
const MOVED: usize = 64;

/// Hashes in `fresh_id` before they are moved to the large index.
const FRESH: u64 = 32_768;

/// One transaction of writing.
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
    /// Does some writing, all of it or nothing.
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
                // Batches are small from now on, and mostly seconds lie between them: none keeps for the next what it read.
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
    /// Loads what is needed to write rows.
    pub(super) fn prepare(&mut self) -> Result<(), StoreError> {
        self.store.load_phrases(self.connection)?;
        self.store.phrases_mut().index();
        Ok(())
    }

    /// Something shown has changed.
    pub(super) fn mark_changed(&mut self) {
        self.changed = true;
    }

    /// Something was given another name.
    pub(super) fn mark_renamed(&mut self) {
        self.named = true;
    }

    /// Packs a row, coining the phrases that it needs. A place that was never met teaches the directory.
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

    /// Adds a row, unless its identifier is known: then it is updated. `list` and `ordinal` tell where the service lists it,
    /// and `stands_at` the time by which it stands if it has none of its own.
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
        // None was later than when it was seen.
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

    /// Something happened to the user of a row.
    fn mark_affected(&mut self, transaction: &Transaction) {
        if let Some(user) = transaction.user.as_ref().filter(|_| self.moved.len() < MOVED) {
            self.moved.insert(user.clone());
        }
    }

    /// Takes in what the service says now about a known row. When it was first seen stays.
    pub(super) fn update(&mut self, seq: i64, transaction: &Transaction) -> Result<bool, StoreError> {
        self.change(seq, transaction, false)
    }

    /// The same where the row may have been read wrong, the list on which it stands included.
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
            // Both lists hold it, and do not say which way it went: what it was read as first stays, until a look through
            // all of both lists says otherwise. Whether the other one holds it still is told by the next such look.
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
        let stands_at = RowParts::read(&old_body).map_or(seen_at, |old| old.stands_at());
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

    /// Notes by which time a row stands.
    fn note_time(&mut self, seq: i64, body: &[u8]) {
        if let Some(parts) = RowParts::read(body) {
            self.reached.entry(segment::number_of(seq)).or_default().take_in(parts.time());
        }
    }

    /// Notes where a row that is not final was met.
    pub(super) fn update_ordinal(&self, seq: i64, ordinal: i64) -> Result<(), StoreError> {
        self.connection
            .prepare_cached("UPDATE open_deed SET ordinal = ?2 WHERE seq = ?1 AND ordinal <> ?2")?
            .execute(params![seq, ordinal])?;
        Ok(())
    }

    /// Brings everything that follows from rows up to them, at the end of the batch.
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
        // Nobody asks for sums before the history is whole, and once is cheaper than with every batch.
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

    /// The phrases, for whoever unpacks rows within a batch.
    pub(super) fn phrases(&self) -> ReadGuard<'_> {
        self.store.phrases()
    }
}

/// Whether a row is final and does not say enough to be counted: which way it went, how much, or through which wallet.
fn is_incomplete(transaction: &Transaction, words: &FinalStatuses) -> bool {
    let says_enough = transaction.wallet.is_some()
        && BalanceDelta::from_transaction(transaction, words) != Some(BalanceDelta::Unclear);
    transaction.is_final(words) && !says_enough
}

/// What became of a row that was received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowChange {
    New,
    Changed,
    Known,
}
