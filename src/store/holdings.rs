//! Holdings of accounts, wallets and users, from the best available source.
//!
//! No operation of the service returns the balance of a wallet or an account. Where all of a user's cached wallets on a
//! chain lie within the scope, the user's reported balance on that chain counts as theirs (`Assumed`, since there may
//! be wallets that the service has not listed). Otherwise a wallet's rows are summed, once the history is complete
//! (`Derived`). Otherwise the tokens on the wallet's chain are unknown, and so is every sum that includes them.

use std::collections::BTreeMap;

use rusqlite::{Connection, params_from_iter};

use super::cache_state::CacheState;
use super::{Store, StoreError, balance_rows, totals, wallet_totals};
use crate::domain::history::Scope;
use crate::domain::imitation::TokenCandidate;
use crate::domain::{
    Amount, BalanceBasis, Holding, ReportedAmount, ReportedBalance, Text, Timestamp, TokenKey, UserId, WalletId,
};

#[derive(Debug)]
pub(super) struct HoldingDraft {
    pub(super) holding: Holding,
    /// Whether a part was calculated from the history, and so is as old as the last sync of the newest rows.
    pub(super) derived: bool,
}

impl Store {
    /// Listed tokens first, then by number of digits; imitations of a listed token last.
    pub fn holdings(&self, scope: &Scope) -> Result<Vec<Holding>, StoreError> {
        self.read_in_transaction(|connection| {
            let state = CacheState::read(connection)?;
            let drafts = match scope {
                Scope::All | Scope::Account(_) => totals::read_scope_totals(connection, scope, state.is_whole())?,
                Scope::User(_) | Scope::Wallet(_) => sum_holdings_by_wallet(connection, scope, state.is_whole())?,
            };
            finish_holdings(self, connection, &state, drafts)
        })
    }

    /// The same, summed from every wallet of the scope.
    #[cfg(test)]
    pub(super) fn holdings_by_wallet_sums(&self, scope: &Scope) -> Result<Vec<Holding>, StoreError> {
        self.read_in_transaction(|connection| {
            let state = CacheState::read(connection)?;
            finish_holdings(self, connection, &state, sum_holdings_by_wallet(connection, scope, state.is_whole())?)
        })
    }
}

fn finish_holdings(
    store: &Store,
    connection: &Connection,
    state: &CacheState,
    drafts: Vec<HoldingDraft>,
) -> Result<Vec<Holding>, StoreError> {
    let head_at = state.head_at.map(Timestamp::from_millis);
    let imitations = store.imitation_cache(connection)?;
    let mut holdings: Vec<Holding> = Vec::with_capacity(drafts.len());
    for HoldingDraft { mut holding, derived } in drafts {
        if derived {
            holding.as_of = earlier_time(holding.as_of, head_at);
        }
        let candidate = TokenCandidate {
            token: &holding.token,
            symbol: &holding.symbol,
            name: holding.name.as_ref(),
            decimals: holding.amount.as_ref().map(|amount| amount.even_if_disputed().decimals()),
        };
        holding.suspicious = imitations.is_imitation(&candidate);
        holdings.push(holding);
    }
    holdings.sort_by(compare_holdings);
    Ok(holdings)
}

impl Store {
    /// The sum of a wallet's rows in a token; `None` where the history is incomplete, has a gap, or is ambiguous: a row
    /// of the token that names no wallet may be this wallet's.
    pub fn wallet_balance_from_history(
        &self,
        wallet: &WalletId,
        token: &TokenKey,
    ) -> Result<Option<Amount>, StoreError> {
        self.read_in_transaction(|connection| {
            if !CacheState::read(connection)?.is_whole() {
                return Ok(None);
            }
            let of_token = |wallet: &str| {
                let sums = wallet_totals::sums_of_wallet(connection, wallet)?.into_iter();
                let mut sums = sums.filter(|(chain, contract, _)| {
                    *chain == *token.blockchain && *contract == *token.contract.as_deref().unwrap_or_default()
                });
                Ok::<_, StoreError>(sums.next().map(|(_, _, sum)| sum))
            };
            if of_token(wallet_totals::NO_WALLET)?.is_some_and(|sum| !sum.is_empty()) {
                return Ok(None);
            }
            Ok(of_token(wallet.as_str())?.and_then(|sum| sum.amount()))
        })
    }
}

fn earlier_time(one: Option<Timestamp>, other: Option<Timestamp>) -> Option<Timestamp> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

#[derive(Default)]
struct HoldingSums {
    drafts: BTreeMap<TokenKey, HoldingDraft>,
    /// Chains where some wallet's tokens are unknown.
    unknown_chains: Vec<Text>,
}

impl HoldingSums {
    fn add_balance(
        &mut self,
        token: TokenKey,
        symbol: &str,
        name: Option<&str>,
        amount: Option<ReportedAmount>,
        basis: BalanceBasis,
        as_of: Option<Timestamp>,
    ) {
        let basis = if amount.is_some() { basis } else { BalanceBasis::Unknown };
        let derived = basis == BalanceBasis::Derived;
        let Some(draft) = self.drafts.get_mut(&token) else {
            let holding = Holding {
                token: token.clone(),
                symbol: Text::clean(symbol),
                name: name.map(Text::clean),
                amount,
                basis,
                as_of,
                suspicious: false,
            };
            self.drafts.insert(token, HoldingDraft { holding, derived });
            return;
        };
        let holding = &mut draft.holding;
        // Disputed amounts are left out of sums, and a sum that lacks a part is unknown.
        let amounts = holding
            .amount
            .as_ref()
            .and_then(ReportedAmount::exact)
            .zip(amount.as_ref().and_then(ReportedAmount::exact));
        holding.amount = amounts.and_then(|(one, other)| one.checked_add(other)).map(ReportedAmount::Exact);
        holding.basis = if holding.amount.is_some() { holding.basis.max(basis) } else { BalanceBasis::Unknown };
        holding.as_of = earlier_time(holding.as_of, as_of);
        draft.derived |= derived;
    }
}

type BalancesWithTime = (Vec<ReportedBalance>, Timestamp);

struct WalletWithUser {
    id: String,
    chain: String,
    user: Option<String>,
}

fn read_wallets_with_users(connection: &Connection, scope: &Scope) -> Result<Vec<WalletWithUser>, StoreError> {
    let (condition, id) = match scope {
        Scope::All => ("1", None),
        Scope::Account(id) => ("account = ?1", Some(id.as_str())),
        Scope::Wallet(id) => ("id = ?1", Some(id.as_str())),
        Scope::User(id) => ("user = ?1", Some(id.as_str())),
    };
    let mut statement =
        connection.prepare_cached(&format!("SELECT id, blockchain, user FROM wallet WHERE {condition}"))?;
    let rows = statement.query_map(params_from_iter(id), |row| {
        Ok(WalletWithUser { id: row.get(0)?, chain: row.get(1)?, user: row.get(2)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The sums of a scope, added up wallet by wallet. Sums of rows count only if `trusted`.
fn sum_holdings_by_wallet(
    connection: &Connection,
    scope: &Scope,
    trusted: bool,
) -> Result<Vec<HoldingDraft>, StoreError> {
    let mut sums = HoldingSums::default();
    let mut groups: BTreeMap<(Option<String>, String), Vec<String>> = BTreeMap::new();
    for wallet in read_wallets_with_users(connection, scope)? {
        groups.entry((wallet.user, wallet.chain)).or_default().push(wallet.id);
    }
    // A user's balances are read once for all chains; groups of one user are adjacent.
    let mut reported: Option<(String, Option<BalancesWithTime>)> = None;
    let mut wallets_of_user =
        connection.prepare_cached("SELECT count(*) FROM wallet WHERE user = ?1 AND blockchain = ?2")?;
    if let Scope::User(id) = scope
        && let Some((balances, at)) = balance_rows::balances_of_user(connection, id)?
    {
        for balance in balances {
            let name = balance.name.as_deref();
            sums.add_balance(
                balance.token,
                &balance.symbol,
                name,
                Some(balance.amount),
                BalanceBasis::Reported,
                Some(at),
            );
        }
        groups.clear();
    }
    for ((user, chain), wallets) in groups {
        if let Some(user) = &user {
            if reported.as_ref().is_none_or(|(reported_user, _)| reported_user != user) {
                reported = Some((user.clone(), balance_rows::balances_of_user(connection, &UserId::from_text(user))?));
            }
            let wallet_count: i64 = wallets_of_user.query_row([user, &chain], |row| row.get(0))?;
            if usize::try_from(wallet_count) == Ok(wallets.len())
                && let Some((_, Some((balances, at)))) = &reported
            {
                for balance in balances.iter().filter(|balance| *balance.token.blockchain == *chain) {
                    let (name, amount) = (balance.name.as_deref(), Some(balance.amount.clone()));
                    sums.add_balance(
                        balance.token.clone(),
                        &balance.symbol,
                        name,
                        amount,
                        BalanceBasis::Assumed,
                        Some(*at),
                    );
                }
                continue;
            }
        }
        if !trusted {
            sums.unknown_chains.push(Text::clean(&chain));
        }
        for wallet in wallets {
            for (chain, contract, sum) in wallet_totals::sums_of_wallet(connection, &wallet)? {
                let contract = (!contract.is_empty()).then(|| Text::clean(&contract));
                let token = TokenKey { blockchain: Text::clean(&chain), contract };
                let amount = if trusted { sum.amount().map(ReportedAmount::Exact) } else { None };
                sums.add_balance(token, &sum.symbol, sum.name.as_deref(), amount, BalanceBasis::Derived, None);
            }
        }
    }
    let mut drafts: Vec<HoldingDraft> = sums.drafts.into_values().collect();
    for draft in &mut drafts {
        let holding = &mut draft.holding;
        if sums.unknown_chains.contains(&holding.token.blockchain) {
            holding.amount = None;
            holding.basis = BalanceBasis::Unknown;
            draft.derived = false;
        }
    }
    Ok(drafts)
}

fn compare_holdings(one: &Holding, other: &Holding) -> std::cmp::Ordering {
    let amount = |holding: &Holding| holding.amount.as_ref().map_or(Amount::zero(0), ReportedAmount::even_if_disputed);
    one.suspicious
        .cmp(&other.suspicious)
        .then_with(|| one.amount.is_none().cmp(&other.amount.is_none()))
        .then_with(|| amount(other).cmp_value(amount(one)))
        .then_with(|| one.symbol.cmp(&other.symbol))
        .then_with(|| one.token.cmp(&other.token))
}
