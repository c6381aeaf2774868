mod batch;
mod type_ahead;

use std::time::Duration;

use crossterm::event::KeyCode;
use uuid::Uuid;

use super::stages::form_mut;
use super::*;
use crate::app::data::poll::Dataset;
use crate::app::forms::chains::request_chain_name;
use crate::app::forms::review::ReviewStatus;
use crate::app::input::keymap::ctrl;
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::{Effect, PreparedOrder};
use crate::app::{Msg, Settings, Size, orders, update};
use crate::domain::draft::{Metadata, NewAccount, NewAddress, NewWallet, Withdrawal};
use crate::domain::order::{
    Confirmation, ConsoleIdentity, DraftedOrder, EventStamp, OrderEvent, RequestBytes, SendReason, ServiceDestination,
};
use crate::domain::v1::WalletAddress;
use crate::domain::{
    AccountId, Amount, AttemptResult, BalanceBasis, CreatedObject, FailureReason, Holding, Network, Operation, Order,
    Outcome, Text, Timestamp, UserId, Wallet, WalletId,
};
use crate::domain::{Draft, Failure, OrderId, Sender, TokenKey};
use crate::guard::{ExpectedFee, Funds, GuardFacts, Payee};

const TO: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const NOW: Timestamp = Timestamp::from_millis(1_793_620_000_000);

pub(super) fn model() -> Model {
    let mut settings = Settings::sample();
    settings.identity.environment = Some(Network::Testnet);
    settings.identity.demo = false;
    Model::new(settings, Size { width: 80, height: 24 }, NOW)
}

fn amount(text: &str) -> Amount {
    Amount::parse(text, 6).unwrap()
}

fn withdrawal() -> Withdrawal {
    Withdrawal {
        wallet: WalletId::from_text("wallet-1"),
        blockchain: "ethereum".into(),
        token: "USDT".into(),
        amount: "1200.5".into(),
        to: TO.into(),
        ref_id: Some("B261102-1".into()),
        note: None,
        metadata: Metadata::default(),
    }
}

fn sender() -> Sender {
    Sender {
        name: Some("eth-main".into()),
        address: Some("0x8617E340B3D01FA5F11F306F4090FD50E238070D".into()),
        account: None,
        user: None,
        token: TokenKey::new("ethereum", Some("0xdac17f958d2ee523a2206206994597c13d831ec7")),
        amount: amount("1200.5"),
    }
}

/// A recipient that was paid before, and a balance that bears it.
pub(in crate::app) fn sample_guard_facts(balance: &str) -> GuardFacts {
    GuardFacts {
        expected_network: Some(Network::Testnet),
        network_claims: vec![("the wallet".into(), "testnet".into())],
        funds: Some(Funds {
            amount: Some(amount(balance)),
            basis: BalanceBasis::Reported,
            as_of: Some(NOW),
            is_stale: false,
            matches_history: false,
        }),
        fee: Some(ExpectedFee { highest: amount("1.5"), median: amount("1.2"), payments: 12 }),
        payees: vec![Payee {
            address: TO.into(),
            blockchain: "ethereum".into(),
            payments: 3,
            first: NOW,
            last: NOW,
            totals: Vec::new(),
            memos: vec![None],
        }],
        ..GuardFacts::default()
    }
}

fn sample_order(draft: Draft, sender: Option<Sender>) -> Order {
    let by = ConsoleIdentity { user: "ada".into(), host: "quay".into(), run: Uuid::nil() };
    let destination = ServiceDestination {
        profile: "harbour".into(),
        environment: Some(Network::Testnet),
        base_url: "https://api.example.com".into(),
        key_mark: "ab12".into(),
    };
    let request = RequestBytes {
        operation: draft.operation(),
        method: "POST".into(),
        path: "/v2/transactions/withdraw".into(),
        body: "{}".into(),
        key: Some(Uuid::from_u128(7)),
    };
    let drafted =
        DraftedOrder { draft, sender, request, destination, newest: Vec::new(), anchors: Vec::new(), template: None };
    Order::new(OrderId(Uuid::from_u128(1)), EventStamp { at: NOW, by }, drafted)
}

/// An order for a new account.
pub(in crate::app) fn account_order(name: &str) -> Order {
    sample_order(Draft::CreateAccount(NewAccount { name: name.into() }), None)
}

fn prepared_withdrawal(facts: GuardFacts) -> PreparedOrder {
    let draft = Draft::Withdraw(withdrawal());
    PreparedOrder {
        order: sample_order(draft.clone(), Some(sender())),
        draft,
        facts: Some(facts),
        undocumented_names: Vec::new(),
    }
}

/// A model whose form waits for its draft to be prepared, and the turn that it waits for.
fn model_while_preparing() -> (Model, RequestId) {
    let mut model = model();
    let request_id = model.forms.last_request_id.advance();
    let form = FormState::new(Operation::Withdraw);
    model.mode = Mode::Form(Box::new(Form { state: form, stage: FormStage::Preparing(request_id), proposal: None }));
    (model, request_id)
}

/// A model with a review that was not drawn yet.
pub(in crate::app) fn model_in_review(facts: GuardFacts) -> Model {
    let (mut model, request_id) = model_while_preparing();
    assert_eq!(update(&mut model, Msg::Prepared { request_id, result: Ok(Box::new(prepared_withdrawal(facts))) }), []);
    model
}

/// The same, drawn and armed.
fn model_in_armed_review(facts: GuardFacts) -> Model {
    let mut model = model_in_review(facts);
    update(&mut model, Msg::FrameDrawn);
    update(&mut model, Msg::Tick(NOW.plus(review::ARMING_DELAY)));
    model
}

fn type_text(model: &mut Model, text: &str) {
    for character in text.chars() {
        assert_eq!(update(model, Msg::Key(KeyCode::Char(character).into())), [], "{character}");
    }
}

fn press(model: &mut Model, code: KeyCode) -> Vec<Effect> {
    update(model, Msg::Key(code.into()))
}

fn typed_inputs(model: &Model) -> Vec<String> {
    let review = model.review().expect("a review is open");
    review.prompts.iter().map(|prompt| prompt.input.value().to_owned()).collect()
}

fn review_message(model: &Model) -> &str {
    model.review().and_then(|review| review.message.as_deref()).unwrap_or("")
}

#[test]
fn what_was_typed_letter_by_letter_is_sent_and_recorded() {
    let mut model = model_in_armed_review(sample_guard_facts("5000"));
    type_text(&mut model, "1200.5");
    let effects = press(&mut model, KeyCode::Enter);
    let [
        Effect::Send {
            order_id,
            reason: SendReason::Confirmed,
            confirmation: Some(Confirmation { typed, findings, .. }),
        },
    ] = effects.as_slice()
    else {
        panic!("{effects:?}")
    };
    assert_eq!(*order_id, OrderId(Uuid::from_u128(1)));
    assert_eq!(*typed, ["1200.5".into()]);
    assert!(findings.iter().any(|finding| finding.contains("paid this address 3 times")), "{findings:?}");
    // Once is enough, however often Enter is pressed.
    assert_eq!(press(&mut model, KeyCode::Enter), []);
}

#[test]
fn anything_but_the_amount_sends_nothing() {
    for typed in ["", "1200", "1,200.5", "1200.50", "1200.5 ", "01200.5"] {
        let mut model = model_in_armed_review(sample_guard_facts("5000"));
        type_text(&mut model, typed);
        assert_eq!(press(&mut model, KeyCode::Enter), [], "{typed:?}");
        let review = model.review().unwrap();
        assert_eq!(
            (review.prompts[0].error, &review.status),
            (Some("does not match the amount above"), &ReviewStatus::Waiting),
            "{typed:?}"
        );
    }
}

#[test]
fn keys_count_only_a_second_after_the_review_stood_on_the_terminal() {
    let mut model = model_in_review(sample_guard_facts("5000"));
    // Time alone does not arm it: a slow line may not have shown it yet.
    update(&mut model, Msg::Tick(NOW.plus(Duration::from_secs(5))));
    type_text(&mut model, "1200.5");
    assert_eq!(press(&mut model, KeyCode::Enter), []);
    assert_eq!(typed_inputs(&model), [""]);
    update(&mut model, Msg::FrameDrawn);
    update(&mut model, Msg::Tick(NOW.plus(Duration::from_millis(5_999))));
    type_text(&mut model, "1200.5");
    assert_eq!(press(&mut model, KeyCode::Enter), []);
    assert_eq!(typed_inputs(&model), [""]);
    update(&mut model, Msg::Tick(NOW.plus(Duration::from_secs(6))));
    assert!(model.review().unwrap().had_early_keys, "the screen says that keys were not taken");
    type_text(&mut model, "1200.5");
    assert!(!model.review().unwrap().had_early_keys);
    assert_eq!(press(&mut model, KeyCode::Enter).len(), 1);
}

#[test]
fn the_first_payment_asks_for_the_middle_of_the_address() {
    let mut model = model_in_armed_review(GuardFacts { payees: Vec::new(), ..sample_guard_facts("5000") });
    let review = model.review().unwrap();
    let [_, middle] = review.prompts.as_slice() else { panic!("{:?}", review.prompts) };
    let review::PromptKind::AddressGroup(Some(nth)) = middle.kind else { panic!("{middle:?}") };
    // In groups of four behind `0x`, as the review shows the address.
    assert_eq!(middle.expected, TO[4 * nth - 2..4 * nth + 2]);
    assert!(middle.kind.label("").ends_with("group of four of the recipient"));
    let expected = middle.expected.clone();
    type_text(&mut model, "1200.5");
    assert_eq!(press(&mut model, KeyCode::Enter), []);
    type_text(&mut model, "zzzz");
    assert_eq!(press(&mut model, KeyCode::Enter), []);
    assert_eq!(model.review().unwrap().prompts[1].error, Some("does not match the address"));
    update(&mut model, Msg::Key(ctrl('u')));
    // The case of an EVM address is a checksum and no more.
    type_text(&mut model, &expected.to_lowercase());
    assert_eq!(press(&mut model, KeyCode::Enter).len(), 1);
}

#[test]
fn a_danger_is_sent_only_with_the_words_that_name_it() {
    let mut facts = sample_guard_facts("5000");
    facts.funds.as_mut().unwrap().basis = BalanceBasis::Assumed;
    let mut model = model_in_armed_review(facts);
    type_text(&mut model, "1200.5");
    assert_eq!(press(&mut model, KeyCode::Enter), []);
    assert_eq!(press(&mut model, KeyCode::Enter), []);
    let phrase = model.review().unwrap().prompts[1].expected.clone();
    type_text(&mut model, &phrase);
    let effects = press(&mut model, KeyCode::Enter);
    let [Effect::Send { confirmation: Some(confirmation), .. }] = effects.as_slice() else { panic!("{effects:?}") };
    let mark = format!("[overridden: {phrase}]");
    assert!(confirmation.findings.iter().any(|finding| finding.contains(&mark)), "{confirmation:?}");
}

#[test]
fn a_stop_takes_no_key_but_those_that_lead_away() {
    let mut model = model_in_armed_review(sample_guard_facts("10"));
    assert!(model.review().unwrap().is_stopped());
    type_text(&mut model, "1200.5");
    assert_eq!(press(&mut model, KeyCode::Enter), []);
    assert!(typed_inputs(&model).iter().all(String::is_empty));
    assert_eq!(press(&mut model, KeyCode::Esc), [Effect::Abandon(OrderId(Uuid::from_u128(1)))]);
    assert!(matches!(&model.mode, Mode::Form(form) if matches!(form.stage, FormStage::Editing)));
}

#[test]
fn what_nothing_is_known_of_cannot_be_sent() {
    let (mut model, request_id) = model_while_preparing();
    let blind = PreparedOrder { facts: None, ..prepared_withdrawal(sample_guard_facts("1")) };
    update(&mut model, Msg::Prepared { request_id, result: Ok(Box::new(blind)) });
    update(&mut model, Msg::FrameDrawn);
    update(&mut model, Msg::Tick(NOW.plus(review::ARMING_DELAY)));
    type_text(&mut model, "1200.5");
    assert_eq!(press(&mut model, KeyCode::Enter), []);
}

#[test]
fn bytes_that_say_another_amount_than_was_judged_cannot_be_sent() {
    let (mut model, request_id) = model_while_preparing();
    let draft = Draft::Withdraw(Withdrawal { amount: "12005".into(), ..withdrawal() });
    let other = PreparedOrder { draft, ..prepared_withdrawal(sample_guard_facts("50000")) };
    update(&mut model, Msg::Prepared { request_id, result: Ok(Box::new(other)) });
    update(&mut model, Msg::FrameDrawn);
    update(&mut model, Msg::Tick(NOW.plus(review::ARMING_DELAY)));
    type_text(&mut model, "12005");
    assert_eq!(press(&mut model, KeyCode::Enter), []);
    assert!(model.review().unwrap().is_stopped());
}

/// Asks what is known and gives it; the question is what the review asks after figures were read.
fn reload_facts(model: &mut Model, facts: GuardFacts) {
    let mut effects = requery_after_load(model, &Dataset::Latest);
    let Some(Effect::LoadFacts { order_id, request_id }) = effects.pop() else { panic!("nothing is asked") };
    assert_eq!(requery_after_load(model, &Dataset::Latest), [], "one question at a time");
    update(model, Msg::FactsLoaded { request_id, order_id, result: Ok(Box::new(facts)) });
}

#[test]
fn a_finding_that_changes_throws_away_what_was_typed_and_must_be_seen_first() {
    let mut model = model_in_armed_review(sample_guard_facts("5000"));
    type_text(&mut model, "1200.5");
    reload_facts(&mut model, GuardFacts { payees: Vec::new(), ..sample_guard_facts("5000") });
    assert_eq!(typed_inputs(&model), ["", ""]);
    let message = review_message(&model);
    assert!(message.ends_with("read the findings again. What you typed was cleared"), "{message}");
    assert!(model.review_version_to_draw().is_some());
    type_text(&mut model, "1200.5");
    assert_eq!(typed_inputs(&model), ["", ""]);
    // Of what nobody typed nothing is said.
    reload_facts(&mut model, sample_guard_facts("5000"));
    let message = review_message(&model);
    assert!(message.ends_with("read the findings again"), "{message}");
    update(&mut model, Msg::FrameDrawn);
    update(&mut model, Msg::Tick(NOW.plus(Duration::from_secs(3))));
    type_text(&mut model, "1200.5");
    assert_eq!(typed_inputs(&model)[0], "1200.5");
}

/// A service that is slow now and then: its history is older than it should be, and a moment later it is not.
#[test]
fn that_the_history_is_read_slowly_is_shown_and_throws_nothing_away() {
    let mut model = model_in_armed_review(sample_guard_facts("5000"));
    type_text(&mut model, "1200.5");
    for partial in [Some("the service's history was last read at 12:03"), Some("… at 12:04"), None] {
        reload_facts(&mut model, GuardFacts { history_gap: partial.map(Into::into), ..sample_guard_facts("5000") });
        let has_note =
            model.review().unwrap().findings.iter().any(|finding| finding.message.contains("could be compared"));
        assert_eq!((typed_inputs(&model)[0].as_str(), has_note), ("1200.5", partial.is_some()));
    }
    // What was paid meanwhile is another thing.
    let mut facts = sample_guard_facts("5000");
    facts.payees.clear();
    reload_facts(&mut model, facts);
    assert!(review_message(&model).contains("read the findings again"), "{}", review_message(&model));
}

/// Balance and rows are read one after the other: a row that comes in between is no doubt of the balance, but one that
/// stays is.
#[test]
fn a_balance_that_was_borne_out_a_moment_ago_is_not_doubted_at_once() {
    let facts = |adds_up| {
        let mut facts = sample_guard_facts("5000");
        facts.funds =
            facts.funds.map(|funds| Funds { basis: BalanceBasis::Assumed, matches_history: adds_up, ..funds });
        facts
    };
    let mut model = model_in_armed_review(facts(true));
    type_text(&mut model, "1200.5");
    reload_facts(&mut model, facts(false));
    assert_eq!(typed_inputs(&model), ["1200.5"]);
    model.now = model.now.plus(
        crate::app::data::connection::stale_after(model.console.preferences.poll_period) + Duration::from_millis(1),
    );
    reload_facts(&mut model, facts(false));
    assert!(review_message(&model).contains("read the findings again"), "{}", review_message(&model));
    assert_eq!(typed_inputs(&model), ["", ""], "its words are asked for");
    // Nor is it believed for what was carried over.
    reload_facts(&mut model, facts(false));
    assert_eq!(typed_inputs(&model).len(), 2);
}

#[test]
fn figures_that_move_and_change_no_finding_disturb_nobody() {
    let mut facts = sample_guard_facts("5000");
    facts.funds.as_mut().unwrap().basis = BalanceBasis::Assumed;
    let mut model = model_in_armed_review(facts.clone());
    type_text(&mut model, "1200.5");
    facts.funds.as_mut().unwrap().amount = Some(amount("6000"));
    reload_facts(&mut model, facts);
    assert_eq!(typed_inputs(&model)[0], "1200.5");
    assert_eq!(model.review_version_to_draw(), None);
    assert_eq!(model.review().unwrap().facts.as_ref().unwrap().funds.as_ref().unwrap().amount, Some(amount("6000")));
}

#[test]
fn an_answer_to_an_older_question_changes_nothing() {
    let mut model = model_in_armed_review(sample_guard_facts("5000"));
    let result = Ok(Box::new(sample_guard_facts("10")));
    update(&mut model, Msg::FactsLoaded { request_id: RequestId(999), order_id: OrderId(Uuid::from_u128(1)), result });
    assert!(!model.review().unwrap().is_stopped());
}

#[test]
fn what_is_known_too_long_is_looked_at_anew_before_it_is_sent() {
    let mut model = model_in_armed_review(sample_guard_facts("5000"));
    update(&mut model, Msg::Tick(NOW.plus(Duration::from_secs(30))));
    type_text(&mut model, "1200.5");
    let effects = press(&mut model, KeyCode::Enter);
    let [Effect::LoadFacts { order_id, request_id }] = effects.as_slice() else { panic!("{effects:?}") };
    assert!(review_message(&model).contains("press Enter again"));
    let (order_id, request_id) = (*order_id, *request_id);
    update(&mut model, Msg::FactsLoaded { request_id, order_id, result: Ok(Box::new(sample_guard_facts("5000"))) });
    assert!(matches!(press(&mut model, KeyCode::Enter).as_slice(), [Effect::Send { .. }]));
}

#[test]
fn a_paste_is_not_typed() {
    let mut model = model_in_armed_review(sample_guard_facts("5000"));
    assert_eq!(update(&mut model, Msg::Paste("1200.5".into())), []);
    assert_eq!(typed_inputs(&model), [""]);
    assert!(model.notice.as_ref().unwrap().contains("typed by hand"));
}

#[test]
fn a_draft_that_nobody_waits_for_any_more_is_abandoned() {
    let (mut model, request_id) = model_while_preparing();
    assert_eq!(press(&mut model, KeyCode::Esc), []);
    let effects = update(
        &mut model,
        Msg::Prepared { request_id, result: Ok(Box::new(prepared_withdrawal(sample_guard_facts("5000")))) },
    );
    assert_eq!(effects, [Effect::Abandon(OrderId(Uuid::from_u128(1)))]);
    assert!(model.review().is_none());
}

#[test]
fn a_draft_that_cannot_be_prepared_stays_and_says_why() {
    let (mut model, request_id) = model_while_preparing();
    let failure = Failure::from_read(FailureReason::Local, "the keyring is locked");
    assert_eq!(update(&mut model, Msg::Prepared { request_id, result: Err(failure) }), []);
    let Mode::Form(form) = &model.mode else { panic!("{:?}", model.mode) };
    assert!(form.state.error.as_ref().unwrap().contains("the keyring is locked"));
    assert!(matches!(form.stage, FormStage::Editing));
}

#[test]
fn what_could_not_be_sent_says_so_and_leads_back() {
    let mut model = model_in_armed_review(sample_guard_facts("5000"));
    type_text(&mut model, "1200.5");
    press(&mut model, KeyCode::Enter);
    let order_id = OrderId(Uuid::from_u128(1));
    let failure = Failure::from_read(FailureReason::Local, "the journal's disk is full");
    update(&mut model, Msg::Sent { order_id, result: Err(failure) });
    let ReviewStatus::NotSent(reason) = &model.review().unwrap().status else { panic!("it was not sent") };
    assert!(reason.contains("disk is full") && reason.contains("Nothing was sent"), "{reason}");
    assert_eq!(press(&mut model, KeyCode::Esc), [Effect::Abandon(order_id)]);
}

#[test]
fn a_sending_may_be_left_and_goes_on() {
    let mut model = model_in_armed_review(sample_guard_facts("5000"));
    type_text(&mut model, "1200.5");
    press(&mut model, KeyCode::Enter);
    assert_eq!(press(&mut model, KeyCode::Esc), []);
    assert_eq!(model.page, Page::Orders);
    assert!(matches!(model.mode, Mode::Browse));
}

#[test]
fn what_makes_no_payment_is_sent_with_enter_once_it_was_seen() {
    let (mut model, request_id) = model_while_preparing();
    let draft = Draft::CreateAccount(NewAccount { name: "Ops".into() });
    let prepared_order =
        PreparedOrder { order: sample_order(draft.clone(), None), draft, facts: None, undocumented_names: Vec::new() };
    update(&mut model, Msg::Prepared { request_id, result: Ok(Box::new(prepared_order)) });
    assert_eq!(press(&mut model, KeyCode::Enter), []);
    update(&mut model, Msg::FrameDrawn);
    update(&mut model, Msg::Tick(NOW.plus(review::ARMING_DELAY)));
    assert!(matches!(press(&mut model, KeyCode::Enter).as_slice(), [Effect::Send { .. }]));
}

#[test]
fn a_form_that_is_closed_is_kept_and_taken_up_again() {
    let mut model = model();
    press(&mut model, KeyCode::Char('n'));
    press(&mut model, KeyCode::Char('a'));
    type_text(&mut model, "Ops");
    press(&mut model, KeyCode::Esc);
    assert!(matches!(model.mode, Mode::Browse));
    assert!(model.notice.as_ref().unwrap().contains("kept"));
    press(&mut model, KeyCode::Char('n'));
    press(&mut model, KeyCode::Char('a'));
    let Mode::Form(form) = &model.mode else { panic!("{:?}", model.mode) };
    assert_eq!(form.state.value(field::FieldId::Name), "Ops");
    assert!(model.forms.drafts.is_empty());
}

#[test]
fn a_console_that_only_reads_says_why() {
    let mut model = model();
    model.console.read_only = Some(crate::domain::ReadOnlyReason::ByOption);
    for key in ['w', 'b', 'n'] {
        press(&mut model, KeyCode::Char(key));
        assert!(matches!(model.mode, Mode::Browse));
        assert_eq!(model.notice.as_deref(), Some("this console is read-only: set by --read-only or by the profile"));
    }
}

#[test]
fn a_review_that_has_no_room_takes_no_key() {
    let mut model = model_in_armed_review(GuardFacts { payees: Vec::new(), ..sample_guard_facts("5000") });
    let resized = |model: &mut Model, width, height| update(model, Msg::Resized(Size { width, height }));
    for (width, height) in [(40, 10), (39, 24), (80, 9), (80, 12), (1, 1), (0, 0)] {
        resized(&mut model, width, height);
        type_text(&mut model, "1200.5");
        assert_eq!(typed_inputs(&model), ["", ""], "{width}x{height}");
        assert_eq!(press(&mut model, KeyCode::Enter), [], "{width}x{height}");
    }
    for (width, height) in [(80, 13), (40, 18), (80, 24)] {
        resized(&mut model, width, height);
        update(&mut model, Msg::FrameDrawn);
        let now = model.now.plus(review::ARMING_DELAY);
        update(&mut model, Msg::Tick(now));
        update(&mut model, Msg::Key(ctrl('u')));
        type_text(&mut model, "1200.5");
        assert_eq!(typed_inputs(&model)[0], "1200.5", "{width}x{height}");
        let area = ratatui::layout::Rect::new(0, 0, width, height);
        let mut buffer = ratatui::buffer::Buffer::empty(area);
        crate::app::view(&model, area, &mut buffer);
        let screen: String = buffer.content().iter().map(ratatui::buffer::Cell::symbol).collect();
        let is_visible = |text: &str| text.split(' ').all(|group| screen.contains(group));
        assert!(
            is_visible("1,200.5") && is_visible(&crate::domain::address::format_grouped(TO)),
            "{width}x{height}: {screen}"
        );
    }
}

#[test]
fn a_clock_that_was_set_back_makes_nothing_fresh() {
    let mut model = model_in_armed_review(sample_guard_facts("5000"));
    type_text(&mut model, "1200.5");
    let hour_ago = Timestamp::from_millis(NOW.millis() - 3_600_000);
    update(&mut model, Msg::Tick(hour_ago));
    assert_eq!(model.now, hour_ago);
    // It stands there anew, and takes keys a second later, not when the clock has come again to where it was.
    assert_eq!(press(&mut model, KeyCode::Enter), []);
    assert!(model.review_version_to_draw().is_some());
    update(&mut model, Msg::FrameDrawn);
    update(&mut model, Msg::Tick(hour_ago.plus(review::ARMING_DELAY)));
    // What was known may be of any age by now.
    assert!(matches!(press(&mut model, KeyCode::Enter).as_slice(), [Effect::LoadFacts { .. }]));
}

fn holding(contract: &str, balance: &str) -> Holding {
    Holding {
        token: TokenKey::new("ethereum", Some(contract)),
        symbol: "USDT".into(),
        name: None,
        amount: Some(crate::domain::ReportedAmount::Exact(amount(balance))),
        basis: BalanceBasis::Reported,
        as_of: Some(NOW),
        suspicious: false,
    }
}

pub(in crate::app) fn payer_wallet() -> Wallet {
    Wallet { name: Some("eth-main".into()), ..Wallet::new(WalletId::from_text("wallet-1"), "ethereum".into()) }
}

#[test]
fn what_is_highlighted_is_not_exchanged_for_another_under_the_finger() {
    let (mut model, request_id) = model_while_preparing();
    let id = WalletId::from_text("wallet-1");
    let [one, other] = ["0xdac17f958d2ee523a2206206994597c13d831ec7", "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"];
    let Some(form) = form_mut(&mut model) else { panic!("no form") };
    form.stage = FormStage::Editing;
    form.state.selection.wallet = Some(payer_wallet());
    form.state.holdings = lookups::WalletHoldings {
        request_id,
        wallet: Some(id.clone()),
        rows: vec![holding(one, "1"), holding(other, "2")],
    };
    form.state.move_focus_to(field::FieldId::Token);
    form.state.highlighted_index = Some(0);
    let choice = |model: &mut Model| form_mut(model).and_then(|form| form.state.highlighted_index);
    apply_holdings(&mut model, request_id, id.clone(), vec![holding(one, "7"), holding(other, "2")]);
    assert_eq!(choice(&mut model), Some(0), "figures move");
    apply_holdings(&mut model, request_id, id, vec![holding(other, "9"), holding(one, "7")]);
    assert_eq!(choice(&mut model), None, "another stands in its place");
}

#[test]
fn a_secret_stays_in_the_form() {
    let seed_phrase = "abandon ".repeat(11) + "about";
    for (slot, text, expected) in [
        (field::FieldId::Note, seed_phrase.as_str(), Some("this contains a list of seed words")),
        (field::FieldId::Note, "rent for May", None),
        (field::FieldId::Recipient, seed_phrase.as_str(), Some("this is a list of seed words, not an address")),
        (field::FieldId::Recipient, "quick one two", Some("an address contains no spaces")),
        (field::FieldId::Recipient, "quick1one", None),
    ] {
        let (mut model, _) = model_while_preparing();
        let Some(form) = form_mut(&mut model) else { panic!("no form") };
        form.stage = FormStage::Editing;
        form.state.selection.wallet = Some(Wallet { blockchain: "quickchain".into(), ..payer_wallet() });
        form.state.move_focus_to(slot);
        // What the wallet holds is asked for meanwhile.
        for letter in text.chars() {
            press(&mut model, KeyCode::Char(letter));
        }
        let Mode::Form(form) = &model.mode else { panic!("no form") };
        let error = withdraw::check_field(&model, &form.state, slot).err();
        assert_eq!(error.is_some(), expected.is_some(), "{text}: {error:?}");
        assert!(
            error.is_none_or(|message| message.starts_with(expected.unwrap()) && !message.contains("abandon")),
            "{text}"
        );
    }
}

#[test]
fn a_request_names_no_other_network_than_the_wallets() {
    let mut model = model();
    let listed_token = |slugs: &[&str]| crate::domain::Token {
        name: "Tether".into(),
        decimals: Some(6),
        ..crate::domain::Token::test_token("USDT", slugs)
    };
    for (slugs, word, right) in [
        (&["ethereum-sepolia", "ethereum"][..], "eth", "ethereum"),
        (&["ethereum", "ethereum-sepolia"], "eth-sepolia", "ethereum-sepolia"),
        (&["ethereum-sepolia", "ethereum-mainnet"], "eth", "eth"),
        (&["ethereum-sepolia"], "eth-mainnet", "eth-mainnet"),
        (&["ethereum"], "eth-sepolia", "eth-sepolia"),
        (&["ethereum-sepolia", "base"], "eth", "ethereum-sepolia"),
        (&["base"], "quickchain", "quickchain"),
    ] {
        model.data.listed_tokens = vec![listed_token(slugs)];
        assert_eq!(request_chain_name(&model, &word.into()).as_str(), right, "{word} of {slugs:?}");
    }
}

/// The review of a draft was sent from this form, and this came: the journal first, then the answer.
fn model_after_answer(form: FormState, draft: Draft, answer: AttemptResult) -> Model {
    let (mut model, request_id) = model_while_preparing();
    model.mode = Mode::Form(Box::new(Form { state: form, stage: FormStage::Preparing(request_id), proposal: None }));
    let mut order = sample_order(draft.clone(), None);
    let prepared_order = PreparedOrder { order: order.clone(), draft, facts: None, undocumented_names: Vec::new() };
    update(&mut model, Msg::Prepared { request_id, result: Ok(Box::new(prepared_order)) });
    let stamp = order.created.clone();
    order.apply(
        stamp.clone(),
        OrderEvent::Confirmed(Confirmation { typed: Vec::new(), findings: Vec::new(), agreed: None }),
    );
    order.apply(stamp.clone(), OrderEvent::Sending { attempt: 1, reason: SendReason::Confirmed, gives_up_at: NOW });
    order.apply(stamp, OrderEvent::Answered { attempt: 1, answer: Box::new(answer) });
    let (order_id, state) = (order.id, order.state(NOW));
    update(&mut model, Msg::Orders(Ok(vec![order])));
    update(&mut model, Msg::Sent { order_id, result: Ok(state) });
    model
}

fn attempt_result(outcome: Outcome, object: Option<CreatedObject>, differences: Vec<Text>) -> AttemptResult {
    AttemptResult {
        outcome,
        status: None,
        message: "".into(),
        raw: None,
        created: object,
        differences,
        cost_alarms: Vec::new(),
    }
}

#[test]
fn a_deposit_address_that_is_not_the_one_asked_for_is_withheld() {
    let draft = Draft::CreateAddress(NewAddress {
        sub_wallet: UserId::from_text("u"),
        coin: "USDT".into(),
        chain: "ethereum".into(),
    });
    let message_and_page = |address: &str, differences: &[&str]| {
        let object = CreatedObject::Address(WalletAddress {
            coin: None,
            chain: None,
            network: None,
            address: address.into(),
            tag: None,
            wallet: None,
            created_at: None,
        });
        let differences = differences.iter().map(|difference| Text::clean(difference)).collect();
        let model = model_after_answer(
            FormState::new(Operation::CreateAddress),
            draft.clone(),
            attempt_result(Outcome::Accepted, Some(object), differences),
        );
        assert!(matches!(model.mode, Mode::Browse));
        (model.notice.clone().unwrap(), model.page)
    };
    let (message, page) = message_and_page(TO, &[]);
    assert!(message.contains(TO) && page != Page::Orders, "{message}");
    for (address, differences, reason) in [
        (TO, &["chain: the request says ethereum, the answer tron"][..], "the answer tron"),
        // Of another family, and with a letter changed.
        ("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", &[], "Ethereum"),
        ("0x52908400098527886E0F7030069857D2E4169Ee7", &[], "checksum"),
    ] {
        let (message, page) = message_and_page(address, differences);
        assert!(message.starts_with("Alarm: ") && message.contains(reason), "{message}");
        assert!(!message.contains(address), "{message}");
        assert_eq!(page, Page::Orders);
    }
}

#[test]
fn of_several_wallets_one_that_may_have_been_made_is_not_offered_anew() {
    for (outcome, draft_count) in [(Outcome::Refused, 1), (Outcome::Declined, 1), (Outcome::Unknown, 0)] {
        let mut form = FormState::new(Operation::CreateWallet);
        let chains = form.fields.iter_mut().find(|field| field.id == field::FieldId::Chain).unwrap();
        chains.set_value("ethereum, base");
        let draft = Draft::CreateWallet(NewWallet {
            account: AccountId::from_text("a"),
            blockchain: "ethereum".into(),
            name: None,
            ref_id: None,
            user: None,
            auto_sweep: false,
        });
        let model = model_after_answer(form, draft, attempt_result(outcome, None, Vec::new()));
        assert_eq!(model.forms.drafts.len(), draft_count, "{outcome:?}");
        assert_eq!(model.page, Page::Orders);
    }
}

#[test]
fn a_swap_whose_quote_moved_when_its_review_was_closed_is_given_up_and_lets_go_of_its_keys() {
    let mut model = model();
    let id = OrderId(Uuid::from_u128(1));
    assert_eq!(orders::send_order(&mut model, id, SendReason::Confirmed, None).len(), 1);
    let result = Err(Failure::from_read(FailureReason::Local, "no quote"));
    assert_eq!(update(&mut model, Msg::Requoted { order_id: id, result }), [Effect::Abandon(id)]);
    assert!(!orders::is_awaiting_answer(&model, id));
    assert!(model.notice.as_deref().is_some_and(|message| message.contains("was given up")), "{:?}", model.notice);
}
