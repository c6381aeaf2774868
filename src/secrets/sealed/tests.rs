//! A sealed file gives back what was put in, under its passphrase, to its owner, and nothing otherwise.

use std::fs;

use proptest::prelude::*;
use secrecy::ExposeSecret;
use sha2::{Digest, Sha256};

use super::crypt::{self, CryptFlaw};
use super::*;
use crate::secrets::{ApiKey, Vault, WalletSecret};

/// Little enough to seal hundreds of times.
const CHEAP_COST: PassphraseHashCost = PassphraseHashCost { memory: 16, passes: 1, lanes: 1 };

const VERSION_OFFSET: usize = 14;
const MEMORY_COST_OFFSET: usize = 15;

fn owner(profile: &str, base_url: &str) -> Owner {
    Owner { profile: profile.into(), base_url: base_url.into() }
}

fn harbour() -> Owner {
    owner("harbour", "https://api.example.com")
}

fn passphrase(text: &str) -> Passphrase {
    Passphrase::from_text(text).unwrap()
}

fn content(api_key: &str, wallet_secret: &str) -> Secrets {
    let secret = |text: &str| (!text.is_empty()).then(|| SecretString::from(text));
    Secrets { api_key: secret(api_key), wallet_secret: secret(wallet_secret), ..Secrets::default() }
}

fn secret_texts(content: &Secrets) -> [Option<String>; 2] {
    [&content.api_key, &content.wallet_secret]
        .map(|secret| secret.as_ref().map(|secret| secret.expose_secret().to_owned()))
}

fn sealed_bytes() -> Vec<u8> {
    crypt::encrypt_secrets(&content("sk_planted", "ws_planted"), &harbour(), &passphrase("correct horse"), CHEAP_COST)
        .unwrap()
}

fn decrypted_secret_texts(bytes: &[u8]) -> Result<[Option<String>; 2], CryptFlaw> {
    crypt::decrypt_secrets(bytes, &harbour(), &passphrase("correct horse")).map(|content| secret_texts(&content))
}

/// The same bytes with the closing hash that fits them: what somebody writes who alters a file on purpose.
fn with_recomputed_hash(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 32;
    let hash = Sha256::digest(&bytes[..end]);
    bytes[end..].copy_from_slice(&hash);
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_sealed_is_opened_by_its_passphrase_and_its_owner_alone(
        api_key in "[!-~]{0,700}", wallet_secret in "[!-~]{0,90}", secret_text in ".{1,40}", other in ".{1,40}", name in "[a-z]{1,9}"
    ) {
        let (key_owner, whole) = (owner(&name, "https://a.example.com"), content(&api_key, &wallet_secret));
        let bytes = crypt::encrypt_secrets(&whole, &key_owner, &passphrase(&secret_text), CHEAP_COST).unwrap();
        prop_assert_eq!(secret_texts(&crypt::decrypt_secrets(&bytes, &key_owner, &passphrase(&secret_text)).unwrap()), secret_texts(&whole));
        if secret_text != other {
            let refused = crypt::decrypt_secrets(&bytes, &key_owner, &passphrase(&other)).unwrap_err();
            prop_assert_eq!(refused, CryptFlaw::WrongPassphrase);
        }
        let elsewhere = owner(&name, "https://b.example.com");
        prop_assert_eq!(crypt::decrypt_secrets(&bytes, &elsewhere, &passphrase(&secret_text)).unwrap_err(), CryptFlaw::OfOtherOwner);
    }

    #[test]
    fn bytes_of_any_kind_are_refused_without_falling_over(bytes in prop::collection::vec(any::<u8>(), 0..400), keep in 0..120_usize) {
        let mut file = sealed_bytes();
        file.truncate(keep);
        file.extend_from_slice(&bytes);
        prop_assert!(decrypted_secret_texts(&file).is_err());
        if file.len() > 32 {
            prop_assert!(decrypted_secret_texts(&with_recomputed_hash(file)).is_err());
        }
    }
}

#[test]
fn each_byte_that_is_turned_is_refused_even_with_a_hash_that_fits() {
    let whole = sealed_bytes();
    assert_eq!(decrypted_secret_texts(&whole).unwrap(), [Some("sk_planted".into()), Some("ws_planted".into())]);
    for at in 0..whole.len() {
        let mut turned = whole.clone();
        turned[at] ^= 1;
        let expected = if at < VERSION_OFFSET { CryptFlaw::NotASealedFile } else { CryptFlaw::Damaged };
        assert_eq!(decrypted_secret_texts(&turned), Err(expected), "byte {at}");
        if at < whole.len() - 32 {
            assert!(decrypted_secret_texts(&with_recomputed_hash(turned)).is_err(), "byte {at}");
        }
    }
}

#[test]
fn a_file_that_ends_early_is_refused_wherever_it_ends() {
    let whole = sealed_bytes();
    for end in 0..whole.len() {
        let expected = if end < VERSION_OFFSET { CryptFlaw::NotASealedFile } else { CryptFlaw::Damaged };
        assert_eq!(decrypted_secret_texts(&whole[..end]), Err(expected), "cut at byte {end}");
    }
}

#[test]
fn neither_a_secret_nor_its_length_stands_in_the_file() {
    let whole = sealed_bytes();
    for secret in ["sk_planted", "ws_planted", "correct horse"] {
        assert!(!whole.windows(secret.len()).any(|window| window == secret.as_bytes()));
    }
    let short =
        crypt::encrypt_secrets(&content("k", ""), &harbour(), &passphrase("correct horse"), CHEAP_COST).unwrap();
    assert_eq!(short.len(), whole.len());
    assert_ne!(sealed_bytes(), whole, "salt and nonce are new each time");
}

#[test]
fn a_newer_file_and_one_that_asks_for_all_memory_are_not_opened() {
    let mut newer = sealed_bytes();
    newer[VERSION_OFFSET] = 2;
    assert_eq!(decrypted_secret_texts(&with_recomputed_hash(newer)), Err(CryptFlaw::Newer(2)));
    for numbers in
        [[u32::MAX, 1, 1], [16, u32::MAX, 1], [16, 1, u32::MAX], [256 * 1024 + 1, 1, 1], [0, 1, 1], [16, 0, 1]]
    {
        let mut greedy = sealed_bytes();
        for (index, number) in numbers.into_iter().enumerate() {
            let at = MEMORY_COST_OFFSET + 4 * index;
            greedy[at..at + 4].copy_from_slice(&number.to_be_bytes());
        }
        assert_eq!(decrypted_secret_texts(&with_recomputed_hash(greedy)), Err(CryptFlaw::Unreasonable), "{numbers:?}");
    }
}

#[test]
fn the_usual_cost_is_one_that_is_opened() {
    let bytes = crypt::encrypt_secrets(
        &content("k", ""),
        &harbour(),
        &passphrase("correct horse"),
        PassphraseHashCost::DEFAULT,
    )
    .unwrap();
    assert_eq!(decrypted_secret_texts(&bytes).unwrap(), [Some("k".into()), None]);
}

#[test]
fn a_file_keeps_two_secrets_and_goes_with_the_last() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("keys").join(harbour().file_name());
    let bare = SealedFile::new(path.clone(), None, CHEAP_COST);
    assert!(
        secret_texts(&bare.unseal(&harbour()).unwrap()).iter().all(Option::is_none),
        "no file, no secret, no passphrase"
    );
    let set = |file: &SealedFile, which, text: &str| file.replace(&harbour(), which, Some(text.into()));
    assert_eq!(set(&bare, SecretKind::ApiKey, "sk_1"), Err(KeyStoreFault::PassphraseNotChosen(path.clone())));
    let weak = bare.clone().with_passphrase(passphrase("short"));
    assert_eq!(set(&weak, SecretKind::ApiKey, "sk_1"), Err(SealedFault::TooShort.into()));
    assert!(!path.exists());

    let file = bare.clone().with_passphrase(passphrase("correct horse"));
    assert_eq!(set(&file, SecretKind::ApiKey, "sk_1"), Ok(false));
    assert_eq!(set(&file, SecretKind::WalletSecret, "ws_1"), Ok(false));
    assert_eq!(set(&file, SecretKind::ApiKey, "sk_2"), Ok(true));
    assert_eq!(secret_texts(&file.unseal(&harbour()).unwrap()), [Some("sk_2".into()), Some("ws_1".into())]);
    assert_eq!(bare.unseal(&harbour()).unwrap_err(), KeyStoreFault::PassphraseNeeded(path.clone()));
    let wrong = bare.clone().with_passphrase(passphrase("battery staple"));
    assert_eq!(wrong.unseal(&harbour()).unwrap_err(), SealedFault::WrongPassphrase(path.clone()).into());
    assert_eq!(set(&wrong, SecretKind::ApiKey, "sk_3"), Err(SealedFault::WrongPassphrase(path.clone()).into()));

    assert_eq!(file.replace(&harbour(), SecretKind::WalletSecret, None), Ok(true));
    assert!(path.exists());
    assert_eq!(file.replace(&harbour(), SecretKind::ApiKey, None), Ok(true));
    assert!(!path.exists());
    assert_eq!(file.replace(&harbour(), SecretKind::ApiKey, None), Ok(false));
    assert_eq!(bare.remove(), Ok(false));
}

#[test]
fn what_is_no_sealed_file_is_told_with_what_to_do() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("file");
    let file = SealedFile::new(path.clone(), Some(passphrase("correct horse")), CHEAP_COST);
    let fault = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        file.unseal(&harbour()).unwrap_err().to_string()
    };
    assert!(fault(b"").contains("is not a sealed file of bursar; move it away"));
    assert!(fault(b"age-encryption.org/v1\n").contains("is not a sealed file"));
    assert!(fault(&vec![b'x'; 100_000]).contains("is not a sealed file"));
    assert!(fault(&sealed_bytes()[..200]).contains("is damaged; take it from a backup"));
    let mut newer = sealed_bytes();
    newer[VERSION_OFFSET] = 9;
    assert!(fault(&with_recomputed_hash(newer)).contains("has format 9, and this bursar reads format 1"));
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_eq!(file.unseal(&harbour()).unwrap_err(), SealedFault::NotASealedFile(path).into());
}

#[test]
fn the_secret_of_a_listener_is_kept_beside_the_keys() {
    let place = tempfile::tempdir().unwrap();
    let file = SealedFile::new(place.path().join("a.sealed"), Some(passphrase("correct horse")), CHEAP_COST);
    file.replace(&harbour(), SecretKind::ApiKey, Some("sk_1".into())).unwrap();
    assert!(file.unseal(&harbour()).unwrap().listener_secret.is_none());
    file.replace(&harbour(), SecretKind::ListenerSecret, Some("hook".into())).unwrap();
    let content = file.unseal(&harbour()).unwrap();
    assert_eq!(content.listener_secret.as_ref().unwrap().expose_secret(), "hook");
    assert_eq!(secret_texts(&content), [Some("sk_1".into()), None]);
}

/// A content of the length at which nothing is padded: files that were written before listeners had secrets end there.
#[test]
fn a_file_that_ends_with_the_wallet_secret_has_no_listener_secret() {
    let [api_key, wallet_secret] = ["k".repeat(300), "w".repeat(512 - 8 - 300)];
    let mut plain = Vec::new();
    for text in [&api_key, &wallet_secret] {
        plain.extend_from_slice(&u32::try_from(text.len()).unwrap().to_be_bytes());
        plain.extend_from_slice(text.as_bytes());
    }
    let content = crypt::decode_secrets(&plain).unwrap();
    assert!(content.listener_secret.is_none());
    assert_eq!(secret_texts(&content), [Some(api_key), Some(wallet_secret)]);
}

#[test]
fn the_passphrase_of_the_file_unlocks_paying_and_later_secrets_lie_beside_the_earlier_ones() {
    let folder = tempfile::tempdir().unwrap();
    let file = SealedFile::new(folder.path().join("keys"), Some(passphrase("correct horse")), CHEAP_COST);
    let vault = Vault::in_file(harbour(), file);
    vault.set_api_key(ApiKey::parse("sk_reads").unwrap()).unwrap();
    assert!(matches!(vault.paying_keys(), Err(KeyStoreFault::NotSet { which: SecretKind::PayingApiKey, .. })));
    vault.set_paying_key(ApiKey::parse_paying("sk_pays").unwrap()).unwrap();
    vault.set_wallet_secret(WalletSecret::parse("ws_1").unwrap()).unwrap();
    let keys = vault.paying_keys().unwrap();
    assert_eq!(keys.api_key.into_secret().expose_secret(), "sk_pays");
    assert_eq!(keys.wallet_secret.unwrap().into_secret().expose_secret(), "ws_1");
    assert_eq!(vault.keys().unwrap().api_key.into_secret().expose_secret(), "sk_reads");
    assert_eq!(vault.verify_passphrase(&passphrase("correct horse")), Ok(true));
    assert_eq!(vault.verify_passphrase(&passphrase("correct house")), Ok(false));
    assert!(vault.remove(SecretKind::PayingApiKey).unwrap());
    assert!(vault.paying_key().unwrap().is_none());
}
