//! Watching: the Events page, the palette, and what a person is told who looked away.

use std::time::Duration;

use bursar::domain::Hints;
use bursar::runtime::perform::Request;
use bursar::service::Fault;
use insta::assert_snapshot;
use serde_json::json;

use super::harness::{Session, Setup};

const SECOND: Duration = Duration::from_secs(1);
const SIZES: [(u16, u16); 3] = [(80, 24), (120, 36), (200, 60)];

fn at_each_size(name: &str, prepare: impl Fn(&mut Session)) {
    for size in SIZES {
        let mut session = Session::with(Setup { size, ..Setup::default() });
        prepare(&mut session);
        assert_snapshot!(format!("{name}-{}x{}", size.0, size.1), session.screen());
    }
}

#[test]
fn what_happened_to_the_connection_is_told_newest_first_and_counted_until_it_is_looked_at() {
    let mut session = Session::open();
    session.sees("6 Events");
    session.sees_no("6 Events +");
    session.fault(Fault::Busy { retry_after: 2 * SECOND });
    session.passes(3 * SECOND);
    session.sees("6 Events +1");
    session.fault(Fault::None);
    session.passes(5 * SECOND);
    session.sees("6 Events +2");
    session.keys("6");
    session.sees_no("6 Events +");
    let screen = session.screen();
    let place = |words: &str| screen.find(words).unwrap_or_else(|| panic!("no “{words}” on\n{screen}"));
    assert!(place("live again: answers come in time") < place("the service asks to be left alone"));
    assert!(place("the service asks to be left alone") < place("connected: the service answers"));
    session.keys("/ 'alone' Enter");
    session.sees("the service asks to be left alone");
    session.sees_no("connected:");
    session.keys("Esc");
    session.sees("connected:");
}

#[test]
fn an_order_is_told_as_it_moves_on_and_enter_opens_it() {
    let mut session = Session::open();
    session.keys("n a 'Till' Tab Enter");
    session.confirms();
    session.keys("Enter");
    session.keys("6");
    session.sees("new account Till: made");
    session.keys("/ 'till' Enter j Enter");
    session.sees("Order ");
    session.sees("Esc closes");
    session.keys("Esc");
    session.sees("/till");
}

/// A deposit at the service's own sandbox, to the wallet that is selected, there at once.
fn deposit(session: &Session, amount: &str) {
    let wallets = session.store().wallets(&bursar::domain::history::Scope::All, "eth-main", 0, 1).unwrap();
    let address = wallets.rows[0].entry.address.clone().unwrap();
    let deposit = json!({ "destination": "on_chain", "coin": "USDC", "amount": amount, "chain": "ethereum",
        "status": "success", "fromAddress": "0x52908400098527886E0F7030069857D2E4169EE7", "toAddress": address.as_str() });
    session.posts("/v1/sandbox/sub-wallet/deposit", &deposit);
}

#[test]
fn a_webhook_of_the_service_makes_the_console_read_at_once() {
    let hour = Duration::from_hours(1);
    let mut session = Session::with(Setup { webhooks: true, period: hour, ..Setup::default() });
    session.passes(2 * SECOND);
    deposit(&session, "4711.25");
    session.sees_no("4,711.25");
    session.is_told();
    session.sees("+4,711.25");
    session.keys("6");
    session.sees("a webhook came in: wallets:deposit.success; reading now");
    session.sees_no("refused");
}

#[test]
fn a_flood_of_hints_asks_the_service_once_a_second() {
    let mut session = Session::with(Setup { period: Duration::from_hours(1), ..Setup::default() });
    session.passes(2 * SECOND);
    let tap = session.service().tap();
    let reads = || tap.count("GET", "/v2/transactions");
    for _ in 0..50 {
        session.hears(Hints { heard: 7, ..Hints::default() });
    }
    let at_once = reads();
    assert!((1..=8).contains(&at_once), "{at_once} requests at once");
    session.passes(3 * SECOND);
    session.keys("6");
    session.sees("a webhook came in: reading now (×350)");
    assert!((at_once + 1..=2 * at_once).contains(&reads()), "{} requests after {at_once}", reads());
}

#[test]
fn the_palette_does_what_a_key_would_and_says_why_it_cannot() {
    let mut session = Session::open();
    session.keys(": 'mark'");
    session.sees("show the Markets page");
    session.keys("Enter");
    session.sees("Blockchains ·");
    session.keys(": 'order'");
    session.sees("not now: only transactions can be put in another order");
    session.keys("Esc");
    session.sees_no("not now");
    // What cannot be done stays listed, says why when it is chosen, and leaves the palette open.
    session.keys(": 'receive' Enter");
    session.sees("wallets are on page 1");
    session.sees("Palette");
    session.keys("C-u 'zzzz'");
    session.sees("no action is called so");
    session.keys("Esc : 'quit' Enter");
    assert_eq!(session.ended, Some(Request::Quit));
}

#[test]
fn the_palette_of_a_console_that_only_reads_shows_paying_and_why_not() {
    let mut session = Session::with(Setup { pays: false, ..Setup::default() });
    session.keys(": 'withdraw'");
    session.sees("not now: this console only reads");
    session.keys("Enter");
    session.sees("Palette");
}

#[test]
fn every_action_of_the_palette_can_be_chosen_on_every_page() {
    use bursar::app::keymap::KEYS;
    let mut session = Session::with(Setup { transactions: 40, ..Setup::default() });
    for page in ["1", "2", "3", "4", "5", "6"] {
        for place in 0..KEYS.len() {
            session.keys(page);
            session.keys(":");
            for _ in 0..place {
                session.keys("Down");
            }
            session.keys("Enter Esc Esc Esc");
        }
    }
    session.keys("Esc Esc Esc 1");
    session.sees("Accounts");
}

#[test]
fn screens_of_events() {
    at_each_size("events", |session| {
        session.fault(Fault::Busy { retry_after: 2 * SECOND });
        session.passes(3 * SECOND);
        session.fault(Fault::None);
        session.passes(5 * SECOND);
        session.keys("6 j");
    });
}

#[test]
fn screens_of_the_palette() {
    at_each_size("palette", |session| session.keys(":"));
    at_each_size("palette-typed", |session| session.keys(": 'wa' Down"));
}
