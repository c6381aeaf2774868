//! One row of the key table.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde::Deserialize;
use serde::de::{Deserializer, Error};

use super::command_words::COMMAND_WORDS;
use super::key_name::parse_key;
use super::{Command, Context, KEY_BINDINGS};

#[derive(Debug)]
pub struct Binding {
    pub context: Context,
    /// The footer names the first one.
    pub keys: Vec<KeyEvent>,
    pub command: Command,
    /// One or two words, for the footer.
    pub short: &'static str,
    /// A sentence without its full stop, for the help.
    pub long: &'static str,
    pub footer: bool,
}

pub const fn ctrl(character: char) -> KeyEvent {
    KeyEvent::new(KeyCode::Char(character), KeyModifiers::CONTROL)
}

/// The command of a key, wherever the focus is; a mode without use for a command refuses or ignores it.
pub fn command_of_key(key: KeyEvent) -> Option<Command> {
    KEY_BINDINGS.iter().find(|binding| binding.keys.contains(&key)).map(|binding| binding.command)
}

/// The rows of a table of keys.
///
/// # Errors
///
/// If a context, a key or a command has no such name, or the text is no TOML.
pub(super) fn parse_bindings(text: &str) -> Result<Vec<Binding>, toml::de::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct KeyTable {
        bindings: Vec<Binding>,
    }
    toml::from_str::<KeyTable>(text).map(|table| table.bindings)
}

impl<'de> Deserialize<'de> for Binding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Row {
            context: Context,
            keys: Vec<String>,
            command: String,
            #[serde(default)]
            footer: bool,
        }
        let Row { context, keys, command: id, footer } = Row::deserialize(deserializer)?;
        let keys =
            keys.iter().map(|name| parse_key(name).ok_or_else(|| D::Error::custom(format!("“{name}” is no key"))));
        let words = COMMAND_WORDS.iter().find(|words| words.id == id);
        let words = words.ok_or_else(|| D::Error::custom(format!("“{id}” is no command")))?;
        let (command, short, long) = (words.command, words.short, words.long);
        Ok(Self { context, keys: keys.collect::<Result<_, _>>()?, command, short, long, footer })
    }
}
