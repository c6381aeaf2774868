//! What a console may do with payments that need approval.

use crate::domain::Operation;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeskRole {
    /// It proposes, approves and releases.
    #[default]
    Both,
    /// It proposes and approves, and never sends: its API key need only read.
    Propose,
    /// It approves and releases what others proposed, and drafts nothing itself.
    Release,
}

impl DeskRole {
    pub const ALL: [(&'static str, Self); 3] =
        [("both", Self::Both), ("propose", Self::Propose), ("release", Self::Release)];

    /// Whether a desk may send an approved order. Two journals may each permit it once: only where the request carries an
    /// idempotency key does the service execute it once all the same. Without one it is sent by the desk that drafted it, or
    /// by the one that has the role to release.
    pub fn may_send(self, operation: Operation, is_drafted_here: bool) -> bool {
        match self {
            Self::Propose => false,
            Self::Both => is_drafted_here || operation.has_documented_key(),
            Self::Release => true,
        }
    }

    pub fn config_name(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::Propose => "propose",
            Self::Release => "release",
        }
    }
}
