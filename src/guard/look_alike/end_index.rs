//! The look-alike rule for many addresses at once: candidates are looked up by their ends, so that not all pairs are
//! compared.

use std::collections::HashMap;

use super::shared_ends::{BOTH_ENDS_CHARS, MANY_ADDRESSES, ONE_END_CHARS, most_shared_ends};
use super::{
    Finding, GuardedPayment, MAX_SHOWN, Override, RULE, TrustedAddress, count_distinct, judge_against, side_by_side,
    trusted_addresses,
};
use crate::domain::address::{AddressNotation, ComparableAddress};

/// At most this many addresses are compared with one. An address that shares an end with more of them resembles each of
/// them, so the severity does not depend on which are compared.
const MAX_COMPARED: usize = 256;

struct EndIndex {
    /// How many characters at one end alone count; `None` where one end is not considered.
    one_end_chars: Option<usize>,
    by_end: HashMap<(EndKey, Vec<u8>), Vec<usize>>,
}

/// Which end, and whether of the address as written (`true`) or of its canonical notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum EndKey {
    Both(bool),
    Leading(bool),
    Trailing(bool),
}

impl EndIndex {
    fn new(one_end_chars: Option<usize>) -> Self {
        Self { one_end_chars, by_end: HashMap::new() }
    }

    fn insert(&mut self, shape: &ComparableAddress, index: usize) {
        for key in self.keys(shape) {
            self.by_end.entry(key).or_default().push(index);
        }
    }

    /// The ends of an address, in canonical notation and as written; keys of both ends first.
    fn keys(&self, shape: &ComparableAddress) -> Vec<(EndKey, Vec<u8>)> {
        let mut keys = Vec::with_capacity(6);
        let writings: [(bool, &AddressNotation); 2] = [(false, shape.canonical()), (true, shape.as_written())];
        for (is_written, writing) in writings {
            let body = writing.distinctive_part().as_bytes();
            if let Some((leading, trailing)) =
                body.first_chunk::<BOTH_ENDS_CHARS>().zip(body.last_chunk::<BOTH_ENDS_CHARS>())
            {
                keys.push((EndKey::Both(is_written), leading.iter().chain(trailing).copied().collect()));
            }
        }
        for (is_written, writing) in writings {
            let body = writing.distinctive_part().as_bytes();
            let Some(one) = self.one_end_chars.filter(|one| *one <= body.len()) else { continue };
            let (leading, trailing) = (body.get(..one), body.get(body.len() - one..));
            keys.extend(leading.map(|bytes| (EndKey::Leading(is_written), bytes.to_vec())));
            keys.extend(trailing.map(|bytes| (EndKey::Trailing(is_written), bytes.to_vec())));
        }
        keys
    }

    /// The addresses that share an end with this one, including itself if it was inserted.
    fn find(&self, shape: &ComparableAddress) -> Vec<usize> {
        let keys = self.keys(shape);
        let all = keys.iter().filter_map(|key| self.by_end.get(key)).flatten().copied();
        let mut few: Vec<usize> = all.take(4 * MAX_COMPARED).collect();
        let mut indices = std::collections::HashSet::new();
        few.retain(|index| indices.insert(*index));
        few.truncate(MAX_COMPARED);
        // Of equally close addresses the first is named, as in a search through all.
        few.sort_unstable();
        few
    }
}

pub(in crate::guard) struct TrustedIndex<'a> {
    trusted: Vec<TrustedAddress<'a>>,
    count: usize,
    ends: EndIndex,
}

impl<'a> TrustedIndex<'a> {
    /// The trusted addresses around a payment, whoever is paid.
    pub(in crate::guard) fn of(case: &GuardedPayment<'a>) -> Self {
        let trusted = trusted_addresses(case.facts, case.now);
        let count = count_distinct(&trusted);
        let mut ends = EndIndex::new(Some(if count < MANY_ADDRESSES { ONE_END_CHARS.0 } else { ONE_END_CHARS.1 }));
        for (index, trusted_address) in trusted.iter().enumerate() {
            ends.insert(&trusted_address.shape, index);
        }
        Self { trusted, count, ends }
    }

    /// The same finding as [`judge`](super::judge) makes.
    pub(in crate::guard) fn judge(&self, address: &str, shape: &ComparableAddress) -> Option<Finding> {
        let near = self.ends.find(shape);
        judge_against(address, shape, near.into_iter().filter_map(|index| self.trusted.get(index)), self.count)
    }

    #[cfg(test)]
    pub(in crate::guard) fn count_compared(&self, shape: &ComparableAddress) -> usize {
        self.ends.find(shape).len()
    }
}

/// The recipients of a batch, by their ends: two similar ones may be mistaken for each other, and one of them may have
/// been planted for that.
pub(in crate::guard) struct RecipientIndex<'a> {
    rows: Vec<(&'a str, &'a ComparableAddress)>,
    ends: EndIndex,
}

impl<'a> RecipientIndex<'a> {
    /// The recipients in request order, each address with its comparable form.
    pub(in crate::guard) fn of(rows: Vec<(&'a str, &'a ComparableAddress)>) -> Self {
        // Among hundreds of recipients, one shared end occurs by chance.
        let mut ends = EndIndex::new(None);
        for (index, (_, shape)) in rows.iter().enumerate() {
            ends.insert(shape, index);
        }
        Self { rows, ends }
    }

    /// The finding for one recipient; `row_label` gives the location of another one.
    pub(in crate::guard) fn judge(&self, row: usize, row_label: impl Fn(usize) -> String) -> Option<Finding> {
        let (address, shape) = *self.rows.get(row)?;
        let near = self.ends.find(shape).into_iter();
        let mut alike: Vec<_> = near
            .filter_map(|index| {
                let (other, other_shape) = *self.rows.get(index)?;
                let shared = most_shared_ends(shape, other_shape);
                let is_alike = other_shape != shape && shared.are_both_alike();
                is_alike.then_some((shared, index, other, other_shape))
            })
            .collect();
        alike.sort_by_key(|(shared, ..)| std::cmp::Reverse(shared.leading + shared.trailing));
        let (shared, index, ..) = alike.first()?;
        let more = match alike.len() {
            1 => String::new(),
            count => format!(" It is the closest of {count} in this batch."),
        };
        let message = format!(
            "This address begins with the same {} and ends in the same {} characters as that of {}, but is a different one.{more}",
            shared.leading,
            shared.trailing,
            row_label(*index)
        );
        let lines = alike
            .iter()
            .take(MAX_SHOWN)
            .flat_map(|(shared, _, other, other_shape)| side_by_side(address, "another", other, other_shape, *shared));
        Some(Finding::danger(RULE, Override::LookAlike, message).with_lines(lines))
    }

    #[cfg(test)]
    pub(in crate::guard) fn count_compared(&self, row: usize) -> usize {
        self.rows.get(row).map_or(0, |(_, shape)| self.ends.find(shape).len())
    }
}
