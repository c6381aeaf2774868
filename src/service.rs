//! The embedded Wallet and Transfer Service: a double-entry ledger, simulated chains, and HTTP in front of them.
//!
//! ```text
//!   start(Options) ──▶ RunningService      base_url, api_key, wallet_secret, advance, faults, tap, stop
//!   TenantHost::create_tenant ──▶ TenantInstance    the same in memory: many share one port, each has its own key
//!      │
//!      ├─ http       connections, TLS, routes, error body, faults for tests ──┐
//!      ├─ scheduler  wakes when the chain clock or the activity is due ───────┼──▶ AppState ──▶ ledger, keys, market
//!      ├─ webhooks   delivers the events of the ledger's outbox ──────────────┤
//!      └─ activity   the sample business: its history, then its live events ──┘
//! ```
//!
//! The service listens on loopback only, unless it is public and has a certificate. It answers as soon as its port is
//! bound, with 503 and a progress report until the sample business is complete. A request that changes something runs
//! at most once under its idempotency key, even if the client disconnects. [`RunningService::stop`] accepts no new
//! request, finishes those under way and leaves the ledger whole. A [`TenantInstance`] exists only in memory; no other
//! tenant can reach it.

pub mod activity;
mod app_state;
pub mod chain;
pub mod clock;
mod control;
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

use crate::domain::approval::ApprovalPolicy;

pub use activity::{SamplePlan as Sample, Scene, SceneExtras};
pub use chain::{FailurePolicy, Pace};
pub use clock::ServiceClock;
pub use error::ServiceError;
pub(crate) use error::listen_error_advice;
pub use http::{Fault, FaultBody, FaultPreset, FaultRule, PaymentField, RecordedRequest, RequestLog, RowFieldDamage};
pub use instance::Instance;
pub use keys::{
    Credentials, KeyEntry, NewKey, Permission, Permissions, Register, RegisterError, TRUSTED, UnknownPermission,
    create_key,
};
pub use ledger::LedgerLocation;
pub use running_service::{RunningService, start};
pub use serve::{ServeOptions, serve, wait_for_signal};
pub use tenant_host::{TenantHost, TenantInstance};
pub use tls::TlsFiles;
pub use webhooks::{WebhookForwarder, WebhookUrl, WebhookUrlError};

#[derive(Debug, Clone)]
pub struct Options {
    pub ledger_location: LedgerLocation,
    /// Port 0 takes any free port.
    pub listen: SocketAddr,
    /// The sample business to create in an empty ledger. An existing workspace stays as it is; an interrupted sample
    /// business is finished by its own plan.
    pub sample: Option<Sample>,
    pub scene: Option<Scene>,
    /// Speed of the chains and the sample business's activity.
    pub pace: Pace,
    /// A manual clock moves nothing by itself: see [`Instance::advance_to`].
    pub clock: ServiceClock,
    /// Whether the sample business keeps producing events.
    pub lively: bool,
    /// Whether accounts, wallets and users can be listed; the specification has no such lists.
    pub with_lists: bool,
    /// Requests per second and key; unlimited if absent.
    pub rate_limit: Option<NonZeroU32>,
    /// Whether other machines may connect, which needs TLS.
    pub public: bool,
    /// Serves TLS with this certificate; plain HTTP if absent.
    pub tls: Option<TlsFiles>,
    /// Speed of the chains, where it differs from `pace`.
    pub chain_pace: Option<Pace>,
    /// Receivers of events about successful transactions.
    pub webhooks: Vec<WebhookUrl>,
    /// Which payments of callers fail on their chains; the sample business may fail some of its own.
    pub failures_of_callers: FailurePolicy,
    /// Whether control requests are served, in workspaces on test networks.
    pub with_control: bool,
    /// Rules and signers: a request that moves money is executed only with the approvals that they ask for. Nothing is
    /// enforced where absent.
    pub approvals: Option<ApprovalPolicy>,
}

impl Options {
    /// An empty temporary service on any free loopback port, at the usual pace.
    pub fn temporary() -> Self {
        Self {
            ledger_location: LedgerLocation::Temporary,
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
            failures_of_callers: FailurePolicy::Never,
            with_control: false,
            approvals: None,
        }
    }
}
