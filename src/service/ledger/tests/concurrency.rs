use std::thread;

use rstest::rstest;

use super::*;

#[rstest]
#[case::on_disk(LedgerLocation::Temporary)]
#[case::in_memory(LedgerLocation::Memory)]
fn many_who_spend_the_same_funds_at_once_never_spend_more_than_there_is(#[case] place: LedgerLocation) {
    let bench = TestLedger::at(&place);
    let wallet = bench.wallet("base", "r");
    bench.fund(&wallet, "USDC", 10_000_000);
    let paid_count: usize = thread::scope(|scope| {
        let pay = || {
            (0..10)
                .filter(|_| bench.withdraw(&TestLedger::payment(&wallet, "USDC", "0.7", OUTSIDE_ADDRESS)).is_ok())
                .count()
        };
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(pay)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(paid_count, 14);
    assert_eq!(bench.balance("USDC", "base"), "0.200000");
    assert_eq!(bench.rows(Some(Direction::Outgoing)).len(), 14);
    bench.ledger.check().unwrap();
}

#[rstest]
#[case::on_disk(LedgerLocation::Temporary)]
#[case::in_memory(LedgerLocation::Memory)]
fn twins_that_arrive_together_are_executed_once_and_answered_alike(#[case] place: LedgerLocation) {
    let bench = TestLedger::at(&place);
    let wallet = bench.wallet("base", "r");
    bench.fund(&wallet, "USDC", 100_000_000);
    for key in 1..=5_u128 {
        let request = json!({"amount": "1", "n": key.to_string()});
        let answers: Vec<_> = thread::scope(|scope| {
            let pay = || {
                let payment = TestLedger::payment(&wallet, "USDC", "1", OUTSIDE_ADDRESS);
                let key = Some(Uuid::from_u128(key));
                bench.ledger.execute_once_per_key(
                    bench.workspace_number,
                    START,
                    key,
                    ("withdraw", &request),
                    move |books| books.withdraw(&payment),
                )
            };
            let threads: Vec<_> = (0..6).map(|_| scope.spawn(pay)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap().unwrap()).collect()
        });
        assert!(answers.iter().all(|answer| *answer == answers[0]));
    }
    assert_eq!(bench.rows(Some(Direction::Outgoing)).len(), 5);
    assert_eq!(bench.balance("USDC", "base"), "95.000000");
}

#[rstest]
#[case::on_disk(LedgerLocation::Temporary)]
#[case::in_memory(LedgerLocation::Memory)]
fn a_request_that_fails_inside_takes_nobody_along(#[case] place: LedgerLocation) {
    let bench = TestLedger::at(&place);
    let failed = bench.execute(|books| -> Result<(), RequestError> {
        books.create_account("half done")?;
        panic!("a mistake in this program")
    });
    assert!(matches!(failed, Err(RequestError::Internal(_))));
    assert_eq!(bench.ledger.accounts_of_workspace(bench.workspace_number, Paging::default()).unwrap().data.len(), 1);
    bench.execute(|books| books.create_account("whole")).unwrap();
    assert_eq!(bench.ledger.accounts_of_workspace(bench.workspace_number, Paging::default()).unwrap().data.len(), 2);
}

#[rstest]
#[case::on_disk(LedgerLocation::Temporary)]
#[case::in_memory(LedgerLocation::Memory)]
fn reads_beside_a_writer_see_whole_commits(#[case] place: LedgerLocation) {
    let bench = TestLedger::at(&place);
    let (from, to) = (bench.wallet("base", "from"), bench.wallet("base", "to"));
    bench.fund(&from, "USDC", 100_000_000);
    let before = bench.rows(None).len();
    thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for _ in 0..30 {
                bench.withdraw(&TestLedger::payment(&from, "USDC", "1", &to.address)).unwrap();
            }
        });
        while !writer.is_finished() {
            let rows = bench.rows(None);
            let out = rows.iter().filter(|row| row.tx_type == "outgoing").count();
            assert_eq!(rows.len(), before + 2 * out, "a payment within the service was seen by halves");
            bench.ledger.check().unwrap();
        }
    });
}

#[test]
fn a_ledger_in_memory_that_has_grown_too_large_is_full_as_a_disk_is() {
    let bench = TestLedger::at(&LedgerLocation::Memory);
    let more = "CREATE TABLE more (bytes BLOB); INSERT INTO more VALUES (zeroblob(64 * 1024 * 1024));";
    let full = bench.ledger.write(move |connection| Ok(connection.execute_batch(more)?)).unwrap_err();
    assert!(full.to_string().contains("no room left"), "{full}");
    // What is small still goes in.
    bench.fund(&bench.wallet("base", "r"), "USDC", 1);
    bench.ledger.check().unwrap();
}
