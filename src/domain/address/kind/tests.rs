use proptest::prelude::*;
use rstest::rstest;

use super::*;

#[rstest]
#[case("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "an EVM", "0x", true)]
#[case("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "a Solana", "", false)]
#[case("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "a Tron", "T", false)]
// The first block's, an address of BIP 173, of BIP 350, and a test network's.
#[case("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "a Bitcoin", "1", false)]
#[case("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "a Bitcoin", "bc1q", true)]
#[case("BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "a Bitcoin", "BC1Q", true)]
#[case("bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", "a Bitcoin", "bc1p", true)]
#[case("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "a Bitcoin test network", "tb1q", true)]
#[case("cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6", "a Cosmos", "cosmos1", true)]
#[case("rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh", "an XRP", "r", false)]
#[case("GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ", "a Stellar", "G", false)]
#[case("EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N", "a TON", "EQ", false)]
#[case("UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI", "a TON", "UQ", false)]
#[case("kf_8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15-KsQHFLbKSMiYIny", "a TON", "kf", false)]
#[case("X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ", "an XRP", "X", false)]
#[case("juno196ax4vc0lwpxndu9dyhvca7jhxp70rmcl99tyh", "a Juno", "juno1", true)]
#[case("0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8", "a raw TON", "0:", true)]
fn kinds_are_told_apart_by_their_look(
    #[case] text: &str,
    #[case] name: &str,
    #[case] fixed: &str,
    #[case] folds_case: bool,
) {
    let kind = recognise_address_kind(text).unwrap_or_else(|| panic!("{text} is not recognised"));
    assert_eq!(
        (kind.name, &text[..kind.fixed_prefix_len], kind.is_case_insensitive, kind.carries_tag),
        (name, fixed, folds_case, false)
    );
    // Whatever is named here with a family is an address of that family, and of no other that is checked.
    let family = kind.family.unwrap();
    assert_eq!(Address::parse(family, text).map(|address| address.family()), Ok(family));
}

#[test]
fn what_looks_like_none_is_not_named() {
    for text in [
        "",
        "alice.near",
        "treasury",
        // A wrong letter in a checksum, mixed case in bech32, one digit too many.
        "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u",
        "bc1Qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0",
        "0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "xx1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    ] {
        assert_eq!(recognise_address_kind(text), None, "{text}");
    }
}

#[test]
fn one_place_is_the_same_however_it_is_written() {
    let evm = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    assert!(is_same_address(evm, &evm.to_lowercase()) && is_same_address(evm, evm));
    assert!(!is_same_address(evm, &evm.replace("Aed", "Aee")));
    let base58 = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
    assert!(!is_same_address(base58, &base58.replace('E', "e")));
    // One account of TON and one of XRP in several writings; one tag leads elsewhere.
    let ton = ["EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N", "UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI"];
    let raw = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";
    assert!(
        is_same_address(ton[0], ton[1])
            && is_same_address(ton[1], raw)
            && is_same_address(raw, ton[0])
            && is_same_address(&raw.to_uppercase(), raw)
    );
    let (classic, x) = ("rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf", "XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb");
    assert!(is_same_address(classic, x) && is_same_address(x, classic));
    assert!(!is_same_address(classic, "XVLhHMPHU98es4dbozjVtdWzVrDjtV8AqEL4xcZj5whKbmc"));
    // Of what is not known, nothing is assumed.
    assert!(!is_same_address("alice.near", "Alice.near"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_shape_leaves_nothing_out(text in prop_oneof![any::<String>(), "0x[0-9a-fA-F]{40}", "[1-9A-HJ-NP-Za-km-z]{26,44}"]) {
        let shape = ComparableAddress::parse(&text);
        let written = shape.as_written();
        prop_assert!(written.text().ends_with(written.distinctive_part()) && written.text().eq_ignore_ascii_case(&text));
        prop_assert!(shape.canonical().text().ends_with(shape.canonical().distinctive_part()));
    }
}
