//! The file's voice: `config.toml`.

use std::path::PathBuf;
use std::time::Duration;

use toml::de::DeTable;

use super::toml_reader::{Fault, Table, Value, line_of};
use super::{Folders, Network, Profile, Theme};
use crate::api::{BaseUrl, WireNames};

/// The longest file that can be meant.
const LONGEST: u64 = 1024 * 1024;

/// What the file says.
#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) theme: Option<Theme>,
    pub(super) default_profile: Option<String>,
    pub(super) profiles: Vec<Profile>,
}

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileFault {
    /// The system does not let us read it.
    #[error("cannot read {}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// It is a folder, a device, or far too long.
    #[error("{} is no configuration file: {why}", .path.display())]
    NoFile {
        /// What it was taken for.
        path: PathBuf,
        /// What it is.
        why: &'static str,
    },
    /// Something in it is wrong.
    #[error("{}, line {line}: {words}", .path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What would be right.
        words: String,
    },
}

/// Reads the file. Without one, nothing is said.
pub(super) fn read(folders: &Folders) -> Result<File, FileFault> {
    let Some(path) = folders.config_file() else {
        return Ok(File::default());
    };
    let unreadable = |source| FileFault::Unreadable { path: path.clone(), source };
    let about = match std::fs::metadata(&path) {
        Ok(about) => about,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(File::default()),
        Err(error) => return Err(unreadable(error)),
    };
    // A pipe or a device would keep the program waiting for ever.
    if !about.is_file() {
        return Err(FileFault::NoFile { path, why: "it is no regular file" });
    }
    if about.len() > LONGEST {
        return Err(FileFault::NoFile { path, why: "it is longer than a megabyte" });
    }
    let bytes = std::fs::read(&path).map_err(unreadable)?;
    let Ok(source) = String::from_utf8(bytes) else {
        return Err(FileFault::NoFile { path, why: "it holds bytes that are no UTF-8 text" });
    };
    parse(&source).map_err(|Fault { line, words }| FileFault::Wrong { path, line, words })
}

/// Reads the text of a file.
pub(super) fn parse(source: &str) -> Result<File, Fault> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let whole = DeTable::parse(source).map_err(|error| Fault {
        line: line_of(source, error.span().map_or(0, |span| span.start)),
        words: error.message().to_owned(),
    })?;
    let table = Table::whole(source, whole.get_ref());
    table.allow(&["theme", "default_profile", "profiles"])?;
    let mut file = File {
        theme: table.get("theme").map(|value| value.one_of(&Theme::ALL)).transpose()?,
        default_profile: table.get("default_profile").map(|value| value.text()).transpose()?.map(str::to_owned),
        profiles: Vec::new(),
    };
    if let Some(profiles) = table.get("profiles") {
        for entry in profiles.table("profiles")?.entries() {
            file.profiles.push(profile(entry)?);
        }
    }
    Ok(file)
}

fn profile(entry: Value<'_>) -> Result<Profile, Fault> {
    let plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    if entry.key().is_empty() || entry.key().len() > 64 || !plain(entry.key()) {
        return Err(entry.fault("a profile's name has letters, digits, - and _ alone, 64 at most"));
    }
    let name = format!("profiles.{}", entry.key());
    let table = entry.table(&name)?;
    table.allow(&["base_url", "environment", "poll_seconds", "probe_lists", "wire"])?;
    let base_url =
        table.get("base_url").ok_or_else(|| entry.fault("base_url is missing, as in \"https://api.example.com\""))?;
    let read = BaseUrl::read(base_url.text()?).map_err(|fault| base_url.fault(&fault.to_string()))?;
    let mut profile = Profile::new(entry.key().to_owned(), read);
    if let Some(value) = table.get("environment") {
        profile.network = Some(value.one_of(&Network::ALL)?);
    }
    if let Some(value) = table.get("poll_seconds") {
        profile.poll = Duration::from_secs(value.number(1, 3600)?);
    }
    if let Some(value) = table.get("probe_lists") {
        profile.probe_lists = value.flag()?;
    }
    if let Some(value) = table.get("wire") {
        profile.wire = wire(value.table(&format!("{name}.wire"))?)?;
    }
    Ok(profile)
}

/// Corrections of the names that the specification leaves out.
fn wire(table: Table<'_>) -> Result<WireNames, Fault> {
    let mut names = WireNames::default();
    let mut known = names.slots();
    table.allow(&known.each_ref().map(|(key, _, _)| *key))?;
    for (key, is_path, slot) in &mut known {
        let Some(value) = table.get(key) else { continue };
        let text = value.text()?;
        if *is_path && !(text.starts_with("/v1/") || text.starts_with("/v2/")) {
            return Err(value.fault("write a path with its version, as in \"/v2/accounts\""));
        }
        text.clone_into(slot);
    }
    Ok(names)
}
