//! Finds the rows of a result in a snapshot, and keeps the result up to date.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::{AmountOrder, FilterInputVersions, ResultSet};
use crate::domain::filter::Filter;
use crate::domain::history::{PriceList, Scope};
use crate::store::history_snapshot::HistorySnapshot;
use crate::store::price_index::value_sort_key;
use crate::store::row_set::RowSet;
use crate::store::segment::{SegmentPart, segment_number_of, seq_at};
use crate::store::{Cancel, StoreError, lock_mutex};

/// Called with the partial result and the segments not yet scanned.
pub(in crate::store) type PartialResultFn<'a, T> = dyn FnMut(&ResultSet, &[i64]) -> Result<T, StoreError> + 'a;

impl ResultSet {
    /// Every row, without reading any.
    pub(in crate::store) fn of_all_rows(snapshot: &HistorySnapshot<'_>) -> Self {
        let hits = snapshot.segment_numbers().map(|number| (number, snapshot.filled_positions(number))).collect();
        Self::with_hits(snapshot, Scope::All, Filter::default(), hits)
    }

    fn with_hits(snapshot: &HistorySnapshot<'_>, scope: Scope, filter: Filter, hits: BTreeMap<i64, RowSet>) -> Self {
        let mut result_set = Self {
            scope,
            filter,
            version: snapshot.version,
            inputs: FilterInputVersions::default(),
            ends: snapshot.ends,
            hits,
            ranks: Vec::new(),
            total: 0,
            row_counts: OnceLock::new(),
            by_amount: None,
        };
        result_set.rebuild_ranks();
        result_set
    }

    /// Searches the whole history, calling `so_far` now and then. Segments whose rows come first by time are scanned
    /// first. `former` is the result of a wider query, if there is one: only its rows are examined.
    pub(in crate::store) fn search_history(
        snapshot: &HistorySnapshot<'_>,
        scope: &Scope,
        filter: &Filter,
        former: Option<&Self>,
        oldest_first: bool,
        cancel: &Cancel,
        so_far: &mut PartialResultFn<'_, ()>,
    ) -> Result<Self, StoreError> {
        snapshot.store.load_whole_dictionary(snapshot.connection)?;
        let search = snapshot.compile_search(filter, scope)?;
        let candidates = |number: i64| match former {
            None => Some(RowSet::ALL),
            Some(former) => former.hits.get(&number).copied(),
        };
        let numbers = snapshot.segments_by_time(oldest_first)?.into_iter();
        let work: Vec<_> = numbers.filter_map(|number| Some((number, candidates(number)?))).collect();
        let mut result_set = Self::with_hits(snapshot, scope.clone(), filter.clone(), BTreeMap::new());
        result_set.inputs = snapshot.filter_input_versions(filter)?;
        let (mut rest, mut step) = (work.as_slice(), 4);
        while !rest.is_empty() {
            let (now, later) = rest.split_at(step.min(rest.len()));
            for (number, hits) in snapshot.scan_segments(&search, now, cancel)? {
                if !hits.is_empty() {
                    result_set.hits.insert(number, hits);
                }
            }
            rest = later;
            step *= 2;
            if !rest.is_empty() {
                result_set.rebuild_ranks();
                let others: Vec<i64> = rest.iter().map(|(number, _)| *number).collect();
                so_far(&result_set, &others)?;
            }
        }
        result_set.rebuild_ranks();
        Ok(result_set)
    }

    /// Updates the result to the snapshot: only changed segments are scanned again.
    pub(in crate::store) fn refresh(
        &mut self,
        snapshot: &HistorySnapshot<'_>,
        cancel: &Cancel,
    ) -> Result<(), StoreError> {
        if self.version >= snapshot.version && self.ends == snapshot.ends {
            return Ok(());
        }
        let renamed = self.filter.depends_on_names()
            && lock_mutex(&snapshot.store.inner.touched_segments).last_rename_version() > self.version;
        let inputs = snapshot.filter_input_versions(&self.filter)?;
        let mut stale_segments = if renamed || inputs != self.inputs {
            snapshot.segment_numbers().collect()
        } else {
            snapshot.segments_touched_since(self.version)
        };
        let (oldest, newest) = (segment_number_of(self.ends.0), segment_number_of(self.ends.1));
        stale_segments.extend(snapshot.segment_numbers().filter(|number| *number <= oldest || *number >= newest));
        stale_segments.retain(|number| {
            snapshot.segment_numbers().next_back() <= Some(*number)
                && Some(*number) <= snapshot.segment_numbers().next()
        });
        if self.filter.matches_everything() && self.scope == Scope::All {
            for number in stale_segments {
                self.hits.insert(number, snapshot.filled_positions(number));
            }
        } else {
            snapshot.store.load_whole_dictionary(snapshot.connection)?;
            let search = snapshot.compile_search(&self.filter, &self.scope)?;
            let work: Vec<(i64, RowSet)> = stale_segments.into_iter().map(|number| (number, RowSet::ALL)).collect();
            for (number, hits) in snapshot.scan_segments(&search, &work, cancel)? {
                self.hits.insert(number, hits);
            }
        }
        self.version = snapshot.version;
        self.inputs = inputs;
        self.ends = snapshot.ends;
        self.rebuild_ranks();
        Ok(())
    }

    /// The hits by value where there are prices, else by amount; the largest first.
    pub(in crate::store) fn hits_by_amount(
        &mut self,
        snapshot: &HistorySnapshot<'_>,
        prices: &PriceList,
        cancel: &Cancel,
    ) -> Result<&[i64], StoreError> {
        let is_current = |sorted: &AmountOrder| sorted.version >= self.version && sorted.prices == *prices;
        if !self.by_amount.as_ref().is_some_and(is_current) {
            let pricer = snapshot.row_pricer(prices)?;
            let mut keyed: Vec<(u64, i64)> = Vec::with_capacity(usize::try_from(self.total).unwrap_or(0));
            for (number, hits) in self.hits.iter().rev() {
                cancel.check()?;
                let pricer = pricer.as_ref().map(|pricer| {
                    snapshot.with_part(*number, SegmentPart::Codes, |codes| Ok(pricer.row_prices(codes)))
                });
                let pricer = pricer.transpose()?;
                let take = |amounts: &[u8]| {
                    let amounts = amounts.as_chunks::<8>().0;
                    for position in hits.positions() {
                        let amount = amounts.get(position).copied().map_or(0, u64::from_le_bytes);
                        let price = |pricer: &Vec<u64>| pricer.get(position).copied().unwrap_or(0);
                        let key = pricer.as_ref().map_or(amount, |pricer| value_sort_key(amount, price(pricer)));
                        keyed.push((key, seq_at(*number, position)));
                    }
                    Ok(())
                };
                snapshot.with_part(*number, SegmentPart::Amounts, take)?;
            }
            // Of equal amounts the newer comes first.
            keyed.sort_unstable_by(|a, b| b.cmp(a));
            // Collecting in place would keep the capacity of the wider elements: twice the memory.
            let mut seqs = Vec::with_capacity(keyed.len());
            seqs.extend(keyed.iter().map(|(_, seq)| *seq));
            self.by_amount = Some(AmountOrder { version: self.version, prices: prices.clone(), seqs });
        }
        Ok(self.by_amount.as_ref().map_or(&[], |sorted| &sorted.seqs))
    }
}
