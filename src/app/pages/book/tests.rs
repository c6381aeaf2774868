use crossterm::event::KeyCode;

use super::*;
use crate::app::model::{Mode, Model};
use crate::app::msg::Msg;
use crate::app::screen::Size;
use crate::app::{Settings, update};
use crate::domain::Timestamp;
use crate::domain::book::{BookChange, Contact};
use crate::domain::order::PaidDues;
use crate::domain::{AddressBook, FailureReason, FinalStatuses, Policy};

const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_000);

fn hours_ago(hours: i64) -> Timestamp {
    Timestamp::from_millis(NOW.millis() - hours * 3_600_000)
}

fn added_hours_ago(name: &str, chain: &str, address: &str, hours: i64) -> (BookChange, Timestamp) {
    let contact =
        Contact { name: name.into(), address: address.into(), blockchain: chain.into(), tag: None, note: None };
    (BookChange::Entered(contact), hours_ago(hours))
}

fn model() -> Model {
    let mut model = Model::new(Settings::sample(), Size { width: 120, height: 36 }, NOW);
    let book = AddressBook::from_changes([
        added_hours_ago("Quay", "xrp", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh", 80),
        added_hours_ago("Norrland", "ethereum", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", 3),
        added_hours_ago("Harbour", "base", "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", 90),
    ]);
    let policy = Policy { cooling: Some(std::time::Duration::from_hours(48)), ..Policy::default() };
    update(
        &mut model,
        Msg::Book(Ok(Box::new(BookSnapshot {
            book,
            policy,
            final_statuses: FinalStatuses::default(),
            last_editors: Vec::new(),
            paid_dues: PaidDues::default(),
        }))),
    );
    update(&mut model, Msg::Key(KeyCode::Char('7').into()));
    model
}

fn listed_names(model: &Model) -> Vec<&str> {
    model.pages.book.listing.rows().iter().map(|line| line.entry.contact.name.as_str()).collect()
}

#[test]
fn the_list_is_filtered_and_put_in_four_orders() {
    let mut model = model();
    assert_eq!(listed_names(&model), ["Harbour", "Norrland", "Quay"]);
    for expected in [
        ["Norrland", "Quay", "Harbour"],
        // Nobody was paid, so that the names decide.
        ["Harbour", "Norrland", "Quay"],
        ["Harbour", "Norrland", "Quay"],
        ["Harbour", "Norrland", "Quay"],
    ] {
        update(&mut model, Msg::Key(KeyCode::Char('o').into()));
        assert_eq!(listed_names(&model), expected, "{:?}", model.pages.book.sort);
    }
    for (typed, expected) in [("ripple", 0), ("xrp", 1), ("eth 5aae", 1), ("r", 3)] {
        model.pages.book.filter = typed.into();
        update(&mut model, Msg::Tick(NOW));
        assert_eq!(listed_names(&model).len(), expected, "{typed}");
    }
}

#[test]
fn what_cools_says_until_when() {
    let model = model();
    let entry = |name: &str| model.journal.book.entries_named(name).next().unwrap().clone();
    assert_eq!(cooling_until(&model, &entry("Norrland")), Some(hours_ago(3).plus(std::time::Duration::from_hours(48))));
    assert_eq!(cooling_until(&model, &entry("Quay")), None);
}

#[test]
fn a_book_that_cannot_be_read_is_an_alarm_until_it_can_be() {
    let mut model = model();
    let failure = Failure::from_read(FailureReason::Local, "the journal is damaged at record 3");
    update(&mut model, Msg::Book(Err(failure.clone())));
    let banner = model.banner().unwrap_or_default();
    assert!(banner.starts_with("ALARM: the address book cannot be read") && banner.contains("record 3"), "{banner}");
    // Nothing is entered into a book that nobody can read.
    update(&mut model, Msg::Key(KeyCode::Char('n').into()));
    assert!(matches!(model.mode, Mode::Browse));
    let snapshot = BookSnapshot {
        book: AddressBook::default(),
        policy: Policy::default(),
        final_statuses: FinalStatuses::default(),
        last_editors: Vec::new(),
        paid_dues: PaidDues::default(),
    };
    update(&mut model, Msg::Book(Ok(Box::new(snapshot))));
    assert_eq!(model.banner(), None);
}
