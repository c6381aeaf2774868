//! Keys and pastes while a form is filled in, and what is checked when a field is left.

use super::{Ahead, Sheet, Step, Stop, kinds};
use crate::app::forms::field::{self, Slot};
use crate::app::forms::{batch, follow};
use crate::app::key::{Key, KeyCode};
use crate::app::model::Model;
use crate::app::msg::{Effect, Turn};
use crate::domain::address;
use crate::domain::draft::Operation;

impl Sheet {
    /// A key.
    pub fn key(&mut self, model: &Model, turn: &mut Turn, key: Key) -> Step {
        if key.code == KeyCode::Esc {
            self.ahead.clear();
        }
        if self.waits() {
            self.ahead.push(Ahead::Key(key));
            return Step::Stay(Vec::new());
        }
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
        if matches!(key.code, KeyCode::Enter | KeyCode::Tab | KeyCode::Down) && self.is_looked_up() {
            self.ahead.push(Ahead::Key(key));
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
                // One offer that is left needs no choosing; but nobody is paid by the beginning of an address, and what
                // may be left empty is not filled in.
                let is_meant = |slot| match slot {
                    Slot::Recipient => false,
                    Slot::Wallet | Slot::Token | Slot::Account | Slot::Bought => true,
                    slot => !self.value(slot).is_empty(),
                };
                let only = (choices.len() == 1 && self.focus().is_some_and(is_meant)).then_some(0);
                let chosen = self.choice.or(only).and_then(|index| choices.into_iter().nth(index));
                if let (Some(slot), Some(choice)) = (self.focus(), chosen) {
                    self.take(slot, &choice.text, choice.take);
                }
                self.forward(model, key.code == KeyCode::Enter);
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
        if self.waits() {
            self.ahead.push(Ahead::Paste(text.to_owned()));
            return Ok(Vec::new());
        }
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
        let several = field::lines(text) > 1 && address::joined(text).is_none();
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

    /// What was typed behind a key that waited, to be done now.
    pub(in crate::app::forms) fn take_ahead(&mut self) -> Vec<Ahead> {
        std::mem::take(&mut self.ahead)
    }

    /// What is left of that waits on, behind a key that waits again; behind one that was refused nothing is done, for it
    /// would land in another place than it was meant for.
    pub(in crate::app::forms) fn put_off(&mut self, rest: impl Iterator<Item = Ahead>) -> bool {
        let is_refused = match self.at {
            Stop::Field(index) => self.fields.get(index).is_some_and(|field| field.error.is_some()),
            Stop::Rows | Stop::Review | Stop::Anew => false,
        };
        if self.waits() {
            self.ahead.extend(rest);
        } else if is_refused && rest.count() > 0 {
            self.told = Some("what was typed behind it was not taken: put this right first".into());
        } else {
            return false;
        }
        true
    }

    /// To the next stop, if what is left is right. A key that takes what is offered takes an amount as it was read.
    fn forward(&mut self, model: &Model, takes: bool) {
        self.choice = None;
        self.at = match self.at {
            Stop::Field(index) => {
                if !self.settle(model, index, takes) {
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
    fn settle(&mut self, model: &Model, index: usize, takes: bool) -> bool {
        let Some(slot) = self.fields.get(index).map(|field| field.slot) else { return true };
        if self.fields.get_mut(index).is_some_and(|field| field.offers_reading(takes)) {
            return false;
        }
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
            if !self.settle(model, index, false) {
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
