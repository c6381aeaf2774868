//! The import prompt's keys, and what an import brought.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::Input;

use super::{ImportKind, ImportPrompt};
use crate::app::input::input_line;
use crate::app::input::path_completions::{PathKind, folder_of};
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::Effect;
use crate::app::pages::Tone;
use crate::app::request_id::RequestId;
use crate::app::session::events::EventKind;
use crate::domain::csv_table::ImportFailure;
use crate::domain::directory::ImportSummary;

/// The number of remarks shown of one import.
const MAX_SHOWN_REMARKS: usize = 3;

pub fn open_import(model: &mut Model) -> Vec<Effect> {
    if model.console.read_only.is_some() {
        let message = if model.console.is_visit {
            "this console is read-only"
        } else {
            "this console is read-only; `bursar directory import` imports entries"
        };
        model.notice = Some(message.into());
    } else {
        open_prompt(model, if model.page == Page::Book { ImportKind::Book } else { ImportKind::Directory });
    }
    Vec::new()
}

pub fn open_draft_import(model: &mut Model) {
    if model.console.is_visit {
        model.notice = Some("a visit has no files; a form that you leave with Esc is kept until it ends".into());
    } else {
        open_prompt(model, ImportKind::Draft);
    }
}

fn open_prompt(model: &mut Model, kind: ImportKind) {
    model.mode =
        Mode::Import(Box::new(ImportPrompt { kind, is_visit: model.console.is_visit, ..ImportPrompt::default() }));
}

/// Closes the prompt that waits for what was imported.
fn close(model: &mut Model) {
    if matches!(&model.mode, Mode::Import(importing) if importing.is_busy) {
        model.show_mode(Mode::Browse);
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other keys edit the text")]
pub fn handle_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Mode::Import(importing) = &mut model.mode else { return Vec::new() };
    match key.code {
        KeyCode::Esc => model.show_mode(Mode::Browse),
        KeyCode::Enter if !importing.is_busy => {
            let line = importing.input.value().trim().to_owned();
            if line.is_empty() {
                let message = match (importing.kind, importing.is_visit) {
                    (ImportKind::Book | ImportKind::Draft, _) => "name a file",
                    (ImportKind::Directory, false) => "name an entry or a file",
                    (ImportKind::Directory, true) => "name an entry",
                };
                importing.failure = message.to_owned().into();
                return Vec::new();
            }
            importing.completions.matches.clear();
            (importing.is_busy, importing.failure) = (true, ImportFailure::default());
            return vec![match importing.kind {
                ImportKind::Directory => Effect::Import(line),
                ImportKind::Book => Effect::ImportBook(line),
                ImportKind::Draft => Effect::ReadDraft(line),
            }];
        }
        KeyCode::Tab if !importing.is_visit => return complete_path(model),
        KeyCode::Char('s') if key.modifiers == KeyModifiers::CONTROL => {
            let refused_rows = importing.failure.refused.clone();
            return refused_rows.map(|refused_rows| Effect::WriteErrors(Box::new(refused_rows))).into_iter().collect();
        }
        _ => {
            if let Some(request) = input_line::input_edit_of_key(key) {
                importing.edit_input(request);
            }
        }
    }
    Vec::new()
}

/// Completes the path before the cursor; with nothing typed, from the folder that was used last.
fn complete_path(model: &mut Model) -> Vec<Effect> {
    let Mode::Import(importing) = &mut model.mode else { return Vec::new() };
    if importing.input.value().is_empty() {
        importing.input = Input::new(model.overlays.last_folder.clone());
    }
    let prefix = importing.input.value().to_owned();
    let request_id = importing.completions.start(&prefix, &mut model.forms.last_request_id);
    let kind = match importing.kind {
        ImportKind::Directory => PathKind::Entries,
        ImportKind::Book => PathKind::Tables,
        ImportKind::Draft => PathKind::Drafts,
    };
    vec![Effect::CompletePath { prefix, kind, request_id }]
}

pub fn apply_paths(model: &mut Model, request_id: RequestId, paths: &[String]) {
    let Mode::Import(importing) = &mut model.mode else { return };
    let ImportPrompt { input, completions, .. } = &mut **importing;
    if completions.apply(request_id, paths.to_vec())
        && let Some(longer) = completions.shared_prefix(input.value())
    {
        *input = Input::new(longer.to_owned());
        // What is certain now leads on: the next key lists what it leads to.
        if completions.candidates(input.value()).len() == 1 {
            completions.matches.clear();
        }
    }
}

/// The refused rows are written to a file, or why they are not.
pub fn apply_errors_written(model: &mut Model, result: Result<String, String>) {
    let (tone, message) = match result {
        Ok(path) => (Tone::Text, format!("the refused rows are written with their reasons to {path}")),
        Err(reason) => (Tone::Warn, format!("the refused rows are not written: {reason}")),
    };
    model.record_event(EventKind::Console, tone, message.clone());
    model.notice = Some(message);
}

/// Remembers the folder of a file that was read.
fn remember_folder(model: &mut Model) {
    if let Mode::Import(importing) = &model.mode
        && let Some(folder) = folder_of(importing.input.value())
    {
        folder.clone_into(&mut model.overlays.last_folder);
    }
}

pub fn apply_book_import(model: &mut Model, result: Result<String, ImportFailure>) {
    remember_folder(model);
    match result {
        Ok(message) => {
            model.record_event(EventKind::Console, Tone::Text, format!("address book: {message}"));
            model.notice = Some(message);
            close(model);
        }
        Err(failure) => show_import_errors(model, "entered", failure),
    }
}

/// Shows why an import failed; an operator who closed the prompt is notified all the same.
pub fn show_import_errors(model: &mut Model, outcome: &str, failure: ImportFailure) {
    if let Mode::Import(importing) = &mut model.mode {
        (importing.is_busy, importing.failure) = (false, failure);
    } else {
        let first = failure.errors.first().map_or("", |error_line| error_line);
        model.notice = Some(format!("nothing was {outcome}: {first}"));
    }
}

/// Takes the result of an import. The balances of new entries are read at once. Returns whether there are any.
pub fn apply_import(model: &mut Model, result: Result<ImportSummary, ImportFailure>) -> bool {
    remember_folder(model);
    match result {
        Ok(brought) => {
            model.record_event(EventKind::Console, Tone::Text, brought.to_string());
            let more = brought.remarks.len().saturating_sub(MAX_SHOWN_REMARKS);
            let more = (more > 0).then(|| format!("and {more} more like these"));
            let remarks = brought.remarks.iter().take(MAX_SHOWN_REMARKS).cloned().chain(more);
            let summary_parts: Vec<String> = std::iter::once(brought.to_string()).chain(remarks).collect();
            model.notice = Some(summary_parts.join("; "));
            close(model);
            if brought.new == 0 {
                return false;
            }
            model.data.remotes.scope_balances.request_unless_failing();
            model.data.remotes.all_balances.request_unless_failing();
            true
        }
        Err(failure) => {
            show_import_errors(model, "imported", failure);
            false
        }
    }
}
