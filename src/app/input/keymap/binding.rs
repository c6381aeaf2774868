//! One row of the key table, and how its keys are written.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Command, Context, KEY_BINDINGS};

#[derive(Debug)]
pub struct Binding {
    pub context: Context,
    /// The footer names the first one.
    pub keys: &'static [KeyEvent],
    pub command: Command,
    /// One or two words, for the footer.
    pub short: &'static str,
    /// A sentence without its full stop, for the help.
    pub long: &'static str,
    pub footer: bool,
}

pub(super) const fn plain(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::NONE)
}

pub(super) const fn char(character: char) -> KeyEvent {
    plain(KeyCode::Char(character))
}

pub const fn ctrl(character: char) -> KeyEvent {
    KeyEvent::new(KeyCode::Char(character), KeyModifiers::CONTROL)
}

pub(super) const fn binding(
    context: Context,
    keys: &'static [KeyEvent],
    command: Command,
    footer: bool,
    short: &'static str,
    long: &'static str,
) -> Binding {
    Binding { context, keys, command, short, long, footer }
}

/// The command of a key, wherever the focus is; a mode without use for a command refuses or ignores it.
pub fn command_of_key(key: KeyEvent) -> Option<Command> {
    KEY_BINDINGS.iter().find(|binding| binding.keys.contains(&key)).map(|binding| binding.command)
}
