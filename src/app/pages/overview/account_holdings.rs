//! What an account holds, as the Overview shows it.

use crate::app::model::Model;
use crate::domain::history::Scope;
use crate::domain::{Account, Holding};

/// The holdings of an account. For the account whose balances are on screen, these balances: sum and balances must not
/// differ while one of them is being refreshed.
pub(super) fn account_holdings<'a>(model: &'a Model, account: &Account) -> Option<&'a [Holding]> {
    if is_shown_in_balances(model, account) {
        Some(&model.pages.overview.balances.all)
    } else {
        model.data.analyses.holdings_of_account(&account.id)
    }
}

pub(super) fn is_shown_in_balances(model: &Model, account: &Account) -> bool {
    model.pages.overview.balances.listing.is_loaded()
        && model.pages.overview.balances.scope == Scope::Account(account.id.clone())
}
