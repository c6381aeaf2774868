//! The modes in which the console uses a terminal.

use std::sync::LazyLock;

use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableBracketedPaste, DisableFocusChange, EnableBracketedPaste, EnableFocusChange};
use crossterm::queue;
use crossterm::style::{Attribute, Print, SetAttribute};
use crossterm::terminal::{EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen};

/// Takes the terminal over.
pub static ENTER_SEQUENCE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut out = Vec::new();
    // Writing to memory cannot fail.
    let _ = queue!(out, EnterAlternateScreen, Hide, EnableBracketedPaste, EnableFocusChange);
    out
});

/// Restores the terminal, whatever state a frame left it in. The first byte ends a sequence that was cut off.
pub static LEAVE_SEQUENCE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut out = Vec::new();
    let _ = queue!(
        out,
        EndSynchronizedUpdate,
        // Lets the whole screen scroll again, for which crossterm has no command.
        Print("\x1b[r"),
        SetAttribute(Attribute::Reset),
        DisableFocusChange,
        DisableBracketedPaste,
        Show,
        LeaveAlternateScreen
    );
    out
});

/// A size that can be painted: at least one cell, and at most a thousand each way; 80 by 24 if unknown.
pub fn clamp_size(width: u16, height: u16) -> (u16, u16) {
    if width == 0 || height == 0 { (80, 24) } else { (width.min(1_000), height.min(1_000)) }
}

#[cfg(test)]
mod tests {
    use super::{ENTER_SEQUENCE, LEAVE_SEQUENCE};

    #[test]
    fn a_terminal_is_left_by_what_undoes_its_modes() {
        assert_eq!(*ENTER_SEQUENCE, b"\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1004h");
        assert_eq!(*LEAVE_SEQUENCE, b"\x1b[?2026l\x1b[r\x1b[0m\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[?1049l");
    }
}
