//! The local terminal: taken over once, and restored exactly once on every way out.
//!
//! The terminal is opened again, so that its non-blocking flag is ours alone: a flag shared with the shell would stay
//! changed for the shell. Reading and writing then need no threads, and nothing ever waits for a terminal that does not
//! read: at the end its unread output is discarded and replaced by the sequence that restores it.

mod signals;
#[cfg(test)]
mod tests;
mod tty;

use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::process::{Signal, getpgrp, getsid, kill_current_process_group};
use rustix::termios::{
    OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetpgrp, tcgetwinsize, tcsetattr, ttyname,
};
use tokio::sync::mpsc;

use super::clock::Clock;
use super::screen::{ExitReason, TerminalChannel, TerminalNotice};
use crate::terminal::Dialect;
use crate::terminal::input::{InputParser, TerminalInput};
use crate::terminal::modes::{LEAVE_SEQUENCE, clamp_size};

pub use tty::{TtyInput, TtyOutput};

/// How long a program that ends by a signal tries to restore the terminal, and then again to read its last responses.
const RESTORE_TIMEOUT: Duration = Duration::from_millis(20);

/// How long quitting waits for a slow terminal's last responses, which the shell would otherwise read as input.
const QUIT_RESPONSE_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Debug, thiserror::Error)]
pub enum TerminalError {
    #[error("no terminal: start the console in a terminal")]
    Missing(#[source] rustix::io::Errno),
    #[error("the terminal cannot be set up")]
    Setup(#[source] std::io::Error),
}

/// Takes the local terminal over for the loop. Must be called inside the loop's runtime.
///
/// The terminal is restored when the screen's guard is dropped, by the loop at its end, or by a panic in any thread,
/// whichever is first. The screen's notices report signals and panics to the loop.
pub fn open_terminal(dialect: Dialect) -> Result<TerminalChannel<TtyInput, TtyOutput>, TerminalError> {
    let shared = Arc::new(SharedTerminal {
        tty: open_tty()?,
        saved_termios: Mutex::new(None),
        unanswered_query_count: Arc::default(),
    });
    let (sender, notices) = mpsc::unbounded_channel();
    let (input, output) = tty::split_tty(&shared).map_err(TerminalError::Setup)?;
    signals::spawn_signal_watch(Arc::downgrade(&shared), sender.clone()).map_err(TerminalError::Setup)?;
    let guard = TerminalGuard { shared };
    hook_panics(Arc::downgrade(&guard.shared), sender);
    guard.shared.take_over().map_err(|error| TerminalError::Setup(error.into()))?;
    let (width, height) = guard.size();
    Ok(TerminalChannel { input, output, notices, dialect, width, height, guard: Some(guard) })
}

/// The size of the terminal on standard output, in columns and rows; 80 by 24 without one.
pub fn terminal_size() -> (u16, u16) {
    size_of_terminal(rustix::stdio::stdout())
}

fn size_of_terminal(terminal: impl AsFd) -> (u16, u16) {
    tcgetwinsize(terminal).map_or((80, 24), |size| clamp_size(size.ws_col, size.ws_row))
}

/// Opens the terminal with a file description of our own.
fn open_tty() -> Result<OwnedFd, TerminalError> {
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let by_name = || {
        let name =
            ttyname(rustix::stdio::stdin(), Vec::new()).or_else(|_| ttyname(rustix::stdio::stdout(), Vec::new()))?;
        rustix::fs::open(name.as_c_str(), flags, Mode::empty())
    };
    let controlling = || rustix::fs::open("/dev/tty", flags, Mode::empty());
    // On macOS, /dev/tty cannot be polled, only the terminal behind it.
    let opened = if cfg!(target_os = "macos") {
        by_name().or_else(|_| controlling())
    } else {
        controlling().or_else(|_| by_name())
    };
    opened.map_err(TerminalError::Missing)
}

/// Restores the terminal before the message of a panic is printed, and ends the loop.
fn hook_panics(shared: Weak<SharedTerminal>, sender: mpsc::UnboundedSender<TerminalNotice>) {
    let next = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if let Some(shared) = shared.upgrade() {
            shared.restore(QUIT_RESPONSE_TIMEOUT);
        }
        next(panic);
        // Sending fails only when the loop has ended.
        let _ = sender.send(TerminalNotice::Ended(ExitReason::Panicked));
    }));
}

/// Restores the terminal once, at the latest on drop.
#[derive(Debug)]
pub struct TerminalGuard {
    shared: Arc<SharedTerminal>,
}

impl TerminalGuard {
    /// The number of queries that the terminal has not answered yet.
    pub fn unanswered_query_count(&self) -> Arc<AtomicU32> {
        Arc::clone(&self.shared.unanswered_query_count)
    }

    /// The terminal's current size, in columns and rows.
    pub fn size(&self) -> (u16, u16) {
        self.shared.size()
    }

    pub fn is_taken_over(&self) -> bool {
        self.shared.saved_termios().is_some()
    }

    /// Restores the terminal. Waits longer for it if the operator has quit.
    pub fn restore(&self, ending: ExitReason) {
        self.shared.restore(if ending == ExitReason::Quit { QUIT_RESPONSE_TIMEOUT } else { RESTORE_TIMEOUT });
    }

    /// Restores the terminal and suspends the program, as Ctrl-Z does; returns when the program continues.
    ///
    /// Does nothing where no shell could continue it: a shell gives a job its own process group, whereas a program
    /// started by a terminal window or a script shares that of the session's leader.
    pub fn suspend(&self) {
        if getsid(None).is_ok_and(|session| session != getpgrp()) {
            self.shared.restore(QUIT_RESPONSE_TIMEOUT);
            // SIGTSTP is caught by our own handler, so SIGSTOP is sent. The whole group stops, as the shell expects.
            let _ = kill_current_process_group(Signal::STOP);
        }
    }

    /// Takes the terminal over again, if the program is in the foreground: in the background, setting the terminal up
    /// would stop it. Returns whether the terminal is ours.
    pub fn resume(&self) -> bool {
        tcgetpgrp(&self.shared.tty).is_ok_and(|foreground| foreground == getpgrp()) && self.shared.take_over().is_ok()
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        self.shared.restore(RESTORE_TIMEOUT);
    }
}

/// Shared by the guard, both directions and the panic hook.
#[derive(Debug)]
struct SharedTerminal {
    tty: OwnedFd,
    /// The original settings, while the terminal is taken over. Writers lock this, so that no frame follows the
    /// sequence that restores the terminal.
    saved_termios: Mutex<Option<Termios>>,
    unanswered_query_count: Arc<AtomicU32>,
}

impl SharedTerminal {
    fn saved_termios(&self) -> MutexGuard<'_, Option<Termios>> {
        self.saved_termios.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn size(&self) -> (u16, u16) {
        size_of_terminal(&self.tty)
    }

    /// Sets the raw mode, again after a stop from outside, when the shell has changed it. crossterm's raw mode would not
    /// do: it acts on the terminal at standard input, and does nothing where it believes that it is set.
    fn take_over(&self) -> rustix::io::Result<()> {
        let mut original_termios = self.saved_termios();
        // After such a stop the original settings are still saved here.
        let termios = match original_termios.as_ref() {
            Some(original) => original.clone(),
            None => tcgetattr(&self.tty)?,
        };
        let mut raw = termios.clone();
        raw.make_raw();
        *original_termios = Some(termios);
        tcsetattr(&self.tty, OptionalActions::Now, &raw)
    }

    /// Restores the terminal, if it is taken over. Takes at most [`RESTORE_TIMEOUT`] to write and `patience` for responses.
    fn restore(&self, patience: Duration) {
        let mut original_termios = self.saved_termios();
        let Some(termios) = original_termios.take() else { return };
        if self.write_all(&LEAVE_SEQUENCE, RESTORE_TIMEOUT) {
            self.drain_responses(patience);
        }
        // Without draining: a terminal that does not read would block us.
        let _ = tcsetattr(&self.tty, OptionalActions::Now, &termios);
    }

    /// Writes, discarding output that a stalled terminal has not read. Returns `false` if any was discarded.
    fn write_all(&self, mut bytes: &[u8], patience: Duration) -> bool {
        let deadline = deadline_after(patience);
        let mut flowing = true;
        while !bytes.is_empty() {
            match rustix::io::write(&self.tty, bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => {
                    let _ = tcflush(&self.tty, QueueSelector::OFlush);
                    let ready = wait_until_ready(&self.tty, PollFlags::OUT, deadline);
                    if !flowing && !ready {
                        return false;
                    }
                    flowing = false;
                }
                Err(_) => return false,
            }
        }
        flowing
    }

    /// Reads outstanding responses, so that they are not typed into the shell. If a thread panics, the loop may read
    /// them first, and counts them down too.
    fn drain_responses(&self, patience: Duration) {
        let deadline = deadline_after(patience);
        let mut parser = InputParser::default();
        let mut chunk = [0; 256];
        while self.unanswered_query_count.load(Ordering::Relaxed) > 0 && Clock::System.instant().into_std() < deadline {
            if !wait_until_ready(&self.tty, PollFlags::IN, deadline.min(self::deadline_after(RESTORE_TIMEOUT))) {
                continue;
            }
            match rustix::io::read(&self.tty, &mut chunk) {
                Ok(count) if count > 0 => {
                    for _ in parser.feed(&chunk[..count]).filter(|input| *input == TerminalInput::Acknowledged) {
                        let _ =
                            self.unanswered_query_count
                                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |open| open.checked_sub(1));
                    }
                }
                Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => {}
                _ => return,
            }
        }
        if self.unanswered_query_count.swap(0, Ordering::Relaxed) > 0 {
            let _ = tcflush(&self.tty, QueueSelector::IFlush);
        }
    }
}

fn deadline_after(patience: Duration) -> Instant {
    Clock::System.instant().into_std() + patience
}

/// Waits until the terminal can be read or written; returns whether it can.
fn wait_until_ready(tty: &OwnedFd, events: PollFlags, deadline: Instant) -> bool {
    let remaining = deadline.saturating_duration_since(Clock::System.instant().into_std());
    let remaining = Timespec {
        tv_sec: i64::try_from(remaining.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: remaining.subsec_nanos().into(),
    };
    let mut polled = [PollFd::new(tty, events)];
    matches!(poll(&mut polled, Some(&remaining)), Ok(1..)) && polled[0].revents().contains(events)
}
