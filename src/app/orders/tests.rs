use crate::app::data::poll::Snapshot;
use std::time::Duration;

use crossterm::event::KeyCode;
use uuid::Uuid;

use super::super::data::poll::Dataset;
use super::super::model::Settings;
use super::super::msg::Msg;
use super::super::screen::Size;
use super::super::update::update;
use super::*;
use crate::domain::draft::{Draft, Metadata, NewAccount, Operation, Sender, Withdrawal};
use crate::domain::order::{
    ConsoleIdentity, DraftedOrder, EventStamp, HistoryLookup, OrderEnd, OrderEvent, RequestBytes, ServiceDestination,
};
use crate::domain::outcome::{AttemptResult, CreatedObject, ObservedTransaction, Outcome};
use crate::domain::{Amount, FailureReason, Network, Status, TokenKey, TransactionId, WalletId};

const START_MILLIS: i64 = 1_793_620_000_000;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(START_MILLIS + seconds * 1_000)
}

fn stamp(seconds: i64) -> EventStamp {
    EventStamp {
        at: at(seconds),
        by: ConsoleIdentity { user: "ada".into(), host: "quay".into(), run: Uuid::from_u128(1) },
    }
}

/// An order that was confirmed at second 1.
fn confirmed_order(operation: Operation) -> Order {
    let draft = match operation {
        Operation::CreateAccount => Draft::CreateAccount(NewAccount { name: "Till".into() }),
        _ => Draft::Withdraw(Withdrawal {
            wallet: WalletId::from_text("w"),
            blockchain: "ethereum".into(),
            token: "USDC".into(),
            amount: "25".into(),
            to: "0x".into(),
            ref_id: None,
            note: None,
            metadata: Metadata::default(),
        }),
    };
    let sender = Sender {
        name: None,
        address: None,
        account: None,
        user: None,
        token: TokenKey::new("ethereum", None),
        amount: Amount::zero(6),
    };
    let request = RequestBytes {
        operation,
        method: "POST".into(),
        path: "/v2/transactions/withdraw".into(),
        body: "{}".into(),
        key: Some(Uuid::from_u128(2)),
    };
    let destination = ServiceDestination {
        profile: "harbour".into(),
        environment: None,
        base_url: "https://api.example.com".into(),
        key_mark: "0123456789abcdef".into(),
    };
    let drafted = DraftedOrder {
        draft,
        sender: Some(sender),
        request,
        destination,
        newest: Vec::new(),
        anchors: Vec::new(),
        template: None,
    };
    let mut order = Order::new(OrderId(Uuid::from_u128(3)), stamp(0), drafted);
    order
        .apply(stamp(1), OrderEvent::Confirmed(Confirmation { typed: Vec::new(), findings: Vec::new(), agreed: None }));
    order
}

fn attempt_result(outcome: Outcome, status: Option<u16>) -> AttemptResult {
    AttemptResult {
        outcome,
        status,
        message: "connection reset".into(),
        raw: None,
        created: None,
        differences: Vec::new(),
        cost_alarms: Vec::new(),
    }
}

fn observed_transaction(status: &str, confirmed: Option<bool>) -> ObservedTransaction {
    ObservedTransaction {
        transaction: Some(TransactionId::from_text("t-1")),
        status: Some(Status::from_word(status)),
        confirmed,
        confirmed_at: None,
        confirmation: None,
        tx_hash: None,
        swap: None,
    }
}

fn lookup_event(transaction: Option<ObservedTransaction>, is_complete: bool) -> OrderEvent {
    OrderEvent::LookedUp(HistoryLookup { observed: transaction, is_complete, ..HistoryLookup::default() })
}

/// A console at second 1, over this order.
fn model(order: Order) -> Model {
    let mut model = Model::new(Settings::sample(), Size { width: 120, height: 36 }, at(1));
    update(&mut model, Msg::Orders(Ok(vec![order])));
    model.data.is_connected = true;
    model
}

/// Sends the order at this second as the runtime does: the journal follows, and the answer.
fn send_at(model: &mut Model, seconds: i64, reason: SendReason, answer: Option<AttemptResult>) -> Vec<Effect> {
    let mut order = model.journal.orders[0].clone();
    let number = u32::try_from(order.attempts.len() + 1).unwrap();
    order.apply(stamp(seconds), OrderEvent::Sending { attempt: number, reason, gives_up_at: at(seconds + 20) });
    if let Some(answer) = answer {
        order.apply(stamp(seconds), OrderEvent::Answered { attempt: number, answer: Box::new(answer) });
    }
    let (id, state) = (order.id, order.state(at(seconds)));
    let mut effects = update(model, Msg::Tick(at(seconds)));
    effects.extend(update(model, Msg::Orders(Ok(vec![order]))));
    effects.extend(update(model, Msg::Sent { order_id: id, result: Ok(state) }));
    effects
}

/// The read of the history that is under way finds nothing.
fn complete_lookup(model: &mut Model) -> Vec<Effect> {
    if model.data.remotes.orders.in_flight.is_none() {
        return Vec::new();
    }
    let request_id = model.data.remotes.orders.request_id;
    update(model, Msg::Loaded { dataset: Dataset::Orders, request_id, result: Ok(Snapshot::Orders) })
}

/// The first sending, on the operator's confirmation.
fn send_first_time(model: &mut Model, answer: AttemptResult) -> Vec<Effect> {
    let id = model.journal.orders[0].id;
    let effects = send_order(model, id, SendReason::Confirmed, None);
    assert_eq!(effects, [Effect::Send { order_id: id, reason: SendReason::Confirmed, confirmation: None }]);
    send_at(model, 2, SendReason::Confirmed, Some(answer))
}

/// Ticks and reads of the history that find nothing, until this second; says when the order was sent again.
fn resend_seconds_until(model: &mut Model, until: i64) -> Vec<i64> {
    let mut resend_seconds = Vec::new();
    let from = (model.now.millis() - START_MILLIS) / 1_000;
    for second in from..=until {
        let mut effects = update(model, Msg::Tick(at(second)));
        effects.extend(complete_lookup(model));
        while let Some(effect) = effects.pop() {
            if let Effect::Send { reason, confirmation, .. } = effect {
                assert_eq!((reason, confirmation), (SendReason::Retry, None));
                resend_seconds.push(second);
                send_at(model, second, SendReason::Retry, Some(attempt_result(Outcome::Unknown, None)));
            }
        }
    }
    resend_seconds
}

#[test]
fn an_unknown_payment_is_sent_again_twice_by_itself_and_no_more() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
    assert_eq!(expected_resend_at(&model, &model.journal.orders[0]), Some(at(7)));
    assert_eq!(resend_seconds_until(&mut model, 3_600), [7, 37]);
    assert_eq!(model.journal.orders[0].attempts.len(), 3);
}

/// Its pages may have been read before the request was executed.
#[test]
fn a_read_that_began_before_an_attempt_ended_is_no_reason_to_send_again() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    model.data.remotes.orders.start(at(1));
    send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
    let mut effects = update(&mut model, Msg::Tick(at(6)));
    effects.extend(complete_lookup(&mut model));
    model.data.remotes.orders.in_flight = None;
    assert_eq!(model.data.remotes.orders.last_success, Some(at(6)));
    effects.extend((7..30).flat_map(|second| update(&mut model, Msg::Tick(at(second)))));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Send { .. })), "{effects:?}");
    assert_eq!(resend_seconds_until(&mut model, 3_600).len(), 2);
}

#[test]
fn after_a_restart_nothing_is_sent_by_itself() {
    let mut first = model(confirmed_order(Operation::Withdraw));
    send_first_time(&mut first, attempt_result(Outcome::Unknown, None));
    let mut second = model(first.journal.orders[0].clone());
    assert_eq!(resend_seconds_until(&mut second, 3_600), [] as [i64; 0]);
    let effects = update(&mut second, Msg::Key(KeyCode::Char('r').into()));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Send { .. })));
}

#[test]
fn what_is_known_or_never_left_is_not_sent_by_itself() {
    for (outcome, status) in [
        (Outcome::NotSent, None),
        (Outcome::Accepted, Some(201)),
        (Outcome::Refused, Some(400)),
        (Outcome::Declined, Some(400)),
        (Outcome::ProbablyRefused { wait: None }, Some(418)),
    ] {
        let mut model = model(confirmed_order(Operation::Withdraw));
        send_first_time(&mut model, attempt_result(outcome, status));
        assert_eq!(resend_seconds_until(&mut model, 400), [] as [i64; 0], "{outcome:?}");
    }
}

#[test]
fn what_moves_no_money_is_not_sent_by_itself() {
    let mut model = model(confirmed_order(Operation::CreateAccount));
    send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
    assert_eq!(resend_seconds_until(&mut model, 400), [] as [i64; 0]);
}

#[test]
fn one_request_too_many_waits_as_it_was_told() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    send_first_time(
        &mut model,
        attempt_result(Outcome::ProbablyRefused { wait: Some(Duration::from_secs(90)) }, Some(429)),
    );
    assert_eq!(resend_seconds_until(&mut model, 130), [92, 122]);
    // Told to wait longer than it sends by itself, it does not.
    let mut model = self::model(confirmed_order(Operation::Withdraw));
    send_first_time(
        &mut model,
        attempt_result(Outcome::ProbablyRefused { wait: Some(Duration::from_mins(5)) }, Some(429)),
    );
    assert_eq!(resend_seconds_until(&mut model, 301), [] as [i64; 0]);
}

#[test]
fn a_read_that_finds_it_or_a_similar_transaction_cancels_what_was_to_be_sent_again() {
    let similar_transaction = Some(TransactionId::from_text("t-2"));
    let similar = OrderEvent::LookedUp(HistoryLookup { similar_transaction, ..HistoryLookup::default() });
    let lookup = lookup_event(Some(observed_transaction("pending", None)), false);
    for (look, label) in [(lookup, "accepted"), (similar, "unknown")] {
        let mut model = model(confirmed_order(Operation::Withdraw));
        send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
        let mut order = model.journal.orders[0].clone();
        order.apply(stamp(3), look);
        update(&mut model, Msg::Orders(Ok(vec![order])));
        assert_eq!(resend_seconds_until(&mut model, 400), [] as [i64; 0]);
        assert_eq!(state_label(&model.journal.orders[0], model.now), label);
    }
}

/// Who cannot read cannot see that it was made. Whichever read is refused: the history may be closed to a key that pays.
#[test]
fn while_the_history_may_not_be_read_nothing_is_sent_again() {
    for dataset in [Dataset::Latest, Dataset::Backfill, Dataset::Orders] {
        for reason in [FailureReason::KeyRejected, FailureReason::Forbidden] {
            let mut model = model(confirmed_order(Operation::Withdraw));
            send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
            assert_eq!(expected_resend_at(&model, &model.journal.orders[0]), Some(at(7)));
            let request_id = model.data.remotes.get_mut(&dataset).start(at(3));
            let result = Err(Failure::from_read(reason.clone(), "no"));
            update(&mut model, Msg::Loaded { dataset: dataset.clone(), request_id, result });
            assert_eq!(expected_resend_at(&model, &model.journal.orders[0]), None, "{dataset:?} {reason:?}");
            for second in 4..60 {
                let effects = update(&mut model, Msg::Tick(at(second)));
                assert!(!effects.iter().any(|effect| matches!(effect, Effect::Send { .. })), "{dataset:?} {reason:?}");
            }
        }
    }
}

/// A service, or somebody before it, that mixes up requests gets no other one unasked.
#[test]
fn after_an_answer_to_another_request_nothing_is_sent_by_itself() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    let differences = vec!["idempotency key: the request says a, the answer b".into()];
    send_first_time(&mut model, AttemptResult { differences, ..attempt_result(Outcome::Unknown, Some(201)) });
    assert_eq!(resend_seconds_until(&mut model, 400), [] as [i64; 0]);
    let messages = status_messages(&model, &model.journal.orders[0]);
    assert!(
        messages[0].starts_with("Alarm: idempotency key") && messages[1].starts_with("We do not know"),
        "{messages:?}"
    );
}

#[test]
fn a_row_that_contradicts_the_request_is_an_alarm_told_once() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
    let mut order = model.journal.orders[0].clone();
    let differences: Vec<Text> = vec!["amount: the request says 25, the history 26".into()];
    for seconds in [3, 4] {
        let transaction = Some(observed_transaction("success", Some(true)));
        let look =
            HistoryLookup { observed: transaction, differences: differences.clone(), ..HistoryLookup::default() };
        assert_eq!(order.has_new_alarm(&look), seconds == 3);
        order.apply(stamp(seconds), OrderEvent::LookedUp(look));
    }
    let alarms = alarm_messages(&order, at(5));
    assert_eq!(alarms, ["Alarm: amount: the request says 25, the history 26."]);
    assert_eq!(attention_level(&order, at(5)), AttentionLevel::Alarm);
}

#[test]
fn an_order_of_another_profile_says_so() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
    let expected = "The order was created under the profile harbour, at this service.";
    assert!(!status_messages(&model, &model.journal.orders[0]).contains(&expected.to_owned()));
    model.console.identity.profile = "quay".into();
    assert_eq!(status_messages(&model, &model.journal.orders[0])[1], expected);
}

#[test]
fn a_console_that_only_reads_shows_orders_and_does_nothing_about_them() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
    model.console.read_only = Some(crate::domain::ReadOnlyReason::ByOption);
    assert!(!has_tracked_orders(&model));
    let offers = command_offers(&model, &model.journal.orders[0]);
    assert!(
        offers.len() == 3 && offers.iter().all(|offer| offer.refusal.as_deref() == Some("this console is read-only"))
    );
    let text = status_messages(&model, &model.journal.orders[0]).join(" ");
    assert!(
        text.contains("We do not know") && text.contains("This console is read-only and does not look for it"),
        "{text}"
    );
}

#[test]
fn while_the_history_is_read_nothing_is_sent_again() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
    for second in 3..60 {
        let effects = update(&mut model, Msg::Tick(at(second)));
        assert!(!effects.iter().any(|effect| matches!(effect, Effect::Send { .. })));
        assert!(crate::app::data::poll::next_due(&model) > Some(at(second)), "it would turn in circles");
    }
    // It was asked for once more while it was under way.
    let effects = [complete_lookup(&mut model), complete_lookup(&mut model)].concat();
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Send { .. })));
}

#[test]
fn a_rejected_key_stops_changes_until_the_operator_asks_again() {
    for status in [401, 403] {
        let mut model = model(confirmed_order(Operation::Withdraw));
        send_first_time(&mut model, attempt_result(Outcome::ProbablyRefused { wait: None }, Some(status)));
        let reason = may_change(&model).unwrap_err();
        assert!(reason.contains(&status.to_string()) && reason.contains("press r"), "{reason}");
        let id = model.journal.orders[0].id;
        assert_eq!(send_order(&mut model, id, SendReason::Operator { warned: false }, None), []);
        assert_eq!(model.notice, Some(reason));
        // Reading goes on.
        let effects = update(&mut model, Msg::Tick(at(60)));
        assert!(
            effects.iter().any(|effect| matches!(effect, Effect::Load { dataset: Dataset::Latest, .. })) || {
                model.data.remotes.latest.in_flight.is_some()
            }
        );
        update(&mut model, Msg::Key(KeyCode::Char('r').into()));
        assert_eq!(may_change(&model), Ok(()));
        assert_eq!(resend_seconds_until(&mut model, 299), [] as [i64; 0]);
    }
}

/// `S` on an order of a key that was rotated: it is not sent under the new one, and says nothing of that.
#[test]
fn an_order_of_an_old_key_that_is_not_sent_stops_no_other_change() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    send_first_time(&mut model, attempt_result(Outcome::ProbablyRefused { wait: None }, Some(401)));
    assert!(may_change(&model).is_err());
    // The operator mends the key, and asks for everything again.
    update(&mut model, Msg::Key(KeyCode::Char('r').into()));
    let id = model.journal.orders[0].id;
    assert_eq!(send_order(&mut model, id, SendReason::Operator { warned: false }, None).len(), 1);
    let under_another = Failure::from_read(FailureReason::Local, "it went there under another API key");
    update(&mut model, Msg::Sent { order_id: id, result: Err(under_another) });
    assert_eq!(may_change(&model), Ok(()));
}

#[test]
fn a_key_that_reads_have_shown_to_be_rejected_sends_nothing() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    let id = model.journal.orders[0].id;
    model.data.connection = ConnectionState::KeyRejected;
    assert_eq!(send_order(&mut model, id, SendReason::Confirmed, None), []);
    assert!(
        model.notice.as_deref().is_some_and(|message| message.contains("rejects the API key")),
        "{:?}",
        model.notice
    );
    // Another key that signs changes is none of the one that reads.
    model.console.has_separate_keys = true;
    assert_eq!(may_change(&model), Ok(()));
    model.console.has_separate_keys = false;
    update(&mut model, Msg::Key(KeyCode::Char('r').into()));
    assert_eq!(may_change(&model), Ok(()));
}

#[test]
fn nothing_is_sent_while_the_data_are_of_another_network() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    model.console.identity.environment = Some(Network::Mainnet);
    send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
    model.data.network_mismatch = Some("testnet".into());
    let reason = may_change(&model).unwrap_err();
    assert!(reason.contains("Payments are disabled here"), "{reason}");
    // Neither by itself, nor by the operator's word.
    assert_eq!(resend_seconds_until(&mut model, 299), [] as [i64; 0]);
    let id = model.journal.orders[0].id;
    assert_eq!(send_order(&mut model, id, SendReason::Operator { warned: false }, None), []);
    assert_eq!(model.notice, Some(reason.clone()));
    let offers = command_offers(&model, &model.journal.orders[0]);
    let offer = offers.iter().find(|offer| offer.command == OrderCommand::SendAgain).unwrap();
    assert_eq!(offer.refusal, Some(reason));
    // Only a new start of the console ends the alarm.
    update(&mut model, Msg::Key(KeyCode::Char('r').into()));
    assert!(may_change(&model).is_err());
}

#[test]
fn what_another_console_or_the_operator_sent_again_is_left_to_them() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
    let mut order = model.journal.orders[0].clone();
    order.apply(stamp(3), OrderEvent::Sending { attempt: 2, reason: SendReason::Retry, gives_up_at: at(4) });
    update(&mut model, Msg::Orders(Ok(vec![order])));
    assert_eq!(resend_seconds_until(&mut model, 400), [] as [i64; 0]);
}

#[test]
fn what_could_not_be_sent_waits_for_a_hand() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
    let id = model.journal.orders[0].id;
    update(&mut model, Msg::Tick(at(8)));
    // It was asked for once more while it was under way.
    let effects = [complete_lookup(&mut model), complete_lookup(&mut model)].concat();
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Send { .. })));
    let failure = Failure::from_read(FailureReason::Local, "the disk is full");
    update(&mut model, Msg::Sent { order_id: id, result: Err(failure) });
    assert_eq!(resend_seconds_until(&mut model, 290), [] as [i64; 0]);
}

#[test]
fn the_history_is_read_fast_at_first_and_slowly_later_and_never_for_what_is_over() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    assert!(!has_tracked_orders(&model));
    send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
    for (seconds, expected) in [(3, 5), (61, 5), (62, 30), (3_601, 30), (3_602, 300), (900_000, 300)] {
        model.now = at(seconds);
        assert!(has_tracked_orders(&model));
        assert_eq!(lookup_interval(&model), Duration::from_secs(expected), "{seconds}");
    }
    let mut order = model.journal.orders[0].clone();
    order.apply(stamp(99), OrderEvent::Ended(OrderEnd::Settled));
    update(&mut model, Msg::Orders(Ok(vec![order])));
    assert!(!has_tracked_orders(&model));
}

#[test]
fn an_order_whose_sender_has_gone_is_looked_for_at_once_and_unknown_when_it_would_have_given_up() {
    let mut order = confirmed_order(Operation::Withdraw);
    order.apply(stamp(1), OrderEvent::Sending { attempt: 1, reason: SendReason::Confirmed, gives_up_at: at(21) });
    let mut later = model(order.clone());
    assert!(has_tracked_orders(&later));
    assert_eq!(next_due(&later), Some(at(21)));
    update(&mut later, Msg::Tick(at(21)));
    assert_eq!((state_label(&later.journal.orders[0], later.now), next_due(&later)), ("unknown", None));
    // The very run that waits for its answer has no need to look.
    let mut sender = model(confirmed_order(Operation::Withdraw));
    send_order(&mut sender, order.id, SendReason::Confirmed, None);
    update(&mut sender, Msg::Orders(Ok(vec![order])));
    assert!(!has_tracked_orders(&sender));
}

#[test]
fn an_unknown_payment_is_told_in_the_words_that_keep_it_from_being_paid_twice() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
    let time = at(2).format("%H:%M:%S");
    assert_eq!(
        status_messages(&model, &model.journal.orders[0]),
        [
            format!(
                "We do not know whether this payment was made. The request was sent at {time}; no answer came (connection \
                 reset). Do not pay again from elsewhere."
            ),
            "Checking the history now (read 1 of 3).".to_owned(),
            "The same request is resent, with the same key, in 5s unless it is found before.".to_owned(),
        ]
    );
    let mut order = model.journal.orders[0].clone();
    for seconds in [60, 300, 700] {
        order.apply(stamp(seconds), lookup_event(None, true));
    }
    model.now = at(701);
    model.journal.orders = vec![order];
    let text = status_messages(&model, &model.journal.orders[0]).join(" ");
    assert!(text.contains("not seen in 3 complete reads"), "{text}");
    assert!(!text.contains("failed") && !text.contains("not made."), "{text}");
}

/// “Failed” is for a definite refusal and for the service's own word alone.
#[test]
fn nothing_but_the_services_word_is_called_failed() {
    let outcomes = [
        None,
        Some(Outcome::NotSent),
        Some(Outcome::Accepted),
        Some(Outcome::Refused),
        Some(Outcome::Declined),
        Some(Outcome::ProbablyRefused { wait: None }),
        Some(Outcome::Unknown),
    ];
    for first in outcomes {
        for second in outcomes {
            let mut order = confirmed_order(Operation::Withdraw);
            for (number, outcome) in [(1, first), (2, second)] {
                let sending =
                    OrderEvent::Sending { attempt: number, reason: SendReason::Confirmed, gives_up_at: at(9) };
                order.apply(stamp(2), sending);
                if let Some(outcome) = outcome {
                    let answer = Box::new(attempt_result(outcome, None));
                    order.apply(stamp(3), OrderEvent::Answered { attempt: number, answer });
                }
            }
            let model = model(order);
            let text = status_messages(&model, &model.journal.orders[0]).join(" ");
            let order = &model.journal.orders[0];
            assert!(
                !text.contains("fail") && state_label(order, model.now) != "failed",
                "{first:?} {second:?}: {text}"
            );
            let maybe_paid =
                matches!(order.outcome(), Some(Outcome::Unknown | Outcome::ProbablyRefused { .. } | Outcome::Declined));
            let under_way = order.state(model.now) == OrderState::Sending;
            assert_eq!(text.contains("Do not pay again"), maybe_paid && !under_way, "{first:?} {second:?}: {text}");
        }
    }
}

#[test]
fn what_is_failed_and_final_at_once_is_an_alarm() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
    model.journal.orders[0].apply(stamp(9), lookup_event(Some(observed_transaction("failed", Some(true))), false));
    let messages = status_messages(&model, &model.journal.orders[0]);
    assert!(messages[0].starts_with("Alarm: "), "{messages:?}");
    assert_eq!(attention_level(&model.journal.orders[0], model.now), AttentionLevel::Alarm);
}

#[test]
fn an_answer_that_says_something_else_is_an_alarm() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    let object = Some(CreatedObject::Transaction(observed_transaction("pending", None)));
    let answer = AttemptResult {
        differences: vec!["amount: asked 25, answered 250".into()],
        created: object,
        ..attempt_result(Outcome::Accepted, Some(201))
    };
    send_first_time(&mut model, answer);
    assert_eq!(status_messages(&model, &model.journal.orders[0])[0], "Alarm: amount: asked 25, answered 250.");
    assert_eq!(attention_level(&model.journal.orders[0], model.now), AttentionLevel::Alarm);
}

/// Two that arise at once, above one that stands already.
#[test]
fn each_alarm_that_arises_is_an_event() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    let alarms = |model: &Model| -> Vec<String> {
        let events = model.pages.events.all().filter(|event| event.text.contains("Alarm: "));
        events.map(|event| event.text.split_once("Alarm: ").unwrap().1.to_owned()).collect()
    };
    send_first_time(
        &mut model,
        AttemptResult { cost_alarms: vec!["fee: 25 USDC".into()], ..attempt_result(Outcome::Unknown, None) },
    );
    assert_eq!(alarms(&model), ["fee: 25 USDC. Ask the service why."]);
    let differences = vec!["direction: incoming".into(), "amount: 26".into()];
    let mut order = model.journal.orders[0].clone();
    let lookup = HistoryLookup { differences, ..HistoryLookup::default() };
    order.apply(stamp(9), OrderEvent::LookedUp(lookup));
    update(&mut model, Msg::Orders(Ok(vec![order.clone()])));
    assert_eq!(alarms(&model), ["amount: 26.", "direction: incoming.", "fee: 25 USDC. Ask the service why."]);
    update(&mut model, Msg::Orders(Ok(vec![order])));
    assert_eq!(alarms(&model).len(), 3, "once each");
}

#[test]
fn what_is_offered_says_why_it_cannot_be_done() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    let actions = |model: &Model| -> Vec<(OrderCommand, bool)> {
        command_offers(model, &model.journal.orders[0])
            .into_iter()
            .map(|offer| (offer.command, offer.refusal.is_none()))
            .collect()
    };
    assert_eq!(actions(&model), [(OrderCommand::SendAgain, true), (OrderCommand::Abandon, true)]);
    send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
    let all = [(OrderCommand::CheckAgain, true), (OrderCommand::SendAgain, true), (OrderCommand::WriteOff, true)];
    assert_eq!(actions(&model), all);
    model.now = at(50_000);
    assert_eq!(actions(&model), all);
    let warned = command_offers(&model, &model.journal.orders[0])[1].warning.unwrap();
    assert!(warned.contains("12 hours") && warned.contains("twice"), "{warned}");
    model.journal.orders[0].apply(stamp(50_001), lookup_event(Some(observed_transaction("pending", None)), false));
    assert_eq!(actions(&model), [(OrderCommand::CheckAgain, true), (OrderCommand::WriteOff, true)]);
    model.journal.orders[0].apply(stamp(50_002), OrderEvent::Ended(OrderEnd::Settled));
    assert_eq!(actions(&model), [(OrderCommand::SendRest, true)]);
}

#[test]
fn unresolved_orders_stand_first() {
    let mut abandoned = confirmed_order(Operation::Withdraw);
    abandoned.id = OrderId(Uuid::from_u128(4));
    abandoned.apply(stamp(1), OrderEvent::Ended(OrderEnd::Abandoned(None)));
    let mut unknown = confirmed_order(Operation::Withdraw);
    unknown.apply(stamp(0), OrderEvent::Sending { attempt: 1, reason: SendReason::Confirmed, gives_up_at: at(0) });
    let mut open = confirmed_order(Operation::Withdraw);
    open.id = OrderId(Uuid::from_u128(5));
    let mut model = model(confirmed_order(Operation::Withdraw));
    update(&mut model, Msg::Orders(Ok(vec![abandoned, open, unknown])));
    let labels: Vec<_> = model.journal.orders.iter().map(|order| state_label(order, model.now)).collect();
    assert_eq!(labels, ["unknown", "not sent yet", "given up"]);
    let failure = Failure::from_read(FailureReason::Local, "the journal is damaged");
    update(&mut model, Msg::Orders(Err(failure.clone())));
    assert_eq!((model.journal.orders.len(), model.journal.orders_failure), (3, Some(failure)));
}

/// A service that asks to be left alone is not read, so that nothing would cancel what is sent again.
#[test]
fn nothing_is_sent_again_that_was_not_looked_for_since() {
    let busy = |too_many| FailureReason::Busy { too_many, retry_after: Some(Duration::from_mins(1)) };
    let first = |reason: FailureReason, dataset: Dataset| {
        let mut model = model(confirmed_order(Operation::Withdraw));
        send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
        let request_id = model.data.remotes.get_mut(&dataset).start(at(3));
        update(&mut model, Msg::Loaded { dataset, request_id, result: Err(Failure::from_read(reason, "")) });
        resend_seconds_until(&mut model, 120)
    };
    assert_eq!(first(busy(true), Dataset::Stats), [62, 92], "the key asked too often");
    assert_eq!(first(busy(false), Dataset::Stats), [7, 37], "some other data set is never there");
    assert_eq!(first(busy(false), Dataset::Latest), [62, 92]);
    // The read itself fails, again and again.
    let mut model = model(confirmed_order(Operation::Withdraw));
    send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
    for second in 3..200 {
        let mut effects = update(&mut model, Msg::Tick(at(second)));
        if model.data.remotes.orders.in_flight.is_some() {
            let result = Err(Failure::from_read(FailureReason::ConnectionLost, ""));
            let request_id = model.data.remotes.orders.request_id;
            effects.extend(update(&mut model, Msg::Loaded { dataset: Dataset::Orders, request_id, result }));
        }
        assert!(!effects.iter().any(|effect| matches!(effect, Effect::Send { .. })));
        assert!(crate::app::data::poll::next_due(&model) > Some(at(second)), "it would turn in circles");
    }
    assert_eq!(expected_resend_at(&model, &model.journal.orders[0]), None);
}

#[test]
fn the_operator_may_have_it_looked_for_in_spite_of_a_pause() {
    let mut model = model(confirmed_order(Operation::Withdraw));
    send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
    while !complete_lookup(&mut model).is_empty() {}
    assert_eq!(model.data.remotes.orders.in_flight, None);
    let busy =
        Failure::from_read(FailureReason::Busy { too_many: true, retry_after: Some(Duration::from_mins(4)) }, "");
    let request_id = model.data.remotes.stats.start(at(3));
    update(&mut model, Msg::Loaded { dataset: Dataset::Stats, request_id, result: Err(busy) });
    assert!(model.data.remotes.quiet_until > Some(at(4)));
    model.page = crate::app::model::Page::Orders;
    model.pages.orders.listing.select_first_visible();
    let mut effects = update(&mut model, Msg::Tick(at(4)));
    for _ in 0..2 {
        effects.extend(crate::app::pages::orders::run_order_command(&mut model, OrderCommand::CheckAgain));
    }
    effects.extend(update(&mut model, Msg::Tick(at(5))));
    assert!(
        effects.iter().any(|effect| matches!(effect, Effect::Load { dataset: Dataset::Orders, .. })),
        "{effects:?}"
    );
}

/// What nobody looks for is not said to be looked for, and the reason is the true one.
#[test]
fn an_order_for_another_network_under_another_key_is_elsewhere() {
    let mut order = confirmed_order(Operation::Withdraw);
    order.drafted.destination.environment = Some(Network::Testnet);
    let mut model = model(order);
    send_first_time(&mut model, attempt_result(Outcome::Unknown, None));
    assert!(has_tracked_orders(&model));
    model.console.identity.environment = Some(Network::Mainnet);
    assert!(!has_tracked_orders(&model));
    let text = status_messages(&model, &model.journal.orders[0]).join(" ");
    let expected = "The order went to https://api.example.com for testnet under another API key";
    assert!(text.contains(expected) && text.contains("does not look for it"), "{text}");
    assert_eq!(expected_resend_at(&model, &model.journal.orders[0]), None);
    assert!(command_offers(&model, &model.journal.orders[0])[..2].iter().all(|offer| offer.refusal.is_some()));
    // Under the same key it is the same workspace, whatever the profile calls it.
    model.console.key_mark = "0123456789abcdef".into();
    assert!(has_tracked_orders(&model));
}
