//! Statements that were carried here, recorded; and those of this journal, carried on.

use std::path::Path;

use super::folder;
use crate::domain::approval::{ApprovalPolicy, Envelope, SignedStatement, StatementKind, StatementWithProposal};
use crate::domain::order::{OrderApproval, OrderEnd};
use crate::domain::{Order, Text, Timestamp};
use crate::journal::{Journal, JournalError};
use crate::runtime::HostPermission;

/// Records signatures over an order's proposal that the journal does not have, and gives the order up where somebody
/// refused it. Returns the order as it is then.
pub(super) fn record_new_statements<'a>(
    journal: &Journal,
    order: &Order,
    carried: impl Iterator<Item = &'a Envelope>,
    policy: &ApprovalPolicy,
    at: Timestamp,
    reason: impl Fn(&SignedStatement) -> Option<Text>,
) -> Result<Order, JournalError> {
    let Some(approval) = &order.approval else { return Ok(order.clone()) };
    let mut signatures: Vec<String> = approval.statements.iter().map(|(_, signed)| signed.signature.clone()).collect();
    for signature in carried.filter(|other| other.file == approval.file).flat_map(|other| &other.signatures) {
        if signatures.contains(signature) {
            continue;
        }
        signatures.push(signature.clone());
        match SignedStatement::from_signature(&approval.file, signature, &policy.signers, at) {
            Ok(statement) if matches!(statement.kind, StatementKind::Approve | StatementKind::Refuse) => {
                let statement = SignedStatement { reason: reason(&statement), ..statement };
                let signed = StatementWithProposal { file: approval.file.clone(), statement };
                journal.record_statement(order.id, signed, at)?;
            }
            Ok(_) => {}
            Err(why) => tracing::info!(%why, order = %order.id, "a signature over a proposal does not count"),
        }
    }
    let order = journal.order(order.id)?;
    if order.end.is_none()
        && let Some(refusal) = order.approval.as_ref().and_then(OrderApproval::refuse_statement)
    {
        let reason = refusal.reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
        let reason_text = Text::clean(&format!("{} refused it{reason}", refusal.principal));
        journal.record_end(order.id, OrderEnd::Abandoned(Some(reason_text)), at)?;
        return journal.order(order.id);
    }
    Ok(order)
}

/// Writes what the folder lacks of an order's proposal.
///
/// # Errors
/// Where the other desks do not see it: what could not be written, and why, in words.
pub(super) fn write_missing_files(
    host: &HostPermission,
    path: &Path,
    order: &Order,
    file: &str,
    statements: &[SignedStatement],
) -> Result<(), String> {
    let mut written = folder::write_proposal(host, path, order.id, file);
    for signed in statements {
        written = written.and_then(|()| folder::write_statement(host, path, order.id, signed));
    }
    written
}
