use rstest::rstest;

use super::{Chain, MemoUsage, address_family_of, chain_display_name, is_same_chain, memo_usage};
use crate::domain::address::Family;

#[rstest]
#[case("ethereum", "ethereum")]
#[case("Ethereum", "ethereum")]
#[case("ETHEREUM-mainnet", "ethereum")]
#[case("ethereum_sepolia", "ethereum")]
#[case("bnb-smart-chain", "bsc")]
#[case("BNB Chain", "bsc")]
#[case("arbitrum-one", "arbitrum")]
#[case("solana-devnet", "solana")]
#[case("TRC20", "tron")]
#[case("btc-testnet", "bitcoin")]
#[case("XRPL", "xrp")]
#[case("stellar-testnet", "stellar")]
#[case("The-Open-Network", "ton")]
#[case("cosmoshub", "cosmos")]
#[case("OSMO", "osmosis")]
fn a_chain_is_found_by_slug_name_and_alias_with_or_without_a_network(#[case] word: &str, #[case] slug: &str) {
    assert_eq!(Chain::find(word).unwrap().slug, slug);
}

#[rstest]
fn another_chain_with_a_known_name_in_it_is_not_taken_for_it(
    #[values(
        "ethereum-classic",
        "arbitrum-nova",
        "polygon-zkevm",
        "base-",
        "-mainnet",
        "",
        "mainnet",
        "ethereum--mainnet"
    )]
    word: &str,
) {
    assert_eq!(Chain::find(word), None);
    assert_eq!(chain_display_name(word), word);
}

#[test]
fn a_test_network_keeps_its_word_on_screen() {
    assert_eq!(chain_display_name("bsc"), "BNB Chain");
    assert_eq!(chain_display_name("ethereum-mainnet"), "Ethereum");
    assert_eq!(chain_display_name("ethereum-sepolia"), "ethereum-sepolia");
}

#[test]
fn every_word_leads_to_one_chain() {
    for chain in Chain::all() {
        for word in [chain.slug, chain.name].iter().chain(chain.aliases) {
            assert_eq!(Chain::find(word), Some(chain), "{word}");
        }
    }
}

#[rstest]
#[case("ethereum", "Ethereum-mainnet", true)]
#[case("bsc", "bep20", true)]
#[case("quickchain", "QuickChain", true)]
#[case("ethereum", "base", false)]
#[case("ethereum", "ethereum-classic", false)]
#[case("quickchain", "slowchain", false)]
fn one_chain_has_many_words(#[case] one: &str, #[case] other: &str, #[case] expected: bool) {
    assert_eq!((is_same_chain(one, other), is_same_chain(other, one)), (expected, expected));
}

#[rstest]
#[case("ethereum", Some(MemoUsage::None))]
#[case("solana-mainnet", Some(MemoUsage::None))]
#[case("xrp", Some(MemoUsage::Common))]
#[case("Ripple", Some(MemoUsage::Common))]
#[case("stellar-testnet", Some(MemoUsage::Common))]
#[case("the-open-network", Some(MemoUsage::Common))]
#[case("akash", Some(MemoUsage::Common))]
#[case("quickchain", None)]
#[case("tron", Some(MemoUsage::None))]
#[case("", None)]
fn chains_that_ask_for_a_memo_are_known(#[case] chain: &str, #[case] expected: Option<MemoUsage>) {
    assert_eq!(memo_usage(chain), expected);
}

#[test]
fn how_addresses_are_written_is_known_or_told() {
    assert_eq!(address_family_of("ethereum", Some("SOLANA")), Some(Family::Evm));
    assert_eq!(address_family_of("linea", Some("EVM")), Some(Family::Evm));
    assert_eq!(address_family_of("quickchain", Some("quick")), None);
    assert_eq!(address_family_of("quickchain", None), None);
    assert_eq!(address_family_of("osmosis", None), Some(Family::Cosmos("osmo")));
    // Sei and Injective have EVM addresses, too.
    assert_eq!(address_family_of("sei", Some("evm")), Some(Family::Evm));
}

#[test]
fn transactions_are_looked_at_where_the_chain_has_its_explorer() {
    let link = |chain: &str| Chain::find(chain).unwrap().transaction_link("ab12");
    assert_eq!(link("ethereum"), "https://etherscan.io/tx/ab12");
    assert_eq!(link("tron"), "https://tronscan.org/#/transaction/ab12");
    assert_eq!(link("bitcoin"), "https://mempool.space/tx/ab12");
    assert_eq!(link("xrp"), "https://xrpscan.com/tx/ab12");
    assert_eq!(link("ton"), "https://tonviewer.com/transaction/ab12");
    assert_eq!(link("osmosis"), "https://www.mintscan.io/osmosis/tx/ab12");
}
