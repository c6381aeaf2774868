//! What is the same, and what is not.

use super::*;

#[test]
fn an_address_is_itself_however_a_service_writes_it_back() {
    for (requested, reported, expected) in [
        // What TON's documents show of one account: raw, for tests alone, and as a canonical form.
        (
            "0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e",
            "EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF",
            true,
        ),
        ("kQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPgpP", "EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF", true),
        ("BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", true),
        // Of an X-address with a tag the tag says whose it is.
        ("X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ", "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59", true),
        ("X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu", "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59", false),
        ("0xDE709F2102306220921060314715629080E2FB77", "0xde709f2102306220921060314715629080e2fb77", true),
        ("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "tR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", false),
    ] {
        assert_eq!(
            (is_same_address_or_hex(requested, reported), is_same_address_or_hex(reported, requested)),
            (expected, expected),
            "{requested} {reported}"
        );
    }
}

#[test]
fn two_networks_of_a_chain_are_two() {
    for (a, b, expected) in [
        ("ethereum", "Ethereum", true),
        ("eth", "ethereum-sepolia", true),
        ("ethereum-sepolia", "ethereum-mainnet", false),
        ("ethereum-sepolia", "Ethereum Sepolia", true),
        ("ethereum", "base", false),
        ("ethereum", "ethereum-classic", false),
        ("nowhere", "NOWHERE", true),
        ("nowhere", "elsewhere", false),
    ] {
        assert_eq!(
            (may_be_same_chain_and_network(a, b), may_be_same_chain_and_network(b, a)),
            (expected, expected),
            "{a} {b}"
        );
    }
}

mod lists {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::WalletId;
    use crate::domain::draft::batch::Recipient;
    use crate::domain::draft::{Batch, Metadata, Sender};

    fn address(number: u8) -> Text {
        Text::clean(&format!("0x{:040x}", u32::from(number) + 1))
    }

    fn batch(pays: &[(u8, u16)]) -> Draft {
        let to = |(number, cents): &(u8, u16)| Recipient {
            address: address(*number),
            amount: Text::clean(&format!("{}.{:02}", cents / 100, cents % 100)),
            label: None,
            reference: None,
            line: None,
        };
        Draft::Batch(Batch {
            wallet: WalletId::from_text("w"),
            blockchain: "ethereum".into(),
            token: "USDC".into(),
            to: pays.iter().map(to).collect(),
            ref_id: None,
            note: None,
            file: None,
            metadata: Metadata::default(),
            queue: None,
        })
    }

    fn list(pays: &[(u8, u16)]) -> ReportedPayment {
        let entry = |(number, cents): &(u8, u16)| ReportedRecipient {
            to: Some(address(*number)),
            amount: Amount::new(ruint::aliases::U256::from(*cents), 2)
                .map(|amount| AmountOrText::Reported(ReportedAmount::Exact(amount))),
        };
        ReportedPayment {
            list: Some(ReportedRecipientList::Recipients(pays.iter().map(entry).collect())),
            ..ReportedPayment::default()
        }
    }

    fn differences(draft: &Draft, reported: &ReportedPayment) -> Vec<Text> {
        let sender: Option<&Sender> = None;
        ExpectedReport { draft, key: None, sender, usual_fee: None }.differences(reported, "the answer")
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// The same recipients in any order are what was asked for; any other list is not.
        #[test]
        fn a_list_is_as_asked_only_where_it_is_the_same_recipients(
            pays in prop::collection::vec((0_u8..6, 1_u16..9), 1..12),
            reported in prop::collection::vec((0_u8..6, 1_u16..9), 0..12),
            shuffled in any::<prop::sample::Index>(),
        ) {
            let draft = batch(&pays);
            let mut turned = pays.clone();
            turned.rotate_left(shuffled.index(pays.len()));
            turned.reverse();
            prop_assert_eq!(differences(&draft, &list(&turned)), Vec::<Text>::new());
            let sorted = |list: &[(u8, u16)]| {
                let mut sorted = list.to_vec();
                sorted.sort_unstable();
                sorted
            };
            let is_as_asked = sorted(&pays) == sorted(&reported);
            prop_assert_eq!(differences(&draft, &list(&reported)).is_empty(), is_as_asked, "{:?} {:?}", pays, reported);
            // One entry that is changed, left out or doubled is told.
            let mut doubled = pays.clone();
            doubled.push(pays[shuffled.index(pays.len())]);
            prop_assert!(!differences(&draft, &list(&doubled)).is_empty());
            let mut less = pays.clone();
            less.remove(shuffled.index(pays.len()));
            prop_assert!(!differences(&draft, &list(&less)).is_empty());
        }
    }
}
