//! Whether the amount is far beyond what the recipient was paid before: a misplaced point, or an account number in the
//! amount field. If the recipient was never paid, the amount is compared with usual payments, and with the wallet's
//! balance.

use super::{Finding, GuardedPayment, Override, Rule, UsualAmount, first_payment, truncate_word};
use crate::domain::amount::insert_thousands_separators;
use crate::domain::draft::MemoSupport;
use crate::domain::{Amount, BalanceBasis};

const RULE: Rule = Rule::Outlier;

const OUTLIER_FACTOR: u16 = 10;
/// Larger multiples are not counted.
const MAX_FACTOR: u64 = 1_000_000_000_000;

pub(super) fn judge(case: &GuardedPayment<'_>, tag: MemoSupport<'_>) -> Vec<Finding> {
    let is_first = first_payment::is_first_payment(case, tag);
    let of_recipient = compare_with_recipient(case, is_first);
    let unusual = if is_first { of_recipient.or_else(|| compare_with_usual(case)) } else { of_recipient };
    unusual.into_iter().chain(half_of_balance(case).filter(|_| is_first)).collect()
}

/// Compared with what the recipient received before.
fn compare_with_recipient(case: &GuardedPayment<'_>, is_first: bool) -> Option<Finding> {
    let before = &case.facts.earlier_amounts;
    let largest = before.iter().copied().reduce(Amount::larger)?;
    let times = outlier_factor(case.sender.amount, largest)?;
    let symbol = truncate_word(&case.request.token);
    let count = match before.len() {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    };
    let message = format!(
        "This is {times} as much {symbol} as this recipient ever received at once; it has been paid {count}. Check the amount \
         again."
    );
    let lines = [
        format!("amount   {} {symbol}", case.sender.amount.format_grouped()),
        format!("largest  {} {symbol}", largest.format_grouped()),
    ];
    // After this console's own test payment, the rest follows.
    let finding = if before.len() >= UsualAmount::MIN_PAYMENTS || is_first {
        Finding::danger(RULE, Override::UnusualAmount, message)
    } else {
        Finding::caution(RULE, message)
    };
    Some(finding.with_lines(lines))
}

/// Compared with the usual payment, where the recipient was never paid.
fn compare_with_usual(case: &GuardedPayment<'_>) -> Option<Finding> {
    let usual = case.facts.usual_amount?;
    let times = outlier_factor(case.sender.amount, usual.median)?;
    let symbol = truncate_word(&case.request.token);
    let message = format!(
        "This is {times} as much {symbol} as is usually paid at once, and this console has never paid this recipient. Check \
         the amount again."
    );
    Some(Finding::danger(RULE, Override::UnusualAmount, message).with_lines([
        format!("amount  {} {symbol}", case.sender.amount.format_grouped()),
        format!("usual   {} {symbol}, the median of {} payments", usual.median.format_grouped(), usual.payments),
    ]))
}

/// Compared with the balance: much of it goes to a recipient that this console never paid.
pub(super) fn half_of_balance(case: &GuardedPayment<'_>) -> Option<Finding> {
    let message =
        "to a recipient that this console has never paid. Pay a small part first, and have the recipient confirm it.";
    balance_share_finding(case, case.sender.amount, message)
}

/// The same for the part of a batch that goes to such recipients.
pub(super) fn half_of_balance_in_batch(case: &GuardedPayment<'_>, first: Amount) -> Option<Finding> {
    balance_share_finding(
        case,
        first,
        "to recipients that this console has never paid. Compare their addresses with those that they gave you.",
    )
}

fn balance_share_finding(case: &GuardedPayment<'_>, amount: Amount, sentence_end: &str) -> Option<Finding> {
    let funds = case.facts.funds.as_ref().filter(|funds| funds.basis != BalanceBasis::Unknown)?;
    let wallet_balance = funds.amount.filter(|wallet_balance| !wallet_balance.is_zero() && !amount.is_zero())?;
    // If twice the amount overflows, it is more than half of any balance.
    let is_half = amount.checked_mul(2).is_none_or(|twice| twice.cmp_value(wallet_balance).is_ge());
    let percent = || {
        amount.checked_mul(100).and_then(|all| all.divide_with_exactness(wallet_balance)).map(|(percent, _)| percent)
    };
    let percent = is_half.then(percent)?.map_or_else(|| "Most".to_owned(), |percent| format!("{percent}%"));
    let symbol = truncate_word(&case.request.token);
    let finding = Finding::danger(RULE, Override::HalfBalance, format!("{percent} of the balance goes {sentence_end}"));
    Some(finding.with_lines([
        format!("amount   {} {symbol}", amount.format_grouped()),
        format!("balance  {} {symbol}", wallet_balance.format_grouped()),
    ]))
}

/// How many times larger one amount is than another, in words, if that makes it an outlier.
fn outlier_factor(amount: Amount, usual: Amount) -> Option<String> {
    if usual.is_zero() {
        return None;
    }
    // If ten times the usual amount overflows, no amount reaches it.
    let is_reached = usual.checked_mul(OUTLIER_FACTOR).is_some_and(|bound| amount.cmp_value(bound).is_ge());
    let times = || match amount.divide_with_exactness(usual).map(|(times, is_all)| (u64::try_from(times), is_all)) {
        Some((Ok(times), true)) if times <= MAX_FACTOR => {
            format!("{} times", insert_thousands_separators(&times.to_string()))
        }
        Some((Ok(times), false)) if times <= MAX_FACTOR => {
            format!("more than {} times", insert_thousands_separators(&times.to_string()))
        }
        _ => format!("more than {} times", insert_thousands_separators(&MAX_FACTOR.to_string())),
    };
    is_reached.then(times)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::super::tests::{Payment, SUPPLIER, amount, payee};
    use super::*;
    use crate::guard::Severity;

    /// A payment to somebody who got these amounts before, and whom this console paid, if it did.
    fn payment_after(before: &[&str], now: &str, is_known: bool) -> Payment {
        let mut payment = Payment::to(SUPPLIER).of(now);
        payment.facts.earlier_amounts = before.iter().map(|text| amount(text)).collect();
        payment.facts.payees.extend(is_known.then(|| payee(SUPPLIER, "ethereum")));
        payment
    }

    #[rstest]
    #[case(&["100", "90", "110"], "1099.999999", None)]
    #[case(&["100", "90", "110"], "1100", Some(Severity::Danger))]
    // AUD 10.5 million for 100, as an account number in the field of the amount once made it.
    #[case(&["100", "100", "100", "100"], "10474143", Some(Severity::Danger))]
    // After a test the rest is sent.
    #[case(&["1"], "5000", Some(Severity::Caution))]
    #[case(&["1", "2"], "20", Some(Severity::Caution))]
    #[case(&[], "5000", None)]
    #[case(&["0"], "5000", None)]
    fn an_amount_of_another_order_is_found(
        #[case] before: &[&str],
        #[case] now: &str,
        #[case] expected: Option<Severity>,
    ) {
        assert_eq!(payment_after(before, now, true).max_severity(RULE), expected);
        // Whoever was paid by others alone is known to nobody here.
        assert_eq!(payment_after(before, now, false).max_severity(RULE), expected.map(|_| Severity::Danger));
    }

    #[rstest]
    #[case("1000", "10 times")]
    #[case("1000.000001", "more than 10 times")]
    #[case("10000", "100 times")]
    #[case("10474143", "more than 104,741 times")]
    #[case("100000000000000", "1,000,000,000,000 times")]
    #[case("100000000000001", "more than 1,000,000,000,000 times")]
    #[case("1000000000000000000", "more than 1,000,000,000,000 times")]
    fn the_true_factor_is_told(#[case] now: &str, #[case] times: &str) {
        let message = payment_after(&["100", "100", "3"], now, true).single_finding(RULE).message;
        assert!(
            message.starts_with(&format!("This is {times} as much USDC as this recipient ever received at once")),
            "{message}"
        );
    }

    #[test]
    fn ten_times_what_is_usual_to_whom_nobody_paid_is_a_danger() {
        let outlier = |now: &str, is_known: bool, usual: &[&str]| {
            let mut payment = payment_after(&[], now, is_known);
            payment.facts.usual_amount = UsualAmount::from_amounts(usual.iter().map(|text| amount(text)).collect());
            payment.findings().into_iter().find(|finding| finding.rule == RULE)
        };
        let finding = outlier("5000", false, &["50", "9000", "7"]).unwrap();
        assert_eq!((finding.severity, finding.override_phrase), (Severity::Danger, Some("unusual amount")));
        assert!(
            finding.message.starts_with("This is 100 times as much USDC as is usually paid at once"),
            "{}",
            finding.message
        );
        assert_eq!(finding.lines[1], "usual   50 USDC, the median of 3 payments");
        assert_eq!(outlier("499.999999", false, &["50", "9000", "7"]), None);
        assert_eq!(outlier("5000", false, &["50", "7"]), None, "two payments say nothing of what is usual");
        assert_eq!(outlier("5000", true, &["50", "9000", "7"]), None, "it was paid before");
    }

    #[rstest]
    #[case("49.999999", None)]
    #[case("50", Some("50%"))]
    #[case("99.2", Some("99%"))]
    #[case("100", Some("100%"))]
    fn half_of_a_balance_to_whom_nobody_paid_is_a_danger(#[case] now: &str, #[case] percent: Option<&str>) {
        let outlier = |is_known: bool, basis: BalanceBasis| {
            let mut payment = payment_after(&[], now, is_known);
            let funds = payment.facts.funds.as_mut().unwrap();
            (funds.amount, funds.basis) = (Some(amount("100")), basis);
            payment.findings().into_iter().find(|finding| finding.rule == RULE)
        };
        let finding = outlier(false, BalanceBasis::Reported);
        assert_eq!(finding.as_ref().map(|finding| finding.override_phrase), percent.map(|_| Some("half the balance")));
        let message = finding.map(|finding| finding.message).unwrap_or_default();
        let expected =
            percent.map(|percent| format!("{percent} of the balance goes to a recipient that this console has never"));
        assert!(message.starts_with(&expected.unwrap_or_default()), "{message}");
        assert_eq!(outlier(true, BalanceBasis::Reported), None, "it was paid before");
        assert_eq!(
            outlier(false, BalanceBasis::Unknown),
            None,
            "then the rule of the balance says that it is not known"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn less_than_ten_times_the_largest_is_usual(before in prop::collection::vec(1_u32..1_000_000, 1..6), now in 1_u32..10_000_000) {
            let mut payment = Payment::to(SUPPLIER).of(&now.to_string());
            payment.facts.earlier_amounts = before.iter().map(|earlier| amount(&earlier.to_string())).collect();
            let largest = before.iter().copied().max().unwrap();
            prop_assert_eq!(payment.max_severity(RULE).is_some(), now / 10 >= largest);
        }

        #[test]
        fn from_half_of_the_balance_on_it_is_a_danger(balance in 1_u64..1_000_000_000, now in 1_u64..1_000_000_000, digits in 6_u8..=18) {
            let units = |raw: u64| Amount::new(ruint::aliases::U256::from(raw), 6).unwrap();
            let mut payment = Payment::to(SUPPLIER).of(&units(now).to_string());
            payment.facts.funds.as_mut().unwrap().amount = units(balance).rescaled(digits);
            let half = payment.findings().iter().any(|finding| finding.override_phrase == Some("half the balance"));
            prop_assert_eq!(half, u128::from(now) * 2 >= u128::from(balance));
        }
    }
}
