//! What waits for approval, or to be released, as the runtime last read it.

use crate::domain::approval::{Envelope, Proposal, Quorum, Statement};
use crate::domain::{Draft, Failure, OrderId, Text, Timestamp};

/// A proposal that waits for approvals, or to be released.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalEntry {
    pub proposal: Proposal,
    /// Byte for byte what is signed.
    pub file: String,
    pub statements: Vec<Statement>,
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
    /// The oldest first.
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

impl ProposalEntry {
    pub fn to_envelope(&self) -> Envelope {
        Envelope {
            proposal: self.proposal.clone(),
            file: self.file.clone(),
            signatures: self.statements.iter().map(|signed| signed.signature.clone()).collect(),
        }
    }

    /// Whether enough people approved it, and this desk may send it.
    pub fn is_releasable(&self, now: Timestamp) -> bool {
        self.is_approved(now) && self.is_sendable_here
    }

    pub fn is_approved(&self, now: Timestamp) -> bool {
        matches!(&self.standing, ProposalStanding::Counted(counted) if counted.is_met()) && now < self.proposal.expires
    }

    /// Whether one of these people could approve it: they neither made nor signed it.
    pub fn awaits_any_of(&self, people: &[Text], now: Timestamp) -> bool {
        let ProposalStanding::Counted(counted) = &self.standing else { return false };
        let has_signed = |person: &Text| counted.approvals.iter().any(|approval| approval.principal == *person);
        let is_open = counted.refusal.is_none() && !counted.is_met() && now < self.proposal.expires;
        is_open && people.iter().any(|person| *person != counted.maker && !has_signed(person))
    }
}
