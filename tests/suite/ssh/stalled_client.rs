//! A visitor whose client stands still, as on a laptop that was shut: what is kept for them, and what others feel of it.
//!
//! Of a minute (`BURSAR_SSH_STANDSTILL=60 cargo test --test suite -- ssh::standstill --nocapture`), on a machine of 2 cores on which
//! others compiled: 32 KB at most lay unread at the client's end and 60 bytes with the host, which took 4.7 MB more by the lives
//! of two businesses; a key of somebody else took 5.8 ms, p95 14, beside 8.6 before; the first one after it 36 ms.

#![cfg(target_os = "linux")]
#![expect(clippy::disallowed_methods, reason = "a key of somebody else is measured with a real clock")]

use std::io::Write;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::harness::wait::PATIENCE;
use crate::pty::PtySession;
use crate::ssh::host_process::HostProcess;
use crate::ssh::test_client::KERNEL;

/// For how many seconds the client stands still with each commit. `BURSAR_SSH_STANDSTILL` says another number, at most 80,
/// and has the figures told: after two minutes a client is given up, and it was last asked up to half a minute ago.
const USUALLY: u64 = 3;

/// What a connection holds for one end, in bytes: what came and was not read there, and what the other end still keeps.
fn waits_for(client: u16, host: u16) -> (usize, usize) {
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let queues = |from: u16, to: u16| {
        let line = table.lines().find(|line| {
            let mut fields = line.split_whitespace().skip(1);
            let mut ends_with = |port: u16| fields.next().is_some_and(|end| end.ends_with(&format!(":{port:04X}")));
            ends_with(from) && ends_with(to)
        });
        let queues = line.unwrap().split_whitespace().nth(4).unwrap().split_once(':').unwrap();
        [queues.0, queues.1].map(|bytes| usize::from_str_radix(bytes, 16).unwrap())
    };
    let ([queued, _], [_, unread]) = (queues(host, client), queues(client, host));
    (unread, queued)
}

/// The memory of a process that is its own, in KiB.
fn memory(process: u32) -> u64 {
    let smaps = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap();
    smaps.lines().find_map(|line| line.strip_prefix("Pss:")?.trim().strip_suffix(" kB")?.parse().ok()).unwrap()
}

/// Turns to another page and back; says how long each took to be on the screen.
fn turns(terminal: &PtySession) -> [Duration; 2] {
    [("3", "Time (UTC)"), ("1", "Treasury")].map(|(key, text)| {
        let start = Instant::now();
        terminal.types(key);
        terminal.waits_for(text);
        start.elapsed()
    })
}

fn latency_summary(label: &str, latencies: &mut [Duration]) -> String {
    latencies.sort_unstable();
    let at = |part: usize| latencies[(latencies.len() * part / 100).min(latencies.len() - 1)];
    format!("{label}: {} keys, p50 {:.1?}, p95 {:.1?}, longest {:.1?}", latencies.len(), at(50), at(95), at(100))
}

#[test]
#[ignore = "needs the client of OpenSSH"]
fn a_client_that_stands_still_is_kept_at_one_frame_and_holds_nobody_up() {
    let seconds = std::env::var("BURSAR_SSH_STANDSTILL").ok().and_then(|seconds| seconds.parse::<u64>().ok());
    let span = Duration::from_secs(seconds.unwrap_or(USUALLY).min(80));
    let lender = HostProcess::open(&["--pace", "20", "--transactions", "400"]);
    let sleeper = lender.visitor();
    let welcome = lender.says("came as demo");
    let port = welcome.split_whitespace().find_map(|word| word.strip_prefix("127.0.0.1:")).unwrap().parse().unwrap();
    let other = lender.visitor();
    // The larger the screen, the more there would be to queue.
    sleeper.resizes(200, 60);
    sleeper.waits_for("Transactions");
    let mut before: Vec<_> = (0..10).flat_map(|_| turns(&other)).collect();
    let memory_before = memory(lender.id());
    let client = Pid::from_raw(i32::try_from(sleeper.id()).unwrap()).unwrap();
    kill_process(client, Signal::STOP).unwrap();
    let (began, mut meanwhile, mut unread, mut queue) = (Instant::now(), Vec::new(), 0, 0);
    // The first picture that nobody answers is waited for a while before the next one is sent.
    while began.elapsed() < span || (unread == 0 && began.elapsed() < PATIENCE) {
        meanwhile.extend(turns(&other));
        let waits = waits_for(port, lender.address().port());
        (unread, queue) = (unread.max(waits.0), queue.max(waits.1));
    }
    let memory_after = memory(lender.id());
    kill_process(client, Signal::CONT).unwrap();
    let start = Instant::now();
    sleeper.types("3");
    sleeper.waits_for("Time (UTC)");
    let first_key = start.elapsed();
    // The kernel doubles what it is asked to hold. What lies at the client's end lies there for everybody who is slow.
    let most = 2 * usize::try_from(KERNEL).unwrap();
    assert!(queue <= most, "{queue} bytes are kept, more than {most}");
    assert!(unread > 0, "nothing was sent to the client that stood still");
    for mut terminal in [sleeper, other] {
        terminal.types("q");
        assert_eq!(terminal.ends().exit_code(), 0);
        terminal.is_whole();
    }
    if seconds.is_some() {
        let lines = [
            format!(
                "a client stood still for {span:?}: {unread} bytes at most lay unread at its end, {queue} with the host"
            ),
            format!("the host: {memory_before} KiB before, {memory_after} KiB after"),
            latency_summary("somebody else before", &mut before),
            latency_summary("somebody else meanwhile", &mut meanwhile),
            format!("when it went on, a key took {first_key:.1?}"),
        ];
        let _nobody_may_listen = writeln!(std::io::stderr(), "{}", lines.join("\n"));
    }
}
