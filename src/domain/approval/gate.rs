//! The gate before a request is sent, and before an enforcing service executes it: is it the one that was approved, and is
//! it approved?

use crate::domain::order::{DraftedOrder, ServiceDestination};
use crate::domain::{OrderId, Timestamp};

use super::envelope::Envelope;
use super::expiry;
use super::not_approved::NotApproved;
use super::proposal::Proposal;
use super::quorum::{SignedProposal, count_quorum};
use super::rules::{ApprovalPolicy, PaymentFacts};
use super::statement::SignedStatement;

/// An order as a journal would release it.
#[derive(Debug, Clone, Copy)]
pub struct RecordedOrder<'a> {
    pub id: OrderId,
    pub drafted: &'a DraftedOrder,
    /// Of the record that drafted the order; `None` where another journal has that record.
    pub record_hash: Option<[u8; 32]>,
}

/// Whether an order may be sent now. A payment that no rule is for needs nothing. Every check is made anew: nothing is
/// remembered of an earlier count.
pub fn check_release(
    policy: &ApprovalPolicy,
    order: RecordedOrder<'_>,
    signed: Option<SignedProposal<'_>>,
    now: Timestamp,
) -> Result<(), NotApproved> {
    let DraftedOrder { draft, sender, .. } = order.drafted;
    let Some(requirement) = policy.requirement_for_draft(draft, sender.as_ref()) else { return Ok(()) };
    let signed = signed.ok_or(NotApproved::NoProposal { needs: requirement.needs })?;
    let proposal = Proposal::parse(signed.file)?;
    check_order(&proposal, order)?;
    if proposal.policy_hash != policy.hash() {
        return Err(NotApproved::OtherPolicy);
    }
    expiry::check_time(&proposal, &requirement, now)?;
    count_quorum(policy, &requirement, signed, now)?.check()
}

/// A request as a service received it.
#[derive(Debug, Clone, Copy)]
pub struct ReceivedRequest<'a> {
    pub method: &'a str,
    /// With the API version, without the query.
    pub path: &'a str,
    pub body: &'a [u8],
    /// The header [`APPROVALS_HEADER`](super::APPROVALS_HEADER).
    pub approvals: Option<&'a str>,
    /// Of the workspace that pays.
    pub environment: &'a str,
}

/// Whether a service may execute a request now, by its own rules, signers and clock; gives the order that was approved, which
/// is to be executed once. `None` for a payment that no rule is for.
///
/// Two fields of the proposal are for consoles and not compared: a service cannot know by which address it is reached, and
/// its rules need not be those of the console.
pub fn check_received(
    policy: &ApprovalPolicy,
    payment: &PaymentFacts,
    request: ReceivedRequest<'_>,
    now: Timestamp,
) -> Result<Option<OrderId>, NotApproved> {
    let Some(requirement) = policy.requirement_for_payment(payment) else { return Ok(None) };
    let header = request.approvals.ok_or(NotApproved::NoProposal { needs: requirement.needs })?;
    let body = std::str::from_utf8(request.body).map_err(|_| NotApproved::NotText)?;
    let Envelope { proposal, file, signatures } = Envelope::from_header(header, body)?;
    if proposal.environment.is_none_or(|network| network.name() != request.environment) {
        let service = request.environment.into();
        return Err(NotApproved::OtherServiceEnvironment { proposal: proposal.environment, service });
    }
    check_route(&proposal, request.method, request.path)?;
    expiry::check_time(&proposal, &requirement, now)?;
    let statement = |signature: &String| {
        SignedStatement::from_signature_of_any_key(&file, signature, &policy.signers)
            .map(|(signed_statement, _)| signed_statement)
    };
    let statements = signatures.iter().map(statement).collect::<Result<Vec<_>, _>>()?;
    count_quorum(policy, &requirement, SignedProposal { file: &file, statements: &statements }, now)?.check()?;
    Ok(Some(proposal.order))
}

/// Whether the proposal is for the service and the environment of a profile.
pub fn check_destination(proposal: &Proposal, destination: &ServiceDestination) -> Result<(), NotApproved> {
    if proposal.base_url != destination.base_url {
        return Err(NotApproved::OtherService(proposal.base_url.clone()));
    }
    if proposal.environment != destination.environment {
        let (proposal, profile) = (proposal.environment, destination.environment);
        return Err(NotApproved::OtherEnvironment { proposal, profile });
    }
    Ok(())
}

/// Whether the proposal is for this very order and its request.
fn check_order(proposal: &Proposal, order: RecordedOrder<'_>) -> Result<(), NotApproved> {
    let DraftedOrder { request, destination, .. } = order.drafted;
    if proposal.order != order.id {
        return Err(NotApproved::OtherOrder(proposal.order));
    }
    check_destination(proposal, destination)?;
    check_route(proposal, &request.method, &request.path)?;
    if proposal.body != request.body {
        return Err(NotApproved::OtherBody);
    }
    match order.record_hash {
        Some(hash) if hash != proposal.record_hash => Err(NotApproved::OtherRecord),
        _ => Ok(()),
    }
}

fn check_route(proposal: &Proposal, method: &str, path: &str) -> Result<(), NotApproved> {
    if proposal.method != method {
        let (proposal, request) = (proposal.method.as_str().into(), method.into());
        return Err(NotApproved::OtherMethod { proposal, request });
    }
    if proposal.path != path {
        let (proposal, request) = (proposal.path.as_str().into(), path.into());
        return Err(NotApproved::OtherPath { proposal, request });
    }
    Ok(())
}
