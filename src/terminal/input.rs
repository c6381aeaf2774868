//! Parses the bytes that a terminal sends into keys, pastes and reports, however the bytes are split.
//!
//! ```text
//!   Ground ──ESC──▶ Escape ──[──▶ Control ──final──▶ a key, focus, a report, or nothing
//!     │               │ ├──O──▶ Keypad ──letter──▶ a key
//!     │               │ └──] P ^ _ X──▶ ControlString ──BEL or ESC \──▶ nothing
//!     │               └──other──▶ the key with Alt
//!     └──first byte of several──▶ Character ──last byte──▶ a key
//!   Control ──200~──▶ Paste ──ESC [ 201 ~──▶ a paste
//! ```
//!
//! Unknown sequences are swallowed whole. A lone Escape can be distinguished from the beginning of a sequence only by
//! waiting: for [`InputParser::rest_timeout`], and then [`InputParser::resolve_incomplete`].

mod keys;
#[cfg(test)]
mod tests;

use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

/// Most bytes of a paste.
pub const LONGEST_PASTE: usize = 1 << 20;

/// No keyboard sends a longer sequence.
const LONGEST_SEQUENCE: usize = 64;

const PASTE_END: &[u8] = b"\x1b[201~";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TerminalInput {
    /// A key, a paste or a change of focus. Shift is part of the key's code, never a modifier. Invalid UTF-8 in a paste is
    /// shown as U+FFFD, so that a damaged address is visibly damaged.
    Event(Event),
    /// A paste longer than [`LONGEST_PASTE`], which is refused whole: half a list must not be taken for the list.
    PasteTooLong,
    /// The terminal has processed all output before the query `CSI 5 n`.
    Acknowledged,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ParserState {
    Ground,
    Escape,
    Control,
    Keypad,
    ControlString,
    Character,
    Paste,
}

/// The state of a sequence, character or paste that is incomplete.
#[derive(Debug)]
pub struct InputParser {
    state: ParserState,
    /// Its bytes so far.
    begun: Vec<u8>,
    /// Alt, if the incomplete character came with it.
    modifiers: KeyModifiers,
    /// How many bytes of [`PASTE_END`] were matched.
    ending: usize,
    /// The byte that introduced the control string being swallowed.
    introducer: u8,
    ready: Vec<TerminalInput>,
}

impl Default for InputParser {
    fn default() -> Self {
        Self {
            state: ParserState::Ground,
            begun: Vec::new(),
            modifiers: KeyModifiers::NONE,
            ending: 0,
            introducer: 0,
            ready: Vec::new(),
        }
    }
}

impl InputParser {
    /// Parses bytes and returns what they complete. How the bytes are split makes no difference.
    pub fn feed(&mut self, mut bytes: &[u8]) -> std::vec::Drain<'_, TerminalInput> {
        while let Some((first, rest)) = bytes.split_first() {
            if self.state == ParserState::Paste {
                bytes = self.parse_paste(bytes);
            } else {
                self.parse_byte(*first);
                bytes = rest;
            }
        }
        self.ready.drain(..)
    }

    /// How long to wait for the rest; `None` if nothing is incomplete, or in a paste, which only its end ends.
    pub fn rest_timeout(&self) -> Option<Duration> {
        match self.state {
            ParserState::Ground | ParserState::Paste => None,
            ParserState::Escape => Some(Duration::from_millis(30)),
            ParserState::Control | ParserState::Keypad | ParserState::ControlString | ParserState::Character => {
                Some(Duration::from_millis(100))
            }
        }
    }

    /// Called after [`Self::rest_timeout`]: whatever is incomplete is resolved as it is.
    pub fn resolve_incomplete(&mut self) -> std::vec::Drain<'_, TerminalInput> {
        match (self.state, self.begun.is_empty()) {
            (ParserState::Escape, _) => self.push_key(KeyCode::Esc, KeyModifiers::NONE),
            (ParserState::Control, true) => self.push_key(KeyCode::Char('['), KeyModifiers::ALT),
            (ParserState::Keypad, true) => self.push_key(KeyCode::Char('O'), KeyModifiers::ALT),
            (ParserState::ControlString, true) => {
                self.push_key(KeyCode::Char(char::from(self.introducer)), KeyModifiers::ALT);
            }
            _ => {}
        }
        if self.state != ParserState::Paste {
            self.enter_state(ParserState::Ground);
        }
        self.ready.drain(..)
    }

    fn enter_state(&mut self, state: ParserState) {
        self.state = state;
        self.begun.clear();
        self.modifiers = KeyModifiers::NONE;
    }

    fn push_key(&mut self, code: KeyCode, modifiers: KeyModifiers) {
        self.event(Event::Key(KeyEvent::new(code, modifiers)));
    }

    fn event(&mut self, event: Event) {
        self.ready.push(TerminalInput::Event(event));
    }

    fn parse_byte(&mut self, byte: u8) {
        match self.state {
            ParserState::Ground | ParserState::Paste => self.parse_plain_byte(byte, KeyModifiers::NONE),
            ParserState::Escape => self.parse_escaped_byte(byte),
            ParserState::Control => self.parse_control_byte(byte),
            ParserState::Keypad => self.parse_keypad_byte(byte),
            ParserState::ControlString => self.control_string_byte(byte),
            ParserState::Character => self.parse_character_byte(byte),
        }
    }

    fn parse_plain_byte(&mut self, byte: u8, modifiers: KeyModifiers) {
        self.enter_state(ParserState::Ground);
        match byte {
            0x1b => self.enter_state(ParserState::Escape),
            0xc2..=0xf4 => {
                self.enter_state(ParserState::Character);
                self.begun.push(byte);
                self.modifiers = modifiers;
            }
            _ => {
                if let Some(key) = keys::key_from_byte(byte) {
                    self.push_key(key.code, key.modifiers | modifiers);
                }
            }
        }
    }

    fn parse_escaped_byte(&mut self, byte: u8) {
        match byte {
            b'[' => self.enter_state(ParserState::Control),
            b'O' => self.enter_state(ParserState::Keypad),
            b']' | b'P' | b'^' | b'_' | b'X' => {
                self.enter_state(ParserState::ControlString);
                self.introducer = byte;
            }
            0x1b => {
                self.push_key(KeyCode::Esc, KeyModifiers::NONE);
                self.enter_state(ParserState::Escape);
            }
            _ => self.parse_plain_byte(byte, KeyModifiers::ALT),
        }
    }

    fn parse_control_byte(&mut self, byte: u8) {
        match byte {
            // The Linux console sends its first function keys as CSI [ A to E.
            b'[' if self.begun.is_empty() => self.begun.push(byte),
            0x20..=0x3f => {
                if self.begun.len() < LONGEST_SEQUENCE {
                    self.begun.push(byte);
                } else {
                    // Too long to be valid; a byte that no sequence contains makes it unknown.
                    self.begun[0] = b'!';
                }
            }
            0x40..=0x7e => {
                let input = keys::input_from_csi(&self.begun, byte);
                let paste = self.begun == b"200" && byte == b'~';
                self.enter_state(if paste { ParserState::Paste } else { ParserState::Ground });
                self.ready.extend(input);
            }
            0x18 | 0x1a => self.enter_state(ParserState::Ground),
            0x00..=0x1a | 0x1c..=0x1f | 0x7f => {}
            0x1b | 0x80.. => self.parse_plain_byte(byte, KeyModifiers::NONE),
        }
    }

    fn parse_keypad_byte(&mut self, byte: u8) {
        match byte {
            b'0'..=b'9' if self.begun.len() < LONGEST_SEQUENCE => self.begun.push(byte),
            0x20..=0x7e => {
                let key = keys::key_from_ss3(&self.begun, byte);
                self.enter_state(ParserState::Ground);
                self.ready.extend(key.map(|key| TerminalInput::Event(Event::Key(key))));
            }
            _ => self.parse_plain_byte(byte, KeyModifiers::NONE),
        }
    }

    /// Swallows a title, a colour or any other string that a terminal may send.
    fn control_string_byte(&mut self, byte: u8) {
        match byte {
            0x07 | 0x18 | 0x1a => self.enter_state(ParserState::Ground),
            b'\\' if self.begun == [0x1b] => self.enter_state(ParserState::Ground),
            0x1b => self.begun = vec![byte],
            _ if self.begun == [0x1b] => {
                self.enter_state(ParserState::Escape);
                self.parse_escaped_byte(byte);
            }
            _ => self.begun = vec![byte],
        }
    }

    fn parse_character_byte(&mut self, byte: u8) {
        if !(0x80..=0xbf).contains(&byte) {
            // The character was cut off: skip it, but not what follows.
            self.parse_plain_byte(byte, KeyModifiers::NONE);
            return;
        }
        self.begun.push(byte);
        let whole = match self.begun[0] {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            _ => 4,
        };
        if self.begun.len() == whole {
            let character = std::str::from_utf8(&self.begun).ok().and_then(|text| text.chars().next());
            let modifiers = self.modifiers;
            self.enter_state(ParserState::Ground);
            if let Some(character) = character.filter(|character| !character.is_control()) {
                self.push_key(KeyCode::Char(character), modifiers);
            }
        }
    }

    /// Reads the bytes of a paste up to its end; returns those that follow.
    fn parse_paste<'bytes>(&mut self, bytes: &'bytes [u8]) -> &'bytes [u8] {
        let mut rest = bytes;
        while let Some((&byte, after)) = rest.split_first() {
            if byte == PASTE_END[self.ending] {
                self.ending += 1;
                rest = after;
                if self.ending == PASTE_END.len() {
                    self.ending = 0;
                    let text = std::mem::take(&mut self.begun);
                    self.enter_state(ParserState::Ground);
                    if text.len() > LONGEST_PASTE {
                        self.ready.push(TerminalInput::PasteTooLong);
                    } else {
                        self.event(Event::Paste(String::from_utf8_lossy(&text).into_owned()));
                    }
                    return rest;
                }
            } else if self.ending > 0 {
                // It was not the end. Only the first byte of the end is an escape, so no shorter match is missed.
                let matched = std::mem::take(&mut self.ending);
                self.append_paste(&PASTE_END[..matched]);
            } else {
                let plain = memchr::memchr(0x1b, rest).unwrap_or(rest.len());
                self.append_paste(&rest[..plain]);
                rest = &rest[plain..];
            }
        }
        rest
    }

    /// Appends bytes of a paste, up to one more than allowed.
    fn append_paste(&mut self, bytes: &[u8]) {
        let room = (LONGEST_PASTE + 1).saturating_sub(self.begun.len());
        self.begun.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}
