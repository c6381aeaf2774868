//! The webhook listener of a profile, and the secret of its signatures.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret, SecretString};

use super::toml_reader::{TomlFault, TomlTable, TomlValue};
use crate::api::{SignatureOptions, SignatureScheme, WebhookOptions};
use crate::domain::Redaction;
use crate::secrets::{ListenerSecret, SecretKind, Vault, private_file};

/// Bytes, for a file with one line.
const LONGEST_SECRET: u64 = 4 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListenerConfig {
    pub address: SocketAddr,
    pub path: String,
    pub secret_source: ListenerSecretSource,
    pub scheme: SignatureScheme,
    /// The header with the signature, in lower case.
    pub signature_header: String,
    /// The header with the time, in lower case.
    pub timestamp_header: String,
    pub per_minute: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListenerSecretSource {
    /// No secret: anybody on this machine can make the console read.
    None,
    /// With the profile's keys.
    KeyStore,
    /// In a file that only its owner may read.
    File(PathBuf),
}

#[derive(Debug, thiserror::Error)]
pub enum ListenerSecretFault {
    #[error("listener: cannot read {}", .path.display())]
    Unreadable {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("listener: {}: {reason}; make it your own with chmod 600", .path.display())]
    TooOpen { path: PathBuf, reason: &'static str },
    #[error("listener: {0}")]
    NotInKeyStore(String),
    #[error("listener: {} holds no secret: it should be one line of text", .path.display())]
    NoSecret { path: PathBuf },
}

impl ListenerConfig {
    /// The listener's options, with the secret read from its file or from the vault.
    ///
    /// # Errors
    /// When the file cannot be read, is not private to its owner, or has no line of text; when the vault cannot be
    /// read, or has no such secret.
    pub fn webhook_options(&self, vault: &Vault) -> Result<WebhookOptions, ListenerSecretFault> {
        let secret = read_signing_secret(&self.secret_source, vault)?;
        let redaction = vault.redaction();
        self.add_to_redaction(&redaction);
        let signature = secret.map(|secret| SignatureOptions {
            scheme: self.scheme,
            header: self.signature_header.clone(),
            timestamp_header: self.timestamp_header.clone(),
            secret,
        });
        Ok(WebhookOptions {
            address: self.address,
            path: self.path.clone(),
            signature,
            per_minute: self.per_minute,
            redaction,
        })
    }

    /// Registers a secret in a file for redaction. A secret that cannot be read is reported when the listener starts.
    pub(super) fn add_to_redaction(&self, redaction: &Redaction) {
        if let ListenerSecretSource::File(path) = &self.secret_source
            && let Ok(secret) = read_listener_secret(path)
        {
            redaction.add_secret(Redaction::WEBHOOK_SECRET, secret.expose_secret());
        }
    }

    /// Address and signing, as displayed.
    pub fn summary(&self) -> String {
        let signed = if self.secret_source == ListenerSecretSource::None { "unsigned" } else { "signed" };
        format!("{}{}, {signed}", self.address, self.path)
    }
}

pub(super) fn read_signing_secret(
    source: &ListenerSecretSource,
    vault: &Vault,
) -> Result<Option<SecretString>, ListenerSecretFault> {
    Ok(match source {
        ListenerSecretSource::None => None,
        ListenerSecretSource::File(path) => Some(read_listener_secret(path)?),
        ListenerSecretSource::KeyStore => Some(read_from_key_store(vault)?),
    })
}

fn read_from_key_store(vault: &Vault) -> Result<SecretString, ListenerSecretFault> {
    let which = SecretKind::ListenerSecret;
    let secret = vault.listener_secret().map_err(|fault| ListenerSecretFault::NotInKeyStore(fault.to_string()))?;
    secret.map(ListenerSecret::into_secret).ok_or_else(|| {
        let owner = vault.owner();
        let command = format!("`bursar key set {} --profile {}`", which.cli_name(), owner.profile);
        ListenerSecretFault::NotInKeyStore(format!(
            "no {which} is kept for {owner}; run {command}, or name a secret_file"
        ))
    })
}

/// Reads the secret of signatures from a file that only its owner may read.
///
/// # Errors
/// When the file cannot be read, is not private to its owner, or has no line of text.
pub fn read_listener_secret(path: &Path) -> Result<SecretString, ListenerSecretFault> {
    let unreadable = |source| ListenerSecretFault::Unreadable { path: path.to_owned(), source };
    let no_secret = || ListenerSecretFault::NoSecret { path: path.to_owned() };
    let about = std::fs::metadata(path).map_err(unreadable)?;
    if !about.is_file() || about.len() > LONGEST_SECRET {
        return Err(no_secret());
    }
    if let Some(reason) = private_file::access_by_others(path) {
        return Err(ListenerSecretFault::TooOpen { path: path.to_owned(), reason });
    }
    let text = zeroize::Zeroizing::new(std::fs::read_to_string(path).map_err(unreadable)?);
    let line = text.trim();
    if line.is_empty() || line.lines().count() != 1 {
        return Err(no_secret());
    }
    Ok(line.to_owned().into())
}

pub(super) fn parse_listener(value: &TomlValue<'_>, name: &str) -> Result<ListenerConfig, TomlFault> {
    let table = value.table(name)?;
    table.reject_unknown_keys(&[
        "address",
        "public",
        "path",
        "signed",
        "secret_file",
        "scheme",
        "signature_header",
        "timestamp_header",
        "per_minute",
    ])?;
    let address = table.get("address").ok_or_else(|| value.fault("address is missing, as in \"127.0.0.1:8470\""))?;
    let socket: SocketAddr = address
        .text()?
        .parse()
        .map_err(|_| address.fault("write an address of this machine and a port, as in \"127.0.0.1:8470\""))?;
    let public = table.get("public").map(|value| value.flag()).transpose()?.unwrap_or(false);
    if !socket.ip().is_loopback() && !public {
        return Err(address.fault("other machines could reach this address; write public = true to allow that"));
    }
    let mut listener = ListenerConfig {
        address: socket,
        path: "/events".into(),
        secret_source: parse_secret_source(&table)?,
        scheme: SignatureScheme::default(),
        signature_header: "x-webhook-signature".into(),
        timestamp_header: "x-webhook-timestamp".into(),
        per_minute: 120,
    };
    if public && listener.secret_source == ListenerSecretSource::None {
        let message = "signed = true is missing, or secret_file: a public listener accepts only signed events";
        return Err(value.fault(message));
    }
    if let Some(path) = table.get("path") {
        let text = path.text()?;
        let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"?#\"".contains(&byte));
        if !text.starts_with('/') || !plain {
            return Err(path.fault("write a path, as in \"/events\""));
        }
        text.clone_into(&mut listener.path);
    }
    if let Some(scheme) = table.get("scheme") {
        listener.scheme = scheme.one_of(&SignatureScheme::ALL)?;
    }
    for (key, header) in
        [("signature_header", &mut listener.signature_header), ("timestamp_header", &mut listener.timestamp_header)]
    {
        let Some(value) = table.get(key) else { continue };
        let text = value.text()?;
        if !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            return Err(value.fault("write the name of a header, as in \"X-Webhook-Signature\""));
        }
        *header = text.to_ascii_lowercase();
    }
    if let Some(value) = table.get("per_minute") {
        listener.per_minute = u32::try_from(value.number(1, 6_000)?).unwrap_or(120);
    }
    Ok(listener)
}

pub(super) fn parse_secret_source(table: &TomlTable<'_>) -> Result<ListenerSecretSource, TomlFault> {
    let signed = table.get("signed").map(|value| value.flag()).transpose()?;
    match (table.get("secret_file"), signed) {
        (Some(file), Some(_)) => Err(file.fault("signed says that the secret is kept with the keys; leave one out")),
        (Some(file), None) => Ok(ListenerSecretSource::File(file.text()?.into())),
        (None, Some(true)) => Ok(ListenerSecretSource::KeyStore),
        (None, Some(false) | None) => Ok(ListenerSecretSource::None),
    }
}
