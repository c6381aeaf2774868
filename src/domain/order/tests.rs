use super::*;
use crate::domain::outcome::CreatedObject;
use crate::domain::{Amount, Metadata, Network, Status, TokenKey, WalletId};

fn time_at_seconds(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_700_000_000_000 + seconds * 1_000)
}

fn console() -> ConsoleIdentity {
    ConsoleIdentity { user: "ada".into(), host: "quay".into(), run: Uuid::from_u128(1) }
}

fn stamp(seconds: i64) -> EventStamp {
    EventStamp { at: time_at_seconds(seconds), by: console() }
}

fn destination() -> ServiceDestination {
    ServiceDestination {
        profile: "harbour".into(),
        environment: Some(Network::Testnet),
        base_url: "https://api.example.com".into(),
        key_mark: "0123456789abcdef".into(),
    }
}

fn drafted_order(operation: Operation) -> DraftedOrder {
    let draft = match operation {
        Operation::CreateUser => Draft::CreateUser(crate::domain::draft::NewUser::default()),
        _ => Draft::Withdraw(crate::domain::draft::Withdrawal {
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
    let frozen = RequestBytes {
        operation,
        method: "POST".into(),
        path: "/v2/transactions/withdraw".into(),
        body: "{}".into(),
        key: Some(Uuid::from_u128(2)),
    };
    DraftedOrder {
        draft,
        sender: Some(sender),
        request: frozen,
        destination: destination(),
        newest: Vec::new(),
        anchors: Vec::new(),
        template: None,
    }
}

fn confirmed_order(operation: Operation) -> Order {
    let mut intent = Order::new(OrderId(Uuid::from_u128(3)), stamp(0), drafted_order(operation));
    let confirmation = Confirmation { typed: vec!["25".into()], findings: Vec::new(), agreed: None };
    intent.apply(stamp(1), OrderEvent::Confirmed(confirmation));
    intent
}

fn add_attempt(intent: &mut Order, seconds: i64, reason: SendReason, outcome: Option<Outcome>) {
    let number = u32::try_from(intent.attempts.len() + 1).unwrap();
    let sending = OrderEvent::Sending { attempt: number, reason, gives_up_at: time_at_seconds(seconds + 20) };
    assert_eq!(intent.check_event(&sending, time_at_seconds(seconds)), Ok(()));
    intent.apply(stamp(seconds), sending);
    if let Some(outcome) = outcome {
        let answer = OrderEvent::Answered { attempt: number, answer: Box::new(attempt_result(outcome)) };
        assert_eq!(intent.check_event(&answer, time_at_seconds(seconds + 1)), Ok(()));
        intent.apply(stamp(seconds + 1), answer);
    }
}

fn attempt_result(outcome: Outcome) -> AttemptResult {
    AttemptResult {
        outcome,
        status: None,
        message: "".into(),
        raw: None,
        created: None,
        differences: Vec::new(),
        cost_alarms: Vec::new(),
    }
}

fn observed_with_status(status: Status) -> ObservedTransaction {
    ObservedTransaction {
        transaction: None,
        status: Some(status),
        confirmed: None,
        confirmed_at: None,
        confirmation: None,
        tx_hash: None,
        swap: None,
    }
}

fn send_again_event() -> OrderEvent {
    OrderEvent::Sending { attempt: 9, reason: SendReason::Retry, gives_up_at: time_at_seconds(0) }
}

#[test]
fn an_attempt_without_an_answer_is_unknown_once_its_sender_has_given_up() {
    let mut intent = confirmed_order(Operation::Withdraw);
    assert_eq!(intent.state(time_at_seconds(1)), OrderState::Confirmed);
    add_attempt(&mut intent, 2, SendReason::Confirmed, None);
    assert_eq!(intent.state(time_at_seconds(3)), OrderState::Sending);
    assert_eq!(intent.check_event(&send_again_event(), time_at_seconds(3)), Err(IllegalOrderEvent::UnderWay));
    assert_eq!(intent.state(time_at_seconds(22)), OrderState::Unknown);
    // Whoever looked at the clock a moment before does not take it for lost.
    assert_eq!(intent.state(Timestamp::from_millis(time_at_seconds(2).millis() - 300)), OrderState::Sending);
    // A clock that was set back must not hold it in flight for ever, nor have it sent by itself.
    assert_eq!(intent.state(time_at_seconds(1)), OrderState::Unknown);
    assert_eq!(intent.check_event(&send_again_event(), time_at_seconds(1)), Err(IllegalOrderEvent::ClockSetBack));
    assert!(intent.is_unresolved(time_at_seconds(22)));
}

#[test]
fn a_refusal_on_a_second_attempt_leaves_the_first_unknown() {
    let mut intent = confirmed_order(Operation::Withdraw);
    add_attempt(&mut intent, 2, SendReason::Confirmed, Some(Outcome::Unknown));
    assert!(intent.is_unresolved(time_at_seconds(9)));
    let mut twice = intent.clone();
    add_attempt(&mut twice, 10, SendReason::Retry, None);
    // On its way again, it is no better known than before.
    assert_eq!(twice.state(time_at_seconds(12)), OrderState::Sending);
    assert!(twice.is_unresolved(time_at_seconds(12)));
    add_attempt(&mut intent, 10, SendReason::Retry, Some(Outcome::Refused));
    assert_eq!(intent.state(time_at_seconds(12)), OrderState::Unknown);
    add_attempt(&mut intent, 20, SendReason::Retry, Some(Outcome::NotSent));
    assert_eq!(intent.state(time_at_seconds(22)), OrderState::Unknown);
    assert_eq!(intent.check_event(&send_again_event(), time_at_seconds(23)), Err(IllegalOrderEvent::RetryLimit));
    add_attempt(&mut intent, 30, SendReason::Operator { warned: false }, Some(Outcome::Accepted));
    assert_eq!(intent.state(time_at_seconds(32)), OrderState::Accepted);
    assert_eq!(
        intent.check_event(&send_again_event(), time_at_seconds(33)),
        Err(IllegalOrderEvent::Resolved("the service accepted it"))
    );
}

#[test]
fn by_itself_it_is_sent_again_within_five_minutes_only() {
    let mut intent = confirmed_order(Operation::Withdraw);
    assert_eq!(intent.check_event(&send_again_event(), time_at_seconds(2)), Err(IllegalOrderEvent::NotConfirmed));
    add_attempt(&mut intent, 2, SendReason::Confirmed, Some(Outcome::Unknown));
    assert_eq!(intent.check_event(&send_again_event(), time_at_seconds(302)), Ok(()));
    assert_eq!(intent.check_event(&send_again_event(), time_at_seconds(303)), Err(IllegalOrderEvent::RetryLimit));
}

#[test]
fn the_operator_sends_again_within_twelve_hours_or_after_a_warning() {
    let mut intent = confirmed_order(Operation::Withdraw);
    add_attempt(&mut intent, 2, SendReason::Confirmed, Some(Outcome::Unknown));
    let operator = |warned| SendReason::Operator { warned };
    assert_eq!(intent.check_send(operator(false), time_at_seconds(43_200)), Ok(()));
    assert_eq!(intent.check_send(operator(false), time_at_seconds(43_201)), Err(IllegalOrderEvent::KeyExpired));
    assert_eq!(intent.check_send(operator(true), time_at_seconds(43_201)), Ok(()));
    // The clock went back before its birth: its age is not known.
    assert_eq!(intent.check_send(operator(false), time_at_seconds(-5)), Err(IllegalOrderEvent::KeyExpired));
}

#[test]
fn what_has_no_key_is_sent_again_only_if_it_never_left() {
    let mut intent = confirmed_order(Operation::CreateUser);
    add_attempt(&mut intent, 2, SendReason::Confirmed, Some(Outcome::NotSent));
    add_attempt(&mut intent, 5, SendReason::Operator { warned: false }, Some(Outcome::Unknown));
    assert_eq!(
        intent.check_send(SendReason::Operator { warned: true }, time_at_seconds(9)),
        Err(IllegalOrderEvent::NoKey)
    );
}

#[test]
fn it_is_sent_again_to_where_it_went_and_nowhere_else() {
    let mut intent = confirmed_order(Operation::Withdraw);
    let other_key = ServiceDestination { key_mark: "other".into(), ..destination() };
    let other_place = ServiceDestination { base_url: "https://elsewhere.example".into(), ..destination() };
    assert_eq!(intent.check_destination(&other_key, time_at_seconds(2)), Ok(()));
    assert!(intent.check_destination(&other_place, time_at_seconds(2)).is_err());
    add_attempt(&mut intent, 2, SendReason::Confirmed, Some(Outcome::Unknown));
    assert_eq!(intent.check_destination(&destination(), time_at_seconds(4)), Ok(()));
    assert!(intent.check_destination(&other_key, time_at_seconds(4)).is_err());
}

#[test]
fn it_goes_to_no_other_network_and_what_is_simulated_to_the_named_one_alone() {
    let on = |environment| ServiceDestination { environment, ..destination() };
    let simulated = Draft::SimulateDeposit(crate::domain::draft::SimulatedDeposit {
        token: "USDC".into(),
        blockchain: "ethereum".into(),
        amount: "1".into(),
        to: "0x".into(),
    });
    let mut deposit = confirmed_order(Operation::SimulateDeposit);
    deposit.drafted.draft = simulated;
    for (order, network, goes) in [
        (confirmed_order(Operation::Withdraw), Some(Network::Testnet), true),
        (confirmed_order(Operation::Withdraw), None, true),
        (confirmed_order(Operation::Withdraw), Some(Network::Mainnet), false),
        (deposit.clone(), Some(Network::Testnet), true),
        (deposit.clone(), None, false),
        (deposit, Some(Network::Mainnet), false),
    ] {
        assert_eq!(order.check_destination(&on(network), time_at_seconds(2)).is_ok(), goes, "{network:?}");
    }
}

#[test]
fn a_read_that_finds_it_makes_it_accepted_and_its_end_is_the_services_word() {
    let mut intent = confirmed_order(Operation::Withdraw);
    add_attempt(&mut intent, 2, SendReason::Confirmed, Some(Outcome::Unknown));
    let lookup = HistoryLookup { observed: Some(observed_with_status(Status::Pending)), ..HistoryLookup::default() };
    intent.apply(stamp(30), OrderEvent::LookedUp(lookup));
    assert_eq!(intent.state(time_at_seconds(31)), OrderState::Accepted);
    assert!(intent.is_open(time_at_seconds(31)) && !intent.is_unresolved(time_at_seconds(31)));
    intent.apply(stamp(40), OrderEvent::Ended(OrderEnd::Settled));
    assert_eq!(intent.state(time_at_seconds(41)), OrderState::Settled);
    assert!(!intent.is_open(time_at_seconds(41)));
    assert_eq!(intent.check_event(&send_again_event(), time_at_seconds(42)), Err(IllegalOrderEvent::Ended));
}

#[test]
fn what_reads_like_a_refusal_is_closed_by_whole_reads_and_what_nobody_knows_is_not() {
    let refused = Outcome::ProbablyRefused { wait: None };
    let nothing = || OrderEvent::LookedUp(HistoryLookup { is_complete: true, ..HistoryLookup::default() });
    for (outcomes, closed) in [
        (&[refused][..], true),
        (&[refused, refused], true),
        (&[Outcome::Unknown, refused], false),
        (&[Outcome::Unknown], false),
    ] {
        let mut intent = confirmed_order(Operation::Withdraw);
        for (number, outcome) in (0..).zip(outcomes) {
            let reason = if number == 0 { SendReason::Confirmed } else { SendReason::Operator { warned: false } };
            add_attempt(&mut intent, 2 + number * 10, reason, Some(*outcome));
        }
        for seconds in [60, 400, 659] {
            intent.apply(stamp(seconds), nothing());
            assert!(intent.is_unresolved(time_at_seconds(seconds)));
        }
        intent.apply(stamp(660), nothing());
        assert_eq!(intent.state(time_at_seconds(700)) == OrderState::Refused, closed, "{outcomes:?}");
        assert_eq!(intent.is_unresolved(time_at_seconds(700)), !closed);
        // Should it be found after all, it was made.
        let lookup = OrderEvent::LookedUp(HistoryLookup {
            observed: Some(observed_with_status(Status::from_word("pending"))),
            ..HistoryLookup::default()
        });
        assert_eq!(intent.check_event(&lookup, time_at_seconds(710)), Ok(()));
        intent.apply(stamp(710), lookup);
        assert_eq!(intent.state(time_at_seconds(720)), OrderState::Accepted);
    }
    // One that resembles it may be it.
    let mut intent = confirmed_order(Operation::Withdraw);
    add_attempt(&mut intent, 2, SendReason::Confirmed, Some(refused));
    let resembles = HistoryLookup {
        is_complete: true,
        similar_transaction: Some(TransactionId::from_text("t")),
        ..HistoryLookup::default()
    };
    intent.apply(stamp(60), OrderEvent::LookedUp(resembles));
    for seconds in [400, 800] {
        intent.apply(stamp(seconds), nothing());
    }
    assert!(intent.counts_as_not_seen() && intent.state(time_at_seconds(900)) == OrderState::ProbablyRefused);
}

#[test]
fn not_seen_takes_three_covering_reads_over_ten_minutes() {
    let mut intent = confirmed_order(Operation::Withdraw);
    add_attempt(&mut intent, 2, SendReason::Confirmed, Some(Outcome::Unknown));
    let nothing = |covers| OrderEvent::LookedUp(HistoryLookup { is_complete: covers, ..HistoryLookup::default() });
    for (seconds, covers, expected) in
        [(60, true, false), (400, true, false), (600, false, false), (659, true, false), (660, true, true)]
    {
        intent.apply(stamp(seconds), nothing(covers));
        assert_eq!(intent.counts_as_not_seen(), expected, "{seconds}");
    }
    // Never called failed for it.
    assert_eq!(intent.state(time_at_seconds(700)), OrderState::Unknown);
    // What is sent after that was not looked for yet.
    add_attempt(&mut intent, 800, SendReason::Operator { warned: false }, Some(Outcome::Unknown));
    assert_eq!(intent.complete_miss_times(), []);
    assert!(!intent.counts_as_not_seen());
}

#[test]
fn what_never_left_is_sent_while_its_review_holds_and_drafted_anew_afterwards() {
    let operator = SendReason::Operator { warned: true };
    let mut intent = confirmed_order(Operation::Withdraw);
    assert_eq!(intent.check_send(SendReason::Confirmed, time_at_seconds(301)), Ok(()));
    assert_eq!(intent.check_send(SendReason::Confirmed, time_at_seconds(302)), Err(IllegalOrderEvent::ReviewExpired));
    // How old the review is cannot be told by a clock that was set back.
    assert_eq!(intent.check_send(operator, time_at_seconds(0)), Err(IllegalOrderEvent::ReviewExpired));
    add_attempt(&mut intent, 2, SendReason::Confirmed, Some(Outcome::NotSent));
    assert_eq!(intent.check_send(operator, time_at_seconds(301)), Ok(()));
    assert_eq!(intent.check_send(operator, time_at_seconds(302)), Err(IllegalOrderEvent::ReviewExpired));
}

#[test]
fn a_payment_is_equal_however_its_chain_and_its_address_are_written() {
    // One account of TON: with and without the wish that what cannot be delivered comes back.
    const BOUNCEABLE: &str = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
    const SAME_ADDRESS_IN_OTHER_NOTATION: &str = "UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI";
    let paying = |id: u128, created_at: i64, chain: &str, to: &str| {
        let mut intent =
            Order::new(OrderId(Uuid::from_u128(id)), stamp(created_at), drafted_order(Operation::Withdraw));
        if let Draft::Withdraw(withdrawal) = &mut intent.drafted.draft {
            (withdrawal.blockchain, withdrawal.to) = (chain.into(), to.into());
        }
        intent
    };
    let first = paying(8, 0, "ton", BOUNCEABLE);
    for (chain, to, equal) in [
        ("ton", SAME_ADDRESS_IN_OTHER_NOTATION, true),
        ("TON-mainnet", BOUNCEABLE, true),
        ("ton", "EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF", false),
        ("solana", BOUNCEABLE, false),
    ] {
        assert_eq!(paying(9, 1, chain, to).pays_same_as(&first), equal, "{chain} {to}");
    }
}

#[test]
fn only_what_never_left_is_given_up_and_anything_may_be_written_off() {
    let mut intent = confirmed_order(Operation::Withdraw);
    assert_eq!(intent.check_event(&OrderEvent::Ended(OrderEnd::Abandoned(None)), time_at_seconds(2)), Ok(()));
    add_attempt(&mut intent, 2, SendReason::Confirmed, None);
    let written_off = OrderEvent::Ended(OrderEnd::WrittenOff("paid by hand".into()));
    assert_eq!(intent.check_event(&written_off, time_at_seconds(3)), Err(IllegalOrderEvent::UnderWay));
    assert_eq!(
        intent.check_event(&OrderEvent::Ended(OrderEnd::Abandoned(None)), time_at_seconds(60)),
        Err(IllegalOrderEvent::Sent)
    );
    assert_eq!(intent.check_event(&written_off, time_at_seconds(60)), Ok(()));
}

#[test]
fn what_the_answer_made_is_what_was_seen_until_a_read_says_more() {
    let mut intent = confirmed_order(Operation::Withdraw);
    add_attempt(&mut intent, 2, SendReason::Confirmed, None);
    let created = Some(CreatedObject::Transaction(observed_with_status(Status::Pending)));
    let answer = AttemptResult { created, ..attempt_result(Outcome::Accepted) };
    intent.apply(stamp(3), OrderEvent::Answered { attempt: 1, answer: Box::new(answer) });
    assert_eq!(intent.last_observation().unwrap().status, Some(Status::Pending));
    let lookup = HistoryLookup { observed: Some(observed_with_status(Status::Success)), ..HistoryLookup::default() };
    intent.apply(stamp(9), OrderEvent::LookedUp(lookup));
    assert_eq!(intent.last_observation().unwrap().status, Some(Status::Success));
}

/// By a clock that was set meanwhile, whichever way, nothing is sent that only holds for a while.
#[test]
fn matrix_of_a_wrong_clock_and_what_holds_for_a_while() {
    const HOUR: i64 = 3_600;
    for hours in -25_i64..=25 {
        // The review of what never left holds for five minutes.
        let fresh = confirmed_order(Operation::Withdraw);
        let now = time_at_seconds(60 + hours * HOUR);
        let expected = if hours == 0 { Ok(()) } else { Err(IllegalOrderEvent::ReviewExpired) };
        assert_eq!(fresh.check_send(SendReason::Confirmed, now), expected, "a review, {hours} h");
        // By itself the console sends within five minutes of the first time.
        let mut lost = confirmed_order(Operation::Withdraw);
        add_attempt(&mut lost, 2, SendReason::Confirmed, Some(Outcome::Unknown));
        let expected = match hours {
            0 => Ok(()),
            1.. => Err(IllegalOrderEvent::RetryLimit),
            _ => Err(IllegalOrderEvent::ClockSetBack),
        };
        assert_eq!(lost.check_send(SendReason::Retry, now), expected, "by itself, {hours} h");
        // The key is remembered for twelve hours.
        let is_surely_remembered = (0..12).contains(&hours);
        let expected = if is_surely_remembered { Ok(()) } else { Err(IllegalOrderEvent::KeyExpired) };
        assert_eq!(lost.check_send(SendReason::Operator { warned: false }, now), expected, "the key, {hours} h");
        // Reads before it was sent say nothing of it, and those by a clock that seems earlier are none behind it.
        for minutes in [0, 5, 11] {
            let look = HistoryLookup { is_complete: true, ..HistoryLookup::default() };
            lost.apply(stamp(60 + hours * HOUR + minutes * 60), OrderEvent::LookedUp(look));
        }
        assert_eq!(lost.counts_as_not_seen(), hours >= 0, "not seen, {hours} h");
    }
}
