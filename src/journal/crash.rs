//! Where tests kill the program: named moments in the life of an order. See the table in [`crate::journal`].
//!
//! `BURSAR_KILL_AT=after-sending` ends the process with SIGKILL when it comes to that moment for the first time,
//! `after-sending:2` when it comes there for the second time. A release build has none of this.

/// Every moment that has a name, in the order of an order's life up to its end. Each write has three: before its
/// transaction, within it (written, not committed) and after it (durable, not yet told to anybody). So has the reopening of
/// an order that was closed, to which few come ([`REOPENING`]).
pub const POINTS: &[&str] = &[
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

/// The moments at which an order that was closed is opened again.
pub const REOPENING: &[&str] = &["before-reopened", "within-reopened", "after-reopened"];

/// The order is permitted, and no byte of its request has left.
pub const BEFORE_SEND: &str = "before-send";
/// The whole request has left, and no byte of an answer was read.
pub const AFTER_SEND: &str = "after-send";
/// The answer was read, and nobody was told.
pub const AFTER_ANSWER: &str = "after-answer";

/// The program has come to a moment. Nothing happens, unless a test asked for it to be killed here.
#[cfg(debug_assertions)]
pub fn reached(point: &str) {
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    static ASKED: LazyLock<Option<(String, u32)>> = LazyLock::new(|| {
        let asked = std::env::var("BURSAR_KILL_AT").ok()?;
        Some(match asked.split_once(':') {
            Some((point, time)) => (point.to_owned(), time.parse().ok()?),
            None => (asked, 1),
        })
    });
    static TIMES: AtomicU32 = AtomicU32::new(0);

    let Some((asked, time)) = ASKED.as_ref() else { return };
    if asked == point && TIMES.fetch_add(1, Ordering::SeqCst) + 1 == *time {
        // Unlike an abort this runs no handler and leaves no core: it is what a power cut looks like to the files.
        let _dead = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    }
}

/// The program has come to a moment.
#[cfg(not(debug_assertions))]
pub fn reached(_point: &str) {}

/// A write has come to one of its three moments.
pub(super) fn write(moment: &str, kind: &str) {
    if cfg!(debug_assertions) {
        reached(&format!("{moment}-{kind}"));
    }
}
