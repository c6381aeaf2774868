//! Batches: payments of one token to several recipients, in one request, under one idempotency key, as one order.

mod file;
mod row;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use super::{Metadata, Withdrawal};
use crate::domain::{Amount, Text, WalletId, address};

pub use file::{MAX_FILE_BYTES, MAX_ROWS, RecipientFile, parse_recipient_file, parse_recipient_lines};
pub use row::{BatchToken, RecipientRow, TokenHint, parse_recipient, parse_recipient_address};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    pub wallet: WalletId,
    /// In the service's word.
    pub blockchain: Text,
    pub token: Text,
    pub to: Vec<Recipient>,
    /// A reference for people; generated when the request is serialised, unless the operator gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ref_id: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<Text>,
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    pub metadata: Metadata,
    /// Whether the service is to queue it; `None` leaves that to the service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<bool>,
    /// The file that the recipients were read from. Recorded in the journal, not sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<BatchFile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipient {
    /// As the request spells it.
    pub address: Text,
    /// A decimal in the operator's grammar.
    pub amount: Text,
    /// The operator's label for the recipient. Recorded in the journal, not sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Text>,
    /// The operator's own reference for the recipient, such as an invoice number. Recorded in the journal, not sent: a
    /// batch has one reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Text>,
    /// The recipient's line in the file, counted from 1; `None` where it was typed. Not sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BatchFile {
    /// Without the folder.
    pub name: Text,
    /// SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: Text,
}

impl Batch {
    /// The most recipients, unless the profile sets another number.
    pub const DEFAULT_MAX_RECIPIENTS: u16 = 200;
    pub const MAX_RECIPIENTS: u16 = 500;

    /// The batch as its request states it: without labels, own references, lines and file, which are not sent.
    #[must_use]
    pub fn without_unsent_fields(&self) -> Self {
        let request_recipient = |to: &Recipient| Recipient { label: None, reference: None, line: None, ..to.clone() };
        Self { to: self.to.iter().map(request_recipient).collect(), file: None, ..self.clone() }
    }

    /// The batch with the labels, own references, lines and file of another one, row by row: a decoded request beside its recorded
    /// draft.
    #[must_use]
    pub fn with_unsent_fields_of(mut self, other: &Self) -> Self {
        for (to, other) in self.to.iter_mut().zip(&other.to) {
            (to.label, to.reference, to.line) = (other.label.clone(), other.reference.clone(), other.line);
        }
        self.file.clone_from(&other.file);
        self
    }

    /// Every amount with this many fraction digits; `None` where one of them does not fit.
    pub fn amounts(&self, decimals: u8) -> Option<Vec<Amount>> {
        self.to.iter().map(|to| Amount::parse(&to.amount, decimals).ok()).collect()
    }

    /// The exact sum of all amounts; `None` where one cannot be parsed, or the sum overflows.
    pub fn total(&self, decimals: u8) -> Option<Amount> {
        let amounts = self.amounts(decimals)?;
        amounts.into_iter().try_fold(Amount::zero(decimals), Amount::checked_add)
    }

    /// Every amount exactly as written, all with the largest number of fraction digits among them.
    pub fn amounts_as_written(&self) -> Option<Vec<Amount>> {
        let digits = |to: &Recipient| to.amount.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        self.amounts(u8::try_from(self.to.iter().map(digits).max().unwrap_or(0)).ok()?)
    }

    /// The exact sum of all amounts as written.
    pub fn total_as_written(&self) -> Option<Amount> {
        let mut amounts = self.amounts_as_written()?.into_iter();
        let first = amounts.next()?;
        amounts.try_fold(first, Amount::checked_add)
    }

    /// The only recipient's address, where all payments go to one.
    pub fn sole_recipient_address(&self) -> Option<&Text> {
        let first = &self.to.first()?.address;
        self.to.iter().all(|to| address::is_same_address(&to.address, first)).then_some(first)
    }

    /// The whole batch as one payment of its total, without a recipient.
    pub fn as_withdrawal_of_total(&self, total: Amount) -> Withdrawal {
        self.withdrawal_to_address(Text::default(), Text::clean(&total.to_string()))
    }

    pub fn withdrawal_to_recipient(&self, to: &Recipient) -> Withdrawal {
        self.withdrawal_to_address(to.address.clone(), to.amount.clone())
    }

    fn withdrawal_to_address(&self, to: Text, amount: Text) -> Withdrawal {
        Withdrawal {
            wallet: self.wallet.clone(),
            blockchain: self.blockchain.clone(),
            token: self.token.clone(),
            amount,
            to,
            ref_id: self.ref_id.clone(),
            note: self.note.clone(),
            metadata: self.metadata.clone(),
        }
    }
}

impl Recipient {
    /// The label and the own reference, each behind a dot.
    pub fn label_and_reference_text(&self) -> String {
        [&self.label, &self.reference].into_iter().flatten().fold(String::new(), |text, word| text + " · " + word)
    }

    /// The recipient's location for people: its line in the file, else its row number (`index` from 0).
    pub fn location_text(&self, index: usize) -> String {
        self.line.map_or_else(|| format!("row {}", index + 1), |line| format!("line {line}"))
    }
}
