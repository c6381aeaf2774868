//! The source of a segment's pieces.

use std::cell::OnceCell;

use rusqlite::Connection;

use crate::store::StoreError;
use crate::store::row_set::RowSet;
use crate::store::segment::{Segment, SegmentPart, for_each_row_with_field, with_sealed_part};

pub(in crate::store) enum SegmentSource<'a> {
    Sealed {
        connection: &'a Connection,
        number: i64,
        /// The codes, once read: several search terms may use them.
        codes: OnceCell<Vec<u8>>,
    },
    Open {
        segment: &'a Segment,
        number: i64,
    },
}

impl<'a> SegmentSource<'a> {
    pub(in crate::store) fn sealed(connection: &'a Connection, number: i64) -> Self {
        Self::Sealed { connection, number, codes: OnceCell::new() }
    }

    pub(super) fn number(&self) -> i64 {
        match self {
            Self::Sealed { number, .. } | Self::Open { number, .. } => *number,
        }
    }

    /// The rows of which a text, in lower case, satisfies a condition.
    pub(super) fn rows_with_matching_text(
        &self,
        field: usize,
        mut matches: impl FnMut(usize, &str) -> bool,
    ) -> Result<RowSet, StoreError> {
        let mut rows = RowSet::NONE;
        for part in [SegmentPart::Hex, SegmentPart::Plain] {
            self.with_part(part, |lines| {
                for_each_row_with_field(lines, field, |position, text| {
                    if std::str::from_utf8(text).is_ok_and(|text| matches(position, text)) {
                        rows.insert(position);
                    }
                })
                .ok_or_else(|| StoreError::damaged("a segment of the search is cut short"))
            })?;
        }
        Ok(rows)
    }

    pub(in crate::store) fn with_part<T>(
        &self,
        part: SegmentPart,
        read: impl FnOnce(&[u8]) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        match self {
            Self::Open { segment, .. } => read(segment.part_bytes(part)),
            Self::Sealed { connection, number, codes } if part == SegmentPart::Codes => {
                if let Some(codes) = codes.get() {
                    return read(codes);
                }
                with_sealed_part(connection, *number, part, |bytes| {
                    // Several search terms and the scope use the codes; they are small.
                    let _ = codes.set(bytes.to_vec());
                    read(bytes)
                })
            }
            Self::Sealed { connection, number, .. } => with_sealed_part(connection, *number, part, read),
        }
    }
}
