//! In which order transactions stand, and as of which moment sums are told.

use std::time::Duration;

use bursar::domain::history::{Query, Sort, WindowAnchor, WindowRequest};
use bursar::domain::{Status, Timestamp};
use bursar::service::Fault;
use bursar::store::Cancel;

use super::harness::{Session, Setup};

const SECOND: Duration = Duration::from_secs(1);

fn rows(session: &Session, sort: Sort) -> Vec<(Option<Timestamp>, Option<Status>)> {
    let span = WindowRequest { query: Query { sort, ..Query::default() }, anchor: WindowAnchor::Rank(0), rows: 10_000 };
    let mut rows = Vec::new();
    session
        .store()
        .query_history(&span, &Cancel::new(), &mut |window| {
            rows =
                window.rows.into_iter().map(|row| (row.transaction.reported_time(), row.transaction.status)).collect();
        })
        .unwrap();
    rows
}

#[test]
fn transactions_stand_by_time_and_what_is_pending_on_top() {
    let mut session = Session::with(Setup { lively: true, poll_period: 10 * SECOND, ..Setup::default() });
    session.passes(120 * SECOND);
    let all = rows(&session, Sort::Newest);
    let pending = all.iter().take_while(|(_, status)| *status == Some(Status::Pending)).count();
    assert!(all.iter().skip(pending).all(|(_, status)| *status != Some(Status::Pending)));
    let times: Vec<Timestamp> = all.iter().filter_map(|(at, _)| *at).collect();
    assert!(times.is_sorted_by(|above, below| above >= below), "{times:?}");
    let times: Vec<Timestamp> = rows(&session, Sort::Listed).iter().filter_map(|(at, _)| *at).collect();
    assert!(!times.is_sorted_by(|above, below| above >= below), "the service lists by when a row was made");
}

#[test]
fn the_services_order_is_a_choice_and_said() {
    let mut session = Session::open();
    session.keys("3");
    session.sees_no("in the service's order");
    session.keys("o o o o");
    session.sees("in the service's order");
    session.keys("o");
    session.sees_no("in the service's order");
}

#[test]
fn sums_of_accounts_do_not_move_after_the_service_is_gone_and_say_their_moment() {
    let mut session = Session::with(Setup { lively: true, ..Setup::default() });
    for _ in 0..4 {
        session.faults(Vec::new());
        session.passes(17 * SECOND);
        session.faults(vec![Fault::ConnectionCut.always()]);
        // The first reads that fail show that it is gone.
        session.passes(3 * SECOND);
        session.sees("offline");
        let sums = |session: &Session| {
            let screen = session.screen();
            let sum = |name: &str| {
                // The rows of the accounts stand at the left.
                let rows = screen.lines().map(|line| line.chars().take(44).collect::<String>());
                let row = rows.into_iter().find(|row| row.contains(name) && row.contains('≈'));
                row.and_then(|row| row.split_whitespace().find(|word| word.starts_with('≈')).map(str::to_owned))
            };
            (sum("Treasury"), sum("Customers"))
        };
        let before = sums(&session);
        assert!(before.0.is_some() && before.1.is_some(), "{before:?}");
        session.sees("as of 12:0");
        session.passes(60 * SECOND);
        assert_eq!(sums(&session), before);
        // Whoever looks at the other account sees the same sum.
        session.keys("j");
        session.passes(SECOND);
        assert_eq!(sums(&session), before);
        session.keys("k");
    }
}
