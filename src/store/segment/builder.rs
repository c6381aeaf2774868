//! Builds the pieces of a segment, row by row.

use std::collections::HashMap;
use std::fmt::Write;

use super::{
    NO_TIME, ROWS_PER_SEGMENT, Segment, SegmentExtent, TEXT_FIELD_SEPARATOR, amount_sort_key, displayed_seconds,
    is_hex_like_byte, row_texts,
};
use crate::domain::ReportedAmount;
use crate::domain::filter::fold_case;
use crate::store::by_time::NO_ROW_TIME;
use crate::store::dictionary::PhraseCode;
use crate::store::row::RowParts;

/// Collects rows, the newest first.
pub(super) struct SegmentBuilder {
    columns: NumberColumns,
    texts: Option<TextColumns>,
    next: usize,
}

impl SegmentBuilder {
    pub(super) fn new(extent: SegmentExtent) -> Self {
        Self {
            columns: NumberColumns::new(),
            texts: (extent == SegmentExtent::Whole).then(TextColumns::default),
            next: 0,
        }
    }

    fn skip_to(&mut self, position: usize) {
        while self.next < position {
            self.columns.push([0; 3], NO_TIME, 0, NO_ROW_TIME);
            if let Some(texts) = &mut self.texts {
                texts.end_row();
            }
            self.next += 1;
        }
    }

    pub(super) fn push(&mut self, position: usize, parts: &RowParts<'_>) {
        self.skip_to(position);
        self.columns.push(
            parts.codes,
            displayed_seconds(parts),
            amount_sort_key(parts.amount.as_ref()),
            parts.sort_time(),
        );
        if let Some(texts) = &mut self.texts {
            texts.push(parts);
        }
        self.next += 1;
    }

    pub(super) fn finish(mut self) -> Segment {
        self.skip_to(ROWS_PER_SEGMENT);
        let extent = if self.texts.is_some() { SegmentExtent::Whole } else { SegmentExtent::Columns };
        let [codes, times, amounts, order] = self.columns.bytes();
        let [plain, hex] = self.texts.map(TextColumns::bytes).unwrap_or_default();
        Segment { extent, pieces: [codes, plain, hex, times, amounts, order] }
    }
}

struct NumberColumns {
    codes: [Vec<PhraseCode>; 3],
    times: Vec<u8>,
    amounts: Vec<u8>,
    order: Vec<u8>,
}

impl NumberColumns {
    fn new() -> Self {
        Self {
            codes: [(); 3].map(|()| Vec::with_capacity(ROWS_PER_SEGMENT)),
            times: Vec::with_capacity(4 * ROWS_PER_SEGMENT),
            amounts: Vec::with_capacity(8 * ROWS_PER_SEGMENT),
            order: Vec::with_capacity(8 * ROWS_PER_SEGMENT),
        }
    }

    fn push(&mut self, codes: [PhraseCode; 3], seconds: u32, amount: u64, time: i64) {
        for (column, code) in self.codes.iter_mut().zip(codes) {
            column.push(code);
        }
        self.times.extend_from_slice(&seconds.to_le_bytes());
        self.amounts.extend_from_slice(&amount.to_le_bytes());
        self.order.extend_from_slice(&time.to_le_bytes());
    }

    /// Codes, times, amounts, and sort times.
    fn bytes(self) -> [Vec<u8>; 4] {
        let mut codes = Vec::with_capacity(8 * ROWS_PER_SEGMENT);
        for column in &self.codes {
            encode_code_column(&mut codes, column);
        }
        [codes, self.times, self.amounts, self.order]
    }
}

#[derive(Default)]
struct TextColumns {
    plain: TextLines,
    hex: TextLines,
    spelt: String,
}

impl TextColumns {
    fn push(&mut self, parts: &RowParts<'_>) {
        for text in row_texts(parts) {
            if let Some(text) = text {
                self.spelt.clear();
                text.append_to(&mut self.spelt);
                self.append_spelt_text();
            }
            self.plain.text.push(TEXT_FIELD_SEPARATOR);
            self.hex.text.push(TEXT_FIELD_SEPARATOR);
        }
        if let Some(amount) = &parts.amount {
            self.spelt.clear();
            // Writing to a string does not fail.
            let _ = match amount {
                ReportedAmount::Exact(amount) => write!(self.spelt, "{amount}"),
                ReportedAmount::Disputed { raw, formatted } => write!(self.spelt, "{raw} {formatted}"),
            };
            self.append_spelt_text();
        }
        self.end_row();
    }

    /// Appends the spelt text to its line, in lower case.
    fn append_spelt_text(&mut self) {
        // As `fold` does, in place: nearly all is ASCII.
        if self.spelt.is_ascii() {
            self.spelt.make_ascii_lowercase();
        } else {
            self.spelt = fold_case(&self.spelt);
        }
        // Every byte is tested, without an early exit, so that the loop is vectorised.
        let is_hex = self.spelt.bytes().fold(true, |is_hex, byte| is_hex & is_hex_like_byte(byte));
        let lines = if is_hex { &mut self.hex } else { &mut self.plain };
        lines.text.extend_from_slice(self.spelt.as_bytes());
    }

    fn end_row(&mut self) {
        self.plain.end_line();
        self.hex.end_line();
    }

    fn bytes(self) -> [Vec<u8>; 2] {
        [self.plain.bytes(), self.hex.bytes()]
    }
}

#[derive(Default)]
struct TextLines {
    lengths: Vec<u8>,
    text: Vec<u8>,
    start: usize,
}

impl TextLines {
    /// Ends a line: empty fields at its end are left out.
    fn end_line(&mut self) {
        while self.text.len() > self.start && self.text.last() == Some(&TEXT_FIELD_SEPARATOR) {
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
fn encode_code_column(bytes: &mut Vec<u8>, column: &[PhraseCode]) {
    let mut palette: Vec<PhraseCode> = Vec::new();
    let mut palette_indices: HashMap<PhraseCode, u16> = HashMap::new();
    let indices: Vec<u16> = column
        .iter()
        .map(|code| {
            *palette_indices.entry(*code).or_insert_with(|| {
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
