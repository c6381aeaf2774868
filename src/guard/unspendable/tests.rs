use proptest::prelude::*;
use rstest::rstest;

use super::super::tests::{OTHER, Payment, SUPPLIER, USDC};
use super::*;
use crate::domain::address::{cosmos, stellar, tron, xrp};
use crate::domain::{Network, TokenKey};
use crate::guard::Severity;

#[rstest]
#[case("0x0000000000000000000000000000000000000000", "the zero address")]
#[case("0x000000000000000000000000000000000000dEaD", "the burn address")]
#[case("0x00000000000000000000000000000000DeaDBeef", "a burn address or system contract")]
#[case("0xdead000000000000000000000000000000000000", "a burn address")]
#[case("0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001", "a burn address")]
#[case("0xdEAD000000000000000042069420694206942069", "a burn address")]
#[case("0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "a burn address")]
#[case("0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF", "a burn address")]
#[case("0xfffffffffffffffffffffffffffffffffffffffe", "the system address of Ethereum")]
#[case("0x0000000000000000000000000000000000000001", "a system contract or precompile")]
#[case("0x0000000000000000000000000000000000000009", "a system contract or precompile")]
#[case("0x00000000000000000000000000000000000000ff", "a system contract or precompile")]
#[case("0x0000000000000000000000000000000000000100", "a system contract or precompile")]
#[case("0x0000000000000000000000000000000000001010", "a system contract or precompile")]
#[case("0x4200000000000000000000000000000000000006", "a system contract of the chain")]
#[case("0xcA11bde05977b3631167028862bE2a173976CA11", "the Multicall contract")]
#[case("11111111111111111111111111111111", "the system program")]
#[case("Vote111111111111111111111111111111111111111", "a program or system account")]
#[case("ComputeBudget111111111111111111111111111111", "a program or system account")]
#[case("SysvarC1ock11111111111111111111111111111111", "a sysvar")]
#[case("1nc1nerator11111111111111111111111111111111", "the incinerator of Solana")]
#[case("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "the token program")]
#[case("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", "the Token-2022 program")]
#[case("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL", "the associated token account program")]
fn nobodys_addresses_are_stopped_on_any_chain(#[case] to: &str, #[case] description: &str) {
    for chain in ["ethereum", "solana", "quickchain"] {
        let messages = Payment::to(to).on(chain).messages_of(RULE);
        let expected = format!("This is {description}: nobody can spend what is sent there.");
        assert_eq!(messages, [(Severity::Stop, expected)], "{to} on {chain}");
    }
}

#[rstest]
#[case("ton", "EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c", "the zero address")]
#[case("ton", &format!("0:{}", "0".repeat(64)), "the zero address")]
#[case("ton", &format!("-1:{}", "0".repeat(64)), "the zero address")]
#[case("ton", &format!("-1:{}", "5".repeat(64)), "a burn address or system account")]
#[case("stellar", &stellar::encode_address([0; 32]), "the zero address")]
#[case("xrp", "rrrrrrrrrrrrrrrrrrrrrhoLvTp", "the zero account of XRP")]
#[case("xrp", &xrp::encode_address([0xff; 20]), "a burn address or system account")]
#[case("cosmos", &cosmos::encode_address("cosmos", [0; 20]), "the zero address")]
#[case("osmosis", &cosmos::encode_address("osmo", [0x11; 20]), "a burn address or system account")]
#[case("tron", &tron::encode_address([0xee; 20]), "a burn address or system account")]
#[case("bitcoin", &bitcoin::encode_address([0; 20], Network::Mainnet), "the zero address")]
fn accounts_without_a_key_are_stopped_in_every_family(
    #[case] chain: &str,
    #[case] to: &str,
    #[case] description: &str,
) {
    let expected = format!("This is {description}: nobody can spend what is sent there.");
    for chain in [chain, "quickchain"] {
        assert_eq!(
            Payment::to(to).on(chain).messages_of(RULE),
            [(Severity::Stop, expected.clone())],
            "{to} on {chain}"
        );
    }
}

#[rstest]
// The anchor that anybody may spend, and examples of BIP-350: a later version, and version 1 of another length.
#[case("bc1pfeessrawgf", true)]
#[case("bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs", true)]
#[case("bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y", true)]
#[case("bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", false)]
#[case("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", false)]
fn programs_of_bitcoin_that_no_key_guards_are_stopped(#[case] to: &str, #[case] is_stopped: bool) {
    assert_eq!(Payment::to(to).on("bitcoin").max_severity(RULE), is_stopped.then_some(Severity::Stop));
}

#[test]
fn the_workchain_of_validators_is_a_danger() {
    // The test giver of TON's documents.
    let giver = "-1:fcb91a3a3816d0f7b8c2c76108b8a9bc5a6b7a55bd79f8ab101c52db29232260";
    let finding = Payment::to(giver).on("ton").single_finding(RULE);
    assert_eq!((finding.severity, finding.override_phrase), (Severity::Danger, Some("validators workchain")));
    assert_eq!(Payment::to(&giver.replace("-1:", "0:")).on("ton").messages_of(RULE), []);
}

#[test]
fn token_contracts_are_stopped() {
    let itself = Payment::to(&USDC.to_uppercase().replace("0X", "0x")).single_finding(RULE);
    assert_eq!(itself.severity, Severity::Stop);
    assert!(itself.message.starts_with("This is the contract of USDC itself."), "{}", itself.message);
    // Another's, known because it was held; and one that everybody knows.
    let mut payment = Payment::to(OTHER);
    payment.facts.contracts = vec![("GOLD".into(), TokenKey::new("base", Some(OTHER)))];
    assert!(payment.single_finding(RULE).message.starts_with("This is the contract of the token GOLD on Base."));
    let finding = Payment::to("0xdAC17F958D2ee523a2206206994597C13D831ec7").single_finding(RULE);
    assert!(finding.message.starts_with("This is the contract of the token USDT on Ethereum."), "{}", finding.message);
    let mint = Payment::to("So11111111111111111111111111111111111111112").on("solana").single_finding(RULE);
    assert!(mint.message.starts_with("This is the contract of the token wrapped SOL on Solana."), "{}", mint.message);
}

#[test]
fn every_place_that_is_known_is_spelled_right() {
    let all: Vec<_> = known_addresses::TOKEN_CONTRACTS.iter().chain(known_addresses::SPECIAL_ADDRESSES).collect();
    for (description, address) in &all {
        let kind =
            recognise_address_kind(address).unwrap_or_else(|| panic!("{description} {address} looks like no address"));
        if kind.name == "an EVM" {
            // Unlike one of all digits or one case, each has a checksum that a wrong letter would break.
            assert_eq!(evm::with_checksum(address), *address, "{description}");
        }
    }
    let mut addresses: Vec<_> = all.iter().map(|(_, address)| address.to_lowercase()).collect();
    addresses.sort_unstable();
    addresses.dedup();
    assert_eq!(addresses.len(), all.len());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_said_of_addresses_that_keys_have(bytes in any::<[u8; 20]>(), key in any::<[u8; 32]>()) {
        for to in [evm::with_checksum(&hex::encode(bytes)), bs58::encode(key).into_string(), SUPPLIER.to_owned()] {
            prop_assert_eq!(Payment::to(&to).messages_of(RULE), []);
        }
    }

    #[test]
    fn all_low_addresses_are_stopped(number in any::<u64>()) {
        prop_assert_eq!(Payment::to(&format!("0x{number:0>40x}")).max_severity(RULE), Some(Severity::Stop));
    }
}
