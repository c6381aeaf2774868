//! The one table of characters beyond ASCII that views paint, with substitutes for terminals that cannot show them.
//!
//! Views paint the Unicode characters; [`replace_glyphs`] replaces them in the finished frame. A substitute takes one column
//! like its character, so that nothing moves. A test scans the source for characters that are missing here.

use ratatui::buffer::Buffer;

use crate::domain::Glyphs;

/// Each character with its ASCII substitute.
const ASCII_FALLBACKS: &[(char, char)] = &[
    ('─', '-'),
    ('│', '|'),
    ('┌', '+'),
    ('┐', '+'),
    ('└', '+'),
    ('┘', '+'),
    ('├', '+'),
    ('┤', '+'),
    // Heights, from low to high; a half block is also half of a QR code's cell.
    ('▁', '_'),
    ('▂', '-'),
    ('▃', ':'),
    ('▄', '='),
    ('▅', '+'),
    ('▆', '*'),
    ('▇', '%'),
    ('█', '#'),
    ('▀', '"'),
    // Lengths of bars; the left half block also marks the selected row.
    ('▏', '.'),
    ('▎', '.'),
    ('▍', ':'),
    ('▌', '>'),
    ('▋', '='),
    ('▊', '='),
    ('▉', '#'),
    // States.
    ('●', '*'),
    ('◐', '%'),
    ('○', 'o'),
    ('◌', '.'),
    ('✓', '*'),
    ('✗', 'x'),
    ('⚑', '!'),
    ('▲', '!'),
    ('◆', '#'),
    ('•', '*'),
    ('†', '+'),
    ('↑', '^'),
    ('↓', 'v'),
    ('⇄', '='),
    ('←', '<'),
    ('→', '>'),
    ('‹', '<'),
    ('›', '>'),
    // Typography. A cut ends in the substitute of “about”: either way, the exact value is elsewhere.
    ('—', '-'),
    ('–', '-'),
    ('−', '-'),
    ('·', '.'),
    ('…', '~'),
    ('≈', '~'),
    ('≤', '<'),
    ('×', 'x'),
    ('“', '"'),
    ('”', '"'),
];

/// The ASCII substitute of a character; `None` for a character that the program does not paint itself.
pub fn ascii_fallback(sign: char) -> Option<char> {
    let in_table = || ASCII_FALLBACKS.iter().find(|(other, _)| *other == sign).map(|(_, ascii)| *ascii);
    in_table().or_else(|| line_fallback(sign))
}

/// A piece of a line by its highest dot. The dots of Braille patterns are the bits of its code point.
fn line_fallback(sign: char) -> Option<char> {
    const ROWS: [(u32, char); 4] = [(0x09, '"'), (0x12, '^'), (0x24, '-'), (0xc0, '_')];
    let dots = u32::from(sign).checked_sub(0x2800).filter(|dots| (1..0x100).contains(dots))?;
    ROWS.iter().find(|(row, _)| dots & row != 0).map(|(_, ascii)| *ascii)
}

/// Replaces characters in a finished frame, as far as the terminal needs it.
pub fn replace_glyphs(glyphs: Glyphs, buf: &mut Buffer) {
    if glyphs == Glyphs::Unicode {
        return;
    }
    for cell in &mut buf.content {
        if cell.symbol().is_ascii() {
            continue;
        }
        let mut signs = cell.symbol().chars();
        let fallback = signs.next().filter(|_| signs.next().is_none()).and_then(ascii_fallback);
        match fallback {
            Some(ascii) => {
                cell.set_char(ascii);
            }
            // The second column of a wide character was blank and stays blank.
            None if glyphs == Glyphs::AsciiOnly => {
                cell.set_char('?');
            }
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;
    use crate::ui::paint;

    fn painted_text(glyphs: Glyphs, text: &str) -> String {
        let mut buf = Buffer::empty(Rect::new(0, 0, 16, 1));
        paint::put(&mut buf, 0, 0, 16, text, Style::new());
        replace_glyphs(glyphs, &mut buf);
        buf.content.iter().map(ratatui::buffer::Cell::symbol).collect()
    }

    #[test]
    fn each_sign_takes_one_column_and_so_does_its_stand_in() {
        for (sign, ascii) in ASCII_FALLBACKS {
            assert_eq!(paint::text_width(&sign.to_string()), 1, "{sign}");
            assert!(ascii.is_ascii_graphic(), "{sign}");
            assert_eq!(
                ASCII_FALLBACKS.iter().filter(|(other, _)| other == sign).count(),
                1,
                "{sign} stands there twice"
            );
        }
    }

    #[test]
    fn a_line_becomes_ascii_by_its_highest_dot() {
        assert_eq!(painted_text(Glyphs::Ascii, "⠁⠈⠂⠐⠄⠠⡀⢀⣿⢠").trim_end(), "\"\"^^--__\"-");
        assert_eq!(painted_text(Glyphs::AsciiOnly, "⠁⢀").trim_end(), "\"_");
    }

    #[test]
    fn own_signs_become_ascii_and_a_text_of_the_service_only_where_it_must() {
        let text = "● Zürich 漢 −1…";
        // The wide sign covers a second cell, which is blank.
        assert_eq!(painted_text(Glyphs::Unicode, text).trim_end(), "● Zürich 漢  −1…");
        assert_eq!(painted_text(Glyphs::Ascii, text).trim_end(), "* Zürich 漢  -1~");
        assert_eq!(painted_text(Glyphs::AsciiOnly, text).trim_end(), "* Z?rich ?  -1~");
    }
}
