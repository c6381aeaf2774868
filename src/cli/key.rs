//! `bursar key`: API keys and wallet secret of a profile, and the passphrase that unlocks paying there.

mod lock;

pub(super) use lock::payment_lock_text as lock_text;

use anyhow::{Context as _, bail};
use clap::Subcommand;
use secrecy::{ExposeSecret, SecretString};

use super::{CommandContext, Exit, output, passphrase, prompt};
use crate::api::BaseUrl;
use crate::config::{Config, ListenerSecretSource, Profile};
use crate::secrets::{
    ApiKey, KeyStorage, KeyStoreContent, KeyStoreFault, Keyring, ListenerSecret, SecretKind, Vault, WalletSecret,
    disable_core_dumps,
};

/// What may be done with keys.
#[derive(Debug, Subcommand)]
pub(super) enum KeyCommand {
    /// Store the API key and the wallet secret, or only the one named: typed at a prompt, or one per line on standard
    /// input
    ///
    /// The keys of a profile: api-key, for requests to the service; paying-api-key, a separate API key for requests
    /// that change something; wallet-secret, sent with requests that move money; listener-secret, with which webhooks
    /// are signed.
    Set {
        #[command(flatten)]
        which: SecretKindArguments,
        #[command(flatten)]
        storage: KeyStorageArguments,
    },
    /// Show where the keys are kept and whether each is set, never the keys themselves
    Status,
    /// Passphrase that unlocks paying, unless the keys are in a sealed file, whose own passphrase does so: set, remove
    #[command(subcommand)]
    Lock(lock::LockCommand),
    /// Remove all stored keys, or only the one named, as in `key remove api-key`
    Remove {
        #[command(flatten)]
        which: SecretKindArguments,
        #[command(flatten)]
        storage: KeyStorageArguments,
        /// Base address that the keys belong to, if the profile named with --profile is gone or has another address now
        #[arg(long, value_name = "URL")]
        base_url: Option<String>,
    },
}

/// Which of them, if somebody says so.
#[derive(Debug, clap::Args)]
pub(super) struct SecretKindArguments {
    /// api-key, paying-api-key, wallet-secret or listener-secret; if left out, set stores the API key and the wallet
    /// secret, and remove removes all keys
    // Parsed by the command: clap would repeat a key that was typed here by mistake.
    #[arg(value_name = "WHICH")]
    words: Vec<String>,
}

impl SecretKindArguments {
    fn secret_kind(&self) -> anyhow::Result<Option<SecretKind>> {
        let kind_of = |word: &str| SecretKind::TYPED_BY_HAND.into_iter().find(|which| which.cli_name() == word);
        match self.words.as_slice() {
            [] => Ok(None),
            [word] if kind_of(word).is_some() => Ok(kind_of(word)),
            _ => bail!(
                "write api-key, paying-api-key, wallet-secret, listener-secret or none of them; a key itself is never an \
                 argument, since shells store arguments and others can see them (if a key was given, replace it at the service)"
            ),
        }
    }
}

/// Where keys are kept, if somebody chooses.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
pub(super) struct KeyStorageArguments {
    /// Use the keyring of the operating system
    #[arg(long)]
    keyring: bool,
    /// Use a file sealed with a passphrase, for machines without a keyring
    #[arg(long)]
    file: bool,
}

impl KeyStorageArguments {
    fn chosen_storage(&self) -> Option<KeyStorage> {
        match (self.keyring, self.file) {
            (true, _) => Some(KeyStorage::Keyring),
            (_, true) => Some(KeyStorage::File),
            _ => None,
        }
    }
}

pub(super) fn run(context: &CommandContext, command: &KeyCommand) -> anyhow::Result<Exit> {
    disable_core_dumps();
    let config = context.config()?;
    match command {
        KeyCommand::Set { which, storage } => set_keys(context, &config, which.secret_kind()?, storage),
        KeyCommand::Status => print_key_status(context, &config),
        KeyCommand::Lock(command) => lock::run(context, &config, command),
        KeyCommand::Remove { which, storage, base_url } => {
            let base_url = base_url.as_deref().map(BaseUrl::parse).transpose().context("--base-url")?;
            remove_keys(context, &config, which.secret_kind()?, storage, base_url.as_ref())
        }
    }
}

fn set_keys(
    context: &CommandContext,
    config: &Config,
    which: Option<SecretKind>,
    storage: &KeyStorageArguments,
) -> anyhow::Result<Exit> {
    let profile = config.profile()?;
    let keeper = storage.chosen_storage().or(profile.key_storage).unwrap_or(KeyStorage::Keyring);
    if profile.is_from_environment() {
        bail!(
            "BURSAR_BASE_URL names this service, so its keys come from the environment; set BURSAR_API_KEY, or \
               add a profile with `bursar profile add`, unset BURSAR_BASE_URL, and run this again"
        );
    }
    if keeper == KeyStorage::Environment {
        bail!(
            "profile {} takes its keys from the environment; choose another place with --keyring or --file",
            profile.name
        );
    }
    let vault = config.vault_in(keeper, profile, &context.environment)?;
    // The keyring is tested before the operator types a key for it.
    if keeper == KeyStorage::Keyring {
        Keyring::default().check()?;
    }
    let vault = passphrase::prompt_new_passphrase_if_needed(vault)?;
    if which == Some(SecretKind::ListenerSecret) {
        return set_listener_secret(config, profile, &vault);
    }
    if which == Some(SecretKind::PayingApiKey) {
        return set_paying_key(config, profile, &vault);
    }
    let [api_key, wallet_secret] = prompt_secrets(which, vault.owner().to_string().as_str())?;
    let api_key = api_key.map(ApiKey::parse).transpose()?;
    let wallet_secret = wallet_secret.map(WalletSecret::parse).transpose()?;
    let (name, storage) = (&profile.name, storage_text(&vault));
    if let Some(key) = api_key {
        let mark = key.mark(MARK_PURPOSE);
        vault.set_api_key(key)?;
        output::print_line(&format!("the API key of {name} is kept in {storage} (mark {mark})"));
    }
    if let Some(secret) = wallet_secret {
        let mark = secret.mark(MARK_PURPOSE);
        vault.set_wallet_secret(secret)?;
        output::print_line(&format!("the wallet secret of {name} is kept in {storage} (mark {mark})"));
    } else if which.is_none() {
        output::print_line("no wallet secret was given; a wallet secret that was stored before stays");
    }
    if profile.key_storage != Some(keeper) {
        config.set_key_storage(name, keeper)?;
        if let Some(former) = profile.key_storage {
            output::print_line(&format!(
                "both are read from there from now on; the keys in the {} stay (bursar key remove --{0} removes them)",
                former.config_name()
            ));
        }
    }
    let option = if config.default_profile() == Some(name) { String::new() } else { format!(" --profile {name}") };
    output::print_line(&format!("next: bursar{option}"));
    Ok(Exit::Normally)
}

/// Stores a separate key for paying.
fn set_paying_key(config: &Config, profile: &Profile, vault: &Vault) -> anyhow::Result<Exit> {
    require_same_storage(profile, vault, "its paying API key")?;
    let key = ApiKey::parse_paying(prompt_secret(SecretKind::PayingApiKey, &vault.owner().to_string())?)?;
    if vault.content()?.api_key.is_some_and(|reading| reading.mark(MARK_PURPOSE) == key.mark(MARK_PURPOSE)) {
        bail!(
            "this is the API key that reads; the paying API key must be a different one, created at the service for changes only"
        );
    }
    let (name, mark) = (&profile.name, key.mark(MARK_PURPOSE));
    vault.set_paying_key(key)?;
    output::print_line(&format!("the paying API key of {name} is kept in {} (mark {mark})", storage_text(vault)));
    if !profile.separate_keys {
        config.set_separate_keys(name)?;
        output::print_line(
            "requests that change something use only this key from now on (separate_keys = true); the other key only reads",
        );
    }
    Ok(Exit::Normally)
}

/// Refuses another storage: the secrets of one profile are stored together.
fn require_same_storage(profile: &Profile, vault: &Vault, action: &str) -> anyhow::Result<()> {
    if profile.key_storage.unwrap_or(KeyStorage::Keyring) != vault.key_storage() {
        bail!(
            "the keys of {} are kept elsewhere; {action} is kept with them, so leave out --keyring and --file",
            profile.name
        );
    }
    Ok(())
}

/// Stores the secret of the profile's listener with its keys, and has the listener read it there.
fn set_listener_secret(config: &Config, profile: &Profile, vault: &Vault) -> anyhow::Result<Exit> {
    require_same_storage(profile, vault, "its listener's secret")?;
    let secret = ListenerSecret::parse(prompt_secret(SecretKind::ListenerSecret, &vault.owner().to_string())?)?;
    let (name, mark) = (&profile.name, secret.mark(MARK_PURPOSE));
    vault.set_listener_secret(secret)?;
    output::print_line(&format!("the listener secret of {name} is kept in {} (mark {mark})", storage_text(vault)));
    output::print_line(&match profile.listener.as_ref().map(|listener| &listener.secret_source) {
        Some(ListenerSecretSource::KeyStore) => "the listener reads the secret from there".to_owned(),
        Some(ListenerSecretSource::File(file)) => format!(
            "the listener still reads {}; to use the stored secret, write signed = true in place of secret_file",
            file.display()
        ),
        Some(ListenerSecretSource::None) => {
            config.require_listener_secret(name)?;
            "the listener accepts only signed webhooks from now on (signed = true)".to_owned()
        }
        None => {
            format!("the profile has no listener yet: add [profiles.{name}.listener] with address and signed = true")
        }
    });
    Ok(Exit::Normally)
}

fn prompt_secret(which: SecretKind, owner: &str) -> anyhow::Result<SecretString> {
    if prompt::is_interactive() {
        return prompt::read_secret(&format!("{which} of {owner} (not shown): "));
    }
    let [secret] = prompt::read_piped()?;
    Ok(secret)
}

/// Reads the requested secrets. The wallet secret may be empty where both are requested.
fn prompt_secrets(which: Option<SecretKind>, owner: &str) -> anyhow::Result<[Option<SecretString>; 2]> {
    let filled = |secret: SecretString| (!secret.expose_secret().is_empty()).then_some(secret);
    let is_interactive = prompt::is_interactive();
    Ok(match which {
        Some(which) => {
            let secret = prompt_secret(which, owner)?;
            if which == SecretKind::ApiKey { [Some(secret), None] } else { [None, Some(secret)] }
        }
        None if is_interactive => {
            let api_key = prompt::read_secret(&format!("API key of {owner} (not shown): "))?;
            // An invalid key is refused before the next question.
            let api_key = ApiKey::parse(api_key)?.into_secret();
            let wallet_secret = prompt::read_secret("wallet secret (not shown; Enter for none): ")?;
            [Some(api_key), filled(wallet_secret)]
        }
        None => {
            let [api_key, wallet_secret] = prompt::read_piped()?;
            [Some(api_key), filled(wallet_secret)]
        }
    })
}

/// The purpose of a displayed mark, so that it can be compared with no other mark.
const MARK_PURPOSE: &str = "shown to the operator";

fn print_key_status(context: &CommandContext, config: &Config) -> anyhow::Result<Exit> {
    let profile = config.profile()?;
    let vault = config.vault(profile, &context.environment)?;
    output::print_line(&format!("profile {}, {}", profile.display_name(), profile.base_url));
    for name in config.idle_variables(profile, &context.environment)? {
        output::print_line(&format!(
            "note: {name} is set but not used, because the keys are kept in {}",
            storage_text(&vault)
        ));
    }
    let vault = passphrase::prompt_passphrase_if_needed(vault)?;
    let KeyStoreContent { api_key, wallet_secret } = vault.content()?;
    let place = storage_text(&vault);
    let row = |which: SecretKind, mark: Option<String>| {
        let location_text = mark.map_or_else(|| format!("none in {place}"), |mark| format!("in {place} (mark {mark})"));
        vec![which.to_string(), location_text]
    };
    let mut rows = vec![
        row(SecretKind::ApiKey, api_key.as_ref().map(|key| key.mark(MARK_PURPOSE))),
        row(SecretKind::WalletSecret, wallet_secret.as_ref().map(|secret| secret.mark(MARK_PURPOSE))),
    ];
    if profile.listener.as_ref().is_some_and(|listener| listener.secret_source == ListenerSecretSource::KeyStore) {
        let secret = vault.listener_secret()?;
        rows.push(row(SecretKind::ListenerSecret, secret.map(|secret| secret.mark(MARK_PURPOSE))));
    }
    let paying = vault.paying_key()?;
    let lacks_paying = profile.separate_keys && paying.is_none();
    rows.push(match paying {
        None if !profile.separate_keys => {
            vec![SecretKind::PayingApiKey.to_string(), "not set: the API key also pays".into()]
        }
        paying => row(SecretKind::PayingApiKey, paying.map(|key| key.mark(MARK_PURPOSE))),
    });
    rows.push(vec!["lock".to_owned(), lock::payment_lock_text(profile, &vault)]);
    output::print_table(&rows);
    if lacks_paying {
        let fault = KeyStoreFault::NotSet {
            which: SecretKind::PayingApiKey,
            owner: vault.owner().clone(),
            keeper: vault.key_storage(),
        };
        output::print_line(&fault.to_string());
        return Ok(Exit::WithTrouble);
    }
    if api_key.is_some() {
        return Ok(Exit::Normally);
    }
    let fault =
        KeyStoreFault::NotSet { which: SecretKind::ApiKey, owner: vault.owner().clone(), keeper: vault.key_storage() };
    output::print_line(&fault.to_string());
    Ok(Exit::WithTrouble)
}

fn remove_keys(
    context: &CommandContext,
    config: &Config,
    which: Option<SecretKind>,
    storage: &KeyStorageArguments,
    base_url: Option<&BaseUrl>,
) -> anyhow::Result<Exit> {
    let former_profile;
    let profile = match (base_url, &context.overrides.profile) {
        (None, _) => config.profile()?,
        (Some(base_url), Some(name)) => {
            former_profile = Profile::new(name.clone(), base_url.clone());
            &former_profile
        }
        (Some(_), None) => bail!("--base-url needs --profile NAME, the profile that the keys belonged to"),
    };
    let keeper = match storage.chosen_storage() {
        Some(keeper) => keeper,
        None => config.key_storage(profile, &context.environment)?,
    };
    let vault = config.vault_in(keeper, profile, &context.environment)?;
    let (owner, storage) = (vault.owner().to_string(), storage_text(&vault));
    let (removed, label) = match which {
        Some(which) => (passphrase::prompt_passphrase_if_needed(vault)?.remove(which)?, format!("{which} of {owner}")),
        // The file's content is unknown without its passphrase, so the whole file is removed.
        None if keeper == KeyStorage::File => (vault.remove_all()?, format!("all keys of {owner}")),
        None => {
            let removed: Vec<String> = vault.remove_each()?.iter().map(ToString::to_string).collect();
            let keys = if removed.is_empty() { "any key".to_owned() } else { removed.join(", ") };
            (!removed.is_empty(), format!("{keys} of {owner}"))
        }
    };
    let outcome = if removed { "removed" } else { "not found" };
    output::print_line(&format!("{outcome}: {label}, from {storage}"));
    if which == Some(SecretKind::PayingApiKey) && profile.separate_keys {
        output::print_line(
            "no payment is possible without it: set another, or write separate_keys = false to have the API key pay as well",
        );
    }
    Ok(Exit::Normally)
}

fn storage_text(vault: &Vault) -> String {
    match (vault.key_storage(), vault.file()) {
        (KeyStorage::Keyring, _) => "the keyring".to_owned(),
        (_, Some(file)) => format!("the sealed file {}", file.path().display()),
        _ => "the environment".to_owned(),
    }
}
