//! The state of a form: its fields in order, the focus, and the look-ups to choose from.
//!
//! A field is checked when the cursor moves forward; moving back is always allowed. The fields and checks of each
//! operation are in the operation's own file.

mod choices;
mod keys;
mod operation_fields;
mod store_lookups;
pub mod view;

use crossterm::event::KeyEvent;

use super::batch::BatchRows;
use super::field::{Field, FieldId};
use super::follow_up::FollowUp;
use super::lookups::{FeeLookup, Picked, Selection, WalletHoldings, WalletMatches};
use super::swap::live_quote::LiveQuote;
use crate::app::msg::Effect;
use crate::domain::draft::Operation;
use crate::domain::template::TemplateUse;
use crate::domain::{Draft, Sender};

#[derive(Debug, Clone)]
pub struct FormState {
    pub operation: Operation,
    pub fields: Vec<Field>,
    pub focus: Focus,
    pub highlighted_index: Option<usize>,
    /// The choices made, beyond the text in the fields.
    pub selection: Selection,
    pub wallet_matches: WalletMatches,
    pub holdings: WalletHoldings,
    pub fee_lookup: FeeLookup,
    /// The quote of a swap.
    pub live_quote: LiveQuote,
    /// Why the last attempt to prepare the order failed.
    pub error: Option<String>,
    /// Whether the help covers the form.
    pub shows_help: bool,
    /// Whether the next Enter on the button clears the form.
    pub is_clear_prompted: bool,
    /// Of wallets on several chains, the number created so far.
    pub created_count: usize,
    pub batch_rows: BatchRows,
    /// Several lines pasted into the recipient field: they may be meant as a batch.
    pub pasted_lines: Option<String>,
    /// The order that this payment follows.
    pub follow_up: Option<FollowUp>,
    /// The template that the form was filled in from.
    pub template: Option<TemplateUse>,
    /// Input since a key that waits for a look-up, that key first.
    pub(super) queued_input: Vec<QueuedInput>,
    /// Whether the key being handled was queued: it was pressed before the choices were on screen.
    pub(super) is_replayed: bool,
    /// The values that the form was opened with, in field order; none for a field behind the last one.
    initial_values: Vec<String>,
}

#[derive(Debug, Clone)]
pub(super) enum QueuedInput {
    Key(KeyEvent),
    Paste(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Focus {
    Field(usize),
    Rows,
    Review,
    Clear,
}

#[derive(Debug, PartialEq)]
pub enum FormAction {
    Stay(Vec<Effect>),
    /// The form is closed and becomes a draft.
    Close,
    Submit(Box<Draft>, Option<Box<Sender>>),
}

impl FormState {
    pub fn new(operation: Operation) -> Self {
        Self {
            operation,
            fields: FieldId::of_form(operation).into_iter().map(Field::new).collect(),
            focus: Focus::Field(0),
            highlighted_index: None,
            selection: Selection::default(),
            wallet_matches: WalletMatches::default(),
            holdings: WalletHoldings::default(),
            fee_lookup: FeeLookup::default(),
            live_quote: LiveQuote::default(),
            error: None,
            shows_help: false,
            is_clear_prompted: false,
            created_count: 0,
            batch_rows: BatchRows::default(),
            pasted_lines: None,
            follow_up: None,
            template: None,
            queued_input: Vec::new(),
            is_replayed: false,
            initial_values: Vec::new(),
        }
    }

    /// Clears the form. A subject that was chosen before the form was opened stays.
    fn clear(&mut self) {
        let about = std::mem::take(&mut self.selection);
        *self = Self::new(self.operation);
        if self.has_fixed_subject() {
            self.selection = about;
        }
    }

    /// Whether the form is about a wallet or user chosen before it was opened.
    pub fn has_fixed_subject(&self) -> bool {
        matches!(self.operation, Operation::SimulateDeposit | Operation::UpdateWallet | Operation::UpdateUser)
    }

    pub fn is_empty(&self) -> bool {
        let is_untyped = self.fields.iter().all(|field| field.value().is_empty());
        is_untyped && self.batch_rows.count() == 0 && !self.batch_rows.is_check_pending()
    }

    /// Records the current values as those that the form was opened with.
    pub(super) fn record_initial_values(&mut self) {
        self.initial_values = self.fields.iter().map(|field| field.value().to_owned()).collect();
    }

    pub(super) fn with_initial_values(mut self) -> Self {
        self.record_initial_values();
        self
    }

    /// Whether anything was entered beyond the initial values, which the same key would fill in again.
    pub fn has_user_input(&self) -> bool {
        let initial_value = |at: usize| self.initial_values.get(at).map_or("", String::as_str);
        let is_typed = self.fields.iter().enumerate().any(|(at, field)| field.value() != initial_value(at));
        !self.is_empty() && (is_typed || self.batch_rows.count() > 0 || self.batch_rows.is_check_pending())
    }

    /// The value of a field; empty where the form has no such field.
    pub fn value(&self, slot: FieldId) -> &str {
        self.fields.iter().find(|field| field.id == slot).map_or("", Field::value)
    }

    pub fn has_field(&self, slot: FieldId) -> bool {
        self.fields.iter().any(|field| field.id == slot)
    }

    pub fn field_mut(&mut self, slot: FieldId) -> Option<&mut Field> {
        self.fields.iter_mut().find(|field| field.id == slot)
    }

    pub fn focused_field(&self) -> Option<FieldId> {
        match self.focus {
            Focus::Field(index) => self.fields.get(index).map(|field| field.id),
            Focus::Rows | Focus::Review | Focus::Clear => None,
        }
    }

    pub fn move_focus_to(&mut self, slot: FieldId) {
        self.focus = self.field_focus(slot);
        self.highlighted_index = None;
    }

    /// The focus of a field; the current focus if the form has no such field.
    pub fn field_focus(&self, slot: FieldId) -> Focus {
        self.fields.iter().position(|field| field.id == slot).map_or(self.focus, Focus::Field)
    }

    /// Whether a key waits for a look-up: input after it is queued and replayed.
    pub fn is_awaiting_lookup(&self) -> bool {
        !self.queued_input.is_empty()
    }

    pub fn apply_choice(&mut self, slot: FieldId, text: &str, take: Picked) {
        if let Some(field) = self.field_mut(slot)
            && field.input.value() != text
        {
            field.set_value(text);
        }
        match take {
            Picked::Wallet(wallet) => {
                if self.selection.wallet.as_ref().is_some_and(|before| before.id != wallet.id) {
                    self.clear_token();
                }
                self.selection.wallet = Some(*wallet);
            }
            Picked::Token(token) => self.selection.token = Some(token),
            Picked::Account(account) => self.selection.account = Some(*account),
            Picked::TextOnly => {}
            Picked::Batch => self.convert_to_batch(),
        }
        self.highlighted_index = None;
    }

    /// Turns a payment to one recipient into a batch to the pasted recipients.
    fn convert_to_batch(&mut self) {
        let lines = self.pasted_lines.take();
        let (picked, wallet_holdings, matches, fee) =
            (&self.selection, &self.holdings, &self.wallet_matches, &self.fee_lookup);
        let mut batch = Self {
            selection: picked.clone(),
            holdings: wallet_holdings.clone(),
            wallet_matches: matches.clone(),
            fee_lookup: fee.clone(),
            focus: Focus::Rows,
            ..Self::new(Operation::Batch)
        };
        for slot in [FieldId::Wallet, FieldId::Token, FieldId::Note, FieldId::Reference] {
            if let Some(field) = batch.field_mut(slot) {
                field.set_value(self.value(slot));
            }
        }
        batch.batch_rows.unread_source = lines.map(super::batch::RowSource::Lines);
        if batch.selection.token.is_none() {
            batch.move_focus_to(if batch.selection.wallet.is_none() { FieldId::Wallet } else { FieldId::Token });
        }
        *self = batch;
    }

    /// Another wallet pays: its tokens are different ones.
    fn clear_token(&mut self) {
        self.selection.token = None;
        self.holdings.wallet = None;
        self.holdings.rows.clear();
        if let Some(field) = self.field_mut(FieldId::Token) {
            field.set_value("");
        }
    }

    /// The text of a field was edited, so that the choice made for it no longer applies.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other fields select nothing")]
    fn clear_choice(&mut self, slot: FieldId) {
        self.highlighted_index = None;
        self.pasted_lines = None;
        self.error = None;
        match slot {
            // A token typed before any wallet was chosen does not belong to another wallet.
            FieldId::Wallet if self.selection.wallet.take().is_some() => self.clear_token(),
            FieldId::Token => self.selection.token = None,
            FieldId::Account => self.selection.account = None,
            FieldId::Chain => self.created_count = 0,
            _ => {}
        }
    }
}
