//! Exports of the screen: rows of the store into a new file, or a text for the terminal's clipboard, with word of how far they have come.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

use super::Host;
use super::export::{Table, file, history};
use crate::app::{Clip, MOST_COPIED, Rows, Written};
use crate::domain::book::Known;
use crate::domain::book::file::COLUMNS;
use crate::domain::history::HistoryRow;
use crate::domain::{Failure, Format, Reason, Text, Timestamp};
use crate::store::{Cancel, Store, StoreError};

/// Rows between two words of how far it has come.
const WORD_EVERY: u64 = 5_000;

/// A file that is to be made.
pub(super) struct Wanted<'a> {
    /// The permission to make it.
    pub(super) host: &'a Host,
    /// Its folder, as it was typed.
    pub(super) folder: &'a str,
    /// How rows are written.
    pub(super) format: Format,
    /// When it is made, which its name says.
    pub(super) now: Timestamp,
}

/// Writes rows into a new file. One that does not become whole is removed.
pub(super) fn export(
    wanted: &Wanted<'_>,
    store: &Store,
    rows: &Rows,
    cancel: &Cancel,
    told: &dyn Fn(Written),
) -> Result<Written, Failure> {
    let Wanted { host, folder, format, now } = *wanted;
    let what = if matches!(rows, Rows::Book(_)) { "book" } else { "transactions" };
    let file = file::create(host, &file::folder(host, folder), what, format, now).map_err(|error| failed(&error))?;
    let mut out = BufWriter::new(file);
    let count = match write(store, rows, format, &mut out, cancel, told) {
        Ok(count) => count,
        Err(broken) => return broken.told(),
    };
    let file = out.into_inner().map_err(|error| failed(error.error()))?;
    let path = file.finish().map_err(|error| failed(&error))?;
    Ok(Written::Whole { rows: count, path: path.display().to_string() })
}

/// Writes rows as a text for the clipboard of the terminal, which takes only so much: of more, how much it is.
pub(super) fn as_text(
    store: &Store,
    rows: &Rows,
    format: Format,
    cancel: &Cancel,
    told: &dyn Fn(Written),
) -> Result<Written, Failure> {
    let mut out = Short::default();
    let count = match write(store, rows, format, &mut out, cancel, told) {
        Ok(count) => count,
        Err(broken) => return broken.told(),
    };
    let bytes = out.bytes;
    let is_short = bytes <= MOST_COPIED;
    let text = is_short.then(|| String::from_utf8(out.kept).map_err(|error| failed(&error))).transpose()?;
    Ok(Written::Text(Clip { rows: count, bytes, text }))
}

/// Keeps what is written as long as it is short, and counts it in any case.
#[derive(Default)]
struct Short {
    kept: Vec<u8>,
    bytes: usize,
}

impl Write for Short {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes = self.bytes.saturating_add(bytes.len());
        if self.bytes <= MOST_COPIED {
            self.kept.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Why a file did not become whole.
enum Broken {
    Store(StoreError),
    File(io::Error),
}

impl Broken {
    fn told(self) -> Result<Written, Failure> {
        match self {
            Self::Store(StoreError::Cancelled) => Ok(Written::Stopped),
            Self::Store(error) => Err(failed(&error)),
            Self::File(error) => Err(failed(&error)),
        }
    }
}

fn write(
    store: &Store,
    rows: &Rows,
    format: Format,
    out: impl Write,
    cancel: &Cancel,
    told: &dyn Fn(Written),
) -> Result<u64, Broken> {
    if let Rows::Book(entries) = rows {
        return book(entries, format, out).map_err(Broken::File);
    }
    let mut table = Table::new(format, &history::COLUMNS, out);
    table.begin().map_err(Broken::File)?;
    let (mut count, mut fault) = (0_u64, None);
    let total = std::cell::Cell::new(0);
    let mut each = |row: HistoryRow| {
        if let Err(error) = table.row(&history::cells(&row)) {
            fault = Some(error);
            return ControlFlow::Break(());
        }
        count += 1;
        if count.is_multiple_of(WORD_EVERY) {
            told(Written::SoFar { rows: count, of: total.get() });
        }
        ControlFlow::Continue(())
    };
    match rows {
        Rows::Found(query) => store.walk(query, cancel, &mut |of| total.set(of), &mut each).map_err(Broken::Store)?,
        Rows::Marked(places) => {
            for row in store.rows_at(places).map_err(Broken::Store)? {
                if each(row).is_break() {
                    break;
                }
            }
        }
        Rows::Book(_) => {}
    }
    match fault {
        Some(error) => Err(Broken::File(error)),
        None => table.end().map(|()| count).map_err(Broken::File),
    }
}

/// The address book, in the columns that it is brought in by.
fn book(entries: &[Known], format: Format, out: impl Write) -> io::Result<u64> {
    let mut table = Table::new(format, &COLUMNS, out);
    table.begin()?;
    for Known { contact, .. } in entries {
        let optional = |text: &Option<Text>| text.as_ref().map(ToString::to_string);
        let [name, address, chain] = [&contact.name, &contact.address, &contact.blockchain];
        let told = [name, address, chain].map(|text| Some(text.to_string()));
        table.row(&[&told[..], &[optional(&contact.tag), optional(&contact.note)]].concat())?;
    }
    table.end()?;
    Ok(u64::try_from(entries.len()).unwrap_or(u64::MAX))
}

fn failed(why: &impl std::fmt::Display) -> Failure {
    Failure::of_read(Reason::Local, &why.to_string())
}
