//! One row of a batch as written, and the recipient that it makes.

use super::Recipient;
use crate::domain::address::{self, detect_secret, is_same_address};
use crate::domain::chain::chain_display_name;
use crate::domain::comparison::may_be_same_chain_and_network;
use crate::domain::text::is_forbidden_in_text;
use crate::domain::{Address, AddressError, Amount, Family, Text, TokenKey};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecipientRow {
    /// Counted from 1; `None` where the row was typed.
    pub line: Option<u64>,
    pub address: String,
    pub amount: String,
    pub label: String,
    pub reference: String,
    pub token_hint: TokenHint,
    /// An error of the row as such, whatever its values are.
    pub fault: Option<String>,
}

/// What a row of a file states about its token, as written; empty where it states nothing.
///
/// It stays with the row, since another token or wallet may be chosen after the file was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TokenHint {
    pub token: String,
    pub chain: String,
    pub contract: String,
    /// `erc20` or `native`.
    pub kind: String,
    /// The number of a collectible, which no token has.
    pub id: String,
}

/// What a batch pays, and its rows must match.
#[derive(Debug, Clone, Copy)]
pub struct BatchToken<'a> {
    pub symbol: &'a str,
    pub token: &'a TokenKey,
    pub decimals: u8,
    /// The word that requests use.
    pub blockchain: &'a str,
    pub family: Option<Family>,
}

impl TokenHint {
    /// The first statement that does not match what the batch pays.
    fn mismatch(&self, batch_token: &BatchToken<'_>) -> Option<String> {
        let BatchToken { symbol, token, .. } = *batch_token;
        let Self { token: hinted_token, chain, contract, kind, id } = self;
        if !hinted_token.is_empty() && !hinted_token.eq_ignore_ascii_case(symbol) {
            return Some(format!("this row is for {}; the batch pays {symbol}", Text::clean(hinted_token)));
        }
        if !chain.is_empty() && !may_be_same_chain_and_network(chain, &token.blockchain) {
            return Some(format!("this row is for {}; the batch pays on {}", Text::clean(chain), token.blockchain));
        }
        if !contract.is_empty() && !token.contract.as_ref().is_some_and(|own| is_same_address(own, contract)) {
            let contract = Text::clean(contract);
            return Some(format!("this row names another contract, {contract}; the batch pays {symbol}"));
        }
        let own = if token.contract.is_some() { "erc20" } else { "native" };
        if !kind.is_empty() && !kind.eq_ignore_ascii_case(own) {
            return Some(format!("this row has the token type {}; {symbol} is {own}", Text::clean(kind)));
        }
        (!id.is_empty()).then(|| "this row pays a collectible, which a batch cannot pay".to_owned())
    }
}

impl RecipientRow {
    pub fn is_empty(&self) -> bool {
        self.address.is_empty() && self.amount.is_empty() && self.label.is_empty()
    }
}

/// The recipient and amount that a row makes in a batch.
///
/// # Errors
/// What is wrong with the row, and what would be right.
pub fn parse_recipient(row: &RecipientRow, batch_token: &BatchToken<'_>) -> Result<(Recipient, Amount), String> {
    if let Some(fault) = row.fault.clone().or_else(|| row.token_hint.mismatch(batch_token)) {
        return Err(fault);
    }
    let address = parse_recipient_address(&row.address, batch_token.family, batch_token.blockchain)?;
    let amount = Amount::parse(&row.amount, batch_token.decimals).map_err(|error| error.to_string())?;
    if amount.is_zero() {
        return Err("pay an amount greater than zero, or remove the row".into());
    }
    let label = Text::clean(&row.label);
    if label.as_str() != row.label {
        return Err("the label is too long or cannot be shown; correct it".into());
    }
    let label = Some(label).filter(|label| !label.is_empty());
    let reference = Text::clean(&row.reference);
    if reference.as_str() != row.reference {
        return Err("the reference is too long or cannot be shown; correct it".into());
    }
    let reference = Some(reference).filter(|reference| !reference.is_empty());
    let recipient = Recipient { address, amount: Text::clean(&amount.to_string()), label, reference, line: row.line };
    Ok((recipient, amount))
}

/// An address as a request spells it.
///
/// # Errors
/// Why no request can contain the address, and what would be right. The message never repeats a secret.
pub fn parse_recipient_address(typed: &str, family: Option<Family>, blockchain: &str) -> Result<Text, String> {
    // Checked first, since every request is written into the journal.
    if let Some(secret) = detect_secret(typed) {
        return Err(AddressError::Secret { kind: secret }.to_string());
    }
    let Some(family) = family else {
        if typed.is_empty() {
            return Err("an address is missing".into());
        }
        if let Some((index, hidden)) = typed.chars().enumerate().find(|(_, c)| is_forbidden_in_text(*c)) {
            let code = u32::from(hidden);
            return Err(format!("character {} is U+{code:04X}, which is invisible; delete it", index + 1));
        }
        if typed.contains(char::is_whitespace) {
            return Err("an address contains no spaces; copy it again from its source".into());
        }
        let text = Text::clean(typed);
        return if text.as_str() == typed { Ok(text) } else { Err("this does not look like an address".into()) };
    };
    match Address::parse(family, typed) {
        Ok(_) => Ok(Text::clean(typed)),
        Err(error) => Err(match address::recognise_address_kind(typed).filter(|kind| kind.family != Some(family)) {
            Some(kind) => format!("this is {} address; the wallet is on {}", kind.name, chain_display_name(blockchain)),
            None => error.to_string(),
        }),
    }
}
