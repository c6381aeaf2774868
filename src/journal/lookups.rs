//! Lookups of orders in the service's history.

use super::order_index::{self, RowMarks};
use super::{Journal, JournalError};
use crate::domain::order::{HistoryLookup, OrderEvent};
use crate::domain::{Order, OrderId, Timestamp};

impl Journal {
    /// Records a lookup of an order in the service's history, unless it adds nothing to the one before.
    pub fn record_lookup(&self, id: OrderId, look: HistoryLookup, at: Timestamp) -> Result<(), JournalError> {
        self.record_event("looked", id, at, |intent| {
            // Another operator closed the order during the lookup, without knowing of its result.
            let reopens = intent.end.is_some() && look.contradiction.is_some();
            if !lookup_adds_information(intent, &look) {
                return Ok(None);
            }
            Ok(Some(if reopens { OrderEvent::Reopened(look) } else { OrderEvent::LookedUp(look) }))
        })
    }

    /// Records a lookup that contradicts how an order was closed, which reopens the order.
    ///
    /// # Errors
    /// [`JournalError::Illegal`] where the order has no end: use [`Journal::record_lookup`].
    pub fn reopen(&self, id: OrderId, look: HistoryLookup, at: Timestamp) -> Result<(), JournalError> {
        self.record_event("reopened", id, at, |_| Ok(Some(OrderEvent::Reopened(look))))
    }

    /// Orders that were ever sent, whatever their state, that a row of the history matches by key, transaction or
    /// reference, each with the indexes of its rows. Costs a few index lookups per row, however many orders there are.
    pub fn matching_orders<'a, R>(&self, rows: &'a [R]) -> Result<Vec<(Order, Vec<usize>)>, JournalError>
    where
        RowMarks<'a>: From<&'a R>,
    {
        let rows: Vec<RowMarks<'a>> = rows.iter().map(RowMarks::from).collect();
        self.lock()
            .read_consistent(|connection, held| order_index::match_orders(connection, held, &rows))
            .map_err(|error| self.name_folder_in_error(error))
    }
}

/// Whether a lookup adds to what is recorded: polls would fill the journal otherwise. A complete read counts until the
/// order may be reported as not seen. That the history cannot prove anything is worth one record, as opposed to no
/// lookup at all.
fn lookup_adds_information(intent: &Order, look: &HistoryLookup) -> bool {
    let suggested = intent.lookups.last().and_then(|(_, last)| last.similar_transaction.as_ref());
    match &look.observed {
        _ if intent.has_new_alarm(look) || intent.has_new_recipient_reports(look) || look.shows_failure => true,
        Some(found) => intent.last_observed() != Some(found),
        None => {
            (look.is_complete && !intent.was_not_seen())
                || intent.lookups.is_empty()
                || suggested != look.similar_transaction.as_ref()
        }
    }
}
