//! Tokens and the blockchains they live on, as the service lists them.

use super::address::Family;
use super::chain::Chain;
use super::{Address, Text};

#[cfg(test)]
mod tests;

/// What makes two holdings the same token: the chain, and the contract on it. Never the symbol, which anyone may take.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokenKey {
    /// The blockchain, as the service spells it.
    pub blockchain: Text,
    /// The token's contract; `None` for the chain's own coin. EVM contracts in lower case, which
    /// [`TokenKey::new`] sees to.
    pub contract: Option<Text>,
}

/// What services write in place of a contract for the chain's own coin: the zero addresses of EVM and of Tron, the
/// marker of ERC-7528, and Solana's system program. None of them can be a token.
const NATIVE_COIN_MARKERS: &[(Family, &str)] = &[
    (Family::Evm, "0x0000000000000000000000000000000000000000"),
    (Family::Evm, "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"),
    (Family::Solana, "11111111111111111111111111111111"),
    (Family::Tron, "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"),
];

impl TokenKey {
    /// The key of a token as a service names it, so that everyone who makes one makes the same.
    ///
    /// The blockchain stays as it is spelled. A contract on an EVM chain is put in lower case, also where the chain is
    /// unknown and the contract has the form of EVM. Nothing, or what stands for the chain's own coin, is `None`.
    pub fn new(blockchain: &str, contract: Option<&str>) -> Self {
        let contract = contract.map(str::trim).filter(|contract| !contract.is_empty()).and_then(|contract| {
            let family = Chain::find(blockchain).map(|chain| chain.family);
            let lower = contract.to_ascii_lowercase();
            let evm = family.is_none_or(|family| family == Family::Evm) && Address::check(Family::Evm, &lower).is_ok();
            let contract = if evm { &lower } else { contract };
            let coin = NATIVE_COIN_MARKERS
                .iter()
                .any(|(of, marker)| family.is_none_or(|known| known == *of) && *marker == contract);
            (!coin).then(|| Text::clean(contract))
        });
        Self { blockchain: Text::clean(blockchain), contract }
    }

    /// Whether it is the chain's own coin.
    pub fn is_native(&self) -> bool {
        self.contract.is_none()
    }
}

/// A token that the service lists.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Token {
    /// Its symbol.
    pub symbol: Text,
    /// Its name.
    pub name: Text,
    /// Fraction digits, where all chains agree; each chain's own stand in `blockchains`.
    pub decimals: Option<u8>,
    /// Whether it is a chain's own coin.
    pub is_native: Option<bool>,
    /// Its standards, such as `ERC20`.
    pub standards: Vec<Text>,
    /// Where it lives.
    pub blockchains: Vec<Blockchain>,
}

/// A blockchain on which a listed token lives.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Blockchain {
    /// The word that requests use.
    pub slug: Text,
    /// Its name.
    pub name: Text,
    /// Its own coin.
    pub symbol: Option<Text>,
    /// Fraction digits of the token on this chain.
    pub decimals: Option<u8>,
    /// Protocol, such as `EVM`.
    pub protocol: Option<Text>,
    /// The number of an EVM chain.
    pub chain_id: Option<u64>,
    /// Whether it is a test network.
    pub is_testnet: Option<bool>,
    /// The token's standards on this chain.
    pub standards: Vec<Text>,
    /// Where transactions can be looked at.
    pub block_explorer: Option<Text>,
}

#[cfg(test)]
impl Blockchain {
    /// One of which only the name is known.
    pub(crate) fn named(slug: &str) -> Self {
        Self {
            slug: Text::clean(slug),
            name: Text::clean(slug),
            symbol: None,
            decimals: None,
            protocol: None,
            chain_id: None,
            is_testnet: None,
            standards: Vec::new(),
            block_explorer: None,
        }
    }
}

#[cfg(test)]
impl Token {
    /// One that is listed on these blockchains, of which no more is told.
    pub(crate) fn listed(symbol: &str, chains: &[&str]) -> Self {
        Self {
            symbol: Text::clean(symbol),
            name: Text::clean(symbol),
            decimals: None,
            is_native: None,
            standards: Vec::new(),
            blockchains: chains.iter().map(|slug| Blockchain::named(slug)).collect(),
        }
    }
}
