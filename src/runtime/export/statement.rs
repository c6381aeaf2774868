//! The columns of a statement line.

use super::table::{Cell, words};
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
        words(account.as_ref()),
        words(name),
        Some(token.blockchain.to_string()),
        Some(line.symbol.to_string()),
        words(line.name.as_ref()),
        words(token.contract.as_ref()),
        words(opening.as_ref()),
        words(line.incoming_total().as_ref()),
        words(line.outgoing_total().as_ref()),
        words(line.fee_total().as_ref()),
        words(closing.as_ref()),
        Some(line.movements.to_string()),
        Some(line.not_final.to_string()),
        Some(line.unclear_rows().to_string()),
        Some(line.fees_elsewhere.to_string()),
        Some(known.to_owned()),
        Some(month.start.to_string()),
        Some(month.end.to_string()),
        words(closing_at.as_ref()),
        Some(line.imitates.to_string()),
    ]
}
