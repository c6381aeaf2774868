//! `bursar` without a command: the dashboard on the service of a profile.

use anyhow::Context as _;

use super::{Context, Ended, LogLevel, logging};
use crate::api::Reader;

pub(super) fn run(context: &Context) -> anyhow::Result<Ended> {
    let config = context.config()?;
    let profile = config.profile()?;
    let key = config.api_key(profile, &context.environment)?;
    let reader = Reader::new(profile.connection(key.into_secret())).context("cannot reach the service")?;
    let _log = logging::to_file(&config.folders, context.log_level.unwrap_or(LogLevel::Warn))?;
    tracing::info!(profile = profile.name, base_url = %reader.base_url(), "dashboard starts");
    Ok(Ended::Normally)
}
