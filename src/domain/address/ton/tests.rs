use proptest::prelude::*;

use super::*;
use crate::domain::Address;

fn check(text: &str) -> Result<Address, AddressError> {
    Address::parse(Family::Ton, text)
}

/// One account in every writing, as TON's documents show it.
const RAW_ADDRESS: &str = "0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e";
const NOTATIONS: [(&str, Option<Network>); 4] = [
    ("EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF", None),
    ("UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA", None),
    ("kQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPgpP", Some(Network::Testnet)),
    ("0QDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPleK", Some(Network::Testnet)),
];
/// The test giver of the documents, in the workchain of validators and in both alphabets.
const TEST_GIVER: [&str; 3] = [
    "-1:fcb91a3a3816d0f7b8c2c76108b8a9bc5a6b7a55bd79f8ab101c52db29232260",
    "kf/8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15+KsQHFLbKSMiYIny",
    "kf_8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15-KsQHFLbKSMiYIny",
];

#[test]
fn all_writings_of_an_account_are_one_address() {
    let raw = check(RAW_ADDRESS).unwrap();
    assert_eq!((raw.assurance(), raw.mainnet_or_testnet()), (AddressAssurance::FormOnly, None));
    for (text, network) in NOTATIONS {
        let address = check(text).unwrap();
        assert_eq!((address.assurance(), address.mainnet_or_testnet()), (AddressAssurance::Checksum, network));
        assert_eq!(address, raw);
        assert_eq!(address.canonical(), NOTATIONS[0].0);
    }
    let [raw, standard, url] = TEST_GIVER.map(|text| check(text).unwrap());
    assert!(raw == standard && standard == url && standard.mainnet_or_testnet() == Some(Network::Testnet));
    assert_eq!(raw.canonical(), "Ef_8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15-KsQHFLbKSMiYDJ4");
    assert_ne!(raw, check(RAW_ADDRESS).unwrap());
    assert_eq!(check(&RAW_ADDRESS.to_uppercase()).unwrap(), check(RAW_ADDRESS).unwrap());
    let account = hex::decode(&RAW_ADDRESS[2..]).unwrap().try_into().unwrap();
    assert_eq!(encode_address(account), NOTATIONS[0].0);
}

#[test]
fn what_is_no_address_of_ton_is_told_apart() {
    let family = Family::Ton;
    let [right, ..] = NOTATIONS;
    assert_eq!(check(&right.0.replace("HF", "HG")), Err(AddressError::ChecksumMismatch));
    assert_eq!(check(&right.0[..47]), Err(AddressError::Length { family, expected: "48 characters", actual: 47 }));
    assert_eq!(
        check(&right.0.replace("ff-W", "ff.W")),
        Err(AddressError::Character { position: 37, character: '.', family })
    );
    // The two alphabets are not mixed.
    assert_eq!(check("kf/8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15-KsQHFLbKSMiYIny"), Err(AddressError::ChecksumMismatch));
    assert_eq!(
        check(&RAW_ADDRESS.replace("0:", "1:")).unwrap_err().to_string(),
        "a TON address starts with 0: or -1: in raw form"
    );
    assert_eq!(
        check(&RAW_ADDRESS[..65]).unwrap_err().to_string(),
        "a TON address has 64 digits in raw form, this one has 63"
    );
    assert_eq!(
        check(&RAW_ADDRESS.replace("ca6e", "cg6e")).unwrap_err().to_string(),
        "“g” at character 4 does not belong in a TON address"
    );
    // A right checksum under flags that nobody defines.
    assert_eq!(check(&encode_parts(0x31, 0, &[7; 32])), Err(AddressError::NonexistentKind { family }));
    assert_eq!(check(&encode_parts(BOUNCEABLE, 3, &[7; 32])), Err(AddressError::NonexistentKind { family }));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn flags_never_change_the_place(account in any::<[u8; 32]>(), validators in any::<bool>()) {
        let workchain = if validators { -1 } else { 0 };
        let raw = check(&format!("{workchain}:{}", hex::encode(account))).unwrap();
        for flags in [BOUNCEABLE, NOT_BOUNCEABLE, BOUNCEABLE | TEST_ONLY, NOT_BOUNCEABLE | TEST_ONLY] {
            let address = check(&encode_parts(flags, workchain, &account)).unwrap();
            prop_assert_eq!(&address, &raw);
            prop_assert_eq!(address.mainnet_or_testnet().is_some(), flags & TEST_ONLY != 0);
        }
    }

    #[test]
    fn one_changed_character_is_noticed(account in any::<[u8; 32]>(), place in 0..48_usize, other in 0..64_usize) {
        let right = encode_address(account);
        let mut changed = right.clone().into_bytes();
        changed[place] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[other];
        let changed = String::from_utf8(changed).unwrap();
        prop_assert_eq!(check(&changed).is_ok(), changed == right);
    }
}
