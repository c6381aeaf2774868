//! Search columns: 1,024 consecutive rows as six columns, each one blob in the database.
//!
//! | piece   | content for each row                             | read when                               |
//! |---------|--------------------------------------------------|-----------------------------------------|
//! | codes   | its three phrases, through a segment palette     | a search term matches a phrase, a scope |
//! | plain   | its own texts in lower case, one line            | always, unless the field excludes it    |
//! | hex     | its texts that are purely hexadecimal            | the search term could be hexadecimal    |
//! | times   | its time, in seconds                             | the search term matches dates           |
//! | amounts | its amount as a number that sorts as amounts do  | rows are sorted by amount               |
//! | order   | the time it is sorted by, in milliseconds        | rows are ordered by time (`by_time`)    |
//!
//! Most letters are not hexadecimal digits, so most search terms never touch the largest piece. Within a segment the
//! newest row comes first, as on screen.

mod builder;

use rusqlite::{Connection, OptionalExtension, params};

use super::StoreError;
use super::by_time::{NO_ROW_TIME, SegmentTimeRange};
use super::byte_packing::PackedText;
use super::dictionary::Dictionary;
use super::row::RowParts;
use crate::domain::{Amount, ReportedAmount};
use builder::SegmentBuilder;

pub(super) const ROWS_PER_SEGMENT: usize = 1024;
const ROWS_PER_SEGMENT_I64: i64 = 1024;

/// The fields of a row's line.
pub(super) mod text_field {
    pub(in super::super) const ID: usize = 0;
    pub(in super::super) const HASH: usize = 1;
    pub(in super::super) const OTHER: usize = 2;
    pub(in super::super) const OWN: usize = 3;
    pub(in super::super) const REFERENCE: usize = 4;
    pub(in super::super) const NOTE: usize = 5;
    pub(in super::super) const KEY: usize = 6;
    pub(in super::super) const GROUP: usize = 7;
    pub(in super::super) const AMOUNT: usize = 8;
    pub(in super::super) const COUNT: usize = 9;
}

/// No time, or one that a calendar cannot show.
pub(super) const NO_TIME: u32 = u32::MAX;
const TEXT_FIELD_SEPARATOR: u8 = 0x1f;

/// The characters of UUIDs, hashes and EVM addresses, in lower case.
pub(super) fn is_hex_like_byte(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'x' | b'-')
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SegmentPart {
    Codes,
    Plain,
    Hex,
    Times,
    Amounts,
    Order,
}

const ALL_PARTS: [SegmentPart; 6] = [
    SegmentPart::Codes,
    SegmentPart::Plain,
    SegmentPart::Hex,
    SegmentPart::Times,
    SegmentPart::Amounts,
    SegmentPart::Order,
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SegmentExtent {
    /// Codes, times and amounts: a few bytes per row.
    Columns,
    /// The texts as well: most of the work and of the memory, needed only by a text search.
    Whole,
}

impl SegmentPart {
    /// The extent that must be built for this piece.
    pub(super) fn extent(self) -> SegmentExtent {
        match self {
            Self::Codes | Self::Times | Self::Amounts | Self::Order => SegmentExtent::Columns,
            Self::Plain | Self::Hex => SegmentExtent::Whole,
        }
    }

    fn index(self) -> usize {
        ALL_PARTS.iter().position(|part| *part == self).unwrap_or(0)
    }

    /// Pieces of one kind have neighbouring keys in the file, and the backfill appends to them.
    fn storage_key(self, number: i64) -> i64 {
        let part = i64::try_from(self.index()).unwrap_or(0);
        (part << 40) + (1 << 39) - number
    }
}

pub(super) fn segment_number_of(seq: i64) -> i64 {
    seq.div_euclid(ROWS_PER_SEGMENT_I64)
}

/// A row's position in its segment, the newest at 0.
pub(super) fn position_in_segment(seq: i64) -> usize {
    usize::try_from(ROWS_PER_SEGMENT_I64 - 1 - seq.rem_euclid(ROWS_PER_SEGMENT_I64)).unwrap_or(0)
}

pub(super) fn seq_at(number: i64, position: usize) -> i64 {
    number * ROWS_PER_SEGMENT_I64 + ROWS_PER_SEGMENT_I64 - 1 - i64::try_from(position).unwrap_or(0)
}

/// The oldest and the newest row of a segment.
pub(super) fn segment_bounds(number: i64) -> (i64, i64) {
    (number * ROWS_PER_SEGMENT_I64, number * ROWS_PER_SEGMENT_I64 + ROWS_PER_SEGMENT_I64 - 1)
}

/// A segment in memory: one being written, or one at the ends of the history that is not full yet.
pub(super) struct Segment {
    pub(super) extent: SegmentExtent,
    /// Pieces that were not built are empty.
    pieces: [Vec<u8>; 6],
}

impl Segment {
    pub(super) fn build_from_rows(
        connection: &Connection,
        phrases: &Dictionary,
        number: i64,
        extent: SegmentExtent,
    ) -> Result<Self, StoreError> {
        let (oldest, newest) = segment_bounds(number);
        let mut builder = SegmentBuilder::new(extent);
        let mut statement =
            connection.prepare_cached("SELECT -nth, body FROM deed WHERE nth BETWEEN ?1 AND ?2 ORDER BY nth")?;
        let mut rows = statement.query([-newest, -oldest])?;
        while let Some(row) = rows.next()? {
            let seq: i64 = row.get(0)?;
            let body = row.get_ref(1)?.as_blob().map_err(|error| StoreError::damaged(&error.to_string()))?;
            let parts =
                RowParts::read(body).filter(|parts| parts.codes.iter().all(|code| phrases.line(*code).is_some()));
            let parts = parts.ok_or_else(|| StoreError::damaged("a row cannot be read"))?;
            builder.push(position_in_segment(seq), &parts);
        }
        Ok(builder.finish())
    }

    pub(super) fn part_bytes(&self, part: SegmentPart) -> &[u8] {
        &self.pieces[part.index()]
    }

    pub(super) fn seal(&self, connection: &Connection, number: i64) -> Result<(), StoreError> {
        let mut statement = connection.prepare_cached("INSERT OR REPLACE INTO piece (key, data) VALUES (?1, ?2)")?;
        for part in ALL_PARTS {
            statement.execute(params![part.storage_key(number), self.part_bytes(part)])?;
        }
        SegmentTimeRange::of_times(&decode_sort_times(self.part_bytes(SegmentPart::Order)))
            .replace_stored(connection, number)
    }
}

/// The sort times in a part, by position; [`NO_ROW_TIME`] at an empty position.
pub(super) fn decode_sort_times(part: &[u8]) -> Vec<i64> {
    part.as_chunks::<8>().0.iter().map(|time| i64::from_le_bytes(*time)).collect()
}

/// The sort times of a segment that is not full, from its rows.
pub(super) fn sort_times_from_rows(connection: &Connection, number: i64) -> Result<Vec<i64>, StoreError> {
    let (oldest, newest) = segment_bounds(number);
    let mut times = vec![NO_ROW_TIME; ROWS_PER_SEGMENT];
    let mut statement =
        connection.prepare_cached("SELECT -nth, body FROM deed WHERE nth BETWEEN ?1 AND ?2 ORDER BY nth")?;
    let mut rows = statement.query([-newest, -oldest])?;
    while let Some(row) = rows.next()? {
        let seq: i64 = row.get(0)?;
        let parts = RowParts::read(row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?);
        let parts = parts.ok_or_else(|| StoreError::damaged("a row cannot be read"))?;
        if let Some(time) = times.get_mut(position_in_segment(seq)) {
            *time = parts.sort_time();
        }
    }
    Ok(times)
}

/// A field of a row's line, in a piece of lines; `None` where the row lacks it.
pub(super) fn text_field_of_row(part: &[u8], position: usize, slot: usize) -> Option<&[u8]> {
    let (lengths, text) = part.split_at_checked(2 * ROWS_PER_SEGMENT)?;
    let mut lengths = lengths.as_chunks::<2>().0.iter().map(|length| usize::from(u16::from_le_bytes(*length)));
    let start: usize = lengths.by_ref().take(position).sum();
    let line = text.get(start..start + lengths.next()?)?;
    let field = line.strip_suffix(b"\n")?.split(|byte| *byte == TEXT_FIELD_SEPARATOR).nth(slot)?;
    (!field.is_empty()).then_some(field)
}

/// Calls back for each row that has a field in a piece of lines; `None` where the piece is cut short.
pub(super) fn for_each_row_with_field(part: &[u8], slot: usize, mut each: impl FnMut(usize, &[u8])) -> Option<()> {
    let (lengths, mut text) = part.split_at_checked(2 * ROWS_PER_SEGMENT)?;
    for (position, length) in lengths.as_chunks::<2>().0.iter().enumerate() {
        let (line, rest) = text.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
        text = rest;
        let field = line.strip_suffix(b"\n")?.split(|byte| *byte == TEXT_FIELD_SEPARATOR).nth(slot);
        if let Some(field) = field.filter(|field| !field.is_empty()) {
            each(position, field);
        }
    }
    Some(())
}

pub(super) fn with_sealed_part<T>(
    connection: &Connection,
    number: i64,
    part: SegmentPart,
    read: impl FnOnce(&[u8]) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let mut statement = connection.prepare_cached("SELECT data FROM piece WHERE key = ?1")?;
    let part_read = statement
        .query_row([part.storage_key(number)], |row| {
            Ok(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from).map(read))
        })
        .optional()?;
    match part_read {
        Some(Ok(answer)) => answer,
        Some(Err(error)) => Err(error.into()),
        None => Err(StoreError::damaged("a segment of the search is missing")),
    }
}

/// Whether the search treats both rows alike, so that replacing one by the other leaves their segment unchanged.
pub(super) fn is_search_equal(one: &RowParts<'_>, other: &RowParts<'_>) -> bool {
    one.codes == other.codes
        && row_texts(one) == row_texts(other)
        && one.amount == other.amount
        && displayed_seconds(one) == displayed_seconds(other)
        && one.sort_time() == other.sort_time()
}

/// The row's own texts by field, up to the amount's.
fn row_texts<'a>(parts: &RowParts<'a>) -> [Option<PackedText<'a>>; text_field::AMOUNT] {
    [
        Some(parts.id),
        parts.tx_hash,
        parts.other_address,
        // Usually the row is matched through its phrase about the wallet.
        parts.own_address,
        parts.ref_id,
        parts.note,
        parts.idempotency_key,
        parts.group,
    ]
}

/// The displayed time of a row, in seconds since 1970.
fn displayed_seconds(parts: &RowParts<'_>) -> u32 {
    u32::try_from(parts.displayed_time().millis().div_euclid(1000)).unwrap_or(NO_TIME)
}

/// The sort key of an amount of zero; 0 is that of no amount.
pub(super) const ZERO_AMOUNT_KEY: u64 = 1;

/// A number that sorts as amounts do, whatever their fraction digits: the magnitude of the first digit, then the first
/// 16 digits. Amounts that differ only in later digits count as equal.
pub(super) fn amount_sort_key(amount: Option<&ReportedAmount>) -> u64 {
    let Some(amount) = amount.map(ReportedAmount::even_if_disputed) else { return 0 };
    if amount.is_zero() {
        return ZERO_AMOUNT_KEY;
    }
    let digits = amount.raw().to_string();
    // Between −77 and 78, so that adding 128 makes it positive and it fits 8 bits.
    let magnitude = 128 + digits.len() - usize::from(amount.decimals());
    let leading = digits.bytes().chain(std::iter::repeat(b'0')).take(16);
    let leading = leading.fold(0_u64, |sum, byte| sum * 10 + u64::from(byte - b'0'));
    (magnitude as u64) << 56 | leading
}

const _: () = assert!(Amount::MAX_DECIMALS < 128, "the place of the first digit must fit 8 bits");
