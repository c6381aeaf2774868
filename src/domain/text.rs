//! Text from outside, made harmless once, where it enters.

use std::fmt;
use std::ops::Deref;

use unicode_segmentation::UnicodeSegmentation;

/// Text that came from outside and may be shown anywhere.
///
/// A `Text` holds no control character (C0, DEL, C1), no bidirectional override or mark, no zero-width or other
/// invisible character and no line break, and at most [`Text::LIMIT`] characters. Each run of what was taken out is
/// marked by one `�`, so that the reader sees that something stood there. Length is cut with a `…`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Text(Box<str>);

impl Text {
    /// The most characters that a text keeps.
    pub const LIMIT: usize = 512;

    /// Makes a text harmless. Clean text comes back as it was.
    pub fn clean(raw: &str) -> Self {
        if raw.len() <= Self::LIMIT && raw.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
            return Self(raw.into());
        }
        let mut kept = String::with_capacity(raw.len().min(4 * Self::LIMIT));
        let mut marked = false;
        let mut count = 0;
        for grapheme in raw.graphemes(true) {
            for character in grapheme.chars().take(Self::MARKS_PER_GRAPHEME) {
                if count == Self::LIMIT {
                    kept.pop();
                    kept.push('…');
                    return Self(kept.into());
                }
                if is_hidden(character) {
                    if marked {
                        continue;
                    }
                    kept.push('\u{fffd}');
                } else {
                    kept.push(character);
                }
                marked = is_hidden(character);
                count += 1;
            }
        }
        Self(kept.into())
    }

    /// A base character and at most this many marks above or below it: towers of accents would leave their row.
    const MARKS_PER_GRAPHEME: usize = 8;

    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a character has no business in a line of text: it controls the terminal, turns the direction of what
/// follows, or cannot be seen.
pub fn is_hidden(character: char) -> bool {
    matches!(character,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
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
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}
