//! The address book: kept whole, found again, never another service's, and never one that was changed from outside.

use super::sample::{at, destination, open, withdrawal};
use crate::domain::Book;
use crate::domain::book::{Change, Contact};
use crate::domain::intent::Destination;
use crate::journal::{Booked, JournalError, Reading, verify};

const HERE: &str = "https://api.example.com";

fn contact(name: &str) -> Change {
    Change::Entered(Contact {
        name: name.into(),
        address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed".into(),
        blockchain: "ethereum".into(),
        tag: Some("7".into()),
        note: None,
    })
}

fn removed() -> Change {
    Change::Removed { address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed".into(), blockchain: "ethereum".into() }
}

#[test]
fn changes_are_found_again_with_who_made_them_and_what_was_overridden() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path());
    let elsewhere = Destination { base_url: "https://other.example.com".into(), ..destination() };
    let words = vec!["looks like another".into()];
    journal.change_book(&destination(), vec![contact("Norrland")], words.clone(), at(1)).unwrap();
    journal.change_book(&elsewhere, vec![contact("Stranger")], Vec::new(), at(2)).unwrap();
    journal.draft(withdrawal("25"), at(3)).unwrap();
    let renamed = Destination { profile: "quay".into(), ..destination() };
    journal.change_book(&renamed, vec![contact("Norrland AS"), removed()], Vec::new(), at(4)).unwrap();
    drop(journal);
    let all = open(folder.path()).booked(HERE).unwrap();
    let changes: Vec<&[Change]> = all.iter().map(|booked| booked.changes.as_slice()).collect();
    assert_eq!(changes, [&[contact("Norrland")][..], &[contact("Norrland AS"), removed()]]);
    assert_eq!((all[0].at, &*all[0].by.user, &all[0].overridden), (at(1), "ada", &words));
    assert_eq!(Reading::open(folder.path()).unwrap().booked(HERE).unwrap(), all);
    assert_eq!(Booked::book(&all[..1]).entries()[0].since, at(1));
    assert_eq!(Booked::book(&all), Book::default());
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
    ] {
        let folder = tempfile::tempdir().unwrap();
        let journal = open(folder.path());
        journal.draft(withdrawal("25"), at(0)).unwrap();
        for name in ["Norrland", "Norrland AS"] {
            journal.change_book(&destination(), vec![contact(name)], Vec::new(), at(1)).unwrap();
        }
        journal.draft(withdrawal("26"), at(2)).unwrap();
        let file = rusqlite::Connection::open(folder.path().join("journal.sqlite")).unwrap();
        assert_eq!(Reading::open(folder.path()).unwrap().booked(HERE).unwrap().len(), 2);
        file.execute_batch(&format!("DROP TRIGGER record_stays; DROP TRIGGER record_remains; {damage};")).unwrap();
        let refused = Reading::open(folder.path()).unwrap().booked(HERE).unwrap_err();
        assert!(matches!(refused, JournalError::Damaged { .. }), "{damage}: {refused}");
    }
}
