//! Accounts: containers that isolate funds and permissions.

use super::open_enum::open_enum;
use super::wallet::State;
use super::{AccountId, Text, Timestamp};

open_enum! {
    /// What an account is for.
    AccountType {
        /// The treasury of the business: sweeps go here.
        Settlement = "SETTLEMENT",
        /// Wallets of end users. The specification does not show this word; `bridging` assumes it.
        Users = "USERS",
    }
}

/// An account, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Its identifier.
    pub id: AccountId,
    /// Its name; absent when only the identifier is known, from history.
    pub name: Option<Text>,
    /// What it is for.
    pub kind: Option<AccountType>,
    /// Whether it works.
    pub state: Option<State>,
    /// `mainnet` or `testnet`.
    pub network: Option<Text>,
    /// When it was made.
    pub created_at: Option<Timestamp>,
}
