//! Asks for the passphrase of a sealed file.

use std::ops::ControlFlow;

use anyhow::{anyhow, bail};

use super::prompt;
use crate::secrets::{Passphrase, Vault};

/// The vault with its passphrase, where it needs one that is not in the environment. Without a terminal it stays
/// unknown, and the vault's error reports that.
pub(super) fn prompt_passphrase_if_needed(vault: Vault) -> anyhow::Result<Vault> {
    let question = format!("Passphrase for the keys of {}: ", vault.owner());
    prompt_passphrase(vault, &question)
}

/// The same before a veiled screen: the question does not name the owner.
pub(super) fn prompt_passphrase_without_owner(vault: Vault) -> anyhow::Result<Vault> {
    prompt_passphrase(vault, "Passphrase: ")
}

fn prompt_passphrase(vault: Vault, question: &str) -> anyhow::Result<Vault> {
    if !vault.needs_passphrase() || !prompt::is_interactive() {
        return Ok(vault);
    }
    let mut attempts_left = MAX_PASSPHRASE_ATTEMPTS;
    prompt::read_secret_until(question, |typed| {
        attempts_left -= 1;
        let passphrase = Passphrase::from_text(typed);
        let wrong = if passphrase.is_none() { "No passphrase was typed" } else { "The passphrase is wrong" };
        let opened = passphrase.map(|passphrase| vault.clone().with_passphrase(passphrase));
        // Other faults are reported when the content is used.
        match (opened.filter(Vault::is_passphrase_accepted), attempts_left) {
            (Some(opened), _) => ControlFlow::Break(Ok(opened)),
            (None, 0) => ControlFlow::Break(Err(anyhow!(
                "the right passphrase was not given in {MAX_PASSPHRASE_ATTEMPTS} tries; nothing was opened, and nothing was changed"
            ))),
            (None, 1) => ControlFlow::Continue(format!("{wrong}; this is the last try.")),
            (None, _) => ControlFlow::Continue(format!("{wrong}; {attempts_left} tries are left. Ctrl-C cancels.")),
        }
    })
}

const MAX_PASSPHRASE_ATTEMPTS: usize = 3;

/// The same for a vault that is about to be written: a new file gets a passphrase, typed twice.
pub(super) fn prompt_new_passphrase_if_needed(vault: Vault) -> anyhow::Result<Vault> {
    let is_new = vault.file().is_some_and(|file| !file.exists() && !file.has_passphrase());
    if !is_new || !prompt::is_interactive() {
        return prompt_passphrase_if_needed(vault);
    }
    Ok(vault.with_passphrase(prompt_new_passphrase()?))
}

/// Asks for a new passphrase twice.
pub(super) fn prompt_new_passphrase() -> anyhow::Result<Passphrase> {
    let ask = |question: &str| anyhow::Ok(Passphrase::from_text(prompt::read_secret(question)?));
    let typed = ask(&format!("New passphrase, {} characters or more: ", Passphrase::MIN_CHARS))?;
    let Some(passphrase) = typed.filter(Passphrase::is_long_enough) else {
        bail!("a passphrase has at least {} characters; several words are best", Passphrase::MIN_CHARS);
    };
    match ask("Repeat the passphrase: ")? {
        Some(repetition) if repetition.is_same(&passphrase) => Ok(passphrase),
        _ => bail!("the two passphrases differ; nothing was changed"),
    }
}
