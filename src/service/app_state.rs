//! What every request reaches: the ledger, the keys, the clock, and how far the start has come.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use serde::Serialize;
use serde_json::Value;
use tokio::sync::{Notify, Semaphore, oneshot, watch};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::activity::LiveActivity;
use super::clock::ServiceClock;
use super::error::ServiceError;
use super::keys::ApiKeys;
use super::ledger::{Ledger, Paging, RequestError, Tenant, UnitOfWork, job_panicked_error};
use super::rate_limit::RateLimits;
use super::response_cache::ResponseCache;
use super::upload_limit::UploadLimits;
use crate::domain::Timestamp;

/// How many changes wait in the writer's line at once. They hold no thread; those beyond wait before it.
const IN_LINE: u32 = 256;

/// How far the start has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StartPhase {
    /// The sample business is being made.
    MakingSample {
        /// Transactions made so far.
        done: u64,
        /// Transactions asked for.
        total: u64,
    },
    /// Requests are answered.
    Ready,
    /// The sample business could not be made.
    Failed(String),
}

/// What every request reaches.
pub(super) struct AppState {
    // Keys lie in the ledger's folder, which goes with it when it is temporary.
    pub(super) keys: ApiKeys,
    pub(super) rates: RateLimits,
    pub(super) uploads: UploadLimits,
    pub(super) ledger: Arc<Ledger>,
    pub(super) clock: ServiceClock,
    pub(super) phase: watch::Sender<StartPhase>,
    /// What goes on by itself, where that was asked for and the business stands.
    pub(super) activity: Mutex<Option<LiveActivity>>,
    /// Says that something happened after which the chain clock may be due sooner.
    pub(super) chain_activity: Arc<Notify>,
    /// Says that events may have been announced.
    pub(super) outbox_changed: watch::Sender<()>,
    /// What was answered, while it still stands.
    pub(super) response_cache: ResponseCache,
    /// How many pieces of work there were.
    pub(super) jobs_done: AtomicU64,
    /// Says that there is work.
    pub(super) job_started: Notify,
    /// Whether the clock was found to have been ahead when the newest transaction was made.
    pub(super) clock_was_ahead: AtomicBool,
    /// Rows that a page of a list holds at most, whatever is asked for.
    pub(super) page_rows: AtomicU64,
    /// For pieces of work in the ledger, each on a thread and with a reader of its own. Those beyond wait in order, each
    /// holding a few bytes.
    places: Arc<Semaphore>,
    line: Arc<Semaphore>,
}

impl fmt::Debug for AppState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").field("phase", &*self.phase.borrow()).finish_non_exhaustive()
    }
}

impl AppState {
    /// A desk over an open ledger.
    pub(super) fn new(
        ledger: Arc<Ledger>,
        keys: ApiKeys,
        rates: RateLimits,
        clock: ServiceClock,
        phase: StartPhase,
    ) -> Self {
        let response_cache = ResponseCache::with_capacity(if ledger.folder().is_some() {
            ResponseCache::USUAL
        } else {
            ResponseCache::SMALL
        });
        Self {
            keys,
            rates,
            uploads: UploadLimits::default(),
            clock,
            phase: watch::Sender::new(phase),
            activity: Mutex::new(None),
            chain_activity: Arc::default(),
            outbox_changed: watch::Sender::new(()),
            response_cache,
            jobs_done: AtomicU64::new(0),
            job_started: Notify::new(),
            clock_was_ahead: AtomicBool::new(false),
            page_rows: AtomicU64::new(Paging::MOST),
            places: Arc::new(Semaphore::new(ledger.reader_limit() as usize)),
            line: Arc::new(Semaphore::new(IN_LINE as usize)),
            ledger,
        }
    }

    /// Does a piece of work in the ledger, away from the threads that serve connections.
    ///
    /// Once begun it runs to its end, even when the caller goes away: a payment is never left half done.
    pub(super) async fn run_in_ledger<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Ledger, Timestamp) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(|_| stopping())?;
        self.count();
        let ledger = Arc::clone(&self.ledger);
        let now = self.clock.now();
        let job = spawn_blocking(move || {
            let done = job(&ledger, now);
            // The ledger is let go of before the place: whoever has all places may close it.
            drop(ledger);
            drop(place);
            done
        });
        job.await.unwrap_or_else(|error| Err(RequestError::Internal(error.to_string())))
    }

    /// Executes a request that changes something, once under its key, and gives the bytes of its answer.
    pub(super) async fn execute<T: Serialize + 'static>(
        &self,
        tenant: Tenant,
        key: Option<Uuid>,
        operation: String,
        request: Value,
        op: impl FnOnce(&mut UnitOfWork<'_>) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<Vec<u8>, RequestError> {
        let place = Arc::clone(&self.line).acquire_owned().await.map_err(|_| stopping())?;
        self.count();
        let tell_all = self.teller();
        if self.ledger.writes_inline() {
            // Nobody else does it: it would hold up a thread that serves connections.
            let once = move |ledger: &Ledger, now| {
                let answer = ledger.execute(tenant, now, key, (&operation, &request), op)?;
                tell_all();
                Ok(answer)
            };
            return self.run_in_ledger(once).await;
        }
        let (tell, told) = oneshot::channel();
        self.ledger.submit(tenant, self.clock.now(), key, (&operation, &request), op, move |answer| {
            drop(place);
            if answer.is_ok() {
                tell_all();
            }
            // Whoever asked may have gone away; the effect stands all the same.
            let _ = tell.send(answer);
        })?;
        told.await.unwrap_or_else(|_| Err(job_panicked_error()))
    }

    fn count(&self) {
        self.jobs_done.fetch_add(1, Ordering::Relaxed);
        self.job_started.notify_one();
    }

    /// Says that something happened: for whoever does it to say, since whoever asked for it may have gone away.
    fn teller(&self) -> impl FnOnce() + Send + use<> {
        let (stirred, announced) = (Arc::clone(&self.chain_activity), self.outbox_changed.clone());
        move || {
            stirred.notify_one();
            announced.send_replace(());
        }
    }

    /// Waits until no work is under way, and lets none begin.
    pub(super) async fn drain(&self) {
        for (places, all) in [(&self.line, IN_LINE), (&self.places, self.ledger.reader_limit())] {
            let _all = places.acquire_many(all).await;
            places.close();
        }
    }

    /// Waits until requests are answered.
    pub(super) async fn wait_until_ready(&self) -> Result<(), ServiceError> {
        let mut phases = self.phase.subscribe();
        let phase = phases.wait_for(|phase| !matches!(phase, StartPhase::MakingSample { .. })).await;
        match phase.as_deref() {
            Ok(StartPhase::Failed(why)) => Err(ServiceError::Internal(why.clone())),
            Ok(_) => Ok(()),
            Err(_gone) => Err(ServiceError::Internal("it stopped before it was ready".into())),
        }
    }
}

fn stopping() -> RequestError {
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
            let tenant = ledger.create_workspace(NewWorkspace::fresh("Test", "testnet"), start).unwrap();
            let keys = ApiKeys::open(&ledger).unwrap();
            let desk =
                AppState::new(ledger, keys, RateLimits::new(None), ServiceClock::manual(start), StartPhase::Ready);
            let mut announced = desk.outbox_changed.subscribe();
            let (leave, left) = mpsc::channel();
            let asked = desk.execute(tenant, None, "POST /v2/accounts".into(), Value::Null, move |books| {
                // Not before whoever asked has left, however quick the thread is that does it.
                left.recv().unwrap();
                books.create_account("Reserve")
            });
            assert!(asked.now_or_never().is_none(), "it was answered in {place:?} before it was done");
            leave.send(()).unwrap();
            let patience = Duration::from_mins(1);
            timeout(patience, desk.chain_activity.notified()).await.unwrap();
            timeout(patience, announced.changed()).await.unwrap().unwrap();
        }
    }
}
