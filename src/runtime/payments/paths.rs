//! Completes typed paths.

use std::fs::DirEntry;
use std::path::Path;

use crate::app::PathKind;
use crate::runtime::HostPermission;
use crate::runtime::export::file;
use crate::store::Cancel;

const MAX_SUGGESTIONS: usize = 50;
/// The most names read of a folder: a completion runs for each letter typed, and the folder may be slow.
const MAX_NAMES_READ: usize = 5_000;

/// Files of the kind and folders whose paths begin as typed; folders end with a slash. Hidden names are offered only
/// once their dot is typed. A cancelled completion returns a partial list, to be discarded.
pub(super) fn complete_path(host: &HostPermission, typed: &str, path_kind: PathKind, cancel: &Cancel) -> Vec<String> {
    if typed == "~" {
        return vec!["~/".to_owned()];
    }
    let cut = typed.rfind('/').map_or(0, |slash| slash + 1);
    let (folder, begun) = typed.split_at(cut);
    let place = if folder.is_empty() { Path::new(".").to_owned() } else { file::resolve_folder(host, folder) };
    let Ok(entries) = std::fs::read_dir(place) else { return Vec::new() };
    let meant = |entry: std::io::Result<DirEntry>| {
        let entry = entry.ok()?;
        let name = entry.file_name().into_string().ok()?;
        let is_meant = name.starts_with(begun) && (!name.starts_with('.') || begun.starts_with('.'));
        is_meant.then_some((entry, name))
    };
    let path = |(entry, name): (DirEntry, String)| {
        // A symbolic link counts as its target; other entries need no further call for their type.
        let kind = entry.file_type().ok()?;
        let kind = if kind.is_symlink() { std::fs::metadata(entry.path()).ok()?.file_type() } else { kind };
        let extensions: &[&str] = match path_kind {
            PathKind::Tables => &[".csv", ".tsv"],
            PathKind::Entries => &[".csv", ".tsv", ".json"],
            PathKind::Drafts => &[".json"],
            PathKind::Folders => &[],
        };
        let is_table = extensions.iter().any(|extension| name.to_ascii_lowercase().ends_with(extension));
        match (kind.is_dir(), kind.is_file() && is_table) {
            (true, _) => Some((true, format!("{folder}{name}/"))),
            (_, true) => Some((false, format!("{folder}{name}"))),
            _ => None,
        }
    };
    let mut paths: Vec<(bool, String)> = entries
        .take(MAX_NAMES_READ)
        .take_while(|_| !cancel.is_cancelled())
        .filter_map(meant)
        .filter_map(path)
        .collect();
    paths.sort();
    paths.into_iter().take(MAX_SUGGESTIONS).map(|(_, path)| path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_csv_come_first_and_folders_after_them() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["pay-2.csv", "pay-1.CSV", "pay.txt", ".pay.csv", "other.csv"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        std::fs::create_dir(folder.path().join("payroll")).unwrap();
        let typed = format!("{}/pa", folder.path().display());
        let completing =
            |typed: &str| complete_path(&HostPermission::for_local_operator(), typed, PathKind::Tables, &Cancel::new());
        let names: Vec<String> = completing(&typed)
            .into_iter()
            .map(|path| path.strip_prefix(&format!("{}/", folder.path().display())).unwrap().to_owned())
            .collect();
        assert_eq!(names, ["pay-1.CSV", "pay-2.csv", "payroll/"]);
        assert_eq!(completing(&format!("{}/nowhere/x", folder.path().display())), Vec::<String>::new());
        assert_eq!(completing(&format!("{}/.p", folder.path().display())).len(), 1);
        assert_eq!(completing("~"), ["~/"]);
        let host = HostPermission::for_local_operator();
        assert_eq!(complete_path(&host, &typed, PathKind::Folders, &Cancel::new()).len(), 1);
    }
}
