//! The addresses of the business's own wallets, by which movements between them are recognised.

use std::collections::{HashMap, HashSet};

use super::address::{ComparableAddress, may_have_other_notations};
use super::chain::{ChainKey, chain_key};
use super::filter::fold_case;
use super::{SubType, Transaction};

/// The addresses of own wallets, by chain.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnAddresses {
    by_chain: HashMap<ChainKey, ChainAddresses>,
}

/// Own addresses on one chain, in lower case: as they are written, and in the one notation of their kind.
///
/// Case is dropped for every kind of address, also where it matters, so that the search columns, which are in lower
/// case, can be searched: nobody finds a key whose address differs from another in nothing but its case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChainAddresses(HashSet<Box<str>>);

impl ChainAddresses {
    pub fn has(&self, address: &str) -> bool {
        self.has_folded(&fold_case(address))
            || may_have_other_notations(address)
                && self.0.contains(fold_case(ComparableAddress::parse(address).canonical().text()).as_str())
    }

    /// Whether an address that is already in lower case is one of them.
    pub fn has_folded(&self, address: &str) -> bool {
        self.0.contains(address)
    }
}

impl OwnAddresses {
    /// The addresses of wallets, each with its chain.
    pub fn new<'a>(wallets: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut own = Self::default();
        wallets.into_iter().for_each(|(address, blockchain)| own.insert(address, blockchain));
        own
    }

    /// Adds the address of a wallet.
    pub fn insert(&mut self, address: &str, blockchain: &str) {
        // There may be tens of thousands of wallets: most name their chain by its key.
        let addresses = match self.by_chain.get_mut(blockchain) {
            Some(addresses) => addresses,
            None => self.by_chain.entry(chain_key(blockchain)).or_default(),
        };
        addresses.0.insert(fold_case(address).into());
        // Parsing is what costs.
        if may_have_other_notations(address) {
            addresses.0.insert(fold_case(ComparableAddress::parse(address).canonical().text()).into());
        }
    }

    pub fn on_chain(&self, blockchain: &str) -> Option<&ChainAddresses> {
        self.by_chain.get(&chain_key(blockchain))
    }

    pub fn has_on_any_chain(&self, address: &str) -> bool {
        let folded = fold_case(address);
        self.by_chain.values().any(|addresses| addresses.has_folded(&folded))
            || may_have_other_notations(address) && self.by_chain.values().any(|addresses| addresses.has(address))
    }

    pub fn has(&self, address: &str, blockchain: &str) -> bool {
        self.on_chain(blockchain).is_some_and(|addresses| addresses.has(address))
    }
}

impl SubType {
    /// Whether movements of this kind are always between own wallets.
    pub fn is_internal(&self) -> bool {
        matches!(self, Self::Sweep | Self::InternalTransfer)
    }
}

impl Transaction {
    /// Whether it is a movement between own wallets: by its kind, or since its counterparty is one of the own addresses
    /// on its chain.
    pub fn is_internal(&self, own: Option<&ChainAddresses>) -> bool {
        self.sub_type.as_ref().is_some_and(SubType::is_internal)
            || own.zip(self.counterparty()).is_some_and(|(own, address)| own.has(address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Direction, Text};

    const TREASURY: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

    #[test]
    fn a_movement_between_own_wallets_is_internal_whatever_the_notation() {
        let own = OwnAddresses::new([(TREASURY, "ethereum"), ("7XkQpQ2m", "solana")]);
        let transaction = |chain: &str, to: &str| Transaction {
            direction: Direction::Outgoing,
            to_address: Some(Text::clean(to)),
            ..Transaction::minimal(chain)
        };
        let is_internal =
            |transaction: Transaction| transaction.is_internal(own.on_chain(&transaction.token.blockchain));
        assert!(is_internal(transaction("ethereum", TREASURY)));
        assert!(is_internal(transaction("Ethereum", &TREASURY.to_lowercase())));
        assert!(!is_internal(transaction("base", TREASURY)), "the same address on another chain may be another's");
        assert!(!is_internal(transaction("ethereum", "0x52908400098527886E0F7030069857D2E4169EE8")));
        assert!(is_internal(Transaction { sub_type: Some(SubType::Sweep), ..transaction("base", TREASURY) }));
    }

    #[test]
    fn another_notation_of_an_own_address_is_own() {
        let raw = "0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e";
        let friendly = "EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF";
        assert!(OwnAddresses::new([(friendly, "ton")]).has(raw, "ton"));
    }
}
