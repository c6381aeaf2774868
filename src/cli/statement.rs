//! `bursar statement`: opening balance, movements and closing balance of each account in a month.

use super::{CommandContext, Exit, offline_cache, report};
use crate::domain::report::ReportKind;
use crate::domain::{ExportFormat, Period};
use crate::runtime::clock::Clock;

/// What `bursar statement` may be told.
#[derive(Debug, clap::Args)]
pub(super) struct StatementArguments {
    /// Month in UTC, as in 2026-11
    #[arg(long, value_name = "YYYY-MM", value_parser = parse_month)]
    month: Period,
    /// Output format
    #[arg(long, value_enum, default_value_t = ExportFormat::Csv)]
    format: ExportFormat,
    /// Do not contact the service: use what was read before, and report its age on standard error
    #[arg(long)]
    offline: bool,
}

pub(super) fn parse_month(text: &str) -> Result<Period, String> {
    let month = Period::parse_month(text).ok_or_else(|| "a month is written as 2026-11".to_owned())?;
    let now = Clock::System.now();
    if month.start > now {
        return Err(format!("this month has not begun (UTC); the latest month that has is {}", now.format("%Y-%m")));
    }
    Ok(month)
}

pub(super) fn run(context: &CommandContext, arguments: &StatementArguments) -> anyhow::Result<Exit> {
    let cache = offline_cache::open_priced_cache(context, arguments.offline, 0)?.require_fresh()?;
    report::write_report(context, &cache, ReportKind::Statement, arguments.month, arguments.format)
}
