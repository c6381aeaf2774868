//! Wallets: one address on one blockchain.

use super::address::{Address, AddressError, Family};
use super::entry_source::Sourced;
use super::open_enum::open_enum;
use super::{AccountId, Text, Timestamp, UserId, WalletId, chain};

open_enum! {
    State {
        Live = "LIVE",
        /// Switched off. The specification does not show this word; `bridging` assumes it.
        Inactive = "INACTIVE",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wallet {
    pub id: WalletId,
    /// Absent for a wallet known from history alone.
    pub name: Option<Text>,
    pub address: Option<Text>,
    /// As the service spells it.
    pub blockchain: Text,
    /// The family of its chain, such as `EVM`.
    pub protocol: Option<Text>,
    /// `mainnet` or `testnet`.
    pub network: Option<Text>,
    pub is_evm_compatible: Option<bool>,
    /// Such as `smart_wallet`.
    pub kind: Option<Text>,
    /// What it is for, such as `deposit`.
    pub intent: Option<Text>,
    /// Who holds its keys, such as `DEVELOPER`.
    pub custody_type: Option<Text>,
    /// Fraction digits of its chain's native coin.
    pub decimals: Option<u8>,
    pub state: Option<State>,
    /// Whether the service pays its fees.
    pub gasless_withdraw: Option<bool>,
    /// Whether native tokens are swept to the settlement account.
    pub auto_sweep: Option<bool>,
    pub user: Option<UserId>,
    pub account: Option<AccountId>,
    /// The business's own reference.
    pub ref_id: Option<Text>,
    pub created_at: Option<Timestamp>,
    /// When the service last changed it.
    pub updated_at: Option<Timestamp>,
}

impl Wallet {
    /// A wallet of which only identifier and chain are known.
    pub fn new(id: WalletId, blockchain: Text) -> Self {
        Self {
            id,
            name: None,
            address: None,
            blockchain,
            protocol: None,
            network: None,
            is_evm_compatible: None,
            kind: None,
            intent: None,
            custody_type: None,
            decimals: None,
            state: None,
            gasless_withdraw: None,
            auto_sweep: None,
            user: None,
            account: None,
            ref_id: None,
            created_at: None,
            updated_at: None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressUnavailable {
    #[error("the service has not reported the address of this wallet")]
    Unknown,
    /// The service later reported a different one, and no operator has reviewed them.
    #[error(
        "the service now reports a different address for this wallet; let nobody pay to either address before you know why"
    )]
    Contradicted,
    #[error("the address reported by the service cannot be valid on {chain}: {error}")]
    Invalid { chain: String, error: AddressError },
}

impl Sourced<Wallet> {
    /// The address for deposits: one that nothing contradicts, and whose form and checksum are valid on the wallet's
    /// chain. `family` is the notation of addresses there, where the service's list of chains states it.
    pub fn deposit_address(&self, family: Option<Family>) -> Result<&Text, AddressUnavailable> {
        let address = self.entry.address.as_ref().ok_or(AddressUnavailable::Unknown)?;
        if self.contradicting_address().is_some() {
            return Err(AddressUnavailable::Contradicted);
        }
        let chain = &self.entry.blockchain;
        if let Some(family) = family.or_else(|| chain::address_family_of(chain, None)) {
            let wrong =
                |error| AddressUnavailable::Invalid { chain: chain::chain_display_name(chain).to_owned(), error };
            Address::parse(family, address).map_err(wrong)?;
        }
        Ok(address)
    }
}
