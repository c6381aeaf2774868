//! `bursar demo`: a living treasury, offline.

use super::{Context, Ended, logging};
use crate::service::Pace;

/// What `bursar demo` may be told.
#[derive(Debug, clap::Args)]
pub struct DemoArguments {
    /// Which sample business: the same number makes the same one
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many transactions its history has when the dashboard opens
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(0..=5_000_000))]
    pub transactions: u64,
    /// How fast it lives, from 0.1 to 100
    #[arg(long, value_name = "X", default_value = "1", value_parser = super::pace::read)]
    pub pace: Pace,
}

pub(super) fn run(context: &Context, arguments: &DemoArguments) -> anyhow::Result<Ended> {
    let config = context.config()?;
    // Throw-away means that nothing stays behind, so a log is written only if it is asked for.
    let _log = context.log_level.map(|level| logging::to_file(&config.folders, level)).transpose()?;
    tracing::info!(seed = arguments.seed, transactions = arguments.transactions, "demo starts");
    Ok(Ended::Normally)
}
