//! A month of work at the desk, with a service that fails in turns: whatever became of each payment, the journal, the
//! ledger, the statement, the reports and the books agree to the last unit. `BURSAR_PAYMENTS=500` makes a whole month of
//! payments, of which a run of every commit makes a day and a half.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::Command;
use std::time::Duration;

use bursar::domain::Amount;
use bursar::runtime::Clock;
use ruint::aliases::U256;

use super::batches::stranger;
use super::bookkeeping::{Holdings, hledger_holdings, report_holdings, table, trim_zeros, write_export};
use super::exports::Shell;
use super::harness::named_faults::fault_rules;
use super::harness::payments::OrderReport;
use super::harness::{Session, Setup};
use super::templates::saves_form;

const PAYMENTS: u64 = 30;
/// The recipients of batches are counted from here.
const CREW: u64 = 10_000;
/// Those of templates are counted from here.
const LANDLORDS: u64 = 20_000;
/// After every so many payments comes a batch.
const PAYMENTS_PER_BATCH: u64 = 25;
const HOUR: Duration = Duration::from_hours(1);

/// What goes wrong with a change: lost before it was done, lost after it was done, and refused.
const FAULTS: &[&str] =
    &["hang-before", "busy-after", "gateway-after", "timeout", "conflict", "refused-400", "says-no"];

/// Lets an hour and 21 minutes pass, of which few are watched.
fn works_on(session: &mut Session) {
    session.passes(Duration::from_mins(2));
    session.ticks(Duration::from_mins(78));
    session.passes(Duration::from_secs(1));
}

/// Makes so many payments, each to somebody else, a batch after some, and what is due: a third of the payments meet a
/// fault. Returns the number of payments that were due.
fn works_for_a_month(session: &mut Session, payments: u64) -> u64 {
    let mut due_payments = 0;
    for number in 1..=payments {
        due_payments += pays_what_is_due(session);
        if number % 3 == 0 {
            let fault = FAULTS[usize::try_from(number / 3).unwrap() % FAULTS.len()];
            session.faults(fault_rules(fault).into_iter().map(|rule| rule.times(1)).collect());
        }
        session.reviews("base-ops", "USDC", &format!("0.01{number:04}"), &stranger(number));
        session.confirms();
        session.keys("Esc Esc Esc");
        works_on(session);
        session.faults(Vec::new());
        if number % PAYMENTS_PER_BATCH == 0 {
            let crew: Vec<String> = (0..5).map(|place| stranger(CREW + number * 5 + place)).collect();
            let rows: Vec<(&str, &str)> = crew.iter().map(|to| (to.as_str(), "0.000001")).collect();
            session.reviews_batch("base-ops", "USDC", &rows);
            session.confirms();
            session.keys("Esc Esc Esc");
            works_on(session);
        }
    }
    session.passes(HOUR);
    due_payments
}

const TEMPLATES: u64 = 3;

/// Three templates that are due again and again: two payments and a batch.
fn saves_templates(session: &mut Session) {
    for (name, repeat, place) in [("Rent of the quay", "weekly monday", 1), ("Insurance", "last working day", 2)] {
        session.reviews("base-ops", "USDC", &format!("0.5{place}"), &stranger(LANDLORDS + place));
        session.keys("Esc");
        session.passes(Duration::from_secs(2));
        saves_form(session, name, repeat);
    }
    let [first, second] = [3, 4].map(|place| stranger(LANDLORDS + place));
    session.reviews_batch("base-ops", "USDC", &[(first.as_str(), "0.61"), (second.as_str(), "0.62")]);
    session.keys("Esc");
    session.passes(Duration::from_secs(2));
    saves_form(session, "Crew of the ferry", "weekly tuesday");
}

/// Pays what is due by a template; how many payments that were.
fn pays_what_is_due(session: &mut Session) -> u64 {
    let mut payments = 0;
    session.keys("! g");
    while session.screen().contains(", due 20") {
        let is_due_selected =
            |session: &Session| session.screen().lines().any(|line| line.contains('▌') && line.contains(", due 20"));
        for _ in 0..50 {
            if is_due_selected(session) {
                break;
            }
            session.keys("j");
        }
        assert!(is_due_selected(session), "{}", session.screen());
        session.keys("Enter C-r");
        session.sees("Review · ");
        session.confirms();
        session.keys("Esc Esc Esc");
        works_on(session);
        session.keys("! g");
        payments += 1;
    }
    session.keys("Esc 1");
    payments
}

/// A list of payables that names each order's payments by their references.
fn payables(orders: &[OrderReport]) -> String {
    let mut list = "reference;payee;amount;token;department\n".to_owned();
    for order in orders {
        let details = order.intent.drafted.draft.payment_details().unwrap();
        let reference = order.intent.drafted.draft.reference().unwrap();
        for (to, amount) in details.to {
            writeln!(list, "{reference};{to};{amount};USDC;desk").unwrap();
        }
    }
    list
}

/// What the settled orders paid, in units of the token.
fn paid_total(orders: &[OrderReport]) -> U256 {
    let settled_orders = orders.iter().filter(|order| order.status == "settled");
    let amounts = settled_orders.flat_map(|order| order.intent.drafted.draft.payment_details().unwrap().to);
    amounts.map(|(_, amount)| Amount::parse(amount, 6).unwrap().raw()).sum()
}

/// What the report on counterparties says went out in a year, in units of the token.
fn reported_as_paid(shell: &Shell, extra_arguments: &[&str]) -> U256 {
    let lines = table(&shell.runs(&[&["report", "counterparties", "--period", "365d"], extra_arguments].concat()));
    let lines_out = lines.iter().filter(|line| line["level"] == "token" && line["token"] == "USDC");
    lines_out.map(|line| Amount::parse(&line["out"], 18).unwrap().rescaled(6).unwrap().raw()).sum()
}

/// What the statement of a month closes with, by token.
fn closing(shell: &Shell, month: &str) -> Holdings {
    let lines = table(&shell.runs(&["statement", "--month", month, "--offline"]));
    let totals = lines.iter().filter(|line| line["level"] == "token total");
    totals.map(|line| (line["token"].clone(), trim_zeros(&line["closing"]))).filter(|(_, sum)| sum != "0").collect()
}

#[test]
#[ignore = "campaign: a month of desk work, which needs hledger"]
fn a_month_of_desk_work_is_in_the_books_to_the_last_unit() {
    let setup = Setup {
        poll_period: HOUR,
        change_time_out: Duration::from_millis(300),
        ledger_in_folder: true,
        ..Setup::default()
    };
    let mut session = Session::with(setup);
    let first_month = session.now().format("%Y-%m");
    let shell = Shell::beside(&session);
    let paid_before = reported_as_paid(&shell, &[]);
    let payments = std::env::var("BURSAR_PAYMENTS").map_or(PAYMENTS, |number| number.parse().unwrap());
    saves_templates(&mut session);
    let due_payments = works_for_a_month(&mut session, payments);
    // A month has four Mondays, four Tuesdays and one last working day.
    assert!(due_payments >= if payments >= 500 { 9 } else { 2 }, "{due_payments}");
    let orders = session.all_orders();
    // A template was made of a review that was left.
    assert_eq!(orders.len() as u64, payments + payments / PAYMENTS_PER_BATCH + due_payments + TEMPLATES);
    for order in &orders {
        let expected = usize::from(order.status == "settled");
        assert_eq!(order.executions, expected, "{}: {}", order.status, order.status_text);
        assert!(
            ["settled", "rejected", "not sent", "given up"].contains(&order.status),
            "{}: {}",
            order.status,
            order.status_text
        );
    }
    let settled_count = orders.iter().filter(|order| order.status == "settled").count();
    assert!(settled_count as u64 >= payments * 2 / 3, "{settled_count}");

    // The ledger is sound, as the command finds it beside the service.
    let mut check = Command::new(env!("CARGO_BIN_EXE_bursar"));
    let check = check.env_clear().args(["serve", "check", "--data"]).arg(session.ledger_folder()).output().unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));

    // Books, statement, reports and balances tell the same.
    let folder = tempfile::tempdir().unwrap();
    let holdings = report_holdings(&shell);
    assert_eq!(hledger_holdings(&write_export(&shell, folder.path(), "hledger")), holdings);
    // Commands know the time of the machine: to them, a month that the session has reached may not have begun.
    let this_month = Clock::System.now().format("%Y-%m");
    let last_month = session.now().format("%Y-%m");
    if last_month <= this_month {
        assert_eq!(closing(&shell, &last_month), holdings);
    }
    assert_eq!(reported_as_paid(&shell, &["--offline"]) - paid_before, paid_total(&orders));

    // The list of payables finds each payment by its reference, and none of what was not paid.
    let list = folder.path().join("payables.csv");
    std::fs::write(&list, payables(&orders)).unwrap();
    let output = shell.output(&["payables", list.to_str().unwrap(), "--format", "csv", "--offline"]);
    let lines = table(&String::from_utf8(output.stdout).unwrap());
    assert!(lines.len() >= orders.len(), "{}", String::from_utf8_lossy(&output.stderr));
    for line in &lines {
        let order = orders.iter().find(|order| {
            order.intent.drafted.draft.reference().is_some_and(|reference| reference.as_str() == line["reference"])
        });
        let expected = if order.unwrap().status == "settled" { "confirmed" } else { "owed" };
        assert_eq!(line["state"], expected, "{line:?}");
    }

    // Each settled payment has its receipt, beside those of others than this desk.
    let mut names: Vec<String> = Vec::new();
    for month in BTreeSet::from([first_month, last_month]).into_iter().filter(|month| *month <= this_month) {
        let receipts = folder.path().join(format!("receipts-{month}"));
        std::fs::create_dir(&receipts).unwrap();
        shell.runs(&["receipt", "--month", &month, "-o", receipts.to_str().unwrap(), "--offline"]);
        let files = std::fs::read_dir(&receipts).unwrap();
        names.extend(files.map(|file| file.unwrap().file_name().into_string().unwrap()));
    }
    let has_receipt = |order: &&OrderReport| {
        let settled_by = order.intent.display_time().plus(2 * HOUR).format("%Y-%m");
        order.status == "settled" && settled_by <= this_month
    };
    for order in orders.iter().filter(has_receipt) {
        let reference = order.intent.drafted.draft.reference().unwrap();
        assert!(names.contains(&format!("receipt-{reference}.txt")), "{reference}");
    }
}
