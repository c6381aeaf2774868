//! `[profiles.NAME.notify]`: what `bursar watch` calls when a watch changes its state.

use super::listener::{ListenerSecretFault, ListenerSecretSource, parse_secret_source, read_signing_secret};
use super::toml_reader::{TomlFault, TomlValue};
use crate::api::NotificationUrl;
use crate::domain::Redaction;
use crate::secrets::Vault;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotifyConfig {
    /// The program and its arguments; the notification is its standard input.
    pub command: Option<Vec<String>>,
    pub url: Option<NotificationUrl>,
    /// The secret that signs what is posted.
    secret_source: ListenerSecretSource,
}

impl NotifyConfig {
    /// The secret that signs what is posted, read from its file or from the vault; it is redacted from now on.
    pub fn signing_secret(&self, vault: &Vault) -> Result<Option<secrecy::SecretString>, ListenerSecretFault> {
        let secret = read_signing_secret(&self.secret_source, vault)?;
        if let Some(secret) = &secret {
            vault.redaction().add_secret(Redaction::WEBHOOK_SECRET, secrecy::ExposeSecret::expose_secret(secret));
        }
        Ok(secret)
    }
}

pub(super) fn parse_notify(value: &TomlValue<'_>, name: &str) -> Result<NotifyConfig, TomlFault> {
    let table = value.table(name)?;
    table.reject_unknown_keys(&["command", "url", "signed", "secret_file"])?;
    let command = table.get("command").map(|value| value.text_list()).transpose()?;
    if let Some(value) = table.get("command")
        && command.as_ref().is_some_and(|arguments| arguments.first().is_none_or(String::is_empty))
    {
        return Err(value.fault("write the program and its arguments, as in [\"/usr/local/bin/alert\", \"treasury\"]"));
    }
    let url = match table.get("url") {
        Some(value) => Some(NotificationUrl::parse(value.text()?).map_err(|fault| value.fault(&fault.to_string()))?),
        None => None,
    };
    if command.is_none() && url.is_none() {
        return Err(value.fault("command or url is missing: what is called when a watch changes its state"));
    }
    let secret_source = parse_secret_source(&table)?;
    if url.is_none() && secret_source != ListenerSecretSource::None {
        return Err(value.fault("only what is posted to a url is signed; leave signed and secret_file out"));
    }
    Ok(NotifyConfig { command, url, secret_source })
}
