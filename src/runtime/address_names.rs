//! Collects the names by which addresses and identifiers are shown.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use crate::domain::AddressBook;
use crate::domain::address_names::{AddressNames, PartyKind};
use crate::domain::history::Scope;
use crate::store::{Cancel, DirectoryList, DirectoryVersions, Store, StoreError};

/// The names that were collected last, and of what.
#[derive(Debug, Default)]
pub(super) struct NamesCache(Mutex<Option<CachedNames>>);

#[derive(Debug)]
struct CachedNames {
    directory: DirectoryVersions,
    book: AddressBook,
    names: Arc<AddressNames>,
}

impl NamesCache {
    /// The names in the address book and in the directory, collected again only where either has changed.
    pub(super) fn collect(&self, store: &Store, book: &AddressBook) -> Result<Arc<AddressNames>, StoreError> {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Read before the entries: what is written meanwhile is collected the next time.
        let directory = store.directory_versions();
        let is_same = |of: &CachedNames, list| of.directory.of(list) == directory.of(list);
        let former = cached.take().filter(|of| of.book == *book);
        let names = match former {
            Some(of) if of.directory == directory => of.names,
            Some(of) if is_same(&of, DirectoryList::Accounts) && is_same(&of, DirectoryList::Wallets) => {
                match with_new_user_names(store, book, &of.names)? {
                    Some(names) => names,
                    None => Arc::new(collect_names(store, book)?),
                }
            }
            _ => Arc::new(collect_names(store, book)?),
        };
        *cached = Some(CachedNames { directory, book: book.clone(), names: Arc::clone(&names) });
        Ok(names)
    }
}

/// The names with those of users that had none, for the service sends a few at a time; `None` where more than that has
/// changed.
fn with_new_user_names(
    store: &Store,
    book: &AddressBook,
    names: &Arc<AddressNames>,
) -> Result<Option<Arc<AddressNames>>, StoreError> {
    let (mut new_users, mut is_renamed, cancel) = (Vec::new(), false, Cancel::new());
    store.walk_users("", &cancel, &mut |_, user| {
        let user = user.entry;
        match names.user_name(&user.id) {
            None if user.shown_name().is_some() => new_users.push(user),
            known => is_renamed |= known != user.shown_name() && book.label_of_user(&user.id).is_none(),
        }
        ControlFlow::Continue(())
    })?;
    if is_renamed {
        return Ok(None);
    }
    let mut with_new = Arc::clone(names);
    for user in new_users {
        let added = Arc::make_mut(&mut with_new);
        added.add_user_name(&user);
        let mut is_shared = false;
        store.walk_wallets(&Scope::User(user.id), "", &cancel, &mut |_, wallet| {
            let wallet = wallet.entry;
            if added.wallet_name(&wallet.id).is_none() {
                let party = wallet.address.as_ref().and_then(|address| added.party(address, &wallet.blockchain));
                // Which of two wallets names their address depends on the order in which all are collected.
                is_shared |= party.is_some_and(|party| party.kind == PartyKind::OwnWallet);
                added.add_wallet(&wallet);
            }
            ControlFlow::Continue(())
        })?;
        if is_shared {
            return Ok(None);
        }
    }
    Ok(Some(with_new))
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
    use proptest::prelude::*;

    use super::*;
    use crate::domain::book::{BookChange, Contact, LabelSubject};
    use crate::domain::entry_source::EntrySource;
    use crate::domain::{Text, Timestamp, User, UserId, Wallet, WalletId};
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

    /// A few users, wallets and addresses, so that they meet.
    #[derive(Debug, Clone)]
    enum Change {
        User { id: u8, name: Option<u8> },
        Wallet { id: u8, name: Option<u8>, user: Option<u8>, address: u8 },
        Label { subject: u8, id: u8, name: u8 },
    }

    fn change() -> impl Strategy<Value = Change> {
        let name = || proptest::option::of(0_u8..3);
        prop_oneof![
            6 => (0_u8..6, name()).prop_map(|(id, name)| Change::User { id, name }),
            2 => (0_u8..6, name(), proptest::option::of(0_u8..6), 0_u8..5)
                .prop_map(|(id, name, user, address)| Change::Wallet { id, name, user, address }),
            1 => (0_u8..3, 0_u8..5, 0_u8..3).prop_map(|(subject, id, name)| Change::Label { subject, id, name }),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn names_kept_from_before_are_those_that_are_collected_anew(changes in proptest::collection::vec(change(), 1..24)) {
            let store = Store::open(&CacheLocation::Temporary).unwrap().store;
            let (cache, mut labels) = (NamesCache::default(), Vec::new());
            let name = |name: u8| Text::from(["Mira Olsen", "Till", "Vault"][usize::from(name)]);
            let address = |nth: u8| Text::clean(&format!("0x52908400098527886E0F7030069857D2E4169E{nth:02}"));
            let (user_id, wallet_id) = (|id| UserId::from_text(&format!("u-{id}")), |id| WalletId::from_text(&format!("w-{id}")));
            for change in changes {
                match change {
                    Change::User { id, name: user_name } => {
                        let user = User { id: user_id(id), display_name: user_name.map(name), ..user("") };
                        store.save_users(&[user], EntrySource::Listed).unwrap();
                    }
                    Change::Wallet { id, name: wallet_name, user, address: nth } => {
                        let wallet = Wallet {
                            name: wallet_name.map(name),
                            user: user.map(user_id),
                            address: Some(address(nth)),
                            ..Wallet::new(wallet_id(id), "ethereum".into())
                        };
                        store.save_wallets(&[wallet], EntrySource::Listed).unwrap();
                    }
                    Change::Label { subject, id, name: label } => {
                        let subject = match subject {
                            0 => LabelSubject::User(user_id(id)),
                            1 => LabelSubject::Wallet(wallet_id(id)),
                            _ => LabelSubject::Address { address: address(id), blockchain: "ethereum".into() },
                        };
                        let label = BookChange::Label { subject, name: Some(name(label)) };
                        labels.push((label, Timestamp::from_millis(0)));
                    }
                }
                let book = AddressBook::from_changes(labels.clone());
                prop_assert_eq!(&*cache.collect(&store, &book).unwrap(), &collect_names(&store, &book).unwrap());
            }
        }
    }
}
