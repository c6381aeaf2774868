//! The names of screen themes, colour depths and glyph sets, shared by the configuration, the decisions and the
//! drawing. Their looks are in `ui`.

/// Colour is never the only carrier of meaning in any theme: sign, glyph and word carry it too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ThemeName {
    #[default]
    Dark,
    Light,
    HighContrast,
    /// Blue and orange instead of green and red, for a dark background.
    ColourBlind,
    /// Blue and brown, for a light background.
    ColourBlindLight,
    Plain,
}

impl ThemeName {
    /// Every theme with its word, in the order in which a key cycles through them.
    pub const ALL: [(&'static str, Self); 6] = [
        ("dark", Self::Dark),
        ("light", Self::Light),
        ("high-contrast", Self::HighContrast),
        ("colour-blind", Self::ColourBlind),
        ("colour-blind-light", Self::ColourBlindLight),
        ("plain", Self::Plain),
    ];

    pub const fn config_name(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
            Self::HighContrast => "high-contrast",
            Self::ColourBlind => "colour-blind",
            Self::ColourBlindLight => "colour-blind-light",
            Self::Plain => "plain",
        }
    }

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

    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|(_, theme)| *theme == self).unwrap_or(0);
        Self::ALL[(at + 1) % Self::ALL.len()].1
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colours {
    /// None: the plain theme, whichever was chosen.
    None,
    /// The sixteen colours whose shades the user has chosen.
    Sixteen,
    /// A cube of 216 colours and 24 greys, whose shades are the same everywhere; more are not needed.
    #[default]
    Many,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Glyphs {
    /// Boxes, arrows, blocks and typographic signs.
    #[default]
    Unicode,
    /// ASCII for what the program itself draws; the service's text is shown as received.
    Ascii,
    /// ASCII for everything: other characters of the service's text are shown as `?`.
    AsciiOnly,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Appearance {
    pub theme: ThemeName,
    pub colours: Colours,
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
            assert_eq!((theme, theme.config_name()), (listed, word));
            theme = theme.next();
        }
        assert_eq!(theme, ThemeName::default());
    }
}
