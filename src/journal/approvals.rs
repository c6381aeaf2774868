//! What people signed about orders that need their approval, and the rules under which they did.

use rusqlite::Connection;

use super::file::{self, NewRecord};
use super::imports::read_records_of_kind;
use super::record::Body;
use super::{Journal, JournalError};
use crate::domain::approval::{
    ApprovalPolicy, NotApproved, PolicyRecord, RecordedOrder, SignedProposal, SignedStatement, StatementWithProposal,
    check_release,
};
use crate::domain::order::{DraftedOrder, IllegalOrderEvent, OrderEvent, ServiceDestination};
use crate::domain::{Order, OrderId, Timestamp};

impl Journal {
    /// Records what somebody signed about the proposal of an order of this journal.
    ///
    /// # Errors
    /// [`JournalError::Illegal`] where the order was sent or ended, or the file is not its present proposal.
    pub fn record_statement(
        &self,
        id: OrderId,
        signed: StatementWithProposal,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let kind = signed.statement.kind.journal_name();
        self.record_event(kind, id, at, |_| Ok(Some(OrderEvent::Signed(Box::new(signed)))))
    }

    /// Records what was signed here about a proposal from another journal. `to` names the service and the profile.
    pub fn record_statement_on_foreign_proposal(
        &self,
        to: &ServiceDestination,
        signed: StatementWithProposal,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let (kind, destination) = (signed.statement.kind.journal_name(), Some(to.clone()));
        let body = Body::Signed { base_url: to.base_url.clone(), signed: Box::new(signed) };
        let written = self
            .lock()
            .write_record(kind, at, &self.console, |_, _| Ok(Some(NewRecord { order: None, destination, body })));
        written.map_err(|error| self.name_folder_in_error(error))
    }

    /// What was signed here about proposals from other journals, the oldest first.
    pub fn statements_on_foreign_proposals(
        &self,
        base_url: &str,
    ) -> Result<Vec<(Timestamp, StatementWithProposal)>, JournalError> {
        let statements = self.lock().read_consistent(|connection, _| {
            let mut statements = Vec::new();
            for kind in ["approved", "refused"] {
                for record in read_records_of_kind(connection, kind, None)? {
                    if let Body::Signed { base_url: recorded_url, signed } = record.decode_body()?
                        && *recorded_url == *base_url
                    {
                        statements.push((record.at, *signed));
                    }
                }
            }
            statements.sort_by_key(|(at, _)| *at);
            Ok(statements)
        });
        statements.map_err(|error| self.name_folder_in_error(error))
    }

    /// Records an order that another console proposed and this one releases, under the identifier of its proposal.
    ///
    /// # Errors
    /// [`JournalError::Illegal`] where this journal has an order with that identifier: it is released at most once.
    pub fn record_proposed_order(
        &self,
        id: OrderId,
        drafted: DraftedOrder,
        at: Timestamp,
    ) -> Result<Order, JournalError> {
        let mut journal = self.lock();
        let written = journal.write_record("drafted", at, &self.console, |connection, journal_projection| {
            match file::find_order(connection, journal_projection, id) {
                Err(JournalError::NoSuchOrder(_)) => {}
                Err(error) => return Err(error),
                Ok(_) => return Err(IllegalOrderEvent::Confirmed.into()),
            }
            let destination = Some(drafted.destination.clone());
            let body = Body::Event(OrderEvent::Drafted(Box::new(drafted)));
            Ok(Some(NewRecord { order: Some(id), destination, body }))
        });
        written.map_err(|error| self.name_folder_in_error(error))?;
        journal.projection.open_order(id).cloned().ok_or(JournalError::NoSuchOrder(id))
    }

    /// The hash of the record that drafted an order.
    pub fn draft_hash(&self, id: OrderId) -> Result<[u8; 32], JournalError> {
        let hash = self.lock().read_consistent(|connection, _| file::draft_hash(connection, id));
        hash.map_err(|error| self.name_folder_in_error(error))
    }

    /// Records the rules of approval, and who signed that they replace those before.
    ///
    /// # Errors
    /// [`JournalError::Illegal`] where the people of the rules before have not signed the change.
    pub fn record_approval_policy(
        &self,
        to: &ServiceDestination,
        change: PolicyRecord,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let destination = Some(to.clone());
        let written = self.lock().write_record("policy", at, &self.console, |connection, _| {
            let before = read_approval_policy(connection, &to.base_url)?;
            change.check_change(before.as_ref(), at).map_err(IllegalOrderEvent::from)?;
            let body = Body::ApprovalPolicy { base_url: to.base_url.clone(), policy: Box::new(change) };
            Ok(Some(NewRecord { order: None, destination, body }))
        });
        written.map_err(|error| self.name_folder_in_error(error))
    }

    /// The rules of approval that were last recorded for a service.
    pub fn approval_policy(&self, base_url: &str) -> Result<Option<PolicyRecord>, JournalError> {
        let policy = self.lock().read_consistent(|connection, _| read_approval_policy(connection, base_url));
        policy.map_err(|error| self.name_folder_in_error(error))
    }
}

fn read_approval_policy(connection: &Connection, base_url: &str) -> Result<Option<PolicyRecord>, JournalError> {
    for record in read_records_of_kind(connection, "policy", None)?.into_iter().rev() {
        if let Body::ApprovalPolicy { base_url: recorded_url, policy } = record.decode_body()?
            && *recorded_url == *base_url
        {
            return Ok(Some(*policy));
        }
    }
    Ok(None)
}

/// Whether an order may be sent under the rules of approval: counted from the signatures themselves, inside the
/// transaction that permits to send. An order of which something may have left is only ever sent again as it was.
pub(super) fn check_approvals(
    connection: &Connection,
    order: &Order,
    policy: &ApprovalPolicy,
    at: Timestamp,
) -> Result<(), JournalError> {
    let recorded = read_approval_policy(connection, &order.drafted.destination.base_url)?;
    let policy_hash = policy.hash();
    if recorded.is_some_and(|recorded| recorded.rules_hash() != policy_hash) {
        return Err(IllegalOrderEvent::from(NotApproved::PolicyChanged).into());
    }
    if order.first_sent_at().is_some() {
        return Ok(());
    }
    let statements: Vec<SignedStatement> =
        order.approval.iter().flat_map(|approval| &approval.statements).map(|(_, signed)| signed.clone()).collect();
    let signed =
        order.approval.as_ref().map(|approval| SignedProposal { file: &approval.file, statements: &statements });
    let record_hash = match &order.approval {
        Some(approval) if approval.is_drafted_here => Some(file::draft_hash(connection, order.id)?),
        _ => None,
    };
    let order = RecordedOrder { id: order.id, drafted: &order.drafted, record_hash };
    check_release(policy, order, signed, at).map_err(|reason| IllegalOrderEvent::from(reason).into())
}
