//! The source of a segment's pieces.

use std::cell::OnceCell;

use rusqlite::Connection;

use crate::store::StoreError;
use crate::store::segment::{Segment, SegmentPart, with_piece};

pub(in crate::store) enum SegmentSource<'a> {
    Sealed {
        connection: &'a Connection,
        number: i64,
        /// The codes, once read: several search terms may use them.
        codes: OnceCell<Vec<u8>>,
    },
    Open(&'a Segment),
}

impl<'a> SegmentSource<'a> {
    pub(in crate::store) fn sealed(connection: &'a Connection, number: i64) -> Self {
        Self::Sealed { connection, number, codes: OnceCell::new() }
    }

    pub(in crate::store) fn with_part<T>(
        &self,
        part: SegmentPart,
        read: impl FnOnce(&[u8]) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        match self {
            Self::Open(segment) => read(segment.piece(part)),
            Self::Sealed { connection, number, codes } if part == SegmentPart::Codes => {
                if let Some(codes) = codes.get() {
                    return read(codes);
                }
                with_piece(connection, *number, part, |bytes| {
                    // Several search terms and the scope use the codes; they are small.
                    let _ = codes.set(bytes.to_vec());
                    read(bytes)
                })
            }
            Self::Sealed { connection, number, .. } => with_piece(connection, *number, part, read),
        }
    }
}
