//! How far a proposal has come.

use crate::app::data::proposals::{ProposalEntry, ProposalStanding};
use crate::domain::approval::{ApprovalPolicy, Proposal, SignedProposal, SignedStatement, count_quorum};
use crate::domain::{Draft, Text, Timestamp};

pub(super) fn proposal_entry(
    policy: &ApprovalPolicy,
    proposal: Proposal,
    file: &str,
    statements: Vec<SignedStatement>,
    draft: Option<Draft>,
    is_here: bool,
    at: Timestamp,
) -> ProposalEntry {
    let standing = proposal_standing(policy, &proposal, file, &statements, draft.as_ref(), at);
    ProposalEntry { proposal, file: file.to_owned(), statements, draft, is_here, is_sendable_here: false, standing }
}

/// How far the approvals have come, or why the proposal leads nowhere.
pub fn proposal_standing(
    policy: &ApprovalPolicy,
    proposal: &Proposal,
    file: &str,
    statements: &[SignedStatement],
    draft: Option<&Draft>,
    at: Timestamp,
) -> ProposalStanding {
    let Some(requirement) = draft.and_then(|draft| policy.requirement_for_draft(draft, None)) else {
        return ProposalStanding::Void("this console reads no payment in it that its rules know".into());
    };
    if proposal.policy_hash != policy.hash() {
        return ProposalStanding::Void("the rules or the signers here are others than those it was made under".into());
    }
    if at >= proposal.expires {
        return ProposalStanding::Void("it has expired; it must be proposed again".into());
    }
    match count_quorum(policy, &requirement, SignedProposal { file, statements }, at) {
        Ok(quorum) => ProposalStanding::Counted(quorum),
        Err(reason) => ProposalStanding::Void(Text::clean(&reason.to_string())),
    }
}
