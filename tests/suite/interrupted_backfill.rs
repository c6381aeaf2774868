//! The first read of a long history by the program itself, in a real terminal, interrupted at random moments: killed, left,
//! and cut off from its service, while payments arrive there and others settle. Started again it ends row by row with
//! what the service states.
//!
//! A history is told by its number. `BURSAR_READS=50` reads so many, `BURSAR_READ=17` reads that one.

mod row_comparison;

use std::fmt::{self, Write as _};
use std::io::Write as _;
use std::time::Duration;

use bursar::domain::Timestamp;
use bursar::domain::history::SyncProgress;
use bursar::runtime::Clock;
use bursar::service::{Fault, FaultRule, Options, Pace, Sample, ServiceClock};
use bursar::store::{CacheLocation, Store};
use rustix::process::Signal;

use super::crashes::{Business, sends};
use super::harness::rng::SeededRng;
use super::harness::wait::waits_until;
use super::pty::PtySession;
use row_comparison::{Row, exported_rows, service_rows};

/// Histories of each commit: each is interrupted in all three ways.
const READS: u64 = 1;
/// Rows of a history before anything arrives. What was read of it is kept every 2,000 rows.
const ROWS: u64 = 6_000;
/// Rows of a page.
const PER_PAGE: u64 = 40;
/// How often a first read is interrupted at most.
const OFTEN: u64 = 6;
/// Fewer pages than these are not worth an interruption: they might be there before it comes.
const FEW_PAGES: u64 = 20;
/// Where a history is asked for.
const HISTORY: &str = "/v2/transactions";
/// Requests that a first read begins with: a look at the head, which is kept before a page behind it is asked for.
const HEAD: u64 = 3;
/// How often the head is looked at in the end, until what changed far down has been met: each look reads a few of the
/// pages with rows that are not final, and the more rows arrived on a slow machine, the more such pages there are.
const LOOKS: usize = 400;

/// What interrupts a first read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Interruption {
    /// SIGKILL.
    Kill,
    /// `q`.
    Quit,
    /// The network goes, in the middle of a page or between two, and comes back.
    NoNetwork,
}

impl Interruption {
    const ALL: [Self; 3] = [Self::Kill, Self::Quit, Self::NoNetwork];
}

/// What happened while histories were read.
#[derive(Debug, Default)]
struct Tally {
    /// Interruptions, in the order of [`Interruption::ALL`].
    interruptions: [u64; 3],
    /// Rows that arrived while a history was read, and rows that ended meanwhile.
    arrived: usize,
    ended_rows: usize,
    failed_runs: Vec<u64>,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { interruptions: [killed, reads_left, cut_off], arrived, ended_rows, failed_runs } = self;
        write!(f, "killed {killed}, left {reads_left}, cut off {cut_off}; {arrived} rows arrived, {ended_rows} ended")?;
        if failed_runs.is_empty() { Ok(()) } else { write!(f, "; failed: {failed_runs:?}") }
    }
}

/// A business with a long history, where time passes by the page.
struct BackfillRun {
    business: Business,
    dice: SeededRng,
    /// The service's time.
    now: Timestamp,
    trail: String,
}

impl BackfillRun {
    fn open(number: u64) -> Self {
        // The service's time passes faster than the program's.
        let now = Timestamp::from_millis(Clock::System.now().millis() - 24 * 60 * 60 * 1_000);
        let business = Business::with(Options {
            sample: Some(Sample { seed: number, transactions: ROWS }),
            clock: ServiceClock::manual(now),
            // What arrives is far down in the history when it ends.
            chain_pace: Pace::per_mille(100),
            lively: true,
            with_lists: true,
            ..Options::temporary()
        });
        business.runtime.block_on(business.service().wait_until_ready()).unwrap();
        business.service().set_max_page_rows(PER_PAGE);
        business.has_profile("poll_seconds = 1");
        Self { business, dice: SeededRng(number), now, trail: String::new() }
    }

    /// Lets so much time pass at the service, whether or not it can be reached.
    fn passes(&mut self, seconds: u64) {
        self.now = self.now.plus(Duration::from_secs(seconds));
        self.business.runtime.block_on(self.business.service().advance_to(self.now)).unwrap();
    }

    /// How often the history was asked for.
    fn request_count(&self) -> u64 {
        self.business.tap.count("GET", HISTORY).try_into().unwrap()
    }

    /// Waits until it is so, while rows arrive and end between one page and the next.
    fn waits_until(&mut self, description: &str, is_so: impl Fn(&Self) -> bool) {
        let mut requests = self.request_count();
        while !is_so(self) {
            waits_until(description, || self.request_count() > requests);
            requests = self.request_count();
            let seconds = self.dice.below(30);
            self.passes(seconds);
        }
    }

    /// How far the cache has come, whoever has it open.
    fn progress(&self) -> SyncProgress {
        let caches = self.business.folder.path().join("data/cache");
        let Ok(mut folders) = std::fs::read_dir(caches) else { return SyncProgress::default() };
        let folder = folders.next().unwrap().unwrap().path();
        assert!(folders.next().is_none(), "it began another cache");
        Store::open(&CacheLocation::Copy(folder)).unwrap().store.progress().unwrap()
    }

    /// Sets when the read is interrupted next, if enough is left of it: at which request from now on. The service grows slow
    /// before that, and falls silent soon after it, so that the read cannot have come to its end by then.
    fn chooses_a_moment(&mut self, interruption: Interruption) -> Option<u64> {
        let rows = self.business.service().ledger().workspaces().unwrap()[0].transaction_count();
        let pages_left = rows.saturating_sub(self.progress().rows) / PER_PAGE;
        if pages_left < FEW_PAGES {
            return None;
        }
        let moment = HEAD + 1 + self.dice.below(pages_left * 2 / 3);
        let slow = self.dice.below(moment.min(8));
        let (late, further) = (5 + self.dice.below(40), self.dice.below(3));
        let on_history = |fault: Fault| fault.on_paths(HISTORY).only_reads();
        let mut rules: Vec<FaultRule> = vec![
            on_history(Fault::None).times(moment - slow),
            on_history(Fault::Delayed(Duration::from_millis(late))).times(slow + further),
        ];
        let is_torn = interruption == Interruption::NoNetwork && self.dice.is_one_in(2);
        if is_torn {
            let bytes = self.dice.below(30_000).try_into().unwrap();
            rules.push(on_history(Fault::CutAt(bytes)).times(1));
        }
        rules.push(on_history(Fault::NoAnswer { executed: false }));
        self.business.runtime.block_on(self.business.service().set_faults(rules));
        let moment = self.request_count() + if is_torn { moment + further + 1 } else { moment };
        writeln!(self.trail, "{interruption:?} at request {moment}, torn: {is_torn}").unwrap();
        Some(moment)
    }

    /// Interrupts; gives back a terminal whose program lives.
    fn interrupts(&mut self, interruption: Interruption, mut terminal: PtySession) -> Option<PtySession> {
        let terminal = match interruption {
            Interruption::Kill => {
                sends(&terminal, Signal::KILL);
                assert_eq!(terminal.ends().signal(), Some("Killed"));
                None
            }
            Interruption::Quit => {
                terminal.types("q");
                assert!(terminal.ends().success());
                terminal.is_whole();
                None
            }
            Interruption::NoNetwork => {
                let service = self.business.service();
                self.business.runtime.block_on(service.set_fault(Fault::Down));
                assert!(service.faults_fired() > 1, "no connection was cut");
                terminal.waits_for("offline");
                Some(terminal)
            }
        };
        let SyncProgress { rows, expected, complete, .. } = self.progress();
        let is_under_way = rows > 0 && !complete && expected.is_none_or(|expected| rows < expected);
        assert!(is_under_way, "interrupted at {rows} of {expected:?} rows\n{}", self.trail);
        writeln!(self.trail, "{interruption:?} at {rows} of {expected:?} rows").unwrap();
        let seconds = self.dice.below(300);
        self.passes(seconds);
        terminal
    }

    /// Reads on to the end, and then until the cache says what the service says.
    fn ends_with_the_services_rows(&mut self, terminal: Option<PtySession>) -> Vec<Row> {
        self.business.runtime.block_on(self.business.service().set_faults(Vec::new()));
        let terminal = terminal.unwrap_or_else(|| self.business.opens(None));
        // The event that says so is pushed off the screen by rows that arrived meanwhile.
        self.waits_until("the end of the first read", |desk| desk.progress().complete);
        // From here on nothing moves at the service.
        let service_rows = service_rows(&self.business, self.now);
        for _ in 0..LOOKS {
            let requests = self.request_count();
            terminal.types("r");
            waits_until("another look at the head", || self.request_count() > requests + 1);
            if exported_rows(&self.business) == service_rows {
                break;
            }
        }
        self.business.is_left(terminal);
        let SyncProgress { complete, partial, unreadable, .. } = self.progress();
        assert_eq!((complete, partial, unreadable), (true, None, 0), "{}", self.trail);
        row_comparison::are_the_same(&exported_rows(&self.business), &service_rows, &self.trail);
        service_rows
    }
}

/// Reads a history, interrupted again and again.
fn read_interrupted(number: u64) -> Tally {
    let mut desk = BackfillRun::open(number);
    let mut tally = Tally::default();
    let before = service_rows(&desk.business, desk.now);
    let mut terminal = None;
    for nth in 0..OFTEN {
        // Each in its turn, so that none is left to chance.
        let kind = usize::try_from((number + nth) % 3).unwrap();
        let interruption = Interruption::ALL[kind];
        let Some(moment) = desk.chooses_a_moment(interruption) else { break };
        let open = terminal.take().unwrap_or_else(|| desk.business.opens(None));
        desk.waits_until("the moment of an interruption", |desk| desk.request_count() >= moment);
        terminal = desk.interrupts(interruption, open);
        tally.interruptions[kind] += 1;
    }
    let after = desk.ends_with_the_services_rows(terminal);
    tally.arrived = after.len() - before.len();
    tally.ended_rows = row_comparison::count_ended(&before, &after);
    tally
}

#[test]
fn however_the_program_is_interrupted_its_first_read_ends_with_the_services_rows() {
    let variable = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let all = variable("BURSAR_READ").map_or(0..variable("BURSAR_READS").unwrap_or(READS), |one| one..one + 1);
    let mut tally = Tally::default();
    for number in all {
        // One that fails says why, and does not keep the others from being read.
        match std::panic::catch_unwind(|| read_interrupted(number)) {
            Ok(one) => {
                tally.interruptions.iter_mut().zip(one.interruptions).for_each(|(sum, more)| *sum += more);
                assert!(one.arrived > 0 && one.ended_rows > 0, "nothing happened at the service of {number}: {one}");
                tally.arrived += one.arrived;
                tally.ended_rows += one.ended_rows;
            }
            Err(_) => tally.failed_runs.push(number),
        }
        let _nobody_may_listen = writeln!(std::io::stderr(), "{tally}");
    }
    assert!(tally.failed_runs.is_empty(), "{tally}");
    assert!(tally.interruptions.iter().all(|times| *times > 0), "an interruption never came: {tally}");
}
