use std::cmp::Ordering;

use proptest::prelude::*;
use ruint::aliases::{U256, U512};

use super::{Amount, AmountError, ReportedAmount};

mod fuzzed;
mod percent;

/// 2^256 − 1, from the definition of the EVM's largest word.
const LARGEST_RAW: &str = "115792089237316195423570985008687907853269984665640564039457584007913129639935";

fn amount(raw: &str, decimals: u8) -> Amount {
    Amount::parse_raw(raw, decimals).unwrap()
}

/// The grammar as a state machine over bytes, written apart from the parser: `(0|[1-9][0-9]*)(\.[0-9]+)?`.
fn is_valid_decimal(text: &str) -> bool {
    let mut state = 's';
    for byte in text.bytes() {
        state = match (state, byte) {
            ('s', b'0') => 'z',
            ('s', b'1'..=b'9') | ('w', b'0'..=b'9') => 'w',
            ('z' | 'w', b'.') => 'p',
            ('p' | 'f', b'0'..=b'9') => 'f',
            _ => return false,
        };
    }
    matches!(state, 'z' | 'w' | 'f')
}

/// The exact order of two fractions by multiplying crosswise; 2^256 × 10^77 fits into 512 bits.
fn cross_compare(a: Amount, b: Amount) -> Ordering {
    let scaled = |amount: Amount, by: u8| {
        let factor = U512::from(10_u8).checked_pow(U512::from(by)).unwrap();
        U512::from(amount.raw()).checked_mul(factor).unwrap()
    };
    scaled(a, b.decimals()).cmp(&scaled(b, a.decimals()))
}

fn any_amount() -> impl Strategy<Value = Amount> {
    let raw = prop_oneof![
        any::<[u64; 4]>().prop_map(U256::from_limbs),
        any::<u64>().prop_map(U256::from),
        (0_u32..=77, 1_u8..=9)
            .prop_map(|(power, by)| { U256::from(10).pow(U256::from(power)).saturating_mul(U256::from(by)) }),
        (0_u64..4).prop_map(|less| U256::MAX.saturating_sub(U256::from(less))),
    ];
    (raw, 0..=Amount::MAX_DECIMALS).prop_map(|(raw, decimals)| Amount::new(raw, decimals).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_is_parsed_as_the_same_amount(amount in any_amount()) {
        prop_assert_eq!(Amount::parse(&amount.to_string(), amount.decimals()), Ok(amount));
        let raw = amount.raw().to_string();
        prop_assert_eq!(Amount::parse_raw(&raw, amount.decimals()), Some(amount));
    }

    #[test]
    fn the_grouped_form_is_the_plain_one_with_a_comma_before_each_three_whole_digits(amount in any_amount()) {
        let grouped = amount.format_grouped();
        prop_assert_eq!(grouped.replace(',', ""), amount.to_string());
        let whole = grouped.split('.').next().unwrap_or_default();
        let groups: Vec<&str> = whole.split(',').collect();
        prop_assert!((1..=3).contains(&groups[0].len()), "{}", grouped);
        prop_assert!(groups[1..].iter().all(|group| group.len() == 3), "{}", grouped);
        prop_assert!(!grouped.split('.').nth(1).is_some_and(|fraction| fraction.contains(',')), "{}", grouped);
    }

    #[test]
    fn what_is_parsed_is_printed_as_it_was_but_for_needless_zeros(text in r"(0|[1-9][0-9]{0,50})(\.[0-9]{1,18})?") {
        let printed = Amount::parse(&text, 18).unwrap().to_string();
        let trimmed = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        prop_assert_eq!(printed, trimmed);
    }

    #[test]
    fn the_parser_accepts_exactly_the_grammar(
        text in prop_oneof![r"[0-9.,+\-eE_x ]{0,12}", r"0{0,2}[0-9]{0,6}[.]{0,2}[0-9]{0,6}", any::<String>()],
        decimals in 0_u8..=20,
    ) {
        let fraction = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        let acceptable = is_valid_decimal(&text) && fraction <= usize::from(decimals);
        let parsed = Amount::parse(&text, decimals);
        // The strings above are too short to be too large, except arbitrary ones, which are no numbers.
        prop_assert_eq!(parsed.is_ok(), acceptable, "{:?} -> {:?}", text, parsed);
    }

    #[test]
    fn the_integer_agrees_with_that_of_alloy(raw in any::<[u64; 4]>(), decimals in 1..=Amount::MAX_DECIMALS) {
        let amount = Amount::new(U256::from_limbs(raw), decimals).unwrap();
        let reference = alloy_primitives::U256::from_limbs(raw);
        prop_assert_eq!(amount.raw().to_string(), reference.to_string());
        let units = alloy_primitives::utils::format_units(reference, decimals).unwrap();
        prop_assert_eq!(Amount::parse(&units, decimals), Ok(amount), "{}", units);
    }

    #[test]
    fn order_by_value_is_the_order_of_the_fractions(a in any_amount(), b in any_amount()) {
        prop_assert_eq!(a.cmp_value(b), cross_compare(a, b));
        prop_assert_eq!(b.cmp_value(a), cross_compare(b, a));
    }

    #[test]
    fn sums_and_differences_undo_each_other_or_are_refused(a in any_amount(), b in any::<[u64; 4]>()) {
        let b = Amount::new(U256::from_limbs(b), a.decimals()).unwrap();
        match a.checked_add(b) {
            Some(sum) => {
                prop_assert!(sum.cmp_value(a) != Ordering::Less);
                prop_assert_eq!(sum.checked_sub(b), Some(a));
            }
            None => prop_assert!(b.raw() > U256::MAX.saturating_sub(a.raw())),
        }
        prop_assert_eq!(a.checked_sub(b).is_some(), a.raw() >= b.raw());
    }

    #[test]
    fn another_number_of_fraction_digits_keeps_the_value(a in any_amount(), decimals in 0..=Amount::MAX_DECIMALS) {
        if let Some(rescaled) = a.rescaled(decimals) {
            prop_assert_eq!(rescaled.cmp_value(a), Ordering::Equal);
            prop_assert_eq!(rescaled.decimals(), decimals);
            prop_assert_eq!(rescaled.rescaled(a.decimals()), Some(a));
        } else {
            let needed = a.to_string().split_once('.').map_or(0, |(_, fraction)| fraction.len());
            let written = U512::from(a.raw()).checked_mul(
                U512::from(10_u8).pow(U512::from(decimals.saturating_sub(a.decimals()))));
            prop_assert!(needed > usize::from(decimals) || written.unwrap() > U512::from(U256::MAX));
        }
    }

    #[test]
    fn a_stated_amount_never_panics_and_never_invents(
        formatted in proptest::option::of(prop_oneof![r"[0-9]{0,30}\.?[0-9]{0,60}[eE]?[+-]?[0-9]{0,11}", any::<String>()]),
        raw in proptest::option::of(prop_oneof!["[0-9]{0,90}", any::<String>()]),
        decimals in proptest::option::of(any::<u8>()),
    ) {
        let reported = ReportedAmount::parse(formatted.as_deref(), raw.as_deref(), decimals);
        if let Some(amount) = reported.as_ref().and_then(ReportedAmount::exact) {
            // What is called exact agrees with every text that was given and counts.
            let integer = decimals.and_then(|decimals| Amount::parse_raw(raw.as_deref()?, decimals));
            prop_assert!(integer.is_none_or(|integer| integer == amount));
            let has_text = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.is_empty());
            prop_assert!(integer.is_some() || has_text(&formatted));
            prop_assert!(integer.is_some() || !has_text(&raw) || decimals.is_none());
        }
    }

    #[test]
    fn exponent_form_states_the_same_amount(amount in any_amount(), shift in -100_i32..=100) {
        // digits × 10^(shift − decimals), written with the point moved by the shift.
        let plain = amount.to_string();
        let digits = amount.raw().to_string();
        let exponent = -i32::from(amount.decimals());
        let reported = ReportedAmount::parse(Some(&format!("{digits}e{exponent}")), Some(&digits), Some(amount.decimals()));
        prop_assert_eq!(reported, Some(ReportedAmount::Exact(amount)));
        let shifted = ReportedAmount::parse(Some(&format!("{plain}E{shift}")), None, None);
        if shift == 0 {
            prop_assert_eq!(shifted.unwrap().even_if_disputed().cmp_value(amount), Ordering::Equal);
        } else if let Some(shifted) = shifted {
            let ordering = shifted.even_if_disputed().cmp_value(amount);
            prop_assert_eq!(ordering, if amount.is_zero() { Ordering::Equal } else { shift.cmp(&0) });
        }
    }
}

#[test]
fn the_largest_amount_is_read_and_one_more_is_not() {
    let one_more = "115792089237316195423570985008687907853269984665640564039457584007913129639936";
    assert_eq!(Amount::parse(LARGEST_RAW, 0).unwrap().raw(), U256::MAX);
    assert_eq!(Amount::parse(one_more, 0), Err(AmountError::TooLarge));
    assert_eq!(Amount::parse_raw(one_more, 18), None);
    assert_eq!(Amount::parse(LARGEST_RAW, 18), Err(AmountError::TooLarge));
    let most = amount(LARGEST_RAW, 18);
    assert_eq!(most.to_string(), "115792089237316195423570985008687907853269984665640564039457.584007913129639935");
    let unit = amount("1", 18);
    assert_eq!(most.checked_add(unit), None);
    assert_eq!(most.checked_add(Amount::zero(18)), Some(most));
    assert_eq!(most.checked_sub(most), Some(Amount::zero(18)));
    assert_eq!(Amount::zero(18).checked_sub(unit), None);
}

#[test]
fn amounts_of_different_fraction_digits_are_never_added() {
    assert_eq!(amount("1", 6).checked_add(amount("1", 18)), None);
    assert_eq!(amount("1", 6).checked_sub(amount("1", 18)), None);
}

#[test]
fn a_refused_text_says_what_would_be_right() {
    let refused = |text: &str, decimals| Amount::parse(text, decimals).unwrap_err().to_string();
    assert_eq!(refused("", 6), "an amount is missing");
    assert_eq!(refused("1,5", 6), "write the fraction with a point and no thousands separator: 1234.56");
    assert_eq!(refused("-1", 6), "“-” does not belong in an amount; use digits and one point, as in 1234.56");
    assert_eq!(refused(" 1", 6), "U+0020 does not belong in an amount; use digits and one point, as in 1234.56");
    assert_eq!(
        refused("1\u{1b}[2J", 6),
        "U+001B does not belong in an amount; use digits and one point, as in 1234.56"
    );
    assert_eq!(refused("١", 6), "U+0661 does not belong in an amount; use digits and one point, as in 1234.56");
    for form in [".5", "5.", ".", "1.2.3", "1..2"] {
        assert_eq!(refused(form, 6), "an amount has digits on both sides of its point, and one point at most: 0.5");
    }
    assert_eq!(refused("007.50", 6), "an amount has no leading zero; write 7.50");
    assert_eq!(refused("00", 6), "an amount has no leading zero; write 0");
    assert_eq!(refused("1.2345678", 6), "this token has 6 fraction digits; shorten the amount to 1.234567");
    assert_eq!(refused("0.0000001", 6), "this token has 6 fraction digits; the smallest amount is 0.000001");
    assert_eq!(refused("0.5", 0), "this token has 0 fraction digits; the smallest amount is 1");
    assert_eq!(refused("0.0000000", 6), "this token has 6 fraction digits; shorten the amount to 0.000000");
    assert_eq!(refused("1.5", 0), "this token has 0 fraction digits; shorten the amount to 1");
    assert_eq!(refused("1.0000000", 6), "this token has 6 fraction digits; shorten the amount to 1.000000");
    assert_eq!(refused("1", 78), "this token has 78 fraction digits; at most 77 are supported");
}

#[test]
fn a_width_pads_and_a_precision_cuts_nothing() {
    let amount = amount("1234567890", 6);
    assert_eq!(format!("{amount:>12}|{amount:<12}|{amount:^12}"), "  1234.56789|1234.56789  | 1234.56789 ");
    assert_eq!(format!("{amount:.2}"), "1234.56789");
}

#[test]
fn people_see_thousands_grouped_and_nothing_rounded() {
    let grouped = |raw, decimals| amount(raw, decimals).format_grouped();
    assert_eq!(grouped("0", 18), "0");
    assert_eq!(grouped("999", 0), "999");
    assert_eq!(grouped("1000", 0), "1,000");
    assert_eq!(grouped("1234567890123", 6), "1,234,567.890123");
    assert_eq!(grouped("100000000", 6), "100");
    assert_eq!(grouped("1", 18), "0.000000000000000001");
    assert_eq!(
        grouped(LARGEST_RAW, 77),
        "1.15792089237316195423570985008687907853269984665640564039457584007913129639935"
    );
}

#[test]
fn an_integer_and_its_formatted_twin_agree_or_are_disputed() {
    let read = |formatted, raw, decimals| ReportedAmount::parse(formatted, raw, decimals);
    let exact = |raw, decimals| Some(ReportedAmount::Exact(amount(raw, decimals)));
    let disputed = |raw, decimals, formatted: &str| {
        Some(ReportedAmount::Disputed { raw: amount(raw, decimals), formatted: formatted.into() })
    };

    assert_eq!(read(Some("1.5"), Some("1500000"), Some(6)), exact("1500000", 6));
    assert_eq!(read(Some("1.500000000"), Some("1500000"), Some(6)), exact("1500000", 6));
    assert_eq!(read(Some("15e-1"), Some("1500000"), Some(6)), exact("1500000", 6));
    assert_eq!(read(None, Some("1500000"), Some(6)), exact("1500000", 6));
    assert_eq!(read(Some(""), Some("1500000"), Some(6)), exact("1500000", 6));
    assert_eq!(read(Some("1.5"), None, Some(6)), exact("1500000", 6));
    assert_eq!(read(Some("1.5"), Some(""), Some(6)), exact("1500000", 6));
    assert_eq!(read(Some("1.50"), Some("1500000"), None), exact("15", 1));
    assert_eq!(read(Some("1.2345678"), None, Some(6)), exact("12345678", 7));

    assert_eq!(read(Some("1.6"), Some("1500000"), Some(6)), disputed("1500000", 6, "1.6"));
    assert_eq!(read(Some("1,500.0"), Some("1500000"), Some(6)), disputed("1500000", 6, "1,500.0"));
    assert_eq!(read(Some("\u{1b}[31m1.5"), Some("1500000"), Some(6)), disputed("1500000", 6, "�[31m1.5"));
    assert_eq!(read(Some("1.5"), Some("-1500000"), Some(6)), disputed("1500000", 6, "-1500000"));
    assert_eq!(read(Some("1.5"), Some("0x16e360"), Some(6)), disputed("1500000", 6, "0x16e360"));

    for nothing in
        [(None, None, None), (None, Some("5"), None), (Some("abc"), Some("-5"), Some(6)), (Some("-1"), None, None)]
    {
        assert_eq!(read(nothing.0, nothing.1, nothing.2), None, "{nothing:?}");
    }
}

#[test]
fn exponents_and_digits_are_bounded_and_their_grammar_is_kept() {
    let read = |text: &str| {
        ReportedAmount::parse(Some(text), None, None).map(|reported| reported.even_if_disputed().to_string())
    };
    let some_text = |text: &str| Some(text.to_owned());
    assert_eq!(read("1e0"), some_text("1"));
    assert_eq!(read("1E+3"), some_text("1000"));
    assert_eq!(read("1.25e-7"), some_text("0.000000125"));
    assert_eq!(read("0e-100"), some_text("0"));
    assert_eq!(read("0.0"), some_text("0"));
    assert_eq!(read("12.5e1"), some_text("125"));
    assert_eq!(read("1e77"), Some(format!("1{}", "0".repeat(77))));
    assert_eq!(read("1e-77"), Some(format!("0.{}1", "0".repeat(76))));
    assert_eq!(read(LARGEST_RAW), some_text(LARGEST_RAW));
    let long = format!("{}.{}", "1".repeat(40), "5".repeat(38));
    assert_eq!(read(&long).as_deref(), Some(long.as_str()));
    for unreadable in [
        "1e78",
        "1e-78",
        "1e101",
        "0e101",
        "1e-101",
        "1e2147483647",
        "1e-2147483648",
        "1e99999999999999999999",
        "1e",
        "1e+",
        "1e+-3",
        "1e++3",
        "e5",
        ".5",
        "5.",
        "1.e5",
        "+1",
        "-1",
        "1_0",
        "0x10",
        " 1",
        "1 ",
        "1e1.5",
        "NaN",
        "١",
    ] {
        assert_eq!(read(unreadable), None, "{unreadable}");
    }
    assert_eq!(read(&format!("{}.{}", "1".repeat(40), "5".repeat(39))), None);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_sum_by_value_is_the_sum_of_both(one in any::<u64>(), other in any::<u64>(), a in 0_u8..20, b in 0_u8..20, times in 0_u16..200) {
        let (one, other) = (Amount::new(U256::from(one), a).unwrap(), Amount::new(U256::from(other), b).unwrap());
        let sum = one.checked_add_rescaled(other).unwrap();
        prop_assert_eq!(sum.decimals(), a.max(b));
        prop_assert_eq!(other.checked_add_rescaled(one), Some(sum));
        prop_assert_eq!(sum.checked_sub(other.rescaled(sum.decimals()).unwrap()), one.rescaled(sum.decimals()));
        let many = (0..times).try_fold(Amount::zero(a), |sum, _| sum.checked_add(one)).unwrap();
        prop_assert_eq!(one.checked_mul(times), Some(many));
    }
}

#[test]
fn what_is_too_large_has_no_sum() {
    let most = Amount::new(U256::MAX, 6).unwrap();
    assert_eq!((most.checked_add_rescaled(most), most.checked_mul(2)), (None, None));
    assert_eq!(most.checked_add_rescaled(Amount::zero(7)), None);
    assert_eq!(most.checked_add_rescaled(Amount::zero(5)), Some(most));
}

/// How a comma reads is said where it can be read in one way, and never guessed elsewhere.
#[test]
fn commas_are_answered_with_what_they_read_as_and_never_taken() {
    let thousands = |plain: &str| AmountError::Thousands(plain.to_owned());
    let either = |thousands: &str, fraction: &str| AmountError::Ambiguous {
        thousands: thousands.to_owned(),
        fraction: fraction.to_owned(),
    };
    for (typed, error) in [
        ("12,500.00", thousands("12500.00")),
        ("1,234,567", thousands("1234567")),
        ("1,234,567.5", thousands("1234567.5")),
        ("1,234", either("1234", "1.234")),
        ("12,5", AmountError::Comma),
        ("12.500,00", AmountError::Comma),
        ("1,23,456.00", AmountError::Comma),
        ("0,500.5", AmountError::Comma),
        ("1234,567.5", AmountError::Comma),
        ("12,500.", AmountError::Comma),
        ("12,500.0.0", AmountError::Comma),
        (",500.0", AmountError::Comma),
        ("1,,500.0", AmountError::Comma),
        ("1,٥٠٠.0", AmountError::Comma),
    ] {
        let offered = if let AmountError::Thousands(plain) = &error { Some(plain.clone()) } else { None };
        assert_eq!(super::without_thousands_separators(typed), offered, "{typed}");
        assert_eq!(Amount::parse(typed, 6), Err(error), "{typed}");
    }
    assert_eq!(super::without_thousands_separators("12500.00"), None);
    // What the console itself groups reads as itself, or is one of two.
    let grouped = Amount::parse("1234567.89", 6).unwrap().format_grouped();
    assert_eq!(super::without_thousands_separators(&grouped).as_deref(), Some("1234567.89"));
}

#[test]
fn an_amount_as_written_has_the_digits_that_it_shows() {
    for (text, grouped) in [("1000", "1,000"), ("1234567.89", "1,234,567.89"), ("0.5", "0.5")] {
        assert_eq!(Amount::parse_as_written(text, Amount::MAX_DECIMALS).unwrap().format_grouped(), grouped);
    }
    assert_eq!(Amount::parse_as_written("12.345", 6).unwrap().decimals(), 3);
    assert!(matches!(Amount::parse_as_written("12.345", 2), Err(AmountError::TooPrecise { .. })));
}
