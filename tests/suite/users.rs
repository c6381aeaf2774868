//! The Users page: who is there, and all that both versions tell of them.

use std::time::Duration;

use bursar::domain::entry_source::EntrySource;
use bursar::domain::{User, UserId};
use bursar::service::{Fault, FaultBody};
use insta::assert_snapshot;

use super::harness::{Session, Setup, nameless};

const SECOND: Duration = Duration::from_secs(1);

/// A snapshot at each size, of a page that was prepared so.
fn at_each_size(name: &str, setup: impl Fn() -> Setup, prepare: impl Fn(&mut Session)) {
    for size in [(80, 24), (120, 36), (200, 60)] {
        let mut session = Session::with(Setup { size, ..setup() });
        // Prices come a few at a time, and which come first is chance: once all have come, the picture is one.
        session.passes(8 * SECOND);
        prepare(&mut session);
        assert_snapshot!(format!("{name}-{}x{}", size.0, size.1), session.screen_below_tabs());
    }
}

/// The treasury's user is selected, and everything of it has been read.
fn at_the_treasury(session: &mut Session) {
    session.keys("2 / 'treasury' Enter j");
    session.passes(SECOND);
}

/// A service without version 1.
fn without_v1() -> Fault {
    Fault::Status { status: 404, body: FaultBody::ErrorBody, executed: false }
}

#[test]
fn a_user_is_chosen_and_what_is_frozen_stands_beside_what_can_be_spent() {
    let mut session = Session::open();
    at_the_treasury(&mut session);
    session.sees("Balances v2 · Treasury");
    session.sees("1,188,314.282397");
    let heads = session.line("Frozen");
    assert!(heads.contains("Balance") && heads.contains("Coin"), "{heads}");
    session.sees("Deposits");
    session.sees("in 30 days");
    session.sees("may trade");
}

#[test]
fn a_deposit_address_for_the_selected_user_names_whose_it_will_be() {
    let mut session = Session::open();
    at_the_treasury(&mut session);
    session.keys("n d");
    session.sees("Sub-wallet");
    session.sees("                Treasury");
    session.sees("the coin that will be deposited");
    session.keys("F1");
    session.sees_no("the wallet holds");
}

#[test]
fn a_withdrawal_on_its_way_holds_back_what_it_pays() {
    let mut session = Session::with(Setup { size: (200, 60), ..Setup::default() });
    at_the_treasury(&mut session);
    let before = session.line("2,225,844.941495");
    let (_, frozen_balance) = before.split_once("2,225,844.941495").unwrap();
    assert_eq!(frozen_balance.split_whitespace().next(), Some("0"), "{before}");
    session.reviews("base-ops", "USDC", "25", "0x52908400098527886E0F7030069857D2E4169EE7");
    session.confirms();
    session.keys("2");
    session.passes(5 * SECOND);
    let held_back = session.line("2,225,819.");
    assert!(held_back.contains("  25"), "{held_back}");
}

#[test]
fn tokens_that_imitate_others_are_hidden_counted_and_shown_on_demand() {
    let mut session = Session::with(Setup { size: (200, 60), ..Setup::default() });
    at_the_treasury(&mut session);
    session.sees("hidden (h)");
    session.keys("Tab Tab h G");
    session.sees("suspicious (h)");
    session.keys("h");
    session.sees("hidden (h)");
    // A coin of version 1 is marked in its row, since a deposit that is left out could be missed.
    session.sees("?USDТ");
}

#[test]
fn the_first_user_is_shown_and_the_selection_survives_every_poll() {
    let mut session = Session::with(Setup { lively: true, poll_period: 10 * SECOND, ..Setup::default() });
    session.keys("2");
    session.sees("1 of 13");
    session.keys("j j");
    // What the user holds stands in the same line, and may change meanwhile.
    let selected_user = |session: &Session| session.line("▌").split("││").next().unwrap().to_owned();
    let selected = selected_user(&session);
    session.passes(30 * SECOND);
    assert_eq!(selected_user(&session), selected);
    session.keys("1 2");
    assert_eq!(selected_user(&session), selected, "it survives another page too");
}

#[test]
fn users_are_filtered_while_typing_and_esc_drops_the_filter() {
    let mut session = Session::open();
    session.keys("2 / 'cust-10001'");
    session.sees("/cust-10001");
    assert!(!session.screen().contains("cust-10002"));
    session.keys("Esc");
    session.sees("cust-10002");
    session.keys("/ 'nobody-at-all' Enter");
    session.sees("no user matches; Esc clears the filter");
    session.sees("no user is selected");
}

#[test]
fn a_balance_leads_to_its_history() {
    let mut session = Session::open();
    at_the_treasury(&mut session);
    session.keys("Enter Enter");
    session.sees("─ Transactions ");
    session.sees("/user:");
    session.sees("token:USDT");
    assert!(session.screen().matches("USDT").count() > 1);
}

#[test]
fn what_cannot_be_read_is_said_in_its_own_place_and_what_was_read_stays() {
    let mut session = Session::open();
    session.fault_on("/v1/sub-wallet/assets", Fault::Html);
    at_the_treasury(&mut session);
    session.sees("not read: answer not understood: a web page came");
    session.sees("instead of JSON");
    // The others are there.
    session.sees("Deposits v1");
    session.sees("+2,985.1956");
    session.sees("may trade");
    session.fault(Fault::None);
    session.passes(10 * SECOND);
    session.sees_no("not read");
    session.fault_on("/v1/sub-wallet/assets", Fault::Html);
    session.passes(10 * SECOND);
    session.sees("not refreshed: answer not understood");
    session.sees("USDT    Ethereum");
    session.sees("● live");
}

#[test]
fn figures_of_version_1_say_their_age_when_the_service_is_gone() {
    let mut session = Session::open();
    at_the_treasury(&mut session);
    session.sees_no("stale");
    session.fault(Fault::Down);
    session.passes(60 * SECOND);
    session.sees("Assets v1");
    let head = session.line("Assets v1");
    assert!(head.contains("stale"), "{head}");
    session.sees("○ offline");
    session.fault(Fault::None);
    session.passes(120 * SECOND);
    session.sees("● live");
    session.sees_no("stale");
}

#[test]
fn what_was_never_read_is_not_said_to_be_under_way_while_the_service_is_gone() {
    let mut session = Session::open();
    session.keys("2");
    session.fault(Fault::Down);
    session.passes(60 * SECOND);
    session.keys("G");
    session.passes(2 * SECOND);
    session.sees("not read: the service does not answer");
    session.sees_no("reading…");
    session.fault(Fault::None);
    session.passes(120 * SECOND);
    session.sees_no("does not answer");
}

#[test]
fn a_service_without_version_1_says_so_and_costs_nothing_else() {
    let mut session = Session::open();
    session.fault_on("/v1/sub-wallet", without_v1());
    at_the_treasury(&mut session);
    assert!(session.screen().matches("not served").count() >= 3, "{}", session.screen());
    session.sees("in 30 days");
    session.sees("1,188,314.282397");
    session.sees("● live");
}

#[test]
fn a_profile_without_version_1_asks_nothing_of_it() {
    let mut session = Session::with(Setup { v1: false, ..Setup::default() });
    let tap = session.service().record_requests();
    at_the_treasury(&mut session);
    session.sees("version 1 is not used");
    session.sees("in 30 days");
    assert!(tap.count("GET", "/v2/users/balances") > 0);
    assert!(tap.requests().iter().all(|request| !request.path.starts_with("/v1/sub-wallet")));
}

#[test]
fn a_user_whom_the_service_does_not_know_is_said_to_be_unknown() {
    let mut session = Session::open();
    let entry = User {
        id: UserId::from_text("11111111-2222-4333-8444-555555555555"),
        display_name: Some("Aaron Gone".into()),
        ref_id: None,
        email: None,
        is_active: None,
        created_at: None,
    };
    session.store().save_users(&[entry], EntrySource::Imported).unwrap();
    session.keys("2 / 'gone' Enter j");
    session.passes(SECOND);
    session.sees("not served: user not found");
    session.sees("unknown to the service");
    session.sees("an import");
    session.sees("● live");
    session.sees_no("reading…");
}

#[test]
fn a_rejected_key_stops_the_reading_of_a_user_too() {
    let mut session = Session::open();
    session.keys("2");
    session.fault_on("/v2/users", Fault::KeyRejected);
    session.keys("j");
    session.passes(SECOND);
    session.sees("✗ key rejected");
    let fired_before = session.service().faults_fired();
    session.keys("j j");
    session.passes(60 * SECOND);
    assert_eq!(session.service().faults_fired(), fired_before);
}

#[test]
fn ten_thousand_users_are_walked_through_without_asking_for_each() {
    let mut session = Session::open();
    let users: Vec<_> = (0..10_000)
        .map(|number| User {
            id: UserId::from_text(&format!("user-{number:05}")),
            display_name: Some(format!("Zz {number:05}").as_str().into()),
            ref_id: None,
            email: None,
            is_active: Some(true),
            created_at: None,
        })
        .collect();
    session.store().save_users(&users, EntrySource::Listed).unwrap();
    let tap = session.service().record_requests();
    session.keys("2 G");
    session.sees("10,013 of 10,013");
    session.sees("▌Zz 09999");
    tap.clear();
    for _ in 0..50 {
        session.keys("k");
    }
    session.sees("▌Zz 09949");
    assert_eq!(tap.count("GET", "/v1/sub-wallet/assets"), 0, "nothing is asked while the selection moves");
    session.passes(SECOND);
    assert_eq!(tap.count("GET", "/v1/sub-wallet/assets"), 1, "it rests");
    session.keys("/ 'zz' Blank '0500'");
    session.sees("/zz 0500  11 ");
}

#[test]
fn a_name_that_comes_with_a_visit_leaves_selection_and_picture_where_they_are() {
    let mut session = Session::with(Setup { with_lists: false, ..Setup::default() });
    let user = |number: u32| nameless(&format!("known-{number:03}"));
    // What the history tells of users: identifiers alone.
    let users: Vec<_> = (0..600).map(user).collect();
    session.store().save_users(&users, EntrySource::History).unwrap();
    session.keys("2 G");
    session.sees("▌known-599");
    for (moved, number) in [("", 599), ("k", 598), ("PgUp PgUp", 0)] {
        session.keys(moved);
        let line = |session: &Session| session.screen().lines().position(|line| line.contains('▌')).unwrap();
        let (before, at) = (session.line("▌"), line(&session));
        let number = if number == 0 { before.split_once("known-").unwrap().1[..3].parse().unwrap() } else { number };
        assert!(before.contains(&format!("▌known-{number:03}")), "{before}");
        // The answer to the visit.
        let user_details = User { display_name: Some(format!("Aa {number}").as_str().into()), ..user(number) };
        session.store().save_user_details(&user_details).unwrap();
        session.passes(SECOND);
        assert!(session.line("▌").contains(&format!("▌Aa {number}")), "{}", session.screen());
        assert_eq!(line(&session), at, "{}", session.screen());
    }
    // The filter knows the names at once, and on coming back they stand by name, the selected one still selected.
    let selected_name = session.line("▌").split_once('▌').unwrap().1[..6].to_owned();
    session.keys("1 2");
    session.passes(SECOND);
    session.sees(&format!("▌{selected_name}"));
    session.keys("Home");
    session.sees("▌Aa ");
    session.keys("/ 'aa' Blank '59' Enter");
    session.sees("▌Aa 598");
    session.sees("Aa 599");
    session.sees_no("known-597");
}

#[test]
fn every_pane_has_its_place_where_there_is_room_for_one() {
    let mut session = Session::with(Setup { size: (80, 24), ..Setup::default() });
    at_the_treasury(&mut session);
    for (title, text) in [
        ("[User]", "in 30 days"),
        ("[Balances]", "Balances v2 · Treasury"),
        ("[Assets]", "Frozen"),
        ("[Addresses]", "Known from"),
        ("[Deposits]", "Deposits v1"),
        ("[Withdrawals]", "Withdrawals v1"),
        ("[Transfers]", "Transfers v1"),
    ] {
        session.keys("Tab");
        session.sees(title);
        session.sees(text);
        session.sees("▌Treasury");
    }
    // Back at the list, what was looked at last stays below it.
    session.keys("Tab");
    session.sees("[Users]");
    session.sees("Transfers v1");
    session.keys("BackTab Esc");
    session.sees("[Users]");
}

#[test]
fn a_deposit_and_an_address_are_opened_whole() {
    let mut session = Session::open();
    at_the_treasury(&mut session);
    session.keys("Tab Tab Tab Tab Enter");
    session.sees("─ Address ");
    session.sees("every token of its chain");
    session.keys("Esc Tab j j Enter");
    session.sees("─ Deposit v1 ");
    session.sees("on_chain");
    session.sees("Hash");
    session.sees("/tx/");
    session.sees("962.445295 USDT");
    // The help lies over it, and it is there again; another page takes its place.
    session.keys("? ?");
    session.sees("─ Deposit v1 ");
    session.keys("3");
    session.sees("─ Transactions ");
}

#[test]
fn a_deposit_that_is_shown_whole_says_what_its_newest_answer_says() {
    let mut session = Session::with(Setup { lively: true, poll_period: 10 * SECOND, ..Setup::default() });
    at_the_treasury(&mut session);
    let shows = |session: &Session, word: &str| {
        let screen = session.screen();
        screen.lines().any(|line| line.starts_with(" Status ") && line.contains(word))
    };
    session.keys("Tab Tab Tab Tab Tab");
    for _ in 0..200 {
        session.keys("g j Enter");
        if shows(&session, "pending") {
            break;
        }
        session.keys("Esc Esc Esc Tab Tab Tab Tab Tab");
        session.passes(SECOND);
    }
    assert!(shows(&session, "pending"), "{}", session.screen());
    session.passes(90 * SECOND);
    session.sees("─ Deposit v1 ");
    assert!(shows(&session, "success") || shows(&session, "failed"), "{}", session.screen());
}

#[test]
fn users_empty() {
    at_each_size("users-empty", || Setup { sample: false, ..Setup::default() }, |session| session.keys("2"));
}

#[test]
fn user_deposit() {
    at_each_size("user-deposit", Setup::default, |session| {
        at_the_treasury(session);
        session.keys("Tab Tab Tab Tab Tab j j Enter");
    });
}

#[test]
fn users_not_served() {
    at_each_size("users-not-served", Setup::default, |session| {
        session.fault_on("/v1/sub-wallet", without_v1());
        at_the_treasury(session);
    });
}
