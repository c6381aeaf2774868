//! The names of the commodities of the books, which hledger and beancount both read: two to 24 capitals, digits, points,
//! hyphens and underscores.
//!
//! A token that the service lists on the chain has its symbol, and is one commodity on all its chains. So has a chain's
//! own coin. Any other token has a digest of its chain and contract behind its symbol, since anybody may take a symbol.

use std::collections::{HashMap, HashSet};

use super::account_names::digest;
use crate::domain::chain::{Chain, ChainKey, chain_key};
use crate::domain::{Text, Token, TokenKey};

const MAX_CHARS: usize = 24;
/// Of the symbol, before a digest.
const MAX_SYMBOL_CHARS: usize = 14;

#[derive(Debug)]
pub(super) struct CommodityNames<'a> {
    /// The chains of each listed token, by its symbol.
    chains_by_symbol: HashMap<&'a str, HashSet<ChainKey>>,
    /// The spellings of several listed symbols.
    ambiguous: HashSet<String>,
}

impl<'a> CommodityNames<'a> {
    pub(super) fn new(tokens: &'a [Token]) -> Self {
        let mut chains_by_symbol: HashMap<&str, HashSet<ChainKey>> = HashMap::new();
        for token in tokens {
            let chains = token.blockchains.iter().map(|chain| chain_key(&chain.slug));
            chains_by_symbol.entry(token.symbol.as_str()).or_default().extend(chains);
        }
        let (mut symbols_seen, mut ambiguous) = (HashSet::new(), HashSet::new());
        for symbol in chains_by_symbol.keys() {
            let spelling = symbol.to_ascii_uppercase();
            if !symbols_seen.insert(spelling.clone()) {
                ambiguous.insert(spelling);
            }
        }
        Self { chains_by_symbol, ambiguous }
    }

    pub(super) fn name(&self, symbol: &Text, token: &TokenKey) -> String {
        let key = chain_key(&token.blockchain);
        let is_listed = self.chains_by_symbol.get(symbol.as_str()).is_some_and(|chains| chains.contains(&key));
        let is_coin =
            token.is_native() && Chain::find(&token.blockchain).is_some_and(|chain| chain.coin.0 == symbol.as_str());
        let spelling = symbol.to_ascii_uppercase();
        match is_listed || is_coin {
            true if is_plain(&spelling) && !self.ambiguous.contains(&spelling) => spelling,
            true => with_digest(&spelling, symbol),
            false => {
                let contract = token.contract.as_ref().map(Text::as_str).unwrap_or_default();
                with_digest(&spelling, &format!("{symbol}\n{key}\n{contract}"))
            }
        }
    }

    /// The name of the coin in which a chain's fees are paid, of which only the symbol is stated.
    pub(super) fn coin_name(&self, symbol: &Text, chain: &Text) -> String {
        self.name(symbol, &TokenKey { blockchain: chain.clone(), contract: None })
    }
}

fn is_plain(spelling: &str) -> bool {
    let bytes = spelling.as_bytes();
    (2..=MAX_CHARS).contains(&bytes.len())
        && bytes.first().is_some_and(u8::is_ascii_uppercase)
        && bytes.last().is_some_and(|last| last.is_ascii_uppercase() || last.is_ascii_digit())
        && bytes.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || b"._-".contains(byte))
}

fn with_digest(spelling: &str, identity: &str) -> String {
    let mut symbol: String = spelling.chars().filter(char::is_ascii_alphanumeric).take(MAX_SYMBOL_CHARS).collect();
    if !symbol.starts_with(|first: char| first.is_ascii_uppercase()) {
        symbol.insert(0, 'X');
    }
    format!("{symbol}-{}", digest(identity))
}
