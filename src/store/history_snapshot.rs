//! The history as one transaction of the cache sees it.

use super::cache_state::{self, CacheState};
use super::directory_names::DirectoryNames;
use super::price_index::RowPricer;
use super::result_set::FilterInputVersions;
use super::row_set::RowSet;
use super::scan::{PoisonPhrases, ScopeLineMatcher, Search, SegmentSource};
use super::segment::{
    self, Segment, SegmentExtent, SegmentPart, position_in_segment, segment_bounds, segment_number_of,
};
use super::token_list::{read_tokens, token_list_id};
use super::{Cancel, Store, StoreError, lock_mutex, price_samples};
use crate::domain::filter::Filter;
use crate::domain::history::{PriceList, Scope};
use rusqlite::Connection;
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) struct HistorySnapshot<'a> {
    pub(super) store: &'a Store,
    pub(super) connection: &'a Connection,
    /// The snapshot is of this version or a newer one.
    pub(super) version: u64,
    /// The oldest and the newest row.
    pub(super) ends: (i64, i64),
    pub(super) sealed: Option<(i64, i64)>,
}

impl Store {
    /// Reads the history in one transaction; `None` while it has no rows.
    pub(super) fn read_history<T>(
        &self,
        read: impl FnOnce(&HistorySnapshot<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let version = self.version();
        self.read_in_transaction(|connection| {
            let Some(ends) = cache_state::oldest_and_newest_seq(connection)? else { return Ok(None) };
            let sealed = CacheState::read(connection)?.sealed;
            read(&HistorySnapshot { store: self, connection, version, ends, sealed }).map(Some)
        })
    }
}

impl HistorySnapshot<'_> {
    /// Newest first.
    pub(super) fn segment_numbers(&self) -> impl DoubleEndedIterator<Item = i64> + use<> {
        (segment_number_of(self.ends.0)..=segment_number_of(self.ends.1)).rev()
    }

    pub(super) fn is_sealed(&self, number: i64) -> bool {
        self.sealed.is_some_and(|(low, high)| (low..=high).contains(&number))
    }

    /// A segment that is not full, or not built to the wanted extent: built from its rows and cached until one changes.
    pub(super) fn build_unsealed_segment(
        &self,
        number: i64,
        extent: SegmentExtent,
    ) -> Result<Arc<Segment>, StoreError> {
        if let Some((built, segment)) = lock_mutex(&self.store.inner.touched_segments).unsealed.get(&number)
            && *built <= self.version
            && segment.extent >= extent
        {
            return Ok(Arc::clone(segment));
        }
        self.store.load_whole_dictionary(self.connection)?;
        let segment =
            Arc::new(Segment::build_from_rows(self.connection, &self.store.read_dictionary(), number, extent)?);
        let mut touched = lock_mutex(&self.store.inner.touched_segments);
        if touched.versions.get(&number).is_none_or(|version| *version <= self.version) {
            touched.unsealed.insert(number, (self.version, Arc::clone(&segment)));
        }
        Ok(segment)
    }

    pub(super) fn scan_segment(&self, search: &Search, number: i64, candidates: RowSet) -> Result<RowSet, StoreError> {
        if self.is_sealed(number) {
            search.filter_rows_of_segment(&SegmentSource::sealed(self.connection, number), candidates)
        } else {
            let segment = self.build_unsealed_segment(number, search.needed_extent())?;
            search.filter_rows_of_segment(
                &SegmentSource::Open { segment: &segment, number },
                candidates.and(&self.filled_positions(number)),
            )
        }
    }

    pub(super) fn with_part<T>(
        &self,
        number: i64,
        part: SegmentPart,
        read: impl FnOnce(&[u8]) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.is_sealed(number) {
            segment::with_sealed_part(self.connection, number, part, read)
        } else {
            read(self.build_unsealed_segment(number, part.extent())?.part_bytes(part))
        }
    }

    pub(super) fn segments_touched_since(&self, version: u64) -> BTreeSet<i64> {
        lock_mutex(&self.store.inner.touched_segments).segments_touched_since(version).collect()
    }

    /// The version that last changed a segment.
    pub(super) fn segment_version(&self, number: i64) -> u64 {
        lock_mutex(&self.store.inner.touched_segments).versions.get(&number).copied().unwrap_or(0)
    }

    /// The positions of a segment that have rows.
    pub(super) fn filled_positions(&self, number: i64) -> RowSet {
        let (oldest, newest) = segment_bounds(number);
        if self.ends.0 <= oldest && newest <= self.ends.1 {
            return RowSet::ALL;
        }
        let mut hits = RowSet::NONE;
        for seq in oldest.max(self.ends.0)..=newest.min(self.ends.1) {
            hits.insert(position_in_segment(seq));
        }
        hits
    }

    /// What the rows of a filter depend on beside themselves.
    pub(super) fn filter_input_versions(&self, filter: &Filter) -> Result<FilterInputVersions, StoreError> {
        let mut inputs = FilterInputVersions::default();
        if filter.depends_on_own_addresses() {
            inputs.own_address_changes = Some(self.store.cached_own_addresses(self.connection)?.changes);
        }
        if filter.poison_filter.is_some() {
            inputs.token_list_id = token_list_id(self.connection)?;
        }
        Ok(inputs)
    }

    /// Every phrase must be loaded.
    pub(super) fn compile_search(&self, filter: &Filter, scope: &Scope) -> Result<Search, StoreError> {
        let names = if filter.depends_on_names() { Some(self.directory_names()?) } else { None };
        let addresses = if filter.depends_on_own_addresses() {
            Some(self.store.cached_own_addresses(self.connection)?)
        } else {
            None
        };
        let valuation = filter.prices().map(|prices| &prices.token);
        let history = valuation.map(|token| price_samples::read_price_history(self.connection, token)).transpose()?;
        let usual = match filter.usual_age_reference_time() {
            Some(now) => Some(self.store.summarise_recent_rows(self, now, &Cancel::new())?.settlement_times()),
            None => None,
        };
        let poison = filter.poison_filter.clone();
        let poison = poison
            .map(|filter| Ok::<_, StoreError>((filter, self.store.imitation_cache(self.connection)?)))
            .transpose()?;
        let phrases = self.store.read_dictionary();
        let scope_phrases = ScopeLineMatcher::for_scope(scope).map(|matcher| {
            self.store.inner.scope_phrases.get_or_find(&phrases, scope.clone(), || matcher.find_phrases(&phrases))
        });
        let mut search = Search::new(filter, scope_phrases, &phrases, self.store.final_statuses());
        search = search.with_orders(filter, self.connection)?;
        if let Some(names) = names {
            search = search.with_names(&names, &phrases);
        }
        if let Some(addresses) = addresses {
            search = search.with_own_addresses(&addresses, &phrases);
        }
        if let Some(usual) = usual {
            search = search.with_settlement_times(&usual, &phrases);
        }
        if let Some((poison_filter, imitations)) = poison {
            let poison_phrases =
                self.store
                    .inner
                    .poison_phrases
                    .get_or_find(&phrases, imitations.token_list_id(), || PoisonPhrases::find(&phrases, &imitations));
            search = search.excluding_poison(poison_filter, poison_phrases);
        }
        if !search.needs_listed_tokens() {
            return Ok(search);
        }
        Ok(search.excluding_imitations(&read_tokens(self.connection)?, history.as_ref(), &phrases))
    }

    fn directory_names(&self) -> Result<Arc<DirectoryNames>, StoreError> {
        let renamed_at = lock_mutex(&self.store.inner.touched_segments).last_rename_version();
        DirectoryNames::current(&self.store.inner.directory_names, self.connection, self.version, renamed_at)
    }

    /// Values of rows by the given prices; `None` without prices.
    pub(super) fn row_pricer(&self, prices: &PriceList) -> Result<Option<RowPricer>, StoreError> {
        if prices.prices.is_empty() {
            return Ok(None);
        }
        self.store.load_whole_dictionary(self.connection)?;
        Ok(Some(RowPricer::new(prices, &read_tokens(self.connection)?, &self.store.read_dictionary())))
    }

    /// Scans segments, on two threads where there is enough to do.
    pub(super) fn scan_segments(
        &self,
        search: &Search,
        work: &[(i64, RowSet)],
        cancel: &Cancel,
    ) -> Result<Vec<(i64, RowSet)>, StoreError> {
        let one = |(number, candidates): &(i64, RowSet)| {
            cancel.check()?;
            Ok((*number, self.scan_segment(search, *number, *candidates)?))
        };
        let sealed = |(number, _): &&(i64, RowSet)| self.is_sealed(*number);
        // Every second full segment goes to the other thread, which reads through its own connection.
        let lease = if work.len() < 8 { None } else { self.store.lease_reader()? };
        let Some(lease) = lease else { return work.iter().map(one).collect() };
        let (other_segments, own_segments): (Vec<_>, Vec<_>) =
            work.iter().enumerate().partition(|(index, item)| index % 2 == 1 && sealed(item));
        std::thread::scope(|threads| {
            let other = threads.spawn(move || {
                let lease = lease;
                other_segments
                    .into_iter()
                    .map(|(_, (number, candidates))| {
                        cancel.check()?;
                        Ok((
                            *number,
                            search.filter_rows_of_segment(&SegmentSource::sealed(&lease, *number), *candidates)?,
                        ))
                    })
                    .collect::<Result<Vec<_>, StoreError>>()
            });
            let own_sets = own_segments.into_iter().map(|(_, item)| one(item)).collect::<Result<Vec<_>, _>>();
            let other_sets = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            let mut all = own_sets?;
            all.extend(other_sets?);
            Ok(all)
        })
    }
}
