use rstest::rstest;

use super::super::tests::{NOW, OTHER, Payment, SUPPLIER, amount, order_id, recent_payment};
use super::*;
use crate::domain::{Amount, Timestamp, TokenKey};
use crate::guard::Severity;

fn payment_after(recent: Vec<RecentPayment>) -> Payment {
    let mut payment = Payment::to(SUPPLIER);
    payment.facts.recent_payments = recent;
    payment
}

#[test]
fn an_equal_payment_within_a_day_is_a_danger_and_is_shown() {
    let finding = payment_after(vec![recent_payment(90)]).single_finding(RULE);
    assert_eq!((finding.severity, finding.override_phrase), (Severity::Danger, Some("pay again")));
    assert_eq!(
        finding.message,
        "The same amount was paid to the same address once within 24 hours (accepted). This would pay it again."
    );
    assert_eq!(finding.lines, ["2026-09-21 12:43 UTC  25 USDC, accepted, not by this console"]);
}

#[rstest]
#[case::long_ago(RecentPayment { ..recent_payment(24 * 60 + 1) })]
#[case::to_another(RecentPayment { to: OTHER.into(), ..recent_payment(1) })]
#[case::on_another_chain(RecentPayment { blockchain: "base".into(), ..recent_payment(1) })]
#[case::another_amount(RecentPayment { amount: amount("25.000001"), ..recent_payment(1) })]
#[case::another_token(RecentPayment { token: TokenKey::new("ethereum", None), symbol: "ETH".into(), ..recent_payment(1) })]
#[case::another_reference(RecentPayment { amount: amount("1"), ref_id: Some("inv-2".into()), ..recent_payment(1) })]
fn another_payment_is_none_of_it(#[case] other: RecentPayment) {
    let mut payment = payment_after(vec![other]);
    payment.request.ref_id = Some("inv-1".into());
    assert_eq!(payment.messages_of(RULE), []);
}

#[rstest]
#[case::just_within(RecentPayment { ..recent_payment(24 * 60) })]
#[case::by_a_clock_that_is_ahead(RecentPayment { ..recent_payment(-60) })]
#[case::without_a_time(RecentPayment { at: None, ..recent_payment(0) })]
#[case::with_other_digits(RecentPayment { amount: Amount::parse("25.000000000000000000", 18).unwrap(), ..recent_payment(1) })]
#[case::of_which_no_contract_was_told(RecentPayment { token: TokenKey::new("ethereum", None), ..recent_payment(1) })]
#[case::under_another_symbol(RecentPayment { symbol: "USDC.e".into(), ..recent_payment(1) })]
#[case::on_the_chain_by_another_word(RecentPayment { blockchain: "Ethereum-Mainnet".into(), ..recent_payment(1) })]
fn however_it_is_told_it_is_the_same(#[case] recent_payment: RecentPayment) {
    assert_eq!(payment_after(vec![recent_payment]).max_severity(RULE), Some(Severity::Danger));
}

#[test]
fn an_unresolved_equal_order_stops_however_old_it_is() {
    let old = RecentPayment {
        is_unresolved: true,
        order: Some(order_id()),
        state: "outcome unknown".into(),
        ..recent_payment(60 * 24 * 30)
    };
    let finding = payment_after(vec![old.clone()]).single_finding(RULE);
    assert_eq!(finding.severity, Severity::Stop);
    assert_eq!(finding.lines, ["2026-08-22 14:13 UTC  25 USDC, outcome unknown"]);
    assert!(
        finding.message.starts_with("An equal payment is unresolved and may have been made."),
        "{}",
        finding.message
    );
}

#[test]
fn the_same_reference_is_a_danger_whatever_else_differs() {
    let other = RecentPayment {
        to: OTHER.into(),
        amount: amount("99"),
        ref_id: Some("INV-7".into()),
        ..recent_payment(60 * 24 * 400)
    };
    let mut payment = payment_after(vec![other]);
    payment.request.ref_id = Some("inv-7".into());
    let finding = payment.single_finding(RULE);
    assert_eq!((finding.severity, finding.override_phrase), (Severity::Danger, Some("same reference")));
    payment.request.ref_id = Some("  ".into());
    payment.facts.recent_payments[0].ref_id = Some("".into());
    assert_eq!(payment.messages_of(RULE), []);
}

/// The same invoice is the same, whatever it is paid in and however its number is written.
#[rstest]
#[case::of_another_amount(RecentPayment { amount: amount("99"), note: Some("Invoice 4711".into()), ..recent_payment(60 * 24 * 400) }, true)]
#[case::of_another_token(RecentPayment { symbol: "USDT".into(), token: TokenKey::new("tron", None), blockchain: "tron".into(), note: Some("invoice-4711".into()), ..recent_payment(9999) }, true)]
#[case::to_another(RecentPayment { to: OTHER.into(), note: Some("INVOICE 4711".into()), amount: amount("1"), ..recent_payment(9999) }, true)]
#[case::as_a_reference(RecentPayment { ref_id: Some("invoice-4711".into()), amount: amount("1"), ..recent_payment(9999) }, true)]
#[case::another_number(RecentPayment { note: Some("Invoice 4712".into()), amount: amount("1"), ..recent_payment(9999) }, false)]
#[case::without_one(RecentPayment { amount: amount("1"), ..recent_payment(9999) }, false)]
fn a_note_with_a_number_is_a_reference(#[case] other: RecentPayment, #[case] expected: bool) {
    let mut payment = payment_after(vec![other]);
    payment.request.note = Some("invoice 4711".into());
    let finding = payment.findings().into_iter().find(|finding| finding.rule == RULE);
    assert_eq!(finding.as_ref().map(|finding| finding.override_phrase), expected.then_some(Some("same reference")));
    assert!(finding.is_none_or(|finding| !finding.lines.is_empty()), "the earlier payment is not shown");
}

/// Names of files carry their accents beside the letters on some systems, and notes are pasted from there.
#[test]
fn a_note_is_the_same_however_its_accents_are_written() {
    let other =
        RecentPayment { to: OTHER.into(), note: Some("Geb\u{fc}hr M\u{e4}rz 12".into()), ..recent_payment(9999) };
    let mut payment = payment_after(vec![other]);
    payment.request.note = Some("Gebu\u{308}hr Ma\u{308}rz 12".into());
    assert_eq!(payment.single_finding(RULE).override_phrase, Some("same reference"));
    payment.request.note = Some("Geb\u{fc}hr M\u{e4}rz 13".into());
    assert_eq!(payment.messages_of(RULE), []);
}

/// Rent is paid to many, and to each of them each month.
#[test]
fn a_note_in_words_alone_is_a_caution_for_its_recipient() {
    let rent = |to: &str| RecentPayment {
        to: to.into(),
        note: Some("Rent".into()),
        amount: amount("1"),
        ..recent_payment(9999)
    };
    let mut payment = payment_after(vec![rent(OTHER)]);
    payment.request.note = Some("rent".into());
    assert_eq!(payment.messages_of(RULE), []);
    payment.facts.recent_payments = vec![rent(SUPPLIER)];
    let finding = payment.single_finding(RULE);
    assert_eq!((finding.severity, finding.lines.len()), (Severity::Caution, 1));
}

#[test]
fn what_was_paid_elsewhere_is_shown_with_its_place() {
    let other = RecentPayment {
        to: OTHER.into(),
        blockchain: "base".into(),
        ref_id: Some("inv-7".into()),
        ..recent_payment(60)
    };
    let mut payment = payment_after(vec![other]);
    payment.request.ref_id = Some("inv-7".into());
    let lines = payment.single_finding(RULE).lines;
    assert_eq!(lines[0], "2026-09-21 13:13 UTC  25 USDC, accepted, not by this console, ref inv-7");
    assert_eq!(lines[1].trim(), "to 0xdbF0…C6FB on Base");
}

#[test]
fn many_are_counted_and_some_are_shown() {
    let finding = payment_after((0..7).map(recent_payment).collect()).single_finding(RULE);
    assert!(finding.message.contains("7 times within 24 hours"), "{}", finding.message);
    assert_eq!((finding.lines.len(), finding.lines[3].as_str()), (4, "and 4 more"));
}

#[test]
fn what_could_not_be_compared_is_said() {
    let mut payment = payment_after(vec![]);
    payment.facts.history_gap = Some("the service ignores paging".into());
    let expected = "Not all earlier payments could be compared: the service ignores paging.";
    assert_eq!(payment.messages_of(RULE), [(Severity::Caution, expected.to_owned())]);
    assert_eq!(NOW, Timestamp::parse_iso("2026-09-21T14:13:20Z").unwrap());
}
