use std::os::unix::fs::PermissionsExt;

use ssh_key::LineEnding;
use ssh_key::private::Ed25519Keypair;

use super::*;
use crate::domain::approval::verify;

fn key() -> PrivateKey {
    Ed25519Keypair::from_seed(&[1; 32]).into()
}

/// Reads a key file with this content and mode.
fn read(content: &str, mode: u32) -> Result<KeyFile, KeyFileFault> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("id");
    std::fs::write(&path, content).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    read_key_file(&path)
}

#[test]
fn a_key_in_a_file_signs() {
    let KeyFile::Private(key) = read(&key().to_openssh(LineEnding::LF).unwrap(), 0o600).unwrap() else { panic!() };
    let signature = sign(&key, "approve@bursar", b"file").unwrap();
    assert_eq!(
        verify(b"file", "approve@bursar", &signature).unwrap().key,
        PublicKey::from_ssh(key.public_key()).unwrap()
    );
}

/// Written by `ssh-keygen -t ed25519 -N passphrase -a 1`.
const ENCRYPTED: &str = include_str!("encrypted_key.txt");

#[test]
fn a_key_that_is_encrypted_or_public_alone_is_signed_with_by_an_agent() {
    assert!(matches!(read(ENCRYPTED, 0o600), Ok(KeyFile::InAgent(_))));
    let private = key();
    let public = private.public_key().to_openssh().unwrap();
    // Anybody may read a public key.
    let Ok(KeyFile::InAgent(public_key)) = read(&format!("{public} anna@desk\n"), 0o644) else { panic!() };
    assert_eq!(public_key, PublicKey::from_ssh(private.public_key()).unwrap());
}

#[test]
fn what_is_no_key_of_its_owner_alone_is_refused_in_words() {
    let text = key().to_openssh(LineEnding::LF).unwrap();
    let fault = |content: &str, mode| read(content, mode).unwrap_err().to_string();
    assert_eq!(fault(&text, 0o644), "others may read it; a private key is for its owner alone: “chmod 600” it");
    assert!(fault("ssh-ed25519 AAAA", 0o600).starts_with("this is no key in OpenSSH's format"));
    assert!(fault("-----BEGIN RSA PRIVATE KEY-----", 0o600).starts_with("this is no key in OpenSSH's format"));
    let missing = read_key_file(Path::new("/nonexistent/id")).unwrap_err();
    assert_eq!(missing.to_string(), "the key file cannot be read");
}

/// Written by `ssh-keygen -t ecdsa -b 256 -N ''` at the 1,776th time: its private number has 31 bytes.
const SHORT_P256: &str = include_str!("short_p256_key.txt");

#[test]
fn a_p256_key_whose_number_begins_with_a_zero_byte_signs() {
    PrivateKey::from_openssh(SHORT_P256).expect_err("ssh-key reads it now: this reader can go");
    let KeyFile::Private(key) = read(SHORT_P256, 0o600).unwrap() else { panic!() };
    let signature = sign(&key, "approve@bursar", b"file").unwrap();
    let fingerprint = verify(b"file", "approve@bursar", &signature).unwrap().key.fingerprint();
    // As `ssh-keygen -lf` prints it.
    assert_eq!(fingerprint, "SHA256:20p8ti+Ch3AUtX0toLNWMHfJfnzw6hyZu6LFqrKLMhA");
    // The file's magic, the second public key, and the length of the number.
    for (from, to) in [("b3BlbnNzaC1rZXktdjE", "b3BlbnNzaC1rZXktdjI"), ("PsgoohV", "PsgoohW"), ("AAAAfT", "AAAA/T")] {
        assert!(SHORT_P256.contains(from), "{from}");
        let damaged = SHORT_P256.replacen(from, to, 1);
        assert!(matches!(read(&damaged, 0o600), Err(KeyFileFault::Unreadable)), "{from}");
    }
}
