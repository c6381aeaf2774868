//! Builds the pieces of a segment, row by row.

use std::collections::HashMap;
use std::fmt::Write;

use super::{Extent, NO_TIME, ROWS, SLOT, Segment, amount_key, is_hex_like, seconds, texts};
use crate::domain::ReportedAmount;
use crate::domain::filter::fold;
use crate::store::by_time::NOWHERE;
use crate::store::dictionary::Code;
use crate::store::row::RowParts;

/// Collects rows, the newest first.
pub(super) struct Builder {
    columns: Columns,
    texts: Option<Texts>,
    next: usize,
}

impl Builder {
    pub(super) fn new(extent: Extent) -> Self {
        Self { columns: Columns::new(), texts: (extent == Extent::Whole).then(Texts::default), next: 0 }
    }

    fn skip_to(&mut self, position: usize) {
        while self.next < position {
            self.columns.push([0; 3], NO_TIME, 0, NOWHERE);
            if let Some(texts) = &mut self.texts {
                texts.end();
            }
            self.next += 1;
        }
    }

    pub(super) fn push(&mut self, position: usize, parts: &RowParts<'_>) {
        self.skip_to(position);
        self.columns.push(parts.codes, seconds(parts), amount_key(parts.amount.as_ref()), parts.sort_time());
        if let Some(texts) = &mut self.texts {
            texts.push(parts);
        }
        self.next += 1;
    }

    pub(super) fn finish(mut self) -> Segment {
        self.skip_to(ROWS);
        let extent = if self.texts.is_some() { Extent::Whole } else { Extent::Columns };
        let [codes, times, amounts, order] = self.columns.bytes();
        let [plain, hex] = self.texts.map(Texts::bytes).unwrap_or_default();
        Segment { extent, pieces: [codes, plain, hex, times, amounts, order] }
    }
}

struct Columns {
    codes: [Vec<Code>; 3],
    times: Vec<u8>,
    amounts: Vec<u8>,
    order: Vec<u8>,
}

impl Columns {
    fn new() -> Self {
        Self {
            codes: [(); 3].map(|()| Vec::with_capacity(ROWS)),
            times: Vec::with_capacity(4 * ROWS),
            amounts: Vec::with_capacity(8 * ROWS),
            order: Vec::with_capacity(8 * ROWS),
        }
    }

    fn push(&mut self, codes: [Code; 3], seconds: u32, amount: u64, time: i64) {
        for (column, code) in self.codes.iter_mut().zip(codes) {
            column.push(code);
        }
        self.times.extend_from_slice(&seconds.to_le_bytes());
        self.amounts.extend_from_slice(&amount.to_le_bytes());
        self.order.extend_from_slice(&time.to_le_bytes());
    }

    /// Codes, times, amounts, and sort times.
    fn bytes(self) -> [Vec<u8>; 4] {
        let mut codes = Vec::with_capacity(8 * ROWS);
        for column in &self.codes {
            put_column(&mut codes, column);
        }
        [codes, self.times, self.amounts, self.order]
    }
}

#[derive(Default)]
struct Texts {
    plain: LinesOf,
    hex: LinesOf,
    spelt: String,
}

impl Texts {
    fn push(&mut self, parts: &RowParts<'_>) {
        for text in texts(parts) {
            if let Some(text) = text {
                self.spelt.clear();
                text.spell(&mut self.spelt);
                self.put();
            }
            self.plain.text.push(SLOT);
            self.hex.text.push(SLOT);
        }
        if let Some(amount) = &parts.amount {
            self.spelt.clear();
            // Writing to a string does not fail.
            let _ = match amount {
                ReportedAmount::Exact(amount) => write!(self.spelt, "{amount}"),
                ReportedAmount::Disputed { raw, formatted } => write!(self.spelt, "{raw} {formatted}"),
            };
            self.put();
        }
        self.end();
    }

    /// Appends the spelt text to its line, in lower case.
    fn put(&mut self) {
        // As `fold` does, in place: nearly all is ASCII.
        if self.spelt.is_ascii() {
            self.spelt.make_ascii_lowercase();
        } else {
            self.spelt = fold(&self.spelt);
        }
        // Every byte is tested, without an early exit, so that the loop is vectorised.
        let is_hex = self.spelt.bytes().fold(true, |is_hex, byte| is_hex & is_hex_like(byte));
        let lines = if is_hex { &mut self.hex } else { &mut self.plain };
        lines.text.extend_from_slice(self.spelt.as_bytes());
    }

    fn end(&mut self) {
        self.plain.end();
        self.hex.end();
    }

    fn bytes(self) -> [Vec<u8>; 2] {
        [self.plain.bytes(), self.hex.bytes()]
    }
}

#[derive(Default)]
struct LinesOf {
    lengths: Vec<u8>,
    text: Vec<u8>,
    start: usize,
}

impl LinesOf {
    /// Ends a line: empty fields at its end are left out.
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

/// The distinct codes of a column, then for each row its index among them, in one byte or two.
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
