//! Every picture must arrive at a terminal as it was painted, and cheaply.

use std::num::NonZero;

use proptest::prelude::*;
use ratatui::buffer::{Buffer, Cell, CellDiffOption};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::pen::SHOWS_ON_BLANK;
use super::{ColorDepth, Dialect, Encoder, cell_columns};

/// A terminal and the encoder that writes to it.
struct EncoderBench {
    encoder: Encoder,
    terminal: vt100::Parser,
}

impl EncoderBench {
    fn new(width: u16, height: u16, dialect: Dialect) -> Self {
        let mut bench = Self { encoder: Encoder::new(dialect), terminal: vt100::Parser::default() };
        bench.resize(width, height);
        bench
    }

    fn resize(&mut self, width: u16, height: u16) {
        let size = |cells| NonZero::new(cells).unwrap();
        self.terminal.set_size(size(height), size(width));
    }

    /// Shows a picture, checks it and returns how many bytes it took.
    fn show(&mut self, picture: &Buffer) -> usize {
        let mut out = Vec::new();
        self.encoder.encode_frame(&mut picture.clone(), &mut out);
        self.terminal.process(&out);
        self.check(picture, &out);
        out.len()
    }

    fn check(&self, picture: &Buffer, out: &[u8]) {
        let depth = self.encoder.dialect.depth;
        for y in 0..picture.area.height {
            let mut x = 0;
            while x < picture.area.width {
                let cell = &picture[(x, y)];
                let screen_cell = self.terminal.screen().cell(y, x).unwrap();
                let fits = u16::try_from(cell_columns(cell)).unwrap().max(1) + x <= picture.area.width;
                let symbol = if fits { cell.symbol() } else { " " };
                let contents = if screen_cell.has_contents() { screen_cell.contents() } else { " " };
                let place = || format!("at {x},{y} after {:?}", String::from_utf8_lossy(out));
                assert_eq!(contents, symbol, "{}", place());
                assert_eq!(screen_cell.bgcolor(), color(depth.reduce(cell.bg)), "background {}", place());
                let has = |modifier| cell.modifier.contains(modifier);
                assert_eq!(screen_cell.inverse(), has(Modifier::REVERSED), "inverse {}", place());
                assert_eq!(screen_cell.underline(), has(Modifier::UNDERLINED), "underline {}", place());
                if symbol != " " || cell.modifier.intersects(SHOWS_ON_BLANK) {
                    assert_eq!(screen_cell.fgcolor(), color(depth.reduce(cell.fg)), "colour {}", place());
                    assert_eq!(screen_cell.bold(), has(Modifier::BOLD), "bold {}", place());
                    assert_eq!(screen_cell.italic(), has(Modifier::ITALIC), "italic {}", place());
                }
                x += if fits { u16::try_from(cell_columns(cell)).unwrap().max(1) } else { 1 };
            }
        }
    }
}

const NAMED_COLORS: [Color; 16] = [
    Color::Black,
    Color::Red,
    Color::Green,
    Color::Yellow,
    Color::Blue,
    Color::Magenta,
    Color::Cyan,
    Color::Gray,
    Color::DarkGray,
    Color::LightRed,
    Color::LightGreen,
    Color::LightYellow,
    Color::LightBlue,
    Color::LightMagenta,
    Color::LightCyan,
    Color::White,
];

fn color(color: Color) -> vt100::Color {
    match color {
        Color::Reset => vt100::Color::Default,
        Color::Indexed(index) => vt100::Color::Idx(index),
        Color::Rgb(red, green, blue) => vt100::Color::Rgb(red, green, blue),
        named => {
            vt100::Color::Idx(u8::try_from(NAMED_COLORS.iter().position(|other| *other == named).unwrap()).unwrap())
        }
    }
}

/// What happens to the picture between two frames.
#[derive(Debug, Clone)]
enum FrameChange {
    Write { x: u16, y: u16, text: &'static str, style: Style },
    Restyle { x: u16, y: u16, width: u16, height: u16, style: Style },
    Clear { x: u16, y: u16, width: u16, height: u16 },
    Table { seed: u16 },
    Scroll { top: u16, bottom: u16, by: u16, up: bool },
    Skip { x: u16, y: u16 },
    Resize { width: u16, height: u16 },
    Nothing,
}

const TEXTS: [&str; 9] = [
    "a",
    "settled",
    "1,024.50 USDC",
    "世界",
    "漢字 and text",
    "e\u{301}tude",
    "  ",
    "│ ▸ │",
    "✔\u{fe0f} done ❤\u{fe0f}!",
];

fn styles() -> impl Strategy<Value = Style> {
    let colors = || {
        prop_oneof![
            3 => Just(Color::Reset),
            2 => proptest::sample::select(&NAMED_COLORS[..]),
            1 => any::<u8>().prop_map(Color::Indexed),
            1 => any::<(u8, u8, u8)>().prop_map(|(red, green, blue)| Color::Rgb(red, green, blue)),
        ]
    };
    (colors(), colors(), 0..0x80_u16).prop_map(|(fg, bg, bits)| {
        // vt100 takes bold and dim for one property with three values.
        let bits = if bits & 1 == 0 { bits } else { bits & !0b10 };
        let modifier = if bits < 0x40 { Modifier::empty() } else { Modifier::from_bits_truncate(bits & 0b100_1111) };
        Style::new().fg(fg).bg(bg).remove_modifier(Modifier::all()).add_modifier(modifier)
    })
}

fn steps() -> impl Strategy<Value = FrameChange> {
    let (x, y) = (0..70_u16, 0..26_u16);
    prop_oneof![
        6 => (x.clone(), y.clone(), proptest::sample::select(&TEXTS[..]), styles())
            .prop_map(|(x, y, text, style)| FrameChange::Write { x, y, text, style }),
        2 => (x.clone(), y.clone(), 1..70_u16, 1..4_u16, styles())
            .prop_map(|(x, y, width, height, style)| FrameChange::Restyle { x, y, width, height, style }),
        2 => (x.clone(), y.clone(), 1..70_u16, 1..26_u16).prop_map(|(x, y, width, height)| FrameChange::Clear { x, y, width, height }),
        2 => any::<u16>().prop_map(|seed| FrameChange::Table { seed }),
        5 => (0..12_u16, 12..26_u16, 1..6_u16, any::<bool>()).prop_map(|(top, bottom, by, up)| FrameChange::Scroll { top, bottom, by, up }),
        1 => (x, y).prop_map(|(x, y)| FrameChange::Skip { x, y }),
        1 => (1..70_u16, 1..26_u16).prop_map(|(width, height)| FrameChange::Resize { width, height }),
        1 => Just(FrameChange::Nothing),
    ]
}

fn apply_frame_change(step: &FrameChange, picture: &mut Buffer) {
    let area = picture.area;
    match *step {
        FrameChange::Write { x, y, text, style } if x < area.width && y < area.height => {
            picture.set_string(x, y, text, style);
        }
        FrameChange::Restyle { x, y, width, height, style } => {
            picture.set_style(Rect { x, y, width, height }.intersection(area), style);
        }
        FrameChange::Clear { x, y, width, height } => {
            for position in (Rect { x, y, width, height }.intersection(area)).positions() {
                picture[position].reset();
            }
        }
        FrameChange::Table { seed } => {
            for y in 0..area.height {
                let row = u32::from(seed) * 31 + u32::from(y);
                picture.set_string(
                    0,
                    y,
                    format!("tx{row:<8} {:>12} {:<8}", row.wrapping_mul(7919) % 100_003, row % 7),
                    Style::reset(),
                );
            }
        }
        FrameChange::Scroll { top, bottom, by, up } => {
            let (top, bottom) = (top.min(area.height), bottom.min(area.height));
            if bottom.saturating_sub(top) > by {
                let width = usize::from(area.width);
                let region = &mut picture.content[usize::from(top) * width..usize::from(bottom) * width];
                if up {
                    region.rotate_left(usize::from(by) * width);
                } else {
                    region.rotate_right(usize::from(by) * width);
                }
            }
        }
        FrameChange::Resize { width, height } => picture.resize(Rect::new(0, 0, width, height)),
        FrameChange::Write { .. } | FrameChange::Skip { .. } | FrameChange::Nothing => {}
    }
}

proptest! {
    // 24 runs of 20 to 40 frames.
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_frame_arrives_as_painted(
        frames in proptest::collection::vec(proptest::collection::vec(steps(), 1..5), 20..40),
        dialect in (
            proptest::sample::select(vec![ColorDepth::Plain, ColorDepth::Ansi16, ColorDepth::Indexed256, ColorDepth::TrueColor]),
            any::<bool>(),
            any::<bool>(),
        ),
    ) {
        let (depth, scrolls, erases_with_background) = dialect;
        let mut picture = Buffer::empty(Rect::new(0, 0, 60, 20));
        let mut bench = EncoderBench::new(60, 20, Dialect { depth, scrolls, erases_with_background, ..Dialect::FULL });
        for steps in frames {
            for step in &steps {
                apply_frame_change(step, &mut picture);
                if let FrameChange::Resize { width, height } = step {
                    bench.resize(*width, *height);
                    bench.encoder.invalidate();
                }
            }
            bench.show(&picture);
            // A cell that is to be skipped keeps what is shown there, whatever the view says.
            for step in &steps {
                if let FrameChange::Skip { x, y } = *step
                    && x < picture.area.width
                    && y < picture.area.height
                {
                    let mut odd = picture.clone();
                    odd[(x, y)].set_symbol("?").set_diff_option(CellDiffOption::Skip);
                    let mut out = Vec::new();
                    bench.encoder.encode_frame(&mut odd, &mut out);
                    prop_assert_eq!(out, Vec::<u8>::new());
                }
            }
            prop_assert_eq!(bench.show(&picture), 0, "an unchanged picture costs nothing");
        }
    }
}

/// A table over the full width with a marker in front of the chosen row.
fn table(first: u32, chosen: u32, detail: &str) -> Buffer {
    let mut picture = Buffer::empty(Rect::new(0, 0, 120, 40));
    picture.set_string(0, 0, format!(" bursar  Accounts  Wallets  Transactions {detail:>60}"), Style::new().bold());
    for y in 1..39_u16 {
        let row = first + u32::from(y) - 1;
        let text = format!(
            "{} txn_{row:09} 2026-03-{:02} 12:{:02} acct_{:05} Borealis Foods {:>14}.{:02} USDC ",
            if row == chosen { '▸' } else { ' ' },
            1 + row % 28,
            row % 60,
            row.wrapping_mul(2_654_435_761) % 40_000,
            row.wrapping_mul(40_503) % 1_000_000,
            row % 100
        );
        picture.set_string(0, y, text, Style::new());
        let (word, color) =
            [("settled", Color::Green), ("pending", Color::Yellow), ("failed", Color::Red)][row as usize % 3];
        picture.set_string(90, y, word, Style::new().fg(color));
        picture.set_string(100, y, format!("REF{:010}", row.wrapping_mul(97_531)), Style::new().fg(Color::DarkGray));
    }
    picture.set_string(0, 39, " q quit   / filter   enter open   ? help", Style::new().fg(Color::DarkGray));
    picture
}

#[test]
fn a_frame_costs_what_changed() {
    let mut bench = EncoderBench::new(120, 40, Dialect::FULL);
    let full = bench.show(&table(0, 5, ""));
    assert!(full <= 5_200, "a full picture took {full} bytes");
    assert_eq!(bench.show(&table(0, 5, "")), 0);
    let byte_count = bench.show(&table(0, 6, ""));
    assert!(byte_count <= 40, "a marker that moved took {byte_count} bytes");
    let down = bench.show(&table(1, 7, ""));
    assert!(down <= 250, "scrolling down by a row took {down} bytes");
    let up = bench.show(&table(0, 6, "12:00:01"));
    assert!(up <= 250, "scrolling up by a row took {up} bytes");
    bench.show(&table(0, 37, ""));
    let end = bench.show(&table(1, 38, ""));
    assert!(end <= 250, "scrolling with the marker in the last row took {end} bytes");
    let page = bench.show(&table(38, 40, ""));
    assert!(page <= 3_300, "a page took {page} bytes");
}

#[test]
fn blanks_take_the_style_at_hand() {
    let mut picture = Buffer::empty(Rect::new(0, 0, 20, 1));
    let mut bench = EncoderBench::new(20, 1, Dialect::FULL);
    bench.show(&picture);
    picture.set_string(0, 0, "ab", Style::new().fg(Color::Red).bold());
    picture.set_string(6, 0, "cd", Style::new().fg(Color::Red).bold());
    let mut out = Vec::new();
    bench.encoder.encode_frame(&mut picture.clone(), &mut out);
    assert_eq!(String::from_utf8_lossy(&out), "\x1b[1;31mab    cd");
}

#[test]
fn a_line_is_written_a_style_at_a_time_where_that_is_shorter() {
    let mut picture = Buffer::empty(Rect::new(0, 0, 40, 1));
    let mut bench = EncoderBench::new(40, 1, Dialect::FULL);
    bench.show(&picture);
    let (plain, blue) = (Style::new(), Style::new().fg(Color::Indexed(111)));
    for (column, text, style) in [(0, "12:03", plain), (10, "in", blue), (20, "250", plain), (30, "USDT", blue)] {
        picture.set_string(column, 0, text, style);
    }
    let mut out = Vec::new();
    bench.encoder.encode_frame(&mut picture.clone(), &mut out);
    assert_eq!(
        String::from_utf8_lossy(&out),
        "12:03\x1b[15C250\x1b[13D\x1b[38;5;111min\x1b[18CUSDT",
        "in order the blue would be named twice"
    );
}

#[test]
fn nothing_is_written_for_a_screen_without_cells() {
    let mut bench = Encoder::new(Dialect::FULL);
    let mut out = Vec::new();
    bench.encode_frame(&mut Buffer::empty(Rect::new(0, 0, 0, 0)), &mut out);
    out.clear();
    bench.encode_frame(&mut Buffer::filled(Rect::new(0, 0, 1, 1), Cell::new("x")), &mut out);
    assert!(out.ends_with(b"x"));
}
