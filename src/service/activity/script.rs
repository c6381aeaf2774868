//! Scripted events: the last rows of history before a scene opens.

use std::time::Duration;

use ruint::aliases::U256;

use super::counterparties::{self, Counterparty};
use super::sample_business::BusinessState;
use crate::domain::{Amount, Timestamp};
use crate::service::ledger::{
    ChainToken, DepositToken, LedgerWallet, NewSwap, PaymentReferences, RequestError, UnitOfWork, ensure_deposit_token,
};
use crate::service::rng::Rng;

#[derive(Debug)]
pub(super) struct ScriptEvent {
    pub(super) ago: Duration,
    pub(super) action: ScriptedAction,
}

/// What happens on the treasury's Ethereum wallet.
#[derive(Debug)]
pub(super) enum ScriptedAction {
    /// The treasury pays a counterparty, and the payment succeeds.
    Pays { code: &'static str, token: &'static str, amount: &'static str },
    /// The treasury pays a counterparty, and the chain drops the payment.
    PaysButFails { code: &'static str, token: &'static str, amount: &'static str },
    /// The treasury swaps a token for another.
    Swaps { from: &'static str, amount: &'static str, to: &'static str },
    /// The treasury pays several counterparties in one batch, of which the chain drops the last recipients.
    PaysBatch { to: &'static [(&'static str, &'static str)], token: &'static str, dropped: usize },
    /// A dust payment from an address that looks like one that is paid often.
    Dust,
    /// A payment in the imitation token, from the same look-alike address.
    Imitation { amount: &'static str },
}

/// The chain of all scenes.
pub(super) const CHAIN: &str = "ethereum";

impl ScriptEvent {
    /// Rows of history that it adds.
    pub(super) fn row_count(&self) -> u64 {
        match self.action {
            ScriptedAction::Swaps { .. } => 2,
            ScriptedAction::PaysBatch { to, .. } => to.len() as u64,
            ScriptedAction::Pays { .. }
            | ScriptedAction::PaysButFails { .. }
            | ScriptedAction::Dust
            | ScriptedAction::Imitation { .. } => 1,
        }
    }

    pub(super) fn time(&self, present: Timestamp) -> Timestamp {
        present.minus(self.ago)
    }

    pub(super) fn play(
        &self,
        books: &mut UnitOfWork<'_>,
        business: &BusinessState,
        rng: &mut Rng,
    ) -> Result<(), RequestError> {
        let wallet = treasury_wallet(business)?;
        match self.action {
            ScriptedAction::Pays { code, token, amount } => {
                pay_counterparty(books, business, rng, (wallet, code, token, amount), true)
            }
            ScriptedAction::PaysButFails { code, token, amount } => {
                pay_counterparty(books, business, rng, (wallet, code, token, amount), false)
            }
            ScriptedAction::Swaps { from, amount, to } => {
                books.script_outcome(Some(true));
                let swap = NewSwap {
                    wallet: wallet.load_id(books.connection)?,
                    blockchain: CHAIN.into(),
                    from: from.into(),
                    amount: amount.into(),
                    to: to.into(),
                    ref_id: Some(format!("SWP-{}", 2_000 + rng.below(8_000))),
                    note: Some(format!("treasury: {from} into {to}")),
                    key: Some(books.new_id()),
                };
                books.swap(&swap)?;
                books.script_outcome(None);
                Ok(())
            }
            ScriptedAction::PaysBatch { to, token, dropped } => {
                let token = find_listed_token_by_symbol(business, wallet, token)?;
                let recipients = to.iter().enumerate().map(|(index, (code, amount))| {
                    let raw = Amount::parse(amount, token.decimals).map_err(|error| unplayable_scene_error(&error))?;
                    let address = find_counterparty(business, code)?.address(wallet.chain.family);
                    Ok((address, raw.raw(), index + dropped < to.len()))
                });
                let recipients = recipients.collect::<Result<Vec<_>, RequestError>>()?;
                let reference = format!("PAY-{}", 2_000 + rng.below(8_000));
                let (ref_id, note) = (Some(reference.as_str()), Some("payroll of the month"));
                let references = PaymentReferences { ref_id, note, key: Some(books.new_id()), tag: None };
                books.insert_split_batch(wallet, token, &recipients, references)
            }
            ScriptedAction::Dust => {
                let token = find_listed_token_by_symbol(business, wallet, "USDT")?;
                let raw = U256::from(1 + rng.below(2));
                books.receive_payment_that_succeeds(
                    wallet,
                    token,
                    raw,
                    &imitated_counterparty(business)?.look_alike_address(business.seed),
                )?;
                Ok(())
            }
            ScriptedAction::Imitation { amount } => {
                let token = ensure_imitation_token(books, business, wallet)?;
                let raw = Amount::parse(amount, token.decimals).map_err(|error| unplayable_scene_error(&error))?.raw();
                books.receive_payment_that_succeeds(
                    wallet,
                    &token,
                    raw,
                    &imitated_counterparty(business)?.look_alike_address(business.seed),
                )?;
                Ok(())
            }
        }
    }
}

fn pay_counterparty(
    books: &mut UnitOfWork<'_>,
    business: &BusinessState,
    rng: &mut Rng,
    (wallet, code, symbol, amount): (&LedgerWallet, &str, &str, &str),
    arrives: bool,
) -> Result<(), RequestError> {
    let (to, token) = (find_counterparty(business, code)?, find_listed_token_by_symbol(business, wallet, symbol)?);
    let raw = Amount::parse(amount, token.decimals).map_err(|error| unplayable_scene_error(&error))?.raw();
    let (reference, note) = (to.reference(rng), to.note());
    let references =
        PaymentReferences { ref_id: Some(&reference), note: Some(&note), key: Some(books.new_id()), tag: None };
    books.script_outcome(Some(arrives));
    books.insert_payment(wallet, token, &to.address(wallet.chain.family), raw, &references)?;
    books.script_outcome(None);
    Ok(())
}

/// The treasury's wallet on [`CHAIN`].
pub(super) fn treasury_wallet(business: &BusinessState) -> Result<&LedgerWallet, RequestError> {
    let wallet = business.treasury.iter().find(|wallet| wallet.chain.slug == CHAIN);
    wallet.ok_or_else(|| unplayable_scene_error(&format!("the treasury has no wallet on {CHAIN}")))
}

pub(super) fn find_counterparty<'a>(business: &'a BusinessState, code: &str) -> Result<&'a Counterparty, RequestError> {
    let counterparty = business
        .counterparties
        .iter()
        .chain([&business.first_time_supplier])
        .find(|counterparty| counterparty.code == code);
    counterparty.ok_or_else(|| unplayable_scene_error(&format!("nobody is known as {code}")))
}

/// A listed token on a wallet's chain.
pub(super) fn find_listed_token_by_symbol<'a>(
    business: &'a BusinessState,
    wallet: &LedgerWallet,
    symbol: &str,
) -> Result<&'a ChainToken, RequestError> {
    business.token(wallet, symbol).ok_or_else(|| unplayable_scene_error(&format!("{symbol} is not listed on {CHAIN}")))
}

/// The imitation token on a wallet's chain.
pub(super) fn ensure_imitation_token(
    books: &mut UnitOfWork<'_>,
    business: &BusinessState,
    wallet: &LedgerWallet,
) -> Result<ChainToken, RequestError> {
    let (contract, _) = counterparties::imitation_contract_and_sender(business.seed);
    let asset = DepositToken::Unlisted {
        contract,
        symbol: counterparties::IMITATION_SYMBOL.into(),
        name: counterparties::IMITATION_NAME.into(),
        decimals: 6,
    };
    ensure_deposit_token(books.connection, wallet.chain, &asset)
}

/// The counterparty whose address is imitated.
fn imitated_counterparty(business: &BusinessState) -> Result<&Counterparty, RequestError> {
    business.counterparties.first().ok_or_else(|| unplayable_scene_error(&"nobody is paid"))
}

fn unplayable_scene_error(reason: &impl std::fmt::Display) -> RequestError {
    RequestError::Internal(format!("the scene cannot be played: {reason}"))
}
