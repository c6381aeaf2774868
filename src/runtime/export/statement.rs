//! The columns of a line of a statement.

use super::table::{Cell, words};
use crate::domain::statement::StatementLine;
use crate::domain::{AccountId, Period, Text, Timestamp, TokenKey};

/// Columns of a line.
pub const COLUMNS: [&str; 21] = [
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

/// Cells of a line. Balances are only told where the whole history is there, as it was read at a time: a part of it says
/// nothing of what was held. What a month closes with that went on when it was read is true of that time, which
/// `closing_at` tells.
pub fn cells(
    month: Period,
    whole_at: Option<Timestamp>,
    (account, token): &(Option<AccountId>, TokenKey),
    name: Option<&Text>,
    line: &StatementLine,
) -> [Cell; COLUMNS.len()] {
    let (opening, closing) = if whole_at.is_some() { (line.opening(), line.closing()) } else { (None, None) };
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
        words(line.incoming().as_ref()),
        words(line.outgoing().as_ref()),
        words(line.fees().as_ref()),
        words(closing.as_ref()),
        Some(line.movements.to_string()),
        Some(line.not_final.to_string()),
        Some(line.unclear().to_string()),
        Some(line.fees_elsewhere.to_string()),
        Some(known.to_owned()),
        Some(month.start.to_string()),
        Some(month.end.to_string()),
        words(closing_at.as_ref()),
        Some(line.imitates.to_string()),
    ]
}
