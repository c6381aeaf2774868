//! What came of what was sent, and what was made by it.

use super::review::Fate;
use super::sheet::Step;
use super::withdraw::family_on;
use super::{Form, Stage, chains, prepare, review_mut, show_order};
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::{ask, keys, orders};
use crate::domain::chain::display_name;
use crate::domain::draft::Draft;
use crate::domain::history::Scope;
use crate::domain::intent::State;
use crate::domain::v1::WalletAddress;
use crate::domain::{Address, Failure, IntentId, Made, Operation, Outcome, Text};

/// An order was sent, and this came of it. Whatever it is, it stands on the Orders page; what was made stands in the
/// store by now, and is asked for where it is on screen.
pub(in crate::app) fn sent(model: &mut Model, intent: IntentId, result: &Result<State, Failure>) -> Vec<Effect> {
    let operation = model.orders.iter().find(|order| order.id == intent).map(|order| order.drafted.draft.operation());
    let created = operation.is_some_and(|operation| !operation.moves_money());
    let changed = matches!(operation, Some(Operation::UpdateWallet | Operation::UpdateUser));
    let mut effects = Vec::new();
    if created && matches!(result, Ok(State::Accepted)) {
        model.remotes.lists.want_if_well();
        if operation == Some(Operation::SimulateDeposit) {
            model.remotes.head.want_if_well();
            model.remotes.visible.want_if_well();
        }
        effects = ask::page(model);
    }
    let Some(review) = review_mut(model).filter(|review| review.intent.id == intent) else { return effects };
    match result {
        Err(failure) => review.fate = Fate::NotSent(format!("{failure}. Nothing was sent")),
        Ok(state) => {
            // A question that was asked over it has lost its ground, too.
            if let Mode::Prompt(prompt) = &mut model.mode {
                model.mode = std::mem::take(&mut prompt.over);
            }
            let Mode::Form(mut form) = std::mem::take(&mut model.mode) else { return effects };
            let doubt = doubt(model, intent);
            let goes_on = chains::goes_on(&form.sheet) && doubt.is_none();
            if goes_on && *state == State::Accepted {
                model.notice = Some(made_words(model, intent, changed));
                form.sheet.done += 1;
                effects.extend(go_on(model, form));
                return effects;
            }
            // What may have been made is not offered a second time, under a new key.
            // After a refusal the guard stops an equal one until the history was read.
            let is_declined = *state == State::ProbablyRefused && is_declined(model, intent);
            if *state == State::Refused || is_declined {
                model.forms.kept.push(form.sheet);
            }
            model.notice = Some(match (state, operation) {
                (State::Accepted, _) if created && doubt.is_some() => doubt.clone().unwrap_or_default(),
                (State::Accepted, _) if created => made_words(model, intent, changed),
                (State::Accepted, Some(operation)) if operation.is_swap() => {
                    "the service took the swap; it is watched here until it is final".into()
                }
                (State::Accepted, _) => "the service took the payment; it is watched here until it is final".into(),
                (State::Refused, _) => format!("{}. The draft is kept", refusal(model, intent)),
                (State::ProbablyRefused, _) if is_declined => {
                    format!("{}. The draft is kept; the history is read before it is sure", refusal(model, intent))
                }
                _ => "Enter opens the order and says what is known of it".into(),
            });
            if created && *state == State::Accepted && doubt.is_none() {
                model.forms.made = made_scope(model, intent);
            } else {
                show_order(model, intent);
            }
        }
    }
    effects
}

/// On to the review of the next of several wallets.
fn go_on(model: &mut Model, mut form: Box<Form>) -> Vec<Effect> {
    form.stage = Stage::Filling;
    let effects = match form.sheet.submit(model) {
        Step::Submit(draft, sender) => prepare(model, &mut form, *draft, sender.map(|sender| *sender)),
        Step::Stay(effects) => effects,
        Step::Close => Vec::new(),
    };
    model.mode = Mode::Form(form);
    effects
}

/// The journal was read while an answer is waited for: what a look into the history has found needs no answer any more.
pub(in crate::app) fn overtaken(model: &mut Model) -> Vec<Effect> {
    let Some(review) = review_mut(model).filter(|review| matches!(review.fate, Fate::Sending)) else {
        return Vec::new();
    };
    let intent = review.intent.id;
    let seen = model
        .orders
        .iter()
        .find(|order| order.id == intent && order.looks.iter().any(|(_, look)| look.found.is_some()));
    let Some(state) = seen.map(|order| order.state(model.now)) else { return Vec::new() };
    sent(model, intent, &Ok(state))
}

fn refusal(model: &Model, intent: IntentId) -> String {
    let order = model.orders.iter().find(|order| order.id == intent);
    order.map_or_else(|| "Refused".to_owned(), orders::refused)
}

/// Whether the service refused an order in its own words, and the history was not read since.
fn is_declined(model: &Model, intent: IntentId) -> bool {
    let order = model.orders.iter().find(|order| order.id == intent);
    order.is_some_and(|order| order.outcome() == Some(Outcome::Declined))
}

/// What the service made of an order.
fn made(model: &Model, intent: IntentId) -> Option<&Made> {
    let order = model.orders.iter().find(|order| order.id == intent)?;
    order.attempts.iter().rev().find_map(|attempt| attempt.answer.as_ref()?.1.made.as_ref())
}

/// Why what was made is not what was asked for, if so. An address is not told then: money that is sent to a wrong one is
/// lost.
fn doubt(model: &Model, intent: IntentId) -> Option<String> {
    let order = model.orders.iter().find(|order| order.id == intent)?;
    let withheld = |what: &str| format!("Alarm: {what}. Use no address of this order; ask the service");
    if let Some(difference) = order.differences().first() {
        return Some(withheld(difference));
    }
    let (chain, address) = match (&order.drafted.draft, made(model, intent)?) {
        (Draft::CreateAddress(new), Made::Address(made)) => (&new.chain, &made.address),
        (Draft::CreateSandboxAddress(new), Made::Address(made)) => (&new.chain, &made.address),
        (Draft::CreateWallet(new), Made::Wallet(made)) => (&new.blockchain, made.address.as_ref()?),
        _ => return None,
    };
    let error = Address::check(family_on(model, chain)?, address).err()?;
    Some(withheld(&format!("the service told no address on {} that can be right: {error}", display_name(chain))))
}

fn made_words(model: &Model, intent: IntentId, changed: bool) -> String {
    let named = |name: &Option<Text>| name.as_ref().map_or_else(String::new, |name| format!(" {name}"));
    match made(model, intent) {
        Some(Made::Wallet(wallet)) if changed => format!("wallet{} changed", named(&wallet.name)),
        Some(Made::User(user)) if changed => format!("user{} changed", named(&user.display_name)),
        Some(Made::Address(address)) => format!("the address is {}{}", address.address, tag_words(address)),
        None if changed => "changed".into(),
        Some(Made::Wallet(wallet)) => {
            let address = wallet.address.as_ref().map_or_else(String::new, |address| format!(": {address}"));
            format!("wallet{} made on {}{address}", named(&wallet.name), display_name(&wallet.blockchain))
        }
        Some(Made::Account(account)) => format!("account{} made", named(&account.name)),
        Some(Made::User(user)) => format!("user{} made: {}", named(&user.display_name), user.id),
        Some(Made::Transaction(_)) => "the service pretends that the deposit came; w pays from it".into(),
        None => "made".into(),
    }
}

/// A deposit without its tag may be lost.
fn tag_words(address: &WalletAddress) -> String {
    address.tag.as_ref().map_or_else(String::new, |tag| format!(", with the tag {tag}"))
}

fn made_scope(model: &Model, intent: IntentId) -> Option<Scope> {
    match made(model, intent)? {
        Made::Wallet(wallet) => Some(Scope::Wallet(wallet.id.clone())),
        Made::Account(account) => Some(Scope::Account(account.id.clone())),
        Made::User(_) | Made::Transaction(_) | Made::Address(_) => None,
    }
}

/// Selects what was just made, if it is listed by now.
pub(in crate::app) fn select_made(model: &mut Model) -> Vec<Effect> {
    let selected = match &model.forms.made {
        Some(Scope::Account(account)) => model.accounts.select(account),
        Some(Scope::Wallet(wallet)) => model.wallets.select(wallet),
        _ => false,
    };
    if !selected {
        return Vec::new();
    }
    match model.forms.made.take() {
        Some(Scope::Account(_)) => keys::account_changed(model),
        _ => ask::scoped(model),
    }
}
