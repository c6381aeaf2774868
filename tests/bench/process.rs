//! What the system tells of a running process.

use std::fs::{read_dir, read_to_string};
use std::path::PathBuf;
use std::time::Duration;

/// The program that is measured: the one built beside the benchmark, or the build of it that `BURSAR_PROGRAM` names.
pub(crate) fn program() -> PathBuf {
    std::env::var_os("BURSAR_PROGRAM")
        .map_or_else(|| env!("CARGO_BIN_EXE_bursar").into(), |path| std::path::absolute(path).unwrap())
}

/// The memory that is its own, in KiB: what it shares with others counts in parts.
pub(crate) fn own_memory(process: u32) -> u64 {
    memory(process, "Pss:")
}

/// The part of it that it wrote itself, in KiB. The rest is code and constants, which the system may let go and read again.
pub(crate) fn written_memory(process: u32) -> u64 {
    memory(process, "Anonymous:")
}

fn memory(process: u32, field: &str) -> u64 {
    let rollup = read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap();
    rollup.lines().find_map(|line| line.strip_prefix(field)?.trim().strip_suffix(" kB")?.parse().ok()).unwrap()
}

/// How many files, sockets and the like it holds open.
pub(crate) fn handles(process: u32) -> usize {
    read_dir(format!("/proc/{process}/fd")).unwrap().count()
}

/// How many threads it has.
pub(crate) fn threads(process: u32) -> usize {
    read_dir(format!("/proc/{process}/task")).unwrap().count()
}

/// What the threads that it has now have done so far.
pub(crate) struct Work {
    /// How long they had the processor.
    pub(crate) processor: Duration,
    /// How often they woke.
    pub(crate) wakes: u64,
}

/// What a process has done so far.
pub(crate) fn work(process: u32) -> Work {
    let (mut nanoseconds, mut wakes) = (0, 0);
    for thread in read_dir(format!("/proc/{process}/task")).unwrap().flatten() {
        // One that ends meanwhile has no figures any more.
        let read_file = |file: &str| read_to_string(thread.path().join(file)).unwrap_or_default();
        nanoseconds +=
            read_file("schedstat").split_whitespace().next().map_or(0, |figure| figure.parse::<u64>().unwrap());
        let woken = |line: &str| line.strip_prefix("voluntary_ctxt_switches:")?.trim().parse::<u64>().ok();
        wakes += read_file("status").lines().find_map(woken).unwrap_or(0);
    }
    Work { processor: Duration::from_nanos(nanoseconds), wakes }
}
