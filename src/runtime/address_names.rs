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
        names.add_account(&account.entry);
    }
    store.walk_users("", &cancel, &mut |_, user| {
        names.add_user(&user.entry);
        ControlFlow::Continue(())
    })?;
    store.walk_wallets(&Scope::All, "", &cancel, &mut |_, wallet| {
        names.add_wallet(&wallet.entry);
        ControlFlow::Continue(())
    })?;
    Ok(names)
}
