//! What becomes of a payment, whatever the service makes of it: what the screen says at once and in the end, how often
//! the request was sent, and whether the ledger paid.

use std::collections::HashSet;
use std::time::Duration;

use bursar::service::{FailurePolicy, Fault, PaymentField};
use rstest::rstest;

use super::harness::named_faults::fault_rules;
use super::harness::{Session, Setup};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_mins(1);

/// A stranger's address on Ethereum.
const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

/// Another one.
const OTHER: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";

/// A session whose console is not asked too often while minutes pass.
fn session() -> Session {
    OperationKind::Payment.session()
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OperationKind {
    /// A withdrawal, which carries a key that the document shows.
    Payment,
    /// A payment to several by one request, under a key like that.
    Batch,
    /// A swap by version 2, whose key is an assumption.
    Swap,
    /// A swap by version 1, which has no key.
    InstantSwap,
    /// A payment by version 1, which has no key.
    PaymentV1,
}

impl OperationKind {
    pub(super) fn session(self) -> Session {
        Session::with(Setup {
            poll_period: MINUTE,
            change_time_out: 2 * SECOND,
            v2: self != Self::InstantSwap,
            ..Setup::default()
        })
    }

    /// Fills it in, up to its review.
    pub(super) fn reviews(self, session: &mut Session) {
        match self {
            Self::Payment => session.reviews("base-ops", "USDC", "25", STRANGER),
            Self::PaymentV1 => session.reviews_v1("base-ops", "USDC", "25", STRANGER, ""),
            Self::Batch => session.reviews_batch("base-ops", "USDC", &[(STRANGER, "20"), (OTHER, "5")]),
            Self::Swap | Self::InstantSwap => session.reviews_swap("base-ops", "USDC", "25", "ETH"),
        }
    }

    /// How often it is sent where a payment is sent so often: without a documented key once, whatever happens.
    fn attempts(self, payments: usize) -> usize {
        if matches!(self, Self::Payment | Self::Batch) { payments } else { payments.min(1) }
    }
}

/// In a review `q` is a letter of what is typed, and Ctrl-C asks; any key that leaves does so when it is pressed again.
#[test]
fn leaving_asks_once_while_a_review_is_open_and_the_second_press_leaves() {
    for second in ["C-c", "q", "y"] {
        let mut session = session();
        let tap = session.service().record_requests();
        OperationKind::Payment.reviews(&mut session);
        session.passes(SECOND);
        session.keys("q");
        assert!(session.loop_request.is_none());
        session.sees_no("Leave?");
        session.keys("C-c");
        session.sees("Leave?");
        session.sees("A review is open. Nothing was sent");
        assert!(session.loop_request.is_none());
        // Whoever stays finds the review as it was, and reads it again.
        session.keys("n");
        session.sees_no("Leave?");
        session.sees("Read it; keys work in a second");
        session.keys("C-c");
        assert!(session.loop_request.is_none());
        session.keys(second);
        assert!(session.loop_request.take().is_some(), "{second}");
        assert_eq!(tap.changes().len(), 0);
    }
    // A form that is only filled in is kept as a draft, and keeps nobody.
    let mut session = session();
    session.keys("1 w 'base-ops' Enter C-c");
    assert!(session.loop_request.take().is_some());
}

/// Where the answer was lost and the payment made, the history shows it at once; where it was not made, the history can
/// only not show it. By its fault: how the order stands at once, and after a quarter of an hour with that fault; how
/// often the request was sent by then, and whether the ledger paid.
const OUTCOMES: [(&str, &str, &str, usize, bool); 32] = [
    ("answer-lost", "accepted", "settled", 1, true),
    ("answer-cut", "accepted", "settled", 1, true),
    ("hang", "accepted", "settled", 1, true),
    ("hang-before", "unknown", "unknown", 3, false),
    ("error-after", "accepted", "settled", 1, true),
    ("error-before", "unknown", "unknown", 3, false),
    ("gateway-after", "accepted", "settled", 1, true),
    ("busy-after", "accepted", "settled", 1, true),
    ("busy-before", "unknown", "unknown", 3, false),
    ("too-many", "rejected?", "rejected", 3, false),
    ("too-many-for-now", "rejected?", "rejected", 1, false),
    ("html", "unknown", "unknown", 3, false),
    ("says-no", "accepted", "settled", 1, true),
    ("unauthorized", "rejected?", "rejected", 1, false),
    ("forbidden", "rejected?", "rejected", 1, false),
    ("refused-400", "rejected", "rejected", 1, false),
    ("refused-404", "rejected", "rejected", 1, false),
    ("refused-422", "rejected", "rejected", 1, false),
    ("refused-silently", "rejected?", "rejected", 1, false),
    ("refused-oddly", "rejected?", "rejected", 1, false),
    ("timeout", "accepted", "settled", 1, true),
    ("conflict", "accepted", "settled", 1, true),
    ("too-early", "accepted", "settled", 1, true),
    ("redirect-302", "unknown", "unknown", 3, false),
    ("redirect-307", "unknown", "unknown", 3, false),
    ("redirect-308", "unknown", "unknown", 3, false),
    ("echo-amount", "accepted", "settled", 1, true),
    ("echo-address", "accepted", "settled", 1, true),
    ("rows-hidden", "accepted", "settled", 1, true),
    ("failed-confirmed", "accepted", "accepted", 1, true),
    ("reversed", "accepted", "settled", 1, true),
    ("repeating", "accepted", "settled", 1, true),
];

/// Of faults with the same outcome one is enough here.
#[test]
fn an_answer_comes_to_what_the_table_says() {
    let mut outcomes = HashSet::new();
    for (fault, first, later, attempts, is_paid) in OUTCOMES {
        if outcomes.insert((first, later, attempts, is_paid)) {
            comes_to(OperationKind::Payment, fault, first, later, attempts, is_paid);
        }
    }
}

#[rstest]
#[ignore = "campaign: the whole table for every operation"]
fn an_answer_to_any_operation_comes_to_what_the_table_says(
    #[values(
        OperationKind::Payment,
        OperationKind::Batch,
        OperationKind::Swap,
        OperationKind::InstantSwap,
        OperationKind::PaymentV1
    )]
    operation: OperationKind,
) {
    for (fault, first, later, attempts, is_paid) in OUTCOMES {
        comes_to(operation, fault, first, later, attempts, is_paid);
    }
}

fn comes_to(operation: OperationKind, fault: &str, first: &str, later: &str, attempts: usize, is_paid: bool) {
    // The answer of version 1 repeats neither an amount nor a recipient of a transaction.
    if operation == OperationKind::InstantSwap && fault.starts_with("echo-") {
        return;
    }
    let attempts = operation.attempts(attempts);
    // No list of version 1 tells of its swaps, and the history was not seen to show one, so that none can bear out a refusal.
    let is_untold = operation == OperationKind::InstantSwap && first.starts_with("rejected");
    let (first, later) = if is_untold { ("rejected?", "rejected?") } else { (first, later) };
    let mut session = operation.session();
    let tap = session.service().record_requests();
    operation.reviews(&mut session);
    session.faults(fault_rules(fault));
    session.confirms();
    session.order().is(first, fault);
    session.passes(15 * MINUTE);
    assert!(session.service().faults_fired() > 0, "{fault} never happened");
    let order = session.order();
    order.is(later, fault);
    // Whatever was sent is what was reviewed, byte for byte.
    let bodies: Vec<_> = tap.changes().into_iter().map(|arrived| arrived.body).collect();
    assert_eq!(bodies.len(), attempts, "{fault}");
    assert!(bodies.iter().all(|body| body == order.intent.drafted.request.body.as_bytes()), "{fault}");
    assert_eq!(order.executions, usize::from(is_paid), "{fault}");
    if !is_paid {
        assert!(!order.status_text.to_lowercase().contains("failed"), "{}: {}", fault, order.status_text);
        // That nothing was executed is said only where the service said so in full; what only reads like it is closed by
        // the history.
        assert_eq!(first == "rejected", order.status_text.contains("Nothing was executed"), "{}", order.status_text);
        let by_reads = (first, later) == ("rejected?", "rejected");
        assert_eq!(
            by_reads,
            order.status_text.contains("complete reads of the history since did not show it"),
            "{}",
            order.status_text
        );
    }
    // The next start says the same, from the journal and the history alone, and sends nothing.
    session.restarts();
    session.connect();
    session.passes(10 * MINUTE);
    assert_eq!(tap.changes().len(), attempts, "{fault}: something was sent after a restart");
    session.order().is(later, fault);
}

/// What an answer says beyond the words of the request is held against what was to be expected, and told on the screen.
#[rstest]
#[case("echo-contract", "Alarm: token's contract: the request says 0x")]
#[case("echo-incoming", "Alarm: direction: the request says outgoing, the answer incoming")]
#[case("echo-fee", "Alarm: fee: the service takes 25 USDC for paying 25, and")]
#[case("failed-confirmed", "Alarm: status: the answer calls the transaction failed and confirmed at once")]
fn an_answer_that_says_what_cannot_be_is_an_alarm(
    #[case] fault: &str,
    #[case] alarm: &str,
    #[values(OperationKind::Payment, OperationKind::Batch)] operation: OperationKind,
) {
    let mut session = operation.session();
    operation.reviews(&mut session);
    session.faults(fault_rules(fault));
    session.confirms();
    let order = session.order();
    order.is("accepted", fault);
    assert!(order.status_text.contains(alarm), "{fault}: {}", order.status_text);
    assert_eq!(order.executions, 1);
}

/// What a payment costs is told, and stays on record; it is the payment that was asked for all the same, and nobody need
/// write it off.
#[rstest]
fn a_fee_far_beyond_the_estimate_is_an_alarm_and_the_order_settles(
    #[values(OperationKind::Payment, OperationKind::Batch)] operation: OperationKind,
) {
    let mut session = operation.session();
    operation.reviews(&mut session);
    // Its answer says so, and so does the history.
    session.faults(vec![
        Fault::WrongEcho(PaymentField::Fee).on_changes(),
        Fault::RowsReportOtherPayment(PaymentField::Fee).on_reads(),
    ]);
    session.confirms();
    session.sees("ALARM: an order cost far more than expected");
    session.passes(5 * MINUTE);
    let order = session.order();
    order.is("settled", "it was paid as asked");
    let alarm_count = |text: &str| text.matches("Alarm: fee: the service takes 25 USDC for paying 25, and").count();
    assert_eq!((order.executions, alarm_count(&order.status_text)), (1, 1), "{}", order.status_text);
    session.restarts();
    session.connect();
    session.passes(5 * MINUTE);
    let order = session.order();
    order.is("settled", "and stays so");
    assert_eq!(alarm_count(&order.status_text), 1, "it is on record: {}", order.status_text);
}

/// The history of the service calls our own payment incoming: that is an alarm, and no row that is passed over.
#[test]
fn a_row_under_its_own_key_that_says_it_came_in_is_an_alarm() {
    let mut session = OperationKind::Payment.session();
    OperationKind::Payment.reviews(&mut session);
    session.faults(vec![
        Fault::ConnectionCut.on_changes(),
        Fault::RowsReportOtherPayment(PaymentField::Direction).on_reads(),
    ]);
    session.confirms();
    session.passes(5 * MINUTE);
    let order = session.order();
    order.is("accepted", "it is there, and somebody must look");
    let alarm = "Alarm: direction: the request says outgoing, the history incoming";
    assert!(order.status_text.contains(alarm), "{}", order.status_text);
    assert_eq!((order.executions, order.intent.attempts.len()), (1, 1), "and it was not sent again");
}

/// A refused swap by version 1 is borne out by a history that was seen to show one; before that, only a person can.
#[test]
fn a_refused_swap_by_version_1_is_closed_where_the_history_was_seen_to_show_one() {
    let mut session = OperationKind::InstantSwap.session();
    OperationKind::InstantSwap.reviews(&mut session);
    session.faults(vec![Fault::with_status(400).on_changes()]);
    session.confirms();
    session.passes(15 * MINUTE);
    let order = session.order();
    order.is("rejected?", "no read can bear it out yet");
    assert!(
        order.status_text.contains("ask the service, and write the swap off with what you learnt"),
        "{}",
        order.status_text
    );
    // A person closes it, and the same swap is no longer stopped.
    session.opens_order();
    session.keys("W");
    session.types("asked the service");
    session.keys("Enter");
    session.types("write off");
    session.keys("Enter");
    session.passes(MINUTE);
    session.order().is("written off", "by a person's word");
    // One that is made shows that the history tells of such swaps.
    session.keys("Esc Esc Esc Esc");
    session.faults(Vec::new());
    session.reviews_swap("base-ops", "USDC", "40", "ETH");
    session.confirms();
    session.passes(15 * MINUTE);
    session.order().is("settled", "by the history");
    session.keys("Esc Esc Esc Esc");
    session.reviews_swap("base-ops", "USDC", "70", "ETH");
    session.faults(vec![Fault::with_status(400).on_changes()]);
    session.confirms();
    session.passes(5 * MINUTE);
    let order = session.order();
    order.is("rejected", "a whole read that began later does not show it");
    assert_eq!(order.executions, 0);
}

/// The worst that can be: it was executed, its answer read like a refusal, and the history lags behind as a whole.
#[rstest]
fn what_was_closed_as_refused_is_told_as_made_as_soon_as_any_read_shows_it(
    #[values(OperationKind::Payment, OperationKind::Batch)] operation: OperationKind,
) {
    let mut session = operation.session();
    operation.reviews(&mut session);
    let lags = Fault::HistoryLags.on_reads().lasting(20 * MINUTE);
    session.faults(vec![Fault::executed_with_status(403).on_changes(), lags]);
    session.confirms();
    session.order().is("rejected?", "only the history can say so for sure");
    session.sees("1 unresolved");
    session.passes(15 * MINUTE);
    session.order().is("rejected", "the history was read whole and does not show it");
    session.sees_no("unresolved");
    session.passes(10 * MINUTE);
    let order = session.order();
    order.is("reopened", "the order was closed as rejected, and it was made");
    session.sees("1 unresolved");
    assert_eq!((order.executions, order.intent.attempts.len()), (1, 1));
}

/// The operator's word, once the service works again: the same bytes, the same key, and one payment.
#[rstest]
fn what_was_not_executed_is_executed_once_when_the_operator_sends_it_again(
    #[values("error-before", "hang-before", "html", "too-many", "refused-silently", "answer-lost-rows-hidden")]
    fault: &str,
    #[values(OperationKind::Payment, OperationKind::Batch)] operation: OperationKind,
) {
    let mut session = operation.session();
    let tap = session.service().record_requests();
    operation.reviews(&mut session);
    let mut rules = fault_rules(fault);
    rules.push(Fault::RowsHidden.on_reads().lasting(7 * MINUTE));
    session.faults(rules);
    session.confirms();
    session.passes(6 * MINUTE);
    let order = session.order();
    assert!(order.status_text.contains("Do not pay again from elsewhere"), "{fault}: {}", order.status_text);
    session.faults(vec![Fault::RowsHidden.on_reads().lasting(MINUTE)]);
    session.opens_order();
    session.keys("S");
    session.sees("again");
    session.keys("'again' Enter");
    session.order().is("accepted", fault);
    session.passes(3 * MINUTE);
    let order = session.order();
    order.is("settled", fault);
    assert_eq!(order.executions, 1, "{fault}");
    let bodies: Vec<_> = tap.changes().into_iter().map(|arrived| arrived.body).collect();
    assert!(bodies.iter().all(|body| body == order.intent.drafted.request.body.as_bytes()), "{fault}");
}

/// The right column of the table: after an attempt of which nobody knows, nothing but an acceptance clears it.
#[rstest]
fn no_answer_to_a_second_sending_clears_the_first_but_that_it_was_taken(
    #[values("refused-422", "too-many-for-now", "redirect-307", "none")] second: &str,
) {
    second_sending_comes_to(second, OperationKind::Payment);
}

#[rstest]
#[ignore = "campaign: every answer to a second sending"]
fn no_answer_to_a_second_sending_of_any_operation_clears_the_first_but_that_it_was_taken(
    #[values(OperationKind::Payment, OperationKind::Batch)] operation: OperationKind,
) {
    let answers = [
        "refused-400",
        "refused-404",
        "refused-422",
        "refused-silently",
        "refused-oddly",
        "unauthorized",
        "forbidden",
        "too-many",
        "too-many-for-now",
        "conflict",
        "busy-before",
        "redirect-307",
        "html",
        "hang-before",
        "down",
        "none",
    ];
    for second in answers {
        second_sending_comes_to(second, operation);
    }
}

fn second_sending_comes_to(second: &str, operation: OperationKind) {
    let mut session = operation.session();
    let tap = session.service().record_requests();
    operation.reviews(&mut session);
    let mut rules = vec![Fault::ConnectionCut.on_changes().times(1)];
    if !["down", "none"].contains(&second) {
        rules.extend(fault_rules(second));
    }
    rules.push(Fault::RowsHidden.on_reads().lasting(2 * MINUTE));
    session.faults(rules);
    session.confirms();
    session.order().is("unknown", "the answer was lost");
    if second == "down" {
        // Nobody is there for the second one; what was tried in vain says nothing of what was sent.
        session.faults(vec![Fault::Down.always()]);
        session.passes(MINUTE);
        session.order().is("unknown", "and nobody was there");
        session.faults(vec![Fault::RowsHidden.on_reads().lasting(MINUTE)]);
    } else {
        session.passes(MINUTE);
        let order = session.order();
        assert!(order.intent.attempts.len() > 1, "it was not sent again");
        order.is(if second == "none" { "accepted" } else { "unknown" }, "after its second sending");
        assert_eq!(
            order.status_text.contains("Do not pay again from elsewhere"),
            second != "none",
            "{}",
            order.status_text
        );
    }
    assert_eq!(session.order().executions, 1);
    session.passes(5 * MINUTE);
    let order = session.order();
    assert!(["accepted", "settled"].contains(&order.status), "the history shows it: {}", order.status_text);
    let bodies: Vec<_> = tap.changes().into_iter().map(|arrived| arrived.body).collect();
    assert!(bodies.iter().all(|body| body == order.intent.drafted.request.body.as_bytes()));
    session.faults(Vec::new());
    session.passes(5 * MINUTE);
    session.order().is("settled", "the chain took it");
    assert_eq!(session.order().executions, 1);
}

#[test]
fn an_unknown_payment_is_said_to_be_unknown_in_words_that_keep_it_from_being_paid_twice() {
    let mut session = session();
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.faults(vec![Fault::ConnectionCut.on_changes(), Fault::RowsHidden.on_reads().lasting(MINUTE)]);
    session.confirms();
    session.sees("1 unresolved");
    session.opens_order();
    session.sees("We do not know whether this payment was made.");
    session.sees("Do not pay again from elsewhere.");
    session.sees("The same request is resent, with the same key, in 5s");
    // An equal payment is stopped as long as nobody knows.
    session.keys("Esc Esc");
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.sees("STOP");
    let before = session.service().record_requests().changes().len();
    session.keys("Enter '25' Enter Enter");
    assert_eq!(session.service().record_requests().changes().len(), before);
    session.keys("Esc Esc Esc");
    session.passes(3 * MINUTE);
    session.sees_no("unresolved");
    let states: Vec<_> = session.orders().iter().map(|order| order.status).collect();
    assert!(states.contains(&"settled"), "{states:?}");
}

#[test]
fn a_payment_that_its_chain_lets_fail_is_told_as_failed_and_its_money_is_back() {
    let mut session = session();
    session.service().set_failure_policy(FailurePolicy::Always);
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.confirms();
    session.order().is("accepted", "the service accepted it");
    session.passes(3 * MINUTE);
    session.order().is("failed?", "one reading may be wrong");
    session.passes(12 * MINUTE);
    let order = session.order();
    order.is("failed", "its chain did not");
    assert_eq!(order.executions, 1);
    session.sees_no("unresolved");
    // Nothing was paid, so that the same may be paid again at once.
    session.service().set_failure_policy(FailurePolicy::Never);
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.confirms();
    session.passes(3 * MINUTE);
    let mut statuses: Vec<_> = session.orders().iter().map(|order| order.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, ["failed", "settled"]);
}

#[test]
fn an_answer_that_names_another_payment_is_an_alarm_and_settles_nothing() {
    for (part, word, state) in [
        (PaymentField::Amount, "amount", "accepted"),
        (PaymentField::Address, "address", "accepted"),
        // An answer to another request says nothing of this one.
        (PaymentField::Key, "key", "unknown"),
    ] {
        let mut session = session();
        session.reviews("base-ops", "USDC", "25", STRANGER);
        session.faults(vec![Fault::WrongEcho(part).on_changes(), Fault::RowsHidden.on_reads().lasting(5 * MINUTE)]);
        session.confirms();
        session.passes(4 * MINUTE);
        let order = session.order();
        order.is(state, word);
        assert_eq!(order.intent.attempts.len(), 1, "it was sent again to a service that mixes up requests");
        assert!(
            order.status_text.contains("Alarm: ") && order.status_text.to_lowercase().contains(word),
            "{}",
            order.status_text
        );
        session.passes(5 * MINUTE);
        let order = session.order();
        order.is("settled", "by the row under its own key");
        assert!(order.status_text.contains("Alarm: "), "{}", order.status_text);
    }
}

#[test]
fn an_old_answer_to_a_new_payment_is_an_alarm_and_settles_nothing() {
    let mut session = session();
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.faults(vec![Fault::StaleAnswer { executed: false }.on_changes()]);
    session.confirms();
    session.passes(MINUTE);
    session.order().is("settled", "the first one passes");
    session.reviews("base-ops", "USDC", "26", STRANGER);
    session.confirms();
    session.passes(20 * MINUTE);
    let order = session.order();
    assert_eq!(order.executions, 0);
    order.is("unknown", "the answer was to another request");
    assert_eq!(order.intent.attempts.len(), 1, "it was sent again to a service that mixes up requests");
    assert!(order.status_text.contains("Alarm: "), "{}", order.status_text);
    assert!(order.intent.counts_as_not_seen(), "{}", order.status_text);
}

/// The history is read for other reasons than the order, too: whichever read shows the key, nothing is sent again.
#[test]
fn whatever_read_meets_the_key_cancels_what_would_be_sent_again() {
    let mut session = session();
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.faults(vec![Fault::ConnectionCut.on_changes(), Fault::RowsHidden.on_reads().lasting(2 * SECOND)]);
    session.confirms();
    session.order().is("unknown", "its answer was lost, and the history does not show it yet");
    session.passes(3 * SECOND);
    session.order().is("unknown", "nobody has looked again");
    session.looks_again();
    session.order().is("accepted", "the look at the newest rows met it");
    session.passes(20 * SECOND);
    let order = session.order();
    assert_eq!((order.intent.attempts.len(), order.executions), (1, 1));
}

#[test]
fn while_the_history_may_not_be_read_nothing_is_sent_again() {
    for refuses in [Fault::KeyRejected, Fault::Forbidden] {
        let mut session = session();
        let tap = session.service().record_requests();
        session.reviews("base-ops", "USDC", "25", STRANGER);
        session.faults(vec![Fault::NoAnswer { executed: false }.on_changes(), refuses.on_reads()]);
        session.confirms();
        session.passes(4 * MINUTE);
        assert_eq!(tap.changes().len(), 1);
        session.order().is("unknown", "nobody can look");
    }
}

/// A profile is a name: under another one the orders at the same service are there, looked up, and never sent under
/// another key.
#[test]
fn orders_are_found_under_another_name_of_their_profile() {
    let mut session = session();
    let tap = session.service().record_requests();
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.faults(vec![Fault::ConnectionCut.on_changes(), Fault::RowsHidden.on_reads().lasting(2 * MINUTE)]);
    session.confirms();
    session.order().is("unknown", "its answer was lost");
    session.renames_profile("quay");
    session.connect();
    let order = session.order();
    order.is("unknown", "and the history hides it");
    assert!(
        order.status_text.contains("The order was created under the profile harbour, at this service."),
        "{}",
        order.status_text
    );
    session.rotates_keys();
    session.opens_order();
    session.keys("S 'again' Enter");
    session.sees("under another API key");
    assert_eq!(tap.changes().len(), 1);
    session.passes(10 * MINUTE);
    session.order().is("settled", "it is found by its key, whatever the profile is called");
}

#[test]
fn a_console_that_only_reads_shows_orders_as_they_come_and_does_nothing_about_them() {
    let mut session = session();
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.faults(vec![Fault::ConnectionCut.on_changes(), Fault::RowsHidden.on_reads().lasting(2 * MINUTE)]);
    session.confirms();
    let records = session.till().opens().journal.last_seq().unwrap();
    session.only_reads_from_now_on();
    session.connect();
    session.sees("1 unresolved");
    session.opens_order();
    session.sees("We do not know whether this payment was made.");
    session.sees("This console is read-only and does not look for it");
    session.keys("S");
    session.sees("this console is read-only");
    session.passes(5 * MINUTE);
    session.order().is("unknown", "only a console that may pay looks for it");
    assert_eq!(session.till().opens().journal.last_seq().unwrap(), records, "looking recorded something");
    // What another console does is on screen with the next read.
    let id = session.order().intent.id;
    let journal = session.till().opens().journal;
    journal.record_end(id, bursar::domain::order::OrderEnd::WrittenOff("by hand".into()), session.now()).unwrap();
    session.passes(2 * MINUTE);
    session.order().is("written off", "the journal says so");
}

#[test]
fn a_service_that_is_down_gets_nothing_and_the_screen_says_so() {
    let mut session = session();
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.faults(vec![Fault::Down.always()]);
    session.confirms();
    let order = session.order();
    order.is("not sent", "nobody was there");
    assert!(order.status_text.contains("Nothing has left this machine"), "{}", order.status_text);
    session.faults(Vec::new());
    session.passes(2 * MINUTE);
    session.order().is("not sent", "by itself it is not sent");
    session.opens_order();
    session.keys("S 'send' Enter");
    session.passes(2 * MINUTE);
    let order = session.order();
    order.is("settled", "the operator sent it");
    assert_eq!(order.executions, 1);
}

#[test]
fn a_change_that_is_turned_away_for_its_key_stops_changes_and_not_reading() {
    let mut session = session();
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.faults(vec![Fault::KeyRejected.on_changes()]);
    session.confirms();
    session.keys("Esc Esc Esc Esc 1 w");
    session.sees("changes have stopped");
    session.passes(MINUTE);
    session.sees("● live");
    session.faults(Vec::new());
    session.keys("r");
    // Another recipient: the first payment is not surely refused yet.
    session.reviews("base-ops", "USDC", "26", OTHER);
    session.confirms();
    session.passes(MINUTE);
    session.order().is("settled", "changes go on");
}

#[test]
fn a_history_that_begins_with_its_oldest_row_never_says_that_a_payment_was_not_seen() {
    let mut session = session();
    session.reviews("base-ops", "USDC", "25", STRANGER);
    let hangs = Fault::NoAnswer { executed: false };
    session.faults(vec![hangs.on_changes(), Fault::RowsReversed.on_reads()]);
    session.confirms();
    session.passes(20 * MINUTE);
    let order = session.order();
    order.is("unknown", "it was never executed, and nobody can say so");
    assert!(!order.intent.counts_as_not_seen(), "{}", order.status_text);
    assert!(order.status_text.contains("does not reach back completely"), "{}", order.status_text);
}

#[test]
fn an_order_that_waits_is_judged_again_before_the_operator_sends_it() {
    let mut session = session();
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.faults(vec![Fault::Down.always()]);
    session.confirms();
    session.order().is("not sent", "nobody was there");
    session.faults(Vec::new());
    // Meanwhile the same is paid in another way.
    session.keys("Esc Esc Esc");
    session.passes(MINUTE);
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.confirms();
    session.passes(2 * MINUTE);
    session.order().is("settled", "the second one");
    let change_count = session.service().record_requests().changes().len();
    let waiting_order =
        |session: &Session| session.orders().into_iter().find(|order| order.status == "not sent").unwrap();
    assert_eq!(waiting_order(&session).executions, 0);
    session.opens_order();
    session.keys("S 'send' Enter");
    session.sees("not sent: The same amount was paid to the same address once within 24 hours");
    session.passes(MINUTE);
    assert_eq!(
        (waiting_order(&session).executions, session.service().record_requests().changes().len()),
        (0, change_count)
    );
}

/// On a screen that does not show amount, recipient and danger at once nothing can be confirmed, and it says so.
#[test]
fn a_screen_that_is_too_small_for_a_review_confirms_nothing() {
    for (width, height) in [(39, 9), (40, 10), (80, 9)] {
        let mut session = session();
        session.reviews("base-ops", "USDC", "25", STRANGER);
        session.passes(2 * SECOND);
        session.resizes(width, height);
        session.sees(if height < 10 { "bursar needs" } else { "Window too small" });
        let tap = session.service().record_requests();
        session.confirms();
        assert_eq!(tap.changes(), []);
        // Back at a size that shows it, it takes keys again, and what was typed blindly is not there.
        session.resizes(80, 24);
        session.confirms();
        assert_eq!(session.order().intent.attempts.len(), 1, "{width}x{height}");
    }
}
