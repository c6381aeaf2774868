//! Paying is taken away from a console at which nobody sits; watching goes on.

use std::time::Duration;

use bursar::app::session::lock::{LockSettings, UnlockMethod};
use bursar::domain::order::OrderState;

use super::harness::payments::PASSPHRASE;
use super::harness::{Session, Setup};

const TO: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

fn session(asks: UnlockMethod) -> Session {
    let lock = LockSettings { lock_after: Some(Duration::from_mins(15)), unlock_method: asks, at_start: false };
    Session::with(Setup {
        transactions: 60,
        lively: true,
        poll_period: Duration::from_secs(15),
        lock,
        ..Setup::default()
    })
}

#[test]
fn a_review_that_is_left_alone_is_given_up_its_draft_kept_and_watching_goes_on() {
    let mut session = session(UnlockMethod::Passphrase);
    session.reviews("base-ops", "USDC", "25", TO);
    session.passes(Duration::from_mins(16));
    session.sees("paying was locked after 15m without a key");
    session.sees("paying locked");
    assert!(session.reviewed_payment().is_none());
    let order = session.order();
    assert_eq!(order.intent.state(session.now()), OrderState::Abandoned, "{}", order.status_text);
    session.sees("live");
    session.keys("w");
    session.sees("paying is locked; press L to unlock");
    session.keys("n");
    session.sees("paying is locked; press L to unlock");

    // A wrong passphrase, and then the right one.
    session.keys("L");
    session.sees("Unlock paying");
    session.types("harbour light");
    session.sees_no("harbour light");
    session.keys("Enter");
    session.sees("the passphrase is wrong");
    session.passes(Duration::from_secs(1));
    session.types(PASSPHRASE);
    session.keys("Enter");
    session.sees("paying is unlocked; 1 failed attempt before");
    session.sees_no("paying locked");
    session.keys("w");
    session.sees("draft restored");
    assert!(session.screen().contains(TO) && session.screen().contains("25"), "{}", session.screen());
}

#[test]
fn a_payment_that_was_confirmed_before_is_followed_and_nothing_else_leaves() {
    let mut session = session(UnlockMethod::Word);
    session.reviews("base-ops", "USDC", "25", TO);
    session.confirms();
    session.keys("L");
    session.sees("paying was locked");
    session.passes(Duration::from_mins(10));
    let order = session.order();
    assert_eq!((order.status, order.executions), ("settled", 1), "{}", order.status_text);
    session.keys("4 j S");
    session.sees("paying is locked");
    // Where no passphrase was set, that is said, and the word stands there.
    session.keys("L");
    session.sees("No passphrase is set (bursar key lock set): anybody at this");
    session.types("unlock");
    session.keys("Enter");
    session.sees("paying is unlocked");
}

#[test]
fn a_locked_console_is_not_left_for_another_profile() {
    let mut session = session(UnlockMethod::Passphrase);
    session.knows_profile("quay");
    session.keys("L :");
    session.types("profile quay");
    session.keys("Enter");
    session.sees("paying is locked; press L to unlock");
    assert!(session.loop_request.is_none(), "another profile begins open");
}

#[test]
fn a_console_that_is_started_anew_asks_for_its_passphrase_before_anything_is_paid() {
    let lock = LockSettings { lock_after: None, unlock_method: UnlockMethod::Passphrase, at_start: true };
    let mut session = Session::with(Setup {
        transactions: 60,
        lively: true,
        poll_period: Duration::from_secs(15),
        lock,
        ..Setup::default()
    });
    for _ in 0..2 {
        session.sees("Unlock paying");
        session.keys("Esc w");
        session.sees("paying is locked; press L to unlock");
        session.sees("live");
        assert!(session.till().orders().is_empty(), "nothing was drafted");
        // Left and started anew, it is as locked as before.
        session.restarts();
        session.connect();
    }
    session.types(PASSPHRASE);
    session.keys("Enter");
    session.sees("paying is unlocked");
    session.reviews("base-ops", "USDC", "25", TO);
    session.confirms();
    assert_eq!(session.order().executions, 1);
}

#[test]
fn the_palette_locks_by_name() {
    let mut session = session(UnlockMethod::Word);
    session.keys(":");
    session.types("lock paying");
    session.keys("Enter");
    session.sees("paying was locked");
}
