//! Swaps as their operator has them: a live quote, a review that shows what it would give, the quote once more right
//! before sending, and what came of it.

use bursar::domain::approval::ApprovalPolicy;
use std::time::Duration;

use bursar::domain::order::{Confirmation, DraftedOrder, SendReason};
use bursar::domain::{Amount, ConfirmedQuote, Draft, Policy, Sender, SlippageTolerance};
use bursar::service::{FailurePolicy, Fault, FaultRule, PaymentField};
use rstest::rstest;

use super::crashes::Business;
use super::harness::wait::waits_until;
use super::harness::{Session, Setup};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_mins(1);

/// Where quotes are asked for.
const QUOTES: &str = "/v1/instant-swap/quote";

fn session(v2: bool) -> Session {
    Session::with(Setup { poll_period: MINUTE, change_time_out: 2 * SECOND, v2, ..Setup::default() })
}

/// Waits until the review takes keys, and types what it asks for but the last key.
fn types_all(session: &mut Session) {
    session.passes(Duration::from_millis(1_100));
    let prompts = session.expected_entries();
    for (index, text) in prompts.iter().enumerate() {
        session.types(text);
        if index + 1 < prompts.len() {
            session.keys("Enter");
        }
    }
}

#[rstest]
fn a_swap_is_quoted_reviewed_sent_once_and_compared_with_what_was_shown(#[values(true, false)] v2: bool) {
    let mut session = session(v2);
    let tap = session.service().record_requests();
    session.keys("1 s");
    session.sees(if v2 { "Swap · version 2" } else { "Swap · version 1" });
    session.sees(if v2 { "does not document this request" } else { "guarantees less" });
    session.keys("Esc");
    session.reviews_swap("base-ops", "USDC", "25", "ETH");
    session.sees("Sell †");
    session.sees("25 USDC");
    session.sees("Buy †");
    session.sees("quote 0s");
    assert_eq!(session.expected_entries().first().map(String::as_str), Some("25"), "the amount sold is typed");
    session.confirms();
    session.order().is("accepted", "the service accepted it");
    session.passes(3 * MINUTE);
    let order = session.order();
    order.is("settled", "its chain confirmed it");
    assert_eq!((order.executions, tap.changes().len()), (1, 1));
    assert_eq!(tap.changes()[0].body, order.intent.drafted.request.body.as_bytes());
    let (agreed, received) = (order.intent.confirmed_quote().unwrap(), order.intent.proceeds().unwrap());
    assert_eq!((&*received.coin, &*agreed.coin), ("ETH", "ETH"));
    assert!(agreed.amount.cmp_value(received.amount).is_eq(), "{agreed:?} {received:?}");
    assert!(order.status_text.contains("Proceeds:"), "{}", order.status_text);
    session.opens_order();
    session.sees("Received");
    session.sees("at most 0.50% less");
    assert!(matches!(order.intent.drafted.draft, Draft::Swap(_)) == v2);
}

#[test]
fn a_quote_ages_on_screen_and_is_asked_for_again_before_it_is_old() {
    let mut session = session(true);
    session.reviews_swap("base-ops", "USDC", "25", "ETH");
    session.sees("quote 0s");
    session.passes(4 * SECOND);
    session.sees("quote 4s");
    session.passes(6 * SECOND);
    session.sees("quote 0s");
    session.passes(3 * SECOND);
    // Nobody answers any more: it turns old, and nothing is sent by it.
    session.fault_on(QUOTES, Fault::with_status(500));
    types_all(&mut session);
    session.passes(20 * SECOND);
    session.sees("is not known");
    let tap = session.service().record_requests();
    session.keys("Enter Enter");
    assert_eq!(tap.changes(), []);
}

#[rstest]
fn a_quote_that_falls_beyond_the_bound_sends_nothing_and_is_confirmed_anew(#[values(true, false)] v2: bool) {
    let mut session = session(v2);
    let tap = session.service().record_requests();
    session.reviews_swap("base-ops", "USDC", "25", "ETH");
    types_all(&mut session);
    session.fault_on(QUOTES, Fault::QuoteTooLow(51));
    session.keys("Enter");
    assert_eq!(tap.changes(), [], "it was sent for less");
    session.sees("Nothing was sent");
    session.sees("more than 0.50% less");
    session.sees("keys work in a second");
    assert!(session.orders().iter().all(|order| order.intent.attempts.is_empty() && order.intent.confirmed.is_none()));
    // What was typed does not count, and the new quote is the one that is agreed on.
    session.keys("Enter Enter");
    assert_eq!(tap.changes(), []);
    session.confirms();
    assert_eq!(tap.changes().len(), 1);
    session.passes(3 * MINUTE);
    session.order().is("settled", "it gave more than the quote said");
}

#[test]
fn a_quote_that_falls_within_the_bound_is_sent() {
    let mut session = session(true);
    session.reviews_swap("base-ops", "USDC", "25", "ETH");
    types_all(&mut session);
    session.fault_on(QUOTES, Fault::QuoteTooLow(49));
    session.keys("Enter");
    session.order().is("accepted", "half a percent may be lost");
}

#[test]
fn the_bound_of_the_profile_counts() {
    let mut session = session(true);
    session.allows(Policy { slippage: Some(10), ..Policy::default() });
    session.reviews_swap("base-ops", "USDC", "25", "ETH");
    session.sees("0.10%");
    types_all(&mut session);
    session.fault_on(QUOTES, Fault::QuoteTooLow(11));
    session.keys("Enter");
    session.sees("more than 0.10% less");
    assert_eq!(session.service().record_requests().changes(), []);
}

#[test]
fn a_quote_that_creeps_down_does_not_slip_through() {
    let mut session = session(true);
    session.reviews_swap("base-ops", "USDC", "25", "ETH");
    types_all(&mut session);
    for less in [30, 48] {
        session.fault_on(QUOTES, Fault::QuoteTooLow(less));
        session.passes(11 * SECOND);
        session.sees("To send, type");
    }
    // Each step is small, and the first of them is the one that counts.
    session.fault_on(QUOTES, Fault::QuoteTooLow(70));
    session.keys("Enter");
    session.sees("Nothing was sent");
    assert_eq!(session.service().record_requests().changes(), []);
}

/// Between the last key and the last quote keys are pressed and time passes: it is the quote that decides, once.
#[rstest]
#[case(Fault::Delayed(Duration::from_millis(400)), Some("settled"))]
#[case(Fault::QuoteTooLow(51), None)]
fn while_the_last_quote_is_waited_for_nothing_else_sends_it(#[case] fault: Fault, #[case] comes_to: Option<&str>) {
    let mut session = session(true);
    let tap = session.service().record_requests();
    session.reviews_swap("base-ops", "USDC", "25", "ETH");
    types_all(&mut session);
    session.fault_on(QUOTES, fault);
    session.presses("Enter Enter Enter");
    session.ticks(4 * SECOND);
    session.presses("Enter Enter");
    session.settle();
    assert_eq!(tap.changes().len(), usize::from(comes_to.is_some()));
    session.faults(Vec::new());
    session.passes(3 * MINUTE);
    match comes_to {
        Some(word) => session.order().is(word, "it is as good as it was"),
        None => session.sees("more than 0.50% less"),
    }
    assert_eq!(tap.changes().len(), usize::from(comes_to.is_some()));
}

/// A swap that was confirmed and did not leave, as after a crash: this console has neither its keys nor its review, and is
/// about to send it by the operator's word. What it was confirmed for is what the quote says now.
fn about_to_be_sent_by_word() -> Session {
    let setup = Setup {
        size: (200, 60),
        poll_period: MINUTE,
        change_time_out: 2 * SECOND,
        with_valuation: false,
        ..Setup::default()
    };
    let mut session = Session::with(setup);
    session.reviews_swap("base-ops", "USDC", "25", "ETH");
    let newest = &session.review().unwrap().quote.as_ref().unwrap().newest_quote;
    let amount = newest.quote.to_amount.exact().unwrap();
    let agreed =
        Some(ConfirmedQuote { coin: "ETH".into(), amount, at: newest.at, slippage: SlippageTolerance::DEFAULT });
    // Its dangers were overridden as they were said.
    let overridden = session.judgement().unwrap().0.into_iter().filter_map(|finding| {
        let phrase = finding.override_phrase?;
        Some(format!("DANGER: {} [overridden: {phrase}]", finding.message).as_str().into())
    });
    let confirmation = Confirmation { typed: Vec::new(), findings: overridden.collect(), agreed };
    let id = session.till().orders()[0].id;
    session.till().opens().journal.record_confirmation(id, confirmation, session.now()).unwrap();
    session.restarts();
    session.connect();
    session.opens_order();
    session.keys("S");
    session.types("send");
    session
}

/// Nobody sits before the keyring for a while, and meanwhile the price falls: it is asked for after the keys.
#[rstest]
#[case(51, 0)]
#[case(49, 1)]
fn what_the_price_does_while_the_keyring_waits_for_a_person_is_known(#[case] less: u16, #[case] change_count: usize) {
    let mut session = about_to_be_sent_by_word();
    let tap = session.service().record_requests();
    let keyring = session.till().waits();
    session.presses("Enter");
    keyring.is_asked();
    session.fault_on(QUOTES, Fault::QuoteTooLow(less));
    keyring.unlocks();
    session.settle();
    assert_eq!(tap.changes().len(), change_count, "{}", session.screen());
    if change_count == 0 {
        session.sees("more than 0.50% less");
    }
}

/// Before it is sent it is judged, and if another console sends something meanwhile, once more: the quote is another by then.
#[test]
fn a_quote_that_falls_while_a_swap_is_judged_anew_sends_nothing() {
    let mut session = about_to_be_sent_by_word();
    let tap = session.service().record_requests();
    tap.clear();
    session.faults(vec![
        Fault::QuoteTooLow(1).on_paths(QUOTES).times(1),
        Fault::Delayed(2 * SECOND).on_paths(QUOTES).times(1),
        Fault::QuoteTooLow(60).on_paths(QUOTES),
    ]);
    session.presses("Enter");
    waits_until("a second quote", || tap.count("GET", QUOTES) >= 2);
    // What is known is being gathered; nothing of it can tell of this.
    let other = session.till().opens();
    let at = session.now();
    let drafted = session.till().orders()[0].drafted.clone();
    let sender = Sender { amount: Amount::parse("26", 6).unwrap(), ..drafted.sender.clone().unwrap() };
    let id = other.journal.record_draft(DraftedOrder { sender: Some(sender), ..drafted }, at).unwrap().id;
    let confirmation = Confirmation { typed: Vec::new(), findings: Vec::new(), agreed: None };
    other.journal.record_confirmation(id, confirmation, at).unwrap();
    let destination = (other.operator_factory)().unwrap().destination;
    drop(
        other
            .journal
            .permit_send(
                id,
                SendReason::Confirmed,
                &destination,
                at,
                at.plus(30 * SECOND),
                None,
                &ApprovalPolicy::default(),
            )
            .unwrap(),
    );
    assert_eq!(tap.count("GET", QUOTES), 2);
    assert_eq!(tap.changes(), []);
    session.settle();
    assert_eq!(tap.changes(), [], "it was sent for less than was shown");
    assert!(tap.count("GET", QUOTES) > 2, "it was not judged anew");
    session.sees("more than 0.50% less");
}

#[rstest]
#[case(Fault::with_status(500), "the quote could not be refreshed")]
#[case(Fault::QuoteForOtherCoin, "is not known")]
#[case(Fault::QuoteTooLow(10_000), "the quoted amount is zero")]
#[case(Fault::Html, "the quote could not be refreshed")]
fn without_a_quote_for_it_nothing_is_sent(#[case] fault: Fault, #[case] complaint: &str) {
    let mut session = session(true);
    let tap = session.service().record_requests();
    session.reviews_swap("base-ops", "USDC", "25", "ETH");
    types_all(&mut session);
    session.fault_on(QUOTES, fault);
    session.keys("Enter");
    assert_eq!(tap.changes(), []);
    session.sees(complaint);
    session.keys("Enter Enter Enter");
    assert_eq!(tap.changes(), []);
    // Once there is one again, it is confirmed anew.
    session.faults(Vec::new());
    session.passes(15 * SECOND);
    session.confirms();
    assert_eq!(tap.changes().len(), 1);
}

#[test]
fn a_review_opens_stopped_where_there_is_no_quote() {
    for fault in [Fault::with_status(400), Fault::QuoteForOtherCoin] {
        let mut session = session(true);
        session.keys("1 s");
        session.fault_on(QUOTES, fault);
        session.reviews_swap("base-ops", "USDC", "25", "ETH");
        session.sees("STOP");
        session.passes(2 * SECOND);
        session.keys("Enter '25' Enter Enter");
        assert_eq!(session.service().record_requests().changes(), []);
    }
}

#[rstest]
fn a_swap_that_brings_less_than_was_shown_is_an_alarm_and_settled(#[values(true, false)] v2: bool) {
    let mut session = session(v2);
    session.reviews_swap("base-ops", "USDC", "25", "ETH");
    session.faults(vec![Fault::SwapPaysLess(60).always()]);
    session.confirms();
    session.passes(3 * MINUTE);
    let order = session.order();
    order.is("settled", "it was made");
    assert!(order.status_text.contains("Alarm: amount bought"), "{}", order.status_text);
    session.sees("ALARM");
    session.opens_order();
    session.sees("0.50% less at most");
}

/// An answer's word is the end only where a history was read that could have said otherwise.
#[rstest]
#[case::not_read(Fault::with_status(500).on_paths("/v2/transactions"), "accepted")]
#[case::not_shown(Fault::RowsHidden.on_reads(), "settled")]
fn a_swap_that_its_answer_calls_done_settles_by_that_only_after_the_history_was_read(
    #[case] history: FaultRule,
    #[case] state: &str,
) {
    let mut session = session(false);
    session.reviews_swap("base-ops", "USDC", "25", "ETH");
    session.faults(vec![Fault::SwapReportedDone.on_changes(), history.lasting(60 * MINUTE)]);
    session.confirms();
    session.order().is("accepted", "nothing else told of it yet");
    session.passes(9 * MINUTE);
    session.order().is("accepted", "the history may show it yet");
    session.passes(11 * MINUTE);
    session.order().is(state, "by what was read of the history");
    session.faults(Vec::new());
    session.passes(10 * MINUTE);
    session.order().is("settled", "by the history");
}

#[test]
fn a_swap_is_never_sent_again_whatever_became_of_it() {
    let mut session = session(true);
    let tap = session.service().record_requests();
    session.reviews_swap("base-ops", "USDC", "25", "ETH");
    session.faults(vec![Fault::NoAnswer { executed: false }.on_changes()]);
    session.confirms();
    session.order().is("unknown", "nobody answered");
    session.opens_order();
    session.sees("We do not know whether this swap was made.");
    session.sees("Do not swap again from elsewhere.");
    session.sees_no("request is resent");
    session.faults(Vec::new());
    session.keys("S");
    session.sees("is not documented");
    session.passes(20 * MINUTE);
    let order = session.order();
    order.is("unknown", "and it was not seen");
    assert!(order.intent.counts_as_not_seen(), "{}", order.status_text);
    assert_eq!((tap.changes().len(), order.executions), (1, 0));
    // An equal swap is stopped as long as nobody knows.
    session.reviews_swap("base-ops", "USDC", "25", "ETH");
    session.sees("STOP");
    session.sees("An equal swap is unresolved and may have been made");
}

#[test]
fn the_same_swap_within_a_day_asks_for_its_words() {
    let mut session = session(true);
    session.reviews_swap("base-ops", "USDC", "25", "ETH");
    session.confirms();
    session.passes(3 * MINUTE);
    session.reviews_swap("base-ops", "USDC", "25", "ETH");
    session.sees("swap again");
    assert!(session.expected_entries().contains(&"swap again".to_owned()), "{:?}", session.expected_entries());
    session.confirms();
    session.passes(3 * MINUTE);
    assert_eq!(session.orders().iter().filter(|order| order.status == "settled").count(), 2);
    // Another amount is another swap.
    session.reviews_swap("base-ops", "USDC", "26", "ETH");
    assert!(!session.expected_entries().contains(&"swap again".to_owned()));
}

#[test]
fn an_answer_that_names_another_swap_is_an_alarm() {
    for (part, word) in
        [(PaymentField::Amount, "amount"), (PaymentField::Token, "token"), (PaymentField::Reference, "reference")]
    {
        let mut session = session(true);
        session.reviews_swap("base-ops", "USDC", "25", "ETH");
        session.faults(vec![Fault::WrongEcho(part).on_changes(), Fault::RowsHidden.on_reads().lasting(5 * MINUTE)]);
        session.confirms();
        session.passes(4 * MINUTE);
        let order = session.order();
        order.is("accepted", word);
        assert!(order.status_text.contains("Alarm: ") && order.status_text.contains(word), "{}", order.status_text);
        session.passes(5 * MINUTE);
        session.order().is("settled", "by the row under its own key");
    }
}

#[test]
fn a_swap_that_its_chain_lets_fail_is_told_as_failed() {
    for v2 in [true, false] {
        let mut session = session(v2);
        session.service().set_failure_policy(FailurePolicy::Always);
        session.reviews_swap("base-ops", "USDC", "25", "ETH");
        session.confirms();
        session.passes(16 * MINUTE);
        session.order().is("failed", "its chain did not");
    }
}

#[test]
fn a_pair_that_does_not_exist_is_refused_with_what_exists() {
    let mut session = session(true);
    session.keys("1 s");
    session.fills_in_swap("base-ops", "USDC", "25", "NONE");
    session.sees("USDC cannot be swapped for NONE");
    session.sees("the service swaps USDC here for");
    assert!(session.reviewed_payment().is_none());
}

#[test]
fn s_on_the_page_of_markets_takes_up_the_selected_pair() {
    let mut session = session(true);
    session.keys("5 Enter j");
    let pair = session.screen().lines().find(|line| line.contains('▌')).map(str::to_owned);
    session.keys("s");
    session.sees("Swap for");
    assert!(pair.is_some(), "{}", session.screen());
    session.sees("Swap · version 2");
}

/// The balance that is sold counts against limits, and an unresolved swap with it.
#[test]
fn limits_count_what_is_sold() {
    let mut session = session(true);
    let limit = bursar::domain::policy::Limit {
        token: "USDC".into(),
        chain: None,
        per_payment: None,
        per_day: bursar::domain::Amount::parse("40", 0).ok(),
        percent_of_balance: None,
        while_cooling: None,
        over_limit: bursar::domain::policy::OverLimit::Stop,
    };
    session.allows(Policy { limits: vec![limit], ..Policy::default() });
    session.reviews_swap("base-ops", "USDC", "25", "ETH");
    let (before, _) = session.judgement().unwrap();
    assert!(!before.iter().any(|finding| finding.rule == bursar::guard::Rule::Limits), "{before:?}");
    session.faults(vec![Fault::NoAnswer { executed: false }.on_changes()]);
    session.confirms();
    session.faults(Vec::new());
    session.reviews_swap("base-ops", "USDC", "26", "ETH");
    let (findings, is_stopped) = session.judgement().unwrap();
    assert!(is_stopped && findings.iter().any(|finding| finding.rule == bursar::guard::Rule::Limits), "{findings:?}");
}

/// In a real terminal of 80×24 cells, with nothing but the screen to go by.
#[test]
fn a_newcomer_swaps_in_a_terminal() {
    let business = Business::new(Vec::new());
    let terminal = business.opens(None);
    terminal.waits_for("s swap");
    terminal.waits_for("live");
    terminal.waits_for("base-ops");
    terminal.types("s");
    // Where the cursor stands the form says what it wants.
    terminal.waits_for("wallet name, address or chain");
    terminal.types("base-ops");
    terminal.waits_for("base-ops  Base");
    terminal.types("\r");
    terminal.waits_for("633,927.94");
    terminal.types("USDC\r");
    terminal.waits_for("the amount to sell, fee included");
    terminal.types("1000\r");
    terminal.waits_for("the symbol of the coin to buy");
    terminal.waits_for("ETH  Ether");
    terminal.types("ETH\r");
    terminal.waits_for("about 0.3");
    terminal.types("\r\r");
    terminal.waits_for("Review · Swap");
    terminal.waits_for("To send, type");
    let screen = terminal.contents();
    let phrase = screen.split_once("the words “").and_then(|(_, rest)| rest.split_once('”'));
    terminal.types("1000\r");
    if let Some((phrase, _)) = phrase {
        terminal.types(&format!("{phrase}\r"));
    }
    terminal.waits_for("settled");
    terminal.types("g\r");
    terminal.waits_for("Proceeds:");
    terminal.waits_for("Received");
    let order = business.orders().remove(0);
    assert_eq!(business.executions(&order), 1);
    business.is_left(terminal);
}
