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
    pub evm_details: Option<AccountAddress>,
    pub solana_details: Option<AccountAddress>,
    pub created_at: Option<Timestamp>,
    /// When the service last changed it.
    pub updated_at: Option<Timestamp>,
}

/// The address of an account on the chains of one family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountAddress {
    pub address: Option<Text>,
    /// The business's own reference.
    pub ref_id: Option<Text>,
}

impl Account {
    /// An account of which only the identifier is known.
    pub fn new(id: AccountId) -> Self {
        Self {
            id,
            name: None,
            kind: None,
            state: None,
            network: None,
            evm_details: None,
            solana_details: None,
            created_at: None,
            updated_at: None,
        }
    }
}
