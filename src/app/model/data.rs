//! What was read from the service and the store, and how it is read.

use crate::app::data::analyses::Analyses;
use crate::app::data::connection::ConnectionState;
use crate::app::data::initial_sync::InitialSync;
use crate::app::data::poll::PollStates;
use crate::app::data::prices::{PriceSettings, Prices};
use crate::app::data::total::Total;
use crate::app::request_id::RequestId;
use crate::domain::entry_source::Sourced;
use crate::domain::history::SyncProgress;
use crate::domain::{Failure, Skew, Text, Timestamp, Token, UserStats, Wallet};

#[derive(Debug)]
pub struct Data {
    pub request_ids: RequestIds,
    pub total: Total,
    pub listed_tokens: Vec<Token>,
    /// Wallets for which the service reported a second address, until the operator resolves it.
    pub address_conflicts: Vec<Sourced<Wallet>>,
    pub prices: Prices,
    pub analyses: Analyses,
    pub stats: Option<UserStats>,
    pub progress: SyncProgress,
    pub initial_sync: InitialSync,
    /// Whether the last read of the balances on screen found no users to read.
    pub has_no_balance_users: bool,
    pub remotes: PollStates,
    /// When an earlier session last read the newest rows: data from the cache are as old as that.
    pub cached_as_of: Option<Timestamp>,
    /// Whether reads from the service may start: not before the first frame.
    pub is_connected: bool,
    pub connection: ConnectionState,
    /// The difference between this machine's clock and the service's.
    pub skew: Skew,
    /// Why the store could not be read; shown in a banner.
    pub store_failure: Option<Failure>,
    /// The network that the data are from, if it is not the profile's.
    pub network_mismatch: Option<Text>,
}

/// Ids of requests that have no state of their own.
#[derive(Debug, Clone, Copy, Default)]
pub struct RequestIds {
    pub accounts: RequestId,
    pub total_samples: RequestId,
    pub wallets: RequestId,
    pub address_conflicts: RequestId,
    pub markets: RequestId,
    pub chosen_rows: RequestId,
    pub directory_record: RequestId,
    pub sandbox: RequestId,
    pub movement_search: RequestId,
}

impl Data {
    /// `seed` jitters the retries of reads.
    pub(super) fn new(prices: PriceSettings, seed: u64) -> Self {
        Self {
            request_ids: RequestIds::default(),
            prices: Prices::new(prices),
            remotes: PollStates::new(seed),
            total: Total::default(),
            listed_tokens: Vec::new(),
            address_conflicts: Vec::new(),
            analyses: Analyses::default(),
            stats: None,
            progress: SyncProgress::default(),
            initial_sync: InitialSync::default(),
            has_no_balance_users: false,
            cached_as_of: None,
            is_connected: false,
            connection: ConnectionState::default(),
            skew: Skew::default(),
            store_failure: None,
            network_mismatch: None,
        }
    }
}
