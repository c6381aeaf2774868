use std::time::Duration;

use crossterm::event::KeyCode;

use super::*;
use crate::app::forms::tests::{model, payer_wallet};
use crate::app::forms::withdraw;
use crate::app::pages::book::BookSnapshot;
use crate::app::{Msg, StoreQuery, update};
use crate::domain::book::{BookChange, Contact};
use crate::domain::history::Window;
use crate::domain::order::PaidDues;
use crate::domain::v1::SwapPair;
use crate::domain::{AddressBook, FinalStatuses, Policy};

#[test]
fn a_profile_of_version_1_alone_pays_by_it_and_has_no_batches() {
    let opened = |v2: bool, letter: char| {
        let mut model = model();
        (model.console.preferences.v1, model.console.preferences.v2) = (true, v2);
        update(&mut model, Msg::Key(KeyCode::Char(letter).into()));
        let operation = if let Mode::Form(form) = &model.mode { Some(form.state.operation) } else { None };
        (operation, model.notice.unwrap_or_default())
    };
    assert_eq!(opened(true, 'w').0, Some(Operation::Withdraw));
    assert_eq!(opened(true, 'b').0, Some(Operation::Batch));
    assert_eq!(opened(false, 'w').0, Some(Operation::Payment));
    assert_eq!(opened(false, 'm').0, Some(Operation::Payment));
    assert_eq!(opened(false, 's').0, Some(Operation::InstantSwap));
    let (operation, message) = opened(false, 'b');
    assert!(operation.is_none() && message.contains("has no batches"), "{message}");
}

const FJORD: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const QUAY: &str = "0xde709f2102306220921060314715629080e2fb77";

fn press(model: &mut Model, keys: &str) {
    for letter in keys.chars() {
        update(model, Msg::Key(if letter == '⎋' { KeyCode::Esc.into() } else { KeyCode::Char(letter).into() }));
    }
}

/// A model whose book has Fjord on Ethereum and Quay on a chain of which nobody has a wallet, in this order.
fn model_with_book() -> Model {
    let mut model = model();
    let now = model.now;
    let entered = |name: &str, address: &str, chain: &str| {
        let contact =
            Contact { name: name.into(), address: address.into(), blockchain: chain.into(), tag: None, note: None };
        (BookChange::Entered(contact), now)
    };
    let book = AddressBook::from_changes([entered("Fjord", FJORD, "ethereum"), entered("Quay", QUAY, "etherum")]);
    let policy = Policy { cooling: Some(Duration::ZERO), ..Policy::default() };
    let final_words = FinalStatuses::default();
    update(
        &mut model,
        Msg::Book(Ok(Box::new(BookSnapshot {
            book,
            policy,
            final_statuses: final_words,
            last_editors: Vec::new(),
            paid_dues: PaidDues::default(),
        }))),
    );
    model
}

/// A payment of 77.7 to somebody was typed, and closed.
fn enter_and_close_payment(model: &mut Model) {
    press(model, "w");
    let form = open_form_state(model);
    form.apply_choice(FieldId::Recipient, FJORD, Picked::TextOnly);
    form.apply_choice(FieldId::Amount, "77.7", Picked::TextOnly);
    form.apply_choice(FieldId::Note, "my long note", Picked::TextOnly);
    press(model, "⎋");
    let message = model.notice.clone().unwrap_or_default();
    assert_eq!(message, "the draft is kept until this console closes; the same key restores it");
}

fn open_form_state(model: &mut Model) -> &mut FormState {
    match &mut model.mode {
        Mode::Form(form) => &mut form.state,
        mode => panic!("{mode:?}"),
    }
}

fn field_values(model: &Model, slots: [FieldId; 2]) -> [&str; 2] {
    let Mode::Form(form) = &model.mode else { panic!("{:?}", model.mode) };
    slots.map(|slot| form.state.value(slot))
}

#[test]
fn a_draft_outlives_a_form_that_is_opened_for_an_entry() {
    let mut model = model_with_book();
    enter_and_close_payment(&mut model);
    press(&mut model, "7jjw");
    assert_eq!(field_values(&model, [FieldId::Recipient, FieldId::Amount]), [QUAY, ""]);
    press(&mut model, "⎋");
    assert_eq!(model.notice.as_deref(), Some("nothing was entered; the earlier draft is still kept"));
    press(&mut model, "1w");
    assert_eq!(field_values(&model, [FieldId::Amount, FieldId::Note]), ["77.7", "my long note"]);
    // What is typed for the entry is kept beside it, and each is taken up for whom it is.
    press(&mut model, "⎋7w");
    open_form_state(&mut model).apply_choice(FieldId::Amount, "5", Picked::TextOnly);
    press(&mut model, "⎋");
    let message = model.notice.clone().unwrap_or_default();
    assert!(message.starts_with("the draft is kept until this console closes, with 1 more"), "{message}");
    press(&mut model, "kw");
    assert_eq!(field_values(&model, [FieldId::Recipient, FieldId::Amount]), [FJORD, "77.7"]);
    assert!(model.notice.as_ref().is_some_and(|message| message.contains("(1 more kept)")), "{:?}", model.notice);
    // One that is emptied lets the other come up.
    *open_form_state(&mut model) = FormState::new(Operation::Withdraw);
    press(&mut model, "⎋1w");
    assert_eq!(field_values(&model, [FieldId::Recipient, FieldId::Amount]), [QUAY, "5"]);
}

#[test]
fn a_swap_outlives_a_form_that_is_opened_for_a_pair() {
    let mut model = model();
    press(&mut model, "s");
    for (slot, text) in [(FieldId::Token, "USDC"), (FieldId::Amount, "77.7"), (FieldId::BuyToken, "ETH")] {
        open_form_state(&mut model).apply_choice(slot, text, Picked::TextOnly);
    }
    press(&mut model, "⎋");
    let pair = SwapPair { from: "BTC".into(), to: "USDC".into() };
    model.page = Page::Markets;
    model.pages.markets.pairs.apply_window(Window::whole(vec![pair]));
    model.pages.markets.pairs.select_first_visible();
    press(&mut model, "s");
    assert_eq!(field_values(&model, [FieldId::Token, FieldId::Amount]), ["BTC", ""]);
    press(&mut model, "⎋");
    model.page = Page::Overview;
    press(&mut model, "s");
    assert_eq!(field_values(&model, [FieldId::Token, FieldId::Amount]), ["USDC", "77.7"]);
}

#[test]
fn an_entry_on_a_chain_of_no_wallet_says_so() {
    let mut model = model_with_book();
    press(&mut model, "7jj");
    let effects = update(&mut model, Msg::Key(KeyCode::Char('w').into()));
    let request = effects.into_iter().rev().find_map(|effect| match effect {
        Effect::QueryStore { query: StoreQuery::PayerWallets { filter, .. }, request_id } => Some((filter, request_id)),
        _ => None,
    });
    let (filter, request_id) = request.unwrap();
    assert_eq!(filter, "etherum");
    super::super::apply_wallet_matches(&mut model, request_id, filter, Window::default());
    let Mode::Form(form) = &model.mode else { panic!("{:?}", model.mode) };
    let (hint, _) = form.state.hint(&model, FieldId::Wallet).unwrap();
    assert_eq!(
        hint,
        "no wallet is on etherum, the chain of Quay in the address book: no wallet here can pay this entry"
    );
}

#[test]
fn part_of_a_name_is_refused_with_what_chooses_it() {
    let mut model = model_with_book();
    press(&mut model, "w");
    let form = open_form_state(&mut model);
    form.selection.wallet = Some(payer_wallet());
    let checked = |model: &mut Model, typed: &str| {
        open_form_state(model).apply_choice(FieldId::Recipient, typed, Picked::TextOnly);
        let Mode::Form(form) = &model.mode else { panic!("{:?}", model.mode) };
        withdraw::check_field(model, &form.state, FieldId::Recipient).map(|value| value.unwrap().0)
    };
    assert_eq!(checked(&mut model, "fjord"), Ok(FJORD.into()));
    let refusal = checked(&mut model, "fjo").unwrap_err();
    assert!(refusal.contains("choose a recipient with Down and Enter"), "{refusal}");
    // The whole address with a letter of another case is no part of anything.
    let refusal = checked(&mut model, &FJORD.replace('E', "e")).unwrap_err();
    assert!(refusal.contains("checksum"), "{refusal}");
    assert!(checked(&mut model, "").unwrap_err().contains("missing"));
    assert!(checked(&mut model, "nobody").unwrap_err().contains("starts with 0x"));
}
