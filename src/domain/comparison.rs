//! Compares what a service tells of a payment with what was asked for: the answer to the request, and the rows of the
//! history that carry its key. Each difference is an alarm: the service may have mixed up two requests, or somebody
//! between us may have changed one.

mod batch;

use super::draft::Withdrawal;
use super::{Amount, Stated, Text, Transaction, address, chain};

pub use batch::Recipients;

/// A payment as it was asked for, word for word; what was not asked for is absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Asked {
    /// The idempotency key.
    pub key: Option<Text>,
    /// The wallet that pays.
    pub wallet: Option<Text>,
    /// The chain.
    pub chain: Option<Text>,
    /// The token's symbol.
    pub token: Option<Text>,
    /// The amount, as a decimal.
    pub amount: Option<Text>,
    /// The recipient.
    pub to: Option<Text>,
    /// The business's own reference.
    pub reference: Option<Text>,
}

/// A payment as a service tells it; what it leaves out is no difference.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Told {
    /// The idempotency key.
    pub key: Option<Text>,
    /// The wallet that pays.
    pub wallet: Option<Text>,
    /// The chain.
    pub chain: Option<Text>,
    /// The names of the token: one that agrees is enough.
    pub tokens: Vec<Text>,
    /// The amount.
    pub amount: Option<ToldAmount>,
    /// The recipient.
    pub to: Option<Text>,
    /// The business's own reference.
    pub reference: Option<Text>,
}

/// An amount as a service tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToldAmount {
    /// As a number.
    Stated(Stated),
    /// In words that are no number.
    Words(Text),
}

impl Asked {
    /// What an order asks for, by its draft and under its key.
    pub fn by(withdrawal: &Withdrawal, key: Option<uuid::Uuid>) -> Self {
        Self {
            key: key.map(|key| Text::clean(&key.to_string())),
            wallet: Some(Text::clean(withdrawal.wallet.as_str())),
            chain: Some(withdrawal.blockchain.clone()),
            token: Some(withdrawal.token.clone()),
            amount: Some(withdrawal.amount.clone()),
            to: Some(withdrawal.to.clone()),
            reference: withdrawal.ref_id.clone(),
        }
    }

    /// Where `teller`, such as “the answer”, tells something else than was asked for, in words.
    pub fn differences(&self, told: &Told, teller: &str) -> Vec<Text> {
        let mut found = Found { teller, words: Vec::new() };
        found.text("idempotency key", self.key.as_ref(), told.key.as_slice(), str::eq_ignore_ascii_case);
        found.text("wallet", self.wallet.as_ref(), told.wallet.as_slice(), str::eq_ignore_ascii_case);
        found.text("chain", self.chain.as_ref(), told.chain.as_slice(), is_same_chain);
        found.text("token", self.token.as_ref(), &told.tokens, str::eq_ignore_ascii_case);
        found.text("reference", self.reference.as_ref(), told.reference.as_slice(), |asked, told| asked == told);
        if let Some((asked, told)) = self.amount.as_ref().zip(told.amount.as_ref()) {
            found.amount(asked, told);
        }
        found.text("recipient's address", self.to.as_ref(), told.to.as_slice(), is_same_address);
        found.words
    }
}

impl Told {
    /// What a row of the history tells.
    pub fn by(row: &Transaction) -> Self {
        Self {
            key: row.idempotency_key.clone(),
            wallet: row.wallet.as_ref().map(|wallet| Text::clean(wallet.as_str())),
            chain: Some(row.token.blockchain.clone()).filter(|chain| !chain.is_empty()),
            tokens: Some(row.symbol.clone()).filter(|symbol| !symbol.is_empty()).into_iter().collect(),
            amount: row.amount.clone().map(ToldAmount::Stated),
            to: row.to_address.clone(),
            reference: row.ref_id.clone(),
        }
    }
}

/// The same for what is sold by a swap, of which a service may tell the amount in several ways, with its fee or without:
/// one that agrees is enough.
pub fn differences_of_sale(asked: &Asked, told: &Told, amounts: &[ToldAmount], teller: &str) -> Vec<Text> {
    let of = |amount: Option<ToldAmount>| {
        let told = Told { amount, to: None, ..told.clone() };
        asked.differences(&told, teller)
    };
    // The shortest list is the one whose amount agrees, if any does.
    amounts.iter().map(|amount| of(Some(amount.clone()))).min_by_key(Vec::len).unwrap_or_else(|| of(None))
}

/// What was found to differ.
struct Found<'a> {
    teller: &'a str,
    words: Vec<Text>,
}

impl Found<'_> {
    /// Compares a text with those under which it may be told: one that agrees is enough.
    fn text(&mut self, what: &str, asked: Option<&Text>, told: &[Text], same: fn(&str, &str) -> bool) {
        if let Some((asked, first)) = asked.zip(told.first())
            && !told.iter().any(|told| same(asked, told.trim()))
        {
            self.differs(what, asked, first);
        }
    }

    fn amount(&mut self, asked: &Text, told: &ToldAmount) {
        let digits = asked.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        let exact = u8::try_from(digits).ok().and_then(|digits| Amount::parse(asked, digits).ok());
        match (exact, told) {
            (Some(exact), ToldAmount::Stated(Stated::Exact(told))) if exact.cmp_value(*told).is_eq() => {}
            (_, ToldAmount::Stated(Stated::Exact(told))) => self.differs("amount", asked, &told.to_string()),
            (_, ToldAmount::Stated(Stated::Disputed { raw, formatted })) => {
                self.differs("amount", asked, &format!("both {raw} and {formatted}"));
            }
            (_, ToldAmount::Words(words)) => self.differs("amount", asked, words),
        }
    }

    fn differs(&mut self, what: &str, asked: &str, told: &str) {
        let teller = self.teller;
        self.words.push(Text::clean(&format!("{what}: the request says {asked}, {teller} {told}")));
    }
}

/// Whether two words name one chain. Two networks of a chain are two; a word without a network may mean any of them.
pub fn is_same_chain(a: &str, b: &str) -> bool {
    let networks = chain::network_of(a).zip(chain::network_of(b));
    chain::same(a, b) && networks.is_none_or(|(a, b)| a.eq_ignore_ascii_case(b))
}

/// Whether two texts are one address: services write back in their own way what was asked for in another, as addresses of
/// TON. The case of an EVM address is its checksum alone, also on a chain that this program does not know.
fn is_same_address(a: &str, b: &str) -> bool {
    let hex = |text: &str| text.len() == 42 && text.bytes().skip(2).all(|byte| byte.is_ascii_hexdigit());
    address::same(a, b) || (hex(a) && a.eq_ignore_ascii_case(b))
}

#[cfg(test)]
mod tests {
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
            (
                "kQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPgpP",
                "EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF",
                true,
            ),
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
}
