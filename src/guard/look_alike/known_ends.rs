//! The look-alike rule for rows of lists. A compact index of ends decides in a few steps whether an address may
//! resemble a known one; only then is it compared in full.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::shared_ends::BOTH_ENDS_CHARS;
use super::{GuardFacts, trusted_addresses};
use crate::domain::address::ComparableAddress;
use crate::domain::{Text, Timestamp};

/// The ends of known addresses, each with a digest of the canonical address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownEnds(Vec<(u64, u64)>);

impl KnownEnds {
    pub fn of(facts: &GuardFacts, now: Timestamp) -> Self {
        Self::from_digests(trusted_addresses(facts, now).iter().flat_map(|address| end_digests(&address.shape)))
    }

    /// The ends of these addresses.
    pub fn of_addresses<'a>(addresses: impl IntoIterator<Item = &'a Text>) -> Self {
        Self::from_digests(addresses.into_iter().flat_map(|address| end_digests(&ComparableAddress::parse(address))))
    }

    fn from_digests(digests: impl Iterator<Item = (u64, u64)>) -> Self {
        let mut ends: Vec<(u64, u64)> = digests.collect();
        ends.sort_unstable();
        ends.dedup();
        ends.shrink_to_fit();
        Self(ends)
    }

    /// Whether an address begins and ends like one of these, or is one of them. Too short an address never does.
    pub fn has_ends_of(&self, address: &str) -> bool {
        end_digests(&ComparableAddress::parse(address)).any(|(ends, _)| self.digests_with_ends(ends).next().is_some())
    }

    /// Whether an address begins and ends like a known address without being it.
    pub fn may_resemble(&self, address: &str) -> bool {
        end_digests(&ComparableAddress::parse(address))
            .any(|(ends, place)| self.digests_with_ends(ends).any(|other| other != place))
    }

    /// The digests of the addresses with these ends.
    fn digests_with_ends(&self, ends: u64) -> impl Iterator<Item = u64> {
        let first = self.0.partition_point(|(digest, _)| *digest < ends);
        let behind = self.0.iter().skip(first);
        behind.take_while(move |(digest, _)| *digest == ends).map(|(_, place)| *place)
    }

    #[cfg(test)]
    pub(in crate::guard) fn count_compared(&self, address: &str) -> usize {
        end_digests(&ComparableAddress::parse(address)).map(|(ends, _)| self.digests_with_ends(ends).count()).sum()
    }
}

impl FromIterator<KnownEnds> for KnownEnds {
    fn from_iter<I: IntoIterator<Item = Self>>(parts: I) -> Self {
        Self::from_digests(parts.into_iter().flat_map(|part| part.0))
    }
}

/// Both ends of an address, in canonical notation and as written, each with the address's digest. Too short an address
/// has none.
fn end_digests(shape: &ComparableAddress) -> impl Iterator<Item = (u64, u64)> + use<> {
    let mut hasher = DefaultHasher::new();
    shape.hash(&mut hasher);
    let place = hasher.finish();
    let ends = [shape.canonical(), shape.as_written()].map(|writing| {
        let body = writing.distinctive_part().as_bytes();
        let (leading, trailing) = body.first_chunk::<BOTH_ENDS_CHARS>().zip(body.last_chunk::<BOTH_ENDS_CHARS>())?;
        Some(leading.iter().chain(trailing).fold(0, |ends, byte| ends << 8 | u64::from(*byte)))
    });
    ends.into_iter().flatten().map(move |ends| (ends, place))
}
