//! Wallets: one address on one blockchain.

use super::word::open_enum;
use super::{AccountId, Text, Timestamp, UserId, WalletId};

open_enum! {
    /// Whether an account or a wallet works.
    State {
        /// It works.
        Live = "LIVE",
        /// It was switched off. The specification does not show this word; `bridging` assumes it.
        Inactive = "INACTIVE",
    }
}

/// A wallet, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wallet {
    /// Its identifier.
    pub id: WalletId,
    /// Its name; absent when it is known from history alone.
    pub name: Option<Text>,
    /// Its address on the chain.
    pub address: Option<Text>,
    /// Its blockchain, as the service spells it.
    pub blockchain: Text,
    /// `mainnet` or `testnet`.
    pub network: Option<Text>,
    /// Whether it works.
    pub state: Option<State>,
    /// Whether the service pays its fees.
    pub gasless_withdraw: Option<bool>,
    /// Whether native tokens are swept to the settlement account.
    pub auto_sweep: Option<bool>,
    /// Who owns it.
    pub user: Option<UserId>,
    /// The account it stands in.
    pub account: Option<AccountId>,
    /// The business's own reference.
    pub ref_id: Option<Text>,
    /// When it was made.
    pub created_at: Option<Timestamp>,
}
