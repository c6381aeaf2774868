//! TON addresses: a workchain and 32 bytes, either raw (`0:…` in hexadecimal) or user-friendly: with flags and a
//! checksum, in either base64 alphabet.

use crc::{CRC_16_XMODEM, Crc};
use data_encoding::{BASE64, BASE64URL};

use super::{AddressAssurance, AddressError, Family};
use crate::domain::Network;

const CHECKSUM: Crc<u16> = Crc::<u16>::new(&CRC_16_XMODEM);

/// The flags of an address: whether a transfer that nothing accepts there bounces back.
const BOUNCEABLE: u8 = 0x11;
const NOT_BOUNCEABLE: u8 = 0x51;
/// Added to either flag where the address is for test networks only.
const TEST_ONLY: u8 = 0x80;

/// The length of a user-friendly address.
pub(super) const LENGTH: usize = 48;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TonAddressParts {
    workchain: i8,
    account: [u8; 32],
    /// `None` for a raw address.
    flags: Option<u8>,
}

/// Checks the form and, where there is one, the checksum.
pub(super) fn check(text: &str) -> Result<AddressAssurance, AddressError> {
    let family = Family::Ton;
    if text.contains(':') {
        return check_raw(text).map(|()| AddressAssurance::FormOnly);
    }
    let stranger = text.char_indices().find(|(_, c)| !(c.is_ascii_alphanumeric() || "+/-_".contains(*c)));
    if let Some((index, character)) = stranger {
        return Err(AddressError::Character { position: index + 1, character, family });
    }
    if text.len() != LENGTH {
        return Err(AddressError::Length { family, expected: "48 characters", actual: text.len() });
    }
    let bytes = decode_payload(text).ok_or(AddressError::ChecksumMismatch)?;
    parse_payload(&bytes).map(|_| AddressAssurance::Checksum).ok_or(AddressError::NonexistentKind { family })
}

fn check_raw(text: &str) -> Result<(), AddressError> {
    let family = Family::Ton;
    let Some((workchain @ ("0" | "-1"), digits)) = text.split_once(':') else {
        return Err(AddressError::Prefix { family, prefix: "0: or -1: in raw form" });
    };
    if let Some((index, character)) = digits.char_indices().find(|(_, c)| !c.is_ascii_hexdigit()) {
        return Err(AddressError::Character { position: workchain.len() + index + 2, character, family });
    }
    if digits.len() != 64 {
        return Err(AddressError::Length { family, expected: "64 digits in raw form", actual: digits.len() });
    }
    Ok(())
}

/// The 34 bytes before the checksum; `None` where the checksum or the encoding is wrong.
fn decode_payload(text: &str) -> Option<Vec<u8>> {
    if text.len() != LENGTH {
        return None;
    }
    // No encoder mixes the two alphabets.
    let bytes = BASE64URL.decode(text.as_bytes()).or_else(|_| BASE64.decode(text.as_bytes())).ok()?;
    let (payload, checksum) = bytes.split_last_chunk::<2>()?;
    (CHECKSUM.checksum(payload) == u16::from_be_bytes(*checksum)).then(|| payload.to_vec())
}

fn parse_payload(payload: &[u8]) -> Option<TonAddressParts> {
    let [flags, workchain, account @ ..] = payload else { return None };
    if !matches!(*flags & !TEST_ONLY, BOUNCEABLE | NOT_BOUNCEABLE) {
        return None;
    }
    let workchain = match workchain {
        0 => 0,
        0xff => -1,
        _ => return None,
    };
    Some(TonAddressParts { workchain, account: account.try_into().ok()?, flags: Some(*flags) })
}

pub(super) fn parse_ton_address(text: &str) -> Option<TonAddressParts> {
    if check_raw(text).is_ok() {
        let (workchain, digits) = text.split_once(':')?;
        let account = hex::decode(digits).ok()?.try_into().ok()?;
        return Some(TonAddressParts { workchain: workchain.parse().ok()?, account, flags: None });
    }
    parse_payload(&decode_payload(text)?)
}

impl TonAddressParts {
    /// The network that the address states: the flag can only mean test networks, never the main network.
    pub(super) fn network(&self) -> Option<Network> {
        self.flags.is_some_and(|flags| flags & TEST_ONLY != 0).then_some(Network::Testnet)
    }

    /// The account within its workchain.
    pub(super) fn account(&self) -> &[u8; 32] {
        &self.account
    }

    /// The one notation that all others are converted to: bounceable, for any network, in the URL-safe alphabet.
    pub(super) fn canonical(&self) -> String {
        encode_parts(BOUNCEABLE, self.workchain, &self.account)
    }
}

/// Whether an address is in the masterchain, the validators' workchain with the system's contracts and hardly any
/// wallets.
pub fn is_masterchain(text: &str) -> bool {
    parse_ton_address(text).is_some_and(|parts| parts.workchain == -1)
}

fn encode_parts(flags: u8, workchain: i8, account: &[u8; 32]) -> String {
    let payload = [&[flags, workchain.cast_unsigned()], account.as_slice()].concat();
    let checksum = CHECKSUM.checksum(&payload).to_be_bytes();
    BASE64URL.encode(&[payload.as_slice(), &checksum].concat())
}

/// The canonical address of an account in the basechain, the workchain of all wallets.
pub fn encode_address(account: [u8; 32]) -> String {
    encode_parts(BOUNCEABLE, 0, &account)
}

#[cfg(test)]
mod tests;
