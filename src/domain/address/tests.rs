use std::collections::HashSet;

use proptest::prelude::*;

use sha2::{Digest, Sha256};

use super::{
    Address, AddressAssurance, AddressError, Family, Network, bitcoin, evm, format_grouped, parse_grouped,
    shorten_address, solana, split_into_groups, tron,
};

mod fuzzed;

fn evm_address(text: &str) -> Result<Address, AddressError> {
    Address::parse(Family::Evm, text)
}

fn address_error_text(family: Family, text: &str) -> String {
    Address::parse(family, text).unwrap_err().to_string()
}

/// The test cases of <https://eips.ethereum.org/EIPS/eip-55>.
const EIP_55: [&str; 8] = [
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
    "0xde709f2102306220921060314715629080e2fb77",
    "0x27b1fdb04752bbc536007a920d24acb045561c26",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

#[test]
fn the_cases_of_eip_55_are_right_as_written() {
    for (index, text) in EIP_55.iter().enumerate() {
        let address = evm_address(text).unwrap();
        assert_eq!(address.canonical(), *text);
        // The first four happen to be of one case, which by itself shows no checksum.
        assert_eq!(
            address.assurance(),
            if index < 4 { AddressAssurance::FormOnly } else { AddressAssurance::Checksum }
        );
    }
}

#[test]
fn a_changed_character_is_noticed_by_the_checksum() {
    let altered = "the checksum does not match: a character was changed, left out or added; copy the address again";
    for wrong in ["0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee"] {
        assert_eq!(address_error_text(Family::Evm, wrong), altered);
    }
}

#[test]
fn what_is_no_evm_address_is_told_apart() {
    let foreign = |position, code| Err(AddressError::InvalidCharacter { position, code });
    assert_eq!(evm_address(""), Err(AddressError::Empty));
    assert_eq!(evm_address(" 0x52908400098527886E0F7030069857D2E4169EE7"), foreign(1, 0x20));
    assert_eq!(evm_address("0x52908400098527886E0F7030069857D2E4169EE7\n"), foreign(43, 0x0a));
    assert_eq!(evm_address("0x5290840009\u{200b}8527886E0F7030069857D2E4169EE7"), foreign(13, 0x200b));
    assert_eq!(evm_address("0xdе709f2102306220921060314715629080e2fb77"), foreign(4, 0x435));
    assert_eq!(
        address_error_text(Family::Evm, "0xdе709f2102306220921060314715629080e2fb77"),
        "character 4 is U+0435, which no address contains; copy the address again from its source"
    );
    assert_eq!(
        address_error_text(Family::Evm, "0Xde709f2102306220921060314715629080e2fb77"),
        "an EVM address starts with 0x"
    );
    assert_eq!(
        address_error_text(Family::Evm, "de709f2102306220921060314715629080e2fb77"),
        "an EVM address starts with 0x"
    );
    assert_eq!(
        address_error_text(Family::Evm, "0xde709f210230622O921060314715629080e2fb77"),
        "“O” at character 18 does not belong in an EVM address"
    );
    assert_eq!(
        address_error_text(Family::Evm, "0xde709f2102306220921060314715629080e2fb7"),
        "an EVM address has 40 digits after 0x, this one has 39"
    );
    assert!(evm_address("0xde709f2102306220921060314715629080e2fb777").is_err());
    assert!(evm_address("0x").is_err());
}

#[test]
fn one_place_is_one_address_however_it_is_cased() {
    let mixed = evm_address(EIP_55[4]).unwrap();
    let lower = evm_address(&EIP_55[4].to_lowercase()).unwrap();
    assert_eq!(mixed, lower);
    assert_eq!(HashSet::from([mixed, lower]).len(), 1);
    let solana = |text| Address::parse(Family::Solana, text).unwrap();
    assert_ne!(
        solana("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"),
        solana("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5Da")
    );
}

/// Programs and mints whose addresses Solana's own documentation prints.
#[test]
fn well_known_addresses_of_solana_are_right() {
    for text in [
        "11111111111111111111111111111111",
        "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
        "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
        "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
        "So11111111111111111111111111111111111111112",
        "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
        "Stake11111111111111111111111111111111111111",
        "SysvarC1ock11111111111111111111111111111111",
    ] {
        let address = Address::parse(Family::Solana, text).unwrap();
        assert_eq!((address.assurance(), address.canonical()), (AddressAssurance::FormOnly, text.to_owned()));
    }
}

#[test]
fn keys_lie_on_the_curve() {
    // The public keys of the examples of RFC 8032.
    for key in [
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
    ] {
        assert!(solana::is_on_curve(&bs58::encode(hex::decode(key).unwrap()).into_string()), "{key}");
    }
    for _ in 0..16 {
        let key = rcgen::KeyPair::generate_for(&rcgen::PKCS_ED25519).unwrap();
        assert!(solana::is_on_curve(&bs58::encode(rcgen::PublicKeyData::der_bytes(&key)).into_string()));
    }
}

/// Addresses that Solana's own tests derive from a programme and seeds; no key can belong to one.
#[test]
fn addresses_that_programs_make_lie_beside_the_curve() {
    let program = bs58::decode("BPFLoader1111111111111111111111111111111111").into_vec().unwrap();
    for (seeds, address) in [
        ([b"".as_slice(), &[1]], "3gF2KMe9KiC6FNVBmfg9i267aMPvK37FewCip4eGBFcT"),
        (["☉".as_bytes(), &[]], "7ytmC1nT1xY4RfxCV2ZgyA7UakC93do5ZdyhdF3EtPj7"),
        ([b"Talking".as_slice(), b"Squirrels"], "HwRVBufQ4haG5XSgpspwKtNd3PC9GM9m1196uJW36vds"),
    ] {
        let derived = Sha256::digest([seeds.concat(), program.clone(), b"ProgramDerivedAddress".to_vec()].concat());
        assert_eq!(bs58::encode(derived).into_string(), address);
        assert!(!solana::is_on_curve(address), "{address}");
    }
    assert!(!solana::is_on_curve("") && !solana::is_on_curve("0x") && !solana::is_on_curve("11"));
}

/// Of all numbers about half are the y of a point.
#[test]
fn about_half_of_all_numbers_lie_on_the_curve() {
    let on_curve = (0_u32..400).filter(|nth| {
        let bytes = Sha256::digest(nth.to_be_bytes());
        solana::is_on_curve(&bs58::encode(bytes).into_string())
    });
    assert!((150..250).contains(&on_curve.count()));
}

#[test]
fn what_is_no_solana_address_is_told_apart() {
    assert_eq!(address_error_text(Family::Solana, &"1".repeat(31)), "a Solana address has 32 bytes, this one has 31");
    assert_eq!(address_error_text(Family::Solana, &"1".repeat(33)), "a Solana address has 32 bytes, this one has 33");
    assert_eq!(address_error_text(Family::Solana, &"z".repeat(44)), "a Solana address has 32 bytes, this one has 33");
    assert_eq!(
        address_error_text(Family::Solana, &"z".repeat(45)),
        "a Solana address has 32 to 44 characters, this one has 45"
    );
    assert_eq!(
        address_error_text(Family::Solana, "0x52908400098527886E0F7030069857D2E4169EE7"),
        "“0” at character 1 does not belong in a Solana address"
    );
    assert_eq!(
        address_error_text(Family::Solana, "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5Dl"),
        "“l” at character 43 does not belong in a Solana address"
    );
    assert_eq!(
        address_error_text(Family::Solana, "Tokenkeg\u{202e}"),
        "character 9 is U+202E, which no address contains; copy the address again from its source"
    );
}

#[test]
fn a_shortened_address_shows_both_ends() {
    assert_eq!(shorten_address("0x52908400098527886E0F7030069857D2E4169EE7"), "0x5290…9EE7");
    assert_eq!(shorten_address("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"), "Toke…Q5DA");
    assert_eq!(shorten_address("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"), "tb1qw5…jzsx");
    assert_eq!(shorten_address("EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N"), "EQCD39…qB2N");
    assert_eq!(shorten_address("cosmos196ax4vc0lwpxndu9dyhvca7jhxp70rmcfhxsrt"), "…96ax…xsrt");
    assert_eq!(shorten_address("0x529084000"), "0x529084000");
    assert_eq!(shorten_address("ab12"), "ab12");
    assert_eq!(shorten_address("日日日日日日日日日日日日"), "日日日日…日日日日");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_checksum_agrees_with_that_of_alloy(bytes in any::<[u8; 20]>()) {
        let right = alloy_primitives::Address::from(bytes).to_checksum(None);
        prop_assert_eq!(&evm::with_checksum(&right.to_lowercase()), &right);
        let parsed = evm_address(&right).unwrap();
        prop_assert_eq!(parsed.canonical(), right);
    }

    #[test]
    fn any_casing_is_judged_as_alloy_judges_it(bytes in any::<[u8; 20]>(), upper in any::<[bool; 40]>()) {
        let lower = hex::encode(bytes);
        let cased: String = lower.chars().zip(upper).map(|(c, up)| if up { c.to_ascii_uppercase() } else { c }).collect();
        let text = format!("0x{cased}");
        let one_case = !(cased.contains(|c: char| c.is_ascii_lowercase()) && cased.contains(|c: char| c.is_ascii_uppercase()));
        let alloy_accepts = alloy_primitives::Address::parse_checksummed(&text, None).is_ok();
        prop_assert_eq!(evm_address(&text).is_ok(), alloy_accepts || one_case);
    }

    #[test]
    fn thirty_two_bytes_and_no_others_are_a_solana_address(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let text = bs58::encode(&bytes).into_string();
        prop_assert_eq!(Address::parse(Family::Solana, &text).is_ok(), bytes.len() == 32);
    }

    #[test]
    fn groups_are_the_whole_text(text in prop_oneof![any::<String>(), "0x[0-9a-fA-F]{40}"]) {
        prop_assert_eq!(split_into_groups(&text).concat(), text.clone());
        prop_assert!(split_into_groups(&text).iter().all(|group| (1..=4).contains(&group.chars().count())));
    }

    #[test]
    fn no_text_makes_a_check_panic(text in any::<String>()) {
        let first = [Family::Evm, Family::Solana, Family::Tron, Family::Bitcoin];
        let further = [Family::Xrp, Family::Stellar, Family::Ton, Family::Cosmos("cosmos")];
        for family in first.into_iter().chain(further) {
            if let Ok(address) = Address::parse(family, &text) {
                prop_assert!(address.as_str().is_ascii());
                prop_assert_eq!(Address::parse(family, &address.canonical()).unwrap(), address);
            }
        }
        prop_assert!(shorten_address(&text).chars().count() <= 12);
    }
}

#[test]
fn groups_leave_nothing_out() {
    assert_eq!(
        format_grouped("0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"),
        "0x d8dA 6BF2 6964 aF9D 7eEd 9e03 E534 15D3 7aA9 6045"
    );
    assert_eq!(format_grouped("So111"), "So11 1");
    assert_eq!((format_grouped(""), format_grouped("0x")), (String::new(), "0x".to_owned()));
}

/// Addresses that Tron's documents print beside their bytes, and the contract of Tether.
const TRON: [(&str, &str); 3] = [
    ("TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL", "8840e6c55b9ada326d211d818c34a994aeced808"),
    ("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "a614f803b6fd780986a42c78ec9c7f77e6ded13c"),
    ("T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb", "0000000000000000000000000000000000000000"),
];

#[test]
fn addresses_of_tron_are_their_bytes_with_a_checksum() {
    for (text, bytes) in TRON {
        let address = Address::parse(Family::Tron, text).unwrap();
        assert_eq!((address.assurance(), address.canonical()), (AddressAssurance::Checksum, text.to_owned()));
        assert_eq!(tron::encode_address(hex::decode(bytes).unwrap().try_into().unwrap()), text);
    }
}

#[test]
fn what_is_no_address_of_tron_is_told_apart() {
    assert_eq!(
        address_error_text(Family::Tron, "0x52908400098527886E0F7030069857D2E4169EE7"),
        "a Tron address starts with T"
    );
    assert_eq!(
        address_error_text(Family::Tron, "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6"),
        "a Tron address has 34 characters, this one has 33"
    );
    assert_eq!(
        address_error_text(Family::Tron, "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj60"),
        "“0” at character 34 does not belong in a Tron address"
    );
    assert_eq!(Address::parse(Family::Tron, "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T"), Err(AddressError::ChecksumMismatch));
    assert_eq!(
        address_error_text(Family::Tron, "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjlj6t"),
        "“l” at character 31 does not belong in a Tron address"
    );
    assert!(
        AddressError::ChecksumMismatch.to_string().starts_with("the checksum does not match: a character was changed")
    );
}

/// The valid addresses of BIP-173 and BIP-350 on the two networks that are known here, and some in base58: that of the
/// first block, two of the developers' guide, one of the test network's, and the first of each kind among the reference
/// implementation's vectors (`base58_keys_valid.json`).
const BITCOIN: [(&str, Network); 16] = [
    ("BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", Network::Mainnet),
    ("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", Network::Testnet),
    ("tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7", Network::Testnet),
    ("bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y", Network::Mainnet),
    ("BC1SW50QGDZ25J", Network::Mainnet),
    ("bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs", Network::Mainnet),
    ("tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy", Network::Testnet),
    ("tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c", Network::Testnet),
    ("bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", Network::Mainnet),
    ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", Network::Mainnet),
    ("3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", Network::Mainnet),
    ("2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc", Network::Testnet),
    ("1AGNa15ZQXAZUgFiqJ2i7Z2DPU2J6hW62i", Network::Mainnet),
    ("3CMNFxN1oHBc4R1EpboAL5yzHGgE611Xou", Network::Mainnet),
    ("mo9ncXisMeAoXwqcV5EWuyncbmCcQN4rVs", Network::Testnet),
    ("2N2JD6wb56AfK4tfmM6PwdVmoYk2dCKf4Br", Network::Testnet),
];

#[test]
fn addresses_of_bitcoin_are_right_and_name_their_network() {
    for (text, network) in BITCOIN {
        let address = Address::parse(Family::Bitcoin, text).unwrap();
        assert_eq!((address.assurance(), bitcoin::network(text)), (AddressAssurance::Checksum, network), "{text}");
        if bitcoin::is_bech32(text) {
            let (upper, lower) = (text.to_uppercase(), text.to_lowercase());
            assert_eq!(
                Address::parse(Family::Bitcoin, &upper).unwrap(),
                Address::parse(Family::Bitcoin, &lower).unwrap()
            );
            assert_eq!(address.canonical(), lower);
        } else {
            assert_eq!(address.canonical(), text);
            assert!(Address::parse(Family::Bitcoin, &text.to_lowercase()).is_err());
        }
    }
    let program = hex::decode("751e76e8199196d454941c45d1b3a323f1433bd6").unwrap().try_into().unwrap();
    assert_eq!(bitcoin::encode_address(program, Network::Mainnet), BITCOIN[0].0.to_lowercase());
    assert_eq!(bitcoin::encode_address(program, Network::Testnet), BITCOIN[1].0);
}

/// The invalid addresses of BIP-350, with what is said of them here.
#[test]
fn what_bip_350_calls_invalid_is_told_apart() {
    let family = Family::Bitcoin;
    for text in [
        // Bech32 in place of bech32m, and the other way round.
        "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd",
        "tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf",
        "BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL",
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh",
        "tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47",
        // A version above 16; programs of wrong length.
        "BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R",
        "bc1pw5dgrnzv",
        "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav",
        "BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P",
        // Padding that is too long, or not of zeros; no data at all.
        "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf",
        "tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j",
        "bc1gmk9yu",
    ] {
        assert_eq!(Address::parse(family, text), Err(AddressError::NonexistentKind { family }), "{text}");
    }
    let prefix = "a Bitcoin address starts with bc1, 1 or 3 (tb1, m, n or 2 on its test network)";
    assert_eq!(address_error_text(family, "tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut"), prefix);
    assert_eq!(
        address_error_text(family, "bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4"),
        "“o” at character 60 does not belong in a Bitcoin address"
    );
    assert_eq!(
        Address::parse(family, "tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq"),
        Err(AddressError::MixedCase { family })
    );
    let altered = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5";
    assert_eq!(Address::parse(family, altered), Err(AddressError::ChecksumMismatch));
    assert_eq!(Address::parse(family, "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb"), Err(AddressError::ChecksumMismatch));
    assert_eq!(address_error_text(family, "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"), prefix);
    assert_eq!(
        address_error_text(family, &"1".repeat(36)),
        "a Bitcoin address has 26 to 35 characters, this one has 36"
    );
    assert!(
        address_error_text(family, &format!("bc1q{}", "q".repeat(90))).starts_with("a Bitcoin address has at most 90")
    );
}

/// The invalid addresses and strings of BIP-173, and the valid ones that BIP-350 took back.
#[test]
fn what_bip_173_calls_invalid_and_what_is_no_longer_valid_are_no_addresses() {
    let addresses = "tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5 bc1rw5uspcuh
        BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2 BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P bc1gmk9yu
        bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90
        tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7 bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du
        tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3pjxtptv";
    let strings =
        ["\u{20}1nwldj5", "\u{7f}1axkwrx", "\u{80}1eym55h", "de1lg7wt\u{ff}", "A1G7SGD8", "10a06t8", "1qzzfhee"];
    let more =
        "an84characterslonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1569pvx pzry9x0s0muk
        1pzry9x0s0muk x1b4n0q5v li1dgmt3";
    let taken_back = "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7k7grplx BC1SW50QA3JX3S
        bc1zw508d6qejxtdg4y5r3zarvaryvg6kdaj";
    let addresses_in_bip = [addresses, more, taken_back].into_iter().flat_map(str::split_whitespace);
    for text in addresses_in_bip.chain(strings) {
        assert!(Address::parse(Family::Bitcoin, text).is_err(), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn one_changed_character_is_noticed(bytes in any::<[u8; 20]>(), place in 1..34_usize, other in 0..58_usize) {
        let digits = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
        let data = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
        for (family, right, alphabet) in [
            (Family::Tron, tron::encode_address(bytes), digits.as_slice()),
            (Family::Bitcoin, bitcoin::encode_address(bytes, Network::Mainnet), data.as_slice()),
        ] {
            prop_assert!(Address::parse(family, &right).is_ok());
            let mut changed = right.clone().into_bytes();
            let place = place + if family == Family::Bitcoin { 3 } else { 0 };
            changed[place] = alphabet[other % alphabet.len()];
            let changed = String::from_utf8(changed).unwrap();
            prop_assert_eq!(Address::parse(family, &changed).is_ok(), changed == right);
        }
    }
}

/// What the console writes for the eye is pasted back as the address that it was, whatever parts its groups.
#[test]
fn an_address_in_groups_is_joined_again_where_it_is_whole_and_right() {
    for address in [
        "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
        "DYw8jCTfwHNRJhhmFcbXvVDTqWMEVFBX6ZKUmG5CNSKK",
        "EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF",
    ] {
        for blank in [" ", "\t", "\r\n", "  "] {
            let written = format!(" {}{blank}", split_into_groups(address).join(blank));
            assert_eq!(parse_grouped(&written).as_deref(), Some(address), "{written:?}");
        }
        assert_eq!(parse_grouped(&format_grouped(address)).as_deref(), Some(address));
        assert_eq!(parse_grouped(address), None, "it has no blank");
        // Another letter in it: then it is told, and nothing is made of it.
        let wrong =
            format_grouped(address).replacen(&address[10..11], if &address[10..11] == "4" { "5" } else { "4" }, 1);
        assert_eq!(parse_grouped(&wrong).filter(|joined| joined == address), None, "{wrong}");
    }
    for other in [
        "0x d8dA 6BF2 6964 aF9D 7eEd 9e03 E534 15D3 7aA9 6046",
        "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
        "0x\u{a0}d8dA 6BF2 6964 aF9D 7eEd 9e03 E534 15D3 7aA9 6045",
        "legal winner thank year wave sausage worth useful legal winner thank yellow",
        "Norrland Shipping",
        "  ",
    ] {
        assert_eq!(parse_grouped(other), None, "{other}");
    }
}
