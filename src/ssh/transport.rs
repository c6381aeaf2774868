//! The transport of a connection: the socket as the SSH library sees it, and the state that the host reads from it.
//!
//! ```text
//!   channel_writer ──packet──▶ library: sealed (encrypted) ──▶ stream: written and flushed ──▶ the kernel
//!      ▲                                                         │
//!      └───────────────────────── left ◀─────────────────────────┘
//! ```
//!
//! The library queues what it is given, and the channel window of a usual client has room for megabytes. So at most one
//! packet is on its way, and it counts as sent when the kernel has taken it: a client that does not read is owed one
//! frame, and no further frame is made for it.
//!
//! The library offers no way to end a connection whose peer does not read. [`Transport::cut`] is one: from then on the
//! stream fails, and everything that depends on it. While the library waits for the kernel it sends no keep-alives, so
//! the stream cuts itself when nothing was received for as long as the library would wait: otherwise a vanished client
//! would count as connected until the kernel gives it up.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use futures::task::AtomicWaker;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::watch;
use tokio::time::{Instant, Sleep, sleep_until};

use super::handshake::{Handshake, HandshakeProgress, disconnect_packet};
use crate::runtime::Clock;

/// No packet on its way.
const IDLE: u8 = 0;
/// A packet was passed to the library.
const HANDED: u8 = 1;
/// The packet is encrypted, and perhaps written in part.
const SEALED: u8 = 2;
const GONE: u8 = 3;

/// The state shared by both ends of a connection in this program.
#[derive(Debug, Default)]
pub(super) struct Transport {
    parcel: AtomicU8,
    outlet: AtomicWaker,
    cut: AtomicBool,
    reading: AtomicWaker,
    writing: AtomicWaker,
    progress: watch::Sender<HandshakeProgress>,
    /// The message for a client that has sent no packet when the connection ends.
    last_words: Mutex<String>,
}

impl Transport {
    /// Ends the connection, whatever its state.
    pub(super) fn cut(&self) {
        self.cut.store(true, Ordering::SeqCst);
        self.reading.wake();
        self.writing.wake();
    }

    /// The handshake progress, as it changes.
    pub(super) fn progress(&self) -> watch::Receiver<HandshakeProgress> {
        self.progress.subscribe()
    }

    /// Sets the message for a client that has sent no packet when the connection ends: the library sends none then.
    pub(super) fn ends_with(&self, words: &str) {
        words.clone_into(&mut self.last_words.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// A packet is passed to the library; the one before has left.
    pub(super) fn hand_over(&self) {
        self.step(IDLE, HANDED);
    }

    /// The library has encrypted the packet, or has dropped it.
    fn sealed(&self) {
        self.step(HANDED, SEALED);
    }

    /// The kernel has taken everything that was encrypted.
    fn flushed(&self) {
        if self.step(SEALED, IDLE) {
            self.outlet.wake();
        }
    }

    fn step(&self, from: u8, to: u8) -> bool {
        self.parcel.compare_exchange(from, to, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    /// Waits until the packet has left; fails when the connection is gone.
    pub(super) fn poll_left(&self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.outlet.register(context.waker());
        match self.parcel.load(Ordering::SeqCst) {
            IDLE => Poll::Ready(Ok(())),
            GONE => Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
            _ => Poll::Pending,
        }
    }

    fn check(&self) -> io::Result<()> {
        if self.cut.load(Ordering::SeqCst) { Err(io::ErrorKind::ConnectionAborted.into()) } else { Ok(()) }
    }
}

/// Bytes for a visitor. The library drops the packet once its bytes are encrypted.
pub(super) struct OutgoingPacket {
    bytes: Vec<u8>,
    line: Arc<Transport>,
}

impl OutgoingPacket {
    pub(super) fn new(bytes: Vec<u8>, line: Arc<Transport>) -> Self {
        Self { bytes, line }
    }
}

impl AsRef<[u8]> for OutgoingPacket {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for OutgoingPacket {
    fn drop(&mut self) {
        self.line.sealed();
    }
}

#[derive(Debug)]
pub(super) struct TransportStream<S: AsyncWrite + Unpin> {
    stream: S,
    line: Arc<Transport>,
    clock: Clock,
    /// How long nothing may be received.
    silence: Duration,
    /// When the client last showed life: bytes received, or room for more where there had been none.
    heard: Instant,
    /// Runs while the kernel takes nothing.
    waiting: Option<Pin<Box<Sleep>>>,
    handshake: Handshake,
}

impl<S: AsyncWrite + Unpin> TransportStream<S> {
    /// The stream cuts its transport when a write waits and nothing was received for longer than `silence`.
    pub(super) fn new(stream: S, line: Arc<Transport>, clock: Clock, silence: Duration) -> Self {
        let heard = clock.instant();
        Self { stream, line, clock, silence, heard, waiting: None, handshake: Handshake::default() }
    }
}

impl<S: AsyncWrite + Unpin> Drop for TransportStream<S> {
    fn drop(&mut self) {
        let words = self.line.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        if !words.is_empty() && *self.line.progress.borrow() == HandshakeProgress::Silent {
            let mut context = Context::from_waker(Waker::noop());
            let _gone_already = Pin::new(&mut self.stream).poll_write(&mut context, &disconnect_packet(&words));
        }
        drop(words);
        self.line.parcel.store(GONE, Ordering::SeqCst);
        self.line.outlet.wake();
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for TransportStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.line.reading.register(context.waker());
        self.line.check()?;
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        let came = buffer.filled().get(before..).unwrap_or_default();
        if !came.is_empty() {
            self.heard = self.clock.instant();
            if let Some(progress) = self.handshake.read(came) {
                self.line.progress.send_replace(progress);
            }
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TransportStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.line.writing.register(context.waker());
        self.line.check()?;
        if let Poll::Ready(written) = Pin::new(&mut self.stream).poll_write(context, bytes) {
            if self.waiting.take().is_some() {
                self.heard = self.clock.instant();
            }
            return Poll::Ready(written);
        }
        let until = self.heard + self.silence;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep_until(until)));
        ready!(waiting.as_mut().poll(context));
        self.line.cut();
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    /// Called by the library after each buffer that it has written in full.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(context))?;
        self.line.flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

    use super::*;
    use crate::ssh::Timing;

    /// A wire, its line, and the other end.
    fn wire() -> (TransportStream<DuplexStream>, Arc<Transport>, DuplexStream) {
        let (near, far) = duplex(1_024);
        let line = Arc::<Transport>::default();
        (TransportStream::new(near, Arc::clone(&line), Clock::System, Timing::default().silence), line, far)
    }

    /// Writes until no more is taken, and waits for a minute.
    async fn fills(wire: &mut TransportStream<DuplexStream>) {
        let filled = async { while wire.write(&[0; 100]).await.is_ok() {} };
        assert!(tokio::time::timeout(Duration::from_mins(1), filled).await.is_err(), "a minute ends nothing");
    }

    #[tokio::test(start_paused = true)]
    async fn a_line_on_which_nothing_is_read_is_cut_at_last() {
        let (mut wire, line, _far) = wire();
        fills(&mut wire).await;
        let before = Clock::System.instant();
        let error = wire.write(&[0]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        let (waited, silence) = (Clock::System.instant() - before + Duration::from_mins(1), Timing::default().silence);
        assert!((silence..silence + Duration::from_secs(1)).contains(&waited), "{waited:?}");
        assert!(line.check().is_err());
        assert!(wire.read(&mut [0]).await.is_err(), "and nothing is read any more");
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_reads_again_has_all_the_time_anew() {
        let (mut wire, line, mut far) = wire();
        for _ in 0..10 {
            fills(&mut wire).await;
            far.read_exact(&mut [0; 1_000]).await.unwrap();
            wire.write_all(&[0; 500]).await.unwrap();
        }
        assert!(line.check().is_ok());
    }
}
