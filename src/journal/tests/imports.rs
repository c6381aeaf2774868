//! What was brought into the directory: kept whole, found again, and never another service's.

use super::fixtures::{destination, open_journal, time_at, withdrawal};
use crate::domain::order::ServiceDestination;
use crate::domain::{DirectoryImport, directory};
use crate::journal::{JournalError, JournalSnapshot, verify};

fn import(typed: &[&str]) -> DirectoryImport {
    let entries = typed.iter().map(|line| directory::parse_typed_entry(line).unwrap()).collect();
    DirectoryImport::new("known.csv", entries)
}

#[test]
fn an_import_is_found_again_by_address_and_after_a_mark() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    let (own_service, other_service) =
        (destination(), ServiceDestination { base_url: "https://other.example.com".into(), ..destination() });
    let first = import(&["user u-1 Ada", "wallet w-1 base 0x52908400098527886E0F7030069857D2E4169EE7"]);
    journal.record_import(&own_service, first.clone(), time_at(1)).unwrap();
    journal.record_import(&other_service, import(&["user u-2"]), time_at(2)).unwrap();
    let renamed = import(&["user u-3"]);
    journal
        .record_import(&ServiceDestination { profile: "quay".into(), ..destination() }, renamed.clone(), time_at(3))
        .unwrap();
    let second = import(&["account a-1 Treasury"]);
    journal.record_import(&own_service, second.clone(), time_at(4)).unwrap();
    journal.record_draft(withdrawal("25"), time_at(5)).unwrap();
    drop(journal);
    let journal = open_journal(folder.path());
    let all = journal.imports("https://api.example.com", None).unwrap();
    assert_eq!(all.iter().map(|recorded| &recorded.import).collect::<Vec<_>>(), [&first, &renamed, &second]);
    assert_eq!((all[0].at, &*all[0].by.user), (time_at(1), "ada"));
    let after = |mark| journal.imports("https://api.example.com", mark).unwrap().len();
    assert_eq!((after(Some(all[0].record_hash)), after(Some(all[2].record_hash)), after(Some([7; 32]))), (2, 0, 3));
    let reading = JournalSnapshot::open(folder.path()).unwrap();
    assert_eq!(reading.imports("https://api.example.com", None).unwrap(), all);
    let verified = verify(folder.path()).unwrap();
    assert_eq!((verified.faults, verified.records, verified.orders), (Vec::new(), 5, 1));
}

/// What somebody decided about the addresses of a wallet is read again as it was written.
#[test]
fn an_import_keeps_which_addresses_somebody_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let decided = DirectoryImport {
        rejected: vec!["0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB".into()],
        ..import(&["wallet w-1 base 0x52908400098527886E0F7030069857D2E4169EE7"])
    };
    open_journal(folder.path()).record_import(&destination(), decided.clone(), time_at(1)).unwrap();
    let all = open_journal(folder.path()).imports("https://api.example.com", None).unwrap();
    assert_eq!(all.into_iter().map(|recorded| recorded.import).collect::<Vec<_>>(), [decided]);
}

#[test]
fn the_first_import_makes_a_journal_one_that_older_versions_refuse() {
    let folder = tempfile::tempdir().unwrap();
    let format = || {
        let file = rusqlite::Connection::open(folder.path().join("journal.sqlite")).unwrap();
        file.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0)).unwrap()
    };
    let journal = open_journal(folder.path());
    journal.record_draft(withdrawal("25"), time_at(0)).unwrap();
    assert_eq!(format(), 1);
    journal.record_import(&destination(), import(&["user u-1"]), time_at(1)).unwrap();
    assert_eq!(format(), 2);
    assert_eq!(verify(folder.path()).unwrap().faults, []);
}

#[test]
fn an_import_that_was_changed_is_noticed_before_it_is_believed() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    journal.record_import(&destination(), import(&["user u-1"]), time_at(0)).unwrap();
    let file = rusqlite::Connection::open(folder.path().join("journal.sqlite")).unwrap();
    file.execute_batch("DROP TRIGGER record_stays; UPDATE record SET body = replace(body, 'u-1', 'u-9');").unwrap();
    let reading = JournalSnapshot::open(folder.path()).unwrap();
    let refused = reading.imports("https://api.example.com", None).unwrap_err();
    assert!(matches!(refused, JournalError::Damaged { record: Some(1), .. }), "{refused}");
}
