//! The import prompt's keys, and what an import brought.

use crossterm::event::{KeyCode, KeyEvent};

use super::{ImportKind, ImportPrompt};
use crate::app::data::queries;
use crate::app::input::input_line;
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::Effect;
use crate::app::pages::Tone;
use crate::app::session::events::EventKind;
use crate::domain::directory::ImportSummary;

/// The number of remarks shown of one import.
const MAX_SHOWN_REMARKS: usize = 3;

pub fn open_import(model: &mut Model) -> Vec<Effect> {
    if model.read_only.is_some() {
        let words = if model.is_visit {
            "this console is read-only"
        } else {
            "this console is read-only; `bursar directory import` imports entries"
        };
        model.notice = Some(words.into());
    } else {
        open_prompt(model, if model.page == Page::Book { ImportKind::Book } else { ImportKind::Directory });
    }
    Vec::new()
}

pub fn open_draft_import(model: &mut Model) {
    if model.is_visit {
        model.notice = Some("a visit has no files; a form that you leave with Esc is kept until it ends".into());
    } else {
        open_prompt(model, ImportKind::Draft);
    }
}

fn open_prompt(model: &mut Model, kind: ImportKind) {
    model.mode = Mode::Import(Box::new(ImportPrompt { kind, is_visit: model.is_visit, ..ImportPrompt::default() }));
}

/// Closes the prompt that waits for what was imported.
fn close(model: &mut Model) {
    if matches!(&model.mode, Mode::Import(importing) if importing.is_busy) {
        model.mode = Mode::Browse;
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other keys edit the text")]
pub fn handle_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Mode::Import(importing) = &mut model.mode else { return Vec::new() };
    match key.code {
        KeyCode::Esc => model.mode = Mode::Browse,
        KeyCode::Enter if !importing.is_busy => {
            let line = importing.input.value().trim().to_owned();
            if line.is_empty() {
                let what = match (importing.kind, importing.is_visit) {
                    (ImportKind::Book | ImportKind::Draft, _) => "name a file",
                    (ImportKind::Directory, false) => "name an entry or a file",
                    (ImportKind::Directory, true) => "name an entry",
                };
                importing.errors = vec![what.into()];
                return Vec::new();
            }
            (importing.is_busy, importing.errors) = (true, Vec::new());
            return vec![match importing.kind {
                ImportKind::Directory => Effect::Import(line),
                ImportKind::Book => Effect::ImportBook(line),
                ImportKind::Draft => Effect::ReadDraft(line),
            }];
        }
        _ => {
            if let Some(request) = input_line::input_edit_of_key(key) {
                importing.edit_input(request);
            }
        }
    }
    Vec::new()
}

pub fn apply_book_import(model: &mut Model, result: Result<String, Vec<String>>) {
    match result {
        Ok(said) => {
            model.record_event(EventKind::Console, Tone::Text, format!("address book: {said}"));
            model.notice = Some(said);
            close(model);
        }
        Err(wrong) => show_errors(model, "entered", wrong),
    }
}

/// Shows why an import failed; an operator who closed the prompt is notified all the same.
pub fn show_errors(model: &mut Model, outcome: &str, errors: Vec<String>) {
    if let Mode::Import(importing) = &mut model.mode {
        (importing.is_busy, importing.errors) = (false, errors);
    } else {
        let first = errors.first().map_or("", |words| words);
        model.notice = Some(format!("nothing was {outcome}: {first}"));
    }
}

/// Takes the result of an import. The balances of new entries are read at once.
pub fn apply_import(model: &mut Model, result: Result<ImportSummary, Vec<String>>) -> Vec<Effect> {
    match result {
        Ok(brought) => {
            model.record_event(EventKind::Console, Tone::Text, brought.to_string());
            let more = brought.remarks.len().saturating_sub(MAX_SHOWN_REMARKS);
            let more = (more > 0).then(|| format!("and {more} more like these"));
            let remarks = brought.remarks.iter().take(MAX_SHOWN_REMARKS).cloned().chain(more);
            let said: Vec<String> = std::iter::once(brought.to_string()).chain(remarks).collect();
            model.notice = Some(said.join("; "));
            close(model);
            if brought.new == 0 {
                return Vec::new();
            }
            model.remotes.scope_balances.request_unless_failing();
            model.remotes.all_balances.request_unless_failing();
            queries::query_page(model)
        }
        Err(wrong) => {
            show_errors(model, "imported", wrong);
            Vec::new()
        }
    }
}
