//! The profile of a console in the configuration file of this machine, where what an operator saves is written.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;

use super::completion::{Completion, EffectKind};
use super::host_permission::HostPermission;
use crate::app::Msg;
use crate::config::{Config, Profile};
use crate::domain::saved_view::ViewChange;
use crate::domain::watch::WatchEdit;
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
        self.spawn(handle, completions, |file| Msg::ViewsChanged { result: file.change_views(&change), change });
    }

    /// Changes the watches on a blocking thread.
    pub(super) fn spawn_edit(self, handle: &Handle, edit: Box<WatchEdit>, completions: &UnboundedSender<Completion>) {
        self.spawn(handle, completions, |file| Msg::WatchEdited { result: file.edit_watch(&edit), edit });
    }

    fn spawn(
        self,
        handle: &Handle,
        completions: &UnboundedSender<Completion>,
        change: impl FnOnce(&Self) -> Msg + Send + 'static,
    ) {
        let completions = completions.clone();
        handle.spawn_blocking(move || {
            // Sending fails only when the console ends.
            let _ = completions.send(Completion::Message(change(&self)));
            let _ = completions.send(Completion::Done(EffectKind::NetworkRead));
        });
    }

    /// Reads and writes a file.
    fn change_views(&self, change: &ViewChange) -> Result<(), Failure> {
        let (config, profile) = self.0.as_ref().map_err(|why| local_failure(why))?;
        config.change_views(profile, change).map_err(|fault| local_failure(&fault_text(&fault)))
    }

    /// Reads and writes a file. Where there is none to write: why the change counts for this console alone.
    fn edit_watch(&self, edit: &WatchEdit) -> Result<Option<&'static str>, Failure> {
        match &self.0 {
            Ok((config, profile)) => {
                config.edit_watch(profile, edit).map_err(|fault| local_failure(&fault_text(&fault)))?;
                Ok(None)
            }
            Err(why) => Ok(Some(why)),
        }
    }
}

fn local_failure(why: &str) -> Failure {
    Failure::from_read(FailureReason::Local, why)
}

fn fault_text(fault: &dyn std::error::Error) -> String {
    fault.source().map_or_else(|| fault.to_string(), |source| format!("{fault}: {source}"))
}
