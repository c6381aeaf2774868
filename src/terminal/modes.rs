//! The modes in which the console uses a terminal.

/// Takes the terminal over: alternate screen, no cursor, bracketed paste, and focus reports.
pub const ENTER_SEQUENCE: &[u8] = b"\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1004h";

/// Restores the terminal, whatever state a frame left it in. The first byte ends a sequence that was cut off.
pub const LEAVE_SEQUENCE: &[u8] = b"\x1b[?2026l\x1b[r\x1b[m\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[?1049l";

/// A size that can be painted: at least one cell, and at most a thousand each way; 80 by 24 if unknown.
pub fn clamp_size(width: u16, height: u16) -> (u16, u16) {
    if width == 0 || height == 0 { (80, 24) } else { (width.min(1_000), height.min(1_000)) }
}
