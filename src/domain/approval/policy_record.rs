//! The rules of approval as the journal records them: they change only with the signatures of the people whom they name.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{ApprovalPolicy, NotApproved, SignedStatement, Signers, StatementKind, verify};
use crate::domain::{Text, Timestamp};

const FIRST_LINE: &str = "bursar-policy 1";

/// Rules of approval, and who signed that they take the place of those before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyRecord {
    /// The signed text: its first line, and an object in JSON.
    pub file: String,
    pub statements: Vec<SignedStatement>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyBody {
    base_url: String,
    /// The hash of the rules before; absent for the first.
    previous: Option<String>,
    hash: String,
    /// The most approvals that a rule asks for: so many people, and one more who proposes, change the rules.
    needs: u8,
    /// For people.
    rules: Vec<String>,
    signers: String,
    revoked: String,
}

impl PolicyRecord {
    /// The text to sign so that these rules take the place of those before.
    pub fn new(base_url: &str, before: Option<&Self>, policy: &ApprovalPolicy) -> Self {
        let (signers, revoked) = policy.signers.file_texts();
        let body = PolicyBody {
            base_url: base_url.to_owned(),
            previous: before.map(Self::rules_hash),
            hash: policy.hash(),
            needs: policy.rules.iter().map(|rule| rule.needs).max().unwrap_or(0),
            rules: policy.rules.iter().map(ToString::to_string).collect(),
            signers: signers.to_owned(),
            revoked: revoked.to_owned(),
        };
        let json = serde_json::to_string_pretty(&body).unwrap_or_default();
        Self { file: format!("{FIRST_LINE}\n{json}\n"), statements: Vec::new() }
    }

    fn parse_body(&self) -> Option<PolicyBody> {
        serde_json::from_str(self.file.strip_prefix(FIRST_LINE)?).ok()
    }

    /// The hash of the rules; empty where the text cannot be read, which no rules have.
    pub fn rules_hash(&self) -> String {
        self.parse_body().map(|body| body.hash).unwrap_or_default()
    }

    /// The rules in words.
    pub fn rule_texts(&self) -> Vec<String> {
        self.parse_body().map(|body| body.rules).unwrap_or_default()
    }

    /// Who may sign under the rules, and the revoked keys: the texts of both files.
    pub fn signer_file_texts(&self) -> Option<(String, String)> {
        self.parse_body().map(|body| (body.signers, body.revoked))
    }

    /// How many people must sign a change of these rules.
    pub fn people_needed_to_change(&self) -> usize {
        self.parse_body().map_or(usize::MAX, |body| usize::from(body.needs) + 1)
    }

    /// The people of these rules who signed a text that would change them.
    pub fn people_who_signed_change(&self, change: &Self, at: Timestamp) -> BTreeSet<Text> {
        let Some(body) = self.parse_body() else { return BTreeSet::new() };
        let Ok(signers) = Signers::parse(&body.signers, &body.revoked) else { return BTreeSet::new() };
        let namespace = StatementKind::Policy.namespace();
        let person = |signed: &SignedStatement| {
            let verified = verify(change.file.as_bytes(), namespace, &signed.signature).ok()?;
            signers.principal(&verified.key, namespace, at).ok()
        };
        change.statements.iter().filter_map(person).collect()
    }

    /// Whether these rules may take the place of those recorded before. The first ones may: whoever sets up a console
    /// writes them.
    pub fn check_change(&self, before: Option<&Self>, at: Timestamp) -> Result<(), NotApproved> {
        let (Some(body), Some(before)) = (self.parse_body(), before) else {
            return if self.parse_body().is_some() { Ok(()) } else { Err(NotApproved::PolicyChanged) };
        };
        if body.previous.as_deref() != Some(before.rules_hash().as_str()) {
            return Err(NotApproved::PolicyChanged);
        }
        let (signed, needs) = (before.people_who_signed_change(self, at).len(), before.people_needed_to_change());
        if signed < needs { Err(NotApproved::PolicyChangeUnsigned { signed, needs }) } else { Ok(()) }
    }
}
