//! Exports from the screen: rows into a new file, or as text for the terminal's clipboard, with progress reports.

use std::io::{self, BufWriter, Write};

use super::HostPermission;
use super::export::file;
use super::export::rows::{self, ExportError, ExportRequest};
use crate::app::{ClipboardText, ExportProgress, MOST_COPIED};
use crate::domain::{Failure, Reason};
use crate::store::StoreError;

pub(super) struct ExportFolder<'a> {
    pub(super) host: &'a HostPermission,
    pub(super) typed_path: &'a str,
}

/// Writes rows into a new file. An incomplete file is removed.
pub(super) fn export_to_file(
    folder: &ExportFolder<'_>,
    source: &ExportRequest<'_>,
    told: &dyn Fn(ExportProgress),
) -> Result<ExportProgress, Failure> {
    let ExportFolder { host, typed_path: named } = *folder;
    let what = rows::file_stem(source.rows);
    let file = file::create(host, &file::folder(host, named), what, source.format, source.now);
    let mut out = BufWriter::new(file.map_err(|error| failed(&error))?);
    let count = match write(source, &mut out, told) {
        Ok(count) => count,
        Err(broken) => return ended(&broken),
    };
    let file = out.into_inner().map_err(|error| failed(error.error()))?;
    let path = file.finish().map_err(|error| failed(&error))?;
    Ok(ExportProgress::Finished { rows: count, path: path.display().to_string() })
}

/// Writes rows as text for the terminal's clipboard; a text beyond its limit is only counted.
pub(super) fn export_to_text(
    source: &ExportRequest<'_>,
    told: &dyn Fn(ExportProgress),
) -> Result<ExportProgress, Failure> {
    let mut out = CappedBuffer::default();
    let count = match write(source, &mut out, told) {
        Ok(count) => count,
        Err(broken) => return ended(&broken),
    };
    let bytes = out.bytes;
    let is_short = bytes <= MOST_COPIED;
    let text = is_short.then(|| String::from_utf8(out.content).map_err(|error| failed(&error))).transpose()?;
    Ok(ExportProgress::Clipboard(ClipboardText { rows: count, bytes, text }))
}

/// Stores the bytes written up to the limit, and counts all of them.
#[derive(Default)]
struct CappedBuffer {
    content: Vec<u8>,
    bytes: usize,
}

impl Write for CappedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes = self.bytes.saturating_add(bytes.len());
        if self.bytes <= MOST_COPIED {
            self.content.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write(source: &ExportRequest<'_>, out: impl Write, told: &dyn Fn(ExportProgress)) -> Result<u64, ExportError> {
    rows::write_rows(source, out, &|rows, of| told(ExportProgress::Running { rows, total: of }))
}

fn ended(broken: &ExportError) -> Result<ExportProgress, Failure> {
    match broken {
        ExportError::Store(StoreError::Cancelled) => Ok(ExportProgress::Stopped),
        ExportError::Store(error) => Err(failed(error)),
        ExportError::File(error) => Err(failed(error)),
    }
}

fn failed(why: &impl std::fmt::Display) -> Failure {
    Failure::from_read(Reason::Local, &why.to_string())
}
