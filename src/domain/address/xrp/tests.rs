use super::*;
use crate::domain::Address;

fn check(text: &str) -> Result<Address, AddressError> {
    Address::parse(Family::Xrp, text)
}

/// Test cases of XLS-5d, as `ripple-address-codec` carries them: classic address, tag, and the X-address of the main and
/// of the test network.
const XLS_5D: [(&str, Option<u32>, &str, &str); 12] = [
    (
        "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59",
        None,
        "X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ",
        "T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ",
    ),
    (
        "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59",
        Some(11_747),
        "X7AcgcsBL6XDcUb289X4mJ8djcdyKaLFuhLRuNXPrDeJd9A",
        "T719a5UwUCnEs54UsxG9CJYYDhwmFCziiNHtUukubF2Mg6t",
    ),
    (
        "rLczgQHxPhWtjkaQqn3Q6UM8AbRbbRvs5K",
        None,
        "XVZVpQj8YSVpNyiwXYSqvQoQqgBttTxAZwMcuJd4xteQHyt",
        "TVVrSWtmQQssgVcmoMBcFQZKKf56QscyWLKnUyiuZW8ALU4",
    ),
    (
        "rpZc4mVfWUif9CRoHRKKcmhu1nx2xktxBo",
        Some(58),
        "X7YenJqxv3L66CwhBSfd3N8RzGXxYqV56ZkTCa9UCzgaao1",
        "T77wVQzA8ntj9wvCTNiQpNYLT5hmhR9kej6uxm4jGcQD7rZ",
    ),
    (
        "rsA2LpzuawewSBQXkiju3YQTMzW13pAAdW",
        Some(23_480),
        "X7d3eHCXzwBeWrZec1yT24iZerQjYL8m8zCJ16ACxu1BrBY",
        "T7YChPFWifjCAXLEtg5N74c7fSAYsvSokwcmBPBUZWhxH5P",
    ),
    (
        "rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf",
        None,
        "XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb",
        "TVE26TYGhfLC7tQDno7G8dGtxSkYQn49b3qD26PK7FcGSKE",
    ),
    (
        "rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf",
        Some(0),
        "XVLhHMPHU98es4dbozjVtdWzVrDjtV8AqEL4xcZj5whKbmc",
        "TVE26TYGhfLC7tQDno7G8dGtxSkYQnSy8RHqGHoGJ59spi2",
    ),
    (
        "rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf",
        Some(276),
        "XVLhHMPHU98es4dbozjVtdWzVrDjtVoKj3MnFGMXEFMnvJV",
        "TVE26TYGhfLC7tQDno7G8dGtxSkYQnTMgJJYfAbsiPsc6Zg",
    ),
    (
        "rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf",
        Some(4_294_967_294),
        "XVLhHMPHU98es4dbozjVtdWzVrDjtV1kAsixQTdMjbWi39u",
        "TVE26TYGhfLC7tQDno7G8dGtxSkYQnX8tDFQ53itLNqs6vU",
    ),
    (
        "rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf",
        Some(4_294_967_295),
        "XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8yuPT7y4xaEHi",
        "TVE26TYGhfLC7tQDno7G8dGtxSkYQnXoy6kSDh6rZzApc69",
    ),
    (
        "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY",
        None,
        "XV5sbjUmgPpvXv4ixFWZ5ptAYZ6PD2gYsjNFQLKYW33DzBm",
        "TVd2rqMkYL2AyS97NdELcpeiprNBjwLZzuUG5rZnaewsahi",
    ),
    (
        "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY",
        Some(13_371_337),
        "XV5sbjUmgPpvXv4ixFWZ5ptAYZ6PD2qwGkhgc48zzcx6Gkr",
        "TVd2rqMkYL2AyS97NdELcpeiprNBjwVUDvp3vhpXbNhLwJi",
    ),
];

#[test]
fn the_cases_of_xls_5d_say_account_network_and_tag() {
    for (classic, tag, main, test) in XLS_5D {
        let account = parse_xrp_address(classic).unwrap().account;
        assert_eq!(parse_xrp_address(classic), Some(XrpAddressParts { account, network: None, tag: None }));
        for (text, network) in [(main, Network::Mainnet), (test, Network::Testnet)] {
            assert_eq!(
                parse_xrp_address(text),
                Some(XrpAddressParts { account, network: Some(network), tag }),
                "{text}"
            );
            let address = check(text).unwrap();
            assert_eq!(
                (address.assurance(), address.mainnet_or_testnet()),
                (AddressAssurance::Checksum, Some(network))
            );
            // Without a tag it is the classic one, written otherwise; with one it is another place.
            assert_eq!(address == check(classic).unwrap(), tag.is_none(), "{text}");
            assert_eq!(address.canonical(), if tag.is_none() { classic } else { text });
        }
        assert_eq!(encode_address(account), classic);
    }
}

/// Special addresses that the documents of the XRP Ledger list, and its first account.
#[test]
fn classic_addresses_are_right() {
    for text in [
        "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh",
        "rrrrrrrrrrrrrrrrrrrrrhoLvTp",
        "rrrrrrrrrrrrrrrrrrrrBZbvji",
        "rrrrrrrrrrrrrrrrrNAMEtxvNvQ",
        "rrrrrrrrrrrrrrrrrrrn5RM1rHd",
    ] {
        let address = check(text).unwrap();
        assert_eq!((address.canonical().as_str(), address.mainnet_or_testnet()), (text, None));
    }
}

#[test]
fn what_is_no_address_of_xrp_is_told_apart() {
    let family = Family::Xrp;
    // A tag of 64 bits, which is reserved, and a wrong last letter: both from the tests of `ripple-address-codec`.
    assert_eq!(check("XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8zeUygYrCgrPh"), Err(AddressError::NonexistentKind { family }));
    assert_eq!(
        check("XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8yuPT7y4xaEHI"),
        Err(AddressError::Character { position: 47, character: 'I', family })
    );
    assert_eq!(check("rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTi"), Err(AddressError::ChecksumMismatch));
    assert_eq!(
        check("rHb9CJAWyB4rj9").unwrap_err().to_string(),
        "an XRP address has 25 to 35 characters, this one has 14"
    );
    assert_eq!(
        check("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa").unwrap_err().to_string(),
        "an XRP address starts with r (or X, or T on its test network)"
    );
    // A Tron address starts with T, too.
    assert!(check("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t").is_err());
}
