//! Addresses of EVM chains: 20 bytes in hexadecimal, with the EIP-55 checksum in the case of the letters.

use sha3::{Digest, Keccak256};

use super::{AddressAssurance, AddressError, Family};

/// Checks the form and, where cases are mixed, the checksum; all-lower and all-upper have none.
pub(super) fn check(text: &str) -> Result<AddressAssurance, AddressError> {
    let family = Family::Evm;
    let Some(digits) = text.strip_prefix("0x") else {
        return Err(AddressError::Prefix { family, prefix: "0x" });
    };
    if let Some((index, character)) = digits.char_indices().find(|(_, c)| !c.is_ascii_hexdigit()) {
        return Err(AddressError::Character { position: index + 3, character, family });
    }
    if digits.len() != 40 {
        return Err(AddressError::Length { family, expected: "40 digits after 0x", actual: digits.len() });
    }
    let lower = digits.bytes().any(|byte| byte.is_ascii_lowercase());
    let upper = digits.bytes().any(|byte| byte.is_ascii_uppercase());
    if !(lower && upper) {
        return Ok(AddressAssurance::FormOnly);
    }
    // The letters of wrong case do not show where a character was changed: any change alters all of them.
    if with_checksum(text) == text { Ok(AddressAssurance::Checksum) } else { Err(AddressError::ChecksumMismatch) }
}

/// The text after `0x`.
pub fn hex_digits(address: &str) -> &str {
    address.strip_prefix("0x").unwrap_or(address)
}

/// An address of the right form, in the case that its checksum requires.
pub fn with_checksum(address: &str) -> String {
    let digits = hex_digits(address).to_ascii_lowercase();
    let hash = Keccak256::digest(digits.as_bytes());
    let cased = digits.char_indices().map(|(index, digit)| {
        let byte = hash.get(index / 2).copied().unwrap_or(0);
        let nibble = if index % 2 == 0 { byte >> 4 } else { byte & 0x0f };
        if nibble >= 8 { digit.to_ascii_uppercase() } else { digit }
    });
    "0x".chars().chain(cased).collect()
}
