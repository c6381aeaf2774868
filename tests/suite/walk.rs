//! Random walks: keys, pastes, sizes, faults, time and restarts in any order, many thousand times. Whatever happens,
//! nothing is sent that was not confirmed on a review which showed exactly those bytes, nothing is paid twice, the
//! journal says nothing that the ledger contradicts, and nobody stands in the address book who was not read there.
//!
//! A walk is told by its number. `BURSAR_WALKS=10000` walks so many, `BURSAR_WALKS_FROM=10000` begins there;
//! `BURSAR_WALK=17` walks the session of one of them up to it. A walk mostly waits for answers that do not come:
//! `BURSAR_WALKERS=12` lets so many sessions walk side by side.

mod form_filling;
mod oracle;
mod tally;

use std::collections::{BTreeMap, HashMap};
use std::io::Write as _;
use std::sync::Mutex;
use std::time::Duration;

use bursar::app::session::lock::{LockSettings, UnlockMethod};

use super::harness::named_faults::named_faults;
use super::harness::payments::OrderReport;
use super::harness::rng::SeededRng;
use super::harness::{Session, Setup};
use oracle::{Oracle, possible_executions};
use tally::{Path, Tally};

/// Walks of each commit.
const WALKS: u64 = 6;
/// Walks of a campaign, where nobody says how many.
const WALKS_OF_A_CAMPAIGN: u64 = 30;
/// Walks in one session: a new business takes longer than a walk in it.
const IN_A_SESSION: u64 = 15;
/// Steps of a walk.
const STEPS: u64 = 30;

/// Faults that take long on a clock that nobody moves, and tell nothing that others do not.
const TOO_SLOW: &[&str] = &["huge", "bomb", "deep", "answer-late", "answer-drips", "down"];

/// People who are paid.
const RECIPIENTS: &[&str] = &[
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
    "0xde709f2102306220921060314715629080e2fb77",
    "0x27b1fdb04752bbc536007a920d24acb045561c26",
];

/// Keys that are pressed for no reason.
const KEYS: &[&str] = &[
    "Enter",
    "Enter",
    "Enter",
    "Esc",
    "Esc",
    "Tab",
    "BackTab",
    "Up",
    "Down",
    "Left",
    "Right",
    "PgUp",
    "PgDn",
    "Home",
    "End",
    "Backspace",
    "Blank",
    "w",
    "m",
    "b",
    "s",
    "f",
    "v",
    "n",
    "a",
    "1",
    "2",
    "3",
    "4",
    "4",
    "5",
    "6",
    "7",
    "j",
    "k",
    "c",
    "S",
    "S",
    "R",
    "X",
    "W",
    "D",
    "d",
    "x",
    "r",
    "z",
    "/",
    "?",
    "h",
    "o",
    "q",
    "y",
    "0",
    "C-c",
    "C-u",
    "p",
    "L",
    ":",
    "T",
    "i",
    "e",
    "t",
    "]",
    "+",
    "E",
    "%",
    "V",
    "C-r",
    "C-s",
    "F1",
    "N",
    "!",
    "&",
    "g",
    "G",
];

/// What stands in front of the screen: eyes, fingers, and a memory of what was read.
struct Observer {
    session: Session,
    oracle: Oracle,
    /// Whether version 2 is asked for what moves money.
    v2: bool,
    /// The number of the walk.
    walk: u64,
    /// What happened, for whoever has to find out why.
    trail: Vec<String>,
    /// How often the veil or the lock came.
    barred: usize,
    /// What became of what was filled in, by its name.
    paths: BTreeMap<String, Path>,
}

impl Observer {
    fn new(v2: bool) -> Self {
        let setup = Setup {
            transactions: 60,
            poll_period: Duration::from_mins(1),
            change_time_out: Duration::from_millis(300),
            lock: LockSettings {
                lock_after: Some(Duration::from_secs(150)),
                unlock_method: UnlockMethod::Word,
                at_start: false,
            },
            v2,
            ..Setup::default()
        };
        let mut session = Session::with(setup);
        session.knows_profile("quay");
        session.service().record_requests();
        Self { session, oracle: Oracle::default(), v2, walk: 0, trail: Vec::new(), barred: 0, paths: BTreeMap::new() }
    }

    fn presses(&mut self, keys: &str) {
        self.trail.push(keys.to_owned());
        match keys {
            "Enter" => self.oracle.is_told(&self.session),
            "Blank" => self.oracle.hears(" "),
            key if key.chars().count() == 1 => self.oracle.hears(key),
            _ => {}
        }
        self.does(|session| session.keys(keys));
        if self.session.loop_request.take().is_some() {
            self.restarts();
        }
    }

    fn types(&mut self, text: &str) {
        self.trail.push(format!("“{text}”"));
        self.oracle.hears(text);
        self.does(|session| session.types(text));
    }

    fn pastes(&mut self, text: &str) {
        self.trail.push(format!("paste {text:?}"));
        self.does(|session| session.pastes(text));
    }

    fn lets_pass(&mut self, duration: Duration) {
        let (session, oracle) = (&mut self.session, &mut self.oracle);
        session.passes_watched(duration, &mut |session| oracle.looks(session));
    }

    fn restarts(&mut self) {
        self.does(|session| {
            session.restarts();
            session.connect();
        });
    }

    /// Does something and looks at what came of it.
    fn does(&mut self, action: impl FnOnce(&mut Session)) {
        let was_barred = self.session.is_barred();
        action(&mut self.session);
        self.oracle.looks(&self.session);
        self.barred += usize::from(self.session.is_barred() && !was_barred);
    }

    /// One step of a walk.
    fn steps(&mut self, dice: &mut SeededRng) {
        match dice.below(100) {
            0..34 => self.presses(dice.of(KEYS)),
            34..40 => self.types_something(dice),
            40..62 => self.fills_in(dice),
            62..72 => self.confirms(dice),
            _ => self.meets_something(dice),
        }
    }

    /// Something happens that no form asks for.
    fn meets_something(&mut self, dice: &mut SeededRng) {
        match dice.below(28) {
            0..3 => {
                let text = dice.of(&["25\n", RECIPIENTS[0], "again", "\u{202e}52", "a\tb", "0x12,1\n0x13,2\n"]);
                self.pastes(text);
            }
            3..7 => {
                let (width, height) = dice.of(&[(80, 24), (120, 36), (200, 60), (40, 10), (39, 9), (60, 15)]);
                self.trail.push(format!("{width}x{height}"));
                self.does(|session| session.resizes(width, height));
            }
            7..14 => {
                let mut all = named_faults();
                let (name, rules) = all.swap_remove(usize::try_from(dice.below(all.len() as u64)).unwrap());
                if !TOO_SLOW.contains(&name) {
                    self.trail.push(format!("fault {name}"));
                    self.session.faults(rules.into_iter().map(|rule| rule.times(4)).collect());
                }
            }
            14..22 => {
                let seconds = dice.of(&[1, 2, 6, 40, 200]);
                self.trail.push(format!("{seconds} s"));
                self.lets_pass(Duration::from_secs(seconds));
            }
            22..25 => self.presses(dice.of(&["p", "L"])),
            _ => {
                self.trail.push("restart".into());
                self.restarts();
            }
        }
    }

    fn types_something(&mut self, dice: &mut SeededRng) {
        let text = dice.of(&[
            "25",
            "max",
            "USDC",
            "again",
            "write off",
            "paid twice?",
            "send",
            "base-ops",
            "1e3",
            "0",
            "unlock",
            "profile quay",
            "lock paying",
            "pay from a wallet",
            "user usr-walked Ada",
            "theme",
        ]);
        self.types(text);
    }

    /// The walk is over: what was sent, what the journal says, and what the ledger did must agree.
    fn holds_together(&mut self) {
        self.session.faults(Vec::new());
        self.session.resizes(120, 36);
        self.lets_pass(Duration::from_mins(2));
        let walk = self.walk;
        let trail = || format!("walk {walk}: {}", self.trail.join(" · "));
        let orders = self.session.all_orders();
        let mut requests: HashMap<Vec<u8>, usize> = HashMap::new();
        for request in self.session.service().record_requests().changes() {
            assert!(self.oracle.has_confirmed(&request), "sent and never reviewed: {request:?}\n{}", trail());
            *requests.entry(request.body.to_vec()).or_default() += 1;
        }
        // Two orders without a key may say the very same.
        let mut permitted: HashMap<&[u8], usize> = HashMap::new();
        for OrderReport { intent, status: word, status_text, executions } in &orders {
            let operation = intent.drafted.draft.operation();
            let attempts = intent.attempts.len();
            assert!(
                operation.has_documented_key() || attempts <= 1,
                "sent again without a key: {status_text}\n{}",
                trail()
            );
            *permitted.entry(intent.drafted.request.body.as_bytes()).or_default() += attempts;
            // Orders without a key are known by their reference alone, and two of them may have the same.
            let sharing = orders.iter().map(|report| &report.intent).filter(|other| {
                let drafted = &other.drafted;
                drafted.request.key == intent.drafted.request.key
                    && drafted.draft.reference() == intent.drafted.draft.reference()
            });
            let possible: Vec<_> = sharing.map(|order| possible_executions(order, self.session.now())).collect();
            let (least, most): (usize, usize) =
                possible.iter().fold((0, 0), |(least, most), range| (least + range.start(), most + range.end()));
            assert!(
                !operation.moves_money() || (least..=most).contains(executions),
                "{word} and paid {executions} times: {status_text}\n{:?}\n{}",
                intent.drafted,
                trail()
            );
        }
        for (body, times) in &requests {
            let permitted = permitted.get(body.as_slice()).copied().unwrap_or(0);
            let body = String::from_utf8_lossy(body);
            assert!(*times <= permitted, "sent {times} times and recorded {permitted} times: {body}\n{}", trail());
        }
        for change in self.session.book_changes() {
            assert!(self.oracle.has_entered(&change), "in the book and never read: {change:?}\n{}", trail());
        }
    }
}

#[test]
fn nothing_is_sent_that_was_not_reviewed_whatever_happens() {
    walk_all(WALKS);
}

#[test]
#[ignore = "campaign: many walks"]
fn nothing_is_sent_that_was_not_reviewed_in_many_walks() {
    walk_all(WALKS_OF_A_CAMPAIGN);
}

fn walk_all(count: u64) {
    let variable = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let from = variable("BURSAR_WALKS_FROM").unwrap_or(0).next_multiple_of(IN_A_SESSION);
    let all = from..from + variable("BURSAR_WALKS").unwrap_or(count);
    let walks: Vec<u64> = variable("BURSAR_WALK").map_or(all, |one| one - one % IN_A_SESSION..one + 1).collect();
    let sessions: Vec<&[u64]> = walks.chunks(usize::try_from(IN_A_SESSION).unwrap()).collect();
    let processors = || std::thread::available_parallelism().map_or(1, |number| number.get() as u64);
    let side_by_side = variable("BURSAR_WALKERS").unwrap_or_else(processors);
    let (next, tally) = (Mutex::new(sessions.iter()), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..side_by_side {
            scope.spawn(|| {
                while let Some(walks) = { next.lock().unwrap().next() } {
                    // One session that fails says why, and does not keep the others from being walked.
                    let outcome = std::panic::catch_unwind(|| walk(walks));
                    let mut tally = tally.lock().unwrap();
                    match outcome {
                        Ok(observer) => tally.takes(&observer, walks.len()),
                        Err(_) => tally.failed_walks.push(walks[0]),
                    }
                    let _nobody_may_listen = writeln!(std::io::stderr(), "{tally}");
                }
            });
        }
    });
    let tally = tally.into_inner().unwrap();
    assert!(tally.failed_walks.is_empty(), "{tally}");
    // Walks that never pay prove nothing.
    if walks.len() >= 90 {
        for word in ["withdraw", "batch", "swap", "instant-swap", "payment"] {
            assert!(tally.count_sent(word) * 20 >= walks.len(), "too little of {word} was sent: {tally}");
        }
        assert!(tally.execution_total() * 4 >= walks.len(), "too little was paid: {tally}");
        for path in ["Invoice", "Share", "PayTo", "Again", "Rest", "Draft"] {
            assert!(tally.sent_by(path) * 50 >= walks.len(), "too little of {path} was sent: {tally}");
        }
        assert!(tally.book_changes * 20 >= walks.len() && tally.barred * 20 >= walks.len(), "{tally}");
    }
}

/// Walks these in one session.
fn walk(walks: &[u64]) -> Observer {
    // Every third session has version 1 alone.
    let mut observer = Observer::new(walks[0] / IN_A_SESSION % 3 != 2);
    for walk in walks {
        let mut dice = SeededRng(*walk);
        (observer.walk, observer.trail) = (*walk, Vec::new());
        for _ in 0..STEPS {
            observer.steps(&mut dice);
        }
        observer.holds_together();
    }
    observer
}
