use proptest::prelude::*;
use rstest::rstest;
use ruint::aliases::U256;

use super::super::tests::{NOW, Payment, SUPPLIER, amount};
use super::*;
use crate::guard::ExpectedFee;

/// A payment of 25 with a fee of at most 1.25, out of so much.
fn payment_with_balance(balance: &str, basis: BalanceBasis, is_stale: bool) -> Payment {
    let mut payment = Payment::to(SUPPLIER);
    payment.facts.funds =
        Some(Funds { amount: Some(amount(balance)), basis, as_of: Some(NOW), is_stale, matches_history: false });
    payment
}

#[rstest]
#[case("26.25", BalanceBasis::Reported, false, None)]
#[case("26.249999", BalanceBasis::Reported, false, Some((Severity::Stop, None)))]
#[case("26.249999", BalanceBasis::Assumed, false, Some((Severity::Stop, None)))]
#[case("26.249999", BalanceBasis::Derived, false, Some((Severity::Danger, Some("balance too low"))))]
#[case("26.249999", BalanceBasis::Reported, true, Some((Severity::Danger, Some("balance too low"))))]
#[case("26.249999", BalanceBasis::Assumed, true, Some((Severity::Danger, Some("balance too low"))))]
#[case("100", BalanceBasis::Assumed, false, Some((Severity::Danger, Some("balance assumed"))))]
#[case("100", BalanceBasis::Derived, false, Some((Severity::Danger, Some("balance derived"))))]
#[case("100", BalanceBasis::Reported, true, Some((Severity::Danger, Some("balance old"))))]
#[case("100", BalanceBasis::Derived, true, Some((Severity::Danger, Some("balance old"))))]
#[case("100", BalanceBasis::Unknown, false, Some((Severity::Danger, Some("balance not known"))))]
fn what_the_wallet_can_pay(
    #[case] balance: &str,
    #[case] basis: BalanceBasis,
    #[case] stale: bool,
    #[case] expected: Option<(Severity, Option<&'static str>)>,
) {
    let findings = payment_with_balance(balance, basis, stale).findings();
    let balance_finding = findings.iter().find(|finding| finding.rule == RULE);
    assert_eq!(balance_finding.map(|finding| (finding.severity, finding.override_phrase)), expected);
}

#[test]
fn what_is_not_known_is_a_danger() {
    let mut payment = payment_with_balance("100", BalanceBasis::Reported, false);
    payment.facts.funds = None;
    assert_eq!(payment.single_finding(RULE).override_phrase, Some("balance not known"));
    let funds = Funds {
        amount: None,
        basis: BalanceBasis::Reported,
        as_of: Some(NOW),
        is_stale: false,
        matches_history: false,
    };
    payment.facts.funds = Some(funds);
    assert_eq!(payment.single_finding(RULE).override_phrase, Some("balance not known"));
}

/// Two sources that agree take the typed words away, and nothing else.
#[rstest]
#[case("100", BalanceBasis::Assumed, false, Severity::Note)]
#[case("100", BalanceBasis::Assumed, true, Severity::Danger)]
#[case("100", BalanceBasis::Derived, false, Severity::Danger)]
#[case("26.249999", BalanceBasis::Assumed, false, Severity::Stop)]
#[case("26.249999", BalanceBasis::Assumed, true, Severity::Danger)]
fn a_balance_that_the_history_bears_out(
    #[case] balance: &str,
    #[case] basis: BalanceBasis,
    #[case] stale: bool,
    #[case] expected: Severity,
) {
    let mut payment = payment_with_balance(balance, basis, stale);
    payment.facts.funds.as_mut().unwrap().matches_history = true;
    assert_eq!(payment.single_finding(RULE).severity, expected);
}

#[test]
fn what_is_missing_is_shown_line_by_line() {
    let finding = payment_with_balance("20", BalanceBasis::Reported, false).single_finding(RULE);
    assert_eq!(finding.message, "The wallet does not hold enough USDC for this payment and its fee.");
    assert_eq!(
        finding.lines,
        [
            "balance  20 USDC, reported by the service",
            "amount   25 USDC",
            "fee      up to 1.25 USDC, from 4 past payments"
        ]
    );
}

#[test]
fn a_gasless_wallet_pays_no_fee() {
    let mut payment = payment_with_balance("25", BalanceBasis::Reported, false);
    assert_eq!(payment.max_severity(RULE), Some(Severity::Stop));
    payment.facts.wallet.as_mut().unwrap().gasless_withdraw = Some(true);
    assert_eq!(payment.messages_of(RULE), []);
    payment.facts.wallet.as_mut().unwrap().gasless_withdraw = None;
    assert_eq!(payment.max_severity(RULE), Some(Severity::Stop));
}

#[test]
fn a_fee_that_nobody_can_tell_is_said() {
    let mut payment = payment_with_balance("25", BalanceBasis::Reported, false);
    payment.facts.fee = None;
    let finding = payment.single_finding(RULE);
    assert_eq!(finding.severity, Severity::Note);
    assert!(finding.message.starts_with("The service sets the fee"), "{}", finding.message);
    payment.facts.fee_elsewhere = Some("ETH".into());
    let finding = payment.single_finding(RULE);
    assert_eq!(finding.severity, Severity::Caution);
    assert!(finding.message.starts_with("Past payments of USDC paid their fee in ETH."), "{}", finding.message);
}

#[test]
fn nothing_is_no_payment() {
    let mut payment = payment_with_balance("25", BalanceBasis::Reported, false);
    payment.sender.amount = amount("0");
    payment.request.amount = "0".into();
    assert_eq!(payment.messages_of(RULE), [(Severity::Stop, "The amount is zero.".to_owned())]);
}

#[test]
fn what_the_request_says_must_be_what_was_checked() {
    for requested in ["25.000001", "2.5", "250", "", "25,0", "1e1"] {
        let mut payment = payment_with_balance("100", BalanceBasis::Reported, false);
        payment.request.amount = requested.into();
        let finding = payment.single_finding(RULE);
        assert_eq!(finding.severity, Severity::Stop, "{requested}");
        assert_eq!(finding.lines, [format!("request  {requested}"), "checked  25".to_owned()]);
    }
}

#[test]
fn a_sum_beyond_every_amount_is_more_than_is_held() {
    let most = Amount::new(U256::MAX, 6).unwrap();
    assert!(exceeds_balance(most, Some(amount("1")), most));
    assert!(!exceeds_balance(most, None, most));
    assert!(exceeds_balance(most, Some(Amount::parse("0.00000001", 8).unwrap()), most));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_stated_balance_is_compared_to_the_last_digit(pay in 1_u64.., fee in any::<u64>(), balance in any::<u128>(), near in -2_i128..3) {
        let raw = |value: u128| Amount::new(U256::from(value), 6).unwrap();
        let sum = u128::from(pay) + u128::from(fee);
        for balance in [balance, sum.saturating_add_signed(near)] {
            let mut payment = payment_with_balance("0", BalanceBasis::Reported, false);
            payment.sender.amount = raw(pay.into());
            payment.request.amount = payment.sender.amount.to_string().as_str().into();
            payment.facts.fee = Some(ExpectedFee { highest: raw(fee.into()), median: raw(0), payments: 1 });
            payment.facts.funds.as_mut().unwrap().amount = Some(raw(balance));
            let expected = (sum > balance).then_some(Severity::Stop);
            prop_assert_eq!(payment.max_severity(RULE), expected);
        }
    }
}
