//! `bursar serve check`: verifies a ledger.

use std::io::Write;
use std::path::Path;

use anyhow::bail;

use crate::cli::Exit;
use crate::service::ledger::{accept_folder, check_folder, free_disk_bytes};

/// Free bytes below which the check warns: the ledger's log may take about half of them.
const LOW_DISK_BYTES: u64 = 16 * 1024 * 1024;

pub(super) fn run_ledger_check(data: &Path, accept: bool) -> anyhow::Result<Exit> {
    let mut out = std::io::stdout().lock();
    if accept {
        accept_folder(data)?;
        writeln!(out, "the next start accepts ledger and keys as they are; errors in them are not corrected")?;
        return Ok(Exit::Normally);
    }
    if let Some(free_bytes) = free_disk_bytes(data).filter(|free_bytes| *free_bytes < LOW_DISK_BYTES) {
        let (kib, folder) = (free_bytes / 1024, data.display());
        writeln!(
            out,
            "{kib} KiB are free on the disk of {folder}: on a full disk the service accepts no payment; free some space"
        )?;
    }
    match check_folder(data)? {
        Ok(checked) => {
            let (books, entries, rows) = (checked.books, checked.entries, checked.rows);
            writeln!(out, "the ledger is sound: {books} books, {entries} entries, {rows} transactions")?;
            Ok(Exit::Normally)
        }
        Err(wrong) => {
            for sentence in &wrong {
                writeln!(out, "{sentence}")?;
            }
            bail!("the ledger is not sound: {} findings", wrong.len())
        }
    }
}
