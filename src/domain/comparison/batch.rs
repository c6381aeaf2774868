//! Compares a batch, which a service reports in one row for all recipients, or in one row for each.

use std::collections::HashMap;

use super::{AmountOrText, ReportedPayment, RequestedPayment, is_same_address_or_hex, parse_exact_amount};
use crate::domain::address::{self, ComparableAddress};
use crate::domain::draft::Batch;
use crate::domain::{Amount, ReportedAmount, Text};

/// The recipients of a batch, indexed by address: a history has thousands of rows, and a batch hundreds of recipients.
#[derive(Debug)]
pub struct BatchRecipients<'a> {
    pub(super) batch: &'a Batch,
    /// The indices of each address in the request, in request order.
    indices: HashMap<ComparableAddress, Vec<usize>>,
    /// Each recipient's amount, exactly as written; `None` where it cannot be parsed.
    pub(super) amounts: Vec<Option<Amount>>,
    sum: Option<Amount>,
    /// The address, where all recipients have the same.
    sole_address: Option<&'a Text>,
}

impl<'a> BatchRecipients<'a> {
    pub fn from_batch(batch: &'a Batch) -> Self {
        let mut indices: HashMap<ComparableAddress, Vec<usize>> = HashMap::new();
        for (index, to) in batch.to.iter().enumerate() {
            indices.entry(ComparableAddress::parse(&to.address)).or_default().push(index);
        }
        let amounts = batch.to.iter().map(|to| parse_exact_amount(&to.amount)).collect();
        Self { batch, indices, amounts, sum: batch.total_as_written(), sole_address: batch.sole_recipient_address() }
    }

    /// In words, where the report of `source` differs from the batch or from one of its recipients; `requested` is what all
    /// payments of the batch have in common.
    pub fn differences(&self, requested: &RequestedPayment, reported: &ReportedPayment, source: &str) -> Vec<Text> {
        let batch = self.batch;
        let mut comparison = requested.differences(reported, source);
        comparison
            .extend(reported.list.iter().flat_map(|list| self.differences_of_list(list, requested.decimals, source)));
        if self.find_recipient(reported, |_| true).is_some() {
            return comparison;
        }
        let whole = RequestedPayment {
            decimals: requested.decimals,
            amount: self.sum.map(|sum| Text::clean(&sum.to_string())),
            to: self.sole_address.cloned(),
            ..RequestedPayment::default()
        };
        comparison.extend(whole.differences(reported, source));
        if let Some(to) = reported.to.as_ref().filter(|_| self.sole_address.is_none())
            && !batch.to.iter().any(|recipient| is_same_address_or_hex(&recipient.address, to.trim()))
        {
            let message = format!("recipient's address: the request names {} others, {source} {to}", batch.to.len());
            comparison.push(Text::clean(&message));
        }
        comparison
    }

    /// Whether the report is about all recipients together: it names no single recipient and no other amount than the
    /// sum.
    pub fn is_about_whole_batch(&self, reported: &ReportedPayment) -> bool {
        let names_no_other = reported
            .to
            .as_ref()
            .is_none_or(|to| self.sole_address.is_some_and(|only| address::is_same_address(only, to.trim())));
        let is_sum = match &reported.amount {
            None => reported.to.is_none(),
            Some(AmountOrText::Reported(ReportedAmount::Exact(amount))) => {
                self.sum.is_some_and(|sum| sum.cmp_value(*amount).is_eq())
            }
            Some(_) => false,
        };
        names_no_other && is_sum
    }

    /// The index of the recipient that the report is about, by the address and, if reported, the exact amount; the
    /// first of those that are `free`.
    pub fn find_recipient(&self, reported: &ReportedPayment, free: impl Fn(usize) -> bool) -> Option<usize> {
        let places = self.indices.get(&ComparableAddress::parse(reported.to.as_ref()?.trim()))?;
        let gets = |index: usize| match &reported.amount {
            None => true,
            Some(AmountOrText::Reported(ReportedAmount::Exact(amount))) => {
                self.amounts.get(index).copied().flatten().is_some_and(|gets| gets.cmp_value(*amount).is_eq())
            }
            Some(_) => false,
        };
        let index = places.iter().copied().find(|index| free(*index) && gets(*index));
        index.filter(|_| self.batch.to.len() > 1)
    }
}
