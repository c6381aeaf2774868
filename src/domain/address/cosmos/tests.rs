use super::*;
use crate::domain::Address;
use crate::domain::address::{is_same_address, recognise_address_kind};

fn check(prefix: &'static str, text: &str) -> Result<Address, AddressError> {
    Address::parse(Family::Cosmos(prefix), text)
}

/// One account on two chains, as Juno's documents show it; one that `CosmJS` tests with.
const JUNO: &str = "juno196ax4vc0lwpxndu9dyhvca7jhxp70rmcl99tyh";
const COSMOS: &str = "cosmos196ax4vc0lwpxndu9dyhvca7jhxp70rmcfhxsrt";
const COSMJS: &str = "cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6";
/// The validator of that account, from the same page.
const VALIDATOR: &str = "junovaloper196ax4vc0lwpxndu9dyhvca7jhxp70rmcqcnylw";

#[test]
fn the_prefix_says_on_which_chain_an_account_is() {
    for (prefix, text) in [("juno", JUNO), ("cosmos", COSMOS), ("cosmos", COSMJS)] {
        let address = check(prefix, text).unwrap();
        assert_eq!((address.assurance(), address.canonical().as_str()), (AddressAssurance::Checksum, text));
        assert_eq!(check(prefix, &text.to_uppercase()).unwrap(), address);
    }
    assert!(!is_same_address(JUNO, COSMOS));
    assert_eq!(check("osmo", COSMOS).unwrap_err().to_string(), "an Osmosis address starts with osmo1");
    assert_eq!(recognise_address_kind(JUNO).unwrap().name, "a Juno");
    assert_eq!(recognise_address_kind(COSMOS).unwrap().family, Some(Family::Cosmos("cosmos")));
}

#[test]
fn what_is_no_account_of_cosmos_is_told_apart() {
    let family = Family::Cosmos("cosmos");
    // From the tests of `CosmJS`: a wrong checksum, a wrong size.
    assert_eq!(check("cosmos", "cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs7"), Err(AddressError::ChecksumMismatch));
    assert!(check("cosmos", "cosmos10q82zkzzmaku5lazhsvxv7hsg4ntpuhh8289f").is_err());
    let short = bech32::encode::<Bech32>(Hrp::parse("cosmos").unwrap(), &[7; 19]).unwrap();
    assert_eq!(check("cosmos", &short), Err(AddressError::NonexistentKind { family }));
    let of_a_contract = bech32::encode::<Bech32>(Hrp::parse("cosmos").unwrap(), &[7; 32]).unwrap();
    assert!(check("cosmos", &of_a_contract).is_ok());
    // Bech32m is not what these chains write.
    let later = bech32::encode::<bech32::Bech32m>(Hrp::parse("cosmos").unwrap(), &[7; 20]).unwrap();
    assert_eq!(check("cosmos", &later), Err(AddressError::ChecksumMismatch));
    assert_eq!(
        check("cosmos", &COSMOS.replace("96ax", "96bx")).unwrap_err().to_string(),
        "“b” at character 10 does not belong in a Cosmos address"
    );
    assert_eq!(check("cosmos", &COSMOS.replace("cosmos", "Cosmos")), Err(AddressError::MixedCase { family }));
    assert_eq!(check("juno", VALIDATOR), Err(AddressError::NotAnAccount { kind: "a validator" }));
}

#[test]
fn addresses_that_are_made_are_right() {
    for (prefix, ..) in CHAIN_PREFIXES {
        let text = encode_address(prefix, [7; 20]);
        assert!(Address::parse(Family::Cosmos(prefix), &text).is_ok(), "{text}");
    }
    let account = CheckedHrpstring::new::<Bech32>(JUNO).unwrap().byte_iter().collect::<Vec<_>>();
    assert_eq!(encode_address("cosmos", account.try_into().unwrap()), COSMOS);
}
