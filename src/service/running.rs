//! A service that runs: what can be asked of it from inside the program.

mod trials;

use std::sync::{Arc, PoisonError};

use secrecy::SecretString;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::activity::{self, Activity};
use super::desk::{Desk, Phase};
use super::http::{self, Door, Faults, Tap};
use super::keys::{Credentials, Keys, NewKey};
use super::ledger::{Ledger, NewWorkspace, Refusal, Tenant};
use super::rates::Rates;
use super::{Options, Pace, Sample, Scene, ServiceClock, ServiceError, Tls, pulse, webhooks};
use crate::domain::Timestamp;

/// A sample business of up to so many transactions stands before [`start`] returns.
const MADE_AT_ONCE: u64 = 5_000;

/// A service that runs until it is stopped or dropped.
#[derive(Debug)]
pub struct Running {
    base_url: String,
    tenant: Tenant,
    desk: Arc<Desk>,
    door: Door,
    faults: Faults,
    tap: Tap,
    credentials: Option<Credentials>,
    signing_secret: Option<SecretString>,
    tasks: Vec<JoinHandle<()>>,
    stop: DropGuard,
}

/// Starts a service. Its address is taken when this returns; [`Running::ready`] says when it answers.
pub async fn start(options: Options) -> Result<Running, ServiceError> {
    if !options.listen.ip().is_loopback() && !options.public {
        return Err(ServiceError::NotLoopback(options.listen));
    }
    if !options.listen.ip().is_loopback() && options.tls.is_none() {
        return Err(ServiceError::NotEncrypted(options.listen));
    }
    let tls = options.tls.as_ref().map(Tls::open).transpose()?;
    let cannot_listen = |source| ServiceError::Listen { address: options.listen, source };
    // The address comes first: a key that is made and then cannot be shown, for want of a port, would be lost.
    let listener = http::listen(options.listen).map_err(cannot_listen)?;
    let opening = options.clone();
    let Opened { desk, tenant, credentials, to_make } =
        spawn_blocking(move || open(&opening)).await.map_err(|error| ServiceError::Broken(error.to_string()))??;
    let stop = CancellationToken::new();
    let faults = Faults::new(options.clock.clone(), stop.clone());
    let tap = Tap::default();
    let front = http::front(Arc::clone(&desk), faults.clone(), tap.clone(), options.with_lists);
    let scheme = if tls.is_some() { "https" } else { "http" };
    let (door, accepting) = Door::open(listener, tls, front, stop.clone()).map_err(cannot_listen)?;
    let mut tasks = vec![accepting];
    let signing_secret = if options.webhooks.is_empty() { None } else { Some(desk.keys.signing_secret()?) };
    if let Some(secret) = &signing_secret {
        let client = webhooks::client(&options.webhooks)?;
        tasks.extend(options.webhooks.iter().map(|receiver| {
            let (desk, client, receiver) = (Arc::clone(&desk), client.clone(), receiver.clone());
            tokio::spawn(webhooks::tell(desk, client, receiver, secret.clone(), stop.clone()))
        }));
    }
    let lively = options.lively.then_some(options.pace);
    let made = to_make.map(|sample| (sample, options.scene));
    let living = tokio::spawn(live(Arc::clone(&desk), tenant, made, lively, stop.clone()));
    tasks.push(living);
    let running = Running {
        base_url: format!("{scheme}://{}", door.address()),
        tenant,
        desk,
        door,
        faults,
        tap,
        credentials,
        signing_secret,
        tasks,
        stop: stop.drop_guard(),
    };
    if to_make.is_none_or(|sample| sample.transactions <= MADE_AT_ONCE) {
        running.ready().await?;
    }
    Ok(running)
}

/// A ledger that was opened, and what is still to be made in it.
struct Opened {
    desk: Arc<Desk>,
    tenant: Tenant,
    credentials: Option<Credentials>,
    to_make: Option<Sample>,
}

/// Opens the ledger and makes its first key. A small empty workspace is made here, a sample business later: its
/// thousands of wallets would keep the address waiting.
fn open(options: &Options) -> Result<Opened, ServiceError> {
    let ledger = Ledger::open(&options.place, options.chain_pace.unwrap_or(options.pace))?;
    ledger.tell(options.webhooks.iter().map(|receiver| receiver.as_str().to_owned()).collect())?;
    let now = options.clock.now();
    let (tenant, to_make) = match (ledger.workspaces()?.first(), activity::unfinished(&ledger)?, options.sample) {
        (Some(workspace), Some((begun, _rows)), _) => (workspace.tenant, Some(begun)),
        (Some(workspace), None, _) => (workspace.tenant, None),
        (None, _, Some(sample)) => (Tenant::FIRST, Some(sample)),
        (None, _, None) => (ledger.create_workspace(NewWorkspace::fresh("Workspace", "testnet"), now)?, None),
    };
    let keys = Keys::open(&ledger)?;
    let credentials = if keys.is_empty()? { Some(keys.mint(tenant, &NewKey::owner(), now)?) } else { None };
    let phase = to_make.map_or(Phase::Ready, |sample| Phase::Preparing { done: 0, total: sample.transactions });
    let desk =
        Arc::new(Desk::new(Arc::new(ledger), keys, Rates::new(options.rate_limit), options.clock.clone(), phase));
    Ok(Opened { desk, tenant, credentials, to_make })
}

/// What goes on beside the requests, first the making of the sample business and then its present.
async fn live(
    desk: Arc<Desk>,
    tenant: Tenant,
    to_make: Option<(Sample, Option<Scene>)>,
    lively: Option<Pace>,
    stop: CancellationToken,
) {
    let phase = match prepare(&desk, tenant, to_make, lively, stop.clone()).await {
        Ok(()) => Phase::Ready,
        Err(refusal) => Phase::Failed(refusal.to_string()),
    };
    let is_ready = phase == Phase::Ready;
    desk.phase.send_replace(phase);
    // A clock that is moved by hand says itself when something is due.
    if is_ready && matches!(desk.clock, ServiceClock::System) {
        pulse::keep_up(desk, stop).await;
    }
}

async fn prepare(
    desk: &Arc<Desk>,
    tenant: Tenant,
    to_make: Option<(Sample, Option<Scene>)>,
    lively: Option<Pace>,
    stop: CancellationToken,
) -> Result<(), Refusal> {
    let shared = Arc::clone(desk);
    desk.work(move |ledger, now| {
        if let Some((sample, scene)) = to_make {
            let made = activity::make_while(ledger, sample, scene, now, &|done, total| {
                shared.phase.send_replace(Phase::Preparing { done, total });
                !stop.is_cancelled()
            })?;
            if made != tenant {
                return Err(Refusal::Broken("the sample business is not the workspace of the first key".into()));
            }
        }
        if let Some(pace) = lively {
            let activity = Activity::resume(ledger, pace, now)?;
            *shared.activity.lock().unwrap_or_else(PoisonError::into_inner) = activity;
        }
        Ok(())
    })
    .await
}

impl Running {
    /// Where it is reached, such as `http://127.0.0.1:8080`: no path, no slash at the end.
    pub fn base_url(&self) -> &str {
        &self.base_url
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

    /// What events are signed with, where anybody is told of them.
    pub fn signing_secret(&self) -> Option<&SecretString> {
        self.signing_secret.as_ref()
    }

    /// The ledger, for tools and tests of this program that look behind the answers.
    pub fn ledger(&self) -> &Ledger {
        &self.desk.ledger
    }

    /// Makes a further key. Those that exist stay valid.
    pub async fn further_key(&self, new: NewKey) -> Result<Credentials, ServiceError> {
        let desk = Arc::clone(&self.desk);
        let tenant = self.tenant;
        Ok(self.desk.work(move |_, now| desk.keys.mint(tenant, &new, now)).await?)
    }

    /// Waits until requests are answered: until the sample business stands.
    pub async fn ready(&self) -> Result<(), ServiceError> {
        self.desk.ready().await
    }

    /// Moves a clock that is moved by hand, and brings chains and activity up to it.
    pub async fn advance(&self, now: Timestamp) -> Result<(), ServiceError> {
        self.desk.clock.advance_to(now);
        pulse::beat(&self.desk).await?;
        Ok(())
    }

    /// Takes no new request, ends those under way, and closes the ledger.
    pub async fn stop(self) -> Result<(), ServiceError> {
        let Self { desk, door, tasks, stop, .. } = self;
        drop(stop);
        drop(door);
        for task in tasks {
            task.await.map_err(|error| ServiceError::Broken(error.to_string()))?;
        }
        desk.rest().await;
        // Closing writes the log back into the ledger's file.
        spawn_blocking(move || drop(desk)).await.map_err(|error| ServiceError::Broken(error.to_string()))
    }
}
