//! Where the columns of a segment are read from.

use std::cell::OnceCell;

use rusqlite::Connection;

use crate::store::StoreError;
use crate::store::segment::{Part, Segment, with_piece};

/// Where the pieces of a segment come from.
pub(in crate::store) enum SegmentSource<'a> {
    /// From the database.
    Sealed {
        /// A connection to read with.
        connection: &'a Connection,
        /// Which segment.
        number: i64,
        /// The codes, once read: several words may look at them.
        codes: OnceCell<Vec<u8>>,
    },
    /// From memory.
    Open(&'a Segment),
}

impl<'a> SegmentSource<'a> {
    pub(in crate::store) fn sealed(connection: &'a Connection, number: i64) -> Self {
        Self::Sealed { connection, number, codes: OnceCell::new() }
    }

    pub(in crate::store) fn with<T>(
        &self,
        part: Part,
        read: impl FnOnce(&[u8]) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        match self {
            Self::Open(segment) => read(segment.piece(part)),
            Self::Sealed { connection, number, codes } if part == Part::Codes => {
                if let Some(codes) = codes.get() {
                    return read(codes);
                }
                with_piece(connection, *number, part, |bytes| {
                    // Several words and the scope look at them; they are small.
                    let _ = codes.set(bytes.to_vec());
                    read(bytes)
                })
            }
            Self::Sealed { connection, number, .. } => with_piece(connection, *number, part, read),
        }
    }
}
