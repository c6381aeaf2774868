//! `bursar export`: orders and the audit trail, for spreadsheets and for other programs.

mod columns;
mod table;

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

use anyhow::bail;
use clap::ValueEnum;

use super::{Context, Ended, journal};
use crate::journal::Reading;
use crate::runtime::clock::Clock;
use table::Table;

/// What `bursar export` may be told.
#[derive(Debug, clap::Args)]
pub(super) struct ExportArguments {
    /// What is exported
    #[arg(value_enum)]
    pub(super) what: What,
    /// How it is written
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    pub(super) format: Format,
}

/// What is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum What {
    /// Every order, one row each; those of one profile with --profile
    Orders,
    /// Every record of the journal with its hash, after the chain was verified
    Audit,
}

/// How it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Comma-separated values with a header; no cell that a spreadsheet would take for a formula
    Csv,
    /// An array of objects, one on each line
    Json,
}

pub(super) fn run(context: &Context, arguments: &ExportArguments) -> anyhow::Result<Ended> {
    let reading = Reading::open(&journal::folder(context)?).map_err(journal::nothing_recorded)?;
    let verified = reading.verify();
    let words = journal::summary(&verified);
    // Whoever looks at the export must not have to look for this: it goes where it cannot be mistaken for data.
    let _stderr_may_be_gone = writeln!(io::stderr(), "bursar: the journal is {words}");
    if !verified.is_whole() && arguments.what == What::Orders {
        bail!("orders cannot be read from a damaged journal; `bursar journal verify` says what is wrong");
    }
    let written = match arguments.what {
        What::Orders => orders(&reading, context.overrides.profile.as_deref(), arguments.format)?,
        What::Audit => audit(&reading, arguments.format)?,
    };
    match written {
        // Whoever reads may have read enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error.into()),
        _ => {}
    }
    if !verified.is_whole() {
        bail!("the journal is damaged, and what was exported is what can still be read of it");
    }
    Ok(Ended::Normally)
}

fn orders(reading: &Reading, profile: Option<&str>, format: Format) -> anyhow::Result<io::Result<()>> {
    let now = Clock::System.now();
    let mut table = Table::new(format, &columns::ORDER, BufWriter::new(io::stdout().lock()));
    let mut written = table.begin();
    reading.intents(profile, |intent| {
        if written.is_ok() {
            written = table.row(&columns::order(&intent, now));
        }
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(written.and_then(|()| table.end()))
}

fn audit(reading: &Reading, format: Format) -> anyhow::Result<io::Result<()>> {
    let mut table = Table::new(format, &columns::RECORD, BufWriter::new(io::stdout().lock()));
    let mut written = table.begin();
    reading.records(|record| {
        if written.is_ok() {
            written = table.row(&columns::record(&record));
        }
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(written.and_then(|()| table.end()))
}
