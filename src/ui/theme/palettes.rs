//! The colours of each theme, read from its file in `assets/themes`.
//!
//! A file has a palette for 256 colours and one for sixteen. The 256 are used from the cube and the greys, which are the
//! same on every terminal; a test measures their contrast. Users redefine the sixteen, so that only their usual order can be
//! relied on: there the selected row is reversed, which preserves the contrast of its text.

use std::sync::OnceLock;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;
use serde::de::{Deserializer, Error};

use crate::domain::ThemeName;

/// A text colour and a background, or a modifier.
#[derive(Debug, Clone, Copy)]
pub(super) enum Highlight {
    Pair(Color, Color),
    Modifier(Modifier),
}

impl Highlight {
    pub(super) const fn style(self) -> Style {
        match self {
            Self::Pair(text, background) => Style::new().fg(text).bg(background),
            Self::Modifier(modifier) => Style::new().add_modifier(modifier),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Palette {
    /// Text and background of the whole screen; absent for the terminal's own.
    #[serde(default, deserialize_with = "optional_pair")]
    pub(super) ground: Option<(Color, Color)>,
    #[serde(deserialize_with = "colour")]
    pub(super) dim: Color,
    #[serde(deserialize_with = "colour")]
    pub(super) accent: Color,
    #[serde(deserialize_with = "colour")]
    pub(super) good: Color,
    #[serde(deserialize_with = "colour")]
    pub(super) warn: Color,
    #[serde(deserialize_with = "colour")]
    pub(super) bad: Color,
    #[serde(deserialize_with = "colour")]
    pub(super) rule: Color,
    #[serde(deserialize_with = "colour")]
    pub(super) title: Color,
    pub(super) selected: Highlight,
    pub(super) selected_elsewhere: Highlight,
    pub(super) header: Highlight,
    pub(super) testing: Highlight,
    pub(super) production: Highlight,
    pub(super) banner: Highlight,
    /// The dark and the light colour of a QR code.
    #[serde(deserialize_with = "pair")]
    pub(super) code: (Color, Color),
}

/// A theme's file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Palettes {
    pub(super) many: Palette,
    pub(super) sixteen: Palette,
}

impl Palettes {
    /// The palettes of a theme, parsed once; `None` for the plain theme, which has no colours.
    pub(super) fn of_theme(name: ThemeName) -> Option<&'static Self> {
        static PARSED: [OnceLock<Option<Palettes>>; ThemeName::ALL.len()] =
            [const { OnceLock::new() }; ThemeName::ALL.len()];
        let text = name.toml_text()?;
        // A test parses every file.
        PARSED[name as usize].get_or_init(|| toml::from_str(text).ok()).as_ref()
    }
}

fn colour<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Color, D::Error> {
    parse_colour(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

fn pair<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(Color, Color), D::Error> {
    parse_pair(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

fn optional_pair<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<(Color, Color)>, D::Error> {
    pair(deserializer).map(Some)
}

impl<'de> Deserialize<'de> for Highlight {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match String::deserialize(deserializer)?.as_str() {
            "plain" => Ok(Self::Modifier(Modifier::empty())),
            "bold" => Ok(Self::Modifier(Modifier::BOLD)),
            "reversed" => Ok(Self::Modifier(Modifier::REVERSED)),
            text => parse_pair(text).map(|(text, background)| Self::Pair(text, background)).map_err(D::Error::custom),
        }
    }
}

fn parse_pair(text: &str) -> Result<(Color, Color), String> {
    let (letters, background) =
        text.split_once(" on ").ok_or_else(|| format!("“{text}” is not “TEXT on BACKGROUND”"))?;
    Ok((parse_colour(letters)?, parse_colour(background)?))
}

fn parse_colour(text: &str) -> Result<Color, String> {
    text.parse().map_err(|_| format!("“{text}” is neither a number from 0 to 255 nor the name of a colour"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_theme_but_the_plain_one_has_its_file() {
        for (word, name) in ThemeName::ALL {
            assert_eq!(Palettes::of_theme(name).is_none(), name == ThemeName::Plain, "{word}");
        }
    }

    #[test]
    fn a_file_that_is_wrong_says_where() {
        let whole = include_str!("../../../assets/themes/dark.toml");
        for (wrong, expected) in [
            (whole.replacen("\"246\"", "\"grue\"", 1), "“grue” is neither a number"),
            (whole.replacen("\"231 on 18\"", "\"231\"", 1), "“231” is not “TEXT on BACKGROUND”"),
            (whole.replacen("dim = \"246\"\n", "", 1), "missing field `dim`"),
            (whole.replacen("dim =", "dimm =", 1), "unknown field `dimm`"),
        ] {
            let error = toml::from_str::<Palettes>(&wrong).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
