//! Keys and pastes while a form is filled in, and what is checked when a field is left.

use crossterm::event::{KeyCode, KeyEvent};

use super::{Focus, FormAction, FormState, QueuedInput, kinds};
use crate::app::forms::field::{self, FieldId};
use crate::app::forms::{batch, follow_up};
use crate::app::model::Model;
use crate::app::msg::{Effect, RequestId};
use crate::domain::address;
use crate::domain::draft::Operation;

impl FormState {
    pub fn key(&mut self, model: &Model, turn: &mut RequestId, key: KeyEvent) -> FormAction {
        if key.code == KeyCode::Esc {
            self.queued_input.clear();
        }
        if self.is_awaiting_answer() {
            self.queued_input.push(QueuedInput::Key(key));
            return FormAction::Stay(Vec::new());
        }
        let step = self.keyed(model, key);
        if let FormAction::Stay(mut effects) = step {
            if self.operation == Operation::Batch {
                batch::update_row_context(model, self);
            }
            effects.extend(self.pending_queries(turn));
            return FormAction::Stay(effects);
        }
        step
    }

    fn keyed(&mut self, model: &Model, key: KeyEvent) -> FormAction {
        if self.focus == Focus::Rows
            && let Some(followed) = self.rows.key(key)
        {
            self.error = followed.err();
            return FormAction::Stay(Vec::new());
        }
        if matches!(key.code, KeyCode::Enter | KeyCode::Tab | KeyCode::Down) && self.is_looked_up() {
            self.queued_input.push(QueuedInput::Key(key));
            return FormAction::Stay(Vec::new());
        }
        let choices = self.choices(model);
        // Any key but a second Enter withdraws the request to clear the form.
        self.is_clear_prompted &= key.code == KeyCode::Enter;
        match key.code {
            KeyCode::Esc if self.highlighted.is_some() => (self.highlighted, self.pasted) = (None, None),
            KeyCode::Esc => return FormAction::Close,
            KeyCode::BackTab => self.back(),
            KeyCode::Up => match self.highlighted {
                Some(index) => self.highlighted = index.checked_sub(1),
                None => self.back(),
            },
            KeyCode::Down if !choices.is_empty() => {
                let next = self.highlighted.map_or(0, |index| index + 1);
                self.highlighted = Some(next.min(choices.len() - 1));
            }
            KeyCode::Left if self.focus == Focus::Clear => self.focus = Focus::Review,
            KeyCode::Right if self.focus == Focus::Review => self.focus = Focus::Clear,
            KeyCode::Enter if self.focus == Focus::Review => return self.submit(model),
            KeyCode::Enter if self.focus == Focus::Clear && !self.is_empty() && !self.is_clear_prompted => {
                self.is_clear_prompted = true;
                return FormAction::Stay(Vec::new());
            }
            KeyCode::Enter if self.focus == Focus::Clear => self.empty(),
            KeyCode::Enter | KeyCode::Tab | KeyCode::Down => {
                // A single choice that is left is taken; but the beginning of an address never picks a recipient, and
                // an optional field is not filled in unasked.
                let is_meant = |slot| match slot {
                    FieldId::Recipient => false,
                    FieldId::Wallet | FieldId::Token | FieldId::Account | FieldId::BuyToken => true,
                    slot => !self.value(slot).is_empty(),
                };
                let only = (choices.len() == 1 && self.focused_field().is_some_and(is_meant)).then_some(0);
                let chosen = self.highlighted.or(only).and_then(|index| choices.into_iter().nth(index));
                if let (Some(slot), Some(choice)) = (self.focused_field(), chosen) {
                    self.apply_choice(slot, &choice.text, choice.picked);
                }
                self.forward(model, key.code == KeyCode::Enter);
            }
            _ => self.typed(key),
        }
        FormAction::Stay(Vec::new())
    }

    fn typed(&mut self, key: KeyEvent) {
        let Focus::Field(index) = self.focus else { return };
        let Some(slot) = self.fields.get(index).map(|field| field.slot) else { return };
        let is_settled = follow_up::is_fixed(self, slot);
        let Some(field) = self.fields.get_mut(index) else { return };
        if is_settled {
            field.error = Some(follow_up::FIXED_FIELD.into());
        } else if field.key(key) == Some(true) {
            self.unpick(slot);
        }
    }

    pub fn paste(&mut self, turn: &mut RequestId, text: &str) -> Result<Vec<Effect>, String> {
        if self.is_awaiting_answer() {
            self.queued_input.push(QueuedInput::Paste(text.to_owned()));
            return Ok(Vec::new());
        }
        let index = match self.focus {
            Focus::Field(index) => index,
            Focus::Rows => {
                self.rows.paste(text)?;
                return Ok(self.pending_queries(turn));
            }
            Focus::Review | Focus::Clear => return Err("select a field to paste into".into()),
        };
        if self.focused_field().is_some_and(|slot| follow_up::is_fixed(self, slot)) {
            return Err(follow_up::FIXED_FIELD.into());
        }
        let several = field::lines(text) > 1 && address::parse_grouped(text).is_none();
        match (self.operation, self.focused_field()) {
            (Operation::Withdraw, Some(FieldId::Recipient)) if several => {
                (self.pasted, self.highlighted) = (Some(text.to_owned()), Some(0));
                return Ok(Vec::new());
            }
            (Operation::Batch, Some(FieldId::File | FieldId::Note)) if several => {
                self.rows.paste(text)?;
                self.focus = Focus::Rows;
                return Ok(self.pending_queries(turn));
            }
            _ => {}
        }
        if let Some(field) = self.fields.get_mut(index) {
            let slot = field.slot;
            field.paste(text)?;
            self.unpick(slot);
        }
        Ok(self.pending_queries(turn))
    }

    /// Takes the queued input for replay.
    pub(in crate::app::forms) fn take_queued_input(&mut self) -> Vec<QueuedInput> {
        std::mem::take(&mut self.queued_input)
    }

    /// Queues the rest behind a key that waits again. Behind a key that was refused the rest is dropped: it would go
    /// into another field than it was meant for.
    pub(in crate::app::forms) fn requeue_input(&mut self, rest: impl Iterator<Item = QueuedInput>) -> bool {
        let is_refused = match self.focus {
            Focus::Field(index) => self.fields.get(index).is_some_and(|field| field.error.is_some()),
            Focus::Rows | Focus::Review | Focus::Clear => false,
        };
        if self.is_awaiting_answer() {
            self.queued_input.extend(rest);
        } else if is_refused && rest.count() > 0 {
            self.error = Some("keys typed after this field were ignored: correct this field first".into());
        } else {
            return false;
        }
        true
    }

    /// Moves to the next focus if the field is valid. `takes`: the key accepts an offered amount.
    fn forward(&mut self, model: &Model, takes: bool) {
        self.highlighted = None;
        self.focus = match self.focus {
            Focus::Field(index) => {
                if !self.settle(model, index, takes) {
                    return;
                }
                match self.operation {
                    _ if index + 1 < self.fields.len() => Focus::Field(index + 1),
                    Operation::Batch => Focus::Rows,
                    _ => Focus::Review,
                }
            }
            Focus::Rows => Focus::Review,
            Focus::Review | Focus::Clear => Focus::Clear,
        };
    }

    fn back(&mut self) {
        self.highlighted = None;
        self.focus = match self.focus {
            Focus::Field(index) => Focus::Field(index.saturating_sub(1)),
            Focus::Review if self.operation == Operation::Batch => Focus::Rows,
            Focus::Rows | Focus::Review => Focus::Field(self.fields.len().saturating_sub(1)),
            Focus::Clear => Focus::Review,
        };
    }

    /// Checks a field; returns whether it is valid.
    fn settle(&mut self, model: &Model, index: usize, takes: bool) -> bool {
        let Some(slot) = self.fields.get(index).map(|field| field.slot) else { return true };
        if self.fields.get_mut(index).is_some_and(|field| field.suggest_amount(takes)) {
            return false;
        }
        let checked = kinds::check(model, self, slot);
        match checked {
            Ok(Some((text, take))) => self.apply_choice(slot, &text, take),
            Ok(None) => {}
            Err(words) => {
                if let Some(field) = self.fields.get_mut(index) {
                    field.error = Some(words);
                }
                return false;
            }
        }
        if let Some(field) = self.fields.get_mut(index) {
            field.error = None;
        }
        true
    }

    /// Checks every field and makes the draft; the cursor goes to the first field that is invalid.
    pub fn submit(&mut self, model: &Model) -> FormAction {
        for index in 0..self.fields.len() {
            if !self.settle(model, index, false) {
                self.focus = Focus::Field(index);
                return FormAction::Stay(Vec::new());
            }
        }
        match kinds::draft(model, self) {
            Ok((draft, sender)) => FormAction::Submit(Box::new(draft), sender.map(Box::new)),
            Err((stop, words)) => {
                self.focus = stop;
                self.highlighted = None;
                match stop {
                    Focus::Field(index) => {
                        if let Some(field) = self.fields.get_mut(index) {
                            field.error = Some(words);
                        }
                    }
                    Focus::Rows | Focus::Review | Focus::Clear => self.error = Some(words),
                }
                FormAction::Stay(Vec::new())
            }
        }
    }
}
