use proptest::prelude::*;

use super::super::super::tests::{NOW, Payment, SUPPLIER, USDC, amount, empty_limit, outflow};
use super::*;
use crate::guard::{Outflow, Rule};

fn usage_of(payment: &Payment) -> Vec<LimitUsage> {
    let tokens = [(Text::from("USDC"), TokenKey::new("ethereum", Some(USDC)))];
    limit_usage(&payment.facts, &tokens, NOW)
}

fn with_limits(limits: Vec<Limit>) -> Payment {
    let mut payment = Payment::to(SUPPLIER);
    payment.facts.policy.limits = limits;
    payment
}

#[test]
fn each_limit_has_its_usage_in_the_order_of_the_policy() {
    let mut payment = with_limits(vec![
        Limit { per_payment: Some(amount("10")), ..empty_limit("USDC") },
        Limit { per_day: Some(amount("100")), per_payment: Some(amount("80")), ..empty_limit("USDC") },
        Limit { per_day: Some(amount("5")), ..empty_limit("USDT") },
    ]);
    payment.facts.outflows = vec![outflow(5, "30"), outflow(60 * 25, "1000")];
    let usage = usage_of(&payment);
    let figures: Vec<_> = usage.iter().map(|used| (used.left_today(), used.largest_payment())).collect();
    assert_eq!(
        figures,
        [(None, Some(amount("10"))), (Some(amount("70")), Some(amount("70"))), (Some(amount("5")), Some(amount("5"))),]
    );
    assert_eq!(usage[1].paid.as_ref().unwrap().to_string(), "30 in 1 payment");
}

#[test]
fn a_token_on_several_chains_has_what_is_left_on_the_strictest() {
    let mut payment = with_limits(vec![Limit { per_day: Some(amount("100")), ..empty_limit("USDC") }]);
    // Known by its contract alone, which is that of one chain.
    let token = TokenKey::new("base", Some(USDC));
    payment.facts.outflows =
        vec![Outflow { symbol: "other".into(), blockchain: "base".into(), token: token.clone(), ..outflow(5, "40") }];
    let tokens = [(Text::from("USDC"), TokenKey::new("ethereum", Some(USDC))), (Text::from("USDC"), token)];
    assert_eq!(limit_usage(&payment.facts, &tokens, NOW)[0].left_today(), Some(amount("60")));
}

#[test]
fn what_cannot_be_counted_is_said() {
    let mut payment = with_limits(vec![Limit { per_day: Some(amount("100")), ..empty_limit("USDC") }]);
    assert_eq!(usage_of(&payment)[0].uncertainty, None);
    payment.facts.outflow_gap = Some("the service's history was never read".into());
    let unclear = Outflow { symbol: "".into(), token: TokenKey::new("ethereum", None), ..outflow(5, "1") };
    payment.facts.outflows = vec![unclear];
    assert_eq!(
        usage_of(&payment)[0].uncertainty.as_deref(),
        Some("1 payment has no clear token or chain; the service's history was never read")
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// What is said to be left is what the guard lets pass: not a unit more, not a unit less.
    #[test]
    fn what_is_left_is_what_the_guard_allows(
        pieces in prop::collection::vec((0_u64..10_000, 0_i64..3_000, any::<bool>()), 0..12),
        most in 1_u64..60_000,
        per_payment in prop::option::of(1_u64..60_000),
    ) {
        let limit = Limit {
            per_day: Some(amount(&most.to_string())),
            per_payment: per_payment.map(|most| amount(&most.to_string())),
            ..empty_limit("USDC")
        };
        let mut payment = with_limits(vec![limit]);
        payment.facts.outflows = pieces
            .iter()
            .map(|(units, minutes, is_unresolved)| Outflow { is_unresolved: *is_unresolved, ..outflow(*minutes, &units.to_string()) })
            .collect();
        let largest = usage_of(&payment)[0].largest_payment().unwrap();
        let judged = |text: String| {
            let mut judged = Payment { facts: payment.facts.clone(), ..Payment::to(SUPPLIER).of(&text) };
            judged.facts.policy = payment.facts.policy.clone();
            judged.max_severity(Rule::Limits)
        };
        if !largest.is_zero() {
            prop_assert_eq!(judged(largest.to_string()), None);
        }
        let above = largest.checked_add(Amount::parse("0.000001", 6).unwrap()).unwrap();
        prop_assert_eq!(judged(above.to_string()), Some(crate::guard::Severity::Stop));
    }
}
