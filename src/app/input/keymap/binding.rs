//! A command with its keys and its words.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde::Deserialize;
use serde::de::{Deserializer, Error};

use super::key_name::parse_key;
use super::{Command, Context, KEY_BINDINGS};
use crate::app::screen::Page;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Binding {
    pub command: Command,
    pub context: Context,
    /// The footer names the first one.
    #[serde(deserialize_with = "deserialize_keys")]
    pub keys: Vec<KeyEvent>,
    #[serde(default)]
    pub footer: bool,
    /// Whether it is allowed while the veil is on. Motions always are.
    #[serde(default)]
    pub under_veil: bool,
    /// One or two words, for the footer.
    pub short: String,
    /// A sentence without its full stop, for the help.
    pub long: String,
    /// Why it is refused where no pane, page or text has a use for it; `None` for what is of use everywhere.
    pub refusal: Option<String>,
    /// The words by which people look for it, beside its name.
    #[serde(default)]
    pub search_words: Vec<String>,
}

impl Binding {
    pub(super) fn of_page(page: Page) -> Self {
        Self {
            command: Command::Page(page),
            context: Context::Everywhere,
            keys: vec![KeyCode::Char(page.shortcut()).into()],
            footer: false,
            under_veil: true,
            short: page.name().to_lowercase(),
            long: page.name().into(),
            refusal: None,
            search_words: page.search_words().iter().map(ToString::to_string).collect(),
        }
    }
}

pub const fn ctrl(character: char) -> KeyEvent {
    KeyEvent::new(KeyCode::Char(character), KeyModifiers::CONTROL)
}

/// The command of a key, wherever the focus is; a mode without use for a command refuses or ignores it.
pub fn command_of_key(key: KeyEvent) -> Option<Command> {
    KEY_BINDINGS.iter().find(|binding| binding.keys.contains(&key)).map(|binding| binding.command)
}

pub fn binding_of(command: Command) -> Option<&'static Binding> {
    KEY_BINDINGS.iter().find(|binding| binding.command == command)
}

/// The commands of a file like `assets/keys.toml`.
///
/// # Errors
///
/// If a command, a context or a key has no such name, or the text is no TOML.
pub(super) fn parse_bindings(text: &str) -> Result<Vec<Binding>, toml::de::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct KeyTable {
        bindings: Vec<Binding>,
    }
    toml::from_str::<KeyTable>(text).map(|table| table.bindings)
}

fn deserialize_keys<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<KeyEvent>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    let keys = names.iter().map(|name| parse_key(name).ok_or_else(|| D::Error::custom(format!("“{name}” is no key"))));
    keys.collect()
}
