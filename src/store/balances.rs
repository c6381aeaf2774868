//! Balances of users as the service reported them, and the users whose balances to read next.

use rusqlite::{Connection, params};

use super::balance_rows::{balances_of_user, balances_read_at, replace_balances};
use super::{Store, StoreError, directory};
use crate::domain::history::Scope;
use crate::domain::{AccountId, ReportedBalance, Timestamp, UserId};

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
        self.with_write_batch(|batch| {
            for BalanceReading { user, balances, at } in readings {
                let connection = batch.connection;
                directory::add_user_by_id(batch, user)?;
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
    pub fn balances_of_user(&self, user: &UserId) -> Result<Option<(Vec<ReportedBalance>, Timestamp)>, StoreError> {
        self.read_in_transaction(|connection| balances_of_user(connection, user))
    }

    /// Up to `n` users of a scope whose balances were read longest ago, those never read first.
    pub fn users_with_oldest_balances(&self, scope: &Scope, n: u32) -> Result<Vec<UserId>, StoreError> {
        self.read_in_transaction(|connection| {
            let (condition, id) = match scope {
                Scope::All => ("?1 = ''", ""),
                // Users are scanned in order where most are of the account, and sorted where few are.
                Scope::Account(id) if is_small_account(connection, id)? => {
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
            Ok(rows.map(|id| id.map(|id| UserId::from_text(&id))).collect::<Result<_, _>>()?)
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
pub(super) fn is_small_account(connection: &Connection, account: &AccountId) -> Result<bool, StoreError> {
    let sql = "SELECT count(*) < 256 FROM (SELECT 1 FROM wallet WHERE account = ?1 LIMIT 256)";
    Ok(connection.prepare_cached(sql)?.query_row([account.as_str()], |row| row.get(0))?)
}

/// Whether two lists have the same balances, in any order.
fn has_same_balances(cached_balances: &[ReportedBalance], reported: &[ReportedBalance]) -> bool {
    cached_balances.len() == reported.len() && reported.iter().all(|balance| cached_balances.contains(balance))
}
