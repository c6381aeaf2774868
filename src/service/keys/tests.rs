use super::*;
use crate::service::chain::Pace;
use crate::service::ledger::LedgerLocation;

const NOW: Timestamp = Timestamp::from_millis(0);

fn ledger_in(folder: &tempfile::TempDir) -> Ledger {
    Ledger::open(&LedgerLocation::Folder(folder.path().into()), Pace::USUAL).unwrap()
}

#[test]
fn a_key_opens_its_workspace_and_needs_its_own_secret_to_change_anything() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = ledger_in(&folder);
    let keys = ApiKeys::open(&ledger).unwrap();
    assert!(keys.is_empty().unwrap());
    let (house, other) = (WorkspaceNumber::from_i64(1), WorkspaceNumber::from_i64(2));
    let first = keys.create(house, &NewKey::owner(), NOW).unwrap();
    let second = keys.create(other, &NewKey::owner(), NOW).unwrap();
    drop(keys);
    let keys = ApiKeys::open(&ledger).unwrap();
    let admit = |key: &Credentials, secret: Option<&Credentials>| {
        let secret = secret.map(|secret| secret.wallet_secret.expose_secret());
        let holder = keys.authenticate(key.api_key.expose_secret(), secret, None).unwrap();
        holder.map(|holder| (holder.workspace_number, holder.knows_secret))
    };
    assert_eq!(admit(&first, Some(&first)), Ok((house, true)));
    assert_eq!(admit(&first, None), Ok((house, false)));
    assert_eq!(admit(&first, Some(&second)), Ok((house, false)));
    assert_eq!(admit(&second, Some(&second)), Ok((other, true)));
    assert_eq!(keys.authenticate(first.wallet_secret.expose_secret(), None, None).unwrap(), Err(AuthError::Unknown));
    assert_eq!(keys.authenticate("", None, None).unwrap(), Err(AuthError::Unknown));
}

#[test]
fn nothing_that_opens_the_service_stands_in_its_files_or_in_a_log() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = ledger_in(&folder);
    let keys = ApiKeys::open(&ledger).unwrap();
    let minted = keys.create(WorkspaceNumber::from_i64(1), &NewKey::owner(), NOW).unwrap();
    let key = minted.api_key.expose_secret();
    let mut files = 0;
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        for secret in [key, minted.wallet_secret.expose_secret()] {
            assert_eq!(memchr::memmem::find(&bytes, secret.as_bytes()), None);
        }
        files += 1;
    }
    assert!(files >= 3, "ledger, keys and lock");
    assert!(!format!("{minted:?}{keys:?}").contains(key));
    assert_eq!(key.len(), "bursar_key_".len() + 64);
}

#[test]
fn keys_made_and_revoked_by_another_process_count_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = ledger_in(&folder);
    let keys = ApiKeys::open(&ledger).unwrap();
    let new = NewKey { name: "reports".into(), permissions: "read".parse().unwrap(), trusted_addresses: Vec::new() };
    // The other process opens the file on its own, as this does.
    let (no, created) = create_key(folder.path(), &new, NOW).unwrap();
    let admitted = || keys.authenticate(created.api_key.expose_secret(), None, None).unwrap();
    assert_eq!(admitted().unwrap().permissions.to_string(), "read");
    let register = Register::open_of_existing_service(folder.path()).unwrap();
    register.revoke(no, NOW).unwrap();
    assert_eq!(admitted(), Err(AuthError::Unknown));
    assert!(matches!(register.revoke(no, NOW), Err(RegisterError::KeyNotFound(_))), "once is enough");
    let entries = register.list().unwrap();
    assert_eq!((entries.len(), entries[0].name.as_str(), entries[0].revoked_at), (1, "reports", Some(NOW)));
}

#[test]
fn a_key_is_taken_from_its_trusted_addresses_alone() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = ledger_in(&folder);
    let keys = ApiKeys::open(&ledger).unwrap();
    let trusted = vec!["10.0.0.7".parse().unwrap(), "2001:db8::1".parse().unwrap()];
    let new = NewKey { trusted_addresses: trusted, ..NewKey::owner() };
    let created = keys.create(WorkspaceNumber::FIRST, &new, NOW).unwrap();
    for (from, let_in) in [
        (Some("10.0.0.7"), true),
        (Some("::ffff:10.0.0.7"), true),
        (Some("2001:db8::1"), true),
        (Some("10.0.0.8"), false),
        (Some("::"), false),
        (None, false),
    ] {
        let address = from.map(|from| from.parse().unwrap());
        let admitted = keys.authenticate(created.api_key.expose_secret(), None, address).unwrap();
        assert_eq!(admitted.is_ok(), let_in, "{from:?}");
        assert!(let_in || admitted == Err(AuthError::Untrusted));
    }
    let six = (1..=6).map(|n| IpAddr::from([10, 0, 0, n])).collect();
    let refused = create_key(folder.path(), &NewKey { trusted_addresses: six, ..NewKey::owner() }, NOW).unwrap_err();
    assert!(refused.to_string().contains("5 addresses"), "{refused}");
}

#[test]
fn keys_that_an_older_program_kept_in_the_ledger_stay_valid() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = ledger_in(&folder);
    ledger
        .write(|file| {
            file.execute_batch(
                "CREATE TABLE api_keys (no INTEGER PRIMARY KEY, workspace INTEGER NOT NULL, role TEXT NOT NULL,
                     key_hash BLOB NOT NULL UNIQUE, secret_hash BLOB NOT NULL, created_at INTEGER NOT NULL) STRICT",
            )?;
            file.execute(
                "INSERT INTO api_keys (workspace, role, key_hash, secret_hash, created_at) VALUES (1, 'Owner', ?1, ?2, 5)",
                [hash_key("old key"), hash_key("old secret")],
            )?;
            Ok(())
        })
        .unwrap();
    for _ in 0..2 {
        let keys = ApiKeys::open(&ledger).unwrap();
        let holder = keys.authenticate("old key", Some("old secret"), None).unwrap().unwrap();
        assert_eq!((holder.workspace_number, holder.knows_secret), (WorkspaceNumber::from_i64(1), true));
        assert_eq!(keys.lock_current_register().unwrap().entries.len(), 1);
    }
}

#[test]
fn a_folder_without_a_service_has_no_keys() {
    let folder = tempfile::tempdir().unwrap();
    let refused = create_key(folder.path(), &NewKey::owner(), NOW).unwrap_err();
    assert!(matches!(refused, RegisterError::NoService(_)), "{refused}");
}
