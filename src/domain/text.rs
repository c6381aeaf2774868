//! Text from outside, made harmless once, where it enters.

use std::fmt::{self, Write};
use std::ops::Deref;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

#[cfg(test)]
mod tests;

/// Text that came from outside and may be shown anywhere.
///
/// A `Text` holds no control character (C0, DEL, C1), no bidirectional override or mark, no zero-width or other
/// invisible character and no line break, no accent before the first character and no more than [`Text::MARKS`] on one, and at most
/// [`Text::LIMIT`] characters. Each run of what was taken out is marked by one `�`, so that the reader sees that
/// something stood there. Length is cut with a `…`.
///
/// One thing goes without a mark: the invisible joiners and selectors of emoji behind a pictograph, since `❤` and
/// `❤\u{fe0f}` are the same picture to every reader; a terminal may give the two different widths.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Text(Box<str>);

impl Text {
    /// The most characters that a text keeps.
    pub const LIMIT: usize = 512;

    /// The most marks above or below one character: a tower of accents would leave its row.
    pub const MARKS: usize = 8;

    /// Makes a text harmless. Clean text comes back as it was.
    pub fn clean(raw: &str) -> Self {
        if Self::is_plain(raw) {
            return Self(raw.into());
        }
        let mut kept = String::with_capacity(raw.len().min(4 * Self::LIMIT));
        let mut count = 0;
        // Accents that stand first have nothing to stand on; they would climb onto whatever is drawn before the text.
        let mut tower = Self::MARKS;
        let mut marked = false;
        let mut pictograph = false;
        for character in raw.chars() {
            if pictograph && is_emoji_glue(character) {
                continue;
            }
            let accent = !is_hidden(character) && character.width() == Some(0);
            let taken_out = is_hidden(character) || (accent && tower == Self::MARKS);
            if taken_out && marked {
                continue;
            }
            if count == Self::LIMIT {
                kept.pop();
                kept.push('…');
                break;
            }
            kept.push(if taken_out { char::REPLACEMENT_CHARACTER } else { character });
            count += 1;
            marked = taken_out;
            // A tower that was cut stays cut: further accents must not climb onto the mark that replaced their like.
            tower = match (accent, taken_out) {
                (true, true) => tower,
                (true, false) => tower + 1,
                (false, _) => 0,
            };
            pictograph = is_pictograph(character);
        }
        Self(kept.into())
    }

    /// Whether a text is short and of printable ASCII alone: clean as it stands. Nearly all are.
    pub fn is_plain(raw: &str) -> bool {
        // Every byte is looked at, for then many are looked at together.
        raw.len() <= Self::LIMIT && raw.bytes().fold(true, |plain, byte| plain & (0x20..0x7f).contains(&byte))
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// How many columns of a terminal it takes.
    pub fn columns(&self) -> usize {
        self.0.width()
    }
}

/// Whether a character has no business in a line of text: it controls the terminal, turns the direction of what
/// follows, or cannot be seen.
pub fn is_hidden(character: char) -> bool {
    matches!(character,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffc}'
        | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d159}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
        || u32::from(character) & 0xfffe == 0xfffe // the last two of each plane are no characters
        || matches!(character, '\u{fdd0}'..='\u{fdef}')
}

/// A character for an error message: itself in quotes where it cannot mislead, else by its code point.
pub fn spelled(character: char) -> String {
    if character.is_ascii_graphic() { format!("“{character}”") } else { format!("U+{:04X}", u32::from(character)) }
}

/// Joins or styles emoji, and is invisible itself.
fn is_emoji_glue(character: char) -> bool {
    matches!(character, '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
}

/// Stands in a block of symbols and pictures. Letters and digits are not here, so that nothing vanishes beside them.
fn is_pictograph(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{25a0}'..='\u{27bf}'
        | '\u{2900}'..='\u{297f}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// Pads like [`fmt::Formatter::pad`], counting columns in place of characters, and cuts nothing: for amounts and
/// addresses, which mean something else when cut.
pub(super) fn pad_uncut(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let missing = f.width().unwrap_or(0).saturating_sub(text.width());
    let before = match f.align() {
        Some(fmt::Alignment::Right) => missing,
        Some(fmt::Alignment::Center) => missing / 2,
        Some(fmt::Alignment::Left) | None => 0,
    };
    let fill = |f: &mut fmt::Formatter<'_>, times| (0..times).try_for_each(|_| f.write_char(f.fill()));
    fill(f, before)?;
    f.write_str(text)?;
    fill(f, missing - before)
}

/// Text broken at blanks into lines of so many columns; a word longer than a line is broken anywhere.
pub fn wrap(text: &str, columns: u16) -> Vec<String> {
    let room = usize::from(columns.max(1));
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() {
            if line.width() + 1 + word.width() > room {
                lines.push(std::mem::take(&mut line));
            } else {
                line.push(' ');
            }
        }
        for grapheme in word.graphemes(true) {
            if line.width() + grapheme.width() > room && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            line.push_str(grapheme);
        }
    }
    lines.push(line);
    lines
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Text {
    fn from(raw: &str) -> Self {
        Self::clean(raw)
    }
}

impl fmt::Display for Text {
    /// Width and precision count columns of a terminal, so that a table stays straight whatever a name is written in.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(most) = f.precision() else {
            return pad_uncut(f, self);
        };
        let mut columns = 0;
        let fits = self.graphemes(true).take_while(|grapheme| {
            columns += grapheme.width();
            columns <= most
        });
        pad_uncut(f, &fits.collect::<String>())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}
