//! What the search reads: 1,024 consecutive rows as five columns, each a piece of bytes in the database.
//!
//! | piece   | holds for each row                                        | read when                          |
//! |---------|-----------------------------------------------------------|------------------------------------|
//! | codes   | its three phrases, through a palette of the segment       | a word occurs in a phrase, a scope |
//! | plain   | its own texts in lower case, one line                     | always, unless the field says no   |
//! | hex     | those of its texts that are hexadecimal alone             | the word could be hexadecimal      |
//! | times   | its time, in seconds                                      | the word looks into dates          |
//! | amounts | its amount as a number that sorts as amounts do           | rows are sorted by amount          |
//!
//! Most letters are no hexadecimal digits, so that most words never touch the largest piece. Within a segment the newest
//! row comes first, as on screen.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, params};

use super::phrase::{Code, Phrases};
use super::{StoreError, row};
use crate::domain::filter::fold;
use crate::domain::{Amount, Stated, Text, Timestamp, Transaction};

/// Rows of a segment.
pub(super) const ROWS: usize = 1024;
const ROWS_I64: i64 = 1024;

/// The slots of a row's line.
pub(super) mod slot {
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

/// No time, or one that a calendar does not show.
pub(super) const NO_TIME: u32 = u32::MAX;
const SLOT: u8 = 0x1f;

/// The characters of UUIDs, hashes and EVM addresses, in lower case.
pub(super) fn is_hex_like(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'x' | b'-')
}

/// Which piece of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Codes,
    Plain,
    Hex,
    Times,
    Amounts,
}

const PARTS: [Part; 5] = [Part::Codes, Part::Plain, Part::Hex, Part::Times, Part::Amounts];

impl Part {
    fn index(self) -> usize {
        PARTS.iter().position(|part| *part == self).unwrap_or(0)
    }

    /// Pieces of one kind stand together in the file, and the first read appends to them.
    fn key(self, number: i64) -> i64 {
        let part = i64::try_from(self.index()).unwrap_or(0);
        (part << 40) + (1 << 39) - number
    }
}

/// The segment in which a row stands.
pub(super) fn number_of(seq: i64) -> i64 {
    seq.div_euclid(ROWS_I64)
}

/// Where in its segment a row stands, the newest at 0.
pub(super) fn position_of(seq: i64) -> usize {
    usize::try_from(ROWS_I64 - 1 - seq.rem_euclid(ROWS_I64)).unwrap_or(0)
}

/// The row at a position of a segment.
pub(super) fn seq_at(number: i64, position: usize) -> i64 {
    number * ROWS_I64 + ROWS_I64 - 1 - i64::try_from(position).unwrap_or(0)
}

/// The oldest and the newest row of a segment.
pub(super) fn bounds(number: i64) -> (i64, i64) {
    (number * ROWS_I64, number * ROWS_I64 + ROWS_I64 - 1)
}

/// A whole segment in memory: one that is being written, or one at the ends of the history that is not full yet.
pub(super) struct Segment {
    pieces: [Vec<u8>; 5],
}

impl Segment {
    /// Builds a segment from its rows as they stand in the database.
    pub(super) fn read(connection: &Connection, phrases: &Phrases, number: i64) -> Result<Self, StoreError> {
        let (oldest, newest) = bounds(number);
        let mut builder = Builder::new();
        let mut statement =
            connection.prepare_cached("SELECT -nth, body FROM deed WHERE nth BETWEEN ?1 AND ?2 ORDER BY nth")?;
        let mut rows = statement.query([-newest, -oldest])?;
        while let Some(found) = rows.next()? {
            let seq: i64 = found.get(0)?;
            let body = found.get_ref(1)?.as_blob().map_err(|error| StoreError::damaged(&error.to_string()))?;
            let (transaction, seen_at) =
                row::unpack(body, phrases).ok_or_else(|| StoreError::damaged("a row cannot be read"))?;
            let codes = row::codes(body).unwrap_or_default();
            let own_aside =
                phrases.line(codes[0]).is_none_or(|line| row::fields(line).nth(row::place::OWN) == Some(None));
            builder.push(position_of(seq), codes, &transaction, seen_at, own_aside);
        }
        Ok(builder.finish())
    }

    /// One of its pieces.
    pub(super) fn piece(&self, part: Part) -> &[u8] {
        &self.pieces[part.index()]
    }

    /// Writes it as a full segment.
    pub(super) fn seal(&self, connection: &Connection, number: i64) -> Result<(), StoreError> {
        let mut statement = connection.prepare_cached("INSERT OR REPLACE INTO piece (key, data) VALUES (?1, ?2)")?;
        for part in PARTS {
            statement.execute(params![part.key(number), self.piece(part)])?;
        }
        Ok(())
    }
}

/// A slot of the line of a row, in a piece of lines; `None` where the row has nothing there.
pub(super) fn slot_of(piece: &[u8], position: usize, slot: usize) -> Option<&[u8]> {
    let (lengths, text) = piece.split_at_checked(2 * ROWS)?;
    let mut lengths = lengths.as_chunks::<2>().0.iter().map(|length| usize::from(u16::from_le_bytes(*length)));
    let start: usize = lengths.by_ref().take(position).sum();
    let line = text.get(start..start + lengths.next()?)?;
    let found = line.strip_suffix(b"\n")?.split(|byte| *byte == SLOT).nth(slot)?;
    (!found.is_empty()).then_some(found)
}

/// Hands a piece of a sealed segment to `read`.
pub(super) fn with_piece<T>(
    connection: &Connection,
    number: i64,
    part: Part,
    read: impl FnOnce(&[u8]) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let mut statement = connection.prepare_cached("SELECT data FROM piece WHERE key = ?1")?;
    let found = statement
        .query_row([part.key(number)], |row| Ok(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from).map(read)))
        .optional()?;
    match found {
        Some(Ok(answer)) => answer,
        Some(Err(error)) => Err(error.into()),
        None => Err(StoreError::damaged("a segment of the search is missing")),
    }
}

/// What the search knows of a row beside its phrases: if this is unchanged, so is its segment.
pub(super) fn search_text(transaction: &Transaction, seen_at: Timestamp) -> (Vec<String>, u32, u64) {
    let texts = texts(transaction);
    let texts = texts.into_iter().map(Option::unwrap_or_default).collect();
    (texts, seconds(transaction, seen_at), amount_key(transaction.amount.as_ref()))
}

/// The row's own texts in lower case, by slot.
fn texts(transaction: &Transaction) -> [Option<String>; slot::COUNT] {
    let lower = |text: Option<&Text>| text.map(|text| fold(text));
    let amount = transaction.amount.as_ref().map(|amount| match amount {
        Stated::Exact(amount) => amount.to_string(),
        Stated::Disputed { raw, formatted } => format!("{raw} {}", fold(formatted)),
    });
    [
        Some(fold(transaction.id.as_str())),
        lower(transaction.tx_hash.as_ref()),
        lower(transaction.counterparty()),
        lower(transaction.own_address()),
        lower(transaction.ref_id.as_ref()),
        lower(transaction.note.as_ref()),
        lower(transaction.idempotency_key.as_ref()),
        lower(transaction.group.as_ref()),
        amount,
    ]
}

/// The time that a row shows, in seconds since 1970.
fn seconds(transaction: &Transaction, seen_at: Timestamp) -> u32 {
    let time = transaction.at().unwrap_or(seen_at);
    u32::try_from(time.millis().div_euclid(1000)).unwrap_or(NO_TIME)
}

/// A number that sorts as amounts do, whatever their fraction digits: the place of the first digit, then the first 16
/// digits. Amounts that differ only behind those count as equal.
pub(super) fn amount_key(amount: Option<&Stated>) -> u64 {
    let Some(amount) = amount.map(Stated::raw) else { return 0 };
    if amount.is_zero() {
        return 1;
    }
    let digits = amount.raw().to_string();
    // Between −77 and 78, so that 128 makes it positive and it fits 8 bits.
    let magnitude = 128 + digits.len() - usize::from(amount.decimals());
    let leading = digits.bytes().chain(std::iter::repeat(b'0')).take(16);
    let leading = leading.fold(0_u64, |sum, byte| sum * 10 + u64::from(byte - b'0'));
    (magnitude as u64) << 56 | leading
}

const _: () = assert!(Amount::MAX_DECIMALS < 128, "the place of the first digit must fit 8 bits");

/// Collects rows, the newest first.
struct Builder {
    columns: [Vec<Code>; 3],
    times: Vec<u8>,
    amounts: Vec<u8>,
    plain: LinesOf,
    hex: LinesOf,
    next: usize,
}

#[derive(Default)]
struct LinesOf {
    lengths: Vec<u8>,
    text: Vec<u8>,
    start: usize,
}

impl LinesOf {
    /// Ends a line: empty slots at its end are left out.
    fn end(&mut self) {
        while self.text.len() > self.start && self.text.last() == Some(&SLOT) {
            self.text.pop();
        }
        self.text.push(b'\n');
        let length = u16::try_from(self.text.len() - self.start).unwrap_or(u16::MAX);
        self.lengths.extend_from_slice(&length.to_le_bytes());
        self.start = self.text.len();
    }

    fn bytes(mut self) -> Vec<u8> {
        self.lengths.append(&mut self.text);
        self.lengths
    }
}

impl Builder {
    fn new() -> Self {
        Self {
            columns: [const { Vec::new() }; 3],
            times: Vec::with_capacity(4 * ROWS),
            amounts: Vec::with_capacity(8 * ROWS),
            plain: LinesOf::default(),
            hex: LinesOf::default(),
            next: 0,
        }
    }

    /// Leaves the positions before `position` empty.
    fn skip_to(&mut self, position: usize) {
        while self.next < position {
            for column in &mut self.columns {
                column.push(0);
            }
            self.times.extend_from_slice(&NO_TIME.to_le_bytes());
            self.amounts.extend_from_slice(&0_u64.to_le_bytes());
            self.plain.end();
            self.hex.end();
            self.next += 1;
        }
    }

    fn push(
        &mut self,
        position: usize,
        codes: row::Codes,
        transaction: &Transaction,
        seen_at: Timestamp,
        own_aside: bool,
    ) {
        self.skip_to(position);
        for (column, code) in self.columns.iter_mut().zip(codes) {
            column.push(code);
        }
        self.times.extend_from_slice(&seconds(transaction, seen_at).to_le_bytes());
        self.amounts.extend_from_slice(&amount_key(transaction.amount.as_ref()).to_le_bytes());
        for (index, text) in texts(transaction).into_iter().enumerate() {
            // The wallet's own address is mostly found through the phrase about the place.
            if let Some(text) = text.filter(|_| index != slot::OWN || own_aside) {
                let is_hex = text.bytes().all(is_hex_like);
                let lines = if is_hex { &mut self.hex } else { &mut self.plain };
                lines.text.extend_from_slice(text.as_bytes());
            }
            if index + 1 < slot::COUNT {
                self.plain.text.push(SLOT);
                self.hex.text.push(SLOT);
            }
        }
        self.plain.end();
        self.hex.end();
        self.next += 1;
    }

    fn finish(mut self) -> Segment {
        self.skip_to(ROWS);
        let mut codes = Vec::with_capacity(8 * ROWS);
        for column in &self.columns {
            put_column(&mut codes, column);
        }
        Segment { pieces: [codes, self.plain.bytes(), self.hex.bytes(), self.times, self.amounts] }
    }
}

/// The distinct codes of a column, then for each row which of them it has, in one byte or two.
fn put_column(bytes: &mut Vec<u8>, column: &[Code]) {
    let mut palette: Vec<Code> = Vec::new();
    let mut places: HashMap<Code, u16> = HashMap::new();
    let indices: Vec<u16> = column
        .iter()
        .map(|code| {
            *places.entry(*code).or_insert_with(|| {
                palette.push(*code);
                u16::try_from(palette.len() - 1).unwrap_or(u16::MAX)
            })
        })
        .collect();
    bytes.extend_from_slice(&u16::try_from(palette.len()).unwrap_or(u16::MAX).to_le_bytes());
    for code in &palette {
        bytes.extend_from_slice(&code.to_le_bytes());
    }
    for index in indices {
        let [low, high] = index.to_le_bytes();
        bytes.push(low);
        if palette.len() > 256 {
            bytes.push(high);
        }
    }
}
