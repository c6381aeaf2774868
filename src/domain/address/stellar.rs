//! Stellar addresses by SEP-23: a version, 32 bytes and a checksum in base32 (`G…`), or a multiplexed address with an
//! identifier as well (`M…`).

use crc::{CRC_16_XMODEM, Crc};
use data_encoding::BASE32_NOPAD;

use super::{AddressAssurance, AddressError, Family};

const CHECKSUM: Crc<u16> = Crc::<u16>::new(&CRC_16_XMODEM);

/// The version of an account's key.
const ACCOUNT: u8 = 6 << 3;
/// The version of an account's key with an identifier of eight bytes.
const MUXED: u8 = 12 << 3;
const SEED: u8 = 18 << 3;

/// Other strkeys: version, number of bytes (`None` where it varies), and the kind.
const NON_ACCOUNT_KINDS: [(u8, Option<usize>, &str); 7] = [
    (2 << 3, Some(32), "a Stellar contract"),
    (SEED, Some(32), "a Stellar secret seed"),
    (19 << 3, Some(32), "a Stellar transaction signer"),
    (23 << 3, Some(32), "a Stellar hash signer"),
    (15 << 3, None, "a Stellar payload signer"),
    (11 << 3, Some(32), "a Stellar liquidity pool"),
    (1 << 3, Some(33), "a Stellar claimable balance"),
];

pub(super) fn check(text: &str) -> Result<AddressAssurance, AddressError> {
    let family = Family::Stellar;
    if let Some(account_kind) = non_account_kind(text) {
        return Err(AddressError::NotAnAccount { kind: account_kind });
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
        return Err(AddressError::Length { family, expected, actual: text.len() });
    }
    let (version, key) = decode(text).ok_or(AddressError::ChecksumMismatch)?;
    match (version, key.len()) {
        (ACCOUNT, 32) | (MUXED, 40) => Ok(AddressAssurance::Checksum),
        _ => Err(AddressError::NonexistentKind { family }),
    }
}

/// The version and the bytes after it; `None` where the encoding or the checksum is wrong.
fn decode(text: &str) -> Option<(u8, Vec<u8>)> {
    // No strkey is longer: a payload signer carries 64 bytes at most.
    if text.len() > 165 {
        return None;
    }
    // The decoder rejects padding, impossible lengths and leftover bits, as SEP-23 requires.
    let bytes = BASE32_NOPAD.decode(text.as_bytes()).ok()?;
    let (version_and_key, checksum) = bytes.split_last_chunk::<2>()?;
    let (version, key) = version_and_key.split_first()?;
    (CHECKSUM.checksum(version_and_key) == u16::from_le_bytes(*checksum)).then(|| (*version, key.to_vec()))
}

/// The key of an account, without a multiplexed address's identifier.
pub(super) fn account_bytes(text: &str) -> Option<Vec<u8>> {
    let (_, key) = decode(text).filter(|(version, _)| matches!(*version, ACCOUNT | MUXED))?;
    key.get(..32).map(<[u8]>::to_vec)
}

/// The kind of a strkey that is no account.
pub(super) fn non_account_kind(text: &str) -> Option<&'static str> {
    let (version, key) = decode(text)?;
    let account_kind = NON_ACCOUNT_KINDS
        .iter()
        .find(|(other, length, _)| *other == version && length.is_none_or(|it| it == key.len()));
    account_kind.map(|(_, _, description)| *description)
}

/// Whether a text is a secret seed, which gives access to its account's funds.
pub(super) fn is_seed(text: &str) -> bool {
    decode(text).is_some_and(|(version, key)| version == SEED && key.len() == 32)
}

pub fn encode_address(key: [u8; 32]) -> String {
    let version_and_key = [&[ACCOUNT], key.as_slice()].concat();
    let checksum = CHECKSUM.checksum(&version_and_key).to_le_bytes();
    BASE32_NOPAD.encode(&[version_and_key.as_slice(), &checksum].concat())
}

#[cfg(test)]
mod tests;
