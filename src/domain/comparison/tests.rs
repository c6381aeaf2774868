//! What is the same, and what is not.

use super::*;

#[test]
fn an_address_is_itself_however_a_service_writes_it_back() {
    for (asked, told, same) in [
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
        assert_eq!((is_same_address(asked, told), is_same_address(told, asked)), (same, same), "{asked} {told}");
    }
}

#[test]
fn two_networks_of_a_chain_are_two() {
    for (a, b, same) in [
        ("ethereum", "Ethereum", true),
        ("eth", "ethereum-sepolia", true),
        ("ethereum-sepolia", "ethereum-mainnet", false),
        ("ethereum-sepolia", "Ethereum Sepolia", true),
        ("ethereum", "base", false),
        ("ethereum", "ethereum-classic", false),
        ("nowhere", "NOWHERE", true),
        ("nowhere", "elsewhere", false),
    ] {
        assert_eq!((is_same_chain(a, b), is_same_chain(b, a)), (same, same), "{a} {b}");
    }
}
