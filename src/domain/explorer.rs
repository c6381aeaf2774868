//! The page of a transaction at a block explorer. The link is shown and copied, never opened.

use super::{Blockchain, Chain, Network, Order, Token, Transaction, network};

/// The address of a transaction's page, or why there is none.
///
/// The explorer is the one that the service lists for the chain, else the catalogue's. On a test network only an
/// explorer listed for it is used: the main chain's page would show another transaction, or none.
pub fn transaction_url(transaction: &Transaction, tokens: &[Token]) -> Result<String, &'static str> {
    let hash = transaction.tx_hash.as_deref().ok_or("no transaction hash yet")?;
    let is_test = [&transaction.network, &transaction.environment]
        .into_iter()
        .flatten()
        .any(|word| word.to_ascii_lowercase().contains("test"));
    explorer_url_of_hash(&transaction.token.blockchain, hash, is_test, tokens)
}

/// The page of a hash of an order, or why there is none.
pub fn order_url(order: &Order, hash: &str, tokens: &[Token]) -> Result<String, &'static str> {
    let drafted = &order.drafted;
    let slug = drafted.draft.chain(drafted.sender.as_ref()).ok_or("this order moves no money")?;
    let by_chain = network::network_suffix(slug).and_then(Network::of_word);
    let is_test = [drafted.destination.environment, by_chain].contains(&Some(Network::Testnet));
    explorer_url_of_hash(slug, hash, is_test, tokens)
}

/// The page of a hash on a chain; `is_test` states whether the chain is a test network.
pub fn explorer_url_of_hash(slug: &str, hash: &str, is_test: bool, tokens: &[Token]) -> Result<String, &'static str> {
    if hash.is_empty() || !hash.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err("its hash is not valid for an explorer page");
    }
    let chain = Chain::find(slug).ok_or("explorer links are not supported for this chain")?;
    let places = || tokens.iter().flat_map(|token| &token.blockchains).filter(|place| *place.slug == *slug);
    let base = places().find_map(|place| usable_explorer_base(place, is_test, chain.explorer));
    match base {
        Some(base) => Ok(chain.transaction_link_at(base, hash)),
        None if is_test => Err("no explorer is known for this test network"),
        None => Ok(chain.transaction_link(hash)),
    }
}

/// The explorer that the service lists for a blockchain; `None` where it lists none, or none that fits this network.
pub fn listed_explorer(blockchain: &Blockchain) -> Option<&str> {
    usable_explorer_base(
        blockchain,
        blockchain.is_testnet == Some(true),
        Chain::find(&blockchain.slug).map_or("", |chain| chain.explorer),
    )
}

/// How explorers of Solana name its test networks, which have no pages of their own.
const NETWORK_QUERIES: [&str; 2] = ["?cluster=devnet", "?cluster=testnet"];

fn usable_explorer_base<'a>(blockchain: &'a Blockchain, is_test: bool, of_the_real_chain: &str) -> Option<&'a str> {
    let base = blockchain.block_explorer.as_deref()?;
    let page = NETWORK_QUERIES.iter().find_map(|query| base.strip_suffix(query)).unwrap_or(base);
    let is_plain = page.starts_with("https://") && !page.contains(['?', '#', ' ', '@', '"', '\\']) && page.is_ascii();
    let fits = if is_test {
        blockchain.is_testnet == Some(true) && !base.trim_end_matches('/').eq_ignore_ascii_case(of_the_real_chain)
    } else {
        blockchain.is_testnet != Some(true)
    };
    (is_plain && fits).then_some(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transaction(chain: &str, hash: &str, network: &str) -> Transaction {
        let tx_hash = (!hash.is_empty()).then(|| hash.into());
        Transaction { network: Some(network.into()), tx_hash, ..Transaction::minimal(chain) }
    }

    fn tokens(slug: &str, explorer: &str, is_testnet: bool) -> Vec<Token> {
        let place = Blockchain {
            slug: slug.into(),
            name: slug.into(),
            symbol: None,
            decimals: None,
            protocol: None,
            chain_id: None,
            is_testnet: Some(is_testnet),
            standards: Vec::new(),
            block_explorer: Some(explorer.into()),
        };
        let (symbol, name) = ("ETH".into(), "Ether".into());
        vec![Token { symbol, name, decimals: None, is_native: None, standards: Vec::new(), blockchains: vec![place] }]
    }

    #[test]
    fn a_page_is_of_the_network_that_the_transaction_is_on() {
        let real = transaction("ethereum", "0xab", "mainnet");
        assert_eq!(transaction_url(&real, &[]).as_deref(), Ok("https://etherscan.io/tx/0xab"));
        let own = tokens("ethereum", "https://scan.example.com/", false);
        assert_eq!(transaction_url(&real, &own).as_deref(), Ok("https://scan.example.com/tx/0xab"));
        let test = transaction("ethereum", "0xab", "testnet");
        assert!(transaction_url(&test, &[]).is_err());
        assert!(transaction_url(&test, &tokens("ethereum", "https://etherscan.io", true)).is_err());
        let devnet = tokens("solana", "https://solscan.io/?cluster=devnet", true);
        let page = transaction_url(&transaction("solana", "5xAb", "testnet"), &devnet);
        assert_eq!(page.as_deref(), Ok("https://solscan.io/tx/5xAb?cluster=devnet"));
        let sepolia = tokens("ethereum", "https://sepolia.etherscan.io", true);
        assert_eq!(transaction_url(&test, &sepolia).as_deref(), Ok("https://sepolia.etherscan.io/tx/0xab"));
        assert_eq!(transaction_url(&real, &sepolia).as_deref(), Ok("https://etherscan.io/tx/0xab"));
    }

    #[test]
    fn what_is_listed_for_a_test_network_is_not_the_page_of_the_real_one() {
        let explorer_url = |explorer: &str, is_testnet| {
            listed_explorer(&tokens("ethereum", explorer, is_testnet)[0].blockchains[0]).map(str::to_owned)
        };
        assert_eq!(explorer_url("https://etherscan.io/", true), None);
        assert_eq!(explorer_url("https://etherscan.io", false).as_deref(), Some("https://etherscan.io"));
        assert_eq!(explorer_url("https://sepolia.etherscan.io", true).as_deref(), Some("https://sepolia.etherscan.io"));
        assert_eq!(explorer_url("javascript:alert(1)", false), None);
    }

    #[test]
    fn what_could_lead_astray_makes_no_link() {
        for (hash, chain) in [("", "ethereum"), ("0xab/../x", "ethereum"), ("0xab", "elsewhere")] {
            assert!(transaction_url(&transaction(chain, hash, "mainnet"), &[]).is_err(), "{hash} {chain}");
        }
        let real = transaction("ethereum", "0xab", "mainnet");
        for odd in ["http://scan.example.com", "https://a@b.example", "javascript:alert(1)", "https://x.example/?q="] {
            assert_eq!(
                transaction_url(&real, &tokens("ethereum", odd, false)).as_deref(),
                Ok("https://etherscan.io/tx/0xab")
            );
        }
    }
}
