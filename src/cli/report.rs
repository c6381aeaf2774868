//! `bursar report`: what the history adds up to, by counterparty, by fee, by wallet and by month.

use std::io::{self, BufWriter};
use std::sync::Arc;

use clap::Subcommand;

use super::number_argument::whole_number_parser;
use super::offline_cache::{self, OfflineCache, print_remark};
use super::output::ignore_broken_pipe;
use super::{CommandContext, Exit, journal};
use crate::domain::address_names::AddressNames;
use crate::domain::history::Scope;
use crate::domain::report::ReportKind;
use crate::domain::{AddressBook, ExportFormat, Period};
use crate::journal::{JournalError, JournalSnapshot, RecordedBookChanges};
use crate::runtime::address_names::collect_names;
use crate::runtime::clock::Clock;
use crate::runtime::export::report;
use crate::store::{Cancel, ReportRequest};

/// What `bursar report` may be told.
#[derive(Debug, Subcommand)]
pub(super) enum ReportCommand {
    /// What everything was worth at the end of each day
    Value {
        /// Number of days in UTC, today included
        #[arg(long, value_name = "N", default_value_t = 90, value_parser = whole_number_parser::<u16>(1..=3650))]
        days: u16,
        #[command(flatten)]
        output: ReportOutput,
    },
    /// What is held now, by token, and the share of each
    Allocation {
        #[command(flatten)]
        output: ReportOutput,
    },
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
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = whole_number_parser::<u16>(1..=120))]
    months: u16,
}

fn parse_period(text: &str) -> Result<Period, String> {
    Period::parse_span(text, Clock::System.now())
        .ok_or_else(|| "a period is written as 30d, 2026, 2026-11, 2026-11-23, 'last month' or all".to_owned())
}

pub(super) fn run(context: &CommandContext, command: &ReportCommand) -> anyhow::Result<Exit> {
    let (kind, output) = match command {
        ReportCommand::Value { output, .. } => (ReportKind::Value, output),
        ReportCommand::Allocation { output } => (ReportKind::Allocation, output),
        ReportCommand::Counterparties { output, .. } => (ReportKind::Counterparties, output),
        ReportCommand::Fees { output, .. } => (ReportKind::Fees, output),
        ReportCommand::Gas { output } => (ReportKind::Gas, output),
        ReportCommand::Months { output, .. } => (ReportKind::Months, output),
    };
    // These need the present balances.
    let needs_balances = matches!(kind, ReportKind::Gas | ReportKind::Value | ReportKind::Allocation);
    let users = if needs_balances { u64::MAX } else { 0 };
    let cache = offline_cache::open_priced_cache(context, output.offline, users)?.require_fresh()?;
    let period = match command {
        ReportCommand::Value { days, .. } => Some(Period::last_days(*days, cache.now)),
        ReportCommand::Counterparties { period, .. } => Some(*period),
        ReportCommand::Fees { months, .. } | ReportCommand::Months { months, .. } => {
            Period::spanning_last_months(months.months, cache.now)
        }
        ReportCommand::Gas { .. } | ReportCommand::Allocation { .. } => Some(Period::EVER),
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
        scope: Scope::All,
        period,
        prices: cache.price_history()?,
        names: Arc::new(address_names(context, cache)?),
        now: cache.now,
    };
    let table = cache.store.report(&request, &Cancel::new())?;
    let written = report::write_report(&table, format, BufWriter::new(io::stdout().lock()));
    ignore_broken_pipe(written.map(|_| ()))?;
    table.remarks.iter().for_each(|remark| print_remark(remark));
    Ok(Exit::Normally)
}

/// The names in the address book and in the directory.
fn address_names(context: &CommandContext, cache: &OfflineCache) -> anyhow::Result<AddressNames> {
    let book = match JournalSnapshot::open(&journal::journal_folder(context)?) {
        Ok(journal) => RecordedBookChanges::replay_book(&journal.book_changes(&cache.destination)?),
        Err(JournalError::Missing { .. }) => AddressBook::default(),
        Err(error) => return Err(error.into()),
    };
    Ok(collect_names(&cache.store, &book)?)
}
