//! Whether the amount is of another order than what the recipient was paid before: a slip of the point, or an account
//! number in the field of the amount.

use super::{Case, Finding, Override, Rule, short};
use crate::domain::Amount;

const RULE: Rule = Rule::Outlier;

/// So many times the largest earlier payment is out of the order.
const TIMES: u16 = 10;
/// From so many earlier payments on they say what is usual. Fewer may have been tests, which are small on purpose.
const USUAL: usize = 3;

pub(super) fn judge(case: &Case<'_>) -> Vec<Finding> {
    let before = &case.known.before;
    let largest = before.iter().copied().reduce(|one, other| if other.cmp_value(one).is_gt() { other } else { one });
    // Ten times what cannot be counted is reached by nothing.
    let reached =
        |largest: Amount| largest.times(TIMES).is_some_and(|bound| case.sender.amount.cmp_value(bound).is_ge());
    let Some(largest) = largest.filter(|largest| !largest.is_zero() && reached(*largest)) else { return Vec::new() };
    let symbol = short(&case.says.token);
    let times = match before.len() {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    };
    let words = format!(
        "This is {TIMES} times as much {symbol} as this recipient ever got at once, or more; it was paid {times}. \
         Look at the amount again."
    );
    let lines = [
        format!("amount   {} {symbol}", case.sender.amount.grouped()),
        format!("largest  {} {symbol}", largest.grouped()),
    ];
    let finding = if before.len() >= USUAL {
        Finding::danger(RULE, Override::UnusualAmount, words)
    } else {
        Finding::caution(RULE, words)
    };
    vec![finding.with(lines)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::super::tests::{Payment, SUPPLIER, amount};
    use super::*;
    use crate::guard::Severity;

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
        let mut payment = Payment::to(SUPPLIER).of(now);
        payment.known.before = before.iter().map(|text| amount(text)).collect();
        assert_eq!(payment.gravest(RULE), expected);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn less_than_ten_times_the_largest_is_usual(before in prop::collection::vec(1_u32..1_000_000, 1..6), now in 1_u32..10_000_000) {
            let mut payment = Payment::to(SUPPLIER).of(&now.to_string());
            payment.known.before = before.iter().map(|paid| amount(&paid.to_string())).collect();
            let largest = before.iter().copied().max().unwrap();
            prop_assert_eq!(payment.gravest(RULE).is_some(), now / 10 >= largest);
        }
    }
}
