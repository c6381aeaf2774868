//! What a file of recipients costs, from the path that is left to the last verdict, with 200 rows and with 5,000, side by
//! side, on a real console at the embedded service with the sample business; and what a key waits for meanwhile.
//!
//! A turn is what the loop does at once: takes in what was delivered, takes in a key, and draws. While the rows are read
//! and judged keys are pressed without a pause, so that the longest turn is the longest that a key may wait.

#![expect(clippy::unwrap_used, reason = "a benchmark ends with its first surprise")]
#![expect(clippy::disallowed_methods, reason = "a benchmark measures time")]

#[expect(dead_code, reason = "other benchmarks use the rest")]
mod figures;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bursar::app::session::veil::Veil;
use bursar::app::{Msg, Size, view};
use bursar::domain::Appearance;
use bursar::domain::order::ConsoleIdentity as Who;
use bursar::runtime::HostPermission;
use bursar::runtime::console::Console;
use bursar::runtime::demo::{DemoClient, DemoCredentials};
use bursar::runtime::effect_runner::ConsoleResources;
use bursar::service::{self, Options, Sample};
use crossterm::event::{KeyCode, KeyEvent};
use figures::line;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::runtime::Runtime;

const SIZE: Size = Size { width: 120, height: 36 };
const AREA: Rect = Rect::new(0, 0, SIZE.width, SIZE.height);
/// Rows of a file: as many as a batch may have by default, and as many as a file may.
const ROWS: [u64; 2] = [200, 5_000];
/// How often each is read.
const ROUNDS: usize = 9;
/// Keys that are pressed once the rows stand there.
const KEYS: usize = 200;
/// How often the service is read: never while this measures.
const PERIOD: Duration = Duration::from_hours(1);

fn main() {
    let runtime = Runtime::new().unwrap();
    let options =
        Options { sample: Some(Sample { seed: 1, transactions: 2_000 }), with_lists: true, ..Options::temporary() };
    let service = runtime.block_on(service::start(options)).unwrap();
    runtime.block_on(service.wait_until_ready()).unwrap();
    let keys = service.credentials().unwrap();
    let keys = DemoCredentials { api_key: keys.api_key.clone(), wallet_secret: keys.wallet_secret.clone() };
    let demo = {
        let _inside = runtime.enter();
        DemoClient::connect(service.base_url(), keys, PERIOD).unwrap()
    };
    let by = Who { user: "ada".into(), host: "bench".into(), run: uuid::Uuid::new_v4() };
    let world =
        ConsoleResources { host: Some(HostPermission::for_local_operator()), ..demo.visitor_resources(by).unwrap() };
    let folder = tempfile::tempdir().unwrap();
    let percentiles = ROWS.map(|rows| {
        let path = file_of(folder.path(), rows);
        let rounds: Vec<Round> = (0..ROUNDS).map(|_| Desk::open(&runtime, &demo, &world).round(&path, rows)).collect();
        let middle = |of: fn(&Round) -> Duration| percentile(rounds.iter().map(of).collect(), 50);
        let all = |of: fn(&Round) -> &Vec<Duration>| rounds.iter().flat_map(of).copied().collect::<Vec<_>>();
        [
            middle(|round| round.total),
            middle(|round| round.total) / u32::try_from(rows).unwrap(),
            percentile(all(|round| &round.turns), 99),
            percentile(all(|round| &round.turns), 100),
            percentile(all(|round| &round.keys), 50),
            percentile(all(|round| &round.keys), 99),
            middle(|round| round.change),
        ]
    });
    line(&format!("{:<52} {:>10} {:>10} {:>8}", "microseconds", ROWS[0], ROWS[1], "times"));
    for (nth, label) in [
        "read, checked and judged, until they are drawn",
        "the same, a row",
        "a turn meanwhile, 99 of 100",
        "the longest turn meanwhile",
        "a key in the list, half of them",
        "a key in the list, 99 of 100",
        "a row taken out, until the others are judged anew",
    ]
    .into_iter()
    .enumerate()
    {
        tell(label, percentiles.map(|percentiles| percentiles[nth]));
    }
    runtime.block_on(service.stop()).unwrap();
}

/// What one reading of a file took.
struct Round {
    /// From the key that leaves the path to the picture with the last verdict.
    total: Duration,
    /// Every turn of the loop meanwhile.
    turns: Vec<Duration>,
    /// Keys in the list afterwards.
    keys: Vec<Duration>,
    /// From the key that takes a row out to the picture in which the others are judged.
    change: Duration,
}

/// A console, and the screen that it draws on.
struct Desk<'a> {
    runtime: &'a Runtime,
    console: Console,
    screen: Buffer,
}

impl<'a> Desk<'a> {
    /// A console that has read what it polls, with the form of a batch up to the path.
    fn open(runtime: &'a Runtime, demo: &DemoClient, world: &ConsoleResources) -> Self {
        let settings = demo.settings(Appearance::default(), Veil::default());
        let console = Console::new(settings, world.clone(), runtime.handle().clone(), SIZE).unwrap();
        let mut desk = Self { runtime, console, screen: Buffer::empty(AREA) };
        desk.console.start_service_reads();
        desk.settle();
        for key in ["1", "b", "base-ops", "\n", "USDC", "\n", "\n"] {
            desk.types(key);
        }
        desk
    }

    fn round(mut self, path: &Path, rows: u64) -> Round {
        self.console.handle_message(Msg::Paste(path.to_str().unwrap().to_owned()));
        self.settle();
        let summary = format!("{rows} recipients · ");
        let (total, turns) = self.until(KeyCode::Tab.into(), &summary);
        let keys = (0..KEYS).map(|nth| self.turn(Some(KeyCode::Char(if nth % 50 < 40 { 'j' } else { 'k' }).into())));
        let keys = keys.collect();
        let summary = format!("{} recipients · ", rows - 1);
        let (change, _) = self.until(KeyCode::Char('x').into(), &summary);
        Round { total, turns, keys, change }
    }

    /// Presses a key, and then others without a pause until the picture says that all is judged.
    fn until(&mut self, key: KeyEvent, summary: &str) -> (Duration, Vec<Duration>) {
        let start = Instant::now();
        let mut turns = vec![self.turn(Some(key))];
        while !(self.console.pending_effect_count() == 0 && self.shows(summary)) {
            assert!(start.elapsed() < Duration::from_mins(1), "it is never judged:\n{:?}", self.screen);
            // It moves within the list and asks for nothing.
            turns.push(self.turn(Some(KeyCode::Char('g').into())));
        }
        (start.elapsed(), turns)
    }

    /// One turn of the loop: what was delivered, a key, and a picture.
    fn turn(&mut self, key: Option<KeyEvent>) -> Duration {
        let start = Instant::now();
        self.console.apply_ready_completions();
        if let Some(key) = key {
            self.console.handle_message(Msg::Key(key));
        }
        self.screen.reset();
        view(self.console.model(), AREA, &mut self.screen);
        start.elapsed()
    }

    /// Types a text; a line's end is Enter.
    fn types(&mut self, text: &str) {
        for character in text.chars() {
            let key = if character == '\n' { KeyCode::Enter.into() } else { KeyCode::Char(character).into() };
            self.console.handle_message(Msg::Key(key));
        }
        self.settle();
    }

    /// Waits for everything that is under way.
    fn settle(&mut self) {
        while self.console.pending_effect_count() > 0 {
            self.runtime.block_on(self.console.apply_next_completion());
        }
    }

    fn shows(&self, text: &str) -> bool {
        let cells: String = self.screen.content().iter().map(ratatui::buffer::Cell::symbol).collect();
        cells.contains(text)
    }
}

/// A file of so many strangers.
fn file_of(folder: &Path, rows: u64) -> PathBuf {
    let mut text = "address,amount,label\n".to_owned();
    for row in 0..rows {
        let mixed = (row + 7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let more = mixed.rotate_left(31).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ mixed;
        writeln!(text, "0x{mixed:016x}{more:016x}{:08x},0.001,Crew {row}", more.rotate_left(13) >> 32).unwrap();
    }
    let path = folder.join(format!("pay-{rows}.csv"));
    std::fs::write(&path, text).unwrap();
    path
}

fn percentile(mut durations: Vec<Duration>, percent: usize) -> Duration {
    durations.sort_unstable();
    durations[(durations.len() - 1) * percent / 100]
}

fn tell(label: &str, durations: [Duration; 2]) {
    let [few, many] = durations.map(|duration| u64::try_from(duration.as_nanos()).unwrap());
    let hundredths = many * 100 / few.max(1);
    let in_micros = |nanos: u64| format!("{}.{}", nanos / 1_000, nanos % 1_000 / 100);
    line(&format!(
        "{label:<52} {:>10} {:>10} {:>5}.{:02}",
        in_micros(few),
        in_micros(many),
        hundredths / 100,
        hundredths % 100
    ));
}
