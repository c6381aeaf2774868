//! Collects the names by which addresses and identifiers are shown.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use crate::domain::AddressBook;
use crate::domain::address_names::AddressNames;
use crate::domain::history::Scope;
use crate::store::{Cancel, Store, StoreError};

/// The names that were collected last, and of what.
#[derive(Debug, Default)]
pub(super) struct NamesCache(Mutex<Option<CachedNames>>);

#[derive(Debug)]
struct CachedNames {
    directory_version: u64,
    book: AddressBook,
    names: Arc<AddressNames>,
}

impl NamesCache {
    /// The names in the address book and in the directory, collected again only where either has changed.
    pub(super) fn collect(&self, store: &Store, book: &AddressBook) -> Result<Arc<AddressNames>, StoreError> {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Read before the entries: what is written meanwhile is collected the next time.
        let directory_version = store.directory_version();
        let is_current = |of: &&CachedNames| of.directory_version == directory_version && of.book == *book;
        if let Some(current) = cached.as_ref().filter(is_current) {
            return Ok(Arc::clone(&current.names));
        }
        let names = Arc::new(collect_names(store, book)?);
        *cached = Some(CachedNames { directory_version, book: book.clone(), names: Arc::clone(&names) });
        Ok(names)
    }
}

/// The names in the address book and in the directory.
pub fn collect_names(store: &Store, book: &AddressBook) -> Result<AddressNames, StoreError> {
    let (mut names, cancel) = (AddressNames::of_book(book), Cancel::new());
    for account in store.accounts()? {
        names.add_account_name(&account.entry);
    }
    store.walk_users("", &cancel, &mut |_, user| {
        names.add_user_name(&user.entry);
        ControlFlow::Continue(())
    })?;
    store.walk_wallets(&Scope::All, "", &cancel, &mut |_, wallet| {
        names.add_wallet(&wallet.entry);
        ControlFlow::Continue(())
    })?;
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::book::{BookChange, Contact};
    use crate::domain::entry_source::EntrySource;
    use crate::domain::{Timestamp, User, UserId};
    use crate::store::CacheLocation;

    fn user(name: &str) -> User {
        User {
            id: UserId::from_text("u-1"),
            display_name: Some(name.into()),
            ref_id: None,
            email: None,
            is_active: None,
            created_at: None,
        }
    }

    #[test]
    fn names_are_collected_again_where_the_directory_or_the_book_has_changed_and_only_there() {
        let store = Store::open(&CacheLocation::Temporary).unwrap().store;
        let (cache, mut book) = (NamesCache::default(), AddressBook::default());
        let name_of_user = |names: &AddressNames| names.user_name(&UserId::from_text("u-1")).map(ToString::to_string);
        assert_eq!(name_of_user(&cache.collect(&store, &book).unwrap()), None);
        store.save_users(&[user("Mira Olsen")], EntrySource::Listed).unwrap();
        let first = cache.collect(&store, &book).unwrap();
        assert_eq!(name_of_user(&first).as_deref(), Some("Mira Olsen"));
        store.save_users(&[user("Mira Olsen")], EntrySource::Listed).unwrap();
        assert!(Arc::ptr_eq(&first, &cache.collect(&store, &book).unwrap()), "nothing has changed");
        store.save_users(&[user("Mira Berg")], EntrySource::Listed).unwrap();
        assert_eq!(name_of_user(&cache.collect(&store, &book).unwrap()).as_deref(), Some("Mira Berg"));
        let contact = Contact {
            name: "Zebra Stores".into(),
            address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed".into(),
            blockchain: "ethereum".into(),
            tag: None,
            note: None,
        };
        book = AddressBook::from_changes([(BookChange::Entered(contact.clone()), Timestamp::from_millis(0))]);
        let names = cache.collect(&store, &book).unwrap();
        assert_eq!(names.party(&contact.address, "ethereum").map(|party| party.name.as_str()), Some("Zebra Stores"));
    }
}
