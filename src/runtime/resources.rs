//! What a console may reach.

use std::sync::Arc;

use super::clock::Clock;
use super::host_permission::HostPermission;
use super::payments::{JournalReader, PayingDisabled, PaymentContext};
use super::profile_file::ProfileFile;
use super::reads::{BalanceBackOffList, StoreWriteQueue};
use crate::api::Reader;
use crate::domain::Text;
use crate::store::Store;

#[derive(Clone)]
pub struct ConsoleResources {
    pub reader: Arc<Reader>,
    pub store: Store,
    pub store_queue: StoreWriteQueue,
    pub clock: Clock,
    /// Users whose balances could not be read recently.
    pub balance_back_off: BalanceBackOffList,
    /// What it takes to pay; or why this console is read-only.
    pub payments: Result<PaymentContext, PayingDisabled>,
    /// The permission to use this machine's files; `None` for SSH visitors.
    pub host: Option<HostPermission>,
    pub profile_file: ProfileFile,
    /// Rows of the history per page; usually [`ConsoleResources::ROWS_PER_PAGE`].
    pub rows_per_page: u64,
}

impl ConsoleResources {
    /// Entries per page of a list: usually a single request then brings all news since the last read.
    pub const ROWS_PER_PAGE: u64 = 100;

    /// The mark of the reading key, where it is known.
    pub(super) fn reading_key_mark(&self) -> Option<&Text> {
        match &self.payments {
            Ok(paying) => Some(&paying.destination.key_mark),
            Err(disabled) => disabled.journal.as_ref().map(JournalReader::reading_key_mark),
        }
    }
}
