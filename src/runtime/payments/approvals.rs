//! Proposes, approves, refuses and releases payments that other people must approve.
//!
//! ```text
//!  Propose ─▶ journal.confirmed ─▶ file ─▶ signed ─▶ journal.proposed ─▶ folder
//!  Approve ─▶ the bytes decoded, the guard of this console ─▶ signed ─▶ journal.approved ─▶ folder
//!  every poll ─▶ folder ─▶ signatures that are new, verified ─▶ journal.approved, refused
//!  Release ─▶ as any order: the review, the guard, journal.permit_send counts the signatures, sent
//! ```
//!
//! What stands in the folder is believed by its signatures alone. Writing there may fail: the journal has all of it, and
//! each poll writes what is missing.

mod elsewhere;
mod exchange;
pub mod folder;
mod open;
mod paying_side;
mod signing;
mod standing;

use std::collections::HashMap;
use std::sync::{MutexGuard, PoisonError};

use exchange::{record_new_statements, write_missing_files};
use folder::FolderContent;
pub use paying_side::find_sender_in_store;
pub use signing::{ApprovalSources, KeySource, SignersSource, SigningKey};
use standing::proposal_entry;
pub use standing::proposal_standing;

use super::{OrderExecutor, local_failure};
use crate::api;
use crate::app::data::proposals::{ProposalEntry, ProposalReport, ProposalStanding};
use crate::app::{Effect, Msg};
use crate::domain::approval::{
    ApprovalPolicy, Envelope, NotApproved, PolicyRecord, Proposal, SignedStatement, StatementKind,
    StatementWithProposal, check_destination,
};
use crate::domain::order::{Confirmation, OrderState, ServiceDestination};
use crate::domain::{Draft, Failure, Order, OrderId, Text, Timestamp};
use crate::journal::{Journal, JournalError};
use crate::runtime::completion::Completion;

/// Proposals that arrived here by hand, and those of the folder that were opened: by order.
pub(super) type ForeignProposals = HashMap<OrderId, ForeignProposal>;

#[derive(Debug, Clone)]
pub(super) struct ForeignProposal {
    envelope: Envelope,
    /// As opened for review; the journal of this console has no such order.
    order: Option<Order>,
}

impl OrderExecutor {
    /// Runs an effect that concerns proposals.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the caller passes no other")]
    pub(super) async fn run_approval_effect(&self, effect: Effect) -> Option<Msg> {
        match effect {
            Effect::Propose { order_id, confirmation } => {
                let result = self.propose_order(order_id, confirmation).await;
                self.report_journal().await;
                Some(Msg::Proposed { order_id, result })
            }
            Effect::OpenProposal { order_id, releases, request_id } => {
                let result = self.open_proposal(order_id, releases).await.map(Box::new);
                if releases {
                    self.report_journal().await;
                }
                Some(Msg::Prepared { request_id, result })
            }
            Effect::SignProposal { order_id, kind, reason } => {
                let result = self.sign_proposal(order_id, kind, reason).await;
                self.report_journal().await;
                Some(Msg::ProposalSigned { order_id, kind, result })
            }
            Effect::ImportProposal(text) => {
                let result = self.receive_proposal_text(&text);
                self.report_proposals().await;
                Some(Msg::ProposalImported(result))
            }
            Effect::ReadProposals => {
                self.report_proposals().await;
                None
            }
            _ => None,
        }
    }

    /// The rules, with those who may sign.
    pub(super) async fn approval_policy(&self) -> Result<ApprovalPolicy, Failure> {
        let (sources, rules) = (self.payment_context.approvals.clone(), self.payment_context.policy.approval.clone());
        let policy = tokio::task::spawn_blocking(move || sources.policy_with_signers(&rules)).await;
        policy
            .unwrap_or_else(|fault| Err(format!("this was interrupted: {fault}")))
            .map_err(|reason| local_failure(&reason))
    }

    /// Records the rules, where none were recorded yet.
    pub(super) async fn record_first_policy(&self) -> Result<(), Failure> {
        if self.payment_context.policy.approval.is_empty() {
            return Ok(());
        }
        let (policy, at, destination) =
            (self.approval_policy().await?, self.now(), self.payment_context.destination.clone());
        self.with_journal(move |journal| {
            if journal.approval_policy(&destination.base_url)?.is_some() {
                return Ok(());
            }
            journal.record_approval_policy(&destination, PolicyRecord::new(&destination.base_url, None, &policy), at)
        })
        .await
    }

    /// Proposes an order that was reviewed: nothing is sent.
    pub(super) async fn propose_order(&self, id: OrderId, confirmation: Confirmation) -> Result<Text, Failure> {
        let policy = self.approval_policy().await?;
        self.check_recorded_policy(&policy).await?;
        self.judge_before_send(id, Some(&confirmation)).await?;
        let at = self.now();
        let sources = self.payment_context.approvals.clone();
        let key = sources
            .signing_key(StatementKind::Propose, &policy, &[], at)
            .await
            .map_err(|reason| local_failure(&reason))?;
        let (order, record_hash) =
            self.with_journal(move |journal| Ok((journal.order(id)?, journal.draft_hash(id)?))).await?;
        let requirement = policy
            .requirement_for_draft(&order.drafted.draft, order.drafted.sender.as_ref())
            .ok_or_else(|| local_failure("no rule asks for an approval of this payment"))?;
        let to = &order.drafted.destination;
        let request = &order.drafted.request;
        let proposal = Proposal {
            order: id,
            record_hash,
            base_url: to.base_url.clone(),
            environment: to.environment,
            method: request.method.clone(),
            path: request.path.clone(),
            made_at: at,
            expires: at.plus(requirement.within),
            rule: requirement.rule.clone(),
            policy_hash: policy.hash(),
            maker: key.person.clone(),
            body: request.body.clone(),
        };
        let file = proposal.to_file();
        let statement = key.sign(StatementKind::Propose, &file).await.map_err(|reason| local_failure(&reason))?;
        self.with_journal(move |journal| {
            if journal.order(id)?.confirmed.is_none() {
                journal.record_confirmation(id, confirmation, at)?;
            }
            journal.record_statement(id, StatementWithProposal { file, statement }, at)
        })
        .await?;
        self.drop_review_client(id);
        Ok(requirement.rule)
    }

    /// Signs that a proposal is approved or refused, and records that.
    pub(super) async fn sign_proposal(
        &self,
        id: OrderId,
        kind: StatementKind,
        reason: Option<Text>,
    ) -> Result<(), Failure> {
        let entries = self.read_proposals().await?;
        let entry = entries.into_iter().find(|entry| entry.proposal.order == id);
        let entry = entry.ok_or_else(|| local_failure("this proposal is gone: it was sent, refused or taken away"))?;
        if entry.standing == ProposalStanding::Sent {
            return Err(local_failure(&NotApproved::SentElsewhere.to_string()));
        }
        let (policy, at) = (self.approval_policy().await?, self.now());
        self.check_recorded_policy(&policy).await?;
        let (sources, excluded) = (self.payment_context.approvals.clone(), entry.excluded_signers(kind));
        let key = sources.signing_key(kind, &policy, &excluded, at).await.map_err(|fault| local_failure(&fault))?;
        let statement = key.sign(kind, &entry.file).await.map_err(|fault| local_failure(&fault))?;
        let signed = StatementWithProposal { file: entry.file, statement: SignedStatement { reason, ..statement } };
        let (is_here, destination) = (entry.is_here, self.payment_context.destination.clone());
        let carried = signed.statement.signature.clone();
        self.with_journal(move |journal| {
            if is_here {
                journal.record_statement(id, signed, at)
            } else {
                journal.record_statement_on_foreign_proposal(&destination, signed, at)
            }
        })
        .await?;
        if let Some(proposal) = self.lock_foreign_proposals().get_mut(&id) {
            proposal.envelope.signatures.push(carried);
        }
        Ok(())
    }

    /// Takes in a proposal or signatures that were carried here as a text.
    pub(super) fn receive_proposal_text(&self, text: &str) -> Result<OrderId, Failure> {
        let envelope = Envelope::parse(text).map_err(|fault| local_failure(&fault.to_string()))?;
        check_destination(&envelope.proposal, &self.payment_context.destination)
            .map_err(|reason| local_failure(&reason.to_string()))?;
        let id = envelope.proposal.order;
        let mut carried = self.lock_foreign_proposals();
        match carried.get_mut(&id).filter(|proposal| proposal.envelope.file == envelope.file) {
            Some(proposal) => proposal.envelope.signatures.extend(envelope.signatures),
            None => drop(carried.insert(id, ForeignProposal { envelope, order: None })),
        }
        Ok(id)
    }

    /// Reports to the model what waits; and the orders, where reading it changed any.
    pub(super) async fn report_proposals(&self) {
        let before = self.with_journal(Journal::last_seq).await;
        let Some(proposals) = self.proposals_message().await else { return };
        if self.with_journal(Journal::last_seq).await == before {
            // Sending fails only when the console ends.
            let _ = self.completions.send(Completion::Message(proposals));
        } else {
            self.report_journal().await;
        }
    }

    /// What waits, for the model; `None` where no payment needs an approval.
    pub(super) async fn proposals_message(&self) -> Option<Msg> {
        if self.payment_context.policy.approval.is_empty() {
            return None;
        }
        Some(Msg::Proposals(self.proposal_report().await))
    }

    async fn proposal_report(&self) -> Result<ProposalReport, Failure> {
        let content = self.read_exchange_folder().await?;
        let (policy, at) = (self.approval_policy().await?, self.now());
        let rules = self.check_recorded_policy(&policy).await.err().map(|failure| failure.to_string());
        let (entries, faults) = self.collect_proposals_with_folder(content).await?;
        let faults = rules.into_iter().chain(faults).map(|fault| Text::clean(&fault)).collect();
        Ok(ProposalReport { entries, signers: self.payment_context.approvals.desk_signers(&policy, at).await, faults })
    }

    /// Whether the rules of this console are those that the journal records; it may have been started before they were
    /// adopted.
    async fn check_recorded_policy(&self, policy: &ApprovalPolicy) -> Result<(), Failure> {
        let base_url = self.payment_context.destination.base_url.clone();
        let recorded = self.with_journal(move |journal| journal.approval_policy(&base_url)).await?;
        match recorded {
            Some(recorded) if recorded.rules_hash() != policy.hash() => {
                Err(local_failure(&NotApproved::PolicyChanged.to_string()))
            }
            _ => Ok(()),
        }
    }

    fn lock_foreign_proposals(&self) -> MutexGuard<'_, ForeignProposals> {
        self.foreign_proposals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everything that waits for approvals or for its release: of this journal, of the folder, and carried here. New
    /// signatures over orders of this journal are recorded, what the folder lacks is written there, and an order that
    /// somebody refused is given up.
    pub(super) async fn read_proposals(&self) -> Result<Vec<ProposalEntry>, Failure> {
        if self.payment_context.policy.approval.is_empty() {
            return Ok(Vec::new());
        }
        let content = self.read_exchange_folder().await?;
        self.collect_proposals_with_folder(content).await.map(|(entries, _)| entries)
    }

    /// The proposals of the journal, of the folder and of those carried here; and what is wrong with the folder.
    async fn collect_proposals_with_folder(
        &self,
        content: FolderContent,
    ) -> Result<(Vec<ProposalEntry>, Vec<String>), Failure> {
        let mut envelopes = content.proposals.clone();
        let (policy, at) = (self.approval_policy().await?, self.now());
        envelopes.extend(self.lock_foreign_proposals().values().map(|proposal| proposal.envelope.clone()));
        let destination = self.payment_context.destination.clone();
        let place = destination.clone();
        let proposed = self.with_journal(move |journal| read_proposed_orders(journal, &place)).await?;
        let executed = self.follow_sent_elsewhere(&proposed, &envelopes).await?;
        let sources = self.payment_context.approvals.clone();
        let host = self.resources.host.clone();
        let (wire, role) = (self.payment_context.wire.clone(), self.payment_context.policy.role);
        self.with_journal(move |journal| {
            let (mut entries, mut faults) = (Vec::new(), content.faults.clone());
            for order in read_orders_with_open_proposal(journal, &destination, at)? {
                let signatures = envelopes.iter().filter(|other| other.proposal.order == order.id);
                let order = record_new_statements(journal, &order, signatures, &policy, at, |signed| {
                    let (host, folder) = (host.as_ref()?, sources.folder.as_ref()?);
                    folder::read_refusal_reason(host, folder, order.id, signed).map(|reason| Text::clean(&reason))
                })?;
                let Some(approval) = &order.approval else { continue };
                let statements: Vec<SignedStatement> =
                    approval.statements.iter().map(|(_, signed)| signed.clone()).collect();
                if let (Some(host), Some(folder)) = (&host, &sources.folder) {
                    faults.extend(write_missing_files(host, folder, &order, &approval.file, &statements).err());
                }
                if order.end.is_none()
                    && let Ok(proposal) = Proposal::parse(&approval.file)
                {
                    let draft = order.drafted.draft.clone();
                    let mut waiting =
                        proposal_entry(&policy, proposal, &approval.file, statements, Some(draft), true, at);
                    if order.attempts.is_empty() && content.is_sent_elsewhere(order.id, &journal.draft_hash(order.id)?)
                    {
                        waiting.standing = ProposalStanding::Sent;
                    }
                    entries.push(waiting);
                }
            }
            let signed_here = journal.statements_on_foreign_proposals(&destination.base_url)?;
            for envelope in envelopes {
                let Envelope { proposal, file, signatures } = envelope;
                let id = proposal.order;
                let is_known = entries.iter().any(|entry: &ProposalEntry| entry.proposal.order == id);
                if is_known
                    || executed.contains(&id)
                    || content.sent_orders.contains_key(&id)
                    || check_destination(&proposal, &destination).is_err()
                    || journal.order(id).is_ok_and(|order| is_continued_here(&order))
                {
                    continue;
                }
                let mut statements: Vec<SignedStatement> = signatures
                    .iter()
                    .filter_map(|signature| SignedStatement::from_signature(&file, signature, &policy.signers, at).ok())
                    .collect();
                let own = signed_here.iter().filter(|(_, signed)| signed.file == file);
                for (_, signed) in own {
                    if let (Some(host), Some(folder)) = (&host, &sources.folder) {
                        faults.extend(folder::write_statement(host, folder, id, &signed.statement).err());
                    }
                    if !statements.contains(&signed.statement) {
                        statements.push(signed.statement.clone());
                    }
                }
                // The journal records a proposal before what others signed about it.
                statements.sort_by_key(|signed| signed.kind != StatementKind::Propose);
                let draft =
                    open::request_of_proposal(&proposal, &wire).and_then(|request| api::decode(&request, &wire).ok());
                entries.push(proposal_entry(&policy, proposal, &file, statements, draft, false, at));
            }
            for entry in &mut entries {
                let operation = entry.draft.as_ref().map(Draft::operation);
                entry.is_sendable_here = operation.is_some_and(|operation| role.may_send(operation, entry.is_here));
            }
            entries.sort_by_key(|entry| entry.proposal.made_at);
            Ok((entries, faults))
        })
        .await
    }

    async fn read_exchange_folder(&self) -> Result<FolderContent, Failure> {
        let (Some(host), Some(folder)) = (self.resources.host.clone(), self.payment_context.approvals.folder.clone())
        else {
            return Ok(FolderContent::default());
        };
        let content = tokio::task::spawn_blocking(move || folder::read_folder(&host, &folder)).await;
        content
            .unwrap_or_else(|fault| Err(format!("this was interrupted: {fault}")))
            .map_err(|reason| local_failure(&reason))
    }
}

/// Whether an order from elsewhere goes on in this journal: a program that was killed may have recorded no more than its
/// draft.
fn is_continued_here(order: &Order) -> bool {
    order.approval.is_some() || order.end.is_some() || order.first_sent_at().is_some()
}

/// The orders of this service that were proposed.
fn read_proposed_orders(journal: &Journal, destination: &ServiceDestination) -> Result<Vec<Order>, JournalError> {
    let mut orders = journal.orders(destination, super::MAX_CLOSED_ORDERS)?;
    orders.retain(|order| order.approval.is_some() && order.drafted.destination.base_url == destination.base_url);
    Ok(orders)
}

/// Those that were neither sent nor ended.
fn read_orders_with_open_proposal(
    journal: &Journal,
    destination: &ServiceDestination,
    at: Timestamp,
) -> Result<Vec<Order>, JournalError> {
    let mut orders = read_proposed_orders(journal, destination)?;
    orders.retain(|order| matches!(order.state(at), OrderState::Drafted | OrderState::Confirmed | OrderState::NotSent));
    Ok(orders)
}
