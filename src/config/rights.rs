//! Checks who may write the configuration. It decides where keys and payments go and what the guard allows, so paying
//! is disabled where other users may write it.

use std::path::Path;

use super::{Config, Profile};
#[cfg(unix)]
use crate::secrets::private_file::effective_user_id;

impl Config {
    /// The remedy if other users may write the file. A profile from the environment has nothing from the file.
    pub fn permissions_remedy(&self, profile: &Profile) -> Option<String> {
        let file = self.folders.config_file().filter(|_| !profile.is_from_environment())?;
        // Write access to a folder allows replacing the files in it, also where a link leads.
        let target = file.canonicalize().ok();
        let folders = [file.parent(), target.as_deref().and_then(Path::parent)];
        let paths = folders.into_iter().flatten().filter_map(|folder| strangers(folder, true));
        strangers(&file, false).into_iter().chain(paths).next()
    }
}

/// The remedy if other users may write a file, or replace it through its folder.
#[cfg(unix)]
fn strangers(path: &Path, is_folder: bool) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    let about = path.metadata().ok()?;
    let (name, label) = (path.display(), if is_folder { "its folder" } else { "its file" });
    // In a sticky folder like /tmp users cannot replace the files of others.
    let is_sticky = is_folder && about.mode() & 0o1000 != 0;
    if about.mode() & 0o022 != 0 && !is_sticky {
        return Some(format!("run chmod go-w {name}, {label}, and restart bursar"));
    }
    let own = effective_user_id();
    let is_strangers = ![own, 0].contains(&about.uid());
    (is_strangers && !is_sticky)
        .then(|| format!("{name}, {label}, belongs to another user; run chown {own} {name}, and restart bursar"))
}

#[cfg(not(unix))]
fn strangers(_: &Path, _: bool) -> Option<String> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::strangers;

    #[test]
    fn a_configuration_that_others_may_write_says_what_mends_it() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("config.toml");
        fs::write(&file, "").unwrap();
        for (mode, is_open) in [(0o600, false), (0o644, false), (0o664, true), (0o646, true), (0o666, true)] {
            fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            let warning = strangers(&file, false);
            assert_eq!(warning.is_some(), is_open, "{mode:o}");
            assert!(warning.is_none_or(|warning| warning.contains(&format!("chmod go-w {}", file.display()))));
        }
        for (mode, is_open) in [(0o700, false), (0o755, false), (0o775, true), (0o1777, false)] {
            fs::set_permissions(place.path(), Permissions::from_mode(mode)).unwrap();
            assert_eq!(strangers(place.path(), true).is_some(), is_open, "{mode:o}");
        }
    }
}
