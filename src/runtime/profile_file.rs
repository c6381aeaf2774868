//! The profile of a console in the configuration file of this machine, where what an operator saves is written.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;

use super::effect_runner::{Completion, EffectKind};
use super::host_permission::HostPermission;
use crate::app::Msg;
use crate::config::{Config, Profile};
use crate::domain::saved_view::ViewChange;
use crate::domain::{Failure, FailureReason};

/// The profile in the file; or why what is saved is for the session only.
#[derive(Debug, Clone)]
pub struct ProfileFile(Result<(Arc<Config>, String), &'static str>);

impl Default for ProfileFile {
    /// No profile of a file, as in the demo.
    fn default() -> Self {
        Self(Err("this console has no profile in a configuration file"))
    }
}

impl ProfileFile {
    pub fn new(_permission: &HostPermission, config: &Config, profile: &Profile) -> Self {
        if config.is_read_only(profile) {
            return Self(Err("this console is read-only"));
        }
        if profile.is_from_environment() {
            return Self::default();
        }
        Self(Ok((Arc::new(config.clone()), profile.name.clone())))
    }

    pub fn of_visitor() -> Self {
        Self(Err("the configuration belongs to the host"))
    }

    /// Changes the views on a blocking thread.
    pub(super) fn spawn_change(self, handle: &Handle, change: ViewChange, completions: &UnboundedSender<Completion>) {
        let completions = completions.clone();
        handle.spawn_blocking(move || {
            let result = self.change_views(&change);
            // Sending fails only when the console ends.
            let _ = completions.send(Completion::Message(Msg::ViewsChanged { change, result }));
            let _ = completions.send(Completion::Done(EffectKind::NetworkRead));
        });
    }

    /// Reads and writes a file.
    fn change_views(&self, change: &ViewChange) -> Result<(), Failure> {
        let local = |why: &str| Failure::from_read(FailureReason::Local, why);
        let (config, profile) = self.0.as_ref().map_err(|why| local(why))?;
        config.change_views(profile, change).map_err(|fault| local(&fault.to_string()))
    }
}
