//! A version 1 deposit address for one coin on one chain, of a user or of the sandbox.

use super::create::{optional_field_text, resolve_user, user_hint};
use super::field::FieldId;
use super::form_state::FormState;
use super::lookups::{FieldChoice, Picked};
use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::domain::chain::chain_display_name;
use crate::domain::draft::{Draft, NewAddress, NewSandboxAddress, Operation};
use crate::domain::{Blockchain, Text, Token, UserId};

#[expect(clippy::wildcard_enum_match_arm, reason = "other fields are on other forms")]
pub(super) fn field_choices(model: &Model, form: &FormState, slot: FieldId) -> Vec<FieldChoice> {
    let typed = form.value(slot).to_lowercase();
    let text_choice = |text: &str, about: &str| FieldChoice {
        text: text.to_owned(),
        name: text.to_owned(),
        detail: about.to_owned(),
        picked: Picked::TextOnly,
    };
    let mut choices: Vec<FieldChoice> = match slot {
        FieldId::Token => {
            model.data.listed_tokens.iter().map(|token| text_choice(&token.symbol, &token.name)).collect()
        }
        FieldId::Chain => {
            chains_of_coin(model, form).map(|chain| text_choice(&chain.slug, chain_display_name(&chain.slug))).collect()
        }
        _ => return super::create::field_choices(model, form, slot),
    };
    // A complete word needs no completion.
    let whole = choices.iter().any(|choice| choice.text.to_lowercase() == typed);
    choices.retain(|choice| !whole && format!("{} {}", choice.name, choice.detail).to_lowercase().contains(&typed));
    choices
}

fn chosen_coin<'a>(model: &'a Model, form: &FormState) -> Option<&'a Token> {
    let typed = form.value(FieldId::Token);
    model.data.listed_tokens.iter().find(|token| token.symbol.eq_ignore_ascii_case(typed))
}

fn chains_of_coin<'a>(model: &'a Model, form: &FormState) -> impl Iterator<Item = &'a Blockchain> {
    chosen_coin(model, form).into_iter().flat_map(|token| &token.blockchains)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other fields are on other forms")]
pub(super) fn check_field(model: &Model, form: &FormState, slot: FieldId) -> Result<Option<(String, Picked)>, String> {
    match slot {
        FieldId::SubWallet if form.value(slot).is_empty() => {
            Err("choose the user who gets the address: an id or a name".into())
        }
        FieldId::SubWallet => resolve_user(model, form.value(slot)),
        FieldId::Token if !model.pages.markets.tokens.is_loaded() => {
            Err("the tokens are still being looked up; press the key again".into())
        }
        FieldId::Token => match chosen_coin(model, form) {
            Some(token) => Ok(Some((token.symbol.to_string(), Picked::TextOnly))),
            None => Err("choose a coin that the service lists: Down and Enter, or type its symbol".into()),
        },
        FieldId::Chain => {
            let typed = form.value(slot);
            let is_named = |chain: &&Blockchain| {
                chain.slug.eq_ignore_ascii_case(typed) || chain_display_name(&chain.slug).eq_ignore_ascii_case(typed)
            };
            match chains_of_coin(model, form).find(is_named) {
                Some(chain) => Ok(Some((chain.slug.to_string(), Picked::TextOnly))),
                None => Err("choose a blockchain on which the service lists the coin: Down and Enter".into()),
            }
        }
        _ => Ok(None),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other fields are on other forms")]
pub(super) fn field_hint(model: &Model, form: &FormState, slot: FieldId) -> Option<(String, Tone)> {
    let hint = match slot {
        FieldId::SubWallet if !form.value(slot).is_empty() => return user_hint(model, form, slot),
        _ if !form.value(slot).is_empty() => return None,
        FieldId::SubWallet => "the user's id or name (a sub-wallet in version 1)",
        FieldId::Token => "the coin that will be deposited",
        FieldId::Chain => "the chain of the deposit; an existing address is returned again",
        _ => return None,
    };
    Some((hint.to_owned(), Tone::Dim))
}

pub(super) fn build_draft(form: &FormState) -> Result<Draft, (FieldId, String)> {
    let required = |slot: FieldId, noun: &str| -> Result<Text, (FieldId, String)> {
        optional_field_text(form, slot)?.ok_or_else(|| (slot, format!("choose {noun}")))
    };
    let coin_and_chain = || Ok((required(FieldId::Token, "the coin")?, required(FieldId::Chain, "the blockchain")?));
    if form.operation == Operation::CreateSandboxAddress {
        let (coin, chain) = coin_and_chain()?;
        return Ok(Draft::CreateSandboxAddress(NewSandboxAddress { coin, chain }));
    }
    let sub_wallet = UserId::from_text(&required(FieldId::SubWallet, "the user who gets the address")?);
    let (coin, chain) = coin_and_chain()?;
    Ok(Draft::CreateAddress(NewAddress { sub_wallet, coin, chain }))
}
