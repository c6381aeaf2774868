//! A terminal as the loop needs it: the local one, a network channel or a test.

use tokio::sync::mpsc;

use super::local_terminal::TerminalGuard;
use crate::terminal::Dialect;

#[derive(Debug)]
pub struct TerminalChannel<R, W> {
    pub input: R,
    pub output: W,
    /// Events other than input. Their sender must live as long as the screen.
    pub notices: mpsc::UnboundedReceiver<TerminalNotice>,
    pub dialect: Dialect,
    /// In columns, when the loop begins.
    pub width: u16,
    /// In rows, when the loop begins.
    pub height: u16,
    /// The guard of the local terminal. Other terminals get [`LEAVE_SEQUENCE`](crate::terminal::modes::LEAVE_SEQUENCE) through their output.
    pub guard: Option<TerminalGuard>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TerminalNotice {
    /// The new size, in columns and rows.
    Resized {
        width: u16,
        height: u16,
    },
    Suspended,
    Resumed,
    Ended(ExitReason),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitReason {
    Quit,
    /// The terminal is gone.
    Closed,
    Signal(u8),
    /// A thread panicked; its message was printed.
    Panicked,
}

impl ExitReason {
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Quit => 0,
            Self::Closed => 129,
            Self::Signal(number) => 128_u8.saturating_add(number),
            Self::Panicked => 101,
        }
    }
}
