//! The proposal of an order.

use super::{Order, OrderState};
use crate::domain::Timestamp;
use crate::domain::approval::{Proposal, SignedStatement, StatementKind};

/// The proposal of an order that other people must approve, and who signed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderApproval {
    /// The proposal's file, byte for byte.
    pub file: String,
    /// Whether the order was drafted here. One that another desk proposed is recorded with its proposal, and confirmed only
    /// when it is released.
    pub is_drafted_here: bool,
    /// When each was recorded here; the maker's own is first.
    pub statements: Vec<(Timestamp, SignedStatement)>,
}

impl OrderApproval {
    /// Whether somebody refused it, by the journal's own record: the signature is verified before it is recorded.
    pub fn refuse_statement(&self) -> Option<&SignedStatement> {
        self.statements.iter().map(|(_, statement)| statement).find(|signed| signed.kind == StatementKind::Refuse)
    }
}

impl Order {
    /// Whether it was proposed, and may still be approved and sent.
    pub fn awaits_approval(&self, now: Timestamp) -> bool {
        let waits = matches!(self.state(now), OrderState::Drafted | OrderState::Confirmed | OrderState::NotSent);
        let proposal = self.approval.as_ref().and_then(|approval| Proposal::parse(&approval.file).ok());
        waits && proposal.is_some_and(|proposal| now < proposal.expires)
    }
}
