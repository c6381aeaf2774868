//! Iterates over a whole list: for exports, which read every entry once.

use std::ops::ControlFlow;

use rusqlite::params_from_iter;

use super::entry::StoredEntry;
use super::{search_condition, wallet_scope_condition};
use crate::domain::entry_source::Sourced;
use crate::domain::history::Scope;
use crate::domain::{User, Wallet};
use crate::store::{Cancel, Store, StoreError};

impl Store {
    /// Passes every wallet of a scope that contains each word of `text` to `each`, in the order of
    /// [`wallets`](Self::wallets), with the total count, from one unchanging snapshot.
    ///
    /// # Errors
    /// [`StoreError::Cancelled`] when it was cancelled; others where the cache cannot be read.
    pub fn walk_wallets(
        &self,
        scope: &Scope,
        text: &str,
        cancel: &Cancel,
        each: &mut dyn FnMut(u64, Sourced<Wallet>) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.walk_entries(wallet_scope_condition(scope), text, cancel, each)
    }

    /// The same for users, in the order of [`users`](Self::users).
    ///
    /// # Errors
    /// As for [`walk_wallets`](Self::walk_wallets).
    pub fn walk_users(
        &self,
        text: &str,
        cancel: &Cancel,
        each: &mut dyn FnMut(u64, Sourced<User>) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.walk_entries(None, text, cancel, each)
    }

    fn walk_entries<T: StoredEntry>(
        &self,
        scope: Option<(&str, &str)>,
        text: &str,
        cancel: &Cancel,
        each: &mut dyn FnMut(u64, Sourced<T>) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let (table, columns) = (T::TABLE, T::COLUMNS);
        let (wheres, values) = search_condition(scope, text);
        self.read_in_transaction(|connection| {
            let total: i64 = connection
                .prepare_cached(&format!("SELECT count(*) FROM {table} WHERE {wheres}"))?
                .query_row(params_from_iter(&values), |row| row.get(0))?;
            let total = u64::try_from(total).unwrap_or(0);
            let sql = format!("SELECT {columns} FROM {table} WHERE {wheres} ORDER BY sort");
            let mut statement = connection.prepare_cached(&sql)?;
            let mut rows = statement.query(params_from_iter(&values))?;
            while let Some(row) = rows.next()? {
                cancel.check()?;
                if each(total, T::read_row(row)?).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }
}
