//! Matches the rows that orders made.

use rusqlite::Connection;

use super::SegmentSource;
use crate::domain::filter::OrderRowIds;
use crate::store::StoreError;
use crate::store::row_set::RowSet;
use crate::store::segment::{position_in_segment, segment_bounds, text_field};
use crate::store::write::{IdSlot, find_id_slot};

pub(super) struct OrderMatcher {
    /// The `seq`s of the transactions, ascending.
    seqs: Vec<i64>,
    keys: Vec<String>,
}

impl OrderMatcher {
    /// Looks the transactions up, so that a scan costs nothing for them.
    pub(super) fn new(rows: &OrderRowIds, connection: &Connection) -> Result<Self, StoreError> {
        let mut seqs = Vec::new();
        for id in &rows.transactions {
            if let IdSlot::Taken(seq) = find_id_slot(connection, id.as_str())? {
                seqs.push(seq);
            }
        }
        seqs.sort_unstable();
        Ok(Self { seqs, keys: rows.keys.clone() })
    }

    pub(super) fn find_rows_in_segment(&self, source: &SegmentSource<'_>) -> Result<RowSet, StoreError> {
        let mut rows = RowSet::NONE;
        if !self.keys.is_empty() {
            let is_wanted = |text: &str| self.keys.binary_search_by(|key| key.as_str().cmp(text)).is_ok();
            rows = source.rows_with_matching_text(text_field::KEY, |_, text| is_wanted(text))?;
        }
        let (oldest, newest) = segment_bounds(source.number());
        let from = self.seqs.partition_point(|seq| *seq < oldest);
        for seq in self.seqs[from..].iter().take_while(|seq| **seq <= newest) {
            rows.insert(position_in_segment(*seq));
        }
        Ok(rows)
    }
}
