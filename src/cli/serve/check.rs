//! `bursar serve check`: the proof that a ledger is sound.

use std::io::Write;
use std::path::Path;

use anyhow::bail;

use crate::cli::Ended;
use crate::service::ledger::check_folder;

pub(super) fn run(data: &Path) -> anyhow::Result<Ended> {
    let mut out = std::io::stdout().lock();
    match check_folder(data)? {
        Ok(checked) => {
            let (books, entries, rows) = (checked.books, checked.entries, checked.rows);
            writeln!(out, "the ledger is sound: {books} books, {entries} entries, {rows} transactions")?;
            Ok(Ended::Normally)
        }
        Err(wrong) => {
            for sentence in &wrong {
                writeln!(out, "{sentence}")?;
            }
            bail!("the ledger is not sound: {} findings", wrong.len())
        }
    }
}
