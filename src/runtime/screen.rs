//! A terminal as the loop needs it: the local one, a network channel or a test.

use tokio::sync::mpsc;

use super::encoder::Dialect;
use super::terminal::TerminalGuard;

/// Takes the terminal over: alternate screen, no cursor, bracketed paste, and focus reports.
pub const ENTER: &[u8] = b"\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1004h";

/// Restores the terminal, whatever state a frame left it in. The first byte ends a sequence that was cut off.
pub const LEAVE: &[u8] = b"\x1b[?2026l\x1b[r\x1b[m\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[?1049l";

#[derive(Debug)]
pub struct Screen<R, W> {
    pub input: R,
    pub output: W,
    /// Events other than input. Their sender must live as long as the screen.
    pub notices: mpsc::UnboundedReceiver<Notice>,
    pub dialect: Dialect,
    /// In columns, when the loop begins.
    pub width: u16,
    /// In rows, when the loop begins.
    pub height: u16,
    /// The guard of the local terminal. Other terminals get [`LEAVE`] through their output.
    pub guard: Option<TerminalGuard>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
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

/// A size that can be painted: at least one cell, and at most a thousand each way; 80 by 24 if unknown.
pub fn clamp_size(width: u16, height: u16) -> (u16, u16) {
    if width == 0 || height == 0 { (80, 24) } else { (width.min(1_000), height.min(1_000)) }
}
