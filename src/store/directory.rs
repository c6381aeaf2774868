//! The directory: accounts, wallets and users, each with its source.
//!
//! Fields are merged one by one: a stronger source wins, and an absent field never erases a value. An import may add a
//! wallet's address, chain and owner, but never overrides what the service reports of them.

mod addresses;
mod entry;
mod user_order;
mod walk;

use rusqlite::types::Value;
use rusqlite::{OptionalExtension, ToSql, params_from_iter};

use super::cache_state::CacheState;
use super::write::WriteBatch;
use super::{Store, StoreError};
use crate::domain::directory::DirectoryEntry as Imported;
use crate::domain::entry_source::{EntrySource, Sourced};
use crate::domain::filter::fold_case;
use crate::domain::history::{RowCount, Scope, Window};
use crate::domain::{Account, DirectoryImport, Transaction, User, UserId, Wallet};

use entry::StoredEntry;

/// Adds what a transaction reports: its account, its wallet with address and chain, its user.
pub(super) fn add_entries_of_transaction(
    batch: &mut WriteBatch<'_>,
    transaction: &Transaction,
) -> Result<(), StoreError> {
    if let Some(id) = &transaction.account {
        Account::new(id.clone()).save(batch, EntrySource::History)?;
    }
    if let Some(id) = &transaction.user {
        add_user_by_id(batch, id)?;
    }
    if let Some(id) = &transaction.wallet {
        let wallet = Wallet {
            address: transaction.own_wallet_address().cloned(),
            network: transaction.network.clone(),
            user: transaction.user.clone(),
            account: transaction.account.clone(),
            ..Wallet::new(id.clone(), transaction.token.blockchain.clone())
        };
        wallet.save(batch, EntrySource::History)?;
    }
    Ok(())
}

/// Adds a user by identifier alone.
pub(super) fn add_user_by_id(batch: &mut WriteBatch<'_>, id: &UserId) -> Result<bool, StoreError> {
    let user =
        User { id: id.clone(), display_name: None, ref_id: None, email: None, is_active: None, created_at: None };
    user.save(batch, EntrySource::History)
}

/// Saves entries; whether any of them was new or changed.
fn save_entries<T: StoredEntry>(
    batch: &mut WriteBatch<'_>,
    entries: &[T],
    source: EntrySource,
) -> Result<bool, StoreError> {
    let mut has_changed = false;
    for entry in entries {
        has_changed |= entry.save(batch, source)?;
    }
    Ok(has_changed)
}

impl Store {
    fn save_entries<T: StoredEntry>(&self, entries: &[T], source: EntrySource) -> Result<(), StoreError> {
        self.with_write_batch(|batch| save_entries(batch, entries, source).map(drop))
    }

    pub fn save_accounts(&self, accounts: &[Account], source: EntrySource) -> Result<(), StoreError> {
        self.with_write_batch(|batch| {
            if save_entries(batch, accounts, source)? {
                entry::sort_customer_wallets_last(batch.connection)?;
            }
            Ok(())
        })
    }

    pub fn save_wallets(&self, wallets: &[Wallet], source: EntrySource) -> Result<(), StoreError> {
        self.save_entries(wallets, source)
    }

    pub fn save_users(&self, users: &[User], source: EntrySource) -> Result<(), StoreError> {
        self.save_entries(users, source)
    }

    /// Wallets for which the service reported another address that no operator has reviewed; a hundred at most.
    pub fn wallets_with_contradicting_address(&self) -> Result<Vec<Sourced<Wallet>>, StoreError> {
        self.read_in_transaction(|connection| {
            // The plus sorts the few that are found, instead of looking up every wallet in the order of an index.
            let columns = Wallet::COLUMNS;
            let sql = format!("SELECT {columns} FROM wallet WHERE instr(others, '?') > 0 ORDER BY +sort");
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map([], Wallet::read_row)?;
            // The character may occur in an address as well: addresses are arbitrary text.
            let open = rows.filter(|row| row.as_ref().map_or(true, |entry| entry.contradicting_address().is_some()));
            Ok(open.take(100).collect::<Result<_, _>>()?)
        })
    }

    /// Saves an operator's imports and the hash of the last journal record among them.
    pub fn save_imports<'a>(
        &self,
        imports: impl IntoIterator<Item = &'a DirectoryImport>,
        mark: [u8; 32],
    ) -> Result<(), StoreError> {
        self.with_write_batch(|batch| {
            for (import, entry) in
                imports.into_iter().flat_map(|import| import.entries.iter().map(move |entry| (import, entry)))
            {
                match entry {
                    Imported::Account(account) => account.save(batch, EntrySource::Imported)?,
                    Imported::Wallet(wallet) if import.rejected.is_empty() => {
                        wallet.save(batch, EntrySource::Imported)?
                    }
                    Imported::Wallet(wallet) => addresses::record_address_review(batch, wallet, &import.rejected)?,
                    Imported::User(user) => user.save(batch, EntrySource::Imported)?,
                };
            }
            entry::sort_customer_wallets_last(batch.connection)?;
            batch.state.imports = Some(hex::encode(mark));
            Ok(())
        })
    }

    /// The hash of the last journal record whose imports were saved; `None` if none ever was.
    pub fn last_import_record_hash(&self) -> Result<Option<[u8; 32]>, StoreError> {
        let mark = self.read_in_transaction(CacheState::read)?.imports;
        Ok(mark.and_then(|mark| hex::decode(mark).ok()).and_then(|bytes| bytes.try_into().ok()))
    }

    /// Settlement accounts first, then by name.
    pub fn accounts(&self) -> Result<Vec<Sourced<Account>>, StoreError> {
        self.read_in_transaction(|connection| {
            let columns = Account::COLUMNS;
            let sql = format!(
                "SELECT {columns} FROM account ORDER BY kind IS NOT 'SETTLEMENT', name IS NULL, name COLLATE NOCASE, id"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map([], Account::read_row)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// A window of the wallets of a scope that contain every word of `text`: those of customers last, then by name, then
    /// by address.
    pub fn wallets(
        &self,
        scope: &Scope,
        text: &str,
        first: u64,
        rows: u32,
    ) -> Result<Window<Sourced<Wallet>>, StoreError> {
        self.directory_window(wallet_scope_condition(scope), text, first, rows)
    }

    /// A window of the users of a scope that contain every word of `text`, by name, then by identifier.
    pub fn users(&self, scope: &Scope, text: &str, first: u64, rows: u32) -> Result<Window<Sourced<User>>, StoreError> {
        let scope = match scope {
            Scope::All => None,
            Scope::Account(id) => Some(("id IN (SELECT user FROM wallet WHERE account = ?)", id.as_str())),
            Scope::Wallet(id) => Some(("id IN (SELECT user FROM wallet WHERE id = ?)", id.as_str())),
            Scope::User(id) => Some(("id = ?", id.as_str())),
        };
        self.directory_window(scope, text, first, rows)
    }

    fn directory_window<T: StoredEntry>(
        &self,
        scope: Option<(&str, &str)>,
        text: &str,
        first: u64,
        rows: u32,
    ) -> Result<Window<Sourced<T>>, StoreError> {
        let (table, columns) = (T::TABLE, T::COLUMNS);
        let (wheres, values) = search_condition(scope, text);
        self.read_in_transaction(|connection| {
            let total: i64 = connection
                .prepare_cached(&format!("SELECT count(*) FROM {table} WHERE {wheres}"))?
                .query_row(params_from_iter(&values), |row| row.get(0))?;
            let total = u64::try_from(total).unwrap_or(0);
            let first = first.min(total.saturating_sub(u64::from(rows)));
            let offset = i64::try_from(first).unwrap_or(i64::MAX);
            let sql = format!("SELECT {columns} FROM {table} WHERE {wheres} ORDER BY sort LIMIT ? OFFSET ?");
            let mut statement = connection.prepare_cached(&sql)?;
            let all = values.iter().map(|value| value as &dyn ToSql);
            let all: Vec<&dyn ToSql> = all.chain([&rows as &dyn ToSql, &offset as &dyn ToSql]).collect();
            let rows = statement.query_map(all.as_slice(), T::read_row)?.collect::<Result<_, _>>()?;
            Ok(Window { first, rows, count: RowCount::Exact(total) })
        })
    }

    /// The rank of an entry among those that contain every word of `text`; `None` if it is not among them.
    fn rank_of_entry(&self, table: &str, text: &str, id: &str) -> Result<Option<u64>, StoreError> {
        let (wheres, values) = search_condition(None, text);
        self.read_in_transaction(|connection| {
            let of: Option<String> = connection
                .prepare_cached(&format!("SELECT sort FROM {table} WHERE {wheres} AND id = ?"))?
                .query_row(params_from_iter(values.iter().chain([&id.to_owned().into()])), |row| row.get(0))
                .optional()?;
            let Some(of) = of else { return Ok(None) };
            let rank: i64 = connection
                .prepare_cached(&format!("SELECT count(*) FROM {table} WHERE {wheres} AND sort < ?"))?
                .query_row(params_from_iter(values.iter().chain([&of.into()])), |row| row.get(0))?;
            Ok(u64::try_from(rank).ok())
        })
    }
}

/// The SQL condition for the wallets of a scope, and the value of its parameter.
fn wallet_scope_condition(scope: &Scope) -> Option<(&'static str, &str)> {
    match scope {
        Scope::All => None,
        Scope::Account(id) => Some(("account = ?", id.as_str())),
        Scope::Wallet(id) => Some(("id = ?", id.as_str())),
        Scope::User(id) => Some(("user = ?", id.as_str())),
    }
}

/// The SQL condition for entries of a scope with every word of a text, and the values of its parameters.
fn search_condition(scope: Option<(&str, &str)>, text: &str) -> (String, Vec<Value>) {
    let mut wheres = vec!["1"];
    let mut values: Vec<Value> = Vec::new();
    if let Some((condition, id)) = scope {
        wheres.push(condition);
        values.push(id.to_owned().into());
    }
    for word in text.split_whitespace() {
        wheres.push("instr(words, ?) > 0");
        values.push(fold_case(word).into());
    }
    (wheres.join(" AND "), values)
}
