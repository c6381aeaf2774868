//! The reports (`=`): counterparties, fees, gas runway, months and the statement, over the page where they were opened.

mod state;
pub mod view;

use std::sync::Arc;

use crate::app::input::keymap::Command;
use crate::app::layout::body::body_area;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::export::ExportRows;
use crate::domain::report::{ReportKind, ReportTable};
use crate::domain::{Period, Timestamp, Zone};

pub use state::{ReportQuery, Reports};

/// Opens the report where the reports were left.
pub(in crate::app) fn reopen_reports(model: &mut Model) -> Vec<Effect> {
    open_reports(model, model.overlays.last_report)
}

/// Opens a report, or shows it where the reports are open.
pub(in crate::app) fn open_reports(model: &mut Model, kind: ReportKind) -> Vec<Effect> {
    model.overlays.last_report = kind;
    if let Mode::Reports(reports) = &mut model.mode {
        reports.show(kind);
        return Vec::new();
    }
    model.show_mode(Mode::Reports(Box::new(Reports::new(kind, model.account_scope()))));
    Vec::new()
}

impl Reports {
    pub fn query(&self, model: &Model) -> ReportQuery {
        ReportQuery {
            kind: self.kind,
            scope: self.scope.clone(),
            period: self.period(model.now),
            valuation: model.data.prices.settings.valuation.clone().unwrap_or_default(),
            names: Arc::clone(&model.data.analyses.names.names),
            prices: model.data.prices.price_list(),
        }
    }
}

/// The report on screen, once it is computed.
pub fn shown_table<'a>(model: &'a Model, reports: &Reports) -> Option<&'a ReportTable> {
    model.data.analyses.report(&reports.query(model))
}

/// What an export of the open report writes.
pub(in crate::app) fn export_rows(model: &Model, reports: &Reports) -> Option<ExportRows> {
    let table = shown_table(model, reports)?;
    let lines = reports.lines(table).into_iter().cloned().collect();
    Some(ExportRows::Report(Box::new(ReportTable { lines, ..table.clone() })))
}

/// What came of a command.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::app) enum ReportCommandResult {
    Done(Vec<Effect>),
    /// The transactions behind a line are to be shown: those that match the filter.
    OpenRows(String),
}

/// The rows kept for remarks, whether there are any or not: lines must not jump when a report is computed again.
fn remark_rows(height: u16) -> u16 {
    const MAX_REMARK_ROWS: u16 = 4;
    (height / 5).min(MAX_REMARK_ROWS)
}

/// The rows of lines that fit on screen, below the title, the names of the reports and the heads of the columns.
fn visible_line_count(model: &Model) -> u16 {
    let height = body_area(model).height;
    height.saturating_sub(3 + remark_rows(height))
}

/// Handles a command of the reports; `None` where it is none of theirs.
#[expect(clippy::wildcard_enum_match_arm, reason = "the other commands are none of its own")]
pub(in crate::app) fn handle_command(model: &mut Model, command: Command) -> Option<ReportCommandResult> {
    let Mode::Reports(reports) = &model.mode else { return None };
    let lines = shown_table(model, reports).map_or(0, |table| reports.lines(table).len());
    let visible = usize::from(visible_line_count(model));
    let Mode::Reports(reports) = &mut model.mode else { return None };
    let half = (visible / 2).max(1);
    match command {
        Command::Reports | Command::NextPane => reports.show_adjacent_report(true),
        Command::PreviousPane => reports.show_adjacent_report(false),
        Command::PreviousChange | Command::NextChange => {
            if !reports.change_period(command == Command::PreviousChange) {
                let end = if command == Command::PreviousChange { "longest or earliest" } else { "shortest or latest" };
                model.notice = Some(format!("this is the {end} period of this report"));
            }
        }
        Command::Group | Command::Hidden => reports.toggle_folded(),
        Command::Up => reports.at = reports.at.saturating_sub(1),
        Command::Down => reports.at += 1,
        Command::HalfUp => reports.at = reports.at.saturating_sub(half),
        Command::HalfDown => reports.at += half,
        Command::PageUp => reports.at = reports.at.saturating_sub(visible),
        Command::PageDown => reports.at += visible,
        Command::First => reports.at = 0,
        Command::Last => reports.at = lines,
        Command::Copy => return Some(ReportCommandResult::Done(copy_line(model))),
        Command::Open => return Some(open_rows(model)),
        _ => return None,
    }
    if let Mode::Reports(reports) = &mut model.mode {
        reports.fit(lines, visible);
        model.overlays.last_report = reports.kind;
    }
    Some(ReportCommandResult::Done(Vec::new()))
}

/// Copies the selected line with the names of its columns, as a spreadsheet takes it.
fn copy_line(model: &mut Model) -> Vec<Effect> {
    let Mode::Reports(reports) = &model.mode else { return Vec::new() };
    let Some(table) = shown_table(model, reports) else { return Vec::new() };
    let Some(line) = reports.lines(table).get(reports.at).copied() else { return Vec::new() };
    let names: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
    let cells: Vec<String> = line.cells.iter().map(|cell| cell.file_text().unwrap_or_default()).collect();
    let text = format!("{}\n{}", names.join("\t"), cells.join("\t"));
    model.notice = Some("the line and the names of its columns were sent to the terminal's clipboard".into());
    vec![Effect::Copy(text)]
}

/// Shows the transactions behind the selected line.
fn open_rows(model: &mut Model) -> ReportCommandResult {
    let Mode::Reports(reports) = &model.mode else { return ReportCommandResult::Done(Vec::new()) };
    let line = shown_table(model, reports).and_then(|table| reports.lines(table).get(reports.at).copied());
    let Some((filter, period)) = line.and_then(|line| Some((line.filter.clone()?, line.period))) else {
        model.notice = Some("this line has no single filter; choose a line of one counterparty, token or month".into());
        return ReportCommandResult::Done(Vec::new());
    };
    let filter = format!("{filter} {}", period_terms(&model.console.zone, period)).trim().to_owned();
    model.show_mode(Mode::Browse);
    ReportCommandResult::OpenRows(filter)
}

/// The words of a filter for a period: filters count days in the zone of the screen, and reports in UTC.
fn period_terms(zone: &Zone, period: Period) -> String {
    const MINUTE: i64 = 60_000;
    if period == Period::EVER {
        return String::new();
    }
    let begins_a_day = |at: Timestamp| zone.format(at, "%H:%M") == "00:00";
    let is_of_days = (period.start == Period::EVER.start || begins_a_day(period.start)) && begins_a_day(period.end);
    let pattern = if is_of_days { "%Y-%m-%d" } else { "%Y-%m-%dT%H:%M" };
    let last = zone.format(Timestamp::from_millis(period.end.millis() - MINUTE), pattern);
    if period.start == Period::EVER.start {
        return format!("to:{last}");
    }
    format!("from:{} to:{last}", zone.format(period.start, pattern))
}

/// What the palette calls each report, and its words for what it answers.
pub const PALETTE_WORDS: [(ReportKind, &str, &str); ReportKind::ALL.len()] = [
    (ReportKind::Value, "value", "report of the value at the end of each day, as bars"),
    (ReportKind::Allocation, "allocation", "report of what is held, by token, with shares as bars"),
    (ReportKind::Counterparties, "report", "counterparties by volume: who paid and who was paid"),
    (ReportKind::Fees, "fees", "report of fees by month and chain"),
    (ReportKind::Gas, "gas", "report of the gas runway: how long the coin of each wallet lasts for fees"),
    (ReportKind::Months, "months", "report of what came in and went out, month against month"),
    (ReportKind::Statement, "statement", "report of a month: opening balance, movements, fees, closing balance"),
];
