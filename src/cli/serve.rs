//! `bursar serve`: the embedded service alone.

mod approvals;
mod check;
mod key;

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use anyhow::Context as _;

use super::number_argument::whole_number_parser;
use super::{CommandContext, Exit, LogLevel, logging};
use crate::service::{
    FailurePolicy, FaultPreset, LedgerLocation, Options, Pace, Sample, ServeOptions, ServiceClock, TlsFiles,
    WebhookUrl, serve, wait_for_signal,
};

/// Transactions of a new sample business by default.
const DEFAULT_TRANSACTIONS: u64 = 400;

/// What `bursar serve` may be told.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct ServeArguments {
    #[command(subcommand)]
    pub command: Option<ServeCommand>,
    /// Folder of the service's ledger and keys; created if it does not exist
    #[arg(long, value_name = "DIR", required = true)]
    pub data: Option<PathBuf>,
    /// Address and port to listen on, only loopback without --public; port 0 takes a free port
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8460", value_parser = |text: &str| super::address::parse_socket_address(text, 8460))]
    pub listen: SocketAddr,
    /// Create the sample business with this number in an empty folder
    #[arg(long, value_name = "N", value_parser = whole_number_parser::<u64>(0..))]
    pub seed: Option<u64>,
    /// How many transactions the history of that business has
    #[arg(long, value_name = "N", requires = "seed", value_parser = whole_number_parser::<u64>(0..=5_000_000))]
    pub transactions: Option<u64>,
    /// Speed of the chains and of the sample business, from 0.1 to 100
    #[arg(long, value_name = "X", default_value = "1", value_parser = super::pace_argument::parse_pace)]
    pub pace: Pace,
    /// Let other machines reach the service, which requires a certificate
    #[arg(long, requires = "tls_cert")]
    pub public: bool,
    /// Use TLS with this certificate, in PEM, followed by its intermediate certificates
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// The private key of the certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// Block time of Ethereum, as in 500ms or 12s; other chains in proportion [default: by the pace]
    #[arg(long, value_name = "TIME", value_parser = super::pace_argument::parse_block_time)]
    pub block_time: Option<Pace>,
    /// Write the log as JSON, one object a line
    #[arg(long)]
    pub log_json: bool,
    /// Write base address, key and wallet secret to this file once the service answers
    #[arg(long, value_name = "FILE")]
    pub ready_file: Option<PathBuf>,
    /// Serve the lists of accounts, wallets and users, which the specification does not have
    #[arg(long)]
    pub with_lists: bool,
    /// Fault to simulate, to see how a client handles it
    #[arg(long, value_name = "NAME", value_parser = super::fault::fault_name_parser())]
    pub fault: Option<&'static FaultPreset>,
    /// Which payments that callers send fail on their chains
    #[arg(long, value_enum, value_name = "WHICH", default_value = "none")]
    pub failures: Failures,
    /// Accept control requests, on test networks only: deposits, the clock, failures to come, webhooks again, a reset
    #[arg(long)]
    pub control: bool,
    /// Reject requests with one key beyond this number per second
    #[arg(long, value_name = "N", value_parser = whole_number_parser(NonZeroU32::MIN..))]
    pub rate_limit: Option<NonZeroU32>,
    /// Send webhooks to this address for deposits, withdrawals and swaps that succeed; may be given several times
    #[arg(long, value_name = "URL")]
    pub webhook: Vec<WebhookUrl>,
    #[command(flatten)]
    pub approvals: approvals::ApprovalOptions,
}

/// Which payments of callers fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Failures {
    /// None
    None,
    /// One in some dozens, by chance
    Some,
    /// All
    All,
}

impl Failures {
    fn policy(self) -> FailurePolicy {
        match self {
            Self::None => FailurePolicy::Never,
            Self::Some => FailurePolicy::ById,
            Self::All => FailurePolicy::Always,
        }
    }
}

/// What can be done with a service's folder beside serving it.
#[derive(Debug, clap::Subcommand)]
pub(super) enum ServeCommand {
    /// Create, list and revoke the keys of a service, whether it is running or not
    #[command(subcommand)]
    Key(key::ServiceKeyCommand),
    /// Verify a service's ledger, whether the service is running or not
    Check {
        /// Folder of the service's ledger and keys
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
        /// Accept ledger and keys as they are, so that a service starts with them again in spite of all findings
        #[arg(long)]
        accept: bool,
    },
}

pub(super) fn run(context: &CommandContext, arguments: &ServeArguments) -> anyhow::Result<Exit> {
    // All files created from here on, by any part of the program, are accessible to their owner alone.
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    let level = context.log_level.unwrap_or(LogLevel::Warn);
    if arguments.log_json {
        logging::log_to_stderr_as_json(level);
    } else {
        logging::log_to_stderr(level);
    }
    if let Some(command) = &arguments.command {
        return match command {
            ServeCommand::Key(command) => key::run(command),
            ServeCommand::Check { data, accept } => check::run_ledger_check(data, *accept),
        };
    }
    let data = arguments.data.clone().context("name the folder of the service with --data")?;
    if data.exists() && !data.is_dir() {
        anyhow::bail!("{} is not a folder; name one with --data", data.display());
    }
    tracing::info!(listen = %arguments.listen, data = %data.display(), "service starts");
    if !arguments.listen.ip().is_loopback() && !arguments.public {
        anyhow::bail!(
            "{} can be reached from other machines; add --public, or use a loopback address, as in 127.0.0.1:8460",
            arguments.listen.ip()
        );
    }
    let tls = arguments.tls_cert.clone().zip(arguments.tls_key.clone());
    let tls = tls.map(|(certificate, key)| TlsFiles { certificate, key });
    let service = Options {
        ledger_location: LedgerLocation::Folder(data),
        listen: arguments.listen,
        sample: arguments
            .seed
            .map(|seed| Sample { seed, transactions: arguments.transactions.unwrap_or(DEFAULT_TRANSACTIONS) }),
        scene: None,
        pace: arguments.pace,
        clock: if arguments.control { ServiceClock::movable() } else { ServiceClock::System },
        lively: arguments.seed.is_some(),
        with_lists: arguments.with_lists,
        rate_limit: arguments.rate_limit,
        webhooks: arguments.webhook.clone(),
        public: arguments.public,
        tls,
        chain_pace: arguments.block_time,
        failures_of_callers: arguments.failures.policy(),
        with_control: arguments.control,
        approvals: arguments.approvals.read()?,
    };
    let options = ServeOptions { service, ready_file: arguments.ready_file.clone(), fault: arguments.fault };
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(serve(options, std::io::stdout(), wait_for_signal()))?;
    Ok(Exit::Normally)
}
