//! A service without its door: a ledger and its keys, what goes wrong there, and what goes on by itself.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use axum::Router;
use secrecy::SecretString;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::activity::{self, LiveActivity, SceneSetup};
use super::app_state::{AppState, StartPhase};
use super::chain::FailurePolicy;
use super::http::{self, Faults, RequestLog, RequestPipeline};
use super::keys::{ApiKeys, Credentials, NewKey};
use super::ledger::{Ledger, NewWorkspace, PaymentLookup, RequestError, Tenant, render};
use super::rate_limit::RateLimits;
use super::{Options, Pace, Sample, Scene, ServiceClock, ServiceError, scheduler};
use crate::domain::Timestamp;

/// What stands behind a door: of its own, as of a [`RunningService`](super::RunningService) service, or one that many share, as those
/// of [`TenantHost`](super::TenantHost) do.
#[derive(Debug)]
pub struct Instance {
    tenant: Tenant,
    pub(super) desk: Arc<AppState>,
    pub(super) faults: Faults,
    tap: RequestLog,
    credentials: Option<Credentials>,
    /// The sample business that is still to be made, and the scene for which it is.
    to_make: Option<(Sample, Option<Scene>)>,
}

impl Instance {
    /// Opens a ledger and makes its first key. Requests that hang are let go of at `stop`.
    pub(super) async fn open(options: &Options, stop: CancellationToken) -> Result<Self, ServiceError> {
        let opening = options.clone();
        let opened =
            spawn_blocking(move || open(&opening)).await.map_err(|error| ServiceError::Internal(error.to_string()))?;
        let OpenedLedger { desk, tenant, credentials, to_make } = opened?;
        let faults = Faults::new(options.clock.clone(), stop);
        let to_make = to_make.map(|sample| (sample, options.scene));
        Ok(Self { tenant, desk, faults, tap: RequestLog::default(), credentials, to_make })
    }

    /// What requests to these premises pass through.
    pub(super) fn front(&self, router: Router) -> RequestPipeline {
        http::front(router, Arc::clone(&self.desk), self.faults.clone(), self.tap.clone())
    }

    /// Whether the sample business has more transactions to be made than so many.
    pub(super) fn has_more_to_make_than(&self, transactions: u64) -> bool {
        self.to_make.is_some_and(|(sample, _)| sample.transactions > transactions)
    }

    /// What goes on here beside the requests: first the making of the sample business and then its present.
    pub(super) fn background_tasks(
        &self,
        lively: Option<Pace>,
        stop: CancellationToken,
    ) -> impl Future<Output = ()> + use<> {
        live(Arc::clone(&self.desk), self.tenant, self.to_make, lively, stop)
    }

    /// Waits until no work is under way, and closes the ledger.
    pub(super) async fn close(self) -> Result<(), ServiceError> {
        let Self { desk, .. } = self;
        desk.drain().await;
        // Closing writes the log back into the ledger's file.
        spawn_blocking(move || drop(desk)).await.map_err(|error| ServiceError::Internal(error.to_string()))
    }

    /// Makes a further key. Those that exist stay valid.
    pub(super) async fn create_key(&self, new: NewKey) -> Result<Credentials, ServiceError> {
        let (desk, tenant) = (Arc::clone(&self.desk), self.tenant);
        Ok(self.desk.run_in_ledger(move |_, now| desk.keys.create(tenant, &new, now)).await?)
    }

    /// Makes a key in place of the one that has its name. The others stay valid.
    pub(super) async fn replace_key(&self, new: NewKey) -> Result<Credentials, ServiceError> {
        let (desk, tenant) = (Arc::clone(&self.desk), self.tenant);
        Ok(self.desk.run_in_ledger(move |_, now| desk.keys.replace(tenant, &new, now)).await?)
    }

    /// The key and the secret, if this start made them: they are shown once, and kept as hashes.
    pub fn credentials(&self) -> Option<&Credentials> {
        self.credentials.as_ref()
    }

    /// The API key, if this start made it.
    pub fn api_key(&self) -> Option<&SecretString> {
        self.credentials.as_ref().map(|credentials| &credentials.api_key)
    }

    /// The wallet secret, if this start made it.
    pub fn wallet_secret(&self) -> Option<&SecretString> {
        self.credentials.as_ref().map(|credentials| &credentials.wallet_secret)
    }

    /// The ledger, for tools and tests of this program that look behind the answers.
    pub fn ledger(&self) -> &Ledger {
        &self.desk.ledger
    }

    /// Waits until requests are answered: until the sample business stands.
    pub async fn wait_until_ready(&self) -> Result<(), ServiceError> {
        self.desk.wait_until_ready().await
    }

    /// Moves a clock that is moved by hand, and brings chains and activity up to it.
    pub async fn advance(&self, now: Timestamp) -> Result<(), ServiceError> {
        self.desk.clock.advance_to(now);
        scheduler::advance_to_now(&self.desk).await?;
        Ok(())
    }

    /// Says which transactions fail on their chains from now on, those under way included: a journey that is about
    /// something else must not end now and then because one did.
    pub fn set_failure_policy(&self, failures: FailurePolicy) {
        self.ledger().set_failure_policy(failures);
    }

    /// Says how many rows a page of a list holds at most from now on, whatever is asked for; never more than it usually
    /// does. How long pages are is each service's own affair.
    pub fn set_max_page_rows(&self, rows: u64) {
        self.desk.page_rows.store(rows, Ordering::SeqCst);
    }

    /// What the scene of the sample business needs beside it; `None` where it was made without one.
    pub fn scene_setup(&self) -> Result<Option<SceneSetup>, RequestError> {
        activity::scene_setup(self.ledger())
    }

    /// How often faults have fired since they were set: requests to which they made a difference; for
    /// [`Fault::Down`](super::Fault::Down), its coming and every connection that it cut.
    pub fn fired(&self) -> u64 {
        self.faults.fired()
    }

    /// The same rule by rule, in the order in which they were set, those of [`Fault::Down`](super::Fault::Down) left out.
    pub fn fired_each(&self) -> Vec<u64> {
        self.faults.fired_each()
    }

    /// Listens in on the requests from now on, or from when this was first asked for.
    pub fn tap(&self) -> RequestLog {
        self.tap.open()
    }

    /// The outgoing transactions that the ledger has under an idempotency key, the newest first: none, if nothing was
    /// executed, and one at most, if the service keeps its word. It looks through the whole history.
    pub fn payments_by_key(&self, key: Uuid) -> Result<Vec<render::Transaction>, RequestError> {
        self.ledger().outgoing_by(self.tenant, PaymentLookup::Key(key), self.desk.clock.now())
    }

    /// The outgoing transactions that the ledger has under the business's own reference, the newest first.
    pub fn payments_by_reference(&self, ref_id: &str) -> Result<Vec<render::Transaction>, RequestError> {
        self.ledger().outgoing_by(self.tenant, PaymentLookup::Reference(ref_id), self.desk.clock.now())
    }
}

/// A ledger that was opened, and what is still to be made in it.
struct OpenedLedger {
    desk: Arc<AppState>,
    tenant: Tenant,
    credentials: Option<Credentials>,
    to_make: Option<Sample>,
}

/// Opens the ledger and makes its first key. A small empty workspace is made here, a sample business later: its
/// thousands of wallets would keep the address waiting.
fn open(options: &Options) -> Result<OpenedLedger, ServiceError> {
    let ledger = Ledger::open(&options.place, options.chain_pace.unwrap_or(options.pace))?;
    ledger.set_receivers(options.webhooks.iter().map(|receiver| receiver.as_str().to_owned()).collect())?;
    let now = options.clock.now();
    let (tenant, to_make) = match (ledger.workspaces()?.first(), activity::unfinished(&ledger)?, options.sample) {
        (Some(workspace), Some((begun, _rows)), _) => (workspace.tenant, Some(begun)),
        (Some(workspace), None, _) => (workspace.tenant, None),
        (None, _, Some(sample)) => (Tenant::FIRST, Some(sample)),
        (None, _, None) => (ledger.create_workspace(NewWorkspace::fresh("Workspace", "testnet"), now)?, None),
    };
    let keys = ApiKeys::open(&ledger)?;
    let credentials = if keys.is_empty()? { Some(keys.create(tenant, &NewKey::owner(), now)?) } else { None };
    let phase =
        to_make.map_or(StartPhase::Ready, |sample| StartPhase::MakingSample { done: 0, total: sample.transactions });
    let desk = Arc::new(AppState::new(
        Arc::new(ledger),
        keys,
        RateLimits::new(options.rate_limit),
        options.clock.clone(),
        phase,
    ));
    Ok(OpenedLedger { desk, tenant, credentials, to_make })
}

async fn live(
    desk: Arc<AppState>,
    tenant: Tenant,
    to_make: Option<(Sample, Option<Scene>)>,
    lively: Option<Pace>,
    stop: CancellationToken,
) {
    let phase = match prepare(&desk, tenant, to_make, lively, stop.clone()).await {
        Ok(()) => StartPhase::Ready,
        Err(refusal) => StartPhase::Failed(refusal.to_string()),
    };
    let is_ready = phase == StartPhase::Ready;
    desk.phase.send_replace(phase);
    // A clock that is moved by hand says itself when something is due.
    if is_ready && matches!(desk.clock, ServiceClock::System) {
        scheduler::run(desk, stop).await;
    }
}

async fn prepare(
    desk: &Arc<AppState>,
    tenant: Tenant,
    to_make: Option<(Sample, Option<Scene>)>,
    lively: Option<Pace>,
    stop: CancellationToken,
) -> Result<(), RequestError> {
    let shared = Arc::clone(desk);
    desk.run_in_ledger(move |ledger, now| {
        if let Some((sample, scene)) = to_make {
            let made = activity::make_while(ledger, sample, scene, now, &|done, total| {
                shared.phase.send_replace(StartPhase::MakingSample { done, total });
                !stop.is_cancelled()
            })?;
            if made != tenant {
                return Err(RequestError::Internal("the sample business is not the workspace of the first key".into()));
            }
        }
        if let Some(pace) = lively {
            let activity = LiveActivity::resume(ledger, pace, now)?;
            *shared.activity.lock().unwrap_or_else(PoisonError::into_inner) = activity;
        }
        Ok(())
    })
    .await
}
