//! The same rule for many addresses at once: those that may resemble one are found by their ends, so that not all pairs
//! are compared.

use std::collections::HashMap;

use super::{
    BOTH, Case, Finding, MANY, ONE, Override, RULE, SHOWN, Trusted, among, different, shared, side_by_side, trusted,
};
use crate::domain::address::{Shape, Writing};

/// So many addresses at most are compared with one. Whoever shares an end with more resembles each of them, so that what
/// is found is as grave whichever are compared.
const COMPARED: usize = 256;

/// Addresses by their ends.
struct Ends {
    /// How many characters at one end alone count; none where one end says nothing.
    one: Option<usize>,
    found: HashMap<(Way, Vec<u8>), Vec<usize>>,
}

/// Which characters of which writing of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Way {
    Both(bool),
    Leading(bool),
    Trailing(bool),
}

impl Ends {
    fn new(one: Option<usize>) -> Self {
        Self { one, found: HashMap::new() }
    }

    fn put(&mut self, shape: &Shape, index: usize) {
        for key in self.keys(shape) {
            self.found.entry(key).or_default().push(index);
        }
    }

    /// The ends of an address, by its place and as it is written; those at both ends first.
    fn keys(&self, shape: &Shape) -> Vec<(Way, Vec<u8>)> {
        let mut keys = Vec::with_capacity(6);
        let writings: [(bool, &Writing); 2] = [(false, shape.place()), (true, shape.written())];
        for (is_written, writing) in writings {
            let body = writing.body().as_bytes();
            if let Some((leading, trailing)) = body.first_chunk::<BOTH>().zip(body.last_chunk::<BOTH>()) {
                keys.push((Way::Both(is_written), leading.iter().chain(trailing).copied().collect()));
            }
        }
        for (is_written, writing) in writings {
            let body = writing.body().as_bytes();
            let Some(one) = self.one.filter(|one| *one <= body.len()) else { continue };
            let (leading, trailing) = (body.get(..one), body.get(body.len() - one..));
            keys.extend(leading.map(|bytes| (Way::Leading(is_written), bytes.to_vec())));
            keys.extend(trailing.map(|bytes| (Way::Trailing(is_written), bytes.to_vec())));
        }
        keys
    }

    /// Those that share an end with an address, itself among them if it was put in.
    fn of(&self, shape: &Shape) -> Vec<usize> {
        let keys = self.keys(shape);
        let all = keys.iter().filter_map(|key| self.found.get(key)).flatten().copied();
        let mut few: Vec<usize> = all.take(4 * COMPARED).collect();
        let mut seen = std::collections::HashSet::new();
        few.retain(|index| seen.insert(*index));
        few.truncate(COMPARED);
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
    pub(in crate::guard) fn of(case: &Case<'a>) -> Self {
        let trusted = trusted(case.known, case.now);
        let count = different(&trusted);
        let mut ends = Ends::new(Some(if count < MANY { ONE.0 } else { ONE.1 }));
        for (index, known) in trusted.iter().enumerate() {
            ends.put(&known.shape, index);
        }
        Self { trusted, count, ends }
    }

    /// What is to be said of an address; what [`judge`](super::judge) says.
    pub(in crate::guard) fn judge(&self, address: &str, shape: &Shape) -> Option<Finding> {
        let near = self.ends.of(shape);
        among(address, shape, near.into_iter().filter_map(|index| self.trusted.get(index)), self.count)
    }

    /// How many trusted addresses are compared with this one.
    #[cfg(test)]
    pub(in crate::guard) fn compared(&self, shape: &Shape) -> usize {
        self.ends.of(shape).len()
    }
}

/// The recipients of a batch, found by their ends: two of them that look alike are mistaken for each other, and one may
/// have been put there to be.
pub(in crate::guard) struct Rows<'a> {
    rows: Vec<(&'a str, &'a Shape)>,
    ends: Ends,
}

impl<'a> Rows<'a> {
    /// The recipients in their order, each address with its shape.
    pub(in crate::guard) fn of(rows: Vec<(&'a str, &'a Shape)>) -> Self {
        // Among hundreds that nobody chose, one end in common comes about by chance.
        let mut ends = Ends::new(None);
        for (index, (_, shape)) in rows.iter().enumerate() {
            ends.put(shape, index);
        }
        Self { rows, ends }
    }

    /// What is to be said of one of them, where `place` says where another stands.
    pub(in crate::guard) fn judge(&self, row: usize, place: impl Fn(usize) -> String) -> Option<Finding> {
        let (address, shape) = *self.rows.get(row)?;
        let near = self.ends.of(shape).into_iter();
        let mut alike: Vec<_> = near
            .filter_map(|index| {
                let (other, other_shape) = *self.rows.get(index)?;
                let shared = shared(shape, other_shape);
                let is_alike = other_shape != shape && shared.leading >= BOTH && shared.trailing >= BOTH;
                is_alike.then_some((shared, index, other, other_shape))
            })
            .collect();
        alike.sort_by_key(|(shared, ..)| std::cmp::Reverse(shared.leading + shared.trailing));
        let (shared, index, ..) = alike.first()?;
        let more = match alike.len() {
            1 => String::new(),
            count => format!(" It is the closest of {count} here."),
        };
        let words = format!(
            "This address begins with the same {} and ends in the same {} characters as that of {}, and is not it.{more}",
            shared.leading,
            shared.trailing,
            place(*index)
        );
        let lines = alike
            .iter()
            .take(SHOWN)
            .flat_map(|(shared, _, other, other_shape)| side_by_side(address, "another", other, other_shape, *shared));
        Some(Finding::danger(RULE, Override::LookAlike, words).with(lines))
    }

    /// How many others are compared with this one.
    #[cfg(test)]
    pub(in crate::guard) fn compared(&self, row: usize) -> usize {
        self.rows.get(row).map_or(0, |(_, shape)| self.ends.of(shape).len())
    }
}
