//! A visitor's workspace: a sample treasury of their own in one embedded service in memory, and a console on it.
//!
//! The console reaches that service under keys made for this visit, and nothing else: its
//! [`World`](crate::runtime::effect_runner::World) has no [`HostPermission`](crate::runtime::HostPermission), and so no
//! files, and contains no profile, keyring or other address.

use std::io;
use std::time::Duration;

use tokio::runtime::Handle;
use uuid::Uuid;

use crate::app::{READ_ONLY_BY_HOST, Settings, Size};
use crate::domain::order::ConsoleIdentity as Who;
use crate::domain::{Appearance, DemoSeed, Failure, OrderId, Text};
use crate::runtime::console::Console;
use crate::runtime::demo::{DemoError, DemoKeys, DemoService};
use crate::runtime::effect_runner::{ConsoleResources, PayingDisabled, seed_demo};
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
    demo_template: DemoService,
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
            DemoService::connect(guests.base_url(), demo_keys_of(&guests.create_tenant().await?)?, REFRESH_PERIOD)?;
        Ok(Self { tenant_host: guests, demo_template: pattern, options: furnishing })
    }

    pub(crate) async fn create_workspace(&self) -> Result<Workspace, WorkspaceError> {
        let guest = self.tenant_host.create_tenant().await?;
        let demo = self.demo_template.with_keys(demo_keys_of(&guest)?)?;
        let by = Who { user: "visitor".into(), host: "bursar ssh".into(), run: Uuid::new_v4() };
        let mut world = demo.visitor_world(by)?;
        let WorkspaceOptions { scene, veiled, read_only, .. } = self.options;
        // The future is as large as that of a send.
        let (seed, sample_order) =
            if scene.is_some() { Box::pin(set_up_scene(&guest, &world)).await? } else { (DemoSeed::default(), None) };
        if read_only {
            world.payments = Err(PayingDisabled { reason: Text::clean(READ_ONLY_BY_HOST), journal: None });
        }
        Ok(Workspace { demo, world, seed, sample_order, veiled, _tenant: guest })
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

/// A workspace on loan. Dropping it takes it away, whatever a console still does in it.
pub(crate) struct Workspace {
    demo: DemoService,
    world: ConsoleResources,
    /// What a console begins with, besides its journal and cache.
    seed: DemoSeed,
    sample_order: Option<OrderId>,
    veiled: bool,
    _tenant: TenantInstance,
}

impl Workspace {
    pub(crate) fn console(&self, size: Size, looks: Appearance) -> Result<Console, WorkspaceError> {
        let read_only = self.world.payments.as_ref().err().map(|barred| barred.reason.clone());
        let mut settings = Settings { read_only, ..self.demo.settings(looks, new_veil(self.veiled)) };
        settings.prices.past_rates.clone_from(&self.seed.rates);
        let mut console =
            Console::new(settings, self.world.clone(), Handle::current(), size).map_err(WorkspaceError::Console)?;
        console.set_watches(self.seed.watches.clone());
        console.set_views(self.seed.views.clone());
        console.set_sample_order(self.sample_order);
        Ok(console)
    }
}

/// Sets the scene for a guest: the service's faults, and the journal's first records. Returns what is left for the console,
/// and the payment whose outcome is unknown.
async fn set_up_scene(
    guest: &TenantInstance,
    world: &ConsoleResources,
) -> Result<(DemoSeed, Option<OrderId>), WorkspaceError> {
    let Some(SceneExtras { rules, mut seed, .. }) = guest.scene_setup().map_err(ServiceError::from)? else {
        return Ok((DemoSeed::default(), None));
    };
    guest.set_faults(rules);
    let kept = DemoSeed {
        rates: std::mem::take(&mut seed.rates),
        watches: std::mem::take(&mut seed.watches),
        views: std::mem::take(&mut seed.views),
        ..DemoSeed::default()
    };
    let sample_order = Box::pin(seed_demo(world, seed)).await.map_err(WorkspaceError::Scene)?;
    Ok((kept, sample_order))
}

fn demo_keys_of(guest: &TenantInstance) -> Result<DemoKeys, ServiceError> {
    let keys = guest.credentials().ok_or_else(|| ServiceError::Internal("a guest has no key".into()))?;
    Ok(DemoKeys { api_key: keys.api_key.clone(), wallet_secret: keys.wallet_secret.clone() })
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
