//! The columns of a balance.

use super::history::amount;
use super::table::{Cell, words};
use crate::domain::history::Known;
use crate::domain::{Account, Basis, Holding};

/// Columns of a balance.
pub const COLUMNS: [&str; 13] = [
    "account",
    "account_name",
    "blockchain",
    "token",
    "token_name",
    "contract",
    "amount",
    "amount_raw",
    "decimals",
    "amount_disputed_by",
    "known",
    "as_of",
    "imitates_a_token",
];

/// Cells of a balance; without an account it is that of everything.
pub fn cells(account: Option<&Known<Account>>, holding: &Holding) -> [Cell; COLUMNS.len()] {
    let [held, raw, decimals, disputed] = amount(holding.amount.as_ref());
    [
        account.map(|account| account.entry.id.to_string()),
        account.and_then(|account| words(account.entry.name.as_ref())),
        Some(holding.token.blockchain.to_string()),
        Some(holding.symbol.to_string()),
        words(holding.name.as_ref()),
        words(holding.token.contract.as_ref()),
        held,
        raw,
        decimals,
        disputed,
        Some(basis(holding.basis).to_owned()),
        words(holding.as_of.as_ref()),
        Some(holding.suspicious.to_string()),
    ]
}

/// How surely a balance is known, in a word.
pub fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Stated => "stated",
        Basis::Assumed => "assumed",
        Basis::Derived => "derived",
        Basis::Unknown => "unknown",
    }
}
