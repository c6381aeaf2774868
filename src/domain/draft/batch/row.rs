//! One row of a batch, as somebody wrote it, and the recipient that it makes.

use super::Recipient;
use crate::domain::address::{self, secret};
use crate::domain::chain::display_name;
use crate::domain::text::is_hidden;
use crate::domain::{Address, AddressError, Amount, Family, Text};

/// A row as it was read or typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// The line of its file, counted from 1; none where it was typed.
    pub line: Option<u64>,
    /// Whom it pays.
    pub address: String,
    /// How much.
    pub amount: String,
    /// What the operator calls the recipient.
    pub label: String,
    /// What is wrong with the row as such, whatever its values are.
    pub fault: Option<String>,
}

impl Row {
    /// Whether nothing stands in it.
    pub fn is_empty(&self) -> bool {
        self.address.is_empty() && self.amount.is_empty() && self.label.is_empty()
    }
}

/// The recipient that a row makes on a chain whose addresses are written in this way (`None` where that is not known),
/// and how much it gets of a token with so many fraction digits.
///
/// # Errors
/// What is wrong with the row, in words that say what would be right.
pub fn recipient(
    row: &Row,
    family: Option<Family>,
    blockchain: &str,
    decimals: u8,
) -> Result<(Recipient, Amount), String> {
    if let Some(fault) = &row.fault {
        return Err(fault.clone());
    }
    let address = fits_request(&row.address, family, blockchain)?;
    let amount = Amount::parse(&row.amount, decimals).map_err(|error| error.to_string())?;
    if amount.is_zero() {
        return Err("pay more than nothing, or leave the row out".into());
    }
    let label = Text::clean(&row.label);
    if label.as_str() != row.label {
        return Err("the label holds what cannot be shown, or is too long; write it plainly".into());
    }
    let label = Some(label).filter(|label| !label.is_empty());
    let recipient = Recipient { address, amount: Text::clean(&amount.to_string()), label, line: row.line };
    Ok((recipient, amount))
}

/// An address as a request spells it.
///
/// # Errors
/// Why no request can say it, in words that say what would be right. No secret is repeated in them.
pub fn fits_request(typed: &str, family: Option<Family>, blockchain: &str) -> Result<Text, String> {
    // Before anything else is done with it: what is asked for is written into the journal.
    if let Some(what) = secret(typed) {
        return Err(AddressError::Secret { what }.to_string());
    }
    let Some(family) = family else {
        if typed.is_empty() {
            return Err("an address is missing".into());
        }
        if let Some((index, hidden)) = typed.chars().enumerate().find(|(_, c)| is_hidden(*c)) {
            let code = u32::from(hidden);
            return Err(format!("character {} is U+{code:04X}, which cannot be seen; delete it", index + 1));
        }
        if typed.contains(char::is_whitespace) {
            return Err("no address holds a blank; copy it again from its source".into());
        }
        let text = Text::clean(typed);
        return if text.as_str() == typed { Ok(text) } else { Err("no address looks like this".into()) };
    };
    match Address::check(family, typed) {
        Ok(_) => Ok(Text::clean(typed)),
        Err(error) => Err(match address::recognise(typed).filter(|kind| kind.family != Some(family)) {
            Some(kind) => format!("this is {} address; the wallet is on {}", kind.name, display_name(blockchain)),
            None => error.to_string(),
        }),
    }
}
