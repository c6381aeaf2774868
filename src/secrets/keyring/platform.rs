//! The platform's keyring library, and its errors.

use std::sync::Arc;

use keyring_core::CredentialStore;
pub(super) use keyring_core::Entry;

use crate::secrets::{Owner, SecretKind};

/// The name under which a keyring lists this program's entries.
const KEYRING_SERVICE_NAME: &str = "bursar";

/// What a keyring lacks.
#[derive(Debug)]
pub(super) enum KeyringFault {
    /// A session to run in.
    Session,
    /// A keyring program.
    Provider,
    /// It was available and has stopped.
    Broken,
    /// A person to unlock it.
    PersonToUnlock,
    /// Permission for this program.
    Permission,
    /// Another failure, with the library's message.
    Failed(String),
}

pub(super) struct KeyringConnection(Arc<CredentialStore>);

impl KeyringConnection {
    /// Opens a connection; a keyring that needs a person is not unlocked yet.
    pub(super) fn open() -> Result<Self, KeyringFault> {
        store().map(Self).map_err(classify_error)
    }

    /// The entry of a secret. Its name includes profile and address: another address has another entry.
    pub(super) fn entry(&self, owner: &Owner, which: SecretKind) -> Result<Entry, KeyringFault> {
        self.build(&format!("{} of {owner}", which.cli_name()), &format!("bursar: {which} of {owner}"))
    }

    /// An entry that is set, read and deleted to test the keyring.
    pub(super) fn canary_entry(&self, name: &str) -> Result<Entry, KeyringFault> {
        self.build(&format!("canary {name}"), "bursar: test of the keyring")
    }

    #[cfg(all(unix, not(target_os = "macos")))]
    fn build(&self, user: &str, label: &str) -> Result<Entry, KeyringFault> {
        self.0.build(KEYRING_SERVICE_NAME, user, Some(&[("label", label)].into())).map_err(classify_error)
    }

    #[cfg(not(all(unix, not(target_os = "macos"))))]
    fn build(&self, user: &str, _label: &str) -> Result<Entry, KeyringFault> {
        self.0.build(KEYRING_SERVICE_NAME, user, None).map_err(classify_error)
    }
}

/// The Secret Service over a new connection: the library `keyring` makes its own once in a process and never again,
/// even when the session was restarted.
#[cfg(all(unix, not(target_os = "macos")))]
fn store() -> keyring_core::Result<Arc<CredentialStore>> {
    Ok(zbus_secret_service_keyring_store::Store::new()?)
}

/// The Keychain or the Credential Manager, which need no connection.
#[cfg(not(all(unix, not(target_os = "macos"))))]
fn store() -> keyring_core::Result<Arc<CredentialStore>> {
    if keyring::Entry::store_status().is_err() {
        return Err(keyring_core::Error::NoDefaultStore);
    }
    keyring_core::get_default_store().ok_or(keyring_core::Error::NoDefaultStore)
}

/// Classifies an error. The names of D-Bus errors are part of its specification; the library passes them on in its
/// message.
pub(super) fn classify_error(error: keyring_core::Error) -> KeyringFault {
    use keyring_core::Error;
    match error {
        Error::NoDefaultStore => KeyringFault::Session,
        Error::NoStorageAccess(_) => KeyringFault::PersonToUnlock,
        Error::PlatformFailure(inner) => {
            let mut message = inner.to_string();
            let mut cause = inner.source();
            while let Some(source) = cause {
                message = format!("{message}: {source}");
                cause = source.source();
            }
            classify_message(&message)
        }
        // The error includes the value, whose bytes may be a secret.
        Error::BadEncoding(_) | Error::BadDataFormat(..) => KeyringFault::Failed("the stored value is not text".into()),
        Error::Ambiguous(_) => KeyringFault::Failed(
            "it holds several entries with one name; remove them with the keyring's own program".into(),
        ),
        other => KeyringFault::Failed(other.to_string()),
    }
}

fn classify_message(message: &str) -> KeyringFault {
    let says = |parts: &[&str]| parts.iter().any(|part| message.contains(part));
    if says(&["DBus.Error.AccessDenied", "DBus.Error.AuthFailed", "Access denied", "Permission denied"]) {
        KeyringFault::Permission
    } else if says(&["DBus.Error.ServiceUnknown", "DBus.Error.NameHasNoOwner", "DBus.Error.Spawn."]) {
        KeyringFault::Provider
    } else if says(&["IsLocked", "object locked", "prompt"]) {
        KeyringFault::PersonToUnlock
    } else if says(&[
        "no secret service provider or dbus session",
        "address error",
        "Failed to connect",
        "handshake failed",
    ]) {
        KeyringFault::Session
    } else if says(&["DBus.Error.NoReply", "DBus.Error.Disconnected", "Broken pipe", "I/O error", "NoSession"]) {
        KeyringFault::Broken
    } else {
        KeyringFault::Failed(message.to_owned())
    }
}
