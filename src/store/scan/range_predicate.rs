//! Search terms that bound the time or the amount of a row: they read columns of numbers, not texts.

use super::SegmentSource;
use crate::domain::filter::AmountOperator;
use crate::domain::{Amount, ReportedAmount, Timestamp};
use crate::store::StoreError;
use crate::store::row_set::RowSet;
use crate::store::segment::{NO_TIME, SegmentPart, amount_sort_key, text_field, text_field_of_row};

pub(super) enum RangePredicate {
    /// Seconds since 1970, inclusive.
    Since(i64),
    /// Seconds since 1970, exclusive.
    Before(i64),
    /// An amount and its sort key.
    Amount(AmountOperator, Amount, u64),
}

impl RangePredicate {
    pub(super) fn since(at: Timestamp) -> Self {
        Self::Since(at.millis().div_euclid(1_000))
    }

    pub(super) fn before(at: Timestamp) -> Self {
        Self::Before(at.millis().div_euclid(1_000))
    }

    pub(super) fn amount(side: AmountOperator, amount: Amount) -> Self {
        Self::Amount(side, amount, amount_sort_key(Some(&ReportedAmount::Exact(amount))))
    }

    /// The rows among `candidates` within the bound. A row without a time, or without an amount, never is.
    pub(super) fn filter_rows_of_segment(
        &self,
        source: &SegmentSource<'_>,
        candidates: &RowSet,
    ) -> Result<RowSet, StoreError> {
        match self {
            Self::Since(bound) => rows_within_time(source, candidates, |at| at >= *bound),
            Self::Before(bound) => rows_within_time(source, candidates, |at| at < *bound),
            Self::Amount(side, bound, key) => rows_within_amount(source, candidates, *side, *bound, *key),
        }
    }
}

fn rows_within_time(
    source: &SegmentSource<'_>,
    candidates: &RowSet,
    within: impl Fn(i64) -> bool,
) -> Result<RowSet, StoreError> {
    source.with_part(SegmentPart::Times, |times| {
        let mut rows = RowSet::NONE;
        for (position, bytes) in times.as_chunks::<4>().0.iter().enumerate() {
            let seconds = u32::from_le_bytes(*bytes);
            if seconds != NO_TIME && within(i64::from(seconds)) {
                rows.insert(position);
            }
        }
        Ok(rows.and(candidates))
    })
}

/// The sort keys of amounts decide most comparisons. Amounts that agree with the bound in their first digits are
/// compared in full.
fn rows_within_amount(
    source: &SegmentSource<'_>,
    candidates: &RowSet,
    side: AmountOperator,
    bound: Amount,
    key: u64,
) -> Result<RowSet, StoreError> {
    let (mut matching, mut close) = (RowSet::NONE, RowSet::NONE);
    source.with_part(SegmentPart::Amounts, |amounts| {
        for (position, bytes) in amounts.as_chunks::<8>().0.iter().enumerate() {
            match u64::from_le_bytes(*bytes) {
                0 => {}
                value if value == key => close.insert(position),
                other if side.accepts_ordering(other.cmp(&key)) => matching.insert(position),
                _ => {}
            }
        }
        Ok(())
    })?;
    close = close.and(candidates);
    for part in [SegmentPart::Hex, SegmentPart::Plain] {
        if close.is_empty() {
            break;
        }
        source.with_part(part, |lines| {
            for position in close.positions() {
                let Some(amount) = text_field_of_row(lines, position, text_field::AMOUNT).and_then(parse_amount_text)
                else {
                    continue;
                };
                if side.accepts_ordering(amount.cmp_value(bound)) {
                    matching.insert(position);
                }
            }
            Ok(())
        })?;
    }
    Ok(matching.and(candidates))
}

/// The amount of a row as its line spells it; a conflicting amount follows after a blank.
fn parse_amount_text(spelled: &[u8]) -> Option<Amount> {
    let digits = std::str::from_utf8(spelled).ok()?.split(' ').next()?;
    let fraction = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    Amount::parse(digits, u8::try_from(fraction).ok()?).ok()
}
