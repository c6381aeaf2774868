//! The columns of a statement line.

use super::table::{Cell, optional_cell};
use crate::domain::statement::StatementLine;
use crate::domain::{AccountId, Period, Text, Timestamp, TokenKey};

pub const STATEMENT_COLUMNS: [&str; 21] = [
    "month",
    "account",
    "account_name",
    "blockchain",
    "token",
    "token_name",
    "contract",
    "opening",
    "in",
    "out",
    "fees",
    "closing",
    "movements",
    "not_final",
    "unclear",
    "fees_in_other_tokens",
    "balances",
    "begins",
    "ends",
    "closing_at",
    "imitates_a_token",
];

/// The cells of a statement line. Balances are set only if the whole history was read (`whole_at`): a part of it proves
/// no balance. The closing balance of a month that had not ended then is true at `closing_at`.
pub fn statement_cells(
    month: Period,
    whole_at: Option<Timestamp>,
    (account, token): &(Option<AccountId>, TokenKey),
    name: Option<&Text>,
    line: &StatementLine,
) -> [Cell; STATEMENT_COLUMNS.len()] {
    let (opening, closing) =
        if whole_at.is_some() { (line.opening_balance(), line.closing_balance()) } else { (None, None) };
    let closing_at = whole_at.filter(|_| closing.is_some()).map(|read| read.min(month.end));
    let known = if opening.is_some() && closing.is_some() { "derived" } else { "unknown" };
    [
        Some(month.start.format("%Y-%m")),
        optional_cell(account.as_ref()),
        optional_cell(name),
        Some(token.blockchain.to_string()),
        Some(line.symbol.to_string()),
        optional_cell(line.name.as_ref()),
        optional_cell(token.contract.as_ref()),
        optional_cell(opening.as_ref()),
        optional_cell(line.incoming_total().as_ref()),
        optional_cell(line.outgoing_total().as_ref()),
        optional_cell(line.fee_total().as_ref()),
        optional_cell(closing.as_ref()),
        Some(line.movements.to_string()),
        Some(line.not_final.to_string()),
        Some(line.unclear_rows().to_string()),
        Some(line.fees_elsewhere.to_string()),
        Some(known.to_owned()),
        Some(month.start.to_string()),
        Some(month.end.to_string()),
        optional_cell(closing_at.as_ref()),
        Some(line.imitates.to_string()),
    ]
}
