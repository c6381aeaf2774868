//! What a person signs about a proposal.

use super::super::Text;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StatementKind {
    /// By the maker.
    Propose,
    Approve,
    Refuse,
    /// Agrees to a change of the policy.
    Policy,
}

/// An armoured SSH signature over a proposal's file, and what its record claims about it. The claims serve for lists and
/// searches; only the signature counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedStatement {
    pub kind: StatementKind,
    pub signature: String,
    pub principal: Text,
    /// The fingerprint.
    pub key: Text,
    /// Of a refusal. It is not signed.
    pub reason: Option<Text>,
}

impl StatementKind {
    pub const ALL: [Self; 4] = [Self::Propose, Self::Approve, Self::Refuse, Self::Policy];

    /// The namespace of its signature.
    pub fn namespace(self) -> &'static str {
        match self {
            Self::Propose => "propose@bursar",
            Self::Approve => "approve@bursar",
            Self::Refuse => "refuse@bursar",
            Self::Policy => "policy@bursar",
        }
    }

    /// Its name in the journal.
    pub fn journal_name(self) -> &'static str {
        match self {
            Self::Propose => "proposed",
            Self::Approve => "approved",
            Self::Refuse => "refused",
            Self::Policy => "policy",
        }
    }
}
