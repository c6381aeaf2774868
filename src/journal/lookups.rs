//! Lookups of orders in the service's history.

use super::order_index::{self, RowMarks};
use super::{Journal, JournalError};
use crate::domain::order::{HistoryLookup, IllegalOrderEvent, OrderEnd, OrderEvent};
use crate::domain::{FinalStatuses, Order, OrderId, Timestamp};
use crate::orders::lookup::is_worth_recording;

impl Journal {
    /// Records a lookup of an order in the service's history if it is worth a record by now, and the order's end if the
    /// lookup ends it.
    pub fn record_lookup(
        &self,
        id: OrderId,
        look: HistoryLookup,
        end: Option<OrderEnd>,
        final_statuses: &FinalStatuses,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        self.record_event("looked", id, at, |order| {
            if !is_worth_recording(order, &look, end.as_ref(), final_statuses, at) {
                return Ok(None);
            }
            // Another operator closed the order during the lookup, without knowing of its result.
            let reopens = order.end.is_some() && look.contradiction.is_some();
            Ok(Some(if reopens { OrderEvent::Reopened(look) } else { OrderEvent::LookedUp(look) }))
        })?;
        let Some(end) = end else { return Ok(()) };
        match self.record_end(id, end, at) {
            // The order's own answer, or another console, closed it first.
            Err(JournalError::Illegal(IllegalOrderEvent::Ended)) => Ok(()),
            recorded => recorded,
        }
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
            .read_consistent(|connection, projection| order_index::match_orders(connection, projection, &rows))
            .map_err(|error| self.name_folder_in_error(error))
    }
}
