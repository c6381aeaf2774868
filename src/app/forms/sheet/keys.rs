//! Keys and pastes while a form is filled in, and what is checked when a field is left.

use super::{Sheet, Step, Stop, kinds};
use crate::app::forms::field::{self, Slot};
use crate::app::forms::{batch, follow};
use crate::app::key::{Key, KeyCode};
use crate::app::model::Model;
use crate::app::msg::{Effect, Turn};
use crate::domain::draft::Operation;

impl Sheet {
    /// A key.
    pub fn key(&mut self, model: &Model, turn: &mut Turn, key: Key) -> Step {
        let step = self.keyed(model, key);
        if let Step::Stay(mut effects) = step {
            if self.operation == Operation::Batch {
                batch::settle(model, self);
            }
            effects.extend(self.ask(turn));
            return Step::Stay(effects);
        }
        step
    }

    fn keyed(&mut self, model: &Model, key: Key) -> Step {
        if self.at == Stop::Rows
            && let Some(followed) = self.rows.key(key)
        {
            self.told = followed.err();
            return Step::Stay(Vec::new());
        }
        let choices = self.choices(model);
        // Whoever does anything else than to say it once more does not want it.
        self.asked &= key.code == KeyCode::Enter;
        match key.code {
            KeyCode::Esc if self.choice.is_some() => (self.choice, self.pasted) = (None, None),
            KeyCode::Esc => return Step::Close,
            KeyCode::BackTab => self.back(),
            KeyCode::Up => match self.choice {
                Some(index) => self.choice = index.checked_sub(1),
                None => self.back(),
            },
            KeyCode::Down if !choices.is_empty() => {
                let next = self.choice.map_or(0, |index| index + 1);
                self.choice = Some(next.min(choices.len() - 1));
            }
            KeyCode::Left if self.at == Stop::Anew => self.at = Stop::Review,
            KeyCode::Right if self.at == Stop::Review => self.at = Stop::Anew,
            KeyCode::Enter if self.at == Stop::Review => return self.submit(model),
            KeyCode::Enter if self.at == Stop::Anew && !self.is_empty() && !self.asked => {
                self.asked = true;
                return Step::Stay(Vec::new());
            }
            KeyCode::Enter if self.at == Stop::Anew => self.empty(),
            KeyCode::Enter | KeyCode::Tab | KeyCode::Down => {
                let typed = self.focus().is_some_and(|slot| !self.value(slot).is_empty());
                // One offer that is left needs no choosing; but nobody is paid by the beginning of an address.
                let only = (choices.len() == 1 && typed && self.focus() != Some(Slot::Recipient)).then_some(0);
                let chosen = self.choice.or(only).and_then(|index| choices.into_iter().nth(index));
                if let (Some(slot), Some(choice)) = (self.focus(), chosen) {
                    self.take(slot, &choice.text, choice.take);
                }
                self.forward(model);
            }
            _ => self.typed(key),
        }
        Step::Stay(Vec::new())
    }

    fn typed(&mut self, key: Key) {
        let Stop::Field(index) = self.at else { return };
        let Some(slot) = self.fields.get(index).map(|field| field.slot) else { return };
        let is_settled = follow::is_settled(self, slot);
        let Some(field) = self.fields.get_mut(index) else { return };
        if is_settled {
            field.error = Some(follow::SETTLED.into());
        } else if field.key(key) == Some(true) {
            self.unpick(slot);
        }
    }

    /// A paste.
    pub fn paste(&mut self, turn: &mut Turn, text: &str) -> Result<Vec<Effect>, String> {
        let index = match self.at {
            Stop::Field(index) => index,
            Stop::Rows => {
                self.rows.paste(text)?;
                return Ok(self.ask(turn));
            }
            Stop::Review | Stop::Anew => return Err("a paste goes into a field".into()),
        };
        if self.focus().is_some_and(|slot| follow::is_settled(self, slot)) {
            return Err(follow::SETTLED.into());
        }
        let several = field::lines(text) > 1;
        match (self.operation, self.focus()) {
            (Operation::Withdraw, Some(Slot::Recipient)) if several => {
                (self.pasted, self.choice) = (Some(text.to_owned()), Some(0));
                return Ok(Vec::new());
            }
            (Operation::Batch, Some(Slot::File | Slot::Note)) if several => {
                self.rows.paste(text)?;
                self.at = Stop::Rows;
                return Ok(self.ask(turn));
            }
            _ => {}
        }
        if let Some(field) = self.fields.get_mut(index) {
            let slot = field.slot;
            field.paste(text)?;
            self.unpick(slot);
        }
        Ok(self.ask(turn))
    }

    /// To the next stop, if what is left is right.
    fn forward(&mut self, model: &Model) {
        self.choice = None;
        self.at = match self.at {
            Stop::Field(index) => {
                if !self.settle(model, index) {
                    return;
                }
                match self.operation {
                    _ if index + 1 < self.fields.len() => Stop::Field(index + 1),
                    Operation::Batch => Stop::Rows,
                    _ => Stop::Review,
                }
            }
            Stop::Rows => Stop::Review,
            Stop::Review | Stop::Anew => Stop::Anew,
        };
    }

    fn back(&mut self) {
        self.choice = None;
        self.at = match self.at {
            Stop::Field(index) => Stop::Field(index.saturating_sub(1)),
            Stop::Review if self.operation == Operation::Batch => Stop::Rows,
            Stop::Rows | Stop::Review => Stop::Field(self.fields.len().saturating_sub(1)),
            Stop::Anew => Stop::Review,
        };
    }

    /// Checks a field; says whether it is right.
    fn settle(&mut self, model: &Model, index: usize) -> bool {
        let Some(slot) = self.fields.get(index).map(|field| field.slot) else { return true };
        let checked = kinds::check(model, self, slot);
        match checked {
            Ok(Some((text, take))) => self.take(slot, &text, take),
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

    /// Checks every field, and makes a draft of them if all are right; else the cursor goes to the first that is not.
    pub fn submit(&mut self, model: &Model) -> Step {
        for index in 0..self.fields.len() {
            if !self.settle(model, index) {
                self.at = Stop::Field(index);
                return Step::Stay(Vec::new());
            }
        }
        match kinds::draft(model, self) {
            Ok((draft, sender)) => Step::Submit(Box::new(draft), sender.map(Box::new)),
            Err((stop, words)) => {
                self.at = stop;
                self.choice = None;
                match stop {
                    Stop::Field(index) => {
                        if let Some(field) = self.fields.get_mut(index) {
                            field.error = Some(words);
                        }
                    }
                    Stop::Rows | Stop::Review | Stop::Anew => self.told = Some(words),
                }
                Step::Stay(Vec::new())
            }
        }
    }
}
