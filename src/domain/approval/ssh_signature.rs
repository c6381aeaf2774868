//! SSH signatures over files, as `ssh-keygen -Y sign` makes them and `ssh-keygen -Y verify` verifies them.
//!
//! This file and `private_key.rs` alone are over the crate `ssh-key`. This one is stricter than that crate, which accepts text around the armour, a
//! signature of another algorithm than its key's, and any flags of a security key.

use std::fmt;

use ssh_key::public::KeyData;
use ssh_key::{Algorithm, HashAlg, LineEnding, Signature, SshSig};

use crate::domain::Text;

pub use ssh_key::PrivateKey;

/// Bytes. The longest signature that is accepted, of an ECDSA key on the curve P-521, has about 800.
const MAX_ARMOUR: usize = 4_096;
/// The hash of a file that is signed here; signatures over SHA-256 are accepted, too.
const HASH: HashAlg = HashAlg::Sha512;
/// The bits of a security key's flags.
const USER_PRESENT: u8 = 0x01;
const USER_VERIFIED: u8 = 0x04;

/// An SSH public key of an accepted algorithm: Ed25519, ECDSA, or either in a security key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PublicKey(KeyData);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyFault {
    #[error("this is no SSH public key")]
    Unreadable,
    #[error("{0} keys are not accepted; create an Ed25519 key with “ssh-keygen -t ed25519”")]
    Algorithm(Text),
}

/// What a security key states about the person at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Touch {
    /// Nothing, or not a security key.
    #[default]
    None,
    /// The key was touched.
    Present,
    /// The key was touched, and verified the person by PIN or fingerprint.
    Verified,
}

/// A signature that belongs to its file: who signed, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    pub key: PublicKey,
    pub touch: Touch,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignatureFault {
    #[error("this is no SSH signature")]
    Unreadable,
    /// Text around the armour, other line breaks inside it, bytes behind the signature, or a reserved field in use.
    #[error("the signature is not written as ssh-keygen writes it")]
    NotCanonical,
    #[error("the signature is for “{actual}”, not for “{expected}”")]
    Namespace { expected: Text, actual: Text },
    #[error(transparent)]
    Key(#[from] KeyFault),
    #[error("the signature is of another algorithm than its key")]
    OtherAlgorithm,
    #[error("the signature does not match the file")]
    Mismatch,
    #[error("this key cannot sign here; the key of a security key signs through an SSH agent")]
    CannotSign,
}

impl PublicKey {
    /// Parses a line of a `.pub` file: algorithm, key in base64 and, ignored, a comment.
    pub fn parse_openssh(line: &str) -> Result<Self, KeyFault> {
        Self::from_ssh(&read_openssh(line).ok_or(KeyFault::Unreadable)?)
    }

    /// Takes a key from an SSH agent or a key file.
    pub fn from_ssh(key: &ssh_key::PublicKey) -> Result<Self, KeyFault> {
        Self::from_key_data(key.key_data().clone())
    }

    fn from_key_data(key: KeyData) -> Result<Self, KeyFault> {
        match key.algorithm() {
            Algorithm::Ed25519 | Algorithm::Ecdsa { .. } | Algorithm::SkEd25519 | Algorithm::SkEcdsaSha2NistP256 => {
                Ok(Self(key))
            }
            Algorithm::Rsa { .. } => Err(KeyFault::Algorithm("RSA".into())),
            other => Err(KeyFault::Algorithm(other.as_str().into())),
        }
    }

    pub fn to_ssh(&self) -> ssh_key::PublicKey {
        self.0.clone().into()
    }

    /// As `ssh-keygen -l` prints it: `SHA256:` and 43 characters of base64.
    pub fn fingerprint(&self) -> String {
        self.0.fingerprint(HashAlg::Sha256).to_string()
    }

    /// In OpenSSH's word: `ssh-ed25519`.
    pub fn algorithm_name(&self) -> String {
        self.0.algorithm().as_str().to_owned()
    }

    /// Whether the key is kept in a security key, whose signatures state its touch.
    pub fn is_in_security_key(&self) -> bool {
        self.0.is_sk_ed25519() || self.0.is_sk_ecdsa_p256()
    }
}

impl fmt::Display for PublicKey {
    /// As a `.pub` file without a comment.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_ssh().to_openssh().map_err(|_| fmt::Error)?)
    }
}

impl Touch {
    pub const ALL: [Self; 3] = [Self::None, Self::Present, Self::Verified];

    pub fn config_name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Present => "present",
            Self::Verified => "verified",
        }
    }

    /// Other bits mean nothing here. Verification without a touch counts as nothing: whoever asks for a PIN asks for a
    /// touch as well.
    fn from_flags(flags: u8) -> Self {
        match (flags & USER_PRESENT != 0, flags & USER_VERIFIED != 0) {
            (true, true) => Self::Verified,
            (true, false) => Self::Present,
            (false, _) => Self::None,
        }
    }
}

/// The fingerprint of a key of any algorithm, in a line as of a `.pub` file.
pub(super) fn openssh_fingerprint(line: &str) -> Option<String> {
    Some(read_openssh(line)?.fingerprint(HashAlg::Sha256).to_string())
}

fn read_openssh(line: &str) -> Option<ssh_key::PublicKey> {
    let mut words = line.split_ascii_whitespace();
    let (algorithm, key) = (words.next()?, words.next()?);
    ssh_key::PublicKey::from_openssh(&format!("{algorithm} {key}")).ok()
}

/// Verifies an armoured signature over a file, and reads from it whose key signed and whether the key was touched. Who
/// the key belongs to is for [`Signers`](super::Signers) to say.
pub fn verify(file: &[u8], namespace: &str, armoured: &str) -> Result<Verified, SignatureFault> {
    if armoured.len() > MAX_ARMOUR {
        return Err(SignatureFault::Unreadable);
    }
    let text = armoured.replace("\r\n", "\n").trim_end_matches('\n').to_owned() + "\n";
    let signature = SshSig::from_pem(&text).map_err(|_| SignatureFault::Unreadable)?;
    if to_armour(&signature)? != text || signature.version() != SshSig::VERSION || !signature.reserved().is_empty() {
        return Err(SignatureFault::NotCanonical);
    }
    if signature.namespace() != namespace {
        let (expected, actual) = (namespace.into(), signature.namespace().into());
        return Err(SignatureFault::Namespace { expected, actual });
    }
    let key = PublicKey::from_key_data(signature.public_key().clone())?;
    // The crate takes any signature of the right length.
    if signature.algorithm() != key.0.algorithm() {
        return Err(SignatureFault::OtherAlgorithm);
    }
    key.to_ssh().verify(namespace, file, &signature).map_err(|_| SignatureFault::Mismatch)?;
    // A security key's signature ends in its flags, one byte, and its counter, four.
    let flags = signature.signature_bytes().iter().rev().nth(4).copied();
    let touch = flags.filter(|_| key.is_in_security_key()).map_or(Touch::None, Touch::from_flags);
    Ok(Verified { key, touch })
}

/// The Ed25519 key of a seed, which is no secret: for a demo, and for tests.
pub fn key_of_seed(seed: u8) -> PrivateKey {
    PrivateKey::from(ssh_key::private::Ed25519Keypair::from_seed(&[seed; 32]))
}

/// Signs a file with a key in memory, as `ssh-keygen -Y sign` does.
pub fn sign_with(private: &PrivateKey, namespace: &str, file: &[u8]) -> Result<String, SignatureFault> {
    PublicKey::from_ssh(private.public_key())?;
    to_armour(&private.sign(namespace, HASH, file).map_err(|_| SignatureFault::CannotSign)?)
}

/// What an SSH agent signs for a file: the namespace and the file's hash, framed so that it is no login. Empty for an empty
/// namespace, for which no signature is accepted.
pub fn signed_data(namespace: &str, file: &[u8]) -> Vec<u8> {
    SshSig::signed_data(namespace, HASH, file).unwrap_or_default()
}

/// Armours a signature over [`signed_data`] as an SSH agent gives it: algorithm, signature and, of a security key, flags
/// and counter. The signature is not verified.
pub fn armour_agent_signature(
    key: &PublicKey,
    namespace: &str,
    signature_blob: &[u8],
) -> Result<String, SignatureFault> {
    let signature = Signature::try_from(signature_blob).map_err(|_| SignatureFault::Unreadable)?;
    let envelope = SshSig::new(key.0.clone(), namespace, HASH, signature).map_err(|_| SignatureFault::CannotSign)?;
    to_armour(&envelope)
}

fn to_armour(signature: &SshSig) -> Result<String, SignatureFault> {
    let armour = signature.to_pem(LineEnding::LF).map_err(|_| SignatureFault::Unreadable)?;
    Ok(armour.trim_end().to_owned() + "\n")
}
