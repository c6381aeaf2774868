//! The columns of a balance.

use super::history::amount_cells;
use super::table::{Cell, words};
use crate::domain::history::Scope;
use crate::domain::{Basis, Holding, Text};

/// Columns of a balance.
pub const COLUMNS: [&str; 17] = [
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
    // What is held by one wallet or one user, where no account is looked at.
    "wallet",
    "wallet_name",
    "user",
    "user_name",
];

/// Cells of what a scope holds of a token, with the scope's name. What names no account, wallet or user is of everything.
pub fn cells(scope: &Scope, name: Option<&Text>, holding: &Holding) -> [Cell; COLUMNS.len()] {
    let [mut account, mut wallet, mut user] = [const { [const { None }; 2] }; 3];
    match scope {
        Scope::All => {}
        Scope::Account(id) => account = [Some(id.to_string()), words(name)],
        Scope::Wallet(id) => wallet = [Some(id.to_string()), words(name)],
        Scope::User(id) => user = [Some(id.to_string()), words(name)],
    }
    let ([account, account_name], [wallet, wallet_name], [user, user_name]) = (account, wallet, user);
    let [held, raw, decimals, disputed] = amount_cells(holding.amount.as_ref());
    [
        account,
        account_name,
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
        wallet,
        wallet_name,
        user,
        user_name,
    ]
}

/// How surely a balance is known, in a word.
pub fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Reported => "stated",
        Basis::Assumed => "assumed",
        Basis::Derived => "derived",
        Basis::Unknown => "unknown",
    }
}
