//! Disks, folders and neighbours that will not have it, and what is said about them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use crate::domain::approval::ApprovalPolicy;

use rusqlite::Connection;

use super::fixtures::{
    all_orders, confirmation, confirmed_order, console, destination, folder_with_every_state, open_journal, time_at,
    try_open, withdrawal,
};
use crate::domain::order::{OrderState, SendReason};
use crate::domain::{Failure, FailureReason, FinalStatuses, MayHaveHappened};
use crate::journal::schema::FORMAT;
use crate::journal::{Journal, JournalError, JournalLocation, verify};

pub(super) fn execute_pragma(journal: &Journal, sql: &str) {
    journal.lock().connection.execute_batch(sql).unwrap();
}

#[test]
fn folder_and_files_are_for_their_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("data/journal");
    let journal = open_journal(&inner);
    confirmed_order(&journal, 0);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&inner), 0o700);
    let files: Vec<_> = fs::read_dir(&inner).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 6, "{files:?}");
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}

#[test]
fn a_temporary_journal_leaves_nothing_behind() {
    let journal = Journal::open(&JournalLocation::Temporary, console(1)).unwrap().journal;
    let folder = journal.inner.folder.as_ref().unwrap().folder().to_owned();
    confirmed_order(&journal, 0);
    assert!(folder.exists());
    drop(journal);
    assert!(!folder.exists());
}

#[test]
fn on_a_full_disk_nothing_is_sent_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    let intent = confirmed_order(&journal, 0);
    let pages: i64 = journal.lock().connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    execute_pragma(&journal, &format!("PRAGMA max_page_count = {pages}"));
    // Small records may still fit into pages that are begun.
    let full = (0..200).find_map(|_| journal.record_draft(withdrawal("3"), time_at(5)).err()).unwrap();
    assert!(matches!(full, JournalError::Full), "{full}");
    let before = all_orders(&journal);
    match journal.permit_send(
        intent.id,
        SendReason::Confirmed,
        &destination(),
        time_at(6),
        time_at(26),
        None,
        &ApprovalPolicy::default(),
    ) {
        Err(refused) => {
            assert!(matches!(refused, JournalError::Full), "{refused}");
            assert_eq!(journal.order(intent.id).unwrap().state(time_at(7)), OrderState::Confirmed);
            assert_eq!(all_orders(&journal), before);
        }
        // A record that still fits in is on the disk like any other.
        Ok(order) => assert_eq!(journal.order(intent.id).unwrap(), *order.order()),
    }
    execute_pragma(&journal, "PRAGMA max_page_count = 100000");
    journal.record_draft(withdrawal("3"), time_at(8)).unwrap();
    assert_eq!(verify(folder.path()).unwrap().faults, []);
}

#[test]
fn a_journal_that_cannot_be_written_sends_nothing_and_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    let intent = confirmed_order(&journal, 0);
    execute_pragma(&journal, "PRAGMA query_only = ON");
    let refused = journal
        .permit_send(
            intent.id,
            SendReason::Confirmed,
            &destination(),
            time_at(3),
            time_at(23),
            None,
            &ApprovalPolicy::default(),
        )
        .unwrap_err();
    assert!(matches!(&refused, JournalError::Unwritable { path } if path == folder.path()), "{refused}");
    assert!(refused.to_string().contains("cannot be written, so nothing is sent"));
    let failure = Failure::from(refused);
    assert_eq!((failure.may_have_happened, failure.reason), (MayHaveHappened::No, FailureReason::Local));
    assert_eq!(all_orders(&journal), [intent]);
}

#[test]
fn whoever_holds_the_journal_for_long_is_not_waited_for_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    let intent = confirmed_order(&journal, 0);
    let other = Connection::open(folder.path().join("journal.sqlite")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    journal.lock().connection.busy_timeout(Duration::from_millis(20)).unwrap();
    let refused = journal
        .permit_send(
            intent.id,
            SendReason::Confirmed,
            &destination(),
            time_at(3),
            time_at(23),
            None,
            &ApprovalPolicy::default(),
        )
        .unwrap_err();
    assert!(matches!(refused, JournalError::Busy { seconds: 5 }), "{refused}");
    assert_eq!(journal.order(intent.id).unwrap(), intent, "reading waits for nobody");
    other.execute_batch("ROLLBACK").unwrap();
    let _order = journal
        .permit_send(
            intent.id,
            SendReason::Confirmed,
            &destination(),
            time_at(3),
            time_at(23),
            None,
            &ApprovalPolicy::default(),
        )
        .unwrap();
}

#[test]
fn what_stands_in_the_place_of_a_journal_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "text").unwrap();
    assert!(matches!(try_open(&file), Err(JournalError::NotAFolder { path }) if path == file));
    assert!(matches!(try_open(&file.join("inner")), Err(JournalError::Folder { .. })));
    let occupied = folder.path().join("taken");
    fs::create_dir_all(occupied.join("journal.sqlite")).unwrap();
    assert!(matches!(try_open(&occupied), Err(JournalError::Folder { .. })));
    let foreign = folder.path().join("foreign");
    fs::create_dir(&foreign).unwrap();
    Connection::open(foreign.join("journal.sqlite")).unwrap().execute_batch("CREATE TABLE other (x)").unwrap();
    assert!(matches!(try_open(&foreign), Err(JournalError::NotAJournal { .. })));
    assert!(matches!(verify(&foreign), Err(JournalError::NotAJournal { .. })));
    fs::write(foreign.join("journal.sqlite"), "no database, though long enough to be one. ".repeat(99)).unwrap();
    assert!(try_open(&foreign).err().unwrap().is_damage());
    assert!(matches!(verify(&folder.path().join("nothing")), Err(JournalError::Missing { .. })));
}

#[test]
fn a_journal_of_a_newer_version_is_left_alone() {
    let folder = folder_with_every_state();
    let file = folder.path().join("journal.sqlite");
    Connection::open(&file).unwrap().pragma_update(None, "user_version", FORMAT + 1).unwrap();
    let before = fs::read(&file).unwrap();
    let refused = try_open(folder.path()).err().unwrap();
    assert!(
        matches!(refused, JournalError::Newer { format, newest_format: FORMAT, .. } if format == FORMAT + 1),
        "{refused}"
    );
    assert!(matches!(verify(folder.path()), Err(JournalError::Newer { newest_format: FORMAT, .. })));
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn a_large_journal_opens_by_its_end_and_still_knows_what_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    let unknown = confirmed_order(&journal, 0).id;
    drop(
        journal
            .permit_send(
                unknown,
                SendReason::Confirmed,
                &destination(),
                time_at(2),
                time_at(22),
                None,
                &ApprovalPolicy::default(),
            )
            .unwrap(),
    );
    // Looks of one order fill it, faster than orders do; each says something new.
    execute_pragma(&journal, "PRAGMA synchronous = OFF");
    let other = confirmed_order(&journal, 30).id;
    drop(
        journal
            .permit_send(
                other,
                SendReason::Confirmed,
                &destination(),
                time_at(32),
                time_at(52),
                None,
                &ApprovalPolicy::default(),
            )
            .unwrap(),
    );
    for nth in 0..2_100 {
        let status = format!("word-{nth}");
        journal
            .record_lookup(
                other,
                super::fixtures::lookup_with_transaction(&status),
                None,
                &FinalStatuses::default(),
                time_at(60 + nth),
            )
            .unwrap();
    }
    let orders = all_orders(&journal);
    drop(journal);
    let journal = open_journal(folder.path());
    assert_eq!(all_orders(&journal), orders);
    assert_eq!(journal.order(unknown).unwrap().state(time_at(90)), OrderState::Unknown);
    let order = journal
        .permit_send(
            unknown,
            SendReason::Operator { warned: false },
            &destination(),
            time_at(3_000),
            time_at(3_020),
            None,
            &ApprovalPolicy::default(),
        )
        .unwrap();
    assert_eq!(order.attempt(), 2);
    journal
        .record_confirmation(
            journal.record_draft(withdrawal("9"), time_at(3_001)).unwrap().id,
            confirmation(),
            time_at(3_002),
        )
        .unwrap();
    assert_eq!(verify(folder.path()).unwrap().faults, []);
}

#[test]
fn a_journal_in_memory_that_has_grown_too_large_is_full_as_a_disk_is() {
    let journal = Journal::open(&JournalLocation::Memory, console(1)).unwrap().journal;
    let more = "CREATE TABLE more (bytes BLOB); INSERT INTO more VALUES (zeroblob(64 * 1024 * 1024));";
    let full = JournalError::from(journal.lock().connection.execute_batch(more).unwrap_err());
    assert!(matches!(full, JournalError::Full), "{full}");
    journal.record_draft(withdrawal("3"), time_at(5)).unwrap();
}
