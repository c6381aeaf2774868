//! Stands between a client and a service and cuts their connections, at any byte of either side.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Where the connections from now on are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// Nowhere.
    Nowhere,
    /// After so many bytes of what the client says went on to the service.
    Request(usize),
    /// After so many bytes of what the service says, its header included, went on to the client.
    Answer(usize),
}

/// The proxy, until it is dropped.
pub(super) struct Proxy {
    pub(super) base_url: String,
    state: Arc<ProxyState>,
    task: tokio::task::JoinHandle<()>,
}

struct ProxyState {
    service: String,
    cut: Mutex<Cut>,
    /// Bytes that went on over the last connection, to the service and back.
    bytes_passed: [AtomicUsize; 2],
    cuts: AtomicUsize,
}

impl Proxy {
    /// A proxy before the service at an address.
    pub(super) async fn before(base_url: &str) -> Self {
        let service = base_url.strip_prefix("http://").unwrap().to_owned();
        let (cut, bytes_passed, cuts) = (Mutex::new(Cut::Nowhere), Default::default(), AtomicUsize::new(0));
        let state = Arc::new(ProxyState { service, cut, bytes_passed, cuts });
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let sharing = Arc::clone(&state);
        let task = tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                tokio::spawn(pass(client, Arc::clone(&sharing)));
            }
        });
        Self { base_url, state, task }
    }

    /// Says where connections are cut that are made from now on.
    pub(super) fn cuts(&self, cut: Cut) {
        *self.state.cut.lock().unwrap() = cut;
    }

    /// How many bytes went on over the last connection, to the service and back.
    pub(super) fn bytes_passed(&self) -> (usize, usize) {
        let [to_service, from_service] = &self.state.bytes_passed;
        (to_service.load(Ordering::SeqCst), from_service.load(Ordering::SeqCst))
    }

    /// How many connections were cut.
    pub(super) fn cut_count(&self) -> usize {
        self.state.cuts.load(Ordering::SeqCst)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn pass(mut client: TcpStream, state: Arc<ProxyState>) {
    let cut = *state.cut.lock().unwrap();
    let mut service = TcpStream::connect(&state.service).await.unwrap();
    let (request, answer) = match cut {
        Cut::Nowhere => (None, None),
        Cut::Request(bytes) => (Some(bytes), None),
        Cut::Answer(bytes) => (None, Some(bytes)),
    };
    for byte_count in &state.bytes_passed {
        byte_count.store(0, Ordering::SeqCst);
    }
    let (from_client, to_client) = client.split();
    let (from_service, to_service) = service.split();
    // Both streams are dropped, and with them the connections, as soon as either side has come to its cut or its end.
    tokio::select! {
        transfer = carry(from_client, to_service, request, &state, 0) => drop(transfer),
        transfer = carry(from_service, to_client, answer, &state, 1) => drop(transfer),
    }
}

/// Carries bytes on, so many at most.
async fn carry(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    most: Option<usize>,
    state: &ProxyState,
    way: usize,
) -> io::Result<()> {
    let mut buffer = vec![0; 16 * 1024];
    let mut budget = most;
    loop {
        let length = from.read(&mut buffer).await?;
        if length == 0 {
            return Ok(());
        }
        let on = budget.map_or(length, |budget| budget.min(length));
        to.write_all(&buffer[..on]).await?;
        state.bytes_passed[way].fetch_add(on, Ordering::SeqCst);
        if let Some(budget) = &mut budget {
            *budget -= on;
            if *budget == 0 {
                state.cuts.fetch_add(1, Ordering::SeqCst);
                return Ok(());
            }
        }
    }
}
