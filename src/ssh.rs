//! Serves the console over SSH: each visitor gets a full console on a sample treasury of their own; or, at a desk, on one
//! that a second visitor shares.
//!
//! ```text
//!   TCP ──▶ connection_limit ──▶ connection ──▶ russh ──▶ client_handler ──shell──▶ visit ──▶ session: queue, console
//!           counts               deadlines      packets   who, what                 │          │
//!                                                                                   │          └─ workspace: on loan
//!                             wire ◀── channel_writer ◀── frames ◀── run_program ──────┘
//! ```
//!
//! A visitor can reach only their workspace. This module reads no file, no variable and no keyring and starts no
//! process: host key, authorised keys and pass-phrase are passed in as values, before the first client is admitted. A
//! client gets one session with a terminal and a shell; every other request is refused.
//!
//! Guarantees: a client that does not read is owed one frame and delays nobody; a client that sends more than the
//! console takes is made to wait; a panic ends only its own visit; nothing of a connection outlives it.

mod access;
mod admission;
mod algorithms;
mod banner;
mod channel_writer;
mod client_event;
mod client_handler;
mod connection;
mod connection_limit;
mod desks;
mod detached;
mod handshake;
mod host_event;
mod host_key;
mod login_role;
mod password_throttle;
mod queue_page;
mod session;
mod session_log;
mod spectator;
mod time_limits;
mod transport;
mod visit;
mod visit_time_out;
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
pub use host_event::{EndReason, EventCallback, HostEvent, LoginName};
pub use host_key::{HostKey, HostKeyFault};
pub use login_role::{Role, ServedRoles};
pub use time_limits::TimeLimits;
pub use workspace::{WorkspaceError, WorkspaceOptions};

use crate::domain::Appearance;
use crate::runtime::Clock;
use crate::runtime::presentation::Presentation;
use crate::service::listen_error_advice;
use crate::terminal::Dialect;
use admission::Admission;
use connection_limit::ConnectionLimit;
use desks::Desks;
use detached::DetachedSessions;
use host_event::RateLimitedReport;
use password_throttle::PasswordThrottle;
use workspace::Workspaces;

/// Bytes in the kernel's buffers for each direction. Small, so that unread frames do not pile up there.
const SOCKET_BUFFER_BYTES: u32 = 32 * 1024;

const BACKLOG: u32 = 1_024;

/// How long accepting pauses after an error, such as no free file handle.
const ACCEPT_RETRY_PAUSE: Duration = Duration::from_millis(100);

/// The dialect and appearance for a terminal of this name.
pub type AppearanceFor = Arc<dyn Fn(&str) -> (Dialect, Appearance) + Send + Sync>;

pub struct Options {
    /// The address to listen on; port 0 picks a free port.
    pub listen: SocketAddr,
    /// Whether the host may be reached from other machines.
    pub public: bool,
    /// Whether clients on other machines are admitted without a key or a pass-phrase.
    pub open: bool,
    pub host_key: HostKey,
    /// Who may visit.
    pub access: Access,
    pub presenters: Access,
    /// Shown to every client before authentication; without one, a line on who is admitted.
    pub banner: Option<String>,
    pub limits: Limits,
    pub time_limits: TimeLimits,
    pub appearance_for: AppearanceFor,
    pub workspace_options: WorkspaceOptions,
    pub on_event: EventCallback,
}

#[derive(Debug, thiserror::Error)]
pub enum HostError {
    #[error("{0} can be reached from other machines; add --public, or listen at 127.0.0.1 or [::1]")]
    NotLoopback(SocketAddr),
    #[error(
        "{0} can be reached from other machines, and no key or pass-phrase is required; add --open, or give \
         --authorized-keys or --passphrase-file"
    )]
    NotOpen(SocketAddr),
    #[error("cannot listen on {address} ({cause}); {}", listen_error_advice(.cause))]
    Listen {
        address: SocketAddr,
        /// The system's error.
        cause: io::Error,
    },
    #[error(transparent)]
    Banner(#[from] BannerFault),
    #[error("visitors and presenters have the same pass-phrase, so that every visitor could present; choose two")]
    SamePassphrase,
    #[error(transparent)]
    Workspaces(#[from] WorkspaceError),
}

struct Shared {
    config: Arc<russh::server::Config>,
    access: Arc<Access>,
    presenters: Arc<Access>,
    roles: ServedRoles,
    /// The session that presents, and its spectators.
    presentation: Presentation,
    banner: Option<String>,
    connection_limit: Arc<ConnectionLimit>,
    password_throttle: Arc<PasswordThrottle>,
    /// Rate-limits the reports of clients that offered no accepted key.
    unknown_key_reports: Mutex<RateLimitedReport>,
    /// Rate-limits the reports of connections that ended before authentication.
    turned_away_reports: Mutex<RateLimitedReport>,
    visitor_admission: Arc<Admission>,
    /// The presenter's slot, which no visitor takes.
    presenter_admission: Arc<Admission>,
    desks: Arc<Desks>,
    detached: DetachedSessions,
    time_limits: TimeLimits,
    appearance_for: AppearanceFor,
    clock: Clock,
    workspaces: Workspaces,
    on_event: EventCallback,
    stop: CancellationToken,
    connections: TaskTracker,
}

/// A running host. Stopped by [`Host::stop`] or on drop.
pub struct Host {
    address: SocketAddr,
    fingerprint: String,
    shared: Arc<Shared>,
    accepting_task: JoinHandle<()>,
    stop: DropGuard,
}

/// Starts a host. It accepts visitors when this returns.
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
        time_limits,
        appearance_for,
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
    let roles = ServedRoles { presenter: !presenters.is_closed(), desk: furnishing.has_desks() };
    let banner = match banner {
        Some(banner_text) => banner::sanitise_banner(&banner_text)?,
        None => banner::default_banner(&access, roles),
    };
    let cannot_listen = |cause| HostError::Listen { address: listen, cause };
    let listener = bind_listener(listen).map_err(cannot_listen)?;
    let address = listener.local_addr().map_err(cannot_listen)?;
    let stop = CancellationToken::new();
    // The methods offered are narrowed once the login name is known.
    let mut methods = access.auth_methods();
    presenters.auth_methods().iter().for_each(|method| methods.push(*method));
    let shared = Arc::new(Shared {
        config: Arc::new(algorithms::server_config(&host_key, methods, &time_limits)),
        banner: Some(banner),
        access: Arc::new(access),
        presenters: Arc::new(presenters),
        roles,
        presentation: Presentation::default(),
        connection_limit: ConnectionLimit::new(limits),
        password_throttle: Arc::default(),
        unknown_key_reports: Mutex::default(),
        turned_away_reports: Mutex::default(),
        visitor_admission: Admission::new(limits.visitors),
        presenter_admission: Admission::new(1),
        desks: Arc::default(),
        detached: DetachedSessions::default(),
        time_limits,
        appearance_for,
        clock: Clock::System,
        workspaces: Workspaces::start(furnishing).await?,
        on_event: tell,
        stop: stop.clone(),
        connections: TaskTracker::new(),
    });
    let accepting = tokio::spawn(accept_connections(listener, Arc::clone(&shared)));
    Ok(Host {
        address,
        fingerprint: host_key.fingerprint(),
        shared,
        accepting_task: accepting,
        stop: stop.drop_guard(),
    })
}

impl Shared {
    fn lock_unknown_key_reports(&self) -> MutexGuard<'_, RateLimitedReport> {
        self.unknown_key_reports.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports a connection that ended before authentication, subject to rate-limiting.
    fn report_turned_away(&self, peer: SocketAddr, reason: &str) {
        let mut sparing = self.turned_away_reports.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(unreported_count) = sparing.report_unless_limited(self.clock.instant()) {
            (self.on_event)(HostEvent::TurnedAway { peer, reason: reason.to_owned(), unreported_count });
        }
    }
}

impl Host {
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The fingerprint of the host key: `SHA256:` and digits.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The roles that it serves besides the visitor's.
    pub fn roles(&self) -> ServedRoles {
        self.shared.roles
    }

    pub fn connection_count(&self) -> usize {
        self.shared.connection_limit.count()
    }

    /// Accepts no more connections, notifies every visitor, and ends their visits.
    pub async fn stop(self) {
        let Self { shared, accepting_task: accepting, stop, .. } = self;
        drop(stop);
        let _ended = accepting.await;
        shared.connections.close();
        if timeout(shared.time_limits.shutdown_time_out, shared.connections.wait()).await.is_err() {
            tracing::warn!(left = shared.connections.len(), "not every visit ended in time");
        }
        shared.detached.clear();
        if let Some(shared) = Arc::into_inner(shared) {
            shared.workspaces.stop().await;
        }
    }
}

/// A listening socket. Connections inherit the size of its buffers.
fn bind_listener(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A restarted host must not wait for the last connections of its predecessor.
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SOCKET_BUFFER_BYTES)?;
    socket.set_recv_buffer_size(SOCKET_BUFFER_BYTES)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

async fn accept_connections(listener: TcpListener, shared: Arc<Shared>) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = shared.stop.cancelled() => return,
        };
        match accepted {
            Ok((stream, peer)) => spawn_connection(&shared, stream, peer),
            Err(error) => {
                tracing::warn!(%error, "a connection cannot be accepted");
                tokio::time::sleep(ACCEPT_RETRY_PAUSE).await;
            }
        }
    }
}

/// Accepts a connection. Beyond the limit, an older unauthenticated connection is evicted.
fn spawn_connection(shared: &Arc<Shared>, stream: TcpStream, peer: SocketAddr) {
    let entry = shared.connection_limit.admit_connection(peer.ip());
    let _latency_only = stream.set_nodelay(true);
    shared.connections.spawn(connection::serve_connection(Arc::clone(shared), stream, peer, entry));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_cannot_be_had_says_once_why_and_which_would_do() {
        for (kind, expected) in [
            (io::ErrorKind::AddrInUse, "free port"),
            (io::ErrorKind::AddrNotAvailable, "that this machine has"),
            (io::ErrorKind::PermissionDenied, "1024"),
        ] {
            let error = HostError::Listen { address: SocketAddr::from(([127, 0, 0, 1], 22)), cause: kind.into() };
            assert!(std::error::Error::source(&error).is_none(), "it would be said twice");
            let message = error.to_string();
            assert!(message.contains(expected) && message.contains(&kind.to_string()), "{message}");
        }
    }
}
