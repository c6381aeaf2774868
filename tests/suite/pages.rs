//! Every page at every size, in dark and light: what stands between the header and the footer.
//!
//! A snapshot holds the text of a screen, below each line the letters of its styles, and in the end what each letter is in
//! dark and in light. With `BURSAR_DRAW` each screen is drawn as a picture into that folder as well: look at it before you
//! accept a snapshot.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use bursar::domain::{Colours, ThemeName};
use bursar::service::Scene;
use bursar::ui::Theme;
use insta::assert_snapshot;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier, Style};

use super::harness::{Session, Setup, text};
use super::pictures::svg;

const SIZES: [(u16, u16); 4] = [(40, 10), (80, 24), (120, 36), (200, 60)];
const THEMES: [ThemeName; 2] = [ThemeName::Dark, ThemeName::Light];
const SECOND: Duration = Duration::from_secs(1);

/// The rows of the header and of the pages' names, and that of the keys.
const ABOVE: usize = 2;
const BELOW: usize = 1;

/// The business that a newcomer sees. The history asks for no prices, so that those of the Overview are first asked for
/// when all balances are known, in one order; and the payment of which nobody knows resolves later.
fn opens() -> Session {
    opens_for(90 * SECOND)
}

fn opens_for(time: Duration) -> Session {
    let setup = Setup { scene: Some(Scene::Showcase), poll_period: 15 * SECOND, ..Setup::default() };
    let mut session = Session::unsettled(setup);
    session.keys("3");
    session.connect();
    session.keys("1");
    session.passes(time);
    session
}

fn page(name: &str, keys: &str) {
    let mut session = opens();
    session.keys(keys);
    session.passes(15 * SECOND);
    at_each_size(name, &mut session);
}

fn at_each_size(name: &str, session: &mut Session) {
    for size in SIZES {
        let screen = styled_screen(name, session, size);
        assert_snapshot!(snapshot_name(name, size), screen);
    }
}

fn snapshot_name(name: &str, (width, height): (u16, u16)) -> String {
    format!("{name}-{width}x{height}")
}

fn styled_screen(name: &str, session: &mut Session, size: (u16, u16)) -> String {
    session.resizes(size.0, size.1);
    draws(session, &snapshot_name(name, size));
    styled_text(&THEMES.map(|theme| session.fixed_buffer(theme)))
}

/// Draws the screen as pictures where somebody wants to look at them.
fn draws(session: &Session, name: &str) {
    let Some(folder) = std::env::var_os("BURSAR_DRAW") else { return };
    fs::create_dir_all(&folder).unwrap();
    for theme in THEMES {
        let file = Path::new(&folder).join(format!("{name}-{}.svg", theme.config_name()));
        fs::write(file, svg::still(&session.fixed_buffer(theme), theme, name)).unwrap();
    }
}

type StyleOf = fn(&Theme) -> Style;

/// The styles that have a meaning of their own, each with its letter.
const MEANINGS: [(char, StyleOf); 9] = [
    ('d', |theme| theme.dim),
    ('a', |theme| theme.accent),
    ('g', |theme| theme.good),
    ('w', |theme| theme.warn),
    ('b', |theme| theme.bad),
    ('r', |theme| theme.rule),
    ('t', |theme| theme.title),
    ('f', |theme| theme.title_focused),
    ('s', |theme| theme.selected),
];

/// How a cell looks, apart from its sign.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Look {
    letters: Color,
    ground: Color,
    modifiers: Modifier,
}

impl Look {
    fn of(cell: &Cell) -> Self {
        Self { letters: cell.fg, ground: cell.bg, modifiers: cell.modifier }
    }

    /// That of a style on the theme's ground.
    fn of_style(theme: ThemeName, style: fn(&Theme) -> Style) -> Self {
        let theme = Theme::from_name(theme, Colours::Many);
        let mut cell = Cell::EMPTY;
        cell.set_style(theme.ground).set_style(style(&theme));
        Self::of(&cell)
    }

    /// Whether a blank looks otherwise than the ground.
    fn shows_on_blank(self, ground: Self) -> bool {
        let visible = Modifier::REVERSED | Modifier::UNDERLINED;
        self.ground != ground.ground || self.modifiers.intersects(visible)
    }

    fn description(self) -> String {
        let colour = |color: Color| match color {
            Color::Reset => "—".to_owned(),
            Color::Indexed(index) => index.to_string(),
            other => format!("{other:?}"),
        };
        let mut description = format!("{} on {}", colour(self.letters), colour(self.ground));
        for (name, _) in self.modifiers.iter_names() {
            write!(description, " {}", name.to_lowercase()).unwrap();
        }
        description
    }
}

/// A screen in both themes as text: its lines, the letters of their styles, and what the letters stand for.
fn styled_text(cells: &[Buffer; 2]) -> String {
    let look = |style: fn(&Theme) -> Style| THEMES.map(|theme| Look::of_style(theme, style));
    let ground = look(|theme| theme.text);
    let mut letters: Vec<(char, [Look; 2])> = vec![(' ', ground)];
    letters.extend(MEANINGS.map(|(letter, style)| (letter, look(style))));
    let mut others = 'A'..='Z';
    let mut used = Vec::new();
    let plain_text = text(&cells[0]);
    assert_eq!(plain_text, text(&cells[1]), "a theme changes colours, not words");
    let (width, height) = (cells[0].area.width, usize::from(cells[0].area.height));
    let mut styled = String::new();
    for (y, line) in plain_text.lines().enumerate().take(height - BELOW).skip(ABOVE) {
        let row = u16::try_from(y).unwrap();
        let mut styles = String::new();
        for x in 0..width {
            let mut pair = [0, 1].map(|theme| Look::of(&cells[theme][(x, row)]));
            if cells[0][(x, row)].symbol() == " " && (0..2).all(|theme| !pair[theme].shows_on_blank(ground[theme])) {
                pair = ground;
            }
            let letter_known = letters.iter().find(|(_, other)| *other == pair).map(|(letter, _)| *letter);
            let letter = letter_known.unwrap_or_else(|| {
                let letter = others.next().unwrap();
                letters.push((letter, pair));
                letter
            });
            styles.push(letter);
            if !used.contains(&letter) {
                used.push(letter);
            }
        }
        writeln!(styled, "│{line}").unwrap();
        if !styles.trim_end().is_empty() {
            writeln!(styled, "·{}", styles.trim_end()).unwrap();
        }
    }
    for (letter, [dark, light]) in letters.into_iter().filter(|(letter, _)| used.contains(letter)) {
        writeln!(styled, "{letter}  {}, {}", dark.description(), light.description()).unwrap();
    }
    styled
}

#[test]
fn overview() {
    page("overview", "1");
}

#[test]
fn users() {
    page("users", "2 G");
}

#[test]
fn transactions() {
    page("transactions", "3");
}

#[test]
fn orders() {
    page("orders", "4");
}

#[test]
fn markets() {
    page("markets", "5");
}

#[test]
fn events() {
    // Afterwards one read settles an order and raises a watch, in either order. The order above has a random identifier.
    let mut session = opens_for(40 * SECOND);
    session.keys("6 j j");
    at_each_size("events", &mut session);
}

#[test]
fn book() {
    page("book", "7");
}

#[test]
fn attention() {
    page("attention", "!");
}

#[test]
fn account() {
    page("account", "1 I");
}

#[test]
fn wallet() {
    page("wallet", "1 Tab j I");
}

/// One file a size for all reports, which are one page.
#[test]
fn reports() {
    let mut session = opens();
    let mut pages_by_size = SIZES.map(|_| String::new());
    session.keys("=");
    for name in ["value", "allocation", "counterparties", "fees", "gas", "months", "statement"] {
        session.passes(SECOND);
        for (pages, size) in pages_by_size.iter_mut().zip(SIZES) {
            pages.push_str(&styled_screen(&format!("report-{name}"), &mut session, size));
            pages.push('\n');
        }
        session.keys("Tab");
    }
    for (pages, size) in pages_by_size.into_iter().zip(SIZES) {
        assert_snapshot!(snapshot_name("reports", size), pages);
    }
}
