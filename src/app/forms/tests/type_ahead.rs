//! What is typed faster than the store answers.

use crate::app::data::poll::Snapshot;
use crossterm::event::KeyCode;

use super::*;
use crate::app::data::poll::Dataset;
use crate::app::forms::field::FieldId;
use crate::app::forms::form_state;
use crate::app::forms::lookups::Picked;
use crate::app::msg::{StoreQuery, StoreResult};
use crate::domain::entry_source::{EntrySource, Sourced};
use crate::domain::history::{RowCount, Window};
use crate::domain::v1::SwapPair;

const CONTRACT: &str = "0xdac17f958d2ee523a2206206994597c13d831ec7";

fn wallet(name: &str) -> Sourced<Wallet> {
    let entry = Wallet {
        name: Some(name.into()),
        ..Wallet::new(WalletId::from_text(&format!("id-of-{name}")), "ethereum".into())
    };
    Sourced {
        entry,
        source: EntrySource::Listed,
        imported_fields: crate::domain::entry_source::EntryFieldSet::default(),
        conflicting_addresses: Vec::new(),
    }
}

/// The questions that are asked for a form, by the newest of their kinds.
#[derive(Default)]
struct OpenQueries {
    payers: Option<(String, RequestId)>,
    holdings: Option<(WalletId, RequestId)>,
}

impl OpenQueries {
    fn record_queries(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::QueryStore { query: StoreQuery::PayerWallets { filter, .. }, request_id } => {
                    self.payers = Some((filter, request_id));
                }
                Effect::QueryStore { query: StoreQuery::WalletHoldings(wallet), request_id } => {
                    self.holdings = Some((wallet, request_id));
                }
                _ => {}
            }
        }
    }

    fn press_keys(&mut self, model: &mut Model, keys: &str) {
        for letter in keys.chars() {
            let key = match letter {
                '⏎' => KeyCode::Enter.into(),
                '⇥' => KeyCode::Tab.into(),
                '↓' => KeyCode::Down.into(),
                '⎋' => KeyCode::Esc.into(),
                letter => KeyCode::Char(letter).into(),
            };
            self.record_queries(update(model, Msg::Key(key)));
        }
    }

    fn answer_payers(&mut self, model: &mut Model, names: &[&str]) {
        let (filter, request_id) = self.payers.take().expect("wallets were asked for");
        let rows: Vec<Sourced<Wallet>> = names.iter().map(|name| wallet(name)).collect();
        let count = RowCount::Exact(u64::try_from(rows.len()).unwrap());
        let answer = StoreResult::PayerWallets(filter, Window { first: 0, rows, count });
        self.record_queries(update(model, Msg::StoreAnswered { request_id, answer: Ok(answer) }));
    }

    fn answer_holdings(&mut self, model: &mut Model, rows: Vec<Holding>) {
        let (wallet, request_id) = self.holdings.take().expect("what it holds was asked for");
        self.record_queries(update(
            model,
            Msg::StoreAnswered { request_id, answer: Ok(StoreResult::WalletHoldings(wallet, rows)) },
        ));
    }
}

fn open_form_state(model: &Model) -> &FormState {
    match &model.mode {
        Mode::Form(form) => &form.state,
        mode => panic!("{mode:?}"),
    }
}

fn field_values(model: &Model) -> Vec<(FieldId, &str)> {
    open_form_state(model).fields.iter().map(|field| (field.id, field.value())).collect()
}

/// Whoever knows what he wants types it before the list of wallets is there.
#[test]
fn in_a_batch_form_just_opened_no_typed_key_is_lost_or_lands_in_another_field() {
    let (mut model, mut queries) = (model(), OpenQueries::default());
    queries.press_keys(&mut model, "bbase-ops⏎USDT⏎");
    assert_eq!(field_values(&model)[..2], [(FieldId::Wallet, "base-ops"), (FieldId::Token, "")]);
    update(&mut model, Msg::Paste("Rent of March".into()));
    queries.press_keys(&mut model, " and April⇥");
    queries.answer_payers(&mut model, &["base-ops"]);
    assert_eq!(
        open_form_state(&model).focused_field(),
        Some(FieldId::Token),
        "the token waits for what the wallet holds"
    );
    queries.answer_holdings(&mut model, vec![holding(CONTRACT, "7")]);
    let form_now = open_form_state(&model);
    assert_eq!(form_now.selection.wallet.as_ref().map(|wallet| wallet.id.as_str()), Some("id-of-base-ops"));
    assert!(form_now.selection.token.is_some() && form_now.focused_field() == Some(FieldId::File), "{form_now:?}");
    let typed = [
        (FieldId::Wallet, "base-ops"),
        (FieldId::Token, "USDT"),
        (FieldId::Note, "Rent of March and April"),
        (FieldId::Reference, ""),
        (FieldId::File, ""),
    ];
    assert_eq!(field_values(&model), typed);
}

/// What follows a key that is refused was meant for another field than the one in which the cursor stays.
#[test]
fn what_was_typed_behind_a_key_that_is_refused_is_dropped_in_words() {
    let (mut model, mut queries) = (model(), OpenQueries::default());
    queries.press_keys(&mut model, "bnowhere⏎USDT⏎");
    queries.answer_payers(&mut model, &[]);
    assert_eq!(field_values(&model)[..2], [(FieldId::Wallet, "nowhere"), (FieldId::Token, "")]);
    assert!(
        open_form_state(&model).error.as_ref().unwrap().contains("were ignored"),
        "{:?}",
        open_form_state(&model).error
    );
    assert!(!open_form_state(&model).is_awaiting_lookup());
    // Esc waits for nothing.
    let (mut model, mut queries) = (super::model(), OpenQueries::default());
    queries.press_keys(&mut model, "bbase⏎USDT⎋");
    assert!(matches!(model.mode, Mode::Browse));
}

/// An answer to an older question moves nothing, and asks no further one.
#[test]
fn a_key_that_waits_is_not_done_by_an_answer_to_an_older_question() {
    let (mut model, mut queries) = (model(), OpenQueries::default());
    queries.press_keys(&mut model, "bbase");
    let older = queries.payers.clone().unwrap();
    queries.press_keys(&mut model, "-ops⏎");
    let newest = queries.payers.clone();
    let answer = StoreResult::PayerWallets(
        older.0,
        Window { first: 0, rows: vec![wallet("base-two")], count: RowCount::Exact(1) },
    );
    queries.record_queries(update(&mut model, Msg::StoreAnswered { request_id: older.1, answer: Ok(answer) }));
    assert!(open_form_state(&model).is_awaiting_lookup() && open_form_state(&model).selection.wallet.is_none());
    assert_eq!(queries.payers, newest);
}

/// The footer says that Enter takes; with one wallet, or one token, there is nothing to choose.
#[test]
fn with_one_match_enter_takes_it_though_nothing_was_typed() {
    let (mut model, mut queries) = (model(), OpenQueries::default());
    queries.press_keys(&mut model, "b⏎");
    queries.answer_payers(&mut model, &["base-ops"]);
    queries.press_keys(&mut model, "⏎");
    queries.answer_holdings(&mut model, vec![holding(CONTRACT, "7")]);
    assert_eq!(field_values(&model)[..2], [(FieldId::Wallet, "base-ops"), (FieldId::Token, "USDT")]);
    // Of two none is taken by a key that was pressed before they were on screen.
    let (mut model, mut queries) = (super::model(), OpenQueries::default());
    queries.press_keys(&mut model, "b⏎");
    queries.answer_payers(&mut model, &["base-ops", "base-two"]);
    assert_eq!(
        (open_form_state(&model).focused_field(), open_form_state(&model).selection.wallet.is_none()),
        (Some(FieldId::Wallet), true)
    );
    queries.press_keys(&mut model, "⏎");
    assert_eq!(field_values(&model)[0], (FieldId::Wallet, "base-ops"));
}

#[test]
fn a_kept_draft_opens_on_its_first_field() {
    let (mut model, mut queries) = (model(), OpenQueries::default());
    queries.press_keys(&mut model, "bbase⏎");
    queries.answer_payers(&mut model, &["base-ops"]);
    assert_eq!(open_form_state(&model).focused_field(), Some(FieldId::Token));
    queries.press_keys(&mut model, "⎋b");
    assert_eq!(open_form_state(&model).focus, form_state::Focus::Field(0));
    assert_eq!(field_values(&model)[0], (FieldId::Wallet, "base-ops"));
}

/// A form with its wallet and token, and the cursor on its amount.
fn model_with_form_at_amount(operation: Operation) -> Model {
    let mut model = model();
    let mut form = FormState::new(operation);
    let only = holding(CONTRACT, "20000");
    form.apply_choice(FieldId::Wallet, "base-ops", Picked::Wallet(Box::new(wallet("base-ops").entry)));
    form.apply_choice(FieldId::Token, "USDT", Picked::Token(only.token.clone()));
    form.holdings.wallet = form.selection.wallet.as_ref().map(|wallet| wallet.id.clone());
    form.holdings.rows = vec![only];
    form.move_focus_to(FieldId::Amount);
    model.mode = Mode::Form(Box::new(Form { state: form, stage: FormStage::Editing, proposal: None }));
    model
}

/// An amount as people group it is taken by a second Enter, and by no other key.
#[test]
fn an_amount_with_thousands_is_taken_as_it_was_read_by_a_second_enter() {
    let mut model = model_with_form_at_amount(Operation::Withdraw);
    update(&mut model, Msg::Paste("12,500.00".into()));
    for code in [KeyCode::Enter, KeyCode::Tab] {
        press(&mut model, code);
        assert_eq!(
            (open_form_state(&model).value(FieldId::Amount), open_form_state(&model).focused_field()),
            ("12,500.00", Some(FieldId::Amount))
        );
    }
    press(&mut model, KeyCode::Enter);
    assert_eq!(
        (open_form_state(&model).value(FieldId::Amount), open_form_state(&model).focused_field()),
        ("12500.00", Some(FieldId::Note))
    );
}

/// A swap is filled in before the pairs were read: with a service that lists pairs, with one that lists none, and where
/// they cannot be read.
#[test]
fn what_is_typed_behind_the_coin_to_buy_waits_for_the_pairs() {
    let pairs = vec![SwapPair { from: "USDT".into(), to: "ETH".into() }];
    let unreadable = || Failure::from_read(FailureReason::Unreachable, "the line is cut");
    let pairs_response = |pairs| Ok(Snapshot::Pairs { pairs, unreadable: 0 });
    for result in [pairs_response(Some(pairs)), pairs_response(None), Err(unreadable())] {
        let mut model = model_with_form_at_amount(Operation::Swap);
        let mut queries = OpenQueries::default();
        queries.press_keys(&mut model, "25⏎eth⏎for the quay");
        let state = open_form_state(&model);
        assert!(state.is_awaiting_lookup() && state.focused_field() == Some(FieldId::BuyToken), "{state:?}");
        let request_id = model.data.remotes.get(&Dataset::Pairs).request_id;
        update(&mut model, Msg::Loaded { dataset: Dataset::Pairs, request_id, result });
        let state = open_form_state(&model);
        assert!(!state.is_awaiting_lookup(), "{state:?}");
        assert_eq!(state.value(FieldId::BuyToken).to_lowercase(), "eth");
        assert_eq!(state.value(FieldId::Note), "for the quay");
    }
}

/// A payment that is made again waits for its review until it is known what the wallet holds, with the cursor elsewhere.
#[test]
fn what_waits_for_what_a_wallet_holds_is_not_replayed_by_the_pairs() {
    let mut model = model();
    let mut form = FormState::new(Operation::Withdraw);
    form.apply_choice(FieldId::Wallet, "base-ops", Picked::Wallet(Box::new(wallet("base-ops").entry)));
    form.move_focus_to(FieldId::Amount);
    form.review_when_ready();
    model.mode = Mode::Form(Box::new(Form { state: form, stage: FormStage::Editing, proposal: None }));
    let request_id = model.data.remotes.get(&Dataset::Pairs).request_id;
    let result = Ok(Snapshot::Pairs { pairs: None, unreadable: 0 });
    update(&mut model, Msg::Loaded { dataset: Dataset::Pairs, request_id, result });
    assert!(open_form_state(&model).is_awaiting_lookup());
}

/// A store that cannot be read must not hold the keys for ever.
#[test]
fn what_waits_for_an_answer_that_does_not_come_is_let_go() {
    let (mut model, mut queries) = (model(), OpenQueries::default());
    queries.press_keys(&mut model, "bbase⏎USDT");
    let (_, request_id) = queries.payers.take().unwrap();
    update(
        &mut model,
        Msg::StoreAnswered { request_id, answer: Err(Failure::from_read(FailureReason::Local, "the disk is gone")) },
    );
    assert!(
        !open_form_state(&model).is_awaiting_lookup()
            && open_form_state(&model).error.as_ref().unwrap().contains("were ignored")
    );
    queries.press_keys(&mut model, "-ops");
    assert_eq!(field_values(&model)[0], (FieldId::Wallet, "base-ops"));
}
