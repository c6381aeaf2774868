use super::term::{AMOUNT_HINT, DIRECTION_HINT, INTERNAL_HINT, NEW_HINT, NO_ABSENCE, NO_PRICES, VALUE_HINT};
use super::time::{ADDRESS_OR_TIME_HINT, AGE_HINT, DATE_HINT, NO_CLOCK, NO_SUCH_DAY, TIME_HINT};
use super::*;
use crate::domain::{Text, TransactionId};

mod fuzzed;

fn terms(text: &str) -> Vec<FilterTerm> {
    let filter = Filter::from(text);
    assert_eq!(filter.faults, [], "{text}");
    filter.terms
}

fn contains_term(field: Option<FilterField>, needle: &str) -> FilterTerm {
    FilterTerm { field, predicate: RowPredicate::Contains(needle.into()) }
}

fn at(iso: &str) -> Timestamp {
    Timestamp::parse_iso(iso).unwrap()
}

#[test]
fn words_name_fields_and_the_others_look_everywhere() {
    assert_eq!(
        terms("dir:out TOKEN:Usdc 1,204.5 \"inv:7\" dir: dir:out"),
        [
            contains_term(Some(FilterField::Direction), "out"),
            contains_term(Some(FilterField::Token), "usdc"),
            contains_term(None, "1204.5"),
            contains_term(None, "inv:7"),
        ]
    );
    // What has a colon of its own needs no quotes where no name stands before it.
    for text in ["12:30", "https://example.com/?a:b", "eip155:1", "0xab:2", ":x"] {
        assert_eq!(terms(text), [contains_term(None, text)]);
    }
    assert_eq!(terms("\"dir:sideways"), [contains_term(None, "dir:sideways")]);
    assert_eq!(terms(", note:,"), [contains_term(Some(FilterField::Note), ",")]);
}

#[test]
fn a_stretch_of_the_calendar_bounds_the_time_and_an_address_does_not() {
    let term = |field, test| FilterTerm { field: Some(field), predicate: test };
    assert_eq!(
        terms("from:2026-11-01 to:2026-11"),
        [
            term(FilterField::From, RowPredicate::NotBefore(at("2026-11-01T00:00:00Z"))),
            term(FilterField::To, RowPredicate::Before(at("2026-12-01T00:00:00Z")))
        ]
    );
    assert_eq!(
        terms("from:0x3f2a to:9999 to:20261101"),
        [
            contains_term(Some(FilterField::From), "0x3f2a"),
            contains_term(Some(FilterField::To), "9999"),
            contains_term(Some(FilterField::To), "20261101")
        ]
    );
}

#[test]
fn amounts_are_compared_exactly() {
    let thousand = Amount::parse("1000.50", 2).unwrap();
    for (text, side) in [
        ("amount:>1,000.50", AmountOperator::Above),
        ("amount:>=1000.50", AmountOperator::AtLeast),
        ("amount:<1000.50", AmountOperator::Below),
        ("amount:<=1000.50", AmountOperator::AtMost),
    ] {
        assert_eq!(
            terms(text),
            [FilterTerm { field: Some(FilterField::Amount), predicate: RowPredicate::Amount(side, thousand) }],
            "{text}"
        );
    }
    for (side, expected) in [
        (AmountOperator::Above, [false, false, true]),
        (AmountOperator::AtLeast, [false, true, true]),
        (AmountOperator::Below, [true, false, false]),
        (AmountOperator::AtMost, [true, true, false]),
    ] {
        assert_eq!(
            [Ordering::Less, Ordering::Equal, Ordering::Greater].map(|ordering| side.accepts_ordering(ordering)),
            expected
        );
    }
}

#[test]
fn what_nobody_understands_is_told_and_asks_for_nothing() {
    for (text, says) in [
        ("from:2026-13", TIME_HINT),
        ("from:2026-", TIME_HINT),
        ("to:2026-11-31", TIME_HINT),
        ("amount:>", AMOUNT_HINT),
        ("amount:>=1.", AMOUNT_HINT),
        ("amount:<many", AMOUNT_HINT),
        ("amount:>-5", AMOUNT_HINT),
        ("dir:sideways", DIRECTION_HINT),
        ("dir:ut", DIRECTION_HINT),
        ("bogus:x", "no field is called bogus; \"bogus:x\" in quotes searches everywhere"),
        ("bogus:", "no field is called bogus; \"bogus:\" in quotes searches everywhere"),
    ] {
        let filter = Filter::from(format!("usdc {text}").as_str());
        assert_eq!(filter.terms, [contains_term(None, "usdc")], "{text}");
        assert_eq!(filter.faults, [FilterFault { word: text.into(), message: says.into() }], "{text}");
    }
}

#[test]
fn a_word_that_can_be_none_of_its_field_is_a_fault_and_finds_nothing() {
    let end = |name: &str| format!("{name} {ADDRESS_OR_TIME_HINT}");
    for (text, says) in [
        ("from:xyz", end("from:")),
        ("to:harbour", end("to:")),
        ("from:12:30", end("from:")),
        ("from:yestoday", end("from:")),
        ("from:-x", TIME_HINT.to_owned()),
        ("from:-7", TIME_HINT.to_owned()),
        ("date:soon", DATE_HINT.to_owned()),
        ("date:>2026-11-28", DATE_HINT.to_owned()),
        ("date:2026-02-30", NO_SUCH_DAY.to_owned()),
        ("date:1999-13-45", NO_SUCH_DAY.to_owned()),
        ("amount:lots", AMOUNT_HINT.to_owned()),
        ("amount:5k", AMOUNT_HINT.to_owned()),
        ("amount:>k", AMOUNT_HINT.to_owned()),
        ("amount:>5.k", AMOUNT_HINT.to_owned()),
        ("value:1000", VALUE_HINT.to_owned()),
        ("value:>", VALUE_HINT.to_owned()),
        ("value:>10", NO_PRICES.to_owned()),
        ("age:30m", AGE_HINT.to_owned()),
        ("age:>30", AGE_HINT.to_owned()),
        ("age:>-1h", AGE_HINT.to_owned()),
        ("age:<usual", AGE_HINT.to_owned()),
        ("internal:maybe", INTERNAL_HINT.to_owned()),
        ("new:maybe", NEW_HINT.to_owned()),
        ("new:yes", NO_ABSENCE.to_owned()),
    ] {
        let context = FilterContext { now: Some(at("2026-11-23T12:00:00Z")), ..FilterContext::default() };
        let filter = Filter::parse(text, &context);
        assert!(filter.is_faulty() && !filter.is_empty() && filter.terms.is_empty(), "{text}");
        assert_eq!(filter.faults, [FilterFault { word: text.into(), message: says }]);
    }
    for (text, usual) in
        [("status:stuck", "pending, success, failed"), ("type:gift", "deposit, withdraw, batch_withdraw")]
    {
        let says = &Filter::from(text).faults[0].message;
        let value = text.split_once(':').unwrap().1;
        assert!(says.contains(usual) && says.contains(&format!("\"{value}\" in quotes")), "{says}");
    }
    for text in ["status:pend", "status:CANCELED", "type:swap", "type:batch", "from:dead", "to:TQvX", "from:bc1q"] {
        assert_eq!(Filter::from(text).faults, [], "{text}");
    }
    assert_eq!(Filter::from("\"stuck\"").terms, [contains_term(None, "stuck")]);
}

#[test]
fn days_and_spans_count_from_now_and_are_faults_where_there_is_no_clock() {
    // A Monday.
    let context = FilterContext { now: Some(at("2026-11-23T12:34:56Z")), ..FilterContext::default() };
    let since = |field, iso| FilterTerm { field: Some(field), predicate: RowPredicate::NotBefore(at(iso)) };
    let before = |field, iso| FilterTerm { field: Some(field), predicate: RowPredicate::Before(at(iso)) };
    for (text, terms) in [
        ("from:today", vec![since(FilterField::From, "2026-11-23T00:00:00Z")]),
        ("from:YESTERDAY", vec![since(FilterField::From, "2026-11-22T00:00:00Z")]),
        ("to:yesterday", vec![before(FilterField::To, "2026-11-23T00:00:00Z")]),
        ("from:monday", vec![since(FilterField::From, "2026-11-23T00:00:00Z")]),
        ("from:tue", vec![since(FilterField::From, "2026-11-17T00:00:00Z")]),
        ("to:sunday", vec![before(FilterField::To, "2026-11-23T00:00:00Z")]),
        ("from:-7d", vec![since(FilterField::From, "2026-11-16T12:34:00Z")]),
        ("to:-90m", vec![before(FilterField::To, "2026-11-23T11:04:00Z")]),
        ("age:>30m", vec![before(FilterField::Age, "2026-11-23T12:04:00Z")]),
        ("age:<2h", vec![since(FilterField::Age, "2026-11-23T10:34:00Z")]),
        (
            "date:today",
            vec![since(FilterField::Date, "2026-11-23T00:00:00Z"), before(FilterField::Date, "2026-11-24T00:00:00Z")],
        ),
        (
            "date:2026-11-01T12",
            vec![since(FilterField::Date, "2026-11-01T12:00:00Z"), before(FilterField::Date, "2026-11-01T13:00:00Z")],
        ),
        ("date:-7d", vec![since(FilterField::Date, "2026-11-16T12:34:00Z")]),
        ("-7d", vec![since(FilterField::Date, "2026-11-16T12:34:00Z")]),
        (
            "Yesterday",
            vec![since(FilterField::Date, "2026-11-22T00:00:00Z"), before(FilterField::Date, "2026-11-23T00:00:00Z")],
        ),
        (
            "last  Month",
            vec![since(FilterField::Date, "2026-10-01T00:00:00Z"), before(FilterField::Date, "2026-11-01T00:00:00Z")],
        ),
        (
            "age:>usual internal:no internal:Y",
            vec![
                FilterTerm {
                    field: Some(FilterField::Age),
                    predicate: RowPredicate::OlderThanUsual(at("2026-11-23T12:34:00Z")),
                },
                FilterTerm { field: Some(FilterField::Internal), predicate: RowPredicate::Internal(false) },
                FilterTerm { field: Some(FilterField::Internal), predicate: RowPredicate::Internal(true) },
            ],
        ),
        ("from:last week", vec![since(FilterField::From, "2026-11-16T00:00:00Z")]),
        ("to:last month", vec![before(FilterField::To, "2026-11-01T00:00:00Z")]),
        ("\"today\" -7 monday", ["today", "-7", "monday"].map(|word| contains_term(None, word)).to_vec()),
    ] {
        let filter = Filter::parse(text, &context);
        assert_eq!((filter.terms, filter.faults), (terms, Vec::new()), "{text}");
    }
    // It stands still within a minute, so that an answer does.
    let later = FilterContext { now: Some(at("2026-11-23T12:34:59Z")), ..FilterContext::default() };
    assert_eq!(Filter::parse("age:>30m", &context), Filter::parse("age:>30m", &later));
    for text in ["from:yesterday", "to:-7d", "age:>30m", "date:monday", "today", "last month", "-7d"] {
        assert_eq!(Filter::from(text).faults[0].message, NO_CLOCK, "{text}");
    }
    // The very first and the very last time there is are no trouble.
    for now in [i64::MIN, 0, i64::MAX] {
        let context = FilterContext { now: Some(Timestamp::from_millis(now)), ..FilterContext::default() };
        for text in ["from:-99999999w", "from:-18446744073709551615y", "age:>999999999w", "from:yesterday"] {
            Filter::parse(text, &context);
        }
    }
}

#[test]
fn days_are_those_of_the_zone_on_the_screen() {
    let zone = Zone::from_offset_function(at("2026-01-01T00:00:00Z"), at("2026-12-31T00:00:00Z"), |moment| {
        if moment < at("2026-10-25T01:00:00Z") { 7_200 } else { 3_600 }
    });
    let context = FilterContext { now: Some(at("2026-11-22T23:30:00Z")), zone, ..FilterContext::default() };
    for (text, since, before) in [
        ("today", "2026-11-22T23:00:00Z", "2026-11-23T23:00:00Z"),
        // Clocks are put back in this month.
        ("last month", "2026-09-30T22:00:00Z", "2026-10-31T23:00:00Z"),
        ("from:2026-11-01 to:2026-11-01", "2026-10-31T23:00:00Z", "2026-11-01T23:00:00Z"),
    ] {
        let filter = Filter::parse(text, &context);
        assert_eq!(filter.time_bounds(), [Some(at(since)), Some(at(before))], "{text}");
    }
    assert_eq!(Filter::parse("age:>1h", &context).time_bounds(), [None, Some(at("2026-11-22T22:30:00Z"))]);
    assert_eq!(Filter::parse("usdc", &context).time_bounds(), [None, None]);
}

#[test]
fn a_period_of_two_words_is_one_word() {
    for (text, expected) in [
        ("usdc last  month dir:in", vec!["usdc", "last  month", "dir:in"]),
        ("from:last week this Year", vec!["from:last week", "this Year"]),
        ("month last this month week", vec!["month", "last", "this month", "week"]),
        ("last last month\tü", vec!["last", "last month", "ü"]),
        (" blast month ", vec!["blast", "month"]),
    ] {
        assert_eq!(split_words(text), expected);
    }
    for (text, word) in [
        ("", ""),
        ("usdc", "usdc"),
        ("usdc ", ""),
        ("dir:in last ", "last "),
        ("dir:in from:last  mo", "from:last  mo"),
        ("last x", "x"),
        ("this month", "this month"),
        ("this month ", ""),
    ] {
        assert_eq!(last_word(text), (text.len() - word.len(), word), "{text}");
    }
}

#[test]
fn thousands_and_millions_are_written_with_a_letter() {
    for (text, number, digits) in [
        ("5k", "5000", 0),
        ("1.5M", "1500000", 0),
        ("0.00125k", "1.25", 2),
        ("2b", "2000000000", 0),
        ("1,200k", "1200000", 0),
    ] {
        let bound = Amount::parse(number, digits).unwrap();
        let test = RowPredicate::Amount(AmountOperator::Above, bound);
        assert_eq!(
            terms(&format!("amount:>{text}")),
            [FilterTerm { field: Some(FilterField::Amount), predicate: test }],
            "{text}"
        );
    }
}

#[test]
fn values_are_compared_by_the_prices_that_are_known() {
    let one = Amount::parse("1", 0).unwrap();
    let prices = PriceList { token: Text::from("USDT"), at: None, prices: vec![("USDT".into(), one)] };
    let context = FilterContext { prices: prices.clone(), ..FilterContext::default() };
    let bound = Amount::parse("1000", 0).unwrap();
    let term = FilterTerm {
        field: Some(FilterField::Value),
        predicate: RowPredicate::Value(AmountOperator::AtLeast, bound, prices),
    };
    assert_eq!(Filter::parse("value:>=1k", &context).terms, [term]);
}

#[test]
fn a_filter_narrows_another_when_a_word_grows_or_is_added() {
    let narrows = |new: &str, old: &str| Filter::from(new).narrows(&Filter::from(old));
    for (new, old) in [
        ("usdc", "usd"),
        ("usdc out", "usdc"),
        ("from:2026-11-02", "from:2026-11"),
        ("to:2026-11-02", "to:2026-11"),
        ("amount:>5 x", "amount:>5"),
    ] {
        assert!(narrows(new, old), "{new} and {old}");
        assert!(!narrows(old, new), "{old} and {new}");
    }
    assert!(!narrows("usdc", "usdc from:xyz"), "a faulty filter finds nothing, and everything else finds more");
    // A word that begins to look like a time looks into more fields than before.
    assert!(!narrows("12:", "12"));
}

#[test]
fn words_without_fields_are_each_found_somewhere_whatever_their_case() {
    let row = ["USDC", "Ethereum", "Ünal & Co"];
    for filter in ["", "  ", "usdc", "ETHER usd", "ünal", "c e"] {
        assert!(AllWordsFilter::parse(filter).matches(row), "{filter:?}");
    }
    for filter in ["usdt", "usdc tron", "usdcethereum"] {
        assert!(!AllWordsFilter::parse(filter).matches(row), "{filter:?}");
    }
}

#[test]
fn a_word_whose_names_or_orders_grew_is_not_looked_for_among_what_it_found_before() {
    let plain = Filter::from("rent");
    let of_orders = |ids: &[&str]| {
        let transactions = ids.iter().map(|id| TransactionId::from_text(id)).collect();
        let rows = OrderRowIds { transactions, keys: vec!["key".into()] };
        Filter { order_rows: vec![(contains_term(None, "rent"), rows)], ..plain.clone() }
    };
    let naming = |addresses: &[&str]| {
        let addresses = addresses.iter().map(|address| (*address).to_owned()).collect();
        Filter { named_addresses: BTreeMap::from([("rent".to_owned(), Arc::new(addresses))]), ..plain.clone() }
    };
    for [few, more] in [[of_orders(&["a"]), of_orders(&["a", "b"])], [naming(&["0x1"]), naming(&["0x1", "0x2"])]] {
        assert!(few.narrows(&more) && plain.narrows(&few) && more.narrows(&more));
        assert!(!more.narrows(&few) && !few.narrows(&plain));
    }
}
