//! What a frame has to look at does not grow with the history.

use super::harness::{Session, Setup};

/// Rows held for the screen while somebody looks around in a history of so many rows.
fn loaded_row_counts(transactions: u64) -> Vec<usize> {
    let mut session = Session::with(Setup { transactions, ..Setup::default() });
    let mut row_counts = vec![session.rows_held()];
    for keys in ["3", "j j PgDn PgDn", "G", "g", "/ 'usd'", "Enter G", "1"] {
        session.keys(keys);
        row_counts.push(session.rows_held());
    }
    row_counts
}

#[test]
fn a_frame_costs_the_same_with_few_rows_and_with_many() {
    let (few, many) = (loaded_row_counts(1_000), loaded_row_counts(5_000));
    assert!(few.iter().all(|rows| *rows >= 36), "{few:?}");
    // The rows that name what needs somebody leave the panes fewer.
    assert!(few.iter().zip(&many).all(|(few, many)| few.abs_diff(*many) <= 8), "{few:?} {many:?}");
}
