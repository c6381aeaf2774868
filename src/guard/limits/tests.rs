use proptest::prelude::*;
use rstest::rstest;

use super::super::tests::{OTHER, Payment, SUPPLIER, USDC, amount, empty_limit, outflow};
use super::*;
use crate::domain::TokenKey;
use crate::guard::Severity;

fn payment_with_limits(limits: Vec<Limit>) -> Payment {
    let mut payment = Payment::to(SUPPLIER);
    payment.facts.policy.limits = limits;
    payment
}

#[rstest]
#[case("25", None)]
#[case("24.999999", Some(Severity::Stop))]
fn one_payment_is_bounded(#[case] most: &str, #[case] expected: Option<Severity>) {
    let mut payment = payment_with_limits(vec![Limit { per_payment: Some(amount(most)), ..empty_limit("usdc") }]);
    assert_eq!(payment.max_severity(RULE), expected);
    // Another token's limit says nothing of this one.
    payment.facts.policy.limits[0].token = "USDT".into();
    assert_eq!(payment.max_severity(RULE), None);
}

#[test]
fn the_policy_may_ask_for_typed_words_instead() {
    let mut payment = payment_with_limits(vec![Limit {
        per_payment: Some(amount("20")),
        over_limit: OverLimit::Danger,
        ..empty_limit("USDC")
    }]);
    let finding = payment.single_finding(RULE);
    assert_eq!((finding.severity, finding.override_phrase), (Severity::Danger, Some("over the limit")));
    assert_eq!(finding.lines, ["amount   25 USDC", "at most  20 per payment of USDC"]);
    // The gravest of several counts.
    payment.facts.policy.limits.push(Limit {
        chain: Some("ethereum".into()),
        per_payment: Some(amount("10")),
        ..empty_limit("USDC")
    });
    assert_eq!(payment.single_finding(RULE).severity, Severity::Stop);
}

#[test]
fn a_day_is_summed_up_with_what_is_unresolved() {
    let mut payment = payment_with_limits(vec![Limit { per_day: Some(amount("100")), ..empty_limit("USDC") }]);
    payment.facts.outflows = vec![outflow(5, "50"), outflow(60 * 24, "25"), outflow(60 * 24 + 1, "1000")];
    assert_eq!(payment.messages_of(RULE), []);
    // An old one of which nobody knows may still be executed.
    payment.facts.outflows.push(Outflow { is_unresolved: true, ..outflow(60 * 80, "0.000001") });
    let finding = payment.single_finding(RULE);
    assert_eq!(finding.severity, Severity::Stop);
    assert_eq!(
        finding.lines,
        ["amount   25 USDC", "paid     75.000001 in 3 payments, 1 unresolved", "at most  100 of USDC in 24 hours"]
    );
}

#[rstest]
// On all chains together, with whatever fraction digits they have there.
#[case(None, "base", true)]
#[case(Some("ethereum"), "base", false)]
#[case(Some("ethereum"), "Ethereum-mainnet", true)]
fn what_was_paid_on_other_chains_counts_as_the_limit_says(
    #[case] of: Option<&str>,
    #[case] paid_on: &str,
    #[case] is_over: bool,
) {
    let mut payment = payment_with_limits(vec![Limit {
        chain: of.map(Into::into),
        per_day: Some(amount("100")),
        ..empty_limit("USDC")
    }]);
    let paid_amount = Amount::parse("75.000000000000000001", 18).unwrap();
    payment.facts.outflows = vec![Outflow { blockchain: paid_on.into(), amount: paid_amount, ..outflow(5, "1") }];
    assert_eq!(payment.max_severity(RULE).is_some(), is_over);
}

#[test]
fn a_share_of_what_the_wallet_holds_is_bounded() {
    // The wallet holds 100.
    let share = |percent| payment_with_limits(vec![Limit { percent_of_balance: Some(percent), ..empty_limit("*") }]);
    assert_eq!((share(25).max_severity(RULE), share(24).max_severity(RULE)), (None, Some(Severity::Stop)));
    assert_eq!(
        share(24).single_finding(RULE).lines,
        ["amount   25 USDC", "balance  100 USDC", "at most  24% of the balance"]
    );
    let mut unknown = share(100);
    unknown.facts.funds = None;
    assert_eq!(unknown.max_severity(RULE), Some(Severity::Stop));
    // A token with a limit of its own has only that.
    let mut own = share(24);
    own.facts.policy.limits.push(Limit { per_payment: Some(amount("25")), ..empty_limit("USDC") });
    assert_eq!(own.max_severity(RULE), None);
}

#[test]
fn a_day_of_which_not_all_is_known_is_said_where_it_is_limited() {
    let mut payment = payment_with_limits(vec![Limit { per_day: Some(amount("100")), ..empty_limit("USDC") }]);
    payment.facts.outflow_gap = Some("the service's history was never read".into());
    let finding = payment.single_finding(RULE);
    assert_eq!((finding.severity, finding.override_phrase), (Severity::Danger, Some("limit not certain")));
    payment.facts.policy.limits[0] = Limit { per_payment: Some(amount("100")), ..empty_limit("USDC") };
    assert_eq!(payment.messages_of(RULE), []);
}

#[rstest]
// By its contract, whatever the service calls it.
#[case("USDC.ETH", "ethereum", Some(USDC), Some((Severity::Stop, None)))]
#[case("", "ethereum-mainnet", Some(USDC), Some((Severity::Stop, None)))]
#[case("DAI", "ethereum", Some(OTHER), None)]
#[case("", "ethereum", Some(OTHER), None)]
// What may have been of it is neither counted nor passed over.
#[case("", "ethereum", None, Some((Severity::Danger, Some("limit not certain"))))]
#[case("USDC.BASE", "base", Some(OTHER), Some((Severity::Danger, Some("limit not certain"))))]
#[case("USDC", "", None, Some((Severity::Danger, Some("limit not certain"))))]
fn a_payment_counts_whatever_its_token_is_called(
    #[case] symbol: &str,
    #[case] chain: &str,
    #[case] contract: Option<&str>,
    #[case] expected: Option<(Severity, Option<&str>)>,
) {
    let limit = Limit { chain: limit_chain(chain), per_day: Some(amount("100")), ..empty_limit("USDC") };
    let mut payment = payment_with_limits(vec![limit]);
    let token = TokenKey::new(chain, contract);
    let outflow_of_day = Outflow { symbol: symbol.into(), blockchain: chain.into(), token, ..outflow(5, "90") };
    payment.facts.outflows = vec![outflow_of_day.clone()];
    let gravest = payment.findings().into_iter().filter(|finding| finding.rule == RULE).max_by_key(|it| it.severity);
    assert_eq!(gravest.map(|finding| (finding.severity, finding.override_phrase)), expected);
    // What is older than a day is neither.
    payment.facts.outflows = vec![Outflow { at: outflow(60 * 24 + 1, "1").at, ..outflow_of_day }];
    assert_eq!(payment.messages_of(RULE), []);
}

/// A limit for all chains where the payment names one, for one chain where it does not.
fn limit_chain(paid_on: &str) -> Option<crate::domain::Text> {
    paid_on.is_empty().then(|| "ethereum".into())
}

#[test]
fn sums_beyond_counting_are_beyond_every_limit() {
    let most = Amount::parse_raw(&"9".repeat(77), 6).unwrap();
    let mut payment = payment_with_limits(vec![Limit { per_day: Some(most), ..empty_limit("USDC") }]);
    payment.facts.outflows =
        vec![Outflow { amount: most, ..outflow(5, "1") }, Outflow { amount: most, ..outflow(5, "1") }];
    assert_eq!(payment.max_severity(RULE), Some(Severity::Stop));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// However a day's payments are cut into pieces: beyond the limit nothing is let through, and nothing else is stopped.
    #[test]
    fn a_day_is_what_its_payments_add_up_to(
        pieces in prop::collection::vec((0_u64..10_000, 0_i64..3_000), 0..12),
        now in 1_u64..10_000,
        most in 0_u64..60_000,
    ) {
        let mut payment = Payment::to(SUPPLIER).of(&now.to_string());
        payment.facts.policy.limits = vec![Limit { per_day: Some(amount(&most.to_string())), ..empty_limit("USDC") }];
        payment.facts.outflows = pieces.iter().map(|(units, minutes)| outflow(*minutes, &units.to_string())).collect();
        let of_day: u64 = pieces.iter().filter(|(_, minutes)| *minutes <= 24 * 60).map(|(units, _)| units).sum();
        prop_assert_eq!(payment.max_severity(RULE).is_some(), of_day + now > most);
    }

    #[test]
    fn a_share_is_that_part_of_the_balance(balance in 0_u64..10_000, now in 1_u64..10_000, percent in 1_u8..=100) {
        let mut payment = Payment::to(SUPPLIER).of(&now.to_string());
        payment.facts.funds.as_mut().unwrap().amount = Some(amount(&balance.to_string()));
        payment.facts.policy.limits = vec![Limit { percent_of_balance: Some(percent), ..empty_limit("USDC") }];
        prop_assert_eq!(payment.max_severity(RULE).is_some(), now * 100 > balance * u64::from(percent));
    }
}
