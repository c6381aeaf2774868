use std::time::Duration;

use super::super::model::{Identity, Settings, ThemeName};
use super::super::msg::{Msg, Size, Snapshot, Turn};
use super::super::update::update;
use super::*;
use crate::domain::history::Progress;
use crate::domain::{Failure, Reason, Text};

fn model() -> Model {
    let identity = Identity {
        name: Text::clean("x"),
        profile: "harbour".into(),
        environment: None,
        demo: true,
        fault: None,
        base_url: Text::clean("http://127.0.0.1"),
    };
    let settings = Settings {
        identity,
        period: Duration::from_secs(5),
        probe_lists: true,
        v1: true,
        theme: ThemeName::default(),
        read_only: None,
        prices: crate::app::prices::PriceSettings::default(),
    };
    let mut model = Model::new(settings, Size { width: 120, height: 36 }, Timestamp::from_millis(1_000_000));
    model.connected = true;
    model
}

fn loads(effects: &[Effect]) -> Vec<(Dataset, Turn)> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Load { what, turn } => Some((what.clone(), *turn)),
            _ => None,
        })
        .collect()
}

fn answer(model: &mut Model, what: &Dataset, turn: Turn, result: Result<Snapshot, Failure>) -> Vec<Effect> {
    update(model, Msg::Loaded { what: what.clone(), turn, result })
}

fn snapshot(what: &Dataset) -> Snapshot {
    match what {
        Dataset::Head | Dataset::Back => {
            let progress = Progress { rows: 10, complete: true, ..Progress::default() };
            Snapshot::History { added: 0, changed: 0, progress }
        }
        Dataset::Lists { .. } => Snapshot::Lists { served: true },
        Dataset::Balances(_) => Snapshot::Balances { users: 1 },
        Dataset::User { user, .. } => Snapshot::User(Box::new(crate::app::users::Particulars {
            user: user.clone(),
            person: Ok(()),
            stats: Ok(crate::domain::UserStats::default()),
            v1: None,
        })),
        Dataset::Stats => Snapshot::Stats(crate::domain::UserStats::default()),
        Dataset::Markets => Snapshot::Markets,
        Dataset::Pairs => Snapshot::Pairs(None),
        Dataset::Quotes(_) => Snapshot::Quotes(Vec::new()),
        Dataset::Orders => Snapshot::Orders,
        Dataset::Watched(_) => Snapshot::Watched,
    }
}

#[test]
fn one_request_of_a_data_set_is_under_way_at_most() {
    let mut model = model();
    let first = loads(&start_due(&mut model));
    assert!(first.iter().any(|(what, _)| *what == Dataset::Head));
    assert_eq!(loads(&start_due(&mut model)), []);
    model.remotes.want_all();
    assert_eq!(loads(&update(&mut model, Msg::Tick(Timestamp::from_millis(9_000_000)))), []);
}

#[test]
fn nothing_is_due_between_polls_and_the_next_due_moment_is_known() {
    let mut model = model();
    let mut waiting = loads(&start_due(&mut model));
    while let Some((what, turn)) = waiting.pop() {
        let answer = snapshot(&what);
        waiting
            .extend(loads(&super::super::update::update(&mut model, Msg::Loaded { what, turn, result: Ok(answer) })));
    }
    let due = next_due(&model).unwrap();
    assert_eq!(due, Timestamp::from_millis(1_005_000));
    let early = Timestamp::from_millis(due.millis() - 1);
    assert_eq!(loads(&update(&mut model, Msg::Tick(early))), []);
    assert!(loads(&update(&mut model, Msg::Tick(due))).iter().any(|(what, _)| *what == Dataset::Head));
}

#[test]
fn a_rejected_key_stops_everything_until_the_operator_asks() {
    let mut model = model();
    let started = loads(&start_due(&mut model));
    for (what, turn) in started {
        let rejected = Failure::of_read(Reason::KeyRejected, "no such key");
        assert_eq!(loads(&answer(&mut model, &what, turn, Err(rejected))), []);
    }
    assert_eq!(model.link, Link::KeyRejected);
    let banner = model.banner().unwrap();
    assert!(banner.starts_with("API key rejected") && banner.contains("no such key"), "{banner}");
    let later = Timestamp::from_millis(99_000_000);
    assert_eq!(loads(&update(&mut model, Msg::Tick(later))), []);
    let again = loads(&update(&mut model, Msg::Key(super::super::Key::char('r'))));
    assert!(again.iter().any(|(what, _)| *what == Dataset::Head));
}

#[test]
fn an_answer_to_an_older_question_is_dropped() {
    let mut model = model();
    let (what, turn) = loads(&start_due(&mut model)).remove(0);
    answer(&mut model, &what, Turn(turn.0 + 1), Ok(snapshot(&what)));
    assert!(model.remotes.head.in_flight.is_some());
    assert_eq!(model.remotes.head.last_good, None);
}

#[test]
fn a_service_without_lists_is_asked_once() {
    let mut model = model();
    let started = loads(&start_due(&mut model));
    let (_, turn) = started.iter().find(|(what, _)| *what == Dataset::Lists { v1: true }).unwrap().clone();
    answer(&mut model, &Dataset::Lists { v1: true }, turn, Ok(Snapshot::Lists { served: false }));
    assert!(model.lists_absent);
    assert!(
        !loads(&update(&mut model, Msg::Tick(Timestamp::from_millis(99_000_000))))
            .iter()
            .any(|(what, _)| *what == Dataset::Lists { v1: true })
    );
}

fn settle(model: &mut Model) {
    let mut waiting = loads(&start_due(model));
    while let Some((what, turn)) = waiting.pop() {
        let good = snapshot(&what);
        waiting.extend(loads(&answer(model, &what, turn, Ok(good))));
    }
}

#[test]
fn a_clock_that_was_set_back_freezes_nothing_and_makes_nothing_look_fresh() {
    let mut model = model();
    settle(&mut model);
    assert_eq!(model.link, Link::Live);
    let earlier = Timestamp::from_millis(1_000_000 - 600_000);
    let again = loads(&update(&mut model, Msg::Tick(earlier)));
    assert!(again.iter().any(|(what, _)| *what == Dataset::Head), "everything is read again at once");
    assert_eq!(model.now, earlier);
    assert_eq!(model.link, Link::Connecting, "what was read before says nothing any more");
    let before = Timestamp::from_millis(999_000);
    assert_eq!(model.staleness(Some(before)), Some(Duration::MAX), "a figure from the future may be of any age");
    // Two looks at clocks may lie a little apart.
    update(&mut model, Msg::Tick(Timestamp::from_millis(earlier.millis() - 500)));
    assert_eq!(model.now, earlier);
}

#[test]
fn what_the_key_may_not_read_is_done_without_and_asked_for_no_more() {
    let mut model = model();
    settle(&mut model);
    let due = update(&mut model, Msg::Tick(Timestamp::from_millis(1_000_000 + 12 * 5_000)));
    let (_, turn) = loads(&due).into_iter().find(|(what, _)| *what == Dataset::Stats).unwrap();
    answer(&mut model, &Dataset::Stats, turn, Err(Failure::of_read(Reason::Forbidden, "")));
    assert_ne!(model.link, Link::KeyRejected);
    let later = loads(&update(&mut model, Msg::Tick(Timestamp::from_millis(900_000_000))));
    assert!(!later.iter().any(|(what, _)| *what == Dataset::Stats));
    update(&mut model, Msg::Key(super::super::Key::char('r')));
    assert!(model.remotes.stats.in_flight.is_some());
}
