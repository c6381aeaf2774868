//! Accepts connections: limits, time-outs, TLS, shutdown.

use std::convert::Infallible;
use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use super::auth::PeerAddress;
use super::connection_slots::{ConnectionSlot, ConnectionSlots};
use super::middleware::Dispatcher;

/// Connections served at once. One more closes the connection that has been idle longest.
const MAX_CONNECTIONS: usize = 512;
/// Length of the system's accept queue.
const BACKLOG: u32 = 1024;
/// Time for a request's header. It includes the pause between two requests, so it is longer than the 90 s for which
/// common clients keep an idle connection: the client, which knows its intentions, closes first.
const HEADER_TIME_OUT: Duration = Duration::from_mins(2);
/// Time for a TLS handshake.
const TLS_HANDSHAKE_TIME_OUT: Duration = Duration::from_secs(10);
/// Time for requests under way to end when the service stops.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(5);
/// Attempts to bind the port again, and the pause between two. A process that is just being started holds a copy of the
/// closed listener until it runs its own program.
const REBIND_ATTEMPTS: usize = 100;
const REBIND_PAUSE: Duration = Duration::from_millis(10);

/// A listener that can be shut and reopened on the same port.
#[derive(Debug, Clone)]
pub(in crate::service) struct HttpListener {
    address: SocketAddr,
    commands: mpsc::Sender<ListenerCommand>,
}

/// A command to the accepting task, which replies with the number of connections it cut.
#[derive(Debug)]
enum ListenerCommand {
    Shut(oneshot::Sender<usize>),
    Open(oneshot::Sender<usize>),
}

enum PortState {
    Open(TcpListener),
    /// Bound but not listening: the system refuses connections, and no other process can take the port.
    Shut(TcpSocket),
    /// The port could not be bound again; the next `Open` retries.
    Lost,
}

impl HttpListener {
    /// Serves a listener's connections until `stop`. The task ends with the last connection.
    pub(in crate::service) fn open(
        listener: TcpListener,
        tls: Option<TlsAcceptor>,
        dispatcher: Dispatcher,
        stop: CancellationToken,
    ) -> std::io::Result<(Self, tokio::task::JoinHandle<()>)> {
        let address = listener.local_addr()?;
        let (orders, receiver) = mpsc::channel(1);
        let task = tokio::spawn(accept_connections(address, listener, tls, dispatcher, receiver, stop));
        Ok((Self { address, commands: orders }, task))
    }

    pub(in crate::service) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Refuses new connections and cuts existing ones. Returns how many were cut.
    pub(in crate::service) async fn shut(&self) -> usize {
        self.send_command(ListenerCommand::Shut).await
    }

    pub(in crate::service) async fn reopen(&self) {
        self.send_command(ListenerCommand::Open).await;
    }

    async fn send_command(&self, order: impl FnOnce(oneshot::Sender<usize>) -> ListenerCommand) -> usize {
        let (done, answer) = oneshot::channel();
        if self.commands.send(order(done)).await.is_err() {
            return 0;
        }
        answer.await.unwrap_or(0)
    }
}

/// Binds an address. Connections wait in the queue until [`HttpListener::open`] serves them.
pub(in crate::service) fn bind_listener(address: SocketAddr) -> std::io::Result<TcpListener> {
    bind_socket(address)?.listen(BACKLOG)
}

fn bind_socket(address: SocketAddr) -> std::io::Result<TcpSocket> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // Without this the port stays blocked for a minute after its connections were cut.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

/// Binds an address that this process has just given up.
async fn rebind(address: SocketAddr) -> std::io::Result<TcpSocket> {
    for _ in 1..REBIND_ATTEMPTS {
        match bind_socket(address) {
            Err(error) if error.kind() == ErrorKind::AddrInUse => sleep(REBIND_PAUSE).await,
            bound => return bound,
        }
    }
    bind_socket(address)
}

async fn accept_connections(
    address: SocketAddr,
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    dispatcher: Dispatcher,
    mut orders: mpsc::Receiver<ListenerCommand>,
    stop: CancellationToken,
) {
    let places = ConnectionSlots::new(MAX_CONNECTIONS);
    let mut connections = JoinSet::new();
    let mut waiting = None;
    let mut port = PortState::Open(listener);
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            Some(order) = orders.recv() => match order {
                ListenerCommand::Shut(done) => {
                    waiting = None;
                    port = match port {
                        PortState::Shut(socket) => PortState::Shut(socket),
                        // Close the listener first: two sockets share a port only while neither listens.
                        open_or_lost => {
                            drop(open_or_lost);
                            rebind(address).await.map_or(PortState::Lost, PortState::Shut)
                        }
                    };
                    let cut = connections.len();
                    connections.shutdown().await;
                    let _asker_left = done.send(cut);
                }
                ListenerCommand::Open(done) => {
                    port = match port {
                        PortState::Open(listener) => PortState::Open(listener),
                        PortState::Shut(socket) => listen_on_socket(Ok(socket)),
                        PortState::Lost => listen_on_socket(rebind(address).await),
                    };
                    let _asker_left = done.send(0);
                }
            },
            (arrival, place) = next_connection(&port, &places, &mut waiting) => {
                connections.spawn(accept_tls_and_serve(arrival, tls.clone(), dispatcher.clone(), place, stop.clone()));
            }
            Some(_ended) = connections.join_next() => {}
        }
    }
    drop(port);
    while connections.join_next().await.is_some() {}
}

fn listen_on_socket(socket: std::io::Result<TcpSocket>) -> PortState {
    match socket.and_then(|socket| socket.listen(BACKLOG)) {
        Ok(listener) => PortState::Open(listener),
        Err(error) => {
            tracing::error!(%error, "the port cannot be opened again");
            PortState::Lost
        }
    }
}

/// A connection and the address of its peer.
type IncomingConnection = (TcpStream, IpAddr);

/// The next connection and its slot.
///
/// A slot is taken only for a connection that exists, since taking it may close an idle one. A connection that waits
/// for a slot is in `waiting`, so that it is not lost when `select!` drops this future.
async fn next_connection(
    port: &PortState,
    places: &Arc<ConnectionSlots>,
    waiting: &mut Option<IncomingConnection>,
) -> (IncomingConnection, ConnectionSlot) {
    let PortState::Open(listener) = port else { return std::future::pending().await };
    loop {
        if waiting.is_some() {
            let place = places.acquire().await;
            if let Some(arrival) = waiting.take() {
                return (arrival, place);
            }
        }
        match listener.accept().await {
            Ok((stream, peer)) => *waiting = Some((stream, peer.ip())),
            Err(error) => {
                // Mostly out of file descriptors: some will be freed.
                tracing::warn!(%error, "a connection could not be accepted");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// Performs the TLS handshake, if TLS is on, and serves the connection.
async fn accept_tls_and_serve(
    (stream, from): IncomingConnection,
    tls: Option<TlsAcceptor>,
    dispatcher: Dispatcher,
    slot: ConnectionSlot,
    stop: CancellationToken,
) {
    // Responses are written whole; waiting to fill a packet would only delay them.
    let _slower_at_worst = stream.set_nodelay(true);
    let Some(tls) = tls else { return serve_connection(stream, from, dispatcher, slot, stop).await };
    let shaken = tokio::select! {
        shaken = timeout(TLS_HANDSHAKE_TIME_OUT, tls.accept(stream)) => shaken,
        () = slot.close.cancelled() => return,
        () = stop.cancelled() => return,
    };
    match shaken {
        Ok(Ok(stream)) => serve_connection(stream, from, dispatcher, slot, stop).await,
        Ok(Err(error)) => tracing::debug!(%error, "a connection did not complete the TLS handshake"),
        Err(_elapsed) => tracing::debug!("a connection took too long for the TLS handshake"),
    }
}

pub(super) async fn serve_connection(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    from: IpAddr,
    dispatcher: Dispatcher,
    slot: ConnectionSlot,
    stop: CancellationToken,
) {
    let (slot, dispatcher) = (&slot, &dispatcher);
    let answer = |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(PeerAddress(from));
        async move {
            let _busy = slot.mark_busy();
            // Boxed, so that an idle connection holds no memory for it.
            Ok::<_, Infallible>(Box::pin(dispatcher.handle(request)).await)
        }
    };
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIME_OUT)
        .max_buf_size(64 * 1024)
        .serve_connection(TokioIo::new(stream), service_fn(answer));
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        ended = connection.as_mut() => return log_connection_error(ended),
        () = slot.close.cancelled() => {}
        () = stop.cancelled() => {}
    }
    // A request that has just arrived is still answered.
    connection.as_mut().graceful_shutdown();
    match timeout(SHUTDOWN_GRACE, connection).await {
        Ok(ended) => log_connection_error(ended),
        Err(_elapsed) => tracing::warn!("a connection was closed: it did not end in time"),
    }
}

fn log_connection_error(ended: Result<(), hyper::Error>) {
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}
