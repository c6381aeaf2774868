//! What somebody acknowledged stays so over a restart, until it is withdrawn, and at that service alone.

use super::fixtures::{destination, open_journal, time_at, withdrawal};
use crate::domain::attention::{AcknowledgementChange, AttentionId};
use crate::domain::order::ServiceDestination;
use crate::journal::{JournalSnapshot, verify};

fn change(item: &str, note: Option<&str>) -> AcknowledgementChange {
    AcknowledgementChange { item: AttentionId::from_text(item), note: note.map(Into::into) }
}

#[test]
fn an_acknowledgement_outlives_a_restart_with_its_note_and_who_gave_it() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    journal.record_draft(withdrawal("25"), time_at(0)).unwrap();
    let changes = vec![change("failed t-1", Some("asked the bank")), change("stuck t-2", Some(""))];
    journal.record_acknowledgements(&destination(), changes, time_at(1)).unwrap();
    let elsewhere = ServiceDestination { base_url: "https://other.example.com".into(), ..destination() };
    journal.record_acknowledgements(&elsewhere, vec![change("failed t-3", Some("x"))], time_at(2)).unwrap();
    journal.record_acknowledgements(&destination(), vec![change("stuck t-2", None)], time_at(3)).unwrap();
    drop(journal);
    let acknowledgements = open_journal(folder.path()).acknowledgements("https://api.example.com").unwrap();
    let first = acknowledgements.find(&AttentionId::from_text("failed t-1")).unwrap();
    assert_eq!((first.note.as_str(), first.at, first.by.user.as_str()), ("asked the bank", time_at(1), "ada"));
    assert_eq!(acknowledgements.find(&AttentionId::from_text("stuck t-2")), None, "it was withdrawn");
    assert_eq!(acknowledgements.find(&AttentionId::from_text("failed t-3")), None, "that is another service");
    let reading = JournalSnapshot::open(folder.path()).unwrap();
    assert_eq!(reading.acknowledgements("https://api.example.com").unwrap(), acknowledgements);
    assert_eq!(verify(folder.path()).unwrap().faults, []);
}
