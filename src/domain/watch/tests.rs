use proptest::prelude::*;

use super::*;

const PERIOD: Duration = Duration::from_secs(5);

fn time_at_second(second: u64) -> Timestamp {
    Timestamp::from_millis(i64::try_from(second * 1_000).unwrap())
}

fn amount(units: u64) -> Amount {
    Amount::parse(&units.to_string(), 6).unwrap()
}

fn watch(condition: WatchCondition) -> Watch {
    Watch {
        name: None,
        token: Some("USDC".into()),
        chain: None,
        scope: WatchScope::Account("Treasury".into()),
        condition,
        max_age: None,
        alert: AlertChannels::default(),
        is_muted: false,
    }
}

fn measure_balance(units: u64, second: u64) -> WatchReading {
    WatchReading::Balance { amount: amount(units), as_of: time_at_second(second) }
}

/// What each balance makes of a watch, one a second.
fn crossings_of(condition: WatchCondition, balances: &[u64]) -> Vec<Option<WatchCrossing>> {
    let (watch, mut alert_state) = (watch(condition), AlertState::default());
    let seconds = (0_u64..).zip(balances);
    seconds
        .map(|(second, units)| {
            alert_state.update(&watch, &measure_balance(*units, second), time_at_second(second), PERIOD)
        })
        .collect()
}

#[test]
fn a_limit_is_crossed_once_until_the_margin_is_passed_the_other_way() {
    use WatchCrossing::{Cleared, Raised};
    let below = WatchCondition::Below { limit: amount(100), margin: amount(10) };
    assert_eq!(
        crossings_of(below, &[100, 99, 101, 99, 109, 110, 105, 99]),
        [None, Some(Raised), None, None, None, Some(Cleared), None, Some(Raised)]
    );
    let above = WatchCondition::Above { limit: amount(100), margin: amount(10) };
    assert_eq!(
        crossings_of(above, &[100, 101, 95, 101, 90, 95, 101]),
        [None, Some(Raised), None, None, Some(Cleared), None, Some(Raised)]
    );
}

#[test]
fn fraction_digits_do_not_matter_and_a_margin_above_the_limit_clears_at_nothing() {
    let limit = Amount::parse("0.5", 1).unwrap();
    let above = watch(WatchCondition::Above { limit, margin: Amount::parse("0.75", 2).unwrap() });
    let mut alert_state = AlertState::default();
    let tiny = |units: &str, second| WatchReading::Balance {
        amount: Amount::parse(units, 18).unwrap(),
        as_of: time_at_second(second),
    };
    assert_eq!(
        alert_state.update(&above, &tiny("0.500000000000000001", 0), time_at_second(0), PERIOD),
        Some(WatchCrossing::Raised)
    );
    assert_eq!(alert_state.update(&above, &tiny("0.000000000000000001", 1), time_at_second(1), PERIOD), None);
    assert_eq!(alert_state.update(&above, &tiny("0", 2), time_at_second(2), PERIOD), Some(WatchCrossing::Cleared));
}

#[test]
fn a_change_is_told_once_and_is_over_when_its_time_is() {
    let change = WatchCondition::Change { by: amount(50), within: Duration::from_mins(1) };
    let (watch, mut alert_state) = (watch(change), AlertState::default());
    let mut take =
        |units, second| alert_state.update(&watch, &measure_balance(units, second), time_at_second(second), PERIOD);
    assert_eq!(take(1_000, 0), None);
    assert_eq!(take(1_049, 10), None);
    assert_eq!(take(1_050, 20), Some(WatchCrossing::Raised));
    assert_eq!(take(1_060, 40), None);
    assert_eq!(take(1_060, 81), Some(WatchCrossing::Cleared), "within the last minute it stood still");
    assert_eq!(take(1_000, 90), Some(WatchCrossing::Raised), "down counts as well as up");
}

#[test]
fn what_is_pending_too_long_is_told_until_it_is_settled() {
    let (watch, mut alert_state) =
        (watch(WatchCondition::Pending { longer: Duration::from_secs(30) }), AlertState::default());
    let pending = |oldest: Option<u64>, second| WatchReading::Pending {
        oldest: oldest.map(time_at_second),
        count: u64::from(oldest.is_some()),
        as_of: time_at_second(second),
    };
    assert_eq!(alert_state.update(&watch, &pending(Some(10), 40), time_at_second(40), PERIOD), None);
    assert_eq!(
        alert_state.update(&watch, &pending(Some(10), 41), time_at_second(41), PERIOD),
        Some(WatchCrossing::Raised)
    );
    assert_eq!(
        alert_state.update(&watch, &pending(Some(35), 42), time_at_second(42), PERIOD),
        Some(WatchCrossing::Cleared)
    );
    assert_eq!(alert_state.update(&watch, &pending(None, 43), time_at_second(43), PERIOD), None);
}

#[test]
fn an_old_or_unknown_figure_raises_and_clears_nothing_and_is_told_after_a_while() {
    let below = watch(WatchCondition::Below { limit: amount(100), margin: amount(0) });
    let mut alert_state = AlertState::default();
    let unknown = WatchReading::Unknown("no balance of it is known".into());
    assert_eq!(alert_state.update(&below, &unknown, time_at_second(0), PERIOD), None);
    assert_eq!(
        alert_state.update(&below, &measure_balance(50, 0), time_at_second(61), PERIOD),
        Some(WatchCrossing::Unavailable),
        "a minute is the limit"
    );
    assert_eq!(
        (alert_state.raised_since(), alert_state.alerted_unavailable_reason()),
        (None, Some("the data was last read 1 min 1 s ago"))
    );
    assert_eq!(
        alert_state.update(&below, &measure_balance(50, 62), time_at_second(62), PERIOD),
        Some(WatchCrossing::Raised)
    );
    assert_eq!(alert_state.update(&below, &unknown, time_at_second(63), PERIOD), None);
    assert_eq!(alert_state.update(&below, &unknown, time_at_second(130), PERIOD), Some(WatchCrossing::Unavailable));
    assert_eq!(alert_state.raised_since(), Some(time_at_second(62)), "what it was raised for is not known to be over");
    assert_eq!(
        alert_state.update(&below, &measure_balance(50, 131), time_at_second(131), PERIOD),
        Some(WatchCrossing::Available)
    );
    assert_eq!(
        alert_state.update(&below, &measure_balance(100, 132), time_at_second(132), PERIOD),
        Some(WatchCrossing::Cleared)
    );
}

#[test]
fn a_sum_over_many_users_is_believed_longer_and_tells_its_age() {
    let above = watch(WatchCondition::Above { limit: amount(1), margin: amount(0) });
    let round = Duration::from_mins(50);
    let take = |alert_state: &mut AlertState, second| {
        alert_state.update_with_accepted_age(&above, &measure_balance(50, 0), time_at_second(second), PERIOD, round)
    };
    let mut alert_state = AlertState::default();
    assert_eq!(take(&mut alert_state, 30), Some(WatchCrossing::Raised));
    assert_eq!(alert_state.figure_text(), Some("50"));
    assert_eq!(take(&mut alert_state, 1_530), None);
    assert_eq!(
        (alert_state.figure_text(), alert_state.unusable_reading_reason()),
        (Some("50, its oldest part read 25 min ago"), None)
    );
    assert_eq!(take(&mut alert_state, 3_001), None);
    assert_eq!(alert_state.unusable_reading_reason(), Some("the data was last read 50 min 1 s ago"));
}

#[test]
fn a_watch_is_called_by_its_name_or_by_what_it_looks_at() {
    let below = watch(WatchCondition::Below { limit: amount(10_000), margin: amount(0) });
    assert_eq!(below.title(), "USDC of Treasury below 10,000");
    let pending = Watch {
        token: None,
        scope: WatchScope::Everything,
        ..watch(WatchCondition::Pending { longer: Duration::from_mins(30) })
    };
    assert_eq!(pending.title(), "transactions pending longer than 30 min");
    assert_eq!(Watch { name: Some("float".into()), ..below }.title(), "float");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Raised and cleared take turns; each only where its own edge was passed; within the margin nothing happens.
    #[test]
    fn crossings_take_turns_and_wiggling_within_the_margin_tells_nothing(
        limit in 1_u64..1_000, margin in 0_u64..200, above in any::<bool>(),
        balances in prop::collection::vec(0_u64..1_500, 0..200),
    ) {
        let condition = if above {
            WatchCondition::Above { limit: amount(limit), margin: amount(margin) }
        } else {
            WatchCondition::Below { limit: amount(limit), margin: amount(margin) }
        };
        let mut raised = false;
        for (crossing, units) in crossings_of(condition, &balances).into_iter().zip(&balances) {
            let outside = if above { *units > limit } else { *units < limit };
            let clear = if above { *units <= limit.saturating_sub(margin) } else { *units >= limit + margin };
            let expected = match (raised, outside, clear) {
                (false, true, _) => Some(WatchCrossing::Raised),
                (true, false, true) => Some(WatchCrossing::Cleared),
                _ => None,
            };
            prop_assert_eq!(crossing, expected);
            raised = match crossing { Some(WatchCrossing::Raised) => true, Some(_) => false, None => raised };
        }
    }

    /// However a balance moves, what is kept for a change is bounded, and what is told takes turns.
    #[test]
    fn a_change_keeps_little_and_tells_in_turns(balances in prop::collection::vec(0_u64..1_000, 0..300), by in 1_u64..900) {
        let outcomes = crossings_of(WatchCondition::Change { by: amount(by), within: Duration::from_secs(20) }, &balances);
        let crossings: Vec<_> = outcomes.iter().flatten().collect();
        let in_turn = crossings.iter().enumerate().all(|(nth, crossing)| {
            **crossing == if nth % 2 == 0 { WatchCrossing::Raised } else { WatchCrossing::Cleared }
        });
        prop_assert!(in_turn);
        for (second, outcome) in outcomes.iter().enumerate() {
            let window = &balances[second.saturating_sub(20)..=second];
            let has_moved = window.iter().any(|other| other.abs_diff(balances[second]) >= by);
            prop_assert!(*outcome != Some(WatchCrossing::Raised) || has_moved);
            prop_assert!(*outcome != Some(WatchCrossing::Cleared) || !has_moved);
        }
    }
}
