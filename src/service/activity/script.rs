//! What happens last before a scene opens, word by word.

use std::time::Duration;

use ruint::aliases::U256;

use super::business::Cast;
use super::strangers::{self, Counterparty};
use crate::domain::{Amount, Timestamp};
use crate::service::dice::Dice;
use crate::service::ledger::{Asset, Books, Known, Purse, Refusal, Words, of_deposit};

/// Something that happened so long before the present.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) ago: Duration,
    pub(super) act: Act,
}

/// What happened; each makes one row of history. All of it is about the treasury's wallet on Ethereum.
#[derive(Debug)]
pub(super) enum Act {
    /// The treasury paid a counterparty, and it arrived.
    Pays { code: &'static str, token: &'static str, amount: &'static str },
    /// The treasury paid a counterparty, and the chain dropped it.
    PaysInVain { code: &'static str, token: &'static str, amount: &'static str },
    /// Next to nothing came, from an address that looks like one that is paid often.
    Dust,
    /// So much came of a token that imitates another, from the same address.
    Imitation { amount: &'static str },
}

/// The chain on which scenes play.
pub(super) const CHAIN: &str = "ethereum";

impl Line {
    /// When it happened.
    pub(super) fn at(&self, present: Timestamp) -> Timestamp {
        let ago = i64::try_from(self.ago.as_millis()).unwrap_or(0);
        Timestamp::from_millis(present.millis().saturating_sub(ago))
    }

    /// Has it happen.
    pub(super) fn play(&self, books: &mut Books<'_>, cast: &Cast, dice: &mut Dice) -> Result<(), Refusal> {
        let wallet = treasury(cast)?;
        match self.act {
            Act::Pays { code, token, amount } => pay(books, cast, dice, (wallet, code, token, amount), true),
            Act::PaysInVain { code, token, amount } => pay(books, cast, dice, (wallet, code, token, amount), false),
            Act::Dust => {
                let token = token(cast, wallet, "USDT")?;
                let raw = U256::from(1 + dice.below(2));
                books.receive_surely(wallet, token, raw, &victim(cast)?.look_alike(cast.seed))?;
                Ok(())
            }
            Act::Imitation { amount } => {
                let token = imitation(books, cast, wallet)?;
                let raw = Amount::parse(amount, token.decimals).map_err(|error| broken(&error))?.raw();
                books.receive_surely(wallet, &token, raw, &victim(cast)?.look_alike(cast.seed))?;
                Ok(())
            }
        }
    }
}

fn pay(
    books: &mut Books<'_>,
    cast: &Cast,
    dice: &mut Dice,
    (wallet, code, symbol, amount): (&Purse, &str, &str, &str),
    arrives: bool,
) -> Result<(), Refusal> {
    let (to, token) = (counterparty(cast, code)?, token(cast, wallet, symbol)?);
    let raw = Amount::parse(amount, token.decimals).map_err(|error| broken(&error))?.raw();
    let (reference, note) = (to.reference(dice), to.note());
    let words = Words { ref_id: Some(&reference), note: Some(&note), key: Some(books.new_id()), tag: None };
    books.pay_with_fate(wallet, token, &to.address(wallet.chain.family), raw, &words, arrives)?;
    Ok(())
}

/// The treasury's wallet on the chain on which scenes play.
pub(super) fn treasury(cast: &Cast) -> Result<&Purse, Refusal> {
    let found = cast.treasury.iter().find(|wallet| wallet.chain.slug == CHAIN);
    found.ok_or_else(|| broken(&format!("the treasury has no wallet on {CHAIN}")))
}

/// A counterparty by its code.
pub(super) fn counterparty<'a>(cast: &'a Cast, code: &str) -> Result<&'a Counterparty, Refusal> {
    let found = cast.counterparties.iter().find(|known| known.code == code);
    found.ok_or_else(|| broken(&format!("nobody is known as {code}")))
}

/// A listed token on a wallet's chain.
pub(super) fn token<'a>(cast: &'a Cast, wallet: &Purse, symbol: &str) -> Result<&'a Known, Refusal> {
    cast.token(wallet, symbol).ok_or_else(|| broken(&format!("{symbol} is not listed on {CHAIN}")))
}

/// The token that imitates another, on a wallet's chain.
pub(super) fn imitation(books: &mut Books<'_>, cast: &Cast, wallet: &Purse) -> Result<Known, Refusal> {
    let (contract, _) = strangers::false_token(cast.seed);
    let asset = Asset::Unlisted {
        contract,
        symbol: strangers::FALSE_SYMBOL.into(),
        name: strangers::FALSE_NAME.into(),
        decimals: 6,
    };
    of_deposit(books.connection, wallet.chain, &asset)
}

/// Whose address is imitated.
fn victim(cast: &Cast) -> Result<&Counterparty, Refusal> {
    cast.counterparties.first().ok_or_else(|| broken(&"nobody is paid"))
}

fn broken(why: &impl std::fmt::Display) -> Refusal {
    Refusal::Broken(format!("the scene cannot be played: {why}"))
}
