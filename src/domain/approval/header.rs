//! How a proposal and its signatures travel with the request that they are for: as a header of HTTP.
//!
//! ```text
//! Bursar-Approvals: base64 (standard, padded, no line breaks) of
//!     the proposal's head, up to and with its empty line
//!     each signature, as `ssh-keygen -Y sign` armours it
//! ```
//!
//! The proposal's body is left out: it is the request's own.

use data_encoding::BASE64;

use super::proposal::{Proposal, ProposalFault};
use super::{Envelope, split_signatures};

/// The header's name.
pub const APPROVALS_HEADER: &str = "bursar-approvals";

/// Bytes of the header's value, at most.
pub const MAX_HEADER: usize = 8_192;

/// Between the head and what follows it.
const HEAD_END: &str = "\n\n";

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ApprovalsHeaderFault {
    #[error("the proposal and its signatures take {0} bytes; the header Bursar-Approvals has at most {MAX_HEADER}")]
    TooLarge(usize),
    #[error("the request is not the one that was proposed")]
    OtherBody,
    #[error("the header Bursar-Approvals is not written as bursar writes it")]
    Unreadable,
    #[error(transparent)]
    Proposal(#[from] ProposalFault),
}

/// The header's value for a request with this body, from the proposal's file and the armoured signatures over it.
pub fn encode_header<'a>(
    file: &str,
    body: &str,
    signatures: impl IntoIterator<Item = &'a str>,
) -> Result<String, ApprovalsHeaderFault> {
    let (head, proposed) = file.split_once(HEAD_END).ok_or(ProposalFault::NoBody)?;
    if proposed != body {
        return Err(ApprovalsHeaderFault::OtherBody);
    }
    let mut text = format!("{head}{HEAD_END}");
    for signature in signatures {
        text.push_str(signature.trim_end_matches('\n'));
        text.push('\n');
    }
    let header = BASE64.encode(text.as_bytes());
    if header.len() > MAX_HEADER { Err(ApprovalsHeaderFault::TooLarge(header.len())) } else { Ok(header) }
}

impl Envelope {
    /// Reads the header of a request with this body. No signature is verified yet.
    pub fn from_header(header: &str, body: &str) -> Result<Self, ApprovalsHeaderFault> {
        if header.len() > MAX_HEADER {
            return Err(ApprovalsHeaderFault::TooLarge(header.len()));
        }
        let text = BASE64.decode(header.as_bytes()).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let text = text.ok_or(ApprovalsHeaderFault::Unreadable)?;
        let (head, armours) = text.split_once(HEAD_END).ok_or(ApprovalsHeaderFault::Unreadable)?;
        let signatures = split_signatures(armours);
        if signatures.concat() != armours {
            return Err(ApprovalsHeaderFault::Unreadable);
        }
        let file = format!("{head}{HEAD_END}{body}");
        Ok(Self { proposal: Proposal::parse(&file)?, file, signatures })
    }
}
