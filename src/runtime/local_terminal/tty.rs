//! The two directions of the terminal, neither of which blocks.

use std::io;
use std::os::fd::{AsRawFd, RawFd};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::unix::AsyncFd;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::SharedTerminal;

#[derive(Debug)]
pub struct TtyInput(Arc<AsyncFd<Tty>>);

/// The terminal's output. Writing fails once the terminal was restored.
#[derive(Debug)]
pub struct TtyOutput(Arc<AsyncFd<Tty>>);

#[derive(Debug)]
struct Tty(Arc<SharedTerminal>);

impl AsRawFd for Tty {
    fn as_raw_fd(&self) -> RawFd {
        self.0.tty.as_raw_fd()
    }
}

pub(super) fn split_tty(shared: &Arc<SharedTerminal>) -> io::Result<(TtyInput, TtyOutput)> {
    #[expect(
        deprecated,
        reason = "its successor is unsafe for the sake of files that are closed too early; this one stays open as long as `Tty`"
    )]
    let fd = Arc::new(AsyncFd::new(Tty(Arc::clone(shared)))?);
    Ok((TtyInput(Arc::clone(&fd)), TtyOutput(fd)))
}

impl AsyncRead for TtyInput {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        loop {
            let mut readiness = ready!(self.0.poll_read_ready(context))?;
            let room = buf.initialize_unfilled();
            match readiness.try_io(|fd| Ok(rustix::io::read(&fd.get_ref().0.tty, room)?)) {
                Ok(Ok(count)) => {
                    buf.advance(count);
                    return Poll::Ready(Ok(()));
                }
                Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(Err(error)) => return Poll::Ready(Err(error)),
                Err(_would_block) => {}
            }
        }
    }
}

impl AsyncWrite for TtyOutput {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            let mut readiness = ready!(self.0.poll_write_ready(context))?;
            let written = readiness.try_io(|fd| {
                let shared = &fd.get_ref().0;
                let original_termios = shared.saved_termios();
                if original_termios.is_none() {
                    return Err(io::ErrorKind::BrokenPipe.into());
                }
                Ok(rustix::io::write(&shared.tty, bytes)?)
            });
            match written {
                Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(result) => return Poll::Ready(result),
                Err(_would_block) => {}
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
