//! Why secrets are unavailable. Every message states a remedy.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::{KeyFault, KeyStorage, Owner, Passphrase, SealedFault, SecretKind};
use crate::domain::Text;

/// The variables that can replace an unavailable keyring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FallbackVariables {
    /// For a profile whose one key reads and pays.
    #[default]
    OneKey,
    /// For a profile that pays under a separate key.
    KeysApart,
}

impl fmt::Display for FallbackVariables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SecretKind::ApiKey.manual_setting())?;
        match self {
            Self::OneKey => Ok(()),
            Self::KeysApart => write!(f, " and {}", SecretKind::PayingApiKey.manual_setting()),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyStoreFault {
    /// The session cannot have a keyring: no D-Bus session, as on a server that is reached over SSH.
    #[error(
        "this machine has no keyring for this session (no D-Bus session, as over SSH); \
         use an encrypted file (`bursar key set --file`) or {0} in the environment"
    )]
    Absent(FallbackVariables),
    #[error(
        "no keyring program is running or installed in this session (such as gnome-keyring or KWallet); start one; \
         or use an encrypted file (`bursar key set --file`) or {0} in the environment"
    )]
    NoProvider(FallbackVariables),
    #[error(
        "the keyring is locked, and the question to unlock it was dismissed or could not be shown; \
         unlock it (by logging in to the desktop, or in its own program) and try again; if that is not possible, as over \
         SSH, use an encrypted file (`bursar key set --file`) or {0} in the environment"
    )]
    Locked(FallbackVariables),
    #[error("the keyring refuses this program; allow it to use secrets in the settings of the session or sandbox")]
    Denied,
    #[error(
        "the keyring did not answer within {} s; look for its password window (over SSH, the window is on the machine's \
         own screen) and try again", .0.as_secs()
    )]
    NoAnswer(Duration),
    #[error("the keyring has stopped; start it again or log in again, and try again")]
    Gone,
    #[error("the keyring failed: {0}; check whether the keyring's own program opens, and try again")]
    Broken(Text),
    #[error("{}", key_not_set_text(*.which, .owner, *.keeper))]
    NotSet { which: SecretKind, owner: Owner, keeper: KeyStorage },
    #[error("{storage}: {fault}")]
    Unfit {
        /// The storage, as `BURSAR_API_KEY` or `the keyring`.
        storage: String,
        fault: KeyFault,
    },
    #[error("the keys of this profile come from the environment; set {} instead", .0.manual_setting())]
    Environment(SecretKind),
    #[error("{} is sealed; give its passphrase at the prompt or in BURSAR_PASSPHRASE", .0.display())]
    PassphraseNeeded(PathBuf),
    /// The file would be new.
    #[error(
        "there is no {} yet: choose a passphrase for it, of {} characters or more; run this at a terminal, which asks \
         for it twice, or set BURSAR_PASSPHRASE",
        .0.display(), Passphrase::MIN_CHARS
    )]
    PassphraseNotChosen(PathBuf),
    #[error("the stored hash of the console's passphrase cannot be read; set it again with `bursar key lock set`")]
    LockHash,
    #[error(transparent)]
    Sealed(#[from] SealedFault),
}

fn key_not_set_text(which: SecretKind, owner: &Owner, keeper: KeyStorage) -> String {
    let Owner { profile, base_url } = owner;
    if which == SecretKind::Lock {
        return format!("profile {profile} has no console passphrase; run `bursar key lock set --profile {profile}`");
    }
    let word = if which == SecretKind::PayingApiKey { " paying-api-key" } else { "" };
    match keeper {
        KeyStorage::Environment => format!("no {which} for {base_url}; set {}", which.manual_setting()),
        KeyStorage::Keyring => format!(
            "profile {profile} has no {which} for {base_url} in the keyring; \
             run `bursar key set{word} --profile {profile}` (keys are kept for a profile and its base address)"
        ),
        KeyStorage::File => format!(
            "profile {profile} has no {which} for {base_url} in its sealed file; \
             run `bursar key set{word} --file --profile {profile}` (keys are kept for a profile and its base address)"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_keyring_every_key_that_the_profile_needs_is_named() {
        for fault in [KeyStoreFault::Absent, KeyStoreFault::NoProvider, KeyStoreFault::Locked] {
            let (one_key, two_keys) =
                (fault(FallbackVariables::OneKey).to_string(), fault(FallbackVariables::KeysApart).to_string());
            assert!(one_key.ends_with("or BURSAR_API_KEY in the environment"), "{one_key}");
            assert!(two_keys.ends_with("or BURSAR_API_KEY and BURSAR_PAYING_API_KEY in the environment"), "{two_keys}");
        }
    }
}
