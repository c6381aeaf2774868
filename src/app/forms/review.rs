//! The review: what the serialised request states, what the guard found, and what must be typed before it is sent.
//!
//! It is rendered from the request's bytes, never from the form. Keys typed before it was on screen, or in its first
//! second there, are ignored. When refreshed facts change the guard's findings, everything typed is discarded.

mod confirmation_prompt;
pub mod facts;
mod keys;
mod purpose;
pub mod quote_drift;
pub mod view;

use std::time::Duration;

use super::follow_up::FollowUp;
use crate::app::data::connection::stale_after;
use crate::app::msg::{Effect, PreparedOrder};
use crate::app::request_id::RequestId;
use crate::domain::order::Confirmation;
use crate::domain::{Draft, Order, Text, Timestamp};
use crate::guard::{
    self, BatchFindings, Finding, GuardFacts, GuardedPayment, NewRecipient, RecipientFindings, Rule, Severity,
};
pub use confirmation_prompt::{ConfirmationPrompt, MAX_TYPED_RECIPIENTS, PromptKind};
pub use purpose::ReviewPurpose;
use quote_drift::ReviewedQuote;

/// How long a review is on screen before it takes keys.
pub const ARMING_DELAY: Duration = Duration::from_secs(1);

#[derive(Debug, Clone)]
pub struct Review {
    /// The order: recorded, not confirmed.
    pub order: Order,
    /// The draft decoded from the order's bytes.
    pub draft: Draft,
    pub facts: Option<GuardFacts>,
    /// Names in the request that the specification does not document.
    pub undocumented_names: Vec<Text>,
    pub facts_at: Timestamp,
    /// When the wallet's own history last agreed with its balance.
    pub balance_confirmed_at: Option<Timestamp>,
    /// When a refresh of `facts` last ended, successfully or not.
    pub facts_tried_at: Timestamp,
    pub quote: Option<ReviewedQuote>,
    /// The guard's findings, the gravest first.
    pub findings: Vec<Finding>,
    /// Of a batch: the findings on each recipient, in the order of the request.
    pub recipient_findings: Vec<RecipientFindings>,
    /// Of a batch: recipients that this console never paid, largest amount first.
    pub new_recipients: Vec<NewRecipient>,
    pub prompts: Vec<ConfirmationPrompt>,
    pub cursor: usize,
    /// The first visible line of the scrolled part.
    pub scroll_top: u16,
    /// When it starts to take keys; `None` until its frame was drawn.
    pub accepts_keys_at: Option<Timestamp>,
    /// Whether keys came before that; they were ignored.
    pub had_early_keys: bool,
    /// Identifies what is shown: differs after every change of it, and from every other review.
    pub version: u64,
    /// A message to the operator: why the review was reset, or could not be sent.
    pub message: Option<String>,
    /// The newest request for facts, and whether it is unanswered.
    pub facts_request: (RequestId, bool),
    pub status: ReviewStatus,
    pub follow_up: Option<FollowUp>,
    pub purpose: ReviewPurpose,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReviewStatus {
    Waiting,
    /// Confirmed; the answer is awaited.
    Sending,
    /// Confirmed; a local failure kept it from being sent.
    NotSent(String),
}

#[derive(Debug, PartialEq)]
pub enum ReviewAction {
    Stay,
    ReloadFacts,
    Back,
    /// Left while its answer is awaited.
    Leave,
    Send(Confirmation),
}

impl Review {
    pub fn new(prepared_order: PreparedOrder, request_id: RequestId, now: Timestamp) -> Self {
        let PreparedOrder { order, draft, facts, undocumented_names } = prepared_order;
        let balance_confirmed_at = balance_matches_history(facts.as_ref()).then_some(now);
        let mut review = Self {
            order,
            draft,
            facts,
            undocumented_names,
            facts_at: now,
            balance_confirmed_at,
            facts_tried_at: now,
            quote: None,
            findings: Vec::new(),
            recipient_findings: Vec::new(),
            new_recipients: Vec::new(),
            prompts: Vec::new(),
            cursor: 0,
            scroll_top: 0,
            accepts_keys_at: None,
            had_early_keys: false,
            version: request_id.0,
            message: None,
            facts_request: (RequestId::default(), false),
            status: ReviewStatus::Waiting,
            follow_up: None,
            purpose: ReviewPurpose::Send,
        };
        review.apply_quote();
        let findings = review.judge_draft(now);
        review.apply_findings(findings);
        review.prompts = review.build_prompts();
        review
    }

    fn apply_findings(&mut self, findings: BatchFindings) {
        BatchFindings { findings: self.findings, rows: self.recipient_findings } = findings;
        let decimals = self.order.drafted.sender.as_ref().map(|sender| sender.amount.decimals());
        self.new_recipients = match (&self.draft, decimals) {
            (Draft::Batch(batch), Some(decimals)) => guard::new_recipients(batch, &self.recipient_findings, decimals),
            _ => Vec::new(),
        };
    }

    /// Sets what its last step does; whoever approves types the address of the recipient in any case.
    pub fn set_purpose(&mut self, purpose: ReviewPurpose) {
        self.purpose = purpose;
        self.prompts = self.build_prompts();
    }

    /// Which findings the maker's review did not have, where the journal of this console has that review.
    pub fn findings_since_proposal(&self) -> Option<String> {
        let (_, confirmation) = self.order.confirmed.as_ref().filter(|_| self.purpose.is_of_proposal())?;
        let is_known = |finding: &&Finding| confirmation.findings.iter().any(|line| line.contains(&finding.message));
        let new = self.findings.iter().filter(|finding| finding.severity > Severity::Note && !is_known(finding));
        let messages: Vec<&str> = new.map(|finding| finding.message.as_str()).collect();
        (!messages.is_empty()).then(|| format!("New since it was proposed: {}", messages.join(" ")))
    }

    /// Marks the payment as a follow-up, if it is one, and judges it again.
    pub fn set_follow_up(&mut self, follows: Option<FollowUp>, now: Timestamp) {
        self.follow_up = follows;
        self.findings = self.judge_draft(now).findings;
    }

    /// The payment as the guard judges it; `None` for what is not a single payment.
    fn guarded_payment(&self, now: Timestamp) -> Option<GuardedPayment<'_>> {
        let (request, sender) = (self.draft.single_payment()?, self.order.drafted.sender.as_ref()?);
        Some(GuardedPayment { request, sender, facts: self.facts.as_ref()?, now })
    }

    fn judge_draft(&self, now: Timestamp) -> BatchFindings {
        let (sender, facts) = (self.order.drafted.sender.as_ref(), self.facts.as_ref());
        let sender_and_facts = sender.zip(facts);
        let batch_findings =
            sender_and_facts.and_then(|(sender, facts)| guard::judge_draft(&self.draft, sender, facts, now));
        let mut batch_findings = batch_findings.unwrap_or_default();
        if let Some((follows, payment)) = self.follow_up.as_ref().zip(self.draft.single_payment()) {
            batch_findings.findings.push(follows.finding(payment));
            // The gravest come first; of equal severity, the guard's own.
            batch_findings.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        }
        batch_findings
    }

    /// Whether it cannot be sent, whatever is typed.
    pub fn is_stopped(&self) -> bool {
        let stops = |finding: &Finding| {
            finding.severity == Severity::Stop
                || (finding.severity == Severity::Danger && finding.override_phrase.is_none())
        };
        !self.is_request_fully_judged() || self.findings.iter().any(stops)
    }

    /// Whether the guard judged exactly what the bytes state. It judges the sender's amount, so the two must be equal.
    pub fn is_request_fully_judged(&self) -> bool {
        if !self.draft.operation().moves_money() {
            return true;
        }
        let amount = self.order.drafted.sender.as_ref().filter(|_| self.facts.is_some()).map(|sender| sender.amount);
        let is_all = amount.is_some_and(|amount| self.draft.total_amount(amount.decimals()) == Some(amount));
        let each = if let Draft::Batch(batch) = &self.draft { batch.to.len() } else { 0 };
        is_all && self.recipient_findings.len() == each
    }

    /// How long until it takes keys; `None` once it does.
    pub fn time_until_armed(&self, now: Timestamp) -> Option<Duration> {
        match self.accepts_keys_at {
            None => Some(ARMING_DELAY),
            Some(at) => Some(now.age(at)).filter(|remainder| !remainder.is_zero()),
        }
    }

    pub fn mark_drawn(&mut self, now: Timestamp) {
        if self.accepts_keys_at.is_none() {
            self.accepts_keys_at = Some(now.plus(ARMING_DELAY));
        }
    }

    fn build_confirmation(&self) -> Confirmation {
        Confirmation {
            typed: self.prompts.iter().map(|prompt| Text::clean(prompt.input.value())).collect(),
            findings: self.findings.iter().map(|finding| Text::clean(&finding.record_line())).collect(),
            agreed: self.confirmed_quote(),
        }
    }

    /// Requests fresh facts, unless a request is under way.
    pub fn request_facts(&mut self, request_id: &mut RequestId) -> Vec<Effect> {
        if self.facts.is_none() || self.facts_request.1 || self.status != ReviewStatus::Waiting {
            return Vec::new();
        }
        self.facts_request = (request_id.advance(), true);
        vec![Effect::LoadFacts { order_id: self.order.id, request_id: self.facts_request.0 }]
    }

    /// Takes refreshed facts. Where the guard's findings change, what was typed is discarded.
    pub fn apply_facts(&mut self, mut facts: GuardFacts, period: Duration, now: Timestamp) {
        if balance_matches_history(Some(&facts)) {
            self.balance_confirmed_at = Some(now);
        }
        // Balance and history are read one after the other, every `period`. A payment that arrives in between does not
        // refute a balance confirmed a moment before, and a danger that comes and goes with each payment is soon
        // overridden unread.
        if let Some(funds) = &mut facts.funds {
            funds.matches_history |=
                self.balance_confirmed_at.is_some_and(|at| at <= now && at.age(now) <= stale_after(period));
        }
        self.facts = Some(facts);
        self.facts_at = now;
        if self.status != ReviewStatus::Waiting {
            return;
        }
        let drift_message = self.apply_quote();
        let before = std::mem::take(&mut self.findings);
        let was_first: Vec<bool> = self.recipient_findings.iter().map(|row| row.is_first).collect();
        let findings = self.judge_draft(now);
        self.apply_findings(findings);
        let same_order = self.recipient_findings.iter().map(|row| row.is_first).eq(was_first);
        let prompts = self.build_prompts();
        let same_prompts = prompts.len() == self.prompts.len()
            && prompts.iter().zip(&self.prompts).all(|(new, old)| new.kind == old.kind && new.expected == old.expected);
        let (old, new) = (lasting_findings(&before), lasting_findings(&self.findings));
        let same_findings = old.len() == new.len() && old.iter().zip(new).all(|(old, new)| is_same_finding(old, new));
        if let Some(drift_message) = drift_message {
            self.reset_review(format!("{drift_message}. Read the review again"), self.facts_request.0);
        } else if !(same_prompts && same_findings && same_order) {
            self.reset_review("the facts have changed: read the findings again".into(), self.facts_request.0);
        }
    }

    /// Resets the review as if just opened: nothing is typed, and it takes keys only after it was on screen again.
    fn reset_review(&mut self, reset_message: String, request_id: RequestId) {
        let was_typed = self.prompts.iter().any(|prompt| !prompt.input.value().is_empty());
        let reset_message =
            if was_typed { format!("{reset_message}. What you typed was cleared") } else { reset_message };
        self.prompts = self.build_prompts();
        self.cursor = 0;
        self.scroll_top = 0;
        self.accepts_keys_at = None;
        self.had_early_keys = false;
        self.version = request_id.0;
        self.message = Some(reset_message);
    }
}

/// Whether the wallet's own history agrees with its balance.
fn balance_matches_history(facts: Option<&GuardFacts>) -> bool {
    facts.and_then(|facts| facts.funds.as_ref()).is_some_and(|funds| funds.matches_history)
}

/// All findings but one that comes and goes where a service is slow: that the history could not be compared in full
/// just now. It is shown, asks for nothing typed, and is checked again before anything is sent.
fn lasting_findings(findings: &[Finding]) -> Vec<&Finding> {
    let is_passing = |finding: &&Finding| finding.rule == Rule::Duplicate && finding.severity == Severity::Caution;
    findings.iter().filter(|finding| !is_passing(finding)).collect()
}

/// Whether two findings are equal. The figures of a balance move with every payment, so only its words count.
fn is_same_finding(old: &Finding, new: &Finding) -> bool {
    if old.rule == Rule::Balance {
        let comparison_key =
            |finding: &Finding| (finding.rule, finding.severity, finding.message.clone(), finding.override_phrase);
        return comparison_key(old) == comparison_key(new);
    }
    old == new
}
