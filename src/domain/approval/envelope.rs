//! How a proposal and its signatures travel as one text: pasted, piped, or as a code to scan.

use super::{
    MAX_FILE, NotASigner, Proposal, ProposalFault, PublicKey, SignedStatement, Signers, StatementKind, verify,
};
use crate::domain::{Text, Timestamp};

const SIGNATURE_BEGINS: &str = "-----BEGIN SSH SIGNATURE-----";
const SIGNATURE_ENDS: &str = "-----END SSH SIGNATURE-----";

/// The most signatures of one proposal that are read.
const MAX_SIGNATURES: usize = 64;

/// What somebody signed, with the file that they signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementWithProposal {
    /// The proposal, byte for byte.
    pub file: String,
    pub statement: SignedStatement,
}

/// A proposal and armoured signatures over it, as carried: nothing of it is verified yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    pub proposal: Proposal,
    /// The proposal, byte for byte.
    pub file: String,
    pub signatures: Vec<String>,
}

/// Why a signature counts for nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StatementFault {
    #[error("the signature is not over this proposal, or not made to propose, approve or refuse")]
    NotOfThisFile,
    #[error("signed with {key}: {reason}")]
    NotASigner { key: String, reason: NotASigner },
}

impl Envelope {
    /// # Errors
    /// Where the text is no proposal, or longer than one with its signatures can be.
    pub fn parse(text: &str) -> Result<Self, ProposalFault> {
        if text.len() > MAX_FILE * 2 {
            return Err(ProposalFault::TooLarge(text.len()));
        }
        // Terminals paste a line end as a carriage return.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let (file, signatures) = match text.find(&format!("\n{SIGNATURE_BEGINS}")) {
            Some(at) => text.split_at(at),
            None => (text.trim_end_matches('\n'), ""),
        };
        let proposal = Proposal::parse(file)?;
        Ok(Self { proposal, file: file.to_owned(), signatures: split_signatures(signatures) })
    }

    pub fn to_text(&self) -> String {
        let mut text = self.file.clone();
        for signature in &self.signatures {
            text.push('\n');
            text.push_str(signature.trim_end_matches('\n'));
        }
        text.push('\n');
        text
    }
}

/// Each armoured signature of a text.
pub fn split_signatures(text: &str) -> Vec<String> {
    let whole = |part: &str| part.find(SIGNATURE_ENDS).map(|end| format!("{}{SIGNATURE_ENDS}\n", &part[..end]));
    let parts = text.split(SIGNATURE_BEGINS).skip(1).filter_map(whole);
    parts.take(MAX_SIGNATURES).map(|part| format!("{SIGNATURE_BEGINS}{part}")).collect()
}

impl SignedStatement {
    /// Reads a signature over a file: who signed it, and for what.
    ///
    /// # Errors
    /// Where it is not over exactly this file, or its key is not that of a signer at that time.
    pub fn from_signature(
        file: &str,
        signature: &str,
        signers: &Signers,
        at: Timestamp,
    ) -> Result<Self, StatementFault> {
        let (statement, key) = Self::from_signature_of_any_key(file, signature, signers)?;
        match signers.principal(&key, statement.kind.namespace(), at) {
            Ok(principal) => Ok(Self { principal, ..statement }),
            Err(reason) => Err(StatementFault::NotASigner { key: key.fingerprint(), reason }),
        }
    }

    /// Reads a signature over a file, whether or not it counts. Where the key is nobody's, its fingerprint stands for the
    /// person.
    pub(super) fn from_signature_of_any_key(
        file: &str,
        signature: &str,
        signers: &Signers,
    ) -> Result<(Self, PublicKey), StatementFault> {
        let kind_and_statement = StatementKind::ALL.into_iter().find_map(|kind| {
            verify(file.as_bytes(), kind.namespace(), signature).ok().map(|verified| (kind, verified.key))
        });
        let (kind, public) = kind_and_statement.ok_or(StatementFault::NotOfThisFile)?;
        let key = Text::clean(&public.fingerprint());
        let principal = signers.owner(&public).unwrap_or(&key).clone();
        Ok((Self { kind, signature: signature.to_owned(), principal, key, reason: None }, public))
    }
}
