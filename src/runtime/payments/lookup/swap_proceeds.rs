//! Reads the incoming rows among which a swap's proceeds are.

use super::{OrderExecutor, ROWS_PER_PAGE};
use crate::domain::{Direction, Order, Transaction};
use crate::orders::evidence::swap_proceeds::IncomingRows;

impl OrderExecutor {
    /// Reads down to the proceeds of the swap that a row is of, if it is of one.
    pub(super) async fn read_proceeds(&self, row: &Transaction, order: &Order, incoming: &mut IncomingRows) {
        while incoming.needs_further_page_for(row, order) {
            self.read_incoming_page(incoming).await;
        }
    }

    /// Reads the incoming rows, as far as they are searched for any swap; `false` if that failed.
    pub(super) async fn read_all_incoming(&self, incoming: &mut IncomingRows) -> bool {
        while incoming.next_page().is_some() {
            self.read_incoming_page(incoming).await;
        }
        !incoming.has_failed()
    }

    async fn read_incoming_page(&self, incoming: &mut IncomingRows) {
        let Some(page) = incoming.next_page() else { return };
        match self.resources.reader.fetch_transactions(&Direction::Incoming, page, ROWS_PER_PAGE).await {
            Ok(rows_page) => incoming.add_page(rows_page),
            Err(failure) => {
                // Other orders are looked up all the same.
                tracing::info!(%failure, "the result of a swap could not be read");
                incoming.stop_at_failure();
            }
        }
    }
}
