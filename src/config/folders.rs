//! Where the file and the data are, by the conventions of XDG.

use std::path::{Path, PathBuf};

use super::Environment;
use crate::secrets::private_file::create_folder;

/// The two folders of the program. One is absent where nothing says where it would be.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Folders {
    config: Option<PathBuf>,
    data: Option<PathBuf>,
}

/// Why a folder cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum FolderFault {
    /// The folder that was named is not there.
    #[error("{by} names the folder {}, which does not exist; create it or name another", .path.display())]
    Missing {
        /// Who named it.
        by: &'static str,
        /// The folder.
        path: PathBuf,
    },
    /// It is not a folder.
    #[error("{} is not a folder; name another with --{kind}-dir", .path.display())]
    NoFolder {
        /// `config` or `data`.
        kind: &'static str,
        /// What it is instead.
        path: PathBuf,
    },
    /// Nothing says where it would be.
    #[error("HOME is not set, so there is no place for the {kind} folder; set HOME, or name it with --{kind}-dir")]
    NoHome {
        /// `config` or `data`.
        kind: &'static str,
    },
    /// The system refuses it.
    #[error("cannot use the {kind} folder {}", .path.display())]
    Refused {
        /// `config` or `data`.
        kind: &'static str,
        /// The folder.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
}

impl Folders {
    /// Finds the folders: as the arguments say, as the environment says, or where XDG puts them. A folder for
    /// configuration that was named must exist, since a misspelt one would silently mean another configuration.
    pub(super) fn resolve(
        config: Option<PathBuf>,
        data: Option<PathBuf>,
        environment: &Environment,
    ) -> Result<Self, FolderFault> {
        let named = config
            .map(|path| ("--config-dir", path))
            .or_else(|| Some("BURSAR_CONFIG_DIR").zip(environment.path("BURSAR_CONFIG_DIR")));
        if let Some((by, path)) = &named
            && !path.exists()
        {
            return Err(FolderFault::Missing { by, path: path.clone() });
        }
        let config = named.map(|(_, path)| path).or_else(|| by_convention(environment, "XDG_CONFIG_HOME", ".config"));
        let data = data
            .or_else(|| environment.path("BURSAR_DATA_DIR"))
            .or_else(|| by_convention(environment, "XDG_DATA_HOME", ".local/share"));
        if let Some(path) = config.clone().filter(|path| path.exists() && !path.is_dir()) {
            return Err(FolderFault::NoFolder { kind: "config", path });
        }
        Ok(Self { config, data })
    }

    /// Where the configuration file is, or would be.
    pub fn config_file(&self) -> Option<PathBuf> {
        self.config.as_ref().map(|folder| folder.join("config.toml"))
    }

    /// Where the data folder is, or would be.
    pub fn data_folder(&self) -> Option<&Path> {
        self.data.as_deref()
    }

    /// The data folder, made if need be, for its owner alone.
    pub fn data(&self) -> Result<&Path, FolderFault> {
        let path = self.data.as_deref().ok_or(FolderFault::NoHome { kind: "data" })?;
        if path.exists() && !path.is_dir() {
            return Err(FolderFault::NoFolder { kind: "data", path: path.to_owned() });
        }
        create_folder(path).map_err(|source| FolderFault::Refused { kind: "data", path: path.to_owned(), source })?;
        Ok(path)
    }
}

fn by_convention(environment: &Environment, variable: &str, below_home: &str) -> Option<PathBuf> {
    // XDG tells programs to ignore a relative path.
    let absolute = |path: &PathBuf| path.is_absolute();
    let base = environment.path(variable).filter(absolute);
    let base = base.or_else(|| environment.path("HOME").filter(absolute).map(|home| home.join(below_home)))?;
    Some(base.join("bursar"))
}
