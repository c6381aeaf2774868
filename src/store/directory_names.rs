//! Names of accounts, wallets and users, for filters: rows have identifiers only, and the displayed names are in the
//! directory.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use rusqlite::Connection;

use super::StoreError;
use super::dictionary::Dictionary;
use super::mutex::lock_mutex;
use super::row::{line_fields, wallet_fields};
use super::row_set::CodeSet;
use crate::domain::filter::{FilterField, fold_case, has_word_with_prefix};

/// The query for the names, the filter field that matches them, and the field of a wallet phrase with the identifier.
const NAMED_TABLES: [(&str, FilterField, usize); 3] = [
    ("SELECT id, name FROM account WHERE name IS NOT NULL", FilterField::Account, wallet_fields::ACCOUNT),
    ("SELECT id, name FROM wallet WHERE name IS NOT NULL", FilterField::Wallet, wallet_fields::WALLET),
    ("SELECT id, display_name FROM user WHERE display_name IS NOT NULL", FilterField::User, wallet_fields::USER),
];

/// Every name, folded, with the identifier that it belongs to.
pub(super) struct DirectoryNames {
    version: u64,
    lists: [Vec<(Box<str>, Box<str>)>; NAMED_TABLES.len()],
}

impl DirectoryNames {
    fn read(connection: &Connection, version: u64) -> Result<Self, StoreError> {
        let mut lists = <[Vec<_>; NAMED_TABLES.len()]>::default();
        for (list, (sql, ..)) in lists.iter_mut().zip(NAMED_TABLES) {
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let text = |at| row.get_ref(at)?.as_str().map_err(rusqlite::Error::from);
                list.push((text(0)?.into(), fold_case(text(1)?).into()));
            }
        }
        Ok(Self { version, lists })
    }

    /// The names of this version, or newer ones: read once, and again when one has changed since.
    pub(super) fn current(
        cache: &Mutex<Option<Arc<Self>>>,
        connection: &Connection,
        version: u64,
        renamed_at: u64,
    ) -> Result<Arc<Self>, StoreError> {
        let cached = lock_mutex(cache).clone();
        if let Some(names) = cached.filter(|names| names.version >= renamed_at) {
            return Ok(names);
        }
        let names = Arc::new(Self::read(connection, version)?);
        *lock_mutex(cache) = Some(Arc::clone(&names));
        Ok(names)
    }

    /// The wallet phrases that name an entry with a word that begins with `needle`.
    pub(super) fn matching_phrases(&self, field: Option<FilterField>, needle: &str, phrases: &Dictionary) -> CodeSet {
        let called = |list: &Vec<(Box<str>, Box<str>)>| -> HashSet<Box<str>> {
            list.iter().filter(|(_, name)| has_word_with_prefix(name, needle)).map(|(id, _)| id.clone()).collect()
        };
        let lists =
            self.lists.iter().zip(NAMED_TABLES).filter(|(_, (_, of, _))| field.is_none_or(|field| field == *of));
        let ids_by_list: Vec<(usize, HashSet<Box<str>>)> =
            lists.map(|(list, (.., at))| (at, called(list))).filter(|(_, ids)| !ids.is_empty()).collect();
        let mut codes = CodeSet::default();
        if !ids_by_list.is_empty() {
            phrases.for_each_line(|code, line| {
                let is = |(at, ids): &(usize, HashSet<Box<str>>)| {
                    line_fields(line).nth(*at).flatten().is_some_and(|id| ids.contains(id))
                };
                if line.starts_with('p') && ids_by_list.iter().any(is) {
                    codes.insert(code);
                }
            });
        }
        codes
    }
}
