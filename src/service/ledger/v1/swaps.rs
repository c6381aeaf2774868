//! Instant swaps of v1: within one wallet of a sub-wallet or the Prime Wallet, whichever has what is sold.

use uuid::Uuid;

use super::owners::Owner;
use crate::domain::Timestamp;
use crate::service::ledger::Ledger;
use crate::service::ledger::asks::Paging;
use crate::service::ledger::books::Books;
use crate::service::ledger::passages::Words;
use crate::service::ledger::refusal::Refusal;
use crate::service::ledger::render::{Page, v1};
use crate::service::ledger::{swaps, tokens};
use crate::service::{chain, market};

/// A swap of v1.
#[derive(Debug, Clone)]
pub struct NewV1Swap {
    /// The sub-wallet or the Prime Wallet whose coins are swapped.
    pub wallet: Uuid,
    /// Symbol of what is sold.
    pub from: String,
    /// How much of it leaves the wallet, the fee included, as it was written.
    pub amount: String,
    /// Symbol of what is bought.
    pub to: String,
    /// The business's own reference.
    pub ext_id: Option<String>,
}

impl Books<'_> {
    /// Accepts a swap at the price of now, out of the first wallet that has what is sold on a chain where both coins
    /// live.
    pub fn swap_v1(&mut self, new: &NewV1Swap) -> Result<v1::Swap, Refusal> {
        let owner = Owner::find(self.connection, self.workspace.tenant, new.wallet)?;
        let quote = swaps::quoted(&new.from, &new.amount, &new.to, self.now)?;
        let words = Words { ref_id: new.ext_id.as_deref(), ..Words::default() };
        let mut refused = Refusal::impossible("there is no wallet on a chain where both coins live");
        let both =
            |chain: &&crate::domain::Chain| tokens::lives_on(quote.from, chain) && tokens::lives_on(quote.to, chain);
        for chain in chain::served().filter(both) {
            for wallet in owner.wallets(self.connection, self.workspace.tenant, chain)? {
                match self.exchange(&wallet, &quote, words) {
                    Ok(done) => {
                        return Ok(v1::Swap { swap_id: done.group.to_string(), quote: swaps::shown(&quote)? });
                    }
                    // A wallet that has too little is passed over, and has changed nothing.
                    Err(refusal @ Refusal::Impossible(_)) => refused = refusal,
                    Err(other) => return Err(other),
                }
            }
        }
        Err(refused)
    }
}

impl Ledger {
    /// What a swap gives now. A swap in the same half minute gives just that.
    pub fn quote(from: &str, amount: &str, to: &str, now: Timestamp) -> Result<v1::Quote, Refusal> {
        swaps::shown(&swaps::quoted(from, amount, to, now)?)
    }

    /// A page of the pairs that can be swapped: two coins with a market that live on one chain.
    pub fn swap_pairs(paging: Paging) -> Page<v1::SwapPair> {
        let together =
            |from, to| chain::served().any(|chain| tokens::lives_on(from, chain) && tokens::lives_on(to, chain));
        let pairs: Vec<_> = tokens::coins()
            .flat_map(|from| tokens::coins().map(move |to| (from, to)))
            .filter(|(from, to)| from != to && together(*from, *to))
            .filter(|(from, to)| market::trades(from.symbol) && market::trades(to.symbol))
            .map(|(from, to)| v1::SwapPair { from_coin: from.symbol, to_coin: to.symbol })
            .collect();
        let total = pairs.len() as u64;
        let skipped = usize::try_from(paging.skipped()).unwrap_or(usize::MAX);
        let some = pairs.into_iter().skip(skipped).take(usize::try_from(paging.rows()).unwrap_or(usize::MAX));
        Page::new(some.collect(), total, paging.page, paging.rows())
    }
}
