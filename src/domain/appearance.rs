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
    /// Every theme with its word, in the order in which a key cycles through them and in which they are declared.
    pub const ALL: [(&'static str, Self); 6] = [
        Self::Dark.with_config_name(),
        Self::Light.with_config_name(),
        Self::HighContrast.with_config_name(),
        Self::ColourBlind.with_config_name(),
        Self::ColourBlindLight.with_config_name(),
        Self::Plain.with_config_name(),
    ];

    /// Its word, what it is for, and its file in `assets/themes`, which the plain theme has none of.
    const fn facts(self) -> (&'static str, &'static str, Option<&'static str>) {
        macro_rules! facts {
            ($word:literal, $purpose:literal) => {
                ($word, $purpose, Some(include_str!(concat!("../../assets/themes/", $word, ".toml"))))
            };
        }
        match self {
            Self::Dark => facts!("dark", "colours for a dark background"),
            Self::Light => facts!("light", "colours for a light background"),
            Self::HighContrast => facts!("high-contrast", "white on black, and strong colours"),
            Self::ColourBlind => facts!("colour-blind", "blue and orange, for red-green colour blindness"),
            Self::ColourBlindLight => {
                facts!("colour-blind-light", "blue and brown, colour-blind, on a light background")
            }
            Self::Plain => ("plain", "no colour: only bold, dim and reversed", None),
        }
    }

    const fn with_config_name(self) -> (&'static str, Self) {
        (self.config_name(), self)
    }

    pub const fn config_name(self) -> &'static str {
        self.facts().0
    }

    pub const fn purpose(self) -> &'static str {
        self.facts().1
    }

    /// The text of its file, with its colours.
    pub const fn toml_text(self) -> Option<&'static str> {
        self.facts().2
    }

    #[must_use]
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()].1
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
        for (word, expected) in ThemeName::ALL {
            assert_eq!((theme, theme.config_name()), (expected, word));
            theme = theme.next();
        }
        assert_eq!(theme, ThemeName::default());
    }
}
