//! The review of a batch, and the list of its recipients.

use super::*;
use crate::app::forms::batch::{CheckedBatch, CheckedRow, PendingCheck, RowStatus, RowVerdict};
use crate::domain::draft::batch::RecipientRow;
use crate::domain::draft::{Batch, Metadata, Recipient};
use crate::guard::{self, RecipientFacts};

const OTHER: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";

fn recipient(address: &str, amount: &str) -> Recipient {
    Recipient { address: address.into(), amount: amount.into(), label: None, reference: None, line: None }
}

fn batch(to: Vec<Recipient>) -> Batch {
    let Withdrawal { wallet, blockchain, token, ref_id, note, .. } = withdrawal();
    Batch { wallet, blockchain, token, to, ref_id, note, file: None, metadata: Metadata::default(), queue: None }
}

/// A review that stood on the screen for its second.
fn armed_batch_review(to: Vec<Recipient>, facts: GuardFacts) -> Model {
    let batch = batch(to);
    let (mut model, request_id) = model_while_preparing();
    let sender = Sender { amount: batch.total(6).unwrap(), ..sender() };
    let facts = Some(GuardFacts { per_recipient: vec![RecipientFacts::default(); batch.to.len()], ..facts });
    let draft = Draft::Batch(batch);
    let prepared_order = PreparedOrder {
        order: sample_order(draft.clone(), Some(sender)),
        draft,
        facts,
        undocumented_names: Vec::new(),
    };
    update(&mut model, Msg::Prepared { request_id, result: Ok(Box::new(prepared_order)) });
    update(&mut model, Msg::FrameDrawn);
    update(&mut model, Msg::Tick(NOW.plus(Duration::from_secs(2))));
    model
}

fn facts_with_both_payees() -> GuardFacts {
    let mut facts = sample_guard_facts("5000");
    let other = Payee { address: OTHER.into(), ..facts.payees[0].clone() };
    facts.payees.push(other);
    facts
}

#[test]
fn total_and_number_are_typed_and_nothing_else_sends_it() {
    let mut model = armed_batch_review(vec![recipient(TO, "1200.5"), recipient(OTHER, "34")], facts_with_both_payees());
    let expected: Vec<String> = model.review().unwrap().prompts.iter().map(|prompt| prompt.expected.clone()).collect();
    assert_eq!(expected, ["1234.5", "2"]);
    type_text(&mut model, "1234.5");
    press(&mut model, KeyCode::Enter);
    type_text(&mut model, "3");
    assert_eq!(press(&mut model, KeyCode::Enter), []);
    assert_eq!(model.review().unwrap().prompts[1].error, Some("does not match the number above"));
    press(&mut model, KeyCode::Backspace);
    type_text(&mut model, "2");
    let effects = press(&mut model, KeyCode::Enter);
    let [Effect::Send { confirmation: Some(confirmation), .. }] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(confirmation.typed, [Text::clean("1234.5"), Text::clean("2")]);
}

#[test]
fn the_words_of_a_danger_are_typed_once_however_many_are_in_it() {
    let mut facts = facts_with_both_payees();
    facts.recent_payments = [(TO, "1"), (OTHER, "2")]
        .map(|(to, amount_text)| crate::guard::RecentPayment {
            order: None,
            transaction: None,
            at: Some(NOW),
            to: to.into(),
            blockchain: "ethereum".into(),
            token: sender().token,
            symbol: "USDT".into(),
            amount: amount(amount_text),
            ref_id: None,
            recipient_reference: None,
            note: None,
            state: "settled".into(),
            is_unresolved: false,
        })
        .into();
    let model = armed_batch_review(vec![recipient(TO, "1"), recipient(OTHER, "2")], facts);
    let expected: Vec<&str> = model.review().unwrap().prompts.iter().map(|prompt| prompt.expected.as_str()).collect();
    assert_eq!(expected, ["3", "2", "pay again"]);
}

#[test]
fn who_was_never_paid_stands_first_and_a_change_of_that_throws_away_what_was_typed() {
    let facts = sample_guard_facts("5000");
    let mut model = armed_batch_review(vec![recipient(TO, "1"), recipient(OTHER, "2")], facts.clone());
    let review = model.review().unwrap();
    let addresses: Vec<String> = review::facts::other_facts(&model, review)
        .into_iter()
        .filter(|fact| matches!(fact.name, "new" | "paid before"))
        .map(|fact| format!("{} {}", fact.name, fact.value.replace(' ', "")))
        .collect();
    assert_eq!(addresses, [format!("new {OTHER}"), format!("paid before {TO}")]);
    type_text(&mut model, "3");
    let each = vec![RecipientFacts::default(); 2];
    reload_facts(&mut model, GuardFacts { per_recipient: each.clone(), ..facts });
    assert_eq!(model.review().unwrap().prompts[0].input.value(), "3", "nothing changed");
    reload_facts(&mut model, GuardFacts { per_recipient: each, ..facts_with_both_payees() });
    assert_eq!(model.review().unwrap().prompts[0].input.value(), "");
}

#[test]
fn bytes_that_say_another_sum_than_was_judged_cannot_be_sent() {
    let mut model = armed_batch_review(vec![recipient(TO, "1"), recipient(OTHER, "2")], facts_with_both_payees());
    assert!(!model.review().unwrap().is_stopped());
    let Mode::Form(form) = &mut model.mode else { panic!() };
    let FormStage::Review(review) = &mut form.stage else { panic!() };
    review.order.drafted.sender.as_mut().unwrap().amount = amount("4");
    assert!(review.is_stopped());
}

fn checked_row(address: &str, word: RowStatus) -> CheckedRow {
    CheckedRow {
        row: RecipientRow { address: address.into(), amount: "1".into(), ..RecipientRow::default() },
        recipient: (word != RowStatus::Invalid).then(|| (recipient(address, "1"), amount("1"))),
        verdict: RowVerdict { status: word, message: String::new() },
    }
}

#[test]
fn an_answer_about_rows_that_were_changed_since_is_not_taken() {
    let (mut model, _) = model_while_preparing();
    let Mode::Form(form) = &mut model.mode else { panic!() };
    form.stage = FormStage::Editing;
    form.state = FormState::new(Operation::Batch);
    form.state.batch_rows.pending_check = Some(PendingCheck { request_id: RequestId(8), unread_source: None });
    let answer = |word| CheckedBatch {
        rows: vec![checked_row(TO, word)],
        file: None,
        notes: Vec::new(),
        total: Some(amount("1")),
        findings: Vec::new(),
    };
    let apply_answer = |model: &mut Model, request_id, result: Result<CheckedBatch, String>| {
        update(model, Msg::BatchChecked { request_id: RequestId(request_id), result: result.map(Box::new) });
        let Mode::Form(form) = &model.mode else { panic!() };
        (form.state.batch_rows.count(), form.state.batch_rows.is_check_pending(), form.state.batch_rows.error.clone())
    };
    assert_eq!(apply_answer(&mut model, 7, Ok(answer(RowStatus::New))), (0, true, None));
    assert_eq!(apply_answer(&mut model, 8, Ok(answer(RowStatus::Invalid))), (1, false, None));
    let Mode::Form(form) = &mut model.mode else { panic!() };
    form.state.batch_rows.pending_check = Some(PendingCheck { request_id: RequestId(9), unread_source: None });
    assert_eq!(apply_answer(&mut model, 9, Err("no".into())), (1, false, Some("no".into())), "what stood there stays");
}

/// Strangers, each with an amount of its own.
fn new_recipients(amounts: &[&str]) -> Vec<Recipient> {
    let address = |n: usize| format!("0x{}{}", format!("{:x}", 0x9a3 + 0x1f7 * n).repeat(12), "c0de");
    amounts.iter().enumerate().map(|(n, amount)| recipient(&address(n)[..42], amount)).collect()
}

/// What stands above the fold: names and values without their blanks.
fn key_fact_values(model: &Model) -> Vec<(&'static str, String)> {
    let facts = review::facts::key_facts(model, model.review().unwrap());
    facts.into_iter().map(|fact| (fact.name, fact.value.replace(' ', ""))).collect()
}

#[test]
fn new_recipients_stand_whole_above_the_fold_and_the_middles_of_three_are_typed() {
    for (amounts, addresses, payees_text) in [
        (vec!["3", "40", "7"], vec![1, 2, 0], "3recipients,neverpaidbefore;PgDnshowseach"),
        (vec!["3", "40", "7", "5", "1"], vec![1, 2, 3, 0, 4], "5recipients,neverpaidbefore;PgDnshowseach"),
        // At 80x24 there is room for eight. Of more, those who get most stand there, and how many more there are.
        (
            vec!["3", "40", "7", "5", "1", "2", "9", "8"],
            vec![1, 6, 7, 2, 3, 0, 5, 4],
            "8recipients,neverpaidbefore;PgDnshowseach",
        ),
        (
            vec!["3", "40", "7", "5", "1", "2", "9", "8", "6", "4"],
            vec![1, 6, 7, 2, 8, 3, 9, 0],
            "10recipients,neverpaidbefore:8here,PgDnfor2more",
        ),
    ] {
        let rows = new_recipients(&amounts);
        let mut model = armed_batch_review(rows.clone(), sample_guard_facts("5000"));
        model.size = crate::app::Size { width: 80, height: 24 };
        assert_eq!(key_fact_values(&model)[1], ("To", payees_text.to_owned()));
        let key_lines: Vec<String> = key_fact_values(&model)
            .into_iter()
            .filter(|(name, _)| name.starts_with("New"))
            .map(|(_, value)| value)
            .collect();
        let whole = |index: &usize| format!("{}{}USDT", rows[*index].address, rows[*index].amount);
        assert_eq!(key_lines, addresses.iter().map(whole).collect::<Vec<_>>());
        assert!(review::view::has_room_for_review(&model, model.review().unwrap()));
        let prompts = &model.review().unwrap().prompts;
        let expected: Vec<(String, String)> = prompts
            .iter()
            .skip(2)
            .map(|prompt| (prompt.kind.label(&prompt.expected), prompt.expected.clone()))
            .collect();
        assert_eq!(expected.len(), 3, "{expected:?}");
        for ((label, expected), (nth, index)) in expected.iter().zip((1..).zip(&addresses)) {
            let address = &rows[*index].address;
            assert!(label.ends_with(&format!("group of four of new {nth}")), "{label}");
            assert_eq!(*expected, address[guard::challenge_range(address)]);
        }
    }
}

/// Whoever goes on to the others has the room to read them, and is told how many do not stand there now.
#[test]
fn new_recipients_beyond_those_who_are_typed_give_way_to_what_is_scrolled() {
    let mut model =
        armed_batch_review(new_recipients(&["3", "40", "7", "5", "1", "2", "9", "8"]), sample_guard_facts("5000"));
    model.size = crate::app::Size { width: 80, height: 24 };
    let stand = |model: &Model| key_fact_values(model).iter().filter(|(name, _)| name.starts_with("New")).count();
    assert_eq!(stand(&model), 8);
    press(&mut model, KeyCode::PageDown);
    assert_eq!(stand(&model), 5);
    assert_eq!(key_fact_values(&model)[1].1, "8recipients,neverpaidbefore:5here,PgDnfor3more");
    press(&mut model, KeyCode::PageUp);
    assert_eq!(stand(&model), 8);
}

#[test]
fn a_batch_is_not_sent_without_the_middles_of_its_new_recipients() {
    let mut model = armed_batch_review(vec![recipient(TO, "1"), recipient(OTHER, "2")], sample_guard_facts("5000"));
    let expected: Vec<String> = model.review().unwrap().prompts.iter().map(|prompt| prompt.expected.clone()).collect();
    let middle = &OTHER[guard::challenge_range(OTHER)];
    assert_eq!(expected, ["3", "2", middle]);
    for typed in ["3", "2", "0000"] {
        type_text(&mut model, typed);
        assert_eq!(press(&mut model, KeyCode::Enter), []);
    }
    assert_eq!(model.review().unwrap().prompts[2].error, Some("does not match the address"));
    for _ in 0..4 {
        press(&mut model, KeyCode::Backspace);
    }
    type_text(&mut model, middle);
    let effects = press(&mut model, KeyCode::Enter);
    assert!(matches!(effects.as_slice(), [Effect::Send { confirmation: Some(_), .. }]), "{effects:?}");
}

/// Two rows of one stranger are one recipient, who gets their sum.
#[test]
fn a_new_recipient_of_several_rows_is_asked_for_once() {
    let model = armed_batch_review(
        vec![recipient(OTHER, "2"), recipient(TO, "1"), recipient(&OTHER.to_lowercase(), "30")],
        sample_guard_facts("5000"),
    );
    let new: Vec<_> = key_fact_values(&model).into_iter().filter(|(name, _)| name.starts_with("New")).collect();
    assert_eq!(new, [("New 1", format!("{OTHER}32USDT"))]);
    let middles =
        model.review().unwrap().prompts.iter().filter(|prompt| prompt.expected == OTHER[guard::challenge_range(OTHER)]);
    assert_eq!(middles.count(), 1);
}

#[test]
fn a_batch_of_one_asks_for_the_middle_like_any_payment() {
    let model = armed_batch_review(vec![recipient(OTHER, "2")], sample_guard_facts("5000"));
    assert_eq!(key_fact_values(&model), [("Total", "2USDT".to_owned()), ("To", OTHER.to_owned())]);
    let prompts = &model.review().unwrap().prompts;
    let labels: Vec<String> = prompts.iter().map(|prompt| prompt.kind.label(&prompt.expected)).collect();
    assert_eq!(labels.len(), 3);
    assert!(labels[2].ends_with("group of four of the recipient"), "{labels:?}");
    assert_eq!(prompts[2].expected, OTHER[guard::challenge_range(OTHER)]);
    // Who was paid before stands there whole, too, and is asked for by the amounts alone.
    let model = armed_batch_review(vec![recipient(TO, "2")], sample_guard_facts("5000"));
    assert_eq!(key_fact_values(&model)[1], ("To", TO.to_owned()));
    assert_eq!(model.review().unwrap().prompts.len(), 2);
}
