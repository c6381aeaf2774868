//! A policy of approvals as a text: the file that is signed, and the signatures below it.

use std::path::Path;

use anyhow::{anyhow, bail};

use super::audit_file::{PolicyBody, read_body};
use super::proposals::Proposals;
use crate::domain::Text;
use crate::domain::approval::{
    NotApproved, PolicyRecord, PublicKey, SignedStatement, Signers, StatementKind, split_signatures, verify,
};
use crate::journal::{Journal, JournalError, JournalSnapshot};

const SIGNATURE_BEGINS: &str = "-----BEGIN SSH SIGNATURE-----";

/// # Errors
/// Where the text is no policy, or a signature is not over it.
pub(super) fn parse(text: &str, signer_lists: &[&Signers]) -> anyhow::Result<PolicyRecord> {
    let text = text.replace("\r\n", "\n");
    let (file, signatures) = text.split_at(text.find(SIGNATURE_BEGINS).unwrap_or(text.len()));
    let mut change = PolicyRecord { file: file.to_owned(), statements: Vec::new() };
    if change.rules_hash().is_empty() {
        bail!("this is no policy of approvals; `bursar approvals policy --propose` writes one");
    }
    for signature in split_signatures(signatures) {
        let verified = verify(change.file.as_bytes(), StatementKind::Policy.namespace(), &signature)
            .map_err(|fault| anyhow!("a signature does not belong to this policy: {fault}"))?;
        change.statements.push(SignedStatement {
            kind: StatementKind::Policy,
            principal: owner(&verified.key, signer_lists),
            key: Text::clean(&verified.key.fingerprint()),
            signature,
            reason: None,
        });
    }
    Ok(change)
}

pub(super) fn to_text(change: &PolicyRecord) -> String {
    let signatures = change.statements.iter().map(|signed| signed.signature.trim_end_matches('\n').to_owned() + "\n");
    change.file.clone() + &signatures.collect::<String>()
}

/// Whose a key is, by the people of either rules; nobody's key is named by its fingerprint.
fn owner(key: &PublicKey, signer_lists: &[&Signers]) -> Text {
    let owner = signer_lists.iter().find_map(|signers| signers.owner(key));
    owner.cloned().unwrap_or_else(|| Text::clean(&key.fingerprint()))
}

/// The people of recorded rules.
pub(super) fn signers_of(policy: &PolicyRecord) -> Option<Signers> {
    let (signers, revoked) = policy.signer_file_texts()?;
    Signers::parse(&signers, &revoked).ok()
}

/// The rules that a journal recorded last for a service, without opening it for writing.
pub(in crate::cli) fn recorded_policy(folder: &Path, base_url: &str) -> anyhow::Result<Option<PolicyRecord>> {
    Ok(recorded_policies(folder, base_url)?.pop())
}

/// All rules that a journal recorded for a service, the last ones last.
pub(super) fn recorded_policies(folder: &Path, base_url: &str) -> anyhow::Result<Vec<PolicyRecord>> {
    let mut recorded = Vec::new();
    let journal = match JournalSnapshot::open(folder) {
        Ok(journal) => journal,
        Err(JournalError::Missing { .. }) => return Ok(recorded),
        Err(error) => return Err(error.into()),
    };
    journal.records(|record| {
        let body = (record.kind == StatementKind::Policy.journal_name()).then(|| read_body::<PolicyBody>(&record.body));
        if let Some(body) = body.flatten().filter(|body| body.base_url == base_url) {
            recorded.push(body.into_policy());
        }
        std::ops::ControlFlow::Continue(())
    })?;
    Ok(recorded)
}

/// Records the rules where none were recorded yet; refuses where the journal records others.
pub(super) fn check_recorded_policy(journal: &Journal, proposals: &Proposals) -> anyhow::Result<()> {
    let (destination, policy) = (&proposals.destination, &proposals.policy);
    match journal.approval_policy(&destination.base_url)? {
        Some(recorded) if recorded.rules_hash() != policy.hash() => bail!("{}", NotApproved::PolicyChanged),
        Some(_) => Ok(()),
        None => {
            let first = PolicyRecord::new(&destination.base_url, None, policy);
            Ok(journal.record_approval_policy(destination, first, proposals.now)?)
        }
    }
}
