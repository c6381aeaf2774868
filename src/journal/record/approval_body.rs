//! What people signed about an order, and the rules of approval, as stored in a record.

use serde::{Deserialize, Serialize};

use super::fields::BODY_VERSION;
use crate::domain::Text;
use crate::domain::approval::{PolicyRecord, SignedStatement, StatementKind, StatementWithProposal};

#[derive(Serialize, Deserialize)]
pub(super) struct SignedStatementBody {
    v: u32,
    /// Absent where the record belongs to an order, which names the service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base_url: Option<String>,
    /// The proposal, byte for byte.
    file: String,
    #[serde(flatten)]
    statement: StatementBody,
}

#[derive(Serialize, Deserialize)]
struct StatementBody {
    /// Armoured, as `ssh-keygen -Y verify` reads it.
    signature: String,
    principal: String,
    key: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ApprovalPolicyBody {
    v: u32,
    base_url: String,
    file: String,
    signed: Vec<StatementBody>,
}

impl StatementBody {
    fn new(statement: &SignedStatement) -> Self {
        Self {
            signature: statement.signature.clone(),
            principal: statement.principal.to_string(),
            key: statement.key.to_string(),
            reason: statement.reason.as_ref().map(ToString::to_string),
        }
    }

    fn read(self, kind: StatementKind) -> SignedStatement {
        SignedStatement {
            kind,
            signature: self.signature,
            principal: Text::clean(&self.principal),
            key: Text::clean(&self.key),
            reason: self.reason.map(|reason| Text::clean(&reason)),
        }
    }
}

impl SignedStatementBody {
    pub(super) fn new(signed: &StatementWithProposal, base_url: Option<&Text>) -> Self {
        Self {
            v: BODY_VERSION,
            base_url: base_url.map(ToString::to_string),
            file: signed.file.clone(),
            statement: StatementBody::new(&signed.statement),
        }
    }

    pub(super) fn read(self, kind: StatementKind) -> (Option<Text>, StatementWithProposal) {
        let signed = StatementWithProposal { file: self.file, statement: self.statement.read(kind) };
        (self.base_url.map(|base_url| Text::clean(&base_url)), signed)
    }
}

impl ApprovalPolicyBody {
    pub(super) fn new(base_url: &Text, policy: &PolicyRecord) -> Self {
        Self {
            v: BODY_VERSION,
            base_url: base_url.to_string(),
            file: policy.file.clone(),
            signed: policy.statements.iter().map(StatementBody::new).collect(),
        }
    }

    pub(super) fn read(self) -> (Text, PolicyRecord) {
        let statements = self.signed.into_iter().map(|signed| signed.read(StatementKind::Policy)).collect();
        (Text::clean(&self.base_url), PolicyRecord { file: self.file, statements })
    }
}
