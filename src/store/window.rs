//! Windows of the history: the rows of a query from some rank on, and the total count.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use rusqlite::{Connection, OptionalExtension};

use super::by_time::{RowSelection, RowsByTime};
use super::cache_state::{self, CacheState};
use super::history_snapshot::HistorySnapshot;
use super::result_set::{PartialResultFn, ResultSet};
use super::{Cancel, Store, StoreError, lock_mutex, row};
use crate::domain::history::{HistoryRow, Query, RowCount, RowTimes, Scope, Sort, Window, WindowAnchor, WindowRequest};
use crate::domain::imitation::TokenCandidate;
use crate::domain::{Text, WalletId};

/// Cached result sets that are kept up to date, the latest first.
const MAX_CACHED_RESULTS: usize = 4;

impl Store {
    /// Answers a window of the history.
    ///
    /// A slow search answers twice: as soon as the rows of the window are certain, with a partial count, and again when
    /// all rows are counted. A query cancelled meanwhile ends with [`StoreError::Cancelled`].
    pub fn query_history(
        &self,
        request: &WindowRequest,
        cancel: &Cancel,
        answer: &mut dyn FnMut(Window<HistoryRow>),
    ) -> Result<(), StoreError> {
        let version = self.version();
        self.read_in_transaction(|connection| {
            cancel.check()?;
            let Some(ends) = cache_state::oldest_and_newest_seq(connection)? else {
                answer(Window::default());
                return Ok(());
            };
            let filter = &request.query.filter;
            let all = filter.matches_everything() && request.query.scope == Scope::All;
            if all && request.query.sort == Sort::Listed {
                answer(self.window_as_listed(connection, request, ends)?);
                return Ok(());
            }
            let sealed = CacheState::read(connection)?.sealed;
            let snapshot = HistorySnapshot { store: self, connection, version, ends, sealed };
            if all && matches!(request.query.sort, Sort::Newest | Sort::Oldest) {
                answer(self.window_by_time(&snapshot, request, RowSelection::All)?);
                return Ok(());
            }
            let first_rows = self.first_unfiltered_window(&snapshot, request, filter)?;
            let answered = first_rows.is_some();
            first_rows.into_iter().for_each(&mut *answer);
            let result_set = self.result_set(&snapshot, &request.query, cancel, &mut |partial, others| {
                if answered {
                    return Ok(true);
                }
                if let Some(window) = self.early_window(&snapshot, request, partial, others)? {
                    answer(window);
                    return Ok(true);
                }
                Ok(false)
            })?;
            let mut result_set = lock_mutex(&result_set);
            answer(self.window_of_result(&snapshot, request, &mut result_set, cancel)?);
            Ok(())
        })
    }

    fn window_by_time(
        &self,
        snapshot: &HistorySnapshot<'_>,
        request: &WindowRequest,
        rows: RowSelection<'_>,
    ) -> Result<Window<HistoryRow>, StoreError> {
        let by_time = RowsByTime::new(snapshot, rows)?;
        let (total, limit) = (by_time.total(), u64::from(request.rows));
        let oldest_first = request.query.sort == Sort::Oldest;
        let rank = match request.anchor {
            WindowAnchor::Row { seq, .. } => by_time.rank(seq, oldest_first)?,
            WindowAnchor::Rank(_) | WindowAnchor::End => 0,
        };
        let first = first_rank_of_window(request, total, |_| rank);
        let seqs = if oldest_first {
            by_time.seqs_from_rank_oldest_first(first, limit)?
        } else {
            by_time.seqs_from_rank(first, limit)?
        };
        let rows = self.rows_by_seq(snapshot.connection, &seqs)?;
        Ok(Window { first, rows, count: RowCount::Exact(total) })
    }

    /// A window of all rows as the service lists them: no search, no count, one range of rows.
    fn window_as_listed(
        &self,
        connection: &Connection,
        request: &WindowRequest,
        (oldest, newest): (i64, i64),
    ) -> Result<Window<HistoryRow>, StoreError> {
        let total = cache_state::count_rows(Some((oldest, newest)));
        let first = first_rank_of_window(request, total, |seq| u64::try_from(newest.saturating_sub(seq)).unwrap_or(0));
        let from = newest.saturating_sub_unsigned(first);
        let mut statement =
            connection.prepare_cached("SELECT -nth, body FROM deed WHERE nth >= -?1 ORDER BY nth LIMIT ?2")?;
        let bodies: Vec<(i64, Vec<u8>)> = statement
            .query_map([from, i64::from(request.rows)], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        let rows = self.unpack_rows(connection, &bodies)?;
        Ok(Window { first, rows, count: RowCount::Exact(total) })
    }

    /// The cached result set of a query, brought up to date, or a new one.
    pub(super) fn result_set(
        &self,
        snapshot: &HistorySnapshot<'_>,
        query: &Query,
        cancel: &Cancel,
        try_early_answer: &mut PartialResultFn<'_, bool>,
    ) -> Result<Arc<Mutex<ResultSet>>, StoreError> {
        let filter = &query.filter;
        let result_sets: Vec<Arc<Mutex<ResultSet>>> = lock_mutex(&self.inner.result_sets).clone();
        for cached in &result_sets {
            let mut result_set = lock_mutex(cached);
            if result_set.scope == query.scope && result_set.filter == *filter {
                result_set.refresh(snapshot, cancel)?;
                drop(result_set);
                self.cache_result_set(cached);
                return Ok(Arc::clone(cached));
            }
        }
        let result_set = if filter.matches_everything() && query.scope == Scope::All {
            ResultSet::of_all_rows(snapshot)
        } else {
            // The narrowest cached result that this query narrows further.
            let wider = result_sets
                .iter()
                .filter(|candidate| {
                    let candidate = lock_mutex(candidate);
                    candidate.scope == query.scope
                        && !candidate.filter.matches_everything()
                        && filter.narrows(&candidate.filter)
                })
                .min_by_key(|candidate| lock_mutex(candidate).total());
            let mut wider = wider.map(|wider| lock_mutex(wider));
            if let Some(wider) = &mut wider {
                wider.refresh(snapshot, cancel)?;
            }
            let by_time = matches!(query.sort, Sort::Newest | Sort::Oldest);
            let mut answered = !by_time;
            let mut so_far = |partial: &ResultSet, others: &[i64]| {
                if !answered {
                    answered = try_early_answer(partial, others)?;
                }
                Ok(())
            };
            let oldest_first = query.sort == Sort::Oldest;
            ResultSet::search_history(
                snapshot,
                &query.scope,
                filter,
                wider.as_deref(),
                oldest_first,
                cancel,
                &mut so_far,
            )?
        };
        let result_set = Arc::new(Mutex::new(result_set));
        self.cache_result_set(&result_set);
        Ok(result_set)
    }

    fn cache_result_set(&self, result_set: &Arc<Mutex<ResultSet>>) {
        let mut result_sets = lock_mutex(&self.inner.result_sets);
        result_sets.retain(|other| !Arc::ptr_eq(other, result_set));
        result_sets.insert(0, Arc::clone(result_set));
        result_sets.truncate(MAX_CACHED_RESULTS);
    }

    /// The window, if the partial result is enough to fill it.
    fn early_window(
        &self,
        snapshot: &HistorySnapshot<'_>,
        request: &WindowRequest,
        result_set: &ResultSet,
        others: &[i64],
    ) -> Result<Option<Window<HistoryRow>>, StoreError> {
        let total = result_set.total();
        let oldest_first = request.query.sort == Sort::Oldest;
        let by_time = RowsByTime::new(snapshot, RowSelection::Matching(result_set))?;
        let first = match request.anchor {
            WindowAnchor::End => return Ok(None),
            WindowAnchor::Rank(first) => first,
            WindowAnchor::Row { seq, above } => by_time.rank(seq, oldest_first)?.saturating_sub(u64::from(above)),
        };
        let limit = u64::from(request.rows);
        if first.saturating_add(limit) >= total {
            return Ok(None);
        }
        let seqs = if oldest_first {
            by_time.seqs_from_rank_oldest_first(first, limit)?
        } else {
            by_time.seqs_from_rank(first, limit)?
        };
        // Later hits must lie beyond the last row.
        if !seqs.last().is_some_and(|last| snapshot.row_precedes_segments(*last, others, oldest_first).unwrap_or(false))
        {
            return Ok(None);
        }
        let rows = self.rows_by_seq(snapshot.connection, &seqs)?;
        Ok(Some(Window { first, rows, count: RowCount::AtLeast(total) }))
    }

    fn window_of_result(
        &self,
        snapshot: &HistorySnapshot<'_>,
        request: &WindowRequest,
        result_set: &mut ResultSet,
        cancel: &Cancel,
    ) -> Result<Window<HistoryRow>, StoreError> {
        let total = result_set.total();
        let limit = u64::from(request.rows);
        let (first, seqs) = match request.query.sort {
            Sort::Newest | Sort::Oldest => {
                return self.window_by_time(snapshot, request, RowSelection::Matching(result_set));
            }
            Sort::Listed => {
                let first = first_rank_of_window(request, total, |seq| result_set.count_newer(seq));
                (first, result_set.hits_from_rank(first, limit))
            }
            sort @ (Sort::Largest | Sort::Smallest) => {
                let sorted = result_set.hits_by_amount(snapshot, &request.query.prices, cancel)?;
                let rank = |seq: i64| {
                    let at = sorted.iter().position(|other| *other == seq).unwrap_or(0) as u64;
                    if sort == Sort::Largest { at } else { total.saturating_sub(at + 1) }
                };
                let first = first_rank_of_window(request, total, rank);
                let from = usize::try_from(first).unwrap_or(usize::MAX);
                let count = usize::try_from(limit).unwrap_or(usize::MAX);
                let seqs: Vec<i64> = if sort == Sort::Largest {
                    sorted.iter().skip(from).take(count).copied().collect()
                } else {
                    sorted.iter().rev().skip(from).take(count).copied().collect()
                };
                (first, seqs)
            }
        };
        let rows = self.rows_by_seq(snapshot.connection, &seqs)?;
        Ok(Window { first, rows, count: RowCount::Exact(total) })
    }

    /// The rows with these `seq`s, in this order.
    pub(super) fn rows_by_seq(&self, connection: &Connection, seqs: &[i64]) -> Result<Vec<HistoryRow>, StoreError> {
        let mut statement = connection.prepare_cached("SELECT body FROM deed WHERE nth = -?1")?;
        let bodies = seqs
            .iter()
            .map(|seq| Ok((*seq, statement.query_row([seq], |row| row.get(0))?)))
            .collect::<Result<Vec<(i64, Vec<u8>)>, StoreError>>()?;
        self.unpack_rows(connection, &bodies)
    }

    /// Unpacks rows, loading the phrases that they name.
    pub(super) fn unpack_rows(
        &self,
        connection: &Connection,
        bodies: &[(i64, Vec<u8>)],
    ) -> Result<Vec<HistoryRow>, StoreError> {
        self.load_phrases_of_rows(connection, bodies.iter().map(|(_, body)| body.as_slice()))?;
        let phrases = self.read_dictionary();
        let imitations = self.imitation_cache(connection)?;
        let addresses = self.cached_own_addresses(connection)?;
        let mut names = WalletNames::default();
        let mut judged = HashMap::new();
        let mut own_by_wallet_code = HashMap::new();
        bodies
            .iter()
            .map(|(seq, body)| {
                let (transaction, RowTimes { seen_at, time }) =
                    row::unpack_row(body, &phrases).ok_or_else(|| StoreError::damaged("a row cannot be read"))?;
                let wallet_name = match &transaction.wallet {
                    Some(wallet) => names.name_of(connection, wallet)?,
                    None => None,
                };
                let candidate = TokenCandidate {
                    token: &transaction.token,
                    symbol: &transaction.symbol,
                    name: transaction.token_name.as_ref(),
                    decimals: transaction.amount.as_ref().map(|amount| amount.even_if_disputed().decimals()),
                };
                // The judgement depends on two phrases and the fraction digits. Caching it by those avoids copying the
                // token's names for each row.
                let [wallet_code, transfer_code, _] = row::read_phrase_codes(body).unwrap_or_default();
                let suspicious = *judged
                    .entry((wallet_code, transfer_code, candidate.decimals))
                    .or_insert_with(|| imitations.is_imitation(&candidate));
                let own = *own_by_wallet_code
                    .entry(wallet_code)
                    .or_insert_with(|| addresses.own.on_chain(&transaction.token.blockchain));
                let internal = transaction.is_internal(own);
                Ok(HistoryRow { seq: *seq, seen_at, time, transaction, wallet_name, suspicious, internal })
            })
            .collect()
    }
}

/// Names of wallets, each looked up once for a window.
#[derive(Default)]
struct WalletNames(HashMap<WalletId, Option<Text>>);

impl WalletNames {
    fn name_of(&mut self, connection: &Connection, wallet: &WalletId) -> Result<Option<Text>, StoreError> {
        if let Some(name) = self.0.get(wallet) {
            return Ok(name.clone());
        }
        let name: Option<String> = connection
            .prepare_cached("SELECT name FROM wallet WHERE id = ?1")?
            .query_row([wallet.as_str()], |row| row.get(0))
            .optional()?
            .flatten();
        let name = name.as_deref().map(Text::clean);
        self.0.insert(wallet.clone(), name.clone());
        Ok(name)
    }
}

/// The rank at which a window begins, shifted so that the window is full where there are enough rows.
fn first_rank_of_window(request: &WindowRequest, total: u64, rank: impl Fn(i64) -> u64) -> u64 {
    let last = total.saturating_sub(u64::from(request.rows));
    let first = match request.anchor {
        WindowAnchor::Rank(first) => first,
        WindowAnchor::Row { seq, above } => rank(seq).saturating_sub(u64::from(above)),
        WindowAnchor::End => last,
    };
    first.min(last)
}
