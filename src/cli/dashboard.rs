//! `bursar` without a command: the dashboard on the service of a profile.

use std::path::PathBuf;

use anyhow::Context as _;

use super::watch::Duty;
use super::{Context, Ended, LogLevel, directory, first_run, logging, paying, unlock, watch};
use crate::api::Reader;
use crate::app::prices::PriceSettings;
use crate::app::{Identity, Settings};
use crate::config::ConfigError;
use crate::domain::Text;
use crate::secrets::{Vault, forgo_core_dumps};
use crate::store::{Opened, Place, Store, StoreError};

pub(super) fn run(context: &Context) -> anyhow::Result<Ended> {
    open(context, None)
}

/// The dashboard. `vault` has the keys of the profile, where somebody has unlocked it already.
pub(super) fn open(context: &Context, vault: Option<Vault>) -> anyhow::Result<Ended> {
    forgo_core_dumps();
    let config = context.config()?;
    let profile = match config.profile() {
        Ok(profile) => profile,
        Err(ConfigError::NoService { .. }) if first_run::is_possible() => {
            return first_run::run(context, &config, None);
        }
        Err(error) => return Err(error.into()),
    };
    let vault = match vault {
        Some(vault) => vault,
        None => unlock::known(config.vault(profile, &context.environment)?)?,
    };
    let keys = match vault.read() {
        Ok(keys) => keys,
        Err(fault) if first_run::is_possible() && first_run::helps_with(profile, &fault) => {
            return first_run::run(context, &config, Some(profile));
        }
        Err(fault) => return Err(fault.into()),
    };
    let _log = logging::to_file(&config.folders, context.log_level.unwrap_or(LogLevel::Warn))?;
    tracing::info!(profile = profile.name, base_url = %profile.base_url, "dashboard starts");
    for name in config.idle_variables(profile, &context.environment)? {
        tracing::warn!(name, keeper = vault.keeper().word(), "a variable is set and not used");
    }
    // Figures of one service must never be shown as another's, so each address has a cache of its own.
    let folder = config.folders.data()?.join(profile.cache_folder(&keys.api_key));
    let reads_under = Text::clean(&keys.api_key.mark(&profile.base_url.to_string()));
    let reader = Reader::new(profile.connection(keys.api_key.into_secret())?).context("cannot reach the service")?;
    // The journal is opened beside the cache: each waits for the disk, and the first picture for both.
    let (opened, paying) = std::thread::scope(|scope| {
        let paying = scope.spawn(|| paying::at_profile(context, &config, profile, vault, reads_under));
        let opened = cache(folder);
        (opened, paying.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let opened = opened?;
    let settings = Settings {
        identity: Identity {
            name: Text::clean(profile.title()),
            profile: Text::clean(&profile.name),
            environment: profile.network.map(|network| Text::clean(network.word())),
            demo: false,
            fault: None,
            base_url: Text::clean(&profile.base_url.to_string()),
        },
        period: profile.poll,
        probe_lists: profile.probe_lists,
        v1: profile.v1,
        theme: config.theme.into(),
        read_only: None,
        prices: PriceSettings {
            valuation: profile.valuation.as_deref().map(Text::clean),
            old_after: profile.quotes_old_after,
        },
    };
    let duty = Duty::of(profile)?;
    let effects = watch::effects(1)?;
    let store = opened.store;
    // A console that pays takes imports in by itself, together with what it made.
    if paying.is_err() {
        let (config, profile, store) = (config.clone(), profile.clone(), store.clone());
        effects.spawn_blocking(move || directory::learn_from_journal(&config, &profile, &store));
    }
    let ended = watch::watch(context, &effects, settings, reader, store.clone(), paying, duty);
    effects.shutdown_background();
    store.discard();
    ended
}

/// The cache of the service. While another console has it, one of its own is read anew and thrown away at the end: the
/// journal is what the two must share, and they do.
fn cache(folder: PathBuf) -> anyhow::Result<Opened> {
    let opened = match Store::open(&Place::Folder(folder)) {
        Err(StoreError::Locked { path }) => {
            tracing::info!(cache = %path.display(), "another console has the cache; this one reads anew");
            Store::open(&Place::Temporary)?
        }
        opened => opened?,
    };
    if let Some(notice) = &opened.notice {
        tracing::warn!(notice, "the cache starts empty");
    }
    Ok(opened)
}
