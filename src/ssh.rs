//! Lends the console over SSH: whoever logs in gets it whole, on a sample treasury of their own.
//!
//! ```text
//!   TCP ──▶ doorway ──▶ connection ──▶ the library ──▶ guest ──shell──▶ visit ──▶ stay: line, then console
//!           counts      deadlines      keys, packets   who, what        │          │
//!                                                                       │          └─ workspace: lent, taken away
//!                          wire ◀── outlet ◀── frames ◀── runtime::run ─┘
//! ```
//!
//! What a visitor can reach is what they are lent. This room reads no file, no variable and no keyring and starts no
//! process: host key, authorised keys and pass-phrase come in as values, before anybody is let in. A client gets one
//! session with a terminal and a shell; whatever else it asks for is refused.
//!
//! It promises: a visitor who does not read is owed one frame and holds nobody up; one who sends more than the console
//! takes waits; a panic ends the visit in which it happened; and nothing of a connection outlives it.

mod access;
mod admission;
mod algorithms;
mod banner;
mod channel_writer;
mod client_handler;
mod connection;
mod connection_limit;
mod detached;
mod handshake;
mod host_event;
mod host_key;
mod page;
mod password_throttle;
mod role;
mod session;
mod session_log;
mod spectator;
mod step;
mod time_outs;
mod transport;
mod visit;
mod workspace;

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

pub use access::{Access, AccessFault, ReadKeys};
pub use banner::BannerFault;
pub use connection_limit::Limits;
pub use host_event::{EndReason, HostEvent, LoginName};
pub use host_key::{HostKey, HostKeyFault};
pub use role::Role;
pub use workspace::{WorkspaceError, WorkspaceOptions};

use crate::domain::Appearance;
use crate::runtime::presentation::Presentation;
use crate::runtime::{Clock, Dialect};
use crate::service::elsewhere;
use admission::Admission;
use connection_limit::ConnectionLimit;
use detached::DetachedSessions;
use host_event::RateLimitedReport;
use password_throttle::PasswordThrottle;
use workspace::Workspaces;

/// What the kernel holds of a connection each way, in bytes: what a visitor does not read must not pile up there.
const KERNEL: u32 = 32 * 1024;

/// How many connections wait to be accepted.
const BACKLOG: u32 = 1_024;

/// How long accepting pauses when the system has no file handle left.
const BREATH: Duration = Duration::from_millis(100);

/// How the screen of a terminal with this name is painted.
pub type AppearanceFor = Arc<dyn Fn(&str) -> (Dialect, Appearance) + Send + Sync>;

/// Takes in what is told of visitors.
pub type EventCallback = Arc<dyn Fn(HostEvent) + Send + Sync>;

/// How long things may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timing {
    /// For what a client does without its person: to begin, to say who wants in once keys are exchanged, and to ask for a
    /// shell once it was let in.
    pub arriving: Duration,
    /// Until somebody has shown who they are, from the first byte: a person reads a fingerprint and types a pass-phrase
    /// meanwhile.
    pub admission: Duration,
    /// Without a key.
    pub idle: Duration,
    /// A visit.
    pub longest: Duration,
    /// How long before one of these ends a visit it is said.
    pub warning: Duration,
    /// How long a refusal takes at least.
    pub refusal: Duration,
    /// How long a client may take to close its end.
    pub parting: Duration,
    /// How long nothing may be heard of a client, which is asked again and again meanwhile whether it is there.
    pub silence: Duration,
    /// How long visits may take to end when the host is stopped.
    pub shutdown_time_out: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            arriving: Duration::from_secs(15),
            admission: Duration::from_mins(2),
            idle: Duration::from_mins(10),
            longest: Duration::from_hours(1),
            warning: Duration::from_mins(1),
            refusal: Duration::from_secs(1),
            parting: Duration::from_secs(2),
            silence: Duration::from_mins(2),
            shutdown_time_out: Duration::from_secs(3),
        }
    }
}

/// How a host is started.
pub struct Options {
    /// Where it listens; port 0 takes any that is free.
    pub listen: SocketAddr,
    /// Whether it may be reached from other machines.
    pub public: bool,
    /// Whether everybody on other machines may come in, without a key or a pass-phrase.
    pub open: bool,
    /// The key by which it is known again.
    pub host_key: HostKey,
    /// Who is let in.
    pub access: Access,
    /// Who is let in to present.
    pub presenters: Access,
    /// What everybody is told who knocks; a line on who may come in, if nothing else.
    pub banner: Option<String>,
    /// How many are let in.
    pub limits: Limits,
    /// How long things may take.
    pub timing: Timing,
    /// How a terminal is painted.
    pub looks: AppearanceFor,
    /// What is lent.
    pub workspace_options: WorkspaceOptions,
    /// What is told of visitors.
    pub on_event: EventCallback,
}

/// Why a host does not start.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The address is reachable from other machines, and that was not asked for.
    #[error("{0} can be reached from other machines; add --public, or listen at 127.0.0.1 or [::1]")]
    NotLoopback(SocketAddr),
    /// Everybody could come in from there, and that was not asked for.
    #[error(
        "{0} can be reached from other machines, and no key or pass-phrase is required; add --open, or give \
         --authorized-keys or --passphrase-file"
    )]
    NotOpen(SocketAddr),
    /// The address cannot be listened on.
    #[error("cannot listen on {address} ({cause}); {}", elsewhere(.cause))]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        cause: io::Error,
    },
    /// Not all of the banner would be shown.
    #[error(transparent)]
    Banner(#[from] BannerFault),
    /// Whoever may visit could present.
    #[error("visitors and presenters have the same pass-phrase, so that every visitor could present; choose two")]
    SamePassphrase,
    /// Nothing can be lent.
    #[error(transparent)]
    Workspaces(#[from] WorkspaceError),
}

/// What all connections share.
struct Shared {
    config: Arc<russh::server::Config>,
    access: Arc<Access>,
    presenters: Arc<Access>,
    /// Where one presents and others look on.
    presentation: Presentation,
    banner: Option<String>,
    doorway: Arc<ConnectionLimit>,
    guesses: Arc<PasswordThrottle>,
    /// Tells of those who showed no key that is let in.
    keyless: Mutex<RateLimitedReport>,
    /// Tells of those who made room for others.
    turned_away: Mutex<RateLimitedReport>,
    seats: Arc<Admission>,
    /// The presenter's place, which no visitor takes.
    stage: Arc<Admission>,
    /// What presenters find again who lost their link.
    detached: DetachedSessions,
    timing: Timing,
    looks: AppearanceFor,
    clock: Clock,
    workspaces: Workspaces,
    tell: EventCallback,
    stop: CancellationToken,
    connections: TaskTracker,
}

/// A host that runs until it is stopped or dropped.
pub struct Host {
    address: SocketAddr,
    fingerprint: String,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
    stop: DropGuard,
}

/// Starts a host. It lets visitors in when this returns.
pub async fn start(options: Options) -> Result<Host, HostError> {
    let Options {
        listen,
        public,
        open,
        host_key,
        access,
        presenters,
        banner,
        limits,
        timing,
        looks,
        workspace_options: furnishing,
        on_event: tell,
    } = options;
    if !listen.ip().is_loopback() && !public {
        return Err(HostError::NotLoopback(listen));
    }
    if !listen.ip().is_loopback() && access.is_open() && !open {
        return Err(HostError::NotOpen(listen));
    }
    if access.shares_passphrase_with(&presenters) {
        return Err(HostError::SamePassphrase);
    }
    let banner = match banner {
        Some(words) => banner::sanitise_banner(&words)?,
        None => banner::default_banner(&access, !presenters.is_shut()),
    };
    let cannot_listen = |cause| HostError::Listen { address: listen, cause };
    let listener = listener(listen).map_err(cannot_listen)?;
    let address = listener.local_addr().map_err(cannot_listen)?;
    let stop = CancellationToken::new();
    // Which of them apply is said for each name once it is known.
    let mut methods = access.methods();
    presenters.methods().iter().for_each(|method| methods.push(*method));
    let shared = Arc::new(Shared {
        config: Arc::new(algorithms::config(&host_key, methods, &timing)),
        banner: Some(banner),
        access: Arc::new(access),
        presenters: Arc::new(presenters),
        presentation: Presentation::default(),
        doorway: ConnectionLimit::new(limits),
        guesses: Arc::default(),
        keyless: Mutex::default(),
        turned_away: Mutex::default(),
        seats: Admission::new(limits.visitors),
        stage: Admission::new(1),
        detached: DetachedSessions::default(),
        timing,
        looks,
        clock: Clock::System,
        workspaces: Workspaces::start(furnishing).await?,
        tell,
        stop: stop.clone(),
        connections: TaskTracker::new(),
    });
    let accepting = tokio::spawn(accept(listener, Arc::clone(&shared)));
    Ok(Host { address, fingerprint: host_key.fingerprint(), shared, accepting, stop: stop.drop_guard() })
}

impl Shared {
    fn keyless(&self) -> MutexGuard<'_, RateLimitedReport> {
        self.keyless.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells of a connection that ended before anybody was let in over it, unless too many do.
    fn turned_away(&self, peer: SocketAddr, why: &str) {
        let mut sparing = self.turned_away.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(unsaid) = sparing.next(self.clock.instant()) {
            (self.tell)(HostEvent::TurnedAway { peer, why: why.to_owned(), unsaid });
        }
    }
}

impl Host {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What tells its key from others, as `SHA256:` and digits.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// How many connections there are.
    pub fn connections(&self) -> usize {
        self.shared.doorway.count()
    }

    /// Lets nobody in any more, has every visitor told so, and ends their visits.
    pub async fn stop(self) {
        let Self { shared, accepting, stop, .. } = self;
        drop(stop);
        let _ended = accepting.await;
        shared.connections.close();
        if timeout(shared.timing.shutdown_time_out, shared.connections.wait()).await.is_err() {
            tracing::warn!(left = shared.connections.len(), "not every visit ended in time");
        }
        shared.detached.clear();
        if let Some(shared) = Arc::into_inner(shared) {
            shared.workspaces.stop().await;
        }
    }
}

/// A socket that listens. Connections inherit the size of its buffers.
fn listener(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A host that is started again must not wait for the last connections of the one before.
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(KERNEL)?;
    socket.set_recv_buffer_size(KERNEL)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = shared.stop.cancelled() => return,
        };
        match accepted {
            Ok((stream, peer)) => receive(&shared, stream, peer),
            Err(error) => {
                tracing::warn!(%error, "a connection cannot be accepted");
                tokio::time::sleep(BREATH).await;
            }
        }
    }
}

/// Takes a connection in, in place of an older one of a stranger where there are too many.
fn receive(shared: &Arc<Shared>, stream: TcpStream, peer: SocketAddr) {
    let entry = shared.doorway.enter(peer.ip());
    let _latency_only = stream.set_nodelay(true);
    shared.connections.spawn(connection::serve(Arc::clone(shared), stream, peer, entry));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_cannot_be_had_says_once_why_and_which_would_do() {
        for (kind, words) in [
            (io::ErrorKind::AddrInUse, "free port"),
            (io::ErrorKind::AddrNotAvailable, "that this machine has"),
            (io::ErrorKind::PermissionDenied, "1024"),
        ] {
            let error = HostError::Listen { address: SocketAddr::from(([127, 0, 0, 1], 22)), cause: kind.into() };
            assert!(std::error::Error::source(&error).is_none(), "it would be said twice");
            let said = error.to_string();
            assert!(said.contains(words) && said.contains(&kind.to_string()), "{said}");
        }
    }
}
