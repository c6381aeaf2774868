//! The paying side of a request from elsewhere, which has no more than a name for it.

use crate::domain::draft::Sender;
use crate::domain::history::Scope;
use crate::domain::{AccountId, Amount, Draft, Holding, ReportedAmount, UserId, Wallet, chain};
use crate::store::{Store, StoreError};

/// The most wallets of a payer that are searched for the token.
const MAX_WALLETS: u32 = 500;

/// The wallet that a request pays from, with the exact amount in its token; `None` where the cache lacks one of them, or
/// where the symbol means two tokens there. A request by version 1 names a sub-wallet or the Prime Wallet, any wallet of
/// which may pay: the one that holds most is taken for the payer.
pub fn find_sender_in_store(store: &Store, draft: &Draft) -> Result<Option<Sender>, StoreError> {
    let (payers, symbol, blockchain) = if let Draft::InstantSwap(swap) = draft {
        (possible_scopes_of_sub_wallet(swap.sub_wallet.as_str()), &swap.from, None)
    } else if let Draft::Swap(swap) = draft {
        (vec![Scope::Wallet(swap.wallet.clone())], &swap.from, Some(&swap.blockchain))
    } else if let Some(payment) = draft.payment_details() {
        let payers = if let Draft::Payment(_) = draft {
            possible_scopes_of_sub_wallet(payment.wallet.as_str())
        } else {
            vec![Scope::Wallet(payment.wallet.clone())]
        };
        (payers, payment.token, Some(payment.blockchain))
    } else {
        return Ok(None);
    };
    let is_on_chain = |name: &str| blockchain.is_none_or(|chain_name| chain::is_same_chain(chain_name, name));
    let is_wanted = |holding: &Holding| {
        holding.symbol.eq_ignore_ascii_case(symbol) && is_on_chain(&holding.token.blockchain) && !holding.suspicious
    };
    let mut largest: Option<(Wallet, Holding, Amount)> = None;
    for payer in payers {
        let wallets = store.wallets(&payer, "", 0, MAX_WALLETS)?.rows.into_iter().map(|wallet| wallet.entry);
        for wallet in wallets {
            let holdings = store.holdings(&Scope::Wallet(wallet.id.clone()))?;
            let mut candidates = holdings.into_iter().filter(is_wanted);
            let Some(holding) = candidates.next() else { continue };
            if candidates.next().is_some() {
                return Ok(None);
            }
            let Some(balance) = holding.amount.as_ref().map(ReportedAmount::even_if_disputed) else { continue };
            if largest.as_ref().is_none_or(|(_, _, most)| balance.cmp_value(*most).is_gt()) {
                largest = Some((wallet, holding, balance));
            }
        }
    }
    let Some((wallet, holding, balance)) = largest else { return Ok(None) };
    let Some(amount) = draft.total_amount(balance.decimals()) else { return Ok(None) };
    let Wallet { name, address, account, user, .. } = wallet;
    Ok(Some(Sender { name, address, account, user, token: holding.token, amount }))
}

/// Version 1 calls a user a sub-wallet, and the settlement account the Prime Wallet.
fn possible_scopes_of_sub_wallet(id: &str) -> Vec<Scope> {
    vec![Scope::User(UserId::from_text(id)), Scope::Account(AccountId::from_text(id))]
}
