//! What a visitor is lent: a sample treasury of their own in one embedded service in memory, and a console on it.
//!
//! The console reaches that service under keys that were made for this visit, and nothing else: its
//! [`World`](crate::runtime::effect_runner::World) has no [`Host`](crate::runtime::Host), and so no file, and there is no
//! profile, no keyring and no other address in it.

use std::io;
use std::time::Duration;

use tokio::runtime::Handle;
use uuid::Uuid;

use crate::app::{READ_ONLY_BY_HOST, Settings, Size};
use crate::domain::intent::Console as Who;
use crate::domain::{Appearance, Failure, Text};
use crate::runtime::console::Console;
use crate::runtime::demo::{Demo, DemoError, DemoKeys};
use crate::runtime::effect_runner::{DemoSeed, PayingDisabled, World, seed_journal};
use crate::runtime::veil::new_veil;
use crate::service::{Options, Pace, Sample, Scene, SceneSetup, ServiceError, TenantHost, TenantInstance};

/// How often what is on a visitor's screen is read. Twice as often, 200 visitors would keep a core of two busy, and wait
/// for each other.
const PERIOD: Duration = Duration::from_secs(4);

/// How workspaces are furnished.
#[derive(Debug, Clone, Copy)]
pub struct WorkspaceOptions {
    /// The sample business.
    pub sample: Sample,
    /// The scene for which it is made, if for one.
    pub scene: Option<Scene>,
    /// How fast it lives.
    pub pace: Pace,
    /// Whether visits begin veiled.
    pub veiled: bool,
    /// Whether visitors only look, and change nothing.
    pub read_only: bool,
}

/// Why no workspace can be lent.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    /// The embedded service does not take anybody in.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// There is no console at it.
    #[error(transparent)]
    Demo(#[from] DemoError),
    /// What is to be shown cannot be.
    #[error("the scene cannot be prepared: {}", .0.detail)]
    Scene(Failure),
    /// A console does not start.
    #[error("a console cannot be started: {0}")]
    Console(#[source] io::Error),
}

/// Lends workspaces for as long as the host runs.
#[derive(Debug)]
pub(crate) struct Workspaces {
    guests: TenantHost,
    /// A console at the service of somebody who has left: those that come share its connections.
    pattern: Demo,
    furnishing: WorkspaceOptions,
}

impl Workspaces {
    /// Starts the service that all share, and sees to it that a workspace can be made at all.
    pub(crate) async fn start(furnishing: WorkspaceOptions) -> Result<Self, WorkspaceError> {
        raise_limits();
        let guests = TenantHost::start(Options {
            sample: Some(furnishing.sample),
            scene: furnishing.scene,
            pace: furnishing.pace,
            lively: true,
            with_lists: true,
            ..Options::temporary()
        })
        .await?;
        let pattern = Demo::connect(guests.base_url(), keys(&guests.create_tenant().await?)?, PERIOD)?;
        Ok(Self { guests, pattern, furnishing })
    }

    /// A fresh workspace.
    pub(crate) async fn lend(&self) -> Result<Workspace, WorkspaceError> {
        let guest = self.guests.create_tenant().await?;
        let demo = self.pattern.with_keys(keys(&guest)?)?;
        let by = Who { user: "visitor".into(), host: "bursar ssh".into(), run: Uuid::new_v4() };
        let mut world = demo.visitor_world(by)?;
        let WorkspaceOptions { scene, veiled, read_only, .. } = self.furnishing;
        if scene.is_some() {
            // It is as large as a sending, and hardly ever there.
            Box::pin(set(&guest, &world)).await?;
        }
        if read_only {
            world.payments = Err(PayingDisabled { reason: Text::clean(READ_ONLY_BY_HOST), journal: None });
        }
        Ok(Workspace { demo, world, veiled, _guest: guest })
    }

    /// What there is to show of the scene that is set, for whoever presents it.
    pub(crate) fn cues(&self) -> &'static [&'static str] {
        self.furnishing.scene.map_or(&[], Scene::cues)
    }

    /// Ends what workspaces share. Those that are lent are gone by then.
    pub(crate) async fn stop(self) {
        if let Err(error) = self.guests.stop().await {
            tracing::warn!(%error, "the embedded service did not end well");
        }
    }
}

/// A workspace that was lent. It is taken away when this is dropped, whatever a console still does in it.
pub(crate) struct Workspace {
    demo: Demo,
    world: World,
    veiled: bool,
    _guest: TenantInstance,
}

impl Workspace {
    /// A console on it.
    pub(crate) fn console(&self, size: Size, looks: Appearance) -> Result<Console, WorkspaceError> {
        let read_only = self.world.payments.as_ref().err().map(|barred| barred.reason.clone());
        let settings = Settings { read_only, ..self.demo.settings(looks, new_veil(self.veiled)) };
        let console = Console::new(settings, self.world.clone(), Handle::current(), size);
        console.map_err(WorkspaceError::Console)
    }
}

/// Sets the scene of a guest's business: how the service goes wrong for this guest, and what the journal begins with.
async fn set(guest: &TenantInstance, world: &World) -> Result<(), WorkspaceError> {
    let Some(SceneSetup { rules, contacts: known, unanswered_payment: sent, .. }) =
        guest.scene_setup().map_err(ServiceError::from)?
    else {
        return Ok(());
    };
    guest.faults(rules);
    seed_journal(world, DemoSeed { contacts: known, unresolved_payment: sent }).await.map_err(WorkspaceError::Scene)
}

/// The keys that were made for a guest.
fn keys(guest: &TenantInstance) -> Result<DemoKeys, ServiceError> {
    let keys = guest.credentials().ok_or_else(|| ServiceError::Internal("a guest has no key".into()))?;
    Ok(DemoKeys { api_key: keys.api_key.clone(), wallet_secret: keys.wallet_secret.clone() })
}

/// Has the system let this process open as many connections as it may at all: each visitor has one, and those to the
/// service have two ends here.
fn raise_limits() {
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
