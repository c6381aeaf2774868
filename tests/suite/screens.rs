//! What every page looks like, at three sizes and in every state. Look at a snapshot before you accept it.

use std::time::Duration;

use bursar::domain::ThemeName;
use bursar::service::Fault;
use insta::assert_snapshot;

use super::book_page::fills_in;
use super::harness::{Session, Setup};

/// Hidden rows that came while they were counted are counted again after a poll period.
const UNTIL_COUNTED: Duration = Duration::from_secs(6);

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 36), (200, 60)];

/// A snapshot of a session at each size.
fn at_each_size(name: &str, setup: impl Fn() -> Setup, prepare: impl Fn(&mut Session)) {
    for size in SIZES {
        // Prices come one by one, in whichever order: `figures` has pictures of them.
        let mut session = Session::unsettled(Setup { size, with_valuation: false, ..setup() });
        prepare(&mut session);
        assert_snapshot!(format!("{name}-{}x{}", size.0, size.1), session.screen_below_tabs());
    }
}

#[test]
fn overview_loading() {
    at_each_size("overview-loading", Setup::default, |_| {});
}

#[test]
fn overview_empty() {
    at_each_size("overview-empty", || Setup { sample: false, ..Setup::default() }, Session::connect);
}

#[test]
fn overview_stale() {
    at_each_size("overview-stale", Setup::default, |session| {
        session.connect();
        session.fault(Fault::Busy { retry_after: Duration::from_secs(1) });
        session.passes(Duration::from_secs(30));
    });
}

#[test]
fn overview_failed() {
    at_each_size("overview-failed", || Setup { fault: Some(Fault::Html), ..Setup::default() }, Session::connect);
}

#[test]
fn overview_key_rejected() {
    at_each_size("overview-key-rejected", Setup::default, |session| {
        session.connect();
        session.passes(UNTIL_COUNTED);
        session.fault(Fault::KeyRejected);
        session.passes(Duration::from_secs(2));
    });
}

#[test]
fn transactions_filtered() {
    at_each_size("transactions-filtered", Setup::default, |session| {
        session.connect();
        session.keys("3 / 'usdc'");
    });
}

#[test]
fn transactions_empty() {
    at_each_size(
        "transactions-empty",
        || Setup { sample: false, ..Setup::default() },
        |session| {
            session.connect();
            session.keys("3");
        },
    );
}

#[test]
fn transaction_detail() {
    at_each_size("transaction-detail", Setup::default, |session| {
        session.connect();
        session.keys("3 j j Enter");
    });
}

#[test]
fn transactions_filter_menu() {
    at_each_size("transactions-filter-menu", Setup::default, |session| {
        session.connect();
        session.keys("3 f j Blank");
    });
}

#[test]
fn transactions_filter_hint() {
    at_each_size("transactions-filter-hint", Setup::default, |session| {
        session.connect();
        session.keys("3 / 'dir:out' Blank 'chain:'");
    });
}

#[test]
fn transactions_marked_export() {
    at_each_size("transactions-marked-export", Setup::default, |session| {
        session.connect();
        session.keys("3 j Blank Blank / 'dir:in' Enter x");
    });
}

#[test]
fn transactions_copy() {
    at_each_size("transactions-copy", Setup::default, |session| {
        session.connect();
        session.keys("3 j j y");
    });
}

#[test]
fn help() {
    at_each_size("help", Setup::default, |session| {
        session.connect();
        session.keys("?");
    });
}

#[test]
fn zoomed_balances() {
    at_each_size("zoomed-balances", Setup::default, |session| {
        session.connect();
        session.keys("Tab Tab z");
    });
}

#[test]
fn receive() {
    at_each_size("receive", Setup::default, |session| {
        session.connect();
        session.keys("Tab j a");
    });
}

#[test]
fn receive_without_colours() {
    let mut session = Session::with(Setup { theme: ThemeName::Plain, size: (80, 24), ..Setup::default() });
    session.keys("Tab j a");
    assert_snapshot!("receive-plain-80x24", session.screen());
}

#[test]
fn overview_and_history_without_colours() {
    let mut session = Session::with(Setup { theme: ThemeName::Plain, with_valuation: false, ..Setup::default() });
    session.passes(UNTIL_COUNTED);
    assert_snapshot!("overview-plain-120x36", session.screen());
    session.keys("3 / 'status:failed'");
    assert_snapshot!("transactions-failed-plain-120x36", session.screen());
}

const SUPPLIER: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

#[test]
fn book_entry_that_looks_like_another() {
    at_each_size("book-entry-alike", Setup::default, |session| {
        session.connect();
        fills_in(session, "Norrland", "ethereum", SUPPLIER, "");
        session.keys("Enter");
        fills_in(session, "Other", "ethereum", "0x5aae72f13638c04b10f8119760b2d2ae86b0eaed", "");
    });
}

#[test]
fn withdraw_by_version_1() {
    at_each_size("withdraw-v1", Setup::default, |session| {
        session.connect();
        session.keys("1 m 'base-ops' Enter 'USDC' Enter");
        session.keys(&format!("'{SUPPLIER}' Enter 'order' Enter '25' Enter"));
    });
}
