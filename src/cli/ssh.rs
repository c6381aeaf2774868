//! `bursar ssh`: the demo over SSH.

mod credential_files;
mod host_key;

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;

use super::logging::{self, LineLog};
use super::number_argument::whole_number_parser;
use super::scene;
use super::{CommandContext, Exit, LogLevel, appearance, veil};
use crate::domain::Text;
use crate::runtime::Clock;
use crate::service::{Pace, Sample, Scene, ready_file, wait_for_signal};
use crate::ssh::{Access, AccessFault, Host, Limits, Options, ReadKeys, Role, TimeLimits, WorkspaceOptions, start};

/// The most threads that block on caches and ledgers. Each has a stack, and the processor has few cores.
const MAX_BLOCKING_THREADS: usize = 32;

const HELP: &str = "\
Each visitor gets one session with a terminal: no commands, no files, no forwarding of any kind. Without a file of keys
and without a pass-phrase everybody may log in. User keys may be Ed25519 or ECDSA, also on a security key; not RSA.
The host key, by which visitors recognise this host, is created at the first start and kept in the data folder.

In the scene four-eyes, whoever logs in as demo has both keys, the maker's and the checker's. Two people who log in under
one name that begins with desk (desk, desk2, desk-lisbon) share a workspace: the first is the maker, the second the
checker, and a third is refused. Such a name is no secret: whoever knows it and may log in can take the vacant seat.";

/// What `bursar ssh` may be told.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(super) struct SshArguments {
    /// Address and port to listen on, only loopback without --public; port 0 takes a free port
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:2222",
          value_parser = |text: &str| super::address::parse_socket_address(text, 2222))]
    pub listen: SocketAddr,
    /// Let other machines connect
    #[arg(long)]
    pub public: bool,
    /// Admit everybody from other machines, without a key or a pass-phrase
    #[arg(long, requires = "public", conflicts_with_all = ["authorized_keys", "passphrase_file"])]
    pub open: bool,
    /// Admit holders of these keys, one per line as in OpenSSH; the file is re-read when it changes
    #[arg(long, value_name = "FILE")]
    pub authorized_keys: Option<PathBuf>,
    /// Admit those who know the pass-phrase in this file
    #[arg(long, value_name = "FILE")]
    pub passphrase_file: Option<PathBuf>,
    /// Holders of these keys may present: they log in as present, and spectators log in as watch
    #[arg(long, value_name = "FILE")]
    pub presenters: Option<PathBuf>,
    /// Those who know the pass-phrase in this file may present
    #[arg(long, value_name = "FILE")]
    pub present_passphrase_file: Option<PathBuf>,
    /// Ed25519 host key to use in place of the one in the data folder
    #[arg(long, value_name = "FILE")]
    pub host_key: Option<PathBuf>,
    /// Banner shown to everybody who connects, in place of the standard one
    #[arg(long, value_name = "FILE")]
    pub banner: Option<PathBuf>,
    /// Maximum number of visitors at once; others wait in the queue
    #[arg(long, value_name = "N", default_value = "50", value_parser = whole_number_parser::<u16>(1..=1000))]
    pub visitors: u16,
    /// Maximum number of visitors from one address
    #[arg(long, value_name = "N", default_value = "10", value_parser = whole_number_parser::<u16>(1..=1000))]
    pub per_address: u16,
    /// Maximum number of spectators while somebody presents, from any address
    #[arg(long, value_name = "N", default_value = "200", value_parser = whole_number_parser::<u16>(1..=1000))]
    pub watchers: u16,
    /// Time without a keypress after which a visit ends
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = parse_duration)]
    pub idle: Duration,
    /// Maximum length of a visit
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = parse_duration)]
    pub longest: Duration,
    /// Number of the sample business; the same number gives the same business
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole_number_parser::<u64>(0..))]
    pub seed: u64,
    /// How many transactions its history has when a visitor comes
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = whole_number_parser::<u64>(0..=100_000))]
    pub transactions: u64,
    /// Scene to show, the same each time for a seed: needs a business of 100 to 5000 transactions
    #[arg(long, value_name = "NAME", value_parser = scene::scene_name_parser())]
    pub scene: Option<Scene>,
    /// Speed of its activity, from 0.1 to 100
    #[arg(long, value_name = "X", default_value = "1", value_parser = super::pace_argument::parse_pace)]
    pub pace: Pace,
    /// Write address and fingerprint to this file once visitors can log in
    #[arg(long, value_name = "FILE")]
    pub ready_file: Option<PathBuf>,
}

impl SshArguments {
    /// An error message where the arguments do not go together.
    pub(super) fn check_combination(&self, read_only: bool) -> Result<(), String> {
        scene::check_scene_options(self.scene, self.transactions, read_only)
    }
}

/// Parses a duration within sane bounds.
fn parse_duration(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).ok();
    let sane = Duration::from_secs(10)..=Duration::from_hours(24);
    time.filter(|time| sane.contains(time)).ok_or_else(|| "write a time from 10s to 24h, as in 90s, 10m or 1h".into())
}

pub(super) fn run(context: &CommandContext, arguments: &SshArguments) -> anyhow::Result<Exit> {
    let (log, _written_at_the_end) = logging::log_lines_to_stderr(context.log_level.unwrap_or(LogLevel::Warn));
    let options = host_options(context, arguments, log)?;
    if let Some(path) = &arguments.ready_file {
        ready_file::check_path(path)?;
    }
    log_panics();
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.thread_name("host").max_blocking_threads(MAX_BLOCKING_THREADS).enable_all().build()?;
    runtime.block_on(async {
        // Signals are caught before the host is announced.
        let mut end = std::pin::pin!(wait_for_signal());
        let asked_already = end.as_mut().now_or_never().is_some();
        let host = start(options).await?;
        let announced = print_host_details(&host, arguments);
        if announced.is_ok() && !asked_already {
            end.await;
        }
        host.stop().await;
        announced
    })?;
    Ok(Exit::Normally)
}

fn host_options(context: &CommandContext, arguments: &SshArguments, log: LineLog) -> anyhow::Result<Options> {
    let host_key = host_key::load_or_create(context, arguments.host_key.as_deref())?;
    let overrides = context.overrides.clone();
    Ok(Options {
        listen: arguments.listen,
        public: arguments.public,
        open: arguments.open,
        host_key,
        access: login_access(arguments.authorized_keys.as_deref(), arguments.passphrase_file.as_deref())?
            .unwrap_or_else(Access::everybody),
        presenters: login_access(arguments.presenters.as_deref(), arguments.present_passphrase_file.as_deref())?
            .unwrap_or_else(Access::closed),
        banner: arguments.banner.as_deref().map(credential_files::read_credential_file).transpose()?,
        limits: Limits {
            visitors: usize::from(arguments.visitors),
            per_address: usize::from(arguments.per_address),
            spectators: usize::from(arguments.watchers),
            ..Limits::default()
        },
        time_limits: TimeLimits {
            idle_time_out: arguments.idle,
            max_visit: arguments.longest,
            ..TimeLimits::default()
        },
        appearance_for: Arc::new(move |term| appearance::visitor_appearance(&overrides, term)),
        workspace_options: WorkspaceOptions {
            sample: Sample { seed: arguments.seed, transactions: arguments.transactions },
            scene: arguments.scene,
            pace: arguments.pace,
            veiled: veil::is_veil_on(context, false),
            read_only: context.overrides.read_only,
        },
        on_event: Arc::new(move |event| log.write_line(Clock::System.now(), &event.to_string())),
    })
}

/// The access of key holders in a file, or by the pass-phrase in another; `None` where neither is named.
fn login_access(keys: Option<&Path>, passphrase: Option<&Path>) -> anyhow::Result<Option<Access>> {
    if keys.is_none() && passphrase.is_none() {
        return Ok(None);
    }
    let passphrase_secret = passphrase.map(credential_files::read_passphrase).transpose()?;
    let read_keys: Option<ReadKeys> = keys.map(|path| credential_files::authorized_keys_reader(path.to_owned()));
    Access::with_keys_or_passphrase(read_keys, passphrase_secret.as_ref()).map(Some).map_err(|fault| {
        let faulty_path = match fault {
            AccessFault::Unreadable(_) => None,
            AccessFault::InvalidLine { .. } | AccessFault::NoKeys => keys,
            AccessFault::Short => passphrase,
        };
        let fault = anyhow::Error::new(fault);
        faulty_path.map(|path| path.display().to_string()).into_iter().fold(fault, anyhow::Error::context)
    })
}

/// Prints the host's address, its fingerprint and how to log in.
fn print_host_details(host: &Host, arguments: &SshArguments) -> anyhow::Result<()> {
    let (address, fingerprint) = (host.address(), host.fingerprint());
    let mut out = io::stdout();
    writeln!(out, "listening on {address}")?;
    writeln!(out, "host key     {fingerprint} (Ed25519)")?;
    let name = if address.ip().is_unspecified() { host_name() } else { address.ip().to_string() };
    for (role, _) in Role::ALL.iter().filter(|(_, role)| role.is_served(host.roles())) {
        writeln!(out, "log in with  ssh -p {} {role}@{name}", address.port())?;
    }
    if let Some(path) = &arguments.ready_file {
        let host_details = serde_json::json!({ "address": address.to_string(), "fingerprint": fingerprint });
        ready_file::write(path, &host_details.to_string())?;
    }
    writeln!(out, "ready")?;
    Ok(out.flush()?)
}

fn host_name() -> String {
    Text::clean(&rustix::system::uname().nodename().to_string_lossy()).as_str().to_owned()
}

/// Logs panics: the terminals here are those of visitors.
fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let message = Text::clean(panic.payload_as_str().unwrap_or("no message"));
        tracing::error!("a panic at {place}: {message}");
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_said_of_the_file_in_which_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            #[cfg(unix)]
            std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
            path
        };
        let key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJdD7y3aLq454yWBdwLWbieU1ebz9/cu7/QEXn9OIeZJ";
        let (good, bad) = (file("good", key), file("bad", "slip"));
        let (long, short) = (file("long", "correct horse"), file("short", "seven77"));
        let outcome = |keys: &Path, passphrase_file: &Path| {
            login_access(Some(keys), Some(passphrase_file)).map(drop).map_err(|error| format!("{error:#}"))
        };
        assert_eq!(outcome(&good, &long), Ok(()));
        let wrong = outcome(&good, &short).unwrap_err();
        assert!(wrong.starts_with(&format!("{}: the pass-phrase is shorter", short.display())), "{wrong}");
        let wrong = outcome(&bad, &long).unwrap_err();
        assert!(wrong.starts_with(&format!("{}: line 1", bad.display())), "{wrong}");
        let missing_path = folder.path().join("gone");
        let wrong = outcome(&missing_path, &long).unwrap_err();
        assert_eq!(wrong.matches("gone").count(), 1, "{wrong}");
    }
}
