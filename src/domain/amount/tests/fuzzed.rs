//! Amounts of any text: exactly those that the grammar has, and no other value than the digits say.

use ruint::aliases::U256;

use super::{Amount, AmountError, ReportedAmount, is_valid_decimal};
use crate::fuzzing::{choice, decimal, target, text};

/// The value of so many smallest units.
fn format_raw(raw: &str, decimals: u8) -> Option<(String, i64)> {
    decimal(&format!("{raw}e-{decimals}"))
}

#[test]
fn what_is_typed_is_the_amount_that_is_read_or_it_is_refused() {
    let seeds: [&[u8]; 10] = [
        b"\x061234.56",
        b"\x120.000000000000000001",
        b"\x000",
        b"\x061,000.5",
        b"\x06007.50",
        b"\x12-1e18",
        b"\x4d0.1",
        b"\x00115792089237316195423570985008687907853269984665640564039457584007913129639935",
        b"\x02 1.005",
        "\x06１２.５".as_bytes(),
    ];
    target(&seeds, |input| {
        let (decimals, rest) = choice(input, 80);
        let (decimals, typed) = (u8::try_from(decimals).unwrap(), text(rest));
        match Amount::parse(typed, decimals) {
            Ok(amount) => {
                assert!(is_valid_decimal(typed), "{typed}");
                assert_eq!(decimal(&amount.to_string()), decimal(typed));
                assert_eq!(format_raw(&amount.raw().to_string(), decimals), decimal(typed));
                assert_eq!(Amount::parse(&amount.to_string(), decimals), Ok(amount));
                assert_eq!(Amount::parse_raw(&amount.raw().to_string(), decimals), Some(amount));
            }
            Err(AmountError::TooPrecise { longest, .. }) => {
                assert!(is_valid_decimal(typed) && typed.starts_with(&longest), "{typed}: {longest}");
                assert!(matches!(Amount::parse(&longest, decimals), Ok(_) | Err(AmountError::TooLarge)), "{longest}");
            }
            Err(AmountError::TooSmall { least, .. }) => {
                assert!(
                    is_valid_decimal(typed) && decimal(typed).is_some_and(|value| !value.0.is_empty()),
                    "{typed}: {least}"
                );
                assert_eq!(Amount::parse(&least, decimals).map(Amount::raw), Ok(U256::ONE));
            }
            Err(AmountError::TooLarge) => {
                let (digits, power) = decimal(typed).unwrap();
                let length = i64::try_from(digits.len()).unwrap() + power + i64::from(decimals);
                assert!(is_valid_decimal(typed) && length >= 78, "{typed} with {decimals}");
            }
            Err(AmountError::Decimals(reported)) => assert!(reported == decimals && decimals > Amount::MAX_DECIMALS),
            Err(error) => assert!(!is_valid_decimal(typed), "{typed}: {error}"),
        }
    });
}

#[test]
fn an_amount_that_a_service_states_is_the_one_that_it_wrote() {
    let seeds: [&[u8]; 8] = [
        b"\x061250.5\n1250500000",
        b"\x121e-18\n1",
        b"\x06\n77",
        b"\x505.895e14\n",
        b"\x061.5\n1",
        b"\x06-1\n-1000000",
        b"\x06x\n5",
        b"\x060001.50E+03\n1500000000",
    ];
    target(&seeds, |input| {
        let (decimals, rest) = choice(input, 81);
        let decimals = u8::try_from(decimals).ok().filter(|decimals| *decimals < 80);
        let (formatted, raw) = text(rest).split_once('\n').unwrap_or((text(rest), ""));
        let (formatted_value, raw_value) =
            (decimal(formatted), decimals.and_then(|decimals| format_raw(raw, decimals)));
        let readable_raw = decimals.and_then(|decimals| Amount::parse_raw(raw, decimals));
        match ReportedAmount::parse(Some(formatted), Some(raw), decimals) {
            Some(ReportedAmount::Exact(amount)) => {
                let value = decimal(&amount.to_string());
                assert!(formatted.is_empty() || value == formatted_value, "{formatted} was read as {amount}");
                assert!(raw.is_empty() || decimals.is_none() || value == raw_value, "{raw} was read as {amount}");
            }
            Some(ReportedAmount::Disputed { raw: amount, .. }) => {
                let value = decimal(&amount.to_string());
                assert!(!formatted.is_empty() && !raw.is_empty() && decimals.is_some());
                assert_eq!(value, if readable_raw.is_some() { raw_value } else { formatted_value });
            }
            None => assert_eq!(readable_raw, None, "{formatted} and {raw} lost the integer"),
        }
    });
}
