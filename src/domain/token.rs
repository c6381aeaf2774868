//! Tokens and the blockchains they live on, as the service lists them.

use super::Text;

/// What makes two holdings the same token: the chain, and the contract on it. Never the symbol, which anyone may take.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokenKey {
    /// The blockchain, as the service spells it.
    pub blockchain: Text,
    /// The token's contract; `None` for the chain's own coin. EVM contracts in lower case.
    pub contract: Option<Text>,
}

/// A token that the service lists.
#[derive(Debug, Clone, PartialEq, Eq)]
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
#[derive(Debug, Clone, PartialEq, Eq)]
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
