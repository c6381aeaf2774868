//! Moments in the life of an order at which tests kill the program. See the table in [`crate::journal`].
//!
//! `BURSAR_KILL_AT=after-sending` ends the process with SIGKILL when it reaches that moment for the first time,
//! `after-sending:2` for the second time. A release build has none of this.

/// Every named moment, in the order of an order's life up to its end. Each write has three: before its transaction,
/// within it (written, not committed) and after it (durable, not yet reported). The rarer reopening of a closed order
/// has the same ([`REOPENING_POINTS`]).
pub const CRASH_POINTS: &[&str] = &[
    "before-drafted",
    "within-drafted",
    "after-drafted",
    "before-confirmed",
    "within-confirmed",
    "after-confirmed",
    "before-sending",
    "within-sending",
    "after-sending",
    BEFORE_SEND,
    AFTER_SEND,
    AFTER_ANSWER,
    "before-answered",
    "within-answered",
    "after-answered",
    "before-looked",
    "within-looked",
    "after-looked",
    "before-ended",
    "within-ended",
    "after-ended",
];

/// The moments around the reopening of a closed order.
pub const REOPENING_POINTS: &[&str] = &["before-reopened", "within-reopened", "after-reopened"];

/// The order is permitted, and no byte of its request has left.
pub const BEFORE_SEND: &str = "before-send";
/// The whole request has left, and no byte of an answer was read.
pub const AFTER_SEND: &str = "after-send";
/// The answer was read, and not reported yet.
pub const AFTER_ANSWER: &str = "after-answer";

/// Kills the process if a test asked for it at this moment; else does nothing.
#[cfg(debug_assertions)]
pub fn reached(point: &str) {
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    static ASKED: LazyLock<Option<(String, u32)>> = LazyLock::new(|| {
        let moment = std::env::var("BURSAR_KILL_AT").ok()?;
        Some(match moment.split_once(':') {
            Some((point, time)) => (point.to_owned(), time.parse().ok()?),
            None => (moment, 1),
        })
    });
    static TIMES: AtomicU32 = AtomicU32::new(0);

    let Some((moment, time)) = ASKED.as_ref() else { return };
    if moment == point && TIMES.fetch_add(1, Ordering::SeqCst) + 1 == *time {
        // Unlike an abort this runs no handler and leaves no core: to the files it looks like a power cut.
        let _dead = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    }
}

#[cfg(not(debug_assertions))]
pub fn reached(_point: &str) {}

pub(super) fn reach_write_point(moment: &str, kind: &str) {
    if cfg!(debug_assertions) {
        reached(&format!("{moment}-{kind}"));
    }
}
