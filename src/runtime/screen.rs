//! What the loop needs of a terminal, be it the local one, a network channel or a test.

use tokio::sync::mpsc;

use super::encoder::Dialect;
use super::terminal::TerminalGuard;

/// Takes the terminal over: the other screen, no cursor, pastes in brackets, and word of the focus.
pub const ENTER: &[u8] = b"\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1004h";

/// Gives the terminal back as it was, in whatever state a frame left it. The first byte ends a sequence that was cut off.
pub const LEAVE: &[u8] = b"\x1b[?2026l\x1b[r\x1b[m\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[?1049l";

/// What the loop serves.
#[derive(Debug)]
pub struct Screen<R, W> {
    /// What the terminal sends.
    pub input: R,
    /// What it shows.
    pub output: W,
    /// What else happens to it. Whoever sends them keeps the sender for as long as the screen lasts.
    pub notices: mpsc::UnboundedReceiver<Notice>,
    /// What it understands.
    pub dialect: Dialect,
    /// Its width in columns when the loop begins.
    pub width: u16,
    /// Its height in rows when the loop begins.
    pub height: u16,
    /// The guard of the local terminal. Others get [`LEAVE`] through their output.
    pub guard: Option<TerminalGuard>,
}

/// What happens to a terminal besides input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// It has a new size, in columns and rows.
    Resized {
        /// Columns.
        width: u16,
        /// Rows.
        height: u16,
    },
    /// The program is asked to stop for a while.
    Suspended,
    /// The program was stopped and goes on.
    Resumed,
    /// The program must end.
    Ended(ExitReason),
}

/// Why the loop ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitReason {
    /// The program wanted to.
    Quit,
    /// The terminal is gone.
    Closed,
    /// This signal came.
    Signal(u8),
    /// Some thread panicked; its message was printed.
    Panicked,
}

impl ExitReason {
    /// The exit code that tells it to whoever started the program.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Quit => 0,
            Self::Closed => 129,
            Self::Signal(number) => 128_u8.saturating_add(number),
            Self::Panicked => 101,
        }
    }
}

/// A size that can be painted: at least one cell, and no more than a thousand each way; 80 by 24 where it is unknown.
pub fn clamp_size(width: u16, height: u16) -> (u16, u16) {
    if width == 0 || height == 0 { (80, 24) } else { (width.min(1_000), height.min(1_000)) }
}
