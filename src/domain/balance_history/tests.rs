use proptest::prelude::*;
use ruint::aliases::U256;

use super::*;
use crate::domain::Text;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

fn amount(raw: u64) -> Amount {
    Amount::new(U256::from(raw), 6).unwrap()
}

fn flow(day: i64, incoming: u64, outgoing: u64) -> DailyFlow {
    let internal = [Some(amount(0)); 2];
    let (incoming, outgoing) = (Some(amount(incoming)), Some(amount(outgoing)));
    DailyFlow { day: Day(day), incoming, outgoing, internal, rows: 1, internal_rows: 0, unclear: 0 }
}

fn sample(at: i64, raw: u64) -> BalanceSample {
    BalanceSample { at: Timestamp::from_millis(at), amount: amount(raw) }
}

fn token_history(samples: Vec<BalanceSample>, flows: Vec<DailyFlow>) -> TokenBalanceHistory {
    TokenBalanceHistory { token: TokenKey { blockchain: Text::clean("base"), contract: None }, samples, flows }
}

fn amounts(closings: &[ClosingBalance]) -> Vec<Option<Amount>> {
    closings.iter().map(|closing| closing.amount).collect()
}

#[test]
fn what_moved_since_is_taken_back_day_by_day() {
    let past = token_history(vec![], vec![flow(8, 5, 0), flow(10, 30, 10)]);
    let now = ReportedAmount::Exact(amount(100));
    let closings = closing_balances(Day(6), Day(10), Some(&now), true, Some(&past));
    assert_eq!(closings.iter().map(|closing| closing.day.0).collect::<Vec<_>>(), [6, 7, 8, 9, 10]);
    assert_eq!(amounts(&closings), [75, 75, 80, 80, 100].map(|raw| Some(amount(raw))));
}

#[test]
fn nothing_is_guessed_where_history_has_a_gap_or_a_row_says_too_little() {
    let mut told_too_little = flow(9, 1, 1);
    told_too_little.unclear = 1;
    let unclear = token_history(vec![], vec![told_too_little]);
    let now = ReportedAmount::Exact(amount(100));
    let balance = Some(amount(100));
    assert_eq!(
        amounts(&closing_balances(Day(7), Day(10), Some(&now), true, Some(&unclear))),
        [None, None, balance, balance]
    );
    assert_eq!(amounts(&closing_balances(Day(8), Day(10), Some(&now), false, None)), [None, None, balance]);
    assert_eq!(amounts(&closing_balances(Day(9), Day(10), None, true, None)), [None, None]);
    let more_than_there_was = token_history(vec![], vec![flow(10, 500, 0)]);
    assert_eq!(
        amounts(&closing_balances(Day(9), Day(10), Some(&now), true, Some(&more_than_there_was))),
        [None, balance]
    );
}

fn closing_bases(closings: &[ClosingBalance]) -> Vec<ClosingBasis> {
    closings.iter().map(|closing| closing.basis).collect()
}

#[test]
fn what_moved_on_a_day_after_its_sample_is_in_its_closing_and_in_none_before() {
    // Held at 3 in the morning: 822; in the afternoon 100 went out, and the console was closed.
    let past = token_history(vec![sample(7 * DAY + 3 * HOUR, 822)], vec![flow(7, 0, 100)]);
    let now = ReportedAmount::Exact(amount(722));
    let closings = closing_balances(Day(4), Day(8), Some(&now), true, Some(&past));
    assert_eq!(amounts(&closings), [822, 822, 822, 722, 722].map(|raw| Some(amount(raw))));
    assert_eq!(
        closing_bases(&closings)[3],
        ClosingBasis::History,
        "a day on which something moved does not close with its sample"
    );
    // The same before what moved: it is in the sample, and the day closes with it all the same.
    let other = TokenBalanceHistory { samples: vec![sample(7 * DAY + 23 * HOUR, 722)], ..past.clone() };
    assert_eq!(closing_balances(Day(4), Day(8), Some(&now), true, Some(&other)), closings);
    // What moved late in an evening may not be in the balance that was sampled soon after midnight.
    let late = TokenBalanceHistory { samples: vec![sample(8 * DAY + 1, 822)], ..past };
    let closings = closing_balances(Day(4), Day(9), Some(&now), true, Some(&late));
    assert_eq!(amounts(&closings), [822, 822, 822, 722, 722, 722].map(|raw| Some(amount(raw))));
}

#[test]
fn a_sample_of_a_day_on_which_nothing_moved_tells_what_history_does_not() {
    let past =
        token_history(vec![sample(7 * DAY + 5, 40), sample(7 * DAY + 9, 42)], vec![flow(5, 2, 0), flow(10, 30, 10)]);
    let now = ReportedAmount::Exact(amount(100));
    let closings = closing_balances(Day(4), Day(10), Some(&now), true, Some(&past));
    assert_eq!(amounts(&closings), [40, 42, 42, 42, 80, 80, 100].map(|raw| Some(amount(raw))));
    let (history, now_held) = (ClosingBasis::History, ClosingBasis::Now);
    assert_eq!(closing_bases(&closings), [history, history, history, ClosingBasis::Sample, history, history, now_held]);
}

#[test]
fn where_history_does_not_tell_a_sample_is_shown_with_its_time_and_nothing_follows_from_it() {
    let mut too_little = flow(7, 2, 0);
    too_little.unclear = 1;
    let past = token_history(vec![sample(7 * DAY + 5, 40), sample(7 * DAY + 9, 42)], vec![too_little]);
    let now = ReportedAmount::Exact(amount(100));
    let observed = ClosingBasis::Observed(Timestamp::from_millis(7 * DAY + 9));
    let gappy = closing_balances(Day(6), Day(9), Some(&now), false, Some(&past));
    assert_eq!(amounts(&gappy), [None, Some(amount(42)), None, Some(amount(100))]);
    assert_eq!(closing_bases(&gappy)[1], observed);
    let unclear = TokenBalanceHistory { samples: vec![sample(6 * DAY + 9, 42)], ..past };
    let closings = closing_balances(Day(4), Day(9), Some(&now), true, Some(&unclear));
    assert_eq!(
        amounts(&closings),
        [Some(42), Some(42), Some(42), Some(100), Some(100), Some(100)].map(|raw| raw.map(amount))
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn closings_follow_the_ledger_whenever_samples_were_taken(
        moves in prop::collection::vec((0_i64..12, 0_u64..1_000, 0_u64..1_000), 0..12),
        sampled in prop::collection::btree_set(0_i64..12 * 24, 0..12),
    ) {
        // A ledger that is played forward, and the same read backward from its end. All of a day moves at noon.
        let mut balance = 1_000_000_u64;
        let mut played = vec![];
        let mut flows = vec![];
        for day in 0..12 {
            let (incoming, outgoing) = moves.iter().filter(|(of, ..)| *of == day).fold((0, 0), |(i, o), (_, a, b)| (i + a, o + b));
            if incoming + outgoing > 0 {
                flows.push(flow(day, incoming, outgoing));
            }
            balance = balance + incoming - outgoing;
            played.push(Some(amount(balance)));
        }
        let at = |hour: i64| {
            let days = usize::try_from(hour / 24 - i64::from(hour % 24 < 12)).ok();
            BalanceSample { at: Timestamp::from_millis(hour * HOUR), amount: days.map_or(amount(1_000_000), |day| played[day].unwrap()) }
        };
        let samples = sampled.into_iter().map(at).collect();
        let now = ReportedAmount::Exact(amount(balance));
        let closings = closing_balances(Day(0), Day(11), Some(&now), true, Some(&token_history(samples, flows)));
        prop_assert_eq!(amounts(&closings), played);
    }
}
