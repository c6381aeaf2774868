use std::time::Duration;

use super::super::tests::{OTHER, Payment, SUPPLIER, amount, contact_entered, empty_limit, outflow};
use super::*;
use crate::domain::policy::Limit;
use crate::domain::{AddressBook, TokenKey};
use crate::guard::{GuardFacts, Outflow, Severity};

/// A policy that pays only the book, whose entries cool for two days, during which 100 may be paid.
fn payment_with_strict_policy(book: AddressBook) -> Payment {
    let mut payment = Payment::to(SUPPLIER);
    payment.facts.book = book;
    payment.facts.policy.allow_list_only = true;
    payment.facts.policy.cooling = Some(Duration::from_hours(48));
    payment.facts.policy.limits = vec![Limit { while_cooling: Some(amount("100")), ..empty_limit("USDC") }];
    payment
}

#[test]
fn only_the_book_is_paid_where_the_policy_says_so() {
    let mut payment = payment_with_strict_policy(AddressBook::from_changes([contact_entered("Norrland", OTHER, 100)]));
    assert_eq!(payment.max_severity(RULE), Some(Severity::Stop));
    payment.facts.policy.allow_list_only = false;
    assert_eq!(payment.messages_of(RULE), []);
    let contact_payment = payment_with_strict_policy(AddressBook::from_changes([contact_entered(
        "Norrland",
        &SUPPLIER.to_lowercase(),
        100,
    )]));
    let expected = "This is “Norrland” in your address book since 2026-09-17 10:13 UTC.";
    assert_eq!(contact_payment.messages_of(RULE), [(Severity::Note, expected.to_owned())]);
}

#[test]
fn an_entry_on_another_chain_is_another_entry() {
    let payment =
        payment_with_strict_policy(AddressBook::from_changes([contact_entered("Norrland", SUPPLIER, 100)])).on("base");
    let finding = payment.single_finding(RULE);
    assert_eq!(finding.severity, Severity::Stop);
    assert!(
        finding.message.ends_with("The address book has it as “Norrland” on Ethereum only."),
        "{}",
        finding.message
    );
}

#[test]
fn an_entry_that_cools_gets_no_more_than_is_allowed_in_all() {
    let cooling = || payment_with_strict_policy(AddressBook::from_changes([contact_entered("Norrland", SUPPLIER, 47)]));
    // 25 of 100.
    assert_eq!(cooling().max_severity(RULE), Some(Severity::Note));
    let mut payment = cooling();
    payment.facts.outflows = vec![
        outflow(60, "50"),
        Outflow { is_unresolved: true, at: None, ..outflow(0, "25") },
        // Before it was entered; to somebody else; of another token.
        outflow(60 * 48, "900"),
        Outflow { to: Some(OTHER.into()), ..outflow(60, "900") },
        Outflow { symbol: "DAI".into(), token: TokenKey::new("ethereum", Some(OTHER)), ..outflow(60, "900") },
    ];
    assert_eq!(payment.max_severity(RULE), Some(Severity::Note));
    payment.facts.outflows.push(outflow(1, "0.000001"));
    let finding = payment.single_finding(RULE);
    assert_eq!(finding.severity, Severity::Stop);
    assert_eq!(
        finding.lines,
        [
            "amount   25 USDC",
            "paid     75.000001 USDC to this recipient since it was entered",
            "at most  100 USDC until then"
        ]
    );
    // Without a word on it, nothing is allowed; two days after it was entered, everything.
    let mut nothing = cooling();
    nothing.facts.policy.limits.clear();
    assert_eq!(nothing.max_severity(RULE), Some(Severity::Stop));
    let mut cooled = payment_with_strict_policy(AddressBook::from_changes([contact_entered("Norrland", SUPPLIER, 48)]));
    cooled.facts.policy.limits.clear();
    assert_eq!(cooled.max_severity(RULE), Some(Severity::Note));
}

#[test]
fn what_an_entry_that_cools_may_have_got_besides_is_a_danger() {
    let cooling = || payment_with_strict_policy(AddressBook::from_changes([contact_entered("Norrland", SUPPLIER, 47)]));
    let entered = contact_entered("", "", 47).1;
    let is_uncertain =
        |payment: &Payment| payment.single_finding(RULE).override_phrase == Some("entry limit not certain");
    let mut reaching = cooling();
    reaching.facts.outflows_known_from = Some(entered);
    assert!(!is_uncertain(&reaching));
    for counted_from in [None, Some(entered.plus(Duration::from_millis(1)))] {
        assert!(is_uncertain(&Payment {
            facts: GuardFacts { outflows_known_from: counted_from, ..cooling().facts },
            ..cooling()
        }));
    }
    let mut unread = cooling();
    unread.facts.outflow_gap = Some("the service's history was never read".into());
    assert!(is_uncertain(&unread));
    // A batch of the same token names no recipient; one of before, or of another token, is nothing to it.
    let batch = Outflow { to: None, ..outflow(60, "900") };
    let dai = TokenKey::new("ethereum", Some(OTHER));
    for (earlier_outflow, expected) in [
        (batch.clone(), true),
        (Outflow { symbol: "DAI".into(), token: dai, ..batch.clone() }, false),
        (Outflow { at: outflow(60 * 48, "1").at, ..batch.clone() }, false),
        (Outflow { blockchain: "base".into(), ..batch }, false),
        (Outflow { blockchain: "".into(), ..outflow(60, "1") }, true),
    ] {
        let mut payment = cooling();
        payment.facts.outflows = vec![earlier_outflow.clone()];
        assert_eq!(is_uncertain(&payment), expected, "{earlier_outflow:?}");
    }
}

#[test]
fn what_was_entered_later_than_now_is_not_trusted() {
    let mut payment =
        payment_with_strict_policy(AddressBook::from_changes([contact_entered("Norrland", SUPPLIER, -1)]));
    payment.facts.policy.cooling = None;
    payment.facts.policy.limits.clear();
    assert_eq!(payment.max_severity(RULE), Some(Severity::Stop));
}
