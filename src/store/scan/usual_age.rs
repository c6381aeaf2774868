//! `age:>usual` matches rows that are older than transactions of their blockchain are when they settle.

use std::collections::HashMap;

use super::SegmentSource;
use super::columns::row_codes;
use crate::domain::{SettlementTimes, Timestamp};
use crate::store::StoreError;
use crate::store::dictionary::{Dictionary, PhraseCode};
use crate::store::row::{line_fields, wallet_fields};
use crate::store::row_set::RowSet;
use crate::store::segment::{NO_TIME, SegmentPart};

pub(super) struct UsualAgePredicate {
    now: Timestamp,
    /// Rows with a wallet phrase from before this second match.
    before: HashMap<PhraseCode, i64>,
}

impl UsualAgePredicate {
    pub(super) fn new(now: Timestamp) -> Self {
        Self { now, before: HashMap::new() }
    }

    pub(super) fn assign_times(&mut self, times: &SettlementTimes, phrases: &Dictionary) {
        phrases.for_each_line(|code, line| {
            if !line.starts_with('p') {
                return;
            }
            let chain = line_fields(line).nth(wallet_fields::CHAIN).flatten().unwrap_or_default();
            let limit = i64::try_from(times.stuck_limit(chain).after.as_secs()).unwrap_or(i64::MAX);
            self.before.insert(code, self.now.millis().div_euclid(1_000).saturating_sub(limit));
        });
    }

    /// A row without a time never matches.
    pub(super) fn filter_rows_of_segment(
        &self,
        source: &SegmentSource<'_>,
        candidates: &RowSet,
    ) -> Result<RowSet, StoreError> {
        let wallet_codes = source.with_part(SegmentPart::Codes, |codes| Ok(row_codes(codes, 0)))?;
        source.with_part(SegmentPart::Times, |times| {
            let mut rows = RowSet::NONE;
            for ((position, bytes), wallet_code) in times.as_chunks::<4>().0.iter().enumerate().zip(&wallet_codes) {
                let seconds = u32::from_le_bytes(*bytes);
                if seconds != NO_TIME && self.before.get(wallet_code).is_some_and(|before| i64::from(seconds) < *before)
                {
                    rows.insert(position);
                }
            }
            Ok(rows.and(candidates))
        })
    }
}
