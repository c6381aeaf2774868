use proptest::prelude::*;

use super::*;
use crate::app::model::Model;

fn at(second: i64) -> Timestamp {
    Timestamp::from_millis(second * 1_000)
}

#[test]
fn an_equal_event_of_a_moment_ago_is_counted_and_comes_to_the_front() {
    let mut events = Events::default();
    for (second, text) in ["slow", "live", "slow", "live", "slow"].into_iter().enumerate() {
        events.record(at(i64::try_from(second).unwrap()), EventKind::Connection, Tone::Text, text.into(), None);
    }
    let rows: Vec<_> =
        events.all().map(|event| (event.text.as_str(), event.occurrences, event.first_at, event.at)).collect();
    assert_eq!(rows, [("slow", 3, at(0), at(4)), ("live", 2, at(1), at(3))]);
    assert_eq!(events.unread_count(), 2, "one that is told again is not one more");
}

#[test]
fn what_comes_back_later_is_an_event_of_its_own() {
    let mut events = Events::default();
    for (minute, text) in [(0, "offline"), (60, "live"), (63, "offline"), (64, "live"), (64, "offline")] {
        events.record(at(minute * 60), EventKind::Connection, Tone::Text, text.into(), None);
    }
    let rows: Vec<_> = events.all().map(|event| (event.text.as_str(), event.occurrences, event.at)).collect();
    let minute = |minute: i64| at(minute * 60);
    assert_eq!(rows, [("offline", 2, minute(64)), ("live", 2, minute(64)), ("offline", 1, minute(0))]);
    assert_eq!(events.unread_count(), 3);
}

#[test]
fn what_the_console_itself_did_and_hints_are_not_counted_as_unread() {
    let mut events = Events::default();
    events.record(at(0), EventKind::Console, Tone::Good, "connected".into(), None);
    events.record(at(1), EventKind::Hint, Tone::Text, "a webhook".into(), None);
    assert_eq!((events.all().len(), events.unread_count()), (2, 0));
    events.record(at(2), EventKind::Watch, Tone::Bad, "raised".into(), None);
    assert_eq!(events.unread_count(), 1);
}

#[test]
fn a_filter_looks_for_each_word_in_what_happened_and_what_it_is_about() {
    let mut events = Events::default();
    events.record(at(0), EventKind::Connection, Tone::Text, "Slow: answers are late".into(), None);
    events.record(at(1), EventKind::Order, Tone::Text, "withdrawal: accepted".into(), None);
    assert_eq!(events.matching_ids("LATE slow").len(), 1);
    assert_eq!(events.matching_ids("order").len(), 1);
    assert_eq!(events.matching_ids("order late").len(), 0);
    assert_eq!(events.matching_ids(" ").len(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The ring holds the newest, each once, in their order, and never more than its size.
    #[test]
    fn the_ring_holds_the_newest_in_their_order(numbers in prop::collection::vec(0_u32..5_000, 0..6_000)) {
        let mut events = Events::default();
        for (second, number) in numbers.iter().enumerate() {
            events.record(at(i64::try_from(second).unwrap()), EventKind::Order, Tone::Text, number.to_string(), None);
            prop_assert!(events.all().len() <= MAX_EVENTS);
        }
        let list: Vec<&Event> = events.all().collect();
        prop_assert!(list.is_sorted_by(|newer, older| newer.at >= older.at));
        let mut ids: Vec<EventId> = list.iter().map(|event| event.id).collect();
        ids.sort_unstable();
        ids.dedup();
        prop_assert_eq!(ids.len(), list.len());
        if let Some(last) = numbers.last() {
            prop_assert_eq!(&list[0].text, &last.to_string());
        }
        let times: u64 = list.iter().map(|event| u64::from(event.occurrences)).sum();
        prop_assert!(list.len() == MAX_EVENTS || times == u64::try_from(numbers.len()).unwrap(), "nothing is lost while there is room");
        prop_assert!(events.unread_count() <= MAX_EVENTS);
    }
}

#[test]
fn a_key_that_was_changed_is_told_once_and_an_earlier_one_is_none() {
    use crate::app::{Settings, Size};
    let mut model = Model::new(Settings::sample(), Size { width: 80, height: 24 }, at(0));
    let count =
        |model: &Model| model.pages.events.all().filter(|event| event.text.contains("API key was changed")).count();
    record_key_change(&mut model, &"aa".into());
    assert_eq!(count(&model), 0, "nobody knows under which key this console reads");
    record_key_change(&mut model, &"aa".into());
    record_key_change(&mut model, &"bb".into());
    record_key_change(&mut model, &"bb".into());
    assert_eq!(count(&model), 1);
}
