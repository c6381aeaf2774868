//! The order of users in the list.
//!
//! They are sorted by name, those without one last. Where a service lists no users, a name arrives when its user is
//! opened; moving the row at once would make it slip away from under the cursor. So it moves only when asked to.

use rusqlite::{OptionalExtension, params};

use super::entry::{StoredEntry, sort_key, source_rank};
use crate::domain::entry_source::{EntrySource, Sourced};
use crate::domain::history::{Scope, Window};
use crate::domain::{User, UserId};
use crate::store::{Store, StoreError};

impl Store {
    /// Saves what the service reports of a user who was opened. A user who had no name keeps their place in the list
    /// until [`sort_late_named_users`](Self::sort_late_named_users).
    pub fn save_user_details(&self, user: &User) -> Result<(), StoreError> {
        self.with_write_batch(|batch| {
            let connection = batch.connection;
            let old_sort: Option<String> = connection
                .prepare_cached("SELECT sort FROM user WHERE id = ?1 AND sort >= '1'")?
                .query_row([user.id.as_str()], |row| row.get(0))
                .optional()?;
            if user.save(batch, EntrySource::Listed)? {
                batch.mark_changed();
            }
            if let Some(old_sort) = old_sort {
                let sql = "UPDATE user SET sort = ?2 WHERE id = ?1 AND sort <> ?2";
                connection.prepare_cached(sql)?.execute(params![user.id.as_str(), old_sort])?;
            }
            Ok(())
        })
    }

    /// The users without a name from the service: they come from the history alone, or from an import that does not
    /// name them.
    pub fn unnamed_users(&self, users: Vec<UserId>) -> Result<Vec<UserId>, StoreError> {
        let nameless_sources = [source_rank(EntrySource::History), source_rank(EntrySource::Imported)];
        self.read_in_transaction(|connection| {
            let sql = "SELECT 1 FROM user WHERE id = ?1 AND display_name IS NULL AND source IN (?2, ?3)";
            let mut statement = connection.prepare_cached(sql)?;
            let mut unnamed = Vec::new();
            for user in users {
                if statement.exists(params![user.as_str(), nameless_sources[0], nameless_sources[1]])? {
                    unnamed.push(user);
                }
            }
            Ok(unnamed)
        })
    }

    /// Sorts every user whose name came late by that name.
    pub fn sort_late_named_users(&self) -> Result<(), StoreError> {
        let late: Vec<(String, String)> = self.read_in_transaction(|connection| {
            let sql = "SELECT id, display_name FROM user WHERE sort >= '1' AND display_name IS NOT NULL";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })?;
        if late.is_empty() {
            return Ok(());
        }
        self.with_write_batch(|batch| {
            let mut statement = batch.connection.prepare_cached("UPDATE user SET sort = ?2 WHERE id = ?1")?;
            for (id, name) in late {
                statement.execute(params![id, sort_key(Some(&name), &id)])?;
            }
            Ok(())
        })
    }

    /// A window of the users that contain every word of `text`, from the rank `first` on. Where `user` is given and
    /// is outside it by now, the window around that user instead.
    pub fn users_window_keeping(
        &self,
        text: &str,
        first: u64,
        rows: u32,
        user: Option<&UserId>,
    ) -> Result<Window<Sourced<User>>, StoreError> {
        let window = self.users(&Scope::All, text, first, rows)?;
        let Some(user) = user.filter(|user| window.rows.iter().all(|stored| stored.entry.id != **user)) else {
            return Ok(window);
        };
        match self.rank_of_entry("user", text, user.as_str())? {
            Some(rank) => self.users(&Scope::All, text, rank.saturating_sub(u64::from(rows) / 2), rows),
            None => Ok(window),
        }
    }
}
