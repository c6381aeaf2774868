//! Exports of the screen: rows of the store into a new file, with word of how far they have come.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

use super::Host;
use super::export::{Table, file, history};
use crate::app::{Rows, Written};
use crate::domain::book::Known;
use crate::domain::book::file::COLUMNS;
use crate::domain::history::HistoryRow;
use crate::domain::{Failure, Format, Reason, Text, Timestamp};
use crate::store::{Cancel, Store, StoreError};

/// Rows between two words of how far it has come.
const WORD_EVERY: u64 = 5_000;

/// Writes rows into a new file of a folder. A file that does not become whole is removed.
pub(super) fn export(
    host: &Host,
    store: &Store,
    rows: &Rows,
    folder: &str,
    format: Format,
    now: Timestamp,
    cancel: &Cancel,
    told: &dyn Fn(Written),
) -> Result<Written, Failure> {
    let what = if matches!(rows, Rows::Book(_)) { "book" } else { "transactions" };
    let file = file::create(host, &file::folder(host, folder), what, format, now).map_err(|error| failed(&error))?;
    let mut out = BufWriter::new(file);
    let count = match write(store, rows, format, &mut out, cancel, told) {
        Ok(count) => count,
        Err(Broken::Store(StoreError::Cancelled)) => return Ok(Written::Stopped),
        Err(Broken::Store(error)) => return Err(failed(&error)),
        Err(Broken::File(error)) => return Err(failed(&error)),
    };
    let file = out.into_inner().map_err(|error| failed(error.error()))?;
    let path = file.finish().map_err(|error| failed(&error))?;
    Ok(Written::Whole { rows: count, path: path.display().to_string() })
}

/// Why a file did not become whole.
enum Broken {
    Store(StoreError),
    File(io::Error),
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
