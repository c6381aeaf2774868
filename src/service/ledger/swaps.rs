//! Swaps of one token of a wallet for another.

use ruint::aliases::U256;
use uuid::Uuid;

use super::addresses::address_from_seed;
use super::commands::NewSwap;
use super::legs::{IncomingLeg, OutgoingLeg, PaymentReferences};
use super::request_error::RequestError;
use super::rows::SubType;
use super::tokens::{self, ChainToken};
use super::unit_of_work::UnitOfWork;
use super::wallets::{self, LedgerWallet};
use super::withdrawals::{not_listed_message, parse_amount};
use super::{history, render};
use crate::domain::{Amount, Chain, Timestamp};
use crate::service::chain;
use crate::service::swap_market::{self, ListedCoin, Quote};

pub(super) struct SwapIds {
    /// The row of the sold token.
    pub(super) row: i64,
    /// Shared by both rows.
    pub(super) group: Uuid,
}

impl UnitOfWork<'_> {
    /// Accepts a swap within one wallet at the present price: the sold amount leaves the spendable balance at once, the
    /// bought amount arrives when the chain has confirmed it. A failed swap returns the sold amount.
    pub fn swap(&mut self, new: &NewSwap) -> Result<render::Transaction, RequestError> {
        let wallet = wallets::find_wallet(self.connection, self.workspace.number, new.wallet)?;
        let chain = chain::find_chain(&new.blockchain);
        let chain = chain.ok_or_else(|| RequestError::unprocessable(tokens::unknown_chain_message(&new.blockchain)))?;
        let problems: Vec<_> = [("fromCoin", &new.from), ("toCoin", &new.to)]
            .into_iter()
            .filter_map(|(field, symbol)| Some((field, tokens::find_listed_coin(symbol)?)))
            .filter(|(_, coin)| !tokens::is_listed_on_chain(*coin, chain))
            .map(|(field, coin)| not_listed_message(field, coin.symbol, chain))
            .collect();
        if !problems.is_empty() {
            return Err(RequestError::Unprocessable(problems));
        }
        let quote = quote_requested_swap(&new.from, &new.amount, &new.to, self.now)?;
        wallet.require_active_on_chain(chain)?;
        let references =
            PaymentReferences { ref_id: new.ref_id.as_deref(), note: new.note.as_deref(), key: new.key, tag: None };
        let swapped = self.execute_quote(&wallet, &quote, references)?;
        history::load_transaction(self, swapped.row)
    }

    /// Accepts a quoted swap; both coins must live on the wallet's chain.
    pub(super) fn execute_quote(
        &mut self,
        wallet: &LedgerWallet,
        quote: &Quote,
        reference: PaymentReferences<'_>,
    ) -> Result<SwapIds, RequestError> {
        self.require_user_can_trade(wallet)?;
        let (from, to) = (self.token_of_coin(quote.from, wallet.chain)?, self.token_of_coin(quote.to, wallet.chain)?);
        let (fee, sold) = (
            rescale_to_token_decimals(quote.fee, quote.from, &from)?,
            rescale_to_token_decimals(quote.from_amount, quote.from, &from)?,
        );
        let bought = rescale_to_token_decimals(quote.to_amount, quote.to, &to)?;
        let amount =
            sold.checked_sub(fee).ok_or_else(|| RequestError::Internal("a fee is more than what is sold".into()))?;
        self.require_funds(wallet, &from, amount, fee)?;
        self.refuse_overflow(&to, bought)?;
        let (id, other, group) = (self.new_payment_id(wallet.chain)?, self.new_id(), self.new_id());
        let settlement = self.settlement_plan(wallet.chain, id)?;
        let network = self.workspace.network();
        let pool =
            address_from_seed(wallet.chain.family, network, format!("market on {}", wallet.chain.slug).as_bytes());
        let counterparty = self.find_or_create_counterparty(&pool)?;
        let row = self.insert_outgoing(&OutgoingLeg {
            id,
            sub_type: SubType::Swap,
            wallet,
            token: &from,
            amount,
            fee,
            counterparty,
            settlement,
            group: Some(group),
            references: reference,
        })?;
        self.insert_incoming(&IncomingLeg {
            id: other,
            hash_of: Some(id),
            sub_type: SubType::Swap,
            wallet,
            token: &to,
            amount: bought,
            from: &pool,
            settlement,
            group: Some(group),
        })?;
        Ok(SwapIds { row, group })
    }

    /// Rejects swaps in a wallet of a user who may not trade.
    fn require_user_can_trade(&self, wallet: &LedgerWallet) -> Result<(), RequestError> {
        let Some(user) = wallet.user else { return Ok(()) };
        let may: bool = self
            .connection
            .prepare_cached("SELECT can_trade FROM users WHERE no = ?1")?
            .query_row([user], |row| row.get(0))?;
        if may { Ok(()) } else { Err(RequestError::bad_request("the wallet's user may not trade: canTrade is false")) }
    }

    fn token_of_coin(&self, coin: ListedCoin, chain: &Chain) -> Result<ChainToken, RequestError> {
        let token = tokens::find_listed_token_by_symbol(self.connection, chain, coin.symbol)?;
        token.ok_or_else(|| RequestError::bad_request(not_listed_message("coin", coin.symbol, chain)))
    }
}

/// A quote at the price of `now`, for symbols and an amount as received.
pub(super) fn quote_requested_swap(from: &str, amount: &str, to: &str, now: Timestamp) -> Result<Quote, RequestError> {
    let mut problems = Vec::new();
    let mut coin = |field: &str, symbol: &str| {
        let listed_coin = tokens::find_listed_coin(symbol);
        if listed_coin.is_none() {
            problems.push(format!("{field}: {symbol} is not listed"));
        }
        listed_coin
    };
    let coins = (coin("fromCoin", from), coin("toCoin", to));
    let amount = match coins.0.map(|coin| parse_amount(coin.decimals, "fromAmount", amount, &mut problems)) {
        Some(amount) if problems.is_empty() => amount,
        _ => return Err(RequestError::Unprocessable(problems)),
    };
    let (Some(from), Some(to)) = coins else { return Err(RequestError::Unprocessable(problems)) };
    if from == to {
        return Err(RequestError::unprocessable("toCoin: it must be another coin than fromCoin"));
    }
    for coin in [from, to] {
        if !swap_market::has_market(coin.symbol) {
            return Err(RequestError::bad_request(format!("there is no market for {}", coin.symbol)));
        }
    }
    swap_market::quote_swap(from, amount, to, now)
        .ok_or_else(|| RequestError::bad_request("fromAmount: the market does not take so little or so much"))
}

/// Converts an amount to the token's smallest units, of which a chain may have more per coin.
fn rescale_to_token_decimals(amount: U256, coin: ListedCoin, token: &ChainToken) -> Result<U256, RequestError> {
    let more = token.decimals.checked_sub(coin.decimals);
    let factor = more.and_then(|more| U256::from(10_u8).checked_pow(U256::from(more)));
    factor
        .and_then(|factor| amount.checked_mul(factor))
        .ok_or_else(|| RequestError::bad_request("fromAmount: the market does not take so much"))
}

/// A quote in v1's form: all texts.
pub(super) fn to_v1_quote(quote: &Quote) -> Result<render::v1::Quote, RequestError> {
    let text = |amount, coin: ListedCoin| {
        let amount_text = Amount::new(amount, coin.decimals).map(|amount| amount.to_string());
        amount_text
            .ok_or_else(|| RequestError::Internal("a coin has more fraction digits than an amount can have".into()))
    };
    Ok(render::v1::Quote {
        fee: text(quote.fee, quote.from)?,
        from_coin: quote.from.symbol,
        from_amount: text(quote.from_amount, quote.from)?,
        to_coin: quote.to.symbol,
        to_amount: text(quote.to_amount, quote.to)?,
        swap_price: quote.price.to_string(),
    })
}
