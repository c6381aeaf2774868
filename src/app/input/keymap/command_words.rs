//! What each command is called: in `assets/keys.toml`, in the footer, in the help, and by people who look for it.

mod table;

use super::Command;
pub(super) use table::COMMAND_WORDS;

pub(super) struct CommandWords {
    pub(super) command: Command,
    /// In `assets/keys.toml`.
    pub(super) id: &'static str,
    /// One or two words, for the footer.
    pub(super) short: &'static str,
    /// A sentence without its full stop, for the help.
    pub(super) long: &'static str,
    search_words: &'static [&'static str],
}

const fn row(
    command: Command,
    id: &'static str,
    short: &'static str,
    long: &'static str,
    search_words: &'static [&'static str],
) -> CommandWords {
    CommandWords { command, id, short, long, search_words }
}

impl Command {
    /// The words by which people look for it, beside its name.
    pub fn search_words(self) -> &'static [&'static str] {
        COMMAND_WORDS.iter().find(|words| words.command == self).map_or(&[], |words| words.search_words)
    }
}
