use proptest::prelude::*;
use ruint::aliases::U256;

use super::*;

fn amount(text: &str, decimals: u8) -> Amount {
    Amount::parse(text, decimals).unwrap()
}

fn quote(sold: &str, bought: &str) -> Quote {
    Quote {
        from_coin: "ETH".into(),
        from_amount: ReportedAmount::Exact(amount(sold, 18)),
        to_coin: "USDT".into(),
        to_amount: ReportedAmount::Exact(amount(bought, 6)),
        fee: None,
        swap_price: None,
    }
}

fn worth(text: &str) -> ValuationAmount {
    ValuationAmount(text.parse().unwrap())
}

#[test]
fn a_rate_follows_from_what_is_sold_and_bought() {
    let rate = Rate::from_swap_quote(&quote("2", "6200.5")).unwrap();
    assert_eq!(rate.format_rate(), "3,100.25");
    assert_eq!(rate.worth(amount("0.5", 18)).unwrap().format_short(), "1.55k");
    assert_eq!(Rate::from_swap_quote(&quote("2", "0")), None, "nothing bought is no price of zero");
    assert_eq!(Rate::from_swap_quote(&quote("0", "1")), None);
    assert_eq!(Rate::from_swap_quote(&quote("1000000", "9.4")).unwrap().format_rate(), "0.0000094");
}

#[test]
fn a_value_is_short_and_never_zero_where_there_is_something() {
    let short = [
        ("0", "0.00"),
        ("0.004", "<0.01"),
        ("0.005", "0.01"),
        ("12.345", "12.35"),
        ("999.994", "999.99"),
        ("999.996", "1.00k"),
        ("612345", "612k"),
        ("1204331.2", "1.20M"),
        ("99950", "100k"),
        ("999499", "999k"),
        ("999500", "1.00M"),
        ("5540000000", "5.54B"),
        ("999600000000000", ">999T"),
    ];
    for (value, expected) in short {
        assert_eq!(worth(value).format_short(), expected, "{value}");
        assert!(worth(value).format_short().len() <= 6);
    }
}

#[test]
fn an_amount_beyond_96_bits_is_valued_by_its_first_digits() {
    let shib = amount("589500000000000.123456789012345678", 18);
    let rate = Rate::from_swap_quote(&quote("1000000", "10")).unwrap();
    assert_eq!(rate.worth(shib).unwrap().format_short(), "5.90B");
    let vast = Amount::new(U256::MAX, 18).unwrap();
    assert_eq!(rate.worth(vast), None, "whole digits are never cut off");
    assert_eq!(rate.worth(Amount::new(U256::MAX, 77).unwrap()).unwrap().format_short(), "<0.01");
}

#[test]
fn a_drift_has_its_sign_and_two_digits() {
    let (before, after) = (Rate(Decimal::from(200)), Rate(Decimal::new(2003, 1)));
    assert_eq!(after.change_since(before).unwrap().format_percent(), "+0.15%");
    assert_eq!(before.change_since(after).unwrap().format_percent(), "−0.15%");
    assert_eq!(before.change_since(before).unwrap().format_percent(), "0.00%");
    assert_eq!(Rate(Decimal::new(200_005, 3)).change_since(before).unwrap().format_percent(), "0.00%");
}

#[test]
fn a_share_is_a_percentage_rounded_once() {
    let whole = worth("1000");
    for (part, percent) in [
        ("1000", "100.0%"),
        ("266.9", "26.7%"),
        // Rounded first to 26.65, this would become 26.7.
        ("266.49999", "26.6%"),
        ("266.5", "26.7%"),
        ("0.49", "<0.1%"),
        ("0.5", "0.1%"),
        ("0", "0.0%"),
    ] {
        assert_eq!(worth(part).share_of(whole).map(super::ValueShare::format_percent).as_deref(), Some(percent));
    }
    let share = worth("189250.37").share_of(worth("657355.59")).unwrap();
    assert_eq!((share.format_percent().as_str(), share.format_plain().as_str()), ("28.8%", "28.79"));
    assert_eq!(worth("0").share_of(worth("0")), None);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Two shares of one whole add up to it as shown, but for those too small to show.
    #[test]
    fn both_shares_of_a_whole_add_up_to_it(one in 1_u32.., other in 1_u32..) {
        let whole = ValuationAmount(Decimal::from(u64::from(one) + u64::from(other)));
        let tenths = |part: u32| -> Option<u32> {
            let text = ValuationAmount(Decimal::from(part)).share_of(whole)?.format_percent();
            text.trim_end_matches('%').replace('.', "").parse().ok()
        };
        if let Some((one, other)) = tenths(one).zip(tenths(other)) {
            // Both are rounded up where both lie in the middle.
            prop_assert!(one + other == 1_000 || one + other == 1_001);
        }
    }

    #[test]
    fn a_value_at_a_rate_of_one_is_the_amount_as_far_as_28_digits_go(raw in prop::array::uniform32(0_u8..), decimals in 0_u8..=77) {
        let amount = Amount::new(U256::from_be_bytes(raw) >> 100, decimals).unwrap();
        let Some(value) = Rate::ONE.worth(amount) else {
            prop_assert!(amount.decimal_parts().0.len() > 28);
            return Ok(());
        };
        let (whole, fraction) = amount.decimal_parts();
        let full = format!("{whole}.{fraction}0");
        let text = value.0.to_string();
        prop_assert!(full.starts_with(text.trim_end_matches('0')) || text == "0", "{text} of {full}");
        prop_assert!(value.format_short().chars().count() <= 6);
    }

    #[test]
    fn an_amount_that_fits_is_the_same_decimal_as_by_its_digits(raw in 0_u128.., shift in 0_u32..128, decimals in 0_u8..=77) {
        let amount = Amount::new(U256::from(raw >> shift), decimals).unwrap();
        let with_scale = |decimal: Option<Decimal>| decimal.map(|decimal| (decimal, decimal.scale()));
        prop_assert_eq!(with_scale(to_decimal(amount)), with_scale(to_decimal_by_digits(amount)));
    }

    #[test]
    fn a_rate_lies_at_its_share_of_the_highest(one in 1_u64..1_000_000_000, other in 1_u64..1_000_000_000, steps in 1_u16..50) {
        let [rate, most] = [one.min(other), one.max(other)];
        let step = Rate(rate.into()).axis_step_from_zero(Rate(most.into()), steps);
        let (exact, drawn) = (rate * u64::from(steps), u64::from(step) * most);
        prop_assert!(exact.abs_diff(drawn) <= most / 2 + 1);
    }

    #[test]
    fn an_axis_reaches_around_its_rates_and_shows_a_change_below_a_hundredth_flat(
        one in 1_000_u64..1_000_000_000,
        other in 1_000_u64..1_000_000_000,
        hundredths in 0_u64..100,
    ) {
        let [least, most] = [one.min(other), one.max(other)].map(|rate| Rate(rate.into()));
        let (lower, upper) = Rate::axis_ends(least, most).unwrap();
        prop_assert!(Decimal::ZERO < lower.0 && lower <= least && most <= upper);
        prop_assert!((upper.0 - lower.0) * Decimal::from(4) >= most.0);
        let near = Rate(most.0 - most.0 * Decimal::from(hundredths) / Decimal::from(10_000));
        let (lower, upper) = Rate::axis_ends(near, most).unwrap();
        let [low, high] = [near, most].map(|rate| rate.axis_step_between(lower, upper, 24));
        prop_assert!(high - low <= 1, "{low} {high}");
        let ends = [lower, upper].map(|rate| rate.axis_step_between(lower, upper, 24));
        prop_assert_eq!(ends, [0, 24]);
    }
}
