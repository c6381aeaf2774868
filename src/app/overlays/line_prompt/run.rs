//! Keys and results of the prompt.

use crossterm::event::{KeyCode, KeyEvent};
use tui_input::Input;

use super::{LinePrompt, LinePurpose};
use crate::app::data::analyses::AnalysisQuery;
use crate::app::input::input_line;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::movement_search;
use crate::app::request_id::RequestId;
use crate::app::session::attention;
use crate::domain::Failure;
use crate::domain::attention::AttentionKind;
use crate::domain::watch::sentence::EXAMPLES;
use crate::domain::watch::trial::TrialResult;
use crate::domain::watch::{Watch, WatchEdit, WatchTrialRequest};

pub(in crate::app) fn open(model: &mut Model, purpose: LinePurpose, text: String) {
    model.show_mode(Mode::Line(Box::new(LinePrompt {
        purpose,
        input: Input::new(text),
        trial: None,
        request_id: RequestId::default(),
        search_result: None,
        is_busy: false,
    })));
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other keys edit the text")]
pub(in crate::app) fn handle_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Mode::Line(prompt) = &mut model.mode else { return Vec::new() };
    match key.code {
        KeyCode::Esc => {
            model.show_mode(Mode::Browse);
            Vec::new()
        }
        KeyCode::Tab if matches!(prompt.purpose, LinePurpose::Watch(_)) => {
            let at = EXAMPLES.iter().position(|example| *example == prompt.input.value());
            let next = at.map_or(0, |at| (at + 1) % EXAMPLES.len());
            prompt.input = Input::new(EXAMPLES.get(next).copied().unwrap_or_default().to_owned());
            Vec::new()
        }
        KeyCode::Enter => submit(model),
        _ => {
            if let Some(request) = input_line::input_edit_of_key(key) {
                prompt.edit(request);
            }
            Vec::new()
        }
    }
}

fn submit(model: &mut Model) -> Vec<Effect> {
    let Mode::Line(prompt) = &model.mode else { return Vec::new() };
    let (purpose, typed) = (prompt.purpose.clone(), prompt.input.value().to_owned());
    let edit = match purpose {
        LinePurpose::Acknowledge(id) if id.is_of(AttentionKind::DuePayment) && typed.trim().is_empty() => {
            model.notice = Some("write why this date is skipped".into());
            return Vec::new();
        }
        LinePurpose::Acknowledge(id) => {
            model.show_mode(Mode::Browse);
            model.notice = Some("acknowledged; A on its row withdraws that".into());
            return attention::acknowledge(model, id, &typed);
        }
        LinePurpose::FindMovement => return movement_search::start_search(model),
        LinePurpose::RemoveWatch { index, was } => WatchEdit::Remove { index, was: *was },
        LinePurpose::Watch(_) if !prompt.has_trial_of_text() => return start_watch_trial(model),
        LinePurpose::Watch(at) => {
            let Ok(watch) = Watch::parse_sentence(&typed) else { return Vec::new() };
            match at.and_then(|index| Some((index, model.session.watches.watch_and_standing(index)?.0.clone()))) {
                Some((index, was)) => WatchEdit::Replace { index, was, now: watch },
                None => WatchEdit::Add(watch),
            }
        }
    };
    model.show_mode(Mode::Browse);
    vec![Effect::EditWatch(Box::new(edit))]
}

/// Tries the typed watch on the past, or says what is wrong with it.
pub(in crate::app) fn start_watch_trial(model: &mut Model) -> Vec<Effect> {
    let (book, totals) = (model.journal.book.clone(), model.data.total.samples().to_vec());
    let Mode::Line(prompt) = &mut model.mode else { return Vec::new() };
    // What is wrong with the sentence is on screen already.
    let Ok(watch) = Watch::parse_sentence(prompt.input.value()) else { return Vec::new() };
    if prompt.is_busy {
        return Vec::new();
    }
    prompt.is_busy = true;
    let request_id = prompt.request_id.advance();
    let trial = WatchTrialRequest { watch, book, totals };
    vec![Effect::RunAnalysis { query: AnalysisQuery::WatchTrial(Box::new(trial)), request_id }]
}

pub(in crate::app) fn apply_watch_trial(
    model: &mut Model,
    request_id: RequestId,
    trial: &WatchTrialRequest,
    result: Result<Result<TrialResult, String>, Failure>,
) {
    let Mode::Line(prompt) = &mut model.mode else { return };
    if prompt.request_id != request_id {
        return;
    }
    prompt.is_busy = false;
    let result = result.unwrap_or_else(|failure| Err(failure.to_string()));
    // What was typed since is another watch.
    if Watch::parse_sentence(prompt.input.value()).as_ref() == Ok(&trial.watch) {
        prompt.trial = Some((prompt.input.value().to_owned(), result));
    }
}
