//! The palette: every action of the key table by name, and actions without a key: themes, other profiles, the sandbox.
//! Unavailable actions are listed too, with the reason.

mod command_home;
mod fuzzy;
mod payments;
mod run;
pub mod view;

use tui_input::{Input, InputRequest};

use crate::domain::text::is_forbidden_in_text;
pub use command_home::CommandHome;
pub use run::{PaletteAction, PaletteEntry, matching_entries};
pub(in crate::app) use run::{handle_key, open_palette};

/// An address has at most 128 characters.
pub(in crate::app) const MAX_SEARCH_CHARS: usize = 128;

#[derive(Debug, Clone, Default)]
pub struct Palette {
    pub input: Input,
    /// The index of the highlighted action among those that match.
    pub at: usize,
}

impl Palette {
    pub(in crate::app) fn paste(&mut self, text: &str) {
        let room = MAX_SEARCH_CHARS.saturating_sub(self.input.value().chars().count());
        let characters = text.trim().chars().map(|c| if c.is_whitespace() { ' ' } else { c });
        for character in characters.filter(|c| !is_forbidden_in_text(*c)).take(room) {
            self.input.handle(InputRequest::InsertChar(character));
        }
        self.at = 0;
    }
}
