//! Writing text into cells, cut to its room with a mark.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::domain::text::wrap;

pub fn text_width(text: &str) -> u16 {
    let columns = single_columns(text).unwrap_or_else(|| text.width());
    u16::try_from(columns).unwrap_or(u16::MAX)
}

/// The width of a text of which each character takes one column, as in most painted text: then no segmentation is
/// needed. `None` for other texts.
fn single_columns(text: &str) -> Option<usize> {
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return Some(text.len());
    }
    text.chars().try_fold(0, |columns, character| is_single_column(character).then_some(columns + 1))
}

/// Whether a character is known to take one column, alone and beside any other such.
fn is_single_column(character: char) -> bool {
    // Arrows, lines and blocks, the signs of amounts and of what was cut, and the marks of states.
    matches!(
        character,
        ' '..='~' | '\u{2190}'..='\u{21ff}' | '\u{2500}'..='\u{259f}' | '…' | '−' | '≈' | '·' | '—' | '▲' | '●' | '⚑' | '✓'
    )
}

/// A text of at most `room` columns; where it is cut, it ends in `…`.
pub fn truncate(text: &str, room: u16) -> Cow<'_, str> {
    if text_width(text) <= room {
        return Cow::Borrowed(text);
    }
    let Some(room) = usize::from(room).checked_sub(1) else { return Cow::Borrowed("") };
    let end = if single_columns(text).is_some() {
        text.char_indices().nth(room).map(|(end, _)| end)
    } else {
        let mut columns = 0;
        let mut graphemes = text.grapheme_indices(true);
        graphemes
            .find(|(_, grapheme)| {
                columns += grapheme.width();
                columns > room
            })
            .map(|(end, _)| end)
    };
    Cow::Owned(format!("{}…", &text[..end.unwrap_or(text.len())]))
}

/// A text of at most `room` columns, cut in the middle with `…`, since similar names differ at their ends.
pub fn truncate_middle(text: &str, room: u16) -> Cow<'_, str> {
    if text_width(text) <= room || room < 5 {
        return truncate(text, room);
    }
    let (begin_room, end_room) = (room / 2, room - 1 - room / 2);
    let (begin, end) = if single_columns(text).is_some() {
        let bytes = |characters: &mut dyn Iterator<Item = char>| characters.map(char::len_utf8).sum::<usize>();
        (bytes(&mut text.chars().take(begin_room.into())), bytes(&mut text.chars().rev().take(end_room.into())))
    } else {
        (fitting_bytes(text.graphemes(true), begin_room), fitting_bytes(text.graphemes(true).rev(), end_room))
    };
    Cow::Owned(format!("{}…{}", &text[..begin], &text[text.len() - end..]))
}

/// The length in bytes of the leading graphemes that fit into `room` columns.
fn fitting_bytes<'a>(graphemes: impl Iterator<Item = &'a str>, room: u16) -> usize {
    let mut columns = 0_u16;
    let has_room = |grapheme: &&str| {
        columns = columns.saturating_add(text_width(grapheme));
        columns <= room
    };
    graphemes.take_while(has_room).map(str::len).sum()
}

/// Writes a text from column `x` on, cut to its room. Returns the columns taken.
pub fn put(buf: &mut Buffer, x: u16, y: u16, room: u16, text: &str, style: Style) -> u16 {
    if !buf.area.contains((x, y).into()) {
        return 0;
    }
    let room = room.min(buf.area.right().saturating_sub(x));
    let fits = single_columns(text).is_some_and(|columns| columns <= usize::from(room));
    let text = if fits { Cow::Borrowed(text) } else { truncate(text, room) };
    if fits || single_columns(&text).is_some() {
        let first = buf.index_of(x, y);
        let mut columns = 0;
        for (character, cell) in text.chars().zip(buf.content.iter_mut().skip(first)) {
            cell.set_char(character).set_style(style);
            columns += 1;
        }
        return columns;
    }
    let (end, _) = buf.set_stringn(x, y, text.as_ref(), usize::from(room), style);
    end.saturating_sub(x)
}

/// Writes a text that ends before column `right`, cut to its room.
pub fn put_right(buf: &mut Buffer, right: u16, y: u16, room: u16, text: &str, style: Style) -> u16 {
    let text = truncate(text, room);
    let width = text_width(&text);
    put(buf, right.saturating_sub(width), y, width, &text, style)
}

/// Draws a horizontal line from column `from` to before column `to`.
pub fn draw_line(buf: &mut Buffer, from: u16, to: u16, y: u16, style: Style) {
    let to = to.min(buf.area.right());
    if from < to && buf.area.contains((from, y).into()) {
        let first = buf.index_of(from, y);
        for cell in buf.content.iter_mut().skip(first).take(usize::from(to - from)) {
            cell.set_symbol("─").set_style(style);
        }
    }
}

/// Gives every cell of an area a style and keeps its text.
pub fn tint(buf: &mut Buffer, area: Rect, style: Style) {
    let area = area.intersection(buf.area);
    if area.is_empty() || style == Style::default() {
        return;
    }
    for y in area.top()..area.bottom() {
        let first = buf.index_of(area.x, y);
        buf.content.iter_mut().skip(first).take(usize::from(area.width)).for_each(|cell| _ = cell.set_style(style));
    }
}

/// Writes a text in the middle of an area, wrapped if needed, as in a pane without rows.
pub fn put_centered(buf: &mut Buffer, area: Rect, text: &str, style: Style) {
    let lines = if text_width(text) > area.width { wrap(text, area.width) } else { vec![text.to_owned()] };
    let rows = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let top = area.y + area.height.saturating_sub(rows.max(1)) / 2;
    for (y, line) in (top..area.bottom()).zip(lines) {
        let x = area.x + area.width.saturating_sub(text_width(&line)) / 2;
        put(buf, x, y, area.width, &line, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_cut_keeps_both_its_ends() {
        assert_eq!(truncate_middle("cust-10001 polygon", 18), "cust-10001 polygon");
        assert_eq!(truncate_middle("cust-10001 polygon", 11), "cust-…lygon");
        assert_eq!(truncate_middle("cust-10001 polygon", 10), "cust-…ygon");
        assert_eq!(truncate_middle("cust-10001", 4), "cus…");
        assert_eq!(truncate_middle("≈ 10 → 2 · pay", 9), "≈ 10… pay");
        assert_eq!(truncate_middle("会計課の口座 ünï", 9), "会計… ünï");
        for room in 0..12 {
            assert!(text_width(&truncate_middle("会計課の口座 ünï", room)) <= room, "{room}");
        }
    }

    #[test]
    fn characters_known_to_take_one_column_take_one() {
        for character in (0..=0x2_ffff).filter_map(char::from_u32).filter(|character| is_single_column(*character)) {
            assert_eq!(character.to_string().width(), 1, "{character:?}");
        }
    }
}
