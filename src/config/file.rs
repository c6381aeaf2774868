//! Reads `config.toml`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use toml::Spanned;
use toml::de::DeTable;

use super::listener::{self, ListenerSecretSource};
use super::toml_reader::{TomlFault, TomlTable, TomlValue, line_of};
use super::{Folders, GlyphSet, Profile, approvals, column_mappings, metadata, notify, policy, views, watches};
use crate::api::{BaseUrl, ProxyAddress, WireNames};
use crate::domain::{Batch, FinalStatuses, Network, Text, ThemeName};
use crate::secrets::KeyStorage;

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
    #[error("{} is not a configuration file: {why}", .path.display())]
    NotAFile { path: PathBuf, why: &'static str },
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
        profile.ca_file = profile.ca_file.take().map(|named| folder.join(named));
        profile.approvals.resolve(&folder, home);
        if let Some(ListenerSecretSource::File(named)) =
            profile.listener.as_mut().map(|listener| &mut listener.secret_source)
        {
            *named = folder.join(&*named);
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
    let no_file = |why| FileFault::NotAFile { path: path.to_owned(), why };
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
    table.reject_unknown_keys(&[
        "base_url",
        "environment",
        "read_only",
        "secrets",
        "poll_seconds",
        "probe_lists",
        "versions",
        "valuation",
        "quote_seconds",
        "ca_file",
        "proxy",
        "final_ok",
        "final_failed",
        "wire",
        "listener",
        "view",
        "columns",
        "notify",
        "watch",
        "away_after",
        "lock_after",
        "lock_passphrase",
        "separate_keys",
        "veil",
        "time",
        "policy",
        "approvals",
        "batch_recipients",
        "metadata",
        "queue",
    ])?;
    let base_url =
        table.get("base_url").ok_or_else(|| entry.fault("base_url is missing, as in \"https://api.example.com\""))?;
    let read = BaseUrl::parse(base_url.text()?).map_err(|fault| base_url.fault(&fault.to_string()))?;
    let mut profile = Profile::new(entry.key().to_owned(), read);
    if let Some(value) = table.get("environment") {
        profile.network = Some(value.one_of(&Network::ALL)?);
    }
    if let Some(value) = table.get("poll_seconds") {
        profile.preferences.poll_period = Duration::from_secs(value.number(1, 3600)?);
    }
    if let Some(value) = table.get("probe_lists") {
        profile.preferences.probe_lists = value.flag()?;
    }
    if let Some(value) = table.get("versions") {
        let words = value.lowercase_words()?;
        let known = words.iter().all(|word| word == "v1" || word == "v2");
        if !known || words.is_empty() {
            let words =
                "write [\"v1\", \"v2\"], [\"v2\"] for a service without version 1, or [\"v1\"] to pay by version 1";
            return Err(value.fault(words));
        }
        profile.preferences.v1 = words.iter().any(|word| word == "v1");
        profile.preferences.v2 = words.iter().any(|word| word == "v2");
    }
    if let Some(value) = table.get("valuation") {
        profile.valuation = match value.text()? {
            "none" => None,
            symbol if (1..=20).contains(&symbol.len()) && symbol.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
                Some(symbol.to_owned())
            }
            _ => return Err(value.fault("write the symbol of a token, as in \"USDT\", or \"none\" for no values")),
        };
    }
    if let Some(value) = table.get("quote_seconds") {
        profile.quote_max_age = Duration::from_secs(value.number(5, 3600)?);
    }
    if let Some(value) = table.get("wire") {
        profile.wire = parse_wire_names(value.table(&format!("{name}.wire"))?)?;
    }
    if let Some(value) = table.get("listener") {
        profile.listener = Some(listener::parse_listener(&value, &format!("{name}.listener"))?);
    }
    if let Some(value) = table.get("time") {
        profile.local_time = value.one_of(&[("utc", false), ("local", true)])?;
    }
    if let Some(value) = table.get("away_after") {
        profile.preferences.away_after = value.duration(Duration::from_secs(10))?;
    }
    if let Some(value) = table.get("lock_after") {
        profile.lock_after = if value.is_word("never") { None } else { Some(value.duration(Duration::from_secs(10))?) };
    }
    if let Some(value) = table.get("lock_passphrase") {
        profile.lock_passphrase = value.flag()?;
    }
    if let Some(value) = table.get("separate_keys") {
        profile.separate_keys = value.flag()?;
    }
    if let Some(value) = table.get("veil") {
        profile.veil = value.flag()?;
    }
    if let Some(value) = table.get("watch") {
        profile.watches = watches::parse_watches(&value, &format!("profiles.{}.watch", entry.key()))?;
    }
    if let Some(value) = table.get("view") {
        profile.views = views::parse_views(&value, &format!("profiles.{}.view", entry.key()))?;
    }
    if let Some(value) = table.get("columns") {
        let name = format!("profiles.{}.columns", entry.key());
        profile.column_mappings = column_mappings::parse_column_mappings(&value, &name)?;
    }
    if let Some(value) = table.get("notify") {
        profile.notify = Some(notify::parse_notify(&value, &format!("{name}.notify"))?);
    }
    if let Some(value) = table.get("policy") {
        profile.policy = policy::parse_policy(&value, &format!("{name}.policy"))?;
    }
    if let Some(value) = table.get("approvals") {
        (profile.approvals, profile.policy.role) = approvals::parse_approvals(&value, &format!("{name}.approvals"))?;
    }
    if let Some(value) = table.get("batch_recipients") {
        let most = value.number(1, u64::from(Batch::MAX_RECIPIENTS))?;
        profile.policy.batch_recipients = u16::try_from(most).ok();
    }
    if let Some(value) = table.get("metadata") {
        profile.request_defaults.metadata = metadata::parse_metadata(&value, &format!("{name}.metadata"))?;
    }
    if let Some(value) = table.get("queue") {
        profile.request_defaults.queue = Some(value.flag()?);
    }
    if let Some(value) = table.get("read_only") {
        profile.read_only = value.flag()?;
    }
    if let Some(value) = table.get("secrets") {
        profile.key_storage = Some(value.one_of(&KeyStorage::ALL)?);
    }
    if let Some(value) = table.get("ca_file") {
        profile.ca_file = Some(value.text()?.into());
    }
    if let Some(value) = table.get("proxy") {
        let proxy = ProxyAddress::parse(value.text()?).map_err(|fault| value.fault(&fault.to_string()))?;
        if profile.base_url.is_unencrypted() {
            return Err(value.fault("a service on this machine is reached without a proxy; leave it out"));
        }
        profile.proxy = Some(proxy);
    }
    for (key, words) in [("final_ok", &mut profile.final_ok), ("final_failed", &mut profile.final_failed)] {
        if let Some(value) = table.get(key) {
            *words = value.lowercase_words()?;
        }
    }
    if table.get("final_failed").is_none() {
        // Files from before these defaults were added stay valid.
        let came_later = |word: &String| FinalStatuses::FAILED.iter().skip(3).any(|later| later == word);
        profile.final_failed.retain(|word| !profile.final_ok.contains(word) || !came_later(word));
    }
    if let Some(both) = profile.final_ok.iter().find(|word| profile.final_failed.contains(word)) {
        return Err(entry.fault(&format!("“{both}” is in both final_ok and final_failed; leave it in one")));
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

fn parse_wire_names(table: TomlTable<'_>) -> Result<WireNames, TomlFault> {
    let mut names = WireNames::default();
    let mut known = names.profile_entries();
    table.reject_unknown_keys(&known.each_ref().map(|(key, _, _)| *key))?;
    for (key, is_path, slot) in &mut known {
        let Some(value) = table.get(key) else { continue };
        let text = value.text()?;
        if *is_path && !(text.starts_with("/v1/") || text.starts_with("/v2/")) {
            return Err(value.fault("write a path with its version, as in \"/v2/accounts\""));
        }
        // A name that the request already uses would make a request that cannot be confirmed.
        if *key == "withdrawal_address" && !is_unused_request_member(text) {
            return Err(value
                .fault("write only the member's name, as in \"toAddress\", and not one that the request has already"));
        }
        text.clone_into(slot);
    }
    Ok(names)
}

/// Whether a withdrawal's request could have a member of this name beside its others.
fn is_unused_request_member(name: &str) -> bool {
    let taken = ["idempotencyKey", "walletId", "amount", "token", "blockchain", "refId", "note", "metadata"];
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    !name.is_empty() && name.chars().all(plain) && !taken.contains(&name)
}
