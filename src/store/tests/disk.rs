//! Folders and files that cannot be used, and what is said about them.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::fixtures::{now, store_in_folder, temporary_store};
use crate::domain::entry_source::EntrySource;
use crate::domain::history::SyncProgress;
use crate::domain::{Account, AccountAddress, AccountId, UserStats};
use crate::store::{CacheLocation, Store, StoreError};

fn open(folder: &std::path::Path) -> Result<crate::store::OpenedStore, StoreError> {
    Store::open(&CacheLocation::Folder(folder.to_owned()))
}

fn stats(deposits: u64) -> UserStats {
    UserStats { deposits: Some(deposits), ..UserStats::default() }
}

#[test]
fn a_missing_folder_is_made_for_its_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("data/bursar");
    let opened = open(&inner).unwrap();
    assert_eq!(opened.notice, None);
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&inner), 0o700);
    for file in ["cache.db", "cache.db-wal", "cache.db-shm", "cache.lock"] {
        assert_eq!(mode(&inner.join(file)), 0o600, "{file}");
    }
}

#[test]
fn what_was_kept_is_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    store_in_folder(folder.path()).save_stats(stats(7), now(3)).unwrap();
    assert_eq!(store_in_folder(folder.path()).stats().unwrap(), Some((stats(7), now(3))));
}

#[test]
fn one_process_at_a_time_uses_a_cache() {
    let folder = tempfile::tempdir().unwrap();
    let first = store_in_folder(folder.path());
    let refused = open(folder.path()).err().unwrap();
    assert!(matches!(&refused, StoreError::Locked { path } if path == folder.path()), "{refused}");
    drop(first);
    open(folder.path()).unwrap();
}

#[test]
fn a_file_in_place_of_the_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "text").unwrap();
    assert!(matches!(open(&file), Err(StoreError::NotAFolder { path }) if path == file));
    assert!(matches!(open(&file.join("inner")), Err(StoreError::Folder { .. })));
}

#[test]
fn a_file_of_a_newer_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    store_in_folder(folder.path()).save_stats(stats(7), now(3)).unwrap();
    let database = rusqlite::Connection::open(folder.path().join("cache.db")).unwrap();
    database.pragma_update(None, "user_version", 99).unwrap();
    drop(database);
    let refused = open(folder.path()).err().unwrap();
    assert!(matches!(refused, StoreError::Newer { format: 99, newest_format: 6, .. }), "{refused}");
    assert!(refused.to_string().contains("read again from the service"));
}

#[test]
fn the_format_before_this_one_is_upgraded_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let account = Account { name: Some("Till".into()), ..Account::new(AccountId::from_text("a")) };
    let store = store_in_folder(folder.path());
    store.save_accounts(std::slice::from_ref(&account), EntrySource::Listed).unwrap();
    store.save_stats(stats(7), now(3)).unwrap();
    drop(store);
    let database = rusqlite::Connection::open(folder.path().join("cache.db")).unwrap();
    let added = [
        ("account", &["evm_address", "evm_ref", "solana_address", "solana_ref", "updated_at"][..]),
        ("wallet", &["protocol", "is_evm_compatible", "kind", "intent", "custody_type", "decimals", "updated_at"]),
    ];
    for (table, columns) in added {
        for column in columns {
            database.execute_batch(&format!("ALTER TABLE {table} DROP COLUMN {column}")).unwrap();
        }
    }
    database.pragma_update(None, "user_version", 5).unwrap();
    drop(database);
    let opened = open(folder.path()).unwrap();
    assert_eq!(opened.notice, None);
    assert_eq!(opened.store.stats().unwrap(), Some((stats(7), now(3))));
    let details = AccountAddress { address: Some("0xab".into()), ref_id: Some("till".into()) };
    let whole = Account { evm_details: Some(details), updated_at: Some(now(4)), ..account };
    opened.store.save_accounts(std::slice::from_ref(&whole), EntrySource::Listed).unwrap();
    assert_eq!(opened.store.accounts().unwrap().remove(0).entry, whole);
}

#[test]
fn whatever_is_wrong_with_the_file_a_new_one_is_begun() {
    type Harm = fn(&std::path::Path);
    let harms: [(&str, Harm); 5] = [
        ("no database", |file| {
            fs::write(file, "this is no database, though it is long enough to be one".repeat(99)).unwrap();
        }),
        ("cut short", |file| {
            fs::OpenOptions::new().write(true).open(file).unwrap().set_len(20_000).unwrap();
        }),
        ("another program's", |file| {
            fs::remove_file(file).unwrap();
            rusqlite::Connection::open(file).unwrap().execute_batch("CREATE TABLE other (x)").unwrap();
        }),
        ("tables gone", |file| {
            rusqlite::Connection::open(file).unwrap().execute_batch("DROP TABLE state").unwrap();
        }),
        ("state is nonsense", |file| {
            rusqlite::Connection::open(file).unwrap().execute("INSERT INTO state VALUES (1, '{')", []).unwrap();
        }),
    ];
    for (harm, harmed) in harms {
        let folder = tempfile::tempdir().unwrap();
        drop(store_in_folder(folder.path()));
        harmed(&folder.path().join("cache.db"));
        // Damage inside is found by whoever meets it, and mended by the next start.
        let notice = match open(folder.path()) {
            Ok(opened) => match opened.store.progress() {
                Ok(_) => opened.notice,
                Err(error) => {
                    assert!(matches!(error, StoreError::Damaged { .. }), "{harm}: {error}");
                    drop(opened);
                    open(folder.path()).unwrap().notice
                }
            },
            Err(error) => {
                assert!(matches!(error, StoreError::Damaged { .. }), "{harm}: {error}");
                open(folder.path()).unwrap().notice
            }
        };
        assert!(notice.is_some_and(|notice| notice.contains("set aside")), "{harm}");
        let store = store_in_folder(folder.path());
        assert_eq!(store.progress().unwrap(), SyncProgress { expected: None, ..SyncProgress::default() }, "{harm}");
        store.save_stats(stats(1), now(1)).unwrap();
    }
}

#[test]
fn a_temporary_cache_leaves_nothing_behind() {
    let store = temporary_store();
    let folder = store.inner.folder.as_ref().unwrap().cache_file().parent().unwrap().to_owned();
    store.save_stats(stats(1), now(1)).unwrap();
    assert!(folder.exists());
    drop(store);
    assert!(!folder.exists());
}

#[test]
fn a_cache_in_memory_that_has_grown_too_large_is_full_as_a_disk_is() {
    let cache = crate::store::schema::open_in_memory().unwrap();
    let more = "CREATE TABLE more (bytes BLOB); INSERT INTO more VALUES (zeroblob(64 * 1024 * 1024));";
    let full = crate::store::StoreError::from(cache.execute_batch(more).unwrap_err());
    assert!(matches!(full, crate::store::StoreError::Full), "{full}");
}
