//! The profile of a console in the configuration file of this machine, where what an operator saves is written.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;

use super::completion::{Completion, EffectKind};
use super::host_permission::HostPermission;
use crate::app::Msg;
use crate::config::{Config, Profile};
use crate::domain::csv_table::mapping::HeaderMapping;
use crate::domain::saved_view::ViewChange;
use crate::domain::watch::WatchEdit;
use crate::domain::{Failure, FailureReason};

/// The profile in the file; or why what is saved is for the session only.
#[derive(Debug, Clone)]
pub struct ProfileFile {
    file: Result<(Arc<Config>, String), &'static str>,
    /// The mappings of columns in the file, and those of this session.
    mappings: Arc<Mutex<Vec<HeaderMapping>>>,
}

impl Default for ProfileFile {
    /// No profile of a file, as in the demo.
    fn default() -> Self {
        Self::without_file("this console has no profile in a configuration file")
    }
}

impl ProfileFile {
    pub fn new(_permission: &HostPermission, config: &Config, profile: &Profile) -> Self {
        let mappings = Arc::new(Mutex::new(profile.column_mappings.clone()));
        if config.is_read_only(profile) {
            return Self { mappings, ..Self::without_file("this console is read-only") };
        }
        if profile.is_from_environment() {
            return Self::default();
        }
        Self { file: Ok((Arc::new(config.clone()), profile.name.clone())), mappings }
    }

    fn without_file(reason: &'static str) -> Self {
        Self { file: Err(reason), mappings: Arc::default() }
    }

    pub(super) fn column_mappings(&self) -> Vec<HeaderMapping> {
        self.mappings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps a mapping in place of one for the same header, in the file if there is one; returns for how long. Reads and
    /// writes a file.
    pub(super) fn save_column_mapping(&self, mapping: &HeaderMapping) -> &'static str {
        {
            let mut mappings = self.mappings.lock().unwrap_or_else(PoisonError::into_inner);
            mappings.retain(|other| !other.is_for_same_header(mapping));
            mappings.push(mapping.clone());
        }
        let written = self.file.as_ref().map(|(config, profile)| config.keep_column_mapping(profile, mapping));
        match written {
            Ok(Ok(())) => "in this profile",
            Ok(Err(error)) => {
                tracing::warn!(%error, "the mapping of columns cannot be written into the configuration");
                "for this session"
            }
            Err(_) => "for this session",
        }
    }

    pub fn of_visitor() -> Self {
        Self::without_file("the configuration belongs to the host")
    }

    /// Changes the views on a blocking thread.
    pub(super) fn spawn_views_change(
        self,
        handle: &Handle,
        change: ViewChange,
        completions: &UnboundedSender<Completion>,
    ) {
        self.spawn_file_change(handle, completions, |file| Msg::ViewsChanged {
            result: file.change_views(&change),
            change,
        });
    }

    /// Changes the watches on a blocking thread.
    pub(super) fn spawn_watch_edit(
        self,
        handle: &Handle,
        edit: Box<WatchEdit>,
        completions: &UnboundedSender<Completion>,
    ) {
        self.spawn_file_change(handle, completions, |file| Msg::WatchEdited { result: file.edit_watch(&edit), edit });
    }

    fn spawn_file_change(
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
        let (config, profile) = self.file.as_ref().map_err(|reason| local_failure(reason))?;
        config.change_views(profile, change).map_err(|fault| local_failure(&fault_text(&fault)))
    }

    /// Reads and writes a file. Where there is none to write: why the change counts for this console alone.
    fn edit_watch(&self, edit: &WatchEdit) -> Result<Option<&'static str>, Failure> {
        match &self.file {
            Ok((config, profile)) => {
                config.edit_watch(profile, edit).map_err(|fault| local_failure(&fault_text(&fault)))?;
                Ok(None)
            }
            Err(reason) => Ok(Some(reason)),
        }
    }
}

fn local_failure(reason: &str) -> Failure {
    Failure::from_read(FailureReason::Local, reason)
}

fn fault_text(fault: &dyn std::error::Error) -> String {
    fault.source().map_or_else(|| fault.to_string(), |source| format!("{fault}: {source}"))
}
