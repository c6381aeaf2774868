//! One line of a form: its input, and its error.

pub mod view;

use crossterm::event::KeyEvent;
use tui_input::{Input, InputRequest};

use crate::app::input::input_line;
use crate::domain::draft::{FieldKind, Operation};
use crate::domain::text::is_forbidden_in_text;
use crate::domain::{Text, address, amount};

pub const MAX_CHARS: usize = 200;

/// Forms show their fields in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FieldId {
    Wallet,
    Account,
    /// The user who gets a deposit address.
    SubWallet,
    Token,
    Chain,
    Recipient,
    /// The memo or tag of a version 1 payment.
    Memo,
    Amount,
    BuyToken,
    Fee,
    Name,
    Email,
    Owner,
    Note,
    Reference,
    /// Whether a wallet can pay.
    IsActive,
    CanTrade,
    /// Whether native coins are swept.
    AutoSweep,
    File,
    /// The label of a batch's recipient.
    Label,
}

impl FieldId {
    /// The fields of a form, from top to bottom: those of the draft that a person fills in.
    pub fn of_form(operation: Operation) -> Vec<Self> {
        let kinds = operation.field_kinds().into_iter();
        let mut fields: Vec<Self> = kinds.filter_map(|kind| Self::for_field_kind(kind, operation)).collect();
        fields.sort_unstable();
        fields
    }

    /// Where a field of the draft is filled in. `None`: it follows from another field, from the configuration, or from
    /// what the form was opened on.
    fn for_field_kind(kind: FieldKind, operation: Operation) -> Option<Self> {
        Some(match kind {
            FieldKind::Account => Self::Account,
            FieldKind::AccountName | FieldKind::UserName | FieldKind::WalletName => Self::Name,
            FieldKind::Amount => Self::Amount,
            FieldKind::AutoSweep => Self::AutoSweep,
            FieldKind::BatchFile => Self::File,
            FieldKind::Blockchain if operation.moves_money() || operation == Operation::SimulateDeposit => return None,
            FieldKind::Blockchain => Self::Chain,
            FieldKind::BoughtToken => Self::BuyToken,
            FieldKind::CanTrade => Self::CanTrade,
            FieldKind::Email => Self::Email,
            FieldKind::IsActive => Self::IsActive,
            FieldKind::MaximumFee => Self::Fee,
            FieldKind::Memo => Self::Memo,
            // Version 1 has no place for it.
            FieldKind::Note if operation == Operation::Payment => return None,
            FieldKind::Note => Self::Note,
            FieldKind::Owner => Self::Owner,
            FieldKind::Recipient if operation == Operation::SimulateDeposit => return None,
            FieldKind::Recipient => Self::Recipient,
            FieldKind::Reference => Self::Reference,
            // Whose wallet sells.
            FieldKind::SubWallet if operation == Operation::InstantSwap => Self::Wallet,
            FieldKind::SubWallet => Self::SubWallet,
            FieldKind::Token => Self::Token,
            FieldKind::Wallet if operation == Operation::UpdateWallet => return None,
            FieldKind::Wallet => Self::Wallet,
            FieldKind::Metadata | FieldKind::Queue | FieldKind::Recipients | FieldKind::User => return None,
        })
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
            Self::SubWallet => "Sub-wallet",
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
        let is_changed = self.input.handle(request).is_some_and(|change| change.value);
        if is_changed {
            (self.error, self.offered_amount) = (None, None);
        }
        Some(is_changed)
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
    pub fn checked_text(&self) -> Result<Text, String> {
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
