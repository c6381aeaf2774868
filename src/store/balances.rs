//! Balances of users as the service reported them, and the users whose balances to read next.

use rusqlite::{Connection, OptionalExtension, params, params_from_iter};

use super::pack::{Packer, Unpacker};
use super::{Store, StoreError, directory};
use crate::domain::history::Scope;
use crate::domain::{AccountId, ReportedAmount, ReportedBalance, Text, Timestamp, TokenKey, UserId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BalanceReading {
    pub user: UserId,
    pub balances: Vec<ReportedBalance>,
    /// When the service reported them.
    pub at: Timestamp,
}

impl Store {
    pub fn save_balances(&self, user: &UserId, balances: &[ReportedBalance], now: Timestamp) -> Result<(), StoreError> {
        self.save_balance_readings(&[BalanceReading { user: user.clone(), balances: balances.to_vec(), at: now }])
    }

    /// The same for several users, all or none.
    pub fn save_balance_readings(&self, readings: &[BalanceReading]) -> Result<(), StoreError> {
        if readings.is_empty() {
            return Ok(());
        }
        self.write_batch(|batch| {
            for BalanceReading { user, balances, at } in readings {
                let connection = batch.connection;
                directory::learn_user(batch, user)?;
                let before = balances_of_user(connection, user)?;
                // Most readings repeat the stored balances; then only their time is written.
                if before.is_none_or(|(before, _)| !has_same_balances(&before, balances)) {
                    batch.totals.remove_user(connection, user)?;
                    replace_balances(connection, user, balances)?;
                }
                connection
                    .prepare_cached("UPDATE user SET balances_at = ?2 WHERE id = ?1")?
                    .execute(params![user.as_str(), at.millis()])?;
            }
            batch.mark_changed();
            Ok(())
        })
    }

    /// The balances of a user and when they were read; `None` if they never were.
    pub fn balances(&self, user: &UserId) -> Result<Option<(Vec<ReportedBalance>, Timestamp)>, StoreError> {
        self.read_in_transaction(|connection| balances_of_user(connection, user))
    }

    /// Up to `n` users of a scope whose balances were read longest ago, those never read first.
    pub fn users_with_oldest_balances(&self, scope: &Scope, n: u32) -> Result<Vec<UserId>, StoreError> {
        self.read_in_transaction(|connection| {
            let (condition, id) = match scope {
                Scope::All => ("?1 = ''", ""),
                // Users are scanned in order where most are of the account, and sorted where few are.
                Scope::Account(id) if has_few_wallets(connection, id)? => {
                    ("id IN (SELECT DISTINCT user FROM wallet WHERE account = ?1)", id.as_str())
                }
                Scope::Account(id) => {
                    ("EXISTS (SELECT 1 FROM wallet WHERE wallet.user = user.id AND wallet.account = ?1)", id.as_str())
                }
                Scope::Wallet(id) => ("id = (SELECT user FROM wallet WHERE id = ?1)", id.as_str()),
                Scope::User(id) => ("id = ?1", id.as_str()),
            };
            let mut statement = connection
                .prepare_cached(&format!("SELECT id FROM user WHERE {condition} ORDER BY balances_at, id LIMIT ?2"))?;
            let rows = statement.query_map(params![id, n], |row| row.get::<_, String>(0))?;
            Ok(rows.map(|id| id.map(|id| UserId::read(&id))).collect::<Result<_, _>>()?)
        })
    }

    /// The number of users whose balances count towards the holdings of a scope.
    pub fn count_users_in_scope(&self, scope: &Scope) -> Result<u64, StoreError> {
        let (sql, id) = match scope {
            Scope::All => ("SELECT count(*) FROM user WHERE ?1 = ''", ""),
            Scope::Account(id) => ("SELECT count(DISTINCT user) FROM wallet WHERE account = ?1", id.as_str()),
            Scope::Wallet(_) | Scope::User(_) => return Ok(1),
        };
        self.read_in_transaction(|connection| {
            let count: i64 = connection.prepare_cached(sql)?.query_row([id], |row| row.get(0))?;
            Ok(u64::try_from(count).unwrap_or(0))
        })
    }

    /// The time of the oldest reading among the scope's users; `None` if one was never read or there is no user.
    pub fn oldest_balances_time(&self, scope: &Scope) -> Result<Option<Timestamp>, StoreError> {
        let due = self.users_with_oldest_balances(scope, 1)?;
        self.read_in_transaction(|connection| match due.first() {
            None => Ok(None),
            Some(user) => balances_read_at(connection, user),
        })
    }
}

/// Whether an account has so few wallets that visiting each of their users is cheap.
pub(super) fn has_few_wallets(connection: &Connection, account: &AccountId) -> Result<bool, StoreError> {
    let sql = "SELECT count(*) < 256 FROM (SELECT 1 FROM wallet WHERE account = ?1 LIMIT 256)";
    Ok(connection.prepare_cached(sql)?.query_row([account.as_str()], |row| row.get(0))?)
}

/// Whether two lists have the same balances, in any order.
fn has_same_balances(known: &[ReportedBalance], told: &[ReportedBalance]) -> bool {
    known.len() == told.len() && told.iter().all(|balance| known.contains(balance))
}

fn replace_balances(connection: &Connection, user: &UserId, balances: &[ReportedBalance]) -> Result<(), StoreError> {
    connection.prepare_cached("DELETE FROM balance WHERE user = ?1")?.execute([user.as_str()])?;
    let mut insert = connection.prepare_cached(
        "INSERT OR REPLACE INTO balance
             (user, chain, contract, symbol, name, amount, environment, updated_at, disputed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    for balance in balances {
        let mut amount = Packer::default();
        amount.reported_amount(&balance.amount);
        insert.execute(params![
            user.as_str(),
            balance.token.blockchain.as_str(),
            balance.token.contract.as_deref().unwrap_or(""),
            balance.symbol.as_str(),
            balance.name.as_deref(),
            amount.0,
            balance.environment.as_deref(),
            balance.updated_at.map(Timestamp::millis),
            matches!(balance.amount, ReportedAmount::Disputed { .. }),
        ])?;
    }
    Ok(())
}

fn balances_read_at(connection: &Connection, user: &UserId) -> Result<Option<Timestamp>, StoreError> {
    let at: Option<Option<i64>> = connection
        .prepare_cached("SELECT balances_at FROM user WHERE id = ?1")?
        .query_row([user.as_str()], |row| row.get(0))
        .optional()?;
    Ok(at.flatten().map(Timestamp::from_millis))
}

/// The balances of a user within the current transaction.
pub(super) fn balances_of_user(
    connection: &Connection,
    user: &UserId,
) -> Result<Option<(Vec<ReportedBalance>, Timestamp)>, StoreError> {
    let Some(at) = balances_read_at(connection, user)? else { return Ok(None) };
    Ok(Some((reported_balances(connection, user, None)?, at)))
}

/// The same on one chain, without their time.
pub(super) fn balances_of_user_on_chain(
    connection: &Connection,
    user: &UserId,
    chain: &str,
) -> Result<Option<Vec<ReportedBalance>>, StoreError> {
    balances_read_at(connection, user)?.map(|_| reported_balances(connection, user, Some(chain))).transpose()
}

fn reported_balances(
    connection: &Connection,
    user: &UserId,
    chain: Option<&str>,
) -> Result<Vec<ReportedBalance>, StoreError> {
    let mut sql =
        "SELECT chain, contract, symbol, name, amount, environment, updated_at FROM balance WHERE user = ?1".to_owned();
    if chain.is_some() {
        sql.push_str(" AND chain = ?2");
    }
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter([Some(user.as_str()), chain].into_iter().flatten()))?;
    let mut balances = Vec::new();
    while let Some(row) = rows.next()? {
        let text = |nth: usize| Ok::<_, StoreError>(row.get_ref(nth)?.as_str_or_null().map_err(rusqlite::Error::from)?);
        let clean = |nth: usize| Ok::<_, StoreError>(text(nth)?.map(Text::clean));
        let packed = row.get_ref(4)?.as_blob().map_err(rusqlite::Error::from)?;
        balances.push(ReportedBalance {
            user: user.clone(),
            token: TokenKey {
                blockchain: clean(0)?.unwrap_or_default(),
                contract: clean(1)?.filter(|contract| !contract.is_empty()),
            },
            symbol: clean(2)?.unwrap_or_default(),
            name: clean(3)?,
            amount: unpack_amount(packed)?,
            environment: clean(5)?,
            updated_at: row.get::<_, Option<i64>>(6)?.map(Timestamp::from_millis),
        });
    }
    Ok(balances)
}

pub(super) fn unpack_amount(packed: &[u8]) -> Result<ReportedAmount, StoreError> {
    Unpacker(packed).reported_amount().ok_or_else(|| StoreError::damaged("a balance cannot be read"))
}
