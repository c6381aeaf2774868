//! Writes the receipt of a payment: as text, as JSON, or as a page to print.

mod html;
mod json;
#[cfg(test)]
mod tests;
mod text;

use std::io::{self, Write};

use super::rows::{ExportError, ExportRequest};
use crate::domain::address_names::AddressNames;
use crate::domain::filter::{Filter, FilterField, FilterTerm, RowPredicate, fold_case};
use crate::domain::history::{HistoryRow, Query, Sort};
use crate::domain::receipt::{Receipt, ReceiptFacts, ReceiptSubject};
use crate::domain::{Direction, Order, ReceiptFormat, Timestamp, TransactionId};
use crate::store::{Cancel, Store, StoreError};

/// Reads and writes one receipt; returns 1, the number of receipts.
pub(super) fn export_receipt(
    source: &ExportRequest<'_>,
    subject: &ReceiptSubject,
    format: ReceiptFormat,
    out: impl Write,
) -> Result<u64, ExportError> {
    let ExportRequest { store, names, now, cancel, .. } = *source;
    let receipt = read_receipt(&ReceiptContext { store, names, now, cancel }, subject).map_err(ExportError::Store)?;
    let receipt = receipt.ok_or_else(|| ExportError::File(io::Error::other("it is no payment and no deposit")))?;
    write_receipt(&receipt, format, out).map(|()| 1).map_err(ExportError::File)
}

pub fn write_receipt(receipt: &Receipt, format: ReceiptFormat, out: impl Write) -> io::Result<()> {
    match format {
        ReceiptFormat::Html => html::write_page(receipt, out),
        ReceiptFormat::Text => text::write_text(receipt, out),
        ReceiptFormat::Json => json::write_object(receipt, out),
    }
}

/// Where receipts are read from.
#[derive(Clone, Copy)]
pub struct ReceiptContext<'a> {
    pub store: &'a Store,
    pub names: &'a AddressNames,
    pub now: Timestamp,
    pub cancel: &'a Cancel,
}

/// `None` for an order that is no payment, and for a row that is gone.
pub fn read_receipt(source: &ReceiptContext<'_>, subject: &ReceiptSubject) -> Result<Option<Receipt>, StoreError> {
    let ReceiptContext { store, names, now, cancel } = *source;
    let rows = read_subject_rows(store, subject, cancel)?;
    let rows: Vec<&HistoryRow> = rows.iter().collect();
    let tokens = store.tokens()?.map(|(tokens, _)| tokens).unwrap_or_default();
    let facts = ReceiptFacts {
        business: &subject.business,
        order: subject.order.as_deref(),
        rows: &rows,
        recipient: subject.recipient,
        names,
        listed_tokens: &tokens,
        prices: &store.price_history(&subject.valuation.clone().unwrap_or_default())?,
        statuses: store.final_statuses(),
        now,
    };
    Ok(facts.receipt())
}

/// The rows that a receipt is about: those of its order, or of one recipient of it, else the one transaction.
fn read_subject_rows(store: &Store, subject: &ReceiptSubject, cancel: &Cancel) -> Result<Vec<HistoryRow>, StoreError> {
    let Some(order) = &subject.order else {
        return store.read_rows_by_seq(subject.row.as_slice());
    };
    let mut rows = read_order_rows(store, order, cancel)?;
    if let Some(part) = subject.recipient {
        let reported = order.recipient_reports().get(&part).and_then(|observed| observed.transaction.clone());
        if let Some(id) = reported {
            rows.retain(|row| row.transaction.id == id);
        }
    }
    Ok(rows)
}

/// The outgoing rows of an order, by its key and by the transactions that were found for it.
fn read_order_rows(store: &Store, order: &Order, cancel: &Cancel) -> Result<Vec<HistoryRow>, StoreError> {
    let key = order.drafted.request.key.map(|key| key.to_string());
    let ids: Vec<&TransactionId> = order.transaction_ids().collect();
    let is_of_order = |row: &HistoryRow| {
        let transaction = &row.transaction;
        let has_key = key.as_deref().zip(transaction.idempotency_key.as_deref());
        transaction.direction == Direction::Outgoing
            && (has_key.is_some_and(|(order_key, row_key)| order_key.eq_ignore_ascii_case(row_key))
                || ids.contains(&&transaction.id))
    };
    let keys = key.iter().map(|key| (FilterField::Key, key.as_str()));
    let query_terms = keys.chain(ids.iter().map(|id| (FilterField::Id, id.as_str())));
    let mut rows: Vec<HistoryRow> = Vec::new();
    for (field, text) in query_terms {
        for row in find_rows_containing(store, field, text, cancel)? {
            if is_of_order(&row) && !rows.iter().any(|other| other.seq == row.seq) {
                rows.push(row);
            }
        }
    }
    rows.sort_by_key(|row| row.seq);
    Ok(rows)
}

/// The rows that contain a text in a field, oldest first.
pub fn find_rows_containing(
    store: &Store,
    field: FilterField,
    text: &str,
    cancel: &Cancel,
) -> Result<Vec<HistoryRow>, StoreError> {
    let term = FilterTerm { field: Some(field), predicate: RowPredicate::Contains(fold_case(text)) };
    find_rows_matching_filter(store, Filter { text: text.to_owned(), terms: vec![term], ..Filter::default() }, cancel)
}

/// The rows that a filter finds, oldest first.
pub fn find_rows_matching_filter(
    store: &Store,
    filter: Filter,
    cancel: &Cancel,
) -> Result<Vec<HistoryRow>, StoreError> {
    let mut rows = Vec::new();
    let query = Query { filter, sort: Sort::Oldest, ..Query::default() };
    store.walk_rows(&query, cancel, &mut |_| {}, &mut |row| {
        rows.push(row);
        std::ops::ControlFlow::Continue(())
    })?;
    Ok(rows)
}
