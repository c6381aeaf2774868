//! Every rule that counts by time, under every way in which a clock can be wrong.

use std::time::Duration;

use super::super::tests::{NOW, Payment, SUPPLIER, amount, contact_entered, empty_limit, outflow, recent_payment};
use super::*;
use crate::domain::book::{BookChange, Contact};
use crate::domain::policy::Limit;
use crate::domain::{AddressBook, Policy};
use crate::guard::{GuardedSwap, RecentPayment, RecentSwap, Severity, judge_contact};

const HOUR: i64 = 3_600_000;

/// So many hours ahead, from a day and an hour behind to as much ahead.
const HOURS: std::ops::RangeInclusive<i64> = -25..=25;

/// So long before or after a moment.
fn shift_hours(from: Timestamp, hours: i64) -> Timestamp {
    Timestamp::from_millis(from.millis() + hours * HOUR)
}

/// A payment that is judged while this machine's clock is so many hours ahead, and what it shows then.
fn judge_with_skew(payment: &Payment, hours: i64) -> Vec<(Rule, Severity)> {
    let facts = GuardFacts { skew: Skew::Ahead(hours * HOUR), ..payment.facts.clone() };
    let case = GuardedPayment {
        request: &payment.request,
        sender: &payment.sender,
        facts: &facts,
        now: shift_hours(NOW, hours),
    };
    super::super::judge(&case).into_iter().map(|finding| (finding.rule, finding.severity)).collect()
}

/// The same payment as an hour ago, as the service's clock tells, and as a clock told that was wrong then and is right now.
#[test]
fn matrix_of_a_wrong_clock_and_what_was_paid_just_now() {
    for hours in HOURS {
        let mut payment = Payment::to(SUPPLIER);
        payment.facts.recent_payments = vec![recent_payment(60)];
        assert!(
            judge_with_skew(&payment, hours).contains(&(Rule::Duplicate, Severity::Danger)),
            "wrong by {hours} h now"
        );
        // Whoever was behind is set right by the order of the records and the service's word before it comes here.
        payment.facts.recent_payments[0].at = Some(shift_hours(NOW, hours.max(0) - 1));
        assert!(judge_with_skew(&payment, 0).contains(&(Rule::Duplicate, Severity::Danger)), "wrong by {hours} h then");
    }
}

#[test]
fn matrix_of_a_wrong_clock_and_limits() {
    for hours in HOURS {
        let mut payment = Payment::to(SUPPLIER);
        payment.facts.policy.limits = vec![Limit { per_day: Some(amount("100")), ..empty_limit("USDC") }];
        payment.facts.outflows = vec![outflow(60, "80")];
        assert!(judge_with_skew(&payment, hours).contains(&(Rule::Limits, Severity::Stop)), "wrong by {hours} h now");
        payment.facts.outflows[0].at = Some(shift_hours(NOW, hours.max(0) - 1));
        assert!(judge_with_skew(&payment, 0).contains(&(Rule::Limits, Severity::Stop)), "wrong by {hours} h then");
    }
}

/// Whom an hour ago somebody entered has not cooled, whatever the clock shows now or showed then.
#[test]
fn matrix_of_a_wrong_clock_and_cooling() {
    for hours in HOURS {
        let mut payment = Payment::to(SUPPLIER);
        payment.facts.policy =
            Policy { allow_list_only: true, cooling: Some(Duration::from_hours(24)), ..Policy::default() };
        payment.facts.book = AddressBook::from_changes([contact_entered("Norrland", SUPPLIER, 1)]);
        assert!(
            judge_with_skew(&payment, hours).contains(&(Rule::AllowList, Severity::Stop)),
            "wrong by {hours} h now"
        );
        payment.facts.book = AddressBook::from_changes([contact_entered("Norrland", SUPPLIER, 1 - hours.max(0))]);
        assert!(judge_with_skew(&payment, 0).contains(&(Rule::AllowList, Severity::Stop)), "wrong by {hours} h then");
        // The same of who earns trust by having cooled: only then is whoever resembles him a danger to look at.
        let trusted = payment.facts.book.entries()[0].has_cooled(payment.facts.policy.cooling, NOW);
        assert!(!trusted, "wrong by {hours} h then");
    }
}

/// What somebody got since he was entered an hour ago counts, though a clock says that he was entered later.
#[test]
fn matrix_of_a_wrong_clock_and_what_an_entry_gets_while_it_cools() {
    for hours in HOURS {
        let mut payment = Payment::to(SUPPLIER);
        payment.facts.policy = Policy {
            allow_list_only: true,
            cooling: Some(Duration::from_hours(48)),
            limits: vec![Limit { while_cooling: Some(amount("100")), ..empty_limit("USDC") }],
            ..Policy::default()
        };
        payment.facts.outflows_known_from = Some(Timestamp::from_millis(i64::MIN));
        payment.facts.book = AddressBook::from_changes([contact_entered("Norrland", SUPPLIER, 1)]);
        assert!(
            judge_with_skew(&payment, hours).contains(&(Rule::AllowList, Severity::Note)),
            "wrong by {hours} h now"
        );
        payment.facts.outflows = vec![outflow(30, "98")];
        assert!(
            judge_with_skew(&payment, hours).contains(&(Rule::AllowList, Severity::Stop)),
            "wrong by {hours} h now"
        );
        // What was recorded later shows which clock was ahead, as the journal's tests tell.
        let (change, since) = contact_entered("Norrland", SUPPLIER, 1 - hours);
        let entered = if hours > 0 { Timestamp::from_millis(i64::MIN) } else { since };
        for entered in [entered, since].into_iter().filter(|entered| *entered <= shift_hours(NOW, -1) || hours > 1) {
            let mut book = AddressBook::default();
            book.apply_change(change.clone(), entered, since);
            payment.facts.book = book;
            let judged = judge_with_skew(&payment, 0);
            assert!(judged.contains(&(Rule::AllowList, Severity::Stop)), "wrong by {hours} h then: {judged:?}");
        }
    }
}

/// The same swap as an hour ago.
#[test]
fn matrix_of_a_wrong_clock_and_what_was_swapped_just_now() {
    for hours in HOURS {
        let payment = Payment::to(SUPPLIER);
        let draft = crate::domain::Draft::Swap(crate::domain::draft::Swap {
            wallet: payment.request.wallet.clone(),
            blockchain: "ethereum".into(),
            from: "USDC".into(),
            amount: "25".into(),
            to: "ETH".into(),
            ref_id: None,
            note: None,
        });
        let judged = |skew: i64, at: Timestamp| {
            let swap = RecentSwap {
                order: None,
                at: Some(at),
                blockchain: "ethereum".into(),
                token: payment.sender.token.clone(),
                from: "USDC".into(),
                amounts: vec![payment.sender.amount],
                to: Some("ETH".into()),
                state: "accepted".into(),
                is_unresolved: false,
            };
            let facts = GuardFacts {
                skew: Skew::Ahead(skew * HOUR),
                recent_swaps: vec![swap],
                quote: None,
                ..payment.facts.clone()
            };
            let (sale, exchange) = (draft.sale_as_withdrawal(&payment.sender).unwrap(), draft.exchange().unwrap());
            let sale =
                GuardedPayment { request: &sale, sender: &payment.sender, facts: &facts, now: shift_hours(NOW, skew) };
            let findings = crate::guard::judge_swap(&GuardedSwap { sale, exchange });
            findings.iter().any(|finding| (finding.rule, finding.severity) == (Rule::Duplicate, Severity::Danger))
        };
        assert!(judged(hours, shift_hours(NOW, -1)), "wrong by {hours} h now");
        assert!(judged(0, shift_hours(NOW, hours.max(0) - 1)), "wrong by {hours} h then");
    }
}

/// What nobody knows of, and what carries the same invoice, has no age at all: no clock makes it too old.
#[test]
fn matrix_of_a_wrong_clock_and_what_counts_for_good() {
    for hours in HOURS {
        for when in [-25, -1, 1, 25] {
            let mut payment = Payment::to(SUPPLIER);
            let order = RecentPayment { at: Some(shift_hours(NOW, when)), is_unresolved: true, ..recent_payment(0) };
            payment.facts.recent_payments = vec![order];
            let judged = judge_with_skew(&payment, hours);
            assert!(judged.contains(&(Rule::Duplicate, Severity::Stop)), "unresolved, {hours} h wrong, {when} h ago");
            // Of another amount the sum counts: whatever cannot surely be told to be older went there since.
            payment.sender.amount = amount("15");
            payment.request.amount = "15".into();
            payment.facts.recent_payments.push(RecentPayment { amount: amount("10"), ..recent_payment(30) });
            let is_since = when <= 0 || hours < when;
            let expected = if is_since { Severity::Stop } else { Severity::Danger };
            let judged = judge_with_skew(&payment, hours);
            let is_right = judged.iter().any(|(rule, severity)| *rule == Rule::Duplicate && *severity >= expected);
            assert!(is_right, "in parts, {hours} h wrong, {when} h ago: {judged:?}");

            let mut payment = Payment::to(SUPPLIER);
            payment.request.note = Some("invoice 4711".into());
            let earlier =
                RecentPayment { at: Some(shift_hours(NOW, when * 24)), amount: amount("7"), ..recent_payment(0) };
            payment.facts.recent_payments = vec![RecentPayment { note: Some("invoice 4711".into()), ..earlier }];
            assert!(judge_with_skew(&payment, hours).contains(&(Rule::Duplicate, Severity::Danger)), "{hours} {when}");
        }
    }
}

#[test]
fn a_clock_that_is_wrong_by_more_than_five_minutes_wants_its_words_for_each_payment_and_each_entry() {
    let payment = Payment::to(SUPPLIER);
    let findings_at = |millis: i64| {
        let facts = GuardFacts { skew: Skew::Ahead(millis), ..payment.facts.clone() };
        let case = GuardedPayment { request: &payment.request, sender: &payment.sender, facts: &facts, now: NOW };
        let new = Contact {
            name: "New".into(),
            address: SUPPLIER.into(),
            blockchain: "ethereum".into(),
            tag: None,
            note: None,
        };
        let of = |findings: Vec<Finding>| findings.into_iter().find(|finding| finding.rule == RULE);
        (of(super::super::judge(&case)), of(judge_contact(&new, &facts, NOW)))
    };
    let minutes = |minutes: i64| minutes * 60_000;
    for apart in [minutes(5), -minutes(5), 0] {
        assert_eq!(findings_at(apart), (None, None));
    }
    for (apart, expected) in
        [(minutes(6), "6 min ahead of the service's"), (-minutes(1_500), "25 h behind the service's")]
    {
        let (Some(payment), Some(entry)) = findings_at(apart) else { panic!("{apart}") };
        assert_eq!(payment, entry);
        assert_eq!((payment.severity, payment.override_phrase), (Severity::Danger, Some("clock is wrong")));
        assert!(payment.message.starts_with(&format!("This machine's clock is {expected}.")), "{}", payment.message);
    }
}

/// The command line enters people without asking the service: nothing is to be said of that.
#[test]
fn a_service_that_tells_no_time_is_noted_with_each_payment() {
    let mut payment = Payment::to(SUPPLIER);
    payment.facts.skew = Skew::Unknown;
    assert_eq!(payment.single_finding(RULE).severity, Severity::Note);
    let BookChange::Entered(new) = contact_entered("New", SUPPLIER, 0).0 else { panic!() };
    assert!(judge_contact(&new, &payment.facts, NOW).iter().all(|finding| finding.rule != RULE));
}
