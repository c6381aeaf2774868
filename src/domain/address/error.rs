//! Why a text is not an address that can be paid.

use super::Family;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    #[error("an address is missing")]
    Empty,
    /// A character that no address contains, named so that an invisible one is noticed too.
    #[error("character {position} is U+{code:04X}, which no address contains; copy the address again from its source")]
    InvalidCharacter {
        /// Counted from 1.
        position: usize,
        code: u32,
    },
    #[error("“{character}” at character {position} does not belong in {family} address")]
    Character {
        /// Counted from 1.
        position: usize,
        character: char,
        family: Family,
    },
    #[error("{family} address starts with {prefix}")]
    Prefix { family: Family, prefix: &'static str },
    #[error("{family} address has {expected}, this one has {actual}")]
    Length {
        family: Family,
        expected: &'static str,
        /// The actual length, in the same unit.
        actual: usize,
    },
    /// A wrong checksum. It does not show where the error is.
    #[error("the checksum does not match: a character was changed, left out or added; copy the address again")]
    ChecksumMismatch,
    #[error("{family} address of this kind is all upper case or all lower case; copy the address again")]
    MixedCase { family: Family },
    /// A secret that gives access to funds. The message never repeats it.
    #[error("this is {kind}, not an address: anyone who sees it can take the funds it protects; show it to nobody")]
    Secret {
        /// The kind of secret, with its article.
        kind: &'static str,
    },
    #[error("this is {kind}, not an account that can be paid; ask the recipient for the address of the account")]
    NotAnAccount {
        /// What it is, with its article.
        kind: &'static str,
    },
    /// The checksum is right, but no wallet makes such an address.
    #[error(
        "the checksum is correct, but {family} address of this kind does not exist; ask the recipient for another address"
    )]
    NonexistentKind { family: Family },
}
