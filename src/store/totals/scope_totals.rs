//! Reads stored sums.

use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};

use rusqlite::{Connection, params};

use super::group::{GroupContents, WalletGroupKey, scope_key};
use super::total_row::{INEXACT_DECIMALS, TotalRow, narrow_amount, read_total_row};
use crate::domain::history::Scope;
use crate::domain::{Amount, BalanceBasis, Holding, ReportedAmount, Text, Timestamp, TokenKey, UserId};
use crate::store::holdings::HoldingDraft;
use crate::store::{StoreError, balance_rows, balances};

/// Users examined to find the age of a sum, those first whose balances were read longest ago.
const MAX_EXAMINED_USERS: u32 = 16;

/// The sums of an account or of the workspace, without order or imitation check. Sums of rows count only if `trusted`.
pub(in crate::store) fn read_scope_totals(
    connection: &Connection,
    scope: &Scope,
    trusted: bool,
) -> Result<Vec<HoldingDraft>, StoreError> {
    let unknown = if trusted { BTreeSet::new() } else { chains_summed_from_rows(connection, scope)? };
    let mut tokens = total_rows_by_token(connection, scope)?;
    let assumed = tokens.iter().filter(|(_, rows)| rows.iter().any(|(_, row)| row.assumed > 0));
    let ages = BalanceAges::read(connection, scope, assumed.map(|(token, _)| token.clone()).collect())?;
    let mut parts = Vec::with_capacity(tokens.len());
    while let Some((token, mut rows)) = tokens.pop_first() {
        let in_doubt = unknown.contains(&*token.blockchain);
        let derived = trusted && rows.iter().any(|(decimals, row)| *decimals != INEXACT_DECIMALS && row.derived > 0);
        let assumed = rows.iter().any(|(_, row)| row.assumed > 0);
        let Some((decimals, last)) = rows.pop() else { continue };
        let alone = rows.is_empty();
        let sure = alone && !in_doubt && (trusted || last.derived == 0);
        let amount = match (decimals, last.assumed, last.derived) {
            _ if !sure => None,
            // A single part is shown with the conflicting amounts that the service reports.
            (INEXACT_DECIMALS, 1, 0) => disputed_balance(connection, scope, &token)?,
            (INEXACT_DECIMALS, ..) => None,
            (decimals, ..) => exact_amount(&last, decimals),
        };
        let basis = match &amount {
            None => BalanceBasis::Unknown,
            Some(_) if last.derived > 0 => BalanceBasis::Derived,
            Some(_) => BalanceBasis::Assumed,
        };
        let as_of = if assumed { ages.oldest_time_of_token(&token) } else { None };
        let (symbol, name) = (Text::clean(&last.symbol), last.name.as_deref().map(Text::clean));
        let holding = Holding { token, symbol, name, amount, basis, as_of, suspicious: false };
        parts.push(HoldingDraft { holding, derived: derived && !in_doubt });
    }
    Ok(parts)
}

fn exact_amount(row: &TotalRow, decimals: i64) -> Option<ReportedAmount> {
    Amount::new(narrow_amount(row.amount)?, u8::try_from(decimals).ok()?).map(ReportedAmount::Exact)
}

/// Chains where wallets of a scope are summed from rows.
fn chains_summed_from_rows(connection: &Connection, scope: &Scope) -> Result<BTreeSet<String>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT chain FROM summed WHERE scope = ?1 AND wallets > 0")?;
    let chains = statement.query_map([scope_key(scope)], |row| row.get(0))?;
    Ok(chains.collect::<Result<_, _>>()?)
}

/// The rows of each token, those without exact amounts first.
type TotalRowsByToken = BTreeMap<TokenKey, Vec<(i64, TotalRow)>>;

fn total_rows_by_token(connection: &Connection, scope: &Scope) -> Result<TotalRowsByToken, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT symbol, name, amount, assumed, derived, chain, contract, decimals FROM total WHERE scope = ?1
         ORDER BY chain, contract, decimals",
    )?;
    let mut rows = statement.query([scope_key(scope)])?;
    let mut tokens = TotalRowsByToken::new();
    while let Some(row) = rows.next()? {
        tokens.entry(read_token_key(row, 5)?).or_default().push((row.get(7)?, read_total_row(row)?));
    }
    Ok(tokens)
}

fn read_token_key(row: &rusqlite::Row<'_>, first: usize) -> rusqlite::Result<TokenKey> {
    let (chain, contract): (String, String) = (row.get(first)?, row.get(first + 1)?);
    let contract = (!contract.is_empty()).then(|| Text::clean(&contract));
    Ok(TokenKey { blockchain: Text::clean(&chain), contract })
}

/// The one balance of a token in a scope that is not an exact amount.
fn disputed_balance(
    connection: &Connection,
    scope: &Scope,
    token: &TokenKey,
) -> Result<Option<ReportedAmount>, StoreError> {
    let mut statement = connection
        .prepare_cached("SELECT user, amount FROM balance WHERE disputed AND chain = ?1 AND contract = ?2")?;
    let mut rows = statement.query(params![&*token.blockchain, token.contract.as_deref().unwrap_or("")])?;
    while let Some(row) = rows.next()? {
        let (user, chain): (String, String) = (row.get(0)?, token.blockchain.to_string());
        if is_group_within_scope(connection, scope, &WalletGroupKey::UserWallets { user, chain })? {
            return Ok(Some(balance_rows::unpack_amount(row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?)?));
        }
    }
    Ok(None)
}

fn is_group_within_scope(connection: &Connection, scope: &Scope, group: &WalletGroupKey) -> Result<bool, StoreError> {
    Ok(GroupContents::read(connection, group)?.scopes().get(&scope_key(scope)) == Some(&true))
}

/// The reading time of each token's oldest reported part: exact for tokens of the users whose balances were read
/// longest ago. Other tokens get the time of the last user examined: older than they are, never younger.
struct BalanceAges {
    by_token: BTreeMap<TokenKey, Timestamp>,
    others: Option<Timestamp>,
}

impl BalanceAges {
    fn read(connection: &Connection, scope: &Scope, mut tokens: BTreeSet<TokenKey>) -> Result<Self, StoreError> {
        let mut ages = Self { by_token: BTreeMap::new(), others: None };
        if tokens.is_empty() {
            return Ok(ages);
        }
        for (user, at) in users_read_longest_ago(connection, scope)? {
            ages.others = Some(at);
            if tokens.is_empty() {
                break;
            }
            for token in tokens_of_user_in_scope(connection, scope, &user)? {
                if tokens.remove(&token) {
                    ages.by_token.insert(token, at);
                }
            }
        }
        Ok(ages)
    }

    fn oldest_time_of_token(&self, token: &TokenKey) -> Option<Timestamp> {
        self.by_token.get(token).copied().or(self.others)
    }
}

/// Users of a scope whose balances were read longest ago, with the time of reading: all of them if they are few.
fn users_read_longest_ago(connection: &Connection, scope: &Scope) -> Result<Vec<(UserId, Timestamp)>, StoreError> {
    let user = |row: &rusqlite::Row<'_>| {
        Ok((UserId::from_text(&row.get::<_, String>(0)?), Timestamp::from_millis(row.get(1)?)))
    };
    if let Scope::Account(id) = scope
        && balances::is_small_account(connection, id)?
    {
        let mut statement = connection.prepare_cached(
            "SELECT id, balances_at FROM user
             WHERE balances_at IS NOT NULL AND id IN (SELECT user FROM wallet WHERE account = ?1)
             ORDER BY balances_at, id",
        )?;
        return Ok(statement.query_map([id.as_str()], user)?.collect::<Result<_, _>>()?);
    }
    let mut statement = connection.prepare_cached(
        "SELECT id, balances_at FROM user WHERE balances_at IS NOT NULL ORDER BY balances_at, id LIMIT ?1",
    )?;
    Ok(statement.query_map([MAX_EXAMINED_USERS], user)?.collect::<Result<_, _>>()?)
}

/// The tokens of a user whose reported balances count in a scope.
fn tokens_of_user_in_scope(connection: &Connection, scope: &Scope, user: &UserId) -> Result<Vec<TokenKey>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT chain, contract FROM balance WHERE user = ?1")?;
    let mut tokens: Vec<TokenKey> =
        statement.query_map([user.as_str()], |row| read_token_key(row, 0))?.collect::<Result<_, _>>()?;
    let mut chains: BTreeMap<String, bool> = BTreeMap::new();
    for token in &tokens {
        if let Entry::Vacant(unknown) = chains.entry(token.blockchain.to_string()) {
            let group = WalletGroupKey::UserWallets { user: user.to_string(), chain: unknown.key().clone() };
            unknown.insert(is_group_within_scope(connection, scope, &group)?);
        }
    }
    tokens.retain(|token| chains.get(&*token.blockchain) == Some(&true));
    Ok(tokens)
}
