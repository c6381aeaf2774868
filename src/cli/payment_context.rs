//! Opens what paying needs: the journal, the keys and the service's client; or returns why this console is read-only.

use std::fmt;
use std::sync::Arc;

use super::{CommandContext, journal, os_user};
use crate::app::session::lock::{LockSettings, UnlockMethod};
use crate::config::{Config, Profile};
use crate::domain::order::ServiceDestination;
use crate::domain::{Failure, FailureReason, ReadOnlyReason, Text};
use crate::journal::{Journal, JournalLocation};
use crate::runtime::HostPermission;
use crate::runtime::effect_runner::{
    ApprovalSources, AuthorisedClient, JournalReader, OperatorFactory, PassphraseVerifier, PayingDisabled,
    PaymentContext,
};
use crate::secrets::{KeyStorage, Keys, Passphrase, SecretKind, Vault};

/// What paying at a profile's service needs. The keys are read again whenever a review is opened.
///
/// `reads_under` is the mark of the key under which the history is read.
#[expect(clippy::result_large_err, reason = "built once at the start, and kept as it is")]
pub(super) fn payment_context_for_profile(
    context: &CommandContext,
    config: &Config,
    profile: &Profile,
    vault: Vault,
    reads_under: Text,
) -> Result<PaymentContext, PayingDisabled> {
    let without_journal = |error: &dyn fmt::Display| {
        let reason = ReadOnlyReason::NoJournal { cause: Text::clean(&error.to_string()) };
        PayingDisabled { reason, journal: None }
    };
    let folder = journal::journal_folder(context).map_err(|error| without_journal(&error))?;
    let destination = profile_destination(profile, reads_under);
    let only_reads = |reason: ReadOnlyReason| {
        let (folder, destination) = (folder.clone(), destination.clone());
        let (policy, final_statuses) = (profile.policy.clone(), profile.final_statuses());
        let host = HostPermission::for_local_operator();
        PayingDisabled { reason, journal: Some(JournalReader::new(&host, folder, destination, policy, final_statuses)) }
    };
    if config.is_read_only(profile) {
        return Err(only_reads(ReadOnlyReason::ByOption));
    }
    if let Some(remedy) = config.permissions_remedy(profile) {
        return Err(only_reads(ReadOnlyReason::WritableConfiguration { remedy: Text::clean(&remedy) }));
    }
    let opened = Journal::open(&JournalLocation::Folder(folder), os_user::console_identity(&context.environment));
    // Reading works without a journal; paying does not.
    let opened = opened.map_err(|error| without_journal(&error))?;
    if let Some(notice) = opened.notice {
        tracing::warn!(notice, "part of the journal was written on another machine");
    }
    let (expected_network, period, wire) =
        (destination.environment, profile.preferences.poll_period, profile.wire.clone());
    let final_words = profile.final_statuses();
    let (policy, request_defaults) = (profile.policy.clone(), profile.request_defaults.clone());
    let approvals = ApprovalSources::of_settings(&profile.approvals, &HostPermission::for_local_operator());
    let separate_keys = has_separate_paying_key(context, profile, &vault);
    let unlocks = (lock_settings(config, profile, &vault).unlock_method == UnlockMethod::Passphrase)
        .then(|| passphrase_verifier(vault.clone()));
    let (place, profile) = (destination.clone(), profile.clone());
    let operator: OperatorFactory = Arc::new(move || {
        // With separate keys, a missing paying key is an error: the reading key never makes a change.
        let keys = if separate_keys { vault.paying_keys() } else { vault.keys() };
        let Keys { api_key, wallet_secret } = keys.map_err(|fault| local_failure(&fault))?;
        let connection =
            |api_key| profile.connection(api_key, vault.redaction()).map_err(|fault| local_failure(&fault));
        AuthorisedClient::open(
            api_key,
            wallet_secret.map(crate::secrets::WalletSecret::into_secret),
            &place,
            connection,
        )
    });
    let journal = opened.journal;
    Ok(PaymentContext {
        journal,
        operator_factory: operator,
        passphrase_verifier: unlocks,
        separate_keys,
        destination,
        wire,
        final_statuses: final_words,
        expected_network,
        policy,
        request_defaults,
        approvals,
        period,
    })
}

/// Whether a profile pays under a separate API key: by its own setting, or by a variable where its keys are in the
/// environment.
fn has_separate_paying_key(context: &CommandContext, profile: &Profile, vault: &Vault) -> bool {
    let is_set = || context.environment.is_set(SecretKind::PayingApiKey.manual_setting());
    profile.separate_keys || (vault.key_storage() == KeyStorage::Environment && is_set())
}

pub(super) fn lock_settings(config: &Config, profile: &Profile, vault: &Vault) -> LockSettings {
    let has_passphrase = profile.lock_passphrase || vault.key_storage() == KeyStorage::File;
    let after = profile.lock_after.filter(|_| !config.is_read_only(profile));
    let unlock_method = if has_passphrase { UnlockMethod::Passphrase } else { UnlockMethod::Word };
    // The passphrase of a sealed file was entered before its keys could be read.
    let at_start = profile.lock_passphrase && vault.key_storage() != KeyStorage::File && !config.is_read_only(profile);
    LockSettings { lock_after: after, unlock_method, at_start }
}

/// Checks a typed passphrase against the sealed file's or the console's.
fn passphrase_verifier(vault: Vault) -> PassphraseVerifier {
    Arc::new(move |typed| match Passphrase::from_text(typed.expose().to_owned()) {
        Some(passphrase) => vault.verify_passphrase(&passphrase).map_err(|fault| local_failure(&fault)),
        None => Ok(false),
    })
}

/// The profile as a destination of orders; `key_mark` identifies the key.
pub(super) fn profile_destination(profile: &Profile, key_mark: Text) -> ServiceDestination {
    ServiceDestination {
        profile: Text::clean(&profile.name),
        environment: profile.network,
        base_url: Text::clean(&profile.base_url.to_string()),
        key_mark,
    }
}

fn local_failure(reason: &impl std::fmt::Display) -> Failure {
    Failure::from_read(FailureReason::Local, &reason.to_string())
}
