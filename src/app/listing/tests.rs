//! A list over a fake store of numbered rows: motions, windows, arrivals.

use proptest::prelude::*;

use super::*;
use crate::app::input::keymap::Command;
use crate::domain::history::WindowAnchor;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Number(i64);

impl Keyed for Number {
    type Key = i64;
    const ANCHORED: bool = true;
    fn key(&self) -> i64 {
        self.0
    }
}

/// Rows newest first: the highest number has rank 0.
struct Store {
    rows: i64,
}

impl Store {
    fn window(&self, anchor: WindowAnchor, rows: u32) -> Window<Number> {
        let count = u64::try_from(self.rows).unwrap();
        let rows = u64::from(rows);
        let first = match anchor {
            WindowAnchor::Rank(rank) => rank.min(count),
            WindowAnchor::Row { seq, above } => {
                u64::try_from((self.rows - 1 - seq).max(0)).unwrap().saturating_sub(u64::from(above))
            }
            WindowAnchor::End => count.saturating_sub(rows),
        };
        let last = (first + rows).min(count);
        let numbers = (first..last).map(|rank| Number(self.rows - 1 - i64::try_from(rank).unwrap())).collect();
        Window { first, rows: numbers, count: RowCount::Exact(count) }
    }
}

/// Answers until nothing more is asked for.
fn answer_requests(listing: &mut Listing<Number>, store: &Store, mut short: bool) {
    for _ in 0..8 {
        if !short {
            return;
        }
        let (anchor, rows) = listing.next_window();
        short = listing.apply_window(store.window(anchor, rows));
    }
    panic!("the list asks without end");
}

fn listing(store: &Store, height: u16) -> Listing<Number> {
    let mut listing = Listing::default();
    listing.set_height(height);
    answer_requests(&mut listing, store, true);
    listing
}

fn visible_numbers(listing: &Listing<Number>) -> Vec<i64> {
    listing.visible_rows().map(|(row, _)| row.0).collect()
}

#[test]
fn the_first_step_down_selects_the_row_on_top() {
    let store = Store { rows: 100 };
    let mut list = listing(&store, 5);
    assert_eq!(list.selected_key(), None);
    assert!(!list.move_by(1));
    assert_eq!(list.selected_key(), Some(&99));
    assert!(!list.move_by(1));
    assert_eq!(list.selected_key(), Some(&98));
    assert_eq!(visible_numbers(&list), [99, 98, 97, 96, 95]);
}

#[test]
fn a_selection_stays_on_its_row_and_its_line_while_rows_arrive() {
    let mut store = Store { rows: 100 };
    let mut list = listing(&store, 5);
    for _ in 0..4 {
        list.move_by(1);
    }
    let before = visible_numbers(&list);
    store.rows += 7;
    answer_requests(&mut list, &store, true);
    assert_eq!(visible_numbers(&list), before);
    assert_eq!(list.selected_key(), Some(&96));
    assert_eq!(list.selected_rank(), Some(10));
    assert_eq!(list.rows_arrived_above(), 7);
    let short = list.go_to_first(true);
    answer_requests(&mut list, &store, short);
    assert_eq!(visible_numbers(&list), [106, 105, 104, 103, 102]);
    assert_eq!(list.rows_arrived_above(), 0);
}

#[test]
fn without_a_selection_the_list_follows_what_arrives() {
    let mut store = Store { rows: 3 };
    let mut list = listing(&store, 5);
    store.rows = 9;
    answer_requests(&mut list, &store, true);
    assert_eq!(visible_numbers(&list), [8, 7, 6, 5, 4]);
}

#[test]
fn a_list_that_was_scrolled_stays_where_it_is_without_a_selection_too() {
    let mut store = Store { rows: 100 };
    let mut list = listing(&store, 5);
    let short = list.scroll_by(20);
    answer_requests(&mut list, &store, short);
    let before = visible_numbers(&list);
    assert!(list.deselect());
    store.rows += 3;
    answer_requests(&mut list, &store, true);
    assert_eq!(visible_numbers(&list), before);
    assert_eq!(list.rows_arrived_above(), 3);
}

#[test]
fn a_motion_up_from_the_first_row_ends_at_the_row_of_all() {
    let store = Store { rows: 100 };
    let mut list = listing(&store, 5);
    assert!(list.moves_to_row_of_all(Command::Up), "it is selected already");
    assert!(!list.moves_to_row_of_all(Command::Down));
    list.move_by(1);
    list.move_by(1);
    assert!(!list.moves_to_row_of_all(Command::PageUp), "the first row comes first");
    list.move_by(-1);
    assert!(list.selected().is_some() && list.moves_to_row_of_all(Command::Up));
    assert!(list.selected().is_none());
}

#[test]
fn a_row_that_is_gone_is_selected_no_more_and_no_other_in_its_stead() {
    let store = Store { rows: 100 };
    let mut list = listing(&store, 5);
    for _ in 0..3 {
        list.move_by(1);
    }
    let (anchor, rows) = list.next_window();
    let mut window = store.window(anchor, rows);
    window.rows.retain(|row| row.0 != 97);
    window.count = RowCount::Exact(99);
    list.apply_window(window);
    assert_eq!(list.selected_key(), None);
    assert_eq!(visible_numbers(&list), [99, 98, 96, 95, 94]);
    assert!(list.select_first_visible(), "the next key that needs a row takes the first that is seen");
}

#[test]
fn keys_typed_ahead_of_the_first_rows_are_not_lost() {
    let store = Store { rows: 100 };
    let mut list = Listing::default();
    list.set_height(5);
    let short = [list.move_by(1), list.move_by(1), list.move_by(1)];
    assert!(short[0]);
    answer_requests(&mut list, &store, true);
    assert_eq!(list.selected_key(), Some(&97));
    let mut empty: Listing<Number> = Listing::default();
    let short = empty.move_by(1);
    answer_requests(&mut empty, &Store { rows: 0 }, short);
    assert_eq!(empty.selected_key(), None);
}

#[test]
fn a_jump_keeps_the_picture_until_its_rows_are_there() {
    let store = Store { rows: 1_000_000 };
    let mut list = listing(&store, 10);
    let before = visible_numbers(&list);
    assert!(list.go_to_last());
    assert_eq!(visible_numbers(&list), before);
    // A key typed meanwhile goes from where the jump leads.
    let short = list.move_by(-1);
    answer_requests(&mut list, &store, short);
    assert_eq!(list.selected_key(), Some(&1));
    assert!(visible_numbers(&list).contains(&0));
}

#[test]
fn an_empty_list_has_nowhere_to_go() {
    let store = Store { rows: 0 };
    let mut list = listing(&store, 10);
    for short in [list.move_by(1), list.go_to_last(), list.scroll_by(10), list.go_to_first(false), list.move_by(-3)] {
        assert!(!short);
    }
    assert_eq!(list.selected_key(), None);
}

#[derive(Debug, Clone)]
enum Step {
    Move(i64),
    Scroll(i64),
    First,
    Last,
    Arrive(i64),
    Height(u16),
    Deselect,
    Answer,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (-3..=3_i64).prop_map(Step::Move),
        (-60..=60_i64).prop_map(Step::Scroll),
        Just(Step::First),
        Just(Step::Last),
        (1..=40_i64).prop_map(Step::Arrive),
        (1..=50_u16).prop_map(Step::Height),
        Just(Step::Deselect),
        Just(Step::Answer),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is done: what is visible are neighbouring rows, the selected one among them, and no motion is lost
    /// for longer than an answer takes.
    #[test]
    fn what_is_visible_is_whole(rows in 0..2_000_i64, steps in proptest::collection::vec(step(), 1..60)) {
        let mut store = Store { rows };
        let mut list = listing(&store, 10);
        for step in steps {
            let short = match step {
                Step::Move(by) => list.move_by(by),
                Step::Scroll(by) => list.scroll_by(by),
                Step::First => list.go_to_first(true),
                Step::Last => list.go_to_last(),
                Step::Arrive(count) => { store.rows += count; true }
                Step::Height(height) => list.set_height(height),
                Step::Deselect => { list.deselect(); false }
                Step::Answer => true,
            };
            let before = list.selected_key().copied();
            let arrival = matches!(step, Step::Arrive(_) | Step::Answer | Step::Height(_));
            answer_requests(&mut list, &store, short);
            if arrival {
                prop_assert_eq!(list.selected_key().copied(), before);
            }
            let visible = visible_numbers(&list);
            prop_assert!(visible.windows(2).all(|pair| pair[0] == pair[1] + 1), "{:?}", visible);
            let height = list.height.min(u64::try_from(store.rows).unwrap());
            let full = u64::try_from(visible.len()).unwrap();
            prop_assert!(full == height || list.top + full == u64::try_from(store.rows).unwrap(), "{} of {}", full, height);
            if let Some(selected) = list.selected_key() {
                prop_assert!(visible.contains(selected), "{} not in {:?}", selected, visible);
            }
        }
    }
}

/// A row that changes its place, as a person does whose name arrives.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Person(u32);

impl Keyed for Person {
    type Key = u32;
    fn key(&self) -> u32 {
        self.0
    }
}

/// Answers, as a store does that knows where each person stands, until nothing more is asked for.
fn answer_people_requests(listing: &mut Listing<Person>, order: &[u32], mut short: bool) {
    for _ in 0..8 {
        if !short {
            return;
        }
        let (first, rows, selected) = listing.next_window_around_selection();
        let (rows, first) = (usize::try_from(rows).unwrap(), usize::try_from(first).unwrap());
        let window = |first: usize| {
            let first = first.min(order.len().saturating_sub(rows));
            let people = order.iter().skip(first).take(rows).map(|person| Person(*person)).collect();
            let first = u64::try_from(first).unwrap();
            Window { first, rows: people, count: RowCount::Exact(u64::try_from(order.len()).unwrap()) }
        };
        let answer = window(first);
        let elsewhere = selected.filter(|selected| !answer.rows.contains(&Person(*selected)));
        let rank = elsewhere.and_then(|selected| order.iter().position(|person| *person == selected));
        short = listing.apply_window(rank.map_or(answer, |rank| window(rank.saturating_sub(rows / 2))));
    }
    panic!("the list asks without end");
}

#[test]
fn the_selected_row_stays_on_its_line_however_far_its_rank_moves() {
    let mut order: Vec<u32> = (0..600).collect();
    let mut list: Listing<Person> = Listing::default();
    list.set_height(10);
    answer_people_requests(&mut list, &order, true);
    let short = list.scroll_by(300);
    answer_people_requests(&mut list, &order, short);
    let short = list.move_by(4);
    answer_people_requests(&mut list, &order, short);
    let line = |list: &Listing<Person>| list.visible_rows().position(|(_, selected)| selected);
    assert_eq!((list.selected(), line(&list)), (Some(&Person(304)), Some(4)));
    for rank in [40, 560, 310] {
        order.retain(|person| *person != 304);
        order.insert(rank, 304);
        answer_people_requests(&mut list, &order, true);
        assert_eq!((list.selected(), line(&list)), (Some(&Person(304)), Some(4)), "at rank {rank}");
        assert_eq!(list.selected_rank(), Some(u64::try_from(rank).unwrap()));
    }
    order.retain(|person| *person != 304);
    answer_people_requests(&mut list, &order, true);
    assert_eq!((list.selected(), list.selected_key()), (None, None), "nobody stands in for one who is gone");
}

#[test]
fn a_row_that_was_selected_while_an_answer_was_under_way_is_asked_for_and_not_lost() {
    let mut order: Vec<u32> = (0..600).collect();
    let mut list: Listing<Person> = Listing::default();
    list.set_height(10);
    answer_people_requests(&mut list, &order, true);
    assert!(list.select_first_visible());
    list.next_window_around_selection();
    assert!(list.select(&9));
    order.retain(|person| *person != 9);
    order.push(9);
    let people = order.iter().take(50).map(|person| Person(*person)).collect();
    let short = list.apply_window(Window { first: 0, rows: people, count: RowCount::Exact(600) });
    assert!(short, "the answer was asked for around another row");
    answer_people_requests(&mut list, &order, short);
    assert_eq!((list.selected(), list.selected_rank()), (Some(&Person(9)), Some(599)));
}

#[test]
fn the_first_window_has_two_pages_and_later_ones_have_five() {
    let store = Store { rows: 1_000 };
    let mut list = Listing::<Number>::default();
    list.set_height(30);
    let (anchor, rows) = list.next_window();
    assert_eq!((anchor, rows), (WindowAnchor::Rank(0), 60));
    assert!(!list.apply_window(store.window(anchor, rows)), "the next page is held");
    assert!(list.scroll_by(1), "once the rows begin to move, more are asked for");
    assert_eq!(list.next_window().1, 150);
    list.unload();
    assert_eq!(list.next_window().1, 60, "another account's rows are waited for again");
}
