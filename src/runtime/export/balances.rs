//! The columns of a balance.

use super::history::amount_cells;
use super::table::{Cell, optional_cell};
use crate::domain::history::Scope;
use crate::domain::{BalanceBasis, Holding, Text};

pub const BALANCE_COLUMNS: [&str; 17] = [
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
    // Set for the holdings of a wallet or a user, otherwise empty.
    "wallet",
    "wallet_name",
    "user",
    "user_name",
];

/// The cells of a holding in a scope with this name. A row without account, wallet and user covers everything.
pub fn balance_cells(scope: &Scope, name: Option<&Text>, holding: &Holding) -> [Cell; BALANCE_COLUMNS.len()] {
    let [mut account, mut wallet, mut user] = [const { [const { None }; 2] }; 3];
    match scope {
        Scope::All => {}
        Scope::Account(id) => account = [Some(id.to_string()), optional_cell(name)],
        Scope::Wallet(id) => wallet = [Some(id.to_string()), optional_cell(name)],
        Scope::User(id) => user = [Some(id.to_string()), optional_cell(name)],
    }
    let ([account, account_name], [wallet, wallet_name], [user, user_name]) = (account, wallet, user);
    let [held, raw, decimals, disputed] = amount_cells(holding.amount.as_ref());
    [
        account,
        account_name,
        Some(holding.token.blockchain.to_string()),
        Some(holding.symbol.to_string()),
        optional_cell(holding.name.as_ref()),
        optional_cell(holding.token.contract.as_ref()),
        held,
        raw,
        decimals,
        disputed,
        Some(basis_text(holding.basis).to_owned()),
        optional_cell(holding.as_of.as_ref()),
        Some(holding.suspicious.to_string()),
        wallet,
        wallet_name,
        user,
        user_name,
    ]
}

pub fn basis_text(basis: BalanceBasis) -> &'static str {
    match basis {
        BalanceBasis::Reported => "stated",
        BalanceBasis::Assumed => "assumed",
        BalanceBasis::Derived => "derived",
        BalanceBasis::Unknown => "unknown",
    }
}
