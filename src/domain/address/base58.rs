//! Base58 texts, with or without a checksum of four bytes.

use bs58::Alphabet;
use sha2::{Digest, Sha256};

use super::{AddressError, Family};

/// The base58 digits of most families, in Bitcoin's order, which not all of them share; characters that are easily
/// confused are left out.
const BASE58_DIGITS: &str = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// No base58 address with a checksum is longer. Decoding takes time quadratic in the length.
const MAX_LENGTH: usize = 64;

/// Reports the first character that is no digit.
pub(super) fn check_digits(family: Family, text: &str) -> Result<(), AddressError> {
    match text.char_indices().find(|(_, character)| !BASE58_DIGITS.contains(*character)) {
        Some((index, character)) => Err(AddressError::Character { position: index + 1, character, family }),
        None => Ok(()),
    }
}

/// The bytes before the checksum; `None` if the checksum is wrong.
pub(super) fn decode_payload(text: &str, alphabet: &Alphabet) -> Option<Vec<u8>> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let bytes = bs58::decode(text).with_alphabet(alphabet).into_vec().ok()?;
    let (payload, checksum) = bytes.split_last_chunk::<4>()?;
    double_sha256(payload).starts_with(checksum).then(|| payload.to_vec())
}

/// Encodes a version and the bytes after it, with their checksum.
pub(super) fn encode_with_checksum(version: &[u8], rest: &[u8], alphabet: &Alphabet) -> String {
    let payload = [version, rest].concat();
    let checksum: Vec<u8> = double_sha256(&payload).into_iter().take(4).collect();
    bs58::encode([payload, checksum].concat()).with_alphabet(alphabet).into_string()
}

fn double_sha256(payload: &[u8]) -> [u8; 32] {
    Sha256::digest(Sha256::digest(payload)).into()
}
