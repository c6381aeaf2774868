//! Opens the line, and records what was typed in it.

use crossterm::event::{KeyCode, KeyEvent};
use tui_input::{Input, InputRequest};

use super::NamePrompt;
use crate::app::input::input_line;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::orders::find_order;
use crate::app::pages::Tone;
use crate::app::request_id::RequestId;
use crate::app::screen::Pane;
use crate::app::session::events::EventKind;
use crate::domain::address::ShortAddresses;
use crate::domain::book::{BookChange, Label, LabelSubject};
use crate::domain::history::HistoryRow;
use crate::domain::text::is_forbidden_in_text;
use crate::domain::{Failure, OrderId, Text};

/// The longest name, in characters.
const MAX_NAME_CHARS: usize = 64;

const NOTHING_SELECTED_MESSAGE: &str = "select an address, a wallet, an account or a user to name it";

/// Why the selection cannot be named, if so.
pub(in crate::app) fn refusal(model: &Model, mode: &Mode) -> Option<String> {
    let Some(subject) = subject_of_selection(model, mode) else {
        let is_contact = model.focus() == Pane::Book;
        let reason = if is_contact { "e changes an entry of the address book" } else { NOTHING_SELECTED_MESSAGE };
        return Some(reason.to_owned());
    };
    let LabelSubject::Address { address, .. } = &subject else { return None };
    let look_alike = model.data.analyses.look_alikes.match_of_address(address)?;
    Some(format!(
        "LOOK TWICE: this address begins and ends like {} ({}), as a forged one would; it is not named",
        ShortAddresses::new([address.as_str(), look_alike.address.as_str()]).shorten(&look_alike.address),
        look_alike.reason
    ))
}

pub(in crate::app) fn open(model: &mut Model) -> Vec<Effect> {
    if let Some(reason) = refusal(model, &model.mode) {
        model.notice = Some(reason);
        return Vec::new();
    }
    let Some(subject) = subject_of_selection(model, &model.mode) else { return Vec::new() };
    let name = model.journal.book.label_of(&subject).map(|label| label.name.clone());
    let input = Input::from(name.as_ref().map_or("", |name| name.as_str()));
    let prompt = NamePrompt { subject, name, input, message: None, recording: None };
    model.open_over(Mode::Naming(Box::new(prompt)));
    Vec::new()
}

fn subject_of_selection(model: &Model, mode: &Mode) -> Option<LabelSubject> {
    match (mode, model.focus()) {
        (Mode::Detail { row, .. }, _) => counterparty(row),
        (Mode::Receive(wallet), _) => Some(LabelSubject::Wallet(wallet.entry.id.clone())),
        (Mode::Order { id, .. }, _) => recipient(model, *id),
        (_, Pane::Recent) => counterparty(model.pages.overview.recent.listing.selected()?),
        (_, Pane::History) => counterparty(model.pages.transactions.listing.selected()?),
        (_, Pane::Orders) => recipient(model, *model.pages.orders.listing.selected_key()?),
        (_, Pane::Accounts) => Some(LabelSubject::Account(model.pages.overview.accounts.selected_key()?.clone())),
        (_, Pane::Wallets) => Some(LabelSubject::Wallet(model.pages.overview.wallets.selected_key()?.clone())),
        (_, Pane::Users) => Some(LabelSubject::User(model.pages.users.listing.selected_key()?.clone())),
        (_, Pane::Addresses) => {
            let deposit_address = model.pages.users.addresses.selected()?;
            Some(LabelSubject::Address {
                address: deposit_address.address.clone(),
                blockchain: deposit_address.chain.clone(),
            })
        }
        (_, Pane::Deposits) => {
            let deposit = model.pages.users.deposits.selected()?;
            let (address, blockchain) = deposit.from_address.clone().zip(deposit.chain.clone())?;
            Some(LabelSubject::Address { address, blockchain })
        }
        (_, Pane::Withdrawals) => {
            let withdrawal = model.pages.users.withdrawals.selected()?;
            let (address, blockchain) = withdrawal.to_address.clone().zip(withdrawal.chain.clone())?;
            Some(LabelSubject::Address { address, blockchain })
        }
        _ => None,
    }
}

fn counterparty(row: &HistoryRow) -> Option<LabelSubject> {
    let address = row.transaction.counterparty()?.clone();
    Some(LabelSubject::Address { address, blockchain: row.transaction.token.blockchain.clone() })
}

fn recipient(model: &Model, id: OrderId) -> Option<LabelSubject> {
    let payment = find_order(model, id)?.drafted.draft.single_payment()?;
    Some(LabelSubject::Address { address: payment.to.clone(), blockchain: payment.blockchain.clone() })
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other keys edit the text")]
pub(in crate::app) fn handle_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Mode::Naming(prompt) = &mut model.mode else { return Vec::new() };
    match key.code {
        // Esc does not stop a recording under way.
        KeyCode::Esc => close(model),
        KeyCode::Enter if prompt.recording.is_none() => return record(model),
        _ => {
            if let Some(request) = input_line::input_edit_of_key(key).filter(|_| prompt.recording.is_none()) {
                edit(prompt, request);
            }
        }
    }
    Vec::new()
}

pub(in crate::app) fn paste(model: &mut Model, text: &str) {
    if let Mode::Naming(prompt) = &mut model.mode {
        for character in text.trim().chars().map(|c| if c.is_whitespace() { ' ' } else { c }) {
            edit(prompt, InputRequest::InsertChar(character));
        }
    }
}

fn edit(prompt: &mut NamePrompt, request: InputRequest) {
    let is_full = prompt.input.value().chars().count() >= MAX_NAME_CHARS;
    if !matches!(request, InputRequest::InsertChar(character) if is_full || is_forbidden_in_text(character)) {
        prompt.input.handle(request);
        prompt.message = None;
    }
}

fn close(model: &mut Model) {
    if matches!(model.mode, Mode::Naming(_)) {
        model.close_mode();
    }
}

/// Records the name, or that there is none any more where nothing is typed.
fn record(model: &mut Model) -> Vec<Effect> {
    let Mode::Naming(prompt) = &model.mode else { return Vec::new() };
    let (subject, typed) = (prompt.subject.clone(), Text::clean(prompt.input.value().trim()));
    let name = (!typed.is_empty()).then_some(typed);
    if name == prompt.name {
        close(model);
        return Vec::new();
    }
    let fault = name.as_ref().and_then(|name| fault_of_name(model, &subject, name));
    let request_id = model.pages.book.request_id.advance();
    let judged_book = Box::new(model.journal.book.clone());
    let Mode::Naming(prompt) = &mut model.mode else { return Vec::new() };
    if fault.is_some() {
        prompt.message = fault;
        return Vec::new();
    }
    (prompt.message, prompt.recording) = (None, Some(request_id));
    let change = Box::new(BookChange::Label { subject, name });
    vec![Effect::ChangeBook { change, overridden: Vec::new(), judged_book, request_id }]
}

/// Why a name cannot be given: nobody may be taken for somebody else.
fn fault_of_name(model: &Model, subject: &LabelSubject, name: &Text) -> Option<String> {
    let label = Label { subject: subject.clone(), name: name.clone() };
    if let Err(fault) = label.check() {
        return Some(fault.to_string());
    }
    let namesake = model.journal.book.find_confusable_name(&label).cloned();
    let namesake = namesake.or_else(|| match subject {
        LabelSubject::Address { address, .. } => model.address_names().find_confusable_name(name, address).cloned(),
        LabelSubject::Wallet(_) | LabelSubject::Account(_) | LabelSubject::User(_) => None,
    });
    namesake.map(|namesake| format!("“{name}” would be taken for {namesake}; choose another name"))
}

pub(in crate::app) fn apply_record_result(model: &mut Model, request_id: RequestId, result: &Result<(), Failure>) {
    let Mode::Naming(prompt) = &mut model.mode else { return };
    if prompt.recording != Some(request_id) {
        return;
    }
    if let Err(failure) = result {
        (prompt.recording, prompt.message) = (None, Some(format!("{failure}. Nothing was named")));
        return;
    }
    let name = Text::clean(prompt.input.value().trim());
    let kind = prompt.subject.kind();
    let naming_message = if name.is_empty() {
        format!("this {kind} has no name of yours any more")
    } else {
        format!("{kind} named {name}")
    };
    close(model);
    model.record_event(EventKind::Console, Tone::Text, naming_message.clone());
    model.notice = Some(naming_message);
}
