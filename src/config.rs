//! What the program is told to do: defaults, then the file, then the environment, then the arguments, each stronger
//! than the one before, made into one validated [`Config`].
//!
//! Nothing here asks the process: the environment comes as a value, so that a test can bring its own.

mod environment;
mod file;
mod folders;
mod profile;
#[cfg(test)]
mod tests;
mod toml_reader;

use std::path::PathBuf;

pub use environment::{Environment, NotUtf8};
pub use file::FileFault;
pub use folders::{FolderFault, Folders};
pub use profile::{Network, Profile};

use crate::domain::Text;
use crate::secrets::{ApiKey, KeyFault};

/// How the screen is painted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// Colours for a dark background.
    #[default]
    Dark,
    /// No colour at all: bold, dim and reversed alone.
    Plain,
}

impl Theme {
    /// Every theme and the word that names it.
    pub const ALL: [(&'static str, Self); 2] = [("dark", Self::Dark), ("plain", Self::Plain)];
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
    pub theme: Option<Theme>,
}

/// What the program is told to do, validated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// How the screen is painted.
    pub theme: Theme,
    /// Where the file and the data are.
    pub folders: Folders,
    /// Profiles of the file, by name.
    pub profiles: Vec<Profile>,
    /// The profile that the environment describes, if it names a base address.
    ambient: Option<Profile>,
    /// The profile that was asked for, and by whom.
    wanted: Option<(String, &'static str)>,
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
    /// The key in the environment is wrong.
    #[error("BURSAR_API_KEY: {0}")]
    Key(KeyFault),
    /// No service is named anywhere.
    #[error(
        "no service is configured; try `bursar demo`, or set BURSAR_BASE_URL and BURSAR_API_KEY, \
         or write a [profiles.NAME] with its base_url into {}", .file.as_deref().unwrap_or("config.toml")
    )]
    NoService {
        /// Where the file would be.
        file: Option<String>,
    },
    /// A service without a key.
    #[error("no API key for {base_url}; set BURSAR_API_KEY")]
    NoKey {
        /// Of which service.
        base_url: String,
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
        let file = file::read(&folders)?;
        let by_argument = overrides.profile.map(|name| (name, "--profile"));
        let by_file = file.default_profile.map(|name| (name, "default_profile"));
        // A base address in the environment is a profile of its own, stronger than the file's choice of one.
        let ambient = match environment.text("BURSAR_BASE_URL")? {
            Some(base_url) if by_argument.is_none() => Some(Profile::ambient(&base_url).map_err(ConfigError::BaseUrl)?),
            _ => None,
        };
        let theme = overrides.theme.or(file.theme).or(environment.theme());
        Ok(Self {
            theme: theme.unwrap_or_default(),
            folders,
            profiles: file.profiles,
            ambient,
            wanted: by_argument.or(by_file),
        })
    }

    /// The profile to work with.
    pub fn profile(&self) -> Result<&Profile, ConfigError> {
        if let Some(ambient) = &self.ambient {
            return Ok(ambient);
        }
        let known = || self.profiles.iter().map(|profile| profile.name.clone()).collect();
        if let Some((name, by)) = &self.wanted {
            let found = self.profiles.iter().find(|profile| profile.name == *name);
            return found.ok_or_else(|| ConfigError::NoSuchProfile { by, name: Text::clean(name), known: known() });
        }
        match self.profiles.as_slice() {
            [] => {
                let file = self.folders.config_file().map(|path| path.display().to_string());
                Err(ConfigError::NoService { file })
            }
            [only] => Ok(only),
            _ => Err(ConfigError::WhichProfile { known: known() }),
        }
    }

    /// The key for a profile.
    pub fn api_key(&self, profile: &Profile, environment: &Environment) -> Result<ApiKey, ConfigError> {
        let Some(text) = environment.text("BURSAR_API_KEY")? else {
            return Err(ConfigError::NoKey { base_url: profile.base_url.to_string() });
        };
        ApiKey::read(text).map_err(ConfigError::Key)
    }
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
