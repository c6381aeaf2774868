//! What is typed faster than the store answers.

use crossterm::event::KeyCode;

use super::*;
use crate::app::forms::field::FieldId;
use crate::app::forms::form_state;
use crate::app::forms::lookups::Picked;
use crate::app::msg::{StoreQuery, StoreResult};
use crate::domain::history::{Count, Source, Sourced, Window};

const CONTRACT: &str = "0xdac17f958d2ee523a2206206994597c13d831ec7";

fn wallet(name: &str) -> Sourced<Wallet> {
    let entry = Wallet {
        id: WalletId::read(&format!("id-of-{name}")),
        name: Some(name.into()),
        address: None,
        blockchain: "ethereum".into(),
        network: None,
        state: None,
        gasless_withdraw: None,
        auto_sweep: None,
        user: None,
        account: None,
        ref_id: None,
        created_at: None,
    };
    Sourced {
        entry,
        source: Source::Listed,
        imported_facts: crate::domain::history::Facts::default(),
        other_addresses: Vec::new(),
    }
}

/// The questions that are asked for a form, by the newest of their kinds.
#[derive(Default)]
struct Asked {
    payers: Option<(String, RequestId)>,
    held: Option<(WalletId, RequestId)>,
}

impl Asked {
    fn note(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::QueryStore { query: StoreQuery::PayerWallets { filter, .. }, turn } => {
                    self.payers = Some((filter, turn));
                }
                Effect::QueryStore { query: StoreQuery::WalletHoldings(wallet), turn } => {
                    self.held = Some((wallet, turn));
                }
                _ => {}
            }
        }
    }

    fn presses(&mut self, model: &mut Model, keys: &str) {
        for letter in keys.chars() {
            let key = match letter {
                '⏎' => KeyCode::Enter.into(),
                '⇥' => KeyCode::Tab.into(),
                '↓' => KeyCode::Down.into(),
                '⎋' => KeyCode::Esc.into(),
                letter => KeyCode::Char(letter).into(),
            };
            self.note(update(model, Msg::Key(key)));
        }
    }

    fn answers_payers(&mut self, model: &mut Model, names: &[&str]) {
        let (filter, turn) = self.payers.take().expect("wallets were asked for");
        let rows: Vec<Sourced<Wallet>> = names.iter().map(|name| wallet(name)).collect();
        let count = Count::Exact(u64::try_from(rows.len()).unwrap());
        let answer = StoreResult::PayerWallets(filter, Window { first: 0, rows, count });
        self.note(update(model, Msg::StoreAnswered { turn, answer: Ok(answer) }));
    }

    fn answers_held(&mut self, model: &mut Model, rows: Vec<Holding>) {
        let (wallet, turn) = self.held.take().expect("what it holds was asked for");
        self.note(update(model, Msg::StoreAnswered { turn, answer: Ok(StoreResult::WalletHoldings(wallet, rows)) }));
    }
}

fn filled(model: &Model) -> &FormState {
    match &model.mode {
        Mode::Form(form) => &form.state,
        mode => panic!("{mode:?}"),
    }
}

fn values(model: &Model) -> Vec<(FieldId, &str)> {
    filled(model).fields.iter().map(|field| (field.slot, field.value())).collect()
}

/// Whoever knows what he wants types it before the list of wallets is there.
#[test]
fn in_a_batch_form_just_opened_no_typed_key_is_lost_or_lands_in_another_field() {
    let (mut model, mut asked) = (model(), Asked::default());
    asked.presses(&mut model, "bbase-ops⏎USDT⏎");
    assert_eq!(values(&model)[..2], [(FieldId::Wallet, "base-ops"), (FieldId::Token, "")]);
    update(&mut model, Msg::Paste("Rent of March".into()));
    asked.presses(&mut model, " and April⇥");
    asked.answers_payers(&mut model, &["base-ops"]);
    assert_eq!(filled(&model).focused_field(), Some(FieldId::Token), "the token waits for what the wallet holds");
    asked.answers_held(&mut model, vec![holding(CONTRACT, "7")]);
    let sheet_now = filled(&model);
    assert_eq!(sheet_now.selection.wallet.as_ref().map(|wallet| wallet.id.as_str()), Some("id-of-base-ops"));
    assert!(sheet_now.selection.token.is_some() && sheet_now.focused_field() == Some(FieldId::File), "{sheet_now:?}");
    let typed = [
        (FieldId::Wallet, "base-ops"),
        (FieldId::Token, "USDT"),
        (FieldId::Note, "Rent of March and April"),
        (FieldId::File, ""),
    ];
    assert_eq!(values(&model), typed);
}

/// What follows a key that is refused was meant for another field than the one in which the cursor stays.
#[test]
fn what_was_typed_behind_a_key_that_is_refused_is_dropped_in_words() {
    let (mut model, mut asked) = (model(), Asked::default());
    asked.presses(&mut model, "bnowhere⏎USDT⏎");
    asked.answers_payers(&mut model, &[]);
    assert_eq!(values(&model)[..2], [(FieldId::Wallet, "nowhere"), (FieldId::Token, "")]);
    assert!(filled(&model).error.as_ref().unwrap().contains("were ignored"), "{:?}", filled(&model).error);
    assert!(!filled(&model).is_awaiting_answer());
    // Esc waits for nothing.
    let (mut model, mut asked) = (super::model(), Asked::default());
    asked.presses(&mut model, "bbase⏎USDT⎋");
    assert!(matches!(model.mode, Mode::Browse));
}

/// An answer to an older question moves nothing, and asks no further one.
#[test]
fn a_key_that_waits_is_not_done_by_an_answer_to_an_older_question() {
    let (mut model, mut asked) = (model(), Asked::default());
    asked.presses(&mut model, "bbase");
    let older = asked.payers.clone().unwrap();
    asked.presses(&mut model, "-ops⏎");
    let newest = asked.payers.clone();
    let answer =
        StoreResult::PayerWallets(older.0, Window { first: 0, rows: vec![wallet("base-two")], count: Count::Exact(1) });
    asked.note(update(&mut model, Msg::StoreAnswered { turn: older.1, answer: Ok(answer) }));
    assert!(filled(&model).is_awaiting_answer() && filled(&model).selection.wallet.is_none());
    assert_eq!(asked.payers, newest);
}

/// The footer says that Enter takes; with one wallet, or one token, there is nothing to choose.
#[test]
fn with_one_match_enter_takes_it_though_nothing_was_typed() {
    let (mut model, mut asked) = (model(), Asked::default());
    asked.presses(&mut model, "b⏎");
    asked.answers_payers(&mut model, &["base-ops"]);
    asked.presses(&mut model, "⏎");
    asked.answers_held(&mut model, vec![holding(CONTRACT, "7")]);
    assert_eq!(values(&model)[..2], [(FieldId::Wallet, "base-ops"), (FieldId::Token, "USDT")]);
    // Of two none is taken.
    let (mut model, mut asked) = (super::model(), Asked::default());
    asked.presses(&mut model, "b⏎");
    asked.answers_payers(&mut model, &["base-ops", "base-two"]);
    assert_eq!(
        (filled(&model).focused_field(), filled(&model).selection.wallet.is_none()),
        (Some(FieldId::Wallet), true)
    );
}

#[test]
fn a_kept_draft_opens_on_its_first_field() {
    let (mut model, mut asked) = (model(), Asked::default());
    asked.presses(&mut model, "bbase⏎");
    asked.answers_payers(&mut model, &["base-ops"]);
    assert_eq!(filled(&model).focused_field(), Some(FieldId::Token));
    asked.presses(&mut model, "⎋b");
    assert_eq!(filled(&model).focus, form_state::Focus::Field(0));
    assert_eq!(values(&model)[0], (FieldId::Wallet, "base-ops"));
}

/// An amount as people group it is taken by a second Enter, and by no other key.
#[test]
fn an_amount_with_thousands_is_taken_as_it_was_read_by_a_second_enter() {
    let mut model = model();
    let mut form = FormState::new(Operation::Withdraw);
    let only = holding(CONTRACT, "20000");
    form.apply_choice(FieldId::Wallet, "base-ops", Picked::Wallet(Box::new(wallet("base-ops").entry)));
    form.apply_choice(FieldId::Token, "USDT", Picked::Token(only.token.clone()));
    form.holdings.wallet = form.selection.wallet.as_ref().map(|wallet| wallet.id.clone());
    form.holdings.rows = vec![only];
    form.go_to(FieldId::Amount);
    model.mode = Mode::Form(Box::new(Form { state: form, stage: FormStage::Editing }));
    update(&mut model, Msg::Paste("12,500.00".into()));
    for code in [KeyCode::Enter, KeyCode::Tab] {
        press(&mut model, code);
        assert_eq!(
            (filled(&model).value(FieldId::Amount), filled(&model).focused_field()),
            ("12,500.00", Some(FieldId::Amount))
        );
    }
    press(&mut model, KeyCode::Enter);
    assert_eq!(
        (filled(&model).value(FieldId::Amount), filled(&model).focused_field()),
        ("12500.00", Some(FieldId::Note))
    );
}

/// A store that cannot be read must not hold the keys for ever.
#[test]
fn what_waits_for_an_answer_that_does_not_come_is_let_go() {
    let (mut model, mut asked) = (model(), Asked::default());
    asked.presses(&mut model, "bbase⏎USDT");
    let (_, turn) = asked.payers.take().unwrap();
    update(&mut model, Msg::StoreAnswered { turn, answer: Err(Failure::from_read(Reason::Local, "the disk is gone")) });
    assert!(!filled(&model).is_awaiting_answer() && filled(&model).error.as_ref().unwrap().contains("were ignored"));
    asked.presses(&mut model, "-ops");
    assert_eq!(values(&model)[0], (FieldId::Wallet, "base-ops"));
}
