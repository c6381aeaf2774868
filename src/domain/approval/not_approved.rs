//! Why a payment is not approved, in words for whoever waits for it.

use crate::domain::{Network, OrderId, Text, Timestamp};

use super::envelope::StatementFault;
use super::header::ApprovalsHeaderFault;
use super::proposal::ProposalFault;

/// Why a payment must not be sent yet, or at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotApproved {
    #[error("this payment needs {} and was not proposed", approvals_text(*.needs))]
    NoProposal { needs: u8 },
    #[error(transparent)]
    Proposal(#[from] ProposalFault),
    #[error(transparent)]
    Header(#[from] ApprovalsHeaderFault),
    #[error(transparent)]
    Signature(#[from] StatementFault),
    #[error("the request's body is no text in UTF-8")]
    NotText,
    #[error("{}; this service is for {service}", proposal_environment_text(*.proposal))]
    OtherServiceEnvironment { proposal: Option<Network>, service: Text },
    #[error("the proposal is for another order: {0}")]
    OtherOrder(OrderId),
    #[error("the proposal is for another service: {0}")]
    OtherService(Text),
    #[error("{}", environments_text(*.proposal, *.profile))]
    OtherEnvironment { proposal: Option<Network>, profile: Option<Network> },
    #[error("the proposal is for another request: {proposal} instead of {request}")]
    OtherMethod { proposal: Text, request: Text },
    #[error("the proposal is for another request: {proposal} instead of {request}")]
    OtherPath { proposal: Text, request: Text },
    #[error(
        "only the desk that drafted it sends it, or one with role = \"release\": this request ({0}) carries no idempotency \
         key, by which the service would know a repeat"
    )]
    OnlyWhereDrafted(&'static str),
    #[error("another desk has sent it; nothing is left to approve, to refuse or to send")]
    SentElsewhere,
    #[error("the payment differs from the one that was proposed; propose it again")]
    OtherBody,
    #[error("the journal's record of this payment is not the one that was proposed; propose it again")]
    OtherRecord,
    #[error("the approval rules or the signers changed since the payment was proposed; propose it again")]
    OtherPolicy,
    #[error("the payment was proposed in the future, at {0}; check the clocks of both machines")]
    FromFuture(Timestamp),
    #[error("the proposal expired at {0}; propose the payment again")]
    Expired(Timestamp),
    #[error("the proposal stands longer than the rule “{rule}” allows; propose the payment again")]
    TooLong { rule: Text },
    #[error("{maker} is named as the maker and did not sign the proposal: {reason}")]
    NoMaker { maker: Text, reason: Text },
    #[error("the proposal names {maker} as its maker and is signed by {signer}")]
    OtherMaker { maker: Text, signer: Text },
    #[error(
        "the approval rules or the signers here are not those that the journal records, and nothing is paid until they are: \
         start this console again if they were adopted meanwhile; else bursar approvals policy shows the difference"
    )]
    PolicyChanged,
    #[error(
        "the change of the approval rules needs {needs} people of those who were named before, and {signed} signed it"
    )]
    PolicyChangeUnsigned { signed: usize, needs: usize },
    #[error("{by} refused this payment{}", reason_text(.reason.as_ref()))]
    Refused { by: Text, reason: Option<Text> },
    #[error(
        "this payment needs {} and has {}{}",
        approvals_text(*.needs), approvers_text(.approvers), not_counted_text(.not_counted)
    )]
    TooFew {
        needs: u8,
        approvers: Vec<Text>,
        /// Who approved without effect, and why.
        not_counted: Vec<(Text, Text)>,
    },
}

fn approvals_text(count: u8) -> String {
    if count == 1 { "1 approval".into() } else { format!("{count} approvals") }
}

fn proposal_environment_text(proposal: Option<Network>) -> String {
    proposal.map_or("the proposal names no environment".into(), |word| {
        format!("the proposal is for the environment {word}")
    })
}

fn environments_text(proposal: Option<Network>, profile: Option<Network>) -> String {
    let profile = profile.map_or("names none".into(), |word| format!("is for {word}"));
    format!("{}, this profile {profile}", proposal_environment_text(proposal))
}

fn reason_text(reason: Option<&Text>) -> String {
    reason.map_or_else(String::new, |reason| format!(": {reason}"))
}

/// `none`, or `2: anna, bert`.
fn approvers_text(approvers: &[Text]) -> String {
    if approvers.is_empty() {
        return "none".into();
    }
    format!("{}: {}", approvers.len(), approvers.iter().map(Text::as_str).collect::<Vec<_>>().join(", "))
}

fn not_counted_text(not_counted: &[(Text, Text)]) -> String {
    if not_counted.is_empty() {
        return String::new();
    }
    let omissions: Vec<String> = not_counted.iter().map(|(name, reason)| format!("{name} ({reason})")).collect();
    format!("; not counted: {}", omissions.join(", "))
}
