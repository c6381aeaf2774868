//! Addresses of Stellar, as SEP-23 writes them: a version, 32 bytes and a checksum in base32 (`G…`), or a multiplexed
//! one that carries an identifier besides (`M…`).

use crc::{CRC_16_XMODEM, Crc};
use data_encoding::BASE32_NOPAD;

use super::{AddressAssurance, AddressError, Family};

const CHECKSUM: Crc<u16> = Crc::<u16>::new(&CRC_16_XMODEM);

/// An account's own key.
const ACCOUNT: u8 = 6 << 3;
/// An account's key, and an identifier of eight bytes behind it.
const MUXED: u8 = 12 << 3;
/// A secret seed.
const SEED: u8 = 18 << 3;

/// What else is written so: version, how many bytes follow (none where that differs), and what it is.
const NON_ACCOUNT_KINDS: [(u8, Option<usize>, &str); 7] = [
    (2 << 3, Some(32), "a Stellar contract"),
    (SEED, Some(32), "a Stellar secret seed"),
    (19 << 3, Some(32), "a Stellar transaction signer"),
    (23 << 3, Some(32), "a Stellar hash signer"),
    (15 << 3, None, "a Stellar payload signer"),
    (11 << 3, Some(32), "a Stellar liquidity pool"),
    (1 << 3, Some(33), "a Stellar claimable balance"),
];

/// Checks alphabet, length, checksum and kind.
pub(super) fn check(text: &str) -> Result<AddressAssurance, AddressError> {
    let family = Family::Stellar;
    if let Some(what) = non_account_kind(text) {
        return Err(AddressError::NotAnAccount { what });
    }
    if !text.starts_with(['G', 'M']) {
        return Err(AddressError::Prefix { family, prefix: "G (or M)" });
    }
    let stranger = text.char_indices().find(|(_, c)| !matches!(c, 'A'..='Z' | '2'..='7'));
    if let Some((index, character)) = stranger {
        return Err(AddressError::Character { position: index + 1, character, family });
    }
    let (length, expected) =
        if text.starts_with('G') { (56, "56 characters") } else { (69, "69 characters if it starts with M") };
    if text.len() != length {
        return Err(AddressError::Length { family, expected, found: text.len() });
    }
    let (version, key) = decode(text).ok_or(AddressError::ChecksumMismatch)?;
    match (version, key.len()) {
        (ACCOUNT, 32) | (MUXED, 40) => Ok(AddressAssurance::Checksum),
        _ => Err(AddressError::NonexistentKind { family }),
    }
}

/// Version and what follows it; `None` where the writing or the checksum is wrong.
fn decode(text: &str) -> Option<(u8, Vec<u8>)> {
    // No strkey is longer: a payload signer carries 64 bytes at most.
    if text.len() > 165 {
        return None;
    }
    // The decoder refuses padding, impossible lengths and bits left over, as SEP-23 asks.
    let bytes = BASE32_NOPAD.decode(text.as_bytes()).ok()?;
    let (told, checksum) = bytes.split_last_chunk::<2>()?;
    let (version, key) = told.split_first()?;
    (CHECKSUM.checksum(told) == u16::from_le_bytes(*checksum)).then(|| (*version, key.to_vec()))
}

/// The key of an account, without the identifier that a multiplexed address carries besides.
pub(super) fn account(text: &str) -> Option<Vec<u8>> {
    let (_, key) = decode(text).filter(|(version, _)| matches!(*version, ACCOUNT | MUXED))?;
    key.get(..32).map(<[u8]>::to_vec)
}

/// What a strkey is that is no account.
pub(super) fn non_account_kind(text: &str) -> Option<&'static str> {
    let (version, key) = decode(text)?;
    let found = NON_ACCOUNT_KINDS
        .iter()
        .find(|(known, length, _)| *known == version && length.is_none_or(|it| it == key.len()));
    found.map(|(_, _, what)| *what)
}

/// Whether a text is a secret seed, from which its account can be emptied.
pub(super) fn is_seed(text: &str) -> bool {
    decode(text).is_some_and(|(version, key)| version == SEED && key.len() == 32)
}

/// The address of a key.
pub fn address_of(key: [u8; 32]) -> String {
    let told = [&[ACCOUNT], key.as_slice()].concat();
    let checksum = CHECKSUM.checksum(&told).to_le_bytes();
    BASE32_NOPAD.encode(&[told.as_slice(), &checksum].concat())
}

#[cfg(test)]
mod tests;
