//! The line numbers of CSV records.

use csv::StringRecord;

/// Counts lines while a file's records are read one after the other, without the header.
#[derive(Debug)]
pub(super) struct LineCounter<'a> {
    text: &'a str,
    line: u64,
    counted_bytes: usize,
}

impl<'a> LineCounter<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, line: 1, counted_bytes: 0 }
    }

    pub(super) fn line_of_record(&mut self, record: &StringRecord) -> u64 {
        // A record begins after the line end before it, of which the reader may have left a part.
        let at = record.position().and_then(|at| usize::try_from(at.byte()).ok()).unwrap_or(self.counted_bytes);
        let ends = self.text.get(at..).map_or(0, |rest| rest.len() - rest.trim_start_matches(['\r', '\n']).len());
        let passed = self.text.get(self.counted_bytes..at + ends).unwrap_or_default();
        self.line += u64::try_from(passed.bytes().filter(|byte| *byte == b'\n').count()).unwrap_or(0);
        self.counted_bytes = at + ends;
        self.line
    }
}
