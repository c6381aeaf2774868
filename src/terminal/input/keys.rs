//! Tables from bytes to keys.

use super::TerminalInput;
use crate::app::{Key, KeyCode};

/// The key of a single byte below 0x80.
pub(super) fn key_from_byte(byte: u8) -> Option<Key> {
    Some(match byte {
        0x00 => Key::ctrl(' '),
        0x08 | 0x7f => Key::plain(KeyCode::Backspace),
        b'\t' => Key::plain(KeyCode::Tab),
        // Some terminals send a line feed for the Enter of the keypad.
        b'\r' | b'\n' => Key::plain(KeyCode::Enter),
        0x1b => Key::plain(KeyCode::Esc),
        0x01..=0x1a => Key::ctrl(char::from(byte + 0x60)),
        0x1c..=0x1f => Key::ctrl(char::from(byte + 0x40)),
        0x20..=0x7e => Key::char(char::from(byte)),
        0x80.. => return None,
    })
}

/// The key of `ESC O`, digits that may encode modifiers, and a letter.
pub(super) fn key_from_ss3(digits: &[u8], letter: u8) -> Option<Key> {
    let code = match letter {
        b'M' => KeyCode::Enter,
        b'I' => KeyCode::Tab,
        b'X' => KeyCode::Char('='),
        // The keypad in application mode: the letters from j on are the characters from the asterisk on.
        b'j'..=b'y' => KeyCode::Char(char::from(letter - b'j' + b'*')),
        _ => key_of_letter(letter)?,
    };
    let modifiers = Modifiers::from_parameter(std::str::from_utf8(digits).ok()?.parse().unwrap_or(1));
    Some(modifiers.key_with_modifiers(code))
}

/// The input encoded by `CSI`, parameters and a final byte.
pub(super) fn input_from_csi(parameters: &[u8], letter: u8) -> Option<TerminalInput> {
    match (parameters, letter) {
        ([], b'I') => return Some(TerminalInput::Focus(true)),
        ([], b'O') => return Some(TerminalInput::Focus(false)),
        // Zero reports that all is well, three a malfunction; either way the terminal has processed the output so far.
        (b"0" | b"3", b'n') => return Some(TerminalInput::Acknowledged),
        ([b'['], b'A'..=b'E') => return Some(TerminalInput::Key(Key::plain(KeyCode::F(letter - b'A' + 1)))),
        _ => {}
    }
    let text = std::str::from_utf8(parameters).ok()?;
    let mut fields = text.split(';');
    let first = fields.next().unwrap_or("");
    let mut second = fields.next().unwrap_or("").split(':');
    let modifiers = Modifiers::from_parameter(parse_number(second.next().unwrap_or(""), 1)?);
    // Terminals that report key releases mark them so.
    if second.next() == Some("3") {
        return None;
    }
    let key = match letter {
        b'u' => {
            let mut codes = first.split(':');
            let code = parse_number(codes.next()?, 1)?;
            let shifted = codes.next().and_then(|code| parse_number(code, 0)).filter(|code| *code > 0);
            modifiers.with_character(code, shifted)?
        }
        b'~' if first == "27" => modifiers.with_character(parse_number(fields.next()?, 0)?, None)?,
        b'~' => modifiers.key_with_modifiers(key_of_number(parse_number(first, 0)?)?),
        // Sent by rxvt with Ctrl pressed.
        b'^' => Modifiers { ctrl: true, ..modifiers }.key_with_modifiers(key_of_number(parse_number(first, 0)?)?),
        b'Z' => modifiers.key_with_modifiers(KeyCode::BackTab),
        // With a first number other than one this is a report, for instance of the cursor's position.
        _ if parse_number(first, 1)? == 1 => modifiers.key_with_modifiers(key_of_letter(letter)?),
        _ => return None,
    };
    Some(TerminalInput::Key(key))
}

fn key_of_letter(letter: u8) -> Option<KeyCode> {
    Some(match letter {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'P'..=b'S' => KeyCode::F(letter - b'P' + 1),
        _ => return None,
    })
}

fn key_of_number(number: u32) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        // The numbers of the function keys have gaps, as the keys had on the terminals that began with them.
        11..=15 => KeyCode::F(saturating_u8(number - 10)),
        17..=21 => KeyCode::F(saturating_u8(number - 11)),
        23..=26 => KeyCode::F(saturating_u8(number - 12)),
        28 | 29 => KeyCode::F(saturating_u8(number - 13)),
        31..=34 => KeyCode::F(saturating_u8(number - 14)),
        _ => return None,
    })
}

fn saturating_u8(number: u32) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

/// A decimal number; `absent` if there are no digits.
fn parse_number(digits: &str, absent: u32) -> Option<u32> {
    if digits.is_empty() { Some(absent) } else { digits.parse().ok() }
}

#[derive(Clone, Copy)]
struct Modifiers {
    shift: bool,
    alt: bool,
    ctrl: bool,
}

impl Modifiers {
    /// The parameter is one more than the sum of the bits.
    fn from_parameter(parameter: u32) -> Self {
        let bits = parameter.saturating_sub(1);
        Self { shift: bits & 1 != 0, alt: bits & 2 != 0, ctrl: bits & 4 != 0 }
    }

    fn key_with_modifiers(self, code: KeyCode) -> Key {
        let code = if self.shift && code == KeyCode::Tab { KeyCode::BackTab } else { code };
        Key { code, ctrl: self.ctrl, alt: self.alt }
    }

    /// The key of a character's code point, as sent by terminals that report modifiers for every key.
    fn with_character(self, number: u32, shifted: Option<u32>) -> Option<Key> {
        let number = shifted.filter(|_| self.shift).unwrap_or(number);
        match u8::try_from(number).ok().filter(u8::is_ascii_control) {
            Some(b @ (0x08 | b'\t' | b'\r' | 0x1b | 0x7f)) => Some(self.key_with_modifiers(key_from_byte(b)?.code)),
            Some(_) => None,
            None => {
                // The private use area encodes keys without a character, such as those for volume.
                let character =
                    char::from_u32(number).filter(|c| !c.is_control() && !('\u{e000}'..='\u{f8ff}').contains(c))?;
                let mut upper = character.to_uppercase();
                let code = match (self.shift, upper.next(), upper.next()) {
                    (true, Some(upper), None) => upper,
                    _ => character,
                };
                Some(self.key_with_modifiers(KeyCode::Char(code)))
            }
        }
    }
}
