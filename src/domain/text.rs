//! Text from outside, sanitised once, where it enters.

use std::fmt::{self, Write};
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

#[cfg(test)]
mod tests;

/// Text from outside that is safe to show anywhere.
///
/// A `Text` contains no control character (C0, DEL, C1), no bidirectional override or mark, no zero-width or other
/// invisible character, no line break, no accent before the first character, no more than [`Text::MAX_ACCENTS`] accents on
/// one character, and at most [`Text::MAX_CHARS`] characters. Each run of removed characters is replaced by one `�`, so
/// that the reader sees that something is missing. An overlong text is cut with a `…`.
///
/// Only the invisible joiners and selectors of emoji after a pictograph are removed without a `�`, since `❤` and
/// `❤\u{fe0f}` look the same to every reader, and terminals may give the two different widths.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Text(Arc<str>);

impl Text {
    pub const MAX_CHARS: usize = 512;

    /// The most accents on one character: a taller stack would leave its row.
    pub const MAX_ACCENTS: usize = 8;

    /// Sanitises a text. Clean text is unchanged.
    pub fn clean(raw: &str) -> Self {
        if Self::is_short_printable_ascii(raw) {
            return Self(raw.into());
        }
        let mut cleaned = String::with_capacity(raw.len().min(4 * Self::MAX_CHARS));
        let mut count = 0;
        // Leading accents have no base character, and would combine with what is drawn before the text.
        let mut tower = Self::MAX_ACCENTS;
        let mut marked = false;
        let mut pictograph = false;
        for character in raw.chars() {
            if pictograph && is_emoji_glue(character) {
                continue;
            }
            let accent = !is_forbidden_in_text(character) && character.width() == Some(0);
            let taken_out = is_forbidden_in_text(character) || (accent && tower == Self::MAX_ACCENTS);
            if taken_out && marked {
                continue;
            }
            if count == Self::MAX_CHARS {
                cleaned.pop();
                cleaned.push('…');
                break;
            }
            cleaned.push(if taken_out { char::REPLACEMENT_CHARACTER } else { character });
            count += 1;
            marked = taken_out;
            // After a cut, further accents are dropped too: they must not combine with the `�`.
            tower = match (accent, taken_out) {
                (true, true) => tower,
                (true, false) => tower + 1,
                (false, _) => 0,
            };
            pictograph = is_pictograph(character);
        }
        Self(cleaned.into())
    }

    /// Whether a text is short and only printable ASCII, and so already clean. Nearly all texts are.
    pub fn is_short_printable_ascii(raw: &str) -> bool {
        // The fold has no early exit, so that the compiler can vectorise it.
        raw.len() <= Self::MAX_CHARS && raw.bytes().fold(true, |plain, byte| plain & (0x20..0x7f).contains(&byte))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn display_width(&self) -> usize {
        self.0.width()
    }
}

/// Whether a character is not allowed in a line of text: it controls the terminal, changes the direction of what
/// follows, or is invisible.
pub fn is_forbidden_in_text(character: char) -> bool {
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

/// A character for an error message: in quotes where it cannot mislead, else by its code point.
pub fn quote_character(character: char) -> String {
    if character.is_ascii_graphic() { format!("“{character}”") } else { format!("U+{:04X}", u32::from(character)) }
}

/// Whether a character joins or styles emoji and is invisible itself.
fn is_emoji_glue(character: char) -> bool {
    matches!(character, '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
}

/// Whether a character is in a block of symbols and pictures. Letters and digits are not, so that nothing is removed
/// after them.
fn is_pictograph(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{25a0}'..='\u{27bf}'
        | '\u{2900}'..='\u{297f}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// Pads like [`fmt::Formatter::pad`], counting columns instead of characters, and cuts nothing: for amounts and
/// addresses, whose meaning a cut would change.
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

/// Wraps text at blanks into lines of at most this many columns; a word longer than a line is broken anywhere.
pub fn wrap(text: &str, columns: u16) -> Vec<String> {
    let room = usize::from(columns.max(1));
    let mut lines = Vec::new();
    let (mut line, mut used) = (String::new(), 0);
    for word in text.split(' ') {
        if !line.is_empty() {
            if used + 1 + word.width() > room {
                lines.push(std::mem::take(&mut line));
                used = 0;
            } else {
                line.push(' ');
                used += 1;
            }
        }
        for grapheme in word.graphemes(true) {
            if used + grapheme.width() > room && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push_str(grapheme);
            used += grapheme.width();
        }
    }
    lines.push(line);
    lines
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|raw| Self::clean(&raw))
    }
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
    /// Width and precision count terminal columns, so that a table stays aligned in any script.
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
