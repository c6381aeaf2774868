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
const NO_PACKET: u8 = 0;
/// A packet was passed to the library.
const PACKET_HANDED_OVER: u8 = 1;
/// The packet is encrypted, and perhaps written in part.
const PACKET_ENCRYPTED: u8 = 2;
const CONNECTION_GONE: u8 = 3;

/// The state shared by both ends of a connection in this program.
#[derive(Debug, Default)]
pub(super) struct Transport {
    packet_state: AtomicU8,
    writer_waker: AtomicWaker,
    is_cut: AtomicBool,
    read_waker: AtomicWaker,
    write_waker: AtomicWaker,
    progress: watch::Sender<HandshakeProgress>,
    /// The message for a client that has sent no packet when the connection ends.
    end_message: Mutex<String>,
}

impl Transport {
    /// Ends the connection, whatever its state.
    pub(super) fn cut_connection(&self) {
        self.is_cut.store(true, Ordering::SeqCst);
        self.read_waker.wake();
        self.write_waker.wake();
    }

    /// The handshake progress, as it changes.
    pub(super) fn progress(&self) -> watch::Receiver<HandshakeProgress> {
        self.progress.subscribe()
    }

    /// Sets the message for a client that has sent no packet when the connection ends: the library sends none then.
    pub(super) fn set_end_message(&self, message: &str) {
        message.clone_into(&mut self.end_message.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// A packet is passed to the library; the one before has left.
    pub(super) fn mark_handed_over(&self) {
        self.change_packet_state(NO_PACKET, PACKET_HANDED_OVER);
    }

    /// The library has encrypted the packet, or has dropped it.
    fn mark_encrypted(&self) {
        self.change_packet_state(PACKET_HANDED_OVER, PACKET_ENCRYPTED);
    }

    /// The kernel has taken everything that was encrypted.
    fn mark_flushed(&self) {
        if self.change_packet_state(PACKET_ENCRYPTED, NO_PACKET) {
            self.writer_waker.wake();
        }
    }

    fn change_packet_state(&self, from: u8, to: u8) -> bool {
        self.packet_state.compare_exchange(from, to, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    /// Waits until the packet has left; fails when the connection is gone.
    pub(super) fn poll_packet_sent(&self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.writer_waker.register(context.waker());
        match self.packet_state.load(Ordering::SeqCst) {
            NO_PACKET => Poll::Ready(Ok(())),
            CONNECTION_GONE => Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
            _ => Poll::Pending,
        }
    }

    fn fail_if_cut(&self) -> io::Result<()> {
        if self.is_cut.load(Ordering::SeqCst) { Err(io::ErrorKind::ConnectionAborted.into()) } else { Ok(()) }
    }
}

/// Bytes for a visitor. The library drops the packet once its bytes are encrypted.
pub(super) struct OutgoingPacket {
    bytes: Vec<u8>,
    transport: Arc<Transport>,
}

impl OutgoingPacket {
    pub(super) fn new(bytes: Vec<u8>, transport: Arc<Transport>) -> Self {
        Self { bytes, transport }
    }
}

impl AsRef<[u8]> for OutgoingPacket {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for OutgoingPacket {
    fn drop(&mut self) {
        self.transport.mark_encrypted();
    }
}

#[derive(Debug)]
pub(super) struct TransportStream<S: AsyncWrite + Unpin> {
    stream: S,
    transport: Arc<Transport>,
    clock: Clock,
    /// How long nothing may be received.
    silence_time_out: Duration,
    /// When the client last showed life: bytes received, or room for more where there had been none.
    last_heard: Instant,
    /// Runs while the kernel takes nothing.
    write_stall_timer: Option<Pin<Box<Sleep>>>,
    handshake: Handshake,
}

impl<S: AsyncWrite + Unpin> TransportStream<S> {
    /// The stream cuts its transport when a write waits and nothing was received for longer than `silence`.
    pub(super) fn new(stream: S, transport: Arc<Transport>, clock: Clock, silence_time_out: Duration) -> Self {
        let last_heard = clock.instant();
        Self {
            stream,
            transport,
            clock,
            silence_time_out,
            last_heard,
            write_stall_timer: None,
            handshake: Handshake::default(),
        }
    }
}

impl<S: AsyncWrite + Unpin> Drop for TransportStream<S> {
    fn drop(&mut self) {
        let message = self.transport.end_message.lock().unwrap_or_else(PoisonError::into_inner);
        if !message.is_empty() && *self.transport.progress.borrow() == HandshakeProgress::Silent {
            let mut context = Context::from_waker(Waker::noop());
            let _gone_already = Pin::new(&mut self.stream).poll_write(&mut context, &disconnect_packet(&message));
        }
        drop(message);
        self.transport.packet_state.store(CONNECTION_GONE, Ordering::SeqCst);
        self.transport.writer_waker.wake();
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for TransportStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.transport.read_waker.register(context.waker());
        self.transport.fail_if_cut()?;
        let before = buffer.filled().len();
        let outcome = Pin::new(&mut self.stream).poll_read(context, buffer);
        let bytes = buffer.filled().get(before..).unwrap_or_default();
        if !bytes.is_empty() {
            self.last_heard = self.clock.instant();
            if let Some(progress) = self.handshake.read(bytes) {
                self.transport.progress.send_replace(progress);
            }
        }
        outcome
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TransportStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.transport.write_waker.register(context.waker());
        self.transport.fail_if_cut()?;
        if let Poll::Ready(written) = Pin::new(&mut self.stream).poll_write(context, bytes) {
            if self.write_stall_timer.take().is_some() {
                self.last_heard = self.clock.instant();
            }
            return Poll::Ready(written);
        }
        let until = self.last_heard + self.silence_time_out;
        let waiting = self.write_stall_timer.get_or_insert_with(|| Box::pin(sleep_until(until)));
        ready!(waiting.as_mut().poll(context));
        self.transport.cut_connection();
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    /// Called by the library after each buffer that it has written in full.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(context))?;
        self.transport.mark_flushed();
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
    use crate::ssh::TimeLimits;

    /// A wire, its line, and the other end.
    fn connected_stream() -> (TransportStream<DuplexStream>, Arc<Transport>, DuplexStream) {
        let (near, far) = duplex(1_024);
        let line = Arc::<Transport>::default();
        (
            TransportStream::new(near, Arc::clone(&line), Clock::System, TimeLimits::default().silence_time_out),
            line,
            far,
        )
    }

    /// Writes until no more is taken, and waits for a minute.
    async fn write_until_full(wire: &mut TransportStream<DuplexStream>) {
        let filled = async { while wire.write(&[0; 100]).await.is_ok() {} };
        assert!(tokio::time::timeout(Duration::from_mins(1), filled).await.is_err(), "a minute ends nothing");
    }

    #[tokio::test(start_paused = true)]
    async fn a_line_on_which_nothing_is_read_is_cut_at_last() {
        let (mut wire, line, _far) = connected_stream();
        write_until_full(&mut wire).await;
        let before = Clock::System.instant();
        let error = wire.write(&[0]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        let (waited, silence) =
            (Clock::System.instant() - before + Duration::from_mins(1), TimeLimits::default().silence_time_out);
        assert!((silence..silence + Duration::from_secs(1)).contains(&waited), "{waited:?}");
        assert!(line.fail_if_cut().is_err());
        assert!(wire.read(&mut [0]).await.is_err(), "and nothing is read any more");
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_reads_again_has_all_the_time_anew() {
        let (mut wire, line, mut far) = connected_stream();
        for _ in 0..10 {
            write_until_full(&mut wire).await;
            far.read_exact(&mut [0; 1_000]).await.unwrap();
            wire.write_all(&[0; 500]).await.unwrap();
        }
        assert!(line.fail_if_cut().is_ok());
    }
}
