use rstest::rstest;

use super::{Chain, display_name};

#[rstest]
#[case("ethereum", "ethereum")]
#[case("Ethereum", "ethereum")]
#[case("ETHEREUM-mainnet", "ethereum")]
#[case("ethereum_sepolia", "ethereum")]
#[case("bnb-smart-chain", "bsc")]
#[case("BNB Chain", "bsc")]
#[case("arbitrum-one", "arbitrum")]
#[case("solana-devnet", "solana")]
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
    assert_eq!(display_name(word), word);
}

#[test]
fn a_test_network_keeps_its_word_on_screen() {
    assert_eq!(display_name("bsc"), "BNB Chain");
    assert_eq!(display_name("ethereum-mainnet"), "Ethereum");
    assert_eq!(display_name("ethereum-sepolia"), "ethereum-sepolia");
}

#[test]
fn every_word_leads_to_one_chain() {
    for chain in Chain::all() {
        for word in [chain.slug, chain.name].iter().chain(chain.aliases) {
            assert_eq!(Chain::find(word), Some(chain), "{word}");
        }
    }
}
