//! A clock that was ahead and is right again.

use std::time::Duration;

use super::*;

const YEAR: i64 = 365 * 86_400_000;

/// Issue 22: what was asked for while the clock was ahead settled when that time came, and nothing after it ever did.
#[test]
fn a_clock_that_jumped_ahead_freezes_no_settlement_once_it_is_right_again() {
    let bench = TestLedger::new();
    let wallet = bench.wallet("base", "r");
    bench.fund(&wallet, "USDC", 100_000_000);
    let pay = |now: Timestamp| {
        let payment = TestLedger::payment(&wallet, "USDC", "1", OUTSIDE_ADDRESS);
        bench
            .ledger
            .execute_in_workspace(bench.workspace_number, now, IdSource::Random, move |books| books.withdraw(&payment))
            .unwrap()
    };
    let jumped_to = Timestamp::from_millis(LATER.millis() + YEAR);
    pay(jumped_to);
    assert_eq!(bench.ledger.settle_after_clock_set_back(jumped_to).unwrap(), None, "nothing is wrong that can be seen");
    // The clock is right again, and more is asked for.
    let now = LATER;
    pay(now);
    assert_eq!(bench.ledger.settle_after_clock_set_back(now).unwrap(), Some(jumped_to), "it is said");
    let soon = now.plus(Duration::from_mins(10));
    assert_eq!(bench.ledger.advance(soon).unwrap(), SettlementCounts { succeeded: 2, failed: 0 });
    assert_eq!(bench.ledger.next_due().unwrap(), None);
    assert_eq!(bench.ledger.settle_after_clock_set_back(Timestamp::from_millis(jumped_to.millis() + 1)).unwrap(), None);
    bench.ledger.check().unwrap();
}
