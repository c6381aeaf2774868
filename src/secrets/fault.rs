//! Why secrets cannot be had. Every sentence says what to do.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::{KeyFault, KeyStorage, Owner, SealedFault, SecretKind};
use crate::domain::Text;

/// The variables that stand in for a keyring which cannot be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FallbackVariables {
    /// Of a profile whose one key reads and pays.
    #[default]
    OneKey,
    /// Of a profile that pays under a key of its own.
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

/// Why secrets cannot be read, written or removed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// There is nothing that could hold a keyring: no D-Bus session, as on a server that is reached over SSH.
    #[error(
        "this machine has no keyring for this session (no D-Bus session, as over SSH); \
         use an encrypted file (`bursar key set --file`) or {0} in the environment"
    )]
    Absent(FallbackVariables),
    /// There is a session, and no keyring in it.
    #[error(
        "no keyring program is running or installed in this session (such as gnome-keyring or KWallet); start one; \
         or use an encrypted file (`bursar key set --file`) or {0} in the environment"
    )]
    NoProvider(FallbackVariables),
    /// There is a keyring, and nobody has unlocked it.
    #[error(
        "the keyring is locked, and the question to unlock it was dismissed or could not be shown; \
         unlock it (by logging in to the desktop, or in its own program) and try again; if that is not possible, as over \
         SSH, use an encrypted file (`bursar key set --file`) or {0} in the environment"
    )]
    Locked(FallbackVariables),
    /// The keyring, or what stands in front of it, does not let this program in.
    #[error("the keyring refuses this program; allow it to use secrets in the settings of the session or sandbox")]
    Denied,
    /// Nobody answered in time: most likely a window is waiting for a password.
    #[error(
        "the keyring did not answer within {} s; look for its password window (over SSH, the window is on the machine's \
         own screen) and try again", .0.as_secs()
    )]
    NoAnswer(Duration),
    /// It was there in this session of the program, and is not any more.
    #[error("the keyring has stopped; start it again or log in again, and try again")]
    Gone,
    /// The keyring fails in a way that has no name here.
    #[error("the keyring failed: {0}; check whether the keyring's own program opens, and try again")]
    Broken(Text),
    /// The place is sound, and the secret is not in it.
    #[error("{}", not_set(*.which, .owner, *.keeper))]
    NotSet {
        /// Which is missing.
        which: SecretKind,
        /// Whose.
        owner: Owner,
        /// Where it was looked for.
        keeper: KeyStorage,
    },
    /// What is kept is no key.
    #[error("{place}: {fault}")]
    Unfit {
        /// Where it is kept, as `BURSAR_API_KEY` or `the keyring`.
        place: String,
        /// What is wrong with it.
        fault: KeyFault,
    },
    /// The environment cannot be written by this program.
    #[error("the keys of this profile come from the environment; set {} instead", .0.manual_setting())]
    Environment(SecretKind),
    /// The sealed file needs its passphrase.
    #[error("{} is sealed; give its passphrase at the prompt or in BURSAR_PASSPHRASE", .0.display())]
    PassphraseNeeded(PathBuf),
    /// The hash of the passphrase that unlocks paying is none.
    #[error("the stored hash of the console's passphrase cannot be read; set it again with `bursar key lock set`")]
    LockHash,
    /// The sealed file cannot be used.
    #[error(transparent)]
    Sealed(#[from] SealedFault),
}

fn not_set(which: SecretKind, owner: &Owner, keeper: KeyStorage) -> String {
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
        for fault in [Fault::Absent, Fault::NoProvider, Fault::Locked] {
            let (one, both) =
                (fault(FallbackVariables::OneKey).to_string(), fault(FallbackVariables::KeysApart).to_string());
            assert!(one.ends_with("or BURSAR_API_KEY in the environment"), "{one}");
            assert!(both.ends_with("or BURSAR_API_KEY and BURSAR_PAYING_API_KEY in the environment"), "{both}");
        }
    }
}
