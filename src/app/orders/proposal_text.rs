//! How far a proposed order has come, and who signed it, in words.

use crate::app::data::proposals::ProposalStanding;
use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::domain::approval::{SignedStatement, StatementKind};
use crate::domain::order::OrderApproval;
use crate::domain::{Order, Text, Timestamp};

/// How far a proposed order has come.
pub(super) fn proposal_messages(model: &Model, order: &Order) -> Vec<String> {
    let entry = model.journal.proposals.entries.iter().find(|entry| entry.proposal.order == order.id);
    let standing = match entry.map(|entry| &entry.standing) {
        Some(ProposalStanding::Sent) => {
            return vec!["Another desk has sent it. The history will show what became of it.".into()];
        }
        Some(ProposalStanding::Counted(quorum)) if quorum.is_met() => "enough people approved it".to_owned(),
        Some(ProposalStanding::Counted(quorum)) => {
            let names: Vec<&str> = quorum.approvals.iter().map(|approval| approval.principal.as_str()).collect();
            let by = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
            format!("{} of {} approvals{by}", names.len(), quorum.needs)
        }
        Some(ProposalStanding::Void(reason)) => format!("it cannot be sent: {reason}"),
        None => "its approvals are being read".to_owned(),
    };
    let maker = entry.map_or_else(String::new, |entry| format!(" by {}", entry.proposal.maker));
    if !order.awaits_approval(model.now) {
        return vec![format!(
            "Proposed{maker}; it has expired. Nothing was sent. Propose it again, or give it up with X."
        )];
    }
    vec![format!("Proposed{maker}; {standing}. Nothing was sent. & lists it: Enter there goes on, x refuses it.")]
}

/// The refusal that ended an order's proposal.
pub fn refusal_statement(order: &Order) -> Option<&SignedStatement> {
    order.approval.as_ref().filter(|_| order.is_abandoned()).and_then(OrderApproval::refuse_statement)
}

/// Who signed a refusal, and why: `bert: no such invoice`.
pub fn signer_and_reason(statement: &SignedStatement) -> String {
    format!(
        "{}{}",
        statement.principal,
        statement.reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"))
    )
}

/// How many people approved an order's proposal, as far as the journal recorded it.
pub fn approval_count(order: &Order) -> usize {
    approvers(order).count()
}

/// The news that the last approval is: `bert approved it, 1 of 2`.
pub fn approval_message(model: &Model, order: &Order) -> Option<String> {
    let approver = approvers(order).last()?;
    let entry = model.journal.proposals.entries.iter().find(|entry| entry.proposal.order == order.id);
    let needs = match entry.map(|entry| &entry.standing) {
        Some(ProposalStanding::Counted(quorum)) => format!(", {} of {}", approval_count(order), quorum.needs),
        _ => String::new(),
    };
    Some(format!("{approver} approved it{needs}"))
}

fn approvers(order: &Order) -> impl Iterator<Item = &Text> {
    let statements = order.approval.iter().flat_map(|approval| &approval.statements).map(|(_, statement)| statement);
    statements.filter(|statement| statement.kind == StatementKind::Approve).map(|statement| &statement.principal)
}

/// What people signed about the order's proposal, as the journal recorded it.
pub fn statement_events(order: &Order) -> impl Iterator<Item = (Timestamp, String, Tone)> {
    order.approval.iter().flat_map(|approval| &approval.statements).map(statement_event)
}

fn statement_event((at, statement): &(Timestamp, SignedStatement)) -> (Timestamp, String, Tone) {
    let (verb, tone) = match statement.kind {
        StatementKind::Propose => ("proposed", Tone::Text),
        StatementKind::Approve => ("approved", Tone::Good),
        StatementKind::Refuse => ("refused", Tone::Bad),
        StatementKind::Policy => ("changed the rules", Tone::Text),
    };
    let reason = statement.reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
    (*at, format!("{verb} by {}, key {}{reason}", statement.principal, statement.key), tone)
}
