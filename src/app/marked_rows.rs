//! Marks on transactions: rows to copy or export together, whichever list shows them by then.

mod mark;

use super::request_id::RequestId;
use crate::domain::history::HistoryRow;
pub(super) use mark::{apply_hidden, clear_marks, marks_summary, query_hidden, toggle_mark};

#[derive(Debug, Clone, Default)]
pub struct MarkedRows {
    /// In the order in which they were marked.
    pub rows: Vec<HistoryRow>,
    /// The `seq` of marked rows that the present filter excludes.
    pub hidden: Vec<i64>,
    pub request_id: RequestId,
}

impl MarkedRows {
    pub fn contains(&self, seq: i64) -> bool {
        self.rows.iter().any(|row| row.seq == seq)
    }

    pub(super) fn refresh(&mut self, newer: &[HistoryRow]) {
        for row in &mut self.rows {
            if let Some(newer) = newer.iter().find(|newer| newer.seq == row.seq) {
                row.clone_from(newer);
            }
        }
    }
}
