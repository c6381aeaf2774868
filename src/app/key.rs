//! Keys as the console understands them, whoever parsed the bytes: a terminal, a test or an SSH channel.

/// A key press.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    /// Which key.
    pub code: KeyCode,
    /// Whether Ctrl was held. Shift is part of the character.
    pub ctrl: bool,
    /// Whether Alt was held.
    pub alt: bool,
}

/// Which key was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyCode {
    /// A character, with Shift applied.
    Char(char),
    /// Enter or Return.
    Enter,
    /// Escape.
    Esc,
    /// Tab.
    Tab,
    /// Shift and Tab.
    BackTab,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
    /// Insert.
    Insert,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// A function key.
    F(u8),
}

impl Key {
    /// A key without Ctrl or Alt.
    pub const fn plain(code: KeyCode) -> Self {
        Self { code, ctrl: false, alt: false }
    }

    /// A character key.
    pub const fn char(character: char) -> Self {
        Self::plain(KeyCode::Char(character))
    }

    /// A character held with Ctrl.
    pub const fn ctrl(character: char) -> Self {
        Self { code: KeyCode::Char(character), ctrl: true, alt: false }
    }
}
