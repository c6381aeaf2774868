//! An exported journal, as `bursar export audit --format json` writes it.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::domain::approval::{PolicyRecord, SignedStatement, StatementKind, StatementWithProposal};
use crate::domain::order::ConsoleIdentity;
use crate::domain::{Operation, OrderId, Text, Timestamp};
use crate::journal::Record;

/// A record; every cell is text.
#[derive(Debug, Deserialize)]
pub(super) struct AuditRow {
    record: String,
    at: String,
    user: String,
    host: String,
    run: Uuid,
    profile: String,
    environment: Option<String>,
    order: Option<Uuid>,
    kind: String,
    body: String,
    prev_hash: String,
    hash: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct SignedStatementBody {
    /// Present where the order is another journal's.
    pub(super) base_url: Option<String>,
    file: String,
    #[serde(flatten)]
    statement: StatementBody,
}

#[derive(Debug, Deserialize)]
struct StatementBody {
    signature: String,
    principal: String,
    key: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct PolicyBody {
    pub(super) base_url: String,
    file: String,
    signed: Vec<StatementBody>,
}

#[derive(Debug, Deserialize)]
pub(super) struct DraftedBody {
    draft: DraftBody,
    pub(super) request: DraftedRequest,
    pub(super) to: DraftedDestination,
}

#[derive(Debug, Deserialize)]
struct DraftBody {
    operation: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct DraftedRequest {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) body: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct DraftedDestination {
    pub(super) base_url: String,
    pub(super) environment: Option<String>,
}

/// What a record's body states; `None` where it is not of that form.
pub(super) fn read_body<T: DeserializeOwned>(json: &str) -> Option<T> {
    serde_json::from_str(json).ok()
}

impl AuditRow {
    /// The record as its journal has it; `None` where a cell cannot be read.
    pub(super) fn into_record(self) -> Option<Record> {
        let hash = |text: &str| hex::decode(text).ok()?.try_into().ok();
        Some(Record {
            seq: self.record.parse().ok()?,
            at: Timestamp::parse_iso(&self.at)?,
            by: ConsoleIdentity { user: Text::clean(&self.user), host: Text::clean(&self.host), run: self.run },
            profile: Text::clean(&self.profile),
            environment: self.environment.map(|word| Text::clean(&word)),
            order: self.order.map(OrderId),
            kind: self.kind,
            body: self.body,
            prev_hash: hash(&self.prev_hash)?,
            hash: hash(&self.hash)?,
        })
    }
}

impl DraftedBody {
    /// What is not known counts as money.
    pub(super) fn moves_money(&self) -> bool {
        let operation = Operation::ALL.into_iter().find(|operation| operation.journal_name() == self.draft.operation);
        operation.is_none_or(Operation::moves_money)
    }
}

impl StatementBody {
    fn into_statement(self, kind: StatementKind) -> SignedStatement {
        let (principal, key) = (Text::clean(&self.principal), Text::clean(&self.key));
        SignedStatement { kind, signature: self.signature, principal, key, reason: None }
    }
}

impl SignedStatementBody {
    pub(super) fn into_signed(self, kind: StatementKind) -> StatementWithProposal {
        StatementWithProposal { file: self.file, statement: self.statement.into_statement(kind) }
    }
}

impl PolicyBody {
    pub(super) fn into_policy(self) -> PolicyRecord {
        let statements = self.signed.into_iter().map(|signed| signed.into_statement(StatementKind::Policy)).collect();
        PolicyRecord { file: self.file, statements }
    }
}
