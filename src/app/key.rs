//! Keys as the console understands them, independent of the source of the bytes: a terminal, a test or an SSH channel.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    pub code: KeyCode,
    /// Shift is part of the character.
    pub ctrl: bool,
    pub alt: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyCode {
    /// With Shift applied.
    Char(char),
    Enter,
    Esc,
    Tab,
    BackTab,
    Backspace,
    Delete,
    Insert,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    F(u8),
}

impl Key {
    pub const fn plain(code: KeyCode) -> Self {
        Self { code, ctrl: false, alt: false }
    }

    pub const fn char(character: char) -> Self {
        Self::plain(KeyCode::Char(character))
    }

    pub const fn ctrl(character: char) -> Self {
        Self { code: KeyCode::Char(character), ctrl: true, alt: false }
    }
}
