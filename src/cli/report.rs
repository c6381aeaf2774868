//! `bursar report`: what the history adds up to, by counterparty, by fee, by wallet and by month.

use std::collections::HashMap;
use std::io::{self, BufWriter};

use clap::Subcommand;

use super::offline_cache::{self, OfflineCache, ignore_broken_pipe, print_remark};
use super::{CommandContext, Exit, journal};
use crate::domain::address::fold_address_case;
use crate::domain::report::ReportKind;
use crate::domain::{ExportFormat, Period, Text};
use crate::journal::{JournalError, JournalSnapshot, RecordedBookChanges};
use crate::runtime::clock::Clock;
use crate::runtime::export::report;
use crate::store::{Cancel, ReportRequest};

/// What `bursar report` may be told.
#[derive(Debug, Subcommand)]
pub(super) enum ReportCommand {
    /// Who paid and who was paid, by volume
    Counterparties {
        /// Period in UTC: 30d for the last 30 days, 2026, 2026-11 or 2026-11-23, yesterday, 'last month', or all
        #[arg(long, value_name = "WHEN", default_value = "30d", value_parser = parse_period)]
        period: Period,
        #[command(flatten)]
        output: ReportOutput,
    },
    /// Fees of each month and chain
    Fees {
        #[command(flatten)]
        months: MonthCount,
        #[command(flatten)]
        output: ReportOutput,
    },
    /// How long the coin of each wallet lasts for fees, by those of the last 30 days
    Gas {
        #[command(flatten)]
        output: ReportOutput,
    },
    /// What came in and went out, month against month
    Months {
        #[command(flatten)]
        months: MonthCount,
        #[command(flatten)]
        output: ReportOutput,
    },
}

#[derive(Debug, clap::Args)]
pub(super) struct ReportOutput {
    /// Output format
    #[arg(long, value_enum, default_value_t = ExportFormat::Csv)]
    format: ExportFormat,
    /// Do not contact the service: use what was read before, and report its age on standard error
    #[arg(long)]
    offline: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct MonthCount {
    /// Number of months in UTC, the present one included
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=120))]
    months: u16,
}

fn parse_period(text: &str) -> Result<Period, String> {
    Period::parse_span(text, Clock::System.now())
        .ok_or_else(|| "a period is written as 30d, 2026, 2026-11, 2026-11-23, 'last month' or all".to_owned())
}

pub(super) fn run(context: &CommandContext, command: &ReportCommand) -> anyhow::Result<Exit> {
    let (kind, output) = match command {
        ReportCommand::Counterparties { output, .. } => (ReportKind::Counterparties, output),
        ReportCommand::Fees { output, .. } => (ReportKind::Fees, output),
        ReportCommand::Gas { output } => (ReportKind::Gas, output),
        ReportCommand::Months { output, .. } => (ReportKind::Months, output),
    };
    // Runway needs the balances of as many wallets as are listed.
    let users = if kind == ReportKind::Gas { u64::MAX } else { 0 };
    let cache = offline_cache::open_priced_cache(context, output.offline, users)?.require_fresh()?;
    let period = match command {
        ReportCommand::Counterparties { period, .. } => Some(*period),
        ReportCommand::Fees { months, .. } | ReportCommand::Months { months, .. } => {
            Period::last_months(months.months, cache.now)
        }
        ReportCommand::Gas { .. } => Some(Period::EVER),
    };
    let period = period.ok_or_else(|| anyhow::anyhow!("the clock of this machine is beyond the calendar"))?;
    write_report(context, &cache, kind, period, output.format)
}

/// Computes a report, writes it to standard output, and its remarks to standard error.
pub(super) fn write_report(
    context: &CommandContext,
    cache: &OfflineCache,
    kind: ReportKind,
    period: Period,
    format: ExportFormat,
) -> anyhow::Result<Exit> {
    let request = ReportRequest {
        kind,
        period,
        prices: cache.price_history()?,
        names: address_names(context, cache)?,
        now: cache.now,
    };
    let table = cache.store.report(&request, &Cancel::new())?;
    let written = report::write_report(&table, format, BufWriter::new(io::stdout().lock()));
    ignore_broken_pipe(written.map(|_| ()))?;
    table.remarks.iter().for_each(|remark| print_remark(remark));
    Ok(Exit::Normally)
}

/// The names of the address book, by address.
fn address_names(context: &CommandContext, cache: &OfflineCache) -> anyhow::Result<HashMap<String, Text>> {
    let changes = match JournalSnapshot::open(&journal::journal_folder(context)?) {
        Ok(journal) => journal.book_changes(&cache.destination)?,
        Err(JournalError::Missing { .. }) => return Ok(HashMap::new()),
        Err(error) => return Err(error.into()),
    };
    let book = RecordedBookChanges::replay_book(&changes);
    let named = book.entries().iter().map(|entry| &entry.contact);
    Ok(named.map(|contact| (fold_address_case(&contact.address).into_owned(), contact.name.clone())).collect())
}
