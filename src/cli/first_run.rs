//! The set-up page of `bursar` where no service is configured, or a profile has no key.

use std::sync::{Arc, Mutex, PoisonError};

use rustix::stdio::{stdin, stdout};
use rustix::termios::isatty;
use secrecy::SecretString;
use tokio::runtime::Builder;

use anyhow::Context as _;

use super::{Arguments, Command, CommandContext, Exit, appearance, dashboard, demo, run_loop};
use crate::api::{BaseUrl, Connection, Reader};
use crate::app::pages::welcome::{FieldRules, KeyStoreKind, ProfileDraft, SetupAction, SetupResult, Welcome};
use crate::config::{Config, NewProfile, Profile, profile_name_fault};
use crate::domain::{FailureReason, Network, Redaction};
use crate::runtime::welcome::{ActionHandler, WelcomeExit, WelcomeProgram};
use crate::runtime::{self, Clock, local_terminal};
use crate::secrets::{ApiKey, KeyStorage, KeyStoreFault, Keyring, Passphrase, Vault, WalletSecret};

/// Whether there is a terminal to show the page and read answers.
pub(super) fn has_terminal() -> bool {
    isatty(stdin()) && isatty(stdout())
}

/// Whether the page can fix a fault of a profile's keys: no key was ever set, or no storage was chosen and the keyring
/// is unavailable. Where keys are in a locked keyring, its password is needed, not a new key.
pub(super) fn can_fix_key_fault(profile: &Profile, fault: &KeyStoreFault) -> bool {
    match fault {
        KeyStoreFault::NotSet { keeper, .. } => *keeper != KeyStorage::Environment,
        KeyStoreFault::Absent(_)
        | KeyStoreFault::NoProvider(_)
        | KeyStoreFault::Locked(_)
        | KeyStoreFault::Denied
        | KeyStoreFault::NoAnswer(_) => profile.key_storage.is_none(),
        _ => false,
    }
}

/// Shows the page, and opens the dashboard after it. `profile` is one that has no key yet.
pub(super) fn run_welcome_page(
    context: &CommandContext,
    config: &Config,
    profile: Option<&Profile>,
) -> anyhow::Result<Exit> {
    let first_profile =
        Arc::new(Mutex::new(FirstRunProfile { profile: profile.map(|profile| profile.name.clone()), vault: None }));
    let appearance = appearance::appearance_from_config(config, &context.environment)?;
    let (page, first) = match profile {
        Some(profile) => {
            let draft = ProfileDraft { name: profile.name.clone(), base_url: profile.base_url.to_string() };
            let place = profile.key_storage.filter(|keeper| *keeper == KeyStorage::File).map(|_| KeyStoreKind::File);
            Welcome::for_profile_without_key(appearance, FIELD_RULES, draft, place)
        }
        None => (Welcome::new(appearance, FIELD_RULES), None),
    };
    let effects = run_loop::effects_runtime(1)?;
    let doer = action_handler(context.clone(), Arc::clone(&first_profile));
    let mut program = WelcomeProgram::new(page, first, doer, effects.handle().clone());
    let turns = Builder::new_current_thread().enable_all().build().context("cannot start the loop")?;
    let dialect = appearance::terminal_dialect(&context.environment)?;
    let ending = turns.block_on(async {
        let screen = local_terminal::open_terminal(dialect)?;
        anyhow::Ok(runtime::run_program(screen, &Clock::System, &mut program).await)
    })?;
    // A keyring may still wait for its password; that thread is abandoned.
    effects.shutdown_background();
    let ended = run_loop::exit_status(ending)?;
    if ended != Exit::Normally {
        return Ok(ended);
    }
    match program.exit() {
        WelcomeExit::Quit => Ok(ended),
        WelcomeExit::Demo => match Arguments::from_args(["bursar", "demo"].map(Into::into))?.command {
            Some(Command::Demo(arguments)) => demo::run(context, &arguments),
            _ => Ok(ended),
        },
        WelcomeExit::OpenDashboard => {
            let mut first_profile = first_profile.lock().unwrap_or_else(PoisonError::into_inner);
            let mut context = context.clone();
            context.overrides.profile = first_profile.profile.take();
            dashboard::open_dashboard(&context, first_profile.vault.take())
        }
    }
}

/// The result of the page's actions for the dashboard: the profile, and its unlocked vault.
struct FirstRunProfile {
    profile: Option<String>,
    vault: Option<Vault>,
}

const FIELD_RULES: FieldRules = FieldRules {
    name: |text| profile_name_fault(text).map(str::to_owned),
    base_url: |text| BaseUrl::parse(text).err().map(|fault| fault.to_string()),
    api_key: |text| ApiKey::parse(text).err().map(|fault| fault.to_string()),
    wallet_secret: |text| WalletSecret::parse(text).err().map(|fault| fault.to_string()),
    passphrase: |text| {
        let long_enough = Passphrase::from_text(text).is_some_and(|passphrase| passphrase.is_long_enough());
        (!long_enough).then(|| format!("{} characters or more; several words are best", Passphrase::MIN_CHARS))
    },
};

/// Executes the page's actions. The configuration is read again each time, as another program would find it.
fn action_handler(context: CommandContext, first_run: Arc<Mutex<FirstRunProfile>>) -> Arc<ActionHandler> {
    Arc::new(move |deed| {
        let mut first_run = first_run.lock().unwrap_or_else(PoisonError::into_inner);
        let with_error_text = |outcome: anyhow::Result<()>| outcome.map_err(|error| format!("{error:#}"));
        Some(match deed {
            SetupAction::AddProfile { name, base_url, environment } => {
                // The new profile replaces one that this page added before.
                let taken_back =
                    first_run.profile.take().map_or(Ok(()), |earlier| remove_added_profile(&context, &earlier));
                let added = taken_back.and_then(|()| add_profile(&context, &name, &base_url, environment));
                SetupResult::Added(with_error_text(added.map(|()| first_run.profile = Some(name))))
            }
            SetupAction::LookForKeyring => {
                SetupResult::Keyring(with_error_text(Keyring::default().check().map_err(Into::into)))
            }
            SetupAction::Store { key_store: place, api_key, wallet_secret, passphrase } => {
                let stored =
                    store_keys(&context, first_run.profile.as_deref(), place, api_key, wallet_secret, passphrase);
                SetupResult::Stored(with_error_text(stored.map(|vault| first_run.vault = Some(vault))))
            }
            SetupAction::UseEnvironment => {
                let name = first_run.profile.as_deref().unwrap_or_default();
                let written = context.config().map_err(anyhow::Error::from);
                SetupResult::Environment(with_error_text(
                    written.and_then(|config| Ok(config.set_key_storage(name, KeyStorage::Environment)?)),
                ))
            }
            SetupAction::Open | SetupAction::Demo | SetupAction::Quit => return None,
        })
    })
}

fn add_profile(context: &CommandContext, name: &str, base_url: &str, environment: Option<&str>) -> anyhow::Result<()> {
    let draft = NewProfile {
        name: name.to_owned(),
        base_url: BaseUrl::parse(base_url)?,
        network: Network::ALL.iter().find(|(word, _)| Some(*word) == environment).map(|(_, network)| *network),
        read_only: false,
        poll_seconds: None,
        probe_lists: true,
        ca_file: None,
        proxy: None,
        key_storage: None,
    };
    context.config()?.add_profile(&draft)?;
    Ok(())
}

fn remove_added_profile(context: &CommandContext, name: &str) -> anyhow::Result<()> {
    context.config()?.remove_profile(name)?;
    Ok(())
}

/// Probes the service with a key before it is stored, to detect swapped secrets and a mistyped address.
fn test_keys(profile: &Profile, api_key: &SecretString, wallet_secret: Option<&SecretString>) -> anyhow::Result<()> {
    let connection = profile.connection(api_key.clone(), Redaction::default())?;
    let reader = Reader::new(Connection { wallet_secret: wallet_secret.cloned(), ..connection })?;
    let answer = Builder::new_current_thread().enable_all().build()?.block_on(reader.probe()).outcome;
    match answer {
        Err(failure) if failure.reason == FailureReason::KeyRejected => anyhow::bail!(
            "the service rejected this API key ({}); is it the wallet secret? Nothing was saved",
            failure.detail
        ),
        // A key may lack the permission for this read, and a busy service has recognised it.
        Err(failure) if !matches!(failure.reason, FailureReason::Forbidden | FailureReason::Busy { .. }) => {
            anyhow::bail!(
                "{failure}. Nothing was saved; Esc goes back to the address, and `bursar key set` saves keys without testing them"
            )
        }
        _ => Ok(()),
    }
}

fn store_keys(
    context: &CommandContext,
    name: Option<&str>,
    key_store: KeyStoreKind,
    api_key: SecretString,
    wallet_secret: Option<SecretString>,
    passphrase: Option<SecretString>,
) -> anyhow::Result<Vault> {
    let mut overrides = context.overrides.clone();
    overrides.profile = name.map(str::to_owned);
    let config = Config::resolve(overrides, &context.environment)?;
    let profile = config.profile()?;
    test_keys(profile, &api_key, wallet_secret.as_ref())?;
    let keeper = match key_store {
        KeyStoreKind::Keyring => KeyStorage::Keyring,
        KeyStoreKind::File => KeyStorage::File,
    };
    let mut vault = config.vault_in(keeper, profile, &context.environment)?;
    if let Some(passphrase) = passphrase.and_then(Passphrase::from_text) {
        vault = vault.with_passphrase(passphrase);
    }
    vault.set_api_key(ApiKey::parse(api_key)?)?;
    if let Some(secret) = wallet_secret {
        vault.set_wallet_secret(WalletSecret::parse(secret)?)?;
    }
    config.set_key_storage(&profile.name, keeper)?;
    Ok(vault)
}
