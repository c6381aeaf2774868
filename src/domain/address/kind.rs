//! Recognises the kind of address that a text has, also for chains whose addresses are not validated here: so that an
//! address of the wrong chain is named, and so that two addresses are compared without their kind's fixed prefix.

use std::hash::{Hash, Hasher};

use super::{Address, Family, base58, cosmos, stellar, ton, xrp};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AddressKind {
    /// With its article: `a Tron`, `an EVM`.
    pub name: &'static str,
    /// `None` for a kind that is not validated here.
    pub family: Option<Family>,
    /// The length in bytes of the prefix that all addresses of this kind have, such as `0x`, `bc1q` or `T`.
    pub fixed_prefix_len: usize,
    pub is_case_insensitive: bool,
    /// Whether it includes a memo or tag, which would be lost if only the bare address were paid.
    pub carries_tag: bool,
}

impl AddressKind {
    const fn new_case_sensitive(name: &'static str, fixed_prefix_len: usize) -> Self {
        Self { name, family: None, fixed_prefix_len, is_case_insensitive: false, carries_tag: false }
    }

    const fn new_case_insensitive(name: &'static str, fixed: usize) -> Self {
        Self { is_case_insensitive: true, ..Self::new_case_sensitive(name, fixed) }
    }

    const fn with_family(self, family: Family) -> Self {
        Self { family: Some(family), ..self }
    }
}

/// The kind of address that a text looks like; `None` for an unknown kind. An address with a typing error may still be
/// recognised: [`Address::parse`] validates it.
pub fn recognise_address_kind(text: &str) -> Option<AddressKind> {
    if !text.is_ascii() || text.len() < 25 || text.len() > 128 {
        return None;
    }
    let ways = [hexadecimal, bech32, bitcoin_like, ripple, stellar_key, ton_like, solana];
    ways.iter().find_map(|way| way(text))
}

/// One notation of an address: in lower case where case is irrelevant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AddressNotation {
    text: String,
    fixed: usize,
}

impl AddressNotation {
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text after the kind's fixed prefix.
    pub fn distinctive_part(&self) -> &str {
        self.text.get(self.fixed..).unwrap_or("")
    }
}

/// An address in comparable form. Two are equal if they name the same account in any notation: in any case where case
/// is irrelevant, an X-address without a tag as the classic address, a TON address raw or with any flags.
#[derive(Debug, Clone)]
pub struct ComparableAddress {
    canonical: AddressNotation,
    /// The notation as written, where it is not the canonical one.
    as_written: Option<AddressNotation>,
}

impl ComparableAddress {
    /// Parses an address; one of no known kind is taken as written.
    pub fn parse(address: &str) -> Self {
        let kind = recognise_address_kind(address);
        let folds = kind.is_some_and(|kind| kind.is_case_insensitive);
        let text = if folds { address.to_ascii_lowercase() } else { address.to_owned() };
        let written = AddressNotation { text, fixed: kind.map_or(0, |kind| kind.fixed_prefix_len) };
        let of_many = kind.and_then(|kind| kind.family).filter(|family| matches!(family, Family::Xrp | Family::Ton));
        let place = of_many.and_then(|family| Address::parse(family, address).ok()).map(|address| {
            let fixed = if address.family() == Family::Ton { 2 } else { 1 };
            AddressNotation { text: address.canonical(), fixed }
        });
        match place.filter(|place| place.text != written.text) {
            Some(place) => Self { canonical: place, as_written: Some(written) },
            None => Self { canonical: written, as_written: None },
        }
    }

    /// The one notation in which the same account is always the same text.
    pub fn canonical(&self) -> &AddressNotation {
        &self.canonical
    }

    /// The address as written, in lower case where case is irrelevant.
    pub fn as_written(&self) -> &AddressNotation {
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

/// Whether two addresses name the same account, in whatever notation.
pub fn is_same_address(one: &str, other: &str) -> bool {
    // A fast path: of thousands of pairs nearly all differ in more than their case.
    one == other
        || ((one.eq_ignore_ascii_case(other) || may_have_other_notations(one) || may_have_other_notations(other))
            && ComparableAddress::parse(one) == ComparableAddress::parse(other))
}

/// Whether another text that differs in more than its case may name the same account.
pub fn may_have_other_notations(text: &str) -> bool {
    let is_of_ton = text.len() == ton::LENGTH || text.contains(':');
    is_of_ton || (text.len() == xrp::X_LENGTH && text.starts_with(['X', 'T']))
}

fn hexadecimal(text: &str) -> Option<AddressKind> {
    let all_hex = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    match text.split_once(['x', ':']) {
        Some(("0", digits)) if digits.len() == 40 && all_hex(digits) && text.starts_with("0x") => {
            Some(AddressKind::new_case_insensitive("an EVM", 2).with_family(Family::Evm))
        }
        Some(("0", digits)) if digits.len() == 64 && all_hex(digits) && text.starts_with("0x") => {
            Some(AddressKind::new_case_insensitive("a Sui or Aptos", 2))
        }
        Some(("0" | "-1", digits)) if digits.len() == 64 && all_hex(digits) => {
            Some(AddressKind::new_case_insensitive("a raw TON", text.len() - 64).with_family(Family::Ton))
        }
        _ => None,
    }
}

/// The prefixes of bech32 addresses other than those of Cosmos chains, with the kind's name and family.
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
    if let Some((zone, name, _)) = cosmos::CHAIN_PREFIXES.iter().find(|(other, ..)| *other == prefix) {
        return Some(AddressKind::new_case_insensitive(name, prefix.len() + 1).with_family(Family::Cosmos(zone)));
    }
    let (prefix, name, family) = BECH32.iter().find(|(other, ..)| *other == prefix)?;
    // The version of a witness program is the same for all of its kind.
    let version = usize::from(*prefix != "addr");
    Some(AddressKind { family: *family, ..AddressKind::new_case_insensitive(name, prefix.len() + 1 + version) })
}

fn bitcoin_like(text: &str) -> Option<AddressKind> {
    let payload = base58::decode_payload(text, bs58::Alphabet::BITCOIN)?;
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
    Some(AddressKind { family, ..AddressKind::new_case_sensitive(name, 1) })
}

fn ripple(text: &str) -> Option<AddressKind> {
    let parts = xrp::parse_xrp_address(text)?;
    Some(AddressKind {
        carries_tag: parts.tag.is_some(),
        ..AddressKind::new_case_sensitive("an XRP", 1).with_family(Family::Xrp)
    })
}

fn stellar_key(text: &str) -> Option<AddressKind> {
    let of_stellar = |name| AddressKind::new_case_sensitive(name, 1).with_family(Family::Stellar);
    if let Some(account_kind) = stellar::non_account_kind(text).filter(|_| !stellar::is_seed(text)) {
        return Some(of_stellar(account_kind));
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
    // Flags and workchain: bounceable or not, for any network or test networks only, basechain (wallets) or
    // masterchain.
    let starts = ["EQ", "UQ", "kQ", "0Q", "Ef", "Uf", "kf", "0f"].iter().any(|start| text.starts_with(start));
    (text.len() == ton::LENGTH && base64 && starts)
        .then_some(AddressKind::new_case_sensitive("a TON", 2).with_family(Family::Ton))
}

fn solana(text: &str) -> Option<AddressKind> {
    Address::parse(Family::Solana, text)
        .is_ok()
        .then_some(AddressKind::new_case_sensitive("a Solana", 0).with_family(Family::Solana))
}

#[cfg(test)]
mod tests;
