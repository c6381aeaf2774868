//! The terminal's abilities, detected from its name alone: the terminal is never queried.

use ratatui::buffer::Cell;
use ratatui::style::Color;

use super::shade::{NAMED, shade};
use crate::domain::ClipboardRoute;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorDepth {
    /// No colours: bold, reverse and underline must carry the meaning.
    Plain,
    /// The sixteen named colours, whose shades the user has chosen.
    Ansi16,
    /// The sixteen, a cube of 216 and 24 greys.
    Indexed256,
    TrueColor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    pub depth: ColorDepth,
    /// Whether `CSI S` and `CSI T` scroll the lines between the margins.
    pub scrolls: bool,
    pub erases_with_background: bool,
    pub clipboard: ClipboardRoute,
}

impl Dialect {
    /// A modern terminal with true colours.
    pub const FULL: Self = Self {
        depth: ColorDepth::TrueColor,
        scrolls: true,
        erases_with_background: true,
        clipboard: ClipboardRoute::Terminal,
    };

    /// Detects the dialect from `TERM`, `COLORTERM` and `NO_COLOR`. Of these SSH passes only the first on.
    pub fn detect(term: Option<&str>, colorterm: Option<&str>, no_color: Option<&str>) -> Self {
        let name = term.unwrap_or("");
        // The Linux console lacks CSI S and T. GNU screen paints erased cells with the default background; a tmux
        // configured to use screen's name does not, but cannot be distinguished.
        let scrolls = name != "linux" && !name.starts_with("vt");
        let is_screen = name.starts_with("screen");
        let erases_with_background = !is_screen && !name.starts_with("vt");
        // GNU screen passes the outer terminal's `COLORTERM` on, but supports only the colours of its own name.
        let colorterm = colorterm.filter(|_| !is_screen).unwrap_or("");
        Self {
            depth: ColorDepth::detect(name, colorterm, no_color.unwrap_or("")),
            scrolls,
            erases_with_background,
            clipboard: match name {
                "" | "dumb" | "unknown" | "linux" => ClipboardRoute::Missing,
                _ if name.starts_with("vt") => ClipboardRoute::Missing,
                _ if is_screen => ClipboardRoute::Screen,
                _ if name.starts_with("tmux") => ClipboardRoute::Tmux,
                _ => ClipboardRoute::Terminal,
            },
        }
    }

    /// The dialect where `TMUX` is set: tmux under any name, which paints 256 colours even where the name has 16.
    #[must_use]
    pub fn within_tmux(self) -> Self {
        let depth = if self.depth == ColorDepth::Ansi16 { ColorDepth::Indexed256 } else { self.depth };
        Self { depth, clipboard: ClipboardRoute::Tmux, ..self }
    }
}

impl ColorDepth {
    /// The bytes of a usual change of the style, between those to a colour and those back to none.
    pub(super) fn switch_bytes(self) -> usize {
        match self {
            Self::Plain | Self::Ansi16 => 4,
            Self::Indexed256 => 8,
            Self::TrueColor => 12,
        }
    }

    fn detect(term: &str, colorterm: &str, no_color: &str) -> Self {
        const TRUE_COLOR: [&str; 7] = ["direct", "truecolor", "kitty", "alacritty", "foot", "wezterm", "ghostty"];
        if !no_color.is_empty()
            || matches!(term, "" | "dumb" | "unknown")
            || term.starts_with("vt")
            || term.ends_with("-m")
            || term.ends_with("-mono")
        {
            Self::Plain
        } else if matches!(colorterm, "truecolor" | "24bit") || TRUE_COLOR.iter().any(|word| term.contains(word)) {
            Self::TrueColor
        } else if term.contains("256color") || term.starts_with("tmux") {
            Self::Indexed256
        } else {
            Self::Ansi16
        }
    }

    /// Reduces both colours of a cell.
    pub(super) fn reduce_colors(self, cell: &mut Cell) {
        // Themes for 256 colours name them by index: nothing is left to reduce.
        let is_kept = |color: Color| match self {
            Self::TrueColor => true,
            Self::Indexed256 => !matches!(color, Color::Rgb(..)),
            Self::Ansi16 | Self::Plain => false,
        };
        if !(is_kept(cell.fg) && is_kept(cell.bg)) {
            (cell.fg, cell.bg) = (self.reduce(cell.fg), self.reduce(cell.bg));
        }
    }

    #[inline]
    pub fn reduce(self, color: Color) -> Color {
        match (self, color) {
            (Self::Plain, _) => Color::Reset,
            (Self::Indexed256, Color::Rgb(red, green, blue)) => Color::Indexed(nearest_of_256([red, green, blue])),
            (Self::Ansi16, Color::Rgb(red, green, blue)) => nearest_of_16([red, green, blue]),
            (Self::Ansi16, Color::Indexed(index @ 0..16)) => NAMED[usize::from(index)].0,
            (Self::Ansi16, Color::Indexed(index)) => nearest_of_16(shade(index)),
            _ => color,
        }
    }
}

fn distance(left: [u8; 3], right: [u8; 3]) -> u32 {
    // The eye distinguishes greens best and blues worst; integer weights in that order are enough here.
    let [red, green, blue] = [0, 1, 2].map(|part| u32::from(left[part].abs_diff(right[part])));
    3 * red * red + 4 * green * green + 2 * blue * blue
}

fn nearest_of_16(target: [u8; 3]) -> Color {
    NAMED.iter().min_by_key(|(_, shade)| distance(target, *shade)).map_or(Color::Reset, |(color, _)| *color)
}

fn nearest_of_256(target: [u8; 3]) -> u8 {
    // The first sixteen are left out: their shades are the user's own.
    (16..=255).min_by_key(|index| distance(target, shade(*index))).unwrap_or(16)
}

#[cfg(test)]
mod tests {
    use super::{ClipboardRoute, Color, ColorDepth, Dialect};

    #[test]
    fn the_depth_follows_the_names_that_terminals_give_themselves() {
        let depth = |term, colorterm, no_color| Dialect::detect(term, colorterm, no_color).depth;
        assert_eq!(depth(Some("xterm-256color"), Some("truecolor"), None), ColorDepth::TrueColor);
        assert_eq!(depth(Some("xterm-kitty"), None, None), ColorDepth::TrueColor);
        assert_eq!(depth(Some("tmux-256color"), None, None), ColorDepth::Indexed256);
        assert_eq!(depth(Some("linux"), None, None), ColorDepth::Ansi16);
        assert_eq!(depth(Some("dumb"), Some("truecolor"), None), ColorDepth::Plain);
        assert_eq!(depth(None, None, None), ColorDepth::Plain);
        assert_eq!(depth(Some("xterm-256color"), Some("truecolor"), Some("1")), ColorDepth::Plain);
        assert_eq!(depth(Some("xterm-256color"), None, Some("")), ColorDepth::Indexed256);
    }

    /// What an SSH login knows: the name, and nothing else.
    #[test]
    fn a_name_alone_tells_colours_and_the_way_to_the_clipboard() {
        use ClipboardRoute::{Missing, Screen, Terminal, Tmux};
        use ColorDepth::{Ansi16, Indexed256, Plain, TrueColor};
        for (name, depth, clipboard) in [
            ("xterm-256color", Indexed256, Terminal),
            ("xterm", Ansi16, Terminal),
            ("rxvt-unicode-256color", Indexed256, Terminal),
            ("xterm-kitty", TrueColor, Terminal),
            ("foot", TrueColor, Terminal),
            ("alacritty", TrueColor, Terminal),
            ("xterm-ghostty", TrueColor, Terminal),
            ("xterm-direct", TrueColor, Terminal),
            ("tmux-256color", Indexed256, Tmux),
            ("tmux", Indexed256, Tmux),
            ("screen-256color", Indexed256, Screen),
            ("screen", Ansi16, Screen),
            ("linux", Ansi16, Missing),
            ("vt100", Plain, Missing),
            ("vt220", Plain, Missing),
            ("dumb", Plain, Missing),
            ("", Plain, Missing),
        ] {
            let dialect = Dialect::detect(Some(name), None, None);
            assert_eq!((dialect.depth, dialect.clipboard), (depth, clipboard), "{name}");
        }
    }

    #[test]
    fn tmux_is_known_by_its_variable_under_any_name() {
        let screen = Dialect::detect(Some("screen"), Some("truecolor"), None);
        assert_eq!((screen.depth, screen.clipboard), (ColorDepth::Ansi16, ClipboardRoute::Screen));
        let tmux = screen.within_tmux();
        assert_eq!((tmux.depth, tmux.clipboard), (ColorDepth::Indexed256, ClipboardRoute::Tmux));
        // Whoever wants no colours gets none there either.
        assert_eq!(Dialect::detect(Some("dumb"), None, None).within_tmux().depth, ColorDepth::Plain);
    }

    #[test]
    fn colours_are_reduced_to_the_nearest_that_may_be_sent() {
        assert_eq!(ColorDepth::Plain.reduce(Color::Red), Color::Reset);
        assert_eq!(ColorDepth::Ansi16.reduce(Color::Rgb(250, 10, 10)), Color::LightRed);
        assert_eq!(ColorDepth::Ansi16.reduce(Color::Indexed(2)), Color::Green);
        assert_eq!(ColorDepth::Indexed256.reduce(Color::Rgb(95, 135, 175)), Color::Indexed(67));
        assert_eq!(ColorDepth::Indexed256.reduce(Color::Rgb(128, 128, 128)), Color::Indexed(244));
        assert_eq!(ColorDepth::TrueColor.reduce(Color::Rgb(1, 2, 3)), Color::Rgb(1, 2, 3));
    }
}
