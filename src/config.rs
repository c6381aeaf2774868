//! What the program is told to do: defaults, then the file, then the environment, then the arguments, each stronger
//! than the one before, made into one validated [`Config`].
//!
//! Nothing here asks the process: the environment comes as a value, so that a test can bring its own.

mod edit;
mod environment;
mod file;
mod folders;
mod listener;
mod policy;
mod profile;
mod rights;
#[cfg(test)]
mod tests;
mod toml_reader;
mod watches;

use std::path::PathBuf;

pub use edit::{Draft, EditFault, EditResult, RemovalResult};
pub use environment::{Environment, NotUtf8};
pub use file::{FileFault, name_fault as profile_name_fault};
pub use folders::{FolderFault, Folders};
pub use listener::{ListenerConfig, ListenerSecretSource, SecretFault};
pub use profile::{CaFault, Network, Profile};

use crate::domain::{Text, ThemeName};
use crate::secrets::{Cost, KeyStorage, Keyring, Passphrase, SealedFile, VARIABLES, Vault};

/// Which characters the screen is painted with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GlyphSet {
    /// Those that the terminal shows, told from its name and from the character set of the locale.
    #[default]
    Auto,
    /// All of them.
    Unicode,
    /// ASCII alone.
    Ascii,
}

impl GlyphSet {
    /// Every set and the word that names it.
    pub const ALL: [(&'static str, Self); 3] =
        [("auto", Self::Auto), ("unicode", Self::Unicode), ("ascii", Self::Ascii)];
}

/// What the arguments say; the strongest voice.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Overrides {
    /// `--profile`
    pub profile: Option<String>,
    /// `--config-dir`
    pub config_dir: Option<PathBuf>,
    /// `--data-dir`
    pub data_dir: Option<PathBuf>,
    /// `--theme`
    pub theme: Option<ThemeName>,
    /// `--glyphs`
    pub glyphs: Option<GlyphSet>,
    /// `--read-only`
    pub read_only: bool,
}

/// What the program is told to do, validated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// How the screen is painted.
    pub theme: ThemeName,
    /// With which characters.
    pub glyphs: GlyphSet,
    /// Where the file and the data are.
    pub folders: Folders,
    /// Profiles of the file, by name.
    pub profiles: Vec<Profile>,
    /// Profiles of the file that cannot be used, by name, each with what is wrong in it and on which line.
    pub invalid_profiles: Vec<(String, String)>,
    /// The profile that the environment describes, if it names a base address.
    ambient: Option<Profile>,
    /// The profile that was asked for, and by whom.
    selected_profile: Option<(String, &'static str)>,
    /// Whether everything that changes something is out of reach, whatever the profile says.
    read_only: bool,
}

/// Why the program cannot do what it is told.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A folder is wrong.
    #[error(transparent)]
    Folder(#[from] FolderFault),
    /// The file is wrong.
    #[error(transparent)]
    File(#[from] FileFault),
    /// A variable holds what is no text.
    #[error(transparent)]
    NotUtf8(#[from] NotUtf8),
    /// The base address in the environment is wrong.
    #[error("BURSAR_BASE_URL: {0}")]
    BaseUrl(crate::api::AddressFault),
    /// No service is named anywhere.
    #[error(
        "no service is configured; try `bursar demo`, or run `bursar profile add NAME --base-url URL`, which writes it \
         into {}, or set BURSAR_BASE_URL and BURSAR_API_KEY", .file.as_deref().unwrap_or("config.toml")
    )]
    NoService {
        /// Where the file would be.
        file: Option<String>,
    },
    /// A profile that the file does not have.
    #[error("{by} names the profile “{name}”, which the configuration does not have; it has {}", listed(.known))]
    NoSuchProfile {
        /// Who named it.
        by: &'static str,
        /// What was named.
        name: Text,
        /// What there is.
        known: Vec<String>,
    },
    /// The profile that is meant cannot be used.
    #[error("{words}")]
    FaultyProfile {
        /// What is wrong in it, and on which line of which file.
        words: String,
    },
    /// Several profiles and no word on which.
    #[error("there are several profiles ({}); choose one with --profile or default_profile", listed(.known))]
    WhichProfile {
        /// What there is.
        known: Vec<String>,
    },
}

impl Config {
    /// Brings all voices together. The file is read if there is one.
    pub fn resolve(overrides: Overrides, environment: &Environment) -> Result<Self, ConfigError> {
        let folders = Folders::resolve(overrides.config_dir, overrides.data_dir, environment)?;
        let file = file::read_file(&folders)?;
        let path = folders.config_file().unwrap_or_default();
        let words = |(name, fault)| (name, file::file_fault(&path, fault).to_string());
        let faulty = file.invalid_profiles.into_iter().map(words).collect();
        let by_argument = overrides.profile.map(|name| (name, "--profile"));
        let by_file = file.default_profile.map(|name| (name, "default_profile"));
        // A base address in the environment is a profile of its own, stronger than the file's choice of one.
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
            ambient,
            selected_profile: by_argument.or(by_file),
            read_only: overrides.read_only,
        })
    }

    /// The profile to work with.
    pub fn profile(&self) -> Result<&Profile, ConfigError> {
        if let Some(ambient) = &self.ambient {
            return Ok(ambient);
        }
        let known = || {
            let sound = self.profiles.iter().map(|profile| &profile.name);
            sound.chain(self.invalid_profiles.iter().map(|(name, _)| name)).cloned().collect()
        };
        let faulty = |words: &String| ConfigError::FaultyProfile { words: words.clone() };
        if let Some((name, by)) = &self.selected_profile {
            if let Some((_, words)) = self.invalid_profiles.iter().find(|(faulty, _)| faulty == name) {
                return Err(faulty(words));
            }
            let found = self.profiles.iter().find(|profile| profile.name == *name);
            return found.ok_or_else(|| ConfigError::NoSuchProfile { by, name: Text::clean(name), known: known() });
        }
        match (self.profiles.as_slice(), self.invalid_profiles.as_slice()) {
            ([], [(_, words)]) => Err(faulty(words)),
            ([], []) => {
                let file = self.folders.config_file().map(|path| path.display().to_string());
                Err(ConfigError::NoService { file })
            }
            ([only], []) => Ok(only),
            _ => Err(ConfigError::WhichProfile { known: known() }),
        }
    }

    /// Whether everything that changes something is out of reach.
    pub fn is_read_only(&self, profile: &Profile) -> bool {
        self.read_only || profile.read_only
    }

    /// The profile that `bursar` opens if nobody says otherwise: the one that the file names, or its only one.
    pub fn default_profile(&self) -> Option<&str> {
        match (&self.selected_profile, self.profiles.as_slice()) {
            (Some((name, _)), _) => Some(name),
            (None, [only]) if self.invalid_profiles.is_empty() => Some(&only.name),
            (None, _) => None,
        }
    }

    /// Where the keys of a profile are kept. What the profile says is not overruled by a variable: a key that was set for
    /// one service would be sent to another. The profile that the environment describes has its keys there, too.
    pub fn key_storage(&self, profile: &Profile, environment: &Environment) -> Result<KeyStorage, ConfigError> {
        Ok(match profile.key_storage {
            _ if profile.is_from_environment() => KeyStorage::Environment,
            Some(keeper) => keeper,
            None if environment.text("BURSAR_API_KEY")?.is_some() => KeyStorage::Environment,
            None => KeyStorage::Keyring,
        })
    }

    /// The variables that are set and hold a secret which this profile does not use.
    pub fn idle_variables(
        &self,
        profile: &Profile,
        environment: &Environment,
    ) -> Result<Vec<&'static str>, ConfigError> {
        let idle = match self.key_storage(profile, environment)? {
            KeyStorage::Keyring => &VARIABLES[..],
            KeyStorage::File => &VARIABLES[..3],
            KeyStorage::Environment => &VARIABLES[3..],
        };
        Ok(idle.iter().copied().filter(|name| environment.is_set(name)).collect())
    }

    /// Where the secrets of a profile are kept, ready to be asked as often as they are needed. Nothing is asked yet.
    pub fn vault(&self, profile: &Profile, environment: &Environment) -> Result<Vault, ConfigError> {
        self.vault_in(self.key_storage(profile, environment)?, profile, environment)
    }

    /// The same, in a place that somebody chose.
    pub fn vault_in(
        &self,
        keeper: KeyStorage,
        profile: &Profile,
        environment: &Environment,
    ) -> Result<Vault, ConfigError> {
        let owner = profile.owner();
        Ok(match keeper {
            KeyStorage::Keyring => Vault::in_keyring(owner, Keyring::default().with_keys_apart(profile.separate_keys)),
            KeyStorage::File => {
                let passphrase = environment.secret("BURSAR_PASSPHRASE")?.and_then(Passphrase::from_text);
                let path = self.folders.data()?.join("keys").join(owner.file_name());
                Vault::in_file(owner, SealedFile::new(path, passphrase, Cost::DEFAULT))
            }
            KeyStorage::Environment => {
                let api_key = environment.secret("BURSAR_API_KEY")?;
                Vault::in_environment(owner, api_key, environment.secret("BURSAR_WALLET_SECRET")?)
                    .with_paying_key(environment.secret("BURSAR_PAYING_API_KEY")?)
            }
        })
    }
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
