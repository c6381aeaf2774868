//! Exports of the screen: rows of the store into a new file, with word of how far they have come.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use super::export::{Table, file, history};
use crate::app::{Rows, Written};
use crate::domain::history::HistoryRow;
use crate::domain::{Failure, Format, Reason, Timestamp};
use crate::store::{Cancel, Store, StoreError};

/// Rows between two words of how far it has come.
const WORD_EVERY: u64 = 5_000;

/// Writes rows into a new file of a folder. A file that does not become whole is removed.
pub(super) fn export(
    store: &Store,
    rows: &Rows,
    folder: &str,
    format: Format,
    now: Timestamp,
    cancel: &Cancel,
    told: &dyn Fn(Written),
) -> Result<Written, Failure> {
    let (file, path) = file::create(&file::folder(folder), "transactions", format, now).map_err(|e| failed(&e))?;
    match write(store, rows, format, BufWriter::new(file), cancel, told) {
        Ok(count) => Ok(Written::Whole { rows: count, path: path.display().to_string() }),
        Err(why) => {
            let left = std::fs::remove_file(&path).is_err().then_some(path);
            match why {
                Broken::Store(StoreError::Cancelled) if left.is_none() => Ok(Written::Stopped),
                Broken::Store(error) => Err(with_rest(&error, left)),
                Broken::File(error) => Err(with_rest(&error, left)),
            }
        }
    }
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
    }
    match fault {
        Some(error) => Err(Broken::File(error)),
        None => table.end().map(|()| count).map_err(Broken::File),
    }
}

fn failed(why: &impl std::fmt::Display) -> Failure {
    Failure::of_read(Reason::Local, &why.to_string())
}

fn with_rest(why: &impl std::fmt::Display, left: Option<PathBuf>) -> Failure {
    match left {
        None => failed(why),
        Some(path) => failed(&format!("{why}; {} is not whole and could not be removed", path.display())),
    }
}
