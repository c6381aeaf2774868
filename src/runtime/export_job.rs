//! Exports from the screen: rows into a new file, or as text for the terminal's clipboard, with progress reports.

use std::io::{self, BufWriter, Write};

use super::HostPermission;
use super::export::file;
use super::export::rows::{self, ExportError, ExportRequest};
use crate::app::{ClipboardText, ExportProgress, MOST_COPIED};
use crate::domain::{Failure, FailureReason};
use crate::store::StoreError;

pub(super) struct ExportFolder<'a> {
    pub(super) host: &'a HostPermission,
    pub(super) typed_path: &'a str,
}

/// Writes rows into a new file. An incomplete file is removed.
pub(super) fn export_to_file(
    folder: &ExportFolder<'_>,
    source: &ExportRequest<'_>,
    on_progress: &dyn Fn(ExportProgress),
) -> Result<ExportProgress, Failure> {
    let ExportFolder { host, typed_path: typed } = *folder;
    let stem = rows::file_stem(source.rows);
    let file = file::create_export_file(host, &file::resolve_folder(host, typed), stem, source.format, source.now);
    let mut out = BufWriter::new(file.map_err(|error| local_failure(&error))?);
    let count = match write_with_progress(source, &mut out, on_progress) {
        Ok(count) => count,
        Err(broken) => return stopped_or_failed(&broken),
    };
    let file = out.into_inner().map_err(|error| local_failure(error.error()))?;
    let path = file.finish().map_err(|error| local_failure(&error))?;
    Ok(ExportProgress::Finished { rows: count, path: path.display().to_string() })
}

/// Writes rows as text for the terminal's clipboard; a text beyond its limit is only counted.
pub(super) fn export_to_text(
    source: &ExportRequest<'_>,
    on_progress: &dyn Fn(ExportProgress),
) -> Result<ExportProgress, Failure> {
    let mut out = CappedCountingBuffer::default();
    let count = match write_with_progress(source, &mut out, on_progress) {
        Ok(count) => count,
        Err(broken) => return stopped_or_failed(&broken),
    };
    let bytes = out.bytes;
    let is_short = bytes <= MOST_COPIED;
    let text = is_short.then(|| String::from_utf8(out.content).map_err(|error| local_failure(&error))).transpose()?;
    Ok(ExportProgress::Clipboard(ClipboardText { rows: count, bytes, text }))
}

/// Stores the bytes written up to the limit, and counts all of them.
#[derive(Default)]
struct CappedCountingBuffer {
    content: Vec<u8>,
    bytes: usize,
}

impl Write for CappedCountingBuffer {
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

fn write_with_progress(
    source: &ExportRequest<'_>,
    out: impl Write,
    on_progress: &dyn Fn(ExportProgress),
) -> Result<u64, ExportError> {
    rows::write_rows(source, out, &|rows, of| on_progress(ExportProgress::Running { rows, total: of }))
}

fn stopped_or_failed(broken: &ExportError) -> Result<ExportProgress, Failure> {
    match broken {
        ExportError::Store(StoreError::Cancelled) => Ok(ExportProgress::Stopped),
        ExportError::Store(error) => Err(local_failure(error)),
        ExportError::File(error) => Err(local_failure(error)),
    }
}

fn local_failure(reason: &impl std::fmt::Display) -> Failure {
    Failure::from_read(FailureReason::Local, &reason.to_string())
}
