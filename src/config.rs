//! The configuration: defaults, then the file, then the environment, then the arguments, each overriding the one
//! before, merged into one validated [`Config`].
//!
//! The environment is passed as a value, not read from the process, so that a test can bring its own.

mod approval_rules;
mod approvals;
mod column_mappings;
mod edit;
mod environment;
mod file;
mod folders;
mod listener;
mod metadata;
mod notify;
mod policy;
mod profile;
mod profile_settings;
mod rights;
#[cfg(test)]
mod tests;
mod toml_reader;
mod views;
mod watches;
mod wire_names;

use std::path::PathBuf;

pub use approval_rules::read_approval_rules;
pub use approvals::ApprovalSettings;
pub use edit::{ConfigEdit, EditFault, NewProfile, ProfileRemoval};
pub use environment::{Environment, NotUtf8};
pub use file::{FileFault, name_fault as profile_name_fault};
pub use folders::{FolderFault, Folders};
pub use listener::{ListenerConfig, ListenerSecretFault, ListenerSecretSource, read_listener_secret};
pub use notify::NotifyConfig;
pub use profile::{CaFileFault, Profile};

use crate::domain::{Text, ThemeName};
use crate::secrets::{KeyStorage, Keyring, Passphrase, PassphraseHashCost, SECRET_VARIABLES, SealedFile, Vault};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GlyphSet {
    /// The characters that the terminal can show, by its name and the character set of the locale.
    #[default]
    Auto,
    Unicode,
    Ascii,
}

impl GlyphSet {
    pub const ALL: [(&'static str, Self); 3] =
        [("auto", Self::Auto), ("unicode", Self::Unicode), ("ascii", Self::Ascii)];
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Overrides {
    pub profile: Option<String>,
    pub config_dir: Option<PathBuf>,
    pub data_dir: Option<PathBuf>,
    pub theme: Option<ThemeName>,
    pub glyphs: Option<GlyphSet>,
    pub read_only: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    pub theme: ThemeName,
    pub glyphs: GlyphSet,
    pub folders: Folders,
    /// Valid profiles of the file, by name.
    pub profiles: Vec<Profile>,
    /// Invalid profiles of the file, by name, each with its fault and line.
    pub invalid_profiles: Vec<(String, String)>,
    /// The profile from the environment, if that names a base address.
    environment_profile: Option<Profile>,
    /// The requested profile, and the setting that names it.
    selected_profile: Option<(String, &'static str)>,
    /// Whether all changes are disabled, whatever the profile allows.
    read_only: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error(transparent)]
    Folder(#[from] FolderFault),
    #[error(transparent)]
    File(#[from] FileFault),
    #[error(transparent)]
    NotUtf8(#[from] NotUtf8),
    #[error("BURSAR_BASE_URL: {0}")]
    BaseUrl(crate::api::BaseUrlError),
    #[error(
        "no service is configured; try `bursar demo`, or run `bursar profile add NAME --base-url URL`, which writes it \
         into {}, or set BURSAR_BASE_URL and BURSAR_API_KEY", .file.as_deref().unwrap_or("config.toml")
    )]
    NoService {
        /// Where the file would be.
        file: Option<String>,
    },
    #[error("{by} names the profile “{name}”, which the configuration does not have; it has {}", join_names(.profiles))]
    NoSuchProfile {
        /// The setting that names it.
        by: &'static str,
        name: Text,
        profiles: Vec<String>,
    },
    #[error("{message}")]
    FaultyProfile { message: String },
    #[error("there are several profiles ({}); choose one with --profile or default_profile", join_names(.profiles))]
    AmbiguousProfile { profiles: Vec<String> },
}

impl Config {
    /// Merges all sources. The file is read if it exists.
    pub fn resolve(overrides: Overrides, environment: &Environment) -> Result<Self, ConfigError> {
        let folders = Folders::resolve(overrides.config_dir, overrides.data_dir, environment)?;
        let home = environment.path_variable("HOME");
        let file = file::read_file(&folders, home.as_deref())?;
        let path = folders.config_file().unwrap_or_default();
        let fault_of_profile = |(name, fault)| (name, file::fault_in_file(&path, fault).to_string());
        let faulty = file.invalid_profiles.into_iter().map(fault_of_profile).collect();
        let by_argument = overrides.profile.map(|name| (name, "--profile"));
        let by_file = file.default_profile.map(|name| (name, "default_profile"));
        // A base address in the environment is a profile of its own, which overrides the file's default.
        let ambient = match environment.text("BURSAR_BASE_URL")? {
            Some(base_url) if by_argument.is_none() => {
                Some(Profile::from_environment(&base_url).map_err(ConfigError::BaseUrl)?)
            }
            _ => None,
        };
        let theme = overrides.theme.or(file.theme).or(environment.theme());
        Ok(Self {
            theme: theme.unwrap_or_default(),
            glyphs: overrides.glyphs.or(file.glyphs).unwrap_or_default(),
            folders,
            profiles: file.profiles,
            invalid_profiles: faulty,
            environment_profile: ambient,
            selected_profile: by_argument.or(by_file),
            read_only: overrides.read_only,
        })
    }

    pub fn profile(&self) -> Result<&Profile, ConfigError> {
        if let Some(ambient) = &self.environment_profile {
            return Ok(ambient);
        }
        let names = || {
            let sound = self.profiles.iter().map(|profile| &profile.name);
            sound.chain(self.invalid_profiles.iter().map(|(name, _)| name)).cloned().collect()
        };
        let faulty = |message: &String| ConfigError::FaultyProfile { message: message.clone() };
        if let Some((name, by)) = &self.selected_profile {
            if let Some((_, message)) = self.invalid_profiles.iter().find(|(faulty, _)| faulty == name) {
                return Err(faulty(message));
            }
            let profile = self.profiles.iter().find(|profile| profile.name == *name);
            return profile.ok_or_else(|| ConfigError::NoSuchProfile {
                by,
                name: Text::clean(name),
                profiles: names(),
            });
        }
        match (self.profiles.as_slice(), self.invalid_profiles.as_slice()) {
            ([], [(_, message)]) => Err(faulty(message)),
            ([], []) => {
                let file = self.folders.config_file().map(|path| path.display().to_string());
                Err(ConfigError::NoService { file })
            }
            ([only], []) => Ok(only),
            _ => Err(ConfigError::AmbiguousProfile { profiles: names() }),
        }
    }

    pub fn is_read_only(&self, profile: &Profile) -> bool {
        self.read_only || profile.read_only
    }

    /// The profile that `bursar` opens without arguments: the file's default, or its only one.
    pub fn default_profile(&self) -> Option<&str> {
        match (&self.selected_profile, self.profiles.as_slice()) {
            (Some((name, _)), _) => Some(name),
            (None, [only]) if self.invalid_profiles.is_empty() => Some(&only.name),
            (None, _) => None,
        }
    }

    /// Where a profile's keys are stored. A variable does not override the profile's setting: a key for one service
    /// would be sent to another. The keys of a profile from the environment come from there, too.
    pub fn key_storage(&self, profile: &Profile, environment: &Environment) -> Result<KeyStorage, ConfigError> {
        Ok(match profile.key_storage {
            _ if profile.is_from_environment() => KeyStorage::Environment,
            Some(keeper) => keeper,
            None if environment.text("BURSAR_API_KEY")?.is_some() => KeyStorage::Environment,
            None => KeyStorage::Keyring,
        })
    }

    /// Secret variables that are set but not used by this profile.
    pub fn idle_variables(
        &self,
        profile: &Profile,
        environment: &Environment,
    ) -> Result<Vec<&'static str>, ConfigError> {
        let idle = match self.key_storage(profile, environment)? {
            KeyStorage::Keyring => &SECRET_VARIABLES[..],
            KeyStorage::File => &SECRET_VARIABLES[..3],
            KeyStorage::Environment => &SECRET_VARIABLES[3..],
        };
        Ok(idle.iter().copied().filter(|name| environment.is_set(name)).collect())
    }

    /// The vault for a profile's secrets. Nothing is read yet.
    pub fn vault(&self, profile: &Profile, environment: &Environment) -> Result<Vault, ConfigError> {
        self.vault_in(self.key_storage(profile, environment)?, profile, environment)
    }

    /// The same with an explicit key storage.
    pub fn vault_in(
        &self,
        keeper: KeyStorage,
        profile: &Profile,
        environment: &Environment,
    ) -> Result<Vault, ConfigError> {
        let owner = profile.owner();
        Ok(match keeper {
            KeyStorage::Keyring => {
                Vault::in_keyring(owner, Keyring::default().with_separate_keys(profile.separate_keys))
            }
            KeyStorage::File => {
                let passphrase = environment.secret_variable("BURSAR_PASSPHRASE")?.and_then(Passphrase::from_text);
                let path = self.folders.create_data_folder()?.join("keys").join(owner.file_name());
                Vault::in_file(owner, SealedFile::new(path, passphrase, PassphraseHashCost::DEFAULT))
            }
            KeyStorage::Environment => {
                let api_key = environment.secret_variable("BURSAR_API_KEY")?;
                Vault::in_environment(owner, api_key, environment.secret_variable("BURSAR_WALLET_SECRET")?)
                    .with_paying_key(environment.secret_variable("BURSAR_PAYING_API_KEY")?)
            }
        })
    }
}

fn join_names(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
