//! How much two addresses resemble each other: the characters that they share at their ends, and from how many on it
//! counts.

use crate::domain::address::{AddressNotation, ComparableAddress};

/// This many shared characters at both ends are a danger.
pub(super) const BOTH_ENDS_CHARS: usize = 3;
/// This many at one end alone are a caution, among few trusted addresses and among many.
pub(super) const ONE_END_CHARS: (usize, usize) = (4, 5);
/// From this many trusted addresses on, they count as many.
pub(super) const MANY_ADDRESSES: usize = 200;
/// How many characters two addresses share at either end, after their kind's fixed prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SharedEnds {
    pub(super) leading: usize,
    pub(super) trailing: usize,
}

/// An address may be written in several notations: a reader compares two addresses as they are written, or in the
/// canonical notation of both.
pub(super) fn most_shared_ends(one: &ComparableAddress, other: &ComparableAddress) -> SharedEnds {
    let of_places = shared_ends(one.canonical(), other.canonical());
    let of_writings = shared_ends(one.as_written(), other.as_written());
    let likeness = |shared: &SharedEnds| (shared.likeness(0), shared.leading + shared.trailing);
    if likeness(&of_writings) > likeness(&of_places) { of_writings } else { of_places }
}

fn shared_ends(one: &AddressNotation, other: &AddressNotation) -> SharedEnds {
    let (one, other) = (one.distinctive_part().as_bytes(), other.distinctive_part().as_bytes());
    // Nearly all of thousands of pairs differ at once.
    if one.first() != other.first() && one.last() != other.last() {
        return SharedEnds { leading: 0, trailing: 0 };
    }
    let leading = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let trailing = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    SharedEnds { leading, trailing }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    OneEnd,
    BothEnds,
}

impl SharedEnds {
    pub(super) fn are_both_alike(self) -> bool {
        self.leading >= BOTH_ENDS_CHARS && self.trailing >= BOTH_ENDS_CHARS
    }

    pub(super) fn likeness(self, trusted: usize) -> Option<Likeness> {
        let one = if trusted < MANY_ADDRESSES { ONE_END_CHARS.0 } else { ONE_END_CHARS.1 };
        if self.are_both_alike() {
            Some(Likeness::BothEnds)
        } else {
            (self.leading >= one || self.trailing >= one).then_some(Likeness::OneEnd)
        }
    }
}
