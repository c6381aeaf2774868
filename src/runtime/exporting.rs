//! Exports of the screen: rows into a new file, or a text for the terminal's clipboard, with word of how far they have come.

use std::io::{self, BufWriter, Write};

use super::Host;
use super::export::file;
use super::export::rows::{self, Broken, Source};
use crate::app::{Clip, MOST_COPIED, Written};
use crate::domain::{Failure, Reason};
use crate::store::StoreError;

/// A folder in which a file is to be made.
pub(super) struct Folder<'a> {
    /// The permission to make it.
    pub(super) host: &'a Host,
    /// The folder, as it was typed.
    pub(super) named: &'a str,
}

/// Writes rows into a new file. One that does not become whole is removed.
pub(super) fn export(folder: &Folder<'_>, source: &Source<'_>, told: &dyn Fn(Written)) -> Result<Written, Failure> {
    let Folder { host, named } = *folder;
    let what = rows::name(source.rows);
    let file = file::create(host, &file::folder(host, named), what, source.format, source.now);
    let mut out = BufWriter::new(file.map_err(|error| failed(&error))?);
    let count = match write(source, &mut out, told) {
        Ok(count) => count,
        Err(broken) => return ended(&broken),
    };
    let file = out.into_inner().map_err(|error| failed(error.error()))?;
    let path = file.finish().map_err(|error| failed(&error))?;
    Ok(Written::Whole { rows: count, path: path.display().to_string() })
}

/// Writes rows as a text for the clipboard of the terminal, which takes only so much: of more, how much it is.
pub(super) fn as_text(source: &Source<'_>, told: &dyn Fn(Written)) -> Result<Written, Failure> {
    let mut out = Short::default();
    let count = match write(source, &mut out, told) {
        Ok(count) => count,
        Err(broken) => return ended(&broken),
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

fn write(source: &Source<'_>, out: impl Write, told: &dyn Fn(Written)) -> Result<u64, Broken> {
    rows::write(source, out, &|rows, of| told(Written::SoFar { rows, of }))
}

/// What came of an export that did not become whole.
fn ended(broken: &Broken) -> Result<Written, Failure> {
    match broken {
        Broken::Store(StoreError::Cancelled) => Ok(Written::Stopped),
        Broken::Store(error) => Err(failed(error)),
        Broken::File(error) => Err(failed(error)),
    }
}

fn failed(why: &impl std::fmt::Display) -> Failure {
    Failure::of_read(Reason::Local, &why.to_string())
}
