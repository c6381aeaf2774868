//! How long a test waits for what another thread or another process does, and what it says when that never comes.
//!
//! No wait is without an end: a test that stands still says nothing, and holds up all that come after it.

#![expect(clippy::disallowed_methods, reason = "what a person waits for is measured with a real clock")]

use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

/// How long the program may take for what a person waits for. A debug build on a busy machine is slow.
pub(crate) const PATIENCE: Duration = Duration::from_mins(3);

/// How long nobody looks again. What is waited for needs the processor as well.
const PAUSE: Duration = Duration::from_millis(1);

/// Looks until it finds something.
pub(crate) fn finds<T>(description: &str, look: impl FnMut() -> Option<T>) -> T {
    finds_or(look, || description.to_owned())
}

/// Looks until it finds something; what it lacked is said at the end.
pub(crate) fn finds_or<T>(mut look: impl FnMut() -> Option<T>, describe: impl FnOnce() -> String) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(value) = look() {
            return value;
        }
        assert!(Instant::now() < deadline, "waited in vain: {}", describe());
        std::thread::park_timeout(PAUSE);
    }
}

/// Waits until it is so.
pub(crate) fn waits_until(description: &str, mut is_so: impl FnMut() -> bool) {
    finds(description, || is_so().then_some(()));
}

/// Waits until a process has ended.
pub(crate) fn ends(child: &mut Child) -> ExitStatus {
    finds("the end of a process", || child.try_wait().unwrap())
}

/// The same in a task: others of its thread go on meanwhile.
pub(crate) async fn comes_true(description: &str, mut is_so: impl FnMut() -> bool) {
    let so = async {
        while !is_so() {
            tokio::task::yield_now().await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, so).await.is_ok(), "waited in vain: {description}");
}
