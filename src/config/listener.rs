//! Where a profile listens for webhooks, and whom it believes.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret, SecretString};

use super::toml_reader::{TomlFault, TomlTable, TomlValue};
use crate::api::{Scheme, Signature, WebhookOptions};
use crate::domain::Redaction;
use crate::secrets::{ListenerSecret, SecretKind, Vault, private_file};

/// The longest file that can hold a secret of one line.
const LONGEST_SECRET: u64 = 4 * 1024;

/// Where webhooks are listened for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListenerConfig {
    /// The address and port.
    pub address: SocketAddr,
    /// The path of the requests.
    pub path: String,
    /// Where the secret is by which they are signed.
    pub secret_source: ListenerSecretSource,
    /// What is signed.
    pub scheme: Scheme,
    /// The header that holds the signature, in lower case.
    pub signature_header: String,
    /// The header that holds the time, in lower case.
    pub timestamp_header: String,
    /// How many a minute are looked at.
    pub per_minute: u32,
}

/// Where the secret is by which webhooks are signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListenerSecretSource {
    /// There is none: anybody on this machine can make the console read.
    None,
    /// With the profile's keys.
    KeyStore,
    /// In a file that its owner alone may read.
    File(PathBuf),
}

/// Why the secret of a listener cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SecretFault {
    /// The file is not there, or the system does not let us read it.
    #[error("listener: cannot read {}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// Others may read or write it.
    #[error("listener: {}: {why}; make it your own with chmod 600", .path.display())]
    TooOpen {
        /// The file.
        path: PathBuf,
        /// Who may.
        why: &'static str,
    },
    /// It is not where the keys are.
    #[error("listener: {0}")]
    NotKept(String),
    /// It holds no secret.
    #[error("listener: {} holds no secret: it should be one line of text", .path.display())]
    NoSecret {
        /// The file.
        path: PathBuf,
    },
}

impl ListenerConfig {
    /// What is to be listened for, with the secret read from its file, or from where the keys of the profile are.
    ///
    /// # Errors
    /// When the file cannot be read, is not its owner's alone, or holds no line of text; when the vault cannot be asked, or
    /// has no such secret.
    pub fn webhook_options(&self, vault: &Vault) -> Result<WebhookOptions, SecretFault> {
        let secret = match &self.secret_source {
            ListenerSecretSource::None => None,
            ListenerSecretSource::File(path) => Some(read_from_file(path)?),
            ListenerSecretSource::KeyStore => Some(read_from_key_store(vault)?),
        };
        let redaction = vault.redaction();
        self.add_to_redaction(&redaction);
        let signature = secret.map(|secret| Signature {
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

    /// Adds the secret to those that nothing may repeat, where a file holds it. One that cannot be read is told by whoever
    /// listens.
    pub(super) fn add_to_redaction(&self, redaction: &Redaction) {
        if let ListenerSecretSource::File(path) = &self.secret_source
            && let Ok(secret) = read_from_file(path)
        {
            redaction.add_secret(Redaction::WEBHOOK_SECRET, secret.expose_secret());
        }
    }

    /// Where it listens and whom it believes, in words.
    pub fn words(&self) -> String {
        let signed = if self.secret_source == ListenerSecretSource::None { "unsigned" } else { "signed" };
        format!("{}{}, {signed}", self.address, self.path)
    }
}

/// Asks for the secret where the keys are.
fn read_from_key_store(vault: &Vault) -> Result<SecretString, SecretFault> {
    let which = SecretKind::ListenerSecret;
    let secret = vault.listener_secret().map_err(|fault| SecretFault::NotKept(fault.to_string()))?;
    secret.map(ListenerSecret::into_secret).ok_or_else(|| {
        let owner = vault.owner();
        let command = format!("`bursar key set {} --profile {}`", which.word(), owner.profile);
        SecretFault::NotKept(format!("no {which} is kept for {owner}; run {command}, or name a secret_file"))
    })
}

/// Reads a secret from a file that is its owner's alone.
fn read_from_file(path: &Path) -> Result<SecretString, SecretFault> {
    let unreadable = |source| SecretFault::Unreadable { path: path.to_owned(), source };
    let no_secret = || SecretFault::NoSecret { path: path.to_owned() };
    let about = std::fs::metadata(path).map_err(unreadable)?;
    if !about.is_file() || about.len() > LONGEST_SECRET {
        return Err(no_secret());
    }
    if let Some(why) = private_file::exposure(path) {
        return Err(SecretFault::TooOpen { path: path.to_owned(), why });
    }
    let text = zeroize::Zeroizing::new(std::fs::read_to_string(path).map_err(unreadable)?);
    let line = text.trim();
    if line.is_empty() || line.lines().count() != 1 {
        return Err(no_secret());
    }
    Ok(line.to_owned().into())
}

/// Reads `[profiles.NAME.listener]`.
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
        secret_source: where_secret_is(&table)?,
        scheme: Scheme::default(),
        signature_header: "x-webhook-signature".into(),
        timestamp_header: "x-webhook-timestamp".into(),
        per_minute: 120,
    };
    if public && listener.secret_source == ListenerSecretSource::None {
        let words = "signed = true is missing, or secret_file: a public listener accepts only signed events";
        return Err(value.fault(words));
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
        listener.scheme = scheme.one_of(&Scheme::ALL)?;
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

/// Where the secret is: with the keys, or in a file.
fn where_secret_is(table: &TomlTable<'_>) -> Result<ListenerSecretSource, TomlFault> {
    let signed = table.get("signed").map(|value| value.flag()).transpose()?;
    match (table.get("secret_file"), signed) {
        (Some(file), Some(_)) => Err(file.fault("signed says that the secret is kept with the keys; leave one out")),
        (Some(file), None) => Ok(ListenerSecretSource::File(file.text()?.into())),
        (None, Some(true)) => Ok(ListenerSecretSource::KeyStore),
        (None, Some(false) | None) => Ok(ListenerSecretSource::None),
    }
}
