use proptest::prelude::*;
use rstest::rstest;

use super::super::tests::{NOW, OTHER, Payment, SUPPLIER, amount, order_id, recent_payment};
use super::*;
use crate::domain::TokenKey;
use crate::domain::order::OrderId;
use crate::guard::Severity;

/// An order of so much to the supplier, of which nobody knows what became.
fn unresolved_payment(text: &str, minutes_ago: i64) -> RecentPayment {
    let state = "outcome unknown".into();
    RecentPayment {
        amount: amount(text),
        is_unresolved: true,
        order: Some(order_id()),
        state,
        ..recent_payment(minutes_ago)
    }
}

/// What left since, by another order.
fn payment_by_other_order(text: &str, minutes_ago: i64) -> RecentPayment {
    RecentPayment {
        amount: amount(text),
        order: Some(OrderId(uuid::Uuid::from_u128(8))),
        ..recent_payment(minutes_ago)
    }
}

fn unresolved_finding(text: &str, recent: Vec<RecentPayment>) -> Option<Finding> {
    let mut payment = Payment::to(SUPPLIER).of(text);
    payment.facts.recent_payments = recent;
    let case = GuardedPayment { request: &payment.request, sender: &payment.sender, facts: &payment.facts, now: NOW };
    judge(&case).into_iter().next()
}

fn unresolved_severity(text: &str, recent: Vec<RecentPayment>) -> Option<Severity> {
    unresolved_finding(text, recent).map(|finding| finding.severity)
}

#[rstest]
#[case::equal("61", Severity::Stop)]
#[case::a_little_more("61.000001", Severity::Stop)]
#[case::twice_as_much("122", Severity::Stop)]
#[case::a_hundred_times_as_much("6100", Severity::Stop)]
#[case::less_by_two_percent("59.78", Severity::Stop)]
#[case::less_by_more_than_two_percent("59.779999", Severity::Danger)]
#[case::hardly_anything("0.000001", Severity::Danger)]
fn an_unresolved_order_blocks_more_than_its_own_amount(#[case] now: &str, #[case] expected: Severity) {
    // A month old, it is as unresolved as on its first day.
    for age in [1, 60 * 24 * 30] {
        let finding = unresolved_finding(now, vec![unresolved_payment("61", age)]).unwrap();
        assert_eq!(finding.severity, expected);
        let is_danger = expected == Severity::Danger;
        assert_eq!(finding.override_phrase, is_danger.then_some("order is unresolved"));
        assert!(finding.lines[0].contains("61 USDC, outcome unknown"), "{:?}", finding.lines);
    }
}

#[rstest]
#[case::another_chain(RecentPayment { blockchain: "base".into(), token: TokenKey::new("base", None), ..unresolved_payment("61", 1) }, Severity::Stop)]
#[case::another_contract(RecentPayment { token: TokenKey::new("ethereum", None), ..unresolved_payment("61", 1) }, Severity::Stop)]
#[case::a_bridged_one(RecentPayment { symbol: "USDC.e".into(), token: TokenKey::new("base", None), ..unresolved_payment("61", 1) }, Severity::Stop)]
#[case::another_token(RecentPayment { symbol: "USDT".into(), token: TokenKey::new("ethereum", None), ..unresolved_payment("61", 1) }, Severity::Danger)]
#[case::another_case(RecentPayment { to: SUPPLIER.to_uppercase().replacen("0X", "0x", 1).as_str().into(), ..unresolved_payment("61", 1) }, Severity::Stop)]
fn whatever_token_and_chain_it_was_of_it_is_told(#[case] order: RecentPayment, #[case] expected: Severity) {
    assert_eq!(unresolved_severity("61", vec![order]), Some(expected));
}

#[test]
fn an_order_to_another_recipient_or_that_is_resolved_says_nothing() {
    assert_eq!(
        unresolved_severity("61", vec![RecentPayment { to: OTHER.into(), ..unresolved_payment("61", 1) }]),
        None
    );
    assert_eq!(unresolved_severity("61", vec![payment_by_other_order("61", 1)]), None);
}

#[test]
fn parts_of_an_unresolved_order_are_summed_up_since_it_left() {
    let (order, first) = (unresolved_payment("61", 60), payment_by_other_order("30", 30));
    assert_eq!(unresolved_severity("30", vec![order.clone()]), Some(Severity::Danger));
    let finding = unresolved_finding("31", vec![order.clone(), first.clone()]).unwrap();
    assert_eq!(finding.severity, Severity::Stop);
    assert_eq!(finding.lines[1..], ["since then  30 USDC in 1 payment", "with this   61 USDC"]);
    assert_eq!(unresolved_severity("29.78", vec![order.clone(), first.clone()]), Some(Severity::Stop));
    assert_eq!(unresolved_severity("29.779999", vec![order.clone(), first.clone()]), Some(Severity::Danger));
    // What left before it is none of it, and clocks may differ a little; what has no time may be of it.
    assert_eq!(
        unresolved_severity("31", vec![order.clone(), payment_by_other_order("30", 66)]),
        Some(Severity::Danger)
    );
    assert_eq!(unresolved_severity("31", vec![order.clone(), payment_by_other_order("30", 64)]), Some(Severity::Stop));
    assert_eq!(
        unresolved_severity("31", vec![order.clone(), RecentPayment { at: None, ..first.clone() }]),
        Some(Severity::Stop)
    );
    // An order that was sent by a clock that was ahead left nobody knows when.
    assert_eq!(
        unresolved_severity("31", vec![unresolved_payment("61", -60 * 25), payment_by_other_order("30", 64)]),
        Some(Severity::Stop)
    );
    // A colleague's payment counts as the console's own; one in another token does not.
    assert_eq!(
        unresolved_severity("31", vec![order.clone(), RecentPayment { order: None, ..first.clone() }]),
        Some(Severity::Stop)
    );
    let elsewhere = RecentPayment { symbol: "ETH".into(), token: TokenKey::new("ethereum", None), ..first };
    assert_eq!(unresolved_severity("31", vec![order.clone(), elsewhere]), Some(Severity::Danger));
    // Two parts of one batch are no payments after each other.
    assert_eq!(
        unresolved_severity("5", vec![unresolved_payment("30", 60), unresolved_payment("31", 60)]),
        Some(Severity::Danger)
    );
    assert_eq!(
        unresolved_severity("30", vec![unresolved_payment("30", 60), unresolved_payment("31", 60)]),
        Some(Severity::Stop)
    );
    // Another order that is unresolved may have been executed.
    let second = RecentPayment { is_unresolved: true, ..payment_by_other_order("40", 30) };
    assert_eq!(unresolved_severity("21", vec![order, second]), Some(Severity::Stop));
}

#[test]
fn a_sum_that_cannot_be_counted_is_stopped() {
    let most = Amount::new(ruint::aliases::U256::MAX, 6).unwrap();
    let order = unresolved_payment("61", 60);
    assert_eq!(
        unresolved_severity("1", vec![order.clone(), RecentPayment { amount: most, ..payment_by_other_order("1", 1) }]),
        Some(Severity::Stop)
    );
    assert_eq!(unresolved_severity("1", vec![RecentPayment { amount: most, ..order }]), Some(Severity::Stop));
}

#[test]
fn what_others_paid_since_and_nobody_knows_is_said() {
    let mut payment = Payment::to(SUPPLIER).of("5");
    payment.facts.recent_payments = vec![unresolved_payment("61", 60)];
    payment.facts.outflows_known_from = Some(NOW);
    let case = GuardedPayment { request: &payment.request, sender: &payment.sender, facts: &payment.facts, now: NOW };
    let finding = judge(&case).remove(0);
    assert_eq!(finding.lines.last().unwrap(), "payments by others since then are not all known");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// However a sum is split, it is stopped where it comes to within 2 percent of the unresolved amount, and is a danger
    /// everywhere else. Token decimals do not matter.
    #[test]
    fn no_way_to_split_an_amount_gets_past_it(
        open in 1_u64..10_000_000_000,
        parts in prop::collection::vec(1_u64..10_000_000_000, 0..4),
        now in prop_oneof![1_u64..10_000_000_000, Just(0)],
        digits in 6_u8..=18,
    ) {
        let raw = |units: u64| Amount::new(ruint::aliases::U256::from(units), 6).unwrap().rescaled(digits).unwrap();
        // As much as is wanting, or a unit less than that, is tried as often as anything.
        let since: u64 = parts.iter().sum();
        let wanting = (open - open / 50).saturating_sub(since);
        let now = if now == 0 { wanting.max(1) } else { now };
        for units in [now, now.saturating_sub(1).max(1)] {
            let text = Amount::new(ruint::aliases::U256::from(units), 6).unwrap().to_string();
            let mut recent = vec![RecentPayment { amount: raw(open), ..unresolved_payment("1", 90) }];
            recent.extend(parts.iter().map(|part| RecentPayment { amount: raw(*part), ..payment_by_other_order("1", 30) }));
            let sum = u128::from(since) + u128::from(units);
            let expected = if sum * 100 >= u128::from(open) * 98 { Severity::Stop } else { Severity::Danger };
            prop_assert_eq!(unresolved_severity(&text, recent), Some(expected));
        }
    }
}
