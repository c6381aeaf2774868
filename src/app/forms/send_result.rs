//! Results of sending a form's order, and what the service created by it.

use super::form_state::FormAction;
use super::payer::chain_address_family;
use super::review::ReviewStatus;
use super::stages::{review_mut, show_order, start_preparing};
use super::{Form, FormStage, chains};
use crate::app::data::queries;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::orders;
use crate::app::pages::overview::accounts::after_account_change;
use crate::app::pages::registry::page_logic;
use crate::domain::chain::chain_display_name;
use crate::domain::draft::Draft;
use crate::domain::history::Scope;
use crate::domain::order::OrderState;
use crate::domain::v1::WalletAddress;
use crate::domain::{Address, CreatedObject, Failure, Operation, OrderId, Outcome, Text};

/// Takes the result of sending an order. Every order is on the Orders page; what was created is in the store by now,
/// and is queried where it is on screen.
pub(in crate::app) fn apply_send_result(
    model: &mut Model,
    order_id: OrderId,
    result: &Result<OrderState, Failure>,
) -> Vec<Effect> {
    let operation =
        model.journal.orders.iter().find(|order| order.id == order_id).map(|order| order.drafted.draft.operation());
    let created = operation.is_some_and(|operation| !operation.moves_money());
    let is_change = matches!(operation, Some(Operation::UpdateWallet | Operation::UpdateUser));
    let mut effects = Vec::new();
    if created && matches!(result, Ok(OrderState::Accepted)) {
        model.data.remotes.lists.request_unless_failing();
        if operation == Some(Operation::SimulateDeposit) {
            model.data.remotes.latest.request_unless_failing();
            model.data.remotes.scope_balances.request_unless_failing();
        }
        effects = page_logic(model.page).query_rows(model);
    }
    let Some(review) = review_mut(model).filter(|review| review.order.id == order_id) else { return effects };
    match result {
        Err(failure) => review.status = ReviewStatus::NotSent(format!("{failure}. Nothing was sent")),
        Ok(state) => {
            let Some(mut form) = take_open_form(model) else { return effects };
            let doubt = created_object_alarm(model, order_id);
            let goes_on = chains::has_chain_left_to_create(&form.state) && doubt.is_none();
            if goes_on && *state == OrderState::Accepted {
                model.notice = Some(created_notice(model, order_id, is_change));
                form.state.created_count += 1;
                effects.extend(review_next_wallet(model, form));
                return effects;
            }
            // What may have been created is not offered again under a new key.
            // After a rejection, the guard stops an equal order until the history was read.
            let is_declined = *state == OrderState::ProbablyRefused && is_declined(model, order_id);
            if *state == OrderState::Refused || is_declined {
                model.forms.drafts.push(form.state);
            }
            model.notice = Some(match (state, operation) {
                (OrderState::Accepted, _) if created && doubt.is_some() => doubt.clone().unwrap_or_default(),
                (OrderState::Accepted, _) if created => created_notice(model, order_id, is_change),
                (OrderState::Accepted, Some(operation)) if operation.is_swap() => {
                    "the service accepted the swap; this console tracks it until it is final".into()
                }
                (OrderState::Accepted, _) => {
                    "the service accepted the payment; this console tracks it until it is final".into()
                }
                (OrderState::Refused, _) => format!("{}. The draft is kept", rejection_message(model, order_id)),
                (OrderState::ProbablyRefused, _) if is_declined => {
                    format!(
                        "{}. The draft is kept; the rejection is certain only after the history is read",
                        rejection_message(model, order_id)
                    )
                }
                _ => "press Enter to open the order and see what is known about it".into(),
            });
            if created && *state == OrderState::Accepted && doubt.is_none() {
                model.forms.created_scope = created_object_scope(model, order_id);
            } else {
                show_order(model, order_id);
            }
        }
    }
    effects
}

/// Closes the open form, and what is open over it: a prompt over a review no longer applies.
fn take_open_form(model: &mut Model) -> Option<Box<Form>> {
    while !matches!(model.mode, Mode::Form(_) | Mode::Browse) {
        model.close_mode();
    }
    if let Mode::Form(form) = model.close_mode() { Some(form) } else { None }
}

/// Goes on to the review of the next of several wallets.
fn review_next_wallet(model: &mut Model, mut form: Box<Form>) -> Vec<Effect> {
    form.stage = FormStage::Editing;
    let effects = match form.state.submit(model) {
        FormAction::Submit(draft, sender) => start_preparing(model, &mut form, *draft, sender.map(|sender| *sender)),
        FormAction::Stay(effects) => effects,
        FormAction::Close => Vec::new(),
    };
    model.mode = Mode::Form(form);
    effects
}

/// The journal was read while an answer is awaited: an order found in the history needs no answer any more.
pub(in crate::app) fn close_resolved_review(model: &mut Model) -> Vec<Effect> {
    let Some(review) = review_mut(model).filter(|review| matches!(review.status, ReviewStatus::Sending)) else {
        return Vec::new();
    };
    let order_id = review.order.id;
    let observed_order = model
        .journal
        .orders
        .iter()
        .find(|order| order.id == order_id && order.lookups.iter().any(|(_, look)| look.observed.is_some()));
    let Some(state) = observed_order.map(|order| order.state(model.now)) else { return Vec::new() };
    apply_send_result(model, order_id, &Ok(state))
}

fn rejection_message(model: &Model, order_id: OrderId) -> String {
    let order = model.journal.orders.iter().find(|order| order.id == order_id);
    order.map_or_else(|| "Rejected".to_owned(), orders::refusal_message)
}

/// Whether the service declined an order in its own words, and the history was not read since.
fn is_declined(model: &Model, order_id: OrderId) -> bool {
    let order = model.journal.orders.iter().find(|order| order.id == order_id);
    order.is_some_and(|order| order.outcome() == Some(Outcome::Declined))
}

fn created_object(model: &Model, order_id: OrderId) -> Option<&CreatedObject> {
    let order = model.journal.orders.iter().find(|order| order.id == order_id)?;
    order.attempts.iter().rev().find_map(|attempt| attempt.answer.as_ref()?.1.created.as_ref())
}

/// Why the created object is not the one requested, if so. Its address is then withheld: money sent to a wrong address
/// is lost.
fn created_object_alarm(model: &Model, order_id: OrderId) -> Option<String> {
    let order = model.journal.orders.iter().find(|order| order.id == order_id)?;
    let alarm = |problem: &str| format!("Alarm: {problem}. Do not use any address of this order; ask the service");
    if let Some(difference) = order.differences().first() {
        return Some(alarm(difference));
    }
    let (chain, address) = match (&order.drafted.draft, created_object(model, order_id)?) {
        (Draft::CreateAddress(new), CreatedObject::Address(object)) => (&new.chain, &object.address),
        (Draft::CreateSandboxAddress(new), CreatedObject::Address(object)) => (&new.chain, &object.address),
        (Draft::CreateWallet(new), CreatedObject::Wallet(object)) => (&new.blockchain, object.address.as_ref()?),
        _ => return None,
    };
    let error = Address::parse(chain_address_family(model, chain)?, address).err()?;
    Some(alarm(&format!("the service did not return a valid address on {}: {error}", chain_display_name(chain))))
}

fn created_notice(model: &Model, order_id: OrderId, is_change: bool) -> String {
    let name_suffix = |name: &Option<Text>| name.as_ref().map_or_else(String::new, |name| format!(" {name}"));
    match created_object(model, order_id) {
        Some(CreatedObject::Wallet(wallet)) if is_change => format!("wallet{} changed", name_suffix(&wallet.name)),
        Some(CreatedObject::User(user)) if is_change => format!("user{} changed", name_suffix(&user.display_name)),
        Some(CreatedObject::Address(address)) => format!("the address is {}{}", address.address, tag_suffix(address)),
        None if is_change => "changed".into(),
        Some(CreatedObject::Wallet(wallet)) => {
            let address = wallet.address.as_ref().map_or_else(String::new, |address| format!(": {address}"));
            format!(
                "wallet{} created on {}{address}",
                name_suffix(&wallet.name),
                chain_display_name(&wallet.blockchain)
            )
        }
        Some(CreatedObject::Account(account)) => format!("account{} created", name_suffix(&account.name)),
        Some(CreatedObject::User(user)) => format!("user{} created: {}", name_suffix(&user.display_name), user.id),
        Some(CreatedObject::Transaction(_)) => "the service simulated the deposit; press w to pay from it".into(),
        None => "created".into(),
    }
}

/// The tag, stated because a deposit without it may be lost.
fn tag_suffix(address: &WalletAddress) -> String {
    address.tag.as_ref().map_or_else(String::new, |tag| format!(", with the tag {tag}"))
}

fn created_object_scope(model: &Model, order_id: OrderId) -> Option<Scope> {
    match created_object(model, order_id)? {
        CreatedObject::Wallet(wallet) => Some(Scope::Wallet(wallet.id.clone())),
        CreatedObject::Account(account) => Some(Scope::Account(account.id.clone())),
        CreatedObject::User(_) | CreatedObject::Transaction(_) | CreatedObject::Address(_) => None,
    }
}

/// Selects the created object once it is listed.
pub(in crate::app) fn select_created(model: &mut Model) -> Vec<Effect> {
    let selected = match &model.forms.created_scope {
        Some(Scope::Account(account)) => model.pages.overview.accounts.select(account),
        Some(Scope::Wallet(wallet)) => model.pages.overview.wallets.select(wallet),
        _ => false,
    };
    if !selected {
        return Vec::new();
    }
    match model.forms.created_scope.take() {
        Some(Scope::Account(_)) => after_account_change(model),
        _ => queries::query_for_selected_scope(model),
    }
}
