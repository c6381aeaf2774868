//! Edits the configuration file. Comments and order stay; an edit that could not be read back is not written.

#[cfg(test)]
mod tests;
mod watches;

use std::path::PathBuf;

use toml_edit::{DocumentMut, Item, Table, TableLike, Value, value};

use super::file::{self, FileFault};
use super::profile::read_certificates;
use super::toml_reader::TomlFault;
use super::{CaFileFault, Config, FolderFault};
use crate::api::{BaseUrl, ProxyAddress};
use crate::domain::watch::Watch;
use crate::domain::{Network, Text};
use crate::secrets::{KeyStorage, private_file};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProfile {
    pub name: String,
    pub base_url: BaseUrl,
    pub network: Option<Network>,
    pub read_only: bool,
    /// How often displayed data is refreshed, in seconds.
    pub poll_seconds: Option<u16>,
    /// Whether to try the lists that the specification does not have.
    pub probe_lists: bool,
    /// The only certificates to trust for the service.
    pub ca_file: Option<PathBuf>,
    pub proxy: Option<ProxyAddress>,
    pub key_storage: Option<KeyStorage>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigEdit {
    pub path: PathBuf,
    /// The new default profile, if the edit changed it.
    pub default: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileRemoval {
    pub path: PathBuf,
    pub was_default: bool,
    pub remaining: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum EditFault {
    #[error(transparent)]
    Folder(#[from] FolderFault),
    #[error(transparent)]
    File(#[from] FileFault),
    #[error(transparent)]
    Certificates(#[from] CaFileFault),
    #[error("{0}")]
    Name(&'static str),
    #[error("there is a profile {name} already, for {base_url}; choose another name, or remove that one first")]
    Exists { name: String, base_url: String },
    #[error("there is no profile {name}; the configuration has {profiles}")]
    NoSuchProfile { name: Text, profiles: String },
    #[error("{0}")]
    Faulty(String),
    #[error("a service on this machine is reached without a proxy; leave --proxy out")]
    NeedlessProxy,
    #[error("cannot write {}", .path.display())]
    Write {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
}

impl Config {
    /// Adds a profile to the file. The first one becomes the default; a later one leaves the default as it is.
    pub fn add_profile(&self, draft: &NewProfile) -> Result<ConfigEdit, EditFault> {
        if let Some(fault) = file::name_fault(&draft.name) {
            return Err(EditFault::Name(fault));
        }
        if let Some(namesake) = self.profiles.iter().find(|profile| profile.name == draft.name) {
            let (name, base_url) = (namesake.name.clone(), namesake.base_url.to_string());
            return Err(EditFault::Exists { name, base_url });
        }
        self.require_valid_profile(&draft.name)?;
        if draft.proxy.is_some() && draft.base_url.is_unencrypted() {
            return Err(EditFault::NeedlessProxy);
        }
        if let Some(path) = &draft.ca_file {
            read_certificates(path)?;
        }
        self.edit_file(|document| {
            let default = match document.get("default_profile") {
                Some(_) => None,
                // A single profile is opened even without a default; adding a second one must not change that.
                None => Some(self.profiles.first().map_or(&draft.name, |profile| &profile.name).clone()),
            };
            if let Some(default) = &default {
                document.insert("default_profile", value(default));
            }
            if let Some(profiles) = profiles_table(document) {
                profiles.insert(&draft.name, Item::Table(profile_table(draft)));
            }
            Ok(default)
        })
        .map(|(path, default)| ConfigEdit { path, default })
    }

    /// Removes a profile from the file; its keys, cache and journal stay.
    pub fn remove_profile(&self, name: &str) -> Result<ProfileRemoval, EditFault> {
        if !self.invalid_profiles.iter().any(|(faulty, _)| faulty == name) {
            self.require_profile(name)?;
        }
        self.edit_file(|document| {
            let was_default = document.get("default_profile").and_then(Item::as_str) == Some(name);
            if was_default {
                document.remove("default_profile");
            }
            if let Some(profiles) = profiles_table(document) {
                profiles.remove(name);
            }
            Ok(was_default)
        })
        .map(|(path, was_default)| {
            let sound = self.profiles.iter().map(|profile| &profile.name);
            let others =
                sound.chain(self.invalid_profiles.iter().map(|(faulty, _)| faulty)).filter(|other| *other != name);
            ProfileRemoval { path, was_default, remaining: others.cloned().collect() }
        })
    }

    pub fn set_default_profile(&self, name: &str) -> Result<ConfigEdit, EditFault> {
        self.require_profile(name)?;
        self.edit_file(|document| {
            document.insert("default_profile", value(name));
            Ok(Some(name.to_owned()))
        })
        .map(|(path, default)| ConfigEdit { path, default })
    }

    pub fn set_key_storage(&self, name: &str, keeper: KeyStorage) -> Result<(), EditFault> {
        self.set_profile_value(name, "secrets", keeper.config_name())
    }

    /// Makes a profile's listener read its secret from the profile's key storage, in the file.
    pub fn require_listener_secret(&self, name: &str) -> Result<(), EditFault> {
        self.edit_profile(name, |profile| {
            if let Some(listener) = profile.get_mut("listener").and_then(Item::as_table_like_mut) {
                listener.insert("signed", value(true));
            }
            Ok(())
        })
    }

    pub fn set_separate_keys(&self, name: &str) -> Result<(), EditFault> {
        self.set_profile_value(name, "separate_keys", true)
    }

    pub fn set_lock_passphrase(&self, name: &str, has: bool) -> Result<(), EditFault> {
        self.set_profile_value(name, "lock_passphrase", has)
    }

    fn set_profile_value(&self, name: &str, key: &str, new: impl Into<Value>) -> Result<(), EditFault> {
        self.edit_profile(name, |profile| {
            profile.insert(key, value(new));
            Ok(())
        })
    }

    /// Edits the table of a profile in the file.
    pub(super) fn edit_profile(
        &self,
        name: &str,
        change: impl FnOnce(&mut dyn TableLike) -> Result<(), EditFault>,
    ) -> Result<(), EditFault> {
        self.require_profile(name)?;
        self.edit_file(|document| {
            let profile = profiles_table(document).and_then(|profiles| profiles.get_mut(name));
            profile.and_then(Item::as_table_like_mut).map_or(Ok(()), change)
        })
        .map(drop)
    }

    /// Refuses an invalid profile: its settings may mean anything, so it is neither overwritten nor extended.
    fn require_valid_profile(&self, name: &str) -> Result<(), EditFault> {
        let faulty = self.invalid_profiles.iter().find(|(faulty, _)| faulty == name);
        faulty.map_or(Ok(()), |(_, message)| Err(EditFault::Faulty(message.clone())))
    }

    fn require_profile(&self, name: &str) -> Result<(), EditFault> {
        self.require_valid_profile(name)?;
        if self.profiles.iter().any(|profile| profile.name == name) {
            return Ok(());
        }
        let names: Vec<String> = self.profiles.iter().map(|profile| profile.name.clone()).collect();
        Err(EditFault::NoSuchProfile { name: Text::clean(name), profiles: super::join_names(&names) })
    }

    /// The watches of a profile in the file as it is now.
    fn watches_in_file(&self, name: &str) -> Result<Vec<Watch>, EditFault> {
        let path = self.folders.config_file().ok_or(FolderFault::NoHome { kind: "config" })?;
        let text = file::read_text(&path)?.unwrap_or_default();
        let parsed = file::parse_config(&text).map_err(|fault| file::fault_in_file(&path, fault))?;
        let profile = parsed.profiles.into_iter().find(|profile| profile.name == name);
        Ok(profile.map(|profile| profile.watches).unwrap_or_default())
    }

    /// Edits the file as it is now: another program may have changed it since it was read.
    fn edit_file<T>(
        &self,
        change: impl FnOnce(&mut DocumentMut) -> Result<T, EditFault>,
    ) -> Result<(PathBuf, T), EditFault> {
        let path = self.folders.config_file().ok_or(FolderFault::NoHome { kind: "config" })?;
        let before = file::read_text(&path)?.unwrap_or_default();
        let wrong = |fault| file::fault_in_file(&path, fault);
        let faulty = file::parse_config(&before).map_err(wrong)?.invalid_profiles;
        let source = before.strip_prefix('\u{feff}').unwrap_or(&before);
        let mut document: DocumentMut = source
            .parse()
            .map_err(|error: toml_edit::TomlError| wrong(TomlFault { line: 1, message: error.message().to_owned() }))?;
        let done = change(&mut document)?;
        let after = document.to_string();
        // An earlier fault in another profile does not prevent the edit.
        let is_new = |(name, fault): &(String, TomlFault)| {
            !faulty.iter().any(|(other, before)| other == name && before.message == fault.message)
        };
        if let Some((_, fault)) = file::parse_config(&after).map_err(wrong)?.invalid_profiles.into_iter().find(is_new) {
            return Err(wrong(fault).into());
        }
        private_file::write_atomically(&path, after.as_bytes())
            .map_err(|source| EditFault::Write { path: path.clone(), source })?;
        Ok((path, done))
    }
}

/// The table of profiles, created if needed. The file was validated before, so an item of that name is a table.
fn profiles_table(document: &mut DocumentMut) -> Option<&mut dyn TableLike> {
    let item = document.entry("profiles").or_insert_with(|| {
        let mut table = Table::new();
        // `[profiles.main]` needs no `[profiles]` above it.
        table.set_implicit(true);
        Item::Table(table)
    });
    item.as_table_like_mut()
}

fn profile_table(draft: &NewProfile) -> Table {
    let mut table = Table::new();
    table.insert("base_url", value(draft.base_url.as_str()));
    if let Some(network) = draft.network {
        table.insert("environment", value(network.name()));
    }
    if draft.read_only {
        table.insert("read_only", value(true));
    }
    if let Some(keeper) = draft.key_storage {
        table.insert("secrets", value(keeper.config_name()));
    }
    if let Some(seconds) = draft.poll_seconds {
        table.insert("poll_seconds", value(i64::from(seconds)));
    }
    if !draft.probe_lists {
        table.insert("probe_lists", value(false));
    }
    if let Some(path) = &draft.ca_file {
        table.insert("ca_file", value(path.display().to_string()));
    }
    if let Some(proxy) = &draft.proxy {
        table.insert("proxy", value(proxy.as_str()));
    }
    table
}
