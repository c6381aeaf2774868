use rstest::rstest;

use super::TokenKey;

const USDC: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const MINT: &str = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

#[rstest]
#[case("ethereum", None)]
#[case("ethereum", Some(""))]
#[case("ethereum", Some("  "))]
#[case("ethereum", Some("0x0000000000000000000000000000000000000000"))]
#[case("bsc", Some("0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"))]
#[case("unknown-chain", Some("0x0000000000000000000000000000000000000000"))]
#[case("solana", Some("11111111111111111111111111111111"))]
fn nothing_and_what_stands_for_it_is_the_own_coin(#[case] chain: &str, #[case] contract: Option<&str>) {
    let key = TokenKey::new(chain, contract);
    assert!(key.is_native());
    assert_eq!(key, TokenKey { blockchain: chain.into(), contract: None });
}

#[test]
fn a_contract_of_evm_has_one_key_however_it_is_cased_and_one_of_solana_keeps_its_case() {
    let lower = USDC.to_lowercase();
    for chain in ["ethereum", "base-sepolia", "a-chain-yet-unknown"] {
        assert_eq!(TokenKey::new(chain, Some(USDC)), TokenKey::new(chain, Some(&lower)));
        assert_eq!(TokenKey::new(chain, Some(USDC)).contract.as_deref(), Some(lower.as_str()));
    }
    assert_eq!(TokenKey::new("solana", Some(MINT)).contract.as_deref(), Some(MINT));
    assert_ne!(TokenKey::new("solana", Some(MINT)), TokenKey::new("solana", Some(&MINT.to_lowercase())));
}

#[test]
fn the_same_contract_on_another_chain_is_another_token() {
    assert_ne!(TokenKey::new("ethereum", Some(USDC)), TokenKey::new("polygon", Some(USDC)));
}

#[test]
fn a_contract_of_no_known_form_is_kept_as_it_came() {
    assert_eq!(TokenKey::new("ethereum", Some("0xABC")).contract.as_deref(), Some("0xABC"));
    assert_eq!(
        TokenKey::new("tron", Some("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t")).contract.as_deref(),
        Some("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t")
    );
}
