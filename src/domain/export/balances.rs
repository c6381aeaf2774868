//! The columns of a balance.

use super::cells::{Cell, columns, optional_cell};
use super::transactions::reported_amount_cells;
use crate::domain::history::Scope;
use crate::domain::{Holding, Text};

columns! {
    /// The cells of a holding in a scope with this name. A row without account, wallet and user covers everything.
    pub fn balance_cells(scope: &Scope, name: Option<&Text>, holding: &Holding) -> BALANCE_COLUMNS {
        let ([account, account_name], [wallet, wallet_name], [user, user_name]) = scope_cells(scope, name);
        let [amount_cell, raw, decimals, disputed] = reported_amount_cells(holding.amount.as_ref());
        "account" => account,
        "account_name" => account_name,
        "blockchain" => Some(holding.token.blockchain.to_string()),
        "token" => Some(holding.symbol.to_string()),
        "token_name" => optional_cell(holding.name.as_ref()),
        "contract" => optional_cell(holding.token.contract.as_ref()),
        "amount" => amount_cell,
        "amount_raw" => raw,
        "decimals" => decimals,
        "amount_disputed_by" => disputed,
        "known" => Some(holding.basis.word().to_owned()),
        "as_of" => optional_cell(holding.as_of.as_ref()),
        "imitates_a_token" => Some(holding.suspicious.to_string()),
        // Set for the holdings of a wallet or a user, otherwise empty.
        "wallet" => wallet,
        "wallet_name" => wallet_name,
        "user" => user,
        "user_name" => user_name,
    }
}

/// Identifier and name of an account, of a wallet and of a user, of which a scope has at most one.
fn scope_cells(scope: &Scope, name: Option<&Text>) -> ([Cell; 2], [Cell; 2], [Cell; 2]) {
    let of = |id: String| [Some(id), optional_cell(name)];
    match scope {
        Scope::All => Default::default(),
        Scope::Account(id) => (of(id.to_string()), Default::default(), Default::default()),
        Scope::Wallet(id) => (Default::default(), of(id.to_string()), Default::default()),
        Scope::User(id) => (Default::default(), Default::default(), of(id.to_string())),
    }
}
