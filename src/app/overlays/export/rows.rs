//! The rows that an export writes.

use crate::domain::draft_file::DraftFile;
use crate::domain::export::cells::ExportTable;
use crate::domain::history::{Query, Scope};
use crate::domain::receipt::ReceiptSubject;
use crate::domain::report::ReportTable;
use crate::domain::{ExportFormat, FileFormat};

/// Rows to write: a query where the store holds them, a copy as of the key press where the screen holds all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportRows {
    Matching(Query),
    /// Transactions by their `seq`.
    Marked(Vec<i64>),
    /// The wallets of a scope that match each word of a filter.
    Wallets(Scope, String),
    Users(String),
    Table(Box<ExportTable>),
    Report(Box<ReportTable>),
    Receipt(Box<ReceiptSubject>),
    Draft(Box<DraftFile>),
}

impl ExportRows {
    /// What its parts are called, one and several.
    pub(super) fn nouns(&self) -> [&'static str; 2] {
        match self {
            Self::Receipt(_) => ["receipt", "receipts"],
            Self::Draft(_) => ["draft", "drafts"],
            Self::Matching(_)
            | Self::Marked(_)
            | Self::Wallets(..)
            | Self::Users(_)
            | Self::Table(_)
            | Self::Report(_) => ["row", "rows"],
        }
    }

    /// The formats in which these rows can be written.
    pub fn formats(&self) -> &'static [FileFormat] {
        match self {
            Self::Matching(_) | Self::Marked(_) => FileFormat::tables_and_books(),
            Self::Receipt(_) => FileFormat::RECEIPTS,
            Self::Draft(_) => &[FileFormat::Table(ExportFormat::Json)],
            Self::Wallets(..) | Self::Users(_) | Self::Table(_) | Self::Report(_) => FileFormat::tables(),
        }
    }
}

impl From<ExportTable> for ExportRows {
    fn from(table: ExportTable) -> Self {
        Self::Table(Box::new(table))
    }
}
