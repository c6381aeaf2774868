//! Authentication: everybody, or holders of an authorised key or the pass-phrase.

use std::sync::{Arc, Mutex, PoisonError};

use russh::keys::ssh_key::public::KeyData;
use russh::keys::{Algorithm, PublicKey};
use russh::{MethodKind, MethodSet};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Pass-phrase attempts per connection.
pub(super) const MAX_PASSPHRASE_TRIES: usize = 3;

/// Attempts of any kind per connection. An SSH agent offers each of its keys.
pub(super) const MAX_LOGIN_ATTEMPTS: usize = 12;

/// The shortest pass-phrase, in characters: it is shared, and anyone may guess.
const SHORTEST: usize = 8;

/// Returns the text of the authorised keys file if it has changed since the last call.
pub type ReadKeys = Arc<dyn Fn() -> Result<Option<String>, String> + Send + Sync>;

pub struct Access {
    keys: Option<AuthorizedKeys>,
    passphrase: Option<[u8; 32]>,
    /// Whether everybody may log in where neither keys nor a pass-phrase are set.
    otherwise_open: bool,
}

struct AuthorizedKeys {
    read_keys: ReadKeys,
    current_keys: Mutex<Result<Vec<KeyData>, String>>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccessFault {
    #[error("{0}")]
    Unreadable(String),
    #[error("line {line}: {problem}")]
    InvalidLine {
        /// Counted from 1.
        line: usize,
        problem: &'static str,
    },
    #[error("it contains no key; write one per line, as in the .pub files of ssh-keygen")]
    NoKeys,
    #[error("the pass-phrase is shorter than {SHORTEST} characters; choose a longer one")]
    Short,
}

impl Access {
    pub fn everybody() -> Self {
        Self { keys: None, passphrase: None, otherwise_open: true }
    }

    pub fn closed() -> Self {
        Self { keys: None, passphrase: None, otherwise_open: false }
    }

    /// Admits holders of an authorised key or of the pass-phrase, where given. The keys are read at once.
    pub fn with_keys_or_passphrase(
        keys: Option<ReadKeys>,
        passphrase: Option<&SecretString>,
    ) -> Result<Self, AccessFault> {
        let keys = keys.map(|read_keys| {
            let text = read_keys().map_err(AccessFault::Unreadable)?.unwrap_or_default();
            let current_keys = Mutex::new(Ok(parse_authorized_keys(&text)?));
            Ok(AuthorizedKeys { read_keys, current_keys })
        });
        let passphrase = passphrase.map(|secret| {
            let long_enough = secret.expose_secret().chars().count() >= SHORTEST;
            if long_enough { Ok(passphrase_digest(secret.expose_secret())) } else { Err(AccessFault::Short) }
        });
        Ok(Self { keys: keys.transpose()?, passphrase: passphrase.transpose()?, otherwise_open: true })
    }

    pub fn is_open(&self) -> bool {
        self.otherwise_open && self.keys.is_none() && self.passphrase.is_none()
    }

    pub fn is_closed(&self) -> bool {
        !self.otherwise_open && self.keys.is_none() && self.passphrase.is_none()
    }

    pub(super) fn shares_passphrase_with(&self, other: &Self) -> bool {
        self.passphrase.is_some() && self.passphrase == other.passphrase
    }

    /// Who may log in, as part of a sentence; `None` where everybody may.
    pub(super) fn requirement_text(&self) -> Option<&'static str> {
        match (self.keys.is_some(), self.passphrase.is_some()) {
            (true, true) => Some("those who hold a listed key, or know the pass-phrase"),
            (true, false) => Some("those who hold a listed key"),
            (false, true) => Some("those who know the pass-phrase"),
            (false, false) => None,
        }
    }

    /// The authentication methods offered. Open access succeeds without any.
    pub(super) fn auth_methods(&self) -> MethodSet {
        let mut methods = MethodSet::empty();
        if self.keys.is_some() {
            methods.push(MethodKind::PublicKey);
        }
        if self.passphrase.is_some() || self.is_open() {
            methods.push(MethodKind::KeyboardInteractive);
        }
        if self.passphrase.is_some() {
            methods.push(MethodKind::Password);
        }
        methods
    }

    /// Whether this key is authorised now: the file is read again if it changed.
    pub(super) fn admits_key(&self, key: &PublicKey) -> bool {
        self.keys.as_ref().is_some_and(|keys| keys.rereads_and_admits(key.key_data()))
    }

    /// Compares in constant time.
    pub(super) fn admits_passphrase(&self, passphrase: &str) -> bool {
        self.passphrase.is_some_and(|digest| digest.ct_eq(&passphrase_digest(passphrase)).into())
    }
}

impl std::fmt::Debug for Access {
    /// Whether keys and a pass-phrase are set, never their values.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Access")
            .field("keys", &self.keys.is_some())
            .field("passphrase", &self.passphrase.is_some())
            .field("otherwise_open", &self.otherwise_open)
            .finish()
    }
}

impl AuthorizedKeys {
    fn rereads_and_admits(&self, key: &KeyData) -> bool {
        let mut current_keys = self.current_keys.lock().unwrap_or_else(PoisonError::into_inner);
        let before = current_keys.as_ref().err().cloned();
        // A file that cannot be read any more, or has a fault, admits nobody: a key that was removed must stay out.
        match (self.read_keys)() {
            Ok(None) => {}
            Ok(Some(text)) => *current_keys = parse_authorized_keys(&text).map_err(|fault| fault.to_string()),
            Err(fault) => *current_keys = Err(fault),
        }
        // Clients can trigger this at any rate, so only a change is logged.
        match change_of_fault(before.as_ref(), current_keys.as_ref().err()) {
            Some(Err(fault)) => {
                tracing::warn!(fault, "nobody can log in with a key: the authorised keys cannot be read");
            }
            Some(Ok(())) => tracing::warn!("the authorised keys can be read again"),
            None => {}
        }
        current_keys.as_ref().is_ok_and(|keys| keys.contains(key))
    }
}

/// The change to log after the keys were read: none, another fault, or that the fault is gone.
fn change_of_fault<'fault>(before: Option<&String>, now: Option<&'fault String>) -> Option<Result<(), &'fault String>> {
    (before != now).then(|| now.map_or(Ok(()), Err))
}

fn passphrase_digest(passphrase: &str) -> [u8; 32] {
    Sha256::digest(passphrase.as_bytes()).into()
}

/// Parses the keys of a file, one per line.
fn parse_authorized_keys(text: &str) -> Result<Vec<KeyData>, AccessFault> {
    let mut keys = Vec::new();
    for (line, line_text) in (1..).zip(text.lines()) {
        let line_text = line_text.trim();
        if line_text.is_empty() || line_text.starts_with('#') {
            continue;
        }
        let fault = |problem| AccessFault::InvalidLine { line, problem };
        let Ok(key) = PublicKey::from_openssh(line_text) else {
            return Err(fault(explain_invalid_key_line(line_text)));
        };
        match key.algorithm() {
            Algorithm::Ed25519 | Algorithm::Ecdsa { .. } | Algorithm::SkEd25519 | Algorithm::SkEcdsaSha2NistP256 => {
                keys.push(key.key_data().clone());
            }
            Algorithm::Rsa { .. } => {
                return Err(fault("RSA keys are not accepted; ssh-keygen -t ed25519 makes one that is"));
            }
            _ => return Err(fault("keys of this type are not accepted; ssh-keygen -t ed25519 makes one that is")),
        }
    }
    if keys.is_empty() { Err(AccessFault::NoKeys) } else { Ok(keys) }
}

/// What is wrong with a line that is no key, and how to correct it.
fn explain_invalid_key_line(line: &str) -> &'static str {
    let kind = line.split_whitespace().next().unwrap_or_default();
    let is_kind = kind.starts_with("ssh-") || kind.starts_with("ecdsa-") || kind.starts_with("sk-");
    match is_kind {
        _ if line.contains("PRIVATE KEY") || kind.starts_with("PuTTY-") => {
            "this is a private key, which stays with its owner; name its public half, the .pub file beside it"
        }
        _ if line.contains("BEGIN") => "this key is in another format; ssh-keygen -i -f FILE writes it as one line",
        _ if kind.contains("-cert-") => "certificates are not accepted; write the key itself",
        true => "this key is damaged; copy it again from its .pub file",
        false => "options before a key are not supported; begin the line with the key type",
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use russh::keys::PrivateKey;
    use russh::keys::key::safe_rng;

    use super::*;

    fn key() -> PublicKey {
        PrivateKey::random(&mut safe_rng(), Algorithm::Ed25519).unwrap().public_key().clone()
    }

    fn file(texts: Vec<Result<Option<String>, String>>) -> ReadKeys {
        let read_count = AtomicUsize::new(0);
        Arc::new(move || texts[read_count.fetch_add(1, Ordering::SeqCst).min(texts.len() - 1)].clone())
    }

    #[test]
    fn a_key_opens_for_as_long_as_it_stands_in_the_file() {
        let (ada, bob) = (key(), key());
        let line = |key: &PublicKey| key.to_openssh().unwrap();
        let first = format!("# keys\n\n{} ada@home\n", line(&ada));
        let access = Access::with_keys_or_passphrase(
            Some(file(vec![
                Ok(Some(first)),
                Ok(None),
                Ok(Some(format!("{}\n{}", line(&ada), line(&bob)))),
                Ok(Some(format!("{}\nslip", line(&bob)))),
                Ok(None),
                Err("it is gone".into()),
                Ok(Some(line(&bob))),
            ])),
            None,
        )
        .unwrap();
        assert!(!access.is_open());
        assert!(access.admits_key(&ada), "as it was at the start");
        assert!(access.admits_key(&bob), "he was added");
        assert!(!access.admits_key(&bob), "a slip lets nobody in");
        assert!(!access.admits_key(&bob), "until it is mended");
        assert!(!access.admits_key(&bob), "nor does a file that is gone");
        assert!(access.admits_key(&bob), "it is back");
        assert!(!access.admits_key(&ada), "and she was taken out");
    }

    #[test]
    fn only_a_change_of_what_is_wrong_is_said() {
        let (absence, slip) = ("it is gone".to_owned(), "line 2".to_owned());
        assert_eq!(change_of_fault(None, None), None);
        assert_eq!(change_of_fault(None, Some(&absence)), Some(Err(&absence)));
        assert_eq!(change_of_fault(Some(&absence), Some(&absence)), None);
        assert_eq!(change_of_fault(Some(&absence), Some(&slip)), Some(Err(&slip)));
        assert_eq!(change_of_fault(Some(&slip), None), Some(Ok(())));
    }

    #[test]
    fn a_line_that_is_no_key_is_named() {
        let good = key().to_openssh().unwrap();
        let rsa = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQC7nP7hS5EGLr/mn8lq0u5lS3QO7cBkUN3dwnhTc1m0jAVfFGVTSDYFVfoVO2Ed\
                   iTdAxCXcDt8w7cKNjVtOW/5WPBlnSxK7hp2z8Cb0JH0Yk9Y9mJX7iW3WJ8m7GkEUxE9bqm5r7uX5qpXh7tNBwVWVYdQ7y2lBVDZPE\
                   mWZzYkhFQ==";
        for (text, expected) in [
            (String::new(), "it contains no key"),
            ("# nothing\n\n".into(), "it contains no key"),
            (format!("{good}\nno-pty {good}"), "line 2: options"),
            (format!("\n{}", &good[..40]), "line 2: this key is damaged"),
            (rsa.replace("\\\n", ""), "line 1: "),
            ("ssh-ed25519-cert-v01@openssh.com AAAA".into(), "line 1: certificates"),
            ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl".into(), "line 1: this is a private key"),
            ("PuTTY-User-Key-File-3: ssh-ed25519".into(), "line 1: this is a private key"),
            (format!("{good}\n---- BEGIN SSH2 PUBLIC KEY ----"), "line 2: this key is in another format"),
        ] {
            let message = parse_authorized_keys(&text).unwrap_err().to_string();
            assert!(message.starts_with(expected), "{expected}: {message}");
        }
    }

    #[test]
    fn a_pass_phrase_opens_and_a_short_one_is_none() {
        let access = Access::with_keys_or_passphrase(None, Some(&"correct horse".into())).unwrap();
        assert!(access.admits_passphrase("correct horse"));
        for wrong in ["", "correct", "correct horse ", "Correct horse"] {
            assert!(!access.admits_passphrase(wrong), "{wrong}");
        }
        assert!(!Access::everybody().admits_passphrase(""));
        assert!(!Access::closed().admits_passphrase("") && !Access::closed().admits_key(&key()));
        assert!(Access::closed().is_closed() && !Access::closed().is_open());
        assert_eq!(Access::with_keys_or_passphrase(None, Some(&"seven77".into())).unwrap_err(), AccessFault::Short);
        assert!(!format!("{access:?}").contains("horse"));
    }

    #[test]
    fn only_the_methods_that_apply_are_offered() {
        let keys = || Some(file(vec![Ok(Some(key().to_openssh().unwrap()))]));
        let passphrase = SecretString::from("correct horse");
        let methods = |access: Access| access.auth_methods().to_vec();
        assert_eq!(methods(Access::everybody()), [MethodKind::KeyboardInteractive]);
        assert_eq!(methods(Access::closed()), []);
        assert_eq!(methods(Access::with_keys_or_passphrase(keys(), None).unwrap()), [MethodKind::PublicKey]);
        assert_eq!(
            methods(Access::with_keys_or_passphrase(keys(), Some(&passphrase)).unwrap()),
            [MethodKind::PublicKey, MethodKind::KeyboardInteractive, MethodKind::Password]
        );
    }
}
