//! A form as it is filled in: its fields in order, where the cursor stands, and what is known to choose from.
//!
//! What is left forward is checked; going back is always allowed. What each operation asks for, and what is right,
//! stands in the file of the operation.

mod asking;
mod keys;
mod kinds;
pub mod view;

use super::batch::Rows;
use super::field::{self, Field, Slot};
use super::follow::{self, Follows};
use super::supply::{Choice, Cost, Found, Held, Picked, Take};
use super::swap;
use crate::app::key::Key;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::orders;
use crate::app::panes::Tone;
use crate::domain::draft::Operation;
use crate::domain::{Draft, Sender};

/// A form that is filled in.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// What it asks for in the end.
    pub operation: Operation,
    /// Its fields.
    pub fields: Vec<Field>,
    /// Where the cursor stands.
    pub at: Stop,
    /// Which of the offers below the field is highlighted.
    pub choice: Option<usize>,
    /// What was chosen, beyond the words in the fields.
    pub picked: Picked,
    /// Wallets that match what is typed.
    pub found: Found,
    /// What the chosen wallet holds.
    pub held: Held,
    /// What payments of the chosen token cost.
    pub fee: Cost,
    /// What a swap would give.
    pub swap: swap::Quoting,
    /// Why the last try to prepare it failed.
    pub told: Option<String>,
    /// Whether it was asked if the form is really to be emptied.
    pub asked: bool,
    /// Of wallets on several chains, how many are made.
    pub done: usize,
    /// The recipients of a batch.
    pub rows: Rows,
    /// Several lines that were pasted where one recipient is named: they may be meant as a batch.
    pub pasted: Option<String>,
    /// The payment of which this is the rest.
    pub follows: Option<Follows>,
    /// What was typed and pasted since a key that waits for an answer, that key first.
    pub(super) ahead: Vec<Ahead>,
    /// What stood in the fields when it was opened, in their order; nothing for a field behind the last one.
    given: Vec<String>,
}

/// What comes behind a key that waits for an answer.
#[derive(Debug, Clone)]
pub(super) enum Ahead {
    /// A key.
    Key(Key),
    /// A paste.
    Paste(String),
}

/// Where the cursor stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// In a field.
    Field(usize),
    /// In the list of recipients of a batch.
    Rows,
    /// On the button that leads to the review.
    Review,
    /// On the button that empties the form.
    Anew,
}

/// What comes of a key.
#[derive(Debug, PartialEq)]
pub enum Step {
    /// The form stays.
    Stay(Vec<Effect>),
    /// It is closed, and kept.
    Close,
    /// It is complete.
    Submit(Box<Draft>, Option<Box<Sender>>),
}

impl Sheet {
    /// An empty form.
    pub fn new(operation: Operation) -> Self {
        Self {
            operation,
            fields: kinds::slots(operation).iter().map(|slot| Field::new(*slot)).collect(),
            at: Stop::Field(0),
            choice: None,
            picked: Picked::default(),
            found: Found::default(),
            held: Held::default(),
            fee: Cost::default(),
            swap: swap::Quoting::default(),
            told: None,
            asked: false,
            done: 0,
            rows: Rows::default(),
            pasted: None,
            follows: None,
            ahead: Vec::new(),
            given: Vec::new(),
        }
    }

    /// Empties the form. What it is about was chosen before it was opened, and stays.
    fn empty(&mut self) {
        let about = std::mem::take(&mut self.picked);
        *self = Self::new(self.operation);
        if self.is_about_something() {
            self.picked = about;
        }
    }

    /// Whether it is about something that was chosen before it was opened.
    pub fn is_about_something(&self) -> bool {
        matches!(self.operation, Operation::SimulateDeposit | Operation::UpdateWallet | Operation::UpdateUser)
    }

    /// Whether nothing was typed or chosen.
    pub fn is_empty(&self) -> bool {
        let is_untyped = self.fields.iter().all(|field| field.value().is_empty());
        is_untyped && self.rows.count() == 0 && !self.rows.is_asked()
    }

    /// What stands in the fields now was given, not typed.
    pub(super) fn set_given(&mut self) {
        self.given = self.fields.iter().map(|field| field.value().to_owned()).collect();
    }

    /// The form, with what stands in its fields as given.
    pub(super) fn into_given(mut self) -> Self {
        self.set_given();
        self
    }

    /// Whether anything was typed or chosen beyond what the form was opened with: what the same key would not make anew.
    pub fn holds_more_than_given(&self) -> bool {
        let given = |at: usize| self.given.get(at).map_or("", String::as_str);
        let is_typed = self.fields.iter().enumerate().any(|(at, field)| field.value() != given(at));
        !self.is_empty() && (is_typed || self.rows.count() > 0 || self.rows.is_asked())
    }

    /// What is typed into a field; nothing where the form has no such field.
    pub fn value(&self, slot: Slot) -> &str {
        self.fields.iter().find(|field| field.slot == slot).map_or("", Field::value)
    }

    /// Whether the form has such a field.
    pub fn has(&self, slot: Slot) -> bool {
        self.fields.iter().any(|field| field.slot == slot)
    }

    /// A field.
    pub fn field_mut(&mut self, slot: Slot) -> Option<&mut Field> {
        self.fields.iter_mut().find(|field| field.slot == slot)
    }

    /// The field that has the cursor.
    pub fn focus(&self) -> Option<Slot> {
        match self.at {
            Stop::Field(index) => self.fields.get(index).map(|field| field.slot),
            Stop::Rows | Stop::Review | Stop::Anew => None,
        }
    }

    /// Puts the cursor into a field.
    pub fn go_to(&mut self, slot: Slot) {
        self.at = self.stop(slot);
        self.choice = None;
    }

    /// Where a field stands; where the cursor is, for one that the form does not have.
    pub fn stop(&self, slot: Slot) -> Stop {
        self.fields.iter().position(|field| field.slot == slot).map_or(self.at, Stop::Field)
    }

    /// What may be chosen where the cursor stands.
    pub fn choices(&self, model: &Model) -> Vec<Choice> {
        match (self.focus().filter(|slot| !follow::is_settled(self, *slot)), &self.pasted) {
            (None, _) => Vec::new(),
            (Some(Slot::Recipient), Some(pasted)) => vec![Choice {
                text: String::new(),
                name: format!("{} lines", field::lines(pasted)),
                about: "Enter makes a batch of them, Esc leaves them".into(),
                take: Take::Batch,
            }],
            (Some(slot), _) => kinds::choices(model, self, slot),
        }
    }

    /// What is said of a field while nothing is wrong with it.
    pub fn hint(&self, model: &Model, slot: Slot) -> Option<(String, Tone)> {
        if self.waits() && self.focus() == Some(slot) {
            return Some(("it is being looked up; what is typed meanwhile is kept".into(), Tone::Dim));
        }
        kinds::hint(model, self, slot)
    }

    /// Whether a key waits for an answer: what is typed behind it goes where it would have gone after that.
    pub fn waits(&self) -> bool {
        !self.ahead.is_empty()
    }

    /// Whether what may be chosen where the cursor stands is still being looked up, so that no key can choose of it.
    fn is_looked_up(&self) -> bool {
        let picked = &self.picked;
        match self.focus() {
            Some(Slot::Wallet) => {
                picked.wallet.is_none() && self.found.filter.as_deref() != Some(self.value(Slot::Wallet))
            }
            Some(Slot::Token) => {
                let of = picked.wallet.as_ref().filter(|_| picked.token.is_none() && self.has(Slot::Wallet));
                of.is_some_and(|wallet| self.held.of.as_ref() != Some(&wallet.id))
            }
            _ => false,
        }
    }

    /// What is not promised of what is asked for, if that is less than elsewhere.
    pub fn reservation(&self) -> Option<&'static str> {
        if self.operation == Operation::Payment { Some(orders::WEAKER) } else { swap::promise(self.operation) }
    }

    /// Takes what was chosen or found for a field.
    pub fn take(&mut self, slot: Slot, text: &str, take: Take) {
        if let Some(field) = self.field_mut(slot)
            && field.input.value() != text
        {
            field.set(text);
        }
        match take {
            Take::Wallet(wallet) => {
                if self.picked.wallet.as_ref().is_some_and(|before| before.id != wallet.id) {
                    self.forget_token();
                }
                self.picked.wallet = Some(*wallet);
            }
            Take::Token(token) => self.picked.token = Some(token),
            Take::Account(account) => self.picked.account = Some(*account),
            Take::Words => {}
            Take::Batch => self.become_batch(),
        }
        self.choice = None;
    }

    /// A payment to one recipient becomes one to those that were pasted.
    fn become_batch(&mut self) {
        let lines = self.pasted.take();
        let (picked, held, found, fee) = (&self.picked, &self.held, &self.found, &self.fee);
        let mut batch = Self {
            picked: picked.clone(),
            held: held.clone(),
            found: found.clone(),
            fee: fee.clone(),
            at: Stop::Rows,
            ..Self::new(Operation::Batch)
        };
        for slot in [Slot::Wallet, Slot::Token, Slot::Note] {
            if let Some(field) = batch.field_mut(slot) {
                field.set(self.value(slot));
            }
        }
        batch.rows.more = lines.map(super::batch::More::Lines);
        if batch.picked.token.is_none() {
            batch.go_to(if batch.picked.wallet.is_none() { Slot::Wallet } else { Slot::Token });
        }
        *self = batch;
    }

    /// Another wallet pays: its token is another, too.
    fn forget_token(&mut self) {
        self.picked.token = None;
        self.held.of = None;
        self.held.rows.clear();
        if let Some(field) = self.field_mut(Slot::Token) {
            field.set("");
        }
    }

    /// A field says something else than what was chosen for it.
    fn unpick(&mut self, slot: Slot) {
        self.choice = None;
        self.pasted = None;
        self.told = None;
        match slot {
            // A token that was named before any wallet is not one of another wallet.
            Slot::Wallet if self.picked.wallet.take().is_some() => self.forget_token(),
            Slot::Token => self.picked.token = None,
            Slot::Account => self.picked.account = None,
            Slot::Chain => self.done = 0,
            _ => {}
        }
    }
}
