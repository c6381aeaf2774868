//! The same for a batch, of which a service tells one row for all recipients, or one for each.

use std::collections::HashMap;

use super::{AmountClaim, ReportedPayment, RequestedPayment, is_same_address, parse_exact};
use crate::domain::address::{self, ComparableAddress};
use crate::domain::draft::Batch;
use crate::domain::{Amount, ReportedAmount, Text};

/// The recipients of a batch, arranged so that what is told of one finds it at once: a history has thousands of rows, and
/// a batch hundreds of recipients.
#[derive(Debug)]
pub struct Recipients<'a> {
    pub(super) batch: &'a Batch,
    /// The places of each address in the request, in their order.
    indices: HashMap<ComparableAddress, Vec<usize>>,
    /// What each gets, exactly as it is written; `None` where that cannot be read.
    pub(super) amounts: Vec<Option<Amount>>,
    /// What all get together.
    sum: Option<Amount>,
    /// The only address, where there is no other.
    sole_address: Option<&'a Text>,
}

impl<'a> Recipients<'a> {
    /// Those of a batch.
    pub fn from_batch(batch: &'a Batch) -> Self {
        let mut indices: HashMap<ComparableAddress, Vec<usize>> = HashMap::new();
        for (index, to) in batch.to.iter().enumerate() {
            indices.entry(ComparableAddress::parse(&to.address)).or_default().push(index);
        }
        let amounts = batch.to.iter().map(|to| parse_exact(&to.amount)).collect();
        Self { batch, indices, amounts, sum: batch.sum(), sole_address: batch.sole_recipient() }
    }

    /// Where `teller` tells something else of the batch, or of one of its recipients, than was asked for, in words: `asked`
    /// is what all of its payments have in common.
    pub fn differences(&self, asked: &RequestedPayment, told: &ReportedPayment, teller: &str) -> Vec<Text> {
        let batch = self.batch;
        let mut found = asked.differences(told, teller);
        found.extend(told.list.iter().flat_map(|list| self.differences_of_list(list, asked.decimals, teller)));
        if self.find(told, |_| true).is_some() {
            return found;
        }
        let whole = RequestedPayment {
            decimals: asked.decimals,
            amount: self.sum.map(|sum| Text::clean(&sum.to_string())),
            to: self.sole_address.cloned(),
            ..RequestedPayment::default()
        };
        found.extend(whole.differences(told, teller));
        if let Some(to) = told.to.as_ref().filter(|_| self.sole_address.is_none())
            && !batch.to.iter().any(|known| is_same_address(&known.address, to.trim()))
        {
            let words = format!("recipient's address: the request names {} others, {teller} {to}", batch.to.len());
            found.push(Text::clean(&words));
        }
        found
    }

    /// Whether what is told is of all recipients together: it names no single one and no other amount than the sum.
    pub fn covers_all(&self, told: &ReportedPayment) -> bool {
        let names_no_other = told
            .to
            .as_ref()
            .is_none_or(|to| self.sole_address.is_some_and(|only| address::is_same_address(only, to.trim())));
        let is_sum = match &told.amount {
            None => told.to.is_none(),
            Some(AmountClaim::Reported(ReportedAmount::Exact(amount))) => {
                self.sum.is_some_and(|sum| sum.cmp_value(*amount).is_eq())
            }
            Some(_) => false,
        };
        names_no_other && is_sum
    }

    /// Which recipient of several is told of, by the address and the exact amount, if one is told; the first of those that
    /// are `free`.
    pub fn find(&self, told: &ReportedPayment, free: impl Fn(usize) -> bool) -> Option<usize> {
        let places = self.indices.get(&ComparableAddress::parse(told.to.as_ref()?.trim()))?;
        let gets = |index: usize| match &told.amount {
            None => true,
            Some(AmountClaim::Reported(ReportedAmount::Exact(amount))) => {
                self.amounts.get(index).copied().flatten().is_some_and(|gets| gets.cmp_value(*amount).is_eq())
            }
            Some(_) => false,
        };
        let found = places.iter().copied().find(|index| free(*index) && gets(*index));
        found.filter(|_| self.batch.to.len() > 1)
    }
}
