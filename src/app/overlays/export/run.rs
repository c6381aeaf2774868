//! The form of an export, and the export that follows.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};
use tui_input::{Input, InputRequest};

use super::rows::ExportRows;
use super::{
    ClipboardText, ExportForm, ExportProgress, ExportTarget, count_with_noun, focused_list, group_count_digits,
};
use crate::app::input::input_line;
use crate::app::input::path_completions::{PathCompletions, PathKind};
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::pages::Tone;
use crate::app::request_id::RequestId;
use crate::app::session::events::EventKind;
use crate::domain::Failure;
use crate::domain::draft_file::DraftFile;

pub(in crate::app) fn open_form_or_stop(model: &mut Model) -> Vec<Effect> {
    if model.overlays.exports.progress.is_some() {
        model.notice = Some("stopping the export…".into());
        return vec![Effect::StopExport];
    }
    let Some((description, rows)) = focused_list::export_source(model) else { return Vec::new() };
    open_form(model, description, rows)
}

/// Asks where a draft is written to.
pub(in crate::app) fn open_draft_form(model: &mut Model, draft: DraftFile) -> Vec<Effect> {
    if model.overlays.exports.progress.is_some() {
        model.notice = Some("another export is running; x on a list stops it".into());
        return Vec::new();
    }
    let description = "this draft, for a colleague to open: E, then o".to_owned();
    open_form(model, description, ExportRows::Draft(Box::new(draft)))
}

pub(super) fn open_form(model: &mut Model, description: String, rows: ExportRows) -> Vec<Effect> {
    let folder = (!model.console.is_visit).then(|| Input::new(model.overlays.exports.folder.clone()));
    // The format used last, where these rows have it.
    let offered = rows.formats();
    let format = [model.overlays.exports.format]
        .into_iter()
        .chain(offered.first().copied())
        .find(|format| offered.contains(format));
    let format = format.unwrap_or_default();
    let is_suggested = !model.overlays.exports.folder.is_empty();
    let form = ExportForm {
        description,
        rows,
        folder,
        completions: PathCompletions::default(),
        is_suggested,
        failed: false,
        clipboard_text: None,
        send_when_ready: false,
        format,
        error: None,
    };
    model.open_over(Mode::Export(Box::new(form)));
    start_clipboard_export(model)
}

/// Keeps an open form at the rows that the list has by now: what it states is what Enter writes.
pub(in crate::app) fn follow_list(model: &mut Model) {
    let Mode::Export(form) = &model.mode else { return };
    if form.folder.is_none() || !matches!(form.rows, ExportRows::Matching(_)) {
        return;
    }
    let source = focused_list::export_source(model);
    if let (Mode::Export(form), Some((description, rows))) = (&mut model.mode, source) {
        (form.description, form.rows) = (description, rows);
    }
}

/// Starts serialising the rows if they go to the clipboard.
fn start_clipboard_export(model: &mut Model) -> Vec<Effect> {
    let Mode::Export(form) = &mut model.mode else { return Vec::new() };
    if form.folder.is_some() {
        return Vec::new();
    }
    form.clipboard_text = None;
    let (rows, format) = (form.rows.clone(), form.format);
    vec![Effect::Export {
        rows,
        target: ExportTarget::Clipboard,
        format,
        names: Arc::clone(&model.data.analyses.names.names),
        request_id: model.overlays.exports.request_id.advance(),
    }]
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other keys edit the text")]
pub(in crate::app) fn handle_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Mode::Export(form) = &mut model.mode else { return Vec::new() };
    form.error = None;
    match key.code {
        KeyCode::Esc => return close_form(model),
        KeyCode::Tab if form.folder.is_some() => return complete_folder(model),
        KeyCode::Tab | KeyCode::BackTab | KeyCode::Up | KeyCode::Down => {
            form.format = form.format.next_of(form.rows.formats());
            return start_clipboard_export(model);
        }
        KeyCode::Enter if form.folder.is_none() => {
            form.send_when_ready = true;
            return send_to_clipboard(model);
        }
        KeyCode::Enter => return start_file_export(model),
        _ => {
            if let Some(request) = input_line::input_edit_of_key(key) {
                form.edit_folder(request);
            }
        }
    }
    Vec::new()
}

fn complete_folder(model: &mut Model) -> Vec<Effect> {
    let Mode::Export(form) = &mut model.mode else { return Vec::new() };
    let Some(folder) = &form.folder else { return Vec::new() };
    let prefix = folder.value().to_owned();
    let request_id = form.completions.start(&prefix, &mut model.forms.last_request_id);
    vec![Effect::CompletePath { prefix, kind: PathKind::Folders, request_id }]
}

pub(in crate::app) fn apply_paths(model: &mut Model, request_id: RequestId, paths: &[String]) {
    let Mode::Export(form) = &mut model.mode else { return };
    let Some(folder) = &mut form.folder else { return };
    if !form.completions.apply(request_id, paths.to_vec()) {
        return;
    }
    (form.is_suggested, form.failed) = (false, false);
    if let Some(longer) = form.completions.shared_prefix(folder.value()) {
        *folder = Input::new(longer.to_owned());
        if form.completions.candidates(folder.value()).len() == 1 {
            form.completions.matches.clear();
        }
    }
}

pub(in crate::app) fn paste(model: &mut Model, text: &str) {
    let Mode::Export(form) = &mut model.mode else { return };
    for character in text.trim().chars() {
        form.edit_folder(InputRequest::InsertChar(character));
    }
}

fn close_form(model: &mut Model) -> Vec<Effect> {
    let Mode::Export(form) = &mut model.mode else { return Vec::new() };
    let is_clipped = form.folder.is_none();
    model.close_mode();
    if !is_clipped {
        return Vec::new();
    }
    // The pending result has no recipient any more.
    let _nobodys = model.overlays.exports.request_id.advance();
    vec![Effect::StopExport]
}

/// Sends the rows to the terminal's clipboard if that was requested and they are not too large.
fn send_to_clipboard(model: &mut Model) -> Vec<Effect> {
    let Mode::Export(form) = &mut model.mode else { return Vec::new() };
    let Some(ClipboardText { rows, bytes, text: Some(text) }) =
        form.clipboard_text.take_if(|clip| form.send_when_ready && clip.text.is_some())
    else {
        // The form shows already that the rows are too large; Enter must be pressed again after the list was narrowed.
        form.send_when_ready &= form.clipboard_text.is_none();
        return Vec::new();
    };
    model.overlays.exports.format = form.format;
    let nouns = form.rows.nouns();
    model.close_mode();
    let (rows, bytes) = (count_with_noun(rows, nouns), group_count_digits(bytes));
    let message =
        format!("{rows}, {bytes} bytes, sent to your terminal as OSC 52; the terminal does not confirm receipt");
    model.record_event(EventKind::Console, Tone::Text, message.clone());
    model.notice = Some(message);
    vec![Effect::Copy(text)]
}

fn start_file_export(model: &mut Model) -> Vec<Effect> {
    let Mode::Export(export_form) = &mut model.mode else { return Vec::new() };
    let Some(folder) = export_form.folder.as_ref().map(|folder| folder.value().trim().to_owned()) else {
        return Vec::new();
    };
    if folder.is_empty() {
        export_form.error =
            Some("enter a folder, such as ~/exports, or . for the folder where bursar was started".into());
        return Vec::new();
    }
    let (rows, format) = (export_form.rows.clone(), export_form.format);
    let form = model.close_mode();
    let exports = &mut model.overlays.exports;
    exports.retry_form = if let Mode::Export(export_form) = form { Some(export_form) } else { None };
    exports.format = format;
    exports.progress = Some((0, 0));
    vec![Effect::Export {
        rows,
        target: ExportTarget::Folder(folder),
        format,
        names: Arc::clone(&model.data.analyses.names.names),
        request_id: exports.request_id.advance(),
    }]
}

/// Whether the list whose rows were written has another number of rows by now.
fn has_list_changed(model: &Model, written: Option<&ExportRows>, rows: u64) -> bool {
    let Some(ExportRows::Matching(query)) = written else { return false };
    let shown_history =
        [&model.pages.overview.recent, &model.pages.transactions].into_iter().find(|history| history.query == *query);
    shown_history.is_some_and(|history| history.listing.count().number() != rows)
}

pub(in crate::app) fn apply_progress(
    model: &mut Model,
    request_id: RequestId,
    result: Result<ExportProgress, Failure>,
) -> Vec<Effect> {
    if request_id != model.overlays.exports.request_id {
        return Vec::new();
    }
    if let Mode::Export(export_form) = &mut model.mode
        && export_form.folder.is_none()
    {
        match result {
            Ok(ExportProgress::Clipboard(clip)) => export_form.clipboard_text = Some(clip),
            Ok(_) => {}
            Err(failure) => export_form.error = Some(failure.detail.to_string()),
        }
        return send_to_clipboard(model);
    }
    let form = match &result {
        Ok(ExportProgress::Running { .. }) => None,
        _ => model.overlays.exports.retry_form.take(),
    };
    let failed = result.is_err();
    // Only a folder that could be written to is suggested again.
    if let (Ok(_), Some(folder)) = (&result, form.as_ref().and_then(|form| form.folder.as_ref())) {
        folder.value().trim().clone_into(&mut model.overlays.exports.folder);
    }
    let message = match result {
        Ok(ExportProgress::Running { rows, total: of }) => {
            model.overlays.exports.progress = Some((rows, of));
            return Vec::new();
        }
        Ok(ExportProgress::Finished { rows, path }) => {
            let asked_rows = form.as_ref().map(|form| &form.rows);
            let as_of = if has_list_changed(model, asked_rows, rows) { ", as of the start of the export," } else { "" };
            let nouns = asked_rows.map_or(["row", "rows"], ExportRows::nouns);
            format!("{}{as_of} written to {path}", count_with_noun(rows, nouns))
        }
        // The form was closed, and with it the request.
        Ok(ExportProgress::Clipboard(_)) => return Vec::new(),
        Ok(ExportProgress::Stopped) => "the export was stopped, and its file removed".into(),
        Err(failure) => {
            // The form comes back for correction, unless the operator went on to something else.
            if let (Mode::Browse, Some(mut export_form)) = (&model.mode, form) {
                (export_form.error, export_form.is_suggested, export_form.failed) =
                    (Some(failure.detail.to_string()), false, true);
                model.open_over(Mode::Export(export_form));
            }
            format!("not exported: {}", failure.detail)
        }
    };
    model.overlays.exports.progress = None;
    model.record_event(EventKind::Console, if failed { Tone::Warn } else { Tone::Text }, message.clone());
    model.notice = Some(message);
    Vec::new()
}
