//! A month of work at the desk, with a service that fails in turns: whatever became of each payment, the journal, the
//! ledger and the books agree to the last unit. `BURSAR_PAYMENTS=60` makes so many payments instead of 500.

use std::time::Duration;

use super::batches::stranger;
use super::bookkeeping::{hledger_holdings, reported, written};
use super::exports::Shell;
use super::harness::named_faults::fault_rules;
use super::harness::{Session, Setup};

const PAYMENTS: u64 = 500;
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

#[test]
#[ignore = "campaign: a month of desk work, which needs hledger"]
fn a_month_of_desk_work_is_in_the_books_to_the_last_unit() {
    let mut session =
        Session::with(Setup { poll_period: HOUR, change_time_out: Duration::from_millis(300), ..Setup::default() });
    let month = session.now().format("%Y-%m");
    let payments = std::env::var("BURSAR_PAYMENTS").map_or(PAYMENTS, |number| number.parse().unwrap());
    for number in 1..=payments {
        // A third of the payments meet a fault.
        if number % 3 == 0 {
            let fault = FAULTS[usize::try_from(number / 3).unwrap() % FAULTS.len()];
            session.faults(fault_rules(fault).into_iter().map(|rule| rule.times(1)).collect());
        }
        session.reviews("base-ops", "USDC", &format!("0.01{number:04}"), &stranger(number));
        session.confirms();
        session.keys("Esc Esc Esc");
        works_on(&mut session);
        session.faults(Vec::new());
        if number % PAYMENTS_PER_BATCH == 0 {
            let crew: Vec<String> = (0..5).map(|place| stranger(PAYMENTS + number * 5 + place)).collect();
            let rows: Vec<(&str, &str)> = crew.iter().map(|to| (to.as_str(), "0.000001")).collect();
            session.reviews_batch("base-ops", "USDC", &rows);
            session.confirms();
            session.keys("Esc Esc Esc");
            works_on(&mut session);
        }
    }
    session.passes(HOUR);
    let orders = session.all_orders();
    assert_eq!(orders.len() as u64, payments + payments / PAYMENTS_PER_BATCH);
    for order in &orders {
        let expected = usize::from(order.status == "settled");
        assert_eq!(order.paid, expected, "{}: {}", order.status, order.status_text);
        assert!(["settled", "refused", "not seen", "unknown"].contains(&order.status), "{}", order.status);
    }
    let settled = orders.iter().filter(|order| order.status == "settled").count();
    assert!(settled as u64 >= payments * 2 / 3, "{settled}");
    session.service().ledger().check().unwrap();

    let folder = tempfile::tempdir().unwrap();
    let shell = Shell::beside(&session);
    let expected = reported(&shell);
    assert_eq!(hledger_holdings(&written(&shell, folder.path(), "hledger")), expected);
    // Each settled payment has its receipt, beside those of others than this desk.
    let receipts = folder.path().join("receipts");
    std::fs::create_dir(&receipts).unwrap();
    for month in [month, session.now().format("%Y-%m")] {
        shell.runs(&["receipt", "--month", &month, "-o", receipts.to_str().unwrap(), "--offline"]);
    }
    let names: Vec<String> =
        std::fs::read_dir(&receipts).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    for order in orders.iter().filter(|order| order.status == "settled") {
        let reference = order.intent.drafted.draft.reference().unwrap();
        assert!(names.contains(&format!("receipt-{reference}.txt")), "{reference}");
    }
}
