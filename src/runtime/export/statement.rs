//! The columns of a statement line.

use super::table::{Cell, optional_cell};
use crate::domain::statement::StatementLine;
use crate::domain::{AccountId, Period, Text, Timestamp, TokenKey};

columns! {
    /// The cells of a statement line. Balances are set only if the whole history was read (`whole_at`): a part of it
    /// proves no balance. The closing balance of a month that had not ended then is true at `closing_at`.
    pub fn statement_cells(
        month: Period,
        whole_at: Option<Timestamp>,
        key: &(Option<AccountId>, TokenKey),
        name: Option<&Text>,
        line: &StatementLine
    ) -> STATEMENT_COLUMNS {
        let (account, token) = key;
        let (opening, closing) =
            if whole_at.is_some() { (line.opening_balance(), line.closing_balance()) } else { (None, None) };
        let closing_at = whole_at.filter(|_| closing.is_some()).map(|read| read.min(month.end));
        let known = if opening.is_some() && closing.is_some() { "derived" } else { "unknown" };
        "month" => Some(month.start.format("%Y-%m")),
        "account" => optional_cell(account.as_ref()),
        "account_name" => optional_cell(name),
        "blockchain" => Some(token.blockchain.to_string()),
        "token" => Some(line.symbol.to_string()),
        "token_name" => optional_cell(line.name.as_ref()),
        "contract" => optional_cell(token.contract.as_ref()),
        "opening" => optional_cell(opening.as_ref()),
        "in" => optional_cell(line.incoming_total().as_ref()),
        "out" => optional_cell(line.outgoing_total().as_ref()),
        "internal_in" => optional_cell(line.internal_incoming_total().as_ref()),
        "internal_out" => optional_cell(line.internal_outgoing_total().as_ref()),
        "fees" => optional_cell(line.fee_total().as_ref()),
        "closing" => optional_cell(closing.as_ref()),
        "movements" => Some(line.movements.to_string()),
        "not_final" => Some(line.not_final.to_string()),
        "unclear" => Some(line.unclear_rows().to_string()),
        "fees_in_other_tokens" => Some(line.fees_elsewhere.to_string()),
        "balances" => Some(known.to_owned()),
        "begins" => Some(month.start.to_string()),
        "ends" => Some(month.end.to_string()),
        "closing_at" => optional_cell(closing_at.as_ref()),
        "imitates_a_token" => Some(line.imitates.to_string()),
    }
}
