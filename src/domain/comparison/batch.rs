//! The same for a batch, of which a service tells one row for all recipients, or one for each.

use super::{Asked, Told, ToldAmount, is_same_address};
use crate::domain::draft::Batch;
use crate::domain::{Amount, Stated, Text, address};

/// Where `teller` tells something else of a batch, or of one of its recipients, than was asked for, in words.
pub fn batch_differences(batch: &Batch, key: Option<uuid::Uuid>, told: &Told, teller: &str) -> Vec<Text> {
    let asked = Asked {
        key: key.map(|key| Text::clean(&key.to_string())),
        wallet: Some(Text::clean(batch.wallet.as_str())),
        chain: Some(batch.blockchain.clone()),
        token: Some(batch.token.clone()),
        reference: batch.ref_id.clone(),
        ..Asked::default()
    };
    let mut found = asked.differences(told, teller);
    if recipient_of(batch, told, |_| true).is_some() {
        return found;
    }
    let whole = Asked {
        amount: batch.sum().map(|sum| Text::clean(&sum.to_string())),
        to: batch.only().cloned(),
        ..Asked::default()
    };
    found.extend(whole.differences(told, teller));
    if let Some(to) = told.to.as_ref().filter(|_| batch.only().is_none())
        && !batch.to.iter().any(|known| is_same_address(&known.address, to.trim()))
    {
        let words = format!("recipient's address: the request names {} others, {teller} {to}", batch.to.len());
        found.push(Text::clean(&words));
    }
    found
}

/// Whether what is told is of all recipients together: it names no single one and no other amount than the sum.
pub fn is_whole(batch: &Batch, told: &Told) -> bool {
    let names_no_other =
        told.to.as_ref().is_none_or(|to| batch.only().is_some_and(|only| address::same(only, to.trim())));
    let is_sum = match &told.amount {
        None => told.to.is_none(),
        Some(ToldAmount::Stated(Stated::Exact(amount))) => {
            batch.sum().is_some_and(|sum| sum.cmp_value(*amount).is_eq())
        }
        Some(_) => false,
    };
    names_no_other && is_sum
}

/// Which recipient of a batch of several is told of, by the address and the exact amount, if one is told; the first of
/// those that are `free`.
pub fn recipient_of(batch: &Batch, told: &Told, free: impl Fn(usize) -> bool) -> Option<usize> {
    let to = told.to.as_ref()?;
    let gets = |written: &str| {
        let Some(amount) = &told.amount else { return true };
        let ToldAmount::Stated(Stated::Exact(amount)) = amount else { return false };
        let digits = written.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        let exact = u8::try_from(digits).ok().and_then(|digits| Amount::parse(written, digits).ok());
        exact.is_some_and(|exact| exact.cmp_value(*amount).is_eq())
    };
    let mut rows = batch.to.iter().enumerate();
    let found = rows.find(|(index, row)| free(*index) && address::same(&row.address, to.trim()) && gets(&row.amount));
    found.filter(|_| batch.to.len() > 1).map(|(index, _)| index)
}
