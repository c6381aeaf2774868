//! A running service, and what the rest of the program can do with it.

mod fault_injection;

use std::ops::Deref;
use std::sync::Arc;

use secrecy::SecretString;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::http::{self, Dispatcher, HttpListener};
use super::instance::Instance;
use super::keys::{Credentials, NewKey};
use super::{Options, ServiceError, TlsFiles, scheduler, webhooks};

/// A sample business of at most this many transactions is complete before [`start`] returns.
const MAX_SAMPLE_CREATED_BEFORE_START: u64 = 5_000;

/// An [`Instance`] with a port of its own; runs until stopped or dropped.
#[derive(Debug)]
pub struct RunningService {
    base_url: String,
    instance: Instance,
    listener: HttpListener,
    signing_secret: Option<SecretString>,
    tasks: Vec<JoinHandle<()>>,
    stop: DropGuard,
}

/// Starts a service. Its port is bound when this returns; see [`Instance::wait_until_ready`].
pub async fn start(options: Options) -> Result<RunningService, ServiceError> {
    if !options.listen.ip().is_loopback() && !options.public {
        return Err(ServiceError::NotLoopback(options.listen));
    }
    if !options.listen.ip().is_loopback() && options.tls.is_none() {
        return Err(ServiceError::NotEncrypted(options.listen));
    }
    let tls = options.tls.as_ref().map(TlsFiles::load_acceptor).transpose()?;
    let cannot_listen = |cause| ServiceError::Listen { address: options.listen, cause };
    // The port comes first: a key that is created but cannot be shown, because no port was free, would be lost.
    let listener = http::bind_listener(options.listen).map_err(cannot_listen)?;
    let stop = CancellationToken::new();
    let instance = Instance::open(&options, stop.clone()).await?;
    let dispatcher = Dispatcher::Single(instance.request_pipeline(http::router(options.optional_routes())));
    let scheme = if tls.is_some() { "https" } else { "http" };
    let (http_listener, accepting) =
        HttpListener::open(listener, tls, dispatcher, stop.clone()).map_err(cannot_listen)?;
    let mut tasks = vec![accepting];
    let signing_secret =
        if options.webhooks.is_empty() { None } else { Some(instance.app_state.keys.signing_secret()?) };
    if let Some(secret) = &signing_secret {
        let client = webhooks::webhook_client(&options.webhooks)?;
        tasks.extend(options.webhooks.iter().map(|receiver| {
            let (app_state, client, receiver) = (Arc::clone(&instance.app_state), client.clone(), receiver.clone());
            tokio::spawn(webhooks::run_sender(app_state, client, receiver, secret.clone(), stop.clone()))
        }));
    }
    tasks.push(tokio::spawn(instance.run_background_tasks(options.lively.then_some(options.pace), stop.clone())));
    tasks.push(tokio::spawn(scheduler::release_memory_when_idle(Arc::clone(&instance.app_state), stop.clone())));
    let base_url = format!("{scheme}://{}", http_listener.address());
    if !http_listener.address().ip().is_unspecified() {
        let _set_once = instance.app_state.base_url.set(base_url.clone());
    }
    let running =
        RunningService { base_url, instance, listener: http_listener, signing_secret, tasks, stop: stop.drop_guard() };
    if !running.has_larger_sample_to_create(MAX_SAMPLE_CREATED_BEFORE_START) {
        running.wait_until_ready().await?;
    }
    Ok(running)
}

impl RunningService {
    /// Such as `http://127.0.0.1:8080`: no path, no trailing slash.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The secret that signs events; `None` without receivers.
    pub fn signing_secret(&self) -> Option<&SecretString> {
        self.signing_secret.as_ref()
    }

    /// Creates a further key. Existing keys stay valid.
    pub async fn create_key(&self, new: NewKey) -> Result<Credentials, ServiceError> {
        self.instance.create_key(new).await
    }

    /// Replaces the key of the same name. Other keys stay valid.
    pub async fn replace_key(&self, new: NewKey) -> Result<Credentials, ServiceError> {
        self.instance.replace_key(new).await
    }

    /// Accepts no new request, finishes those under way, and closes the ledger.
    pub async fn stop(self) -> Result<(), ServiceError> {
        let Self { instance, listener: http_listener, tasks, stop, .. } = self;
        drop(stop);
        drop(http_listener);
        for task in tasks {
            task.await.map_err(|error| ServiceError::Internal(error.to_string()))?;
        }
        instance.close().await
    }
}

impl Deref for RunningService {
    type Target = Instance;

    fn deref(&self) -> &Instance {
        &self.instance
    }
}
