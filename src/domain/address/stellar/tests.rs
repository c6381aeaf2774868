use super::*;
use crate::domain::Address;
use crate::domain::address::recognise_address_kind;

fn check(text: &str) -> Result<Address, AddressError> {
    Address::parse(Family::Stellar, text)
}

/// Valid test cases 1 to 3 of SEP-23.
const ACCOUNT: &str = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
const MUXED: [&str; 2] = [
    "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ",
    "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK",
];

/// Its other valid test cases: what is no account.
const NON_ACCOUNT_KEYS: [(&str, &str); 5] = [
    (
        "PA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAQACAQDAQCQMBYIBEFAWDANBYHRAEISCMKBKFQXDAMRUGY4DUPB6IBZGM",
        "a Stellar payload signer",
    ),
    (
        "PA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAOQCAQDAQCQMBYIBEFAWDANBYHRAEISCMKBKFQXDAMRUGY4DUAAAAFGBU",
        "a Stellar payload signer",
    ),
    ("CA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUWDA", "a Stellar contract"),
    ("LA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUPJN", "a Stellar liquidity pool"),
    ("BAAD6DBUX6J22DMZOHIEZTEQ64CVCHEDRKWZONFEUL5Q26QD7R76RGR4TU", "a Stellar claimable balance"),
];

/// Its invalid test cases of accounts.
const INVALID: [&str; 10] = [
    "GAAAAAAAACGC6",
    "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUR",
    "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZA",
    "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUACUSI",
    "G47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVP2I",
    "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLKA",
    "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAAV75I",
    "M47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ",
    "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUK===",
    "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUO",
];

#[test]
fn the_accounts_of_sep_23_are_right() {
    let address = check(ACCOUNT).unwrap();
    assert_eq!((address.assurance(), address.canonical().as_str()), (AddressAssurance::Checksum, ACCOUNT));
    assert!(!recognise_address_kind(ACCOUNT).unwrap().carries_tag);
    let key = "3f0c34bf93ad0d9971d04ccc90f705511c838aad9734a4a2fb0d7a03fc7fe89a";
    assert_eq!(encode_address(hex::decode(key).unwrap().try_into().unwrap()), ACCOUNT);
    for text in MUXED {
        assert!(recognise_address_kind(text).unwrap().carries_tag);
        // It leads to another place than the account alone.
        assert_ne!(check(text).unwrap(), address);
    }
}

#[test]
fn what_sep_23_calls_invalid_is_refused() {
    for text in INVALID {
        assert!(check(text).is_err(), "{text}");
    }
    assert_eq!(check(&ACCOUNT.to_lowercase()).unwrap_err().to_string(), "a Stellar address starts with G (or M)");
    assert_eq!(check(&ACCOUNT.replace("SGZ", "SGX")), Err(AddressError::ChecksumMismatch));
    assert_eq!(
        check(&ACCOUNT.replace("GA7Q", "GA1Q")).unwrap_err().to_string(),
        "“1” at character 3 does not belong in a Stellar address"
    );
}

#[test]
fn what_is_no_account_is_named() {
    for (text, description) in NON_ACCOUNT_KEYS {
        assert_eq!(check(text), Err(AddressError::NotAnAccount { kind: description }));
    }
}
