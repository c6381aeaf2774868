//! Directory entries that an operator imports: one by one, or many from a file.
//!
//! The service lists neither accounts nor wallets nor users, so an entry that this console did not create and that does
//! not occur in the history is unknown until it is imported. An import is applied as a whole or not at all.

mod row;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde_json::value::RawValue;

use super::csv_table;
use super::csv_table::mapping::{HeaderMapping, KnownMappings};
use super::{Account, Chain, CreatedObject, Text, User, Wallet};
use row::{ImportField, ImportFields, LAYOUT};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DirectoryEntry {
    Account(Account),
    Wallet(Wallet),
    /// A user; a sub-wallet in version 1.
    User(User),
}

impl DirectoryEntry {
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Account(_) => "account",
            Self::Wallet(_) => "wallet",
            Self::User(_) => "user",
        }
    }

    /// As the service spells it.
    pub fn id(&self) -> &str {
        match self {
            Self::Account(account) => account.id.as_str(),
            Self::Wallet(wallet) => wallet.id.as_str(),
            Self::User(user) => user.id.as_str(),
        }
    }
}

impl DirectoryEntry {
    fn description(&self) -> String {
        let texts = match self {
            Self::Account(account) => [account.name.as_ref(), None, None],
            Self::Wallet(wallet) => [Some(&wallet.blockchain), wallet.address.as_ref(), wallet.name.as_ref()],
            Self::User(user) => [user.display_name.as_ref(), user.ref_id.as_ref(), user.email.as_ref()],
        };
        let details: Vec<&str> = texts.into_iter().flatten().map(Text::as_str).collect();
        let details_text = if details.is_empty() { "no further details".into() } else { details.join(" ") };
        format!("{} {}: {details_text}", self.kind(), self.id())
    }

    fn warning(&self) -> Option<String> {
        let Self::Wallet(wallet) = self else { return None };
        let unknown = Chain::find(&wallet.blockchain).is_none();
        unknown.then(|| {
            format!("{} is not a blockchain that bursar knows: addresses on it are not checked", wallet.blockchain)
        })
    }
}

impl From<DirectoryEntry> for CreatedObject {
    fn from(entry: DirectoryEntry) -> Self {
        match entry {
            DirectoryEntry::Account(account) => Self::Account(account),
            DirectoryEntry::Wallet(wallet) => Self::Wallet(wallet),
            DirectoryEntry::User(user) => Self::User(user),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryImport {
    /// The name of a file, or [`DirectoryImport::TYPED`].
    pub origin: Text,
    pub entries: Vec<DirectoryEntry>,
    /// Of an import with one wallet: other reported addresses of it that an operator reviewed and rejected. Empty for a
    /// mere import.
    pub rejected: Vec<Text>,
}

impl DirectoryImport {
    pub const TYPED: &str = "typed in";

    pub fn new(origin: &str, entries: Vec<DirectoryEntry>) -> Self {
        Self { origin: Text::clean(origin), entries, rejected: Vec::new() }
    }

    /// The import without the entries that earlier imports contain unchanged.
    #[must_use]
    pub fn without_known<'a>(mut self, earlier: impl IntoIterator<Item = &'a Self>) -> Self {
        let latest = latest_entries(earlier);
        self.entries.retain(|entry| latest.get(&(entry.kind(), entry.id())) != Some(&entry));
        self
    }

    /// Remarks for the operator: entries that replace an earlier import, with the earlier content, and entries that
    /// cannot be checked.
    #[must_use]
    pub fn replacement_remarks<'a>(&self, earlier: impl IntoIterator<Item = &'a Self>) -> Vec<String> {
        let latest = latest_entries(earlier);
        let replaced = self.entries.iter().filter_map(|entry| latest.get(&(entry.kind(), entry.id())));
        let replaced = replaced.map(|before| format!("replaced an earlier import: {}", before.description()));
        replaced.chain(self.entries.iter().filter_map(DirectoryEntry::warning)).collect()
    }
}

/// The entries of earlier imports by kind and identifier. Of two entries the later one counts.
fn latest_entries<'a>(
    earlier: impl IntoIterator<Item = &'a DirectoryImport>,
) -> HashMap<(&'a str, &'a str), &'a DirectoryEntry> {
    earlier.into_iter().flat_map(|import| &import.entries).map(|entry| ((entry.kind(), entry.id()), entry)).collect()
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportSummary {
    pub origin: Text,
    /// The number of new or changed entries, which are recorded.
    pub new: u64,
    /// The number of entries that were imported before, unchanged.
    pub already_known: u64,
    /// The remarks on the recorded entries: [`DirectoryImport::replacement_remarks`].
    pub remarks: Vec<String>,
}

impl fmt::Display for ImportSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { origin, new, already_known, remarks: _ } = self;
        match (new, already_known) {
            (0, _) => write!(f, "{origin}: nothing new, everything was imported before"),
            (_, 0) => write!(f, "{origin}: {new} imported"),
            _ => write!(f, "{origin}: {new} imported, {already_known} already known"),
        }
    }
}

/// A row of a file: its entry, or an error that states what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRow {
    /// The line that the row begins on, counted from 1.
    pub line: u64,
    /// The index in a JSON list, counted from 1: all entries may be on one line.
    pub index: Option<u64>,
    pub entry: Result<DirectoryEntry, String>,
}

impl ImportRow {
    pub fn location(&self) -> String {
        let line = self.line;
        self.index.map_or_else(|| format!("line {line}"), |nth| format!("entry {nth}, on line {line}"))
    }
}

impl ImportFile {
    /// What is wrong with each row of a table, by its line. Entries of a list are no rows.
    pub fn errors_by_line(&self) -> BTreeMap<u64, String> {
        let of_table = self.rows.iter().filter(|row| row.index.is_none());
        of_table.filter_map(|row| Some((row.line, row.entry.as_ref().err()?.clone()))).collect()
    }
}

const EXAMPLE_ENTRY: &str = r#"{"kind": "user", "id": "u-1", "name": "Ada"}"#;

pub const MAX_FILE_BYTES: usize = 32 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportFile {
    pub rows: Vec<ImportRow>,
    /// How the file was read otherwise than written.
    pub notes: Vec<String>,
    /// The mapping that was used, if one was typed or kept for the header.
    pub mapping: Option<HeaderMapping>,
}

/// Reads a file: JSON if it begins like a list, else CSV with a header.
///
/// # Errors
/// What is wrong with the file as a whole. An error of a single row is in that row.
pub fn parse_import_file(bytes: &[u8], mappings: &KnownMappings) -> Result<ImportFile, String> {
    let text = csv_table::decode_utf8(bytes, MAX_FILE_BYTES)?;
    let mut file = match text.trim_start().as_bytes().first() {
        Some(b'[') => ImportFile { rows: parse_import_json(text)?, ..ImportFile::default() },
        Some(b'{') => {
            return Err(format!(
                "this is a JSON object; the file must be a list of objects, as in [{EXAMPLE_ENTRY}, …]"
            ));
        }
        _ => parse_import_csv(bytes, mappings)?,
    };
    if file.rows.is_empty() {
        return Err("the file has no rows".into());
    }
    reject_duplicates(&mut file.rows);
    Ok(file)
}

/// Parses what was typed: `user ID [NAME]`, `account ID [NAME]` or `wallet ID CHAIN [ADDRESS]`.
///
/// # Errors
/// What would be right.
pub fn parse_typed_entry(text: &str) -> Result<DirectoryEntry, String> {
    let mut words = text.split_whitespace();
    let kind = words.next().unwrap_or_default();
    let id = words.next().unwrap_or_default();
    let mut fields = ImportFields::default();
    fields.set(ImportField::Kind, kind);
    fields.set(ImportField::Id, id);
    let rest: Vec<&str> = words.collect();
    if kind == "wallet" {
        let [chain, address @ ..] = rest.as_slice() else {
            return Err("name the wallet's chain too, as in: wallet ID base 0x…".into());
        };
        if address.len() > 1 {
            return Err("a wallet is: wallet ID CHAIN [ADDRESS]".into());
        }
        fields.set(ImportField::Blockchain, chain);
        fields.set(ImportField::Address, address.first().copied().unwrap_or_default());
    } else {
        fields.set(ImportField::Name, &rest.join(" "));
    }
    fields.to_entry()
}

/// The same identifier twice is a mistake, and which of the rows is right would be a guess.
fn reject_duplicates(rows: &mut [ImportRow]) {
    let mut first: HashMap<(&'static str, String), String> = HashMap::new();
    for row in rows {
        let Ok(entry) = &row.entry else { continue };
        let (kind, id) = (entry.kind(), entry.id().to_owned());
        if let Some(before) = first.get(&(kind, id.clone())) {
            row.entry = Err(format!("this {kind} is already {before}; remove one of the two"));
        } else {
            let place = row.index.map_or_else(|| format!("on line {}", row.line), |nth| format!("in entry {nth}"));
            first.insert((kind, id), place);
        }
    }
}

fn parse_import_csv(bytes: &[u8], mappings: &KnownMappings) -> Result<ImportFile, String> {
    let table = LAYOUT.read(bytes, mappings)?;
    let read = |row: &csv_table::CsvRow| {
        let entry = row.fault.clone().map_or_else(
            || {
                let mut fields = ImportFields::default();
                for field in ImportField::ALL {
                    fields.set(field, table.cell(row, field));
                }
                fields.to_entry()
            },
            Err,
        );
        ImportRow { line: row.line, index: None, entry }
    };
    let rows = table.rows.iter().map(read).collect();
    Ok(ImportFile { rows, notes: table.notes, mapping: table.mapping })
}

fn unknown_column(name: &str) -> String {
    let columns: Vec<&str> = ImportField::ALL.iter().map(|field| field.column_name()).collect();
    let name = Text::clean(name);
    format!("no column is called “{name}”; there are {}", columns.join(", "))
}

fn parse_import_json(text: &str) -> Result<Vec<ImportRow>, String> {
    let objects: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| format!("this is not a list: {error}"))?;
    let mut rows = Vec::with_capacity(objects.len());
    // Values occur in the text in this order, with only blanks and commas between them.
    let (mut line, mut counted_to, mut passed) = (1_u64, 0_usize, 0_usize);
    for (nth, object) in (1..).zip(objects) {
        let at = text.get(passed..).and_then(|rest| rest.find(object.get())).map_or(passed, |offset| passed + offset);
        let line_breaks = text.get(counted_to..at).unwrap_or_default().bytes().filter(|byte| *byte == b'\n').count();
        line += u64::try_from(line_breaks).unwrap_or(0);
        (counted_to, passed) = (at, at + object.get().len());
        rows.push(ImportRow { line, index: Some(nth), entry: parse_json_entry(object) });
    }
    Ok(rows)
}

fn parse_json_entry(object: &RawValue) -> Result<DirectoryEntry, String> {
    let values: HashMap<String, &RawValue> =
        serde_json::from_str(object.get()).map_err(|_| format!("each entry is an object, as in {EXAMPLE_ENTRY}"))?;
    let mut fields = ImportFields::default();
    for (name, value) in values {
        let field = LAYOUT.column_by_name(&name).ok_or_else(|| unknown_column(&name))?;
        let word = value.get();
        let text = match word.as_bytes().first() {
            Some(b'"') => serde_json::from_str::<String>(word).map_err(|error| error.to_string())?,
            // Identifiers are read as text even where they are written as numbers.
            Some(b'-' | b'0'..=b'9') => word.to_owned(),
            _ if word == "null" => continue,
            _ => return Err(format!("{name} is not text")),
        };
        fields.set(field, text.trim());
    }
    fields.to_entry()
}
