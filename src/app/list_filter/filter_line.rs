//! The line in which a filter is typed.

use crossterm::event::{KeyCode, KeyEvent};
use tui_input::{Input, InputRequest};

use super::completions;
use super::context::filter_context;
use super::filter_text::{filter_text_mut, has_named_fields, set_filter};
use crate::app::input::input_line;
use crate::app::input::keymap::Command;
use crate::app::input::keys::motion::move_in_focused_list;
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::Effect;
use crate::app::pages::registry::pane_logic;
use crate::app::screen::Pane;
use crate::domain::filter::Filter;
use crate::domain::text::is_forbidden_in_text;

const MAX_FILTER_CHARS: usize = 200;

/// Opens the filter of the list that has the focus, or of the list on this page that most likely was meant.
pub(in crate::app) fn open_filter_input(model: &mut Model) -> Vec<Effect> {
    let pane = match (model.page, model.focus()) {
        (_, pane) if pane_logic(pane).filter().is_some() => pane,
        (Page::Users, _) => Pane::Users,
        (Page::Overview, _) => Pane::Recent,
        (Page::Markets, _) => Pane::Tokens,
        // The other pages are one list.
        _ => return Vec::new(),
    };
    model.set_focus(pane);
    // A filter from before the veil is shown in the list's head as a stand-in only.
    let before = if model.session.veil.is_on() {
        String::new()
    } else {
        filter_text_mut(model, pane).cloned().unwrap_or_default()
    };
    model.show_mode(Mode::Filter { pane, input: Input::new(before), completion: None });
    Vec::new()
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other keys edit the text")]
pub(in crate::app) fn handle_filter_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Mode::Filter { input, pane, .. } = &model.mode else { return Vec::new() };
    let is_faulty = has_named_fields(*pane) && Filter::parse(input.value(), &filter_context(model)).is_faulty();
    let Mode::Filter { input, .. } = &mut model.mode else { return Vec::new() };
    let request = match key.code {
        // The filter shown above a list must be in effect, so a faulty word is corrected first.
        KeyCode::Enter if is_faulty => return Vec::new(),
        KeyCode::Enter => {
            model.show_mode(Mode::Browse);
            return Vec::new();
        }
        KeyCode::Tab => return complete_last_word(model),
        KeyCode::Esc => {
            input.reset();
            let effects = requery_filtered_list(model);
            model.show_mode(Mode::Browse);
            return effects;
        }
        // Up and Down move in the list while its filter is typed.
        KeyCode::Up => return move_in_focused_list(model, Command::Up),
        KeyCode::Down => return move_in_focused_list(model, Command::Down),
        KeyCode::PageUp => return move_in_focused_list(model, Command::PageUp),
        KeyCode::PageDown => return move_in_focused_list(model, Command::PageDown),
        _ => input_line::input_edit_of_key(key),
    };
    let is_refused = |request: &InputRequest| {
        matches!(request, InputRequest::InsertChar(character)
            if is_forbidden_in_text(*character) || input.value().chars().count() >= MAX_FILTER_CHARS)
    };
    let Some(request) = request.filter(|request| !is_refused(request)) else { return Vec::new() };
    // A key that changes nothing, such as Backspace on an empty line, must not clear a filter that the veil hides.
    if input.handle(request).is_none_or(|change| !change.value) {
        return Vec::new();
    }
    requery_filtered_list(model)
}

/// Pastes into the open filter.
pub(in crate::app) fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    let Mode::Filter { input, .. } = &mut model.mode else { return Vec::new() };
    let room = MAX_FILTER_CHARS.saturating_sub(input.value().chars().count());
    // Line breaks become spaces, so that words of two lines stay apart.
    let characters = text.trim().chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    for character in characters.filter(|c| !is_forbidden_in_text(*c)).take(room) {
        input.handle(InputRequest::InsertChar(character));
    }
    requery_filtered_list(model)
}

/// Completes the last word as far as it is unambiguous; then cycles through the candidates.
fn complete_last_word(model: &mut Model) -> Vec<Effect> {
    let Mode::Filter { input, pane, completion } = &model.mode else { return Vec::new() };
    let completed = has_named_fields(*pane)
        .then(|| completions::complete_word(model, *pane, input.value(), completion.as_ref()))
        .flatten();
    let Some((completed, next)) = completed.filter(|(text, _)| text.chars().count() <= MAX_FILTER_CHARS) else {
        return Vec::new();
    };
    if let Mode::Filter { input, completion, .. } = &mut model.mode {
        *input = Input::new(completed);
        *completion = next;
    }
    requery_filtered_list(model)
}

fn requery_filtered_list(model: &mut Model) -> Vec<Effect> {
    let Mode::Filter { pane, input, .. } = &model.mode else { return Vec::new() };
    let (pane, value) = (*pane, input.value().to_owned());
    set_filter(model, pane, value)
}
