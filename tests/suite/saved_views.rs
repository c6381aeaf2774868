//! Views of the transactions by name: shipped and saved ones, by their numbers and through the palette; periods by name,
//! and the words by which the palette is searched.

use std::fs;
use std::time::Duration;

use bursar::config::{Config, Environment, Overrides};
use bursar::domain::Timestamp;
use bursar::domain::filter::{Filter, FilterContext};
use bursar::domain::history::{HistoryRow, Query, Sort, WindowAnchor, WindowRequest};
use bursar::runtime::HostPermission;
use bursar::runtime::profile_file::ProfileFile;

use super::harness::{BEGINNING, Session, Setup, VisitorService};

fn session() -> Session {
    let mut session = Session::with(Setup { transactions: 400, size: (160, 50), ..Setup::default() });
    session.passes(Duration::from_secs(30));
    session
}

/// The rows of a filter, by the store.
fn rows(session: &Session, filter: &str, sort: Sort) -> Vec<HistoryRow> {
    let context = FilterContext { now: Timestamp::parse_iso(BEGINNING), ..FilterContext::default() };
    let filter = Filter::parse(filter, &context);
    assert_eq!(filter.faults, []);
    let query = Query { filter, sort, ..Query::default() };
    let request = WindowRequest { query, anchor: WindowAnchor::Rank(0), rows: 100_000 };
    let mut rows = Vec::new();
    session.store().query_history(&request, &bursar::store::Cancel::new(), &mut |window| rows = window.rows).unwrap();
    rows
}

#[test]
fn a_view_is_opened_by_its_number_and_says_of_what_time_its_rows_are() {
    let mut session = session();
    session.keys("V");
    session.sees("1  Deposits since yesterday");
    session.sees("1-9 Enter open");
    session.keys("1");
    let head = session.line("Transactions · Deposits since yesterday");
    assert!(head.contains("/dir:in type:deposit internal:no from:yesterday"), "{head}");
    let filtered_rows = rows(&session, "dir:in type:deposit internal:no from:yesterday", Sort::Newest);
    assert!(!filtered_rows.is_empty());
    let line = session.line("Sum of ");
    assert!(line.contains(&format!("{} row", filtered_rows.len())) && line.contains("since Nov 1 UTC"), "{line}");
    // The palette finds it by what people call it, and another filter is no longer this view.
    session.keys("Esc : 'biggest' Enter");
    session.sees("Transactions · Largest this month");
    session.sees("Nov 1 – Nov 30 UTC");
    session.keys("/ Blank 'usdc' Enter");
    session.sees_no("Transactions · ");
}

#[test]
fn a_view_is_left_with_its_order_and_one_without_rows_says_what_it_asked() {
    let mut session = session();
    let is_newest_first = |session: &Session| {
        session.sees("Transactions");
        session.sees_no("largest");
        session.sees_no("oldest first");
    };
    session.keys("V 5");
    session.sees("largest");
    session.keys("Esc");
    is_newest_first(&session);
    // An order that was chosen stays, and a jump shows the newest first.
    session.keys("o V 5 Esc");
    session.sees("oldest first");
    session.keys("V 5 ! Enter");
    session.settle();
    is_newest_first(&session);
    session.keys("Esc V 2");
    session.settle();
    session.sees("No payment has been pending longer than usual for its chain. Esc leaves the view.");
    session.keys("Esc");
    is_newest_first(&session);
}

#[test]
fn a_day_that_turns_moves_what_is_meant_by_today() {
    let mut session = session();
    session.keys("3 / 'today' Enter");
    session.sees("Nov 2 UTC");
    session.ticks(Duration::from_hours(12));
    session.settle();
    session.sees_no("Nov 2 UTC");
    session.sees("nothing matches");
}

#[test]
fn days_of_a_filter_are_those_of_the_clock_on_the_screen() {
    // It is the day before there.
    let mut session = Session::with(Setup { utc_offset_seconds: -13 * 3_600, size: (150, 50), ..Setup::default() });
    session.passes(Duration::from_secs(30));
    session.keys("3 / 'date:2026-11-01' Enter");
    session.settle();
    let by_date = session.line("Sum of ");
    // A row that is of the second day in UTC.
    session.sees("11-01 23:03");
    session.sees_no("10-31 ");
    session.keys("/ C-u 'today' Enter");
    session.settle();
    let by_name = session.line("Sum of ");
    // The period may leave no room for the fees in full.
    let (without_period, _) = by_name.split_once("   fees ").unwrap();
    let without_period = without_period.replacen("Nov 1 local   ", "", 1);
    assert!(by_date.starts_with(&without_period), "{by_date}\n{by_name}");
    assert_ne!(by_name, by_date);
}

#[test]
fn a_view_is_saved_renamed_and_removed_in_the_file_of_the_profile() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    fs::write(&file, "# Ours.\n[profiles.harbour]\nbase_url = \"https://api.example.com\" # the real one\n").unwrap();
    let config = || {
        let overrides = Overrides { config_dir: Some(folder.path().to_owned()), ..Overrides::default() };
        Config::resolve(overrides, &Environment::default()).unwrap()
    };
    let mut session = session();
    let parsed = config();
    session.saves_to(ProfileFile::new(&HostPermission::for_local_operator(), &parsed, &parsed.profiles[0]));
    session.keys("3 V s");
    session.sees("nothing to save");
    session.keys("Esc / 'dir:out' Blank 'last' Blank 'month' Enter o o V s");
    session.sees("Save this view as:");
    session.keys("'Rents' Enter");
    session.sees("“Rents” is saved, in the configuration of this profile");
    let saved = &config().profiles[0].views;
    assert_eq!(
        (saved[0].name.as_str(), saved[0].filter.as_str(), saved[0].sort),
        ("Rents", "dir:out last month", Sort::Largest)
    );
    session.keys("Esc");
    session.sees("Transactions · Rents");
    session.keys("V G e Backspace Enter");
    session.sees("“Rents” is now called “Rent”");
    session.keys("Esc Esc : 'rent' Enter");
    session.sees("Transactions · Rent ");
    session.keys("V G D");
    session.sees("Press D again to remove “Rent”.");
    session.keys("D");
    session.sees("“Rent” is removed, in the configuration");
    assert_eq!(config().profiles[0].views, []);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("# Ours.") && text.contains("# the real one"), "{text}");
    // A shipped one is neither renamed nor removed.
    session.keys("g e");
    session.sees("is shipped");
}

#[test]
fn where_nothing_can_be_written_a_view_is_for_the_session() {
    let lodging = VisitorService::open();
    let mut session = Session::visiting(&lodging, 3);
    session.keys("3 / 'usdc' Enter : 'save' Blank 'view' Enter 'Mine' Enter");
    session.sees("“Mine” is saved for this session only: the configuration belongs to the host");
    session.keys("Esc Esc");
    session.sees_no("Transactions · Mine");
    session.keys(": 'mine' Enter");
    session.sees("Transactions · Mine");
    // The veil hides its name, and what it could tell.
    session.keys("p V");
    session.sees_no("Mine");
    session.sees("Deposits since yesterday");
}

#[test]
fn an_empty_filter_offers_examples_that_find_something() {
    let mut session = session();
    session.keys("3 /");
    let line = session.line("such as ");
    let (_, examples) = line.split_once("such as ").unwrap();
    let examples: Vec<&str> = examples.split("  · ").map(str::trim).collect();
    assert!(examples.len() >= 3, "{line}");
    for example in &examples {
        session.keys(&format!("{}Enter", type_text(example)));
        session.sees_no("nothing matches");
        session.sees("Sum of ");
        session.keys("Esc /");
    }
    session.keys("Tab");
    session.sees(&format!("filter {}", examples[0]));
    // A completed period is one word, and what cannot be understood says what would be right.
    session.keys("C-u 'last' Blank 'm' Tab");
    session.sees("filter last month");
    session.keys("C-u 'from:soon'");
    session.sees("takes a time (2026-11-01, yesterday, last month, -7d) or a part of an address");
}

/// The keys that type a text.
fn type_text(text: &str) -> String {
    text.split(' ').map(|word| format!("'{word}' ")).collect::<Vec<_>>().join("Blank ")
}

#[test]
fn the_palette_finds_first_what_people_call_a_thing() {
    let mut session = session();
    for (word, first) in [
        ("total", "overview"),
        ("alert", "needs you"),
        ("stuck", "needs you"),
        ("longer", "Pending longer than usual"),
        ("fee", "Fees this month"),
        ("fees", "report of fees by month and chain"),
        ("deposits", "Deposits since yesterday"),
        ("biggest", "Largest this month"),
        ("csv", "export"),
        ("pay", "withdraw"),
        ("price", "markets"),
    ] {
        session.keys(&format!(": '{word}'"));
        let selected_line = session.line("▌");
        assert!(selected_line.contains(first), "{word}: {selected_line}");
        session.keys("Esc");
    }
}
