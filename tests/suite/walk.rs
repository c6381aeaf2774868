//! Random walks: keys, pastes, sizes, faults, time and restarts in any order, many thousand times. Whatever happens,
//! nothing is sent that was not confirmed on a review which showed exactly those bytes, nothing is paid twice, and the
//! journal says nothing that the ledger contradicts.
//!
//! A walk is told by its number. `BURSAR_WALKS=10000` walks so many; `BURSAR_WALK=17` walks one of them alone. A walk mostly
//! waits for answers that do not come: `BURSAR_WALKERS=12` lets so many sessions walk side by side.

use std::collections::{HashMap, HashSet};
use std::io::Write as _;
use std::time::Duration;

use bursar::app::lock::{Asks, LockSettings};
use bursar::domain::intent::State;
use bursar::domain::{Draft, address};
use bursar::service::{Fault, Rule};

use super::harness::paying::Told;
use super::harness::{Session, Setup};

/// Walks of each commit.
const WALKS: u64 = 90;
/// Walks in one session: a new business takes longer than a walk in it.
const IN_A_SESSION: u64 = 15;
/// Steps of a walk.
const STEPS: u64 = 40;

/// Faults that take long on a clock that nobody moves, and tell nothing that others do not.
const TOO_SLOW: &[&str] = &["huge", "bomb", "deep", "answer-late", "answer-drips"];

/// People who are paid.
const RECIPIENTS: &[&str] = &[
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
    "0xde709f2102306220921060314715629080e2fb77",
];

/// Numbers that look random and come again with their seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.roll() % bound
    }

    fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[usize::try_from(self.below(all.len() as u64)).unwrap()]
    }
}

/// What an observer in front of the screen knows.
struct Observer {
    session: Session,
    /// Bodies whose review stood on the screen, with amount and recipient whole, when Enter was pressed.
    confirmed: HashSet<Vec<u8>>,
    /// What happened, for whoever has to find out why.
    trail: Vec<String>,
    amounts: u64,
}

impl Observer {
    fn new() -> Self {
        let setup = Setup {
            transactions: 60,
            period: Duration::from_mins(1),
            patience: Duration::from_millis(400),
            lock: LockSettings { after: Some(Duration::from_secs(150)), asks: Asks::Word },
            ..Setup::default()
        };
        let mut session = Session::with(setup);
        session.knows_profile("quay");
        session.service().tap();
        Self { session, confirmed: HashSet::new(), trail: Vec::new(), amounts: 0 }
    }

    fn presses(&mut self, keys: &str) {
        self.trail.push(keys.to_owned());
        if keys == "Enter" {
            self.looks();
        }
        self.session.keys(keys);
        if self.session.ended.take().is_some() {
            self.session.restarts();
            self.session.connect();
        }
    }

    /// Looks at the screen as Enter is about to be pressed.
    fn looks(&mut self) {
        let Some((says, body)) = self.session.reviewed() else { return };
        let screen = self.session.screen();
        // Neither through the veil nor past the lock is anything confirmed.
        if self.session.is_barred() {
            return;
        }
        let is_whole = match &says {
            Draft::Withdraw(withdrawal) => {
                // The recipient may stand on two lines.
                let squeezed: String = screen.split_whitespace().collect();
                let to: String = address::in_groups(&withdrawal.to).split_whitespace().collect();
                screen.contains(&*withdrawal.amount) && squeezed.contains(&to)
            }
            draft => match draft.exchange() {
                Some(exchange) => screen.contains(&**exchange.amount) && screen.contains(&**exchange.to),
                None => !screen.contains("bursar needs"),
            },
        };
        if is_whole {
            self.confirmed.insert(body);
        }
    }

    /// One step of a walk.
    fn steps(&mut self, dice: &mut Dice) {
        match dice.below(100) {
            0..45 => {
                let key = dice.of(&[
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
                    "w",
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
                    "j",
                    "k",
                    "c",
                    "S",
                    "W",
                    "D",
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
                    "6",
                    "C-c",
                    "C-u",
                    "p",
                    "L",
                    "b",
                    "s",
                    ":",
                    "T",
                    "i",
                    "e",
                    "t",
                    "Blank",
                    "]",
                ]);
                self.presses(key);
            }
            45..53 => self.types_something(dice),
            53..67 => self.fills_in(dice),
            67..80 => self.confirms(dice),
            80..83 => {
                let text =
                    dice.of(&["25\n", "0x52908400098527886E0F7030069857D2E4169EE7", "again", "\u{202e}52", "a\tb"]);
                self.trail.push(format!("paste {text:?}"));
                self.session.pastes(text);
            }
            83..87 => {
                let (width, height) = [(80, 24), (120, 36), (200, 60), (40, 10), (39, 9), (60, 15)]
                    [usize::try_from(dice.below(6)).unwrap()];
                self.trail.push(format!("{width}x{height}"));
                self.session.resizes(width, height);
            }
            87..92 => {
                let named = &Fault::ALL[usize::try_from(dice.below(Fault::ALL.len() as u64)).unwrap()];
                if !TOO_SLOW.contains(&named.word) {
                    self.trail.push(format!("fault {}", named.word));
                    let rules: Vec<Rule> = named.rules.iter().map(|rule| rule.clone().times(4)).collect();
                    self.session.faults(rules);
                }
            }
            92..98 => {
                let seconds = [1, 2, 6, 40, 200][usize::try_from(dice.below(5)).unwrap()];
                self.trail.push(format!("{seconds} s"));
                self.session.passes(Duration::from_secs(seconds));
            }
            _ => {
                self.trail.push("restart".into());
                self.session.restarts();
                self.session.connect();
            }
        }
    }

    fn types_something(&mut self, dice: &mut Dice) {
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
        self.trail.push(format!("types {text}"));
        self.session.types(text);
    }

    /// Opens a form and fills it in, mostly as it should be.
    fn fills_in(&mut self, dice: &mut Dice) {
        for _ in 0..4 {
            self.presses("Esc");
        }
        self.presses("1");
        self.is_unbarred(dice);
        self.presses("w");
        self.amounts += 1;
        // Few amounts, so that equal payments meet.
        let amount = format!("{}.{}", 1 + dice.below(5), dice.below(3));
        let to = dice.of(RECIPIENTS).to_owned();
        for text in ["base-ops", "USDC", &to, &amount, ""] {
            if dice.below(40) > 0 {
                self.session.types(text);
            }
            self.presses("Enter");
        }
        self.presses("Enter");
        self.trail.push(format!("filled in {amount} to {to}"));
    }

    /// Lifts the veil and unlocks paying, mostly: who finds a form refused does so.
    fn is_unbarred(&mut self, dice: &mut Dice) {
        if dice.below(8) == 0 {
            return;
        }
        let head = |session: &Session| session.screen().lines().next().unwrap_or_default().to_owned();
        if head(&self.session).contains("veiled") {
            self.presses("p");
        }
        if head(&self.session).contains("paying locked") {
            self.presses("L");
            self.session.types("unlock");
            self.presses("Enter");
        }
    }

    /// Types what a review asks for, mostly as it should be, and mostly after it takes keys.
    fn confirms(&mut self, dice: &mut Dice) {
        if dice.below(10) > 0 {
            self.session.passes(Duration::from_millis(1_100));
        }
        let asked = self.session.asked();
        self.trail.push(format!("confirms {asked:?}"));
        for wanted in asked {
            let typed = if dice.below(30) == 0 { format!("{wanted}0") } else { wanted };
            self.session.types(&typed);
            self.presses("Enter");
        }
    }

    /// The walk is over: what was sent, what the journal says, and what the ledger did must agree.
    fn holds_together(&mut self, walk: u64) {
        self.session.faults(Vec::new());
        self.session.resizes(120, 36);
        self.session.passes(Duration::from_mins(2));
        let orders = self.session.all_orders();
        let trail = || format!("walk {walk}: {}", self.trail.join(" · "));
        let mut sent: HashMap<Vec<u8>, usize> = HashMap::new();
        for arrived in self.session.service().tap().changes() {
            let body = arrived.body.to_vec();
            assert!(self.confirmed.contains(&body), "sent and never reviewed: {arrived:?}\n{}", trail());
            *sent.entry(body).or_default() += 1;
        }
        for Told { intent, word, says, paid, .. } in &orders {
            let times = sent.get(intent.drafted.frozen.body.as_bytes()).copied().unwrap_or(0);
            assert!(times <= intent.attempts.len(), "sent more often than recorded: {says}\n{}", trail());
            if !intent.drafted.draft.operation().moves_money() {
                continue;
            }
            assert!(*paid <= 1, "paid {paid} times: {says}\n{}", trail());
            let is_alarm = !intent.differences().is_empty();
            let may_be = match intent.state(self.session.now()) {
                State::Drafted | State::Confirmed | State::NotSent | State::Refused | State::Abandoned => *paid == 0,
                State::Accepted | State::Settled | State::PartlySettled | State::Failed => *paid == 1 || is_alarm,
                State::Sending | State::Unknown | State::ProbablyRefused | State::WrittenOff => true,
            };
            assert!(may_be, "{word} and paid {paid} times: {says}\n{}", trail());
        }
    }
}

#[test]
fn nothing_is_sent_that_was_not_reviewed_whatever_happens() {
    let told = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let walks: Vec<u64> = match told("BURSAR_WALK") {
        Some(one) => vec![one],
        None => (0..told("BURSAR_WALKS").unwrap_or(WALKS)).collect(),
    };
    let sessions: Vec<&[u64]> = walks.chunks(usize::try_from(IN_A_SESSION).unwrap()).collect();
    let processors = || std::thread::available_parallelism().map_or(1, |number| number.get() as u64);
    let side_by_side = told("BURSAR_WALKERS").unwrap_or_else(processors);
    let (next, paid, sent) = (std::sync::Mutex::new(sessions.iter()), counter(), counter());
    std::thread::scope(|scope| {
        for _ in 0..side_by_side {
            scope.spawn(|| {
                while let Some(walks) = { next.lock().unwrap().next() } {
                    let mut observer = Observer::new();
                    for walk in *walks {
                        let mut dice = Dice(*walk);
                        observer.trail.clear();
                        for _ in 0..STEPS {
                            observer.steps(&mut dice);
                        }
                        observer.holds_together(*walk);
                    }
                    let orders = observer.session.all_orders();
                    add(&paid, orders.iter().map(|order| order.paid).sum());
                    add(&sent, observer.session.service().tap().changes().len());
                }
            });
        }
    });
    let (paid, sent) = (paid.into_inner(), sent.into_inner());
    // A walk that never pays proves nothing.
    assert!(paid * 10 >= walks.len() && sent >= paid, "{paid} payments in {} walks", walks.len());
    let told = format!("{} walks: {sent} requests sent, {paid} payments made", walks.len());
    let _nobody_may_listen = writeln!(std::io::stderr(), "{told}");
}

fn counter() -> std::sync::atomic::AtomicUsize {
    std::sync::atomic::AtomicUsize::new(0)
}

fn add(counter: &std::sync::atomic::AtomicUsize, number: usize) {
    counter.fetch_add(number, std::sync::atomic::Ordering::SeqCst);
}
