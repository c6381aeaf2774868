//! Addresses: one file per family, each with one `check` that states how sure a valid address is, or what is wrong
//! where.

mod base58;
pub mod bitcoin;
pub mod cosmos;
pub mod distinct;
mod error;
pub mod evm;
mod family;
pub mod kind;
pub mod secret;
pub mod solana;
pub mod stellar;
pub mod ton;
pub mod tron;
pub mod xrp;

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};

use super::network::Network;
use super::text::pad_uncut;

pub use distinct::{AddressWithShortHash, ShortAddresses, ShownAddresses};
pub use error::AddressError;
pub use family::{AddressAssurance, Family};
pub use kind::{
    AddressKind, AddressNotation, ComparableAddress, is_same_address, may_have_other_notations, recognise_address_kind,
};
pub use secret::{detect_secret, find_secret};

#[cfg(test)]
mod tests;

/// A valid address. Two are equal when they name the same account, whatever the case of their letters.
#[derive(Debug, Clone)]
pub struct Address {
    family: Family,
    assurance: AddressAssurance,
    text: String,
}

impl Address {
    pub fn parse(family: Family, text: &str) -> Result<Self, AddressError> {
        if text.is_empty() {
            return Err(AddressError::Empty);
        }
        if let Some((index, stranger)) = text.chars().enumerate().find(|(_, c)| !c.is_ascii_graphic()) {
            return Err(AddressError::InvalidCharacter { position: index + 1, code: u32::from(stranger) });
        }
        if let Some(secret) = detect_secret(text) {
            return Err(AddressError::Secret { kind: secret });
        }
        let sureness = match family {
            Family::Evm => evm::check(text)?,
            Family::Solana => solana::check(text)?,
            Family::Tron => tron::check(text)?,
            Family::Bitcoin => bitcoin::check(text)?,
            Family::Xrp => xrp::check(text)?,
            Family::Stellar => stellar::check(text)?,
            Family::Ton => ton::check(text)?,
            Family::Cosmos(prefix) => cosmos::check(prefix, text)?,
        };
        Ok(Self { family, assurance: sureness, text: text.to_owned() })
    }

    pub fn family(&self) -> Family {
        self.family
    }

    pub fn assurance(&self) -> AddressAssurance {
        self.assurance
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The one form in which equal addresses are equal texts: EVM with its checksum, bech32 in lower case, TON
    /// bounceable with its checksum, an X-address without a tag as the classic address, any other address as it is.
    pub fn canonical(&self) -> String {
        match self.family {
            Family::Evm => evm::with_checksum(&self.text),
            Family::Bitcoin if bitcoin::is_bech32(&self.text) => self.text.to_ascii_lowercase(),
            Family::Cosmos(_) => self.text.to_ascii_lowercase(),
            Family::Xrp => xrp::to_classic(&self.text).unwrap_or_else(|| self.text.clone()),
            Family::Ton => {
                ton::parse_ton_address(&self.text).map_or_else(|| self.text.clone(), |parts| parts.canonical())
            }
            Family::Bitcoin | Family::Solana | Family::Tron | Family::Stellar => self.text.clone(),
        }
    }

    /// The bytes of the account, without prefix, flags, tag and checksum; `None` for EVM and Solana, whose text is the
    /// account, and for an address of no such form.
    pub fn account_bytes(&self) -> Option<Vec<u8>> {
        match self.family {
            Family::Bitcoin => bitcoin::account_bytes(&self.text),
            Family::Tron => tron::account_bytes(&self.text),
            Family::Xrp => xrp::parse_xrp_address(&self.text).map(|parts| parts.account.to_vec()),
            Family::Stellar => stellar::account_bytes(&self.text),
            Family::Ton => ton::parse_ton_address(&self.text).map(|parts| parts.account().to_vec()),
            Family::Cosmos(_) => cosmos::account_bytes(&self.text),
            Family::Evm | Family::Solana => None,
        }
    }

    /// The network that the address states; `None` where it may be of any.
    pub fn mainnet_or_testnet(&self) -> Option<Network> {
        match self.family {
            Family::Bitcoin => Some(bitcoin::network(&self.text)),
            Family::Xrp => xrp::parse_xrp_address(&self.text)?.network,
            Family::Ton => ton::parse_ton_address(&self.text)?.network(),
            Family::Evm | Family::Solana | Family::Tron | Family::Stellar | Family::Cosmos(_) => None,
        }
    }
}

impl PartialEq for Address {
    fn eq(&self, other: &Self) -> bool {
        self.family == other.family && (self.text == other.text || self.canonical() == other.canonical())
    }
}

impl Eq for Address {}

impl Hash for Address {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.family.hash(state);
        self.canonical().hash(state);
    }
}

/// The address in the case in which equal ones are equal texts: EVM addresses are the same in any case.
pub fn fold_address_case(address: &str) -> Cow<'_, str> {
    let is_folded = !address.starts_with("0x") || !address.bytes().any(|byte| byte.is_ascii_uppercase());
    if is_folded { Cow::Borrowed(address) } else { Cow::Owned(address.to_ascii_lowercase()) }
}

/// An address, contract or hash cut for a column: `0x3f2A…9c1D`, four characters of either end, and two more where it
/// begins as all of its kind do; a chain's long prefix is left out, as in `…zsau…5z2h`. For display only: other
/// addresses are shortened to the same text, so nothing is ever paid, compared or searched by it.
pub fn shorten_address(text: &str) -> String {
    short_address_parts(text).map_or_else(|| text.to_owned(), |parts| parts.concat())
}

/// The parts of the short form of an address; `None` for a text that is short.
fn short_address_parts(text: &str) -> Option<[&str; 4]> {
    let count = if text.is_ascii() { text.len() } else { text.chars().count() };
    let is_hexadecimal = text.starts_with("0x");
    if !is_hexadecimal
        && count > 20
        && let Some(data) = cosmos::text_after_prefix(text)
        && let (Some(start), Some(end)) = (data.get(..4), data.get(data.len().saturating_sub(4)..))
    {
        return Some(["…", start, "…", end]);
    }
    let begins = is_hexadecimal || bitcoin::is_bech32(text) || ton::parse_ton_address(text).is_some();
    let head = if begins { 6 } else { 4 };
    if count <= head + 5 {
        return None;
    }
    // An address is ASCII, and a frame shortens hundreds of them.
    let byte_of = |nth: usize| if text.is_ascii() { nth } else { text.char_indices().nth(nth).map_or(0, |(at, _)| at) };
    Some(["", text.get(..byte_of(head))?, "…", text.get(byte_of(count - 4)..)?])
}

/// An address in groups of four characters after its `0x`, if it has one. Nothing is left out.
pub fn split_into_groups(text: &str) -> Vec<&str> {
    let (fixed, mut rest) = text.split_at(if text.starts_with("0x") { 2 } else { 0 });
    let mut groups: Vec<&str> = if fixed.is_empty() { Vec::new() } else { vec![fixed] };
    while !rest.is_empty() {
        let end = rest.char_indices().nth(4).map_or(rest.len(), |(index, _)| index);
        let (group, behind) = rest.split_at(end);
        groups.push(group);
        rest = behind;
    }
    groups
}

/// [`split_into_groups`] separated by blanks, for comparison by eye: `0x 3f2A 7b1c …`. [`parse_grouped`] reads it.
pub fn format_grouped(text: &str) -> String {
    split_into_groups(text).join(" ")
}

/// The address in a text with blanks, such as [`format_grouped`] writes, without those blanks. `None` where there are
/// none, and where the rest is no valid address: the text then stays as it is, and a later check reports the blanks.
pub fn parse_grouped(text: &str) -> Option<String> {
    let is_blank = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n');
    let text = text.trim_matches(is_blank);
    let joined: String = text.chars().filter(|c| !is_blank(*c)).collect();
    let is_whole = |kind: AddressKind| kind.family.is_none_or(|family| Address::parse(family, &joined).is_ok());
    (text.contains(is_blank) && recognise_address_kind(&joined).is_some_and(is_whole)).then_some(joined)
}

impl fmt::Display for Address {
    /// A width is honoured, a precision is not: an address is cut only by [`shorten_address`], visibly, or not at all.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pad_uncut(f, &self.text)
    }
}
