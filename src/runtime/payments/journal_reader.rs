//! Orders for a read-only console: the journal is opened for reading, and no order can be acted on.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::app::Msg;
use crate::app::orders::MAX_CLOSED_ORDERS;
use crate::domain::attention::Acknowledgements;
use crate::domain::order::{AddressRelations, PaidDues, ServiceDestination};
use crate::domain::{Failure, FailureReason, FinalStatuses, Order, Policy, Text, Timestamp};
use crate::journal::{JournalError, JournalSnapshot, RecordedBookChanges};
use crate::runtime::HostPermission;
use crate::runtime::book::book_snapshot;

/// What a console shows of the journal.
#[derive(Default)]
struct JournalContent {
    orders: Vec<Order>,
    addresses: AddressRelations,
    acknowledgements: Acknowledgements,
    book_changes: Vec<RecordedBookChanges>,
    paid_dues: PaidDues,
}

#[derive(Debug, Clone)]
pub struct JournalReader {
    folder: PathBuf,
    /// Only orders for this destination are shown.
    destination: ServiceDestination,
    policy: Policy,
    final_statuses: FinalStatuses,
    /// The number of the last record that was reported.
    last_reported: Arc<Mutex<Option<u64>>>,
}

impl JournalReader {
    pub fn new(
        _host: &HostPermission,
        folder: PathBuf,
        destination: ServiceDestination,
        policy: Policy,
        final_statuses: FinalStatuses,
    ) -> Self {
        Self { folder, destination, policy, final_statuses, last_reported: Arc::default() }
    }

    pub(in crate::runtime) fn reading_key_mark(&self) -> &Text {
        &self.destination.key_mark
    }

    /// The journal's orders; empty if they are unchanged since the last call.
    pub(in crate::runtime) async fn take_changes_as_messages(&self, now: Timestamp) -> Vec<Msg> {
        let journal_reader = self.clone();
        match tokio::task::spawn_blocking(move || journal_reader.read_if_changed(now)).await {
            Ok(Ok(None)) => Vec::new(),
            Ok(Ok(Some(content))) => {
                let JournalContent { orders, addresses, acknowledgements, book_changes, paid_dues } = content;
                let book = book_snapshot(&book_changes, paid_dues, self.policy.clone(), self.final_statuses.clone());
                vec![
                    Msg::Acknowledgements(Box::new(acknowledgements)),
                    Msg::Addresses(addresses),
                    Msg::Book(Ok(Box::new(book))),
                    Msg::Orders(Ok(orders)),
                ]
            }
            Ok(Err(error)) => vec![Msg::Orders(Err(error.into()))],
            Err(fault) => {
                let detail = format!("work on the journal was interrupted: {fault}");
                vec![Msg::Orders(Err(Failure::from_read(FailureReason::Local, &detail)))]
            }
        }
    }

    fn read_if_changed(&self, now: Timestamp) -> Result<Option<JournalContent>, JournalError> {
        let mut reported_seq = self.last_reported.lock().unwrap_or_else(PoisonError::into_inner);
        let read_orders = || {
            let reading = JournalSnapshot::open(&self.folder)?;
            let last = reading.last_seq()?;
            if *reported_seq == Some(last) {
                return Ok(None);
            }
            let content = JournalContent {
                orders: reading.shown_orders(&self.destination, MAX_CLOSED_ORDERS)?,
                addresses: reading.address_relations(&self.destination)?,
                acknowledgements: reading.acknowledgements(&self.destination.base_url)?,
                book_changes: reading.book_changes(&self.destination)?,
                paid_dues: reading.paid_dues(now)?,
            };
            Ok(Some((last, content)))
        };
        match read_orders() {
            Ok(None) => Ok(None),
            Ok(Some((last, content))) => {
                *reported_seq = Some(last);
                Ok(Some(content))
            }
            // No payment has been made from this machine yet.
            Err(JournalError::Missing { .. }) if *reported_seq == Some(0) => Ok(None),
            Err(JournalError::Missing { .. }) => {
                *reported_seq = Some(0);
                Ok(Some(JournalContent::default()))
            }
            Err(error) => {
                *reported_seq = None;
                Err(error)
            }
        }
    }
}
