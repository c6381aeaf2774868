//! What a poll without change and the questions of a screen cost: the same with few rows and with many. Counted are the
//! steps of the database's machine, which no other work on the computer disturbs.

use std::cell::Cell;

use rusqlite::{Connection, StatementStatus};

use super::fixtures::{amount, now, store_in_folder, temporary_store, uuid};
use super::sync_and_backfill::{FakeService, run_backfill, sync_latest};
use crate::domain::history::{Query, Scope, WindowAnchor, WindowRequest};
use crate::domain::{AccountId, Direction, ReportedBalance, Status, Text, TokenKey, UserId, WalletId};
use crate::store::{BalanceReading, Cancel, Store};

/// Steps that are counted as one.
const PROGRESS_STEPS: i32 = 4;

thread_local! {
    static COUNTED: Cell<u64> = const { Cell::new(0) };
}

/// Counts what this connection does on whatever thread uses it.
pub(in crate::store) fn count_steps(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.progress_handler(
        PROGRESS_STEPS,
        Some(|| {
            COUNTED.set(COUNTED.get() + 1);
            false
        }),
    )
}

fn steps_of(work: impl FnOnce()) -> u64 {
    let before = COUNTED.get();
    work();
    COUNTED.get() - before
}

/// A history of so many rows of each direction, read to its end; three of them are not final.
fn store_with_history(rows: u64) -> (Store, FakeService) {
    let (store, mut service) = (temporary_store(), FakeService::new(100));
    for _ in 0..rows {
        service.add_transaction(&Direction::Incoming);
        service.add_transaction(&Direction::Outgoing);
    }
    for (nth, row) in service.incoming.iter_mut().chain(&mut service.outgoing).enumerate() {
        row.status = Some(if nth < 3 { Status::Pending } else { Status::Success });
        row.confirmed = Some(nth >= 3);
    }
    sync_latest(&store, &mut service, 0);
    while !store.progress().unwrap().complete {
        run_backfill(&store, &mut service, 1_000, 0);
    }
    store.save_balance_readings(&balance_readings()).unwrap();
    (store, service)
}

fn balance_readings() -> Vec<BalanceReading> {
    let reading = |nth: u64| {
        let user = UserId::from_text(&uuid(nth + 500));
        let balance = ReportedBalance {
            user: user.clone(),
            token: TokenKey { blockchain: Text::clean("ethereum"), contract: Some(Text::clean("0xT")) },
            symbol: Text::clean("T"),
            name: None,
            amount: amount(nth, 6).unwrap(),
            environment: None,
            updated_at: None,
        };
        BalanceReading { user, balances: vec![balance], at: now(1) }
    };
    (0..8).map(reading).collect()
}

/// The steps of a poll that brings nothing new, and of what a screen asks.
fn measure_costs(rows: u64) -> [u64; 5] {
    let (store, mut service) = store_with_history(rows);
    let middle = WindowRequest { query: Query::default(), anchor: WindowAnchor::Rank(rows), rows: 100 };
    let scopes =
        [Scope::All, Scope::Account(AccountId::from_text(&uuid(700))), Scope::Wallet(WalletId::from_text(&uuid(600)))];
    let mut costs = [0; 5];
    // The first time phrases are loaded, and statements prepared.
    for _ in 0..2 {
        costs = [
            steps_of(|| assert_eq!(sync_latest(&store, &mut service, 2).changed, 0)),
            steps_of(|| store.save_balance_readings(&balance_readings()).unwrap()),
            steps_of(|| {
                store.query_history(&middle, &Cancel::new(), &mut |window| assert_eq!(window.rows.len(), 100)).unwrap();
            }),
            steps_of(|| scopes.iter().for_each(|scope| assert!(!store.holdings(scope).unwrap().is_empty()))),
            steps_of(|| {
                assert_eq!(store.accounts().unwrap().len(), 2);
                assert!(store.progress().unwrap().complete);
            }),
        ];
    }
    costs
}

#[test]
fn a_poll_without_change_and_a_screen_cost_the_same_with_few_rows_and_with_many() {
    let (few, many) = (measure_costs(500), measure_costs(5_000));
    for (few, many) in few.into_iter().zip(many) {
        assert!(few > 0, "something was counted");
        // Where a row stands in a page of the file may take a step more or less.
        assert!(many <= few + few / 10, "{few} steps with few rows, {many} with many");
    }
}

#[test]
fn a_statement_is_planned_once_whatever_limit_it_is_given() {
    let home = tempfile::tempdir().unwrap();
    for store in [store_in_folder(home.path()), temporary_store()] {
        store
            .read_in_transaction(|connection| {
                let mut statement = connection.prepare_cached("SELECT id FROM user ORDER BY sort LIMIT ?1")?;
                for limit in 1..=3 {
                    assert!(!statement.exists([limit])?);
                }
                assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
                Ok(())
            })
            .unwrap();
    }
}
