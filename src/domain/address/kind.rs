//! Telling whose address a text is by its look, also of chains whose addresses are not checked here: so that an address
//! of the wrong chain is named, and so that two addresses are compared without what all of their kind begin with.

use super::{Address, Family, base58};

/// What kind of address a text looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kind {
    /// Whose, with its article: `a Tron`, `an EVM`.
    pub name: &'static str,
    /// How many bytes every address of this kind begins with: `0x`, `bc1q`, `T`. They tell nobody apart.
    pub fixed: usize,
    /// Whether upper and lower case lead to the same place.
    pub folds_case: bool,
    /// Whether it carries a memo or tag inside, which would be lost where only the bare address is paid.
    pub carries_tag: bool,
}

impl Kind {
    const fn plain(name: &'static str, fixed: usize) -> Self {
        Self { name, fixed, folds_case: false, carries_tag: false }
    }

    const fn folding(name: &'static str, fixed: usize) -> Self {
        Self { name, fixed, folds_case: true, carries_tag: false }
    }
}

/// The kind of address that a text looks like; `None` for what looks like none that is known here. An address with a
/// typing error may still look like one: whether it is valid says [`Address::check`].
pub fn recognise(text: &str) -> Option<Kind> {
    if !text.is_ascii() || text.len() < 26 || text.len() > 128 {
        return None;
    }
    let ways = [hexadecimal, bech32, bitcoin_like, ripple, stellar, ton, solana];
    ways.iter().find_map(|way| way(text))
}

/// An address as it is compared with others: in one case where case means nothing, and without what all begin with.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Shape {
    text: String,
    fixed: usize,
}

impl Shape {
    /// The shape of an address; one of no known kind is taken as it stands.
    pub fn of(address: &str) -> Self {
        let kind = recognise(address);
        let folds = kind.is_some_and(|kind| kind.folds_case);
        let text = if folds { address.to_ascii_lowercase() } else { address.to_owned() };
        Self { text, fixed: kind.map_or(0, |kind| kind.fixed) }
    }

    /// The whole address, in one case where case means nothing.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What tells it from others of its kind.
    pub fn body(&self) -> &str {
        self.text.get(self.fixed..).unwrap_or("")
    }
}

/// Whether two addresses lead to the same place, however they are written.
pub fn same(one: &str, other: &str) -> bool {
    one == other || (one.eq_ignore_ascii_case(other) && Shape::of(one) == Shape::of(other))
}

fn hexadecimal(text: &str) -> Option<Kind> {
    let all_hex = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    match text.split_once(['x', ':']) {
        Some(("0", digits)) if digits.len() == 40 && all_hex(digits) && text.starts_with("0x") => {
            Some(Kind::folding("an EVM", 2))
        }
        Some(("0", digits)) if digits.len() == 64 && all_hex(digits) && text.starts_with("0x") => {
            Some(Kind::folding("a Sui or Aptos", 2))
        }
        Some(("0" | "-1", digits)) if digits.len() == 64 && all_hex(digits) => {
            Some(Kind::folding("a raw TON", text.len() - 64))
        }
        _ => None,
    }
}

/// What stands before the `1` of bech32 addresses, and whose they are.
const BECH32: &[(&str, &str)] = &[
    ("bc", "a Bitcoin"),
    ("tb", "a Bitcoin test network"),
    ("ltc", "a Litecoin"),
    ("addr", "a Cardano"),
    ("cosmos", "a Cosmos"),
    ("osmo", "an Osmosis"),
    ("celestia", "a Celestia"),
    ("inj", "an Injective"),
    ("dydx", "a dYdX"),
    ("sei", "a Sei"),
    ("kava", "a Kava"),
    ("thor", "a THORChain"),
    ("terra", "a Terra"),
];

fn bech32(text: &str) -> Option<Kind> {
    let lower = text.to_ascii_lowercase();
    if lower != text && text.to_ascii_uppercase() != text {
        return None;
    }
    let (prefix, data) = lower.rsplit_once('1')?;
    let (prefix, name) = BECH32.iter().find(|(known, _)| *known == prefix)?;
    let in_alphabet = data.bytes().all(|byte| b"qpzry9x8gf2tvdw0s3jn54khce6mua7l".contains(&byte));
    // The version of a witness programme is the same for all of its kind.
    let version = usize::from(matches!(*prefix, "bc" | "tb" | "ltc"));
    (in_alphabet && data.len() >= 32).then_some(Kind::folding(name, prefix.len() + 1 + version))
}

fn bitcoin_like(text: &str) -> Option<Kind> {
    let payload = base58::payload(text, bs58::Alphabet::BITCOIN)?;
    if payload.len() != 21 {
        return None;
    }
    let name = match payload.first()? {
        0x41 => "a Tron",
        0x00 | 0x05 => "a Bitcoin",
        0x6f | 0xc4 => "a Bitcoin test network",
        0x30 | 0x32 => "a Litecoin",
        0x1e | 0x16 => "a Dogecoin",
        _ => return None,
    };
    Some(Kind::plain(name, 1))
}

fn ripple(text: &str) -> Option<Kind> {
    let payload = base58::payload(text, bs58::Alphabet::RIPPLE)?;
    match (payload.len(), payload.first_chunk::<2>()?) {
        (21, [0x00, _]) => Some(Kind::plain("an XRP", 1)),
        // An X-address: prefix, account, one byte that says whether a tag follows, tag.
        (31, [0x05, 0x44] | [0x04, 0x93]) => {
            let carries_tag = payload.get(22).is_some_and(|flag| *flag != 0);
            Some(Kind { carries_tag, ..Kind::plain("an XRP", 1) })
        }
        _ => None,
    }
}

fn stellar(text: &str) -> Option<Kind> {
    let base32 = text.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7'));
    match (text.len(), text.bytes().next()?) {
        (56, b'G') if base32 => Some(Kind::plain("a Stellar", 1)),
        (69, b'M') if base32 => Some(Kind { carries_tag: true, ..Kind::plain("a Stellar", 1) }),
        _ => None,
    }
}

fn ton(text: &str) -> Option<Kind> {
    let base64 = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'+' | b'/'));
    let starts = ["EQ", "UQ", "kQ", "0Q"].iter().any(|start| text.starts_with(start));
    (text.len() == 48 && base64 && starts).then_some(Kind::plain("a TON", 2))
}

fn solana(text: &str) -> Option<Kind> {
    Address::check(Family::Solana, text).is_ok().then_some(Kind::plain("a Solana", 0))
}
