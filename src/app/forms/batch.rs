//! A batch: one payment to several recipients, from a file, from a paste, or typed.
//!
//! The runtime reads files and checks every row; the form holds the rows and their verdicts. A batch goes to its
//! review only when no row fails, and no row is ever left out silently.

mod check;
pub mod rows;
#[cfg(test)]
mod tests;
pub mod view;

use crate::domain::draft::batch::RecipientRow;
use crate::domain::draft::{Batch, BatchFile, Recipient};
use crate::domain::{Amount, Family, Sender};
use crate::guard::Finding;
pub(in crate::app) use check::{apply_check_result, apply_path_completions};
pub(super) use check::{
    batch_payer_heading, build_draft, check_field, field_choices, field_hint, recipients_summary, start_due_lookups,
    update_row_context,
};
pub use rows::{BatchRows, PendingCheck, RowEditor};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchCheck {
    /// The batch without recipients.
    pub batch: Batch,
    /// The payer; its amount is zero.
    pub sender: Sender,
    /// The address format of the chain, if known.
    pub family: Option<Family>,
    pub rows: Vec<RecipientRow>,
    pub unread_source: Option<RowSource>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowSource {
    /// A file, by its path as typed; its rows replace those in the form.
    File(String),
    /// Pasted lines; their rows follow those in the form.
    Lines(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedBatch {
    pub rows: Vec<CheckedRow>,
    pub file: Option<BatchFile>,
    /// How the file was read otherwise than written: renamed columns, or tabs as separators.
    pub notes: Vec<String>,
    /// The sum of the valid rows; `None` if it overflows.
    pub total: Option<Amount>,
    /// The guard's findings on the whole batch; empty while no row is valid.
    pub findings: Vec<Finding>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedRow {
    pub row: RecipientRow,
    /// Whom the row pays, and how much, if the row is valid.
    pub recipient: Option<(Recipient, Amount)>,
    pub verdict: RowVerdict,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowVerdict {
    pub status: RowStatus,
    /// The gravest finding; empty if there is none.
    pub message: String,
}

impl RowVerdict {
    /// Of a row that is about to be checked.
    fn unchecked() -> Self {
        Self { status: RowStatus::Valid, message: String::new() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowStatus {
    /// No finding.
    Valid,
    /// This console never paid the recipient.
    New,
    Caution,
    /// Must be overridden in the review.
    Danger,
    /// The row cannot be paid.
    Invalid,
}
