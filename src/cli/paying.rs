//! What it takes to pay, put together: the journal, the keys and the way to the service; or why this console only reads.

use std::sync::Arc;

use super::{Context, journal, who};
use crate::app::lock::{Asks, LockSettings};
use crate::app::{CONFIGURATION_OF_OTHERS, TOLD_TO_READ};
use crate::config::{Config, Profile};
use crate::domain::intent::Destination;
use crate::domain::{Failure, Reason, Text};
use crate::journal::{Journal, Place};
use crate::runtime::Host;
use crate::runtime::perform::{Barred, Onlooker, OpenOperator, OpenedOperator, Paying, Unlocks};
use crate::secrets::{Keeper, Keys, Passphrase, Vault, Which};

/// What it takes to pay at the service of a profile. The keys are asked for anew whenever a review is opened.
///
/// `reads_under` tells the key under which the history is read from others.
pub(super) fn at_profile(
    context: &Context,
    config: &Config,
    profile: &Profile,
    vault: Vault,
    reads_under: Text,
) -> Result<Paying, Barred> {
    let barred = |why: &str| Barred { why: Text::clean(why), journal: None };
    let folder = journal::folder(context).map_err(|error| barred(&error.to_string()))?;
    let here = place(profile, reads_under);
    if config.is_read_only(profile) {
        return Err(Barred { journal: Some(Onlooker::new(&Host::at_hand(), folder, here)), ..barred(TOLD_TO_READ) });
    }
    if let Some(remedy) = config.rights_remedy(profile) {
        let why = format!("{CONFIGURATION_OF_OTHERS}: {remedy}");
        return Err(Barred { journal: Some(Onlooker::new(&Host::at_hand(), folder, here)), ..barred(&why) });
    }
    let opened = Journal::open(&Place::Folder(folder), who::console(&context.environment));
    // Watching goes on without a journal; paying does not.
    let opened = opened.map_err(|error| barred(&error.to_string()))?;
    if let Some(notice) = opened.notice {
        tracing::warn!(notice, "the journal is not all this machine's own");
    }
    let (expected_network, period, wire) = (here.environment.clone(), profile.poll, profile.wire.clone());
    let final_words = profile.final_words();
    let policy = profile.policy.clone();
    let separate_keys = pays_apart(context, profile, &vault);
    let unlocks = (lock(config, profile, &vault).asks == Asks::Passphrase).then(|| unlocks(vault.clone()));
    let (place, profile) = (here.clone(), profile.clone());
    let operator: OpenOperator = Arc::new(move || {
        // Where it pays apart, the key that reads never signs a change: without the other there is none.
        let keys = if separate_keys { vault.paying_keys() } else { vault.read() };
        let Keys { api_key, wallet_secret } = keys.map_err(|fault| cannot(&fault))?;
        let connection = |api_key| profile.connection(api_key, vault.redaction()).map_err(|fault| cannot(&fault));
        OpenedOperator::open(api_key, wallet_secret.map(crate::secrets::WalletSecret::into_secret), &place, connection)
    });
    let journal = opened.journal;
    Ok(Paying { journal, operator, unlocks, separate_keys, here, wire, final_words, expected_network, policy, period })
}

/// Whether a profile pays under an API key of its own: it says so, or the environment that has its keys holds one.
fn pays_apart(context: &Context, profile: &Profile, vault: &Vault) -> bool {
    let is_set = || context.environment.is_set(Which::PayingApiKey.set_by_hand());
    profile.separate_keys || (vault.keeper() == Keeper::Environment && is_set())
}

/// When paying is locked at a profile, and what unlocks it.
pub(super) fn lock(config: &Config, profile: &Profile, vault: &Vault) -> LockSettings {
    let has_passphrase = profile.lock_passphrase || vault.keeper() == Keeper::File;
    let after = profile.lock_after.filter(|_| !config.is_read_only(profile));
    let asks = if has_passphrase { Asks::Passphrase } else { Asks::Word };
    // The passphrase of a sealed file was given before its keys could be read.
    let at_start = profile.lock_passphrase && vault.keeper() != Keeper::File && !config.is_read_only(profile);
    LockSettings { after, asks, at_start }
}

/// Holds what is typed against the passphrase of the sealed file or of the console.
fn unlocks(vault: Vault) -> Unlocks {
    Arc::new(move |typed| match Passphrase::read(typed.expose().to_owned()) {
        Some(passphrase) => vault.unlocks(&passphrase).map_err(|fault| cannot(&fault)),
        None => Ok(false),
    })
}

/// Where a profile stands, under the key that `key_mark` tells from others.
pub(super) fn place(profile: &Profile, key_mark: Text) -> Destination {
    Destination {
        profile: Text::clean(&profile.name),
        environment: profile.network.map(|network| Text::clean(network.word())),
        base_url: Text::clean(&profile.base_url.to_string()),
        key_mark,
    }
}

/// Nothing was sent, and this is why.
fn cannot(why: &impl std::fmt::Display) -> Failure {
    Failure::of_read(Reason::Local, &why.to_string())
}
