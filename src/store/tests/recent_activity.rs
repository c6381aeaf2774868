//! The summary of the newest rows, against the rows themselves, also after rows arrived and changed.

use proptest::prelude::*;

use super::balance_history::sync_rows;
use super::fixtures::{now, temporary_store, transaction};
use crate::domain::history::{Query, RowTimes, WindowAnchor, WindowRequest};
use crate::domain::recent_activity::RecentActivity;
use crate::domain::{Direction, Status, Transaction};
use crate::store::{Cancel, Store};

const HOUR: i64 = 3_600_000;

/// The summary by adding each row of the list.
fn summary_of_list(store: &Store) -> RecentActivity {
    let request = WindowRequest { query: Query::default(), anchor: WindowAnchor::Rank(0), rows: 100_000 };
    let mut rows = Vec::new();
    store.query_history(&request, &Cancel::new(), &mut |window| rows = window.rows).unwrap();
    rows.sort_by_key(|row| std::cmp::Reverse(row.seq));
    let mut summary = RecentActivity::default();
    for row in rows {
        summary.add_row(
            row.seq,
            RowTimes { seen_at: row.seen_at, time: row.time },
            &row.transaction,
            row.suspicious,
            row.internal,
            store.final_statuses(),
        );
    }
    summary
}

fn row(number: u64) -> Transaction {
    let direction = if number.is_multiple_of(3) { Direction::Outgoing } else { Direction::Incoming };
    let hours = i64::try_from(number % 600).unwrap();
    transaction(number, &direction, Some(now(0).millis() - hours * HOUR))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn the_summary_is_that_of_the_rows_also_after_rows_arrived_and_changed(
        first in 1_u64..2_200,
        later in 0_u64..300,
        changed in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let store = temporary_store();
        let mut rows: Vec<Transaction> = (1..=first).map(row).collect();
        sync_rows(&store, &rows, 0);
        let summary = || store.recent_activity(now(0), &Cancel::new()).unwrap();
        let notable = |activity: &RecentActivity| activity.notable_rows(now(0), |_| false, |address| address.starts_with("0xAb"));
        prop_assert!(notable(&summary()) == notable(&summary_of_list(&store)));
        rows.extend((10_000..10_000 + later).map(row));
        for index in changed {
            let at = index.index(rows.len());
            (rows[at].status, rows[at].confirmed) = (Some(Status::Failed), Some(false));
        }
        sync_rows(&store, &rows, 1);
        let (cached, plain) = (summary(), summary_of_list(&store));
        assert_eq!((cached.row_count(), cached.oldest_row_time()), (plain.row_count(), plain.oldest_row_time()));
        prop_assert!(notable(&cached) == notable(&plain));
        assert_eq!(cached.settlement_times(), plain.settlement_times());
    }
}
