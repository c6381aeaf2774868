//! The wallet that pays in a form, and what it holds.

use super::form_state::FormState;
use super::lookups::Picked;
use crate::app::model::Model;
use crate::domain::chain::{self, is_same_chain as same_chain};
use crate::domain::duration;
use crate::domain::{Amount, BalanceBasis, Family, Holding, ReportedAmount, Sender, Text, Wallet};

/// The word for the whole balance in an amount field.
pub(super) const MAX_AMOUNT_WORD: &str = "max";

/// The value that a check puts into the field, and what it stands for; `None` leaves the field as it is.
pub(super) type CheckedValue = Option<(String, Picked)>;

/// The address format of the wallet's chain, as far as this program or the service's token list knows it.
pub(super) fn wallet_address_family(model: &Model, wallet: &Wallet) -> Option<Family> {
    chain_address_family(model, &wallet.blockchain)
}

/// The address format of a chain.
pub(in crate::app) fn chain_address_family(model: &Model, chain: &Text) -> Option<Family> {
    chain::address_family_by_listed_protocol(&model.data.listed_tokens, chain)
}

pub(super) fn chosen_holding(form: &FormState) -> Option<&Holding> {
    let token = form.selection.token.as_ref()?;
    form.holdings.rows.iter().find(|holding| holding.token == *token)
}

pub(super) fn chosen_token_decimals(model: &Model, form: &FormState) -> Option<u8> {
    let holding = chosen_holding(form)?;
    holding.amount.as_ref().map(|amount| amount.even_if_disputed().decimals()).or_else(|| {
        let token = model.data.listed_tokens.iter().find(|token| token.symbol == holding.symbol)?;
        let chain = token.blockchains.iter().find(|chain| same_chain(&chain.slug, &holding.token.blockchain));
        chain.and_then(|chain| chain.decimals).or(token.decimals)
    })
}

/// The balance, if it can be relied on: reported by the service, undisputed and fresh. A balance reported for the
/// wallet's user counts too: the review states it, and asks for the words that accept it.
pub(super) fn reliable_balance(model: &Model, holding: &Holding) -> Option<Amount> {
    let sure = holding.basis <= BalanceBasis::Assumed && model.figure_staleness(holding.as_of).is_none();
    holding.amount.as_ref().and_then(ReportedAmount::exact).filter(|_| sure && holding.as_of.is_some())
}

/// The wallet's holdings without imitation tokens.
pub(super) fn holdings_without_imitations(form: &FormState) -> impl Iterator<Item = &Holding> {
    form.holdings.rows.iter().filter(|holding| !holding.suspicious)
}

pub(super) fn wallet_name(wallet: &Wallet) -> String {
    let name = wallet.name.as_ref().or(wallet.address.as_ref());
    name.map_or_else(|| wallet.id.to_string(), ToString::to_string)
}

pub(super) fn balance_basis_text(model: &Model, holding: &Holding) -> String {
    let basis = match (&holding.amount, holding.basis) {
        (None, _) => return "balance not known".into(),
        (Some(ReportedAmount::Disputed { .. }), _) => "disputed",
        (_, BalanceBasis::Reported) => "reported",
        (_, BalanceBasis::Assumed) => "assumed",
        (_, BalanceBasis::Derived) => "calculated from history",
        (_, BalanceBasis::Unknown) => "unknown",
    };
    let age =
        holding.as_of.map_or_else(String::new, |as_of| format!(" {} ago", duration::format_age(as_of.age(model.now))));
    format!("{basis}{age}")
}

pub(super) fn build_sender(wallet: &Wallet, holding: &Holding, amount: Amount) -> Sender {
    Sender {
        name: wallet.name.clone(),
        address: wallet.address.clone(),
        account: wallet.account.clone(),
        user: wallet.user.clone(),
        token: holding.token.clone(),
        amount,
    }
}
