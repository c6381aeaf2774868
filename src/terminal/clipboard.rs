//! The terminal's clipboard, written through the terminal itself (OSC 52): it works over SSH and needs no desktop
//! program. The terminal does not report success, and is never asked for its clipboard.
//!
//! The programs between the console and the terminal decide what arrives:
//!
//! | Between | Plain OSC 52 | Wrapped in DCS |
//! |---|---|---|
//! | tmux with `set-clipboard on` | passed on | |
//! | tmux before 3.3, or with `allow-passthrough on` | | passed on, after `tmux;` |
//! | tmux since 3.3 by default | dropped | dropped |
//! | GNU screen | dropped; one that is too long is painted as text | passed on, 768 bytes at a time |
//!
//! So tmux gets both forms, and dropping either does no harm. A tmux at the other end of an SSH connection may use
//! screen's `TERM`, which is why that name gets the plain form as well, if it is short.

use data_encoding::BASE64;

use crate::domain::ClipboardRoute;

/// The longest plain sequence that GNU screen reads as one; its buffer has 768 bytes.
const SCREEN_PLAIN_LIMIT: usize = 700;

/// Bytes of a sequence in each DCS wrapping for GNU screen.
const SCREEN_PIECE_BYTES: usize = 512;

/// The bytes that put a text on the clipboard in this way, if any. Terminals without support ignore them.
pub fn clipboard_sequence(text: &str, way: ClipboardRoute) -> Vec<u8> {
    let mut plain = format!("\x1b]52;c;{}", BASE64.encode(text.as_bytes())).into_bytes();
    // Within a wrapping the sequence ends with BEL: its other terminator, ESC \, would end the wrapping.
    let belled = [plain.as_slice(), b"\x07"].concat();
    plain.extend_from_slice(b"\x1b\\");
    match way {
        ClipboardRoute::Terminal => plain,
        // The inner ESC is doubled, so that it is not read as the end.
        ClipboardRoute::Tmux => [plain.as_slice(), b"\x1bPtmux;\x1b", &belled, b"\x1b\\"].concat(),
        ClipboardRoute::Screen => {
            let wrapped =
                belled.chunks(SCREEN_PIECE_BYTES).flat_map(|piece| [b"\x1bP".as_slice(), piece, b"\x1b\\"].concat());
            let short = plain.iter().copied().filter(|_| plain.len() <= SCREEN_PLAIN_LIMIT);
            short.chain(wrapped).collect()
        }
        ClipboardRoute::Missing => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_written_as_the_standard_has_it() {
        assert_eq!(clipboard_sequence("≈ü", ClipboardRoute::Terminal), "\x1b]52;c;4omIw7w=\x1b\\".as_bytes());
    }

    #[test]
    fn tmux_gets_it_plain_and_wrapped() {
        let sequences = "\x1b]52;c;Zm9v\x1b\\\x1bPtmux;\x1b\x1b]52;c;Zm9v\x07\x1b\\";
        assert_eq!(clipboard_sequence("foo", ClipboardRoute::Tmux), sequences.as_bytes());
    }

    #[test]
    fn screen_gets_it_in_pieces_that_it_can_hold() {
        assert_eq!(
            clipboard_sequence("foo", ClipboardRoute::Screen),
            b"\x1b]52;c;Zm9v\x1b\\\x1bP\x1b]52;c;Zm9v\x07\x1b\\"
        );
        let long = clipboard_sequence(&"x".repeat(5_000), ClipboardRoute::Screen);
        let pieces: Vec<&[u8]> = long.split(|byte| *byte == b'P' || *byte == b'\\').collect();
        assert!(long.starts_with(b"\x1bP\x1b]52;c;"), "a long one is not written plain");
        assert!(pieces.iter().all(|piece| piece.len() < 768));
        // What screen takes out of the wrappings is the sequence.
        let text = String::from_utf8(long).unwrap();
        let handed_on = text.replace("\x1bP", "").replace("\x1b\\", "");
        let terminal = String::from_utf8(clipboard_sequence(&"x".repeat(5_000), ClipboardRoute::Terminal)).unwrap();
        assert_eq!(handed_on, terminal.replace("\x1b\\", "\x07"));
    }

    #[test]
    fn where_there_is_no_clipboard_nothing_is_written() {
        assert!(clipboard_sequence("foo", ClipboardRoute::Missing).is_empty());
    }
}
