//! The settings of a profile: how each is read from `config.toml`, and how `bursar profile show` displays it.

use std::time::Duration;

use super::toml_reader::{TomlFault, TomlValue};
use super::{
    ListenerConfig, Profile, approvals, column_mappings, listener, metadata, notify, policy, views, watches, wire_names,
};
use crate::api::ProxyAddress;
use crate::domain::draft::RequestDefaults;
use crate::domain::{Batch, Network};
use crate::secrets::KeyStorage;

const SHORTEST_IDLE_TIME: Duration = Duration::from_secs(10);

/// Reads a value into the profile; the text is the name of the value as a table, as in `profiles.main.policy`.
type Reader = fn(&TomlValue<'_>, &str, &mut Profile) -> Result<(), TomlFault>;

/// Each setting but `base_url`, without which there is no profile. The policy precedes the settings that are part of it.
pub(super) const SETTINGS: &[(&str, Reader)] = &[
    ("environment", |value, _, profile| value.one_of(&Network::ALL).map(|network| profile.network = Some(network))),
    ("read_only", |value, _, profile| value.flag().map(|flag| profile.read_only = flag)),
    ("secrets", |value, _, profile| value.one_of(&KeyStorage::ALL).map(|storage| profile.key_storage = Some(storage))),
    ("poll_seconds", |value, _, profile| {
        value.number(1, 3600).map(|seconds| profile.preferences.poll_period = Duration::from_secs(seconds))
    }),
    ("probe_lists", |value, _, profile| value.flag().map(|flag| profile.preferences.probe_lists = flag)),
    ("versions", |value, _, profile| read_versions(value, profile)),
    ("valuation", |value, _, profile| parse_valuation(value).map(|symbol| profile.valuation = symbol)),
    ("quote_seconds", |value, _, profile| {
        value.number(5, 3600).map(|seconds| profile.quote_max_age = Duration::from_secs(seconds))
    }),
    ("ca_file", |value, _, profile| value.text().map(|path| profile.ca_file = Some(path.into()))),
    ("proxy", |value, _, profile| read_proxy(value, profile)),
    ("final_ok", |value, _, profile| value.lowercase_words().map(|words| profile.final_ok = words)),
    ("final_failed", |value, _, profile| value.lowercase_words().map(|words| profile.final_failed = words)),
    ("wire", |value, name, profile| wire_names::parse_wire_names(value.table(name)?).map(|names| profile.wire = names)),
    ("listener", |value, name, profile| {
        listener::parse_listener(value, name).map(|listener| profile.listener = Some(listener))
    }),
    ("view", |value, name, profile| views::parse_views(value, name).map(|views| profile.views = views)),
    ("columns", |value, name, profile| {
        column_mappings::parse_column_mappings(value, name).map(|mappings| profile.column_mappings = mappings)
    }),
    ("notify", |value, name, profile| notify::parse_notify(value, name).map(|notify| profile.notify = Some(notify))),
    ("watch", |value, name, profile| watches::parse_watches(value, name).map(|watches| profile.watches = watches)),
    ("away_after", |value, _, profile| {
        value.duration(SHORTEST_IDLE_TIME).map(|time| profile.preferences.away_after = time)
    }),
    ("lock_after", |value, _, profile| {
        let is_never = value.is_word("never");
        profile.lock_after = if is_never { None } else { Some(value.duration(SHORTEST_IDLE_TIME)?) };
        Ok(())
    }),
    ("lock_passphrase", |value, _, profile| value.flag().map(|flag| profile.lock_passphrase = flag)),
    ("separate_keys", |value, _, profile| value.flag().map(|flag| profile.separate_keys = flag)),
    ("veil", |value, _, profile| value.flag().map(|flag| profile.veil = flag)),
    ("time", |value, _, profile| {
        value.one_of(&[("utc", false), ("local", true)]).map(|is_local| profile.local_time = is_local)
    }),
    ("policy", |value, name, profile| policy::parse_policy(value, name).map(|policy| profile.policy = policy)),
    ("approvals", |value, name, profile| {
        (profile.approvals, profile.policy.role) = approvals::parse_approvals(value, name)?;
        Ok(())
    }),
    ("batch_recipients", |value, _, profile| {
        let most = value.number(1, u64::from(Batch::MAX_RECIPIENTS))?;
        profile.policy.batch_recipients = u16::try_from(most).ok();
        Ok(())
    }),
    ("metadata", |value, name, profile| {
        metadata::parse_metadata(value, name).map(|metadata| profile.request_defaults.metadata = metadata)
    }),
    ("queue", |value, _, profile| value.flag().map(|flag| profile.request_defaults.queue = Some(flag))),
];

impl Profile {
    /// The settings that are not lists or tables of others, as displayed.
    pub fn setting_rows(&self) -> Vec<(&'static str, String)> {
        let time = |time| humantime::format_duration(time).to_string();
        let not_set = || "not set".to_owned();
        let versions = match (self.preferences.v1, self.preferences.v2) {
            (true, true) => "v1, v2",
            (true, false) => "v1",
            (false, _) => "v2",
        };
        let RequestDefaults { metadata, queue } = &self.request_defaults;
        vec![
            ("base_url", self.base_url.to_string()),
            ("environment", self.network.map_or("not set", Network::name).to_owned()),
            ("read_only", self.read_only.to_string()),
            ("secrets", self.key_storage.map_or("not set", KeyStorage::config_name).to_owned()),
            ("poll_seconds", self.preferences.poll_period.as_secs().to_string()),
            ("probe_lists", self.preferences.probe_lists.to_string()),
            ("valuation", self.valuation.clone().unwrap_or_else(|| "none".into())),
            ("quote_seconds", self.quote_max_age.as_secs().to_string()),
            ("time", if self.local_time { "local" } else { "utc" }.to_owned()),
            ("away_after", time(self.preferences.away_after)),
            ("lock_after", self.lock_after.map_or("never".into(), time)),
            ("lock_passphrase", self.lock_passphrase.to_string()),
            ("separate_keys", self.separate_keys.to_string()),
            ("veil", self.veil.to_string()),
            ("versions", versions.to_owned()),
            ("ca_file", self.ca_file.as_ref().map_or_else(not_set, |path| path.display().to_string())),
            ("proxy", self.proxy.as_ref().map_or("not set", ProxyAddress::as_str).to_owned()),
            ("final_ok", self.final_ok.join(", ")),
            ("final_failed", self.final_failed.join(", ")),
            ("batch_recipients", self.policy.batch_recipients.unwrap_or(Batch::DEFAULT_MAX_RECIPIENTS).to_string()),
            ("metadata", if metadata.is_empty() { "none".into() } else { metadata.to_string() }),
            ("queue", queue.map_or_else(not_set, |queue| queue.to_string())),
            ("listener", self.listener.as_ref().map_or_else(not_set, ListenerConfig::summary)),
        ]
    }
}

fn read_versions(value: &TomlValue<'_>, profile: &mut Profile) -> Result<(), TomlFault> {
    let words = value.lowercase_words()?;
    let are_valid = words.iter().all(|word| word == "v1" || word == "v2");
    if !are_valid || words.is_empty() {
        let remedy =
            "write [\"v1\", \"v2\"], [\"v2\"] for a service without version 1, or [\"v1\"] to pay by version 1";
        return Err(value.fault(remedy));
    }
    profile.preferences.v1 = words.iter().any(|word| word == "v1");
    profile.preferences.v2 = words.iter().any(|word| word == "v2");
    Ok(())
}

fn parse_valuation(value: &TomlValue<'_>) -> Result<Option<String>, TomlFault> {
    match value.text()? {
        "none" => Ok(None),
        symbol if (1..=20).contains(&symbol.len()) && symbol.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            Ok(Some(symbol.to_owned()))
        }
        _ => Err(value.fault("write the symbol of a token, as in \"USDT\", or \"none\" for no values")),
    }
}

fn read_proxy(value: &TomlValue<'_>, profile: &mut Profile) -> Result<(), TomlFault> {
    let proxy = ProxyAddress::parse(value.text()?).map_err(|fault| value.fault(&fault.to_string()))?;
    if profile.base_url.is_unencrypted() {
        return Err(value.fault("a service on this machine is reached without a proxy; leave it out"));
    }
    profile.proxy = Some(proxy);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::SETTINGS;

    #[test]
    fn the_manual_names_every_setting() {
        let manual = include_str!("../../assets/manual/configuration.md");
        // Names on the wire are set only for a service that departs from the specification. The manual describes none.
        for (key, _) in SETTINGS.iter().filter(|(key, _)| *key != "wire") {
            let is_named =
                manual.contains(&format!("\n{key} = ")) || manual.contains(&format!("[profiles.treasury.{key}]"));
            assert!(is_named, "{key}");
        }
    }
}
