//! A service that runs: what can be asked of it from inside the program.

mod fault_injection;

use std::ops::Deref;
use std::sync::Arc;

use secrecy::SecretString;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::http::{self, Dispatcher, HttpListener};
use super::instance::Instance;
use super::keys::{Credentials, NewKey};
use super::{Options, ServiceError, Tls, scheduler, webhooks};

/// A sample business of up to so many transactions stands before [`start`] returns.
const MADE_AT_ONCE: u64 = 5_000;

/// A service that runs until it is stopped or dropped: [`Instance`] with a door of their own.
#[derive(Debug)]
pub struct RunningService {
    base_url: String,
    premises: Instance,
    door: HttpListener,
    signing_secret: Option<SecretString>,
    tasks: Vec<JoinHandle<()>>,
    stop: DropGuard,
}

/// Starts a service. Its address is taken when this returns; [`Instance::wait_until_ready`] says when it answers.
pub async fn start(options: Options) -> Result<RunningService, ServiceError> {
    if !options.listen.ip().is_loopback() && !options.public {
        return Err(ServiceError::NotLoopback(options.listen));
    }
    if !options.listen.ip().is_loopback() && options.tls.is_none() {
        return Err(ServiceError::NotEncrypted(options.listen));
    }
    let tls = options.tls.as_ref().map(Tls::open).transpose()?;
    let cannot_listen = |cause| ServiceError::Listen { address: options.listen, cause };
    // The address comes first: a key that is made and then cannot be shown, for want of a port, would be lost.
    let listener = http::listen(options.listen).map_err(cannot_listen)?;
    let stop = CancellationToken::new();
    let premises = Instance::open(&options, stop.clone()).await?;
    let reception = Dispatcher::Single(premises.front(http::router(options.with_lists)));
    let scheme = if tls.is_some() { "https" } else { "http" };
    let (door, accepting) = HttpListener::open(listener, tls, reception, stop.clone()).map_err(cannot_listen)?;
    let mut tasks = vec![accepting];
    let signing_secret = if options.webhooks.is_empty() { None } else { Some(premises.desk.keys.signing_secret()?) };
    if let Some(secret) = &signing_secret {
        let client = webhooks::client(&options.webhooks)?;
        tasks.extend(options.webhooks.iter().map(|receiver| {
            let (desk, client, receiver) = (Arc::clone(&premises.desk), client.clone(), receiver.clone());
            tokio::spawn(webhooks::run_sender(desk, client, receiver, secret.clone(), stop.clone()))
        }));
    }
    tasks.push(tokio::spawn(premises.background_tasks(options.lively.then_some(options.pace), stop.clone())));
    tasks.push(tokio::spawn(scheduler::release_memory_when_idle(Arc::clone(&premises.desk), stop.clone())));
    let base_url = format!("{scheme}://{}", door.address());
    let running = RunningService { base_url, premises, door, signing_secret, tasks, stop: stop.drop_guard() };
    if !running.has_more_to_make_than(MADE_AT_ONCE) {
        running.wait_until_ready().await?;
    }
    Ok(running)
}

impl RunningService {
    /// Where it is reached, such as `http://127.0.0.1:8080`: no path, no slash at the end.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// What events are signed with, where anybody is told of them.
    pub fn signing_secret(&self) -> Option<&SecretString> {
        self.signing_secret.as_ref()
    }

    /// Makes a further key. Those that exist stay valid.
    pub async fn create_key(&self, new: NewKey) -> Result<Credentials, ServiceError> {
        self.premises.create_key(new).await
    }

    /// Makes a key in place of the one that has its name. The others stay valid.
    pub async fn replace_key(&self, new: NewKey) -> Result<Credentials, ServiceError> {
        self.premises.replace_key(new).await
    }

    /// Takes no new request, ends those under way, and closes the ledger.
    pub async fn stop(self) -> Result<(), ServiceError> {
        let Self { premises, door, tasks, stop, .. } = self;
        drop(stop);
        drop(door);
        for task in tasks {
            task.await.map_err(|error| ServiceError::Internal(error.to_string()))?;
        }
        premises.close().await
    }
}

impl Deref for RunningService {
    type Target = Instance;

    fn deref(&self) -> &Instance {
        &self.premises
    }
}
