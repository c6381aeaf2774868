//! Payments that other people must approve: what waits, and its review.
//!
//! ```text
//!   a review under a rule ──Propose──▶ waits ──& Enter, another desk──▶ review ──Approve──▶ quorum ──& Enter──▶ release
//!                                        └──────── x, with a reason: refused, and given up
//! ```
//!
//! The runtime reads and verifies what waits with every report of the orders; this module shows it and asks for what
//! follows. Whether enough people approved is decided by the journal when it permits to send, never here.

mod menu;

pub(in crate::app) use menu::{attention_items, handle_menu_key, import_pasted_proposal, open_menu, refresh_menu};

use crate::app::data::proposals::{OpenedProposal, ProposalReport, Proposals, refusal_message};
use crate::app::forms::form_state::FormState;
use crate::app::forms::review::ReviewStatus;
use crate::app::forms::{Form, FormStage, review_of_order_mut};
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::orders;
use crate::app::pages::Tone;
use crate::app::session::events::EventKind;
use crate::domain::approval::{DeskRole, NotApproved, StatementKind};
use crate::domain::{Draft, Failure, Operation, OrderId, Text};

/// Opens the review of a proposal: to release it where enough people approved, else to approve it.
pub(in crate::app) fn open_review(model: &mut Model, id: OrderId) -> Vec<Effect> {
    let Some(entry) = model.journal.proposals.entries.iter().find(|entry| entry.proposal.order == id) else {
        model.notice = Some("this proposal is gone: it was sent, refused or taken away".into());
        return Vec::new();
    };
    let read_only = model.console.read_only.as_ref().map(|reason| format!("this console is read-only: {reason}"));
    if let Some(reason) = read_only.or_else(|| orders::may_change(model).err()) {
        model.notice = Some(reason);
        return Vec::new();
    }
    let releases = entry.is_releasable(model.now);
    if entry.is_approved(model.now) && !releases {
        model.notice = Some(if model.journal.policy.role == DeskRole::Propose {
            "enough people approved it; this console only proposes: it is sent from another desk".into()
        } else {
            let operation = entry.draft.as_ref().map_or("", |draft| draft.operation().title());
            NotApproved::OnlyWhereDrafted(operation).to_string()
        });
        return Vec::new();
    }
    let refusal = entry.approval_refusal(&model.journal.proposals.signers.people, model.now);
    if let Some(reason) = refusal.filter(|_| !releases) {
        model.notice = Some(reason);
        return Vec::new();
    }
    let operation = entry.draft.as_ref().map_or(Operation::Withdraw, Draft::operation);
    let proposal = OpenedProposal { id, maker: entry.proposal.maker.clone(), releases };
    let request_id = model.forms.last_request_id.advance();
    model.show_mode(Mode::Form(Box::new(Form {
        state: FormState::new(operation),
        stage: FormStage::Preparing(request_id),
        proposal: Some(proposal),
    })));
    vec![Effect::OpenProposal { order_id: id, releases, request_id }]
}

pub(in crate::app) fn apply_proposals(model: &mut Model, report: Result<ProposalReport, Failure>) {
    match report {
        Ok(ProposalReport { entries, signers, faults }) => {
            let selected = menu::selected_id(model);
            model.journal.proposals = Proposals { entries, signers, faults, failure: None };
            sort_entries(model);
            menu::select(model, selected);
        }
        Err(failure) => model.journal.proposals.failure = Some(failure),
    }
    refresh_menu(model);
}

/// Sorts what waits for this desk to the front, then what is ready to be sent, then what waits for others.
fn sort_entries(model: &mut Model) {
    let (now, people) = (model.now, &model.journal.proposals.signers.people);
    model.journal.proposals.entries.sort_by_key(|entry| match entry.end_message(now) {
        Some(_) => 3,
        None if entry.awaits_any_of(people, now) => 0,
        None if entry.is_releasable(now) => 1,
        None => 2,
    });
}

/// A payment was proposed, or not.
pub(in crate::app) fn apply_proposal_result(model: &mut Model, id: OrderId, result: Result<Text, Failure>) {
    match result {
        Ok(rule) => {
            finish_review(model, id, &format!("proposed, nothing was sent; & lists it for whoever approves ({rule})"));
        }
        Err(failure) => fail_review(model, id, &format!("{failure}. Nothing was proposed and nothing was sent")),
    }
}

/// A proposal was approved or refused, or not.
pub(in crate::app) fn apply_signing_result(
    model: &mut Model,
    id: OrderId,
    kind: StatementKind,
    result: Result<(), Failure>,
) {
    match (result, kind) {
        (Ok(()), StatementKind::Approve) => finish_review(model, id, "approved and signed; nothing was sent from here"),
        (Ok(()), _) => finish_review(model, id, "refused: it will not be sent"),
        (Err(failure), _) => fail_review(model, id, &format!("{failure}. Nothing was signed")),
    }
}

/// Why nobody can approve or send a proposal any more, if so.
pub(in crate::app) fn end_message(model: &Model, id: OrderId) -> Option<String> {
    if let Some(entry) = model.journal.proposals.entries.iter().find(|entry| entry.proposal.order == id) {
        return entry.end_message(model.now);
    }
    let order = model.journal.orders.iter().find(|order| order.id == id);
    let refusal = order.and_then(orders::refusal_statement);
    Some(refusal.map_or_else(
        || "it was sent, given up or taken away meanwhile".into(),
        |refusal| refusal_message(&refusal.principal, refusal.reason.as_ref()),
    ))
}

pub(in crate::app) fn apply_proposal_import(model: &mut Model, result: Result<OrderId, Failure>) {
    model.notice = Some(match result {
        Ok(_) => "the proposal was taken in; it counts by its signatures".into(),
        Err(failure) => format!("nothing was taken in: {failure}"),
    });
}

fn finish_review(model: &mut Model, id: OrderId, message: &str) {
    if review_of_order_mut(model, id).is_some() {
        model.show_mode(Mode::Browse);
    }
    model.record_event(EventKind::Console, Tone::Text, message.to_owned());
    model.notice = Some(message.to_owned());
}

/// An open review shows the failure itself.
fn fail_review(model: &mut Model, id: OrderId, message: &str) {
    match review_of_order_mut(model, id) {
        Some(review) => review.status = ReviewStatus::NotSent(message.to_owned()),
        None => model.notice = Some(message.to_owned()),
    }
}
