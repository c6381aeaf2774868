use super::*;
use crate::domain::FailureReason;

const PERIOD: Duration = Duration::from_secs(5);

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(seconds * 1_000)
}

fn pauses(reason: &FailureReason, count: usize) -> Vec<Duration> {
    let mut remote = PollState::default();
    let now = at(0);
    (0..count)
        .map(|_| {
            remote.start(now);
            remote.fail(now, Failure::from_read(reason.clone(), ""), PERIOD);
            Duration::from_millis(u64::try_from(remote.due.unwrap().millis()).unwrap())
        })
        .collect()
}

#[test]
fn pauses_double_with_each_failure_up_to_a_minute() {
    let pauses = pauses(&FailureReason::Unreachable, 12);
    for (index, expected) in [5_u64, 10, 20, 40, 60, 60].into_iter().enumerate() {
        let expected = Duration::from_secs(expected);
        assert!(pauses[index] >= expected && pauses[index] <= expected * 5 / 4, "{index}: {:?}", pauses[index]);
    }
    assert!(pauses.iter().all(|pause| *pause <= Duration::from_secs(75)));
}

#[test]
fn what_the_service_asks_for_is_honoured_up_to_an_hour() {
    let busy = |seconds| FailureReason::Busy { too_many: true, retry_after: Some(Duration::from_secs(seconds)) };
    let seconds = Duration::from_secs;
    let all = [(7, seconds(7)), (1_800, seconds(1_800)), (86_400, seconds(3_600)), (0, Duration::from_millis(200))];
    for (retry_after, expected) in all {
        let pauses = pauses(&busy(retry_after), 3);
        assert_eq!(pauses[0], expected);
        // Those that were turned away together do not always return together.
        assert!(pauses.iter().all(|pause| (expected..=expected * 5 / 4).contains(pause)), "{retry_after}: {pauses:?}");
    }
}

#[test]
fn consoles_that_lose_a_service_together_do_not_return_together() {
    let returns = |seed: u64| {
        let mut remote = PollState { seed, ..PollState::default() };
        let pauses = (0..6).map(|_| {
            remote.start(at(0));
            remote.fail(at(0), Failure::from_read(FailureReason::Unreachable, ""), PERIOD);
            remote.due.unwrap().millis()
        });
        pauses.collect::<Vec<_>>()
    };
    assert_eq!(returns(1), returns(1), "one console is always like itself");
    // Neighbouring seeds are the hardest to tell apart.
    for nth in 0..6 {
        let mut times: Vec<_> = (0..64).map(|seed| returns(seed)[nth]).collect();
        times.sort_unstable();
        times.dedup();
        assert!(times.len() > 40, "attempt {nth}: only {} of 64 differ", times.len());
    }
}

#[test]
fn a_failure_leaves_the_time_of_the_last_good_answer() {
    let mut remote = PollState::default();
    remote.start(at(1));
    remote.succeed(at(2), PERIOD);
    remote.start(at(7));
    remote.fail(at(8), Failure::from_read(FailureReason::TimedOut, ""), PERIOD);
    assert_eq!(remote.last_success, Some(at(2)));
    assert!(!remote.is_due(at(9)));
    remote.start(at(20));
    remote.succeed(at(21), PERIOD);
    assert_eq!(remote.failure, None);
}

#[test]
fn what_is_wanted_meanwhile_is_read_right_after() {
    let mut remote = PollState::default();
    remote.start(at(0));
    remote.request_now();
    remote.succeed(at(1), PERIOD);
    assert!(remote.is_due(at(1)));
}

#[test]
fn only_the_operator_cuts_a_pause_after_a_failure_short() {
    let mut remote = PollState::default();
    remote.start(at(0));
    remote.fail(at(1), Failure::from_read(FailureReason::TimedOut, ""), PERIOD);
    remote.request_unless_failing();
    assert!(!remote.is_due(at(2)));
    remote.request_now();
    assert!(remote.is_due(at(2)));
}

#[test]
fn looking_elsewhere_asks_at_once_unless_the_service_wants_to_be_left_alone() {
    for (reason, at_once) in [
        (FailureReason::Refused { status: 500 }, true),
        (FailureReason::Busy { too_many: true, retry_after: Some(Duration::from_mins(1)) }, false),
        (FailureReason::Forbidden, false),
    ] {
        let mut remote = PollState::default();
        remote.start(at(0));
        remote.fail(at(1), Failure::from_read(reason.clone(), ""), PERIOD);
        remote.change_target();
        assert_eq!(remote.is_due(at(2)), at_once, "{reason}");
    }
}

#[test]
fn one_of_many_who_moves_fast_reads_no_oftener_than_one_who_looks_on() {
    let mut remote = PollState::default();
    let mut reads = 0_u128;
    let at = Timestamp::from_millis;
    // A key every half second for five minutes; each read takes a quarter of one.
    for step in 0..600 {
        let now = at(step * 500);
        remote.change_target_paced(now, PERIOD);
        for (now, ends) in [(now, false), (at(step * 500 + 250), true)] {
            if ends && remote.in_flight.is_some() {
                remote.discard_answer(now, None, PERIOD);
            }
            if remote.is_due(now) {
                remote.start(now);
                reads += 1;
            }
        }
    }
    let periods = u128::from(300_000_u32) / PERIOD.as_millis();
    assert!((periods - 1..=periods + 1).contains(&reads), "{reads} reads in {periods} periods");
    // Who has looked at the same for a while sees something else at once.
    remote.change_target_paced(at(400_000), PERIOD);
    assert!(remote.is_due(at(400_000)));
}

#[test]
fn an_answer_about_something_else_leaves_no_trace_but_what_it_says_of_the_service() {
    let mut remote = PollState::default();
    remote.start(at(0));
    remote.change_target();
    assert!(!remote.is_due(at(1)), "one request at a time");
    remote.discard_answer(at(1), None, PERIOD);
    assert!(remote.is_due(at(1)));
    assert_eq!(remote.last_success, None);
    remote.start(at(1));
    remote.discard_answer(
        at(2),
        Some(Failure::from_read(FailureReason::Busy { too_many: true, retry_after: None }, "")),
        PERIOD,
    );
    assert!(!remote.is_due(at(2)));
}
