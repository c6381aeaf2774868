//! Summarises the newest rows, for what needs a person. A segment is summarised once, and again when it changed. Whether
//! an address was paid before is searched for in the whole history, once: new rows come above, and only the backfill and a
//! rescan add older ones.

use rusqlite::Connection;

use super::activity_cache::PaidBeforeCache;
use super::cache_state;
use super::history_snapshot::HistorySnapshot;
use super::imitation_cache::ImitationCache;
use super::own_addresses::CachedAddresses;
use super::row_set::RowSet;
use super::segment::{segment_bounds, segment_number_of, seq_at};
use super::{Cancel, Store, StoreError, lock_mutex, row};
use crate::domain::filter::{Filter, FilterField, FilterTerm, RowPredicate, fold_case};
use crate::domain::history::Scope;
use crate::domain::imitation::TokenCandidate;
use crate::domain::recent_activity::{ACTIVITY_PERIOD, RecentActivity};
use crate::domain::{Direction, Text, Timestamp};

/// The most segments that are examined, the newest: about 16,000 rows.
const MAX_SEGMENTS: usize = 16;

/// More answers are not cached.
const MAX_CACHED_ANSWERS: usize = 1_000;

impl Store {
    /// The newest rows of the last [`ACTIVITY_PERIOD`], or as many of them as are examined.
    pub fn recent_activity(&self, now: Timestamp, cancel: &Cancel) -> Result<RecentActivity, StoreError> {
        let activity = self.read_history(|snapshot| self.summarise_recent_rows(snapshot, now, cancel))?;
        Ok(activity.unwrap_or_default())
    }

    /// The same of a snapshot.
    pub(super) fn summarise_recent_rows(
        &self,
        snapshot: &HistorySnapshot<'_>,
        now: Timestamp,
        cancel: &Cancel,
    ) -> Result<RecentActivity, StoreError> {
        let HistorySnapshot { connection, version, ends, .. } = *snapshot;
        let mut whole = RecentActivity::default();
        let (imitations, own) = (self.imitation_cache(connection)?, self.cached_own_addresses(connection)?);
        let inputs = (imitations.token_list_id(), own.changes);
        let mut cache = std::mem::take(&mut *lock_mutex(&self.inner.activity_cache));
        let mut examined = Vec::new();
        // The newest and the oldest segment grow without being marked as touched.
        let grows = |number: i64| number == segment_number_of(ends.0) || number == segment_number_of(ends.1);
        for number in snapshot.segment_numbers().take(MAX_SEGMENTS) {
            cancel.check()?;
            let touched = snapshot.segment_version(number);
            let cached = cache.remove(&number).filter(|(made_of, cached_inputs, _)| {
                *made_of >= touched && *made_of > 0 && *cached_inputs == inputs && !grows(number)
            });
            let summary = match cached {
                Some(cached) => cached,
                None => (version, inputs, self.summarise_segment(connection, number, &imitations, &own)?),
            };
            whole.merge_older(&summary.2);
            examined.push((number, summary));
            if whole.oldest_row_time().is_some_and(|oldest| oldest.age(now) > ACTIVITY_PERIOD) {
                break;
            }
        }
        *lock_mutex(&self.inner.activity_cache) = examined.into_iter().collect();
        Ok(whole)
    }

    fn summarise_segment(
        &self,
        connection: &Connection,
        number: i64,
        imitations: &ImitationCache,
        own: &CachedAddresses,
    ) -> Result<RecentActivity, StoreError> {
        let (oldest, newest) = segment_bounds(number);
        let mut statement =
            connection.prepare_cached("SELECT -nth, body FROM deed WHERE nth BETWEEN ?1 AND ?2 ORDER BY nth")?;
        let rows = statement.query_map([-newest, -oldest], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let bodies: Vec<(i64, Vec<u8>)> = rows.collect::<Result<_, _>>()?;
        self.load_phrases_of_rows(connection, bodies.iter().map(|(_, body)| body.as_slice()))?;
        let mut summary = RecentActivity::default();
        for (seq, body) in &bodies {
            let unpacked = row::unpack_row(body, &self.read_dictionary());
            let (transaction, times) = unpacked.ok_or_else(|| StoreError::damaged("a row cannot be read"))?;
            let candidate = TokenCandidate {
                token: &transaction.token,
                symbol: &transaction.symbol,
                name: transaction.token_name.as_ref(),
                decimals: transaction.amount.as_ref().map(|amount| amount.even_if_disputed().decimals()),
            };
            let imitates = imitations.is_imitation(&candidate);
            let internal = transaction.is_internal(own.own.on_chain(&transaction.token.blockchain));
            summary.add_row(*seq, times, &transaction, imitates, internal, self.final_statuses());
        }
        summary.shrink_to_fit();
        Ok(summary)
    }

    /// Whether the history has an outgoing row to an address below the row at `seq`.
    pub fn was_paid_before(&self, address: &Text, seq: i64) -> Result<bool, StoreError> {
        let ends = self.read_in_transaction(cache_state::oldest_and_newest_seq)?;
        let is_rescanning = self.progress()?.is_rescanning;
        let oldest_and_rescanning = ends.map(|(oldest, _)| (oldest, is_rescanning));
        let key = (address.clone(), seq);
        {
            let mut cache = lock_mutex(&self.inner.paid_before_cache);
            if cache.oldest_and_rescanning != oldest_and_rescanning || cache.was_paid.len() >= MAX_CACHED_ANSWERS {
                *cache = PaidBeforeCache { oldest_and_rescanning, ..PaidBeforeCache::default() };
            }
            if let Some(was_paid) = cache.was_paid.get(&key) {
                return Ok(*was_paid);
            }
        }
        let was_paid = self.find_payment_before(address, seq)?;
        lock_mutex(&self.inner.paid_before_cache).was_paid.insert(key, was_paid);
        Ok(was_paid)
    }

    /// Searches from the newest to the oldest: most addresses that are paid again were paid a short while ago.
    fn find_payment_before(&self, address: &Text, seq: i64) -> Result<bool, StoreError> {
        let term = |field, needle: String| FilterTerm { field: Some(field), predicate: RowPredicate::Contains(needle) };
        let terms = vec![
            term(FilterField::Direction, Direction::Outgoing.word().to_owned()),
            term(FilterField::To, fold_case(address)),
        ];
        let filter = Filter { terms, ..Filter::default() };
        let was_paid = self.read_history(|snapshot| {
            self.load_whole_dictionary(snapshot.connection)?;
            let search = snapshot.compile_search(&filter, &Scope::All)?;
            for number in snapshot.segment_numbers().filter(|number| *number <= segment_number_of(seq)) {
                let hits = snapshot.scan_segment(&search, number, RowSet::ALL)?;
                let older = hits.positions().map(|position| seq_at(number, position)).filter(|hit| *hit < seq);
                let rows = self.rows_by_seq(snapshot.connection, &older.collect::<Vec<i64>>())?;
                if rows.iter().any(|row| row.transaction.to_address.as_ref() == Some(address)) {
                    return Ok(true);
                }
            }
            Ok(false)
        })?;
        Ok(was_paid.unwrap_or(false))
    }
}
