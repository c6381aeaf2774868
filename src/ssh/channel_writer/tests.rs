mod silence;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use russh::client;
use russh::keys::PublicKeyOrCertificate;
use russh::server::{RunningSession, run_stream};
use tokio::io::{AsyncRead, AsyncWriteExt, DuplexStream, ReadBuf, duplex};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::*;
use crate::runtime::Clock;
use crate::ssh::client_event::ClientEvent;
use crate::ssh::client_handler::{ClientHandler, GuessLimiter};
use crate::ssh::transport::TransportStream;
use crate::ssh::{Access, HostKey, TimeLimits, algorithms, bind_listener};

/// Long enough for anything that is not held up.
const PATIENCE: Duration = Duration::from_secs(30);

/// After this long without progress a write is held up.
const STALLED_AFTER: Duration = Duration::from_millis(300);

/// A client's end that can stop reading.
struct Valve<S> {
    stream: S,
    shut: Arc<AtomicBool>,
    waker: Arc<futures::task::AtomicWaker>,
}

impl<S: AsyncRead + Unpin> AsyncRead for Valve<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.waker.register(context.waker());
        if self.shut.load(Ordering::SeqCst) {
            return Poll::Pending;
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Valve<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

struct TrustingClient;

impl client::Handler for TrustingClient {
    type Error = russh::Error;

    async fn check_server_key(&mut self, _key: &PublicKeyOrCertificate) -> Result<bool, Self::Error> {
        Ok(true)
    }
}

/// A host's end of a channel and a client's.
struct ChannelPair {
    writer: ChannelWriter,
    /// What the client types.
    input: DuplexStream,
    transport: Arc<Transport>,
    shut: Arc<AtomicBool>,
    waker: Arc<futures::task::AtomicWaker>,
    session: RunningSession<ClientHandler>,
    channel: russh::Channel<client::Msg>,
    client: client::Handle<TrustingClient>,
}

impl ChannelPair {
    /// Over a real connection.
    async fn connect(window: u32, packet: u32) -> Self {
        let listener = bind_listener("127.0.0.1:0".parse().unwrap()).unwrap();
        let far = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (near, _) = listener.accept().await.unwrap();
        Self::connect_over(near, far, window, packet).await
    }

    async fn connect_over<S>(near: S, far: S, window: u32, packet: u32) -> Self
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (shut, waker) = (Arc::<AtomicBool>::default(), Arc::default());
        let valve = Valve { stream: far, shut: Arc::clone(&shut), waker: Arc::clone(&waker) };
        let line = Arc::<Transport>::default();
        let (access, time_limits) = (Access::everybody(), TimeLimits::default());
        let config = algorithms::server_config(&HostKey::generate().unwrap(), access.auth_methods(), &time_limits);
        let (sender, mut steps) = mpsc::unbounded_channel();
        let caution = GuessLimiter { throttle: Arc::default(), address: [127, 0, 0, 1].into(), clock: Clock::System };
        let guest = ClientHandler::new(Arc::new(access), Arc::new(Access::closed()), caution, None, sender);
        let wire = TransportStream::new(near, Arc::clone(&line), Clock::System, time_limits.silence_time_out);
        let session = tokio::spawn(run_stream(Arc::new(config), wire, guest));
        let config = client::Config { window_size: window, maximum_packet_size: packet, ..client::Config::default() };
        let mut client = client::connect_stream(Arc::new(config), valve, TrustingClient).await.unwrap();
        let session = session.await.unwrap().unwrap();
        assert!(client.authenticate_none("demo").await.unwrap().success());
        let channel = client.channel_open_session().await.unwrap();
        channel.request_pty(false, "xterm", 80, 24, 0, 0, &[]).await.unwrap();
        channel.request_shell(false).await.unwrap();
        let request = loop {
            if let ClientEvent::ShellRequested(request) = timeout(PATIENCE, steps.recv()).await.unwrap().unwrap() {
                break request;
            }
        };
        let outlet = ChannelWriter::new(session.handle(), request.channel, Arc::clone(&line));
        Self { writer: outlet, input: request.input, transport: line, shut, waker, session, channel, client }
    }

    fn set_shut(&self, shut: bool) {
        self.shut.store(shut, Ordering::SeqCst);
        self.waker.wake();
    }

    async fn read_bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        while bytes.len() < count {
            if let russh::ChannelMsg::Data { data } = timeout(PATIENCE, self.channel.wait()).await.unwrap().unwrap() {
                bytes.extend_from_slice(&data);
            }
        }
        bytes
    }
}

fn sample_bytes(count: usize) -> Vec<u8> {
    (0..count).map(|at| u8::try_from(at % 251).unwrap()).collect()
}

#[tokio::test]
async fn a_client_that_does_not_read_holds_the_writer_up_long_before_its_window_is_full() {
    let window = 64 << 20;
    let mut pair = ChannelPair::connect(window, 32_768).await;
    pair.set_shut(true);
    let all = sample_bytes(16 << 20);
    let mut written = 0;
    while let Ok(count) = timeout(STALLED_AFTER, pair.writer.write(&all[written..])).await {
        written += count.unwrap();
        assert!(written < 1 << 20, "{written} bytes are queued somewhere");
    }
    // What was taken lies with the two kernels, and nothing of it here but the parcel under way.
    pair.set_shut(false);
    let ChannelPair { writer, channel, .. } = &mut pair;
    let rest = &all[written..written + 200_000];
    let (count, bytes_read) = tokio::join!(
        async {
            timeout(PATIENCE, writer.write_all(rest)).await.unwrap().unwrap();
            writer.flush().await.unwrap();
            rest.len()
        },
        async {
            let mut bytes_read = Vec::new();
            while bytes_read.len() < written + rest.len() {
                if let Some(russh::ChannelMsg::Data { data }) = timeout(PATIENCE, channel.wait()).await.unwrap() {
                    bytes_read.extend_from_slice(&data);
                }
            }
            bytes_read
        }
    );
    assert!(bytes_read == all[..written + count], "every byte once, in order");
}

#[tokio::test]
async fn a_client_without_a_window_gets_what_it_grants_and_no_more() {
    let mut pair = ChannelPair::connect(100, 32_768).await;
    let sample = sample_bytes(60);
    pair.writer.write_all(&sample).await.unwrap();
    assert_eq!(pair.read_bytes(60).await, sample);
    // The client grants more as it reads; a frame of many windows comes whole.
    let sample = sample_bytes(5_000);
    let ChannelPair { writer, .. } = &mut pair;
    let mut outlet =
        std::mem::replace(writer, ChannelWriter::new(writer.handle.clone(), writer.channel, Arc::default()));
    let writing = tokio::spawn(async move { outlet.write_all(&sample_bytes(5_000)).await.map(|()| outlet) });
    assert_eq!(pair.read_bytes(5_000).await, sample);
    timeout(PATIENCE, writing).await.unwrap().unwrap().unwrap();
}

#[tokio::test]
async fn packets_of_one_byte_are_slow_and_no_more() {
    let mut pair = ChannelPair::connect(1 << 20, 1).await;
    let sample = sample_bytes(500);
    pair.writer.write_all(&sample).await.unwrap();
    assert_eq!(pair.read_bytes(500).await, sample);
}

#[tokio::test]
async fn a_line_that_is_cut_fails_whoever_waits_on_it() {
    let mut pair = ChannelPair::connect(1 << 20, 32_768).await;
    pair.set_shut(true);
    let all = sample_bytes(4 << 20);
    while let Ok(Ok(_)) = timeout(STALLED_AFTER, pair.writer.write(&all)).await {}
    pair.transport.cut_connection();
    let error = timeout(PATIENCE, pair.writer.write(&all)).await.unwrap().unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    pair.set_shut(false);
    timeout(PATIENCE, pair.client).await.unwrap().unwrap_err();
}
