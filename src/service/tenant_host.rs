//! Many services behind one door, each of a guest's own, in memory.
//!
//! ```text
//!                                    ┌─▶ front ─▶ desk ─▶ ledger     of the guest who has this key
//!   one address ─▶ door ─▶ lobby ────┼─▶ front ─▶ desk ─▶ ledger     of another one
//!                                    └─▶ front ─▶ desk               of nobody: for keys that nobody here has
//! ```
//!
//! Guests share the address, the connections and the routes, and nothing beyond: no query can reach another's rows, since
//! they lie in another database. A guest who leaves is forgotten: from then on the key is unknown, requests under way are
//! answered to their end, and with the last of them the ledger is gone. It was never anywhere but in memory.

use std::ops::Deref;
use std::sync::Arc;

use axum::Router;
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::app_state::{AppState, StartPhase};
use super::http::{self, Dispatcher, FaultRule, Faults, HttpListener, RequestLog, TenantRoute, TenantRouter};
use super::instance::Instance;
use super::keys::ApiKeys;
use super::ledger::Ledger;
use super::rate_limit::RateLimits;
use super::{LedgerLocation, Options, Pace, Sample, ServiceClock, ServiceError};

/// How many sample businesses are made at once: what they take, those who are served already must do without.
const MADE_AT_ONCE: usize = 1;

/// Where guests are taken in, until this is stopped or dropped.
#[derive(Debug)]
pub struct TenantHost {
    base_url: String,
    options: Options,
    router: Router,
    lobby: TenantRouter,
    making: Semaphore,
    accepting: JoinHandle<()>,
    _door: HttpListener,
    stop: CancellationToken,
    _guard: DropGuard,
}

/// A service of one's own, gone when this is dropped: [`Instance`] behind the door that all guests share.
#[derive(Debug)]
pub struct TenantInstance {
    // Nobody is shown in any more before the rest goes.
    _entrance: TenantRoute,
    _stop: DropGuard,
    premises: Instance,
}

impl TenantHost {
    /// Starts without a guest, on this machine alone. Each guest gets a service by the same `options`; what these say of
    /// a place, of TLS and of webhooks means nothing here.
    pub async fn start(options: Options) -> Result<Self, ServiceError> {
        if !options.listen.ip().is_loopback() {
            return Err(ServiceError::NotLoopback(options.listen));
        }
        let cannot_listen = |cause| ServiceError::Listen { address: options.listen, cause };
        let listener = http::listen(options.listen).map_err(cannot_listen)?;
        let options = Options { place: LedgerLocation::Memory, tls: None, webhooks: Vec::new(), ..options.clone() };
        let stop = CancellationToken::new();
        let router = http::router(options.with_lists);
        let (clock, pace) = (options.clock.clone(), options.pace);
        let nobody = spawn_blocking(move || nobody(clock, pace)).await;
        let nobody = nobody.map_err(|error| ServiceError::Internal(error.to_string()))??;
        let faults = Faults::new(options.clock.clone(), stop.clone());
        let lobby = TenantRouter::new(http::front(router.clone(), nobody, faults, RequestLog::default()));
        let (door, accepting) =
            HttpListener::open(listener, None, Dispatcher::MultiTenant(lobby.clone()), stop.clone())
                .map_err(cannot_listen)?;
        Ok(Self {
            base_url: format!("http://{}", door.address()),
            options,
            router,
            lobby,
            making: Semaphore::new(MADE_AT_ONCE),
            accepting,
            _door: door,
            _guard: stop.clone().drop_guard(),
            stop,
        })
    }

    /// Where all of them are reached, such as `http://127.0.0.1:8080`: no path, no slash at the end.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// How many guests there are.
    pub fn count(&self) -> usize {
        self.lobby.count()
    }

    /// Takes a guest in, whose service answers when this returns.
    pub async fn create_tenant(&self) -> Result<TenantInstance, ServiceError> {
        self.create_tenant_with(self.options.sample).await
    }

    /// The same with another sample business than the usual one.
    pub async fn create_tenant_with(&self, sample: Option<Sample>) -> Result<TenantInstance, ServiceError> {
        let stop = self.stop.child_token();
        // Whoever gives up waiting leaves nothing behind.
        let guard = stop.clone().drop_guard();
        let options = Options { sample, ..self.options.clone() };
        let premises = {
            let _others_wait = self.making.acquire().await.map_err(|_| stopped())?;
            let premises = Instance::open(&options, stop.clone()).await?;
            tokio::spawn(premises.background_tasks(options.lively.then_some(options.pace), stop));
            premises.wait_until_ready().await?;
            premises
        };
        let key = premises.api_key().ok_or_else(|| ServiceError::Internal("a guest's ledger is not new".into()))?;
        let entrance = self.lobby.register(key, premises.front(self.router.clone()));
        Ok(TenantInstance { _entrance: entrance, _stop: guard, premises })
    }

    /// Takes no new request, and ends those under way. Guests who are still there are answered no more.
    pub async fn stop(self) -> Result<(), ServiceError> {
        self.stop.cancel();
        self.accepting.await.map_err(|error| ServiceError::Internal(error.to_string()))
    }
}

impl TenantInstance {
    /// Sets rules of what goes wrong with this guest's requests, in place of those that were set. A service that is
    /// [`Down`](super::Fault::Down) would be so for all who share the door, so that this one is left out.
    pub fn set_faults(&self, rules: Vec<FaultRule>) {
        self.premises.faults.set(rules);
    }
}

impl Deref for TenantInstance {
    type Target = Instance;

    fn deref(&self) -> &Instance {
        &self.premises
    }
}

/// A desk that knows no key and has nothing in its books.
fn nobody(clock: ServiceClock, pace: Pace) -> Result<Arc<AppState>, ServiceError> {
    let ledger = Ledger::open(&LedgerLocation::Memory, pace)?;
    let keys = ApiKeys::open(&ledger)?;
    Ok(Arc::new(AppState::new(Arc::new(ledger), keys, RateLimits::new(None), clock, StartPhase::Ready)))
}

fn stopped() -> ServiceError {
    ServiceError::Internal("no guest is taken in any more".into())
}

#[cfg(test)]
mod tests;
