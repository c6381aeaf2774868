//! `bursar` without a command: the dashboard on the service of a profile.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use tracing_appender::non_blocking::WorkerGuard;
use uuid::Uuid;

use super::run_loop::{DashboardExit, DashboardOptions};
use super::{
    CommandContext, Exit, LogLevel, appearance, directory, first_run, logging, passphrase, payment_context, run_loop,
    veil,
};
use crate::api::Reader;
use crate::app::data::prices::PriceSettings;
use crate::app::session::profile_switch::OtherProfile;
use crate::app::{ProfileIdentity, Settings};
use crate::config::{Config, ConfigError, Environment, Profile};
use crate::domain::{FinalStatuses, Network, Text, Zone};
use crate::runtime::HostPermission;
use crate::runtime::clock::{Clock, local_zone};
use crate::runtime::profile_file::ProfileFile;
use crate::secrets::{Vault, disable_core_dumps};
use crate::store::{CacheLocation, OpenedStore, Store, StoreError};

pub(super) fn run(context: &CommandContext) -> anyhow::Result<Exit> {
    open_dashboard(context, None)
}

/// How long the tasks of a profile may take to end when another profile is opened. Their runtime then ends, and they
/// with it.
const TASK_SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// Runs the dashboard on one profile after the other. `vault` has the keys of the first, if it is unlocked already.
pub(super) fn open_dashboard(context: &CommandContext, vault: Option<Vault>) -> anyhow::Result<Exit> {
    disable_core_dumps();
    let mut visit = Dashboard { context: context.clone(), vault, notice: None, log: None };
    let mut before: Option<CommandContext> = None;
    loop {
        match visit.run() {
            Ok(exit) => match exit? {
                DashboardExit::Exit(ended) => return Ok(ended),
                DashboardExit::OpenProfile { profile, theme } => {
                    before = Some(visit.context.clone());
                    visit.context.overrides.theme = Some(theme);
                    let profile_name = (*profile != *Profile::ENVIRONMENT_NAME).then(|| profile.to_string());
                    visit.context.overrides.profile = profile_name;
                }
            },
            // If a profile cannot be opened, the previous one is opened again, with a notice of the reason.
            Err(error) => {
                let Some(context) = before.take() else { return Err(error) };
                let name = visit.context.overrides.profile.as_deref().unwrap_or(Profile::ENVIRONMENT_NAME);
                visit.notice = Some(format!("profile {name} was not opened: {error:#}"));
                visit.context = context;
            }
        }
    }
}

/// A profile to open, and what is carried from one profile to the next: only the log.
struct Dashboard {
    context: CommandContext,
    vault: Option<Vault>,
    notice: Option<String>,
    log: Option<WorkerGuard>,
}

impl Dashboard {
    /// Shows the dashboard of the profile until it is left. The inner error is why it could not be opened. Everything
    /// opened for it has ended when this returns.
    fn run(&mut self) -> anyhow::Result<anyhow::Result<DashboardExit>> {
        let (vault, notice) = (self.vault.take(), self.notice.take());
        let context = &self.context;
        let config = context.config()?;
        let profile = match config.profile() {
            Ok(profile) => profile,
            Err(ConfigError::NoService { .. }) if first_run::has_terminal() => {
                return Ok(first_run::run_welcome_page(context, &config, None).map(DashboardExit::Exit));
            }
            Err(error) => return Err(error.into()),
        };
        let vault = match vault {
            Some(vault) => vault,
            None if veil::is_veil_on(context, profile.veil) => {
                passphrase::prompt_passphrase_without_owner(config.vault(profile, &context.environment)?)?
            }
            None => passphrase::prompt_passphrase_if_needed(config.vault(profile, &context.environment)?)?,
        };
        let keys = match vault.keys() {
            Ok(keys) => keys,
            Err(fault) if first_run::has_terminal() && first_run::can_fix_key_fault(profile, &fault) => {
                return Ok(first_run::run_welcome_page(context, &config, Some(profile)).map(DashboardExit::Exit));
            }
            Err(fault) => return Err(fault.into()),
        };
        if self.log.is_none() {
            self.log = Some(logging::log_to_file(&config.folders, context.log_level.unwrap_or(LogLevel::Warn))?);
        }
        tracing::info!(profile = profile.name, base_url = %profile.base_url, "dashboard starts");
        for name in config.idle_variables(profile, &context.environment)? {
            tracing::warn!(
                name,
                keeper = vault.key_storage().config_name(),
                "an environment variable is set but not used"
            );
        }
        // Data of one service must never be shown as another's, so each address has a cache of its own.
        let folder = config.folders.create_data_folder()?.join(profile.cache_folder(&keys.api_key));
        let final_statuses = profile.final_statuses();
        let reads_under = Text::clean(&keys.api_key.mark(&profile.base_url.to_string()));
        let connection = profile.connection(keys.api_key.into_secret(), vault.redaction())?;
        // The first frame waits for all of this, mostly for the disk: the cache is opened in parallel with the journal.
        // Its thread is joined even where the rest fails, so that the cache is closed before anything else is opened.
        let opening = thread::spawn(move || open_cache(folder, final_statuses));
        let others = || {
            let settings = dashboard_settings(context, &config, profile, &vault)?;
            let duty = DashboardOptions { notice, ..DashboardOptions::from_profile(profile, &vault)? };
            let reader = Reader::new(connection).context("cannot reach the service")?;
            let effects = run_loop::effects_runtime(2)?;
            let paying = payment_context::payment_context_for_profile(context, &config, profile, vault, reads_under);
            anyhow::Ok((settings, duty, reader, effects, paying))
        };
        let others = others();
        let opened = opening
            .join()
            .map_err(|_panic| anyhow::anyhow!("opening the cache failed because of a fault in bursar"))?;
        let store = opened?.store;
        let (settings, duty, reader, effects, paying) = others?;
        // A console that pays syncs imports by itself, together with what it created.
        if paying.is_err() {
            let (config, profile, store) = (config.clone(), profile.clone(), store.clone());
            effects.spawn_blocking(move || directory::sync_recorded_imports(&config, &profile, &store));
        }
        let profile_file = ProfileFile::new(&HostPermission::for_local_operator(), &config, profile);
        let duty = DashboardOptions { profile_file, ..duty };
        let exit = run_loop::run_dashboard(context, &effects, settings, reader, store.clone(), paying, duty);
        match &exit {
            // Reads under way own the key and the cache: they end before anything else is opened.
            Ok(DashboardExit::OpenProfile { .. }) => effects.shutdown_timeout(TASK_SHUTDOWN_TIMEOUT),
            _ => effects.shutdown_background(),
        }
        store.remove_if_temporary();
        Ok(exit)
    }
}

pub(super) fn dashboard_settings(
    context: &CommandContext,
    config: &Config,
    profile: &Profile,
    vault: &Vault,
) -> anyhow::Result<Settings> {
    let environment = &context.environment;
    Ok(Settings {
        identity: ProfileIdentity {
            name: Text::clean(profile.display_name()),
            profile: Text::clean(&profile.name),
            environment: profile.network,
            demo: false,
            fault: None,
            demo_role: None,
            base_url: Text::clean(&profile.base_url.to_string()),
        },
        preferences: profile.preferences.clone(),
        zone: if profile.local_time { local_zone(Clock::System.now()) } else { Zone::default() },
        appearance: appearance::appearance_from_config(config, environment)?,
        profiles: other_profiles(config, profile, environment)?,
        read_only: None,
        prices: PriceSettings {
            past_rates: Vec::new(),
            valuation: profile.valuation.as_deref().map(Text::clean),
            old_after: profile.quote_max_age,
        },
        veil: veil::initial_veil(context, profile.veil),
        lock: payment_context::lock_settings(config, profile, vault),
        seed: Uuid::new_v4().as_u64_pair().0,
    })
}

/// The cache of the service. While another console has it open, a temporary one is read from the service: the two
/// consoles must share only the journal, and they do.
pub(super) fn open_cache(folder: PathBuf, final_statuses: FinalStatuses) -> anyhow::Result<OpenedStore> {
    let opened = match Store::open_with_final_statuses(&CacheLocation::Folder(folder), final_statuses.clone()) {
        Err(StoreError::Locked { path }) => {
            tracing::info!(cache = %path.display(), "another console uses the cache; this console reads the history again");
            Store::open_with_final_statuses(&CacheLocation::Temporary, final_statuses)?
        }
        opened => opened?,
    };
    if let Some(notice) = &opened.notice {
        tracing::warn!(notice, "the cache starts empty");
    }
    // The journal takes longer to open: meanwhile the first look-ups of a console are read into memory. An error here
    // occurs there again, and is reported there.
    let store = &opened.store;
    let _at_hand = (store.progress(), store.newest_rows_synced_at(), store.accounts());
    Ok(opened)
}

/// The profiles that can be opened without leaving the program: those of the file, and the one from the environment.
fn other_profiles(config: &Config, open: &Profile, environment: &Environment) -> anyhow::Result<Vec<OtherProfile>> {
    let neighbour = |name: &str, place: &str, network: Option<Network>| OtherProfile {
        name: Text::clean(name),
        destination: Text::clean(&format!("{place} ({})", network.map_or("environment not set", Network::name))),
    };
    let others = config.profiles.iter().filter(|profile| profile.name != open.name);
    let mut profiles: Vec<OtherProfile> =
        others.map(|profile| neighbour(&profile.name, &profile.base_url.to_string(), profile.network)).collect();
    if let Some(base_url) = environment.text("BURSAR_BASE_URL")?.filter(|_| !open.is_from_environment()) {
        profiles.push(neighbour(Profile::ENVIRONMENT_NAME, &base_url, None));
    }
    Ok(profiles)
}
