//! One line of a form: what it asks for, what is typed, what is wrong with it.

pub mod view;

use tui_input::{Input, InputRequest};

use crate::app::key::Key;
use crate::app::line;
use crate::domain::text::is_hidden;
use crate::domain::{Text, address, amount};

/// The most characters that a field takes.
pub const MAX_CHARS: usize = 200;

/// What a field asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldId {
    /// The wallet that pays.
    Wallet,
    /// The token that is paid.
    Token,
    /// The address that is paid.
    Recipient,
    /// How much.
    Amount,
    /// A note.
    Note,
    /// The account of a new wallet.
    Account,
    /// The chain of a new wallet.
    Chain,
    /// A name.
    Name,
    /// A user's address for mail.
    Email,
    /// The user who will own a new wallet.
    Owner,
    /// The business's own reference.
    Reference,
    /// Whether native tokens are swept.
    AutoSweep,
    /// Whether a wallet is in use.
    IsActive,
    /// Whether a sub-wallet may trade.
    CanTrade,
    /// A file of recipients.
    File,
    /// What a recipient is called.
    Label,
    /// The coin that is bought.
    BuyToken,
    /// The memo or tag of a payment by version 1.
    Memo,
    /// The most that its fee may come to.
    Fee,
}

impl FieldId {
    /// The most characters that it takes: a path may be longer than what a request says.
    fn longest(self) -> usize {
        if self == Self::File { 20 * MAX_CHARS } else { MAX_CHARS }
    }

    /// What stands before the field.
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

/// A line of a form.
#[derive(Debug, Clone)]
pub struct Field {
    /// What it asks for.
    pub slot: FieldId,
    /// What is typed.
    pub input: Input,
    /// What is wrong, in words that say what would be right; found when the field was left.
    pub error: Option<String>,
    /// What an amount reads as, while that is offered: Enter takes it.
    reading: Option<String>,
}

impl Field {
    /// An empty field.
    pub fn new(slot: FieldId) -> Self {
        Self { slot, input: Input::default(), error: None, reading: None }
    }

    /// What is typed, without blanks at its ends.
    pub fn value(&self) -> &str {
        self.input.value().trim_matches(' ')
    }

    /// Puts something in the place of what was typed.
    pub fn set(&mut self, value: &str) {
        self.input = Input::new(value.to_owned());
        (self.error, self.reading) = (None, None);
    }

    /// Offers what an amount with commas reads as, or takes it, where it was offered before and the key is one that takes
    /// what is offered; says whether there is anything to offer still.
    pub fn suggest_amount(&mut self, takes: bool) -> bool {
        if !matches!(self.slot, FieldId::Amount | FieldId::Fee) {
            return false;
        }
        let Some(reading) = amount::without_thousands_separators(self.value()) else { return false };
        if takes && self.reading.as_ref() == Some(&reading) {
            self.set(&reading);
            return false;
        }
        self.error = Some(format!("{} reads as {reading}: Enter takes {reading}", self.value()));
        self.reading = Some(reading);
        true
    }

    /// A key; says whether it had a meaning here, and whether the value changed.
    pub fn key(&mut self, key: Key) -> Option<bool> {
        let request = line::input_request(key)?;
        let longest = self.slot.longest();
        if matches!(request, InputRequest::InsertChar(_)) && self.input.value().chars().count() >= longest {
            self.error = Some(format!("a field holds at most {longest} characters"));
            return Some(false);
        }
        let changed = self.input.handle(request).is_some_and(|change| change.value);
        if changed {
            (self.error, self.reading) = (None, None);
        }
        Some(changed)
    }

    /// Takes a paste whole, or refuses it whole and says why. Line ends and blanks at its ends go; whatever else cannot
    /// be seen is kept, so that it can be named.
    pub fn paste(&mut self, text: &str) -> Result<(), String> {
        let joined = address::parse_grouped(text).filter(|_| self.slot == FieldId::Recipient);
        let text = joined.as_deref().unwrap_or(text).trim_matches([' ', '\t', '\r', '\n']);
        let lines = lines(text);
        if lines > 1 {
            return Err(format!("the paste has {lines} lines; this field holds one"));
        }
        let room = self.slot.longest().saturating_sub(self.input.value().chars().count());
        let count = text.chars().count();
        if count > room {
            return Err(format!("the paste has {count} characters; there is room for {room}. Nothing was pasted"));
        }
        for character in text.chars() {
            self.input.handle(InputRequest::InsertChar(character));
        }
        (self.error, self.reading) = (None, None);
        Ok(())
    }

    /// The value as a text that stands in a request; an error names what cannot be seen in it.
    pub fn text(&self) -> Result<Text, String> {
        let value = self.value();
        if let Some((index, hidden)) = value.chars().enumerate().find(|(_, c)| is_hidden(*c)) {
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

/// How many lines a paste has in which something stands.
pub fn lines(text: &str) -> usize {
    text.split(['\r', '\n']).filter(|line| !line.trim().is_empty()).count()
}

/// What is typed, character by character, as it may be shown: what cannot be seen is named.
pub fn visible_chars(value: &str) -> impl Iterator<Item = String> {
    value.chars().map(|c| if is_hidden(c) { format!("‹U+{:04X}›", u32::from(c)) } else { c.to_string() })
}

#[cfg(test)]
mod tests;
