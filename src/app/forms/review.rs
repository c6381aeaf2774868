//! The review: what the frozen bytes say, what the guard found, and what must be typed before they are sent.
//!
//! It is rendered from the bytes, never from the form. It takes nothing that was typed before it stood on the screen,
//! nor in its first second there; and when what is known changes so that the guard finds something else, what was
//! typed is thrown away.

mod asked;
pub mod facts;
pub mod quoted;
pub mod view;

use std::time::Duration;

use tui_input::InputRequest;

use super::field::LONGEST;
use super::follow::Follows;
use crate::app::key::{Key, KeyCode};
use crate::app::line;
use crate::app::link::{self, stale_after};
use crate::app::model::Model;
use crate::app::msg::{Effect, Prepared, Turn};
use crate::app::prices;
use crate::domain::intent::Confirmation;
use crate::domain::{Draft, Intent, Text, Timestamp};
use crate::guard::{self, Case, Finding, Judged, JudgedRow, Knowledge, NewRecipient, Rule, Severity};
pub use asked::{Asked, TYPED, What};
use quoted::Shown;

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
    /// When the wallet's own rows last bore its balance out.
    pub borne_out_at: Option<Timestamp>,
    /// When it was last tried to look at it.
    pub tried_at: Timestamp,
    /// What was shown of a swap's quote.
    pub quote: Option<Shown>,
    /// What the guard found, the gravest first.
    pub findings: Vec<Finding>,
    /// Of a batch: what it found of each recipient, in the order of the request.
    pub rows: Vec<JudgedRow>,
    /// Of a batch: whom this console never paid, those who get most first.
    pub new: Vec<NewRecipient>,
    /// What must be typed.
    pub asked: Vec<Asked>,
    /// Which of it has the cursor.
    pub at: usize,
    /// The first visible line of what scrolls.
    pub top: u16,
    /// From when on it takes keys; `None` until it has stood on the screen.
    pub arms_at: Option<Timestamp>,
    /// Whether keys came before that, of which none was taken.
    pub too_soon: bool,
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
        let borne_out_at = is_borne_out(known.as_ref()).then_some(now);
        let mut review = Self {
            intent,
            says,
            known,
            assumed,
            known_at: now,
            borne_out_at,
            tried_at: now,
            quote: None,
            findings: Vec::new(),
            rows: Vec::new(),
            new: Vec::new(),
            asked: Vec::new(),
            at: 0,
            top: 0,
            arms_at: None,
            too_soon: false,
            version: turn.0,
            told: None,
            know: (Turn::default(), false),
            fate: Fate::Open,
            follows: None,
        };
        review.take_quote();
        let judged = review.judge(now);
        review.take(judged);
        review.asked = review.ask();
        review
    }

    /// Takes what the guard says of it now.
    fn take(&mut self, judged: Judged) {
        Judged { findings: self.findings, rows: self.rows } = judged;
        let decimals = self.intent.drafted.sender.as_ref().map(|sender| sender.amount.decimals());
        self.new = match (&self.says, decimals) {
            (Draft::Batch(says), Some(decimals)) => guard::new_recipients(says, &self.rows, decimals),
            _ => Vec::new(),
        };
    }

    /// It is the rest after another payment, if it is.
    pub fn follow(&mut self, follows: Option<Follows>, now: Timestamp) {
        self.follows = follows;
        self.findings = self.judge(now).findings;
    }

    /// The payment, as the guard looks at it; `None` for what moves no money.
    fn case(&self, now: Timestamp) -> Option<Case<'_>> {
        let (says, sender) = (self.says.to_one()?, self.intent.drafted.sender.as_ref()?);
        Some(Case { says, sender, known: self.known.as_ref()?, now })
    }

    fn judge(&self, now: Timestamp) -> Judged {
        let (sender, known) = (self.intent.drafted.sender.as_ref(), self.known.as_ref());
        let both = sender.zip(known);
        let judged = both.and_then(|(sender, known)| guard::judge_draft(&self.says, sender, known, now));
        let mut judged = judged.unwrap_or_default();
        if let Some((follows, says)) = self.follows.as_ref().zip(self.says.to_one()) {
            judged.findings.push(follows.judge(says));
            // The gravest come first; of equal ones, those that the guard found.
            judged.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        }
        judged
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
        if !self.says.operation().moves_money() {
            return true;
        }
        let judged = self.intent.drafted.sender.as_ref().filter(|_| self.known.is_some()).map(|sender| sender.amount);
        let is_all = judged.is_some_and(|judged| self.says.moves(judged.decimals()) == Some(judged));
        let each = if let Draft::Batch(says) = &self.says { says.to.len() } else { 0 };
        is_all && self.rows.len() == each
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
        if let Some(pages) = scrolls(key) {
            let (page, last) = view::scrolled(model, self);
            let top = if pages > 0 { self.top.saturating_add(page) } else { self.top.saturating_sub(page) };
            self.top = top.min(last);
            return Step::Stay;
        }
        match (&self.fate, key.code) {
            (Fate::Sending, KeyCode::Esc) => return Step::Leave,
            (_, KeyCode::Esc) => return Step::Back,
            (Fate::Sending | Fate::NotSent(_), _) => return Step::Stay,
            (Fate::Open, _) => {}
        }
        // What does not stand on the screen is not confirmed, whatever is typed.
        if self.is_stopped() || !view::has_room(model, self) {
            return Step::Stay;
        }
        self.too_soon = self.arms_in(model.now).is_some();
        if self.too_soon {
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

    /// Enter: to the next of what is typed; off the last of it, when all matches, off it goes. Who corrects one that stands
    /// before the last means to go on, and not to send.
    fn entered(&mut self, model: &Model) -> Step {
        if self.at + 1 < self.asked.len() {
            self.at += 1;
            return Step::Stay;
        }
        for asked in &mut self.asked {
            asked.error = (!asked.matches()).then_some(asked.what.wrong());
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
        if let Some(shown) = &self.quote
            && let Some(age) = prices::oldness(model, shown.newest.at)
        {
            let age = link::words(age);
            self.told = Some(format!("the quote is {age} old; it is asked for again, then press Enter once more"));
            return Step::Look;
        }
        Step::Send(self.confirmation())
    }

    /// What the operator confirmed, and how.
    fn confirmation(&self) -> Confirmation {
        Confirmation {
            typed: self.asked.iter().map(|asked| Text::clean(asked.input.value())).collect(),
            findings: self.findings.iter().map(|finding| Text::clean(&finding.record())).collect(),
            agreed: self.agreed(),
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
    pub fn learn(&mut self, mut known: Knowledge, period: Duration, now: Timestamp) {
        if is_borne_out(Some(&known)) {
            self.borne_out_at = Some(now);
        }
        // Balance and rows are read one after the other, every `period`: what came in between is no doubt of what held a
        // moment before, and a danger that comes and goes with each payment is soon typed away unread.
        if let Some(funds) = &mut known.funds {
            funds.adds_up |= self.borne_out_at.is_some_and(|at| at <= now && at.age(now) <= stale_after(period));
        }
        self.known = Some(known);
        self.known_at = now;
        if self.fate != Fate::Open {
            return;
        }
        let worse = self.take_quote();
        let before = std::mem::take(&mut self.findings);
        let was_first: Vec<bool> = self.rows.iter().map(|row| row.is_first).collect();
        let judged = self.judge(now);
        self.take(judged);
        let same_order = self.rows.iter().map(|row| row.is_first).eq(was_first);
        let asked = self.ask();
        let same_asked = asked.len() == self.asked.len()
            && asked.iter().zip(&self.asked).all(|(new, old)| new.what == old.what && new.wanted == old.wanted);
        let (old, new) = (lasting(&before), lasting(&self.findings));
        let same = old.len() == new.len() && old.iter().zip(new).all(|(old, new)| is_same(old, new));
        if let Some(worse) = worse {
            self.begin_anew(format!("{worse}. Read it again"), self.know.0);
        } else if !(same_asked && same && same_order) {
            self.begin_anew("what is known has changed: read the findings again".into(), self.know.0);
        }
    }

    /// As if it had just been opened: it takes keys only after it has stood there, and nothing is typed.
    fn begin_anew(&mut self, told: String, turn: Turn) {
        let was_typed = self.asked.iter().any(|asked| !asked.input.value().is_empty());
        let told = if was_typed { format!("{told}. What was typed was thrown away") } else { told };
        self.asked = self.ask();
        self.at = 0;
        self.top = 0;
        self.arms_at = None;
        self.too_soon = false;
        self.version = turn.0;
        self.told = Some(told);
    }
}

/// Whether the wallet's own rows bear its balance out.
fn is_borne_out(known: Option<&Knowledge>) -> bool {
    known.and_then(|known| known.funds.as_ref()).is_some_and(|funds| funds.adds_up)
}

/// All but what comes and goes where a service is slow: that the history could not be compared whole at this moment. It is
/// shown as it comes, asks for nothing, and is looked at once more before anything is sent.
fn lasting(findings: &[Finding]) -> Vec<&Finding> {
    let is_passing = |finding: &&Finding| finding.rule == Rule::Duplicate && finding.severity == Severity::Caution;
    findings.iter().filter(|finding| !is_passing(finding)).collect()
}

/// Whether two findings say the same. The figures of a balance move with every payment; what is said of them counts.
fn is_same(old: &Finding, new: &Finding) -> bool {
    if old.rule == Rule::Balance {
        let said = |finding: &Finding| (finding.rule, finding.severity, finding.words.clone(), finding.overridden_by);
        return said(old) == said(new);
    }
    old == new
}

/// Whether a key scrolls down or up.
fn scrolls(key: Key) -> Option<i16> {
    match key.code {
        KeyCode::PageDown => Some(1),
        KeyCode::PageUp => Some(-1),
        _ => None,
    }
}
