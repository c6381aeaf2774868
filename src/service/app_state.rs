//! The state shared by all requests of one service: ledger, keys, clock, start phase.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use serde::Serialize;
use serde_json::Value;
use tokio::sync::{Notify, Semaphore, oneshot, watch};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::activity::LiveActivity;
use super::clock::ServiceClock;
use super::error::ServiceError;
use super::keys::ApiKeys;
use super::ledger::{Ledger, Paging, RequestError, UnitOfWork, WorkspaceNumber, job_panicked_error};
use super::rate_limit::RateLimits;
use super::response_cache::ResponseCache;
use super::upload_limit::UploadLimits;
use crate::domain::Timestamp;
use crate::domain::approval::ApprovalPolicy;

/// Changes that may wait for the writer at once. They use no thread; further ones wait for a permit.
const MAX_QUEUED_CHANGES: u32 = 256;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StartPhase {
    MakingSample { done: u64, total: u64 },
    Ready,
    Failed(String),
}

pub(super) struct AppState {
    // Dropped before the ledger: the keys are in its folder, which is deleted with a temporary ledger.
    pub(super) keys: ApiKeys,
    pub(super) rates: RateLimits,
    pub(super) uploads: UploadLimits,
    pub(super) ledger: Arc<Ledger>,
    pub(super) clock: ServiceClock,
    /// The rules and signers of approvals; nothing is enforced where absent.
    pub(super) approvals: Option<ApprovalPolicy>,
    /// Where the service is reached, once that is known.
    pub(super) base_url: OnceLock<String>,
    pub(super) phase: watch::Sender<StartPhase>,
    /// Live events of the sample business; `None` until it is complete, or if it is not lively.
    pub(super) activity: Mutex<Option<LiveActivity>>,
    /// Notified after a change, since the chain clock may now be due sooner.
    pub(super) chain_activity: Arc<Notify>,
    /// Notified when the outbox may have new events.
    pub(super) outbox_changed: watch::Sender<()>,
    pub(super) response_cache: ResponseCache,
    /// Ledger jobs so far, from which `scheduler` detects an idle service.
    pub(super) jobs_started: AtomicU64,
    pub(super) job_started: Notify,
    /// Whether the clock was ahead when the newest transaction was created.
    pub(super) clock_was_ahead: AtomicBool,
    /// The most rows of a list page, whatever the request asks for.
    pub(super) max_page_rows: AtomicU64,
    /// Permits for jobs in the ledger: each takes a thread and a reader. Further jobs wait in order, at a few bytes
    /// each.
    job_permits: Arc<Semaphore>,
    change_permits: Arc<Semaphore>,
}

impl fmt::Debug for AppState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").field("phase", &*self.phase.borrow()).finish_non_exhaustive()
    }
}

impl AppState {
    pub(super) fn new(
        ledger: Arc<Ledger>,
        keys: ApiKeys,
        rates: RateLimits,
        clock: ServiceClock,
        phase: StartPhase,
    ) -> Self {
        let response_cache = ResponseCache::with_capacity(if ledger.folder_path().is_some() {
            ResponseCache::USUAL_CAPACITY
        } else {
            ResponseCache::SMALL_CAPACITY
        });
        Self {
            keys,
            rates,
            uploads: UploadLimits::default(),
            clock,
            approvals: None,
            base_url: OnceLock::new(),
            phase: watch::Sender::new(phase),
            activity: Mutex::new(None),
            chain_activity: Arc::default(),
            outbox_changed: watch::Sender::new(()),
            response_cache,
            jobs_started: AtomicU64::new(0),
            job_started: Notify::new(),
            clock_was_ahead: AtomicBool::new(false),
            max_page_rows: AtomicU64::new(Paging::MOST),
            job_permits: Arc::new(Semaphore::new(ledger.reader_limit() as usize)),
            change_permits: Arc::new(Semaphore::new(MAX_QUEUED_CHANGES as usize)),
            ledger,
        }
    }

    pub(super) fn with_approval_policy(self, approvals: Option<ApprovalPolicy>) -> Self {
        Self { approvals, ..self }
    }

    /// Runs a job in the ledger, off the threads that serve connections.
    ///
    /// A started job runs to its end even if the caller goes away: a payment is never left half done.
    pub(super) async fn run_in_ledger<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Ledger, Timestamp) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        let place = Arc::clone(&self.job_permits).acquire_owned().await.map_err(|_| stopping_error())?;
        self.record_job_started();
        let ledger = Arc::clone(&self.ledger);
        let now = self.clock.now();
        let job = spawn_blocking(move || {
            let done = job(&ledger, now);
            // The ledger is released before the permit: `drain` takes all permits and may then close it.
            drop(ledger);
            drop(place);
            done
        });
        job.await.unwrap_or_else(|error| Err(RequestError::Internal(error.to_string())))
    }

    /// Executes a change once under its idempotency key and returns the bytes of its response.
    pub(super) async fn execute_once_per_key<T: Serialize + 'static>(
        &self,
        workspace_number: WorkspaceNumber,
        key: Option<Uuid>,
        operation: String,
        request: Value,
        op: impl FnOnce(&mut UnitOfWork<'_>) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<Vec<u8>, RequestError> {
        let place = Arc::clone(&self.change_permits).acquire_owned().await.map_err(|_| stopping_error())?;
        self.record_job_started();
        let tell_all = self.change_announcer();
        if self.ledger.writes_inline() {
            // An in-memory ledger has no writer thread: writing here would block a thread that serves connections.
            let once = move |ledger: &Ledger, now| {
                let answer = ledger.execute_once_per_key(workspace_number, now, key, (&operation, &request), op)?;
                tell_all();
                Ok(answer)
            };
            return self.run_in_ledger(once).await;
        }
        let (tell, answer_receiver) = oneshot::channel();
        self.ledger.submit_once_per_key(
            workspace_number,
            self.clock.now(),
            key,
            (&operation, &request),
            op,
            move |answer| {
                drop(place);
                if answer.is_ok() {
                    tell_all();
                }
                // The client may have disconnected; the effect is durable all the same.
                let _ = tell.send(answer);
            },
        )?;
        answer_receiver.await.unwrap_or_else(|_| Err(job_panicked_error()))
    }

    fn record_job_started(&self) {
        self.jobs_started.fetch_add(1, Ordering::Relaxed);
        self.job_started.notify_one();
    }

    /// Announces a change. The job calls it, not the caller, who may have gone away.
    fn change_announcer(&self) -> impl FnOnce() + Send + use<> {
        let (stirred, announced) = (Arc::clone(&self.chain_activity), self.outbox_changed.clone());
        move || {
            stirred.notify_one();
            announced.send_replace(());
        }
    }

    /// Waits for the jobs under way and admits no more.
    pub(super) async fn drain_jobs(&self) {
        for (places, all) in
            [(&self.change_permits, MAX_QUEUED_CHANGES), (&self.job_permits, self.ledger.reader_limit())]
        {
            let _all = places.acquire_many(all).await;
            places.close();
        }
    }

    /// Returns when the service answers requests; an error if the sample business failed.
    pub(super) async fn wait_until_ready(&self) -> Result<(), ServiceError> {
        let mut phases = self.phase.subscribe();
        let phase = phases.wait_for(|phase| !matches!(phase, StartPhase::MakingSample { .. })).await;
        match phase.as_deref() {
            Ok(StartPhase::Failed(reason)) => Err(ServiceError::Internal(reason.clone())),
            Ok(_) => Ok(()),
            Err(_gone) => Err(ServiceError::Internal("it stopped before it was ready".into())),
        }
    }
}

fn stopping_error() -> RequestError {
    RequestError::Internal("the service is stopping".into())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use futures::FutureExt as _;
    use tokio::time::timeout;

    use super::*;
    use crate::service::chain::Pace;
    use crate::service::ledger::{LedgerLocation, NewWorkspace};

    /// What was asked for happens, also where nobody waits for the answer: then, too, the chains have to go on.
    #[tokio::test]
    async fn what_happens_is_told_though_whoever_asked_has_gone_away() {
        for place in [LedgerLocation::Temporary, LedgerLocation::Memory] {
            let start = Timestamp::from_millis(0);
            let ledger = Arc::new(Ledger::open(&place, Pace::USUAL).unwrap());
            let workspace_number =
                ledger.create_workspace(NewWorkspace::with_random_id("Test", "testnet"), start).unwrap();
            let keys = ApiKeys::open(&ledger).unwrap();
            let app_state =
                AppState::new(ledger, keys, RateLimits::new(None), ServiceClock::manual(start), StartPhase::Ready);
            let mut announced = app_state.outbox_changed.subscribe();
            let (leave, departure) = mpsc::channel();
            let execution = app_state.execute_once_per_key(
                workspace_number,
                None,
                "POST /v2/accounts".into(),
                Value::Null,
                move |books| {
                    // Not before whoever asked has left, however quick the thread is that does it.
                    departure.recv().unwrap();
                    books.create_account("Reserve")
                },
            );
            assert!(execution.now_or_never().is_none(), "it was answered in {place:?} before it was done");
            leave.send(()).unwrap();
            let patience = Duration::from_mins(1);
            timeout(patience, app_state.chain_activity.notified()).await.unwrap();
            timeout(patience, announced.changed()).await.unwrap().unwrap();
        }
    }
}
