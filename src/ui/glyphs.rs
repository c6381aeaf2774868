//! The one table of what is painted beyond ASCII, and what stands for it on a terminal that cannot show it.
//!
//! Views paint what they mean; [`render`] puts the stand-ins into the finished picture. A stand-in takes one column, as
//! the sign does, so that nothing moves. A test reads the source for signs that are missing here.

use ratatui::buffer::Buffer;

use crate::domain::Glyphs;

/// Each sign, and the character of ASCII that stands for it.
const STAND_INS: &[(char, char)] = &[
    // Boxes and rules.
    ('─', '-'),
    ('│', '|'),
    ('┌', '+'),
    ('┐', '+'),
    ('└', '+'),
    ('┘', '+'),
    ('├', '+'),
    ('┤', '+'),
    // Heights, from low to high; half a cell is also half of a code's cell.
    ('▁', '_'),
    ('▂', '-'),
    ('▃', ':'),
    ('▄', '='),
    ('▅', '+'),
    ('▆', '*'),
    ('▇', '%'),
    ('█', '#'),
    ('▀', '"'),
    // Lengths of bars; half a cell also marks the selected row, which it points at.
    ('▏', '.'),
    ('▎', '.'),
    ('▍', ':'),
    ('▌', '>'),
    ('▋', '='),
    ('▊', '='),
    ('▉', '#'),
    // How something stands.
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
    // Directions.
    ('↑', '^'),
    ('↓', 'v'),
    ('←', '<'),
    ('→', '>'),
    ('‹', '<'),
    ('›', '>'),
    // Typography. What is cut ends in the sign that also says “about”: either way the rest is to be looked up.
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

/// What stands for a sign in ASCII, if the program paints that sign.
pub fn ascii_fallback(sign: char) -> Option<char> {
    STAND_INS.iter().find(|(known, _)| *known == sign).map(|(_, ascii)| *ascii)
}

/// Puts stand-ins for the signs of a finished picture, where the terminal needs them.
pub fn render(glyphs: Glyphs, buf: &mut Buffer) {
    if glyphs == Glyphs::Unicode {
        return;
    }
    for cell in &mut buf.content {
        if cell.symbol().is_ascii() {
            continue;
        }
        let mut signs = cell.symbol().chars();
        let known = signs.next().filter(|_| signs.next().is_none()).and_then(ascii_fallback);
        match known {
            Some(ascii) => {
                cell.set_char(ascii);
            }
            // Of a wide character the second column was blank before, and is now.
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

    fn painted(glyphs: Glyphs, text: &str) -> String {
        let mut buf = Buffer::empty(Rect::new(0, 0, 16, 1));
        paint::put(&mut buf, 0, 0, 16, text, Style::new());
        render(glyphs, &mut buf);
        buf.content.iter().map(ratatui::buffer::Cell::symbol).collect()
    }

    #[test]
    fn each_sign_takes_one_column_and_so_does_its_stand_in() {
        for (sign, ascii) in STAND_INS {
            assert_eq!(paint::width(&sign.to_string()), 1, "{sign}");
            assert!(ascii.is_ascii_graphic(), "{sign}");
            assert_eq!(STAND_INS.iter().filter(|(other, _)| other == sign).count(), 1, "{sign} stands there twice");
        }
    }

    #[test]
    fn own_signs_become_ascii_and_a_text_of_the_service_only_where_it_must() {
        let text = "● Zürich 漢 −1…";
        // The wide sign covers a second cell, which is blank.
        assert_eq!(painted(Glyphs::Unicode, text).trim_end(), "● Zürich 漢  −1…");
        assert_eq!(painted(Glyphs::Ascii, text).trim_end(), "* Zürich 漢  -1~");
        assert_eq!(painted(Glyphs::AsciiOnly, text).trim_end(), "* Z?rich ?  -1~");
    }
}
