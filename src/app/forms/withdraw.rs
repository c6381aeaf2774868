//! A payment to one recipient.

mod by_v1;
mod hints;
mod limit;
mod offers;
mod payable_amount;
mod recipient;

use super::balance_share;
use super::field::FieldId;
use super::form_state::FormState;
use super::lookups::Picked;
use super::payer::{CheckedValue, build_sender, chosen_holding, holdings_without_imitations, wallet_name};
use crate::app::model::Model;
use crate::domain::{Draft, Holding, Metadata, Operation, Sender, Text, Wallet, Withdrawal, address};
use payable_amount::parse_amount;

pub(super) use hints::field_hint;
pub(super) use offers::field_choices;

#[expect(clippy::wildcard_enum_match_arm, reason = "other fields are on other forms")]
pub(super) fn check_field(model: &Model, form: &FormState, slot: FieldId) -> Result<CheckedValue, String> {
    match slot {
        FieldId::Wallet => by_v1::check_payer(model, form, resolve_wallet(form)?),
        FieldId::Token => resolve_token(form),
        FieldId::Recipient => recipient::check_recipient(model, form),
        FieldId::Amount => {
            parse_amount(model, form).map(|amount| balance_share::settle_share(form.value(slot), amount))
        }
        FieldId::Note | FieldId::Reference => parse_free_text(form, slot).map(|_| None),
        FieldId::Memo => by_v1::parse_memo(model, form).map(|_| None),
        FieldId::Fee => by_v1::parse_maximum_fee(model, form).map(|_| None),
        _ => Ok(None),
    }
}

fn resolve_wallet(form: &FormState) -> Result<CheckedValue, String> {
    if form.selection.wallet.is_some() {
        return Ok(None);
    }
    let typed = form.value(FieldId::Wallet);
    if form.wallet_matches.filter.as_deref() != Some(typed) {
        return Err("the wallets are still being looked up; press the key again".into());
    }
    let rows: Vec<&Wallet> = form.wallet_matches.window.rows.iter().map(|wallet| &wallet.entry).collect();
    let matches: Vec<&Wallet> = rows
        .iter()
        .copied()
        .filter(|wallet| {
            wallet_name(wallet).eq_ignore_ascii_case(typed)
                || wallet.address.as_deref().is_some_and(|address| address.eq_ignore_ascii_case(typed))
        })
        .collect();
    match (typed.is_empty(), matches.as_slice(), rows.as_slice()) {
        (true, _, []) => Err("no wallet is known yet; n creates one".into()),
        (true, ..) => Err("choose the wallet that pays: Down and Enter, or type its name".into()),
        (false, [one], _) | (false, [], [one]) => {
            Ok(Some((wallet_name(one), Picked::Wallet(Box::new((*one).clone())))))
        }
        (false, _, []) => Err("no wallet has this name, address or chain".into()),
        (false, ..) => {
            let count = form.wallet_matches.window.count.number();
            Err(format!("{count} wallets match; choose one with Down and Enter"))
        }
    }
}

fn resolve_token(form: &FormState) -> Result<CheckedValue, String> {
    let Some(wallet) = &form.selection.wallet else { return Err("choose the wallet first".into()) };
    if form.selection.token.is_some() {
        return Ok(None);
    }
    if form.holdings.wallet.as_ref() != Some(&wallet.id) {
        return Err("what this wallet holds is still being looked up; press the key again".into());
    }
    let typed = form.value(FieldId::Token);
    let matches: Vec<&Holding> =
        holdings_without_imitations(form).filter(|holding| holding.symbol.eq_ignore_ascii_case(typed)).collect();
    match (typed.is_empty(), matches.as_slice()) {
        (_, [one]) => Ok(Some((one.symbol.to_string(), Picked::Token(one.token.clone())))),
        (_, []) if holdings_without_imitations(form).next().is_none() => Err("this wallet has no known balance".into()),
        (true, _) => Err("choose a token that this wallet holds: Down and Enter, or type its symbol".into()),
        (false, []) => Err("this wallet holds no token with this symbol".into()),
        (false, _) => Err("two tokens have this symbol here; choose one by its contract with Down and Enter".into()),
    }
}

pub(super) fn parse_note(form: &FormState) -> Result<Option<Text>, String> {
    parse_free_text(form, FieldId::Note)
}

/// The operator's own reference; without one, the request gets one that is made up.
pub(super) fn parse_reference(form: &FormState) -> Result<Option<Text>, String> {
    parse_free_text(form, FieldId::Reference)
}

fn parse_free_text(form: &FormState, slot: FieldId) -> Result<Option<Text>, String> {
    let field = form.fields.iter().find(|field| field.id == slot);
    let Some(text) = field.map(super::field::Field::checked_text).transpose()?.filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    // The words go into the journal and to the service, and cannot be removed from either.
    match address::find_secret(&text) {
        Some(secret) => Err(format!("this contains {secret}: anyone who sees it can take what it protects; remove it")),
        None => Ok(Some(text)),
    }
}

pub(super) fn build_draft(model: &Model, form: &FormState) -> Result<(Draft, Sender), (FieldId, String)> {
    let at = |slot| move |error: String| (slot, error);
    let wallet = form.selection.wallet.as_ref().ok_or((FieldId::Wallet, "choose the wallet that pays".to_owned()))?;
    let holding = chosen_holding(form).ok_or((FieldId::Token, "choose a token that this wallet holds".to_owned()))?;
    let to = recipient::parse_recipient(model, form).map_err(at(FieldId::Recipient))?;
    let amount = parse_amount(model, form).map_err(at(FieldId::Amount))?;
    let note = parse_note(form).map_err(at(FieldId::Note))?;
    let ref_id = parse_reference(form).map_err(at(FieldId::Reference))?;
    let draft = Withdrawal {
        wallet: wallet.id.clone(),
        blockchain: super::chains::request_chain_name(model, &wallet.blockchain),
        token: holding.symbol.clone(),
        amount: Text::clean(&amount.to_string()),
        to,
        ref_id,
        note,
        metadata: Metadata::default(),
    };
    let sender = build_sender(wallet, holding, amount);
    if form.operation == Operation::Payment {
        return Ok((by_v1::build_draft(model, form, wallet, draft)?, sender));
    }
    Ok((Draft::Withdraw(draft), sender))
}
