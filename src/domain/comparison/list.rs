//! Compares the list of recipients that the answer to a batch may repeat: every recipient of the request must be listed
//! exactly once, in any order, and nobody else.

use super::fee::exact_amount_of_claim;
use super::{AmountOrText, BatchRecipients, is_same_address_or_hex};
use crate::domain::{ReportedAmount, Text};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportedRecipientList {
    Recipients(Vec<ReportedRecipient>),
    /// A value that is no list.
    Unparsed(Text),
}

/// A batch's recipient as a service reports it; an absent field is no difference.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportedRecipient {
    pub to: Option<Text>,
    pub amount: Option<AmountOrText>,
}

const MAX_LISTED_DIFFERENCES: usize = 5;

impl BatchRecipients<'_> {
    /// In words, where the reported list differs from the request.
    pub(super) fn differences_of_list(
        &self,
        list: &ReportedRecipientList,
        decimals: Option<u8>,
        source: &str,
    ) -> Vec<Text> {
        let to = &self.batch.to;
        let entries = match list {
            ReportedRecipientList::Recipients(entries) => entries,
            ReportedRecipientList::Unparsed(unparsed) => {
                let difference = format!("recipients: the request names {}, {source} says {unparsed}", to.len());
                return vec![Text::clean(&difference)];
            }
        };
        if entries.len() / 2 > to.len() {
            let difference = format!("recipients: the request names {}, {source} {}", to.len(), entries.len());
            return vec![Text::clean(&difference)];
        }
        let mut free = vec![true; to.len()];
        let is_to = |entry: &ReportedRecipient, index: usize| {
            let requested_address = to.get(index).map(|recipient| &recipient.address);
            entry.to.as_ref().zip(requested_address).is_none_or(|(reported_address, requested_address)| {
                is_same_address_or_hex(requested_address, reported_address.trim())
            })
        };
        let gets = |entry: &ReportedRecipient, index: usize| {
            let Some(claim) = &entry.amount else { return true };
            let amounts = exact_amount_of_claim(Some(claim), decimals).zip(self.amounts.get(index).copied().flatten());
            amounts.is_some_and(|(reported_amount, requested)| requested.cmp_value(reported_amount).is_eq())
        };
        // The most specific entries are matched first: less specific ones may be any of the other recipients.
        let mut sorted: Vec<&ReportedRecipient> = entries.iter().collect();
        sorted.sort_by_key(|entry| (entry.to.is_none(), entry.amount.is_none()));
        let mut take = |is: &dyn Fn(usize) -> bool| {
            let index = (0..to.len()).find(|index| free.get(*index) == Some(&true) && is(*index))?;
            if let Some(place) = free.get_mut(index) {
                *place = false;
            }
            Some(index)
        };
        sorted.retain(|entry| take(&|index| is_to(entry, index) && gets(entry, index)).is_none());
        let mut messages: Vec<String> = Vec::new();
        for entry in sorted {
            let (address, amount) = (entry.to.as_deref().unwrap_or("nobody by name"), amount_text(entry));
            let another = take(&|index| entry.to.is_some() && is_to(entry, index)).and_then(|index| to.get(index));
            messages.push(match another {
                Some(requested) => {
                    let requested = &requested.amount;
                    format!("amount for {address}: the request says {requested}, {source} {amount}")
                }
                None => format!("recipients: {source} names {address} for {amount}, whom the request does not pay so"),
            });
        }
        let left_out = to.iter().zip(&free).filter(|(_, free)| **free);
        messages.extend(left_out.map(|(to, _)| {
            format!("recipients: the request pays {} to {}, whom {source} leaves out", to.amount, to.address)
        }));
        let more = messages.len().saturating_sub(MAX_LISTED_DIFFERENCES);
        messages.truncate(MAX_LISTED_DIFFERENCES);
        if more > 0 {
            messages.push(format!("recipients: {source} differs in {more} more of them"));
        }
        messages.iter().map(|message| Text::clean(message)).collect()
    }
}

fn amount_text(entry: &ReportedRecipient) -> String {
    match &entry.amount {
        None => "an amount that is not told".into(),
        Some(AmountOrText::Reported(ReportedAmount::Exact(amount))) => amount.to_string(),
        Some(AmountOrText::Reported(ReportedAmount::Disputed { raw, formatted })) => {
            format!("both {raw} and {formatted}")
        }
        Some(AmountOrText::Units(text) | AmountOrText::Unparsed(text)) => text.to_string(),
    }
}
