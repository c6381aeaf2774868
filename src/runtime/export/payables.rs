//! The columns of payables beside what was paid of each.

use crate::domain::export::cells::{Cell, columns, multi_line_cell, optional_cell};
use crate::domain::payables::{Payable, PayableStatus};

columns! {
    pub fn payable_cells(payable: &Payable, status: &PayableStatus) -> PAYABLE_COLUMNS {
        "line" => Some(payable.line.to_string()),
        "reference" => Some(payable.reference.to_string()),
        "state" => Some(status.state.word().to_owned()),
        "to" => Some(payable.to.to_string()),
        "to_name" => optional_cell(payable.name.as_ref()),
        "blockchain" => optional_cell(payable.blockchain.as_ref()),
        "token" => Some(payable.token.to_string()),
        "amount" => Some(payable.amount.to_string()),
        "confirmed" => Some(status.confirmed.to_string()),
        "sent" => Some(status.sent.to_string()),
        "due" => optional_cell(payable.due.as_ref()),
        "mismatches" => multi_line_cell(status.mismatches.iter()),
    }
}
