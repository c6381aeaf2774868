//! RGB values of indexed terminal colours: the first sixteen as in xterm, the cube and the greys as in every terminal.

use ratatui::style::Color;

/// The sixteen named colours in the order of their indices, with the values of xterm.
pub const NAMED: [(Color, [u8; 3]); 16] = [
    (Color::Black, [0, 0, 0]),
    (Color::Red, [205, 0, 0]),
    (Color::Green, [0, 205, 0]),
    (Color::Yellow, [205, 205, 0]),
    (Color::Blue, [0, 0, 238]),
    (Color::Magenta, [205, 0, 205]),
    (Color::Cyan, [0, 205, 205]),
    (Color::Gray, [229, 229, 229]),
    (Color::DarkGray, [127, 127, 127]),
    (Color::LightRed, [255, 0, 0]),
    (Color::LightGreen, [0, 255, 0]),
    (Color::LightYellow, [255, 255, 0]),
    (Color::LightBlue, [92, 92, 255]),
    (Color::LightMagenta, [255, 0, 255]),
    (Color::LightCyan, [0, 255, 255]),
    (Color::White, [255, 255, 255]),
];

const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Red, green and blue of an indexed colour.
pub fn shade(index: u8) -> [u8; 3] {
    match index {
        0..16 => NAMED[usize::from(index)].1,
        16..232 => [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map(|step| CUBE[usize::from(step)]),
        232.. => [8 + 10 * (index - 232); 3],
    }
}
