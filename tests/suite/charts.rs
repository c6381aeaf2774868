//! Figures as pictures: values by quotes, their drift, shares, sparklines, and the charts of a balance.

use std::time::Duration;

use bursar::domain::history::Scope;
use bursar::domain::{Day, Timestamp};
use bursar::service::{Fault, FaultBody};
use bursar::store::Cancel;
use insta::assert_snapshot;

use super::harness::{BEGINNING, Session, Setup, text};

const SECOND: Duration = Duration::from_secs(1);
const SIZES: [(u16, u16); 3] = [(80, 24), (120, 36), (200, 60)];

/// An answer of this status with the body of an error.
fn refusal(status: u16) -> Fault {
    Fault::Status { status, body: FaultBody::ErrorBody, executed: false }
}

/// A session that has a price for everything that has one.
fn priced_session(size: (u16, u16)) -> Session {
    let mut session = Session::with(Setup { size, ..Setup::default() });
    session.passes(8 * SECOND);
    session
}

/// A session that polls once a minute, so that hours pass quickly.
fn slow_session(size: (u16, u16)) -> Session {
    Session::with(Setup { size, poll_period: 60 * SECOND, ..Setup::default() })
}

fn at_each_size(name: &str, prepare: impl Fn(&mut Session)) {
    for size in SIZES {
        let mut session = priced_session(size);
        prepare(&mut session);
        assert_snapshot!(format!("{name}-{}x{}", size.0, size.1), session.screen_below_tabs());
    }
}

#[test]
fn chart_of_a_balance() {
    at_each_size("chart-balance", |session| session.keys("Tab Tab j t"));
}

#[test]
fn chart_of_a_value() {
    at_each_size("chart-value", |session| session.keys("Tab Tab j j j j t t Tab Tab"));
}

#[test]
fn chart_of_flows() {
    at_each_size("chart-flow", |session| session.keys("Tab Tab j t t t"));
}

#[test]
fn chart_of_a_year() {
    at_each_size("chart-year", |session| session.keys("Tab Tab j t Tab Tab"));
}

#[test]
fn a_value_is_marked_timed_and_says_that_something_has_no_price() {
    let mut session = priced_session((120, 36));
    session.sees("M+ USDT 12:03");
    session.sees("≈ USDT");
    let treasury = session.line("▌Treasury");
    assert!(treasury.contains('≈') && treasury.contains("M+"), "something in it has no price: {treasury}");
    assert_eq!(
        treasury.split_whitespace().find(|word| word.starts_with('≈')),
        session.line("Balances · Treasury").split_whitespace().find(|word| word.starts_with('≈')),
        "one figure at both places"
    );
    let customers = session.line(" Customers");
    assert!(customers.contains('≈') && !customers.contains('+'), "{customers}");
    // What has no price stands below what has one.
    session.keys("Tab Tab G");
    let shib = session.line("SHIB");
    assert!(shib.contains("≈590T       —"), "{shib}");
    session.keys("z");
    let shib = session.line("SHIB");
    assert!(shib.contains("589,500,000,000,000.123456789012345678       —"), "{shib}");
}

#[test]
fn quotes_that_are_refused_leave_a_dash_and_never_a_zero() {
    for fault in [refusal(404), refusal(422), Fault::KeyRejected, Fault::Html] {
        let mut session = Session::unsettled(Setup { size: (120, 40), ..Setup::default() });
        session.fault_on("/v1/instant-swap", fault);
        session.connect();
        session.passes(30 * SECOND);
        assert!(session.service().faults_fired() > 0);
        session.sees("● live");
        let pol = session.line("POL     Polygon");
        assert!(pol.contains('—') && !pol.contains("0.00"), "{fault:?}: {pol}");
        // What everything is valued in is worth itself.
        assert!(session.line("USDT    Ethereum").contains("1.19M"), "{fault:?}");
        session.sees("M+ USDT");
        let fired_before = session.service().faults_fired();
        session.passes(60 * SECOND);
        assert!(session.service().faults_fired() <= fired_before + 4, "what was refused is left alone");
    }
}

#[test]
fn a_service_that_lists_no_pairs_is_asked_for_listed_tokens() {
    let mut session = Session::unsettled(Setup::default());
    session.fault_on("/v1/swap/pairs", refusal(404));
    session.connect();
    session.passes(15 * SECOND);
    session.sees("M+ USDT 12:03");
    session.keys("5");
    session.passes(5 * SECOND);
    session.sees("the service does not report which pairs it swaps");
    assert!(session.line(" SHIB").contains("service answered 400: ther"), "{}", session.screen());
}

#[test]
fn prices_drift_and_turn_old() {
    let mut session = slow_session((200, 60));
    session.keys("5");
    session.passes(180 * SECOND);
    let before = session.line("▌ETH ");
    assert_eq!(before.matches('%').count(), 2, "nothing is known of a quarter of an hour ago: {before}");
    session.passes(40 * 60 * SECOND);
    let after = session.line("▌ETH ");
    assert_eq!(after.matches('%').count(), 4, "drift of session and quarter, of token and pair: {after}");
    assert!(after.contains('+') || after.contains('−'), "{after}");
    session.fault_on("/v1/instant-swap", Fault::Busy { retry_after: Duration::from_secs(200) });
    session.passes(120 * SECOND);
    assert!(session.service().faults_fired() > 0);
    session.sees("old 12:4");
    session.sees("no quotes: service busy");
}

#[test]
fn nobody_who_wants_no_values_is_asked_for_quotes() {
    let mut session = Session::with(Setup { with_valuation: false, poll_period: 10 * SECOND, ..Setup::default() });
    for path in ["/v1/instant-swap", "/v1/swap"] {
        session.fault_on(path, Fault::Html);
        session.keys("1");
        session.passes(60 * SECOND);
        session.keys("5");
        session.passes(60 * SECOND);
        assert_eq!(session.service().faults_fired(), 0);
    }
    session.sees("no quotes are requested");
    session.keys("1");
    session.sees_no("≈");
    session.sees("7 d");
}

#[test]
fn a_poll_that_brings_nothing_changes_no_cell() {
    let mut session = priced_session((120, 36));
    session.fault_on("/v1/instant-swap", refusal(404));
    session.passes(45 * SECOND);
    let before = session.buffer();
    session.passes(9 * SECOND);
    assert_eq!(text(&session.buffer()), text(&before));
    assert_eq!(session.buffer(), before);
}

#[test]
fn a_chart_tells_the_exact_figures_and_goes_back() {
    let mut session = priced_session((120, 36));
    session.keys("Tab Tab j");
    let balance_line = session.line("▌USDT    Ethereum");
    assert!(balance_line.contains("1,188,314.282397"), "{balance_line}");
    session.keys("t");
    session.sees("Balance · USDT Ethereum · Treasury · 30 days");
    assert!(session.line("held now").contains("1,188,314.282397"));
    session.keys("Tab");
    session.sees("90 days");
    session.keys("BackTab BackTab");
    session.sees("7 days");
    session.keys("t");
    session.sees("Value · USDT Ethereum · Treasury · 7 days");
    session.keys("t");
    session.sees("In and out · USDT Ethereum");
    session.keys("? Esc");
    session.sees("In and out");
    session.keys("Esc");
    session.sees("Balances · Treasury");
    session.keys("3 j t");
    session.sees("In and out");
    session.keys("1 Esc");
    session.sees("Accounts");
    session.keys("BackTab t");
    session.sees("a chart shows a balance");
}

#[test]
fn a_chart_takes_in_what_arrives() {
    let mut session = Session::with(Setup { lively: true, ..Setup::default() });
    session.keys("Esc 3 j t");
    let before = session.screen();
    session.passes(60 * SECOND);
    assert_ne!(before, session.screen());
}

#[test]
fn no_chart_breaks_at_any_size() {
    let mut session = priced_session((120, 36));
    session.keys("Tab Tab j t");
    for kind in 0..3 {
        for (width, height) in [(40, 10), (41, 11), (60, 14), (80, 24), (110, 10), (300, 90), (12, 3)] {
            session.resizes(width, height);
            assert!(!session.screen().is_empty(), "{kind} {width}x{height}");
        }
        session.resizes(80, 24);
        session.keys("t G g Tab Tab Tab G");
    }
}

#[test]
fn balances_are_sampled_by_the_hour_and_outlive_a_restart() {
    let mut session = slow_session((120, 36));
    let treasury = session.store().accounts().unwrap()[0].entry.id.clone();
    let samples = |session: &Session| {
        let since = Day::from_timestamp(Timestamp::parse_iso(BEGINNING).unwrap());
        let past =
            session.store().balance_history(&Scope::Account(treasury.clone()), None, since, &Cancel::new()).unwrap();
        past.tokens.iter().map(|token| token.samples.len()).max().unwrap()
    };
    assert_eq!(samples(&session), 1);
    session.passes(30 * 60 * SECOND);
    assert_eq!(samples(&session), 1, "once an hour");
    session.passes(60 * 60 * SECOND);
    assert_eq!(samples(&session), 2);
    session.restarts();
    assert_eq!(samples(&session), 2);
}
