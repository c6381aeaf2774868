//! Runs effects. Every effect is answered by a message, whatever its outcome.

mod refusal;
mod single_reads;

use std::io;
use std::sync::Arc;

use refusal::refusal_message;
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::task::TaskTracker;

use super::analysis::{self, AddressCaches};
use super::completion::{Completion, EffectKind};
use super::export::rows::ExportRequest;
use super::export_job::{self, ExportFolder};
use super::host_permission::VISITOR_MAY_NOT_USE_FILES;
use super::payments::OrderExecutor;
pub use super::payments::{
    ApprovalSources, AuthorisedClient, GuardOrders, JournalReader, KeySource, OperatorFactory, PassphraseVerifier,
    PayingDisabled, PaymentContext, SignersSource, SigningKey, approval_folder, find_sender_in_store,
    proposal_standing, seed_demo,
};
use super::reads::{self, FetchState};
pub use super::reads::{BalanceBackOffList, StoreWriteQueue};
pub use super::resources::ConsoleResources;
use super::store_worker::StoreWorker;
use crate::app::data::analyses::AnalysisQuery;
use crate::app::{Dataset, Effect, ExportTarget, Msg, RequestId};
use crate::domain::order::OrderState;
use crate::domain::{Failure, FailureReason, Text};
use crate::store::Cancel;

pub(super) struct EffectRunner {
    resources: ConsoleResources,
    handle: Handle,
    store_worker: StoreWorker,
    fetch_state: Arc<FetchState>,
    address_caches: Arc<AddressCaches>,
    order_executor: Result<OrderExecutor, PayingDisabled>,
    completions: UnboundedSender<Completion>,
    /// Cancels the export in progress.
    export_cancel: std::cell::RefCell<Cancel>,
}

impl Drop for EffectRunner {
    /// Cancels the export in progress: its file is no longer wanted.
    fn drop(&mut self) {
        self.export_cancel.borrow().cancel();
    }
}

/// A request that only the loop can fulfil.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoopRequest {
    Suspend,
    /// Quit, and open this profile.
    OpenProfile(Text),
    Quit,
    Copy(String),
}

impl EffectRunner {
    /// Network reads run on `handle`.
    pub(super) fn new(
        resources: ConsoleResources,
        handle: Handle,
        completions: UnboundedSender<Completion>,
    ) -> io::Result<Self> {
        let clock = resources.clock.clone();
        let reader = Arc::new(resources.reader.with_clock(Arc::new(move || clock.now())));
        let resources = ConsoleResources { reader, ..resources };
        let store_worker = StoreWorker::start(resources.store.clone(), completions.clone())?;
        let paying = resources.payments.clone();
        let order_executor = paying.map(|paying| OrderExecutor::new(resources.clone(), paying, completions.clone()));
        let export_cancel = std::cell::RefCell::new(Cancel::new());
        Ok(Self {
            resources,
            handle,
            store_worker,
            fetch_state: Arc::default(),
            address_caches: Arc::default(),
            order_executor,
            completions,
            export_cancel,
        })
    }

    /// Runs an effect, which ends in one [`Completion::Done`] of the returned kind; an `Err` is a request for the loop.
    pub(super) fn run_effect(&self, effect: Effect) -> Result<EffectKind, LoopRequest> {
        match effect {
            Effect::Load { dataset, request_id } => {
                self.load_dataset(dataset, request_id);
                Ok(EffectKind::NetworkRead)
            }
            Effect::QueryStore { query, request_id } => {
                self.store_worker.submit(query, request_id);
                Ok(EffectKind::StoreQuery)
            }
            Effect::RunAnalysis { query: analysis_query, request_id } => {
                self.start_analysis(analysis_query, request_id);
                Ok(EffectKind::NetworkRead)
            }
            Effect::Prepare { .. }
            | Effect::Propose { .. }
            | Effect::OpenProposal { .. }
            | Effect::SignProposal { .. }
            | Effect::ImportProposal(_)
            | Effect::ReadProposals
            | Effect::LoadFacts { .. }
            | Effect::Send { .. }
            | Effect::Abandon(_)
            | Effect::WriteOff { .. }
            | Effect::RecordServiceAddress { .. }
            | Effect::Import(_)
            | Effect::WriteErrors(_)
            | Effect::Acknowledge(_)
            | Effect::ResolveAddress { .. }
            | Effect::CheckBatch { .. }
            | Effect::CompletePath { .. }
            | Effect::CountLimits(_)
            | Effect::JudgeContact { .. }
            | Effect::ChangeBook { .. }
            | Effect::ImportBook(_)
            | Effect::ReadDraft(_)
            | Effect::Unlock { .. }
            | Effect::ReadJournal => Ok(self.run_order_effect(effect)),
            Effect::Export { .. } | Effect::StopExport => Ok(self.run_export(effect)),
            Effect::LoadRaw { seq, id, direction, request_id } => {
                self.load_raw_transaction(seq, id, direction, request_id);
                Ok(EffectKind::NetworkRead)
            }
            Effect::LoadQuote { from, amount, to, request_id } => {
                self.load_quote(from, amount, to, request_id);
                Ok(EffectKind::NetworkRead)
            }
            Effect::LoadSandbox { sub_wallet, request_id } => {
                self.load_v1_sandbox_data(sub_wallet, request_id);
                Ok(EffectKind::NetworkRead)
            }
            Effect::LoadMovements { list, user, page_no, request_id } => {
                self.load_movements(list, user, page_no, request_id);
                Ok(EffectKind::NetworkRead)
            }
            Effect::FindMovement { search, request_id } => {
                self.find_movement(search, request_id);
                Ok(EffectKind::NetworkRead)
            }
            Effect::ChangeViews(change) => {
                self.resources.profile_file.clone().spawn_views_change(&self.handle, change, &self.completions);
                Ok(EffectKind::NetworkRead)
            }
            Effect::EditWatch(edit) => {
                self.resources.profile_file.clone().spawn_watch_edit(&self.handle, edit, &self.completions);
                Ok(EffectKind::NetworkRead)
            }
            Effect::Copy(text) => Err(LoopRequest::Copy(text)),
            // The console intercepts alerts for the loop, which writes to the terminal, and reports of watches.
            Effect::Alert { .. } | Effect::ReportWatch(_) => {
                let _ = self.completions.send(Completion::Done(EffectKind::StoreQuery));
                Ok(EffectKind::StoreQuery)
            }
            Effect::Suspend => Err(LoopRequest::Suspend),
            Effect::OpenProfile(name) => Err(LoopRequest::OpenProfile(name)),
            Effect::Quit => Err(LoopRequest::Quit),
        }
    }

    /// Runs an effect that concerns orders, if this console can pay.
    fn run_order_effect(&self, effect: Effect) -> EffectKind {
        let completions = self.completions.clone();
        // Sending fails only when the console ends.
        let message_sender = completions.clone();
        let answer = move |answer: Option<Msg>| {
            if let Some(answer) = answer {
                let _ = completions.send(Completion::Message(answer));
            }
            let _ = completions.send(Completion::Done(EffectKind::OrderWork));
        };
        let why_not = |reason: &str| refusal_message(&effect, Failure::from_read(FailureReason::Local, reason));
        match &self.order_executor {
            Err(PayingDisabled { journal: Some(journal_reader), .. }) if effect == Effect::ReadJournal => {
                let (journal_reader, now) = (journal_reader.clone(), self.resources.clock.now());
                self.handle.spawn(async move {
                    let mut messages = journal_reader.take_changes_as_messages(now).await;
                    let last = messages.pop();
                    for message in messages {
                        let _ = message_sender.send(Completion::Message(message));
                    }
                    answer(last);
                });
            }
            Err(disabled) => answer(why_not(&disabled.reason.to_string())),
            Ok(executor) => {
                let (broken, task) = if let Effect::Send { order_id, .. } = effect {
                    // How far the send came is unknown: the journal's state is shown.
                    let broken = Some(Msg::Sent { order_id, result: Ok(OrderState::Unknown) });
                    // Tracked from its first step on, so that quitting waits for its record.
                    (broken, executor.send_tasks.spawn_on(executor.clone().run_effect(effect), &self.handle))
                } else {
                    let broken = why_not("this was interrupted by a fault in bursar");
                    let is_decision = is_journal_write(&effect);
                    let work = executor.clone().run_effect(effect);
                    let task = if is_decision {
                        executor.journal_write_tasks.spawn_on(work, &self.handle)
                    } else {
                        self.handle.spawn(work)
                    };
                    (broken, task)
                };
                let (reader, news) = (Arc::clone(&self.resources.reader), Arc::clone(&self.fetch_state));
                self.handle.spawn(async move {
                    let done = task.await.unwrap_or(broken);
                    if let Some(skew) = news.take_skew_change(reader.skew()) {
                        let _ = message_sender.send(Completion::Message(Msg::Clock(skew)));
                    }
                    answer(done);
                });
            }
        }
        EffectKind::OrderWork
    }

    /// Exports on a blocking thread, or cancels the export in progress.
    fn run_export(&self, effect: Effect) -> EffectKind {
        let completions = self.completions.clone();
        let Effect::Export { rows, target, format, names, request_id } = effect else {
            self.export_cancel.borrow().cancel();
            let _nobody_listens_at_the_end = completions.send(Completion::Done(EffectKind::Export));
            return EffectKind::Export;
        };
        let cancel = Cancel::new();
        self.export_cancel.replace(cancel.clone());
        let (store, now) = (self.resources.store.clone(), self.resources.clock.now());
        let report_result = {
            let completions = completions.clone();
            move |result| {
                let _nobody_listens_at_the_end =
                    completions.send(Completion::Message(Msg::ExportProgress { request_id, result }));
            }
        };
        let (so_far, host) = (report_result.clone(), self.resources.host.clone());
        let task = self.handle.spawn_blocking(move || {
            let so_far = |written| so_far(Ok(written));
            let source = ExportRequest { store: &store, rows: &rows, format, now, cancel: &cancel, names: &names };
            match (target, &host) {
                (ExportTarget::Folder(folder), Some(host)) => {
                    export_job::export_to_file(&ExportFolder { host, typed_path: &folder }, &source, &so_far)
                }
                (ExportTarget::Folder(_), None) => {
                    Err(Failure::from_read(FailureReason::Local, VISITOR_MAY_NOT_USE_FILES))
                }
                (ExportTarget::Clipboard, _) => export_job::export_to_text(&source, &so_far),
            }
        });
        self.handle.spawn(async move {
            report_result(task.await.unwrap_or_else(|fault| {
                Err(Failure::from_read(FailureReason::Local, &format!("the export was interrupted: {fault}")))
            }));
            let _nobody_listens_at_the_end = completions.send(Completion::Done(EffectKind::Export));
        });
        EffectKind::Export
    }

    pub(super) fn is_at_host(&self) -> bool {
        self.resources.host.is_some()
    }

    pub(super) fn journal_write_tasks(&self) -> Option<TaskTracker> {
        self.order_executor.as_ref().ok().map(|executor| executor.journal_write_tasks.clone())
    }

    pub(super) fn send_tasks(&self) -> Option<TaskTracker> {
        self.order_executor.as_ref().ok().map(|executor| executor.send_tasks.clone())
    }

    /// Runs an analysis beside the store's worker thread: it may take time in proportion to the history.
    fn start_analysis(&self, analysis_query: AnalysisQuery, request_id: RequestId) {
        let (resources, completions) = (self.resources.clone(), self.completions.clone());
        let (caches, now) = (Arc::clone(&self.address_caches), resources.clock.now());
        self.handle.spawn(async move {
            let query = analysis_query.clone();
            let analysis =
                reads::with_store(&resources, move |store| analysis::run_analysis(store, &query, &caches, now));
            let (result, analysis_query) = (analysis.await.map(Box::new), Box::new(analysis_query));
            // Sending fails only when the console ends.
            let _ = completions.send(Completion::Message(Msg::AnalysisLoaded {
                request_id,
                query: analysis_query,
                result,
            }));
            let _ = completions.send(Completion::Done(EffectKind::NetworkRead));
        });
    }

    fn load_dataset(&self, requested_dataset: Dataset, request_id: RequestId) {
        let (resources, completions) = (self.resources.clone(), self.completions.clone());
        let (dataset, fetch_state, executor) =
            (requested_dataset.clone(), Arc::clone(&self.fetch_state), self.order_executor.clone());
        let (reader, news) = (Arc::clone(&resources.reader), Arc::clone(&self.fetch_state));
        let message_sender = completions.clone();
        let task = self.handle.spawn(async move {
            match (&dataset, executor) {
                (Dataset::Orders, Ok(executor)) => executor.look_up_orders().await,
                (Dataset::Latest | Dataset::Backfill | Dataset::User { .. }, Ok(executor)) => {
                    let mut transactions = Vec::new();
                    let snapshot = reads::load_dataset(&resources, &fetch_state, &dataset, &mut transactions).await;
                    executor.apply_read_rows_to_orders(transactions).await;
                    if dataset == Dataset::Latest {
                        executor.poll_journal().await;
                    }
                    executor.compare_v1_rows_of_snapshot(snapshot).await
                }
                (Dataset::Latest, Err(PayingDisabled { journal: Some(journal_reader), .. })) => {
                    let snapshot = reads::load_dataset(&resources, &fetch_state, &dataset, &mut Vec::new()).await;
                    for message in journal_reader.take_changes_as_messages(resources.clock.now()).await {
                        let _ = message_sender.send(Completion::Message(message));
                    }
                    snapshot
                }
                _ => reads::load_dataset(&resources, &fetch_state, &dataset, &mut Vec::new()).await,
            }
        });
        self.handle.spawn(async move {
            // A read that panics is a fault of this program; it is reported as a failure, and retried later.
            let result = match task.await {
                Ok(result) => result,
                Err(fault) => {
                    Err(Failure::from_read(FailureReason::Local, &format!("the read was interrupted: {fault}")))
                }
            };
            if let Some(skew) = news.take_skew_change(reader.skew()) {
                let _ = completions.send(Completion::Message(Msg::Clock(skew)));
            }
            // Sending fails only when the console ends.
            let _ =
                completions.send(Completion::Message(Msg::Loaded { dataset: requested_dataset, request_id, result }));
            let _ = completions.send(Completion::Done(EffectKind::NetworkRead));
        });
    }
}

/// Whether an effect records what an operator decided, without the network.
fn is_journal_write(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Abandon(_)
            | Effect::WriteOff { .. }
            | Effect::RecordServiceAddress { .. }
            | Effect::Import(_)
            | Effect::Acknowledge(_)
            | Effect::ResolveAddress { .. }
            | Effect::ChangeBook { .. }
            | Effect::ImportBook(_)
    )
}
