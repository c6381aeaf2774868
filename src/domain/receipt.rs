//! The receipt of a payment, a batch or a deposit: who paid whom, how much, when, and what the service reported of it.
//!
//! Only what is settled is called a receipt. All formats write the same fields in the same order.

mod approvals;
mod facts;
mod field;
mod standing;
#[cfg(test)]
mod tests;

use super::history::HistoryRow;
use super::{Direction, Order, OrderId, SubType, Text};

pub use facts::ReceiptFacts;
pub use standing::ReceiptStanding;

/// What a receipt is of. The rows are read when it is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReceiptSubject {
    /// The business or the profile.
    pub business: Text,
    /// The token in which everything is valued.
    pub valuation: Option<Text>,
    /// A transaction by its `seq`.
    pub row: Option<i64>,
    pub order: Option<Box<Order>>,
    /// One recipient of a batch, counted from 0.
    pub recipient: Option<u32>,
}

impl ReceiptSubject {
    /// # Errors
    /// Why there is none.
    pub fn of_order(self, order: &Order, recipient: Option<u32>) -> Result<Self, &'static str> {
        if order.drafted.draft.payment_details().is_none() {
            return Err("this order pays nobody, so it has no receipt");
        }
        Ok(Self { row: None, order: Some(Box::new(order.clone())), recipient, ..self })
    }

    /// That of the order that made the row; of the row alone where it came in, or is one recipient's of a batch.
    ///
    /// # Errors
    /// Why there is none.
    pub fn of_row(self, row: &HistoryRow, made_by: Option<&Order>) -> Result<Self, &'static str> {
        let transaction = &row.transaction;
        let is_of_one = |order: &Order| order.recipient_count() > 1 && transaction.to_address.is_some();
        match made_by {
            Some(order) if transaction.direction == Direction::Outgoing && !is_of_one(order) => {
                self.of_order(order, None)
            }
            _ if transaction.sub_type == Some(SubType::Swap) => Err("a swap pays nobody, so it has no receipt"),
            _ => Ok(Self { row: Some(row.seq), ..self }),
        }
    }

    /// The part of a file's name that tells receipts apart: the reference, else the beginning of an identifier.
    pub fn file_word(&self) -> String {
        let order = self.order.as_deref();
        let reference = order.and_then(|order| order.drafted.draft.reference());
        let id = order.map(|order| short_id(order.id));
        let row = || self.row.map_or_else(String::new, |row| row.unsigned_abs().to_string());
        let word = reference.map_or_else(|| id.unwrap_or_else(row), ToString::to_string);
        let part = self.recipient.map_or_else(String::new, |part| format!("-{}", part.saturating_add(1)));
        format!("{}{part}", file_word(&word))
    }
}

fn short_id(id: OrderId) -> String {
    id.to_string().chars().take(8).collect()
}

/// A text as a part of a file's name: letters, digits, points, hyphens and underscores.
pub fn file_word(text: &str) -> String {
    const MAX_CHARS: usize = 40;
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let word: String = text.chars().map(plain).take(MAX_CHARS).collect();
    let word = word.trim_matches(['.', '-']);
    if word.is_empty() { "payment".into() } else { word.to_owned() }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    pub standing: ReceiptStanding,
    pub is_imitation: bool,
    /// What became of the payment, in a sentence; the first thing that is said.
    pub outcome: String,
    /// Further sentences that a reader must not miss.
    pub warnings: Vec<String>,
    pub sections: Vec<ReceiptSection>,
    /// Of a batch, one after the other.
    pub recipients: Vec<ReceiptRecipient>,
    /// What it proves, and what it does not.
    pub proof: [String; 2],
}

impl Receipt {
    pub fn title(&self) -> &'static str {
        if self.is_imitation { "Transaction of an imitation token" } else { self.standing.title() }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptSection {
    pub title: &'static str,
    pub fields: Vec<ReceiptField>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptField {
    /// The name for programs.
    pub name: &'static str,
    pub label: &'static str,
    /// `None` where nothing is known.
    pub value: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptRecipient {
    pub number: usize,
    pub name: Option<Text>,
    pub address: Text,
    pub amount: Text,
    pub label: Option<Text>,
    pub reference: Option<Text>,
    /// What became of this recipient's payment.
    pub standing: ReceiptStanding,
    pub transaction: Option<String>,
    pub hash: Option<Text>,
}
