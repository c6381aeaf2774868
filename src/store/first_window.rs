//! The first window of a list without a filter, of everything or of an account, a wallet or a user, from the newest rows
//! of the whole history.
//!
//! A search reads every phrase first, some megabytes with 20,000 wallets, and starting a console would wait for that.
//! Mostly the first rows are among the newest few hundred, and the search only has to count the others.

use super::by_time::{RowSelection, RowsByTime};
use super::history_snapshot::HistorySnapshot;
use super::scan::ScopeLineMatcher;
use super::{Store, StoreError, lock_mutex, row};
use crate::domain::filter::Filter;
use crate::domain::history::{HistoryRow, RowCount, Sort, Window, WindowAnchor, WindowRequest};

/// Rows examined per step, and in all.
const ROWS_PER_STEP: usize = 64;
const MAX_EXAMINED_ROWS: u64 = 512;

impl Store {
    /// The first window of a scope, less what is folded, where its rows and one more are among the newest; `None` where
    /// they are not, where the result is cached already, and for every other query.
    pub(super) fn first_unfiltered_window(
        &self,
        snapshot: &HistorySnapshot<'_>,
        request: &WindowRequest,
        filter: &Filter,
    ) -> Result<Option<Window<HistoryRow>>, StoreError> {
        let plain = filter.is_empty() && request.query.sort == Sort::Newest && request.anchor == WindowAnchor::Rank(0);
        if !plain || self.has_cached_result(request, filter) {
            return Ok(None);
        }
        let scope_matcher = ScopeLineMatcher::for_scope(&request.query.scope);
        let connection = snapshot.connection;
        let limit = usize::try_from(request.rows).unwrap_or(usize::MAX);
        let newest = RowsByTime::new(snapshot, RowSelection::All)?.seqs_from_rank(0, MAX_EXAMINED_ROWS)?;
        let mut statement = connection.prepare_cached("SELECT body FROM deed WHERE nth = -?1")?;
        let mut rows: Vec<HistoryRow> = Vec::new();
        for seqs in newest.chunks(ROWS_PER_STEP) {
            let body = |seq: &i64| Ok((*seq, statement.query_row([seq], |row| row.get(0))?));
            let mut block = seqs.iter().map(body).collect::<Result<Vec<(i64, Vec<u8>)>, StoreError>>()?;
            self.load_phrases_of_rows(connection, block.iter().map(|(_, body)| body.as_slice()))?;
            if let Some(scope_matcher) = &scope_matcher {
                let phrases = self.read_dictionary();
                block.retain(|(_, body)| {
                    row::read_phrase_codes(body)
                        .and_then(|[at, ..]| phrases.line(at))
                        .is_some_and(|line| scope_matcher.matches_line(line))
                });
            }
            let is_shown =
                |row: &HistoryRow| filter.poison_filter.as_ref().is_none_or(|poison_filter| !poison_filter.hides(row));
            rows.extend(self.unpack_rows(connection, &block)?.into_iter().filter(is_shown));
            if rows.len() > limit {
                rows.truncate(limit);
                let count = RowCount::AtLeast(u64::from(request.rows).saturating_add(1));
                return Ok(Some(Window { first: 0, rows, count }));
            }
        }
        Ok(None)
    }

    fn has_cached_result(&self, request: &WindowRequest, filter: &Filter) -> bool {
        let result_sets = lock_mutex(&self.inner.result_sets).clone();
        result_sets.iter().any(|result_set| {
            let result = lock_mutex(result_set);
            result.scope == request.query.scope && result.filter == *filter
        })
    }
}
