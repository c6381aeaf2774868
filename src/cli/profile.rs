//! `bursar profile`: the configured services, by name.

mod earlier_base_urls;

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::{Subcommand, ValueEnum};

use super::number_argument::whole_number_parser;
use super::{CommandContext, Exit, output, prompt};
use crate::api::{BaseUrl, ProxyAddress};
use crate::config::{Config, ConfigError, NewProfile, Profile};
use crate::domain::{Network, Policy};
use crate::secrets::KeyStorage;

/// What may be done with profiles.
#[derive(Debug, Subcommand)]
pub(super) enum ProfileCommand {
    /// Add a profile to config.toml; with --read-only, a profile that can change nothing
    Add(Box<AddArguments>),
    /// List the profiles; the default profile is marked
    List,
    /// Show every setting of a profile
    Show {
        /// Name of the profile; the default profile if left out
        #[arg(value_name = "NAME")]
        name: Option<String>,
    },
    /// Make a profile the default, which `bursar` opens
    Use {
        /// Which
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// List the base addresses that a profile had, or record whether one of them leads to the same service
    Address(earlier_base_urls::AddressArguments),
    /// Remove a profile from config.toml
    Remove {
        /// Which
        #[arg(value_name = "NAME")]
        name: String,
        /// Also remove its API key and wallet secret
        #[arg(long)]
        with_keys: bool,
    },
}

/// What a new profile is.
#[derive(Debug, clap::Args)]
pub(super) struct AddArguments {
    /// Name of the profile: letters, digits, - and _
    #[arg(value_name = "NAME")]
    name: String,
    /// Base address of the service, without a version, as in `https://api.example.com`; asked for if left out
    // Parsed by the command: clap would repeat a password in it.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Environment of the service: mainnet is real money, testnet is not
    #[arg(long, value_enum)]
    environment: Option<Network>,
    /// PEM file of the service's certificate authority; no other authority is then trusted
    #[arg(long, value_name = "PATH")]
    ca_file: Option<PathBuf>,
    /// Proxy for connections to the service, as in `http://proxy.example.com:3128`
    #[arg(long, value_name = "URL")]
    proxy: Option<String>,
    /// Poll period for what is on screen, in seconds
    #[arg(long, value_name = "N", value_parser = whole_number_parser::<u16>(1..=3600))]
    poll_seconds: Option<u16>,
    /// Do not request lists of accounts, wallets and users, which not every service has
    #[arg(long)]
    no_probe_lists: bool,
    /// Where its keys are kept [default: where `bursar key set` puts them]
    #[arg(long, value_enum)]
    secrets: Option<KeyStorage>,
}

impl ValueEnum for Network {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Mainnet, Self::Testnet]
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.name()))
    }
}

impl ValueEnum for KeyStorage {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Keyring, Self::File, Self::Environment]
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.config_name()))
    }
}

pub(super) fn run(context: &CommandContext, command: ProfileCommand) -> anyhow::Result<Exit> {
    let config = context.config()?;
    match command {
        ProfileCommand::Add(arguments) => add_profile(context, &config, *arguments),
        ProfileCommand::List => print_profiles(context, &config),
        ProfileCommand::Show { name } => print_profile(context, name),
        ProfileCommand::Use { name } => {
            let edited = config.set_default_profile(&name)?;
            output::print_line(&format!("{name} is now the default profile ({})", edited.path.display()));
            Ok(Exit::Normally)
        }
        ProfileCommand::Address(arguments) => earlier_base_urls::run(context, arguments),
        ProfileCommand::Remove { name, with_keys } => remove_profile(context, &config, &name, with_keys),
    }
}

fn add_profile(context: &CommandContext, config: &Config, arguments: AddArguments) -> anyhow::Result<Exit> {
    let base_url = match arguments.base_url {
        Some(base_url) => BaseUrl::parse(&base_url).context("--base-url")?,
        None if prompt::is_interactive() => {
            BaseUrl::parse(&prompt::read_line("Base address of the service, as in https://api.example.com: ")?)?
        }
        None => bail!("the base address is missing; give it with --base-url, as in --base-url https://api.example.com"),
    };
    let draft = NewProfile {
        name: arguments.name,
        base_url,
        network: arguments.environment,
        read_only: context.overrides.read_only,
        poll_seconds: arguments.poll_seconds,
        probe_lists: !arguments.no_probe_lists,
        // The file may be read from another working directory.
        ca_file: arguments.ca_file.map(std::path::absolute).transpose()?,
        proxy: arguments.proxy.as_deref().map(ProxyAddress::parse).transpose().context("--proxy")?,
        key_storage: arguments.secrets,
    };
    let edited = config.add_profile(&draft)?;
    let name = &draft.name;
    output::print_line(&format!("profile {name} is added to {}", edited.path.display()));
    if draft.network.is_none() {
        output::print_line(
            "note: the profile does not set mainnet or testnet; add environment = \"mainnet\" or \"testnet\" there",
        );
    }
    let is_default = edited.default.as_ref() == Some(name) || config.default_profile() == Some(name);
    let option = if is_default { String::new() } else { format!(" --profile {name}") };
    match draft.key_storage {
        Some(KeyStorage::Environment) => output::print_line("next: set BURSAR_API_KEY in the environment"),
        Some(KeyStorage::File) => output::print_line(&format!("next: bursar key set --file{option}")),
        Some(KeyStorage::Keyring) | None => output::print_line(&format!("next: bursar key set{option}")),
    }
    output::print_line(&format!("then: bursar{option}"));
    if !is_default {
        output::print_line(&format!("or make it the default profile: bursar profile use {name}"));
    }
    Ok(Exit::Normally)
}

fn print_profiles(context: &CommandContext, config: &Config) -> anyhow::Result<Exit> {
    if config.profiles.is_empty() && config.invalid_profiles.is_empty() {
        output::print_line("there is no profile yet; add one with: bursar profile add NAME --base-url URL");
        return Ok(Exit::Normally);
    }
    let default = config.default_profile();
    let row = |profile: &Profile| {
        let mark = if default == Some(profile.name.as_str()) { "*" } else { " " };
        let network = profile.network.map_or("environment not set", Network::name);
        let keeper = config.key_storage(profile, &context.environment)?;
        let mut row = vec![format!("{mark} {}", profile.name), profile.base_url.to_string(), network.to_owned()];
        row.push(format!("keys: {}", keeper.config_name()));
        row.extend(config.is_read_only(profile).then(|| "read-only".to_owned()));
        Ok(row)
    };
    let rows: Result<Vec<_>, ConfigError> = config.profiles.iter().map(row).collect();
    output::print_table(&rows?);
    for (name, fault) in &config.invalid_profiles {
        output::print_line(&format!("  {name} cannot be used: {fault}"));
    }
    Ok(if config.invalid_profiles.is_empty() { Exit::Normally } else { Exit::WithTrouble })
}

fn print_profile(context: &CommandContext, name: Option<String>) -> anyhow::Result<Exit> {
    let mut overrides = context.overrides.clone();
    overrides.profile = name.or(overrides.profile);
    let config = Config::resolve(overrides, &context.environment)?;
    let profile = config.profile()?;
    // Options and the environment override two of them.
    let settings = Profile {
        read_only: config.is_read_only(profile),
        key_storage: Some(config.key_storage(profile, &context.environment)?),
        ..profile.clone()
    };
    let row = |key: &str, value: String| vec![key.to_owned(), value];
    let mut rows = vec![row("name", profile.name.clone())];
    rows.extend(settings.setting_rows().into_iter().map(|(key, value)| row(key, value)));
    rows.extend(profile.watches.iter().map(|watch| row("watch", watch.summary())));
    rows.extend(policy_rows(&profile.policy).into_iter().map(|(key, value)| row(&format!("policy.{key}"), value)));
    for (key, _, value) in profile.wire.clone().profile_entries() {
        rows.push(row(&format!("wire.{key}"), value.clone()));
    }
    output::print_table(&rows);
    Ok(Exit::Normally)
}

fn policy_rows(policy: &Policy) -> Vec<(&'static str, String)> {
    let not_set = || "not set".to_owned();
    let cooling = policy.cooling.map_or_else(not_set, |time| humantime::format_duration(time).to_string());
    let share = |share: u16| format!("{}.{:02}%", share / 100, share % 100);
    let mut rows = vec![
        ("allow_list", policy.allow_list_only.to_string()),
        ("cooling", cooling),
        ("swap_bound", policy.slippage.map_or_else(not_set, share)),
    ];
    if policy.limits.is_empty() {
        rows.push(("limit", not_set()));
    }
    rows.extend(policy.limits.iter().map(|limit| ("limit", limit.to_string())));
    rows
}

fn remove_profile(context: &CommandContext, config: &Config, name: &str, with_keys: bool) -> anyhow::Result<Exit> {
    let profile = config.profiles.iter().find(|profile| profile.name == name);
    if config.invalid_profiles.iter().any(|(faulty, _)| faulty == name) {
        anyhow::ensure!(
            !with_keys,
            "the errors in profile {name} hide where its keys are; correct them first, or leave out --with-keys"
        );
    }
    // The keys go first: without the profile their owner would be unknown.
    let mut keys = None;
    if let Some(profile) = profile {
        let keeper = config.key_storage(profile, &context.environment)?;
        if with_keys && keeper != KeyStorage::Environment {
            let removed = config.vault(profile, &context.environment)?.remove_all()?;
            keys = Some(if removed { "its keys are removed" } else { "it had no keys" }.to_owned());
        } else if keeper == KeyStorage::Environment {
            keys = Some("its keys came from the environment, where they are still set".to_owned());
        } else {
            let place = if keeper == KeyStorage::File { " --file" } else { "" };
            keys = Some(format!(
                "its keys stay, if it had any; to remove them: bursar key remove{place} --profile {name} --base-url {}",
                profile.base_url
            ));
        }
    }
    let removed = config.remove_profile(name)?;
    output::print_line(&format!("profile {name} is removed from {}", removed.path.display()));
    output::print_line(keys.as_deref().unwrap_or("its keys stay, if it had any"));
    output::print_line("the data read from its service and its record of orders stay in the data folder");
    if removed.was_default {
        match removed.remaining.as_slice() {
            [] => output::print_line("there is no profile left"),
            [only] => output::print_line(&format!("{only} is now the default profile")),
            several => output::print_line(&format!(
                "it was the default profile; choose another with: bursar profile use NAME (there are {})",
                several.join(", ")
            )),
        }
    }
    Ok(Exit::Normally)
}
