//! One line of a form: its input, and its error.

pub mod view;

use crossterm::event::KeyEvent;
use tui_input::{Input, InputRequest};

use crate::app::input::input_line;
use crate::domain::draft::Operation;
use crate::domain::text::is_forbidden_in_text;
use crate::domain::{Text, address, amount};

pub const MAX_CHARS: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldId {
    Wallet,
    Token,
    Recipient,
    Amount,
    Note,
    Account,
    Chain,
    Name,
    Email,
    Owner,
    Reference,
    /// Whether native coins are swept.
    AutoSweep,
    /// Whether a wallet can pay.
    IsActive,
    CanTrade,
    File,
    /// The label of a batch's recipient.
    Label,
    BuyToken,
    /// The memo or tag of a version 1 payment.
    Memo,
    Fee,
}

impl FieldId {
    /// The fields of a form, from top to bottom.
    pub fn of_form(operation: Operation) -> &'static [Self] {
        match operation {
            Operation::Withdraw => {
                &[Self::Wallet, Self::Token, Self::Recipient, Self::Amount, Self::Note, Self::Reference]
            }
            Operation::CreateUser | Operation::UpdateUser => &[Self::Name, Self::Email, Self::Reference],
            Operation::CreateAccount => &[Self::Name],
            Operation::SimulateDeposit => &[Self::Token, Self::Amount],
            Operation::UpdateWallet => &[Self::Name, Self::Owner, Self::IsActive, Self::AutoSweep],
            Operation::CreateSubWallet => &[Self::Name, Self::Email, Self::Reference, Self::CanTrade],
            Operation::CreateAddress => &[Self::Owner, Self::Token, Self::Chain],
            Operation::CreateWallet => {
                &[Self::Account, Self::Chain, Self::Name, Self::Owner, Self::Reference, Self::AutoSweep]
            }
            Operation::Payment => {
                &[Self::Wallet, Self::Token, Self::Recipient, Self::Memo, Self::Amount, Self::Fee, Self::Reference]
            }
            Operation::CreateSandboxAddress => &[Self::Token, Self::Chain],
            Operation::Batch => &[Self::Wallet, Self::Token, Self::Note, Self::Reference, Self::File],
            Operation::Swap => &[Self::Wallet, Self::Token, Self::Amount, Self::BuyToken, Self::Note, Self::Reference],
            Operation::InstantSwap => &[Self::Wallet, Self::Token, Self::Amount, Self::BuyToken, Self::Reference],
        }
    }

    /// The longest value, in characters: a path may be longer than a value in a request.
    fn max_chars(self) -> usize {
        if self == Self::File { 20 * MAX_CHARS } else { MAX_CHARS }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Wallet => "From wallet",
            Self::Token => "Token",
            Self::Recipient => "Recipient",
            Self::Amount => "Amount",
            Self::Note => "Note",
            Self::Account => "Account",
            Self::Chain => "Blockchain",
            Self::Name => "Name",
            Self::Email => "Email",
            Self::Owner => "Owner",
            Self::Reference => "Reference",
            Self::AutoSweep => "Auto-sweep",
            Self::IsActive => "In use",
            Self::CanTrade => "Trading",
            Self::File => "File",
            Self::Label => "Label",
            Self::BuyToken => "Swap for",
            Self::Memo => "Memo or tag",
            Self::Fee => "Maximum fee",
        }
    }
}

#[derive(Debug, Clone)]
pub struct Field {
    pub id: FieldId,
    pub input: Input,
    /// The error found when the cursor left the field; it says what would be correct.
    pub error: Option<String>,
    /// An amount as understood without its commas, while it is offered: Enter takes it.
    offered_amount: Option<String>,
}

impl Field {
    pub fn new(id: FieldId) -> Self {
        Self { id, input: Input::default(), error: None, offered_amount: None }
    }

    pub fn value(&self) -> &str {
        self.input.value().trim_matches(' ')
    }

    pub fn set_value(&mut self, value: &str) {
        self.input = Input::new(value.to_owned());
        (self.error, self.offered_amount) = (None, None);
    }

    /// Offers the reading of an amount with commas, or takes it if it was offered before and `takes` is set. Returns
    /// whether an offer is still open.
    pub fn offer_plain_amount(&mut self, takes: bool) -> bool {
        if !matches!(self.id, FieldId::Amount | FieldId::Fee) {
            return false;
        }
        let Some(reading) = amount::without_thousands_separators(self.value()) else { return false };
        if takes && self.offered_amount.as_ref() == Some(&reading) {
            self.set_value(&reading);
            return false;
        }
        self.error = Some(format!("{} reads as {reading}: Enter takes {reading}", self.value()));
        self.offered_amount = Some(reading);
        true
    }

    /// Handles a key. `None`: the key has no meaning here; else whether the value changed.
    pub fn handle_key(&mut self, key: KeyEvent) -> Option<bool> {
        let request = input_line::input_edit_of_key(key)?;
        let longest = self.id.max_chars();
        if matches!(request, InputRequest::InsertChar(_)) && self.input.value().chars().count() >= longest {
            self.error = Some(format!("a field holds at most {longest} characters"));
            return Some(false);
        }
        let changed = self.input.handle(request).is_some_and(|change| change.value);
        if changed {
            (self.error, self.offered_amount) = (None, None);
        }
        Some(changed)
    }

    /// Takes a paste as a whole or refuses it with the reason. Blanks and line ends around it are dropped; invisible
    /// characters inside it are kept, so that the check can name them.
    pub fn paste(&mut self, text: &str) -> Result<(), String> {
        let joined = address::parse_grouped(text).filter(|_| self.id == FieldId::Recipient);
        let text = joined.as_deref().unwrap_or(text).trim_matches([' ', '\t', '\r', '\n']);
        let lines = count_nonblank_lines(text);
        if lines > 1 {
            return Err(format!("the paste has {lines} lines; this field holds one"));
        }
        let room = self.id.max_chars().saturating_sub(self.input.value().chars().count());
        let count = text.chars().count();
        if count > room {
            return Err(format!("the paste has {count} characters; there is room for {room}. Nothing was pasted"));
        }
        for character in text.chars() {
            self.input.handle(InputRequest::InsertChar(character));
        }
        (self.error, self.offered_amount) = (None, None);
        Ok(())
    }

    /// The value for a request; an error names an invisible character in it.
    pub fn text(&self) -> Result<Text, String> {
        let value = self.value();
        if let Some((index, hidden)) = value.chars().enumerate().find(|(_, c)| is_forbidden_in_text(*c)) {
            let code = u32::from(hidden);
            return Err(format!("character {} is U+{code:04X}, which is invisible; delete it", index + 1));
        }
        let text = Text::clean(value);
        if text.as_str() == value {
            Ok(text)
        } else {
            Err("one character has too many accents or marks; type it without them".into())
        }
    }
}

/// The number of lines of a paste that are not blank.
pub fn count_nonblank_lines(text: &str) -> usize {
    text.split(['\r', '\n']).filter(|line| !line.trim().is_empty()).count()
}

/// The value, character by character, as it may be shown: invisible characters are replaced by their code points.
pub fn visible_chars(value: &str) -> impl Iterator<Item = String> {
    value.chars().map(|c| if is_forbidden_in_text(c) { format!("‹U+{:04X}›", u32::from(c)) } else { c.to_string() })
}

#[cfg(test)]
mod tests;
