//! The lines of the policy page.

use super::LimitCounts;
use crate::app::model::Model;
use crate::app::overlays::detail::DetailLine;
use crate::app::pages::Tone;
use crate::app::pages::book::cooling_until;
use crate::domain::approval::DeskRole;
use crate::domain::duration::period_text;
use crate::domain::policy::{Limit, OverLimit};
use crate::domain::{Batch, Policy};
use crate::guard::LimitUsage;

pub(in crate::app) fn policy_lines(model: &Model) -> Vec<DetailLine> {
    let policy = &model.journal.policy;
    if !model.pages.book.is_loaded {
        return vec![line("", "the policy is still being read".into(), Tone::Dim)];
    }
    let mut lines = limit_lines(policy, &model.journal.limit_counts);
    lines.extend(recipient_lines(model));
    let tolerance = policy.slippage_tolerance().format_percent();
    lines.push(line("Swaps", format!("not sent for more than {tolerance} less than reviewed"), Tone::Text));
    let most = policy.batch_recipients.unwrap_or(Batch::DEFAULT_MAX_RECIPIENTS);
    lines.push(line("Batches", format!("at most {most} recipients"), Tone::Text));
    lines.extend(approval_lines(policy));
    lines.push(line("", "the policy stands in config.toml: bursar help configuration".into(), Tone::Dim));
    lines
}

/// Which payments other people must approve.
fn approval_lines(policy: &Policy) -> Vec<DetailLine> {
    let mut lines: Vec<DetailLine> =
        policy.approval.iter().map(|rule| line("Approval", rule.to_string(), Tone::Text)).collect();
    if lines.is_empty() {
        lines.push(line("Approval", "by whoever pays, in the review; no second person is asked".into(), Tone::Text));
    }
    let role = match policy.role {
        DeskRole::Both => return lines,
        DeskRole::Propose => "this console proposes and never sends",
        DeskRole::Release => "this console releases what others proposed, and drafts nothing",
    };
    lines.push(line("", role.into(), Tone::Text));
    lines
}

fn line(name: &'static str, value: String, tone: Tone) -> DetailLine {
    DetailLine { name, value, tone }
}

fn limit_lines(policy: &Policy, counts: &LimitCounts) -> Vec<DetailLine> {
    let mut lines = Vec::new();
    if policy.limits.is_empty() {
        lines.push(line("Limits", "none: a payment may be of any amount".into(), Tone::Warn));
    }
    let has_day_limit = policy.limits.iter().any(|limit| limit.per_day.is_some());
    match &counts.usage {
        None if has_day_limit => {
            lines.push(line("", "what was paid in the last 24 hours is being counted…".into(), Tone::Dim));
        }
        Some(Err(failure)) if has_day_limit => {
            lines.push(line("", format!("what was paid in the last 24 hours is not known: {failure}"), Tone::Warn));
        }
        None | Some(_) => {}
    }
    let usage_of = |limit: &Limit| counts.usage.as_ref()?.as_ref().ok()?.iter().find(|used| used.limit == *limit);
    for limit in &policy.limits {
        lines.push(line("Limit", limit.title(), Tone::Accent));
        lines.extend(single_limit_lines(limit, usage_of(limit)));
    }
    lines
}

fn single_limit_lines(limit: &Limit, usage: Option<&LimitUsage>) -> Vec<DetailLine> {
    let mut lines = Vec::new();
    if let Some(most) = limit.per_payment {
        lines.push(line("", format!("at most {} per payment", most.format_grouped()), Tone::Text));
    }
    if let Some(most) = limit.per_day {
        lines.push(line("", format!("at most {} in 24 hours", most.format_grouped()), Tone::Text));
    }
    if let Some(usage) = usage
        && let (Some(remainder), Some(outflow_sum)) = (usage.left_today(), &usage.paid)
    {
        let tone = if remainder.is_zero() { Tone::Bad } else { Tone::Good };
        lines.push(line("", format!("{} left now; paid: {outflow_sum}", remainder.format_grouped()), tone));
        let uncertain = |reason: &String| line("", format!("more may have been paid: {reason}"), Tone::Warn);
        lines.extend(usage.uncertainty.as_ref().map(uncertain));
    }
    if let Some(percent) = limit.percent_of_balance {
        lines.push(line("", format!("at most {percent}% of the wallet's balance per payment"), Tone::Text));
    }
    if let Some(most) = limit.while_cooling {
        let sentence = format!("at most {} to an entry that is not trusted yet", most.format_grouped());
        lines.push(line("", sentence, Tone::Text));
    }
    let beyond = match limit.over_limit {
        OverLimit::Stop => "beyond: not sent",
        OverLimit::Danger => "beyond: sent after its words are typed in the review",
    };
    lines.push(line("", beyond.into(), Tone::Dim));
    lines
}

/// Who may be paid.
fn recipient_lines(model: &Model) -> Vec<DetailLine> {
    let policy = &model.journal.policy;
    let recipients = if policy.allow_list_only { "entries of the address book only" } else { "any address" };
    let mut lines = vec![line("Recipients", recipients.into(), Tone::Text)];
    let Some(cooling) = policy.cooling else { return lines };
    let sentence = format!("new and changed entries are trusted after {}", period_text(cooling));
    lines.push(line("", sentence, Tone::Text));
    let entries = model.journal.book.entries().iter();
    lines.extend(entries.filter_map(|entry| {
        let until = model.console.zone.format(cooling_until(model, entry)?, "%Y-%m-%d %H:%M");
        Some(line("", format!("{} is not trusted until {until}", entry.contact.name), Tone::Warn))
    }));
    lines
}
