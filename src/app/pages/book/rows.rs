//! The rows of the address book: filter, sort order, and the payments to each entry.

mod build;

use crate::app::listing::Keyed;
use crate::domain::Timestamp;
use crate::domain::book::BookEntry;
pub(super) use build::{build_rows, payments_to};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookRow {
    pub entry: BookEntry,
    /// Payments of this console to the entry that the service accepted, among the orders that were read.
    pub payments: usize,
    /// When the latest of these payments was first sent.
    pub last_paid: Option<Timestamp>,
}

impl Keyed for BookRow {
    /// Chain, in lower case, and address.
    type Key = (String, String);
    fn key(&self) -> (String, String) {
        let contact = &self.entry.contact;
        (contact.blockchain.to_ascii_lowercase(), contact.address.to_string())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BookSort {
    #[default]
    Name,
    /// By time of entry, newest first.
    Newest,
    /// By last payment, newest first.
    LastPaid,
    Chain,
}

impl BookSort {
    #[must_use]
    pub fn next_sort(self) -> Self {
        match self {
            Self::Name => Self::Newest,
            Self::Newest => Self::LastPaid,
            Self::LastPaid => Self::Chain,
            Self::Chain => Self::Name,
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Newest => "time of entry, newest first",
            Self::LastPaid => "last payment",
            Self::Chain => "chain",
        }
    }
}
