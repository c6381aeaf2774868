//! Tokens and the blockchains they exist on, as the service lists them.

use super::address::Family;
use super::chain::Chain;
use super::{Address, Text};

#[cfg(test)]
mod tests;

/// A token's identity: the chain, and the contract on it. Never the symbol, which anyone may take.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokenKey {
    /// As the service spells it.
    pub blockchain: Text,
    /// `None` for the chain's own coin. EVM contracts are in lower case (see [`TokenKey::new`]).
    pub contract: Option<Text>,
}

/// What services write as the contract of the chain's own coin: the zero addresses of EVM and of Tron, the marker of
/// ERC-7528, and Solana's system program. None of them can be a token.
const NATIVE_COIN_MARKERS: &[(Family, &str)] = &[
    (Family::Evm, "0x0000000000000000000000000000000000000000"),
    (Family::Evm, "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"),
    (Family::Solana, "11111111111111111111111111111111"),
    (Family::Tron, "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"),
];

impl TokenKey {
    /// The normalised key of a token, so that equal tokens have equal keys.
    ///
    /// The blockchain stays as spelled. A contract on an EVM chain is put in lower case, and so is one in EVM form on
    /// an unknown chain. No contract, or a marker of the chain's own coin, is `None`.
    pub fn new(blockchain: &str, contract: Option<&str>) -> Self {
        let contract = contract.map(str::trim).filter(|contract| !contract.is_empty()).and_then(|contract| {
            let family = Chain::find(blockchain).map(|chain| chain.family);
            let lower = contract.to_ascii_lowercase();
            let evm = family.is_none_or(|family| family == Family::Evm) && Address::parse(Family::Evm, &lower).is_ok();
            let contract = if evm { &lower } else { contract };
            let coin = NATIVE_COIN_MARKERS
                .iter()
                .any(|(of, marker)| family.is_none_or(|other| other == *of) && *marker == contract);
            (!coin).then(|| Text::clean(contract))
        });
        Self { blockchain: Text::clean(blockchain), contract }
    }

    pub fn is_native(&self) -> bool {
        self.contract.is_none()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Token {
    pub symbol: Text,
    pub name: Text,
    /// Fraction digits, where all chains agree; each chain's own are in `blockchains`.
    pub decimals: Option<u8>,
    pub is_native: Option<bool>,
    /// Such as `ERC20`.
    pub standards: Vec<Text>,
    /// The chains it exists on.
    pub blockchains: Vec<Blockchain>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Blockchain {
    /// The word that requests use.
    pub slug: Text,
    pub name: Text,
    /// The symbol of the chain's own coin.
    pub symbol: Option<Text>,
    /// The token's fraction digits on this chain.
    pub decimals: Option<u8>,
    /// Such as `EVM`.
    pub protocol: Option<Text>,
    /// The number of an EVM chain.
    pub chain_id: Option<u64>,
    pub is_testnet: Option<bool>,
    /// The token's standards on this chain.
    pub standards: Vec<Text>,
    pub block_explorer: Option<Text>,
}

#[cfg(test)]
impl Blockchain {
    pub(crate) fn test_blockchain(slug: &str) -> Self {
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
    pub(crate) fn test_token(symbol: &str, chains: &[&str]) -> Self {
        Self {
            symbol: Text::clean(symbol),
            name: Text::clean(symbol),
            decimals: None,
            is_native: None,
            standards: Vec::new(),
            blockchains: chains.iter().map(|slug| Blockchain::test_blockchain(slug)).collect(),
        }
    }
}
