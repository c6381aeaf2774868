//! `bursar` without a command: the dashboard on the service of a profile.

use anyhow::Context as _;

use super::{Context, Ended, LogLevel, logging, unlock, watch};
use crate::api::Reader;
use crate::app::{Identity, Settings};
use crate::domain::Text;
use crate::secrets::forgo_core_dumps;
use crate::store::{Place, Store};

pub(super) fn run(context: &Context) -> anyhow::Result<Ended> {
    let config = context.config()?;
    let profile = config.profile()?;
    forgo_core_dumps();
    let vault = unlock::known(config.vault(profile, &context.environment)?)?;
    let keys = vault.read()?;
    let _log = logging::to_file(&config.folders, context.log_level.unwrap_or(LogLevel::Warn))?;
    tracing::info!(profile = profile.name, base_url = %profile.base_url, "dashboard starts");
    // Figures of one service must never be shown as another's, so each address has a cache of its own.
    let folder = config.folders.data()?.join(profile.cache_folder(&keys.api_key));
    let reader = Reader::new(profile.connection(keys.api_key.into_secret())?).context("cannot reach the service")?;
    let opened = Store::open(&Place::Folder(folder))?;
    if let Some(notice) = opened.notice {
        tracing::warn!(notice, "the cache starts empty");
    }
    let settings = Settings {
        identity: Identity {
            name: Text::clean(profile.title()),
            environment: profile.network.map(|network| Text::clean(network.word())),
            demo: false,
            fault: None,
            base_url: Text::clean(&profile.base_url.to_string()),
        },
        period: profile.poll,
        probe_lists: profile.probe_lists,
        theme: config.theme.into(),
    };
    let effects = watch::effects()?;
    let ended = watch::watch(context, &effects, settings, reader, opened.store);
    effects.shutdown_background();
    ended
}
