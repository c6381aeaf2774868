//! Collects the names by which addresses and identifiers are shown.

use std::ops::ControlFlow;

use crate::domain::AddressBook;
use crate::domain::address_names::AddressNames;
use crate::domain::history::Scope;
use crate::store::{Cancel, Store, StoreError};

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
