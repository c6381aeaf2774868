//! A line to be typed: the note of an acknowledgement, a watch, or the identifier or hash of a movement.

mod run;
pub mod view;

use tui_input::{Input, InputRequest};

use super::movement_search::MovementSearchResult;
use crate::app::request_id::RequestId;
use crate::domain::attention::{AttentionId, AttentionKind};
use crate::domain::text::is_forbidden_in_text;
use crate::domain::watch::Watch;
use crate::domain::watch::trial::TrialResult;
pub(in crate::app) use run::{apply_watch_trial, handle_key, open, start_watch_trial};

const MAX_CHARS: usize = 240;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinePurpose {
    Acknowledge(AttentionId),
    /// A new watch, or the one at this position.
    Watch(Option<usize>),
    RemoveWatch {
        index: usize,
        was: Box<Watch>,
    },
    /// The identifier or hash of a version 1 movement.
    FindMovement,
}

#[derive(Debug, Clone)]
pub struct LinePrompt {
    pub purpose: LinePurpose,
    pub input: Input,
    /// The last trial of a watch, with the sentence that was tried.
    pub trial: Option<(String, Result<TrialResult, String>)>,
    /// The answer of the last search, which found nothing.
    pub search_result: Option<Box<MovementSearchResult>>,
    request_id: RequestId,
    /// Whether a trial or a search is under way.
    pub(super) is_busy: bool,
}

impl LinePrompt {
    pub fn title(&self) -> &'static str {
        match &self.purpose {
            LinePurpose::Acknowledge(id) if id.is_of(AttentionKind::DuePayment) => "Skip this date",
            LinePurpose::Acknowledge(_) => "Acknowledge",
            LinePurpose::Watch(None) => "New watch",
            LinePurpose::Watch(Some(_)) => "Watch",
            LinePurpose::RemoveWatch { .. } => "Remove this watch?",
            LinePurpose::FindMovement => "Look up an identifier or hash",
        }
    }

    /// What Enter does now.
    pub fn key_hint(&self) -> &'static str {
        match &self.purpose {
            LinePurpose::Acknowledge(id) if id.is_of(AttentionKind::DuePayment) => {
                "Enter skips it with this note, Esc closes"
            }
            LinePurpose::Acknowledge(_) => "Enter records it with this note, Esc closes",
            LinePurpose::Watch(_) if self.has_trial_of_text() => "Enter saves it, Esc closes",
            LinePurpose::Watch(_) => "Enter tries it on the last 30 days, Esc closes",
            LinePurpose::RemoveWatch { .. } => "Enter removes it, Esc keeps it",
            LinePurpose::FindMovement => "Enter looks it up, Esc closes",
        }
    }

    fn has_trial_of_text(&self) -> bool {
        self.trial.as_ref().is_some_and(|(sentence, _)| sentence == self.input.value())
    }

    pub(in crate::app) fn paste(&mut self, text: &str) {
        for character in text.trim().chars().map(|c| if c.is_whitespace() { ' ' } else { c }) {
            self.edit(InputRequest::InsertChar(character));
        }
    }

    fn edit(&mut self, request: InputRequest) {
        let full = self.input.value().chars().count() >= MAX_CHARS;
        let is_typed = !matches!(self.purpose, LinePurpose::RemoveWatch { .. });
        let is_refused = matches!(request, InputRequest::InsertChar(c) if full || is_forbidden_in_text(c));
        if is_typed && !is_refused {
            self.input.handle(request);
        }
    }
}
