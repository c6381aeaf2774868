//! Reports: what the history adds up to, by counterparty, by fee, by wallet and by month.
//!
//! ```text
//!  rows of the store ──ReportRow──▶ the sums of a report ──table──▶ page, copy, export, command line
//! ```
//!
//! Each report is summed in one pass over its rows and becomes a [`ReportTable`], whose one list of columns serves the
//! screen and every file. A row counts as in statements and charts: incoming once it is settled, outgoing from its
//! acceptance on, never when it failed. Movements between own wallets are internal: they are in no counterparty, no
//! deposit and no withdrawal, and count once. Tokens that imitate a listed one are summed apart.
//!
//! Amounts are exact. Values are approximate, by the price of each row's own day; where this console recorded no price on
//! that day, the nearest day's price stands in, and the line says of how many rows.

pub mod allocation;
pub mod counterparties;
pub mod fees;
pub mod gas;
pub mod months;
mod row;
mod sums;
mod table;
pub mod value;

pub use row::{Movement, ReportRow, RowFee};
pub use sums::{ExactSum, FlowSums, ValueSum};
pub use table::{LAST_MAIN_PRIORITY, LineLevel, ReportCell, ReportColumn, ReportLine, ReportTable};

pub(in crate::domain) use table::report_columns;

use crate::domain::Text;

/// A report, by the word that names it on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ReportKind {
    #[default]
    Value,
    Allocation,
    Counterparties,
    Fees,
    Gas,
    Months,
    Statement,
}

impl ReportKind {
    /// Every report, in the order of the screen.
    pub const ALL: [Self; 7] =
        [Self::Value, Self::Allocation, Self::Counterparties, Self::Fees, Self::Gas, Self::Months, Self::Statement];

    /// The word on the command line and in file names.
    pub fn word(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Allocation => "allocation",
            Self::Counterparties => "counterparties",
            Self::Fees => "fees",
            Self::Gas => "gas",
            Self::Months => "months",
            Self::Statement => "statement",
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Self::Value => "Value",
            Self::Allocation => "Allocation",
            Self::Counterparties => "Counterparties",
            Self::Fees => "Fees",
            Self::Gas => "Gas runway",
            Self::Months => "Months",
            Self::Statement => "Statement",
        }
    }
}

/// What the values of a report lack, in words.
fn value_remarks(values: &ValueSum, unclear: u64, valuation: &Text) -> Vec<String> {
    let mut remarks = Vec::new();
    let count_text =
        |number: u64, one: &str, many: &str| if number == 1 { format!("1 {one}") } else { format!("{number} {many}") };
    if unclear > 0 {
        remarks.push(format!(
            "{} in no sum: the service states no exact amount",
            count_text(unclear, "row is", "rows are")
        ));
    }
    if valuation.is_empty() {
        remarks.push("no values: the profile sets no valuation".to_owned());
        return remarks;
    }
    if values.rows_at_other_day() > 0 {
        remarks.push(format!(
            "{} valued by the nearest day's price: this console recorded none on that day",
            count_text(values.rows_at_other_day(), "movement is", "movements are")
        ));
    }
    if values.unpriced_rows() > 0 {
        remarks.push(format!(
            "{} in no value: no price is known",
            count_text(values.unpriced_rows(), "movement is", "movements are")
        ));
    }
    remarks
}
