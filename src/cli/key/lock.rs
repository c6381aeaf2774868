//! `bursar key lock`: the passphrase that unlocks paying.

use anyhow::{Context as _, bail};
use clap::Subcommand;

use super::storage_text;
use crate::cli::{CommandContext, Exit, output, passphrase, prompt};
use crate::config::{Config, Profile};
use crate::secrets::{KeyStorage, LockHash, Passphrase, PassphraseHashCost, SecretKind, Vault};

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum LockCommand {
    /// Set the passphrase, at a prompt or from standard input; only its hash is stored, with the keys
    Set,
    /// Remove the passphrase: from then on anybody at the keyboard can unlock paying
    Remove,
}

pub(super) fn run(context: &CommandContext, config: &Config, command: &LockCommand) -> anyhow::Result<Exit> {
    let profile = config.profile()?;
    let vault = config.vault(profile, &context.environment)?;
    match vault.key_storage() {
        KeyStorage::File => bail!("the passphrase of {} unlocks paying; there is no other", storage_text(&vault)),
        KeyStorage::Environment => bail!(
            "the keys of {} come from the environment, which keeps no passphrase; keep them in the keyring or in a sealed \
             file (bursar key set)",
            profile.name
        ),
        KeyStorage::Keyring => {}
    }
    match command {
        LockCommand::Set => set_lock_passphrase(config, profile, &vault),
        LockCommand::Remove => {
            let removed = vault.remove(SecretKind::Lock)?;
            config.set_lock_passphrase(&profile.name, false)?;
            let outcome = if removed { "removed" } else { "not found" };
            output::print_line(&format!("{outcome}: the passphrase that unlocks paying at {}", profile.name));
            output::print_line("anybody at the keyboard can unlock paying now");
            Ok(Exit::Normally)
        }
    }
}

fn set_lock_passphrase(config: &Config, profile: &Profile, vault: &Vault) -> anyhow::Result<Exit> {
    crate::secrets::Keyring::default().check()?;
    let passphrase = if prompt::is_interactive() {
        passphrase::prompt_new_passphrase()?
    } else {
        let [typed] = prompt::read_piped()?;
        Passphrase::from_text(typed).context("no passphrase was given")?
    };
    vault.set_lock(&LockHash::create(&passphrase, PassphraseHashCost::DEFAULT)?)?;
    config.set_lock_passphrase(&profile.name, true)?;
    output::print_line(&format!(
        "the passphrase that unlocks paying at {} is set; its hash is kept in {}",
        profile.name,
        storage_text(vault)
    ));
    Ok(Exit::Normally)
}

/// When paying is locked at a profile, and what unlocks it.
pub(in crate::cli) fn payment_lock_text(profile: &Profile, vault: &Vault) -> String {
    let when = profile.lock_after.map_or_else(
        || "paying is never locked automatically".to_owned(),
        |after| format!("paying is locked after {} without a keypress", humantime::format_duration(after)),
    );
    let by = match vault.key_storage() {
        KeyStorage::File => "the passphrase of the sealed file unlocks it",
        _ if profile.lock_passphrase => "the console's passphrase unlocks it",
        KeyStorage::Keyring => "anybody at the keyboard can unlock it (bursar key lock set)",
        KeyStorage::Environment => "anybody at the keyboard can unlock it",
    };
    format!("{when}; {by}")
}
