//! Which characters of an address are to be typed before it is paid for the first time.

use std::ops::Range;

use sha2::{Digest, Sha256};

use crate::domain::address::{Shape, groups};

/// How many characters at either end are never asked for: an address made to be taken for another shares those.
const ENDS: usize = 6;

/// The bytes of the address that the operator types: one of the groups in which [`groups`] shows it, four characters
/// from its middle. Which one follows from the address, however its letters are cased, and cannot be told by whoever
/// knows only its ends. Of an address too short for that, all of it.
pub fn middle(address: &str) -> Range<usize> {
    let fixed = Shape::of(address).text().len() - Shape::of(address).body().len();
    let mut at = 0;
    let inner: Vec<Range<usize>> = groups(address)
        .into_iter()
        .map(|group| {
            let range = at..at + group.len();
            at = range.end;
            range
        })
        .filter(|range| range.start >= fixed + ENDS && range.end + ENDS <= address.len() && range.len() >= 4)
        .collect();
    let digest = Sha256::digest(Shape::of(address).text());
    let pick = digest.first_chunk::<4>().map_or(0, |bytes| u32::from_be_bytes(*bytes));
    let nth = usize::try_from(pick).unwrap_or(0).checked_rem(inner.len());
    nth.and_then(|nth| inner.get(nth).cloned()).unwrap_or(0..address.len())
}
