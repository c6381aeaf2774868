//! A form as it is filled in: its fields in order, where the cursor stands, and what is known to choose from.
//!
//! What is left forward is checked; going back is always allowed. What each operation asks for, and what is right,
//! stands in the file of the operation.

mod asking;
pub mod view;

use super::field::{Field, Slot};
use super::follow::{self, Follows};
use super::supply::{Choice, Cost, Found, Held, Picked, Take};
use super::{change, create, deposit_address, simulated, withdraw};
use crate::app::key::{Key, KeyCode};
use crate::app::model::Model;
use crate::app::msg::{Effect, Turn};
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
    /// Why the last try to prepare it failed.
    pub told: Option<String>,
    /// Whether it was asked if the form is really to be emptied.
    pub asked: bool,
    /// Of wallets on several chains, how many are made.
    pub done: usize,
    /// The payment of which this is the rest.
    pub follows: Option<Follows>,
}

/// Where the cursor stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// In a field.
    Field(usize),
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
            fields: slots(operation).iter().map(|slot| Field::new(*slot)).collect(),
            at: Stop::Field(0),
            choice: None,
            picked: Picked::default(),
            found: Found::default(),
            held: Held::default(),
            fee: Cost::default(),
            told: None,
            asked: false,
            done: 0,
            follows: None,
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
        self.fields.iter().all(|field| field.value().is_empty())
    }

    /// What is typed into a field; nothing where the form has no such field.
    pub fn value(&self, slot: Slot) -> &str {
        self.fields.iter().find(|field| field.slot == slot).map_or("", Field::value)
    }

    /// A field.
    pub fn field_mut(&mut self, slot: Slot) -> Option<&mut Field> {
        self.fields.iter_mut().find(|field| field.slot == slot)
    }

    /// The field that has the cursor.
    pub fn focus(&self) -> Option<Slot> {
        match self.at {
            Stop::Field(index) => self.fields.get(index).map(|field| field.slot),
            Stop::Review | Stop::Anew => None,
        }
    }

    /// Puts the cursor into a field.
    pub fn go_to(&mut self, slot: Slot) {
        if let Some(index) = self.fields.iter().position(|field| field.slot == slot) {
            self.at = Stop::Field(index);
            self.choice = None;
        }
    }

    /// What may be chosen where the cursor stands.
    pub fn choices(&self, model: &Model) -> Vec<Choice> {
        let Some(slot) = self.focus().filter(|slot| !follow::is_settled(self, *slot)) else { return Vec::new() };
        match self.operation {
            Operation::Withdraw | Operation::Payment => withdraw::choices(model, self, slot),
            Operation::SimulateDeposit => simulated::choices(model, self, slot),
            Operation::CreateAddress | Operation::CreateSandboxAddress => deposit_address::choices(model, self, slot),
            _ => create::choices(model, self, slot),
        }
    }

    /// What is said of a field while nothing is wrong with it.
    pub fn hint(&self, model: &Model, slot: Slot) -> Option<(String, Tone)> {
        match self.operation {
            Operation::Withdraw | Operation::Payment => withdraw::hint(model, self, slot),
            Operation::SimulateDeposit => simulated::hint(model, self, slot),
            Operation::CreateAddress | Operation::CreateSandboxAddress => deposit_address::hint(self, slot),
            Operation::UpdateWallet | Operation::UpdateUser => change::hint(model, self, slot),
            _ => create::hint(self, slot),
        }
    }

    /// What is not promised of what is asked for, if that is less than elsewhere.
    pub fn reservation(&self) -> Option<&'static str> {
        (self.operation == Operation::Payment).then_some(orders::WEAKER)
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
        }
        self.choice = None;
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
        self.told = None;
        match slot {
            Slot::Wallet => {
                self.picked.wallet = None;
                self.forget_token();
            }
            Slot::Token => self.picked.token = None,
            Slot::Account => self.picked.account = None,
            Slot::Chain => self.done = 0,
            _ => {}
        }
    }

    /// A key.
    pub fn key(&mut self, model: &Model, turn: &mut Turn, key: Key) -> Step {
        let choices = self.choices(model);
        // Whoever does anything else than to say it once more does not want it.
        self.asked &= key.code == KeyCode::Enter;
        match key.code {
            KeyCode::Esc if self.choice.is_some() => self.choice = None,
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
        Step::Stay(self.ask(turn))
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
        let Stop::Field(index) = self.at else { return Err("a paste goes into a field".into()) };
        if self.focus().is_some_and(|slot| follow::is_settled(self, slot)) {
            return Err(follow::SETTLED.into());
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
                if index + 1 < self.fields.len() { Stop::Field(index + 1) } else { Stop::Review }
            }
            Stop::Review | Stop::Anew => Stop::Anew,
        };
    }

    fn back(&mut self) {
        self.choice = None;
        self.at = match self.at {
            Stop::Field(index) => Stop::Field(index.saturating_sub(1)),
            Stop::Review => Stop::Field(self.fields.len().saturating_sub(1)),
            Stop::Anew => Stop::Review,
        };
    }

    /// Checks a field; says whether it is right.
    fn settle(&mut self, model: &Model, index: usize) -> bool {
        let Some(slot) = self.fields.get(index).map(|field| field.slot) else { return true };
        let checked = match self.operation {
            Operation::Withdraw | Operation::Payment => withdraw::check(model, self, slot),
            Operation::SimulateDeposit => simulated::check(model, self, slot),
            Operation::CreateAddress | Operation::CreateSandboxAddress => deposit_address::check(model, self, slot),
            _ => create::check(model, self, slot),
        };
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
        let drafted = match self.operation {
            Operation::Withdraw | Operation::Payment => {
                withdraw::draft(model, self).map(|(draft, sender)| (draft, Some(sender)))
            }
            Operation::CreateUser => create::person(self).map(|user| (Draft::CreateUser(user), None)),
            Operation::CreateAccount => create::new_account(self).map(|draft| (draft, None)),
            Operation::CreateWallet => create::new_wallet(model, self).map(|draft| (draft, None)),
            Operation::UpdateWallet | Operation::UpdateUser => change::draft(self).map(|draft| (draft, None)),
            Operation::CreateSubWallet => create::sub_wallet(self).map(|draft| (draft, None)),
            Operation::CreateAddress | Operation::CreateSandboxAddress => {
                deposit_address::draft(self).map(|draft| (draft, None))
            }
            Operation::SimulateDeposit => simulated::draft(model, self).map(|draft| (draft, None)),
        };
        match drafted {
            Ok((draft, sender)) => Step::Submit(Box::new(draft), sender.map(Box::new)),
            Err((slot, words)) => {
                self.go_to(slot);
                if let Some(field) = self.field_mut(slot) {
                    field.error = Some(words);
                }
                Step::Stay(Vec::new())
            }
        }
    }
}

/// The fields of an operation.
fn slots(operation: Operation) -> &'static [Slot] {
    match operation {
        Operation::Withdraw => &[Slot::Wallet, Slot::Token, Slot::Recipient, Slot::Amount, Slot::Note],
        Operation::Payment => &[Slot::Wallet, Slot::Token, Slot::Recipient, Slot::Memo, Slot::Amount, Slot::Fee],
        Operation::CreateUser | Operation::UpdateUser => &[Slot::Name, Slot::Email, Slot::Reference],
        Operation::CreateAccount => &[Slot::Name],
        Operation::SimulateDeposit => &[Slot::Token, Slot::Amount],
        Operation::UpdateWallet => &[Slot::Name, Slot::Owner, Slot::Use, Slot::Sweep],
        Operation::CreateSubWallet => &[Slot::Name, Slot::Email, Slot::Reference, Slot::Trade],
        Operation::CreateAddress => &[Slot::Owner, Slot::Token, Slot::Chain],
        Operation::CreateSandboxAddress => &[Slot::Token, Slot::Chain],
        Operation::CreateWallet => &[Slot::Account, Slot::Chain, Slot::Name, Slot::Owner, Slot::Reference, Slot::Sweep],
    }
}
