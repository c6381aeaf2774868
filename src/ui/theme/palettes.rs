//! The colours of each theme, for terminals with many and for those with sixteen.
//!
//! Many means the cube and the greys, which have the same shades on every terminal; a test measures their contrast. Of
//! the sixteen the user has chosen the shades, so that only their usual order can be relied on: there the selected row is
//! reversed, which keeps the contrast that its words have elsewhere.

use ratatui::style::{Color, Modifier, Style};

use crate::domain::ThemeName;

/// Letters and what they lie on.
#[derive(Debug, Clone, Copy)]
pub(super) enum Highlight {
    /// Letters of one colour on another.
    Ground(Color, Color),
    /// What lies there, with something else than colour.
    Marked(Modifier),
}

impl Highlight {
    pub(super) const fn style(self) -> Style {
        match self {
            Self::Ground(letters, ground) => Style::new().fg(letters).bg(ground),
            Self::Marked(modifier) => Style::new().add_modifier(modifier),
        }
    }
}

/// The colours of a theme.
#[derive(Debug, Clone, Copy)]
pub(super) struct Palette {
    /// Letters and ground of everything; the terminal's own where absent.
    pub(super) ground: Option<(Color, Color)>,
    pub(super) dim: Color,
    pub(super) accent: Color,
    pub(super) good: Color,
    pub(super) warn: Color,
    pub(super) bad: Color,
    pub(super) rule: Color,
    pub(super) title: Color,
    pub(super) selected: Highlight,
    pub(super) selected_elsewhere: Highlight,
    pub(super) header: Highlight,
    pub(super) testing: Highlight,
    pub(super) production: Highlight,
    pub(super) banner: Highlight,
    pub(super) code: (Color, Color),
}

/// The palettes of a theme, for sixteen colours and for many; none for the one without colours.
pub(super) const fn by_name(name: ThemeName) -> Option<(&'static Palette, &'static Palette)> {
    Some(match name {
        ThemeName::Dark => (&DARK_OF_16, &DARK),
        ThemeName::Light => (&LIGHT_OF_16, &LIGHT),
        ThemeName::HighContrast => (&HIGH_CONTRAST_OF_16, &HIGH_CONTRAST),
        ThemeName::ColourBlind => (&COLOUR_BLIND_OF_16, &COLOUR_BLIND),
        ThemeName::ColourBlindLight => (&COLOUR_BLIND_LIGHT_OF_16, &COLOUR_BLIND_LIGHT),
        ThemeName::Plain => return None,
    })
}

const fn indexed(index: u8) -> Color {
    Color::Indexed(index)
}

const fn on(letters: u8, ground: u8) -> Highlight {
    Highlight::Ground(Color::Indexed(letters), Color::Indexed(ground))
}

const BLACK: u8 = 16;
const WHITE: u8 = 231;

const DARK: Palette = Palette {
    ground: None,
    dim: indexed(246),
    accent: indexed(80),
    good: indexed(114),
    warn: indexed(221),
    bad: indexed(210),
    rule: indexed(240),
    title: indexed(250),
    selected: on(WHITE, 18),
    selected_elsewhere: on(WHITE, 235),
    header: on(253, 235),
    testing: on(WHITE, 54),
    production: on(WHITE, 124),
    banner: on(WHITE, 52),
    code: (indexed(BLACK), indexed(WHITE)),
};

const LIGHT: Palette = Palette {
    ground: None,
    dim: indexed(240),
    accent: indexed(24),
    good: indexed(22),
    warn: indexed(58),
    bad: indexed(124),
    rule: indexed(250),
    title: indexed(238),
    selected: on(BLACK, 189),
    selected_elsewhere: on(BLACK, 255),
    header: on(235, 255),
    testing: on(WHITE, 54),
    production: on(WHITE, 124),
    banner: on(WHITE, 52),
    code: (indexed(BLACK), indexed(WHITE)),
};

const HIGH_CONTRAST: Palette = Palette {
    ground: Some((indexed(WHITE), indexed(BLACK))),
    dim: indexed(252),
    accent: indexed(51),
    good: indexed(120),
    warn: indexed(226),
    bad: indexed(217),
    rule: indexed(250),
    title: indexed(WHITE),
    selected: on(WHITE, 17),
    selected_elsewhere: on(WHITE, 234),
    header: on(WHITE, 234),
    testing: on(WHITE, 54),
    production: on(WHITE, 88),
    banner: on(WHITE, 52),
    code: (indexed(BLACK), indexed(WHITE)),
};

const COLOUR_BLIND: Palette = Palette {
    accent: indexed(195),
    good: indexed(75),
    warn: indexed(229),
    bad: indexed(208),
    testing: on(WHITE, 25),
    production: on(BLACK, 208),
    ..DARK
};

const COLOUR_BLIND_LIGHT: Palette = Palette {
    accent: indexed(BLACK),
    good: indexed(25),
    warn: indexed(90),
    bad: indexed(94),
    selected: on(BLACK, 195),
    testing: on(WHITE, 25),
    production: on(BLACK, 208),
    ..LIGHT
};

const DARK_OF_16: Palette = Palette {
    ground: None,
    dim: Color::DarkGray,
    accent: Color::Cyan,
    good: Color::Green,
    warn: Color::Yellow,
    bad: Color::LightRed,
    rule: Color::DarkGray,
    title: Color::Gray,
    selected: Highlight::Marked(Modifier::REVERSED),
    selected_elsewhere: Highlight::Marked(Modifier::BOLD),
    header: Highlight::Marked(Modifier::empty()),
    testing: Highlight::Ground(Color::White, Color::Magenta),
    production: Highlight::Ground(Color::White, Color::Red),
    banner: Highlight::Ground(Color::White, Color::Red),
    code: (Color::Black, Color::White),
};

const LIGHT_OF_16: Palette = Palette {
    accent: Color::Blue,
    good: Color::Blue,
    warn: Color::Magenta,
    bad: Color::Red,
    title: Color::DarkGray,
    ..DARK_OF_16
};

const HIGH_CONTRAST_OF_16: Palette = Palette {
    ground: Some((Color::White, Color::Black)),
    dim: Color::Gray,
    accent: Color::LightCyan,
    good: Color::LightGreen,
    warn: Color::LightYellow,
    rule: Color::Gray,
    title: Color::White,
    ..DARK_OF_16
};

const COLOUR_BLIND_OF_16: Palette = Palette {
    accent: Color::White,
    good: Color::LightBlue,
    warn: Color::LightYellow,
    bad: Color::Yellow,
    testing: Highlight::Ground(Color::White, Color::Blue),
    production: Highlight::Ground(Color::Black, Color::Yellow),
    banner: Highlight::Ground(Color::Black, Color::Yellow),
    ..DARK_OF_16
};

const COLOUR_BLIND_LIGHT_OF_16: Palette = Palette {
    accent: Color::Black,
    good: Color::Blue,
    warn: Color::Magenta,
    bad: Color::Red,
    title: Color::DarkGray,
    ..COLOUR_BLIND_OF_16
};
