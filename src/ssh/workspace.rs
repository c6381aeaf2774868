//! What a visitor is lent: a sample treasury of their own in one embedded service in memory, and a console on it.
//!
//! The console reaches that service under keys that were made for this visit, and nothing else: its
//! [`World`](crate::runtime::perform::World) has no [`Host`](crate::runtime::Host), and so no file, and there is no
//! profile, no keyring and no other address in it.

use std::io;
use std::time::Duration;

use tokio::runtime::Handle;
use uuid::Uuid;

use crate::app::{LENT_TO_READ, Settings, Size};
use crate::domain::intent::Console as Who;
use crate::domain::{Failure, Looks, Text};
use crate::runtime::console::Console;
use crate::runtime::demo::{Demo, DemoError, KeysInHand};
use crate::runtime::perform::{Barred, Staged, World, stage};
use crate::runtime::veil::veil;
use crate::service::{Guest, Guests, Options, Pace, Props, Sample, Scene, ServiceError};

/// How often what is on a visitor's screen is read. Twice as often, 200 visitors would keep a core of two busy, and wait
/// for each other.
const PERIOD: Duration = Duration::from_secs(4);

/// How workspaces are furnished.
#[derive(Debug, Clone, Copy)]
pub struct Furnishing {
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
    #[error("the scene cannot be set: {}", .0.detail)]
    Scene(Failure),
    /// A console does not start.
    #[error("a console cannot be started: {0}")]
    Console(#[source] io::Error),
}

/// Lends workspaces for as long as the host runs.
#[derive(Debug)]
pub(crate) struct Workspaces {
    guests: Guests,
    /// A console at the service of somebody who has left: those that come share its connections.
    pattern: Demo,
    furnishing: Furnishing,
}

impl Workspaces {
    /// Starts the service that all share, and sees to it that a workspace can be made at all.
    pub(crate) async fn start(furnishing: Furnishing) -> Result<Self, WorkspaceError> {
        raise_limits();
        let guests = Guests::start(Options {
            sample: Some(furnishing.sample),
            scene: furnishing.scene,
            pace: furnishing.pace,
            lively: true,
            with_lists: true,
            ..Options::temporary()
        })
        .await?;
        let pattern = Demo::at(guests.base_url(), keys(&guests.admit().await?)?, PERIOD)?;
        Ok(Self { guests, pattern, furnishing })
    }

    /// A fresh workspace.
    pub(crate) async fn lend(&self) -> Result<Workspace, WorkspaceError> {
        let guest = self.guests.admit().await?;
        let demo = self.pattern.under(keys(&guest)?)?;
        let by = Who { user: "visitor".into(), host: "bursar ssh".into(), run: Uuid::new_v4() };
        let mut world = demo.visit(by)?;
        let Furnishing { scene, veiled, read_only, .. } = self.furnishing;
        if scene.is_some() {
            // It is as large as a sending, and hardly ever there.
            Box::pin(set(&guest, &world)).await?;
        }
        if read_only {
            world.paying = Err(Barred { why: Text::clean(LENT_TO_READ), journal: None });
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
    _guest: Guest,
}

impl Workspace {
    /// A console on it.
    pub(crate) fn console(&self, size: Size, looks: Looks) -> Result<Console, WorkspaceError> {
        let read_only = self.world.paying.as_ref().err().map(|barred| barred.why.clone());
        let settings = Settings { read_only, ..self.demo.settings(looks, veil(self.veiled)) };
        let console = Console::new(settings, self.world.clone(), Handle::current(), size);
        console.map_err(WorkspaceError::Console)
    }
}

/// Sets the scene of a guest's business: how the service goes wrong for this guest, and what the journal begins with.
async fn set(guest: &Guest, world: &World) -> Result<(), WorkspaceError> {
    let Some(Props { rules, known, sent, .. }) = guest.props().map_err(ServiceError::from)? else { return Ok(()) };
    guest.faults(rules);
    stage(world, Staged { known, sent }).await.map_err(WorkspaceError::Scene)
}

/// The keys that were made for a guest.
fn keys(guest: &Guest) -> Result<KeysInHand, ServiceError> {
    let keys = guest.credentials().ok_or_else(|| ServiceError::Broken("a guest has no key".into()))?;
    Ok(KeysInHand { api_key: keys.api_key.clone(), wallet_secret: keys.wallet_secret.clone() })
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
