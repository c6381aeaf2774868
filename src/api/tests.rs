//! Laws of reading: whatever comes, nothing falls over and no figure is told that the service did not tell.

use proptest::prelude::*;

use super::envelope::Payload;
use super::v2::{transactions, users};
use super::{WireNames, body};
use crate::domain::history::Page;
use crate::domain::{Amount, Direction, Failure, ReportedAmount, ReportedBalance, UserId};

mod fuzzed;

const TRANSACTIONS: &str = include_str!("../../tests/suite/wire/transactions.json");
const ODD: &str = include_str!("../../tests/suite/wire/transactions-odd.json");
const BALANCES: &str = include_str!("../../tests/suite/wire/balances.json");
const TOKENS: &str = include_str!("../../tests/suite/wire/tokens-1.json");

fn balances_of(body: &str) -> Option<Vec<ReportedAmount>> {
    Some(balances(body).ok()?.items.into_iter().map(|balance| balance.amount).collect())
}

fn balances(body: &str) -> Result<Page<ReportedBalance>, Failure> {
    Payload::parse(body)?.page_or_object(|fields| users::parse_balance(fields, &UserId::from_text("u")))
}

#[test]
fn an_answer_that_ends_early_is_refused_wherever_it_ends() {
    for whole in [TRANSACTIONS, ODD, BALANCES, TOKENS] {
        let whole = whole.trim_end();
        for end in (0..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
            let cut = &whole[..end];
            assert!(Payload::parse(cut).is_err(), "cut at byte {end}");
            assert!(body::check_depth(cut, 64).is_ok());
        }
        assert!(Payload::parse(whole).is_ok());
    }
}

/// Values that a field may wrongly have.
const FOREIGN_BYTES: [&str; 16] = [
    "null",
    "true",
    "\"\"",
    "\" \"",
    "\"text\"",
    "0",
    "-1",
    "7",
    "1.5",
    "1e400",
    "-1e-400",
    "1E+100",
    "[]",
    "[[\"a\"],{}]",
    "{}",
    "{\"formatted\":[],\"raw\":{}}",
];

/// A figure that is told without a mark must be one that the fixture or the stranger tells.
fn check_figures(reported: &[Option<ReportedAmount>], amounts: &[Amount], context: &str) {
    for figure in reported.iter().flatten().filter_map(ReportedAmount::exact) {
        let is_reported = amounts.iter().any(|amount| amount.cmp_value(figure).is_eq());
        assert!(is_reported, "{figure:?} was told by nobody, with {context}");
    }
}

#[test]
fn a_field_of_any_other_type_loses_no_row_and_makes_no_figure() {
    let sound: serde_json::Value = serde_json::from_str(TRANSACTIONS).unwrap();
    let amount = |text: &str| Amount::parse(text, 18).unwrap();
    let amounts = ["1250.5", "10", "0.000021", "0", "7", "1.5"].map(amount);
    let names: Vec<String> = sound["data"][0].as_object().unwrap().keys().cloned().collect();
    assert_eq!(names.len(), 37, "every field that the specification names");
    for name in &names {
        for stranger in FOREIGN_BYTES {
            let mut rows = sound.clone();
            rows["data"][0][name] = "@".into();
            let body = rows.to_string().replace("\"@\"", stranger);
            let context = format!("{name} = {stranger}");
            let page = transactions::parse_page(&body, &Direction::Incoming, &WireNames::default()).unwrap();
            let [first, .., last] = page.items.as_slice() else {
                assert_eq!((name.as_str(), page.items.len(), page.unreadable), ("id", 1, 1), "{context}");
                continue;
            };
            assert_eq!(page.unreadable, 0, "{context}");
            assert_eq!(last.exact_amount(), Amount::parse("10", 6).ok(), "{context}");
            for row in [first, last] {
                let figures = [&row.amount, &row.total_amount, &row.total_fee].map(Clone::clone);
                check_figures(&figures, &amounts, &context);
            }
        }
    }
}

#[test]
fn a_part_of_an_amount_of_any_other_type_makes_no_figure() {
    for (formatted, raw, decimals) in [("1250.5", "1250500000", "6")] {
        let amounts = [Amount::parse("1250.5", 6).unwrap()];
        for stranger in FOREIGN_BYTES {
            for spoilt in 0..3 {
                let quoted = [format!("\"{formatted}\""), format!("\"{raw}\""), decimals.to_owned()];
                let mut parts = quoted;
                stranger.clone_into(&mut parts[spoilt]);
                let [formatted, raw, decimals] = parts;
                let body = format!(
                    r#"{{"data":[{{"token":{{"decimals":{decimals}}},"amount":{{"formatted":{formatted},"raw":{raw}}}}}]}}"#
                );
                let figures: Vec<_> = balances_of(&body).unwrap().into_iter().map(Some).collect();
                // Two of the three are left, and they tell one figure, none, or a disputed one.
                check_figures(&figures, &amounts, &body);
            }
        }
    }
}

/// Any JSON, small.
fn json() -> impl Strategy<Value = String> {
    let text = proptest::string::string_regex("[a-z\u{0}-\u{20}\u{200b}é\"\\\\]{0,6}").unwrap();
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|flag| flag.to_string()),
        "-?(0|[1-9][0-9]{0,90})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,6})?",
        text.prop_map(|text| serde_json::to_string(&text).unwrap()),
    ];
    let name = prop_oneof![
        Just("id"),
        Just("data"),
        Just("amount"),
        Just("formatted"),
        Just("raw"),
        Just("token"),
        Just("decimals"),
        Just("success"),
        Just("blockchains"),
        Just("symbol"),
        Just("tokenAddress"),
        Just("message"),
        Just("slug")
    ];
    leaf.prop_recursive(5, 60, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec((name.clone(), inner), 0..8).prop_map(|fields| {
                let fields: Vec<_> = fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
                format!("{{{}}}", fields.join(","))
            }),
        ]
    })
}

fn with_bytes_replaced(at: usize, bytes: &[u8]) -> String {
    let mut spoilt = ODD.as_bytes().to_vec();
    let end = (at + bytes.len()).min(spoilt.len());
    spoilt.splice(at..end, bytes.iter().copied());
    String::from_utf8_lossy(&spoilt).into_owned()
}

#[test]
fn answers_that_were_once_misread_are_read_as_what_they_tell() {
    fuzzed::check_reading_laws(&with_bytes_replaced(1_331, b" "));
    let data = r#"{"id":0,"amount":{"formatted":false}}"#;
    for body in [data.to_owned(), format!(r#"{{"success":true,"data":{data}}}"#), format!(r#"{{"data":[{data}]}}"#)] {
        fuzzed::check_reading_laws(&body);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_json_is_read_as_what_it_tells(data in json()) {
        for body in [data.clone(), format!(r#"{{"success":true,"data":{data}}}"#), format!(r#"{{"data":[{data}]}}"#)] {
            fuzzed::check_reading_laws(&body);
        }
    }

    #[test]
    fn any_bytes_are_read_as_what_they_tell(at in 0..ODD.len(), bytes in prop::collection::vec(any::<u8>(), 1..5)) {
        fuzzed::check_reading_laws(&with_bytes_replaced(at, &bytes));
    }

    #[test]
    fn every_amount_is_read_back_exactly(raw in any::<[u64; 4]>(), decimals in 0_u8..=77) {
        let amount = Amount::new(ruint::aliases::U256::from_limbs(raw), decimals).unwrap();
        let digits = amount.raw();
        let whole = format!(
            r#"{{"data":[{{"token":{{"decimals":{decimals}}},"amount":{{"formatted":"{amount}","raw":"{digits}"}}}}]}}"#
        );
        prop_assert_eq!(balances_of(&whole), Some(vec![ReportedAmount::Exact(amount)]));
        let numbers = format!(r#"{{"data":[{{"token":{{"decimals":{decimals}}},"amount":{{"raw":{digits}}}}}]}}"#);
        prop_assert_eq!(balances_of(&numbers), Some(vec![ReportedAmount::Exact(amount)]));
    }
}
