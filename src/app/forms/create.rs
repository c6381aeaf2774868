//! Checks, choices and drafts of new users, accounts, wallets and sub-wallets.

use std::collections::HashSet;

use uuid::Uuid;

use super::chains;
use super::field::{Field, FieldId};
use super::form_state::FormState;
use super::lookups::{FieldChoice, Picked};
use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::domain::draft::{NewAccount, NewSubWallet, NewUser, NewWallet};
use crate::domain::{Account, CreatedObject, Draft, Operation, Text, User, UserId};

#[expect(clippy::wildcard_enum_match_arm, reason = "other fields are on other forms")]
pub(super) fn field_choices(model: &Model, form: &FormState, slot: FieldId) -> Vec<FieldChoice> {
    let typed = form.value(slot).to_lowercase();
    let text_choice = |text: &str, name: &str, about: &str| FieldChoice {
        text: text.to_owned(),
        name: name.to_owned(),
        detail: about.to_owned(),
        picked: Picked::TextOnly,
    };
    let mut choices = match slot {
        FieldId::Account if form.selection.account.is_none() => {
            model.pages.overview.accounts.rows().iter().map(|account| account_choice(&account.entry)).collect()
        }
        FieldId::Chain => return chains::chain_choices(model, form),
        FieldId::Owner | FieldId::SubWallet => {
            let about = |user: &User| user.email.as_ref().or(user.ref_id.as_ref()).map_or("", Text::as_str).to_owned();
            let choice = |user: &User| {
                text_choice(user.id.as_str(), &user_name(user), format!("{}  {}", user.id, about(user)).trim_end())
            };
            known_users(model).map(choice).collect()
        }
        FieldId::AutoSweep => vec![
            text_choice("no", "no", "what arrives stays in the wallet"),
            text_choice("yes", "yes", "native coins are swept to the settlement account"),
        ],
        FieldId::IsActive => {
            vec![
                text_choice("yes", "yes", "the wallet can pay"),
                text_choice("no", "no", "the wallet can no longer pay"),
            ]
        }
        FieldId::CanTrade => {
            vec![text_choice("no", "no", "can hold and pay"), text_choice("yes", "yes", "can also swap")]
        }
        _ => Vec::new(),
    };
    // A complete word needs no completion.
    let whole = choices.iter().any(|choice| choice.text.to_lowercase() == typed);
    choices.retain(|choice| !whole && format!("{} {}", choice.name, choice.detail).to_lowercase().contains(&typed));
    choices
}

fn account_choice(account: &Account) -> FieldChoice {
    let name = account.name.as_ref().map_or_else(|| account.id.to_string(), ToString::to_string);
    let kind = account.kind.as_ref().map_or("", |kind| kind.word());
    FieldChoice {
        text: name.clone(),
        name,
        detail: format!("{kind}  {}", account.id).trim_start().to_owned(),
        picked: Picked::Account(Box::new(account.clone())),
    }
}

/// The users created by the listed orders, newest first, then those on the Users page.
fn known_users(model: &Model) -> impl Iterator<Item = &User> {
    let answers =
        model.journal.orders.iter().flat_map(|order| &order.attempts).filter_map(|attempt| attempt.answer.as_ref());
    let created_users = answers.filter_map(|(_, answer)| match &answer.created {
        Some(CreatedObject::User(user)) => Some(user),
        _ => None,
    });
    let mut ids = HashSet::new();
    let listed_users = model.pages.users.listing.rows().iter().map(|user| &user.entry);
    created_users.chain(listed_users).filter(move |user| ids.insert(&user.id))
}

pub(super) fn user_name(user: &User) -> String {
    let name = user.display_name.as_ref().or(user.email.as_ref()).or(user.ref_id.as_ref());
    name.map_or_else(|| user.id.to_string(), ToString::to_string)
}

/// The name of the user whose id is in a field.
pub(super) fn user_hint(model: &Model, form: &FormState, slot: FieldId) -> Option<(String, Tone)> {
    let id = UserId::from_text(form.value(slot));
    let name = known_users(model).find(|user| user.id == id).map(user_name);
    name.filter(|name| *name != id.as_str()).map(|name| (name, Tone::Dim))
}

/// The id of the user with this id or name. A name is only looked up among the users known here.
pub(super) fn resolve_user(model: &Model, typed: &str) -> Result<Option<(String, Picked)>, String> {
    if typed.is_empty() || Uuid::parse_str(typed).is_ok() {
        return Ok(None);
    }
    let matches: Vec<&User> = known_users(model).filter(|user| user_name(user).eq_ignore_ascii_case(typed)).collect();
    match matches.as_slice() {
        [one] => Ok(Some((one.id.to_string(), Picked::TextOnly))),
        [] => Err("no known user has this name; choose one with Down and Enter, or enter the user id (a UUID)".into()),
        _ => Err("several users have this name; choose one with Down and Enter".into()),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other fields are on other forms")]
pub(super) fn check_field(model: &Model, form: &FormState, slot: FieldId) -> Result<Option<(String, Picked)>, String> {
    let Some(field) = form.fields.iter().find(|field| field.id == slot) else { return Ok(None) };
    let text = field.checked_text()?;
    match slot {
        FieldId::Account => resolve_account(model, form),
        FieldId::Chain => chains::check_chains(model, form),
        FieldId::Name if form.operation == Operation::CreateAccount && text.is_empty() => {
            Err("an account needs a name".into())
        }
        FieldId::Owner => resolve_user(model, &text),
        FieldId::Email if !text.is_empty() && !is_email_address(&text) => {
            Err("an email address has the form name@host".into())
        }
        FieldId::AutoSweep | FieldId::IsActive | FieldId::CanTrade if !matches!(text.as_str(), "" | "no" | "yes") => {
            Err("enter yes or no".into())
        }
        FieldId::Reference
            if matches!(form.operation, Operation::CreateUser | Operation::CreateSubWallet)
                && has_no_identifier(form) =>
        {
            Err("enter a name, an email or a reference, so that the user can be identified".into())
        }
        FieldId::Reference if text.is_empty() && chains::has_several_chains(form) => {
            Err("enter a reference: it gives the wallets on all these chains the same address".into())
        }
        _ => Ok(None),
    }
}

/// Whether the text has the form of an email address; whether mail arrives is for the service to find out.
fn is_email_address(text: &str) -> bool {
    !text.contains(' ')
        && text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'))
}

/// Whether nothing would identify the user.
fn has_no_identifier(form: &FormState) -> bool {
    [FieldId::Name, FieldId::Email, FieldId::Reference].into_iter().all(|slot| form.value(slot).is_empty())
}

fn resolve_account(model: &Model, form: &FormState) -> Result<Option<(String, Picked)>, String> {
    if form.selection.account.is_some() {
        return Ok(None);
    }
    let typed = form.value(FieldId::Account);
    let all: Vec<&Account> = model.pages.overview.accounts.rows().iter().map(|account| &account.entry).collect();
    let matches: Vec<&&Account> = all
        .iter()
        .filter(|account| {
            account.id.as_str() == typed || account.name.as_ref().is_some_and(|name| name.eq_ignore_ascii_case(typed))
        })
        .collect();
    match (typed.is_empty(), matches.as_slice()) {
        (false, [one]) => {
            let FieldChoice { text, picked: take, .. } = account_choice(one);
            Ok(Some((text, take)))
        }
        (_, []) if all.is_empty() => Err("no account is known yet; n creates one".into()),
        (true, _) => Err("choose the account: Down and Enter, or type its name".into()),
        (false, []) => Err("no account has this name; choose one with Down and Enter".into()),
        (false, _) => Err("several accounts have this name; choose one with Down and Enter".into()),
    }
}

pub(super) fn field_hint(model: &Model, form: &FormState, slot: FieldId) -> Option<(String, Tone)> {
    let hint = match (form.operation, slot) {
        (_, FieldId::Account) => {
            return form.selection.account.as_ref().map(|account| (account.id.to_string(), Tone::Dim));
        }
        (_, FieldId::Owner) if !form.value(slot).is_empty() => return user_hint(model, form, slot),
        _ if !form.value(slot).is_empty() => return None,
        (Operation::CreateWallet, FieldId::Name) => "the wallet's name; optional",
        (_, FieldId::Owner) => "the owner's user id or name; optional",
        (Operation::CreateWallet, FieldId::Reference) => "optional; one reference gives one address on all EVM chains",
        (_, FieldId::Reference) => "your own reference; optional",
        (_, FieldId::Email) => "optional",
        (Operation::CreateUser | Operation::CreateSubWallet, FieldId::Name) => "the display name; optional",
        (Operation::CreateAccount, FieldId::Name) => "the account's name",
        (_, FieldId::Chain) => "cannot be changed later; several EVM chains: base, polygon",
        (_, FieldId::AutoSweep | FieldId::CanTrade) => "yes or no; empty is no",
        _ => return None,
    };
    Some((hint.to_owned(), Tone::Dim))
}

pub(super) fn optional_field_text(form: &FormState, slot: FieldId) -> Result<Option<Text>, (FieldId, String)> {
    let field = form.fields.iter().find(|field| field.id == slot).map(Field::checked_text).transpose();
    Ok(field.map_err(|error| (slot, error))?.filter(|text| !text.is_empty()))
}

/// The answer in a yes-or-no field; `None` where it is empty.
pub(super) fn parse_yes_no(form: &FormState, slot: FieldId) -> Option<bool> {
    match form.value(slot) {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

/// The user that the fields describe; an error comes with the field to correct.
pub(super) fn build_user(form: &FormState) -> Result<NewUser, (FieldId, String)> {
    Ok(NewUser {
        email: optional_field_text(form, FieldId::Email)?,
        display_name: optional_field_text(form, FieldId::Name)?,
        ref_id: optional_field_text(form, FieldId::Reference)?,
    })
}

pub(super) fn sub_wallet_draft(form: &FormState) -> Result<Draft, (FieldId, String)> {
    let can_trade = parse_yes_no(form, FieldId::CanTrade).unwrap_or(false);
    Ok(Draft::CreateSubWallet(NewSubWallet { user: build_user(form)?, can_trade }))
}

pub(super) fn account_draft(form: &FormState) -> Result<Draft, (FieldId, String)> {
    let name =
        optional_field_text(form, FieldId::Name)?.ok_or((FieldId::Name, "an account needs a name".to_owned()))?;
    Ok(Draft::CreateAccount(NewAccount { name }))
}

pub(super) fn wallet_draft(model: &Model, form: &FormState) -> Result<Draft, (FieldId, String)> {
    let account = form.selection.account.as_ref().ok_or((FieldId::Account, "choose the account".to_owned()))?;
    let chains = chains::parse_chains(model, form.value(FieldId::Chain)).map_err(|error| (FieldId::Chain, error))?;
    let chain =
        chains.get(form.created_count).ok_or((FieldId::Chain, "all of these wallets have been created".to_owned()))?;
    Ok(Draft::CreateWallet(NewWallet {
        account: account.id.clone(),
        blockchain: super::chains::request_chain_name(model, chain),
        name: optional_field_text(form, FieldId::Name)?,
        ref_id: optional_field_text(form, FieldId::Reference)?,
        user: optional_field_text(form, FieldId::Owner)?.map(|user| UserId::from_text(&user)),
        auto_sweep: parse_yes_no(form, FieldId::AutoSweep).unwrap_or(false),
    }))
}
