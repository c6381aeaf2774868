//! Opens a proposal for review: from its bytes alone, with the facts of this console.

use super::super::{OrderExecutor, local_failure};
use super::paying_side::find_sender_in_store;
use crate::api;
use crate::app::PreparedOrder;
use crate::domain::approval::{Proposal, StatementWithProposal};
use crate::domain::draft::Sender;
use crate::domain::order::{ConsoleIdentity, EventStamp, OrderApproval, RequestBytes};
use crate::domain::{Draft, Failure, Order, OrderId, Text};
use crate::journal::JournalError;
use crate::runtime::reads;

/// The request that a proposal carries; `None` for a path that this program does not know.
pub(super) fn request_of_proposal(proposal: &Proposal, wire: &api::WireNames) -> Option<RequestBytes> {
    api::request_from_text(&proposal.method, &proposal.path, &proposal.body, wire)
}

impl OrderExecutor {
    /// Opens a proposal to approve it, or to release it. To be released, an order from elsewhere is recorded here, under
    /// its own identifier: this journal then permits it once.
    pub(in crate::runtime::payments) async fn open_proposal(
        &self,
        id: OrderId,
        releases: bool,
    ) -> Result<PreparedOrder, Failure> {
        let entries = self.read_proposals().await?;
        let entry = entries.into_iter().find(|entry| entry.proposal.order == id);
        let entry = entry.ok_or_else(|| local_failure("this proposal is gone: it was sent, refused or taken away"))?;
        if entry.is_here {
            let order = self.with_journal(move |journal| journal.order(id)).await?;
            return self.prepare_proposed_order(order, releases).await;
        }
        let wire = &self.payment_context.wire;
        let request = request_of_proposal(&entry.proposal, wire)
            .ok_or_else(|| local_failure("the proposal is for a request that this program does not know"))?;
        let draft = api::decode(&request, wire)
            .map_err(|error| local_failure(&format!("the proposal cannot be read: {error}")))?;
        let sender = self.sender_of_draft(&draft).await?;
        let drafted = self.build_drafted_order(draft, Some(sender), request, None).await?;
        if releases {
            let (at, file, statements) = (self.now(), entry.file, entry.statements);
            let order = self
                .with_journal(move |journal| {
                    if matches!(journal.order(id), Err(JournalError::NoSuchOrder(_))) {
                        journal.record_proposed_order(id, drafted, at)?;
                    }
                    for statement in statements {
                        journal.record_statement(id, StatementWithProposal { file: file.clone(), statement }, at)?;
                    }
                    journal.order(id)
                })
                .await?;
            return self.prepare_proposed_order(order, true).await;
        }
        let by = ConsoleIdentity { user: entry.proposal.maker.clone(), host: Text::default(), run: uuid::Uuid::nil() };
        let mut order = Order::new(id, EventStamp { at: entry.proposal.made_at, by }, drafted);
        let statements = entry.statements.iter().map(|signed| (entry.proposal.made_at, signed.clone())).collect();
        order.approval = Some(OrderApproval { file: entry.file.clone(), is_drafted_here: false, statements });
        if let Some(proposal) = self.lock_foreign_proposals().get_mut(&id) {
            proposal.order = Some(order.clone());
        } else {
            let envelope = entry.to_envelope();
            self.lock_foreign_proposals().insert(id, super::ForeignProposal { envelope, order: Some(order.clone()) });
        }
        self.prepare_proposed_order(order, false).await
    }

    /// An order that is under review, also where the journal has it not.
    pub(in crate::runtime::payments) async fn order_under_review(&self, id: OrderId) -> Result<Order, Failure> {
        let opened = self.lock_foreign_proposals().get(&id).and_then(|proposal| proposal.order.clone());
        match self.with_journal(move |journal| journal.order(id)).await {
            Err(failure) => opened.ok_or(failure),
            state => state,
        }
    }

    /// The paying side of a request, as this console knows it.
    async fn sender_of_draft(&self, draft: &Draft) -> Result<Sender, Failure> {
        let query = draft.clone();
        let sender = reads::with_store(&self.resources, move |store| find_sender_in_store(store, &query)).await?;
        sender.ok_or_else(|| {
            local_failure("this console does not know the paying wallet or its token yet; wait until both were read")
        })
    }
}
