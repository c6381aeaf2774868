//! Keys of the review.

use crossterm::event::{KeyCode, KeyEvent};
use tui_input::InputRequest;

use super::{Review, ReviewAction, ReviewStatus, view};
use crate::app::data::prices;
use crate::app::forms::field::MAX_CHARS;
use crate::app::input::input_line;
use crate::app::model::Model;
use crate::domain::duration;

/// Whether a key scrolls down (1) or up (-1).
fn scroll_direction(key: KeyEvent) -> Option<i16> {
    if key.code == KeyCode::PageDown { Some(1) } else { (key.code == KeyCode::PageUp).then_some(-1) }
}

impl Review {
    #[expect(clippy::wildcard_enum_match_arm, reason = "other keys edit the text")]
    pub fn handle_key(&mut self, model: &Model, key: KeyEvent) -> ReviewAction {
        if let Some(pages) = scroll_direction(key) {
            let (page, last) = view::scroll_step_and_limit(model, self);
            let top =
                if pages > 0 { self.scroll_top.saturating_add(page) } else { self.scroll_top.saturating_sub(page) };
            self.scroll_top = top.min(last);
            return ReviewAction::Stay;
        }
        match (&self.status, key.code) {
            (ReviewStatus::Sending, KeyCode::Esc) => return ReviewAction::Leave,
            (_, KeyCode::Esc) => return ReviewAction::Back,
            (ReviewStatus::Sending | ReviewStatus::NotSent(_), _) => return ReviewAction::Stay,
            (ReviewStatus::Waiting, _) => {}
        }
        // What is not on screen in full cannot be confirmed, whatever is typed.
        if self.is_stopped() || !view::has_room_for_review(model, self) {
            return ReviewAction::Stay;
        }
        self.had_early_keys = self.time_until_armed(model.now).is_some();
        if self.had_early_keys {
            return ReviewAction::Stay;
        }
        match key.code {
            KeyCode::Enter => return self.handle_enter(model),
            KeyCode::Tab | KeyCode::Down => self.cursor = (self.cursor + 1).min(self.prompts.len().saturating_sub(1)),
            KeyCode::BackTab | KeyCode::Up => self.cursor = self.cursor.saturating_sub(1),
            _ => self.type_into_prompt(key),
        }
        ReviewAction::Stay
    }

    fn type_into_prompt(&mut self, key: KeyEvent) {
        let Some(prompt) = self.prompts.get_mut(self.cursor) else { return };
        let Some(request) = input_line::input_edit_of_key(key) else { return };
        if matches!(request, InputRequest::InsertChar(_)) && prompt.input.value().chars().count() >= MAX_CHARS {
            return;
        }
        prompt.input.handle(request);
        prompt.error = None;
        self.message = None;
    }

    /// Enter: focuses the next prompt; on the last one, sends if all of them match. Enter on a corrected earlier prompt
    /// moves on and does not send.
    fn handle_enter(&mut self, model: &Model) -> ReviewAction {
        if self.cursor + 1 < self.prompts.len() {
            self.cursor += 1;
            return ReviewAction::Stay;
        }
        for prompt in &mut self.prompts {
            prompt.error = (!prompt.matches()).then_some(prompt.kind.mismatch_message());
        }
        if let Some(index) = self.prompts.iter().position(|prompt| prompt.error.is_some()) {
            self.cursor = index;
            return ReviewAction::Stay;
        }
        if self.facts.is_some()
            && let Some(age) = model.figure_staleness(Some(self.facts_at))
        {
            let age = duration::format_age(age);
            self.message =
                Some(format!("these facts are {age} old; wait until they are refreshed, then press Enter again"));
            return ReviewAction::ReloadFacts;
        }
        if let Some(reviewed_quote) = &self.quote
            && let Some(age) = prices::stale_quote_age(model, reviewed_quote.newest_quote.at)
        {
            let age = duration::format_age(age);
            self.message = Some(format!("the quote is {age} old; wait until it is refreshed, then press Enter again"));
            return ReviewAction::ReloadFacts;
        }
        ReviewAction::Send(self.build_confirmation())
    }
}
