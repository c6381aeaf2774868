use std::fmt::Write;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use super::*;
use crate::domain::{Colours, Glyphs, ThemeName};
use crate::ui::Theme;

const EVM: &str = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const SOLANA: &str = "7XkPvY4QjT9fHnZr2sWmB6cDgE1uLaNq8tRoKi3yMx5b";

/// The modules of a painted code, read back from the colours of its cells as a camera sees them.
fn painted_modules(text: &str, theme: &Theme) -> Vec<Vec<bool>> {
    let code = QrMatrix::encode(text).unwrap();
    let (columns, rows) = view::drawn_size(&code, Glyphs::Unicode);
    let area = Rect::new(0, 0, columns + 3, rows + 2);
    let mut buf = Buffer::empty(area);
    view::view(theme, Glyphs::Unicode, &code, 2, 1, &mut buf);
    let is_dark = |color: Color| color != Color::Indexed(231);
    let mut modules = Vec::new();
    for y in 0..rows {
        let halves = (0..columns).map(|x| {
            let cell = &buf[(x + 2, y + 1)];
            match (theme.code.is_some(), cell.symbol()) {
                (true, "▀") => (is_dark(cell.fg), is_dark(cell.bg)),
                (true, "▄") => (is_dark(cell.bg), is_dark(cell.fg)),
                (true, _) => (is_dark(cell.bg), is_dark(cell.bg)),
                (false, "█") => (false, false),
                (false, "▀") => (false, true),
                (false, "▄") => (true, false),
                (false, _) => (true, true),
            }
        });
        let (upper, lower): (Vec<bool>, Vec<bool>) = halves.unzip();
        modules.extend([upper, lower]);
    }
    modules.truncate(usize::from(columns));
    modules
}

/// Reads a code of version 3 with one block (ISO/IEC 18004): the mask from the format bits, the bytes along the zigzag.
/// Written from the standard, apart from the library that makes the codes.
fn decode_modules(modules: &[Vec<bool>]) -> String {
    const SIDE: usize = 29;
    let quiet = usize::from(QUIET_ZONE);
    assert_eq!(modules.len(), SIDE + 2 * quiet);
    for (y, row) in modules.iter().enumerate() {
        for (x, dark) in row.iter().enumerate() {
            let inside = |at: usize| (quiet..quiet + SIDE).contains(&at);
            assert!(!dark || (inside(x) && inside(y)), "the quiet zone is light");
        }
    }
    let dark = |x: usize, y: usize| modules[y + quiet][x + quiet];
    // The first five bits of the format stand at row 8, columns 0 to 4: two of the level, three of the mask.
    let format: Vec<bool> =
        (0..5).map(|x| dark(x, 8)).zip([true, false, true, false, true]).map(|(a, b)| a != b).collect();
    let mask = format[2..5].iter().fold(0, |mask, bit| mask * 2 + usize::from(*bit));
    let is_masked = |x: usize, y: usize| match mask {
        0 => (x + y).is_multiple_of(2),
        1 => y.is_multiple_of(2),
        2 => x.is_multiple_of(3),
        3 => (x + y).is_multiple_of(3),
        4 => (y / 2 + x / 3).is_multiple_of(2),
        5 => (x * y) % 2 + (x * y) % 3 == 0,
        6 => ((x * y) % 2 + (x * y) % 3).is_multiple_of(2),
        _ => ((x + y) % 2 + (x * y) % 3).is_multiple_of(2),
    };
    let is_function = |x: usize, y: usize| {
        let corners = [(0..9, 0..9), (0..9, SIDE - 8..SIDE), (SIDE - 8..SIDE, 0..9)];
        let finder = corners.iter().any(|(columns, rows)| columns.contains(&x) && rows.contains(&y));
        let alignment = (20..25).contains(&x) && (20..25).contains(&y);
        finder || alignment || x == 6 || y == 6
    };
    let mut bits = Vec::new();
    let mut upward = true;
    let mut right = SIDE - 1;
    loop {
        for step in 0..SIDE {
            let y = if upward { SIDE - 1 - step } else { step };
            for x in [right, right - 1] {
                if !is_function(x, y) {
                    bits.push(dark(x, y) != is_masked(x, y));
                }
            }
        }
        upward = !upward;
        right = match right {
            1 => break,
            // The column of the timing pattern is passed over.
            8 => 5,
            right => right - 2,
        };
    }
    text_of(&bits)
}

/// Text out of the segments of a code of version 1 to 9.
fn text_of(bits: &[bool]) -> String {
    const ALPHANUMERIC: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
    let mut rest = bits.iter();
    let mut number = |count: usize| rest.by_ref().take(count).fold(0, |n, bit| n * 2 + usize::from(*bit));
    let mut text = String::new();
    loop {
        match number(4) {
            0 => return text,
            1 => {
                let mut length = number(10);
                while length > 0 {
                    let digits = length.min(3);
                    write!(text, "{:0digits$}", number([4, 7, 10][digits - 1])).unwrap();
                    length -= digits;
                }
            }
            2 => {
                let mut length = number(9);
                while length > 1 {
                    let pair = number(11);
                    text.extend([pair / 45, pair % 45].map(|index| char::from(ALPHANUMERIC[index])));
                    length -= 2;
                }
                if length == 1 {
                    text.push(char::from(ALPHANUMERIC[number(6)]));
                }
            }
            4 => {
                for _ in 0..number(8) {
                    text.push(char::from(u8::try_from(number(8)).unwrap()));
                }
            }
            mode => panic!("no segment has mode {mode}"),
        }
    }
}

#[test]
fn what_is_painted_reads_as_the_address() {
    for theme in [ThemeName::Dark, ThemeName::Plain].map(|name| Theme::from_name(name, Colours::Many)) {
        for address in [EVM, SOLANA] {
            assert_eq!(decode_modules(&painted_modules(address, &theme)), address);
        }
    }
}

/// The same from a code without half blocks, where a module takes two cells.
fn painted_ascii_modules(text: &str, theme: &Theme) -> Vec<Vec<bool>> {
    let code = QrMatrix::encode(text).unwrap();
    let (columns, rows) = view::drawn_size(&code, Glyphs::Ascii);
    let mut buf = Buffer::empty(Rect::new(0, 0, columns, rows));
    view::view(theme, Glyphs::Ascii, &code, 0, 0, &mut buf);
    let is_dark = |x: u16, y: u16| {
        let cell = &buf[(x, y)];
        assert_eq!(cell.symbol(), " ");
        match theme.code {
            Some((dark, _)) => cell.bg == dark,
            None => !cell.modifier.contains(Modifier::REVERSED),
        }
    };
    let row = |y| {
        let halves = (0..columns).map(|x| is_dark(x, y)).collect::<Vec<_>>();
        halves.chunks(2).map(|pair| (pair[0] == pair[1]).then_some(pair[0]).expect("one module")).collect()
    };
    (0..rows).map(row).collect()
}

#[test]
fn what_is_painted_in_ascii_reads_as_the_address_too() {
    for theme in [ThemeName::Dark, ThemeName::Plain].map(|name| Theme::from_name(name, Colours::Many)) {
        assert_eq!(decode_modules(&painted_ascii_modules(EVM, &theme)), EVM);
    }
}

/// An address of each family, as the standards and their chains' documents show them.
const ADDRESSES: [&str; 10] = [
    EVM,
    SOLANA,
    "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
    "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
    "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh",
    "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ",
    "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N",
    "cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh",
];

/// What a camera's reader, which knows nothing of this program, finds in a picture of these modules.
fn scan_modules(modules: &[Vec<bool>]) -> String {
    const PIXELS: usize = 4;
    let side = modules.len() * PIXELS;
    let is_dark = |x: usize, y: usize| modules[y / PIXELS][x / PIXELS];
    let mut picture = rqrr::PreparedImage::prepare_from_bitmap(side, side, is_dark);
    let codes = picture.detect_grids();
    assert_eq!(codes.len(), 1, "one code is in the picture");
    codes[0].decode().expect("it can be read").1
}

#[test]
fn a_scanner_reads_an_address_of_each_family_from_the_cells_of_the_screen() {
    for theme in [ThemeName::Dark, ThemeName::Plain].map(|name| Theme::from_name(name, Colours::Many)) {
        for address in ADDRESSES {
            assert_eq!(scan_modules(&painted_modules(address, &theme)), address);
            assert_eq!(scan_modules(&painted_ascii_modules(address, &theme)), address);
        }
    }
}

#[test]
fn a_text_that_no_code_holds_has_none() {
    assert_eq!(QrMatrix::encode(&"x".repeat(5_000)), None);
}
