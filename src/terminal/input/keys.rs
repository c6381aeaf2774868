//! Tables from bytes to keys.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

use super::TerminalInput;

/// The key of a single byte below 0x80.
pub(super) fn key_from_byte(byte: u8) -> Option<KeyEvent> {
    let ctrl = |byte| KeyEvent::new(KeyCode::Char(char::from(byte)), KeyModifiers::CONTROL);
    Some(match byte {
        0x00 => ctrl(b' '),
        0x08 | 0x7f => KeyCode::Backspace.into(),
        b'\t' => KeyCode::Tab.into(),
        // Some terminals send a line feed for the Enter of the keypad.
        b'\r' | b'\n' => KeyCode::Enter.into(),
        0x1b => KeyCode::Esc.into(),
        0x01..=0x1a => ctrl(byte + 0x60),
        0x1c..=0x1f => ctrl(byte + 0x40),
        0x20..=0x7e => KeyCode::Char(char::from(byte)).into(),
        0x80.. => return None,
    })
}

/// The key of `ESC O`, digits that may encode modifiers, and a letter.
pub(super) fn key_from_ss3(digits: &[u8], letter: u8) -> Option<KeyEvent> {
    let code = match letter {
        b'M' => KeyCode::Enter,
        b'I' => KeyCode::Tab,
        b'X' => KeyCode::Char('='),
        // The keypad in application mode: the letters from j on are the characters from the asterisk on.
        b'j'..=b'y' => KeyCode::Char(char::from(letter - b'j' + b'*')),
        _ => key_of_letter(letter)?,
    };
    Some(key(code, modifiers_of(std::str::from_utf8(digits).ok()?.parse().unwrap_or(1))))
}

/// The input encoded by `CSI`, parameters and a final byte.
pub(super) fn input_from_csi(parameters: &[u8], letter: u8) -> Option<TerminalInput> {
    match (parameters, letter) {
        ([], b'I') => return Some(TerminalInput::Event(Event::FocusGained)),
        ([], b'O') => return Some(TerminalInput::Event(Event::FocusLost)),
        // Zero reports that all is well, three a malfunction; either way the terminal has processed the output so far.
        (b"0" | b"3", b'n') => return Some(TerminalInput::Acknowledged),
        ([b'['], b'A'..=b'E') => {
            return Some(TerminalInput::Event(Event::Key(KeyCode::F(letter - b'A' + 1).into())));
        }
        _ => {}
    }
    let text = std::str::from_utf8(parameters).ok()?;
    let mut fields = text.split(';');
    let first = fields.next().unwrap_or("");
    let mut second = fields.next().unwrap_or("").split(':');
    let modifiers = modifiers_of(parse_number(second.next().unwrap_or(""), 1)?);
    // Terminals that report key releases mark them so.
    if second.next() == Some("3") {
        return None;
    }
    let pressed = match letter {
        b'u' => {
            let mut codes = first.split(':');
            let code = parse_number(codes.next()?, 1)?;
            let shifted = codes.next().and_then(|code| parse_number(code, 0)).filter(|code| *code > 0);
            key_from_code_point(code, shifted, modifiers)?
        }
        b'~' if first == "27" => key_from_code_point(parse_number(fields.next()?, 0)?, None, modifiers)?,
        b'~' => key(key_of_number(parse_number(first, 0)?)?, modifiers),
        // Sent by rxvt with Ctrl pressed.
        b'^' => key(key_of_number(parse_number(first, 0)?)?, modifiers | KeyModifiers::CONTROL),
        b'Z' => key(KeyCode::BackTab, modifiers),
        // With a first number other than one this is a report, for instance of the cursor's position.
        _ if parse_number(first, 1)? == 1 => key(key_of_letter(letter)?, modifiers),
        _ => return None,
    };
    Some(TerminalInput::Event(Event::Key(pressed)))
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

/// The modifiers that a parameter encodes, which is one more than the sum of their bits.
fn modifiers_of(parameter: u32) -> KeyModifiers {
    let bits = parameter.saturating_sub(1);
    let encoded = [(1, KeyModifiers::SHIFT), (2, KeyModifiers::ALT), (4, KeyModifiers::CONTROL)];
    encoded.into_iter().filter(|(bit, _)| bits & bit != 0).map(|(_, modifier)| modifier).collect()
}

/// A key, into whose code Shift goes.
fn key(code: KeyCode, modifiers: KeyModifiers) -> KeyEvent {
    let code = if modifiers.contains(KeyModifiers::SHIFT) && code == KeyCode::Tab { KeyCode::BackTab } else { code };
    KeyEvent::new(code, modifiers - KeyModifiers::SHIFT)
}

/// The key of a character's code point, as sent by terminals that report modifiers for every key.
fn key_from_code_point(number: u32, shifted: Option<u32>, modifiers: KeyModifiers) -> Option<KeyEvent> {
    let has_shift = modifiers.contains(KeyModifiers::SHIFT);
    let number = shifted.filter(|_| has_shift).unwrap_or(number);
    match u8::try_from(number).ok().filter(u8::is_ascii_control) {
        Some(b @ (0x08 | b'\t' | b'\r' | 0x1b | 0x7f)) => Some(key(key_from_byte(b)?.code, modifiers)),
        Some(_) => None,
        None => {
            // The private use area encodes keys without a character, such as those for volume.
            let character =
                char::from_u32(number).filter(|c| !c.is_control() && !('\u{e000}'..='\u{f8ff}').contains(c))?;
            let mut upper = character.to_uppercase();
            let character = match (has_shift, upper.next(), upper.next()) {
                (true, Some(upper), None) => upper,
                _ => character,
            };
            Some(key(KeyCode::Char(character), modifiers))
        }
    }
}
