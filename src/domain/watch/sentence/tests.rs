use proptest::prelude::*;

use super::*;

#[test]
fn the_examples_are_read_and_written_again() {
    for example in EXAMPLES {
        let example = if example.starts_with("with") { format!("USDC {example}") } else { example.to_owned() };
        let watch = Watch::parse_sentence(&example).unwrap_or_else(|fault| panic!("{example}: {fault}"));
        let second_watch =
            Watch::parse_sentence(&watch.sentence()).unwrap_or_else(|fault| panic!("{example}: {fault}"));
        assert_eq!(second_watch.sentence(), watch.sentence());
    }
}

#[test]
fn what_is_wrong_is_told_with_what_would_be_right() {
    for (sentence, expected) in [
        ("", "write what to watch"),
        ("below 100", "name the token first"),
        ("total", "write the condition next"),
        ("total on base below 5", "leave the place out"),
        ("total sent above 5", "name the token first"),
        ("USDC", "write the condition next"),
        ("USDC bellow 5", "“bellow” is no condition"),
        ("USDC below 1,000,000", "below: the commas look like thousands separators"),
        ("USDC below", "write an amount after below"),
        ("USDC below 5 within 1h", "“within” belongs to"),
        ("USDC of Treasury below 5", "write “account” after “of”"),
        ("USDC of account below 5", "an account needs a name"),
        ("USDC changes by 0", "always reached"),
        ("failures 0", "write 1 or more"),
        ("with Zebra at least 5", "an amount needs its token"),
        ("stuck notify loudly", "write bell, notification or both"),
        ("stuck soon", "“soon” does not fit here"),
        ("USDC changes by 5 within later", "write a duration after within"),
    ] {
        let message = Watch::parse_sentence(sentence).unwrap_err();
        assert!(message.contains(expected), "{sentence}: {message}");
    }
}

fn watches() -> impl Strategy<Value = Watch> {
    let name = prop::sample::select(vec!["Treasury", "eth-main", "below", "Zebra Stores", "total", "u-1"]);
    let amount = (1_u64..1_000_000).prop_map(|raw| Amount::new(ruint::aliases::U256::from(raw), 3).unwrap());
    let period = (1_u64..100_000).prop_map(Duration::from_secs);
    let condition = (0_u8..9, amount.clone(), amount, period.clone(), name.clone()).prop_map(
        |(kind, limit, margin, within, counterparty)| match kind {
            0 => WatchCondition::Below { limit, margin },
            1 => WatchCondition::Above { limit, margin },
            2 => WatchCondition::Change { by: limit, within },
            3 => WatchCondition::Flow { direction: Direction::Incoming, above: limit, within },
            4 => WatchCondition::Flow { direction: Direction::Outgoing, above: limit, within },
            5 => WatchCondition::Pending { longer: within },
            6 => WatchCondition::Stuck,
            7 => WatchCondition::Failures { at_least: 3, within },
            _ => WatchCondition::Counterparty { counterparty: counterparty.into(), at_least: Some(margin), within },
        },
    );
    let options =
        (prop::option::of(period), any::<bool>(), any::<bool>(), any::<bool>(), prop::option::of(name.clone()));
    let place = (0_u8..3, name.clone(), prop::option::of(name));
    (condition, options, place).prop_map(
        |(condition, (max_age, bell, notification, is_muted, name), (scope, of, chain))| Watch {
            name: name.map(Into::into),
            token: Some("USDC".into()),
            chain: chain.map(Into::into),
            scope: match scope {
                0 => WatchScope::Everything,
                1 => WatchScope::Account(of.into()),
                _ => WatchScope::Wallet(of.into()),
            },
            condition,
            max_age,
            alert: AlertChannels { bell, notification },
            is_muted,
        },
    )
}

/// An amount as parsed has the parser's fraction digits; the value is what counts.
fn is_same_watch(one: &Watch, other: &Watch) -> bool {
    one.sentence() == other.sentence() && one.scope == other.scope && one.name == other.name && one.chain == other.chain
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_watch_is_read_from_its_own_sentence(watch in watches()) {
        let reparsed_watch = Watch::parse_sentence(&watch.sentence());
        prop_assert!(reparsed_watch.as_ref().is_ok_and(|reparsed_watch| is_same_watch(reparsed_watch, &watch)), "{}: {reparsed_watch:?}", watch.sentence());
    }

    #[test]
    fn no_sentence_panics(sentence in ".{0,80}") {
        let _either = Watch::parse_sentence(&sentence);
    }
}
