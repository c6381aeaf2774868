//! A service without its port: ledger, keys, faults and live activity.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use axum::Router;
use secrecy::SecretString;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::activity::{self, LiveActivity, SceneExtras};
use super::app_state::{AppState, StartPhase};
use super::chain::FailurePolicy;
use super::control;
use super::http::{self, Faults, RequestLog, RequestPipeline};
use super::keys::{ApiKeys, Credentials, NewKey};
use super::ledger::{Ledger, NewWorkspace, PaymentLookup, RequestError, WorkspaceNumber, render};
use super::rate_limit::RateLimits;
use super::{Options, Pace, Sample, Scene, ServiceClock, ServiceError, scheduler};
use crate::domain::Timestamp;

/// Delivered events that a control request can send again.
const EVENTS_KEPT_FOR_REPLAY: u32 = 1_000;

/// The service behind a port: its own, as in [`RunningService`](super::RunningService), or a shared one, as in
/// [`TenantHost`](super::TenantHost).
#[derive(Debug)]
pub struct Instance {
    workspace_number: WorkspaceNumber,
    pub(super) app_state: Arc<AppState>,
    pub(super) faults: Faults,
    request_log: RequestLog,
    credentials: Option<Credentials>,
    /// The sample business still to create, and its scene.
    sample_to_create: Option<(Sample, Option<Scene>)>,
}

impl Instance {
    /// Opens a ledger and creates its first key. Requests that hang because of a fault end at `stop`.
    pub(super) async fn open(options: &Options, stop: CancellationToken) -> Result<Self, ServiceError> {
        let opening = options.clone();
        let opened = spawn_blocking(move || open_or_create_ledger(&opening))
            .await
            .map_err(|error| ServiceError::Internal(error.to_string()))?;
        let InstanceParts { app_state, workspace_number, credentials, sample_to_create } = opened?;
        let faults = Faults::new(options.clock.clone(), stop);
        let sample_to_create = sample_to_create.map(|sample| (sample, options.scene));
        Ok(Self {
            workspace_number,
            app_state,
            faults,
            request_log: RequestLog::default(),
            credentials,
            sample_to_create,
        })
    }

    /// The pipeline that requests to this instance pass through.
    pub(super) fn request_pipeline(&self, router: Router) -> RequestPipeline {
        http::request_pipeline(router, Arc::clone(&self.app_state), self.faults.clone(), self.request_log.clone())
    }

    pub(super) fn has_larger_sample_to_create(&self, transactions: u64) -> bool {
        self.sample_to_create.is_some_and(|(sample, _)| sample.transactions > transactions)
    }

    /// Background work: first creates the sample business, then runs its live activity.
    pub(super) fn run_background_tasks(
        &self,
        lively: Option<Pace>,
        stop: CancellationToken,
    ) -> impl Future<Output = ()> + use<> {
        prepare_and_run_tasks(Arc::clone(&self.app_state), self.workspace_number, self.sample_to_create, lively, stop)
    }

    /// Waits for the jobs under way, and closes the ledger.
    pub(super) async fn close(self) -> Result<(), ServiceError> {
        let Self { app_state, .. } = self;
        app_state.drain_jobs().await;
        // Closing checkpoints the log into the ledger's file.
        spawn_blocking(move || drop(app_state)).await.map_err(|error| ServiceError::Internal(error.to_string()))
    }

    /// Creates a further key. Existing keys stay valid.
    pub(super) async fn create_key(&self, new: NewKey) -> Result<Credentials, ServiceError> {
        let (app_state, workspace_number) = (Arc::clone(&self.app_state), self.workspace_number);
        Ok(self.app_state.run_in_ledger(move |_, now| app_state.keys.create(workspace_number, &new, now)).await?)
    }

    /// Replaces the key of the same name. Other keys stay valid.
    pub(super) async fn replace_key(&self, new: NewKey) -> Result<Credentials, ServiceError> {
        let (app_state, workspace_number) = (Arc::clone(&self.app_state), self.workspace_number);
        Ok(self.app_state.run_in_ledger(move |_, now| app_state.keys.replace(workspace_number, &new, now)).await?)
    }

    /// Key and secret, if this start created them: shown once, stored as hashes.
    pub fn credentials(&self) -> Option<&Credentials> {
        self.credentials.as_ref()
    }

    /// The API key, if this start created it.
    pub fn api_key(&self) -> Option<&SecretString> {
        self.credentials.as_ref().map(|credentials| &credentials.api_key)
    }

    /// The wallet secret, if this start created it.
    pub fn wallet_secret(&self) -> Option<&SecretString> {
        self.credentials.as_ref().map(|credentials| &credentials.wallet_secret)
    }

    /// The ledger, for tools and tests that look behind the responses.
    pub fn ledger(&self) -> &Ledger {
        &self.app_state.ledger
    }

    /// Returns when requests are answered: the sample business is complete.
    pub async fn wait_until_ready(&self) -> Result<(), ServiceError> {
        self.app_state.wait_until_ready().await
    }

    /// Moves a manual clock, and advances chains and activity to it.
    pub async fn advance_to(&self, now: Timestamp) -> Result<(), ServiceError> {
        self.app_state.clock.advance_to(now);
        scheduler::advance_to_now(&self.app_state).await?;
        Ok(())
    }

    /// Sets which transactions fail on their chains from now on, pending ones included. Tests that are about something
    /// else must not fail because one transaction did.
    pub fn set_failure_policy(&self, failures: FailurePolicy) {
        self.ledger().set_failure_policy(failures);
    }

    /// Caps the rows of a list page; never above the usual cap. Page length is each service's own choice.
    pub fn set_max_page_rows(&self, rows: u64) {
        self.app_state.max_page_rows.store(rows, Ordering::SeqCst);
    }

    /// What the scene needs besides the business; `None` without a scene.
    pub fn scene_extras(&self) -> Result<Option<SceneExtras>, RequestError> {
        activity::load_scene_extras(self.ledger(), self.app_state.clock.now())
    }

    /// How often faults have fired since they were set: requests that they changed; for
    /// [`Fault::Down`](super::Fault::Down), one plus the connections that it cut.
    pub fn faults_fired(&self) -> u64 {
        self.faults.fired_count()
    }

    /// The same per rule, in the order in which they were set, without [`Fault::Down`](super::Fault::Down).
    pub fn faults_fired_per_rule(&self) -> Vec<u64> {
        self.faults.fired_count_per_rule()
    }

    /// Records requests from now on, or from the first call.
    pub fn record_requests(&self) -> RequestLog {
        self.request_log.start_recording()
    }

    /// Outgoing transactions under an idempotency key, newest first: at most one, if the service works. Scans the whole
    /// history.
    pub fn find_payments_with_key(&self, key: Uuid) -> Result<Vec<render::Transaction>, RequestError> {
        self.ledger().find_outgoing_transactions(
            self.workspace_number,
            PaymentLookup::Key(key),
            self.app_state.clock.now(),
        )
    }

    /// Outgoing transactions with the business's own reference, newest first.
    pub fn find_payments_with_reference(&self, ref_id: &str) -> Result<Vec<render::Transaction>, RequestError> {
        self.ledger().find_outgoing_transactions(
            self.workspace_number,
            PaymentLookup::Reference(ref_id),
            self.app_state.clock.now(),
        )
    }
}

struct InstanceParts {
    app_state: Arc<AppState>,
    workspace_number: WorkspaceNumber,
    credentials: Option<Credentials>,
    sample_to_create: Option<Sample>,
}

/// Opens the ledger and creates its first key. A small empty workspace is created here, a sample business later: its
/// thousands of wallets would delay the listener.
fn open_or_create_ledger(options: &Options) -> Result<InstanceParts, ServiceError> {
    let ledger = Ledger::open(&options.ledger_location, options.chain_pace.unwrap_or(options.pace))?;
    ledger.set_failures_of_callers(options.failures_of_callers);
    let receivers = options.webhooks.iter().map(|receiver| receiver.as_str().to_owned()).collect();
    ledger.set_webhook_receivers(receivers, if options.with_control { EVENTS_KEPT_FOR_REPLAY } else { 0 })?;
    if options.with_control {
        control::restore_clock(&ledger, &options.clock)?;
    }
    let now = options.clock.now();
    let (workspace_number, sample_to_create) =
        match (ledger.workspaces()?.first(), activity::find_unfinished_sample(&ledger)?, options.sample) {
            (Some(workspace), Some((begun, _rows)), _) => (workspace.number, Some(begun)),
            (Some(workspace), None, _) => (workspace.number, None),
            (None, _, Some(sample)) => (WorkspaceNumber::FIRST, Some(sample)),
            (None, _, None) => {
                (ledger.create_workspace(NewWorkspace::with_random_id("Workspace", "testnet"), now)?, None)
            }
        };
    let keys = ApiKeys::open(&ledger)?;
    let credentials = if keys.is_empty()? { Some(keys.create(workspace_number, &NewKey::owner(), now)?) } else { None };
    let phase = sample_to_create
        .map_or(StartPhase::Ready, |sample| StartPhase::MakingSample { done: 0, total: sample.transactions });
    let rates = RateLimits::new(options.rate_limit);
    let app_state = AppState::new(Arc::new(ledger), keys, rates, options.clock.clone(), phase);
    let app_state = Arc::new(app_state.with_approval_policy(options.approvals.clone()));
    Ok(InstanceParts { app_state, workspace_number, credentials, sample_to_create })
}

async fn prepare_and_run_tasks(
    app_state: Arc<AppState>,
    workspace_number: WorkspaceNumber,
    sample_to_create: Option<(Sample, Option<Scene>)>,
    lively: Option<Pace>,
    stop: CancellationToken,
) {
    let phase =
        match create_sample_and_start_activity(&app_state, workspace_number, sample_to_create, lively, stop.clone())
            .await
        {
            Ok(()) => StartPhase::Ready,
            Err(refusal) => StartPhase::Failed(refusal.to_string()),
        };
    let is_ready = phase == StartPhase::Ready;
    app_state.phase.send_replace(phase);
    // A manual clock advances only through `Instance::advance_to`.
    if is_ready && !matches!(app_state.clock, ServiceClock::Manual(_)) {
        scheduler::run_scheduler(app_state, stop).await;
    }
}

async fn create_sample_and_start_activity(
    app_state: &Arc<AppState>,
    workspace_number: WorkspaceNumber,
    sample_to_create: Option<(Sample, Option<Scene>)>,
    lively: Option<Pace>,
    stop: CancellationToken,
) -> Result<(), RequestError> {
    let shared = Arc::clone(app_state);
    app_state
        .run_in_ledger(move |ledger, now| {
            if let Some((sample, scene)) = sample_to_create {
                let sample_result =
                    activity::create_interruptible_sample(ledger, sample, scene, now, &|done, total| {
                        shared.phase.send_replace(StartPhase::MakingSample { done, total });
                        !stop.is_cancelled()
                    })?;
                if sample_result != workspace_number {
                    return Err(RequestError::Internal(
                        "the sample business is not the workspace of the first key".into(),
                    ));
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
