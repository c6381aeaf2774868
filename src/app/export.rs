//! `x`: writes what a list shows, or the transactions that are marked, to a new file in a folder that the operator names.
//! All of the list is written, in its order and with its filter, and not what fits on the screen alone. In a visit there is
//! no folder: the rows go through the visitor's own terminal, which takes only so much. So they are written as soon as the
//! sheet is open, and it says how much that is before anything is sent.

mod rows;
mod shown;
pub mod view;

use tui_input::{Input, InputRequest};

use super::events::EventKind;
use super::key::{Key, KeyCode};
use super::line;
use super::model::{Mode, Model};
use super::msg::{Effect, RequestId};
use super::panes::{Tone, group_thousands, orders::prompt};
use crate::domain::text::is_hidden;
use crate::domain::{Failure, Format};

pub use rows::{ExportRows, UserRows};
pub(super) use shown::refusal;

/// The longest path that is typed.
const LONGEST: usize = 400;

/// Where rows are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A new file in this folder, as it was typed.
    Folder(String),
    /// The clipboard of the terminal.
    Clipboard,
}

/// How far an export has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportProgress {
    /// So many rows are written, of so many.
    Running {
        /// Rows written.
        rows: u64,
        /// Rows in all.
        of: u64,
    },
    /// All of them are, into this file.
    Finished {
        /// Rows written.
        rows: u64,
        /// The file.
        path: String,
    },
    /// All of them are, as a text for the terminal's clipboard.
    Clipboard(ClipboardText),
    /// It was stopped, and its file was removed.
    Stopped,
}

/// Rows as a text for the terminal's clipboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClipboardText {
    /// How many.
    pub rows: u64,
    /// Bytes of them.
    pub bytes: usize,
    /// The text; `None` where it is more than terminals take.
    pub text: Option<String>,
}

/// Exports: where the last one went, and the one that is under way.
#[derive(Debug, Clone, Default)]
pub struct Exports {
    /// The last folder in which rows could be written, as it was typed.
    pub folder: String,
    /// How rows are written.
    pub format: Format,
    /// The turn of the newest export.
    pub turn: RequestId,
    /// How many rows of how many are written, while one is under way.
    pub progress: Option<(u64, u64)>,
    /// What was asked for the one that is under way, to be asked again where it fails.
    pub asked: Option<Box<ExportForm>>,
}

/// What is asked before rows are written.
#[derive(Debug, Clone)]
pub struct ExportForm {
    /// What is written, in words.
    pub description: String,
    /// Which rows.
    pub rows: ExportRows,
    /// The folder; `None` in a visit, in which rows go to the terminal's clipboard.
    pub folder: Option<Input>,
    /// Whether that is only offered: what is typed takes its place, and whoever moves in it mends it.
    pub is_suggested: bool,
    /// Whether nothing could be written there: what is typed mends it, and another path takes its place.
    pub failed: bool,
    /// What would go there, once that is written.
    pub clip: Option<ClipboardText>,
    /// Whether it is to go there as soon as it is.
    pub send_when_ready: bool,
    /// How rows are written.
    pub format: Format,
    /// What is wrong, in words that say what would be right.
    pub error: Option<String>,
    /// What had the keys before, and will have them again.
    pub previous_mode: Box<Mode>,
}

/// Asks for the folder; or stops the export that is under way.
pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    if model.exports.progress.is_some() {
        model.notice = Some("stopping the export…".into());
        return vec![Effect::StopExport];
    }
    let Some((says, rows)) = shown::export_source(model) else { return Vec::new() };
    ask(model, says, rows)
}

/// Asks for the folder in which rows are to be written.
fn ask(model: &mut Model, says: String, rows: ExportRows) -> Vec<Effect> {
    let folder = (!model.is_visit).then(|| Input::new(model.exports.folder.clone()));
    let format = model.exports.format;
    let over = Box::new(std::mem::take(&mut model.mode));
    let offered = !model.exports.folder.is_empty();
    let sheet = ExportForm {
        description: says,
        rows,
        folder,
        is_suggested: offered,
        failed: false,
        clip: None,
        send_when_ready: false,
        format,
        error: None,
        previous_mode: over,
    };
    model.mode = Mode::Export(Box::new(sheet));
    clip(model)
}

/// Has the text written that would go to the clipboard, where that is where rows go.
fn clip(model: &mut Model) -> Vec<Effect> {
    let Mode::Export(sheet) = &mut model.mode else { return Vec::new() };
    if sheet.folder.is_some() {
        return Vec::new();
    }
    sheet.clip = None;
    let (rows, format) = (sheet.rows.clone(), sheet.format);
    vec![Effect::Export { rows, target: Target::Clipboard, format, turn: model.exports.turn.advance() }]
}

/// A key while the folder is typed.
pub(super) fn key(model: &mut Model, key: Key) -> Vec<Effect> {
    let Mode::Export(sheet) = &mut model.mode else { return Vec::new() };
    sheet.error = None;
    match key.code {
        KeyCode::Char('c') if key.ctrl => return prompt::request_quit(model),
        KeyCode::Char('z') if key.ctrl => return vec![Effect::Suspend],
        KeyCode::Esc => return close(model),
        KeyCode::Tab | KeyCode::BackTab | KeyCode::Up | KeyCode::Down => {
            sheet.format = if sheet.format == Format::Csv { Format::Json } else { Format::Csv };
            return clip(model);
        }
        KeyCode::Enter if sheet.folder.is_none() => {
            sheet.send_when_ready = true;
            return send(model);
        }
        KeyCode::Enter => return begin(model),
        _ => {
            if let Some(request) = line::input_request(key) {
                sheet.insert(request);
            }
        }
    }
    Vec::new()
}

/// Text was pasted.
pub(super) fn paste(model: &mut Model, text: &str) {
    let Mode::Export(sheet) = &mut model.mode else { return };
    for character in text.trim().chars() {
        sheet.insert(InputRequest::InsertChar(character));
    }
}

impl ExportForm {
    fn insert(&mut self, request: InputRequest) {
        let Some(folder) = &mut self.folder else { return };
        if let InputRequest::InsertChar(character) = request {
            if is_hidden(character) {
                return;
            }
            // One path behind another would be none.
            if self.is_suggested || self.failed && matches!(character, '/' | '~') {
                folder.reset();
            }
            if folder.value().chars().count() >= LONGEST {
                return;
            }
        }
        (self.is_suggested, self.failed) = (false, false);
        folder.handle(request);
    }
}

fn close(model: &mut Model) -> Vec<Effect> {
    let Mode::Export(sheet) = &mut model.mode else { return Vec::new() };
    let is_clipped = sheet.folder.is_none();
    model.mode = std::mem::take(&mut sheet.previous_mode);
    if !is_clipped {
        return Vec::new();
    }
    // What is still being written for it is for nobody.
    let _nobodys = model.exports.turn.advance();
    vec![Effect::StopExport]
}

/// Sends what was written to the terminal's clipboard, if somebody wants it there and it is not too much.
fn send(model: &mut Model) -> Vec<Effect> {
    let Mode::Export(sheet) = &mut model.mode else { return Vec::new() };
    let Some(ClipboardText { rows, bytes, text: Some(text) }) =
        sheet.clip.take_if(|clip| sheet.send_when_ready && clip.text.is_some())
    else {
        // Of too much the sheet says so already; whoever filters or marks fewer comes back.
        sheet.send_when_ready &= sheet.clip.is_none();
        return Vec::new();
    };
    model.exports.format = sheet.format;
    model.mode = std::mem::take(&mut sheet.previous_mode);
    let (rows, bytes) = (counted(rows, ROWS), count(bytes));
    let said = format!("{rows}, {bytes} bytes, sent to your terminal as OSC 52; the terminal does not confirm receipt");
    model.record_event(EventKind::Console, Tone::Text, said.clone());
    model.notice = Some(said);
    vec![Effect::Copy(text)]
}

fn begin(model: &mut Model) -> Vec<Effect> {
    let Mode::Export(sheet) = &mut model.mode else { return Vec::new() };
    let Some(folder) = sheet.folder.as_ref().map(|folder| folder.value().trim().to_owned()) else { return Vec::new() };
    if folder.is_empty() {
        sheet.error = Some("enter a folder, such as ~/exports, or . for the folder where bursar was started".into());
        return Vec::new();
    }
    let (rows, format) = (sheet.rows.clone(), sheet.format);
    let over = std::mem::take(&mut *sheet.previous_mode);
    let asked = std::mem::replace(&mut model.mode, over);
    let exports = &mut model.exports;
    exports.asked = if let Mode::Export(sheet) = asked { Some(sheet) } else { None };
    exports.format = format;
    exports.progress = Some((0, 0));
    vec![Effect::Export { rows, target: Target::Folder(folder), format, turn: exports.turn.advance() }]
}

/// An export came further, ended or failed.
pub(super) fn apply_progress(
    model: &mut Model,
    turn: RequestId,
    result: Result<ExportProgress, Failure>,
) -> Vec<Effect> {
    if turn != model.exports.turn {
        return Vec::new();
    }
    if let Mode::Export(sheet) = &mut model.mode
        && sheet.folder.is_none()
    {
        match result {
            Ok(ExportProgress::Clipboard(clip)) => sheet.clip = Some(clip),
            Ok(_) => {}
            Err(failure) => sheet.error = Some(failure.detail.to_string()),
        }
        return send(model);
    }
    let asked = match &result {
        Ok(ExportProgress::Running { .. }) => None,
        _ => model.exports.asked.take(),
    };
    let failed = result.is_err();
    // Only a folder in which rows could be written is offered again.
    if let (Ok(_), Some(folder)) = (&result, asked.as_ref().and_then(|asked| asked.folder.as_ref())) {
        folder.value().trim().clone_into(&mut model.exports.folder);
    }
    let said = match result {
        Ok(ExportProgress::Running { rows, of }) => {
            model.exports.progress = Some((rows, of));
            return Vec::new();
        }
        Ok(ExportProgress::Finished { rows, path }) => format!("{} written to {path}", counted(rows, ROWS)),
        // Its sheet was closed, and with it its turn.
        Ok(ExportProgress::Clipboard(_)) => return Vec::new(),
        Ok(ExportProgress::Stopped) => "the export was stopped, and its file removed".into(),
        Err(failure) => {
            // What was typed is there to be mended, unless somebody went on to something else.
            if let (Mode::Browse, Some(mut sheet)) = (&model.mode, asked) {
                (sheet.error, sheet.is_suggested, sheet.failed) = (Some(failure.detail.to_string()), false, true);
                model.mode = Mode::Export(sheet);
            }
            format!("not exported: {}", failure.detail)
        }
    };
    model.exports.progress = None;
    model.record_event(EventKind::Console, if failed { Tone::Warn } else { Tone::Text }, said.clone());
    model.notice = Some(said);
    Vec::new()
}

/// How rows that are written are called, one and several.
const ROWS: [&str; 2] = ["row", "rows"];

/// So many of something, in words: one of it, and several.
fn counted(number: u64, [one, several]: [&str; 2]) -> String {
    format!("{} {}", group_thousands(number), if number == 1 { one } else { several })
}

/// A number of bytes, in groups.
fn count(number: usize) -> String {
    group_thousands(u64::try_from(number).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests;
