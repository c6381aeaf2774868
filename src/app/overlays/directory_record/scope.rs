//! Which account or wallet a row names.

use crate::app::model::Model;
use crate::app::orders::find_order;
use crate::domain::history::Scope;
use crate::domain::{Draft, OrderId, Transaction};

/// The selected wallet, else the selected account.
pub(in crate::app) fn selected_scope(model: &Model) -> Option<Scope> {
    Some(model.scope()).filter(|scope| matches!(scope, Scope::Account(_) | Scope::Wallet(_)))
}

pub(in crate::app) fn scope_of_transaction(transaction: &Transaction) -> Option<Scope> {
    let account = || transaction.account.clone().map(Scope::Account);
    transaction.wallet.clone().map(Scope::Wallet).or_else(account)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other requests name their wallet as payments do, or none")]
pub(in crate::app) fn scope_of_order(model: &Model, id: OrderId) -> Option<Scope> {
    let draft = &find_order(model, id)?.drafted.draft;
    let wallet = match draft {
        Draft::Swap(swap) => Some(&swap.wallet),
        _ => draft.payment_details().map(|payment| payment.wallet),
    };
    wallet.cloned().map(Scope::Wallet)
}
