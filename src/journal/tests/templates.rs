//! Templates, and the due dates that orders made from them settle.

use chrono::{NaiveDate, Weekday};

use super::fixtures::{console, destination, open_journal, time_at, withdrawal};
use super::format::format_of;
use crate::domain::Timestamp;
use crate::domain::book::BookChange;
use crate::domain::order::{Confirmation, DraftedOrder, OrderEnd};
use crate::domain::template::repeat::Repeat;
use crate::domain::template::{Schedule, Template, TemplateId, TemplateUse, reusable_draft};
use crate::journal::{Journal, JournalLocation, JournalSnapshot, RecordedBookChanges};

fn date(iso: &str) -> NaiveDate {
    iso.parse().unwrap()
}

fn template(repeat: Option<Repeat>) -> Template {
    let drafted = withdrawal("25");
    Template {
        id: TemplateId(7),
        name: "Rent".into(),
        draft: reusable_draft(&drafted.draft),
        sender: drafted.sender.unwrap(),
        schedule: repeat.map(|repeat| Schedule { repeat, from: date("2026-11-02") }),
    }
}

fn record(journal: &Journal, change: BookChange, at: Timestamp) {
    let book = RecordedBookChanges::replay_book(&journal.book_changes(&destination()).unwrap());
    journal.change_book(&destination(), &book, vec![change], Vec::new(), at).unwrap();
}

fn templates(folder: &std::path::Path) -> Vec<Template> {
    let changes = JournalSnapshot::open(folder).unwrap().book_changes(&destination()).unwrap();
    RecordedBookChanges::replay_book(&changes).templates().to_vec()
}

#[test]
fn templates_are_kept_changed_and_removed_and_raise_the_format() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    for repeat in [None, Some(Repeat::Monthly(31)), Some(Repeat::Weekly(Weekday::Fri)), Some(Repeat::LastWorkingDay)] {
        record(&journal, BookChange::Template(Box::new(template(repeat))), time_at(1));
        assert_eq!(templates(folder.path()), [template(repeat)]);
    }
    assert_eq!(format_of(folder.path()), 8);
    drop(journal);
    let journal = open_journal(folder.path());
    record(&journal, BookChange::TemplateRemoved(TemplateId(7)), time_at(2));
    assert_eq!(templates(folder.path()), []);
}

#[test]
fn a_due_date_counts_as_paid_from_the_confirmation_of_an_order_for_it_whichever_console_made_it() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open_journal(folder.path());
    let other = Journal::open(&JournalLocation::Folder(folder.path().to_owned()), console(2)).unwrap().journal;
    let due = date("2026-11-02");
    let drafted = |due| DraftedOrder { template: Some(template(None).use_for(due)), ..withdrawal("25") };
    let load_paid_dues = || {
        let paid_dues = journal.paid_dues(time_at(60)).unwrap();
        assert_eq!(JournalSnapshot::open(folder.path()).unwrap().paid_dues(time_at(60)).unwrap(), paid_dues);
        paid_dues.contains(TemplateId(7), due)
    };
    let confirmation = || Confirmation { typed: Vec::new(), findings: Vec::new(), agreed: None };
    // Used without a due date, it settles none; a draft may never be sent.
    let free = other.record_draft(drafted(None), time_at(1)).unwrap().id;
    other.record_confirmation(free, confirmation(), time_at(2)).unwrap();
    let id = other.record_draft(drafted(Some(due)), time_at(3)).unwrap().id;
    assert!(!load_paid_dues());
    other.record_confirmation(id, confirmation(), time_at(4)).unwrap();
    assert!(load_paid_dues());
    assert!(!journal.paid_dues(time_at(60)).unwrap().contains(TemplateId(7), date("2026-11-09")));
    // Given up before anything was sent: it is due again.
    other.record_end(id, OrderEnd::Abandoned(None), time_at(5)).unwrap();
    assert!(!load_paid_dues());
    let of = TemplateUse { name: "Lease".into(), ..template(None).use_for(Some(due)) };
    let renamed = DraftedOrder { template: Some(of), ..withdrawal("25") };
    let id = other.record_draft(renamed, time_at(6)).unwrap().id;
    other.record_confirmation(id, confirmation(), time_at(7)).unwrap();
    assert!(load_paid_dues(), "another name is the same template");
}
