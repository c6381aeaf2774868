//! What a version 1 payment has beside a version 2 one: a sub-wallet or the Prime Wallet pays, and it carries a memo
//! and a maximum fee.

use crate::app::forms::field::{Field, FieldId};
use crate::app::forms::form_state::FormState;
use crate::app::forms::lookups::Picked;
use crate::app::forms::payer::{CheckedValue, chosen_token_decimals, wallet_address_family};
use crate::app::model::Model;
use crate::domain::draft::V1Payment;
use crate::domain::{
    AccountType, Amount, Draft, Operation, Text, Wallet, WalletId, Withdrawal, address, memo as domain,
};

/// Accepts the checked wallet if a version 1 request can name it.
pub(super) fn check_payer(model: &Model, form: &FormState, settled: CheckedValue) -> Result<CheckedValue, String> {
    if form.operation == Operation::Payment {
        let wallet = match &settled {
            Some((_, Picked::Wallet(wallet))) => Some(&**wallet),
            _ => form.selection.wallet.as_ref(),
        };
        wallet.map(|wallet| payer_id(model, wallet)).transpose()?;
    }
    Ok(settled)
}

/// The payer in the request: the wallet's user, since version 1 calls a user a sub-wallet; else the Prime Wallet, which
/// `bridging` takes to be the settlement account.
fn payer_id(model: &Model, wallet: &Wallet) -> Result<WalletId, String> {
    if let Some(user) = &wallet.user {
        return Ok(WalletId::from_text(user.as_str()));
    }
    let accounts = model.pages.overview.accounts.rows().iter().map(|sourced| &sourced.entry);
    let mut settlement = accounts.filter(|account| account.kind == Some(AccountType::Settlement));
    let prime = settlement.find(|account| wallet.account.as_ref() == Some(&account.id));
    prime.map(|account| WalletId::from_text(account.id.as_str())).ok_or_else(|| {
        let by_v2 = if model.console.preferences.v2 { "; w pays from it by version 2" } else { "" };
        format!(
            "version 1 pays from a user's sub-wallet or from the Prime Wallet, and this wallet is not known to belong to \
             either{by_v2}"
        )
    })
}

pub(super) fn parse_memo(model: &Model, form: &FormState) -> Result<Option<Text>, String> {
    let Some(text) = optional_field_text(form, FieldId::Memo)? else { return Ok(None) };
    if let Some(secret) = address::find_secret(&text) {
        return Err(format!("this contains {secret}: anyone who sees it can take what it protects; remove it"));
    }
    let family = form.selection.wallet.as_ref().and_then(|wallet| wallet_address_family(model, wallet));
    domain::check_memo(family, &text).map_err(|fault| fault.to_string())?;
    Ok(Some(text))
}

pub(super) fn parse_maximum_fee(model: &Model, form: &FormState) -> Result<Option<Text>, String> {
    let Some(text) = optional_field_text(form, FieldId::Fee)? else { return Ok(None) };
    let decimals = chosen_token_decimals(model, form).ok_or("choose the token first")?;
    let most = Amount::parse(&text, decimals).map_err(|error| error.to_string())?;
    Ok(Some(Text::clean(&most.to_string())))
}

fn optional_field_text(form: &FormState, slot: FieldId) -> Result<Option<Text>, String> {
    let field = form.fields.iter().find(|field| field.id == slot);
    Ok(field.map(Field::checked_text).transpose()?.filter(|text| !text.is_empty()))
}

pub(super) fn build_draft(
    model: &Model,
    form: &FormState,
    wallet: &Wallet,
    withdrawal: Withdrawal,
) -> Result<Draft, (FieldId, String)> {
    let payer = payer_id(model, wallet).map_err(|error| (FieldId::Wallet, error))?;
    let memo = parse_memo(model, form).map_err(|error| (FieldId::Memo, error))?;
    let fee = parse_maximum_fee(model, form).map_err(|error| (FieldId::Fee, error))?;
    Ok(Draft::Payment(V1Payment { withdrawal: Withdrawal { wallet: payer, ..withdrawal }, fee, memo }))
}
