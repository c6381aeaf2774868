//! What a visitor is lent: a sample treasury of their own, and a console on it.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;

use crate::api::{Connection, Limits, Reader, Route, WireNames};
use crate::app::lock::LockSettings;
use crate::app::prices::PriceSettings;
use crate::app::veil::{Veil, VeilKey};
use crate::app::{Identity, Settings, Size};
use crate::domain::{Looks, Text, Zone};
use crate::runtime::Clock;
use crate::runtime::console::Console;
use crate::runtime::perform::{Barred, PassedOver, World};
use crate::service::{self, Options, Pace, Running, Sample, ServiceError};
use crate::store::{Place, Store, StoreError};

/// The service is a stone's throw away, so it is asked more often than a real one.
const PERIOD: Duration = Duration::from_secs(1);

/// What the embedded service's chains are.
const NETWORK: &str = "testnet";

/// How workspaces are furnished.
#[derive(Debug, Clone, Copy)]
pub struct Furnishing {
    /// The sample business.
    pub sample: Sample,
    /// How fast it lives.
    pub pace: Pace,
}

/// Why no workspace can be lent.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    /// The embedded service does not start.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The cache does not open.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It is something else.
    #[error("{0}")]
    Other(String),
}

/// Lends workspaces for as long as the host runs.
#[derive(Debug)]
pub(crate) struct Workspaces {
    furnishing: Furnishing,
}

impl Workspaces {
    /// Prepares what workspaces are made of.
    #[expect(clippy::unused_async, reason = "what workspaces share is started here")]
    pub(crate) async fn start(furnishing: Furnishing) -> Result<Self, WorkspaceError> {
        Ok(Self { furnishing })
    }

    /// A fresh workspace.
    pub(crate) async fn lend(&self) -> Result<Workspace, WorkspaceError> {
        let service = service::start(Options {
            sample: Some(self.furnishing.sample),
            pace: self.furnishing.pace,
            lively: true,
            with_lists: true,
            ..Options::temporary()
        })
        .await?;
        let store = Store::open(&Place::Temporary)?.store;
        Ok(Workspace { service, store })
    }

    /// Ends what workspaces share. Those that are lent are gone by then.
    #[expect(clippy::unused_async, reason = "what workspaces share is ended here")]
    pub(crate) async fn stop(self) {}
}

/// A workspace that was lent. It is taken away when this is dropped.
pub(crate) struct Workspace {
    service: Running,
    store: Store,
}

impl Workspace {
    /// A console on it.
    pub(crate) fn console(&self, size: Size, looks: Looks) -> Result<Console, WorkspaceError> {
        let other = |error: &dyn std::fmt::Display| WorkspaceError::Other(error.to_string());
        let credentials = self.service.credentials().ok_or_else(|| other(&"the embedded service made no key"))?;
        let reader = Reader::new(Connection {
            base_url: self.service.base_url().to_owned(),
            api_key: credentials.api_key.clone(),
            wallet_secret: None,
            limits: Limits::default(),
            wire: WireNames::default(),
            route: Route::default(),
        })
        .map_err(|error| other(&error))?;
        let barred = Barred { why: Text::clean("this visit only looks"), journal: None };
        let settings = Settings {
            identity: Identity {
                name: Text::clean("Harbour Trading"),
                profile: Text::clean("demo"),
                environment: Some(Text::clean(NETWORK)),
                demo: true,
                fault: None,
                base_url: Text::clean(self.service.base_url()),
            },
            period: PERIOD,
            probe_lists: true,
            v1: true,
            v2: true,
            away_after: Duration::from_mins(5),
            zone: Zone::default(),
            looks,
            profiles: Vec::new(),
            read_only: Some(barred.why.clone()),
            prices: PriceSettings::default(),
            veil: Veil::new(false, VeilKey::new([0; 32])),
            lock: LockSettings::default(),
        };
        let world = World {
            reader: Arc::new(reader),
            store: self.store.clone(),
            clock: Clock::System,
            passed_over: PassedOver::default(),
            paying: Err(barred),
            host: None,
        };
        Console::new(settings, world, Handle::current(), size).map_err(|error| other(&error))
    }
}
