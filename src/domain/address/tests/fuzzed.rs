//! Addresses of any text: one family takes it, and what it takes is one place however it is written down again.

use super::super::{
    Address, AddressAssurance, Family, is_same_address, recognise_address_kind, shorten_address, split_into_groups,
};
use crate::fuzzing::{choice, target, text};

const FAMILIES: [Family; 4] = [Family::Evm, Family::Solana, Family::Tron, Family::Bitcoin];

#[test]
fn an_address_is_taken_by_one_family_and_stays_what_it_is() {
    let seeds: [&[u8]; 12] = [
        b"\x000x52908400098527886E0F7030069857D2E4169EE7",
        b"\x050x8617E340B3D01FA5F11F306F4090FD50E238070D",
        b"\x030xde709f2102306220921060314715629080e2fb77",
        b"\x090XDE709F2102306220921060314715629080E2FB77",
        b"\x0711111111111111111111111111111111",
        b"\x01TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
        b"\x04TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
        b"\x021A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
        b"\x083J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
        b"\x10bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        b"\x11BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
        b"\x06bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
    ];
    target(&seeds, |input| {
        let (place, rest) = choice(input, 256);
        let written = text(rest);
        assert_eq!(split_into_groups(written).concat(), written);
        assert!(shorten_address(written).chars().count() <= 12, "{written}");
        let addresses: Vec<Address> =
            FAMILIES.iter().filter_map(|family| Address::parse(*family, written).ok()).collect();
        assert!(addresses.len() <= 1, "{written} is taken for {addresses:?}");
        let Some(address) = addresses.first() else { return };
        assert!(written.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{written}");
        assert_eq!(address.as_str(), written);
        let canonical = address.canonical();
        assert_eq!(Address::parse(address.family(), &canonical).as_ref(), Ok(address));
        assert_eq!(Address::parse(address.family(), &canonical).unwrap().canonical(), canonical);
        assert!(is_same_address(written, &canonical), "{written} and {canonical}");
        assert!(recognise_address_kind(written).is_some(), "{written} is valid and of no kind");
        assert_altered_is_rejected(address, place);
    });
}

/// One character is another one: it is no address then, or that of another place.
fn assert_altered_is_rejected(address: &Address, place: usize) {
    let written = address.as_str();
    let at = place % written.len();
    for other in ["1", "2", "q", "Q", "z", "A"] {
        let mut altered = written.to_owned();
        altered.replace_range(at..=at, other);
        let altered_address = Address::parse(address.family(), &altered);
        let is_lost = match address.family() {
            Family::Tron | Family::Bitcoin | Family::Xrp | Family::Stellar | Family::Cosmos(_) => {
                altered_address.is_err()
            }
            // Digits of an EVM address have no checksum of their own, nor has one of the two forms of TON, and nothing of
            // Solana's has: another one is another place.
            Family::Evm | Family::Ton => {
                altered_address.as_ref() != Ok(address) || altered.eq_ignore_ascii_case(written)
            }
            Family::Solana => altered_address.as_ref() != Ok(address),
        };
        assert!(altered == written || is_lost, "{written} and {altered} are one place");
    }
    if address.family() != Family::Evm && address.assurance() == AddressAssurance::FormOnly {
        assert!(matches!(address.family(), Family::Solana | Family::Ton));
    }
}
