use std::collections::VecDeque;
use std::time::Duration;

use crate::domain::ServicePreferences;

use crossterm::event::KeyCode;
use rstest::rstest;

use super::*;
use crate::app::data::analyses::{AnalysisQuery, AnalysisResult};
use crate::app::data::connection::ConnectionState;
use crate::app::model::{Model, Settings};
use crate::app::msg::{Effect, Msg, StoreResult};
use crate::app::request_id::RequestId;
use crate::app::screen::Size;
use crate::app::update::{connect, start, update};
use crate::domain::history::SyncProgress;
use crate::domain::{AccountId, ConfirmationThresholds, Failure, FailureReason};

fn model() -> Model {
    let settings = Settings { preferences: ServicePreferences::default(), ..Settings::sample() };
    let mut model = Model::new(settings, Size { width: 120, height: 36 }, Timestamp::from_millis(1_000_000));
    model.data.is_connected = true;
    model
}

fn loads(effects: &[Effect]) -> Vec<(Dataset, RequestId)> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Load { dataset, request_id } => Some((dataset.clone(), *request_id)),
            _ => None,
        })
        .collect()
}

fn answer(
    model: &mut Model,
    dataset: &Dataset,
    request_id: RequestId,
    result: Result<Snapshot, Failure>,
) -> Vec<Effect> {
    update(model, Msg::Loaded { dataset: dataset.clone(), request_id, result })
}

fn snapshot(dataset: &Dataset) -> Snapshot {
    match dataset {
        Dataset::Latest | Dataset::Backfill => {
            let progress = SyncProgress { rows: 10, complete: true, ..SyncProgress::default() };
            Snapshot::History { added: 0, changed: 0, progress: Box::new(progress) }
        }
        Dataset::Lists { .. } => Snapshot::Lists { served: true, more: false, unreadable: 0 },
        Dataset::Balances(_) => Snapshot::Balances { users: 1 },
        Dataset::User { user, .. } => Snapshot::User(Box::new(crate::app::pages::users::UserReport {
            user: user.clone(),
            person: Ok(()),
            stats: Ok(crate::domain::UserStats::default()),
            v1: None,
        })),
        Dataset::Stats => Snapshot::Stats(crate::domain::UserStats::default()),
        Dataset::Markets => Snapshot::Markets { unreadable: 0 },
        Dataset::Pairs => Snapshot::Pairs { pairs: None, unreadable: 0 },
        Dataset::Quotes(_) => Snapshot::Quotes(Vec::new()),
        Dataset::Orders => Snapshot::Orders,
        Dataset::WatchedBalances(_) => Snapshot::WatchedBalances,
    }
}

#[test]
fn the_journal_is_read_when_the_service_is_and_not_before_the_first_picture() {
    let settings = Settings { preferences: ServicePreferences::default(), ..Settings::sample() };
    let mut model = Model::new(settings, Size { width: 120, height: 36 }, Timestamp::from_millis(1_000_000));
    let before = start(&mut model);
    assert!(before.iter().all(|effect| matches!(effect, Effect::QueryStore { .. })), "the store alone: {before:?}");
    assert_eq!(next_due(&model), Some(model.now), "the rest follows at once");
    let after = connect(&mut model);
    assert_eq!(after[0], Effect::ReadJournal);
    assert!(loads(&after).iter().any(|(dataset, _)| *dataset == Dataset::Latest));
}

/// Answers every read by a function, and every analysis of confirmations at once. Returns before which of the reads the
/// analyses started.
fn analysis_starts(
    model: &mut Model,
    is_newest_first: bool,
    result_of: impl Fn(&Dataset) -> Result<Snapshot, Failure>,
) -> Vec<usize> {
    let mut waiting = VecDeque::new();
    let mut effects = update(model, Msg::Tick(model.now));
    let (mut starts, mut reads) = (Vec::new(), 0);
    loop {
        waiting.extend(loads(&effects));
        let analysis = |effect: &Effect| match effect {
            Effect::RunAnalysis { query: AnalysisQuery::Confirmations, request_id } => Some(*request_id),
            _ => None,
        };
        if let Some(request_id) = effects.iter().find_map(analysis) {
            starts.push(reads);
            let result = Ok(Box::new(AnalysisResult::Confirmations(ConfirmationThresholds::default())));
            let query = Box::new(AnalysisQuery::Confirmations);
            effects = update(model, Msg::AnalysisLoaded { request_id, query, result });
            continue;
        }
        let next = if is_newest_first { waiting.pop_back() } else { waiting.pop_front() };
        let Some((dataset, request_id)) = next else { return starts };
        effects = answer(model, &dataset, request_id, result_of(&dataset));
        reads += 1;
    }
}

#[test]
fn what_was_computed_during_the_first_round_of_reads_is_computed_again_at_its_end_and_once() {
    for is_newest_first in [false, true] {
        let mut model = model();
        // The history counts as read to its end, so that its last page is no reason.
        model.data.progress.complete = true;
        let starts = analysis_starts(&mut model, is_newest_first, |dataset| Ok(snapshot(dataset)));
        assert!(matches!(*starts, [0, last] if last > 4), "{starts:?}");
        model.set_time(model.now.plus(Duration::from_secs(1)));
        assert_eq!(analysis_starts(&mut model, is_newest_first, |dataset| Ok(snapshot(dataset))), [] as [usize; 0]);
    }
}

/// Whatever ends the first reads before all is there, what was computed of a part is computed again when it is.
#[rstest]
#[case::unreachable(FailureReason::Unreachable, true)]
#[case::rejected(FailureReason::KeyRejected, false)]
#[case::limited(FailureReason::Busy { too_many: true, retry_after: Some(Duration::from_secs(40)) }, false)]
fn the_first_round_of_reads_is_over_when_all_was_read(#[case] reason: FailureReason, #[case] also_the_history: bool) {
    let mut model = model();
    model.data.progress.complete = true;
    let failing = |dataset: &Dataset| match dataset {
        Dataset::Latest if !also_the_history => Ok(snapshot(dataset)),
        _ => Err(Failure::from_read(reason.clone(), "")),
    };
    assert_eq!(analysis_starts(&mut model, false, failing), [0]);
    model.set_time(model.now.plus(Duration::from_secs(41)));
    model.data.remotes.request_all();
    let starts = analysis_starts(&mut model, false, |dataset| Ok(snapshot(dataset)));
    assert!(matches!(*starts, [.., last] if last > 4), "{starts:?}");
}

#[test]
fn the_first_round_of_reads_is_over_when_the_lists_are_at_their_end() {
    let mut model = model();
    model.data.progress.complete = true;
    let page_of_lists = |more: bool| {
        move |dataset: &Dataset| match dataset {
            Dataset::Lists { .. } => Ok(Snapshot::Lists { served: true, more, unreadable: 0 }),
            _ => Ok(snapshot(dataset)),
        }
    };
    assert_eq!(analysis_starts(&mut model, false, page_of_lists(true)), [0]);
    model.set_time(model.now.plus(model.console.preferences.poll_period));
    let starts = analysis_starts(&mut model, false, page_of_lists(false));
    assert!(matches!(*starts, [.., last] if last > 0), "{starts:?}");
}

#[test]
fn one_request_of_a_data_set_is_under_way_at_most() {
    let mut model = model();
    let first = loads(&start_due(&mut model));
    assert!(first.iter().any(|(dataset, _)| *dataset == Dataset::Latest));
    assert_eq!(loads(&start_due(&mut model)), []);
    model.data.remotes.request_all();
    assert_eq!(loads(&update(&mut model, Msg::Tick(Timestamp::from_millis(9_000_000)))), []);
}

#[test]
fn nothing_is_due_between_polls_and_the_next_due_moment_is_known() {
    let mut model = model();
    let mut waiting = loads(&start_due(&mut model));
    while let Some((dataset, request_id)) = waiting.pop() {
        let answer = snapshot(&dataset);
        waiting.extend(loads(&crate::app::update::update(
            &mut model,
            Msg::Loaded { dataset, request_id, result: Ok(answer) },
        )));
    }
    let due = next_due(&model).unwrap();
    assert_eq!(due, Timestamp::from_millis(1_005_000));
    let early = Timestamp::from_millis(due.millis() - 1);
    assert_eq!(loads(&update(&mut model, Msg::Tick(early))), []);
    assert!(loads(&update(&mut model, Msg::Tick(due))).iter().any(|(dataset, _)| *dataset == Dataset::Latest));
}

#[test]
fn a_rejected_key_stops_everything_until_the_operator_asks() {
    let mut model = model();
    let started = loads(&start_due(&mut model));
    for (dataset, request_id) in started {
        let rejected = Failure::from_read(FailureReason::KeyRejected, "no such key");
        assert_eq!(loads(&answer(&mut model, &dataset, request_id, Err(rejected))), []);
    }
    assert_eq!(model.data.connection, ConnectionState::KeyRejected);
    let banner = model.banner().unwrap();
    assert!(banner.starts_with("API key rejected") && banner.contains("no such key"), "{banner}");
    let later = Timestamp::from_millis(99_000_000);
    assert_eq!(loads(&update(&mut model, Msg::Tick(later))), []);
    let requests = loads(&update(&mut model, Msg::Key(KeyCode::Char('r').into())));
    assert!(requests.iter().any(|(dataset, _)| *dataset == Dataset::Latest));
}

#[test]
fn an_answer_to_an_older_question_is_dropped() {
    let mut model = model();
    let (dataset, request_id) = loads(&start_due(&mut model)).remove(0);
    answer(&mut model, &dataset, RequestId(request_id.0 + 1), Ok(snapshot(&dataset)));
    assert!(model.data.remotes.latest.in_flight.is_some());
    assert_eq!(model.data.remotes.latest.last_success, None);
}

#[test]
fn a_service_without_lists_is_asked_seldom() {
    let mut model = model();
    let started = loads(&start_due(&mut model));
    let (_, request_id) = started.iter().find(|(dataset, _)| *dataset == Dataset::Lists { v1: true }).unwrap().clone();
    answer(
        &mut model,
        &Dataset::Lists { v1: true },
        request_id,
        Ok(Snapshot::Lists { served: false, more: false, unreadable: 0 }),
    );
    let answered_at = model.now;
    let reads_lists = |model: &mut Model, after: Duration| {
        let started = loads(&update(model, Msg::Tick(answered_at.plus(after))));
        started.iter().any(|(dataset, _)| *dataset == Dataset::Lists { v1: true })
    };
    assert!(!reads_lists(&mut model, Duration::from_secs(590)));
    assert!(reads_lists(&mut model, Duration::from_mins(10)), "it was refused for once, perhaps");
}

fn answer_all_loads(model: &mut Model) {
    let mut waiting = loads(&start_due(model));
    while let Some((dataset, request_id)) = waiting.pop() {
        let good = snapshot(&dataset);
        waiting.extend(loads(&answer(model, &dataset, request_id, Ok(good))));
    }
}

#[test]
fn a_clock_that_was_set_back_freezes_nothing_and_makes_nothing_look_fresh() {
    let mut model = model();
    answer_all_loads(&mut model);
    assert_eq!(model.data.connection, ConnectionState::Live);
    let earlier = Timestamp::from_millis(1_000_000 - 600_000);
    let requests = loads(&update(&mut model, Msg::Tick(earlier)));
    assert!(requests.iter().any(|(dataset, _)| *dataset == Dataset::Latest), "everything is read again at once");
    assert_eq!(model.now, earlier);
    assert_eq!(model.data.connection, ConnectionState::Connecting, "what was read before says nothing any more");
    let before = Timestamp::from_millis(999_000);
    assert_eq!(model.figure_staleness(Some(before)), Some(Duration::MAX), "a figure from the future may be of any age");
    // Two looks at clocks may lie a little apart.
    update(&mut model, Msg::Tick(Timestamp::from_millis(earlier.millis() - 500)));
    assert_eq!(model.now, earlier);
}

#[test]
fn what_the_key_may_not_read_is_done_without_said_and_tried_again_after_pauses_that_grow() {
    let mut model = model();
    answer_all_loads(&mut model);
    let due = update(&mut model, Msg::Tick(Timestamp::from_millis(1_000_000 + 12 * 5_000)));
    let (_, request_id) = loads(&due).into_iter().find(|(dataset, _)| *dataset == Dataset::Stats).unwrap();
    answer(&mut model, &Dataset::Stats, request_id, Err(Failure::from_read(FailureReason::Forbidden, "")));
    assert_ne!(model.data.connection, ConnectionState::KeyRejected);
    let message = model.pages.events.all().next().map(|event| event.text.clone()).unwrap_or_default();
    assert!(message.starts_with("the API key has no permission to read user counts"), "{message}");
    // Once may be a mistake; who refuses again and again is asked less and less.
    for pause in [5, 10, 20, 40, 80, 160, 320, 600, 600] {
        let after = |model: &Model, seconds: u64| model.now.plus(Duration::from_secs(seconds));
        let (sooner, later) = (after(&model, pause - 1), after(&model, pause + pause / 4 + 1));
        update(&mut model, Msg::Tick(sooner));
        assert_eq!(model.data.remotes.stats.in_flight, None, "{pause}");
        update(&mut model, Msg::Tick(later));
        assert!(model.data.remotes.stats.in_flight.is_some(), "recovery needs no hand: {pause}");
        let request_id = model.data.remotes.stats.request_id;
        answer(&mut model, &Dataset::Stats, request_id, Err(Failure::from_read(FailureReason::Forbidden, "")));
    }
    update(&mut model, Msg::Key(KeyCode::Char('r').into()));
    assert!(model.data.remotes.stats.in_flight.is_some(), "who asks need not wait");
}

/// A service as it is met: it answers each request after so long, with this.
type FakeService<'a> = dyn FnMut(&Dataset, Timestamp) -> (Duration, Result<Snapshot, Failure>) + 'a;

fn read_failure<T>(reason: FailureReason) -> Result<T, Failure> {
    Err(Failure::from_read(reason, ""))
}

/// A console, and its requests that are not answered yet, with what they will be answered and when.
struct TestConsole {
    model: Model,
    under_way: Vec<(Timestamp, Dataset, RequestId, Result<Snapshot, Failure>)>,
    /// What is still to be done.
    effects: Vec<Effect>,
}

impl TestConsole {
    fn new() -> Self {
        Self { model: model(), under_way: Vec::new(), effects: Vec::new() }
    }

    fn press_key(&mut self, key: char) {
        self.effects.extend(update(&mut self.model, Msg::Key(KeyCode::Char(key).into())));
    }
}

/// Lets a console watch such a service for so long; says when it asked for what. At every moment what it says of the age of
/// its figures must be true.
fn run_console(watch: &mut TestConsole, lasting: Duration, service: &mut FakeService<'_>) -> Vec<(Timestamp, Dataset)> {
    let TestConsole { model, under_way, effects } = watch;
    let end = model.now.plus(lasting);
    let mut requests = Vec::new();
    let mut good = model.data.remotes.latest.last_success;
    effects.extend(update(model, Msg::Tick(model.now)));
    loop {
        for (dataset, request_id) in loads(&std::mem::take(effects)) {
            let (after, result) = service(&dataset, model.now);
            assert!(
                under_way.iter().all(|(_, other, ..)| *other != dataset),
                "{dataset:?} is asked for twice at a time"
            );
            requests.push((model.now, dataset.clone()));
            under_way.push((model.now.plus(after), dataset, request_id, result));
        }
        let arrival = under_way.iter().enumerate().min_by_key(|(_, (at, ..))| *at).map(|(nth, (at, ..))| (nth, *at));
        let due = next_due(model).unwrap_or(end).max(model.now.plus(Duration::from_millis(1)));
        match arrival {
            Some((nth, at)) if at <= due => {
                let (_, dataset, request_id, result) = under_way.swap_remove(nth);
                if dataset == Dataset::Latest && result.is_ok() {
                    good = Some(at);
                }
                effects.extend(update(model, Msg::Tick(at)));
                effects.extend(answer(model, &dataset, request_id, result));
            }
            _ => effects.extend(update(model, Msg::Tick(due))),
        }
        assert_eq!(model.data.remotes.latest.last_success, good);
        let age = good.map(|good| good.age(model.now));
        assert_eq!(
            model.data.connection == ConnectionState::Live,
            model.data.remotes.latest.failure.is_none()
                && age.is_some_and(
                    |age| age <= crate::app::data::connection::stale_after(model.console.preferences.poll_period)
                ),
            "{:?} with figures of {age:?}",
            model.data.connection
        );
        if model.now >= end {
            return requests;
        }
    }
}

fn answer_well(dataset: &Dataset) -> (Duration, Result<Snapshot, Failure>) {
    (Duration::from_millis(80), Ok(snapshot(dataset)))
}

/// The most requests of any minute.
fn busiest_minute(requests: &[(Timestamp, Dataset)]) -> usize {
    let within = |start: Timestamp| {
        requests.iter().filter(move |(at, _)| *at >= start && start.age(*at) < Duration::from_mins(1))
    };
    requests.iter().map(|(at, _)| within(*at).count()).max().unwrap_or(0)
}

#[test]
fn a_service_that_asks_for_peace_gets_it_from_every_data_set() {
    let mut model = model();
    let started = loads(&start_due(&mut model));
    let busy =
        Failure::from_read(FailureReason::Busy { too_many: true, retry_after: Some(Duration::from_secs(40)) }, "");
    let mut later = Vec::new();
    for (dataset, request_id) in started {
        let result = if matches!(dataset, Dataset::Stats) { Err(busy.clone()) } else { Ok(snapshot(&dataset)) };
        later.extend(loads(&answer(&mut model, &dataset, request_id, result)));
    }
    let until = Timestamp::from_millis(1_040_000);
    assert_eq!(model.data.remotes.quiet_until, Some(until));
    let before = Timestamp::from_millis(until.millis() - 1);
    assert_eq!(loads(&update(&mut model, Msg::Focus(true))), []);
    assert_eq!(loads(&update(&mut model, Msg::Tick(before))), []);
    // One after another then, and the history among them.
    let mut requests = loads(&update(&mut model, Msg::Tick(until)));
    let mut all = Vec::new();
    while let Some((dataset, request_id)) = requests.pop().filter(|_| all.len() < 12) {
        assert_eq!(requests, []);
        requests = loads(&answer(&mut model, &dataset, request_id, Ok(snapshot(&dataset))));
        requests.extend(loads(&start_due(&mut model)));
        all.push(dataset);
    }
    assert!(all.contains(&Dataset::Latest), "{all:?}");
}

/// All at once when the pause is over would be too many again.
#[test]
fn once_it_was_too_much_data_sets_are_read_one_after_another_and_each_gets_its_turn() {
    let mut watch = TestConsole::new();
    let asks_for = |seconds| FailureReason::Busy { too_many: true, retry_after: Some(Duration::from_secs(seconds)) };
    // So many requests a second, and 40 ms for each.
    let (mut second, mut allowance) = (0, 0);
    let mut limited = |dataset: &Dataset, now: Timestamp| {
        if now.millis() / 1_000 != second {
            (second, allowance) = (now.millis() / 1_000, 2);
        }
        if allowance == 0 {
            return (Duration::from_millis(40), read_failure(asks_for(1)));
        }
        allowance -= 1;
        (Duration::from_millis(40), Ok(snapshot(dataset)))
    };
    let requests = run_console(&mut watch, Duration::from_mins(3), &mut limited);
    // Two a second get through, and one is turned away behind them.
    let late = requests.iter().filter(|(at, _)| at.millis() >= 1_000_000 + 60_000).collect::<Vec<_>>();
    assert!(late.len() <= 3 * 120, "{} requests", late.len());
    for dataset in [Dataset::Latest, Dataset::Stats, Dataset::Balances(Scope::All), Dataset::Markets] {
        assert!(watch.model.data.remotes.get(&dataset).last_success.is_some(), "{dataset:?} gets its turn");
    }
    let at_a_time = late.iter().filter(|(at, _)| late.iter().filter(|(other, _)| other == at).count() > 1).count();
    assert_eq!(at_a_time, 0, "one after another");
}

#[test]
fn the_operator_may_ask_in_spite_of_a_pause() {
    let mut model = model();
    let (dataset, request_id) = loads(&start_due(&mut model)).remove(0);
    answer(
        &mut model,
        &dataset,
        request_id,
        read_failure(FailureReason::Busy { too_many: true, retry_after: Some(Duration::from_mins(4)) }),
    );
    let requests = loads(&update(&mut model, Msg::Key(KeyCode::Char('r').into())));
    assert!(requests.iter().any(|(dataset, _)| *dataset == Dataset::Latest));
}

#[test]
fn a_service_that_is_down_for_an_hour_is_asked_little_and_read_again_by_itself() {
    let mut watch = TestConsole::new();
    run_console(&mut watch, Duration::from_mins(5), &mut |dataset, _| answer_well(dataset));
    let requests = run_console(&mut watch, Duration::from_hours(1), &mut |_, _| {
        (Duration::ZERO, read_failure(FailureReason::Unreachable))
    });
    assert!(requests.len() <= 90, "{} requests", requests.len());
    assert!(matches!(watch.model.data.connection, ConnectionState::Offline { .. }));
    assert!(
        watch
            .model
            .figure_staleness(watch.model.data.remotes.latest.last_success)
            .is_some_and(|age| age >= Duration::from_hours(1))
    );
    let requests_after = run_console(&mut watch, Duration::from_secs(80), &mut |dataset, _| answer_well(dataset));
    assert_eq!(watch.model.data.connection, ConnectionState::Live);
    for dataset in [Dataset::Stats, Dataset::Markets, Dataset::Balances(Scope::All)] {
        assert_eq!(watch.model.data.remotes.get(&dataset).failure, None, "{dataset:?}");
    }
    assert!(busiest_minute(&requests_after) <= 60, "{requests_after:?}");
}

#[test]
fn whatever_a_service_does_the_traffic_is_bounded() {
    let calm = {
        let mut watch = TestConsole::new();
        busiest_minute(&run_console(&mut watch, Duration::from_mins(30), &mut |dataset, _| answer_well(dataset)))
    };
    let asks_for = |seconds| FailureReason::Busy { too_many: true, retry_after: Some(Duration::from_secs(seconds)) };
    for seed in 0..40_u64 {
        let mut watch = TestConsole::new();
        let mut dice = seed;
        let mut service = |dataset: &Dataset, now: Timestamp| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let roll = (dice >> 33) % 12;
            let slow = Duration::from_millis((dice >> 40) % 16_000);
            // It flaps by the minute, too.
            if seed % 3 == 0 && now.millis() / 60_000 % 2 == 1 {
                return (Duration::ZERO, read_failure(FailureReason::Unreachable));
            }
            match roll {
                0 => (Duration::from_secs(15), read_failure(FailureReason::TimedOut)),
                1 => (slow, read_failure(FailureReason::ConnectionLost)),
                2 => (Duration::ZERO, read_failure(asks_for(seed % 50))),
                3 => (Duration::ZERO, read_failure(FailureReason::Busy { too_many: true, retry_after: None })),
                4 => (Duration::ZERO, read_failure(FailureReason::NotUnderstood)),
                5 => (Duration::ZERO, read_failure(FailureReason::Refused { status: 500 })),
                6 => (slow, Ok(snapshot(dataset))),
                _ => answer_well(dataset),
            }
        };
        let requests = run_console(&mut watch, Duration::from_hours(2), &mut service);
        let most = busiest_minute(&requests);
        assert!(most <= calm * 2 + 10, "seed {seed}: {most} requests in a minute, {calm} when all is well");
        let last = run_console(&mut watch, Duration::from_mins(6), &mut |dataset, _| answer_well(dataset));
        assert!(!last.is_empty());
        assert_eq!(watch.model.data.connection, ConnectionState::Live, "seed {seed}: it recovers without a hand");
    }
}

#[test]
fn the_first_read_waits_when_told_to_and_goes_on_where_it_was() {
    let mut watch = TestConsole::new();
    let reading = |dataset: &Dataset, _: Timestamp| {
        let progress = SyncProgress { rows: 10, complete: false, ..SyncProgress::default() };
        let history = Snapshot::History { added: 1, changed: 0, progress: Box::new(progress) };
        let result = if matches!(dataset, Dataset::Latest | Dataset::Backfill) { history } else { snapshot(dataset) };
        (Duration::from_millis(500), Ok(result))
    };
    let back = |requests: &[(Timestamp, Dataset)]| {
        requests.iter().filter(|(_, dataset)| *dataset == Dataset::Backfill).count()
    };
    let first_requests = run_console(&mut watch, Duration::from_secs(20), &mut { reading });
    assert!(back(&first_requests) > 20, "one stretch follows the other");
    watch.press_key('P');
    let waiting = run_console(&mut watch, Duration::from_secs(20), &mut { reading });
    assert!(back(&waiting) <= 1 && waiting.iter().any(|(_, dataset)| *dataset == Dataset::Latest), "{waiting:?}");
    watch.press_key('P');
    let later_requests = run_console(&mut watch, Duration::from_secs(20), &mut { reading });
    assert!(back(&later_requests) > 20);
}

/// Rows may arrive faster than they are summed, so that there is always a newer query.
#[test]
fn sums_of_what_is_shown_count_although_they_were_queried_again() {
    let mut model = model();
    let mut answer =
        |answer| update(&mut model, Msg::StoreAnswered { request_id: RequestId::default(), answer: Ok(answer) });
    let account = Scope::Account(AccountId::from_text("other"));
    answer(StoreResult::Holdings { scope: Scope::All, all: Vec::new(), users: 7 });
    answer(StoreResult::Holdings { scope: account, all: Vec::new(), users: 8 });
    answer(StoreResult::Total { all: Vec::new(), users: 9, read_since: None });
    assert_eq!((model.pages.overview.balances.users, model.data.total.users), (7, 9));
}
