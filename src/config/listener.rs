//! Where a profile listens for webhooks, and whom it believes.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use secrecy::SecretString;

use super::toml_reader::{Fault, Value};
use crate::api::{Listening, Scheme, Signature};
use crate::secrets::private_file;

/// The longest file that can hold a secret of one line.
const LONGEST_SECRET: u64 = 4 * 1024;

/// Where webhooks are listened for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listener {
    /// The address and port.
    pub address: SocketAddr,
    /// The path of the requests.
    pub path: String,
    /// The file with the secret that signs them, which its owner alone may read; without one, anybody on this machine
    /// can make the console read.
    pub secret_file: Option<PathBuf>,
    /// What is signed.
    pub scheme: Scheme,
    /// The header that holds the signature, in lower case.
    pub signature_header: String,
    /// The header that holds the time, in lower case.
    pub timestamp_header: String,
    /// How many a minute are looked at.
    pub per_minute: u32,
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
    /// It holds no secret.
    #[error("listener: {} holds no secret: it should be one line of text", .path.display())]
    NoSecret {
        /// The file.
        path: PathBuf,
    },
}

impl Listener {
    /// What is to be listened for, with the secret read from its file.
    ///
    /// # Errors
    /// When the file cannot be read, is not its owner's alone, or holds no line of text.
    pub fn listening(&self) -> Result<Listening, SecretFault> {
        let signature = self.secret_file.as_deref().map(secret).transpose()?.map(|secret| Signature {
            scheme: self.scheme,
            header: self.signature_header.clone(),
            timestamp_header: self.timestamp_header.clone(),
            secret,
        });
        Ok(Listening { address: self.address, path: self.path.clone(), signature, per_minute: self.per_minute })
    }

    /// Where it listens and whom it believes, in words.
    pub fn words(&self) -> String {
        let signed = if self.secret_file.is_some() { "signed" } else { "unsigned" };
        format!("{}{}, {signed}", self.address, self.path)
    }
}

/// Reads a secret from a file that is its owner's alone.
fn secret(path: &Path) -> Result<SecretString, SecretFault> {
    let unreadable = |source| SecretFault::Unreadable { path: path.to_owned(), source };
    let no_secret = || SecretFault::NoSecret { path: path.to_owned() };
    let about = std::fs::metadata(path).map_err(unreadable)?;
    if !about.is_file() || about.len() > LONGEST_SECRET {
        return Err(no_secret());
    }
    if let Some(why) = private_file::too_open(path) {
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
pub(super) fn read(value: &Value<'_>, name: &str) -> Result<Listener, Fault> {
    let table = value.table(name)?;
    table.allow(&[
        "address",
        "public",
        "path",
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
        return Err(address.fault("others than this machine could reach it; write public = true if they shall"));
    }
    let mut listener = Listener {
        address: socket,
        path: "/events".into(),
        secret_file: table.get("secret_file").map(|value| value.text()).transpose()?.map(PathBuf::from),
        scheme: Scheme::default(),
        signature_header: "x-webhook-signature".into(),
        timestamp_header: "x-webhook-timestamp".into(),
        per_minute: 120,
    };
    if public && listener.secret_file.is_none() {
        return Err(value.fault("secret_file is missing: what others can reach takes signed events alone"));
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
