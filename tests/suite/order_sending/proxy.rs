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
    shared: Arc<Shared>,
    task: tokio::task::JoinHandle<()>,
}

struct Shared {
    service: String,
    cut: Mutex<Cut>,
    /// Bytes that went on over the last connection, to the service and back.
    passed: [AtomicUsize; 2],
    cuts: AtomicUsize,
}

impl Proxy {
    /// A proxy before the service at an address.
    pub(super) async fn before(base_url: &str) -> Self {
        let service = base_url.strip_prefix("http://").unwrap().to_owned();
        let (cut, passed, cuts) = (Mutex::new(Cut::Nowhere), Default::default(), AtomicUsize::new(0));
        let shared = Arc::new(Shared { service, cut, passed, cuts });
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let sharing = Arc::clone(&shared);
        let task = tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                tokio::spawn(pass(client, Arc::clone(&sharing)));
            }
        });
        Self { base_url, shared, task }
    }

    /// Says where connections are cut that are made from now on.
    pub(super) fn cuts(&self, cut: Cut) {
        *self.shared.cut.lock().unwrap() = cut;
    }

    /// How many bytes went on over the last connection, to the service and back.
    pub(super) fn passed(&self) -> (usize, usize) {
        let [there, back] = &self.shared.passed;
        (there.load(Ordering::SeqCst), back.load(Ordering::SeqCst))
    }

    /// How many connections were cut.
    pub(super) fn fired(&self) -> usize {
        self.shared.cuts.load(Ordering::SeqCst)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn pass(mut client: TcpStream, shared: Arc<Shared>) {
    let cut = *shared.cut.lock().unwrap();
    let mut service = TcpStream::connect(&shared.service).await.unwrap();
    let (request, answer) = match cut {
        Cut::Nowhere => (None, None),
        Cut::Request(bytes) => (Some(bytes), None),
        Cut::Answer(bytes) => (None, Some(bytes)),
    };
    for passed in &shared.passed {
        passed.store(0, Ordering::SeqCst);
    }
    let (from_client, to_client) = client.split();
    let (from_service, to_service) = service.split();
    // Both streams are dropped, and with them the connections, as soon as either side has come to its cut or its end.
    tokio::select! {
        ended = carry(from_client, to_service, request, &shared, 0) => drop(ended),
        ended = carry(from_service, to_client, answer, &shared, 1) => drop(ended),
    }
}

/// Carries bytes on, so many at most.
async fn carry(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    most: Option<usize>,
    shared: &Shared,
    way: usize,
) -> io::Result<()> {
    let mut buffer = vec![0; 16 * 1024];
    let mut left = most;
    loop {
        let read = from.read(&mut buffer).await?;
        if read == 0 {
            return Ok(());
        }
        let on = left.map_or(read, |left| left.min(read));
        to.write_all(&buffer[..on]).await?;
        shared.passed[way].fetch_add(on, Ordering::SeqCst);
        if let Some(left) = &mut left {
            *left -= on;
            if *left == 0 {
                shared.cuts.fetch_add(1, Ordering::SeqCst);
                return Ok(());
            }
        }
    }
}
