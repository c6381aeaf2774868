//! `bursar statement`: opening balance, movements and closing balance of each account in a month.

use std::collections::HashMap;
use std::io::{self, BufWriter};
use std::ops::ControlFlow;

use super::offline_cache::{self, OfflineCache, ignore_broken_pipe, print_remark};
use super::{CommandContext, Exit};
use crate::domain::history::Query;
use crate::domain::statement::MonthStatement;
use crate::domain::{AccountId, ExportFormat, Period, Text};
use crate::runtime::clock::Clock;
use crate::runtime::export::{Table, statement};
use crate::store::Cancel;

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

fn parse_month(text: &str) -> Result<Period, String> {
    let month = Period::parse_month(text).ok_or_else(|| "a month is written as 2026-11".to_owned())?;
    let now = Clock::System.now();
    if month.start > now {
        return Err(format!(
            "this month has not begun (UTC); the latest month with a statement is {}",
            now.format("%Y-%m")
        ));
    }
    Ok(month)
}

pub(super) fn run(context: &CommandContext, arguments: &StatementArguments) -> anyhow::Result<Exit> {
    let reading = offline_cache::open_offline_cache(context, arguments.offline, 0)?.require_fresh()?;
    let mut drawn = MonthStatement::new(arguments.month, reading.store.final_statuses().clone());
    reading.store.walk_rows(&Query::default(), &Cancel::new(), &mut |_| {}, &mut |row| {
        drawn.add(&row);
        ControlFlow::Continue(())
    })?;
    let whole = reading.is_history_whole()?;
    let read_at = reading.store.latest_checked_at()?;
    let names: HashMap<AccountId, Option<Text>> =
        reading.store.accounts()?.into_iter().map(|known| (known.entry.id, known.entry.name)).collect();
    let mut table = Table::new(arguments.format, statement::STATEMENT_COLUMNS, BufWriter::new(io::stdout().lock()));
    let mut written = table.write_header();
    for (key, line) in drawn.lines() {
        let name = key.0.as_ref().and_then(|account| names.get(account)?.as_ref());
        written = written.and_then(|()| {
            table.write_row(&statement::statement_cells(arguments.month, read_at.filter(|_| whole), key, name, line))
        });
    }
    ignore_broken_pipe(written.and_then(|()| table.finish()))?;
    for remark in statement_remarks(&reading, &drawn, arguments.month, whole)? {
        print_remark(&remark);
    }
    Ok(Exit::Normally)
}

/// Remarks on what the statement does not include.
fn statement_remarks(
    reading: &OfflineCache,
    drawn: &MonthStatement,
    month: Period,
    whole: bool,
) -> anyhow::Result<Vec<String>> {
    let lines = || drawn.lines().map(|(_, line)| line);
    let progress = reading.store.progress()?;
    let mut remarks = Vec::from_iter(drawn.no_movement_reason(whole));
    if whole {
        remarks.push("balances are calculated from the history: the service does not report past balances".to_owned());
    } else if !progress.complete {
        remarks.push("the history was not read to its end: no balances are given".to_owned());
    } else {
        remarks.push("the history is not complete: no balances are given".to_owned());
    }
    if progress.unreadable > 0 {
        remarks.push(format!("{} rows could not be read and are not included in any figure", progress.unreadable));
    }
    match reading.store.latest_checked_at()?.filter(|read| *read < month.end) {
        Some(read) if whole => {
            remarks.push(format!("the history was read before the month ended: closing balances are as of {read}"));
        }
        Some(read) => remarks.push(format!("the history was read at {read}, before the month ended: more may follow")),
        None => {}
    }
    let mut count = |number: u64, [one, many]: [&str; 2]| match number {
        0 => {}
        1 => remarks.push(format!("1 {one}")),
        number => remarks.push(format!("{number} {many}")),
    };
    count(
        lines().map(|line| line.not_final).sum(),
        ["movement of the month is not final yet", "movements of the month are not final yet"],
    );
    count(
        lines().map(crate::domain::statement::StatementLine::unclear_rows).sum(),
        ["movement of the month lacks information", "movements of the month lack information"],
    );
    count(
        lines().map(|line| line.fees_elsewhere).sum(),
        [
            "payment had a fee in another token, which is not included in any figure",
            "payments had a fee in another token, which is not included in any figure",
        ],
    );
    count(
        drawn.rows_without_time,
        [
            "row has no time from the service; the time when this console first saw it is used",
            "rows have no time from the service; the time when this console first saw them is used",
        ],
    );
    Ok(remarks)
}
