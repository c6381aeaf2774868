//! What waits for approval, or to be released, as the runtime last read it.

use std::fmt;

use crate::domain::approval::{Envelope, NotApproved, Proposal, Quorum, SignedStatement, StatementKind};
use crate::domain::{Draft, Failure, OrderId, Text, Timestamp};

/// A proposal that waits for approvals, or to be released.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalEntry {
    pub proposal: Proposal,
    /// Byte for byte what is signed.
    pub file: String,
    pub statements: Vec<SignedStatement>,
    /// Decoded from the body; `None` where this console cannot read it.
    pub draft: Option<Draft>,
    /// Whether its order is in the journal of this console.
    pub is_here: bool,
    /// See [`DeskRole::may_send`](crate::domain::approval::DeskRole::may_send).
    pub is_sendable_here: bool,
    pub standing: ProposalStanding,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProposalStanding {
    Counted(Quorum),
    /// It leads nowhere, and why.
    Void(Text),
    /// Another desk has begun to send it.
    Sent,
}

/// A proposal that is opened for review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedProposal {
    pub id: OrderId,
    pub maker: Text,
    /// Whether to send it; else to approve it.
    pub releases: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Proposals {
    /// What waits for this desk first, the oldest of each kind before the others.
    pub entries: Vec<ProposalEntry>,
    /// Why they could not be read last time.
    pub failure: Option<Failure>,
    /// What is wrong with single files, or with the rules here.
    pub faults: Vec<Text>,
    /// As far as its keys say.
    pub signers: DeskSigners,
}

/// What waits, as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProposalReport {
    /// The oldest first.
    pub entries: Vec<ProposalEntry>,
    pub signers: DeskSigners,
    /// What is wrong with single files, or with the rules here.
    pub faults: Vec<Text>,
}

/// Who signs at a desk.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeskSigners {
    pub people: Vec<Text>,
    /// Whether SSH forwards one of their keys from another machine.
    pub has_forwarded_key: bool,
}

/// Somebody who may not sign a statement about a proposal, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExcludedSigner {
    pub person: Text,
    reason: &'static str,
}

impl ExcludedSigner {
    pub fn signed_already(person: &Text) -> Self {
        Self { person: person.clone(), reason: "signed this already, and people are counted, not signatures" }
    }
}

impl fmt::Display for ExcludedSigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.person, self.reason)
    }
}

impl ProposalEntry {
    /// Who may not sign this kind of statement: whoever made a proposal may refuse it, and never approves it; and nobody
    /// signs twice.
    pub fn excluded_signers(&self, kind: StatementKind) -> Vec<ExcludedSigner> {
        let maker =
            ExcludedSigner { person: self.proposal.maker.clone(), reason: "proposed it, and somebody else must sign" };
        let maker = (kind == StatementKind::Approve).then_some(maker);
        let statements = self.statements.iter().filter(|statement| statement.kind == kind);
        maker
            .into_iter()
            .chain(statements.map(|statement| ExcludedSigner::signed_already(&statement.principal)))
            .collect()
    }

    pub fn to_envelope(&self) -> Envelope {
        Envelope {
            proposal: self.proposal.clone(),
            file: self.file.clone(),
            signatures: self.statements.iter().map(|statement| statement.signature.clone()).collect(),
        }
    }

    /// Whether enough people approved it, and this desk may send it.
    pub fn is_releasable(&self, now: Timestamp) -> bool {
        self.is_approved(now) && self.is_sendable_here
    }

    pub fn is_approved(&self, now: Timestamp) -> bool {
        matches!(&self.standing, ProposalStanding::Counted(quorum) if quorum.is_met()) && now < self.proposal.expires
    }

    /// Whether one of these people could approve it: they neither made nor signed it.
    pub fn awaits_any_of(&self, people: &[Text], now: Timestamp) -> bool {
        let ProposalStanding::Counted(quorum) = &self.standing else { return false };
        let has_signed = |person: &Text| quorum.approvals.iter().any(|approval| approval.principal == *person);
        let is_open = quorum.refusal.is_none() && !quorum.is_met() && now < self.proposal.expires;
        is_open && people.iter().any(|person| *person != quorum.maker && !has_signed(person))
    }

    /// Why nobody can approve or send it any more, if so.
    pub fn end_message(&self, now: Timestamp) -> Option<String> {
        match &self.standing {
            ProposalStanding::Counted(Quorum { refusal: Some(refusal), .. }) => {
                Some(refusal_message(&refusal.principal, refusal.reason.as_ref()))
            }
            ProposalStanding::Sent => Some(NotApproved::SentElsewhere.to_string()),
            _ if now >= self.proposal.expires => Some("it has expired; it must be proposed again".into()),
            ProposalStanding::Void(reason) => Some(format!("this proposal counts for nothing: {reason}")),
            ProposalStanding::Counted(_) => None,
        }
    }

    /// Why none of these people can approve it, if so.
    pub fn approval_refusal(&self, people: &[Text], now: Timestamp) -> Option<String> {
        let end_message = self.end_message(now);
        let ProposalStanding::Counted(quorum) = &self.standing else { return end_message };
        if end_message.is_some() || self.awaits_any_of(people, now) {
            return end_message;
        }
        if quorum.is_met() {
            return Some("enough people approved it already".into());
        }
        let has_approved = |person: &&Text| quorum.approvals.iter().any(|approval| approval.principal == **person);
        let approvers: Vec<&str> = people.iter().filter(has_approved).map(Text::as_str).collect();
        Some(if !approvers.is_empty() {
            format!("{} approved it already: somebody else must approve it too", approvers.join(" and "))
        } else if people.is_empty() {
            "no key at this desk may approve it: add one with ssh-add, or name its file as signing_key".into()
        } else {
            format!("{} proposed it: somebody else must approve it", quorum.maker)
        })
    }
}

/// Who refused a proposal, and why: `bert refused it: no such invoice`.
pub fn refusal_message(principal: &Text, reason: Option<&Text>) -> String {
    format!("{principal} refused it{}", reason.map_or_else(String::new, |reason| format!(": {reason}")))
}
