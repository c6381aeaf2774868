//! Approvals: payments that a second person must approve.
//!
//! ```text
//!   rules ──requirement──▶ proposal ──file──▶ statements (SSH signatures over the file) ──▶ quorum ──▶ gate
//! ```
//!
//! - A [`Proposal`] is a text file: what is proposed, under which rule, and the body of the request byte for byte.
//! - A [`SignedStatement`] is an SSH signature over exactly that file; its namespace says whether it proposes, approves
//!   or refuses. Anybody can verify it with `ssh-keygen -Y verify`.
//! - [`count_quorum`] counts the statements anew from their bytes: people and not keys, never the maker, nobody whose key
//!   has expired or is revoked. [`check_release`] is the gate before a request is sent.
//!
//! Nothing that a statement claims about itself is trusted: person, key and touch come out of the signature.

mod desk_role;
mod envelope;
mod expiry;
mod gate;
mod header;
mod not_approved;
mod policy_record;
mod private_key;
mod proposal;
mod quorum;
mod rules;
mod signers;
mod ssh_signature;
mod statement;
#[cfg(test)]
mod tests;

pub use desk_role::DeskRole;
pub use envelope::{Envelope, StatementFault, StatementWithProposal, split_signatures};
pub use expiry::CLOCK_MARGIN;
pub use gate::{ReceivedRequest, RecordedOrder, check_destination, check_received, check_release};
pub use header::{APPROVALS_HEADER, ApprovalsHeaderFault, MAX_HEADER, encode_header};
pub use not_approved::NotApproved;
pub use policy_record::PolicyRecord;
pub use private_key::read_private_key;
pub use proposal::{MAX_FILE, Proposal, ProposalFault};
pub use quorum::{Approver, Quorum, SignedProposal, SignedRefusal, count_quorum};
pub use rules::{ApprovalPolicy, ApprovalRule, PaymentFacts, Requirement};
pub use signers::{NotASigner, Signers, SignersFault};
pub use ssh_signature::{
    KeyFault, PrivateKey, PublicKey, SignatureFault, Touch, Verified, armour_agent_signature, key_of_seed, sign_with,
    signed_data, verify,
};
pub use statement::{SignedStatement, StatementKind};
