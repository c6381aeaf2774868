//! What the program costs as a person has it: in a terminal of 120 x 40 that answers at once, on a history of 1,000
//! transactions and on a long one, side by side, beside the embedded service that it polls.
//!
//! ```text
//! cargo bench --bench console
//!
//! BURSAR_ROWS=1000000                  the long history; 100,000 by default
//! BURSAR_PROGRAM                       another build of the program, to compare with
//! ```
//!
//! On a machine of 2 cores, 1,000 beside 1,000,000, medians: a row down 1.0 / 1.3 ms and 96 / 95 bytes, a row that scrolls
//! 1.3 / 1.3 and 242, a page 1.2 / 1.3 and 3,844 / 3,740; the first letter of a filter, all counted, 3.8 / 6.3, the third
//! 3.4 / 6.8. Memory after polls 12.3 / 18.7 MiB, of it 4.5 / 9.8 written;
//! polls take 2.8 / 3.0 ms of the processor a second and 116 bytes; nothing due for 20 s takes 2.2 / 0.4 ms and at most the
//! clock's 33 bytes. A useful screen stood after 23 / 22 ms. Started from a small program instead, by turns with others, the
//! same build took 8.9 / 10.3, and the smallest program that paints a list, in C, 1.3.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a benchmark ends with its first surprise")]
#![expect(clippy::disallowed_methods, reason = "what is measured is time")]

mod figures;
#[expect(dead_code, reason = "other benchmarks use the rest")]
mod process;
#[expect(dead_code, reason = "other benchmarks use the rest")]
mod sample;
#[path = "console/terminal.rs"]
mod terminal;

use std::process::Command;
use std::time::Duration;

use bursar::service::{self, Options, RunningService, Sample};
use figures::{heads, tell};
use secrecy::ExposeSecret;
use tempfile::TempDir;
use terminal::Terminal;
use tokio::runtime::Runtime;

/// How often it is started.
const STARTS: usize = 15;
/// How often each key is pressed.
const PRESSES: usize = 60;
/// How long it is left alone.
const ALONE: Duration = Duration::from_secs(20);
/// What stands on the first screen that is of use: a balance and a transaction.
const USEFUL: [&str; 2] = ["USDT", "↓ in"];

/// A business, and somebody's folders who has read all of it.
struct Desk {
    service: RunningService,
    folder: TempDir,
}

impl Desk {
    async fn open(transactions: u64) -> Self {
        let sample = Some(Sample { seed: 1, transactions });
        let service = service::start(Options { sample, ..Options::temporary() }).await.unwrap();
        service.wait_until_ready().await.unwrap();
        let desk = Self { service, folder: tempfile::tempdir().unwrap() };
        for (name, period) in [("lively", 5), ("quiet", 600)] {
            let config = desk.folder.path().join(name);
            std::fs::create_dir(&config).unwrap();
            let profile = format!(
                "default_profile = \"desk\"\n[profiles.desk]\nbase_url = \"{}\"\nenvironment = \"testnet\"\n\
                 secrets = \"environment\"\npoll_seconds = {period}\nprobe_lists = false\n",
                desk.service.base_url()
            );
            std::fs::write(config.join("config.toml"), profile).unwrap();
        }
        let mut status = Command::new(process::program());
        status.arg("status").env_clear().env("BURSAR_API_KEY", desk.api_key());
        status.env("BURSAR_CONFIG_DIR", desk.folder.path().join("lively"));
        status.env("BURSAR_DATA_DIR", desk.folder.path().join("data"));
        let status = tokio::task::spawn_blocking(move || status.output().unwrap()).await.unwrap();
        assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
        desk
    }

    fn api_key(&self) -> &str {
        self.service.api_key().unwrap().expose_secret()
    }

    /// The program, with a poll every five seconds where it is lively, and every ten minutes where it is quiet.
    fn terminal(&self, config: &str) -> Terminal {
        let folder = self.folder.path();
        Terminal::open(&folder.join(config), &folder.join("data"), self.api_key())
    }
}

fn main() {
    let _installed_before = rustls::crypto::ring::default_provider().install_default();
    let runtime = Runtime::new().unwrap();
    let sizes = [sample::FEW, sample::many()];
    let desks = sizes.map(|rows| runtime.block_on(Desk::open(rows)));
    heads("transactions", sizes);
    starts(&desks);
    for (label, before, keys) in [
        ("a row down or up", "", ["j", "k"]),
        ("a row that scrolls", "j".repeat(60).as_str(), ["j", "j"]),
        ("a page down or up", "", ["\x1b[6~", "\x1b[5~"]),
    ] {
        presses(&desks, label, before, keys);
    }
    filters(&desks);
    memory_and_polls(&desks);
    alone(&desks);
    for desk in desks {
        runtime.block_on(desk.service.stop()).unwrap();
    }
}

/// The middle one, and the slow end: 95 of 100 are no more.
fn middle_and_end(mut all: Vec<u64>) -> [u64; 2] {
    all.sort_unstable();
    [50, 95].map(|part| all[(all.len() - 1) * part / 100])
}

fn microseconds(duration: Duration) -> u64 {
    duration.as_micros().try_into().unwrap()
}

/// The program is started for both in turn.
fn starts(desks: &[Desk; 2]) {
    let mut durations = [Vec::new(), Vec::new()];
    for _ in 0..STARTS {
        for (desk, durations) in desks.iter().zip(&mut durations) {
            let mut terminal = desk.terminal("lively");
            durations.push(microseconds(terminal.shows(&USEFUL)));
            terminal.passes(Duration::from_millis(300));
            terminal.quits();
        }
    }
    let [few, many] = durations.map(middle_and_end);
    tell("from the start to a useful screen, us", [few[0], many[0]]);
    tell("   the same, p95", [few[1], many[1]]);
}

/// Keys on the Transactions page, the one and the other in turn.
fn presses(desks: &[Desk; 2], label: &str, before: &str, keys: [&str; 2]) {
    let figures = desks.each_ref().map(|desk| {
        let mut terminal = desk.terminal("lively");
        terminal.shows(&USEFUL);
        terminal.types("3");
        terminal.passes(Duration::from_secs(2));
        if !before.is_empty() {
            terminal.types(before);
            terminal.passes(Duration::from_secs(1));
        }
        let (mut durations, mut bytes) = (Vec::new(), Vec::new());
        for press in 0..PRESSES {
            let press_result = terminal.presses(keys[press % 2]);
            durations.push(microseconds(press_result.duration));
            bytes.push(press_result.bytes);
        }
        terminal.quits();
        (middle_and_end(durations), middle_and_end(bytes)[0])
    });
    tell(&format!("{label}, us"), figures.map(|(latencies, _)| latencies[0]));
    tell("   the same, p95", figures.map(|(latencies, _)| latencies[1]));
    tell("   bytes", figures.map(|(_, bytes)| bytes));
}

/// Letters of a filter of the whole history, until the count is exact.
fn filters(desks: &[Desk; 2]) {
    let figures = desks.each_ref().map(|desk| {
        let mut terminal = desk.terminal("lively");
        terminal.shows(&USEFUL);
        terminal.types("3");
        terminal.passes(Duration::from_secs(2));
        let mut durations = [const { Vec::new() }; 3];
        for _ in 0..STARTS {
            terminal.types("/");
            terminal.passes(Duration::from_millis(200));
            for (letter, durations) in ["u", "s", "d"].into_iter().zip(&mut durations) {
                durations.push(microseconds(terminal.presses(letter).duration));
            }
            terminal.types("\x1b");
            terminal.passes(Duration::from_millis(500));
        }
        terminal.quits();
        durations.map(middle_and_end)
    });
    for (nth, letter) in ["first", "second", "third"].into_iter().enumerate() {
        tell(&format!("{letter} letter of a filter, all counted, us"), figures.map(|latencies| latencies[nth][0]));
        tell("   the same, p95", figures.map(|latencies| latencies[nth][1]));
    }
}

/// What it keeps while it polls, and what the polls cost.
fn memory_and_polls(desks: &[Desk; 2]) {
    let figures = desks.each_ref().map(|desk| {
        let mut terminal = desk.terminal("lively");
        terminal.shows(&USEFUL);
        let process = terminal.process();
        terminal.passes(Duration::from_secs(1));
        let ready = process::own_memory(process);
        let before = process::work(process);
        let bytes = terminal.passes(ALONE);
        let after = process::work(process);
        let figures = [
            ready,
            process::own_memory(process),
            process::written_memory(process),
            microseconds(after.processor.saturating_sub(before.processor)) / ALONE.as_secs(),
            bytes / ALONE.as_secs(),
        ];
        terminal.quits();
        figures
    });
    let whats = [
        "memory at the start, KiB",
        "   after polls",
        "   of it written, the rest is code",
        "polls: us of the processor a second",
        "   bytes a second",
    ];
    for (nth, label) in whats.into_iter().enumerate() {
        tell(label, figures.map(|figures| figures[nth]));
    }
}

/// What it costs while nothing is due.
fn alone(desks: &[Desk; 2]) {
    let figures = desks.each_ref().map(|desk| {
        let mut terminal = desk.terminal("quiet");
        terminal.shows(&USEFUL);
        // All that is read at a start is read by then.
        terminal.passes(ALONE);
        let before = process::work(terminal.process());
        let bytes = terminal.passes(ALONE);
        let after = process::work(terminal.process());
        terminal.quits();
        [
            microseconds(after.processor.saturating_sub(before.processor)),
            after.wakes.saturating_sub(before.wakes),
            bytes,
        ]
    });
    let whats = ["nothing due for 20 s: us of the processor", "   how often it woke", "   bytes"];
    for (nth, label) in whats.into_iter().enumerate() {
        tell(label, figures.map(|figures| figures[nth]));
    }
}
