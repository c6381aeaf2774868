//! What an export of a list contains: the name of its rows, their count, and the rows.

use super::list::ExportList;
use super::{ExportRows, count_with_noun};
use crate::app::model::{Mode, Model, Page};
use crate::app::overlays::reports;
use crate::app::pages::registry::pane_logic;
use crate::app::{marked_rows, orders};
use crate::domain::history::RowCount;
use crate::domain::receipt::ReceiptSubject;

/// The list that has the focus, and the number of its rows; `None` if the focus is on no list that is exported.
fn focused_list(model: &Model) -> Option<(ExportList, RowCount)> {
    let pane = pane_logic(model.focus());
    Some((pane.exportable_list(model)?, pane.list(model)?.row_count()))
}

/// What an export would write now: a description and the rows.
pub(super) fn export_source(model: &Model) -> Option<(String, ExportRows)> {
    if let Some(reports) = model.open_reports() {
        let rows = reports::export_rows(model, reports)?;
        let period = reports.period_text(model.now);
        return Some((format!("the report on {}, {period}, as shown", reports.kind.title().to_lowercase()), rows));
    }
    if let Some(receipt) = receipt_of_open_payment(model, &model.mode) {
        let description = "the receipt of this payment: who paid whom, how much, when, and whether it is settled";
        return Some((description.into(), ExportRows::Receipt(Box::new(receipt.ok()?))));
    }
    let (ExportList { nouns, qualifiers, rows }, count) = focused_list(model)?;
    let description =
        if has_marks(model) { marked_rows::marks_summary(model) } else { describe_count(count, nouns) + &qualifiers };
    Some((description, rows(model)?))
}

/// What the receipt of the open transaction or order is of, or why there is none; `None` where neither is open.
fn receipt_of_open_payment(model: &Model, mode: &Mode) -> Option<Result<ReceiptSubject, &'static str>> {
    let business = model.console.identity.name.clone();
    let subject =
        ReceiptSubject { business, valuation: model.data.prices.settings.valuation.clone(), ..Default::default() };
    if let Mode::Order { id, .. } = mode {
        return Some(subject.of_order(orders::find_order(model, *id)?, None));
    }
    let Mode::Detail { row, .. } = mode else { return None };
    Some(subject.of_row(row, orders::order_of_transaction(&model.journal.orders, &row.transaction)))
}

pub(in crate::app) fn export_refusal(model: &Model, mode: &Mode) -> Option<String> {
    // The key then stops the running export.
    if model.overlays.exports.progress.is_some() {
        return None;
    }
    if let Some(reports) = model.open_reports() {
        let rows = reports::export_rows(model, reports);
        return rows.is_none().then(|| "the report is still being calculated".into());
    }
    if let Some(receipt) = receipt_of_open_payment(model, mode) {
        return receipt.err().map(str::to_owned);
    }
    if !matches!(mode, Mode::Browse | Mode::Filter { .. }) {
        return Some("x exports lists, and this is not a list; Esc goes back to one".into());
    }
    match focused_list(model) {
        _ if has_marks(model) => None,
        None if model.page == Page::Attention => Some("what needs you and the watches are not exported".into()),
        None => Some("x exports lists, and this is not a list; Tab goes on to one".into()),
        Some((ExportList { nouns, .. }, count)) => {
            (count.number() == 0).then(|| format!("no {} are shown here to export", nouns[1]))
        }
    }
}

fn has_marks(model: &Model) -> bool {
    model.focused_history().is_some_and(|history| !history.marks.rows.is_empty())
}

fn describe_count(count: RowCount, nouns: [&str; 2]) -> String {
    match count {
        RowCount::Exact(number) => count_with_noun(number, nouns),
        RowCount::AtLeast(number) => format!("at least {}", count_with_noun(number, nouns)),
    }
}

#[cfg(test)]
mod tests;
