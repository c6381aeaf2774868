//! Tron addresses: the byte 0x41 and 20 bytes, in base58 with a checksum.

use bs58::Alphabet;

use super::{AddressAssurance, AddressError, Family, base58};

/// The version byte, which makes every address begin with `T`.
const VERSION: u8 = 0x41;

const LENGTH: usize = 34;

pub(super) fn check(text: &str) -> Result<AddressAssurance, AddressError> {
    let family = Family::Tron;
    if !text.starts_with('T') {
        return Err(AddressError::Prefix { family, prefix: "T" });
    }
    base58::check_digits(family, text)?;
    if text.len() != LENGTH {
        return Err(AddressError::Length { family, expected: "34 characters", actual: text.len() });
    }
    let payload = base58::decode_payload(text, Alphabet::BITCOIN).ok_or(AddressError::ChecksumMismatch)?;
    match payload.as_slice() {
        [VERSION, rest @ ..] if rest.len() == 20 => Ok(AddressAssurance::Checksum),
        _ => Err(AddressError::Prefix { family, prefix: "T" }),
    }
}

pub(super) fn account_bytes(text: &str) -> Option<Vec<u8>> {
    base58::decode_payload(text, Alphabet::BITCOIN)?.split_first().map(|(_, account)| account.to_vec())
}

pub fn encode_address(hash: [u8; 20]) -> String {
    base58::encode_with_checksum(&[VERSION], &hash, Alphabet::BITCOIN)
}
