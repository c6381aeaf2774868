//! Blockchains that this program knows by name: one row each.

use catalogue::CHAINS;

use super::Token;
use super::address::Family;

mod catalogue;
#[cfg(test)]
mod tests;

/// Whether a deposit on a chain commonly needs a memo or tag beside its address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoRule {
    /// Never.
    None,
    /// Exchanges and custodians commonly ask for one.
    Common,
}

/// A blockchain that this program knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chain {
    /// The word that requests use.
    pub slug: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Other words that services use for it.
    pub aliases: &'static [&'static str],
    /// How its addresses are written.
    pub family: Family,
    /// Its own coin and the fraction digits of that.
    pub coin: (&'static str, &'static str, u8),
    /// The number of an EVM chain, from the registry at chainlist (ethereum-lists/chains).
    pub chain_id: Option<u64>,
    /// Whether deposits commonly need a memo.
    pub memo: MemoRule,
    /// Where transactions can be looked at.
    pub explorer: &'static str,
}

impl Chain {
    /// Finds a chain by slug, name or alias, also with a network behind it (`ethereum-mainnet`); case is ignored.
    ///
    /// Only words that name a network count as one: `ethereum-classic` and `arbitrum-nova` are chains of their own,
    /// which this program does not know.
    pub fn find(word: &str) -> Option<&'static Self> {
        Self::find_with_network(word).map(|(chain, _)| chain)
    }

    /// The chain, and the network where the word names one.
    fn find_with_network(word: &str) -> Option<(&'static Self, Option<&str>)> {
        let named = |word: &str| {
            CHAINS.iter().find(|chain| {
                chain.slug.eq_ignore_ascii_case(word)
                    || chain.name.eq_ignore_ascii_case(word)
                    || chain.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(word))
            })
        };
        if let Some(chain) = named(word) {
            return Some((chain, None));
        }
        let (chain, network) = word.rsplit_once(['-', '_', ' '])?;
        let known = NETWORK_SUFFIXES.iter().any(|known| known.eq_ignore_ascii_case(network));
        if known { named(chain).map(|chain| (chain, Some(network))) } else { None }
    }

    /// Where a transaction can be looked at.
    pub fn transaction_link(&self, hash: &str) -> String {
        self.transaction_link_at(self.explorer, hash)
    }

    /// The same at another explorer that is made like the known one.
    pub fn transaction_link_at(&self, explorer: &str, hash: &str) -> String {
        let joint = match self.family {
            // Tronscan is one page that reads what stands behind the mark.
            Family::Tron => "/#/transaction/",
            Family::Ton => "/transaction/",
            _ => "/tx/",
        };
        format!("{}{joint}{hash}", explorer.trim_end_matches('/'))
    }

    /// Every chain that this program knows.
    pub fn all() -> &'static [Self] {
        CHAINS
    }
}

/// How addresses on a chain are written: as this program knows it, else by the protocol that the service tells.
///
/// Some chains of the Cosmos SDK are EVM chains besides, and a service works with one side of them: what it tells of
/// that counts.
pub fn family(word: &str, protocol: Option<&str>) -> Option<Family> {
    let told = protocol.and_then(|protocol| {
        let words = [("evm", Family::Evm), ("solana", Family::Solana), ("tron", Family::Tron)];
        let more =
            [("bitcoin", Family::Bitcoin), ("xrp", Family::Xrp), ("stellar", Family::Stellar), ("ton", Family::Ton)];
        words.into_iter().chain(more).find(|(word, _)| protocol.eq_ignore_ascii_case(word)).map(|(_, family)| family)
    });
    match Chain::find(word).map(|chain| chain.family) {
        Some(Family::Cosmos(_)) if told == Some(Family::Evm) => told,
        Some(known) => Some(known),
        None => told,
    }
}

/// How addresses on a chain are written, where the service's list of tokens tells its protocol.
pub fn family_listed(listed: &[Token], chain: &str) -> Option<Family> {
    let places = listed.iter().flat_map(|token| &token.blockchains);
    let told = places.filter(|place| is_same_chain(&place.slug, chain)).find_map(|place| place.protocol.as_deref());
    family(chain, told)
}

/// What to call a chain on screen: its name where it is known, else the service's own word. A test network keeps that
/// word too, so that it never looks like the chain it imitates.
pub fn display_name(word: &str) -> &str {
    match Chain::find_with_network(word) {
        Some((chain, None)) => chain.name,
        Some((chain, Some(network))) if network.eq_ignore_ascii_case("mainnet") => chain.name,
        _ => word,
    }
}

/// Whether two words name the same chain, whatever network they put behind it.
pub fn is_same_chain(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other) || Chain::find(one).is_some_and(|chain| Chain::find(other) == Some(chain))
}

/// The network that a word puts behind the name of a chain: `sepolia` in `ethereum-sepolia`.
pub fn network_of(word: &str) -> Option<&str> {
    let (_, network) = word.rsplit_once(['-', '_', ' '])?;
    NETWORK_SUFFIXES.iter().any(|known| known.eq_ignore_ascii_case(network)).then_some(network)
}

/// Whether a network is only a test, by the word for it, also behind the name of a chain; `None` for a word that is not
/// known here.
pub fn is_test_network(network: &str) -> Option<bool> {
    let network = network_of(network).unwrap_or(network);
    let among = |words: &[&str]| words.iter().any(|known| known.eq_ignore_ascii_case(network));
    if among(&["mainnet", "main", "live", "production", "prod"]) {
        Some(false)
    } else if among(NETWORK_SUFFIXES) || among(&["test", "sandbox", "staging"]) {
        Some(true)
    } else {
        None
    }
}

/// Whether a deposit on a chain commonly needs a memo or tag beside its address; `None` for a chain that is not known
/// here.
pub fn memo_rule(word: &str) -> Option<MemoRule> {
    if let Some(chain) = Chain::find(word) {
        return Some(chain.memo);
    }
    let bare = network_of(word).map_or(word, |network| &word[..word.len() - network.len() - 1]);
    let tagged = MEMO_CHAINS.iter().any(|known| known.eq_ignore_ascii_case(bare));
    tagged.then_some(MemoRule::Common)
}

/// Other chains on which exchanges ask for a memo, tag or message beside the address, in the words of services.
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

/// The words for networks that services put behind the name of a chain.
const NETWORK_SUFFIXES: &[&str] =
    &["mainnet", "testnet", "devnet", "sepolia", "goerli", "holesky", "hoodi", "amoy", "mumbai", "chapel"];
