//! Batches: payments of one token to several recipients, by one request, under one key, as one order.

mod file;
mod row;
#[cfg(test)]
mod tests;

use super::Withdrawal;
use crate::domain::{Amount, Text, WalletId, address};

pub use file::{MAX_FILE_BYTES, MAX_ROWS, RecipientFile, parse_lines, read};
pub use row::{BatchToken, Row, TokenHint, check_request_address, parse_recipient};

/// A payment to several recipients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The wallet that pays.
    pub wallet: WalletId,
    /// The chain, in the word that the service uses.
    pub blockchain: Text,
    /// The token's symbol.
    pub token: Text,
    /// Who gets how much, in the order of the request.
    pub to: Vec<Recipient>,
    /// A reference for people; minted when the request is frozen, if the operator gives none.
    pub ref_id: Option<Text>,
    /// A note.
    pub note: Option<Text>,
    /// The file that the recipients were read from. It is kept here, and not sent.
    pub file: Option<BatchFile>,
}

/// One of those whom a batch pays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient {
    /// The address, as the request spells it.
    pub address: Text,
    /// How much it gets: a decimal in the operator's grammar.
    pub amount: Text,
    /// What the operator calls it. It is kept here, and not sent.
    pub label: Option<Text>,
    /// The line of the file on which it stands, counted from 1; none where it was typed. It is not sent.
    pub line: Option<u64>,
}

/// A file of recipients.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BatchFile {
    /// Its name, without the folder.
    pub name: Text,
    /// SHA-256 over its bytes, in hexadecimal digits.
    pub sha256: Text,
}

impl Batch {
    /// The most recipients, if a profile says nothing else.
    pub const DEFAULT_MAX_RECIPIENTS: u16 = 200;
    /// The most that a profile may say.
    pub const MAX_RECIPIENTS: u16 = 500;

    /// What the request says of it: without labels, lines and file, which are kept here alone.
    #[must_use]
    pub fn as_requested(&self) -> Self {
        let said = |to: &Recipient| Recipient { label: None, line: None, ..to.clone() };
        Self { to: self.to.iter().map(said).collect(), file: None, ..self.clone() }
    }

    /// The same with the labels, lines and file of another one, row by row: what bytes say, beside what is kept of them.
    #[must_use]
    pub fn with_labels_from(mut self, kept: &Self) -> Self {
        for (to, kept) in self.to.iter_mut().zip(&kept.to) {
            (to.label, to.line) = (kept.label.clone(), kept.line);
        }
        self.file.clone_from(&kept.file);
        self
    }

    /// Every amount, with so many fraction digits; `None` where one of them cannot be read so.
    pub fn amounts(&self, decimals: u8) -> Option<Vec<Amount>> {
        self.to.iter().map(|to| Amount::parse(&to.amount, decimals).ok()).collect()
    }

    /// The exact sum of all amounts; `None` where one cannot be read, or the sum is more than can be held.
    pub fn total(&self, decimals: u8) -> Option<Amount> {
        let amounts = self.amounts(decimals)?;
        amounts.into_iter().try_fold(Amount::zero(decimals), Amount::checked_add)
    }

    /// Every amount by itself, exactly as it is written, with the fraction digits of the one that has most of them.
    pub fn exact_amounts(&self) -> Option<Vec<Amount>> {
        let digits = |to: &Recipient| to.amount.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        self.amounts(u8::try_from(self.to.iter().map(digits).max().unwrap_or(0)).ok()?)
    }

    /// The exact sum of all amounts as they are written.
    pub fn sum(&self) -> Option<Amount> {
        let mut amounts = self.exact_amounts()?.into_iter();
        let first = amounts.next()?;
        amounts.try_fold(first, Amount::checked_add)
    }

    /// The address of its only recipient, where all its payments go to one.
    pub fn sole_recipient(&self) -> Option<&Text> {
        let first = &self.to.first()?.address;
        self.to.iter().all(|to| address::is_same_address(&to.address, first)).then_some(first)
    }

    /// The whole of it as if it were one payment: its total, to nobody by name.
    pub fn whole(&self, total: Amount) -> Withdrawal {
        self.withdrawal(Text::default(), Text::clean(&total.to_string()))
    }

    /// One of its payments by itself.
    pub fn payment(&self, to: &Recipient) -> Withdrawal {
        self.withdrawal(to.address.clone(), to.amount.clone())
    }

    fn withdrawal(&self, to: Text, amount: Text) -> Withdrawal {
        Withdrawal {
            wallet: self.wallet.clone(),
            blockchain: self.blockchain.clone(),
            token: self.token.clone(),
            amount,
            to,
            ref_id: self.ref_id.clone(),
            note: self.note.clone(),
        }
    }
}

impl Recipient {
    /// Where it stands, for people: on its line of the file, else as the how manieth of the rows (`index` from 0).
    pub fn location(&self, index: usize) -> String {
        self.line.map_or_else(|| format!("row {}", index + 1), |line| format!("line {line}"))
    }
}
