//! Readings for watches, from the store.

mod names;
mod rows;

use crate::domain::entry_source::Sourced;
use crate::domain::history::Scope;
use crate::domain::watch::{ScopedReading, Watch, WatchFigure, WatchReading, WatchScope};
use crate::domain::{
    Account, AddressBook, Amount, Chain, Holding, ReportedAmount, Text, Timestamp, Transaction, Wallet,
};
use crate::store::{Store, StoreError};
use names::TokenNameCheck;
use rows::RecentRows;
pub use rows::read_facts_for_watch_trial;

/// Most wallets searched for a name.
const MAX_SEARCHED_WALLETS: u32 = 64;
/// Most pending rows searched.
const MAX_SEARCHED_PENDING_ROWS: u32 = 2_000;

/// The reading of each watch, in the order of the watches.
///
/// # Errors
/// If the store cannot be read.
pub fn read_watches(store: &Store, watches: &[Watch], book: &AddressBook) -> Result<Vec<ScopedReading>, StoreError> {
    let names = TokenNameCheck::new(store);
    let mut rows = RecentRows::default();
    watches.iter().map(|watch| read_watch(store, &names, watch, book, &mut rows)).collect()
}

fn read_watch(
    store: &Store,
    names: &TokenNameCheck<'_>,
    watch: &Watch,
    book: &AddressBook,
    rows: &mut RecentRows,
) -> Result<ScopedReading, StoreError> {
    if watch.is_of_total() {
        // Only a console has prices: it values the total by itself.
        let reading = WatchReading::Unknown("the total is valued only by a console that stays open".into());
        return Ok(ScopedReading { scope: Some(Scope::All), reading, users: store.count_users_in_scope(&Scope::All)? });
    }
    let scope = match find_watch_scope(store, names, &watch.scope)? {
        Ok(scope) => scope,
        Err(reading) => return Ok(ScopedReading { scope: None, reading, users: 0 }),
    };
    let mut reading = match watch.condition.figure() {
        WatchFigure::OldestPending { .. } => measure_pending(store, watch, &scope)?,
        WatchFigure::Balance => measure_balance(&store.holdings(&scope)?, watch),
        WatchFigure::RowSum | WatchFigure::RowCount | WatchFigure::StuckCount => {
            rows.measure_watch(store, watch, &scope, book)?
        }
    };
    // An unknown token has neither balances nor pending rows.
    if matches!(reading, WatchReading::Unknown(_) | WatchReading::Pending { count: 0, .. })
        && let Some(reason) = names.unknown_token_reason(watch)?
    {
        reading = WatchReading::NotFound(reason);
    }
    let users = store.count_users_in_scope(&scope)?;
    Ok(ScopedReading { scope: Some(scope), reading, users })
}

/// The one account or wallet with that name or identifier, or else the reading to report.
fn find_watch_scope(
    store: &Store,
    names: &TokenNameCheck<'_>,
    watch_scope: &WatchScope,
) -> Result<Result<Scope, WatchReading>, StoreError> {
    Ok(match watch_scope {
        WatchScope::Everything => Ok(Scope::All),
        WatchScope::Account(word) => {
            let accounts = store.accounts()?;
            let is_named = |account: &&Sourced<Account>| {
                account.entry.id.as_str() == word.as_str() || account.entry.name.as_ref() == Some(word)
            };
            let mut matches = accounts.iter().filter(is_named).map(|account| Scope::Account(account.entry.id.clone()));
            require_single_scope(names, (matches.next(), matches.next()), "account", word)?
        }
        WatchScope::Wallet(word) => {
            let wallets = store.wallets(&Scope::All, word, 0, MAX_SEARCHED_WALLETS)?.rows;
            let is_named = |wallet: &&Sourced<Wallet>| {
                wallet.entry.id.as_str() == word.as_str() || wallet.entry.name.as_ref() == Some(word)
            };
            let mut matches = wallets.iter().filter(is_named).map(|wallet| Scope::Wallet(wallet.entry.id.clone()));
            require_single_scope(names, (matches.next(), matches.next()), "wallet", word)?
        }
    })
}

fn require_single_scope(
    names: &TokenNameCheck<'_>,
    candidates: (Option<Scope>, Option<Scope>),
    kind: &str,
    word: &Text,
) -> Result<Result<Scope, WatchReading>, StoreError> {
    Ok(Err(match candidates {
        (Some(scope), None) => return Ok(Ok(scope)),
        (Some(_), Some(_)) => {
            WatchReading::NotFound(format!("several {kind}s are called {word}; write the identifier instead"))
        }
        (None, _) if names.is_history_complete()? => WatchReading::NotFound(format!(
            "no {kind} called {word} is known; correct the profile, or add it with `bursar directory add`"
        )),
        (None, _) => WatchReading::Unknown(format!(
            "no {kind} called {word} is known yet: the history has not been read in full"
        )),
    }))
}

/// The balance of the token: the exact sum of all known balances, or why there is none.
fn measure_balance(holdings: &[Holding], watch: &Watch) -> WatchReading {
    let token = watch.token.as_deref().unwrap_or_default();
    let is_watched_holding = |holding: &&Holding| {
        !holding.suspicious
            && holding.symbol.eq_ignore_ascii_case(token)
            && is_on_blockchain(&holding.token.blockchain, watch.chain.as_ref())
    };
    let mut sum: Option<(Amount, Timestamp)> = None;
    for holding in holdings.iter().filter(is_watched_holding) {
        let chain = &holding.token.blockchain;
        let (amount, as_of) = match (&holding.amount, holding.as_of) {
            (Some(ReportedAmount::Exact(amount)), Some(as_of)) => (*amount, as_of),
            (Some(ReportedAmount::Disputed { .. }), _) => {
                return WatchReading::Unknown(format!("the service contradicts itself about the balance on {chain}"));
            }
            _ => return WatchReading::Unknown(format!("the balance on {chain} is not known")),
        };
        sum = match sum {
            None => Some((amount, as_of)),
            Some((before, oldest)) => match before.checked_add_rescaled(amount) {
                Some(sum) => Some((sum, oldest.min(as_of))),
                None => return WatchReading::Unknown("the sum is larger than an amount can be".into()),
            },
        };
    }
    // No known balance is not a balance of zero.
    sum.map_or_else(
        || WatchReading::Unknown(format!("no balance of {token} is known")),
        |(amount, as_of)| WatchReading::Balance { amount, as_of },
    )
}

/// Whether a blockchain is the wanted one, by any of its names.
fn is_on_blockchain(blockchain: &str, name: Option<&Text>) -> bool {
    name.is_none_or(|name| {
        let slug_of = |word: &str| Chain::find(word).map(|chain| chain.slug);
        blockchain.eq_ignore_ascii_case(name) || slug_of(blockchain).is_some_and(|slug| slug_of(name) == Some(slug))
    })
}

/// The number of pending transactions, and since when.
fn measure_pending(store: &Store, watch: &Watch, scope: &Scope) -> Result<WatchReading, StoreError> {
    let Some(as_of) = store.newest_rows_synced_at()? else {
        return Ok(WatchReading::Unknown("the history was not read yet".into()));
    };
    let is_match = |transaction: &Transaction| is_transaction_watched(watch, scope, transaction);
    let rows = store.pending_rows(MAX_SEARCHED_PENDING_ROWS)?;
    let times: Vec<Timestamp> = rows
        .iter()
        .filter(|(_, transaction)| is_match(transaction))
        .map(|(seen_at, transaction)| transaction.reported_time().unwrap_or(*seen_at))
        .collect();
    let count = u64::try_from(times.len()).unwrap_or(u64::MAX);
    Ok(WatchReading::Pending { oldest: times.into_iter().min(), count, as_of })
}

/// Whether a row is of a watch's scope, token and chain.
fn is_transaction_watched(watch: &Watch, scope: &Scope, transaction: &Transaction) -> bool {
    let within = match scope {
        Scope::All => true,
        Scope::Account(id) => transaction.account.as_ref() == Some(id),
        Scope::Wallet(id) => transaction.wallet.as_ref() == Some(id),
        Scope::User(id) => transaction.user.as_ref() == Some(id),
    };
    let of_token = watch.token.as_ref().is_none_or(|token| transaction.symbol.eq_ignore_ascii_case(token));
    within && of_token && is_on_blockchain(&transaction.token.blockchain, watch.chain.as_ref())
}
