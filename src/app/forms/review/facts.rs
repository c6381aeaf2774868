//! The lines of a review: what the request states, and the facts around it.

mod batch;
mod payment;
mod proposal;
mod swap;

use super::Review;
use crate::app::model::Model;
use crate::app::orders;
use crate::app::orders::order_subject;
use crate::app::pages::Tone;
use crate::domain::{Draft, Text, address};
use crate::guard::Severity;

/// A name and a value; a line with an empty name continues the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewLine {
    pub name: &'static str,
    pub value: String,
    pub tone: Tone,
    /// Whether the value is shown on one line as it is, without wrapping.
    pub is_monospaced: bool,
}

fn review_line(name: &'static str, value: impl Into<String>, tone: Tone) -> ReviewLine {
    ReviewLine { name, value: value.into(), tone, is_monospaced: false }
}

/// The lines that never scroll away: how much goes to whom, or what is created.
pub fn key_facts(model: &Model, review: &Review) -> Vec<ReviewLine> {
    let draft = &review.draft;
    if draft.operation().is_swap() {
        return swap::key_facts(model, review);
    }
    if let Draft::Batch(batch) = draft {
        return batch::key_facts(model, review, batch);
    }
    if let Draft::Payment(payment) = draft {
        return payment::key_facts(model, review, &payment.withdrawal, "To", payment.memo.as_ref());
    }
    if let Draft::Withdraw(withdrawal) = draft {
        let to = if review.undocumented_names.is_empty() { "To" } else { "To †" };
        return payment::key_facts(model, review, withdrawal, to, None);
    }
    let subject = order_subject(draft, &model.address_formatter()).into_owned();
    let to = draft.only_recipient().map(|to| review_line("To", address::format_grouped(to), Tone::Accent));
    [review_line(draft.operation().subject_label(), subject, Tone::Accent)].into_iter().chain(to).collect()
}

/// The findings, the gravest first, then what the request states, then the bytes. Of what moves no money, what the
/// request states stands before the findings that are not grave.
pub fn other_facts(model: &Model, review: &Review) -> Vec<ReviewLine> {
    let mut facts = Vec::new();
    if !review.is_request_fully_judged() {
        let sentence =
            "There is not enough information to check exactly what these bytes say. Prepare the review again.";
        facts.push(review_line("✗ STOP", sentence, Tone::Bad));
    }
    add_finding_lines(review, true, &mut facts);
    let moves_money = review.draft.operation().moves_money();
    if moves_money {
        add_finding_lines(review, false, &mut facts);
    }
    proposal::add_proposal_lines(model, review, &mut facts);
    let draft = &review.draft;
    if let Draft::Batch(batch) = draft {
        batch::add_payer_lines(model, review, batch, &mut facts);
    } else if draft.operation().is_swap() {
        swap::add_swap_lines(model, review, &mut facts);
    } else if let Draft::Payment(payment) = draft {
        payment::add_v1_payment_lines(model, review, payment, &mut facts);
    } else if let Draft::Withdraw(withdrawal) = draft {
        payment::add_payment_lines(model, review, withdrawal, 1, &mut facts);
    } else if !matches!(draft, Draft::CreateAccount(_)) {
        // The name of a new account is among the key facts.
        facts.extend(orders::draft_values(model, draft).into_iter().map(|(name, value)| match value {
            Some(value) => review_line(name, value, Tone::Text),
            None if keeps_omitted_fields(draft) => review_line(name, "unchanged", Tone::Dim),
            None => review_line(name, "—", Tone::Text),
        }));
    }
    if !moves_money {
        add_finding_lines(review, false, &mut facts);
    }
    if let Draft::Batch(batch) = &review.draft {
        batch::add_all_recipient_lines(review, batch, &mut facts);
    }
    if let Some(of) = &review.order.drafted.template {
        facts.push(review_line("Template", of.description(), Tone::Text));
    }
    let request = &review.order.drafted.request;
    match request.key {
        Some(key) if request.operation.has_documented_key() => {
            facts.push(review_line("Key", key.to_string(), Tone::Dim));
        }
        Some(key) => {
            let sentence = format!("{key}, to find the request later; this request is sent once and never again");
            facts.push(review_line("Key", sentence, Tone::Dim));
        }
        None => facts.push(review_line(
            "Key",
            "none: this request carries no idempotency key, so it is sent once and never again",
            Tone::Warn,
        )),
    }
    let is_swap = review.draft.operation().is_swap();
    if is_swap {
        facts.push(review_line("†", swap::undocumented_names_text(&review.undocumented_names), Tone::Dim));
    }
    for name in review.undocumented_names.iter().filter(|_| !is_swap) {
        let sentence = format!("“{name}” is an assumed name; the specification does not define it");
        facts.push(review_line("†", sentence, Tone::Dim));
    }
    facts.push(review_line("Request", format!("{} {}", request.method, request.path), Tone::Dim));
    facts.push(review_line("Body", request.body.as_str(), Tone::Dim));
    facts
}

/// Whether omitted fields stay unchanged.
fn keeps_omitted_fields(draft: &Draft) -> bool {
    matches!(draft, Draft::UpdateWallet(_) | Draft::UpdateUser(_))
}

/// The grave findings or the others, each with its severity and its lines.
fn add_finding_lines(review: &Review, grave: bool, facts: &mut Vec<ReviewLine>) {
    let chosen = review.findings.iter().filter(|finding| (finding.severity >= Severity::Danger) == grave);
    for finding in chosen {
        let (name, tone) = match finding.severity {
            Severity::Stop => ("✗ STOP", Tone::Bad),
            Severity::Danger => ("▲ DANGER", Tone::Bad),
            Severity::Caution => ("! Caution", Tone::Warn),
            Severity::Note => ("· Note", Tone::Dim),
        };
        facts.push(review_line(name, finding.message.as_str(), tone));
        facts.extend(
            finding
                .lines
                .iter()
                .map(|line| ReviewLine { is_monospaced: true, ..review_line("", line.as_str(), Tone::Text) }),
        );
    }
}

fn text_or_dash(value: Option<&Text>) -> String {
    value.map_or_else(|| "—".into(), ToString::to_string)
}
