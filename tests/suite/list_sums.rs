//! The sum below a list with a filter: that of the rows shown, whatever else there is.

use std::collections::BTreeMap;
use std::time::Duration;

use bursar::domain::chain::chain_display_name;
use bursar::domain::filter::Filter;
use bursar::domain::history::{HistoryRow, Query, Scope, WindowAnchor, WindowRequest};
use bursar::domain::{Amount, Direction, Holding, ReportedAmount, ValuationAmount};
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

/// The sum of a token's rows in one direction, failed ones and imitations left out, and how many rows it has. Movements
/// between own wallets are to be left out by the filter.
fn sum(rows: &[HistoryRow], symbol: &str, direction: &Direction) -> (Amount, usize) {
    let counted_rows = rows.iter().filter(|row| {
        let transaction = &row.transaction;
        !row.suspicious
            && transaction.symbol.as_str() == symbol
            && transaction.direction == *direction
            && transaction.status.as_ref().is_none_or(|status| status.word() != "failed")
    });
    let amounts: Vec<Amount> =
        counted_rows.filter_map(|row| row.transaction.amount.as_ref().and_then(ReportedAmount::exact)).collect();
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
        let listed_rows = rows(&session, Scope::All, "token:usdc dir:out");
        let external = rows(&session, Scope::All, "token:usdc dir:out internal:no");
        let (total, count) = sum(&external, "USDC", &Direction::Outgoing);
        assert!(count > 1, "nothing to add up");
        let line = session.line("Sum of ");
        let failed_rows =
            listed_rows.iter().filter(|row| row.transaction.status.as_ref().is_some_and(|at| at.word() == "failed"));
        let reasons: Vec<String> = [(listed_rows.len() - external.len(), "internal"), (failed_rows.count(), "failed")]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, reason)| format!("{count} {reason}"))
            .collect();
        let reasons = if reasons.is_empty() { String::new() } else { format!("; {} left out", reasons.join(", ")) };
        let of = if reasons.is_empty() { String::new() } else { format!(" of {}", listed_rows.len()) };
        let figures = format!("Sum of {count}{of} rows{reasons}   USDC −{}   ", total.format_grouped());
        assert!(line.contains(&figures), "{line}\n{figures}");
        assert!(line.contains("   ≈ −") && line.contains(" USDT"), "{line}");
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
    session.keys("Tab Tab Tab h / 'token:usdt' Enter");
    session.settle();
    let account = session.store().accounts().unwrap().remove(0).entry.id;
    let listed_rows = rows(&session, Scope::Account(account), "token:usdt internal:no");
    let [(inflow, _), (outflow, _)] =
        [Direction::Incoming, Direction::Outgoing].map(|way| sum(&listed_rows, "USDT", &way));
    let line = session.line("Sum of ");
    let figures = format!("USDT +{} −{}", inflow.format_grouped(), outflow.format_grouped());
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
    let holdings = session.store().holdings(&Scope::Account(account)).unwrap();
    let holdings = holdings.iter().filter(|holding| holding.symbol.as_str() == "USDT" && !holding.suspicious);
    let amounts: Vec<Amount> =
        holdings.filter_map(|holding| holding.amount.as_ref().and_then(ReportedAmount::exact)).collect();
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

/// What a row of the balances shows: its amount, if it has one, and its value.
fn group_rows(session: &Session) -> Vec<Vec<String>> {
    let screen = session.screen();
    let lines = screen.lines().skip_while(|line| !line.contains("Balances · "));
    let row = |line: &str| -> Vec<String> {
        line.trim_matches(['▌', ' '])
            .split("  ")
            .map(|cell| cell.trim().to_owned())
            .filter(|cell| !cell.is_empty())
            .collect()
    };
    lines.skip(2).map(row).filter(|cells| cells.len() > 2).collect()
}

#[test]
fn balances_by_token_chain_account_and_wallet_are_the_sums_of_the_store() {
    let mut session = Session::with(Setup { transactions: 400, ..Setup::default() });
    session.passes(10 * MINUTE);
    session.resizes(140, 60);
    // All accounts, and the whole page for the balances.
    session.keys("Esc Tab Tab z");
    let holdings_of = |scope: Scope| -> Vec<Holding> {
        session.store().holdings(&scope).unwrap().into_iter().filter(|holding| !holding.suspicious).collect()
    };
    let exact = |holding: &Holding| holding.amount.as_ref().and_then(ReportedAmount::exact).unwrap();
    let value = |noun: &str, holdings: &mut dyn Iterator<Item = &Holding>| {
        let (mut sum, mut count, mut unpriced_count) = (ValuationAmount::ZERO, 0, 0);
        for holding in holdings.filter(|holding| !exact(holding).is_zero()) {
            count += 1;
            match session.price(&holding.symbol) {
                Some(rate) => sum = sum.checked_add(rate.worth(exact(holding)).unwrap()).unwrap(),
                None => unpriced_count += 1,
            }
        }
        let count = format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let value = if sum.is_zero() {
            "—".into()
        } else {
            format!("{}{}", sum.format_short(), if unpriced_count > 0 { "+" } else { "" })
        };
        [count, value]
    };
    let all = holdings_of(Scope::All);
    let mut expected: Vec<Vec<(String, Vec<String>)>> = Vec::new();
    let mut by_token: BTreeMap<String, Vec<&Holding>> = BTreeMap::new();
    let mut by_chain: BTreeMap<String, Vec<&Holding>> = BTreeMap::new();
    for holding in &all {
        by_token.entry(holding.symbol.to_string()).or_default().push(holding);
        by_chain.entry(chain_display_name(&holding.token.blockchain).to_owned()).or_default().push(holding);
    }
    expected.push(
        by_token
            .into_iter()
            .map(|(symbol, holdings)| {
                let total =
                    holdings.iter().try_fold(Amount::zero(0), |sum, holding| sum.checked_add_rescaled(exact(holding)));
                let [count, value] = value("chain", &mut holdings.into_iter());
                (symbol, vec![count, total.unwrap().format_grouped(), value])
            })
            .collect(),
    );
    expected.push(
        by_chain
            .into_iter()
            .map(|(chain, holdings)| (chain, value("token", &mut holdings.into_iter()).to_vec()))
            .collect(),
    );
    let accounts = session.store().accounts().unwrap().into_iter().map(|account| account.entry);
    expected.push(
        accounts
            .map(|account| {
                let holdings = holdings_of(Scope::Account(account.id));
                (account.name.unwrap().to_string(), value("balance", &mut holdings.iter()).to_vec())
            })
            .collect(),
    );
    let wallets =
        session.store().wallets(&Scope::All, "", 0, 1_000).unwrap().rows.into_iter().map(|wallet| wallet.entry);
    expected.push(
        wallets
            .filter_map(|wallet| {
                let holdings = holdings_of(Scope::Wallet(wallet.id));
                (!holdings.is_empty()).then_some(())?;
                Some((wallet.name?.to_string(), value("token", &mut holdings.iter()).to_vec()))
            })
            .collect(),
    );
    for (groups, by) in expected.into_iter().zip(["by token", "by chain", "by account", "by wallet"]) {
        session.keys("O");
        session.settle();
        assert!(session.line("Balances · ").contains(by));
        let rows = group_rows(&session);
        assert!(rows.len() >= groups.len().min(50), "{by}: {rows:?}");
        for (name, cells) in groups {
            let Some(row) = rows.iter().find(|row| row[0] == name) else {
                assert!(rows.len() > 50, "{by}: {name} is missing in {rows:#?}");
                continue;
            };
            assert_eq!(row[1..=cells.len()], cells, "{by}: {name}");
        }
    }
    session.keys("O");
    assert!(!session.line("Balances · ").contains(" by "));
}

#[test]
fn a_sum_of_balances_opens_what_it_sums() {
    let mut session = Session::with(Setup { transactions: 400, ..Setup::default() });
    session.passes(10 * MINUTE);
    session.resizes(160, 50);
    session.keys("Tab Tab O y");
    session.sees("this row is a sum of balances: open it, then choose one");
    session.keys("j Enter");
    let head = session.line("Balances · ");
    assert!(head.contains('/') && !head.contains(" by token"), "{head}");
    session.sees("Sum of ");
    session.keys("Esc O O O j Enter");
    session.settle();
    assert!(!session.line("Balances · ").contains(" by account"));
}
