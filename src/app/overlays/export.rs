//! Export (`x`): writes the whole list that has the focus, in its order and with its filter, or the marked
//! transactions, to a new file in a folder that the operator names. In a visit there is no folder: the rows go to the
//! clipboard of the visitor's terminal, which accepts a limited size. So they are serialised as soon as the form opens,
//! and the form shows their size before anything is sent.

pub(in crate::app) mod focused_list;
mod job;
pub(in crate::app) mod list;
mod rows;
pub(in crate::app) mod run;
pub mod view;

use tui_input::{Input, InputRequest};

use crate::app::input::path_completions::PathCompletions;
use crate::app::pages::group_thousands;
use crate::app::request_id::RequestId;
use crate::domain::FileFormat;
use crate::domain::text::is_forbidden_in_text;

pub use job::{ClipboardText, ExportProgress, ExportTarget};
pub(in crate::app) use list::ExportList;
pub use rows::ExportRows;

const MAX_FOLDER_CHARS: usize = 400;

#[derive(Debug, Clone, Default)]
pub struct ExportState {
    /// The last folder that could be written to, as typed; before there is one, the usual one.
    pub folder: String,
    pub format: FileFormat,
    pub request_id: RequestId,
    /// Rows written and rows in all, while an export runs.
    pub progress: Option<(u64, u64)>,
    /// The form of the running export, shown again if it fails.
    pub retry_form: Option<Box<ExportForm>>,
}

#[derive(Debug, Clone)]
pub struct ExportForm {
    pub description: String,
    pub rows: ExportRows,
    /// `None` in a visit, where rows go to the terminal's clipboard.
    pub folder: Option<Input>,
    pub completions: PathCompletions,
    /// Whether the folder is a suggestion: typing replaces it, moving the cursor in it starts an edit.
    pub is_suggested: bool,
    /// Whether writing there failed: typing edits the folder, and `/` or `~` starts a new path.
    pub failed: bool,
    /// The serialised rows for the clipboard, once they are ready.
    pub clipboard_text: Option<ClipboardText>,
    /// Whether to send them as soon as they are ready.
    pub send_when_ready: bool,
    pub format: FileFormat,
    /// What is wrong, with what would be right.
    pub error: Option<String>,
}

impl ExportForm {
    fn edit_folder(&mut self, request: InputRequest) {
        let Some(folder) = &mut self.folder else { return };
        if let InputRequest::InsertChar(character) = request {
            if is_forbidden_in_text(character) {
                return;
            }
            // A path appended to another one would be no path.
            if self.is_suggested || self.failed && matches!(character, '/' | '~') {
                folder.reset();
            }
            if folder.value().chars().count() >= MAX_FOLDER_CHARS {
                return;
            }
        }
        (self.is_suggested, self.failed) = (false, false);
        self.completions.matches.clear();
        folder.handle(request);
    }
}

/// A count with its noun, singular or plural.
fn count_with_noun(number: u64, [one, several]: [&str; 2]) -> String {
    format!("{} {}", group_thousands(number), if number == 1 { one } else { several })
}

fn group_count_digits(number: usize) -> String {
    group_thousands(u64::try_from(number).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests;
