//! What a frame has to look at does not grow with the history.

use super::harness::{Session, Setup};

/// Rows held for the screen while somebody looks around in a history of so many rows.
fn loaded_row_counts(transactions: u64) -> Vec<usize> {
    let mut session = Session::with(Setup { transactions, ..Setup::default() });
    let mut held = vec![session.rows_held()];
    for keys in ["3", "j j PgDn PgDn", "G", "g", "/ 'usd'", "Enter G", "1"] {
        session.keys(keys);
        held.push(session.rows_held());
    }
    held
}

#[test]
fn a_frame_costs_the_same_with_few_rows_and_with_many() {
    let (few, many) = (loaded_row_counts(1_000), loaded_row_counts(5_000));
    assert!(few.iter().all(|rows| *rows >= 36), "{few:?}");
    assert_eq!(few, many);
}

fn cpu_ms() -> u64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    (fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()) * 10
}

#[test]
fn zz_phases() {
    use super::harness::{Session, Setup};
    let n = 10;
    let mut at = [0_u64; 6];
    for _ in 0..n {
        let a = cpu_ms();
        let rt = tokio::runtime::Runtime::new().unwrap();
        let now = bursar::domain::Timestamp::parse_iso("2026-11-02T12:03:20.000Z").unwrap();
        let options = bursar::service::Options {
            sample: Some(bursar::service::Sample { seed: 1, transactions: 400 }),
            clock: bursar::service::ServiceClock::manual(now),
            with_lists: true,
            ..bursar::service::Options::temporary()
        };
        let service = rt.block_on(bursar::service::start(options)).unwrap();
        let b = cpu_ms();
        drop(service);
        let b2 = cpu_ms();
        let mut s = Session::unsettled(Setup::default());
        let c = cpu_ms();
        s.connect();
        let d = cpu_ms();
        s.keys("3");
        s.keys("1");
        let e = cpu_ms();
        drop(s);
        let f = cpu_ms();
        for (sum, part) in at.iter_mut().zip([b - a, b2 - b, c - b2, d - c, e - d, f - e]) {
            *sum += part;
        }
    }
    eprintln!(
        "service {} drop {} unsettled {} connect {} keys {} drop {}",
        at[0] / n,
        at[1] / n,
        at[2] / n,
        at[3] / n,
        at[4] / n,
        at[5] / n
    );
}
