//! What a newcomer sees in `bursar demo`: the best of the program, at once.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use bursar::domain::{Draft, Timestamp};
use bursar::journal;
use bursar::service::{FailurePolicy, Scene};
use serde_json::Value;

use super::harness::{Session, Setup};

fn opens() -> Session {
    let poll_period = Duration::from_secs(15);
    let session = Session::with(Setup { scene: Some(Scene::Showcase), poll_period, ..Setup::default() });
    session.service().set_failure_policy(FailurePolicy::ById);
    session
}

#[test]
fn the_demo_opens_on_a_year_of_orders_in_every_state_and_on_a_total_that_moved() {
    let mut session = opens();
    session.keys("4 h");
    for word in ["unknown", "settled", "partly paid", "failed", "rejected", "written off", "given up", "swap", "batch"]
    {
        session.sees(word);
    }
    session.sees_no("ALARM");
    // The test payment, and the rest after it.
    let orders = session.orders();
    let to_newcomer: Vec<_> = orders
        .iter()
        .filter_map(|report| match &report.intent.drafted.draft {
            Draft::Withdraw(payment) if ["100", "7250"].contains(&payment.amount.as_str()) => Some(payment.to.clone()),
            _ => None,
        })
        .collect();
    assert!(to_newcomer.len() == 2 && to_newcomer[0] == to_newcomer[1], "{to_newcomer:?}");
    let days: BTreeSet<i64> = orders.iter().map(|report| report.intent.created.at.millis() / 86_400_000).collect();
    assert!(days.last().unwrap() - days.first().unwrap() > 250, "{days:?}");
    // What changed since midnight, in a day, and since it was last seen is known once all prices are.
    session.keys("1");
    session.passes(Duration::from_mins(2));
    for text in ["today UTC", "in 24 h", "since 12:00Z"] {
        session.sees(text);
    }
    session.keys("7");
    session.sees("Castor Insurance");
    session.keys("5");
    session.passes(Duration::from_secs(15));
    let quotes = session.line("▌ETH");
    assert!(quotes.contains('%') && !quotes.contains('—'), "the drift of a quarter of an hour is known: {quotes}");
}

#[test]
fn the_change_of_today_is_one_figure_on_the_overview_and_in_the_report_of_the_value() {
    let mut session = opens();
    session.resizes(200, 60);
    session.passes(Duration::from_mins(2));
    let line = session.line("since midnight UTC");
    let change = line.split(" since midnight UTC").next().unwrap().rsplit("  ").next().unwrap();
    let money = change.split(' ').next().unwrap();
    assert!(money.starts_with(['+', '−']) && money.len() > 4, "{line}");
    // The report is of what is selected: of all accounts.
    session.keys("Esc =");
    session.sees("─ Value · all accounts");
    let today = session.line("▌2026-");
    assert!(today.contains(money), "{money} is not in {today}\n{}", session.screen());
    // Of earlier days the prices are known, so that a day's value is no guess by another's.
    session.sees_no("nearest day");
}

#[test]
fn q_leaves_the_demo_at_once() {
    let mut session = opens();
    session.sees("1 unresolved");
    session.keys("q");
    assert!(session.loop_request.is_some(), "nobody is kept by a payment that the demo made");
}

#[test]
fn the_demo_has_names_and_saved_views() {
    let mut session = opens();
    session.keys("V");
    session.sees("Payroll this month");
    session.keys("7");
    session.sees("Payroll: operations");
    session.keys("V 8");
    session.sees("Payroll:");
    session.keys("/ C-u 'pelagic'");
    session.sees("Pelagic Freight");
}

#[test]
fn the_payment_of_which_nobody_knows_resolves_while_one_looks_and_one_of_ones_own_never_fails() {
    let mut session = opens();
    session.sees("1 unresolved");
    session.passes(Duration::from_mins(4));
    session.sees_no("unresolved");
    session.reviews("base-ops", "USDC", "12.5", "0x52908400098527886E0F7030069857D2E4169EE7");
    session.confirms();
    session.passes(Duration::from_mins(2));
    session.order().is("settled", "a payment of the visitor");
}

/// The past was recorded as an operator's orders are: by the same code, in one chain.
#[test]
fn the_record_of_the_past_is_whole_and_stays_so() {
    let mut session = opens();
    let before = session.recorded_orders().len();
    assert!(before > 15, "{before}");
    session.passes(Duration::from_mins(2));
    assert_eq!(session.recorded_orders().len(), before);
    let reopened_orders: Vec<_> =
        session.recorded_orders().into_iter().filter(bursar::domain::Order::is_reopened).collect();
    assert!(reopened_orders.is_empty(), "{reopened_orders:?}");
    assert_eq!(journal::verify(session.journal_folder()).unwrap().faults, []);
}

/// The audit of the demo's year, as `bursar export audit` writes it.
#[test]
fn the_audit_of_the_past_is_that_of_an_operator() {
    let session = opens();
    let home = tempfile::tempdir().unwrap();
    let journal = home.path().join("journal");
    fs::create_dir(&journal).unwrap();
    for entry in fs::read_dir(session.journal_folder()).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_file() {
            continue;
        }
        fs::copy(&path, journal.join(path.file_name().unwrap())).unwrap();
    }
    let run = |line: &[&str]| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_bursar"));
        command.env_clear().env("HOME", home.path()).env("BURSAR_DATA_DIR", home.path());
        let output = command.args(line).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<Vec<Value>>(&output.stdout).unwrap()
    };
    let records = run(&["export", "audit", "--format", "json"]);
    let orders = run(&["export", "orders", "--format", "json"]);
    assert!(records.windows(2).all(|pair| pair[1]["prev_hash"] == pair[0]["hash"]));
    let at = |value: &Value| Timestamp::parse_iso(value.as_str().unwrap()).unwrap();
    assert!(records.is_sorted_by_key(|record| at(&record["at"])));
    let mut references = BTreeSet::new();
    for order in orders.iter().filter(|order| order["operation"] != "batch") {
        assert!(references.insert(order["ref_id"].as_str().unwrap()), "{order}");
        if !order["ended_at"].is_null() {
            let (drafted_at, ended_at) = (at(&order["drafted_at"]), at(&order["ended_at"]));
            assert!(drafted_at.age(ended_at) < Duration::from_mins(20), "it ended when the demo opened: {order}");
        }
        let confirmation = order["typed"].as_str().unwrap_or_default();
        assert!(confirmation.is_empty() || confirmation.starts_with("(nobody: "), "{order}");
    }
    assert!(references.len() > 15, "{references:?}");
}
