//! Many services on one port, one per tenant, in memory.
//!
//! ```text
//!                                             ┌─▶ pipeline ─▶ AppState ─▶ ledger     of the tenant with this key
//!   one address ─▶ listener ─▶ TenantRouter ──┼─▶ pipeline ─▶ AppState ─▶ ledger     of another tenant
//!                                             └─▶ pipeline ─▶ AppState               of no tenant: for unknown keys
//! ```
//!
//! Tenants share the address, the connections and the routes only: their rows are in separate databases. When a tenant
//! leaves, its key is unknown at once, requests under way are answered, and the last of them drops the ledger, which
//! was never anywhere but in memory.

use std::ops::Deref;
use std::sync::Arc;

use axum::Router;
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::app_state::{AppState, StartPhase};
use super::http::{self, Dispatcher, FaultRule, Faults, HttpListener, RequestLog, TenantRegistration, TenantRouter};
use super::instance::Instance;
use super::keys::ApiKeys;
use super::ledger::Ledger;
use super::rate_limit::RateLimits;
use super::{LedgerLocation, Options, Pace, Sample, ServiceClock, ServiceError};

/// Sample businesses created at once: creating one takes resources from the tenants already served.
const CONCURRENT_SAMPLE_CREATIONS: usize = 1;

/// Accepts tenants until stopped or dropped.
#[derive(Debug)]
pub struct TenantHost {
    base_url: String,
    options: Options,
    router: Router,
    tenant_router: TenantRouter,
    sample_creation_permits: Semaphore,
    accepting_task: JoinHandle<()>,
    _listener: HttpListener,
    stop: CancellationToken,
    _guard: DropGuard,
}

/// One tenant's [`Instance`] behind the shared port; gone when dropped.
#[derive(Debug)]
pub struct TenantInstance {
    // Dropped first: no request reaches the instance while the rest is dropped.
    _registration: TenantRegistration,
    _stop: DropGuard,
    instance: Instance,
}

impl TenantHost {
    /// Starts without a tenant, on loopback only. Each tenant's service uses `options`, except its location, TLS and
    /// webhooks.
    pub async fn start(options: Options) -> Result<Self, ServiceError> {
        if !options.listen.ip().is_loopback() {
            return Err(ServiceError::NotLoopback(options.listen));
        }
        let cannot_listen = |cause| ServiceError::Listen { address: options.listen, cause };
        let listener = http::bind_listener(options.listen).map_err(cannot_listen)?;
        let options =
            Options { ledger_location: LedgerLocation::Memory, tls: None, webhooks: Vec::new(), ..options.clone() };
        let stop = CancellationToken::new();
        let router = http::router(options.optional_routes());
        let (clock, pace) = (options.clock.clone(), options.pace);
        let nobody = spawn_blocking(move || state_for_unknown_keys(clock, pace)).await;
        let nobody = nobody.map_err(|error| ServiceError::Internal(error.to_string()))??;
        let faults = Faults::new(options.clock.clone(), stop.clone());
        let tenant_router =
            TenantRouter::new(http::request_pipeline(router.clone(), nobody, faults, RequestLog::default()));
        let (http_listener, accepting) =
            HttpListener::open(listener, None, Dispatcher::MultiTenant(tenant_router.clone()), stop.clone())
                .map_err(cannot_listen)?;
        Ok(Self {
            base_url: format!("http://{}", http_listener.address()),
            options,
            router,
            tenant_router,
            sample_creation_permits: Semaphore::new(CONCURRENT_SAMPLE_CREATIONS),
            accepting_task: accepting,
            _listener: http_listener,
            _guard: stop.clone().drop_guard(),
            stop,
        })
    }

    /// Shared by all tenants, such as `http://127.0.0.1:8080`: no path, no trailing slash.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    pub fn tenant_count(&self) -> usize {
        self.tenant_router.tenant_count()
    }

    /// Creates a tenant whose service is ready when this returns.
    pub async fn create_tenant(&self) -> Result<TenantInstance, ServiceError> {
        self.create_tenant_with_sample(self.options.sample).await
    }

    /// The same with another sample business.
    pub async fn create_tenant_with_sample(&self, sample: Option<Sample>) -> Result<TenantInstance, ServiceError> {
        let stop = self.stop.child_token();
        // A caller that gives up waiting leaves nothing behind.
        let guard = stop.clone().drop_guard();
        let options = Options { sample, ..self.options.clone() };
        let instance = {
            let _others_wait = self.sample_creation_permits.acquire().await.map_err(|_| stopped_error())?;
            let instance = Instance::open(&options, stop.clone()).await?;
            tokio::spawn(instance.run_background_tasks(options.lively.then_some(options.pace), stop));
            instance.wait_until_ready().await?;
            instance
        };
        let key = instance.api_key().ok_or_else(|| ServiceError::Internal("a guest's ledger is not new".into()))?;
        let entrance = self.tenant_router.register(key, instance.request_pipeline(self.router.clone()));
        Ok(TenantInstance { _registration: entrance, _stop: guard, instance })
    }

    /// Accepts no new request, and finishes those under way. Remaining tenants are no longer served.
    pub async fn stop(self) -> Result<(), ServiceError> {
        self.stop.cancel();
        self.accepting_task.await.map_err(|error| ServiceError::Internal(error.to_string()))
    }
}

impl TenantInstance {
    /// Replaces this tenant's fault rules. [`Down`](super::Fault::Down) would affect all tenants on the port and is
    /// ignored.
    pub fn set_faults(&self, rules: Vec<FaultRule>) {
        self.instance.faults.set_rules(rules);
    }
}

impl Deref for TenantInstance {
    type Target = Instance;

    fn deref(&self) -> &Instance {
        &self.instance
    }
}

/// The state for unknown keys: no keys and an empty ledger.
fn state_for_unknown_keys(clock: ServiceClock, pace: Pace) -> Result<Arc<AppState>, ServiceError> {
    let ledger = Ledger::open(&LedgerLocation::Memory, pace)?;
    let keys = ApiKeys::open(&ledger)?;
    Ok(Arc::new(AppState::new(Arc::new(ledger), keys, RateLimits::new(None), clock, StartPhase::Ready)))
}

fn stopped_error() -> ServiceError {
    ServiceError::Internal("no guest is taken in any more".into())
}

#[cfg(test)]
mod tests;
