use super::*;

mod fuzzed;

fn terms(text: &str) -> Vec<Term> {
    let filter = Filter::parse(text);
    assert_eq!(filter.faults, [], "{text}");
    filter.terms
}

fn holds(field: Option<Field>, needle: &str) -> Term {
    Term { field, test: Test::Holds(needle.into()) }
}

fn at(iso: &str) -> Timestamp {
    Timestamp::read(iso).unwrap()
}

#[test]
fn words_name_fields_and_the_others_look_everywhere() {
    assert_eq!(
        terms("dir:out TOKEN:Usdc 1,204.5 \"inv:7\" dir: dir:out"),
        [
            holds(Some(Field::Direction), "out"),
            holds(Some(Field::Token), "usdc"),
            holds(None, "1204.5"),
            holds(None, "inv:7"),
        ]
    );
    // What has a colon of its own needs no quotes where no name stands before it.
    for text in ["12:30", "https://example.com/?a:b", "eip155:1", "0xab:2", ":x"] {
        assert_eq!(terms(text), [holds(None, text)]);
    }
    assert_eq!(terms("\"dir:sideways"), [holds(None, "dir:sideways")]);
    assert_eq!(terms(", note:,"), [holds(Some(Field::Note), ",")]);
}

#[test]
fn a_stretch_of_the_calendar_bounds_the_time_and_an_address_does_not() {
    let term = |field, test| Term { field: Some(field), test };
    assert_eq!(
        terms("from:2026-11-01 to:2026-11"),
        [
            term(Field::From, Test::Since(at("2026-11-01T00:00:00Z"))),
            term(Field::To, Test::Before(at("2026-12-01T00:00:00Z")))
        ]
    );
    assert_eq!(
        terms("from:0x3f2a to:9999 to:20261101"),
        [holds(Some(Field::From), "0x3f2a"), holds(Some(Field::To), "9999"), holds(Some(Field::To), "20261101")]
    );
}

#[test]
fn amounts_are_compared_exactly() {
    let thousand = Amount::parse("1000.50", 2).unwrap();
    for (text, side) in [
        ("amount:>1,000.50", Side::Above),
        ("amount:>=1000.50", Side::AtLeast),
        ("amount:<1000.50", Side::Below),
        ("amount:<=1000.50", Side::AtMost),
    ] {
        assert_eq!(terms(text), [Term { field: Some(Field::Amount), test: Test::Compares(side, thousand) }], "{text}");
    }
    for (side, taken) in [
        (Side::Above, [false, false, true]),
        (Side::AtLeast, [false, true, true]),
        (Side::Below, [true, false, false]),
        (Side::AtMost, [true, true, false]),
    ] {
        assert_eq!([Ordering::Less, Ordering::Equal, Ordering::Greater].map(|ordering| side.takes(ordering)), taken);
    }
}

#[test]
fn what_nobody_understands_is_told_and_asks_for_nothing() {
    for (text, says) in [
        ("from:2026-13", A_DAY),
        ("from:2026-", A_DAY),
        ("to:2026-11-31", A_DAY),
        ("amount:>", AN_AMOUNT),
        ("amount:>=1.", AN_AMOUNT),
        ("amount:<many", AN_AMOUNT),
        ("amount:>-5", AN_AMOUNT),
        ("dir:sideways", A_DIRECTION),
        ("dir:ut", A_DIRECTION),
        ("bogus:x", "no field is called bogus; \"bogus:x\" is looked for everywhere"),
        ("bogus:", "no field is called bogus; \"bogus:\" is looked for everywhere"),
    ] {
        let filter = Filter::parse(&format!("usdc {text}"));
        assert_eq!(filter.terms, [holds(None, "usdc")], "{text}");
        assert_eq!(filter.faults, [Fault { word: text.into(), says: says.into() }], "{text}");
    }
}

#[test]
fn a_filter_narrows_another_when_a_word_grows_or_is_added() {
    let narrows = |new: &str, old: &str| Filter::parse(new).narrows(&Filter::parse(old));
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
    // A word that begins to look like a time looks into more fields than before.
    assert!(!narrows("12:", "12"));
}

#[test]
fn words_without_fields_are_each_found_somewhere_whatever_their_case() {
    let row = ["USDC", "Ethereum", "Ünal & Co"];
    for filter in ["", "  ", "usdc", "ETHER usd", "ünal", "c e"] {
        assert!(Words::of(filter).are_in(row), "{filter:?}");
    }
    for filter in ["usdt", "usdc tron", "usdcethereum"] {
        assert!(!Words::of(filter).are_in(row), "{filter:?}");
    }
}
