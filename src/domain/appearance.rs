//! How a screen may look, as names alone: the configuration, the decisions and the paint share them. What they look like
//! stands in `ui`.

/// The themes. Colour is never alone in any of them: sign, glyph and word carry the meaning too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ThemeName {
    /// Colours for a dark background.
    #[default]
    Dark,
    /// Colours for a light background.
    Light,
    /// White on black, and every colour far from it.
    HighContrast,
    /// Blue and orange in place of green and red, for a dark background.
    ColourBlind,
    /// The same for a light background.
    ColourBlindLight,
    /// No colour: bold, dim and reverse alone.
    Plain,
}

impl ThemeName {
    /// Every theme and the word that names it, in the order in which a key goes through them.
    pub const ALL: [(&'static str, Self); 6] = [
        ("dark", Self::Dark),
        ("light", Self::Light),
        ("high-contrast", Self::HighContrast),
        ("colour-blind", Self::ColourBlind),
        ("colour-blind-light", Self::ColourBlindLight),
        ("plain", Self::Plain),
    ];

    /// The word that names it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
            Self::HighContrast => "high-contrast",
            Self::ColourBlind => "colour-blind",
            Self::ColourBlindLight => "colour-blind-light",
            Self::Plain => "plain",
        }
    }

    /// For whom or where it is good, as a sentence without its point.
    pub const fn purpose(self) -> &'static str {
        match self {
            Self::Dark => "colours for a dark background",
            Self::Light => "colours for a light background",
            Self::HighContrast => "white on black, and strong colours",
            Self::ColourBlind => "blue and orange, for red-green colour blindness",
            Self::ColourBlindLight => "blue and brown, colour-blind, on a light background",
            Self::Plain => "no colour: only bold, dim and reversed",
        }
    }

    /// The one after it, round and round.
    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|(_, theme)| *theme == self).unwrap_or(0);
        Self::ALL[(at + 1) % Self::ALL.len()].1
    }
}

/// How many colours a terminal has to paint with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colours {
    /// None: the plain theme, whichever was chosen.
    None,
    /// The sixteen whose shades the user has chosen.
    Sixteen,
    /// A cube of 216 and 24 greys besides, whose shades are the same everywhere; more are not needed.
    #[default]
    Many,
}

/// Which characters a screen is painted with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Glyphs {
    /// Boxes, arrows, blocks and typographic signs.
    #[default]
    Unicode,
    /// ASCII for all that the program itself paints; text of the service is shown as it came.
    Ascii,
    /// ASCII for everything: what else stands in a text of the service is shown as `?`.
    AsciiOnly,
}

/// How a screen looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Appearance {
    /// The theme that was chosen.
    pub theme: ThemeName,
    /// What it can be painted with.
    pub colours: Colours,
    /// The characters.
    pub glyphs: Glyphs,
}

impl From<ThemeName> for Appearance {
    fn from(theme: ThemeName) -> Self {
        Self { theme, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_theme_is_listed_under_its_word_and_a_key_reaches_them_all() {
        let mut theme = ThemeName::default();
        for (word, listed) in ThemeName::ALL {
            assert_eq!((theme, theme.word()), (listed, word));
            theme = theme.next();
        }
        assert_eq!(theme, ThemeName::default());
    }
}
