//! New users, accounts, wallets and sub-wallets: what their fields may hold.

use std::collections::HashSet;

use uuid::Uuid;

use super::chains;
use super::field::{Field, Slot};
use super::sheet::Sheet;
use super::supply::{Choice, Take};
use crate::app::model::Model;
use crate::app::panes::Tone;
use crate::domain::draft::{NewAccount, NewSubWallet, NewUser, NewWallet};
use crate::domain::{Account, Draft, Made, Operation, Text, User, UserId};

/// What may be chosen for a field.
pub(super) fn choices(model: &Model, sheet: &Sheet, slot: Slot) -> Vec<Choice> {
    let typed = sheet.value(slot).to_lowercase();
    let words = |text: &str, name: &str, about: &str| Choice {
        text: text.to_owned(),
        name: name.to_owned(),
        about: about.to_owned(),
        take: Take::Words,
    };
    let mut choices = match slot {
        Slot::Account if sheet.picked.account.is_none() => {
            model.accounts.held().iter().map(|account| account_choice(&account.entry)).collect()
        }
        Slot::Chain => return chains::choices(model, sheet),
        Slot::Owner => {
            let about = |user: &User| user.email.as_ref().or(user.ref_id.as_ref()).map_or("", Text::as_str).to_owned();
            let choice = |user: &User| {
                words(user.id.as_str(), &name_of(user), format!("{}  {}", user.id, about(user)).trim_end())
            };
            users(model).map(choice).collect()
        }
        Slot::Sweep => vec![
            words("no", "no", "what arrives stays in the wallet"),
            words("yes", "yes", "native coins are swept to the settlement account"),
        ],
        Slot::Use => vec![words("yes", "yes", "it pays"), words("no", "no", "it pays nothing from then on")],
        Slot::Trade => vec![words("no", "no", "it holds and pays"), words("yes", "yes", "it may swap, too")],
        _ => Vec::new(),
    };
    // A whole word needs no completing.
    let whole = choices.iter().any(|choice| choice.text.to_lowercase() == typed);
    choices.retain(|choice| !whole && format!("{} {}", choice.name, choice.about).to_lowercase().contains(&typed));
    choices
}

fn account_choice(account: &Account) -> Choice {
    let name = account.name.as_ref().map_or_else(|| account.id.to_string(), ToString::to_string);
    let kind = account.kind.as_ref().map_or("", |kind| kind.word());
    Choice {
        text: name.clone(),
        name,
        about: format!("{kind}  {}", account.id).trim_start().to_owned(),
        take: Take::Account(Box::new(account.clone())),
    }
}

/// The users that were made from here, the newest first, and those that the Users page lists.
fn users(model: &Model) -> impl Iterator<Item = &User> {
    let answers = model.orders.iter().flat_map(|order| &order.attempts).filter_map(|attempt| attempt.answer.as_ref());
    let made = answers.filter_map(|(_, answered)| match &answered.made {
        Some(Made::User(user)) => Some(user),
        _ => None,
    });
    let mut seen = HashSet::new();
    let listed = model.users.listing.held().iter().map(|user| &user.entry);
    made.chain(listed).filter(move |user| seen.insert(&user.id))
}

pub(super) fn name_of(user: &User) -> String {
    let name = user.display_name.as_ref().or(user.email.as_ref()).or(user.ref_id.as_ref());
    name.map_or_else(|| user.id.to_string(), ToString::to_string)
}

/// The id of the user whose id or name this is; of no other user anything is known here.
pub(super) fn chosen_user(model: &Model, typed: &str) -> Result<Option<(String, Take)>, String> {
    if typed.is_empty() || Uuid::parse_str(typed).is_ok() {
        return Ok(None);
    }
    let named: Vec<&User> = users(model).filter(|user| name_of(user).eq_ignore_ascii_case(typed)).collect();
    match named.as_slice() {
        [one] => Ok(Some((one.id.to_string(), Take::Words))),
        [] => {
            Err("no user of this name is known here; choose one with Down and Enter, or write an id, which is a UUID"
                .into())
        }
        _ => Err("several users have this name; choose one with Down and Enter".into()),
    }
}

/// Checks a field that is left.
pub(super) fn check(model: &Model, sheet: &Sheet, slot: Slot) -> Result<Option<(String, Take)>, String> {
    let Some(field) = sheet.fields.iter().find(|field| field.slot == slot) else { return Ok(None) };
    let text = field.text()?;
    match slot {
        Slot::Account => account(model, sheet),
        Slot::Chain => chains::check(model, sheet),
        Slot::Name if sheet.operation == Operation::CreateAccount && text.is_empty() => {
            Err("an account needs a name".into())
        }
        Slot::Owner => chosen_user(model, &text),
        Slot::Email if !text.is_empty() && !is_mail(&text) => Err("an address for mail has the form name@host".into()),
        Slot::Sweep | Slot::Use | Slot::Trade if !matches!(text.as_str(), "" | "no" | "yes") => {
            Err("write yes or no".into())
        }
        Slot::Reference
            if matches!(sheet.operation, Operation::CreateUser | Operation::CreateSubWallet) && is_nobody(sheet) =>
        {
            Err("give a name, an email or a reference, so that the user can be told from others".into())
        }
        Slot::Reference if text.is_empty() && chains::are_several(sheet) => {
            Err("give a reference: by it the wallets on all these chains get one address".into())
        }
        _ => Ok(None),
    }
}

/// Whether it has the form of an address for mail; whether mail arrives is the service's to find out.
fn is_mail(text: &str) -> bool {
    !text.contains(' ')
        && text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'))
}

/// Whether nothing would tell the user from others.
fn is_nobody(sheet: &Sheet) -> bool {
    [Slot::Name, Slot::Email, Slot::Reference].into_iter().all(|slot| sheet.value(slot).is_empty())
}

fn account(model: &Model, sheet: &Sheet) -> Result<Option<(String, Take)>, String> {
    if sheet.picked.account.is_some() {
        return Ok(None);
    }
    let typed = sheet.value(Slot::Account);
    let all: Vec<&Account> = model.accounts.held().iter().map(|account| &account.entry).collect();
    let named: Vec<&&Account> = all
        .iter()
        .filter(|account| {
            account.id.as_str() == typed || account.name.as_ref().is_some_and(|name| name.eq_ignore_ascii_case(typed))
        })
        .collect();
    match (typed.is_empty(), named.as_slice()) {
        (false, [one]) => {
            let Choice { text, take, .. } = account_choice(one);
            Ok(Some((text, take)))
        }
        (_, []) if all.is_empty() => Err("no account is known yet; n makes one".into()),
        (true, _) => Err("choose the account: Down and Enter, or type its name".into()),
        (false, []) => Err("no account has this name; choose one with Down and Enter".into()),
        (false, _) => Err("several accounts have this name; choose one with Down and Enter".into()),
    }
}

/// What is said of a field while nothing is wrong with it.
pub(super) fn hint(sheet: &Sheet, slot: Slot) -> Option<(String, Tone)> {
    let words = match (sheet.operation, slot) {
        (_, Slot::Account) => return sheet.picked.account.as_ref().map(|account| (account.id.to_string(), Tone::Dim)),
        _ if !sheet.value(slot).is_empty() => return None,
        (Operation::CreateWallet, Slot::Name) => "what the wallet is called; may stay empty",
        (_, Slot::Owner) => "the user who owns it, by id or name; may stay empty",
        (Operation::CreateWallet, Slot::Reference) => "may stay empty; one reference, one address on all EVM chains",
        (_, Slot::Reference) => "your own; may stay empty",
        (_, Slot::Email) => "may stay empty",
        (Operation::CreateUser | Operation::CreateSubWallet, Slot::Name) => "the name that is shown; may stay empty",
        (Operation::CreateAccount, Slot::Name) => "what the account is called",
        (_, Slot::Chain) => "where it lives, for good; several EVM chains: base, polygon",
        (_, Slot::Sweep | Slot::Trade) => "yes or no; empty is no",
        _ => return None,
    };
    Some((words.to_owned(), Tone::Dim))
}

/// A field's words, or nothing where it is empty; an error names the field.
pub(super) fn text(sheet: &Sheet, slot: Slot) -> Result<Option<Text>, (Slot, String)> {
    let field = sheet.fields.iter().find(|field| field.slot == slot).map(Field::text).transpose();
    Ok(field.map_err(|words| (slot, words))?.filter(|text| !text.is_empty()))
}

/// What was answered, if anything was.
pub(super) fn yes_or_no(sheet: &Sheet, slot: Slot) -> Option<bool> {
    match sheet.value(slot) {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

/// Who a user will be; an error names the field that is to blame.
pub(super) fn person(sheet: &Sheet) -> Result<NewUser, (Slot, String)> {
    Ok(NewUser {
        email: text(sheet, Slot::Email)?,
        display_name: text(sheet, Slot::Name)?,
        ref_id: text(sheet, Slot::Reference)?,
    })
}

/// A new sub-wallet; an error names the field that is to blame.
pub(super) fn sub_wallet(sheet: &Sheet) -> Result<Draft, (Slot, String)> {
    let can_trade = yes_or_no(sheet, Slot::Trade).unwrap_or(false);
    Ok(Draft::CreateSubWallet(NewSubWallet { user: person(sheet)?, can_trade }))
}

/// A new account; an error names the field that is to blame.
pub(super) fn new_account(sheet: &Sheet) -> Result<Draft, (Slot, String)> {
    let name = text(sheet, Slot::Name)?.ok_or((Slot::Name, "an account needs a name".to_owned()))?;
    Ok(Draft::CreateAccount(NewAccount { name }))
}

/// A new wallet; an error names the field that is to blame.
pub(super) fn new_wallet(model: &Model, sheet: &Sheet) -> Result<Draft, (Slot, String)> {
    let account = sheet.picked.account.as_ref().ok_or((Slot::Account, "choose the account".to_owned()))?;
    let chains = chains::named(model, sheet.value(Slot::Chain)).map_err(|words| (Slot::Chain, words))?;
    let chain = chains.get(sheet.done).ok_or((Slot::Chain, "all of these are made".to_owned()))?;
    Ok(Draft::CreateWallet(NewWallet {
        account: account.id.clone(),
        blockchain: super::chain_word(model, chain),
        name: text(sheet, Slot::Name)?,
        ref_id: text(sheet, Slot::Reference)?,
        user: text(sheet, Slot::Owner)?.map(|user| UserId::read(&user)),
        auto_sweep: yes_or_no(sheet, Slot::Sweep).unwrap_or(false),
    }))
}
