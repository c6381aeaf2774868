//! The result of a search: one bit for each row, kept up to date while rows arrive and change.

mod search;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::by_time::SegmentRowCounts;
use super::row_set::RowSet;
use super::segment::{position_in_segment, segment_number_of, seq_at};
use crate::domain::filter::Filter;
use crate::domain::history::{PriceList, Scope};
pub(super) use search::PartialResultFn;

/// The versions of what a filter depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct FilterInputVersions {
    pub(super) own_address_changes: Option<u64>,
    pub(super) token_list_id: Option<i64>,
}

pub(super) struct ResultSet {
    pub(super) scope: Scope,
    pub(super) filter: Filter,
    /// The cache version this result reflects, or a newer one.
    version: u64,
    inputs: FilterInputVersions,
    ends: (i64, i64),
    hits: BTreeMap<i64, RowSet>,
    /// The segments with hits, the newest first, each with the number of hits above it.
    ranks: Vec<(i64, u64)>,
    total: u64,
    /// The hits' distribution over times, once needed.
    pub(super) row_counts: OnceLock<Arc<SegmentRowCounts>>,
    /// By amount, the largest first.
    by_amount: Option<AmountOrder>,
}

struct AmountOrder {
    version: u64,
    prices: PriceList,
    seqs: Vec<i64>,
}

impl ResultSet {
    fn rebuild_ranks(&mut self) {
        self.hits.retain(|_, hits| !hits.is_empty());
        self.ranks.clear();
        self.row_counts = OnceLock::new();
        self.total = 0;
        for (number, hits) in self.hits.iter().rev() {
            self.ranks.push((*number, self.total));
            self.total += u64::from(hits.count());
        }
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    pub(super) fn hits_in_segment(&self, number: i64) -> RowSet {
        *self.hits.get(&number).unwrap_or(&RowSet::NONE)
    }

    pub(super) fn has(&self, seq: i64) -> bool {
        self.hits.get(&segment_number_of(seq)).is_some_and(|hits| hits.has(position_in_segment(seq)))
    }

    /// The number of hits newer than a row.
    pub(super) fn count_newer(&self, seq: i64) -> u64 {
        let number = segment_number_of(seq);
        let at = self.ranks.partition_point(|(other, _)| *other > number);
        match self.ranks.get(at) {
            Some((ranked, before)) if *ranked == number => {
                let within = self.hits.get(&number).map_or(0, |hits| hits.count_before(position_in_segment(seq)));
                before + u64::from(within)
            }
            Some((_, before)) => *before,
            None => self.total,
        }
    }

    /// The hits from a rank on, the newest first.
    pub(super) fn hits_from_rank(&self, first: u64, rows: u64) -> Vec<i64> {
        let at = self.ranks.partition_point(|(_, before)| *before <= first).saturating_sub(1);
        let mut seqs = Vec::new();
        for (number, before) in self.ranks.iter().skip(at) {
            if *before >= first.saturating_add(rows) {
                break;
            }
            let Some(hits) = self.hits.get(number) else { continue };
            let ranked = (*before..).zip(hits.positions());
            seqs.extend(
                ranked
                    .skip_while(|(rank, _)| *rank < first)
                    .take_while(|(rank, _)| *rank < first + rows)
                    .map(|(_, position)| seq_at(*number, position)),
            );
        }
        seqs
    }
}
