//! Telling whose address a text is by its look, also of chains whose addresses are not checked here: so that an address
//! of the wrong chain is named, and so that two addresses are compared without what all of their kind begin with.

use std::hash::{Hash, Hasher};

use super::{Address, Family, base58, cosmos, stellar, ton, xrp};

/// What kind of address a text looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AddressKind {
    /// Whose, with its article: `a Tron`, `an EVM`.
    pub name: &'static str,
    /// Its family; `None` for one that is not checked here.
    pub family: Option<Family>,
    /// How many bytes every address of this kind begins with: `0x`, `bc1q`, `T`. They tell nobody apart.
    pub fixed_prefix_len: usize,
    /// Whether upper and lower case lead to the same place.
    pub is_case_insensitive: bool,
    /// Whether it carries a memo or tag inside, which would be lost where only the bare address is paid.
    pub carries_tag: bool,
}

impl AddressKind {
    const fn plain(name: &'static str, fixed_prefix_len: usize) -> Self {
        Self { name, family: None, fixed_prefix_len, is_case_insensitive: false, carries_tag: false }
    }

    const fn folding(name: &'static str, fixed: usize) -> Self {
        Self { is_case_insensitive: true, ..Self::plain(name, fixed) }
    }

    const fn with_family(self, family: Family) -> Self {
        Self { family: Some(family), ..self }
    }
}

/// The kind of address that a text looks like; `None` for what looks like none that is known here. An address with a
/// typing error may still look like one: whether it is valid says [`Address::check`].
pub fn recognise(text: &str) -> Option<AddressKind> {
    if !text.is_ascii() || text.len() < 25 || text.len() > 128 {
        return None;
    }
    let ways = [hexadecimal, bech32, bitcoin_like, ripple, stellar_key, ton_like, solana];
    ways.iter().find_map(|way| way(text))
}

/// A writing of an address: in one case where case means nothing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AddressText {
    text: String,
    fixed: usize,
}

impl AddressText {
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
pub struct ComparableAddress {
    canonical: AddressText,
    /// As it stands, where its place is commonly written otherwise.
    as_written: Option<AddressText>,
}

impl ComparableAddress {
    /// The shape of an address; one of no known kind is taken as it stands.
    pub fn parse(address: &str) -> Self {
        let kind = recognise(address);
        let folds = kind.is_some_and(|kind| kind.is_case_insensitive);
        let text = if folds { address.to_ascii_lowercase() } else { address.to_owned() };
        let written = AddressText { text, fixed: kind.map_or(0, |kind| kind.fixed_prefix_len) };
        let of_many = kind.and_then(|kind| kind.family).filter(|family| matches!(family, Family::Xrp | Family::Ton));
        let place = of_many.and_then(|family| Address::check(family, address).ok()).map(|address| {
            let fixed = if address.family() == Family::Ton { 2 } else { 1 };
            AddressText { text: address.canonical(), fixed }
        });
        match place.filter(|place| place.text != written.text) {
            Some(place) => Self { canonical: place, as_written: Some(written) },
            None => Self { canonical: written, as_written: None },
        }
    }

    /// The one writing in which the same place is always the same text.
    pub fn canonical(&self) -> &AddressText {
        &self.canonical
    }

    /// The address as it stands, in one case where case means nothing.
    pub fn as_written(&self) -> &AddressText {
        self.as_written.as_ref().unwrap_or(&self.canonical)
    }
}

impl PartialEq for ComparableAddress {
    fn eq(&self, other: &Self) -> bool {
        self.canonical == other.canonical
    }
}

impl Eq for ComparableAddress {}

impl Hash for ComparableAddress {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.canonical.hash(state);
    }
}

/// Whether two addresses lead to the same place, however they are written.
pub fn is_same_address(one: &str, other: &str) -> bool {
    // Thousands of pairs are compared, of which nearly all differ in more than their case.
    let may_be_written_otherwise = |text: &str| {
        let is_of_ton = text.len() == ton::LENGTH || text.contains(':');
        is_of_ton || (text.len() == xrp::X_LENGTH && text.starts_with(['X', 'T']))
    };
    one == other
        || ((one.eq_ignore_ascii_case(other) || may_be_written_otherwise(one) || may_be_written_otherwise(other))
            && ComparableAddress::parse(one) == ComparableAddress::parse(other))
}

fn hexadecimal(text: &str) -> Option<AddressKind> {
    let all_hex = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    match text.split_once(['x', ':']) {
        Some(("0", digits)) if digits.len() == 40 && all_hex(digits) && text.starts_with("0x") => {
            Some(AddressKind::folding("an EVM", 2).with_family(Family::Evm))
        }
        Some(("0", digits)) if digits.len() == 64 && all_hex(digits) && text.starts_with("0x") => {
            Some(AddressKind::folding("a Sui or Aptos", 2))
        }
        Some(("0" | "-1", digits)) if digits.len() == 64 && all_hex(digits) => {
            Some(AddressKind::folding("a raw TON", text.len() - 64).with_family(Family::Ton))
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

fn bech32(text: &str) -> Option<AddressKind> {
    let lower = text.to_ascii_lowercase();
    if lower != text && text.to_ascii_uppercase() != text {
        return None;
    }
    let (prefix, data) = lower.rsplit_once('1')?;
    let in_alphabet = data.bytes().all(|byte| b"qpzry9x8gf2tvdw0s3jn54khce6mua7l".contains(&byte));
    if !in_alphabet || data.len() < 32 {
        return None;
    }
    if let Some((zone, name, _)) = cosmos::CHAIN_PREFIXES.iter().find(|(known, ..)| *known == prefix) {
        return Some(AddressKind::folding(name, prefix.len() + 1).with_family(Family::Cosmos(zone)));
    }
    let (prefix, name, family) = BECH32.iter().find(|(known, ..)| *known == prefix)?;
    // The version of a witness programme is the same for all of its kind.
    let version = usize::from(*prefix != "addr");
    Some(AddressKind { family: *family, ..AddressKind::folding(name, prefix.len() + 1 + version) })
}

fn bitcoin_like(text: &str) -> Option<AddressKind> {
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
    Some(AddressKind { family, ..AddressKind::plain(name, 1) })
}

fn ripple(text: &str) -> Option<AddressKind> {
    let parts = xrp::parts(text)?;
    Some(AddressKind { carries_tag: parts.tag.is_some(), ..AddressKind::plain("an XRP", 1).with_family(Family::Xrp) })
}

fn stellar_key(text: &str) -> Option<AddressKind> {
    let of_stellar = |name| AddressKind::plain(name, 1).with_family(Family::Stellar);
    if let Some(what) = stellar::non_account_kind(text).filter(|_| !stellar::is_seed(text)) {
        return Some(of_stellar(what));
    }
    let base32 = text.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7'));
    match (text.len(), text.bytes().next()?) {
        (56, b'G') if base32 => Some(of_stellar("a Stellar")),
        (69, b'M') if base32 => Some(AddressKind { carries_tag: true, ..of_stellar("a Stellar") }),
        _ => None,
    }
}

fn ton_like(text: &str) -> Option<AddressKind> {
    let base64 = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'+' | b'/'));
    // Flags and workchain: bounceable or not, for any network or a test alone, where wallets are or where validators are.
    let starts = ["EQ", "UQ", "kQ", "0Q", "Ef", "Uf", "kf", "0f"].iter().any(|start| text.starts_with(start));
    (text.len() == ton::LENGTH && base64 && starts).then_some(AddressKind::plain("a TON", 2).with_family(Family::Ton))
}

fn solana(text: &str) -> Option<AddressKind> {
    Address::check(Family::Solana, text)
        .is_ok()
        .then_some(AddressKind::plain("a Solana", 0).with_family(Family::Solana))
}

#[cfg(test)]
mod tests;
