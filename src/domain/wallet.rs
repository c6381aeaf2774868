//! Wallets: one address on one blockchain.

use super::address::{Address, AddressError, Family};
use super::history::Sourced;
use super::open_enum::open_enum;
use super::{AccountId, Text, Timestamp, UserId, WalletId, chain};

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

/// Why the address of a wallet is not handed out to whoever would pay there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressUnavailable {
    /// Nobody told it.
    #[error("the service has not reported the address of this wallet")]
    Unknown,
    /// The service told another one later, and nobody has looked.
    #[error(
        "the service now reports a different address for this wallet; let nobody pay to either address before you know why"
    )]
    Contradicted,
    /// It cannot be right on the wallet's chain.
    #[error("the address reported by the service cannot be valid on {chain}: {error}")]
    Wrong {
        /// The chain.
        chain: String,
        /// What is wrong with it.
        error: AddressError,
    },
}

impl Sourced<Wallet> {
    /// The address, for whoever would pay there: one that nothing contradicts, and whose form and checksum are right on the
    /// wallet's chain. `family` says how addresses are written there, where the service's list of chains tells.
    pub fn deposit_address(&self, family: Option<Family>) -> Result<&Text, AddressUnavailable> {
        let address = self.entry.address.as_ref().ok_or(AddressUnavailable::Unknown)?;
        if self.contradicting_address().is_some() {
            return Err(AddressUnavailable::Contradicted);
        }
        let chain = &self.entry.blockchain;
        if let Some(family) = family.or_else(|| chain::family(chain, None)) {
            let wrong = |error| AddressUnavailable::Wrong { chain: chain::display_name(chain).to_owned(), error };
            Address::check(family, address).map_err(wrong)?;
        }
        Ok(address)
    }
}
