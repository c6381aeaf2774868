//! Where keys are kept, and whether they can be had.

use super::{Finding, whole};
use crate::cli::Context;
use crate::config::{Config, Profile};
use crate::secrets::{Held, Keeper, Keyring, Keys, VARIABLES, Vault};

/// What is to be said of keys, and the keys themselves, if they can be had.
pub(super) fn look(
    context: &Context,
    config: &Config,
    profile: &Profile,
    vault: &Vault,
) -> anyhow::Result<(Vec<Finding>, Option<Keys>)> {
    let environment = &context.environment;
    let keeper = config.keeper(profile, environment)?;
    let mut findings = keyring(Some(keeper));
    let idle = config.idle_variables(profile, environment)?;
    for name in VARIABLES.into_iter().filter(|name| environment.is_set(name)) {
        findings.push(Finding::note(
            "environment",
            if idle.contains(&name) {
                format!("{name} is set and not used: this profile has its keys in the {}; unset it", keeper.word())
            } else {
                format!(
                    "{name} is set: it stays in the environment block of this process for as long as it lives, where other \
                     programs of the same user may read it; the keyring does not have that weakness"
                )
            },
        ));
    }
    let place = match keeper {
        Keeper::Keyring => "in the keyring".to_owned(),
        Keeper::File => vault.file().map_or_else(String::new, |file| format!("in {}", file.path().display())),
        Keeper::Environment => "in the environment".to_owned(),
    };
    match vault.held() {
        Ok(Held { api_key: Some(api_key), wallet_secret }) => {
            let also = if wallet_secret.is_some() { "API key and wallet secret" } else { "API key, no wallet secret" };
            findings.push(Finding::good("keys", format!("{place}: {also}")));
            findings.push(paying(profile, vault));
            findings.push(lock(profile, vault));
            Ok((findings, Some(Keys { api_key, wallet_secret })))
        }
        Ok(_) => {
            let fault = vault.read().err().map(|fault| whole(&fault)).unwrap_or_default();
            findings.push(Finding::wrong("keys", fault));
            Ok((findings, None))
        }
        Err(fault) => {
            findings.push(Finding::wrong("keys", whole(&fault)));
            Ok((findings, None))
        }
    }
}

/// Under which key changes are asked for.
fn paying(profile: &Profile, vault: &Vault) -> Finding {
    match vault.paying_key() {
        Ok(Some(_)) => Finding::good("paying key", "changes are asked for under an API key of their own"),
        Ok(None) if profile.separate_keys => {
            Finding::wrong("paying key", vault.paying_keys().err().map(|fault| whole(&fault)).unwrap_or_default())
        }
        Ok(None) => Finding::note(
            "paying key",
            "the API key that reads also pays; a second key for changes alone is asked for only while one is made \
             (bursar key set paying-api-key)",
        ),
        Err(fault) => Finding::wrong("paying key", whole(&fault)),
    }
}

/// When paying is locked, and who can unlock it.
fn lock(profile: &Profile, vault: &Vault) -> Finding {
    let words = crate::cli::key::lock_words(profile, vault);
    if profile.lock_passphrase && vault.keeper() == Keeper::Keyring {
        return match vault.has_lock() {
            Ok(true) => Finding::good("lock", words),
            Ok(false) => Finding::wrong("lock", "the console's passphrase is gone; bursar key lock set"),
            Err(fault) => Finding::wrong("lock", whole(&fault)),
        };
    }
    if vault.keeper() == Keeper::File { Finding::good("lock", words) } else { Finding::note("lock", words) }
}

/// Whether there is a keyring, which a canary tells: it is set, read and removed again.
pub(super) fn keyring(keeper: Option<Keeper>) -> Vec<Finding> {
    let finding = match Keyring::default().check() {
        Ok(()) => Finding::good("keyring", "found, unlocked, gives back what is put in"),
        Err(fault) if keeper == Some(Keeper::Keyring) => Finding::wrong("keyring", whole(&fault)),
        Err(fault) => Finding::note("keyring", whole(&fault)),
    };
    vec![finding]
}
