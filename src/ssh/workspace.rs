//! A visitor's workspace: a sample treasury of their own in one embedded service in memory, and a console on it. The two
//! visitors of a desk have one treasury and one journal, and each a cache and a console.
//!
//! The console reaches that service under keys made for this visit, and nothing else: its
//! [`World`](crate::runtime::effect_runner::World) has no [`HostPermission`](crate::runtime::HostPermission), and so no
//! files, and contains no profile, keyring or other address.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use uuid::Uuid;

use super::desks::DeskSeat;
use crate::app::{Settings, Size};
use crate::domain::order::ConsoleIdentity as Who;
use crate::domain::{Appearance, DemoSeed, Failure, OrderId, ReadOnlyReason, Text};
use crate::runtime::console::Console;
use crate::runtime::demo::{DemoClient, DemoCredentials, DemoError, DemoSigner};
use crate::runtime::effect_runner::{ConsoleResources, PayingDisabled, PaymentContext, seed_demo};
use crate::runtime::veil::new_veil;
use crate::service::{Options, Pace, Sample, Scene, SceneExtras, ServiceError, TenantHost, TenantInstance};

/// The refresh period of a visitor's console. At half of it, 200 visitors would keep one of two cores busy.
const REFRESH_PERIOD: Duration = Duration::from_secs(4);

#[derive(Debug, Clone, Copy)]
pub struct WorkspaceOptions {
    pub sample: Sample,
    pub scene: Option<Scene>,
    pub pace: Pace,
    pub veiled: bool,
    pub read_only: bool,
}

impl WorkspaceOptions {
    /// Whether two visitors may share a workspace: where one of them signs what the other proposes.
    pub(super) fn has_desks(&self) -> bool {
        self.scene == Some(Scene::FourEyes) && !self.read_only
    }
}

#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    #[error(transparent)]
    Service(#[from] ServiceError),
    #[error(transparent)]
    Demo(#[from] DemoError),
    #[error("the scene cannot be prepared: {}", .0.detail)]
    Scene(Failure),
    #[error("a console cannot be started: {0}")]
    Console(#[source] io::Error),
}

/// Lends workspaces for as long as the host runs.
#[derive(Debug)]
pub(crate) struct Workspaces {
    tenant_host: TenantHost,
    /// A template whose connections all consoles share. Its own tenant is gone.
    demo_template: DemoClient,
    options: WorkspaceOptions,
}

impl Workspaces {
    /// Starts the shared service, and makes one workspace's keys to prove that it works.
    pub(crate) async fn start(furnishing: WorkspaceOptions) -> Result<Self, WorkspaceError> {
        raise_open_file_limit();
        let guests = TenantHost::start(Options {
            sample: Some(furnishing.sample),
            scene: furnishing.scene,
            pace: furnishing.pace,
            lively: true,
            with_lists: true,
            ..Options::temporary()
        })
        .await?;
        let pattern =
            DemoClient::connect(guests.base_url(), demo_keys_of(&guests.create_tenant().await?)?, REFRESH_PERIOD)?;
        Ok(Self { tenant_host: guests, demo_template: pattern, options: furnishing })
    }

    /// A workspace of a visitor's own, where they sign for everybody.
    pub(crate) async fn create_workspace(&self) -> Result<Workspace, WorkspaceError> {
        let treasury = Arc::new(self.create_treasury(console_identity("visitor")).await?);
        let payments = treasury.payments.clone();
        self.furnish(treasury, payments, &DemoSigner::ALL, JournalState::New).await
    }

    /// The workspace of a seat: the first one opens the treasury of its desk, and the second one joins it.
    pub(super) async fn create_desk_workspace(&self, seat: DeskSeat) -> Result<Workspace, WorkspaceError> {
        let by = console_identity(seat.signer.person());
        let shared = Arc::clone(&seat.treasury);
        // Locked until the treasury is complete: whoever is second finds all of it.
        let mut shared = shared.lock().await;
        let people = [seat.signer];
        let workspace = if let Some(treasury) = shared.clone() {
            let payments = treasury.payments.with_console_identity(by);
            self.furnish(treasury, payments, &people, JournalState::Seeded).await?
        } else {
            let treasury = Arc::new(self.create_treasury(by).await?);
            let payments = treasury.payments.clone();
            let workspace = self.furnish(Arc::clone(&treasury), payments, &people, JournalState::New).await?;
            *shared = Some(treasury);
            workspace
        };
        Ok(Workspace { seat: Some(seat), ..workspace })
    }

    async fn create_treasury(&self, by: Who) -> Result<Treasury, WorkspaceError> {
        let tenant = self.tenant_host.create_tenant().await?;
        let demo = self.demo_template.with_credentials(demo_keys_of(&tenant)?)?;
        Ok(Treasury { payments: demo.visitor_payment_context(by)?, demo, tenant })
    }

    /// A console's share of a treasury, at which these people sign where somebody must.
    async fn furnish(
        &self,
        treasury: Arc<Treasury>,
        payments: PaymentContext,
        people: &[DemoSigner],
        journal_state: JournalState,
    ) -> Result<Workspace, WorkspaceError> {
        let (WorkspaceOptions { scene, veiled, read_only, .. }, demo) = (self.options, &treasury.demo);
        let payments = match scene {
            Some(Scene::FourEyes) => DemoClient::require_four_eyes(payments, people),
            _ => payments,
        };
        let mut world = demo.visitor_resources_with_payments(payments)?;
        // The future is as large as that of a send.
        let (seed, sample_order) = if scene.is_some() {
            Box::pin(set_up_scene(&treasury.tenant, &world, journal_state)).await?
        } else {
            (DemoSeed::default(), None)
        };
        if read_only {
            world.payments = Err(PayingDisabled { reason: ReadOnlyReason::ByHost, journal: None });
        }
        let signs_for_all = self.options.has_desks() && people.len() > 1;
        Ok(Workspace { world, seed, sample_order, veiled, signs_for_all, treasury, seat: None })
    }

    /// What the scene has to show, for its presenter.
    pub(crate) fn cues(&self) -> &'static [&'static str] {
        self.options.scene.map_or(&[], Scene::presenter_cues)
    }

    /// Stops the shared service. All workspaces have been dropped by then.
    pub(crate) async fn stop(self) {
        if let Err(error) = self.tenant_host.stop().await {
            tracing::warn!(%error, "the embedded service did not end well");
        }
    }
}

/// A sample treasury in the embedded service, with its journal. It goes away with its last workspace.
pub(crate) struct Treasury {
    demo: DemoClient,
    /// With the journal, of which each console has its own handle.
    payments: PaymentContext,
    tenant: TenantInstance,
}

/// Whether a console finds the journal of its treasury empty, or as the scene begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JournalState {
    New,
    Seeded,
}

/// A workspace on loan. Dropping it takes it away, whatever a console still does in it.
pub(crate) struct Workspace {
    world: ConsoleResources,
    /// What a console begins with, besides its journal and cache.
    seed: DemoSeed,
    sample_order: Option<OrderId>,
    veiled: bool,
    /// Whether both the maker's and the checker's key are here.
    signs_for_all: bool,
    treasury: Arc<Treasury>,
    /// Vacated last.
    seat: Option<DeskSeat>,
}

impl Workspace {
    pub(crate) fn console(&self, size: Size, appearance: Appearance) -> Result<Console, WorkspaceError> {
        let read_only = self.world.payments.as_ref().err().map(|barred| barred.reason.clone());
        let mut settings = Settings { read_only, ..self.treasury.demo.settings(appearance, new_veil(self.veiled)) };
        settings.identity.demo_role = self.seat.as_ref().map(|seat| Text::clean(seat.signer.role()));
        settings.prices.past_rates.clone_from(&self.seed.rates);
        let mut console =
            Console::new(settings, self.world.clone(), Handle::current(), size).map_err(WorkspaceError::Console)?;
        console.set_watches(self.seed.watches.clone());
        console.set_views(self.seed.views.clone());
        console.set_unresolved_demo_order(self.sample_order);
        if let Some(welcome) = self.welcome_text() {
            console.show_unmasked_notice(welcome);
        }
        Ok(console)
    }

    /// What a visitor must know who finds payments that a second person signs.
    fn welcome_text(&self) -> Option<String> {
        match &self.seat {
            Some(seat) => Some(match seat.signer {
                DemoSigner::Maker => format!("you are the maker; the checker logs in as {} too", seat.name),
                DemoSigner::Checker => format!("you are the checker of {}; & lists what the maker proposed", seat.name),
            }),
            None => {
                self.signs_for_all.then(|| "you are maker and checker; two who log in as desk are one each".to_owned())
            }
        }
    }
}

/// Sets the scene for a guest: the service's faults, the journal's first records, and what the cache knows of the time
/// before. Returns what is left for the console, and the payment whose outcome is unknown.
async fn set_up_scene(
    guest: &TenantInstance,
    world: &ConsoleResources,
    journal_state: JournalState,
) -> Result<(DemoSeed, Option<OrderId>), WorkspaceError> {
    let Some(SceneExtras { rules, mut seed, .. }) = guest.scene_extras().map_err(ServiceError::from)? else {
        return Ok((DemoSeed::default(), None));
    };
    let journal_seed = DemoSeed {
        rates: std::mem::take(&mut seed.rates),
        watches: std::mem::take(&mut seed.watches),
        views: std::mem::take(&mut seed.views),
        ..DemoSeed::default()
    };
    if journal_state == JournalState::Seeded {
        let DemoSeed { total_samples, daily_prices, .. } = seed;
        seed = DemoSeed { total_samples, daily_prices, ..DemoSeed::default() };
    } else {
        guest.set_faults(rules);
    }
    let sample_order = Box::pin(seed_demo(world, seed)).await.map_err(WorkspaceError::Scene)?;
    Ok((journal_seed, sample_order))
}

fn console_identity(user: &str) -> Who {
    Who { user: user.into(), host: "bursar ssh".into(), run: Uuid::new_v4() }
}

fn demo_keys_of(guest: &TenantInstance) -> Result<DemoCredentials, ServiceError> {
    let keys = guest.credentials().ok_or_else(|| ServiceError::Internal("a guest has no key".into()))?;
    Ok(DemoCredentials { api_key: keys.api_key.clone(), wallet_secret: keys.wallet_secret.clone() })
}

/// Raises the limit of open files: each visitor takes one, and each connection to the service has both ends here.
fn raise_open_file_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        if let Err(error) = setrlimit(Resource::Nofile, limit) {
            tracing::debug!(%error, "the number of open files stays limited as it was");
        }
    }
}

#[cfg(test)]
mod tests;
