//! Addresses: one file per family, each with one `check` that says valid (and how sure), or what is wrong and where.

mod base58;
pub mod bitcoin;
pub mod cosmos;
pub mod evm;
pub mod kind;
pub mod secret;
pub mod solana;
pub mod stellar;
pub mod ton;
pub mod tron;
pub mod xrp;

use std::fmt;
use std::hash::{Hash, Hasher};

use super::text::pad_uncut;

pub use kind::{AddressKind, AddressText, ComparableAddress, is_same_address, recognise};
pub use secret::{detect_secret, find_secret};

#[cfg(test)]
mod tests;

/// How addresses of a chain are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// `0x` and 40 hexadecimal digits, with a checksum in the case of the letters (EIP-55).
    Evm,
    /// 32 bytes in base58.
    Solana,
    /// 20 bytes behind the byte 0x41, in base58 with a checksum.
    Tron,
    /// A hash in base58 with a checksum, or a witness program in bech32 or bech32m.
    Bitcoin,
    /// 20 bytes in base58 of another alphabet with a checksum; or an X-address, which may carry a tag.
    Xrp,
    /// A key in base32 with a checksum, alone or with an identifier.
    Stellar,
    /// A workchain and 32 bytes, raw or with flags and a checksum.
    Ton,
    /// 20 or 32 bytes in bech32 behind this prefix, which says on which chain.
    Cosmos(&'static str),
}

/// Which of its chain's networks an address is for, where it says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Network {
    /// The one on which coins are money.
    Main,
    /// Those on which they are not.
    Test,
}

/// How surely a valid address is free of typing errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressAssurance {
    /// It carries a checksum, and that is right.
    Checksum,
    /// Its form is right, and nothing in it would show a wrong letter.
    FormOnly,
}

/// A valid address. Two are equal when they lead to the same place, however their letters are cased.
#[derive(Debug, Clone)]
pub struct Address {
    family: Family,
    assurance: AddressAssurance,
    text: String,
}

/// What is wrong with an address, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Nothing was written.
    #[error("an address is missing")]
    Empty,
    /// A character that no address holds, named so that an invisible one is seen too.
    #[error("character {position} is U+{code:04X}, which no address contains; copy the address again from its source")]
    InvalidCharacter {
        /// Counted from 1.
        position: usize,
        /// Its code point.
        code: u32,
    },
    /// A character that addresses of this family do not hold.
    #[error("“{character}” at character {position} does not belong in {family} address")]
    Character {
        /// Counted from 1.
        position: usize,
        /// The character.
        character: char,
        /// Whose addresses.
        family: Family,
    },
    /// Does not start as addresses of this family do.
    #[error("{family} address starts with {prefix}")]
    Prefix {
        /// Whose addresses.
        family: Family,
        /// What it ought to start with.
        prefix: &'static str,
    },
    /// Too short or too long.
    #[error("{family} address has {expected}, this one has {found}")]
    Length {
        /// Whose addresses.
        family: Family,
        /// How long it ought to be.
        expected: &'static str,
        /// How long it is, in the same unit.
        found: usize,
    },
    /// The checksum is wrong. It does not tell where.
    #[error("the checksum does not match: a character was changed, left out or added; copy the address again")]
    ChecksumMismatch,
    /// Capitals and small letters in an address that has only the one or the other.
    #[error("{family} address of this kind is all upper case or all lower case; copy the address again")]
    MixedCase {
        /// Whose addresses.
        family: Family,
    },
    /// It is a secret, from which what it guards can be taken. Its words never repeat it.
    #[error("this is {what}, not an address: anyone who sees it can take the funds it protects; show it to nobody")]
    Secret {
        /// What it is, with its article.
        what: &'static str,
    },
    /// Something of this chain that is no account.
    #[error("this is {what}, not an account that can be paid; ask the recipient for the address of the account")]
    NotAnAccount {
        /// What it is, with its article.
        what: &'static str,
    },
    /// The checksum is right, and no wallet makes such an address.
    #[error(
        "the checksum is correct, but {family} address of this kind does not exist; ask the recipient for another address"
    )]
    NonexistentKind {
        /// Whose addresses.
        family: Family,
    },
}

impl Address {
    /// Checks an address of a family.
    pub fn check(family: Family, text: &str) -> Result<Self, AddressError> {
        if text.is_empty() {
            return Err(AddressError::Empty);
        }
        if let Some((index, stranger)) = text.chars().enumerate().find(|(_, c)| !c.is_ascii_graphic()) {
            return Err(AddressError::InvalidCharacter { position: index + 1, code: u32::from(stranger) });
        }
        if let Some(what) = detect_secret(text) {
            return Err(AddressError::Secret { what });
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

    /// Whose address it is.
    pub fn family(&self) -> Family {
        self.family
    }

    /// How surely it is free of typing errors.
    pub fn assurance(&self) -> AddressAssurance {
        self.assurance
    }

    /// The address as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The one form in which equal addresses are equal texts: EVM with its checksum, bech32 in small letters, TON
    /// bounceable with its checksum, an X-address without a tag as the classic one, all else as it is.
    pub fn canonical(&self) -> String {
        match self.family {
            Family::Evm => evm::with_checksum(&self.text),
            Family::Bitcoin if bitcoin::is_bech32(&self.text) => self.text.to_ascii_lowercase(),
            Family::Cosmos(_) => self.text.to_ascii_lowercase(),
            Family::Xrp => xrp::to_classic(&self.text).unwrap_or_else(|| self.text.clone()),
            Family::Ton => ton::parts(&self.text).map_or_else(|| self.text.clone(), |parts| parts.canonical()),
            Family::Bitcoin | Family::Solana | Family::Tron | Family::Stellar => self.text.clone(),
        }
    }

    /// The bytes of the account that it names, without prefix, flags, tag and checksum; `None` for EVM and Solana, of
    /// which the text says all, and for what is of no such form.
    pub fn account(&self) -> Option<Vec<u8>> {
        match self.family {
            Family::Bitcoin => bitcoin::account(&self.text),
            Family::Tron => tron::account(&self.text),
            Family::Xrp => xrp::parts(&self.text).map(|parts| parts.account.to_vec()),
            Family::Stellar => stellar::account(&self.text),
            Family::Ton => ton::parts(&self.text).map(|parts| parts.account().to_vec()),
            Family::Cosmos(_) => cosmos::account(&self.text),
            Family::Evm | Family::Solana => None,
        }
    }

    /// The network that it names; `None` for one that may be of any.
    pub fn network(&self) -> Option<Network> {
        match self.family {
            Family::Bitcoin => Some(bitcoin::network(&self.text)),
            Family::Xrp => xrp::parts(&self.text)?.network,
            Family::Ton => ton::parts(&self.text)?.network(),
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

/// An address, contract or hash cut for a column: `0x3f2A…9c1D`, four characters of either end, and two more where it
/// begins as all of its kind do; a long prefix of a chain is left out, as in `…zsau…5z2h`. For the eye alone: other
/// addresses look the same, so nothing is ever paid, compared or searched by it.
pub fn shorten(text: &str) -> String {
    let count = text.chars().count();
    if let Some(data) = cosmos::bech32_data(text)
        && count > 20
        && let (Some(start), Some(end)) = (data.get(..4), data.get(data.len().saturating_sub(4)..))
    {
        return format!("…{start}…{end}");
    }
    let begins = text.starts_with("0x") || bitcoin::is_bech32(text) || ton::parts(text).is_some();
    let head = if begins { 6 } else { 4 };
    if count <= head + 5 {
        return text.to_owned();
    }
    let start = text.chars().take(head);
    let end = text.chars().skip(count - 4);
    start.chain(std::iter::once('…')).chain(end).collect()
}

/// An address in groups of four characters behind its `0x`, if it has one. Nothing is left out.
pub fn groups(text: &str) -> Vec<&str> {
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

/// [`groups`] with a blank between them, for the eye that compares: `0x 3f2A 7b1c …`. It is read back by [`parse_grouped`].
pub fn format_grouped(text: &str) -> String {
    groups(text).join(" ")
}

/// The address that is left of a text with blanks in it, as [`format_grouped`] writes one, once they are taken out; `None` where
/// there are none, and where what is left is no address that is whole and right: then the text stays as it is, and whoever
/// checks it names the blanks.
pub fn parse_grouped(text: &str) -> Option<String> {
    let is_blank = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n');
    let text = text.trim_matches(is_blank);
    let joined: String = text.chars().filter(|c| !is_blank(*c)).collect();
    let is_whole = |kind: AddressKind| kind.family.is_none_or(|family| Address::check(family, &joined).is_ok());
    (text.contains(is_blank) && recognise(&joined).is_some_and(is_whole)).then_some(joined)
}

impl fmt::Display for Family {
    /// With its article, as sentences need it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Evm => "an EVM",
            Self::Solana => "a Solana",
            Self::Tron => "a Tron",
            Self::Bitcoin => "a Bitcoin",
            Self::Xrp => "an XRP",
            Self::Stellar => "a Stellar",
            Self::Ton => "a TON",
            Self::Cosmos(prefix) => cosmos::name(prefix),
        })
    }
}

impl fmt::Display for Address {
    /// A width is honoured, a precision is not: an address is cut by [`shorten`], which says so, or not at all.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pad_uncut(f, &self.text)
    }
}
