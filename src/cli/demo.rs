//! `bursar demo`: a sample business with activity, offline.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use anyhow::Context as _;

use super::number_argument::whole_number_parser;
use super::run_loop::DashboardExit;
use super::scene;
use super::{CommandContext, Exit, appearance, fault, logging, os_user, run_loop, veil};
use crate::domain::{ReadOnlyReason, Text};
use crate::journal::{self, Journal};
use crate::runtime::demo::{DemoClient, DemoCredentials, DemoSigner};
use crate::runtime::effect_runner::PayingDisabled;
use crate::service::{self, FailurePolicy, FaultPreset, Options, Pace, Sample, Scene, ServiceClock};
use crate::store::{CacheLocation, Store};

/// What `bursar demo` may be told.
#[derive(Debug, clap::Args)]
pub struct DemoArguments {
    /// Number of the sample business; the same number gives the same business
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole_number_parser::<u64>(0..))]
    pub seed: u64,
    /// How many transactions its history has when the dashboard opens
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = whole_number_parser::<u64>(0..=5_000_000))]
    pub transactions: u64,
    /// Speed of its activity, from 0.1 to 100
    #[arg(long, value_name = "X", default_value = "1", value_parser = super::pace_argument::parse_pace)]
    pub pace: Pace,
    /// Scene to show, the same each time for a seed: needs a business of 100 to 5000 transactions
    #[arg(long, value_name = "NAME", value_parser = scene::scene_name_parser(), conflicts_with = "fault")]
    pub scene: Option<Scene>,
    /// Fault of the service to simulate, to see how the console handles it; the header shows the fault
    #[arg(long, value_name = "NAME", value_parser = fault::fault_name_parser())]
    pub fault: Option<&'static FaultPreset>,
}

impl DemoArguments {
    /// An error message where the arguments do not go together.
    pub(super) fn check_combination(&self, read_only: bool) -> Result<(), String> {
        scene::check_scene_options(self.scene, self.transactions, read_only)
    }
}

/// The poll period: shorter than for a real service, since this one is local.
const POLL_PERIOD: Duration = Duration::from_secs(1);

/// How long the service may take to end. Its data is discarded in any case.
const SERVICE_SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

pub(super) fn run(context: &CommandContext, arguments: &DemoArguments) -> anyhow::Result<Exit> {
    let config = context.config()?;
    // A demo leaves nothing behind, so a log is written only on request.
    let _log = context.log_level.map(|level| logging::log_to_file(&config.folders, level)).transpose()?;
    tracing::info!(seed = arguments.seed, transactions = arguments.transactions, "demo starts");
    // The service runs beside the console.
    let effects = run_loop::effects_runtime(2)?;
    // The answers and the history of a faulty service would belie the orders of the past.
    let is_plain = context.overrides.read_only || arguments.fault.is_some();
    let scene = scene::scene_or_showcase(arguments.scene, arguments.transactions, is_plain);
    let options = Options {
        ledger_location: service::LedgerLocation::Temporary,
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        sample: Some(Sample { seed: arguments.seed, transactions: arguments.transactions }),
        scene,
        pace: arguments.pace,
        clock: ServiceClock::System,
        lively: true,
        with_lists: true,
        rate_limit: None,
        public: false,
        tls: None,
        chain_pace: None,
        webhooks: Vec::new(),
        failures_of_callers: FailurePolicy::Never,
        with_control: false,
        approvals: None,
    };
    let service = effects.block_on(service::start(options)).context("cannot start the embedded service")?;
    let mut props = service.scene_extras()?;
    let past_rates = props.as_mut().map(|props| std::mem::take(&mut props.seed.rates)).unwrap_or_default();
    let rules = arguments.fault.map(|fault| fault.rules.to_vec());
    if let Some(rules) = rules.or_else(|| props.as_ref().map(|props| props.rules.clone())) {
        tracing::info!(rules = rules.len(), "the service simulates faults");
        effects.block_on(service.set_faults(rules));
    }
    let credentials = service.credentials().context("the embedded service created no key")?;
    let keys =
        DemoCredentials { api_key: credentials.api_key.clone(), wallet_secret: credentials.wallet_secret.clone() };
    let demo = DemoClient::connect(service.base_url(), keys, POLL_PERIOD)?;
    let paying = if context.overrides.read_only {
        Err(PayingDisabled { reason: ReadOnlyReason::ByOption, journal: None })
    } else {
        let journal =
            Journal::open(&journal::JournalLocation::Temporary, os_user::console_identity(&context.environment))?
                .journal;
        Ok(match scene {
            Some(Scene::FourEyes) => demo.payment_context_of_four_eyes(journal, &DemoSigner::ALL),
            _ => demo.payment_context(journal),
        })
    };
    let mut settings = demo.settings(
        appearance::appearance_from_config(&config, &context.environment)?,
        veil::initial_veil(context, false),
    );
    settings.prices.past_rates = past_rates;
    settings.identity.fault = arguments.fault.map(|fault| Text::clean(fault.word));
    let store = Store::open(&CacheLocation::Temporary)?.store;
    let duty = scene::scene_dashboard_options(props);
    let exit = run_loop::run_dashboard(context, &effects, settings, demo.reader().clone(), store.clone(), paying, duty);
    // The terminal is the shell's again; stopping removes the temporary folders.
    let stopped = effects.block_on(async { tokio::time::timeout(SERVICE_SHUTDOWN_TIMEOUT, service.stop()).await });
    if !matches!(stopped, Ok(Ok(()))) {
        tracing::warn!("the embedded service did not end in time");
    }
    effects.shutdown_timeout(SERVICE_SHUTDOWN_TIMEOUT);
    store.remove_if_temporary();
    match exit? {
        DashboardExit::Exit(ended) => Ok(ended),
        DashboardExit::OpenProfile { profile, .. } => anyhow::bail!("the demo cannot open profile {profile}"),
    }
}
