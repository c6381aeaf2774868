//! Rows are marked and unmarked.

use crate::app::data::queries;
use crate::app::model::{History, Model};
use crate::app::msg::{Effect, StoreQuery};
use crate::app::request_id::RequestId;
use crate::app::screen::HistoryList;
use crate::app::transaction_text;
use crate::domain::history::{HistoryRow, Query, Scope};
use crate::domain::{Direction, Timestamp, Zone};

/// The most rows that can be marked: a filter serves better for more.
const MAX_MARKED_ROWS: usize = 1_000;

/// Marks or unmarks the selected row of a list and moves to the next.
pub(in crate::app) fn toggle_mark(model: &mut Model, list: HistoryList) -> Vec<Effect> {
    let history = model.history_mut(list);
    let Some(row) = history.listing.selected().cloned() else { return Vec::new() };
    let marks = &mut history.marks;
    if marks.contains(row.seq) {
        marks.rows.retain(|marked| marked.seq != row.seq);
        marks.hidden.retain(|seq| *seq != row.seq);
    } else if marks.rows.len() < MAX_MARKED_ROWS {
        marks.rows.push(row);
    } else {
        model.notice =
            Some(format!("{MAX_MARKED_ROWS} rows are marked, which is the maximum; a filter can select any number"));
        return Vec::new();
    }
    if history.listing.move_by(1) { vec![queries::query_history_rows(model, list)] } else { Vec::new() }
}

/// Queries which marked rows the filter excludes.
pub(in crate::app) fn query_hidden(history: &mut History) -> Option<Effect> {
    let everything = history.query.filter.matches_everything() && history.query.scope == Scope::All;
    if history.marks.rows.is_empty() || everything {
        history.marks.hidden.clear();
        return None;
    }
    let rows = history.marks.rows.iter().map(|row| row.seq).collect();
    let query = StoreQuery::NonMatchingRows(history.list, history.query.clone(), rows);
    Some(Effect::QueryStore { query, request_id: history.marks.request_id.advance() })
}

pub(in crate::app) fn apply_hidden(
    model: &mut Model,
    request_id: RequestId,
    list: HistoryList,
    query: &Query,
    hidden: Vec<i64>,
) {
    let history = model.history_mut(list);
    if history.marks.request_id == request_id && history.query == *query {
        history.marks.hidden = hidden;
    }
}

/// Clears all marks. Returns whether there were any.
pub(in crate::app) fn clear_marks(model: &mut Model) -> bool {
    let Some(history) = model.focused_history_mut() else { return false };
    let had = !history.marks.rows.is_empty();
    history.marks.rows.clear();
    history.marks.hidden.clear();
    had
}

/// How many rows are marked, and which of them the filter excludes.
pub(in crate::app) fn marks_summary(model: &Model) -> String {
    let (now, zone) = (model.now, &model.console.zone);
    let Some(history) = model.focused_history() else { return String::new() };
    let marks = &history.marks;
    let hidden: Vec<String> = marks
        .rows
        .iter()
        .filter(|row| marks.hidden.contains(&row.seq))
        .map(|row| describe_marked_row(zone, row, now))
        .collect();
    let count = format!("{} marked", marks.rows.len());
    match hidden.len() {
        0 => count,
        more @ 4.. => format!("{count}; {more} of them are not shown now: {}, …", hidden[..3].join(", ")),
        few => format!("{count}; {few} of them not shown now: {}", hidden.join(", ")),
    }
}

fn describe_marked_row(zone: &Zone, row: &HistoryRow, now: Timestamp) -> String {
    let sign = if row.transaction.direction == Direction::Outgoing { "−" } else { "+" };
    let amount =
        row.transaction.amount.as_ref().map_or_else(|| "—".into(), |amount| amount.even_if_disputed().format_grouped());
    let at = transaction_text::format_list_time(zone, row.time, now, true);
    format!("{sign}{amount} {} of {at}", row.transaction.symbol)
}
