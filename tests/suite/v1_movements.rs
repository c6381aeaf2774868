//! Deposits, withdrawals and transfers of version 1 beyond the first page, and one of them looked up.

use std::time::Duration;

use bursar::service::{Fault, FaultBody};
use rstest::rstest;

use super::harness::{Session, Setup};

const SECOND: Duration = Duration::from_secs(1);
const DEPOSITS: &str = "/v1/sub-wallet/deposit/list";
const WITHDRAWALS: &str = "/v1/sub-wallet/withdraw";

/// The treasury's user is selected, with several hundred deposits and withdrawals.
fn at_the_treasury(setup: Setup) -> Session {
    let mut session = Session::with(Setup { transactions: 1_500, poll_period: 10 * SECOND, ..setup });
    session.keys("2 / 'treasury' Enter j");
    session.passes(SECOND);
    session
}

/// The ranks in a list's head, such as `100 of 200`.
fn head(session: &Session, title: &str) -> String {
    let line = session.line(title);
    let (_, head) = line.split_once(title).unwrap();
    head.split('┐').next().unwrap().trim_matches(['─', ' ', '┤']).to_owned()
}

/// Scrolls down the focused list until the service has no more; returns how many rows it then has.
fn scrolls_to_the_end(session: &mut Session, title: &str) -> usize {
    for _ in 0..50 {
        session.keys("G");
        session.passes(SECOND);
        if head(session, title).contains("all read") {
            session.keys("G");
            let head = head(session, title);
            return head.rsplit(' ').next().unwrap().replace(',', "").parse().unwrap();
        }
    }
    panic!("no end: {}", session.screen());
}

/// Pages of a list beyond the first that were requested.
fn further_pages(log: &bursar::service::RequestLog, path: &str) -> Vec<String> {
    let pages = log.requests().into_iter().filter(|request| request.path == path);
    let numbers = pages.filter_map(|request| {
        let (_, rest) = request.query.split_once("pageNo=")?;
        Some(rest.split('&').next()?.to_owned())
    });
    numbers.filter(|number| number != "1").collect()
}

/// The value of a line of the record on screen, over all its lines.
fn value(session: &Session, name: &str) -> String {
    let screen = session.screen();
    let mut lines = screen.lines().skip_while(|line| !line.starts_with(&format!(" {name} ")));
    let first = lines.next().unwrap_or_else(|| panic!("no {name}: {screen}"));
    let mut whole = first.trim_start_matches(&format!(" {name} ")).trim().to_owned();
    for line in lines.take_while(|line| line.starts_with("                 ") && !line.trim().is_empty()) {
        whole.push_str(line.trim());
    }
    whole
}

fn looks_up(session: &mut Session, id_or_hash: &str) {
    session.keys(": 'look' Blank 'up' Enter");
    session.sees("Look up an identifier or hash");
    session.pastes(id_or_hash);
    session.keys("Enter");
}

#[test]
fn each_list_goes_on_where_it_ends_and_is_asked_for_no_sooner() {
    let mut session = at_the_treasury(Setup { size: (80, 24), ..Setup::default() });
    let log = session.service().record_requests();
    session.keys("Tab Tab Tab Tab Tab");
    assert_eq!(head(&session, "Deposits v1"), "the newest 100, more below  100");
    session.passes(60 * SECOND);
    assert_eq!(further_pages(&log, DEPOSITS), [""; 0], "a list that nobody scrolls is not read on");
    session.keys("G");
    session.passes(SECOND);
    assert_eq!(head(&session, "Deposits v1"), "the newest 200, more below  100 of 200");
    assert_eq!(further_pages(&log, DEPOSITS), ["2"]);
    let whole = scrolls_to_the_end(&mut session, "Deposits v1");
    assert!(whole > 250, "{whole} deposits");
    assert_eq!(further_pages(&log, DEPOSITS).len(), (whole - 1) / 100);
    // What the poll reads anew stands above what was read before.
    session.passes(60 * SECOND);
    assert!(head(&session, "Deposits v1").ends_with(&format!("all read  {whole} of {whole}")), "{}", session.screen());
    assert_eq!(further_pages(&log, DEPOSITS).len(), (whole - 1) / 100);
    session.keys("Tab");
    let withdrawal_count = scrolls_to_the_end(&mut session, "Withdrawals v1");
    assert!(withdrawal_count > 200, "{withdrawal_count} withdrawals");
    session.keys("Enter");
    session.sees("─ Withdrawal v1 ");
    session.sees("Sent via");
}

#[test]
fn withdrawals_are_asked_for_once_and_again_only_on_request() {
    let mut session = Session::with(Setup { poll_period: 10 * SECOND, ..Setup::default() });
    let log = session.service().record_requests();
    session.keys("2");
    session.passes(60 * SECOND);
    let request_count = log.count("GET", WITHDRAWALS);
    assert_eq!(request_count, 1, "of the user who is selected");
    session.keys("r");
    session.passes(SECOND);
    assert_eq!(log.count("GET", WITHDRAWALS), 2);
    session.keys("1");
    session.passes(60 * SECOND);
    assert_eq!(log.count("GET", WITHDRAWALS), 2);
}

#[test]
fn a_page_that_fails_is_named_and_what_was_read_stays() {
    let mut session = at_the_treasury(Setup { size: (80, 24), ..Setup::default() });
    session.keys("Tab Tab Tab Tab Tab");
    session.fault_on(DEPOSITS, Fault::Status { status: 500, body: FaultBody::ErrorBody, executed: false });
    session.keys("G");
    session.passes(SECOND);
    session.sees("further deposits not read: ");
    session.sees("↓ asks");
    assert!(head(&session, "Deposits v1").contains("more not read"), "{}", session.screen());
    assert!(head(&session, "Deposits v1").ends_with("100 of 100"), "{}", session.screen());
    session.fault_on(DEPOSITS, Fault::None);
    session.keys("j");
    session.passes(SECOND);
    assert_eq!(head(&session, "Deposits v1"), "the newest 200, more below  100 of 200");
}

#[test]
fn a_movement_is_looked_up_by_its_identifier_or_its_hash() {
    let mut session = at_the_treasury(Setup { size: (120, 36), ..Setup::default() });
    for (tabs, title) in [(5, "─ Deposit v1 "), (6, "─ Withdrawal v1 ")] {
        // The oldest of those read: most of the others are on no page that was read.
        session.keys(&"Tab ".repeat(tabs));
        session.keys("G Enter");
        session.sees(title);
        let (id, hash) = (value(&session, "Id"), value(&session, "Hash"));
        assert!(value(&session, "Workspace").len() > 30, "{}", session.screen());
        for sought in [&id, &hash] {
            looks_up(&mut session, sought);
            session.sees(title);
            assert_eq!((value(&session, "Id"), value(&session, "Hash")), (id.clone(), hash.clone()));
        }
        // Back to the list of users, where the treasury's stays selected.
        session.keys("Esc Esc Esc");
    }
    looks_up(&mut session, "00000000-0000-4000-8000-000000000000");
    session.sees("Not found.");
    session.sees("none has this identifier; none has this hash");
    session.sees("Withdrawals of Treasury, read one by one");
    session.sees("Transfers, which have no hash: none has this identifier");
    session.fault_on(DEPOSITS, Fault::Status { status: 500, body: FaultBody::ErrorBody, executed: false });
    session.keys("Enter");
    session.sees("not searched by hash");
}

#[rstest]
#[case(Fault::ConnectionCut)]
#[case(Fault::Truncated)]
#[case(Fault::CutAt(7))]
fn a_look_up_whose_connection_is_cut_says_so_and_is_tried_again(#[case] fault: Fault) {
    let mut session = at_the_treasury(Setup { size: (120, 36), ..Setup::default() });
    session.keys("Tab Tab Tab Tab Tab G Enter");
    let id = value(&session, "Id");
    session.keys("Esc");
    let before = head(&session, "Deposits v1");
    session.fault_on(DEPOSITS, fault);
    looks_up(&mut session, &id);
    session.settle();
    session.sees("Not found, but not everything was searched: Enter searches again.");
    session.sees("not searched by identifier: ");
    session.sees(&id);
    session.fault_on(DEPOSITS, Fault::None);
    session.keys("Enter");
    session.sees("─ Deposit v1 ");
    assert_eq!(value(&session, "Id"), id);
    session.keys("Esc");
    assert_eq!(head(&session, "Deposits v1"), before, "what was read stays");
}

#[test]
fn without_a_user_no_withdrawal_is_searched_and_without_version_1_nothing() {
    let mut session = Session::open();
    looks_up(&mut session, "nobody");
    session.sees("Withdrawals: not searched");
    let mut session = Session::with(Setup { v1: false, ..Setup::default() });
    session.keys(": 'look' Blank 'up' Enter");
    session.sees("version 1 is not used");
}
