//! The passphrase of a sealed file, asked of whoever sits there.

use std::ops::ControlFlow;

use anyhow::{anyhow, bail};

use super::prompt;
use crate::secrets::{Passphrase, Vault};

/// The vault, with its passphrase where it wants one that is not in the environment. Without a terminal it stays
/// unknown, and the vault says so when it is asked.
pub(super) fn known(vault: Vault) -> anyhow::Result<Vault> {
    let question = format!("Passphrase for the keys of {}: ", vault.owner());
    asked(vault, &question)
}

/// The same before a veiled screen: whose keys they are is not said.
pub(super) fn known_veiled(vault: Vault) -> anyhow::Result<Vault> {
    asked(vault, "Passphrase: ")
}

fn asked(vault: Vault, question: &str) -> anyhow::Result<Vault> {
    if !vault.wants_passphrase() || !prompt::somebody_is_there() {
        return Ok(vault);
    }
    let mut left = TRIES;
    prompt::secret_until(question, |typed| {
        left -= 1;
        let passphrase = Passphrase::read(typed);
        let wrong = if passphrase.is_none() { "No passphrase was typed" } else { "The passphrase is wrong" };
        let opened = passphrase.map(|passphrase| vault.clone().with_passphrase(passphrase));
        // Whatever else may be wrong is said by whoever needs what is in it.
        match (opened.filter(Vault::fits_passphrase), left) {
            (Some(opened), _) => ControlFlow::Break(Ok(opened)),
            (None, 0) => ControlFlow::Break(Err(anyhow!(
                "the passphrase was not given in {TRIES} tries; nothing was opened, and nothing was changed"
            ))),
            (None, 1) => ControlFlow::Continue(format!("{wrong}; this is the last try.")),
            (None, _) => ControlFlow::Continue(format!("{wrong}; {left} tries are left. Ctrl-C gives up.")),
        }
    })
}

/// How often a passphrase may be typed.
const TRIES: usize = 3;

/// The same for a vault that is about to be written: a file that is not there yet gets a passphrase, typed twice.
pub(super) fn made(vault: Vault) -> anyhow::Result<Vault> {
    let is_new = vault.file().is_some_and(|file| !file.exists() && !file.has_passphrase());
    if !is_new || !prompt::somebody_is_there() {
        return known(vault);
    }
    Ok(vault.with_passphrase(new_passphrase()?))
}

/// A new passphrase, asked for twice.
pub(super) fn new_passphrase() -> anyhow::Result<Passphrase> {
    let ask = |question: &str| anyhow::Ok(Passphrase::read(prompt::secret(question)?));
    let typed = ask(&format!("New passphrase, {} characters or more: ", Passphrase::FEWEST))?;
    let Some(passphrase) = typed.filter(Passphrase::is_long_enough) else {
        bail!("a passphrase has at least {} characters; several words are best", Passphrase::FEWEST);
    };
    match ask("The same again: ")? {
        Some(again) if again.equals(&passphrase) => Ok(passphrase),
        _ => bail!("the two passphrases differ; nothing was changed"),
    }
}
