//! Accepts connections: how many, how long, and how they end.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::auth::Peer;

/// How many connections are served at once. Those beyond wait in the system's queue.
const CONNECTIONS: usize = 256;
/// How many connections the system's queue holds.
const BACKLOG: u32 = 1024;
/// How long a connection may take to send a request's header. The time between two requests counts, so this is longer
/// than the 90 s for which common clients keep an idle connection: the client, who can know, closes first.
const HEADER: Duration = Duration::from_mins(2);
/// How long requests under way may take to end when the service stops.
const GRACE: Duration = Duration::from_secs(5);

/// A door that can be shut and opened again on the same port.
#[derive(Debug, Clone)]
pub(in crate::service) struct Door {
    address: SocketAddr,
    orders: mpsc::Sender<Order>,
}

/// What the accepting task is told, and where it says that it is done, with the number of connections it cut.
#[derive(Debug)]
enum Order {
    Shut(oneshot::Sender<usize>),
    Open(oneshot::Sender<usize>),
}

/// What stands on the port.
enum Port {
    Open(TcpListener),
    /// Bound and not listening: the system refuses connections, and nobody else can take the port.
    Shut(TcpSocket),
    /// Neither could be had; opening tries again.
    Lost,
}

impl Door {
    /// Serves what connects to a listener until `stop`. The handle ends when the last connection has.
    pub(in crate::service) fn open(
        listener: TcpListener,
        router: Router,
        stop: CancellationToken,
    ) -> std::io::Result<(Self, tokio::task::JoinHandle<()>)> {
        let address = listener.local_addr()?;
        let (orders, receiver) = mpsc::channel(1);
        let task = tokio::spawn(accept(address, listener, router, receiver, stop));
        Ok((Self { address, orders }, task))
    }

    /// Where it listens.
    pub(in crate::service) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Refuses connections from now on and cuts those that stand. Says how many were cut.
    pub(in crate::service) async fn shut(&self) -> usize {
        self.order(Order::Shut).await
    }

    /// Takes connections again, on the same port.
    pub(in crate::service) async fn reopen(&self) {
        self.order(Order::Open).await;
    }

    async fn order(&self, order: impl FnOnce(oneshot::Sender<usize>) -> Order) -> usize {
        let (done, answer) = oneshot::channel();
        if self.orders.send(order(done)).await.is_err() {
            return 0;
        }
        answer.await.unwrap_or(0)
    }
}

/// Takes an address. What connects from now on waits until a door serves it.
pub(in crate::service) fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    bound(address)?.listen(BACKLOG)
}

fn bound(address: SocketAddr) -> std::io::Result<TcpSocket> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // Without this a port stays closed for a minute after its connections were cut.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

async fn accept(
    address: SocketAddr,
    listener: TcpListener,
    router: Router,
    mut orders: mpsc::Receiver<Order>,
    stop: CancellationToken,
) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut connections = JoinSet::new();
    let mut port = Port::Open(listener);
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            Some(order) = orders.recv() => match order {
                Order::Shut(done) => {
                    // The listener goes first: two sockets share a port only while neither listens.
                    drop(port);
                    port = bound(address).map_or(Port::Lost, Port::Shut);
                    let cut = connections.len();
                    connections.shutdown().await;
                    let _asker_left = done.send(cut);
                }
                Order::Open(done) => {
                    port = match port {
                        Port::Open(listener) => Port::Open(listener),
                        Port::Shut(socket) => opened(Ok(socket)),
                        Port::Lost => opened(bound(address)),
                    };
                    let _asker_left = done.send(0);
                }
            },
            (arrival, place) = next(&port, &places) => {
                let router = router.clone();
                let stop = stop.clone();
                connections.spawn(async move {
                    serve(arrival, router, stop).await;
                    drop(place);
                });
            }
            Some(_ended) = connections.join_next() => {}
        }
    }
    drop(port);
    while connections.join_next().await.is_some() {}
}

fn opened(socket: std::io::Result<TcpSocket>) -> Port {
    match socket.and_then(|socket| socket.listen(BACKLOG)) {
        Ok(listener) => Port::Open(listener),
        Err(error) => {
            tracing::error!(%error, "the port cannot be opened again");
            Port::Lost
        }
    }
}

/// A connection and where it comes from.
type Arrival = (TcpStream, IpAddr);

/// The next connection and its place among those served at once.
async fn next(port: &Port, places: &Arc<Semaphore>) -> (Arrival, Option<tokio::sync::OwnedSemaphorePermit>) {
    let Port::Open(listener) = port else { return std::future::pending().await };
    let place = Arc::clone(places).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => return ((stream, peer.ip()), place),
            Err(error) => {
                // Out of file descriptors, mostly: some will come free.
                tracing::warn!(%error, "a connection could not be accepted");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

async fn serve((stream, from): Arrival, router: Router, stop: CancellationToken) {
    // Answers are written whole; waiting to fill a packet would only delay them.
    let _slower_at_worst = stream.set_nodelay(true);
    let answer = |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(Peer(from));
        router.clone().oneshot(request)
    };
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER)
        .max_buf_size(64 * 1024)
        .serve_connection(TokioIo::new(stream), service_fn(answer));
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        ended = connection.as_mut() => note(ended),
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            match timeout(GRACE, connection).await {
                Ok(ended) => note(ended),
                Err(_elapsed) => tracing::warn!("a connection was cut: it did not end in time"),
            }
        }
    }
}

fn note(ended: Result<(), hyper::Error>) {
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}
