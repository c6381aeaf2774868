//! The review: what the frozen bytes say, what the guard found, and what must be typed before they are sent.
//!
//! It is rendered from the bytes, never from the form. It takes nothing that was typed before it stood on the screen,
//! nor in its first second there; and when what is known changes so that the guard finds something else, what was
//! typed is thrown away.

pub mod facts;
pub mod view;

use std::ops::Range;
use std::time::Duration;

use tui_input::{Input, InputRequest};

use super::field::LONGEST;
use super::follow::Follows;
use crate::app::key::{Key, KeyCode};
use crate::app::line;
use crate::app::link;
use crate::app::model::Model;
use crate::app::msg::{Effect, Prepared, Turn};
use crate::domain::intent::Confirmation;
use crate::domain::{Amount, Draft, Intent, Text, Timestamp, address};
use crate::guard::{self, Case, Finding, Knowledge, Rule, Severity};

/// How long a review stands on screen before it takes a key.
pub const ARMING: Duration = Duration::from_secs(1);

/// A review.
#[derive(Debug, Clone)]
pub struct Review {
    /// The intent, recorded and not confirmed.
    pub intent: Intent,
    /// What its bytes say.
    pub says: Draft,
    /// What is known around a payment.
    pub known: Option<Knowledge>,
    /// Names in the request that the specification does not show.
    pub assumed: Vec<Text>,
    /// When that was looked at.
    pub known_at: Timestamp,
    /// What the guard found, the gravest first.
    pub findings: Vec<Finding>,
    /// What must be typed.
    pub asked: Vec<Asked>,
    /// Which of it has the cursor.
    pub at: usize,
    /// The first visible line of what scrolls.
    pub top: u16,
    /// From when on it takes keys; `None` until it has stood on the screen.
    pub arms_at: Option<Timestamp>,
    /// Tells what it shows from what it showed before, and from every other review.
    pub version: u64,
    /// What happened to it while it was looked at.
    pub told: Option<String>,
    /// The newest question for what is known, and whether it is unanswered.
    pub know: (Turn, bool),
    /// What became of it.
    pub fate: Fate,
    /// The payment of which this is the rest.
    pub follows: Option<Follows>,
}

/// What became of a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It waits for the operator.
    Open,
    /// It was confirmed; the answer is waited for.
    Sending,
    /// It was confirmed, and could not be sent.
    NotSent(String),
}

/// Something that must be typed.
#[derive(Debug, Clone)]
pub struct Asked {
    /// What.
    pub what: What,
    /// What it must be, letter by letter.
    pub wanted: String,
    /// Whether upper and lower case are the same in it, as in addresses whose case is no more than a checksum.
    pub folds: bool,
    /// What is typed.
    pub input: Input,
    /// What is wrong with it, once the operator tried to send.
    pub error: Option<&'static str>,
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The amount.
    Amount,
    /// Four characters out of the middle of the recipient's address: which of the groups in which it is shown, counted
    /// from 1 and without what all addresses begin with; `None` where the address is too short for that and all of it
    /// is asked for.
    Middle(Option<usize>),
    /// The words that name a danger.
    Words,
}

impl What {
    /// What stands before the line.
    pub fn label(self, wanted: &str) -> String {
        match self {
            Self::Amount => "the amount, in digits".into(),
            Self::Middle(Some(nth)) => format!("the {} group of four of the recipient", ordinal(nth)),
            Self::Middle(None) => "the recipient".into(),
            Self::Words => format!("the words “{wanted}”"),
        }
    }
}

/// What comes of a key.
#[derive(Debug, PartialEq)]
pub enum Step {
    /// The review stays.
    Stay,
    /// What is known is to be looked at anew.
    Look,
    /// Back to the form; nothing was sent.
    Back,
    /// It is left while its answer is waited for.
    Leave,
    /// Send it.
    Send(Confirmation),
}

impl Review {
    /// A review of what was just recorded.
    pub fn new(prepared: Prepared, turn: Turn, now: Timestamp) -> Self {
        let Prepared { intent, says, known, assumed } = prepared;
        let mut review = Self {
            intent,
            says,
            known,
            assumed,
            known_at: now,
            findings: Vec::new(),
            asked: Vec::new(),
            at: 0,
            top: 0,
            arms_at: None,
            version: turn.0,
            told: None,
            know: (Turn::default(), false),
            fate: Fate::Open,
            follows: None,
        };
        review.findings = review.judge(now);
        review.asked = review.ask();
        review
    }

    /// It is the rest after another payment, if it is.
    pub fn follow(&mut self, follows: Option<Follows>, now: Timestamp) {
        self.follows = follows;
        self.findings = self.judge(now);
    }

    /// The payment, as the guard looks at it; `None` for what moves no money.
    fn case(&self, now: Timestamp) -> Option<Case<'_>> {
        let (says, sender) = (self.says.paid()?, self.intent.drafted.sender.as_ref()?);
        Some(Case { says, sender, known: self.known.as_ref()?, now })
    }

    fn judge(&self, now: Timestamp) -> Vec<Finding> {
        let Some(case) = self.case(now) else { return Vec::new() };
        let mut findings = guard::judge_tagged(&case, self.says.tag());
        findings.extend(self.follows.as_ref().and_then(|follows| follows.note(case.says)));
        findings
    }

    /// What must be typed for what is known now.
    fn ask(&self) -> Vec<Asked> {
        let Some(says) = self.says.paid() else { return Vec::new() };
        let asked = |what, wanted: &str| Asked {
            what,
            wanted: wanted.to_owned(),
            folds: false,
            input: Input::default(),
            error: None,
        };
        let mut all = vec![asked(What::Amount, &says.amount)];
        if self.case(self.known_at).is_none_or(|case| guard::is_first(&case)) {
            let middle = guard::middle(&says.to);
            let folds = address::recognise(&says.to).is_some_and(|kind| kind.folds_case);
            let wanted = says.to.get(middle.clone()).unwrap_or(&says.to);
            all.push(Asked { folds, ..asked(What::Middle(group_at(&says.to, &middle)), wanted) });
        }
        all.extend(self.findings.iter().filter_map(|finding| {
            let words = finding.overridden_by.filter(|_| finding.severity == Severity::Danger)?;
            Some(asked(What::Words, words))
        }));
        all
    }

    /// Whether it cannot be sent, whatever is typed.
    pub fn is_stopped(&self) -> bool {
        let stops = |finding: &Finding| {
            finding.severity == Severity::Stop
                || (finding.severity == Severity::Danger && finding.overridden_by.is_none())
        };
        !self.is_judged() || self.findings.iter().any(stops)
    }

    /// Whether the guard judged just what the bytes say. It judges the amount of the sender, so the two must be one.
    pub fn is_judged(&self) -> bool {
        let Some(says) = self.says.paid() else { return true };
        let judged = self.case(self.known_at).map(|case| case.sender.amount);
        judged.is_some_and(|judged| Amount::parse(&says.amount, judged.decimals()) == Ok(judged))
    }

    /// How long until it takes keys; `None` once it does.
    pub fn arms_in(&self, now: Timestamp) -> Option<Duration> {
        match self.arms_at {
            None => Some(ARMING),
            Some(at) => Some(now.age(at)).filter(|left| !left.is_zero()),
        }
    }

    /// It stands on the screen.
    pub fn drawn(&mut self, now: Timestamp) {
        if self.arms_at.is_none() {
            self.arms_at = Some(now.plus(ARMING));
        }
    }

    /// A key.
    pub fn key(&mut self, model: &Model, key: Key) -> Step {
        if let Some(down) = scrolls(key) {
            self.top = self.top.saturating_add_signed(down);
            return Step::Stay;
        }
        match (&self.fate, key.code) {
            (Fate::Sending, KeyCode::Esc) => return Step::Leave,
            (_, KeyCode::Esc) => return Step::Back,
            (Fate::Sending | Fate::NotSent(_), _) => return Step::Stay,
            (Fate::Open, _) => {}
        }
        // What does not stand on the screen is not confirmed, whatever is typed.
        if self.is_stopped() || self.arms_in(model.now).is_some() || !view::has_room(model, self) {
            return Step::Stay;
        }
        match key.code {
            KeyCode::Enter => return self.entered(model),
            KeyCode::Tab | KeyCode::Down => self.at = (self.at + 1).min(self.asked.len().saturating_sub(1)),
            KeyCode::BackTab | KeyCode::Up => self.at = self.at.saturating_sub(1),
            _ => self.typed(key),
        }
        Step::Stay
    }

    fn typed(&mut self, key: Key) {
        let Some(asked) = self.asked.get_mut(self.at) else { return };
        let Some(request) = line::request(key) else { return };
        if matches!(request, InputRequest::InsertChar(_)) && asked.input.value().chars().count() >= LONGEST {
            return;
        }
        asked.input.handle(request);
        asked.error = None;
        self.told = None;
    }

    /// Enter: to what is still to be typed, or, when all of it matches, off it goes.
    fn entered(&mut self, model: &Model) -> Step {
        if self.at + 1 < self.asked.len() && self.asked.iter().skip(self.at + 1).any(|asked| !asked.matches()) {
            self.at += 1;
            return Step::Stay;
        }
        for asked in &mut self.asked {
            asked.error = (!asked.matches()).then_some(match asked.what {
                What::Amount => "not the amount above",
                What::Middle(_) => "not what the address says",
                What::Words => "not these words",
            });
        }
        if let Some(wrong) = self.asked.iter().position(|asked| asked.error.is_some()) {
            self.at = wrong;
            return Step::Stay;
        }
        if self.known.is_some()
            && let Some(age) = model.staleness(Some(self.known_at))
        {
            let age = link::words(age);
            self.told = Some(format!("what is known here is {age} old; it is looked at anew, then press Enter again"));
            return Step::Look;
        }
        Step::Send(self.confirmation())
    }

    /// What the operator confirmed, and how.
    fn confirmation(&self) -> Confirmation {
        let line = |finding: &Finding| {
            let overridden = finding.overridden_by.map_or_else(String::new, |words| format!(" [overridden: {words}]"));
            Text::clean(&format!("{}: {}{overridden}", severity_word(finding.severity), finding.words))
        };
        Confirmation {
            typed: self.asked.iter().map(|asked| Text::clean(asked.input.value())).collect(),
            findings: self.findings.iter().map(line).collect(),
        }
    }

    /// Asks for what is known around it, unless that is being looked at.
    pub fn look(&mut self, turn: &mut Turn) -> Vec<Effect> {
        if self.known.is_none() || self.know.1 || self.fate != Fate::Open {
            return Vec::new();
        }
        self.know = (turn.advance(), true);
        vec![Effect::Know { intent: self.intent.id, turn: self.know.0 }]
    }

    /// What is known was looked at anew. Where the guard finds something else by it, what was typed does not count.
    pub fn learn(&mut self, known: Knowledge, now: Timestamp) {
        self.known = Some(known);
        self.known_at = now;
        if self.fate != Fate::Open {
            return;
        }
        let findings = self.judge(now);
        let before = std::mem::replace(&mut self.findings, findings);
        let asked = self.ask();
        let same_asked = asked.len() == self.asked.len()
            && asked.iter().zip(&self.asked).all(|(new, old)| new.what == old.what && new.wanted == old.wanted);
        let same = before.len() == self.findings.len()
            && before.iter().zip(&self.findings).all(|(old, new)| is_same(old, new));
        if same_asked && same {
            return;
        }
        self.asked = asked;
        self.at = 0;
        self.top = 0;
        self.arms_at = None;
        self.version = self.know.0.0;
        self.told = Some("what is known has changed: read the findings again. What was typed was thrown away".into());
    }
}

impl Asked {
    /// Whether it was typed, letter by letter.
    pub fn matches(&self) -> bool {
        let typed = self.input.value();
        typed == self.wanted || (self.folds && typed.eq_ignore_ascii_case(&self.wanted))
    }
}

/// Which of the groups of four of an address this is, counted from 1; `None` where it is none of them.
fn group_at(address: &str, middle: &Range<usize>) -> Option<usize> {
    let (mut at, mut nth) = (0, 0);
    for group in address::groups(address) {
        nth += usize::from(group.len() == 4);
        if at == middle.start && group.len() == middle.len() {
            return Some(nth);
        }
        at += group.len();
    }
    None
}

/// A number that counts: 1st, 2nd, 3rd, 4th, 11th, 21st.
fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// Whether two findings say the same. The figures of a balance move with every payment; what is said of them counts.
fn is_same(old: &Finding, new: &Finding) -> bool {
    if old.rule == Rule::Balance {
        let said = |finding: &Finding| (finding.rule, finding.severity, finding.words.clone(), finding.overridden_by);
        return said(old) == said(new);
    }
    old == new
}

/// A severity in a word.
pub fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Caution => "caution",
        Severity::Danger => "DANGER",
        Severity::Stop => "STOP",
    }
}

/// By how many lines a key scrolls.
fn scrolls(key: Key) -> Option<i16> {
    match key.code {
        KeyCode::PageDown => Some(8),
        KeyCode::PageUp => Some(-8),
        _ => None,
    }
}
