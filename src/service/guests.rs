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

use super::desk::{Desk, Phase};
use super::http::{self, Door, Entrance, Faults, Lobby, Reception, Rule, Tap};
use super::keys::Keys;
use super::ledger::Ledger;
use super::premises::Premises;
use super::rates::Rates;
use super::{Options, Pace, Place, Sample, ServiceClock, ServiceError};

/// How many sample businesses are made at once: what they take, those who are served already must do without.
const MADE_AT_ONCE: usize = 1;

/// Where guests are taken in, until this is stopped or dropped.
#[derive(Debug)]
pub struct Guests {
    base_url: String,
    options: Options,
    router: Router,
    lobby: Lobby,
    making: Semaphore,
    accepting: JoinHandle<()>,
    _door: Door,
    stop: CancellationToken,
    _guard: DropGuard,
}

/// A service of one's own, gone when this is dropped: [`Premises`] behind the door that all guests share.
#[derive(Debug)]
pub struct Guest {
    // Nobody is shown in any more before the rest goes.
    _entrance: Entrance,
    _stop: DropGuard,
    premises: Premises,
}

impl Guests {
    /// Starts without a guest, on this machine alone. Each guest gets a service by the same `options`; what these say of
    /// a place, of TLS and of webhooks means nothing here.
    pub async fn start(options: Options) -> Result<Self, ServiceError> {
        if !options.listen.ip().is_loopback() {
            return Err(ServiceError::NotLoopback(options.listen));
        }
        let cannot_listen = |cause| ServiceError::Listen { address: options.listen, cause };
        let listener = http::listen(options.listen).map_err(cannot_listen)?;
        let options = Options { place: Place::Memory, tls: None, webhooks: Vec::new(), ..options.clone() };
        let stop = CancellationToken::new();
        let router = http::router(options.with_lists);
        let (clock, pace) = (options.clock.clone(), options.pace);
        let nobody = spawn_blocking(move || nobody(clock, pace)).await;
        let nobody = nobody.map_err(|error| ServiceError::Broken(error.to_string()))??;
        let faults = Faults::new(options.clock.clone(), stop.clone());
        let lobby = Lobby::new(http::front(router.clone(), nobody, faults, Tap::default()));
        let (door, accepting) =
            Door::open(listener, None, Reception::Many(lobby.clone()), stop.clone()).map_err(cannot_listen)?;
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
    pub async fn admit(&self) -> Result<Guest, ServiceError> {
        self.admit_to(self.options.sample).await
    }

    /// The same with another sample business than the usual one.
    pub async fn admit_to(&self, sample: Option<Sample>) -> Result<Guest, ServiceError> {
        let stop = self.stop.child_token();
        // Whoever gives up waiting leaves nothing behind.
        let guard = stop.clone().drop_guard();
        let options = Options { sample, ..self.options.clone() };
        let premises = {
            let _others_wait = self.making.acquire().await.map_err(|_| stopped())?;
            let premises = Premises::open(&options, stop.clone()).await?;
            tokio::spawn(premises.life(options.lively.then_some(options.pace), stop));
            premises.ready().await?;
            premises
        };
        let key = premises.api_key().ok_or_else(|| ServiceError::Broken("a guest's ledger is not new".into()))?;
        let entrance = self.lobby.lead(key, premises.front(self.router.clone()));
        Ok(Guest { _entrance: entrance, _stop: guard, premises })
    }

    /// Takes no new request, and ends those under way. Guests who are still there are answered no more.
    pub async fn stop(self) -> Result<(), ServiceError> {
        self.stop.cancel();
        self.accepting.await.map_err(|error| ServiceError::Broken(error.to_string()))
    }
}

impl Guest {
    /// Sets rules of what goes wrong with this guest's requests, in place of those that were set. A service that is
    /// [`Down`](super::Fault::Down) would be so for all who share the door, so that this one is left out.
    pub fn faults(&self, rules: Vec<Rule>) {
        self.premises.faults.set(rules);
    }
}

impl Deref for Guest {
    type Target = Premises;

    fn deref(&self) -> &Premises {
        &self.premises
    }
}

/// A desk that knows no key and has nothing in its books.
fn nobody(clock: ServiceClock, pace: Pace) -> Result<Arc<Desk>, ServiceError> {
    let ledger = Ledger::open(&Place::Memory, pace)?;
    let keys = Keys::open(&ledger)?;
    Ok(Arc::new(Desk::new(Arc::new(ledger), keys, Rates::new(None), clock, Phase::Ready)))
}

fn stopped() -> ServiceError {
    ServiceError::Broken("no guest is taken in any more".into())
}

#[cfg(test)]
mod tests;
