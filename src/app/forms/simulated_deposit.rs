//! A simulated deposit, for which a test service is asked. Its wallet is chosen before the form is opened.

use super::field::FieldId;
use super::form_state::FormState;
use super::lookups::{FieldChoice, Picked};
use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::domain::chain::{chain_display_name, is_same_chain as same_chain};
use crate::domain::draft::SimulatedDeposit;
use crate::domain::{Amount, Draft, Text, Token};

/// Tokens that the service lists on the wallet's chain, with their fraction digits there.
fn listed_tokens_on_chain<'a>(model: &'a Model, form: &'a FormState) -> impl Iterator<Item = (&'a Token, Option<u8>)> {
    let wallet = form.selection.wallet.as_ref();
    model.data.listed_tokens.iter().filter_map(move |token| {
        let chain = token
            .blockchains
            .iter()
            .find(|chain| wallet.is_some_and(|wallet| same_chain(&chain.slug, &wallet.blockchain)))?;
        Some((token, chain.decimals.or(token.decimals)))
    })
}

pub(super) fn field_choices(model: &Model, form: &FormState, slot: FieldId) -> Vec<FieldChoice> {
    let typed = form.value(slot).to_lowercase();
    let of_token = |(token, _): (&Token, Option<u8>)| FieldChoice {
        text: token.symbol.to_string(),
        name: token.symbol.to_string(),
        detail: token.name.to_string(),
        picked: Picked::TextOnly,
    };
    // A complete symbol needs no completion.
    let is_complete = listed_tokens_on_chain(model, form).any(|(token, _)| token.symbol.eq_ignore_ascii_case(&typed));
    if slot != FieldId::Token || is_complete {
        return Vec::new();
    }
    let matches = |(token, _): &(&Token, Option<u8>)| token.symbol.to_lowercase().contains(&typed);
    listed_tokens_on_chain(model, form).filter(matches).map(of_token).collect()
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other fields are on other forms")]
pub(super) fn check_field(model: &Model, form: &FormState, slot: FieldId) -> Result<Option<(String, Picked)>, String> {
    match slot {
        FieldId::Token => chosen_token(model, form).map(|(symbol, _)| Some((symbol.to_string(), Picked::TextOnly))),
        FieldId::Amount => parse_amount(model, form).map(|_| None),
        _ => Ok(None),
    }
}

fn chosen_token<'a>(model: &'a Model, form: &'a FormState) -> Result<(&'a Text, u8), String> {
    if !model.pages.markets.tokens.is_loaded() {
        return Err("the tokens are still being looked up; press the key again".into());
    }
    let typed = form.value(FieldId::Token);
    let listed_token = listed_tokens_on_chain(model, form).find(|(token, _)| token.symbol.eq_ignore_ascii_case(typed));
    match listed_token {
        Some((token, Some(decimals))) => Ok((&token.symbol, decimals)),
        Some((_, None)) => Err("the number of decimals of this token is not known; choose another".into()),
        None => Err("choose a token that the service lists on this chain: Down and Enter, or type its symbol".into()),
    }
}

fn parse_amount(model: &Model, form: &FormState) -> Result<Amount, String> {
    let (_, decimals) = chosen_token(model, form)?;
    let amount = Amount::parse(form.value(FieldId::Amount), decimals).map_err(|error| error.to_string())?;
    if amount.is_zero() { Err("enter an amount greater than zero".into()) } else { Ok(amount) }
}

pub(super) fn field_hint(model: &Model, form: &FormState, slot: FieldId) -> Option<(String, Tone)> {
    let hint = match (slot, form.value(slot)) {
        (FieldId::Token, _) => {
            let wallet = form.selection.wallet.as_ref()?;
            format!("arrives in {} on {}", super::payer::wallet_name(wallet), chain_display_name(&wallet.blockchain))
        }
        (FieldId::Amount, "") => "digits and one point, as in 1234.56".into(),
        (FieldId::Amount, _) => {
            format!("{} {}", parse_amount(model, form).ok()?.format_grouped(), form.value(FieldId::Token))
        }
        _ => return None,
    };
    Some((hint, Tone::Dim))
}

pub(super) fn build_draft(model: &Model, form: &FormState) -> Result<Draft, (FieldId, String)> {
    let (symbol, _) = chosen_token(model, form).map_err(|error| (FieldId::Token, error))?;
    let amount = parse_amount(model, form).map_err(|error| (FieldId::Amount, error))?;
    let wallet = form.selection.wallet.as_ref();
    let place = wallet.and_then(|wallet| Some((wallet, wallet.address.clone()?)));
    let (wallet, to) =
        place.ok_or((FieldId::Token, "the service has not reported the address of this wallet".to_owned()))?;
    Ok(Draft::SimulateDeposit(SimulatedDeposit {
        token: symbol.clone(),
        blockchain: super::chains::request_chain_name(model, &wallet.blockchain),
        amount: Text::clean(&amount.to_string()),
        to,
    }))
}
