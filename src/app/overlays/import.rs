//! Import: entries that neither the history nor a list of the service shows. A file with faults is reported row by row,
//! and nothing of it is imported.

mod run;
pub mod view;

use tui_input::{Input, InputRequest};

use crate::app::input::path_completions::PathCompletions;
use crate::domain::csv_table::ImportFailure;
use crate::domain::text::is_forbidden_in_text;
pub use run::{
    apply_book_import, apply_errors_written, apply_import, apply_paths, handle_key, open_draft_import, open_import,
    show_import_errors,
};

/// The longest input, in characters: the longest path on common systems.
const MAX_INPUT_CHARS: usize = 4_096;

#[derive(Debug, Clone, Default)]
pub struct ImportPrompt {
    pub input: Input,
    /// Why nothing was imported.
    pub failure: ImportFailure,
    pub completions: PathCompletions,
    pub is_busy: bool,
    pub kind: ImportKind,
    /// Whether files are out of reach, as in a visit.
    pub is_visit: bool,
}

/// What is imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImportKind {
    /// Entries of the directory.
    #[default]
    Directory,
    Book,
    /// A form that a colleague left unfinished.
    Draft,
}

pub const ENTRY_FORMATS: [(&str, &str); 4] = [
    ("user ID [NAME]", "a user, or a sub-wallet of version 1"),
    ("wallet ID CHAIN [ADDRESS]", "one address on one blockchain"),
    ("account ID [NAME]", "a container of wallets"),
    ("FILE", "CSV with a header: kind,id,name,… or JSON"),
];

/// The formats in a visit, where files are out of reach.
pub const VISITOR_FORMATS: [(&str, &str); 3] = [ENTRY_FORMATS[0], ENTRY_FORMATS[1], ENTRY_FORMATS[2]];

pub const BOOK_FORMATS: [(&str, &str); 1] = [("FILE", "CSV with a header: name,address,chain[,tag][,note][,kind]")];

pub const DRAFT_FORMATS: [(&str, &str); 1] = [("FILE", "a draft that x wrote in the list of drafts")];

impl ImportKind {
    fn title(self) -> &'static str {
        match self {
            Self::Directory => "Import",
            Self::Book => "Import into the address book",
            Self::Draft => "Open a draft",
        }
    }

    fn key_hint(self) -> &'static str {
        if self == Self::Draft { "Enter opens it, Esc closes" } else { "Enter imports, Esc closes" }
    }

    /// What happened to nothing, if it failed.
    fn past_tense(self) -> &'static str {
        if self == Self::Draft { "opened" } else { "imported" }
    }
}

impl ImportPrompt {
    fn edit_input(&mut self, request: InputRequest) {
        let full = self.input.value().chars().count() >= MAX_INPUT_CHARS;
        if !matches!(request, InputRequest::InsertChar(character) if full || is_forbidden_in_text(character)) {
            self.input.handle(request);
            self.completions.matches.clear();
        }
    }

    /// Inserts pasted text, often a path or an identifier; white space becomes blanks.
    pub fn paste(&mut self, text: &str) {
        for character in text.trim().chars().map(|c| if c.is_whitespace() { ' ' } else { c }) {
            self.edit_input(InputRequest::InsertChar(character));
        }
    }
}
