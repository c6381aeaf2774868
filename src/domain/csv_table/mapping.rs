//! Which column of a file is which, as an operator says it: `FILE address=Payee amount="Net amount"`.

use std::fmt;

use csv::StringRecord;

use super::errors_file::REASON;
use super::squeeze_name;

/// Pairs of a column's own name and its name in the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ColumnMapping(Vec<(String, String)>);

/// A mapping and the header that it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderMapping {
    /// The kind of file.
    pub kind: String,
    /// The names of the columns without differences of case and spacing.
    pub header: String,
    pub mapping: ColumnMapping,
}

/// The mapping typed with a file, and those kept for headers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KnownMappings {
    pub typed: ColumnMapping,
    pub header_mappings: Vec<HeaderMapping>,
}

impl ColumnMapping {
    /// Parses words such as `address=Payee amount="Net amount"`.
    ///
    /// # Errors
    /// What would be right.
    pub fn parse(text: &str) -> Result<Self, String> {
        match split_path_and_mapping(text) {
            ("", mapping) => Ok(mapping),
            _ => Err(format!("“{text}” names no column; write {}", Self::example("address", "Net amount"))),
        }
    }

    pub fn example(own: &str, name: &str) -> String {
        if name.contains(|c: char| c.is_whitespace() || c == '=') {
            format!("{own}=\"{name}\"")
        } else {
            format!("{own}={name}")
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(own, name)| (own.as_str(), name.as_str()))
    }
}

impl fmt::Display for ColumnMapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs: Vec<String> = self.pairs().map(|(own, name)| Self::example(own, name)).collect();
        f.write_str(&pairs.join(" "))
    }
}

impl HeaderMapping {
    pub(super) fn new(kind: &str, header: &StringRecord, mapping: ColumnMapping) -> Self {
        Self { kind: kind.to_owned(), header: header_text(header), mapping }
    }

    pub fn is_for_same_header(&self, other: &Self) -> bool {
        self.kind == other.kind && self.header == other.header
    }
}

impl KnownMappings {
    /// The typed mapping, or else the one kept for this header; and whether it is a kept one.
    pub(super) fn for_header(&self, kind: &str, header: &StringRecord) -> (ColumnMapping, bool) {
        if !self.typed.is_empty() {
            return (self.typed.clone(), false);
        }
        let header = header_text(header);
        let saved_mapping =
            self.header_mappings.iter().rev().find(|saved| saved.kind == kind && saved.header == header);
        saved_mapping.map(|saved| (saved.mapping.clone(), true)).unwrap_or_default()
    }
}

/// A header as it is compared. A file of errors has that of its source.
fn header_text(header: &StringRecord) -> String {
    let mut names: Vec<String> = header.iter().map(squeeze_name).collect();
    let _reasons = names.pop_if(|last| last == REASON);
    names.join(",")
}

/// Splits a line into the path of a file and the mapping behind it.
pub fn split_path_and_mapping(line: &str) -> (&str, ColumnMapping) {
    let (mut rest, mut pairs) = (line.trim(), Vec::new());
    while let Some((before, pair)) = split_last_pair(rest) {
        pairs.insert(0, pair);
        rest = before.trim_end();
    }
    (rest, ColumnMapping(pairs))
}

/// The last pair of a line and what is before it; a path may contain blanks and signs of equality itself.
fn split_last_pair(line: &str) -> Option<(&str, (String, String))> {
    let (before, name) = match line.strip_suffix('"') {
        Some(open) => open.rsplit_once("=\"")?,
        None => line.rsplit_once('=').filter(|(_, name)| !name.contains(char::is_whitespace))?,
    };
    let at = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let (rest, own) = before.split_at(at);
    let is_pair = !name.is_empty() && !own.is_empty() && own.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
    is_pair.then(|| (rest, (own.to_owned(), name.to_owned())))
}
