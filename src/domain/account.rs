//! Accounts: containers that isolate funds and permissions.

use super::open_enum::open_enum;
use super::wallet::State;
use super::{AccountId, Text, Timestamp};

open_enum! {
    AccountType {
        /// The treasury of the business: sweeps go here.
        Settlement = "SETTLEMENT",
        /// Wallets of end users. The specification does not show this word; `bridging` assumes it.
        Users = "USERS",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: AccountId,
    /// Absent when only the identifier is known, from history.
    pub name: Option<Text>,
    pub kind: Option<AccountType>,
    pub state: Option<State>,
    /// `mainnet` or `testnet`.
    pub network: Option<Text>,
    pub created_at: Option<Timestamp>,
}
