//! Styles by meaning. Views name meanings, never colours.

mod palettes;
#[cfg(test)]
mod tests;

use ratatui::style::{Color, Modifier, Style};

use crate::domain::{Colours, ThemeName};
use palettes::{Palette, Palettes};

/// A style for each meaning. Colour is never the only sign: each meaning also has a word, a sign or a glyph.
#[derive(Debug, Clone, Copy)]
pub struct Theme {
    /// The background; empty where it is the terminal's own.
    pub ground: Style,
    pub text: Style,
    /// Secondary: heads, units, old figures.
    pub dim: Style,
    /// To be found first: names, the focused pane.
    pub accent: Style,
    /// Working, incoming, done.
    pub good: Style,
    /// Pending, stale, to be checked.
    pub warn: Style,
    /// Failed, rejected.
    pub bad: Style,
    pub rule: Style,
    /// The title of a pane.
    pub title: Style,
    /// The title of the focused pane.
    pub title_focused: Style,
    /// The selected row of the focused pane.
    pub selected: Style,
    /// The selected row of another pane.
    pub selected_elsewhere: Style,
    pub header: Style,
    /// The program's name in the header.
    pub brand: Style,
    /// A test network or the demo.
    pub testing: Style,
    /// Real money.
    pub production: Style,
    /// The page on screen.
    pub tab: Style,
    /// A key in the footer.
    pub key: Style,
    pub banner: Style,
    pub cursor: Style,
    /// Dark and light of a QR code; `None` for the terminal's own, without colours.
    pub code: Option<(Color, Color)>,
}

impl Theme {
    /// The theme of a name, in the colours that the terminal has.
    pub fn from_name(name: ThemeName, colours: Colours) -> Self {
        match (colours, Palettes::of_theme(name)) {
            (Colours::None, _) | (_, None) => Self::without_colours(),
            (Colours::Sixteen, Some(palettes)) => Self::from_palette(&palettes.sixteen),
            (Colours::Many, Some(palettes)) => Self::from_palette(&palettes.many),
        }
    }

    fn from_palette(palette: &Palette) -> Self {
        let plain = Style::new();
        let ground = match palette.ground {
            Some((text, ground)) => plain.fg(text).bg(ground),
            None => plain,
        };
        let header = palette.header.style();
        let accent = plain.fg(palette.accent);
        Self {
            ground,
            text: plain,
            dim: plain.fg(palette.dim),
            accent,
            good: plain.fg(palette.good),
            warn: plain.fg(palette.warn),
            bad: plain.fg(palette.bad),
            rule: plain.fg(palette.rule),
            title: plain.fg(palette.title),
            title_focused: accent.add_modifier(Modifier::BOLD),
            selected: palette.selected.style(),
            selected_elsewhere: palette.selected_elsewhere.style(),
            header,
            brand: header.patch(accent).add_modifier(Modifier::BOLD),
            testing: palette.testing.style().add_modifier(Modifier::BOLD),
            production: palette.production.style().add_modifier(Modifier::BOLD),
            tab: plain.add_modifier(Modifier::BOLD).add_modifier(Modifier::UNDERLINED),
            key: accent,
            banner: palette.banner.style(),
            cursor: plain.add_modifier(Modifier::REVERSED),
            // From the colour cube where there is one, which users seldom change: a QR code must keep its contrast.
            code: Some(palette.code),
        }
    }

    /// Without colours: bold, dim and reverse only.
    const fn without_colours() -> Self {
        let plain = Style::new();
        let bold = plain.add_modifier(Modifier::BOLD);
        let dim = plain.add_modifier(Modifier::DIM);
        let reversed = plain.add_modifier(Modifier::REVERSED);
        Self {
            ground: plain,
            text: plain,
            dim,
            accent: bold,
            good: plain,
            warn: bold,
            bad: bold,
            rule: dim,
            title: plain,
            title_focused: reversed.add_modifier(Modifier::BOLD),
            selected: reversed,
            selected_elsewhere: bold,
            header: plain,
            brand: bold,
            testing: reversed,
            production: reversed.add_modifier(Modifier::BOLD),
            tab: bold.add_modifier(Modifier::UNDERLINED),
            key: bold,
            banner: reversed,
            cursor: reversed,
            code: None,
        }
    }
}
