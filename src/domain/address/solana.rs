//! Addresses of Solana: exactly 32 bytes in base58. They carry no checksum.

use super::{AddressError, Family, Sureness};

/// The longest base58 text of 32 bytes.
const LONGEST: usize = 44;

/// Checks alphabet and length.
pub(super) fn check(text: &str) -> Result<Sureness, AddressError> {
    let family = Family::Solana;
    let alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    if let Some((index, character)) = text.char_indices().find(|(_, c)| !alphabet.contains(*c)) {
        return Err(AddressError::Character { position: index + 1, character, family });
    }
    if text.len() > LONGEST {
        return Err(AddressError::Length { family, expected: "32 to 44 characters", found: text.len() });
    }
    let bytes = bs58::decode(text).into_vec().map_or(0, |bytes| bytes.len());
    if bytes == 32 {
        Ok(Sureness::FormOnly)
    } else {
        Err(AddressError::Length { family, expected: "32 bytes", found: bytes })
    }
}
