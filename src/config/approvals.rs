//! `[profiles.NAME.approvals]`: where proposals are exchanged, with which key this console signs, and what it may do.

use std::path::{Path, PathBuf};

use super::toml_reader::{TomlFault, TomlValue};
use crate::domain::approval::DeskRole;

/// The people who may sign, in OpenSSH's `allowed_signers` format, beside the configuration file.
const SIGNERS_FILE: &str = "allowed_signers";
/// Keys that count no more, one a line.
const REVOKED_FILE: &str = "revoked_signers";

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ApprovalSettings {
    /// The folder that every desk reaches; `None` where proposals are carried by hand.
    pub folder: Option<PathBuf>,
    pub signers: PathBuf,
    pub revoked: PathBuf,
    /// The file of the key that signs, private or public; `None` for the first signer's key in the agent.
    pub key: Option<PathBuf>,
}

/// The settings, and what the console may do.
pub(super) fn parse_approvals(value: &TomlValue<'_>, name: &str) -> Result<(ApprovalSettings, DeskRole), TomlFault> {
    let table = value.table(name)?;
    table.reject_unknown_keys(&["folder", "signers", "revoked", "signing_key", "role"])?;
    let path = |key| table.get(key).map(|value: TomlValue<'_>| value.text().map(PathBuf::from)).transpose();
    let role = table.get("role").map_or(Ok(DeskRole::default()), |value| value.one_of(&DeskRole::ALL))?;
    let settings = ApprovalSettings {
        folder: path("folder")?,
        signers: path("signers")?.unwrap_or_default(),
        revoked: path("revoked")?.unwrap_or_default(),
        key: path("signing_key")?,
    };
    Ok((settings, role))
}

impl ApprovalSettings {
    /// Makes relative paths relative to the folder of the configuration, and those below `~` to the home.
    pub(super) fn resolve(&mut self, folder: &Path, home: Option<&Path>) {
        let resolve = |path: &Path| match (path.strip_prefix("~"), home) {
            (Ok(below), Some(home)) => home.join(below),
            _ => folder.join(path),
        };
        let file =
            |path: &Path, name: &str| if path.as_os_str().is_empty() { folder.join(name) } else { resolve(path) };
        self.signers = file(&self.signers, SIGNERS_FILE);
        self.revoked = file(&self.revoked, REVOKED_FILE);
        self.folder = self.folder.as_deref().map(resolve);
        self.key = self.key.as_deref().map(resolve);
    }
}
