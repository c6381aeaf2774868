//! What a service answered wrong for once stands for nothing: it is asked for again until it can be read, by itself after
//! pauses that grow and by `r` at once, and nobody needs to start the console anew.

use std::time::Duration;

use bursar::domain::history::{Scope, SyncProgress};
use bursar::domain::{Holding, ReportedAmount};
use bursar::service::{Fault, RowFieldDamage};
use rstest::rstest;

use super::harness::{Session, Setup};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_mins(1);
const HISTORY: &str = "/v2/transactions";
const DAMAGES: [RowFieldDamage; 5] = [
    RowFieldDamage::AllNull,
    RowFieldDamage::ValuesSwapped,
    RowFieldDamage::HalfMissing,
    RowFieldDamage::NoIdentifier,
    RowFieldDamage::UnknownWords,
];

/// A session whose first answers of these paths are spoilt, so many of them.
fn read_spoilt(paths: &'static str, damage: RowFieldDamage, times: u64) -> Session {
    let mut session = Session::unsettled(Setup { transactions: 120, poll_period: 10 * SECOND, ..Setup::default() });
    session.faults(vec![Fault::RowsDamaged(damage).on_paths(paths).times(times)]);
    session.connect();
    assert_eq!(session.service().faults_fired(), times, "{damage:?} on {paths}");
    session
}

/// What is held in all, without when it was read.
fn holdings(session: &Session) -> Vec<(String, Option<ReportedAmount>)> {
    let all = session.store().holdings(&Scope::All).unwrap();
    // Of tokens that rows named by mistake nothing is held.
    let is_some = |holding: &Holding| {
        holding.amount.as_ref().and_then(ReportedAmount::exact).is_none_or(|amount| !amount.is_zero())
    };
    let mut holdings: Vec<_> =
        all.into_iter().filter(is_some).map(|Holding { token, amount, .. }| (format!("{token:?}"), amount)).collect();
    holdings.sort_by(|(one, _), (other, _)| one.cmp(other));
    holdings
}

fn is_whole(session: &Session) -> bool {
    let SyncProgress { complete, unreadable, incomplete, partial, rows, .. } = session.store().progress().unwrap();
    complete && unreadable == 0 && incomplete == 0 && partial.is_none() && rows >= 120
}

/// The same history without any fault.
fn sound() -> Vec<(String, Option<ReportedAmount>)> {
    let mut session = Session::with(Setup { transactions: 120, poll_period: 10 * SECOND, ..Setup::default() });
    session.passes(2 * MINUTE);
    holdings(&session)
}

#[test]
fn a_page_of_the_history_that_was_spoilt_once_is_read_again_by_itself() {
    let sound = sound();
    for damage in DAMAGES {
        for times in [1, 2] {
            let mut session = read_spoilt(HISTORY, damage, times);
            session.passes(2 * MINUTE);
            assert!(is_whole(&session), "{damage:?} {times}: {:?}", session.store().progress().unwrap());
            assert_eq!(holdings(&session), sound, "{damage:?} {times}");
            session.sees("● live");
            session.sees_no("partial");
            session.sees_no("unreadable");
        }
    }
}

#[test]
fn r_reads_a_spoilt_page_again_at_once() {
    for damage in [RowFieldDamage::AllNull, RowFieldDamage::HalfMissing, RowFieldDamage::NoIdentifier] {
        let mut session = read_spoilt(HISTORY, damage, 2);
        // Further pauses have grown meanwhile.
        session.faults(vec![Fault::RowsDamaged(damage).on_paths(HISTORY)]);
        session.passes(2 * MINUTE);
        assert!(!is_whole(&session), "{damage:?}");
        session.faults(Vec::new());
        session.keys("r");
        session.passes(SECOND);
        assert!(is_whole(&session), "{damage:?}: {:?}", session.store().progress().unwrap());
        session.sees("● live");
    }
}

#[test]
fn while_rows_are_missing_the_header_does_not_say_plainly_that_it_is_live() {
    let mut session = Session::unsettled(Setup { transactions: 120, poll_period: 10 * SECOND, ..Setup::default() });
    session.faults(vec![Fault::RowsDamaged(RowFieldDamage::AllNull).on_paths(HISTORY)]);
    session.connect();
    session.passes(3 * SECOND);
    session.sees("◐ live, ");
    session.sees("rows unread");
    session.sees_no("● live");
    session.faults(vec![Fault::RowsDamaged(RowFieldDamage::UnknownWords).on_paths(HISTORY)]);
    session.passes(MINUTE);
    session.sees("◐ live, history partial");
    session.sees("History is partial: a row is neither incoming nor outgoing. Next attempt at");
    session.faults(Vec::new());
    session.passes(10 * MINUTE);
    session.sees("● live");
}

#[test]
fn what_cannot_be_read_for_good_is_asked_for_with_pauses_that_grow() {
    let mut session =
        Session::unsettled(Setup { transactions: 120, can_pay: false, poll_period: 10 * SECOND, ..Setup::default() });
    session.faults(vec![Fault::RowsDamaged(RowFieldDamage::NoIdentifier).on_paths(HISTORY)]);
    session.connect();
    let requests = |session: &mut Session, time: Duration| {
        let tap = session.service().record_requests();
        tap.clear();
        session.passes(time);
        tap.count("GET", HISTORY)
    };
    requests(&mut session, MINUTE);
    // Two for each look at the head, one a second; what is looked through again is little beside it.
    let (early, late) = (requests(&mut session, 2 * MINUTE), requests(&mut session, 4 * MINUTE));
    assert!(early <= 300 && late <= 540, "{early}, {late}");
}

#[test]
fn what_was_kept_as_unreadable_is_read_after_a_restart() {
    let mut session = Session::unsettled(Setup { transactions: 120, poll_period: 10 * SECOND, ..Setup::default() });
    session.faults(vec![Fault::RowsDamaged(RowFieldDamage::AllNull).on_paths(HISTORY)]);
    session.connect();
    session.passes(MINUTE);
    session.faults(Vec::new());
    session.restarts();
    session.connect();
    session.passes(5 * MINUTE);
    assert!(is_whole(&session), "{:?}", session.store().progress().unwrap());
    session.sees("● live");
}

#[rstest]
fn a_spoilt_list_of_any_kind_is_read_again(
    #[values("/v2/accounts", "/v2/users", "/v2/wallets", "/v2/users/balances", "/v1/blockchains", "/v1/swap/pairs")]
    paths: &'static str,
    #[values(false, true)] by_hand: bool,
) {
    let whole = |session: &Session| {
        let store = session.store();
        let number = |count: bursar::domain::history::RowCount| count.number();
        (
            store.accounts().unwrap().into_iter().filter(|account| account.entry.name.is_some()).count(),
            number(store.users(&Scope::All, "", 0, 1).unwrap().count),
            number(store.wallets(&Scope::All, "", 0, 1).unwrap().count),
            store.tokens().unwrap().map_or(0, |(tokens, _)| tokens.len()),
            holdings(session),
        )
    };
    let mut sound = Session::with(Setup { transactions: 120, poll_period: 10 * SECOND, ..Setup::default() });
    sound.passes(2 * MINUTE);
    let sound = whole(&sound);
    for damage in [RowFieldDamage::AllNull, RowFieldDamage::NoIdentifier] {
        let mut session = Session::unsettled(Setup { transactions: 120, poll_period: 10 * SECOND, ..Setup::default() });
        session.faults(vec![Fault::RowsDamaged(damage).on_paths(paths).times(1)]);
        session.connect();
        if by_hand {
            session.keys("r");
            session.passes(2 * SECOND);
            session.keys("r");
        }
        session.passes(if by_hand { 30 * SECOND } else { 2 * MINUTE });
        assert_eq!(whole(&session), sound, "{damage:?} on {paths}");
        session.sees("● live");
    }
}

#[test]
fn one_403_does_not_stop_reading() {
    let mut session = Session::open();
    session.faults(vec![Fault::Forbidden.on_paths(HISTORY).times(1)]);
    session.passes(2 * SECOND);
    session.sees("✗ key not allowed");
    session.passes(20 * SECOND);
    session.sees("● live");
    session.sees_no("no permission to read");
}

/// A payment is judged by what is known, and all of it is known again.
#[test]
fn a_payment_does_not_want_a_balance_not_known_once_the_history_is_mended() {
    let mut session = Session::unsettled(Setup::default());
    session.faults(vec![Fault::RowsDamaged(RowFieldDamage::AllNull).on_paths(HISTORY).times(2)]);
    session.connect();
    session.passes(2 * MINUTE);
    session.reviews("base-ops", "USDC", "25", "0x52908400098527886E0F7030069857D2E4169EE7");
    session.sees_no("balance is not known");
    session.sees_no("balance not known");
    session.sees_no("could not be read");
}
