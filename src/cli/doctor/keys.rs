//! Checks where keys are stored, and whether they can be read.

use super::{CheckResult, error_with_causes};
use crate::cli::CommandContext;
use crate::config::{Config, Profile};
use crate::secrets::{KeyStorage, KeyStoreContent, Keyring, Keys, SECRET_VARIABLES, Vault};

/// The findings about keys, and the keys themselves, if they can be read.
pub(super) fn check_keys(
    context: &CommandContext,
    config: &Config,
    profile: &Profile,
    vault: &Vault,
) -> anyhow::Result<(Vec<CheckResult>, Option<Keys>)> {
    let environment = &context.environment;
    let keeper = config.key_storage(profile, environment)?;
    let mut findings = check_keyring(Some(keeper));
    let idle = config.idle_variables(profile, environment)?;
    for name in SECRET_VARIABLES.into_iter().filter(|name| environment.is_set(name)) {
        findings.push(CheckResult::note(
            "environment",
            if idle.contains(&name) {
                format!("{name} is set but not used: this profile keeps its keys in the {}; unset the variable", keeper.config_name())
            } else {
                format!(
                    "{name} is set: the value stays in the environment of this process as long as bursar runs, where other \
                     programs of the same user may read it; the keyring does not have that weakness"
                )
            },
        ));
    }
    let place = match keeper {
        KeyStorage::Keyring => "in the keyring".to_owned(),
        KeyStorage::File => vault.file().map_or_else(String::new, |file| format!("in {}", file.path().display())),
        KeyStorage::Environment => "in the environment".to_owned(),
    };
    match vault.content() {
        Ok(KeyStoreContent { api_key: Some(api_key), wallet_secret }) => {
            let also = if wallet_secret.is_some() { "API key and wallet secret" } else { "API key, no wallet secret" };
            findings.push(CheckResult::ok("keys", format!("{place}: {also}")));
            findings.push(check_paying_key(profile, vault));
            findings.push(check_payment_lock(profile, vault));
            Ok((findings, Some(Keys { api_key, wallet_secret })))
        }
        Ok(_) => {
            let fault = vault.keys().err().map(|fault| error_with_causes(&fault)).unwrap_or_default();
            findings.push(CheckResult::wrong("keys", fault));
            Ok((findings, None))
        }
        Err(fault) => {
            findings.push(CheckResult::wrong("keys", error_with_causes(&fault)));
            Ok((findings, None))
        }
    }
}

/// The key for changes.
fn check_paying_key(profile: &Profile, vault: &Vault) -> CheckResult {
    match vault.paying_key() {
        Ok(Some(_)) => CheckResult::ok("paying key", "requests that change something use a separate API key"),
        Ok(None) if profile.separate_keys => CheckResult::wrong(
            "paying key",
            vault.paying_keys().err().map(|fault| error_with_causes(&fault)).unwrap_or_default(),
        ),
        Ok(None) => CheckResult::note(
            "paying key",
            "the API key that reads also pays; a separate key for changes would be read only while a change is made \
             (bursar key set paying-api-key)",
        ),
        Err(fault) => CheckResult::wrong("paying key", error_with_causes(&fault)),
    }
}

fn check_payment_lock(profile: &Profile, vault: &Vault) -> CheckResult {
    let message = crate::cli::key::lock_text(profile, vault);
    if profile.lock_passphrase && vault.key_storage() == KeyStorage::Keyring {
        return match vault.has_lock() {
            Ok(true) => CheckResult::ok("lock", message),
            Ok(false) => CheckResult::wrong(
                "lock",
                "the console's passphrase is missing; set it again with `bursar key lock set`",
            ),
            Err(fault) => CheckResult::wrong("lock", error_with_causes(&fault)),
        };
    }
    if vault.key_storage() == KeyStorage::File {
        CheckResult::ok("lock", message)
    } else {
        CheckResult::note("lock", message)
    }
}

/// Tests the keyring with a canary entry: it is set, read and removed again.
pub(super) fn check_keyring(keeper: Option<KeyStorage>) -> Vec<CheckResult> {
    let finding = match Keyring::default().check() {
        Ok(()) => CheckResult::ok("keyring", "found, unlocked, stores and returns a test value"),
        Err(fault) if keeper == Some(KeyStorage::Keyring) => CheckResult::wrong("keyring", error_with_causes(&fault)),
        Err(fault) => CheckResult::note("keyring", error_with_causes(&fault)),
    };
    vec![finding]
}
