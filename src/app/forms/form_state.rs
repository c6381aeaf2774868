//! A form as it is filled in: its fields in order, where the cursor stands, and what is known to choose from.
//!
//! What is left forward is checked; going back is always allowed. What each operation asks for, and what is right,
//! stands in the file of the operation.

mod asking;
mod keys;
mod kinds;
pub mod view;

use super::batch::BatchRows;
use super::field::{self, Field, FieldId};
use super::follow_up::{self, FollowUp};
use super::lookups::{FeeLookup, FieldChoice, Picked, Selection, WalletHoldings, WalletMatches};
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
pub struct FormState {
    /// What it asks for in the end.
    pub operation: Operation,
    /// Its fields.
    pub fields: Vec<Field>,
    /// Where the cursor stands.
    pub at: Focus,
    /// Which of the offers below the field is highlighted.
    pub highlighted: Option<usize>,
    /// What was chosen, beyond the words in the fields.
    pub selection: Selection,
    /// Wallets that match what is typed.
    pub found: WalletMatches,
    /// What the chosen wallet holds.
    pub holdings: WalletHoldings,
    /// What payments of the chosen token cost.
    pub fee: FeeLookup,
    /// What a swap would give.
    pub swap: swap::LiveQuote,
    /// Why the last try to prepare it failed.
    pub told: Option<String>,
    /// Whether it was asked if the form is really to be emptied.
    pub asked: bool,
    /// Of wallets on several chains, how many are made.
    pub created_count: usize,
    /// The recipients of a batch.
    pub rows: BatchRows,
    /// Several lines that were pasted where one recipient is named: they may be meant as a batch.
    pub pasted: Option<String>,
    /// The payment of which this is the rest.
    pub follow_up: Option<FollowUp>,
    /// What was typed and pasted since a key that waits for an answer, that key first.
    pub(super) queued_input: Vec<QueuedInput>,
    /// What stood in the fields when it was opened, in their order; nothing for a field behind the last one.
    given: Vec<String>,
}

/// What comes behind a key that waits for an answer.
#[derive(Debug, Clone)]
pub(super) enum QueuedInput {
    /// A key.
    Key(Key),
    /// A paste.
    Paste(String),
}

/// Where the cursor stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Focus {
    /// In a field.
    Field(usize),
    /// In the list of recipients of a batch.
    Rows,
    /// On the button that leads to the review.
    Review,
    /// On the button that empties the form.
    Clear,
}

/// What comes of a key.
#[derive(Debug, PartialEq)]
pub enum FormAction {
    /// The form stays.
    Stay(Vec<Effect>),
    /// It is closed, and kept.
    Close,
    /// It is complete.
    Submit(Box<Draft>, Option<Box<Sender>>),
}

impl FormState {
    /// An empty form.
    pub fn new(operation: Operation) -> Self {
        Self {
            operation,
            fields: kinds::slots(operation).iter().map(|slot| Field::new(*slot)).collect(),
            at: Focus::Field(0),
            highlighted: None,
            selection: Selection::default(),
            found: WalletMatches::default(),
            holdings: WalletHoldings::default(),
            fee: FeeLookup::default(),
            swap: swap::LiveQuote::default(),
            told: None,
            asked: false,
            created_count: 0,
            rows: BatchRows::default(),
            pasted: None,
            follow_up: None,
            queued_input: Vec::new(),
            given: Vec::new(),
        }
    }

    /// Empties the form. What it is about was chosen before it was opened, and stays.
    fn empty(&mut self) {
        let about = std::mem::take(&mut self.selection);
        *self = Self::new(self.operation);
        if self.has_fixed_subject() {
            self.selection = about;
        }
    }

    /// Whether it is about something that was chosen before it was opened.
    pub fn has_fixed_subject(&self) -> bool {
        matches!(self.operation, Operation::SimulateDeposit | Operation::UpdateWallet | Operation::UpdateUser)
    }

    /// Whether nothing was typed or chosen.
    pub fn is_empty(&self) -> bool {
        let is_untyped = self.fields.iter().all(|field| field.value().is_empty());
        is_untyped && self.rows.count() == 0 && !self.rows.is_check_pending()
    }

    /// What stands in the fields now was given, not typed.
    pub(super) fn set_initial_values(&mut self) {
        self.given = self.fields.iter().map(|field| field.value().to_owned()).collect();
    }

    /// The form, with what stands in its fields as given.
    pub(super) fn with_initial_values(mut self) -> Self {
        self.set_initial_values();
        self
    }

    /// Whether anything was typed or chosen beyond what the form was opened with: what the same key would not make anew.
    pub fn has_user_input(&self) -> bool {
        let given = |at: usize| self.given.get(at).map_or("", String::as_str);
        let is_typed = self.fields.iter().enumerate().any(|(at, field)| field.value() != given(at));
        !self.is_empty() && (is_typed || self.rows.count() > 0 || self.rows.is_check_pending())
    }

    /// What is typed into a field; nothing where the form has no such field.
    pub fn value(&self, slot: FieldId) -> &str {
        self.fields.iter().find(|field| field.slot == slot).map_or("", Field::value)
    }

    /// Whether the form has such a field.
    pub fn has_field(&self, slot: FieldId) -> bool {
        self.fields.iter().any(|field| field.slot == slot)
    }

    /// A field.
    pub fn field_mut(&mut self, slot: FieldId) -> Option<&mut Field> {
        self.fields.iter_mut().find(|field| field.slot == slot)
    }

    /// The field that has the cursor.
    pub fn focused_field(&self) -> Option<FieldId> {
        match self.at {
            Focus::Field(index) => self.fields.get(index).map(|field| field.slot),
            Focus::Rows | Focus::Review | Focus::Clear => None,
        }
    }

    /// Puts the cursor into a field.
    pub fn go_to(&mut self, slot: FieldId) {
        self.at = self.field_focus(slot);
        self.highlighted = None;
    }

    /// Where a field stands; where the cursor is, for one that the form does not have.
    pub fn field_focus(&self, slot: FieldId) -> Focus {
        self.fields.iter().position(|field| field.slot == slot).map_or(self.at, Focus::Field)
    }

    /// What may be chosen where the cursor stands.
    pub fn choices(&self, model: &Model) -> Vec<FieldChoice> {
        match (self.focused_field().filter(|slot| !follow_up::is_fixed(self, *slot)), &self.pasted) {
            (None, _) => Vec::new(),
            (Some(FieldId::Recipient), Some(pasted)) => vec![FieldChoice {
                text: String::new(),
                name: format!("{} lines", field::lines(pasted)),
                detail: "Enter makes a batch of them, Esc discards them".into(),
                take: Picked::Batch,
            }],
            (Some(slot), _) => kinds::choices(model, self, slot),
        }
    }

    /// What is said of a field while nothing is wrong with it.
    pub fn hint(&self, model: &Model, slot: FieldId) -> Option<(String, Tone)> {
        if self.is_awaiting_answer() && self.focused_field() == Some(slot) {
            return Some(("looking up; what you type meanwhile is kept".into(), Tone::Dim));
        }
        kinds::hint(model, self, slot)
    }

    /// Whether a key waits for an answer: what is typed behind it goes where it would have gone after that.
    pub fn is_awaiting_answer(&self) -> bool {
        !self.queued_input.is_empty()
    }

    /// Whether what may be chosen where the cursor stands is still being looked up, so that no key can choose of it.
    fn is_looked_up(&self) -> bool {
        let picked = &self.selection;
        match self.focused_field() {
            Some(FieldId::Wallet) => {
                picked.wallet.is_none() && self.found.filter.as_deref() != Some(self.value(FieldId::Wallet))
            }
            Some(FieldId::Token) => {
                let of = picked.wallet.as_ref().filter(|_| picked.token.is_none() && self.has_field(FieldId::Wallet));
                of.is_some_and(|wallet| self.holdings.of.as_ref() != Some(&wallet.id))
            }
            _ => false,
        }
    }

    /// What is not promised of what is asked for, if that is less than elsewhere.
    pub fn caveat(&self) -> Option<&'static str> {
        if self.operation == Operation::Payment { Some(orders::V1_WARNING) } else { swap::disclaimer(self.operation) }
    }

    /// Takes what was chosen or found for a field.
    pub fn take(&mut self, slot: FieldId, text: &str, take: Picked) {
        if let Some(field) = self.field_mut(slot)
            && field.input.value() != text
        {
            field.set(text);
        }
        match take {
            Picked::Wallet(wallet) => {
                if self.selection.wallet.as_ref().is_some_and(|before| before.id != wallet.id) {
                    self.forget_token();
                }
                self.selection.wallet = Some(*wallet);
            }
            Picked::Token(token) => self.selection.token = Some(token),
            Picked::Account(account) => self.selection.account = Some(*account),
            Picked::TextOnly => {}
            Picked::Batch => self.become_batch(),
        }
        self.highlighted = None;
    }

    /// A payment to one recipient becomes one to those that were pasted.
    fn become_batch(&mut self) {
        let lines = self.pasted.take();
        let (picked, held, found, fee) = (&self.selection, &self.holdings, &self.found, &self.fee);
        let mut batch = Self {
            selection: picked.clone(),
            holdings: held.clone(),
            found: found.clone(),
            fee: fee.clone(),
            at: Focus::Rows,
            ..Self::new(Operation::Batch)
        };
        for slot in [FieldId::Wallet, FieldId::Token, FieldId::Note] {
            if let Some(field) = batch.field_mut(slot) {
                field.set(self.value(slot));
            }
        }
        batch.rows.more = lines.map(super::batch::RowSource::Lines);
        if batch.selection.token.is_none() {
            batch.go_to(if batch.selection.wallet.is_none() { FieldId::Wallet } else { FieldId::Token });
        }
        *self = batch;
    }

    /// Another wallet pays: its token is another, too.
    fn forget_token(&mut self) {
        self.selection.token = None;
        self.holdings.of = None;
        self.holdings.rows.clear();
        if let Some(field) = self.field_mut(FieldId::Token) {
            field.set("");
        }
    }

    /// A field says something else than what was chosen for it.
    fn unpick(&mut self, slot: FieldId) {
        self.highlighted = None;
        self.pasted = None;
        self.told = None;
        match slot {
            // A token that was named before any wallet is not one of another wallet.
            FieldId::Wallet if self.selection.wallet.take().is_some() => self.forget_token(),
            FieldId::Token => self.selection.token = None,
            FieldId::Account => self.selection.account = None,
            FieldId::Chain => self.created_count = 0,
            _ => {}
        }
    }
}
