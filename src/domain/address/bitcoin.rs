//! Bitcoin addresses, of the main and the test network: a hash in base58 with a checksum, or a witness program in
//! bech32 (version 0, BIP-173) or bech32m (later versions, BIP-350).

use bech32::primitives::decode::CheckedHrpstring;
use bech32::{Bech32, Bech32m, hrp, segwit};
use bs58::Alphabet;

use super::{AddressAssurance, AddressError, Family, base58};
use crate::domain::Network;

const MAX_BECH32_LENGTH: usize = 90;

const BECH32_DIGITS: &str = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// Checks the form, the checksum, and that the kind of address exists, on either network.
pub(super) fn check(text: &str) -> Result<AddressAssurance, AddressError> {
    let family = Family::Bitcoin;
    let prefix = "bc1, 1 or 3 (tb1, m, n or 2 on its test network)";
    if is_bech32(text) {
        return check_witness(text).map(|()| AddressAssurance::Checksum);
    }
    if !text.starts_with(['1', '3', 'm', 'n', '2']) {
        return Err(AddressError::Prefix { family, prefix });
    }
    base58::check_digits(family, text)?;
    if !(26..=35).contains(&text.len()) {
        return Err(AddressError::Length { family, expected: "26 to 35 characters", actual: text.len() });
    }
    let payload = base58::decode_payload(text, Alphabet::BITCOIN).ok_or(AddressError::ChecksumMismatch)?;
    match (payload.len(), payload.first()) {
        (21, Some(0x00 | 0x05 | 0x6f | 0xc4)) => Ok(AddressAssurance::Checksum),
        _ => Err(AddressError::Prefix { family, prefix }),
    }
}

fn check_witness(text: &str) -> Result<(), AddressError> {
    let family = Family::Bitcoin;
    let one_case = text.to_ascii_lowercase() == text || text.to_ascii_uppercase() == text;
    if !one_case {
        return Err(AddressError::MixedCase { family });
    }
    // Two characters of prefix and a separator come before the data.
    check_bech32_characters(family, text, 3)?;
    if segwit::decode(text).is_ok() {
        return Ok(());
    }
    let summed = CheckedHrpstring::new::<Bech32>(text).is_ok() || CheckedHrpstring::new::<Bech32m>(text).is_ok();
    Err(if summed { AddressError::NonexistentKind { family } } else { AddressError::ChecksumMismatch })
}

pub(super) fn account_bytes(text: &str) -> Option<Vec<u8>> {
    if is_bech32(text) {
        return segwit::decode(text).ok().map(|(_, _, program)| program);
    }
    base58::decode_payload(text, Alphabet::BITCOIN)?.split_first().map(|(_, hash)| hash.to_vec())
}

/// Whether a text is a witness program that no key protects: of version 1 with another length, or of a later version,
/// whose rules the network does not know yet. Anyone may take funds sent there.
pub fn is_anyone_can_spend(text: &str) -> bool {
    let decoded = if is_bech32(text) { segwit::decode(text).ok() } else { None };
    decoded.is_some_and(|(_, version, program)| match version.to_u8() {
        0 => false,
        1 => program.len() != 32,
        _ => true,
    })
}

/// Reports the first character from `from` on that is not in the alphabet, and an overlong text.
pub(super) fn check_bech32_characters(family: Family, text: &str, from: usize) -> Result<(), AddressError> {
    if text.len() > MAX_BECH32_LENGTH {
        return Err(AddressError::Length { family, expected: "at most 90 characters", actual: text.len() });
    }
    let stranger =
        text.char_indices().skip(from).find(|(_, character)| !BECH32_DIGITS.contains(character.to_ascii_lowercase()));
    match stranger {
        Some((index, character)) => Err(AddressError::Character { position: index + 1, character, family }),
        None => Ok(()),
    }
}

/// Whether a text has the form of a witness program; its case is irrelevant then.
pub(super) fn is_bech32(text: &str) -> bool {
    text.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("bc1") || start.eq_ignore_ascii_case("tb1"))
}

pub fn network(address: &str) -> Network {
    match address.as_bytes().first() {
        Some(b'1' | b'3' | b'b' | b'B') => Network::Mainnet,
        _ => Network::Testnet,
    }
}

/// The bech32 address that pays to the hash of a public key (P2WPKH).
pub fn encode_address(hash: [u8; 20], network: Network) -> String {
    let prefix = match network {
        Network::Mainnet => hrp::BC,
        Network::Testnet => hrp::TB,
    };
    // Version 0 accepts programs of 20 bytes, so this cannot fail.
    segwit::encode_v0(prefix, &hash).unwrap_or_default()
}
