//! Meanings and the styles that show them. Views name meanings, never colours.

use ratatui::style::{Color, Modifier, Style};

/// A style for each meaning. Colour is never alone: each meaning has its word, sign or glyph too.
#[derive(Debug, Clone, Copy)]
pub struct Theme {
    /// Ordinary text.
    pub text: Style,
    /// What matters less: heads, units, old figures.
    pub dim: Style,
    /// What the eye is to find first: names, the focused pane.
    pub accent: Style,
    /// It works, it came in, it is done.
    pub good: Style,
    /// It waits, it is old, look at it.
    pub warn: Style,
    /// It failed, it is refused.
    pub bad: Style,
    /// Lines around panes.
    pub rule: Style,
    /// The title of a pane.
    pub title: Style,
    /// The title of the pane that has the focus.
    pub title_focused: Style,
    /// The selected row of the pane that has the focus.
    pub selected: Style,
    /// The selected row of another pane.
    pub selected_elsewhere: Style,
    /// The first line.
    pub header: Style,
    /// The program's name in it.
    pub brand: Style,
    /// A test network or the demo.
    pub testing: Style,
    /// Real money.
    pub production: Style,
    /// The page on screen.
    pub tab: Style,
    /// A key in the footer.
    pub key: Style,
    /// A line that must be read.
    pub banner: Style,
    /// The cursor of an input line.
    pub cursor: Style,
    /// Dark and light of a code that cameras read; without colours, the terminal's own.
    pub code: Option<(Color, Color)>,
}

impl Theme {
    /// Colours for a dark background, from the 16 that every terminal lets its user choose, and three greys.
    pub const fn dark() -> Self {
        let plain = Style::new();
        let grey = Color::Indexed(244);
        let bar = Color::Indexed(235);
        Self {
            text: plain,
            dim: plain.fg(grey),
            accent: plain.fg(Color::Cyan),
            good: plain.fg(Color::Green),
            warn: plain.fg(Color::Yellow),
            bad: plain.fg(Color::LightRed),
            rule: plain.fg(Color::Indexed(239)),
            title: plain.fg(Color::Indexed(250)),
            title_focused: plain.fg(Color::Cyan).add_modifier(Modifier::BOLD),
            selected: plain.fg(Color::White).bg(Color::Indexed(24)),
            selected_elsewhere: plain.bg(Color::Indexed(236)),
            header: plain.bg(bar),
            brand: plain.bg(bar).fg(Color::Cyan).add_modifier(Modifier::BOLD),
            testing: plain.bg(Color::Indexed(54)).fg(Color::White).add_modifier(Modifier::BOLD),
            production: plain.bg(Color::Red).fg(Color::White).add_modifier(Modifier::BOLD),
            tab: plain.fg(Color::White).add_modifier(Modifier::BOLD).add_modifier(Modifier::UNDERLINED),
            key: plain.fg(Color::Cyan),
            banner: plain.bg(Color::Indexed(52)).fg(Color::White),
            cursor: plain.add_modifier(Modifier::REVERSED),
            // From the colour cube, which users seldom change: a code must keep its contrast.
            code: Some((Color::Indexed(16), Color::Indexed(231))),
        }
    }

    /// No colour at all: bold, dim and reverse alone.
    pub const fn plain() -> Self {
        let plain = Style::new();
        let bold = plain.add_modifier(Modifier::BOLD);
        let dim = plain.add_modifier(Modifier::DIM);
        let reversed = plain.add_modifier(Modifier::REVERSED);
        Self {
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
