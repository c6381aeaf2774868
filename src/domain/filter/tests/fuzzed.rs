//! Filters of any text: what is asked for is asked for, in whatever order and however often it is typed.

use std::sync::Arc;

use super::super::{Filter, FilterContext, RowPredicate, fold_case, split_words};
use crate::domain::history::PriceList;
use crate::domain::{Amount, Timestamp};
use crate::fuzzing::{target, text};

#[test]
fn a_filter_asks_for_what_its_words_ask_and_more_words_narrow_it() {
    let seeds: [&[u8]; 11] = [
        b"dir:out token:usdc 0x52",
        b"from:2026-11-01 to:2026",
        b"amount:>=1,000.50 amount:<2",
        b"\"dir:out\" \"a",
        b"status:pend ref:INV-7 note:rent",
        b"from:0xde70 to:2026-11-01T12:30",
        "İstanbul ΑΣ ß".as_bytes(),
        b"fom:x http://a amount:>x dir:y",
        b"1,234.5 ,, amount:,",
        b"age:>30m new:no value:<1.5k from:-7d date:monday to:xyz status:stuck",
        b"last month from:this week today -7d month last",
    ];
    let one = Amount::parse("1", 0).unwrap();
    let context = FilterContext {
        now: Timestamp::parse_iso("2026-11-23T12:34:56Z"),
        prices: PriceList { token: "USDT".into(), at: None, prices: vec![("USDT".into(), one)] },
        row_changes: Some(Arc::default()),
        ..FilterContext::default()
    };
    let parse = |typed: &str| Filter::parse(typed, &context);
    target(&seeds, |input| {
        let typed = text(input);
        let filter = parse(typed);
        for term in &filter.terms {
            match &term.predicate {
                RowPredicate::Contains(needle) => {
                    assert!(!needle.is_empty() && fold_case(needle) == *needle, "{typed}: {needle}");
                }
                RowPredicate::Amount(_, bound) | RowPredicate::Value(_, bound, _) => {
                    assert_eq!(Amount::parse(&bound.to_string(), bound.decimals()), Ok(*bound));
                }
                RowPredicate::NotBefore(at) | RowPredicate::Before(at) | RowPredicate::OlderThanUsual(at) => {
                    let range =
                        Timestamp::parse_iso("1970-01-01T00:00:00Z")..=Timestamp::parse_iso("2200-01-01T00:00:00Z");
                    assert!(range.contains(&Some(*at)), "{typed}: {at}");
                }
                RowPredicate::Internal(_) | RowPredicate::New(..) => {}
            }
        }
        for fault in &filter.faults {
            assert!(!fault.word.is_empty() && !fault.message.is_empty(), "{typed}");
        }
        assert!(filter.narrows(&filter) && filter.narrows(&Filter::default()), "{typed}");
        let more = parse(&format!("{typed} rent"));
        assert!(more.narrows(&filter) && more.faults == filter.faults, "{typed} rent");
        // Words in another order may become a period.
        let words = split_words(typed);
        let backwards = words.iter().rev().copied().collect::<Vec<_>>().join("\t ");
        if split_words(&backwards).len() != words.len() {
            return;
        }
        let backwards = parse(&backwards);
        assert!(backwards.narrows(&filter) && filter.narrows(&backwards), "{typed} backwards");
        assert_eq!(
            (backwards.terms.len(), backwards.faults.len()),
            (filter.terms.len(), filter.faults.len()),
            "{typed}"
        );
        let twice = format!("{typed} {typed}");
        if split_words(&twice).len() == 2 * words.len() {
            assert_eq!(parse(&twice).terms, filter.terms, "{typed} twice");
        }
    });
}
