//! The folders of configuration and data, by the XDG conventions.

use std::path::{Path, PathBuf};

use super::Environment;
use crate::secrets::private_file::create_folder;

/// A folder is `None` where nothing determines its path.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Folders {
    config: Option<PathBuf>,
    data: Option<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
pub enum FolderFault {
    #[error("{by} names the folder {}, which does not exist; create it or name another", .path.display())]
    Missing {
        /// The setting that names it.
        by: &'static str,
        path: PathBuf,
    },
    #[error("{} is not a folder; name another with --{kind}-dir", .path.display())]
    NotAFolder {
        /// `config` or `data`.
        kind: &'static str,
        path: PathBuf,
    },
    #[error("HOME is not set, so there is no place for the {kind} folder; set HOME, or name it with --{kind}-dir")]
    NoHome {
        /// `config` or `data`.
        kind: &'static str,
    },
    #[error("cannot use the {kind} folder {}", .path.display())]
    Unusable {
        /// `config` or `data`.
        kind: &'static str,
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
}

impl Folders {
    /// Determines the folders: from the arguments, the environment, or XDG. A configured configuration folder must
    /// exist, since a misspelt one would silently select another configuration.
    pub(super) fn resolve(
        config: Option<PathBuf>,
        data: Option<PathBuf>,
        environment: &Environment,
    ) -> Result<Self, FolderFault> {
        let folder_option = config
            .map(|path| ("--config-dir", path))
            .or_else(|| Some("BURSAR_CONFIG_DIR").zip(environment.path_variable("BURSAR_CONFIG_DIR")));
        if let Some((by, path)) = &folder_option
            && !path.exists()
        {
            return Err(FolderFault::Missing { by, path: path.clone() });
        }
        let config =
            folder_option.map(|(_, path)| path).or_else(|| xdg_folder(environment, "XDG_CONFIG_HOME", ".config"));
        let data = data
            .or_else(|| environment.path_variable("BURSAR_DATA_DIR"))
            .or_else(|| xdg_folder(environment, "XDG_DATA_HOME", ".local/share"));
        if let Some(path) = config.clone().filter(|path| path.exists() && !path.is_dir()) {
            return Err(FolderFault::NotAFolder { kind: "config", path });
        }
        Ok(Self { config, data })
    }

    /// The path of the configuration file, which may not exist.
    pub fn config_file(&self) -> Option<PathBuf> {
        self.config.as_ref().map(|folder| folder.join("config.toml"))
    }

    /// The path of the data folder, which may not exist.
    pub fn data_folder(&self) -> Option<&Path> {
        self.data.as_deref()
    }

    /// The data folder, created if needed, with permissions for its owner alone.
    pub fn create_data_folder(&self) -> Result<&Path, FolderFault> {
        let path = self.data.as_deref().ok_or(FolderFault::NoHome { kind: "data" })?;
        if path.exists() && !path.is_dir() {
            return Err(FolderFault::NotAFolder { kind: "data", path: path.to_owned() });
        }
        create_folder(path).map_err(|source| FolderFault::Unusable { kind: "data", path: path.to_owned(), source })?;
        Ok(path)
    }
}

fn xdg_folder(environment: &Environment, variable: &str, below_home: &str) -> Option<PathBuf> {
    // XDG requires programs to ignore a relative path.
    let absolute = |path: &PathBuf| path.is_absolute();
    let base = environment.path_variable(variable).filter(absolute);
    let base = base.or_else(|| environment.path_variable("HOME").filter(absolute).map(|home| home.join(below_home)))?;
    Some(base.join("bursar"))
}
