//! On which line of its file a record of CSV begins, and what parts its values.

use csv::StringRecord;

/// What is to be said of a header whose names seem to be parted by something else than commas, as some spreadsheets
/// write it.
pub fn separator_error(header: &StringRecord) -> Option<String> {
    let only = header.get(0).filter(|_| header.len() == 1)?;
    let (_, separators) = [(';', "semicolons"), ('\t', "tabs")].into_iter().find(|(mark, _)| only.contains(*mark))?;
    Some(format!("values must be separated by commas, but this file seems to use {separators}; save it with commas"))
}

/// Counts lines while the records of a file are read, one after the other, the header not among them.
#[derive(Debug)]
pub struct LineCounter<'a> {
    text: &'a str,
    line: u64,
    counted_bytes: usize,
}

impl<'a> LineCounter<'a> {
    /// The lines of a file, whose header stands on the first.
    pub fn new(text: &'a str) -> Self {
        Self { text, line: 1, counted_bytes: 0 }
    }

    /// The line of the next record, counted from 1.
    pub fn line_of(&mut self, record: &StringRecord) -> u64 {
        // A record begins behind what ends the line before it, of which the reader may have left a part.
        let at = record.position().and_then(|at| usize::try_from(at.byte()).ok()).unwrap_or(self.counted_bytes);
        let ends = self.text.get(at..).map_or(0, |rest| rest.len() - rest.trim_start_matches(['\r', '\n']).len());
        let passed = self.text.get(self.counted_bytes..at + ends).unwrap_or_default();
        self.line += u64::try_from(passed.bytes().filter(|byte| *byte == b'\n').count()).unwrap_or(0);
        self.counted_bytes = at + ends;
        self.line
    }
}
