//! A host inside the tests, whose times can be short, and a client that does what it is told and no more.

use std::io;
use std::net::SocketAddr;
use std::num::NonZero;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use bursar::domain::Appearance;
use bursar::service::{Pace, Sample};
use bursar::ssh::{self, Access, Host, HostEvent, HostKey, Limits, Options, TimeLimits, WorkspaceOptions};
use bursar::terminal::Dialect;
use futures::task::AtomicWaker;
use russh::client::{self, Handle, Msg};
use russh::keys::PublicKeyOrCertificate;
use russh::{Channel, ChannelMsg, ChannelReadHalf, ChannelWriteHalf};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpSocket, TcpStream};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;

use crate::harness::wait::PATIENCE;

/// What the kernel is asked to hold of what comes to a client, in bytes, as a host asks it; Linux doubles it.
pub(super) const KERNEL: u32 = 32 * 1024;

/// A host on a runtime of its own.
pub(super) struct TestHost {
    pub(super) runtime: Runtime,
    host: Option<Host>,
    events: Arc<Mutex<Vec<HostEvent>>>,
}

impl TestHost {
    /// A host for everybody, changed as a test needs it.
    pub(super) fn open(change: impl FnOnce(&mut Options)) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let events = Arc::<Mutex<Vec<HostEvent>>>::default();
        let recorded_events = Arc::clone(&events);
        let mut options = Options {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            public: false,
            open: false,
            host_key: HostKey::generate().unwrap(),
            access: Access::everybody(),
            presenters: Access::closed(),
            banner: None,
            limits: Limits::default(),
            time_limits: TimeLimits { refusal_delay: Duration::from_millis(10), ..TimeLimits::default() },
            appearance_for: Arc::new(|term| (Dialect::detect(Some(term), None, None), Appearance::default())),
            workspace_options: WorkspaceOptions {
                sample: Sample { seed: 1, transactions: 20 },
                scene: None,
                pace: Pace::USUAL,
                veiled: false,
                read_only: false,
            },
            on_event: Arc::new(move |event| recorded_events.lock().unwrap().push(event)),
        };
        change(&mut options);
        let host = runtime.block_on(ssh::start(options)).unwrap();
        Self { runtime, host: Some(host), events }
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.host.as_ref().unwrap().address()
    }

    /// What was told of visitors.
    pub(super) fn host_events(&self) -> Vec<String> {
        self.events.lock().unwrap().iter().map(ToString::to_string).collect()
    }

    /// Waits until something was told.
    pub(super) fn tells(&self, text: &str) {
        self.waits(|house| house.host_events().iter().any(|line| line.contains(text)), text);
    }

    /// Waits until no connection is left.
    pub(super) fn empties(&self) {
        self.waits(|house| house.host.as_ref().unwrap().connection_count() == 0, "empty house");
    }

    fn waits(&self, condition: impl Fn(&Self) -> bool, text: &str) {
        let waiting_loop = async {
            let mut looks = tokio::time::interval(Duration::from_millis(5));
            while !condition(self) {
                looks.tick().await;
            }
        };
        let waiting_loop = self.runtime.block_on(async { timeout(PATIENCE, waiting_loop).await });
        assert!(waiting_loop.is_ok(), "no {text}: {:?}", self.host_events());
    }

    /// Stops the host, and returns how many of its tasks go on.
    pub(super) fn stops(&mut self) -> usize {
        let host = self.host.take().unwrap();
        self.runtime.block_on(host.stop());
        let settlement = async {
            let mut looks = tokio::time::interval(Duration::from_millis(5));
            while self.runtime.metrics().num_alive_tasks() > 0 {
                looks.tick().await;
            }
        };
        let _told_by_the_count = self.runtime.block_on(async { timeout(Duration::from_secs(20), settlement).await });
        self.runtime.metrics().num_alive_tasks()
    }

    /// Somebody who has come in and sees the console.
    pub(super) async fn visitor(address: SocketAddr) -> TestClient {
        let mut caller = TestClient::comes_in(address, "demo").await;
        caller.asks_for_a_shell("xterm-256color", (80, 24)).await;
        caller.sees("Treasury").await;
        caller
    }
}

/// A socket that can stop reading.
pub(super) struct PausableStream {
    stream: TcpStream,
    shut: Arc<AtomicBool>,
    waker: Arc<AtomicWaker>,
}

impl AsyncRead for PausableStream {
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

impl AsyncWrite for PausableStream {
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

/// Takes any host for the right one.
pub(super) struct AcceptAnyHostKey;

impl client::Handler for AcceptAnyHostKey {
    type Error = russh::Error;

    async fn check_server_key(&mut self, _key: &PublicKeyOrCertificate) -> Result<bool, Self::Error> {
        Ok(true)
    }
}

/// A client.
pub(super) struct TestClient {
    pub(super) handle: Handle<AcceptAnyHostKey>,
    channel: Option<(ChannelReadHalf, Arc<ChannelWriteHalf<Msg>>)>,
    screen: vt100::Parser,
    /// All that came on the channel.
    pub(super) bytes: Vec<u8>,
    answered_count: usize,
    /// Answers on their way, which end with this.
    answers: JoinSet<()>,
    pub(super) status: Option<u32>,
    shut: Arc<AtomicBool>,
    waker: Arc<AtomicWaker>,
}

impl TestClient {
    /// One that has exchanged keys.
    pub(super) async fn connects(address: SocketAddr) -> Result<Self, russh::Error> {
        let (shut, waker) = (Arc::<AtomicBool>::default(), Arc::<AtomicWaker>::default());
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(KERNEL)?;
        let stream = socket.connect(address).await?;
        stream.set_nodelay(true)?;
        let valve = PausableStream { stream, shut: Arc::clone(&shut), waker: Arc::clone(&waker) };
        let handle = client::connect_stream(Arc::default(), valve, AcceptAnyHostKey).await?;
        let screen = vt100::Parser::new(24.try_into().unwrap(), 80.try_into().unwrap(), 0);
        Ok(Self {
            handle,
            channel: None,
            screen,
            bytes: Vec::new(),
            answered_count: 0,
            answers: JoinSet::new(),
            status: None,
            shut,
            waker,
        })
    }

    /// One that was let in.
    pub(super) async fn comes_in(address: SocketAddr, name: &str) -> Self {
        let mut caller = Self::connects(address).await.unwrap();
        assert!(caller.handle.authenticate_none(name).await.unwrap().success());
        caller
    }

    /// Opens a session, and asks for a shell in a terminal of this name and size.
    /// The screen is of that size as well, where a person could have such a one: a host is asked for others too.
    pub(super) async fn asks_for_a_shell(&mut self, term: &str, (columns, rows): (u32, u32)) {
        let length =
            |length: u32| u16::try_from(length).ok().filter(|length| (24..500).contains(length)).and_then(NonZero::new);
        if let (Some(rows), Some(columns)) = (length(rows), length(columns)) {
            self.screen.screen_mut().set_size(rows, columns);
        }
        let channel = self.handle.channel_open_session().await.unwrap();
        channel.request_pty(true, term, columns, rows, 0, 0, &[]).await.unwrap();
        channel.request_shell(true).await.unwrap();
        self.holds(channel);
    }

    /// Says that the window has another size by now.
    pub(super) async fn resizes(&mut self, columns: u16, rows: u16) {
        self.screen.screen_mut().set_size(rows.try_into().unwrap(), columns.try_into().unwrap());
        self.channel().window_change(columns.into(), rows.into(), 0, 0).await.unwrap();
    }

    /// Goes on with a channel that was opened.
    pub(super) fn holds(&mut self, channel: Channel<Msg>) {
        let (read_half, write) = channel.split();
        self.channel = Some((read_half, Arc::new(write)));
    }

    /// What goes to the host.
    pub(super) fn channel(&self) -> Arc<ChannelWriteHalf<Msg>> {
        Arc::clone(&self.channel.as_ref().unwrap().1)
    }

    /// What the screen shows.
    pub(super) fn contents(&self) -> String {
        self.screen.screen().contents()
    }

    /// Whether the terminal is as it was before.
    pub(super) fn is_whole(&self) -> bool {
        let screen = self.screen.screen();
        !screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste()
    }

    /// Stops reading, or goes on.
    pub(super) fn reads(&self, reads: bool) {
        self.shut.store(!reads, Ordering::SeqCst);
        self.waker.wake();
    }

    /// Types, and goes on listening meanwhile; until all is sent, or the host has closed the channel.
    pub(super) async fn types(&mut self, keys: &str) {
        let (channel, keys) = (self.channel(), keys.to_owned());
        // A channel that was closed has room for no more, and nobody is told: then it is given up.
        let mut write = AbortOnDropHandle::new(tokio::spawn(async move { channel.data_bytes(keys).await }));
        let all = async {
            loop {
                tokio::select! {
                    biased;
                    write = &mut write => return write.unwrap().unwrap(),
                    is_open = self.hears() => if !is_open { return },
                }
            }
        };
        assert!(timeout(PATIENCE, all).await.is_ok(), "not all is taken that was typed at\n{}", self.contents());
    }

    /// Types, and listens to nothing meanwhile.
    pub(super) async fn types_blindly(&mut self, keys: &str) {
        let channel = self.channel();
        timeout(PATIENCE, channel.data_bytes(keys.to_owned())).await.expect("it is taken").unwrap();
    }

    /// Waits until the screen shows a text.
    #[track_caller]
    pub(super) fn sees(&mut self, text: &str) -> impl Future<Output = ()> {
        let place = std::panic::Location::caller();
        async move {
            let comes = async { while !self.contents().contains(text) && self.hears().await {} };
            let in_time = timeout(PATIENCE, comes).await.is_ok();
            assert!(in_time && self.contents().contains(text), "{place}: no “{text}” on\n{}", self.contents());
        }
    }

    /// Waits until the screen is as described.
    pub(super) async fn waits_for(&mut self, description: &str, shows: impl Fn(&str) -> bool) {
        let comes = async { while !shows(&self.contents()) && self.hears().await {} };
        let in_time = timeout(PATIENCE, comes).await.is_ok();
        assert!(in_time && shows(&self.contents()), "no {description} on\n{}", self.contents());
    }

    /// Takes in the next thing on the channel; whether there was one.
    pub(super) async fn hears(&mut self) -> bool {
        match self.channel.as_mut().unwrap().0.wait().await {
            None => return false,
            Some(ChannelMsg::Data { data }) => {
                self.bytes.extend_from_slice(&data);
                self.screen.process(&data);
                // A terminal answers when it is asked how it is. It goes on listening until that is taken: once the host
                // has closed the channel it never is, and that it has closed must be heard.
                let question_count = self.bytes.windows(4).filter(|window| window == b"\x1b[5n").count();
                for _ in self.answered_count..question_count {
                    let channel = self.channel();
                    self.answers.spawn(async move { drop(channel.data_bytes(&b"\x1b[0n"[..]).await) });
                }
                self.answered_count = question_count;
            }
            Some(ChannelMsg::ExitStatus { exit_status }) => self.status = Some(exit_status),
            Some(_) => {}
        }
        true
    }

    /// Takes everything in to the end of the channel; returns its status.
    pub(super) async fn ends(&mut self) -> Option<u32> {
        timeout(PATIENCE, async { while self.hears().await {} }).await.expect("the end of the channel");
        self.status
    }
}
