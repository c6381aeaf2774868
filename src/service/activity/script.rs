//! What happens last before a scene opens, word by word.

use std::time::Duration;

use ruint::aliases::U256;

use super::counterparties::{self, Counterparty};
use super::founding::BusinessState;
use crate::domain::{Amount, Timestamp};
use crate::service::ledger::{Asset, ChainToken, PayerReference, PayingWallet, RequestError, UnitOfWork, of_deposit};
use crate::service::rng::Rng;

/// Something that happened so long before the present.
#[derive(Debug)]
pub(super) struct ScriptEvent {
    pub(super) ago: Duration,
    pub(super) action: ScriptedAction,
}

/// What happened; each makes one row of history. All of it is about the treasury's wallet on Ethereum.
#[derive(Debug)]
pub(super) enum ScriptedAction {
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

impl ScriptEvent {
    /// When it happened.
    pub(super) fn time(&self, present: Timestamp) -> Timestamp {
        let ago = i64::try_from(self.ago.as_millis()).unwrap_or(0);
        Timestamp::from_millis(present.millis().saturating_sub(ago))
    }

    /// Has it happen.
    pub(super) fn play(
        &self,
        books: &mut UnitOfWork<'_>,
        cast: &BusinessState,
        dice: &mut Rng,
    ) -> Result<(), RequestError> {
        let wallet = treasury(cast)?;
        match self.action {
            ScriptedAction::Pays { code, token, amount } => pay(books, cast, dice, (wallet, code, token, amount), true),
            ScriptedAction::PaysInVain { code, token, amount } => {
                pay(books, cast, dice, (wallet, code, token, amount), false)
            }
            ScriptedAction::Dust => {
                let token = token(cast, wallet, "USDT")?;
                let raw = U256::from(1 + dice.below(2));
                books.receive_surely(wallet, token, raw, &victim(cast)?.look_alike(cast.seed))?;
                Ok(())
            }
            ScriptedAction::Imitation { amount } => {
                let token = imitation(books, cast, wallet)?;
                let raw = Amount::parse(amount, token.decimals).map_err(|error| broken(&error))?.raw();
                books.receive_surely(wallet, &token, raw, &victim(cast)?.look_alike(cast.seed))?;
                Ok(())
            }
        }
    }
}

fn pay(
    books: &mut UnitOfWork<'_>,
    cast: &BusinessState,
    dice: &mut Rng,
    (wallet, code, symbol, amount): (&PayingWallet, &str, &str, &str),
    arrives: bool,
) -> Result<(), RequestError> {
    let (to, token) = (counterparty(cast, code)?, token(cast, wallet, symbol)?);
    let raw = Amount::parse(amount, token.decimals).map_err(|error| broken(&error))?.raw();
    let (reference, note) = (to.reference(dice), to.note());
    let words = PayerReference { ref_id: Some(&reference), note: Some(&note), key: Some(books.new_id()), tag: None };
    books.insert_payment_with_outcome(wallet, token, &to.address(wallet.chain.family), raw, &words, arrives)?;
    Ok(())
}

/// The treasury's wallet on the chain on which scenes play.
pub(super) fn treasury(cast: &BusinessState) -> Result<&PayingWallet, RequestError> {
    let found = cast.treasury.iter().find(|wallet| wallet.chain.slug == CHAIN);
    found.ok_or_else(|| broken(&format!("the treasury has no wallet on {CHAIN}")))
}

/// A counterparty by its code.
pub(super) fn counterparty<'a>(cast: &'a BusinessState, code: &str) -> Result<&'a Counterparty, RequestError> {
    let found = cast.counterparties.iter().find(|known| known.code == code);
    found.ok_or_else(|| broken(&format!("nobody is known as {code}")))
}

/// A listed token on a wallet's chain.
pub(super) fn token<'a>(
    cast: &'a BusinessState,
    wallet: &PayingWallet,
    symbol: &str,
) -> Result<&'a ChainToken, RequestError> {
    cast.token(wallet, symbol).ok_or_else(|| broken(&format!("{symbol} is not listed on {CHAIN}")))
}

/// The token that imitates another, on a wallet's chain.
pub(super) fn imitation(
    books: &mut UnitOfWork<'_>,
    cast: &BusinessState,
    wallet: &PayingWallet,
) -> Result<ChainToken, RequestError> {
    let (contract, _) = counterparties::false_token(cast.seed);
    let asset = Asset::Unlisted {
        contract,
        symbol: counterparties::FALSE_SYMBOL.into(),
        name: counterparties::FALSE_NAME.into(),
        decimals: 6,
    };
    of_deposit(books.connection, wallet.chain, &asset)
}

/// Whose address is imitated.
fn victim(cast: &BusinessState) -> Result<&Counterparty, RequestError> {
    cast.counterparties.first().ok_or_else(|| broken(&"nobody is paid"))
}

fn broken(why: &impl std::fmt::Display) -> RequestError {
    RequestError::Internal(format!("the scene cannot be played: {why}"))
}
