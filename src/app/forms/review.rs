//! The review: what the frozen bytes say, what the guard found, and what must be typed before they are sent.
//!
//! It is rendered from the bytes, never from the form. It takes nothing that was typed before it stood on the screen,
//! nor in its first second there; and when what is known changes so that the guard finds something else, what was
//! typed is thrown away.

mod confirmation_prompt;
pub mod facts;
pub mod quote_drift;
pub mod view;

use std::time::Duration;

use tui_input::InputRequest;

use super::field::MAX_CHARS;
use super::follow_up::FollowUp;
use crate::app::key::{Key, KeyCode};
use crate::app::line;
use crate::app::link::{self, stale_after};
use crate::app::model::Model;
use crate::app::msg::{Effect, PreparedOrder, RequestId};
use crate::app::prices;
use crate::domain::intent::Confirmation;
use crate::domain::{Draft, Order, Text, Timestamp};
use crate::guard::{
    self, BatchFindings, Finding, GuardFacts, GuardedPayment, NewRecipient, RecipientFindings, Rule, Severity,
};
pub use confirmation_prompt::{ConfirmationPrompt, MAX_TYPED_RECIPIENTS, PromptKind};
use quote_drift::ReviewedQuote;

/// How long a review stands on screen before it takes a key.
pub const ARMING_DELAY: Duration = Duration::from_secs(1);

/// A review.
#[derive(Debug, Clone)]
pub struct Review {
    /// The intent, recorded and not confirmed.
    pub intent: Order,
    /// What its bytes say.
    pub draft: Draft,
    /// What is known around a payment.
    pub facts: Option<GuardFacts>,
    /// Names in the request that the specification does not show.
    pub undocumented_names: Vec<Text>,
    /// When that was looked at.
    pub facts_at: Timestamp,
    /// When the wallet's own rows last bore its balance out.
    pub balance_confirmed_at: Option<Timestamp>,
    /// When it was last tried to look at it.
    pub facts_tried_at: Timestamp,
    /// What was shown of a swap's quote.
    pub quote: Option<ReviewedQuote>,
    /// What the guard found, the gravest first.
    pub findings: Vec<Finding>,
    /// Of a batch: what it found of each recipient, in the order of the request.
    pub rows: Vec<RecipientFindings>,
    /// Of a batch: whom this console never paid, those who get most first.
    pub new: Vec<NewRecipient>,
    /// What must be typed.
    pub asked: Vec<ConfirmationPrompt>,
    /// Which of it has the cursor.
    pub at: usize,
    /// The first visible line of what scrolls.
    pub scroll_top: u16,
    /// From when on it takes keys; `None` until it has stood on the screen.
    pub arms_at: Option<Timestamp>,
    /// Whether keys came before that, of which none was taken.
    pub had_early_keys: bool,
    /// Tells what it shows from what it showed before, and from every other review.
    pub version: u64,
    /// What happened to it while it was looked at.
    pub told: Option<String>,
    /// The newest question for what is known, and whether it is unanswered.
    pub facts_request: (RequestId, bool),
    /// What became of it.
    pub status: ReviewStatus,
    /// The payment of which this is the rest.
    pub follow_up: Option<FollowUp>,
}

/// What became of a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReviewStatus {
    /// It waits for the operator.
    Waiting,
    /// It was confirmed; the answer is waited for.
    Sending,
    /// It was confirmed, and could not be sent.
    NotSent(String),
}

/// What comes of a key.
#[derive(Debug, PartialEq)]
pub enum ReviewAction {
    /// The review stays.
    Stay,
    /// What is known is to be looked at anew.
    ReloadFacts,
    /// Back to the form; nothing was sent.
    Back,
    /// It is left while its answer is waited for.
    Leave,
    /// Send it.
    Send(Confirmation),
}

impl Review {
    /// A review of what was just recorded.
    pub fn new(prepared: PreparedOrder, turn: RequestId, now: Timestamp) -> Self {
        let PreparedOrder { intent, draft: says, facts: known, undocumented_names: assumed } = prepared;
        let borne_out_at = is_borne_out(known.as_ref()).then_some(now);
        let mut review = Self {
            intent,
            draft: says,
            facts: known,
            undocumented_names: assumed,
            facts_at: now,
            balance_confirmed_at: borne_out_at,
            facts_tried_at: now,
            quote: None,
            findings: Vec::new(),
            rows: Vec::new(),
            new: Vec::new(),
            asked: Vec::new(),
            at: 0,
            scroll_top: 0,
            arms_at: None,
            had_early_keys: false,
            version: turn.0,
            told: None,
            facts_request: (RequestId::default(), false),
            status: ReviewStatus::Waiting,
            follow_up: None,
        };
        review.apply_quote();
        let judged = review.judge(now);
        review.take(judged);
        review.asked = review.build_prompts();
        review
    }

    /// Takes what the guard says of it now.
    fn take(&mut self, judged: BatchFindings) {
        BatchFindings { findings: self.findings, rows: self.rows } = judged;
        let decimals = self.intent.drafted.sender.as_ref().map(|sender| sender.amount.decimals());
        self.new = match (&self.draft, decimals) {
            (Draft::Batch(says), Some(decimals)) => guard::new_recipients(says, &self.rows, decimals),
            _ => Vec::new(),
        };
    }

    /// It is the rest after another payment, if it is.
    pub fn set_follow_up(&mut self, follows: Option<FollowUp>, now: Timestamp) {
        self.follow_up = follows;
        self.findings = self.judge(now).findings;
    }

    /// The payment, as the guard looks at it; `None` for what moves no money.
    fn case(&self, now: Timestamp) -> Option<GuardedPayment<'_>> {
        let (says, sender) = (self.draft.single_payment()?, self.intent.drafted.sender.as_ref()?);
        Some(GuardedPayment { request: says, sender, facts: self.facts.as_ref()?, now })
    }

    fn judge(&self, now: Timestamp) -> BatchFindings {
        let (sender, known) = (self.intent.drafted.sender.as_ref(), self.facts.as_ref());
        let both = sender.zip(known);
        let judged = both.and_then(|(sender, known)| guard::judge_draft(&self.draft, sender, known, now));
        let mut judged = judged.unwrap_or_default();
        if let Some((follows, says)) = self.follow_up.as_ref().zip(self.draft.single_payment()) {
            judged.findings.push(follows.finding(says));
            // The gravest come first; of equal ones, those that the guard found.
            judged.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        }
        judged
    }

    /// Whether it cannot be sent, whatever is typed.
    pub fn is_stopped(&self) -> bool {
        let stops = |finding: &Finding| {
            finding.severity == Severity::Stop
                || (finding.severity == Severity::Danger && finding.override_phrase.is_none())
        };
        !self.is_guard_consistent() || self.findings.iter().any(stops)
    }

    /// Whether the guard judged just what the bytes say. It judges the amount of the sender, so the two must be one.
    pub fn is_guard_consistent(&self) -> bool {
        if !self.draft.operation().moves_money() {
            return true;
        }
        let judged = self.intent.drafted.sender.as_ref().filter(|_| self.facts.is_some()).map(|sender| sender.amount);
        let is_all = judged.is_some_and(|judged| self.draft.total_amount(judged.decimals()) == Some(judged));
        let each = if let Draft::Batch(says) = &self.draft { says.to.len() } else { 0 };
        is_all && self.rows.len() == each
    }

    /// How long until it takes keys; `None` once it does.
    pub fn arms_in(&self, now: Timestamp) -> Option<Duration> {
        match self.arms_at {
            None => Some(ARMING_DELAY),
            Some(at) => Some(now.age(at)).filter(|left| !left.is_zero()),
        }
    }

    /// It stands on the screen.
    pub fn mark_drawn(&mut self, now: Timestamp) {
        if self.arms_at.is_none() {
            self.arms_at = Some(now.plus(ARMING_DELAY));
        }
    }

    /// A key.
    pub fn key(&mut self, model: &Model, key: Key) -> ReviewAction {
        if let Some(pages) = scrolls(key) {
            let (page, last) = view::scroll_limits(model, self);
            let top =
                if pages > 0 { self.scroll_top.saturating_add(page) } else { self.scroll_top.saturating_sub(page) };
            self.scroll_top = top.min(last);
            return ReviewAction::Stay;
        }
        match (&self.status, key.code) {
            (ReviewStatus::Sending, KeyCode::Esc) => return ReviewAction::Leave,
            (_, KeyCode::Esc) => return ReviewAction::Back,
            (ReviewStatus::Sending | ReviewStatus::NotSent(_), _) => return ReviewAction::Stay,
            (ReviewStatus::Waiting, _) => {}
        }
        // What does not stand on the screen is not confirmed, whatever is typed.
        if self.is_stopped() || !view::has_room(model, self) {
            return ReviewAction::Stay;
        }
        self.had_early_keys = self.arms_in(model.now).is_some();
        if self.had_early_keys {
            return ReviewAction::Stay;
        }
        match key.code {
            KeyCode::Enter => return self.entered(model),
            KeyCode::Tab | KeyCode::Down => self.at = (self.at + 1).min(self.asked.len().saturating_sub(1)),
            KeyCode::BackTab | KeyCode::Up => self.at = self.at.saturating_sub(1),
            _ => self.typed(key),
        }
        ReviewAction::Stay
    }

    fn typed(&mut self, key: Key) {
        let Some(asked) = self.asked.get_mut(self.at) else { return };
        let Some(request) = line::input_request(key) else { return };
        if matches!(request, InputRequest::InsertChar(_)) && asked.input.value().chars().count() >= MAX_CHARS {
            return;
        }
        asked.input.handle(request);
        asked.error = None;
        self.told = None;
    }

    /// Enter: to the next of what is typed; off the last of it, when all matches, off it goes. Who corrects one that stands
    /// before the last means to go on, and not to send.
    fn entered(&mut self, model: &Model) -> ReviewAction {
        if self.at + 1 < self.asked.len() {
            self.at += 1;
            return ReviewAction::Stay;
        }
        for asked in &mut self.asked {
            asked.error = (!asked.matches()).then_some(asked.kind.mismatch_message());
        }
        if let Some(wrong) = self.asked.iter().position(|asked| asked.error.is_some()) {
            self.at = wrong;
            return ReviewAction::Stay;
        }
        if self.facts.is_some()
            && let Some(age) = model.staleness(Some(self.facts_at))
        {
            let age = link::words(age);
            self.told = Some(format!("these facts are {age} old and are being refreshed; then press Enter again"));
            return ReviewAction::ReloadFacts;
        }
        if let Some(shown) = &self.quote
            && let Some(age) = prices::stale_age(model, shown.newest.at)
        {
            let age = link::words(age);
            self.told = Some(format!("the quote is {age} old and is being refreshed; then press Enter again"));
            return ReviewAction::ReloadFacts;
        }
        ReviewAction::Send(self.confirmation())
    }

    /// What the operator confirmed, and how.
    fn confirmation(&self) -> Confirmation {
        Confirmation {
            typed: self.asked.iter().map(|asked| Text::clean(asked.input.value())).collect(),
            findings: self.findings.iter().map(|finding| Text::clean(&finding.record_line())).collect(),
            agreed: self.agreement(),
        }
    }

    /// Asks for what is known around it, unless that is being looked at.
    pub fn request_facts(&mut self, turn: &mut RequestId) -> Vec<Effect> {
        if self.facts.is_none() || self.facts_request.1 || self.status != ReviewStatus::Waiting {
            return Vec::new();
        }
        self.facts_request = (turn.advance(), true);
        vec![Effect::LoadFacts { intent: self.intent.id, turn: self.facts_request.0 }]
    }

    /// What is known was looked at anew. Where the guard finds something else by it, what was typed does not count.
    pub fn apply_facts(&mut self, mut known: GuardFacts, period: Duration, now: Timestamp) {
        if is_borne_out(Some(&known)) {
            self.balance_confirmed_at = Some(now);
        }
        // Balance and rows are read one after the other, every `period`: what came in between is no doubt of what held a
        // moment before, and a danger that comes and goes with each payment is soon typed away unread.
        if let Some(funds) = &mut known.funds {
            funds.matches_history |=
                self.balance_confirmed_at.is_some_and(|at| at <= now && at.age(now) <= stale_after(period));
        }
        self.facts = Some(known);
        self.facts_at = now;
        if self.status != ReviewStatus::Waiting {
            return;
        }
        let worse = self.apply_quote();
        let before = std::mem::take(&mut self.findings);
        let was_first: Vec<bool> = self.rows.iter().map(|row| row.is_first).collect();
        let judged = self.judge(now);
        self.take(judged);
        let same_order = self.rows.iter().map(|row| row.is_first).eq(was_first);
        let asked = self.build_prompts();
        let same_asked = asked.len() == self.asked.len()
            && asked.iter().zip(&self.asked).all(|(new, old)| new.kind == old.kind && new.expected == old.expected);
        let (old, new) = (lasting(&before), lasting(&self.findings));
        let same = old.len() == new.len() && old.iter().zip(new).all(|(old, new)| is_same(old, new));
        if let Some(worse) = worse {
            self.begin_anew(format!("{worse}. Read the review again"), self.facts_request.0);
        } else if !(same_asked && same && same_order) {
            self.begin_anew("the facts have changed: read the findings again".into(), self.facts_request.0);
        }
    }

    /// As if it had just been opened: it takes keys only after it has stood there, and nothing is typed.
    fn begin_anew(&mut self, told: String, turn: RequestId) {
        let was_typed = self.asked.iter().any(|asked| !asked.input.value().is_empty());
        let told = if was_typed { format!("{told}. What you typed was cleared") } else { told };
        self.asked = self.build_prompts();
        self.at = 0;
        self.scroll_top = 0;
        self.arms_at = None;
        self.had_early_keys = false;
        self.version = turn.0;
        self.told = Some(told);
    }
}

/// Whether the wallet's own rows bear its balance out.
fn is_borne_out(known: Option<&GuardFacts>) -> bool {
    known.and_then(|known| known.funds.as_ref()).is_some_and(|funds| funds.matches_history)
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
        let said = |finding: &Finding| (finding.rule, finding.severity, finding.words.clone(), finding.override_phrase);
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
