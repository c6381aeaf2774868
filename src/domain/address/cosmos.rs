//! Addresses of Cosmos SDK chains: 20 or 32 bytes in bech32. The prefix names the chain: the same bytes with another
//! prefix are an account elsewhere.

use bech32::primitives::decode::CheckedHrpstring;
use bech32::{Bech32, Hrp};

use super::{AddressAssurance, AddressError, Family, bitcoin};

/// The chains' prefixes, each with the name before “address” in messages (see [`recognise`](super::recognise)), and
/// with the text that all addresses of the chain begin with.
pub(super) const CHAIN_PREFIXES: [(&str, &str, &str); 20] = [
    ("cosmos", "a Cosmos", "cosmos1"),
    ("osmo", "an Osmosis", "osmo1"),
    ("inj", "an Injective", "inj1"),
    ("sei", "a Sei", "sei1"),
    ("celestia", "a Celestia", "celestia1"),
    ("kava", "a Kava", "kava1"),
    ("dydx", "a dYdX", "dydx1"),
    ("thor", "a THORChain", "thor1"),
    ("terra", "a Terra", "terra1"),
    ("juno", "a Juno", "juno1"),
    ("axelar", "an Axelar", "axelar1"),
    ("noble", "a Noble", "noble1"),
    ("neutron", "a Neutron", "neutron1"),
    ("akash", "an Akash", "akash1"),
    ("secret", "a Secret", "secret1"),
    ("stars", "a Stargaze", "stars1"),
    ("dym", "a Dymension", "dym1"),
    ("stride", "a Stride", "stride1"),
    ("maya", "a MAYAChain", "maya1"),
    ("evmos", "an Evmos", "evmos1"),
];

pub(super) fn check(prefix: &'static str, text: &str) -> Result<AddressAssurance, AddressError> {
    let family = Family::Cosmos(prefix);
    let lower = text.to_ascii_lowercase();
    if lower != text && text.to_ascii_uppercase() != text {
        return Err(AddressError::MixedCase { family });
    }
    let Some(data) = lower.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('1')) else {
        let chain = CHAIN_PREFIXES.iter().find(|(other, ..)| *other == prefix);
        let prefix = chain.map_or("the prefix of its chain", |(_, _, start)| start);
        // A validator address has the prefix of its chain, too.
        return Err(if lower.split_once('1').is_some_and(|(written, _)| is_validator(written)) {
            AddressError::NotAnAccount { kind: "a validator" }
        } else {
            AddressError::Prefix { family, prefix }
        });
    };
    bitcoin::check_bech32_characters(family, text, text.len() - data.len())?;
    let decoded = CheckedHrpstring::new::<Bech32>(&lower).map_err(|_| AddressError::ChecksumMismatch)?;
    if matches!(decoded.byte_iter().len(), 20 | 32) && decoded.validate_segwit_padding().is_ok() {
        Ok(AddressAssurance::Checksum)
    } else {
        Err(AddressError::NonexistentKind { family })
    }
}

fn is_validator(prefix: &str) -> bool {
    CHAIN_PREFIXES.iter().any(|(zone, ..)| {
        let rest = prefix.strip_prefix(zone).unwrap_or("");
        matches!(rest, "valoper" | "valcons" | "pub" | "valoperpub" | "valconspub")
    })
}

/// The name of a chain's addresses, with its article.
pub(super) fn name_with_article(prefix: &str) -> &'static str {
    CHAIN_PREFIXES.iter().find(|(other, ..)| *other == prefix).map_or("a Cosmos SDK", |(_, name, _)| name)
}

/// The text after the prefix, where a text looks like an address of any of these chains.
pub(super) fn text_after_prefix(text: &str) -> Option<&str> {
    let (prefix, data) = text.split_once('1')?;
    (data.len() >= 38 && CHAIN_PREFIXES.iter().any(|(other, ..)| other.eq_ignore_ascii_case(prefix))).then_some(data)
}

pub(super) fn account_bytes(text: &str) -> Option<Vec<u8>> {
    CheckedHrpstring::new::<Bech32>(text).ok().map(|decoded| decoded.byte_iter().collect())
}

/// The address of 20 bytes with a prefix.
pub fn encode_address(prefix: &str, account: [u8; 20]) -> String {
    // 20 bytes after a prefix of letters always fit, so this cannot fail.
    Hrp::parse(prefix).ok().and_then(|hrp| bech32::encode::<Bech32>(hrp, &account).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
