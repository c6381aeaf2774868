//! The same rule for many addresses at once: those that may resemble one are found by their ends, so that not all pairs
//! are compared.

use std::collections::HashMap;

use super::{
    BOTH_ENDS_CHARS, Finding, GuardedPayment, MANY_ADDRESSES, MAX_SHOWN, ONE_END_CHARS, Override, RULE, Trusted,
    count_distinct, judge_among, shared, side_by_side, trusted_addresses,
};
use crate::domain::address::{AddressText, ComparableAddress};

/// So many addresses at most are compared with one. Whoever shares an end with more resembles each of them, so that what
/// is found is as grave whichever are compared.
const MAX_COMPARED: usize = 256;

/// Addresses by their ends.
struct Ends {
    /// How many characters at one end alone count; none where one end says nothing.
    one: Option<usize>,
    by_end: HashMap<(EndKey, Vec<u8>), Vec<usize>>,
}

/// Which characters of which writing of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum EndKey {
    Both(bool),
    Leading(bool),
    Trailing(bool),
}

impl Ends {
    fn new(one: Option<usize>) -> Self {
        Self { one, by_end: HashMap::new() }
    }

    fn insert(&mut self, shape: &ComparableAddress, index: usize) {
        for key in self.keys(shape) {
            self.by_end.entry(key).or_default().push(index);
        }
    }

    /// The ends of an address, by its place and as it is written; those at both ends first.
    fn keys(&self, shape: &ComparableAddress) -> Vec<(EndKey, Vec<u8>)> {
        let mut keys = Vec::with_capacity(6);
        let writings: [(bool, &AddressText); 2] = [(false, shape.canonical()), (true, shape.as_written())];
        for (is_written, writing) in writings {
            let body = writing.body().as_bytes();
            if let Some((leading, trailing)) =
                body.first_chunk::<BOTH_ENDS_CHARS>().zip(body.last_chunk::<BOTH_ENDS_CHARS>())
            {
                keys.push((EndKey::Both(is_written), leading.iter().chain(trailing).copied().collect()));
            }
        }
        for (is_written, writing) in writings {
            let body = writing.body().as_bytes();
            let Some(one) = self.one.filter(|one| *one <= body.len()) else { continue };
            let (leading, trailing) = (body.get(..one), body.get(body.len() - one..));
            keys.extend(leading.map(|bytes| (EndKey::Leading(is_written), bytes.to_vec())));
            keys.extend(trailing.map(|bytes| (EndKey::Trailing(is_written), bytes.to_vec())));
        }
        keys
    }

    /// Those that share an end with an address, itself among them if it was put in.
    fn find(&self, shape: &ComparableAddress) -> Vec<usize> {
        let keys = self.keys(shape);
        let all = keys.iter().filter_map(|key| self.by_end.get(key)).flatten().copied();
        let mut few: Vec<usize> = all.take(4 * MAX_COMPARED).collect();
        let mut seen = std::collections::HashSet::new();
        few.retain(|index| seen.insert(*index));
        few.truncate(MAX_COMPARED);
        // Of equally close ones the first that is known is named, as a search through all would.
        few.sort_unstable();
        few
    }
}

/// Trusted addresses, found by their ends.
pub(in crate::guard) struct Index<'a> {
    trusted: Vec<Trusted<'a>>,
    count: usize,
    ends: Ends,
}

impl<'a> Index<'a> {
    /// What is trusted around a payment, whoever is paid.
    pub(in crate::guard) fn of(case: &GuardedPayment<'a>) -> Self {
        let trusted = trusted_addresses(case.facts, case.now);
        let count = count_distinct(&trusted);
        let mut ends = Ends::new(Some(if count < MANY_ADDRESSES { ONE_END_CHARS.0 } else { ONE_END_CHARS.1 }));
        for (index, known) in trusted.iter().enumerate() {
            ends.insert(&known.shape, index);
        }
        Self { trusted, count, ends }
    }

    /// What is to be said of an address; what [`judge`](super::judge) says.
    pub(in crate::guard) fn judge(&self, address: &str, shape: &ComparableAddress) -> Option<Finding> {
        let near = self.ends.find(shape);
        judge_among(address, shape, near.into_iter().filter_map(|index| self.trusted.get(index)), self.count)
    }

    /// How many trusted addresses are compared with this one.
    #[cfg(test)]
    pub(in crate::guard) fn compared(&self, shape: &ComparableAddress) -> usize {
        self.ends.find(shape).len()
    }
}

/// The recipients of a batch, found by their ends: two of them that look alike are mistaken for each other, and one may
/// have been put there to be.
pub(in crate::guard) struct Rows<'a> {
    rows: Vec<(&'a str, &'a ComparableAddress)>,
    ends: Ends,
}

impl<'a> Rows<'a> {
    /// The recipients in their order, each address with its shape.
    pub(in crate::guard) fn of(rows: Vec<(&'a str, &'a ComparableAddress)>) -> Self {
        // Among hundreds that nobody chose, one end in common comes about by chance.
        let mut ends = Ends::new(None);
        for (index, (_, shape)) in rows.iter().enumerate() {
            ends.insert(shape, index);
        }
        Self { rows, ends }
    }

    /// What is to be said of one of them, where `place` says where another stands.
    pub(in crate::guard) fn judge(&self, row: usize, place: impl Fn(usize) -> String) -> Option<Finding> {
        let (address, shape) = *self.rows.get(row)?;
        let near = self.ends.find(shape).into_iter();
        let mut alike: Vec<_> = near
            .filter_map(|index| {
                let (other, other_shape) = *self.rows.get(index)?;
                let shared = shared(shape, other_shape);
                let is_alike =
                    other_shape != shape && shared.leading >= BOTH_ENDS_CHARS && shared.trailing >= BOTH_ENDS_CHARS;
                is_alike.then_some((shared, index, other, other_shape))
            })
            .collect();
        alike.sort_by_key(|(shared, ..)| std::cmp::Reverse(shared.leading + shared.trailing));
        let (shared, index, ..) = alike.first()?;
        let more = match alike.len() {
            1 => String::new(),
            count => format!(" It is the closest of {count} in this batch."),
        };
        let words = format!(
            "This address begins with the same {} and ends in the same {} characters as that of {}, but is a different one.{more}",
            shared.leading,
            shared.trailing,
            place(*index)
        );
        let lines = alike
            .iter()
            .take(MAX_SHOWN)
            .flat_map(|(shared, _, other, other_shape)| side_by_side(address, "another", other, other_shape, *shared));
        Some(Finding::danger(RULE, Override::LookAlike, words).with_lines(lines))
    }

    /// How many others are compared with this one.
    #[cfg(test)]
    pub(in crate::guard) fn compared(&self, row: usize) -> usize {
        self.rows.get(row).map_or(0, |(_, shape)| self.ends.find(shape).len())
    }
}
