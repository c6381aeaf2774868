//! What watching costs: the service in requests, the terminal in bytes.

use std::time::Duration;

use bursar::domain::entry_source::EntrySource;
use bursar::domain::history::Scope;
use bursar::service::Fault;
use bursar::terminal::Dialect;
use bursar::terminal::encoder::Encoder;
use ratatui::buffer::Buffer;

use super::harness::{Session, Setup, nameless};

const MINUTE: Duration = Duration::from_mins(1);

/// Requests of ten minutes, with so many more users known.
fn requests_with(users: u64) -> usize {
    let mut session = Session::with(Setup {
        transactions: 60,
        with_lists: false,
        can_pay: false,
        poll_period: Duration::from_secs(5),
        ..Setup::default()
    });
    let imported: Vec<_> =
        (0..users).map(|number| nameless(&format!("00000000-0000-4000-9000-{number:012}"))).collect();
    session.store().save_users(&imported, EntrySource::Imported).unwrap();
    session.polls_for(MINUTE);
    let tap = session.service().record_requests();
    tap.clear();
    session.polls_for(5 * MINUTE);
    tap.requests().len()
}

#[test]
fn ten_thousand_users_cost_no_more_requests_than_a_hundred() {
    let (few, many) = (requests_with(100), requests_with(10_000));
    assert!(few > 60, "nothing is polled: {few} requests");
    assert!(many.abs_diff(few) * 20 <= few, "{few} requests with 100 users, {many} with 10,000");
}

#[test]
fn where_no_users_are_listed_everybody_is_asked_for_once_and_called_by_name() {
    let mut session = Session::with(Setup { with_lists: false, poll_period: MINUTE / 6, ..Setup::default() });
    let tap = session.service().record_requests();
    session.keys("2");
    session.polls_for(4 * MINUTE);
    let users = session.store().users(&Scope::All, "", 0, 100).unwrap().rows;
    assert!(users.len() > 5, "{} users", users.len());
    let nameless: Vec<_> = users.iter().filter(|user| user.entry.display_name.is_none()).collect();
    assert!(nameless.is_empty(), "{nameless:?}");
    session.sees("Treasury");
    // The one that is selected is read again and again, as before.
    session.keys("1");
    tap.clear();
    session.polls_for(4 * MINUTE);
    assert_eq!(tap.count("GET", "/v2/users"), 0, "whoever was told of is not asked for again");
}

#[test]
fn a_service_that_tells_of_no_stranger_is_left_alone_with_them() {
    let mut session = Session::with(Setup { with_lists: false, poll_period: MINUTE / 6, ..Setup::default() });
    session.polls_for(4 * MINUTE);
    let unknown: Vec<_> = (0..600).map(|number| nameless(&format!("unknown-{number:03}"))).collect();
    session.store().save_users(&unknown, EntrySource::History).unwrap();
    let tap = session.service().record_requests();
    session.polls_for(9 * MINUTE);
    let user_reads = tap.count("GET", "/v2/users");
    // Eight strangers, and once in ten minutes whether users are listed by now.
    assert!((1..=9).contains(&user_reads), "{user_reads} requests");
    session.polls_for(2 * MINUTE);
    assert!(tap.count("GET", "/v2/users") > user_reads, "some day it may tell");
}

#[test]
fn a_key_that_may_not_ask_for_strangers_is_as_good_as_before() {
    let mut session = Session::with(Setup { with_lists: false, poll_period: MINUTE / 6, ..Setup::default() });
    let tap = session.service().record_requests();
    session.faults(vec![Fault::None.on_paths("/v2/users/"), Fault::KeyRejected.on_paths("/v2/users")]);
    session.polls_for(4 * MINUTE);
    session.sees("● live");
    session.sees_no("not read");
    let (user_reads, balances) = (tap.count("GET", "/v2/users"), tap.count("GET", "/v2/users/balances"));
    assert!((1..=8).contains(&user_reads) && balances > 20, "{user_reads} of strangers, {balances} of balances");
}

/// Cells in which two pictures differ, as column and row.
fn differences(one: &Buffer, other: &Buffer) -> Vec<(u16, u16)> {
    let area = one.area;
    let cells = (0..area.height).flat_map(|y| (0..area.width).map(move |x| (x, y)));
    cells.filter(|at| one[*at] != other[*at]).collect()
}

#[test]
fn a_day_of_polling_without_change_writes_nothing_but_the_clock() {
    let mut session =
        Session::with(Setup { transactions: 60, poll_period: 15 * MINUTE, with_valuation: false, ..Setup::default() });
    // What was on its way when the session began comes to its end.
    session.polls_for(2 * 60 * MINUTE);
    let tap = session.service().record_requests();
    tap.clear();
    let (mut encoder, mut out, mut bytes, mut frames) = (Encoder::new(Dialect::FULL), Vec::new(), Vec::new(), 0_u64);
    let mut steps = 0_u32;
    let mut before = session.buffer();
    encoder.encode_frame(&mut before.clone(), &mut out);
    session.passes_watched(24 * 60 * MINUTE, &mut |session| {
        steps += 1;
        let picture = session.buffer();
        let changed_cells = differences(&before, &picture);
        out.clear();
        encoder.encode_frame(&mut picture.clone(), &mut out);
        let midnight = session.now().format("%H:%M") == "00:00";
        if changed_cells.is_empty() {
            assert!(out.is_empty(), "{} bytes for an unchanged picture", out.len());
        } else if !midnight {
            let clock = |(x, y): &(u16, u16)| *y == 0 && *x >= picture.area.width - 7;
            // Days leave the counts of the last thirty, which is a change at the service.
            // They are below the rows that name what needs somebody.
            let in_counters = |(x, y): &(u16, u16)| (2..=5).contains(y) && *x < 42;
            assert!(
                changed_cells.iter().all(|at| clock(at) || in_counters(at)),
                "at {} cells {changed_cells:?}",
                session.now()
            );
            if changed_cells.iter().all(clock) {
                bytes.push(out.len());
            }
            frames += 1;
        }
        before = picture;
    });
    assert!(tap.count("GET", "/v2/transactions") >= 2 * 24 * 4, "it polls all day");
    assert!((1_430..=1_441).contains(&frames), "{frames} pictures");
    // The clock's minutes, and what is polled: nothing else wakes it.
    assert!(steps <= 24 * 60 + 24 * 4 * 8, "it woke {steps} times");
    let most = bytes.iter().max().copied().unwrap_or(0);
    assert!(most <= 64, "{most} bytes for a minute of the clock");
}
