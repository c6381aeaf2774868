//! XRP Ledger addresses: 20 bytes in base58 with its own alphabet and a checksum (classic), or an X-address (XLS-5d),
//! which names the network and may carry a destination tag.

use bs58::Alphabet;

use super::{AddressAssurance, AddressError, Family, base58};
use crate::domain::Network;

/// The version byte of a classic address, which makes its text begin with `r`.
const ACCOUNT: u8 = 0x00;
/// The version bytes of an X-address of the main network (`X…`) and of test networks (`T…`).
const NETWORKS: [([u8; 2], Network); 2] = [([0x05, 0x44], Network::Mainnet), ([0x04, 0x93], Network::Testnet)];
pub(super) const X_LENGTH: usize = 47;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct XrpAddressParts {
    pub(super) account: [u8; 20],
    /// `None` for a classic address, which names no network.
    pub(super) network: Option<Network>,
    pub(super) tag: Option<u32>,
}

/// Checks alphabet, checksum, prefix and, in an X-address, the encoding of its tag.
pub(super) fn check(text: &str) -> Result<AddressAssurance, AddressError> {
    let family = Family::Xrp;
    if !text.starts_with(['r', 'X', 'T']) {
        return Err(AddressError::Prefix { family, prefix: "r (or X, or T on its test network)" });
    }
    // The alphabet has the same characters as Bitcoin's, in another order.
    base58::check_digits(family, text)?;
    let is_classic = text.starts_with('r');
    if is_classic && !(25..=35).contains(&text.len()) {
        return Err(AddressError::Length { family, expected: "25 to 35 characters", actual: text.len() });
    }
    if !is_classic && text.len() != X_LENGTH {
        return Err(AddressError::Length {
            family,
            expected: "47 characters if it starts with X or T",
            actual: text.len(),
        });
    }
    base58::decode_payload(text, Alphabet::RIPPLE).ok_or(AddressError::ChecksumMismatch)?;
    parse_xrp_address(text).map(|_| AddressAssurance::Checksum).ok_or(AddressError::NonexistentKind { family })
}

pub(super) fn parse_xrp_address(text: &str) -> Option<XrpAddressParts> {
    let payload = base58::decode_payload(text, Alphabet::RIPPLE)?;
    if let Some((&ACCOUNT, account)) = payload.split_first().filter(|(_, rest)| rest.len() == 20) {
        return Some(XrpAddressParts { account: account.try_into().ok()?, network: None, tag: None });
    }
    let (prefix, rest) = payload.split_first_chunk::<2>()?;
    let (_, network) = NETWORKS.iter().find(|(other, _)| other == prefix)?;
    let (account, rest) = rest.split_first_chunk::<20>()?;
    // One byte states whether a tag follows; of the tag's eight bytes only the lower half is in use so far.
    let tag = match rest {
        [0, 0, 0, 0, 0, 0, 0, 0, 0] => None,
        [1, tag @ .., 0, 0, 0, 0] => Some(u32::from_le_bytes(tag.try_into().ok()?)),
        _ => return None,
    };
    Some(XrpAddressParts { account: *account, network: Some(*network), tag })
}

pub fn encode_address(account: [u8; 20]) -> String {
    base58::encode_with_checksum(&[ACCOUNT], &account, Alphabet::RIPPLE)
}

/// The classic address of an X-address without a tag; `None` for one with a tag, and for any other text.
pub(super) fn to_classic(text: &str) -> Option<String> {
    let parts = parse_xrp_address(text).filter(|parts| parts.network.is_some() && parts.tag.is_none())?;
    Some(encode_address(parts.account))
}

#[cfg(test)]
mod tests;
