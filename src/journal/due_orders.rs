//! The orders that were made for due dates of templates, and which of those dates they settle.

use super::contacts::{BookIndex, book_index};
use super::record::{Body, Record};
use super::{Journal, JournalError, JournalSnapshot, file};
use crate::domain::order::OrderEvent;
use crate::domain::order::PaidDues;
use crate::domain::{OrderId, Timestamp};

/// How a draft made from a template begins to say so. In a text, its quotation marks would be escaped.
const TEMPLATE_FIELD: &str = "\"template\":{";

/// Such orders are examined from the newest on, so many at most: older due dates are no longer listed.
const MAX_DUE_ORDERS: usize = 2_000;

impl Journal {
    /// The due dates of templates that are paid, or may be.
    pub fn paid_dues(&self, now: Timestamp) -> Result<PaidDues, JournalError> {
        let dues = self.lock().read_consistent(|connection, projection| {
            let ids = newest_due_orders(book_index(connection, projection)?);
            let mut dues_paid = PaidDues::default();
            for id in ids {
                dues_paid.add_order(&file::find_order(connection, projection, id)?, now);
            }
            Ok(dues_paid)
        });
        dues.map_err(|error| self.name_folder_in_error(error))
    }
}

impl JournalSnapshot {
    /// The same, without opening the journal for writing.
    pub fn paid_dues(&self, now: Timestamp) -> Result<PaidDues, JournalError> {
        let mut dues_paid = PaidDues::default();
        for id in newest_due_orders(&self.read_book_index()?) {
            dues_paid.add_order(&file::read_order(self.connection(), &id.to_string())?, now);
        }
        Ok(dues_paid)
    }
}

fn newest_due_orders(index: &BookIndex) -> Vec<OrderId> {
    index.due_orders.iter().rev().take(MAX_DUE_ORDERS).copied().collect()
}

/// The order that a record drafts for a due date of a template.
pub(super) fn due_order(record: &Record) -> Result<Option<OrderId>, JournalError> {
    if record.kind != "drafted" || !record.body.contains(TEMPLATE_FIELD) {
        return Ok(None);
    }
    let is_due = match record.decode_body()? {
        Body::Event(OrderEvent::Drafted(drafted)) => drafted.template.is_some_and(|of| of.due.is_some()),
        _ => false,
    };
    Ok(record.order.filter(|_| is_due))
}
