//! Instant swaps of v1: within one wallet of a sub-wallet or the Prime Wallet, whichever has the sold coin.

use uuid::Uuid;

use super::owners::WalletOwner;
use crate::domain::Timestamp;
use crate::service::ledger::Ledger;
use crate::service::ledger::commands::Paging;
use crate::service::ledger::legs::PaymentReferences;
use crate::service::ledger::render::{Page, v1};
use crate::service::ledger::request_error::RequestError;
use crate::service::ledger::unit_of_work::UnitOfWork;
use crate::service::ledger::{swaps, tokens};
use crate::service::swap_market::ListedCoin;
use crate::service::{chain, swap_market};

#[derive(Debug, Clone)]
pub struct NewV1Swap {
    /// A sub-wallet or the Prime Wallet.
    pub wallet: Uuid,
    /// Symbol of the sold coin.
    pub from: String,
    /// What leaves the wallet, fee included, as received.
    pub amount: String,
    /// Symbol of the bought coin.
    pub to: String,
    /// The business's own reference.
    pub ext_id: Option<String>,
}

impl UnitOfWork<'_> {
    /// Accepts a swap at the present price, from the first wallet that has the sold amount on a chain with both coins.
    pub fn swap_v1(&mut self, new: &NewV1Swap) -> Result<v1::Swap, RequestError> {
        let owner = WalletOwner::find(self.connection, self.workspace.number, new.wallet)?;
        let quote = swaps::quote_requested_swap(&new.from, &new.amount, &new.to, self.now)?;
        let references = PaymentReferences { ref_id: new.ext_id.as_deref(), ..PaymentReferences::default() };
        let mut refused = RequestError::bad_request("there is no wallet on a chain where both coins live");
        let has_both_tokens = |chain: &&crate::domain::Chain| {
            tokens::is_listed_on_chain(quote.from, chain) && tokens::is_listed_on_chain(quote.to, chain)
        };
        for chain in chain::served_chains().filter(has_both_tokens) {
            for wallet in owner.active_wallets(self.connection, self.workspace.number, chain)? {
                match self.execute_quote(&wallet, &quote, references) {
                    Ok(done) => {
                        return Ok(v1::Swap { swap_id: done.group.to_string(), quote: swaps::to_v1_quote(&quote)? });
                    }
                    // A wallet with too little is skipped; nothing has changed.
                    Err(refusal @ RequestError::BadRequest(_)) => refused = refusal,
                    Err(other) => return Err(other),
                }
            }
        }
        Err(refused)
    }
}

fn market_pairs() -> impl Iterator<Item = (ListedCoin, ListedCoin)> {
    Ledger::market_coins()
        .flat_map(|from| Ledger::market_coins().map(move |to| (from, to)))
        .filter(|(from, to)| from != to)
}

fn can_be_swapped(from: ListedCoin, to: ListedCoin) -> bool {
    chain::served_chains().any(|chain| tokens::is_listed_on_chain(from, chain) && tokens::is_listed_on_chain(to, chain))
}

impl Ledger {
    /// A quote at the present price. A swap within the same half minute settles exactly as quoted.
    pub fn quote_swap(from: &str, amount: &str, to: &str, now: Timestamp) -> Result<v1::Quote, RequestError> {
        swaps::to_v1_quote(&swaps::quote_requested_swap(from, amount, to, now)?)
    }

    /// Coins with a market.
    pub(in crate::service) fn market_coins() -> impl Iterator<Item = ListedCoin> {
        tokens::listed_coins().filter(|coin| swap_market::has_market(coin.symbol))
    }

    /// Pairs that a console requests quotes of: those that can be swapped, and each coin for that of a valuation.
    pub(in crate::service) fn pairs_to_quote(valuation: &str) -> impl Iterator<Item = (ListedCoin, ListedCoin)> {
        market_pairs().filter(move |(from, to)| to.symbol == valuation || can_be_swapped(*from, *to))
    }

    /// Pairs that can be swapped: two coins with a market on a common chain.
    pub fn swap_pairs(paging: Paging) -> Page<v1::SwapPair> {
        let pairs: Vec<_> = market_pairs()
            .filter(|(from, to)| can_be_swapped(*from, *to))
            .map(|(from, to)| v1::SwapPair { from_coin: from.symbol, to_coin: to.symbol })
            .collect();
        let total = pairs.len() as u64;
        let skipped = usize::try_from(paging.rows_before_page()).unwrap_or(usize::MAX);
        let page = pairs.into_iter().skip(skipped).take(usize::try_from(paging.rows_per_page()).unwrap_or(usize::MAX));
        Page::new(page.collect(), total, paging.page, paging.rows_per_page())
    }
}
