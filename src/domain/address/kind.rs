//! Telling whose address a text is by its look, also of chains whose addresses are not checked here: so that an address
//! of the wrong chain is named, and so that two addresses are compared without what all of their kind begin with.

use std::hash::{Hash, Hasher};

use super::{Address, Family, base58, cosmos, stellar, ton, xrp};

/// What kind of address a text looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kind {
    /// Whose, with its article: `a Tron`, `an EVM`.
    pub name: &'static str,
    /// Its family; `None` for one that is not checked here.
    pub family: Option<Family>,
    /// How many bytes every address of this kind begins with: `0x`, `bc1q`, `T`. They tell nobody apart.
    pub fixed: usize,
    /// Whether upper and lower case lead to the same place.
    pub folds_case: bool,
    /// Whether it carries a memo or tag inside, which would be lost where only the bare address is paid.
    pub carries_tag: bool,
}

impl Kind {
    const fn plain(name: &'static str, fixed: usize) -> Self {
        Self { name, family: None, fixed, folds_case: false, carries_tag: false }
    }

    const fn folding(name: &'static str, fixed: usize) -> Self {
        Self { folds_case: true, ..Self::plain(name, fixed) }
    }

    const fn of(self, family: Family) -> Self {
        Self { family: Some(family), ..self }
    }
}

/// The kind of address that a text looks like; `None` for what looks like none that is known here. An address with a
/// typing error may still look like one: whether it is valid says [`Address::check`].
pub fn recognise(text: &str) -> Option<Kind> {
    if !text.is_ascii() || text.len() < 25 || text.len() > 128 {
        return None;
    }
    let ways = [hexadecimal, bech32, bitcoin_like, ripple, stellar_key, ton_like, solana];
    ways.iter().find_map(|way| way(text))
}

/// A writing of an address: in one case where case means nothing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Writing {
    text: String,
    fixed: usize,
}

impl Writing {
    /// All of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What tells it from others of its kind: all behind what every address of the kind begins with.
    pub fn body(&self) -> &str {
        self.text.get(self.fixed..).unwrap_or("")
    }
}

/// An address as it is compared with others. Two are equal if they lead to the same place, however they are written: in
/// whatever case where that means nothing, an X-address without a tag as the classic one, one of TON raw or with
/// whatever flags.
#[derive(Debug, Clone)]
pub struct Shape {
    place: Writing,
    /// As it stands, where its place is commonly written otherwise.
    written: Option<Writing>,
}

impl Shape {
    /// The shape of an address; one of no known kind is taken as it stands.
    pub fn of(address: &str) -> Self {
        let kind = recognise(address);
        let folds = kind.is_some_and(|kind| kind.folds_case);
        let text = if folds { address.to_ascii_lowercase() } else { address.to_owned() };
        let written = Writing { text, fixed: kind.map_or(0, |kind| kind.fixed) };
        let of_many = kind.and_then(|kind| kind.family).filter(|family| matches!(family, Family::Xrp | Family::Ton));
        let place = of_many.and_then(|family| Address::check(family, address).ok()).map(|address| {
            let fixed = if address.family() == Family::Ton { 2 } else { 1 };
            Writing { text: address.canonical(), fixed }
        });
        match place.filter(|place| place.text != written.text) {
            Some(place) => Self { place, written: Some(written) },
            None => Self { place: written, written: None },
        }
    }

    /// The one writing in which the same place is always the same text.
    pub fn place(&self) -> &Writing {
        &self.place
    }

    /// The address as it stands, in one case where case means nothing.
    pub fn written(&self) -> &Writing {
        self.written.as_ref().unwrap_or(&self.place)
    }
}

impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place
    }
}

impl Eq for Shape {}

impl Hash for Shape {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.place.hash(state);
    }
}

/// Whether two addresses lead to the same place, however they are written.
pub fn same(one: &str, other: &str) -> bool {
    // Thousands of pairs are compared, of which nearly all differ in more than their case.
    let may_be_written_otherwise = |text: &str| {
        let is_of_ton = text.len() == ton::LENGTH || text.contains(':');
        is_of_ton || (text.len() == xrp::X_LENGTH && text.starts_with(['X', 'T']))
    };
    one == other
        || ((one.eq_ignore_ascii_case(other) || may_be_written_otherwise(one) || may_be_written_otherwise(other))
            && Shape::of(one) == Shape::of(other))
}

fn hexadecimal(text: &str) -> Option<Kind> {
    let all_hex = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    match text.split_once(['x', ':']) {
        Some(("0", digits)) if digits.len() == 40 && all_hex(digits) && text.starts_with("0x") => {
            Some(Kind::folding("an EVM", 2).of(Family::Evm))
        }
        Some(("0", digits)) if digits.len() == 64 && all_hex(digits) && text.starts_with("0x") => {
            Some(Kind::folding("a Sui or Aptos", 2))
        }
        Some(("0" | "-1", digits)) if digits.len() == 64 && all_hex(digits) => {
            Some(Kind::folding("a raw TON", text.len() - 64).of(Family::Ton))
        }
        _ => None,
    }
}

/// What stands before the `1` of bech32 addresses beside those of Cosmos chains, and whose they are.
const BECH32: [(&str, &str, Option<Family>); 4] = [
    ("bc", "a Bitcoin", Some(Family::Bitcoin)),
    ("tb", "a Bitcoin test network", Some(Family::Bitcoin)),
    ("ltc", "a Litecoin", None),
    ("addr", "a Cardano", None),
];

fn bech32(text: &str) -> Option<Kind> {
    let lower = text.to_ascii_lowercase();
    if lower != text && text.to_ascii_uppercase() != text {
        return None;
    }
    let (prefix, data) = lower.rsplit_once('1')?;
    let in_alphabet = data.bytes().all(|byte| b"qpzry9x8gf2tvdw0s3jn54khce6mua7l".contains(&byte));
    if !in_alphabet || data.len() < 32 {
        return None;
    }
    if let Some((zone, name, _)) = cosmos::ZONES.iter().find(|(known, ..)| *known == prefix) {
        return Some(Kind::folding(name, prefix.len() + 1).of(Family::Cosmos(zone)));
    }
    let (prefix, name, family) = BECH32.iter().find(|(known, ..)| *known == prefix)?;
    // The version of a witness programme is the same for all of its kind.
    let version = usize::from(*prefix != "addr");
    Some(Kind { family: *family, ..Kind::folding(name, prefix.len() + 1 + version) })
}

fn bitcoin_like(text: &str) -> Option<Kind> {
    let payload = base58::payload(text, bs58::Alphabet::BITCOIN)?;
    if payload.len() != 21 {
        return None;
    }
    let (name, family) = match payload.first()? {
        0x41 => ("a Tron", Some(Family::Tron)),
        0x00 | 0x05 => ("a Bitcoin", Some(Family::Bitcoin)),
        0x6f | 0xc4 => ("a Bitcoin test network", Some(Family::Bitcoin)),
        0x30 | 0x32 => ("a Litecoin", None),
        0x1e | 0x16 => ("a Dogecoin", None),
        _ => return None,
    };
    Some(Kind { family, ..Kind::plain(name, 1) })
}

fn ripple(text: &str) -> Option<Kind> {
    let parts = xrp::parts(text)?;
    Some(Kind { carries_tag: parts.tag.is_some(), ..Kind::plain("an XRP", 1).of(Family::Xrp) })
}

fn stellar_key(text: &str) -> Option<Kind> {
    let of_stellar = |name| Kind::plain(name, 1).of(Family::Stellar);
    if let Some(what) = stellar::other(text).filter(|_| !stellar::is_seed(text)) {
        return Some(of_stellar(what));
    }
    let base32 = text.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7'));
    match (text.len(), text.bytes().next()?) {
        (56, b'G') if base32 => Some(of_stellar("a Stellar")),
        (69, b'M') if base32 => Some(Kind { carries_tag: true, ..of_stellar("a Stellar") }),
        _ => None,
    }
}

fn ton_like(text: &str) -> Option<Kind> {
    let base64 = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'+' | b'/'));
    // Flags and workchain: bounceable or not, for any network or a test alone, where wallets are or where validators are.
    let starts = ["EQ", "UQ", "kQ", "0Q", "Ef", "Uf", "kf", "0f"].iter().any(|start| text.starts_with(start));
    (text.len() == ton::LENGTH && base64 && starts).then_some(Kind::plain("a TON", 2).of(Family::Ton))
}

fn solana(text: &str) -> Option<Kind> {
    Address::check(Family::Solana, text).is_ok().then_some(Kind::plain("a Solana", 0).of(Family::Solana))
}

#[cfg(test)]
mod tests;
