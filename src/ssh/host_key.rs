//! The key by which clients recognise the host.

use russh::keys::ssh_key::LineEnding;
use russh::keys::{Algorithm, HashAlg, PrivateKey, PublicKey, key::safe_rng};
use zeroize::Zeroizing;

/// An Ed25519 key.
#[derive(Clone)]
pub struct HostKey(PrivateKey);

#[derive(Debug, thiserror::Error)]
pub enum HostKeyFault {
    #[error("it is not an OpenSSH private key, or it is damaged ({0}); make one with ssh-keygen -t ed25519 -N ''")]
    Unreadable(String),
    #[error("it is the public half of a key; name the private one, whose file has the same name without .pub")]
    Public,
    #[error(
        "it is protected by a passphrase, which nobody could type at a start; remove the passphrase with ssh-keygen -p"
    )]
    Sealed,
    #[error("it is a key of type {0}; the host needs an Ed25519 key, as made by ssh-keygen -t ed25519 -N ''")]
    OtherKind(String),
    #[error("no key can be created ({0})")]
    Unmade(String),
}

impl HostKey {
    /// Reads a private key in OpenSSH's format.
    pub fn read(text: &str) -> Result<Self, HostKeyFault> {
        let key = PrivateKey::from_openssh(text).map_err(|error| match PublicKey::from_openssh(text.trim()) {
            Ok(_) => HostKeyFault::Public,
            Err(_) => HostKeyFault::Unreadable(error.to_string()),
        })?;
        if key.is_encrypted() {
            return Err(HostKeyFault::Sealed);
        }
        if key.algorithm() != Algorithm::Ed25519 {
            return Err(HostKeyFault::OtherKind(key.algorithm().to_string()));
        }
        Ok(Self(key))
    }

    pub fn generate() -> Result<Self, HostKeyFault> {
        let key = PrivateKey::random(&mut safe_rng(), Algorithm::Ed25519);
        key.map(Self).map_err(|error| HostKeyFault::Unmade(error.to_string()))
    }

    /// The key in OpenSSH's format, for a file of its own.
    pub fn to_openssh(&self) -> Result<Zeroizing<String>, HostKeyFault> {
        self.0.to_openssh(LineEnding::LF).map_err(|error| HostKeyFault::Unmade(error.to_string()))
    }

    /// The fingerprint: `SHA256:` and digits.
    pub fn fingerprint(&self) -> String {
        self.0.fingerprint(HashAlg::Sha256).to_string()
    }

    pub(super) fn key(&self) -> &PrivateKey {
        &self.0
    }
}

impl std::fmt::Debug for HostKey {
    /// Only the fingerprint.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("HostKey").field(&self.fingerprint()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_was_written_is_read_again() {
        let key = HostKey::generate().unwrap();
        let second = HostKey::read(&key.to_openssh().unwrap()).unwrap();
        assert_eq!(key.fingerprint(), second.fingerprint());
        assert!(key.fingerprint().starts_with("SHA256:"));
        assert!(!format!("{key:?}").contains("PRIVATE"));
        assert_ne!(key.fingerprint(), HostKey::generate().unwrap().fingerprint());
    }

    #[test]
    fn a_key_that_cannot_be_the_hosts_says_what_would_be_right() {
        let whole = HostKey::generate().unwrap().to_openssh().unwrap();
        let cut = &whole[..whole.len() / 2];
        let sealed = HostKey::generate().unwrap().0.encrypt(&mut safe_rng(), "word").unwrap();
        let sealed = sealed.to_openssh(LineEnding::LF).unwrap();
        let curve = Algorithm::Ecdsa { curve: russh::keys::EcdsaCurve::NistP256 };
        let other = PrivateKey::random(&mut safe_rng(), curve).unwrap().to_openssh(LineEnding::LF).unwrap();
        let public = HostKey::generate().unwrap().0.public_key().to_openssh().unwrap();
        for (text, expected) in [
            (public.as_str(), "without .pub"),
            ("", "ssh-keygen -t ed25519"),
            ("nonsense", "damaged"),
            (cut, "damaged"),
            (sealed.as_str(), "ssh-keygen -p"),
            (other.as_str(), "ecdsa-sha2-nistp256"),
        ] {
            let message = HostKey::read(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{expected}: {message}");
        }
    }
}
