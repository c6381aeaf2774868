//! The line numbers of CSV records, and a check of the file's separator.

use csv::StringRecord;

/// The error for a header whose names seem to be separated by something other than commas, as some spreadsheets write
/// it.
pub fn separator_error(header: &StringRecord) -> Option<String> {
    let only = header.get(0).filter(|_| header.len() == 1)?;
    let (_, separators) = [(';', "semicolons"), ('\t', "tabs")].into_iter().find(|(mark, _)| only.contains(*mark))?;
    Some(format!("values must be separated by commas, but this file seems to use {separators}; save it with commas"))
}

/// Counts lines while a file's records are read one after the other, without the header.
#[derive(Debug)]
pub struct LineCounter<'a> {
    text: &'a str,
    line: u64,
    counted_bytes: usize,
}

impl<'a> LineCounter<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, line: 1, counted_bytes: 0 }
    }

    pub fn line_of(&mut self, record: &StringRecord) -> u64 {
        // A record begins after the line end before it, of which the reader may have left a part.
        let at = record.position().and_then(|at| usize::try_from(at.byte()).ok()).unwrap_or(self.counted_bytes);
        let ends = self.text.get(at..).map_or(0, |rest| rest.len() - rest.trim_start_matches(['\r', '\n']).len());
        let passed = self.text.get(self.counted_bytes..at + ends).unwrap_or_default();
        self.line += u64::try_from(passed.bytes().filter(|byte| *byte == b'\n').count()).unwrap_or(0);
        self.counted_bytes = at + ends;
        self.line
    }
}
