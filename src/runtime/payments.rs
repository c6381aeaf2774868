//! What a console needs to pay, and the executor of its orders.
//!
//! ```text
//!  Prepare ─▶ keys ─▶ encode, decode ─▶ journal.draft ─▶ guard's facts ─▶ review
//!  Send ────▶ journal.confirm ─▶ journal.permit_send ─▶ operator.send ─▶ journal.answered ─▶ journal.close
//!             └── a failure here: nothing was sent ──┘  └── a failure here: recorded, or unresolved ──┘
//! ```
//!
//! This program never abandons a request that is on its way: it runs to its answer, or to the operator's time-out.
//! Should the program end before that, the journal shows the request as on its way, and the next start looks it up.

mod approvals;
mod batch;
mod book;
mod demo_seed;
mod fact_sources;
mod fees;
mod guard_orders;
mod imports;
mod journal_queries;
mod journal_reader;
mod lookup;
mod paths;
mod payment_context;
mod prepare;
mod send_order;
mod swap;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc::UnboundedSender;
use tokio_util::task::TaskTracker;

use super::completion::Completion;
use super::resources::ConsoleResources;
use crate::app::orders::MAX_CLOSED_ORDERS;
use crate::app::session::lock::SecretInput;
use crate::app::{Effect, Msg, RequestId};
use crate::domain::entry_source::EntrySource;
use crate::domain::order::{OrderEnd, ServiceDestination};
use crate::domain::{Amount, CreatedObject, Failure, FailureReason, Order, OrderId, Text, Timestamp};
use crate::journal::{Journal, JournalError};
use crate::store::Cancel;
pub use approvals::{
    ApprovalSources, KeySource, SignersSource, SigningKey, find_sender_in_store, folder as approval_folder,
    proposal_standing,
};
pub use demo_seed::seed_demo;
pub use guard_orders::GuardOrders;
pub use journal_reader::JournalReader;
pub use payment_context::{AuthorisedClient, OperatorFactory, PassphraseVerifier, PayingDisabled, PaymentContext};

/// The client of the open review, with the order under review.
type ReviewClient = Option<(OrderId, Arc<AuthorisedClient>)>;

/// All orders, with the number of the journal's last record when they were read.
type OrderCache = (u64, Arc<GuardOrders>);

/// Executes orders. Clones share their state.
#[derive(Clone)]
pub(super) struct OrderExecutor {
    resources: ConsoleResources,
    payment_context: PaymentContext,
    review_client: Arc<Mutex<ReviewClient>>,
    order_cache: Arc<Mutex<Option<OrderCache>>>,
    find_usual_fees_of_orders: Arc<Mutex<HashMap<OrderId, Option<Amount>>>>,
    /// Proposals that came here by hand, or were opened from the folder.
    foreign_proposals: Arc<Mutex<approvals::ForeignProposals>>,
    /// Transactions that were read while the journal could not be searched for their orders.
    unrecorded_rows: Arc<Mutex<Vec<crate::domain::Transaction>>>,
    /// Cancels the path completion under way.
    path_completion: Arc<Mutex<(RequestId, Cancel)>>,
    /// Keeps reports of the journal in the order of their reads.
    report_lock: Arc<tokio::sync::Mutex<()>>,
    completions: UnboundedSender<Completion>,
    /// Sends that wait for their answer, or for the answer to be recorded.
    pub(super) send_tasks: TaskTracker,
    /// What an operator decided and the journal is to record: the program does not end before.
    pub(super) journal_write_tasks: TaskTracker,
}

impl OrderExecutor {
    pub(super) fn new(
        resources: ConsoleResources,
        payment_context: PaymentContext,
        completions: UnboundedSender<Completion>,
    ) -> Self {
        let (send_tasks, journal_write_tasks) = (TaskTracker::new(), TaskTracker::new());
        Self {
            resources,
            payment_context,
            review_client: Arc::default(),
            order_cache: Arc::default(),
            find_usual_fees_of_orders: Arc::default(),
            foreign_proposals: Arc::default(),
            unrecorded_rows: Arc::default(),
            path_completion: Arc::default(),
            report_lock: Arc::default(),
            completions,
            send_tasks,
            journal_write_tasks,
        }
    }

    /// Runs an effect that concerns orders and returns the message with its result.
    pub(super) async fn run_effect(self, effect: Effect) -> Option<Msg> {
        match effect {
            Effect::Prepare { draft, sender, template, request_id } => {
                let result = self.prepare_order(draft, sender, template).await.map(Box::new);
                Some(Msg::Prepared { request_id, result })
            }
            Effect::LoadFacts { order_id: id, request_id } => {
                let result = self.refresh_facts(id).await.map(Box::new);
                Some(Msg::FactsLoaded { request_id, order_id: id, result })
            }
            Effect::Send { order_id: id, reason, confirmation } => {
                Some(self.send_order(id, reason, confirmation).await)
            }
            Effect::Propose { .. }
            | Effect::OpenProposal { .. }
            | Effect::SignProposal { .. }
            | Effect::ImportProposal(_)
            | Effect::ReadProposals => self.run_approval_effect(effect).await,
            Effect::Abandon(id) => {
                self.drop_review_client(id);
                self.close_order(id, OrderEnd::Abandoned(None)).await
            }
            Effect::CheckBatch { check: checking, request_id } => {
                let result = self.check_batch(*checking).await.map(Box::new);
                Some(Msg::BatchChecked { request_id, result })
            }
            Effect::CompletePath { prefix: typed, kind, request_id } => {
                let Some(host) = self.resources.host.clone() else {
                    return Some(Msg::PathsFound { request_id, paths: Vec::new() });
                };
                let cancel = self.cancel_earlier_path_completion(request_id);
                let completing = move || paths::complete_path(&host, &typed, kind, &cancel);
                let paths = tokio::task::spawn_blocking(completing).await.unwrap_or_default();
                Some(Msg::PathsFound { request_id, paths })
            }
            Effect::Unlock { secret: typed, request_id } => {
                Some(Msg::Unlocked { request_id, result: self.verify_passphrase(typed).await })
            }
            Effect::ResolveAddress { wallet, address: own } => {
                Some(Msg::AddressResolved(self.record_own_address(*wallet, own).await))
            }
            Effect::Acknowledge(changes) => {
                let to = ServiceDestination { key_mark: Text::default(), ..self.payment_context.destination.clone() };
                let now = self.now();
                let done = self.with_journal(move |journal| journal.record_acknowledgements(&to, changes, now)).await;
                self.report_journal().await;
                Some(Msg::Acknowledged(done))
            }
            Effect::Import(line) => Some(Msg::Imported(self.import_entries(line).await)),
            Effect::CountLimits(request_id) => {
                Some(Msg::LimitsCounted { request_id, result: self.count_limits().await })
            }
            Effect::WriteErrors(refused) => Some(Msg::ErrorsWritten(self.write_refused_rows(*refused).await)),
            Effect::JudgeContact { contact, request_id } => {
                let result = self.judge_contact(&contact).await.map(|entering| Box::new((*contact, entering)));
                Some(Msg::ContactJudged { request_id, result })
            }
            Effect::ChangeBook { change, overridden, judged_book: judged, request_id } => {
                let result = self.change_book(vec![*change], overridden, *judged).await;
                self.report_journal().await;
                Some(Msg::BookChanged { request_id, result })
            }
            Effect::ImportBook(path) => {
                let result = self.import_book(path).await;
                self.report_journal().await;
                Some(Msg::BookImported(result))
            }
            Effect::ReadDraft(path) => Some(Msg::DraftRead(self.read_draft_file(path).await.map(Box::new))),
            Effect::RecordServiceAddress { earlier_address: other, is_same } => {
                let (destination, now) = (self.payment_context.destination.clone(), self.now());
                let done = self
                    .with_journal(move |journal| journal.record_address_answer(&destination, other, is_same, now))
                    .await;
                self.report_journal().await;
                done.err().map(|failure| Msg::Orders(Err(failure)))
            }
            Effect::WriteOff { order_id: id, reason } => self.close_order(id, OrderEnd::WrittenOff(reason)).await,
            Effect::ReadJournal => {
                self.load_journal_at_start().await;
                None
            }
            Effect::Load { .. }
            | Effect::QueryStore { .. }
            | Effect::RunAnalysis { .. }
            | Effect::LoadSandbox { .. }
            | Effect::LoadMovements { .. }
            | Effect::FindMovement { .. }
            | Effect::EditWatch(_)
            | Effect::ReportWatch(_)
            | Effect::Export { .. }
            | Effect::StopExport
            | Effect::LoadRaw { .. }
            | Effect::ChangeViews(_)
            | Effect::Copy(_)
            | Effect::Alert { .. }
            | Effect::LoadQuote { .. }
            | Effect::Suspend
            | Effect::OpenProfile(_)
            | Effect::Quit => None,
        }
    }

    /// Cancels the completion of an earlier prefix: its folder may be slow to read. Effects may start in another order
    /// than they were asked for.
    fn cancel_earlier_path_completion(&self, request_id: RequestId) -> Cancel {
        let cancel = Cancel::new();
        let mut last = self.path_completion.lock().unwrap_or_else(PoisonError::into_inner);
        if request_id < last.0 {
            cancel.cancel();
        } else {
            std::mem::replace(&mut *last, (request_id, cancel.clone())).1.cancel();
        }
        cancel
    }

    fn now(&self) -> Timestamp {
        self.resources.clock.now()
    }

    /// Reads the journal for the first time, and restores the directory's created entries if the cache was lost.
    async fn load_journal_at_start(&self) {
        let (destination, now) = (self.payment_context.destination.clone(), self.now());
        if let Err(failure) = self.with_journal(move |journal| journal.record_profile_address(&destination, now)).await
        {
            tracing::warn!(%failure, "the service of this profile could not be recorded");
        }
        if let Err(failure) = self.record_first_policy().await {
            tracing::warn!(%failure, "the rules of approval could not be recorded");
        }
        self.report_journal().await;
        let learnt = self.orders_of_own_destination(usize::MAX).await;
        let created = learnt.map(|orders| {
            // Sorted by the time of the answer: the latest change wins.
            let mut created: Vec<_> = orders.iter().flat_map(created_objects).collect();
            created.sort_by_key(|(at, _)| *at);
            created.into_iter().map(|(_, object)| object.clone()).collect::<Vec<_>>()
        });
        match created {
            Ok(created) => self.save_created_objects(created).await,
            Err(failure) => tracing::warn!(%failure, "what the journal recorded could not be added to the directory"),
        }
        self.cache_new_imports().await;
    }

    /// Closes an order at the operator's request. If that is no longer possible, the reloaded list shows its state.
    async fn close_order(&self, id: OrderId, end: OrderEnd) -> Option<Msg> {
        let now = self.now();
        let closed = self.with_journal(move |journal| journal.record_end(id, end, now)).await;
        self.report_journal().await;
        closed.err().map(|failure| Msg::Orders(Err(failure)))
    }

    /// Reads the journal and reports it to the model.
    pub(super) async fn report_journal(&self) {
        let _in_order = self.report_lock.lock().await;
        // Reading them may give up orders that somebody refused.
        let proposals = self.proposals_message().await;
        let destination = self.payment_context.destination.clone();
        let snapshot = self
            .with_journal(move |journal| {
                let acknowledgements = journal.acknowledgements(&destination.base_url)?;
                Ok((
                    journal.address_relations(&destination)?,
                    acknowledgements,
                    journal.orders(&destination, MAX_CLOSED_ORDERS)?,
                ))
            })
            .await;
        // Sending fails only when the console ends.
        let orders = snapshot.map(|(addresses, acknowledgements, orders)| {
            let _ = self.completions.send(Completion::Message(Msg::Acknowledgements(Box::new(acknowledgements))));
            let _ = self.completions.send(Completion::Message(Msg::Addresses(addresses)));
            orders
        });
        let _ = self.completions.send(Completion::Message(Msg::Orders(orders)));
        let _ = self.completions.send(Completion::Message(Msg::Book(self.read_book_snapshot().await)));
        if let Some(proposals) = proposals {
            let _ = self.completions.send(Completion::Message(proposals));
        }
    }

    /// Reports the journal to the model if another program has written to it.
    pub(super) async fn poll_journal(&self) {
        if matches!(self.with_journal(Journal::take_changed_elsewhere).await, Ok(false)) {
            self.report_proposals().await;
        } else {
            self.report_journal().await;
            self.cache_new_imports().await;
        }
    }

    /// Adds created entries to the directory.
    async fn save_created_objects(&self, objects: Vec<CreatedObject>) {
        if objects.is_empty() {
            return;
        }
        let store = self.resources.store.clone();
        let saving = tokio::task::spawn_blocking(move || {
            let (mut accounts, mut wallets, mut users) = (Vec::new(), Vec::new(), Vec::new());
            for object in objects {
                match object {
                    CreatedObject::Account(account) => accounts.push(account),
                    CreatedObject::Wallet(wallet) => wallets.push(wallet),
                    CreatedObject::User(user) => users.push(user),
                    // The wallet behind an address is read together with the addresses.
                    CreatedObject::Transaction(_) | CreatedObject::Address(_) => {}
                }
            }
            store.save_accounts(&accounts, EntrySource::Created)?;
            store.save_users(&users, EntrySource::Created)?;
            store.save_wallets(&wallets, EntrySource::Created)
        });
        if let Ok(Err(error)) = saving.await {
            // The journal keeps it, and the next start adds it.
            tracing::warn!(%error, "what was created could not be added to the directory");
        }
    }

    /// Runs work on the journal on a blocking thread.
    pub(super) async fn with_journal<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Journal) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, Failure> {
        let journal = self.payment_context.journal.clone();
        match tokio::task::spawn_blocking(move || work(&journal)).await {
            Ok(done) => done.map_err(Failure::from),
            Err(fault) => Err(local_failure(&format!("work on the journal was interrupted: {fault}"))),
        }
    }

    /// Requests the keys and opens a client.
    async fn open_client(&self) -> Result<Arc<AuthorisedClient>, Failure> {
        let open = Arc::clone(&self.payment_context.operator_factory);
        match tokio::task::spawn_blocking(move || open()).await {
            Ok(opened) => opened.map(|AuthorisedClient { operator, destination }| {
                Arc::new(AuthorisedClient { operator: operator.sharing_limits_of(&self.resources.reader), destination })
            }),
            Err(fault) => Err(local_failure(&format!("the keys could not be requested: {fault}"))),
        }
    }

    async fn verify_passphrase(&self, typed: SecretInput) -> Result<bool, Failure> {
        let Some(unlocks) = self.payment_context.passphrase_verifier.clone() else {
            return Err(local_failure("no passphrase is set to compare it with"));
        };
        match tokio::task::spawn_blocking(move || unlocks(&typed)).await {
            Ok(result) => result,
            Err(fault) => Err(local_failure(&format!("the check was interrupted: {fault}"))),
        }
    }

    /// Stores the client for the review of an order, replacing that of any other.
    fn store_review_client(&self, id: OrderId, opened: Arc<AuthorisedClient>) {
        *self.review_client.lock().unwrap_or_else(PoisonError::into_inner) = Some((id, opened));
    }

    fn review_client(&self, id: OrderId) -> Option<Arc<AuthorisedClient>> {
        let current_review = self.review_client.lock().unwrap_or_else(PoisonError::into_inner);
        current_review.as_ref().filter(|(for_whom, _)| *for_whom == id).map(|(_, opened)| Arc::clone(opened))
    }

    /// Drops the client of an order's review, and its keys.
    fn drop_review_client(&self, id: OrderId) {
        let mut current_review = self.review_client.lock().unwrap_or_else(PoisonError::into_inner);
        if current_review.as_ref().is_some_and(|(for_whom, _)| *for_whom == id) {
            *current_review = None;
        }
        drop(current_review);
        *self.order_cache.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// The entries that an order created, with the times of the answers that reported them.
fn created_objects(order: &Order) -> impl Iterator<Item = (Timestamp, &CreatedObject)> {
    let answers = order.attempts.iter().filter_map(|attempt| attempt.answer.as_ref());
    answers.filter_map(|(at, answer)| Some((*at, answer.created.as_ref()?)))
}

/// A local failure: nothing was sent.
fn local_failure(message: &str) -> Failure {
    Failure::from_read(FailureReason::Local, message)
}
