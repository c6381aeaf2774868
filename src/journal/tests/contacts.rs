//! The address book: kept whole, found again, never another service's, and never one that was changed from outside.

use super::fixtures::{console, destination, open_journal, time_at, withdrawal};
use crate::domain::book::{BookChange, Contact};
use crate::domain::order::ServiceDestination;
use crate::domain::{AddressBook, Text, Timestamp};
use crate::journal::file::NewRecord;
use crate::journal::hash_chain::ChainHead;
use crate::journal::record::Body;
use crate::journal::{Journal, JournalError, JournalSnapshot, RecordTime, RecordedBookChanges, schema, verify};

fn entered_contact(name: &str) -> BookChange {
    BookChange::Entered(Contact {
        name: name.into(),
        address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed".into(),
        blockchain: "ethereum".into(),
        tag: Some("7".into()),
        note: None,
    })
}

fn removed_contact() -> BookChange {
    BookChange::Removed { address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed".into(), blockchain: "ethereum".into() }
}

/// Records changes as somebody who knows the book as it stands.
#[track_caller]
fn record_book_changes(
    journal: &Journal,
    to: &ServiceDestination,
    changes: Vec<BookChange>,
    overridden: Vec<Text>,
    at: Timestamp,
) {
    let book = RecordedBookChanges::replay_book(&journal.book_changes(to).unwrap());
    journal.change_book(to, &book, changes, overridden, at).unwrap();
}

#[test]
fn changes_are_found_again_with_who_made_them_and_what_was_overridden() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    let elsewhere =
        ServiceDestination { profile: "far".into(), base_url: "https://other.example.com".into(), ..destination() };
    let findings = vec!["looks like another".into()];
    record_book_changes(&journal, &destination(), vec![entered_contact("Norrland")], findings.clone(), time_at(1));
    record_book_changes(&journal, &elsewhere, vec![entered_contact("Stranger")], Vec::new(), time_at(2));
    journal.record_draft(withdrawal("25"), time_at(3)).unwrap();
    let renamed = ServiceDestination { profile: "quay".into(), ..destination() };
    record_book_changes(
        &journal,
        &renamed,
        vec![entered_contact("Norrland AS"), removed_contact()],
        Vec::new(),
        time_at(4),
    );
    drop(journal);
    let all = open_journal(folder.path()).book_changes(&destination()).unwrap();
    let changes: Vec<&[BookChange]> = all.iter().map(|booked| booked.changes.as_slice()).collect();
    assert_eq!(changes, [&[entered_contact("Norrland")][..], &[entered_contact("Norrland AS"), removed_contact()]]);
    assert_eq!((all[0].at, &*all[0].by.user, &all[0].overridden), (time_at(1), "ada", &findings));
    assert_eq!(JournalSnapshot::open(folder.path()).unwrap().book_changes(&destination()).unwrap(), all);
    assert_eq!(RecordedBookChanges::replay_book(&all[..1]).entries()[0].effective_since, time_at(1));
    assert_eq!(RecordedBookChanges::replay_book(&all), AddressBook::default());
    let verified = verify(folder.path()).unwrap();
    assert_eq!((verified.faults, verified.records, verified.orders), (Vec::new(), 4, 1));
}

#[test]
fn a_book_that_was_changed_from_outside_is_not_believed() {
    for damage in [
        "UPDATE record SET body = replace(body, '5aAeb', '6aAeb') WHERE seq = 2",
        "UPDATE record SET at = at - 999999999 WHERE seq = 2",
        "UPDATE record SET profile = 'other' WHERE seq = 3",
        // What lies between two records was taken out.
        "DELETE FROM record WHERE seq = 1",
        "DELETE FROM record WHERE seq = 4",
        // The change itself was taken out, or made to look like none.
        "DELETE FROM record WHERE seq = 2",
        "UPDATE record SET kind = 'imported' WHERE seq = 3",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let journal = open_journal(folder.path());
        journal.record_draft(withdrawal("25"), time_at(0)).unwrap();
        for name in ["Norrland", "Norrland AS"] {
            record_book_changes(&journal, &destination(), vec![entered_contact(name)], Vec::new(), time_at(1));
        }
        journal.record_draft(withdrawal("26"), time_at(2)).unwrap();
        let file = rusqlite::Connection::open(folder.path().join("journal.sqlite")).unwrap();
        assert_eq!(JournalSnapshot::open(folder.path()).unwrap().book_changes(&destination()).unwrap().len(), 2);
        file.execute_batch(&format!("DROP TRIGGER record_stays; DROP TRIGGER record_remains; {damage};")).unwrap();
        let refused = JournalSnapshot::open(folder.path()).unwrap().book_changes(&destination()).unwrap_err();
        assert!(matches!(refused, JournalError::Damaged { .. }), "{damage}: {refused}");
    }
}

#[test]
fn a_change_from_outside_is_noticed_in_a_journal_that_is_not_read_whole_at_opening() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    record_book_changes(&journal, &destination(), vec![entered_contact("Norrland")], Vec::new(), time_at(1));
    record_book_changes(&journal, &destination(), vec![removed_contact()], Vec::new(), time_at(2));
    // More follow than are read at opening; they are laid down in one go, since each by itself waits for the disk.
    let mut file = rusqlite::Connection::open(folder.path().join("journal.sqlite")).unwrap();
    let copied = NewRecord { order: None, destination: None, body: Body::Copied { open: 0 } };
    let transaction = file.transaction().unwrap();
    for _ in 0..2_100 {
        let record = copied.to_record(schema::read_head(&transaction).unwrap(), time_at(3), &console(1)).unwrap();
        record.write(&transaction).unwrap();
        schema::set_head(&transaction, &ChainHead { seq: record.seq, hash: record.hash }).unwrap();
    }
    transaction.commit().unwrap();
    // Not a backup that ends there.
    journal.record_draft(withdrawal("25"), time_at(4)).unwrap();
    drop(journal);
    let all = open_journal(folder.path()).book_changes(&destination()).unwrap();
    assert_eq!((all.len(), RecordedBookChanges::replay_book(&all)), (2, AddressBook::default()));
    file.execute_batch("DROP TRIGGER record_stays; UPDATE record SET kind = 'looked' WHERE seq = 2;").unwrap();
    let refused = open_journal(folder.path()).book_changes(&destination()).unwrap_err();
    assert!(refused.is_damage(), "{refused}");
}

#[test]
fn an_entry_does_not_age_by_a_clock_that_was_set_back() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    journal.record_draft(withdrawal("25"), time_at(50)).unwrap();
    record_book_changes(&journal, &destination(), vec![entered_contact("Norrland")], Vec::new(), time_at(1));
    let (written, replayed) = (
        journal.book_changes(&destination()).unwrap(),
        JournalSnapshot::open(folder.path()).unwrap().book_changes(&destination()).unwrap(),
    );
    assert_eq!(written, replayed);
    let entry = RecordedBookChanges::replay_book(&replayed).entries()[0].clone();
    assert_eq!((entry.entered_at, entry.effective_since), (time_at(1), time_at(50)));
}

/// What an entry gets while it cools counts from when it was entered, by the order of the records and not by their times.
#[test]
fn matrix_of_a_wrong_clock_and_when_an_entry_was_made() {
    const HOUR: i64 = 3_600_000;
    let from = |hours: i64, seconds: i64| Timestamp::from_millis(time_at(1).millis() + hours * HOUR + seconds * 1_000);
    for hours in -25..=25 {
        let folder = tempfile::tempdir().unwrap();
        let journal = open_journal(folder.path());
        let moment = RecordTime { at_console: from(hours, 0), at_service: Some(from(0, 0)) };
        journal
            .change_book(&destination(), &AddressBook::default(), vec![entered_contact("Norrland")], Vec::new(), moment)
            .unwrap();
        // The clock is right when the first payment is drafted, a second later.
        journal.record_draft(withdrawal("25"), from(0, 1)).unwrap();
        journal.record_draft(withdrawal("25"), from(0, 2)).unwrap();
        let (written, replayed) = (
            journal.book_changes(&destination()).unwrap(),
            JournalSnapshot::open(folder.path()).unwrap().book_changes(&destination()).unwrap(),
        );
        assert_eq!(written, replayed);
        let entry = RecordedBookChanges::replay_book(&replayed).entries()[0].clone();
        for now in [from(0, 3), from(26, 0)] {
            assert!(entry.cooling_payments_start(now) <= from(0, 0), "{hours} h ahead: {entry:?}");
        }
        assert_eq!(entry.effective_since, from(hours.max(0), 0), "{hours} h ahead, and it cools no sooner");
    }
}

#[test]
fn a_change_that_was_judged_by_another_book_is_not_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, other) = (open_journal(folder.path()), open_journal(folder.path()));
    let judged = RecordedBookChanges::replay_book(&journal.book_changes(&destination()).unwrap());
    record_book_changes(&other, &destination(), vec![entered_contact("Norrland")], Vec::new(), time_at(1));
    let refused = journal
        .change_book(&destination(), &judged, vec![entered_contact("Else")], Vec::new(), time_at(2))
        .unwrap_err();
    assert!(matches!(refused, JournalError::BookChanged), "{refused}");
    assert_eq!(journal.book_changes(&destination()).unwrap().len(), 1);
}
