//! The sum below a list with a filter: that of the rows shown, whatever else there is.

use std::time::Duration;

use bursar::domain::filter::Filter;
use bursar::domain::history::{HistoryRow, Query, Scope, WindowAnchor, WindowRequest};
use bursar::domain::{Amount, Direction, ReportedAmount};
use bursar::service::Fault;

use super::harness::{Session, Setup};

const MINUTE: Duration = Duration::from_mins(1);

fn rows(session: &Session, scope: Scope, filter: &str) -> Vec<HistoryRow> {
    let query = Query { scope, filter: Filter::from(filter), ..Query::default() };
    let request = WindowRequest { query, anchor: WindowAnchor::Rank(0), rows: 100_000 };
    let mut rows = Vec::new();
    session.store().query_history(&request, &bursar::store::Cancel::new(), &mut |window| rows = window.rows).unwrap();
    rows
}

/// The sum of a token's rows in one direction, failed ones and imitations left out, and how many rows it has.
fn sum(rows: &[HistoryRow], symbol: &str, direction: &Direction) -> (Amount, usize) {
    let counted = rows.iter().filter(|row| {
        let transaction = &row.transaction;
        !row.suspicious
            && transaction.symbol.as_str() == symbol
            && transaction.direction == *direction
            && transaction.status.as_ref().is_none_or(|status| status.word() != "failed")
    });
    let amounts: Vec<Amount> =
        counted.filter_map(|row| row.transaction.amount.as_ref().and_then(ReportedAmount::exact)).collect();
    let total = amounts.iter().try_fold(Amount::zero(0), |sum, amount| sum.checked_add_rescaled(*amount));
    (total.unwrap(), amounts.len())
}

#[test]
fn the_sum_of_a_filtered_history_is_exact_and_follows_what_arrives() {
    let mut session = Session::with(Setup { transactions: 400, ..Setup::default() });
    session.passes(2 * MINUTE);
    session.resizes(200, 60);
    session.keys("3");
    session.sees_no("Sum of ");
    session.keys("/ 'token:usdc' Blank 'dir:out'");
    session.sees("Enter sums these rows");
    session.keys("Enter");
    session.settle();
    for _ in 0..3 {
        let shown = rows(&session, Scope::All, "token:usdc dir:out");
        let (total, count) = sum(&shown, "USDC", &Direction::Outgoing);
        assert!(count > 1, "nothing to add up");
        let line = session.line("Sum of ");
        assert!(line.contains(&format!("Sum of {count} rows   USDC −{}   ", total.format_grouped())), "{line}");
        assert!(line.contains("   ≈ −") && line.contains(" USDT"), "{line}");
        let failed = shown.iter().filter(|row| row.transaction.status.as_ref().is_some_and(|at| at.word() == "failed"));
        let failed = failed.count();
        assert_eq!(line.contains(&format!("not counted: {failed} failed")), failed > 0, "{line}");
        session.passes(10 * MINUTE);
    }
    session.keys("Esc");
    session.sees_no("Sum of ");
}

#[test]
fn the_recent_rows_of_an_account_have_the_sum_of_the_account() {
    let mut session = Session::with(Setup { transactions: 400, ..Setup::default() });
    session.passes(2 * MINUTE);
    session.resizes(160, 50);
    session.keys("/ 'token:usdt' Enter");
    session.settle();
    let account = session.store().accounts().unwrap().remove(0).entry.id;
    let shown = rows(&session, Scope::Account(account), "token:usdt");
    let [(received, _), (sent, _)] = [Direction::Incoming, Direction::Outgoing].map(|way| sum(&shown, "USDT", &way));
    let line = session.line("Sum of ");
    let figures = format!("USDT +{} −{}", received.format_grouped(), sent.format_grouped());
    assert!(line.contains(&figures), "{line}\n{figures}");
}

#[test]
fn filtered_balances_show_their_own_sum_and_no_other() {
    let mut session = Session::with(Setup { transactions: 400, ..Setup::default() });
    session.passes(2 * MINUTE);
    session.resizes(160, 50);
    let whole = session.line("Balances · ");
    assert!(whole.contains('≈'), "{whole}");
    session.keys("Tab Tab / 'usdt' Enter");
    let head = session.line("Balances · ");
    assert!(head.contains("/usdt") && !head.contains('≈'), "{head}");
    let account = session.store().accounts().unwrap().remove(0).entry.id;
    let held = session.store().holdings(&Scope::Account(account)).unwrap();
    let held = held.iter().filter(|holding| holding.symbol.as_str() == "USDT" && !holding.suspicious);
    let amounts: Vec<Amount> =
        held.filter_map(|holding| holding.amount.as_ref().and_then(ReportedAmount::exact)).collect();
    let total = amounts.iter().try_fold(Amount::zero(0), |sum, amount| sum.checked_add_rescaled(*amount)).unwrap();
    assert!(amounts.len() > 1);
    session.sees(&format!("Sum of {} balances   USDT {}   ≈ ", amounts.len(), total.format_grouped()));
}

#[test]
fn filtered_events_are_counted_by_kind() {
    let mut session = Session::with(Setup { transactions: 100, ..Setup::default() });
    session.fault(Fault::Busy { retry_after: Duration::from_secs(2) });
    session.passes(MINUTE);
    session.fault(Fault::None);
    session.passes(MINUTE);
    session.keys("6 / 'l' Enter");
    let line = session.line(" events: ");
    assert!(line.contains("link"), "{line}");
}
