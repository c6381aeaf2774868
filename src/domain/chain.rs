//! The catalogue of blockchains that this program knows.

use std::borrow::Cow;

use catalogue::CHAINS;

use super::Token;
use super::address::Family;
use super::network::{NETWORK_SUFFIXES, network_suffix};

mod catalogue;
#[cfg(test)]
mod tests;

/// Whether deposits on a chain commonly need a memo or tag beside the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoUsage {
    None,
    /// Exchanges and custodians commonly ask for one.
    Common,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chain {
    /// The word that requests use.
    pub slug: &'static str,
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub family: Family,
    /// Its native coin: symbol, name and fraction digits.
    pub coin: (&'static str, &'static str, u8),
    /// The number of an EVM chain, from the registry at chainlist (ethereum-lists/chains).
    pub chain_id: Option<u64>,
    pub memo: MemoUsage,
    pub explorer: &'static str,
}

impl Chain {
    /// Finds a chain by slug, name or alias, also with a network suffix (`ethereum-mainnet`); case is ignored.
    ///
    /// Only known network words are suffixes: `ethereum-classic` and `arbitrum-nova` are chains of their own, which
    /// this program does not know.
    pub fn find(word: &str) -> Option<&'static Self> {
        Self::find_with_network(word).map(|(chain, _)| chain)
    }

    /// The chain, and the network where the word names one.
    fn find_with_network(word: &str) -> Option<(&'static Self, Option<&str>)> {
        let chain_of = |word: &str| {
            CHAINS.iter().find(|chain| {
                chain.slug.eq_ignore_ascii_case(word)
                    || chain.name.eq_ignore_ascii_case(word)
                    || chain.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(word))
            })
        };
        if let Some(chain) = chain_of(word) {
            return Some((chain, None));
        }
        let (chain, network) = word.rsplit_once(['-', '_', ' '])?;
        let is_network = NETWORK_SUFFIXES.iter().any(|suffix| suffix.eq_ignore_ascii_case(network));
        if is_network { chain_of(chain).map(|chain| (chain, Some(network))) } else { None }
    }

    pub fn transaction_link(&self, hash: &str) -> String {
        self.transaction_link_at(self.explorer, hash)
    }

    /// The page of a transaction at another explorer with the same paths as the chain's own; a query that names the
    /// network, as Solana's explorers have it, stays at the end.
    pub fn transaction_link_at(&self, explorer: &str, hash: &str) -> String {
        let joint = match self.family {
            // Tronscan is a single page that evaluates the URL's fragment.
            Family::Tron => "/#/transaction/",
            Family::Ton => "/transaction/",
            _ => "/tx/",
        };
        let (page, network) = explorer.split_at(explorer.find('?').unwrap_or(explorer.len()));
        format!("{}{joint}{hash}{network}", page.trim_end_matches('/'))
    }

    pub fn all() -> &'static [Self] {
        CHAINS
    }
}

/// The notation of addresses on a chain: by the catalogue, else by the protocol that the service reports.
///
/// Some Cosmos SDK chains are EVM chains as well, and a service uses one of the two sides: the reported protocol
/// decides.
pub fn address_family_of(word: &str, protocol: Option<&str>) -> Option<Family> {
    let reported_family = protocol.and_then(|protocol| {
        let families = [("evm", Family::Evm), ("solana", Family::Solana), ("tron", Family::Tron)];
        let more =
            [("bitcoin", Family::Bitcoin), ("xrp", Family::Xrp), ("stellar", Family::Stellar), ("ton", Family::Ton)];
        families.into_iter().chain(more).find(|(word, _)| protocol.eq_ignore_ascii_case(word)).map(|(_, family)| family)
    });
    match Chain::find(word).map(|chain| chain.family) {
        Some(Family::Cosmos(_)) if reported_family == Some(Family::Evm) => reported_family,
        Some(family) => Some(family),
        None => reported_family,
    }
}

/// The notation of addresses on a chain, with the protocol from the service's list of tokens.
pub fn address_family_by_listed_protocol(tokens: &[Token], chain: &str) -> Option<Family> {
    let places = tokens.iter().flat_map(|token| &token.blockchains);
    let reported_protocol =
        places.filter(|place| is_same_chain(&place.slug, chain)).find_map(|place| place.protocol.as_deref());
    address_family_of(chain, reported_protocol)
}

/// A chain's name on screen: the catalogue's, else the service's word. A test network keeps the service's word, so that
/// it never looks like the main chain.
pub fn chain_display_name(word: &str) -> &str {
    match Chain::find_with_network(word) {
        Some((chain, None)) => chain.name,
        Some((chain, Some(network))) if network.eq_ignore_ascii_case("mainnet") => chain.name,
        _ => word,
    }
}

/// Whether two words name the same chain, whatever network suffix they have.
pub fn is_same_chain(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other) || Chain::find(one).is_some_and(|chain| Chain::find(other) == Some(chain))
}

/// A chain's slug; of a chain that is not in the catalogue, the service's word in lower case.
pub type ChainKey = Cow<'static, str>;

/// One word for a chain, whatever name the service uses for it: two words with the same one name the same chain.
pub fn chain_key(word: &str) -> ChainKey {
    Chain::find(word).map_or_else(|| word.to_ascii_lowercase().into(), |chain| chain.slug.into())
}

/// Whether deposits on a chain commonly need a memo or tag beside the address; `None` for an unknown chain.
pub fn memo_usage(word: &str) -> Option<MemoUsage> {
    if let Some(chain) = Chain::find(word) {
        return Some(chain.memo);
    }
    let bare = network_suffix(word).map_or(word, |network| &word[..word.len() - network.len() - 1]);
    let tagged = MEMO_CHAINS.iter().any(|slug| slug.eq_ignore_ascii_case(bare));
    tagged.then_some(MemoUsage::Common)
}

/// Further chains on which exchanges ask for a memo, tag or message beside the address, in services' words.
const MEMO_CHAINS: &[&str] = &[
    "terra-classic",
    "secret",
    "scrt",
    "akash",
    "akt",
    "hedera",
    "hbar",
    "eos",
    "vaulta",
    "algorand",
    "algo",
    "stacks",
    "stx",
    "iost",
    "nem",
    "xem",
    "symbol",
    "xym",
    "steem",
    "hive",
    "bitshares",
    "casper",
    "cspr",
    "bnb-beacon-chain",
    "bep2",
    "radix",
    "xrd",
    "internet-computer",
    "icp",
];
