//! The line to a visitor: the socket as the SSH library sees it, and what the host wants to know of it.
//!
//! ```text
//!   outlet ──parcel──▶ library: sealed (encrypted) ──▶ wire: written and flushed ──▶ the kernel
//!      ▲                                                         │
//!      └───────────────────────── left ◀─────────────────────────┘
//! ```
//!
//! The library queues what it is given, and the channel's window of a usual client has room for megabytes. So one parcel
//! at most is under way, and it counts as gone when the kernel has taken it: whoever does not read is owed one frame, and
//! no more is made for them.
//!
//! The library offers no way to end a connection whose peer does not read. [`Line::cut`] is one: from then on the wire
//! fails, and with it all that hangs on it.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::task::{Context, Poll, ready};

use futures::task::AtomicWaker;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// Nothing is under way.
const IDLE: u8 = 0;
/// A parcel was handed over.
const HANDED: u8 = 1;
/// It is encrypted, and perhaps written in part.
const SEALED: u8 = 2;
/// There is no connection any more.
const GONE: u8 = 3;

/// What is known of a connection by both its ends in this program.
#[derive(Debug, Default)]
pub(super) struct Line {
    parcel: AtomicU8,
    outlet: AtomicWaker,
    cut: AtomicBool,
    reading: AtomicWaker,
    writing: AtomicWaker,
}

impl Line {
    /// Ends the connection, whatever it is at.
    pub(super) fn cut(&self) {
        self.cut.store(true, Ordering::SeqCst);
        self.reading.wake();
        self.writing.wake();
    }

    /// A parcel is handed over; the one before has left.
    pub(super) fn hand_over(&self) {
        self.step(IDLE, HANDED);
    }

    /// The library has encrypted the parcel, or has thrown it away.
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

    /// Waits until the parcel has left; fails when the connection is gone.
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

/// Bytes for a visitor. Dropped by the library when they are encrypted.
pub(super) struct Parcel {
    bytes: Vec<u8>,
    line: Arc<Line>,
}

impl Parcel {
    /// A parcel with these bytes.
    pub(super) fn new(bytes: Vec<u8>, line: Arc<Line>) -> Self {
        Self { bytes, line }
    }
}

impl AsRef<[u8]> for Parcel {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Parcel {
    fn drop(&mut self) {
        self.line.sealed();
    }
}

/// The socket.
#[derive(Debug)]
pub(super) struct Wire {
    stream: TcpStream,
    line: Arc<Line>,
}

impl Wire {
    /// The socket of a line.
    pub(super) fn new(stream: TcpStream, line: Arc<Line>) -> Self {
        Self { stream, line }
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.line.parcel.store(GONE, Ordering::SeqCst);
        self.line.outlet.wake();
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.line.reading.register(context.waker());
        self.line.check()?;
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.line.writing.register(context.waker());
        self.line.check()?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    /// Called by the library after each piece that it has written to its end.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(context))?;
        self.line.flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
