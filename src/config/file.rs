//! Reads `config.toml`.

use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::DeTable;

use super::listener::ListenerSecretSource;
use super::profile_settings::SETTINGS;
use super::toml_reader::{TomlFault, TomlTable, TomlValue, line_of};
use super::{Folders, GlyphSet, Profile};
use crate::api::BaseUrl;
use crate::domain::{FinalStatuses, Text, ThemeName};

/// Bytes.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

#[derive(Debug, Default)]
pub(super) struct ConfigFile {
    pub(super) theme: Option<ThemeName>,
    pub(super) glyphs: Option<GlyphSet>,
    pub(super) default_profile: Option<String>,
    pub(super) profiles: Vec<Profile>,
    pub(super) invalid_profiles: Vec<(String, TomlFault)>,
}

#[derive(Debug, thiserror::Error)]
pub enum FileFault {
    #[error("cannot read {}", .path.display())]
    Unreadable {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    /// A folder, a device, or a file far too long.
    #[error("{} is not a configuration file: {reason}", .path.display())]
    NotAFile { path: PathBuf, reason: &'static str },
    #[error("{}, line {line}: {remedy}", .path.display())]
    Invalid {
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        remedy: String,
    },
}

/// Reads the file; defaults where there is none. A path below `~` is below `home`.
pub(super) fn read_file(folders: &Folders, home: Option<&Path>) -> Result<ConfigFile, FileFault> {
    let Some(path) = folders.config_file() else {
        return Ok(ConfigFile::default());
    };
    let Some(source) = read_text(&path)? else {
        return Ok(ConfigFile::default());
    };
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let mut file = parse_config(&source).map_err(|fault| fault_in_file(&path, fault))?;
    for profile in &mut file.profiles {
        // A relative path is relative to the file's folder.
        profile.ca_file = profile.ca_file.take().map(|file| folder.join(file));
        profile.approvals.resolve(&folder, home);
        if let Some(ListenerSecretSource::File(file)) =
            profile.listener.as_mut().map(|listener| &mut listener.secret_source)
        {
            *file = folder.join(&*file);
        }
    }
    Ok(file)
}

pub(super) fn fault_in_file(path: &Path, TomlFault { line, message: remedy }: TomlFault) -> FileFault {
    FileFault::Invalid { path: path.to_owned(), line, remedy }
}

/// The content of a file; `None` where it does not exist.
pub(super) fn read_text(path: &Path) -> Result<Option<String>, FileFault> {
    let unreadable = |source| FileFault::Unreadable { path: path.to_owned(), source };
    let no_file = |reason| FileFault::NotAFile { path: path.to_owned(), reason };
    let about = match std::fs::metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    // A pipe or a device would block the program for ever.
    if !about.is_file() {
        return Err(no_file("it is not a regular file"));
    }
    if about.len() > MAX_FILE_BYTES {
        return Err(no_file("it is longer than a megabyte"));
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    String::from_utf8(bytes).map(Some).map_err(|_| no_file("it is not valid UTF-8 text"))
}

/// Parses a file in which no profile may be invalid.
#[cfg(test)]
pub(super) fn parse_config_strictly(source: &str) -> Result<ConfigFile, TomlFault> {
    let mut file = parse_config(source)?;
    if file.invalid_profiles.is_empty() { Ok(file) } else { Err(file.invalid_profiles.swap_remove(0).1) }
}

pub(super) fn parse_table(source: &str) -> Result<Spanned<DeTable<'_>>, TomlFault> {
    DeTable::parse(source).map_err(|error| TomlFault {
        line: line_of(source, error.span().map_or(0, |span| span.start)),
        message: error.message().to_owned(),
    })
}

/// Parses a file. The fault of one profile is recorded beside the others, which it does not affect.
pub(super) fn parse_config(source: &str) -> Result<ConfigFile, TomlFault> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let whole = parse_table(source)?;
    let table = TomlTable::root(source, whole.get_ref());
    table.reject_unknown_keys(&["theme", "glyphs", "default_profile", "profiles"])?;
    let mut file = ConfigFile {
        theme: table.get("theme").map(|value| value.one_of(&ThemeName::ALL)).transpose()?,
        glyphs: table.get("glyphs").map(|value| value.one_of(&GlyphSet::ALL)).transpose()?,
        default_profile: table.get("default_profile").map(|value| value.text()).transpose()?.map(str::to_owned),
        ..ConfigFile::default()
    };
    if let Some(profiles) = table.get("profiles") {
        for entry in profiles.table("profiles")?.entries() {
            match parse_profile(entry) {
                Ok(profile) => file.profiles.push(profile),
                Err(fault) => file.invalid_profiles.push((Text::clean(entry.key()).to_string(), fault)),
            }
        }
    }
    Ok(file)
}

fn parse_profile(entry: TomlValue<'_>) -> Result<Profile, TomlFault> {
    if let Some(fault) = name_fault(entry.key()) {
        return Err(entry.fault(fault));
    }
    let name = format!("profiles.{}", entry.key());
    let table = entry.table(&name)?;
    let keys: Vec<&str> = std::iter::once("base_url").chain(SETTINGS.iter().map(|(key, _)| *key)).collect();
    table.reject_unknown_keys(&keys)?;
    let base_url =
        table.get("base_url").ok_or_else(|| entry.fault("base_url is missing, as in \"https://api.example.com\""))?;
    let parsed_url = BaseUrl::parse(base_url.text()?).map_err(|fault| base_url.fault(&fault.to_string()))?;
    let mut profile = Profile::new(entry.key().to_owned(), parsed_url);
    for (key, read_setting) in SETTINGS {
        if let Some(value) = table.get(key) {
            read_setting(&value, &format!("{name}.{key}"), &mut profile)?;
        }
    }
    if table.get("final_failed").is_none() {
        // Files from before these defaults were added stay valid.
        let came_later = |word: &String| FinalStatuses::FAILED.iter().skip(3).any(|later| later == word);
        profile.final_failed.retain(|word| !profile.final_ok.contains(word) || !came_later(word));
    }
    if let Some(status) = profile.final_ok.iter().find(|word| profile.final_failed.contains(word)) {
        return Err(entry.fault(&format!("“{status}” is in both final_ok and final_failed; leave it in one")));
    }
    Ok(profile)
}

pub fn name_fault(name: &str) -> Option<&'static str> {
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    // The name becomes part of file names, where a leading point hides and two lead upwards.
    let fit = !name.is_empty() && name.len() <= 64 && plain && !name.starts_with('.');
    if !fit {
        return Some("a profile's name may contain only letters, digits, - and _, 64 at most");
    }
    (name == Profile::ENVIRONMENT_NAME).then_some("“environment” means BURSAR_BASE_URL; give the profile another name")
}
