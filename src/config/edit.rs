//! Changes of the configuration file by the program. Comments and order stay; what cannot be read back is not written.

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use toml_edit::{DocumentMut, Item, Table, TableLike, value};

use super::file::{self, FileFault};
use super::profile::read_certificates;
use super::toml_reader::TomlFault;
use super::{CaFault, Config, FolderFault, Network};
use crate::api::{BaseUrl, ProxyAddress};
use crate::domain::Text;
use crate::secrets::{KeyStorage, private_file};

/// A profile that somebody wants to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// Its name.
    pub name: String,
    /// Where the service is.
    pub base_url: BaseUrl,
    /// What its figures are expected to be about.
    pub network: Option<Network>,
    /// Whether everything that changes something is out of reach.
    pub read_only: bool,
    /// How often what is looked at is read again, in seconds.
    pub poll_seconds: Option<u16>,
    /// Whether to try the lists that the specification does not have.
    pub probe_lists: bool,
    /// The only certificates that may vouch for the service.
    pub ca_file: Option<PathBuf>,
    /// The proxy on the way to it.
    pub proxy: Option<ProxyAddress>,
    /// Where its keys are kept.
    pub key_storage: Option<KeyStorage>,
}

/// What a change of the file has done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditResult {
    /// The file.
    pub path: PathBuf,
    /// The profile that `bursar` opens from now on, if the change said so.
    pub default: Option<String>,
}

/// What the removal of a profile has done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovalResult {
    /// The file.
    pub path: PathBuf,
    /// Whether it was the one that `bursar` opens.
    pub was_default: bool,
    /// The profiles that are left.
    pub remaining: Vec<String>,
}

/// Why the file cannot be changed.
#[derive(Debug, thiserror::Error)]
pub enum EditFault {
    /// There is no place for it.
    #[error(transparent)]
    Folder(#[from] FolderFault),
    /// The file is wrong as it is, or would be.
    #[error(transparent)]
    File(#[from] FileFault),
    /// The certificates are wrong.
    #[error(transparent)]
    Certificates(#[from] CaFault),
    /// A name that no profile can have.
    #[error("{0}")]
    Name(&'static str),
    /// There is one of that name.
    #[error("there is a profile {name} already, for {base_url}; choose another name, or remove that one first")]
    Exists {
        /// Its name.
        name: String,
        /// Its service.
        base_url: String,
    },
    /// There is none of that name.
    #[error("there is no profile {name}; the configuration has {known}")]
    NoSuchProfile {
        /// What was named.
        name: Text,
        /// What there is.
        known: String,
    },
    /// The one of that name is wrong as it is: the file, the line, and what would be right.
    #[error("{0}")]
    Faulty(String),
    /// A proxy in front of this very machine.
    #[error("a service on this machine is reached without a proxy; leave --proxy out")]
    NeedlessProxy,
    /// The system does not let us write it.
    #[error("cannot write {}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
}

impl Config {
    /// Writes a new profile into the file. The first becomes the one that `bursar` opens; a later one changes nothing
    /// about that.
    pub fn add_profile(&self, draft: &Draft) -> Result<EditResult, EditFault> {
        if let Some(fault) = file::name_fault(&draft.name) {
            return Err(EditFault::Name(fault));
        }
        if let Some(there) = self.profiles.iter().find(|profile| profile.name == draft.name) {
            let (name, base_url) = (there.name.clone(), there.base_url.to_string());
            return Err(EditFault::Exists { name, base_url });
        }
        self.must_be_sound(&draft.name)?;
        if draft.proxy.is_some() && draft.base_url.is_unencrypted() {
            return Err(EditFault::NeedlessProxy);
        }
        if let Some(path) = &draft.ca_file {
            read_certificates(path)?;
        }
        self.edit(|document| {
            let default = match document.get("default_profile") {
                Some(_) => None,
                // The one that was opened without a word is to be opened still.
                None => Some(self.profiles.first().map_or(&draft.name, |profile| &profile.name).clone()),
            };
            if let Some(default) = &default {
                document.insert("default_profile", value(default));
            }
            if let Some(profiles) = profiles(document) {
                profiles.insert(&draft.name, Item::Table(table(draft)));
            }
            Ok(default)
        })
        .map(|(path, default)| EditResult { path, default })
    }

    /// Takes a profile out of the file; its keys, cache and journal stay.
    pub fn remove_profile(&self, name: &str) -> Result<RemovalResult, EditFault> {
        if !self.invalid_profiles.iter().any(|(faulty, _)| faulty == name) {
            self.must_have(name)?;
        }
        self.edit(|document| {
            let was_default = document.get("default_profile").and_then(Item::as_str) == Some(name);
            if was_default {
                document.remove("default_profile");
            }
            if let Some(profiles) = profiles(document) {
                profiles.remove(name);
            }
            Ok(was_default)
        })
        .map(|(path, was_default)| {
            let sound = self.profiles.iter().map(|profile| &profile.name);
            let others =
                sound.chain(self.invalid_profiles.iter().map(|(faulty, _)| faulty)).filter(|other| *other != name);
            RemovalResult { path, was_default, remaining: others.cloned().collect() }
        })
    }

    /// Makes a profile the one that `bursar` opens.
    pub fn use_profile(&self, name: &str) -> Result<EditResult, EditFault> {
        self.must_have(name)?;
        self.edit(|document| {
            document.insert("default_profile", value(name));
            Ok(Some(name.to_owned()))
        })
        .map(|(path, default)| EditResult { path, default })
    }

    /// Writes down where the keys of a profile are kept.
    pub fn set_key_storage(&self, name: &str, keeper: KeyStorage) -> Result<(), EditFault> {
        self.must_have(name)?;
        self.edit(|document| {
            let profile = profiles(document).and_then(|profiles| profiles.get_mut(name));
            if let Some(profile) = profile.and_then(Item::as_table_like_mut) {
                profile.insert("secrets", value(keeper.word()));
            }
            Ok(())
        })
        .map(drop)
    }

    /// Has the listener of a profile ask for its secret where the keys are kept, in the file.
    pub fn require_listener_secret(&self, name: &str) -> Result<(), EditFault> {
        self.must_have(name)?;
        self.edit(|document| {
            let profile = profiles(document).and_then(|profiles| profiles.get_mut(name));
            let listener = profile.and_then(Item::as_table_like_mut).and_then(|profile| profile.get_mut("listener"));
            if let Some(listener) = listener.and_then(Item::as_table_like_mut) {
                listener.insert("signed", value(true));
            }
            Ok(())
        })
        .map(drop)
    }

    /// Writes down that a profile pays under an API key of its own.
    pub fn set_separate_keys(&self, name: &str) -> Result<(), EditFault> {
        self.flag(name, "separate_keys", true)
    }

    /// Writes down whether the console has a passphrase that unlocks paying at a profile.
    pub fn set_lock_passphrase(&self, name: &str, has: bool) -> Result<(), EditFault> {
        self.flag(name, "lock_passphrase", has)
    }

    fn flag(&self, name: &str, key: &str, is_so: bool) -> Result<(), EditFault> {
        self.must_have(name)?;
        self.edit(|document| {
            let profile = profiles(document).and_then(|profiles| profiles.get_mut(name));
            if let Some(profile) = profile.and_then(Item::as_table_like_mut) {
                profile.insert(key, value(is_so));
            }
            Ok(())
        })
        .map(drop)
    }

    /// What is wrong may mean anything: it is not written over, and nothing is built upon it.
    fn must_be_sound(&self, name: &str) -> Result<(), EditFault> {
        let faulty = self.invalid_profiles.iter().find(|(faulty, _)| faulty == name);
        faulty.map_or(Ok(()), |(_, words)| Err(EditFault::Faulty(words.clone())))
    }

    fn must_have(&self, name: &str) -> Result<(), EditFault> {
        self.must_be_sound(name)?;
        if self.profiles.iter().any(|profile| profile.name == name) {
            return Ok(());
        }
        let known: Vec<String> = self.profiles.iter().map(|profile| profile.name.clone()).collect();
        Err(EditFault::NoSuchProfile { name: Text::clean(name), known: super::listed(&known) })
    }

    /// Changes the file as it is now, which another program may have changed since it was read.
    fn edit<T>(
        &self,
        change: impl FnOnce(&mut DocumentMut) -> Result<T, EditFault>,
    ) -> Result<(PathBuf, T), EditFault> {
        let path = self.folders.config_file().ok_or(FolderFault::NoHome { kind: "config" })?;
        let before = file::read_text(&path)?.unwrap_or_default();
        let wrong = |fault| file::file_fault(&path, fault);
        let faulty = file::parse(&before).map_err(wrong)?.invalid_profiles;
        let source = before.strip_prefix('\u{feff}').unwrap_or(&before);
        let mut document: DocumentMut = source
            .parse()
            .map_err(|error: toml_edit::TomlError| wrong(TomlFault { line: 1, message: error.message().to_owned() }))?;
        let done = change(&mut document)?;
        let after = document.to_string();
        // What was wrong before in another profile stays as it is, and is no reason to leave this one as it is.
        let is_new = |(name, fault): &(String, TomlFault)| {
            !faulty.iter().any(|(known, before)| known == name && before.message == fault.message)
        };
        if let Some((_, fault)) = file::parse(&after).map_err(wrong)?.invalid_profiles.into_iter().find(is_new) {
            return Err(wrong(fault).into());
        }
        private_file::write_atomically(&path, after.as_bytes())
            .map_err(|source| EditFault::Write { path: path.clone(), source })?;
        Ok((path, done))
    }
}

/// The table of profiles, made if need be. The file has been read before: what bears that name is a table.
fn profiles(document: &mut DocumentMut) -> Option<&mut dyn TableLike> {
    let item = document.entry("profiles").or_insert_with(|| {
        let mut table = Table::new();
        // `[profiles.main]` says it all.
        table.set_implicit(true);
        Item::Table(table)
    });
    item.as_table_like_mut()
}

fn table(draft: &Draft) -> Table {
    let mut table = Table::new();
    table.insert("base_url", value(draft.base_url.as_str()));
    if let Some(network) = draft.network {
        table.insert("environment", value(network.word()));
    }
    if draft.read_only {
        table.insert("read_only", value(true));
    }
    if let Some(keeper) = draft.key_storage {
        table.insert("secrets", value(keeper.word()));
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
