use proptest::prelude::*;
use rstest::rstest;
use ruint::aliases::{U256, U512};

use super::{LARGEST_RAW, amount};
use crate::domain::Percent;

fn percent(text: &str) -> Percent {
    Percent::parse(text).unwrap().unwrap()
}

#[rstest]
#[case("25%", "1000", "250")]
#[case("33.3333%", "1000", "333.333")]
#[case("100%", "0.000001", "0.000001")]
#[case("50%", "0.000001", "0")]
#[case("0.0001%", "1000000", "1")]
fn a_share_of_a_balance(#[case] typed: &str, #[case] balance: &str, #[case] expected: &str) {
    let balance = crate::domain::Amount::parse(balance, 6).unwrap();
    assert_eq!(balance.share(percent(typed)).unwrap().to_string(), expected);
}

#[test]
fn what_is_no_share_says_what_would_be() {
    assert_eq!(Percent::parse("25"), None);
    for (typed, expected) in [
        ("%", "an amount is missing"),
        ("0%", "a share of the balance is above 0% and at most 100%"),
        ("100.0001%", "a share of the balance is above 0% and at most 100%"),
        ("-5%", "“-” does not belong in an amount; use digits and one point, as in 1234.56"),
        ("1e2%", "“e” does not belong in an amount; use digits and one point, as in 1234.56"),
        ("25 %", "U+0020 does not belong in an amount; use digits and one point, as in 1234.56"),
        ("5%%", "“%” does not belong in an amount; use digits and one point, as in 1234.56"),
    ] {
        assert_eq!(Percent::parse(typed).unwrap().unwrap_err().to_string(), expected, "{typed}");
    }
    assert!(Percent::parse("12.34567%").unwrap().is_err());
}

proptest! {
    /// Exactly the floor of the fraction, by 512 bits; never more than the balance, and all of it at a hundred.
    #[test]
    fn a_share_is_rounded_down_and_never_above_the_balance(
        limbs in any::<[u64; 4]>(),
        decimals in 0_u8..=77,
        parts in 1_u32..=1_000_000,
    ) {
        let balance = crate::domain::Amount::new(U256::from_limbs(limbs), decimals).unwrap();
        let typed = format!("{}.{:04}%", parts / 10_000, parts % 10_000);
        let share = balance.share(percent(&typed)).unwrap();
        let exact = U512::from(balance.raw()).checked_mul(U512::from(parts)).unwrap();
        prop_assert_eq!(U512::from(share.raw()), exact.checked_div(U512::from(1_000_000)).unwrap());
        prop_assert!(share.raw() <= balance.raw());
        prop_assert_eq!(share.decimals(), decimals);
        prop_assert_eq!(share.raw() == balance.raw(), parts == 1_000_000 || balance.is_zero());
    }
}

#[test]
fn all_of_the_largest_balance_is_the_largest_balance() {
    let largest = amount(LARGEST_RAW, 18);
    assert_eq!(largest.share(percent("100%")), Some(largest));
}
