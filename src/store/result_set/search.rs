//! Finds the rows of a result in a snapshot, and keeps the result up to date.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::{AmountOrder, FilterInputs, ResultSet};
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
    pub(in crate::store) fn all(picture: &HistorySnapshot<'_>) -> Self {
        let hits = picture.segments().map(|number| (number, picture.filled_positions(number))).collect();
        Self::of(picture, Scope::All, Filter::default(), hits)
    }

    fn of(picture: &HistorySnapshot<'_>, scope: Scope, filter: Filter, hits: BTreeMap<i64, RowSet>) -> Self {
        let mut result_set = Self {
            scope,
            filter,
            version: picture.version,
            inputs: FilterInputs::default(),
            ends: picture.ends,
            hits,
            ranks: Vec::new(),
            total: 0,
            shares: OnceLock::new(),
            by_amount: None,
        };
        result_set.rebuild_ranks();
        result_set
    }

    /// Searches the whole history, calling `so_far` now and then. Segments whose rows come first by time are scanned
    /// first. `former` is the result of a wider query, if there is one: only its rows are examined.
    pub(in crate::store) fn search(
        picture: &HistorySnapshot<'_>,
        scope: &Scope,
        filter: &Filter,
        former: Option<&Self>,
        oldest_first: bool,
        cancel: &Cancel,
        so_far: &mut PartialResultFn<'_, ()>,
    ) -> Result<Self, StoreError> {
        picture.store.load_whole_dictionary(picture.connection)?;
        let search = picture.compile_search(filter, scope)?;
        let candidates = |number: i64| match former {
            None => Some(RowSet::ALL),
            Some(former) => former.hits.get(&number).copied(),
        };
        let numbers = picture.segments_by_time(oldest_first)?.into_iter();
        let work: Vec<_> = numbers.filter_map(|number| Some((number, candidates(number)?))).collect();
        let mut result_set = Self::of(picture, scope.clone(), filter.clone(), BTreeMap::new());
        result_set.inputs = picture.filter_inputs(filter)?;
        let (mut rest, mut step) = (work.as_slice(), 4);
        while !rest.is_empty() {
            let (now, later) = rest.split_at(step.min(rest.len()));
            for (number, hits) in picture.scan_segments(&search, now, cancel)? {
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
        picture: &HistorySnapshot<'_>,
        cancel: &Cancel,
    ) -> Result<(), StoreError> {
        if self.version >= picture.version && self.ends == picture.ends {
            return Ok(());
        }
        let renamed = self.filter.depends_on_names()
            && lock_mutex(&picture.store.inner.touched_segments).last_renamed() > self.version;
        let inputs = picture.filter_inputs(&self.filter)?;
        let mut stale_segments = if renamed || inputs != self.inputs {
            picture.segments().collect()
        } else {
            picture.touched_since(self.version)
        };
        let (oldest, newest) = (segment_number_of(self.ends.0), segment_number_of(self.ends.1));
        stale_segments.extend(picture.segments().filter(|number| *number <= oldest || *number >= newest));
        stale_segments.retain(|number| {
            picture.segments().next_back() <= Some(*number) && Some(*number) <= picture.segments().next()
        });
        if self.filter.matches_everything() && self.scope == Scope::All {
            for number in stale_segments {
                self.hits.insert(number, picture.filled_positions(number));
            }
        } else {
            picture.store.load_whole_dictionary(picture.connection)?;
            let search = picture.compile_search(&self.filter, &self.scope)?;
            let work: Vec<(i64, RowSet)> = stale_segments.into_iter().map(|number| (number, RowSet::ALL)).collect();
            for (number, hits) in picture.scan_segments(&search, &work, cancel)? {
                self.hits.insert(number, hits);
            }
        }
        self.version = picture.version;
        self.inputs = inputs;
        self.ends = picture.ends;
        self.rebuild_ranks();
        Ok(())
    }

    /// The hits by value where there are prices, else by amount; the largest first.
    pub(in crate::store) fn hits_by_amount(
        &mut self,
        picture: &HistorySnapshot<'_>,
        prices: &PriceList,
        cancel: &Cancel,
    ) -> Result<&[i64], StoreError> {
        let is_current = |sorted: &AmountOrder| sorted.version >= self.version && sorted.prices == *prices;
        if !self.by_amount.as_ref().is_some_and(is_current) {
            let worths = picture.prices_by_kind(prices)?;
            let mut keyed: Vec<(u64, i64)> = Vec::with_capacity(usize::try_from(self.total).unwrap_or(0));
            for (number, hits) in self.hits.iter().rev() {
                cancel.check()?;
                let worths = worths
                    .as_ref()
                    .map(|worths| picture.with_part(*number, SegmentPart::Codes, |codes| Ok(worths.row_prices(codes))));
                let worths = worths.transpose()?;
                let take = |amounts: &[u8]| {
                    let amounts = amounts.as_chunks::<8>().0;
                    for position in hits.positions() {
                        let amount = amounts.get(position).copied().map_or(0, u64::from_le_bytes);
                        let price = |worths: &Vec<u64>| worths.get(position).copied().unwrap_or(0);
                        let key = worths.as_ref().map_or(amount, |worths| value_sort_key(amount, price(worths)));
                        keyed.push((key, seq_at(*number, position)));
                    }
                    Ok(())
                };
                picture.with_part(*number, SegmentPart::Amounts, take)?;
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
