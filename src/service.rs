//! The embedded Wallet and Transfer Service: a double-entry ledger, simulated chains, and HTTP in front of them.
//!
//! ```text
//!   start(Options) ──▶ Running        base_url, api_key, wallet_secret, ready, advance, faults, tap, stop
//!   Guests::start ──▶ admit ──▶ Guest the same in memory, many behind one door, each to those who have its key
//!      │
//!      ├─ http      connections, TLS, routes, error body, faults for tests ───┐
//!      ├─ pulse     wakes when the chain clock or the activity is due ────────┼──▶ desk ──▶ ledger, keys, market
//!      ├─ webhooks  tells receivers what the ledger's outbox holds ───────────┤
//!      └─ activity  the sample business, made once, and lively from then on ──┘
//! ```
//!
//! It promises: it listens on this machine alone, unless it is told otherwise and has a certificate; it answers as soon as it is bound, with 503 and a progress report
//! until its sample business stands; a request that changes something is executed at most once under its key, whoever
//! hangs up meanwhile; [`RunningService::stop`] takes no new request, ends those under way and leaves the ledger whole. What a
//! [`TenantInstance`] has is in memory alone, beyond the reach of every other guest, and gone with them.

pub mod activity;
mod app_state;
pub mod chain;
pub mod clock;
mod error;
mod http;
mod instance;
mod integrity_mark;
mod keys;
pub mod ledger;
mod rate_limit;
pub(crate) mod ready_file;
mod response_cache;
mod rng;
mod running_service;
mod scheduler;
mod serve;
mod swap_market;
mod tenant_host;
mod tls;
mod upload_limit;
mod webhooks;

use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;

pub use activity::{SamplePlan as Sample, Scene, SceneSetup};
pub use chain::{FailurePolicy, Pace};
pub use clock::ServiceClock;
pub use error::ServiceError;
pub(crate) use error::elsewhere;
pub use http::{
    Fault, FaultBody, FaultRule, Named as NamedFault, PaymentField, RecordedRequest, RequestLog, RowDamage,
};
pub use instance::Instance;
pub use keys::{
    Credentials, KeyEntry, NewKey, Permission, Permissions, Register, RegisterError, TRUSTED, UnknownPermission,
    create_key,
};
pub use ledger::LedgerLocation;
pub use running_service::{RunningService, start};
pub use serve::{ServeOptions, serve, wait_for_signal};
pub use tenant_host::{TenantHost, TenantInstance};
pub use tls::Tls;
pub use webhooks::{WebhookUrl, WebhookUrlError};

/// How a service is started.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where its data lies.
    pub place: LedgerLocation,
    /// Where it listens; port 0 takes any that is free.
    pub listen: SocketAddr,
    /// The sample business to make in an empty place. A place with a workspace in it stays as it is, and a business
    /// whose making was cut off is finished as it was begun.
    pub sample: Option<Sample>,
    /// The scene for which it is made, if for one.
    pub scene: Option<Scene>,
    /// How fast chains and activity go.
    pub pace: Pace,
    /// Where it takes its time from. A clock that is moved by hand moves nothing by itself: see [`Instance::advance`].
    pub clock: ServiceClock,
    /// Whether the sample business goes on by itself.
    pub lively: bool,
    /// Whether accounts, wallets and users can be listed, which the specification does not show.
    pub with_lists: bool,
    /// How many requests each key may make a second; any number where none is said.
    pub rate_limit: Option<NonZeroU32>,
    /// Whether it may be reached from other machines, which needs TLS.
    pub public: bool,
    /// The certificate with which it is reached over TLS; plain HTTP without one.
    pub tls: Option<Tls>,
    /// How fast the chains go, where that is not the pace of the rest.
    pub chain_pace: Option<Pace>,
    /// Who is told of what succeeds.
    pub webhooks: Vec<WebhookUrl>,
}

impl Options {
    /// A throw-away service on any free port of this machine, empty, at the usual pace.
    pub fn temporary() -> Self {
        Self {
            place: LedgerLocation::Temporary,
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            sample: None,
            scene: None,
            pace: Pace::USUAL,
            clock: ServiceClock::System,
            lively: false,
            with_lists: false,
            rate_limit: None,
            public: false,
            tls: None,
            chain_pace: None,
            webhooks: Vec::new(),
        }
    }
}
