//! Cells as a vector picture, for pages that show the program.
//!
//! Letters are set in whatever monospaced family the reader has, each run stretched to its columns. Lines, blocks and
//! backgrounds are shapes, so that they meet whatever the family is.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use bursar::domain::ThemeName;
use bursar::terminal::encoder::shade::{NAMED, shade};
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// Lengths are in eighths of a pixel, so that every block is whole.
const PIXEL: u16 = 8;
const CELL_WIDTH: u16 = 9 * PIXEL;
const CELL_HEIGHT: u16 = 19 * PIXEL;
const BASELINE: u16 = 14 * PIXEL;
const MARGIN: u16 = 14 * PIXEL;

/// A letter of the usual families is six tenths of this wide.
const FONT_SIZE: u16 = 15 * PIXEL;
const FAMILIES: &str =
    "ui-monospace,'SF Mono',Menlo,'Cascadia Mono',Consolas,'DejaVu Sans Mono','Liberation Mono',monospace";

/// Equal cells between two changes that are cheaper to draw again than to leave out.
const GAP: usize = 6;

/// What a terminal has of its own: the colours of the letters, of the ground and of the window's frame.
struct Window {
    letters: &'static str,
    ground: &'static str,
    frame: &'static str,
}

impl Window {
    fn of(theme: ThemeName) -> Self {
        if theme == ThemeName::Light {
            Self { letters: "#1c1c1c", ground: "#ffffff", frame: "#d0d0d0" }
        } else {
            Self { letters: "#dadada", ground: "#12151a", frame: "#3a3a3a" }
        }
    }
}

/// A frame of an animation and how long it stands.
pub(super) struct Frame {
    pub(super) cells: Buffer,
    pub(super) duration: Duration,
}

/// A screen as a picture. The title says what it shows to whoever cannot see it.
pub(in super::super) fn still(cells: &Buffer, theme: ThemeName, title: &str) -> String {
    let mut drawing = Drawing::new(theme);
    let body = drawing.draw_whole(cells);
    drawing.page(cells, title, "", &body)
}

/// Frames as a picture that moves, over and over. Each frame is drawn over the last one where it differs, so that what shows
/// without animation is the whole first frame.
pub(super) fn animation(frames: &[Frame], theme: ThemeName, title: &str) -> String {
    let first = &frames[0].cells;
    let mut drawing = Drawing::new(theme);
    let mut body = drawing.draw_whole(first);
    let whole: Duration = frames.iter().map(|frame| frame.duration).sum();
    let mut style = format!(".f{{visibility:hidden;animation:{}ms step-end infinite}}", whole.as_millis());
    let mut begins = frames[0].duration;
    for (index, pair) in frames.windows(2).enumerate() {
        let layer = drawing.draw_over(&pair[1].cells, &changes(&pair[0].cells, &pair[1].cells));
        writeln!(body, "<g class=\"f\" style=\"animation-name:f{index}\">\n{layer}</g>").unwrap();
        let share = begins.as_millis() * 10_000 / whole.as_millis();
        let (percent, rest) = (share / 100, share % 100);
        write!(style, "\n@keyframes f{index}{{0%{{visibility:hidden}}{percent}.{rest:02}%{{visibility:visible}}}}")
            .unwrap();
        begins += pair[1].duration;
    }
    style.push_str("\n@media(prefers-reduced-motion:reduce){.f{animation:none}}");
    drawing.page(first, title, &style, &body)
}

/// Cells of a row.
#[derive(Clone, Copy)]
struct Run {
    y: u16,
    from: u16,
    to: u16,
}

/// Where a frame differs from the one before.
fn changes(before: &Buffer, after: &Buffer) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for y in 0..after.area.height {
        for x in (0..after.area.width).filter(|x| before[(*x, y)] != after[(*x, y)]) {
            match runs.last_mut() {
                Some(last) if last.y == y && usize::from(x - last.to) <= GAP => last.to = x + 1,
                _ => runs.push(Run { y, from: x, to: x + 1 }),
            }
        }
    }
    runs
}

/// The colours and weight of a cell, with reversal resolved.
#[derive(Clone, PartialEq, Eq)]
struct Look {
    letters: String,
    ground: String,
    is_bold: bool,
    is_dim: bool,
    is_underlined: bool,
}

/// Paths by their colour.
#[derive(Default)]
struct Shapes {
    grounds: BTreeMap<String, String>,
    blocks: BTreeMap<String, String>,
    lines: BTreeMap<String, String>,
}

impl Shapes {
    /// Grounds first, then blocks, then lines.
    fn paths(&self) -> String {
        let fills = self.grounds.iter().chain(&self.blocks);
        let fills = fills.map(|(colour, path)| format!("<path fill=\"{colour}\" d=\"{path}\"/>\n"));
        let lines = self.lines.iter().filter(|(_, path)| !path.is_empty());
        let lines = lines.map(|(colour, path)| format!("<path stroke=\"{colour}\" d=\"{path}\"/>\n"));
        fills.chain(lines).collect()
    }
}

struct Drawing {
    window: Window,
    /// The class of each kind of letters, by its rule.
    classes: BTreeMap<String, usize>,
}

impl Drawing {
    fn new(theme: ThemeName) -> Self {
        Self { window: Window::of(theme), classes: BTreeMap::new() }
    }

    /// Letters of a kind have a class.
    fn class(&mut self, look: &Look) -> String {
        let weight = if look.is_bold { ";font-weight:700" } else { "" };
        let opacity = if look.is_dim { ";opacity:.6" } else { "" };
        let next = self.classes.len();
        format!("c{}", self.classes.entry(format!("fill:{}{weight}{opacity}", look.letters)).or_insert(next))
    }

    fn look(&self, cell: &Cell) -> Look {
        let letters = colour(cell.fg).unwrap_or_else(|| self.window.letters.to_owned());
        let ground = colour(cell.bg).unwrap_or_else(|| self.window.ground.to_owned());
        let is_reversed = cell.modifier.contains(Modifier::REVERSED);
        let (letters, ground) = if is_reversed { (ground, letters) } else { (letters, ground) };
        Look {
            letters,
            ground,
            is_bold: cell.modifier.contains(Modifier::BOLD),
            is_dim: cell.modifier.contains(Modifier::DIM),
            is_underlined: cell.modifier.contains(Modifier::UNDERLINED),
        }
    }

    /// Draws a screen on the ground of its page.
    fn draw_whole(&mut self, cells: &Buffer) -> String {
        let runs: Vec<Run> = (0..cells.area.height).map(|y| Run { y, from: 0, to: cells.area.width }).collect();
        let mut shapes = Shapes::default();
        let letters = self.collect(cells, &runs, &mut shapes);
        shapes.grounds.remove(self.window.ground);
        shapes.paths() + &letters
    }

    /// Draws cells over what was drawn before.
    fn draw_over(&mut self, cells: &Buffer, runs: &[Run]) -> String {
        let mut shapes = Shapes::default();
        let letters = self.collect(cells, runs, &mut shapes);
        shapes.paths() + &letters
    }

    /// Collects the shapes of cells, and returns their letters.
    fn collect(&mut self, cells: &Buffer, runs: &[Run], shapes: &mut Shapes) -> String {
        let mut letters = String::new();
        for run in runs {
            let mut x = run.from;
            while x < run.to {
                let look = self.look(&cells[(x, run.y)]);
                let alike = (x..run.to).take_while(|at| self.look(&cells[(*at, run.y)]) == look).count();
                let end = x + u16::try_from(alike).unwrap();
                let whole = Block::WHOLE.at(x, run.y, end - x);
                shapes.grounds.entry(look.ground.clone()).or_default().push_str(&whole);
                let lines = shapes.lines.entry(look.letters.clone()).or_default();
                if look.is_underlined {
                    let y = top(run.y) + CELL_HEIGHT - 2 * PIXEL;
                    write!(lines, "M{} {y}h{}", left_edge(x), (end - x) * CELL_WIDTH).unwrap();
                }
                let class = self.class(&look);
                for piece in pieces(cells, run.y, x, end) {
                    match piece {
                        Piece::Block(x, columns, block) => {
                            let path = block.at(x, run.y, columns);
                            shapes.blocks.entry(look.letters.clone()).or_default().push_str(&path);
                        }
                        Piece::Line(x, columns, strokes) => lines.push_str(&strokes.at(x, run.y, columns)),
                        Piece::Letters(x, columns, text) => writeln!(
                            letters,
                            "<text class=\"{class}\" x=\"{}\" y=\"{}\" textLength=\"{}\">{}</text>",
                            left_edge(x),
                            top(run.y) + BASELINE,
                            columns * CELL_WIDTH,
                            escape(&text)
                        )
                        .unwrap(),
                    }
                }
                x = end;
            }
        }
        letters
    }

    fn page(&self, cells: &Buffer, title: &str, style: &str, body: &str) -> String {
        let (width, height) = (left_edge(cells.area.width) + MARGIN, top(cells.area.height) + MARGIN);
        let Window { ground, frame, .. } = self.window;
        let mut rules: Vec<(&String, &usize)> = self.classes.iter().collect();
        rules.sort_by_key(|(_, index)| **index);
        let rules: Vec<String> = rules.into_iter().map(|(rule, index)| format!(".c{index}{{{rule}}}\n")).collect();
        let rules = rules.concat();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\">\n<title>{}</title>\n<style>\ntext{{font:{}px {FAMILIES};white-space:pre}}\n\
             path{{stroke-width:{PIXEL}}}\n{rules}{style}</style>\n\
             <rect x=\"4\" y=\"4\" width=\"{}\" height=\"{}\" rx=\"72\" fill=\"{ground}\" stroke=\"{frame}\" \
             stroke-width=\"{PIXEL}\"/>\n{body}</svg>\n",
            width / PIXEL,
            height / PIXEL,
            escape(title),
            FONT_SIZE,
            width - PIXEL,
            height - PIXEL,
        )
    }
}

const fn left_edge(x: u16) -> u16 {
    MARGIN + x * CELL_WIDTH
}

const fn top(y: u16) -> u16 {
    MARGIN + y * CELL_HEIGHT
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A colour of a cell; none where it is the terminal's own.
fn colour(color: Color) -> Option<String> {
    let [red, green, blue] = match color {
        Color::Reset => return None,
        Color::Indexed(index) => shade(index),
        Color::Rgb(red, green, blue) => [red, green, blue],
        named => NAMED.iter().find(|(name, _)| *name == named).unwrap().1,
    };
    Some(format!("#{red:02x}{green:02x}{blue:02x}"))
}

/// What stands in a row: from a column on, in how many columns.
enum Piece {
    Letters(u16, u16, String),
    Block(u16, u16, Block),
    Line(u16, u16, Strokes),
}

/// What stands in cells of one look. Letters are parted at two blanks, and a sign that families draw in widths of their own
/// stands alone.
fn pieces(cells: &Buffer, y: u16, from: u16, to: u16) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut text = (from, String::new());
    let flush = |text: &mut (u16, String), next: u16, pieces: &mut Vec<Piece>| {
        let letters = text.1.trim_end();
        if !letters.is_empty() {
            let columns = u16::try_from(letters.chars().count()).unwrap();
            pieces.push(Piece::Letters(text.0, columns, letters.to_owned()));
        }
        *text = (next, String::new());
    };
    for x in from..to {
        let symbol = cells[(x, y)].symbol();
        let sign = symbol.chars().next().unwrap_or(' ');
        if let Some(block) = Block::of(sign) {
            flush(&mut text, x + 1, &mut pieces);
            match pieces.last_mut() {
                Some(Piece::Block(first, columns, last))
                    if *last == block && *first + *columns == x && block.width == 8 =>
                {
                    *columns += 1;
                }
                _ => pieces.push(Piece::Block(x, 1, block)),
            }
        } else if let Some(strokes) = Strokes::of(sign) {
            flush(&mut text, x + 1, &mut pieces);
            match pieces.last_mut() {
                Some(Piece::Line(first, columns, Strokes::ACROSS))
                    if strokes == Strokes::ACROSS && *first + *columns == x =>
                {
                    *columns += 1;
                }
                _ => pieces.push(Piece::Line(x, 1, strokes)),
            }
        } else if sign == ' ' && (text.1.is_empty() || text.1.ends_with(' ')) {
            flush(&mut text, x + 1, &mut pieces);
        } else if sign.is_ascii() || matches!(sign, '\u{a0}'..='\u{ff}' | '\u{2010}'..='\u{2026}') {
            text.1.push_str(symbol);
        } else {
            flush(&mut text, x, &mut pieces);
            text.1.push_str(symbol);
            flush(&mut text, x + 1, &mut pieces);
        }
    }
    flush(&mut text, to, &mut pieces);
    pieces
}

/// A part of a cell, in eighths of its width and height.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Block {
    x: u16,
    y: u16,
    width: u16,
    height: u16,
}

impl Block {
    const WHOLE: Self = Self { x: 0, y: 0, width: 8, height: 8 };

    fn of(sign: char) -> Option<Self> {
        let eighths = |first: char| u16::try_from(u32::from(sign) - u32::from(first)).unwrap();
        Some(match sign {
            '▁'..='█' => {
                let height = eighths('▁') + 1;
                Self { y: 8 - height, height, ..Self::WHOLE }
            }
            '▉'..='▏' => Self { width: 7 - eighths('▉'), ..Self::WHOLE },
            '▀' => Self { height: 4, ..Self::WHOLE },
            '▐' => Self { x: 4, width: 4, ..Self::WHOLE },
            _ => return None,
        })
    }

    /// The path of so many of it side by side.
    fn at(self, x: u16, y: u16, columns: u16) -> String {
        let width = CELL_WIDTH / 8 * self.width * columns;
        let (x, y) = (left_edge(x) + CELL_WIDTH / 8 * self.x, top(y) + CELL_HEIGHT / 8 * self.y);
        format!("M{x} {y}h{width}v{}h-{width}z", CELL_HEIGHT / 8 * self.height)
    }
}

/// Lines from the middle of a cell to its edges.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Strokes {
    up: bool,
    right: bool,
    down: bool,
    left: bool,
}

impl Strokes {
    const ACROSS: Self = Self { up: false, right: true, down: false, left: true };

    fn of(sign: char) -> Option<Self> {
        let [up, right, down, left] = match sign {
            '─' => return Some(Self::ACROSS),
            '│' => [true, false, true, false],
            '┌' => [false, true, true, false],
            '┐' => [false, false, true, true],
            '└' => [true, true, false, false],
            '┘' => [true, false, false, true],
            '├' => [true, true, true, false],
            '┤' => [true, false, true, true],
            '┬' => [false, true, true, true],
            '┴' => [true, true, false, true],
            '┼' => [true, true, true, true],
            _ => return None,
        };
        Some(Self { up, right, down, left })
    }

    /// The path of so many of it side by side, of which only lines across may be more than one.
    fn at(self, x: u16, y: u16, columns: u16) -> String {
        let (x, y, width) = (left_edge(x), top(y), CELL_WIDTH * columns);
        let (half, middle) = (CELL_WIDTH / 2, CELL_HEIGHT / 2);
        let mut path = String::new();
        if self.left || self.right {
            let from = if self.left { x } else { x + half };
            let length = if self.left && self.right { width } else { half };
            write!(path, "M{from} {}h{length}", y + middle).unwrap();
        }
        if self.up || self.down {
            let from = if self.up { y } else { y + middle };
            let length = if self.up && self.down { CELL_HEIGHT } else { middle };
            write!(path, "M{} {from}v{length}", x + half).unwrap();
        }
        path
    }
}
