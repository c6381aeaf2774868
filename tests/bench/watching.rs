//! What watching costs with 1,000 transactions and with many, side by side: medians, and how many times the many cost.
//! `BURSAR_ROWS` says how many are many (100,000 by default; 1,000,000 go with 10,000 users and 20,000 wallets).
//!
//! And what it asks of the service, with 100 users, with 10,000 and with `BURSAR_USERS` (100,000 by default): requests a
//! minute by what they read, on a clock that is moved by hand, and how old in poll periods that lets grow what is on screen,
//! what is watched, and the balances of who moved. `BURSAR_ROWS=0` measures that alone.
//!
//! On a machine of 2 cores that was slow that day, 1,000 beside 1,000,000: a window 0.5 / 1.0 ms; sums of everybody 0.3 / 0.2,
//! after a change 0.4 / 0.3; a window of users 0.2 / 0.4; a poll that brings nothing 1.6 / 2.2; balances of 8 users as they were
//! 0.12 / 0.17; opening, and the questions of a start, 3.7 / 5.2; a poll that brings 1,000 rows 127 / 87. While such polls are
//! merged and a filter counts, a window takes 1.0 / 1.4, and 5.5 / 5.9 in the slowest of 100. Memory of the store 6.5 / 6.5
//! MiB. What must look at all rows grows, names among them: a letter of the filter shows its first rows after 1.3 / 7.0 and has
//! counted all after 1.4 / 27; two letters among the wallets take 1.1 / 12.6, the last window of users 0.6 / 4.8. On a quiet
//! one, before filters looked for names, most took half of that: a letter counted 0.6 / 15.9.

#![expect(clippy::unwrap_used, reason = "a benchmark ends with its first surprise")]
#![expect(clippy::disallowed_methods, reason = "a benchmark measures time")]

mod figures;
#[expect(dead_code, reason = "other benchmarks use the rest")]
mod process;
#[path = "watching/requests.rs"]
mod requests;
mod sample;

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bursar::domain::history::{Scope, Sort, WindowAnchor};
use bursar::domain::{AccountId, UserId};
use bursar::store::{BalanceReading, CacheLocation, Cancel, Store};
use figures::{heads, line, tell};
use sample::{FEW, answers, copy, filled_store, forget, look, many, reading, span, uuid};

/// How often each thing is done.
const ROUNDS: u64 = 31;
/// Polls that bring 1,000 rows each, while keys are pressed.
const MERGES: u64 = 5;
/// In the environment of a child: which cache it opens, to tell the memory that this takes.
const CHILD: &str = "BURSAR_BENCH_CHILD";

fn main() {
    if let Ok(folder) = std::env::var(CHILD) {
        tell_memory(&Store::open(&CacheLocation::Folder(folder.into())).unwrap().store);
        return;
    }
    let sizes = [FEW, many()];
    if many() > 0 {
        costs(sizes);
    }
    requests::compare();
}

/// What it costs the machine.
fn costs(sizes: [u64; 2]) {
    heads("microseconds", sizes);
    questions(sizes.map(filled_store));
    starts(sizes);
    changes(sizes);
    meanwhile(sizes);
    let sizes_in_kib = sizes.map(memory);
    tell("memory after the questions of a start, KiB", sizes_in_kib);
}

/// Does something to both in turn, and tells the medians. `work` says how long it took, since not all of it may count.
fn compare<T>(label: &str, subjects: &mut [T; 2], mut work: impl FnMut(&mut T, u64) -> Duration) {
    let mut durations = [Vec::new(), Vec::new()];
    for round in 0..ROUNDS {
        for (subject, durations) in subjects.iter_mut().zip(&mut durations) {
            durations.push(work(subject, round));
        }
    }
    tell(
        label,
        durations.map(|mut samples| {
            samples.sort_unstable();
            u64::try_from(samples[samples.len() / 2].as_micros()).unwrap()
        }),
    );
}

fn time_of<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed()
}

fn questions(mut stores: [Store; 2]) {
    let account = Scope::Account(AccountId::from_text(&uuid(70_000_001)));
    let rows = |store: &Store| store.progress().unwrap().rows;
    compare("a window in the middle of the history", &mut stores, |store, round| {
        let rank = (round * 7_919_977) % rows(store);
        time_of(|| answers(store, &span("", Sort::Newest, WindowAnchor::Rank(rank))))
    });
    for (ordinal, filter) in [("first", "u"), ("second", "us"), ("third", "usd")] {
        compare(&format!("filter, {ordinal} letter: first rows"), &mut stores, |store, _| {
            before(store, filter);
            time_of(|| {
                let cancel = Cancel::new();
                let _withdrawn =
                    store.query_history(&span(filter, Sort::Newest, WindowAnchor::Rank(0)), &cancel, &mut |_| {
                        cancel.cancel();
                    });
            })
        });
        compare(&format!("filter, {ordinal} letter: exact count"), &mut stores, |store, _| {
            before(store, filter);
            time_of(|| answers(store, &span(filter, Sort::Newest, WindowAnchor::Rank(0))))
        });
    }
    compare("sums of everybody", &mut stores, |store, _| time_of(|| store.holdings(&Scope::All).unwrap()));
    compare("sums of an account", &mut stores, |store, _| time_of(|| store.holdings(&account).unwrap()));
    compare("accounts", &mut stores, |store, _| time_of(|| store.accounts().unwrap()));
    compare("a window of wallets of an account", &mut stores, |store, round| {
        time_of(|| store.wallets(&account, "", round * 13, 60).unwrap())
    });
    compare("wallets that contain two letters", &mut stores, |store, _| {
        time_of(|| store.wallets(&Scope::All, "a7", 0, 60).unwrap())
    });
    compare("a window of users", &mut stores, |store, round| {
        time_of(|| store.users(&Scope::All, "", round * 13, 60).unwrap())
    });
    compare("the last window of users", &mut stores, |store, _| {
        time_of(|| store.users(&Scope::All, "", 1_000_000, 60).unwrap())
    });
}

/// What was typed before a filter came to this.
fn before(store: &Store, filter: &str) {
    forget(store);
    if filter.len() > 1 {
        answers(store, &span(&filter[..filter.len() - 1], Sort::Newest, WindowAnchor::Rank(0)));
    }
}

/// What the first picture asks.
fn first_picture(store: &Store) {
    let accounts = store.accounts().unwrap();
    let scope = Scope::Account(accounts[0].entry.id.clone());
    store.holdings(&scope).unwrap();
    store.wallets(&scope, "", 0, 60).unwrap();
    answers(store, &span("", Sort::Newest, WindowAnchor::Rank(0)));
}

fn starts(sizes: [u64; 2]) {
    let mut places = sizes.map(|rows| CacheLocation::Folder(copy(rows, "start")));
    compare("opening, and the questions of a start", &mut places, |place, _| {
        time_of(|| first_picture(&Store::open(place).unwrap().store))
    });
}

fn changes(sizes: [u64; 2]) {
    let mut copies = sizes.map(|rows| (Store::open(&CacheLocation::Folder(copy(rows, "change"))).unwrap().store, rows));
    let users: Vec<UserId> = (0..8).map(|nth| UserId::from_text(&uuid(50_000_000 + nth * 11))).collect();
    let readings = |raw: u64| users.iter().map(|user| reading(user, raw)).collect::<Vec<BalanceReading>>();
    compare("a poll that brings nothing", &mut copies, |(store, rows), _| time_of(|| look(store, *rows)));
    compare("balances of 8 users, as they were", &mut copies, |(store, _), _| {
        store.save_balance_readings(&readings(7)).unwrap();
        time_of(|| store.save_balance_readings(&readings(7)).unwrap())
    });
    compare("balances of 8 users, all changed", &mut copies, |(store, _), round| {
        time_of(|| store.save_balance_readings(&readings(100 + round)).unwrap())
    });
    compare("sums of everybody, after a change", &mut copies, |(store, _), round| {
        store.save_balance_readings(&readings(1_000 + round)).unwrap();
        time_of(|| store.holdings(&Scope::All).unwrap())
    });
    compare("a poll that brings 1,000 rows", &mut copies, |(store, rows), _| {
        *rows += 1_000;
        time_of(|| assert_eq!(look(store, *rows).added, 1_000))
    });
}

/// What a key waits for in the store while a poll's 1,000 rows are merged and a filter counts: goal 16 ms in 99 of 100 times,
/// drawing included, which the benchmark `frame` tells.
fn meanwhile(sizes: [u64; 2]) {
    let percentiles = sizes.map(|rows| {
        let store = Store::open(&CacheLocation::Folder(copy(rows, "meanwhile"))).unwrap().store;
        let over = AtomicBool::new(false);
        let mut latencies: Vec<Duration> = std::thread::scope(|threads| {
            threads.spawn(|| {
                for poll in 1..=MERGES {
                    assert_eq!(look(&store, rows + poll * 1_000).added, 1_000);
                }
                over.store(true, Ordering::Relaxed);
            });
            threads.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    forget(&store);
                    answers(&store, &span("usd", Sort::Newest, WindowAnchor::Rank(0)));
                }
            });
            let mut latencies = Vec::new();
            while !over.load(Ordering::Relaxed) {
                let rank = latencies.len() as u64 * 7_919 % rows;
                latencies.push(time_of(|| answers(&store, &span("", Sort::Newest, WindowAnchor::Rank(rank)))));
            }
            latencies
        });
        latencies.sort_unstable();
        let at = |percent: usize| u64::try_from(latencies[(latencies.len() - 1) * percent / 100].as_micros()).unwrap();
        [at(50), at(99)]
    });
    for (nth, name) in ["half of all keys", "99 of 100 keys"].into_iter().enumerate() {
        tell(
            &format!("a window while others merge and filter, {name}"),
            percentiles.map(|percentiles| percentiles[nth]),
        );
    }
}

/// The memory that a process of its own needs for the questions of a start.
fn memory(rows: u64) -> u64 {
    let folder = copy(rows, "memory");
    let child = Command::new(std::env::current_exe().unwrap()).env(CHILD, folder).output().unwrap();
    String::from_utf8(child.stdout).unwrap().trim().parse().unwrap()
}

/// The memory of this process, in KiB.
fn tell_memory(store: &Store) {
    first_picture(store);
    line(&process::own_memory(std::process::id()).to_string());
}
