//! What people do on the Transactions page: choose, mark, copy, export, look behind.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use bursar::domain::history::{HistoryRow, Query};
use bursar::domain::{Direction, Status};
use bursar::service::Fault;
use bursar::store::Cancel;
use serde_json::Value;

use super::harness::{Session, Setup};

/// Every row of the history that a test of it finds.
pub(super) fn rows(session: &Session, filter: impl Fn(&HistoryRow) -> bool) -> Vec<HistoryRow> {
    let mut rows = Vec::new();
    let mut each = |row: HistoryRow| {
        if filter(&row) {
            rows.push(row);
        }
        ControlFlow::Continue(())
    };
    session.store().walk_rows(&Query::default(), &Cancel::new(), &mut |_| {}, &mut each).unwrap();
    rows
}

/// The files of a folder.
fn files(folder: &tempfile::TempDir) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn a_filter_by_direction_time_and_amount_counts_exactly() {
    let mut session = Session::open();
    session.keys("3 / 'dir:out' Blank 'from:2026-10-15' Blank 'to:2026-10' Blank 'amount:>=500' Enter");
    let day = |row: &HistoryRow| row.transaction.reported_time().unwrap_or(row.seen_at).format("%Y-%m-%d");
    let matches = rows(&session, |row| {
        let whole = row.transaction.exact_amount().map(|amount| amount.decimal_parts().0.parse::<u128>().unwrap());
        row.transaction.direction == Direction::Outgoing
            && ("2026-10-15".."2026-11-01").contains(&day(row).as_str())
            && whole.is_some_and(|whole| whole >= 500)
    });
    assert!(matches.len() > 3, "the sample has some");
    session.sees(&format!("/dir:out from:2026-10-15 to:2026-10 amount:>=500  {} ", matches.len()));
}

#[test]
fn a_filter_completes_its_words_and_is_mended_before_it_is_kept() {
    let mut session = Session::open();
    session.keys("3 / 'stat'");
    session.sees("Tab status:");
    session.keys("Tab 'p'");
    session.sees("Tab status:pending");
    session.keys("Tab Blank 'from:2026-13' Enter");
    session.sees("write a day 2026-11-01, a month 2026-11, a minute 2026-11-01T12:30, yesterday, monday,");
    session.sees("filter status:pending from:2026-13");
    session.keys("Backspace Backspace Backspace Enter");
    session.sees_no("filter status:pending");
    session.sees("/status:pending from:2026 ");
}

#[test]
fn a_word_that_is_not_understood_shows_why_and_no_rows() {
    let mut session = Session::open();
    for (word, right) in [
        ("from:xyz", "takes a time (2026-11-01, yesterday, last month, -7d) or a part of an address"),
        ("status:stuck", "status: takes pending, success, failed"),
        ("amount:lots", "amount: write amount:>=1000.50 or amount:>5k"),
        ("age:>30", "age: write age:>30m"),
    ] {
        session.keys(&format!("3 / '{word}'"));
        session.sees(&format!("{word} is not understood: "));
        session.sees(right);
        assert!(!session.screen().contains("↓ in") && !session.screen().contains("↑ out"), "{word} shows rows");
        session.keys("Esc");
        session.sees("↓ in");
    }
}

#[test]
fn days_ages_and_thousands_find_what_the_calendar_and_the_digits_say() {
    let mut session = Session::open();
    let now = session.now();
    let count = |session: &Session, from: i64| {
        let time = |row: &HistoryRow| row.time.millis() / 60_000;
        rows(session, |row| time(row) >= now.millis() / 60_000 - from).len()
    };
    let all = rows(&session, |_| true).len();
    let week = count(&session, 7 * 24 * 60);
    assert!(0 < week && week < all, "{week} of {all}");
    session.keys("3 h / 'from:-7d' Enter");
    session.sees(&format!("/from:-7d  {week} "));
    session.keys("/ Esc / 'age:<7d' Enter");
    session.sees(&format!("/age:<7d  {week} "));
    session.keys("/ Esc / 'age:>7d' Enter");
    session.sees(&format!("/age:>7d  {} ", all - week));
    let large = rows(&session, |row| {
        row.transaction.exact_amount().is_some_and(|amount| amount.decimal_parts().0.parse::<u128>().unwrap() >= 5_000)
    });
    session.keys("/ Esc / 'amount:>=5k' Enter");
    session.sees(&format!("/amount:>=5k  {} ", large.len()));
}

#[test]
fn rows_grow_older_under_a_filter_by_age() {
    let mut session = Session::open();
    let minutes = |row: &HistoryRow, now: bursar::domain::Timestamp| {
        row.transaction.reported_time().unwrap_or(row.seen_at).age(now).as_secs() / 60
    };
    let youngest = rows(&session, |_| true).iter().map(|row| minutes(row, session.now())).min().unwrap();
    session.keys(&format!("3 / 'age:<{}m' Enter", youngest + 2));
    session.sees_no("nothing matches");
    session.passes(Duration::from_mins(4));
    session.sees("nothing matches");
}

#[test]
fn the_menu_writes_what_anybody_could_have_typed() {
    let mut session = Session::open();
    session.keys("3 h f Blank");
    session.sees("[x] incoming");
    session.sees("/dir:in ");
    session.keys("j Enter");
    session.sees("[x] outgoing");
    session.sees("[ ] incoming");
    session.keys("Esc");
    session.sees("/dir:out ");
    session.sees_no("↓ in");
    session.keys("f j Blank Esc");
    session.sees_no("/dir:out");
}

#[test]
fn marks_outlive_a_filter_are_named_when_it_hides_them_and_are_exported_alone() {
    let mut session = Session::open();
    let folder = tempfile::tempdir().unwrap();
    let all = rows(&session, |_| true);
    session.keys("3 j Blank Blank Blank");
    session.sees("◆ 3 marked");
    let marked_ids: BTreeSet<String> = all.iter().take(3).map(|row| row.transaction.id.to_string()).collect();
    let direction = all[0].transaction.direction.clone();
    let hidden_count = all.iter().take(3).filter(|row| row.transaction.direction == direction).count();
    let other = if direction == Direction::Incoming { "out" } else { "in" };
    session.keys(&format!("/ 'dir:{other}' Enter"));
    session.sees(&format!("◆ 3 marked, {hidden_count} not shown"));
    session.keys("x");
    session.sees(&format!("3 marked; {hidden_count} of them not shown now: "));
    session.keys(&format!("'{}' Down Enter", folder.path().display()));
    session.sees("3 rows written to ");
    let [file] = &files(&folder)[..] else { panic!("one file") };
    let records: Vec<Value> = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    assert_eq!(records.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>(), marked_ids);
    // The filter goes first, then the marks.
    session.keys("Esc");
    session.sees("◆ 3 marked");
    session.keys("Esc");
    session.sees_no("marked");
}

#[test]
fn what_is_shown_is_exported_whole_and_no_file_is_replaced() {
    let mut session = Session::open();
    let folder = tempfile::tempdir().unwrap();
    session.keys("3 / 'token:usdc' Enter x");
    let expected = rows(&session, |row| row.transaction.symbol.eq_ignore_ascii_case("usdc"));
    session.sees(&format!("{} transactions, filtered by token:usdc", expected.len()));
    session.keys("Enter");
    session.sees("enter a folder");
    session.keys(&format!("'{}' Enter", folder.path().display()));
    session.sees(&format!("{} rows written to ", expected.len()));
    // The folder and the format are remembered.
    session.keys("x");
    session.sees("type to replace, arrows to edit");
    session.keys("Enter");
    let exported_files = files(&folder);
    assert_eq!(exported_files.len(), 2);
    assert_eq!(fs::read(&exported_files[0]).unwrap(), fs::read(&exported_files[1]).unwrap());
    let mut reader = csv::Reader::from_path(&exported_files[0]).unwrap();
    let ids: Vec<String> = reader.records().map(|row| row.unwrap()[0].to_owned()).collect();
    assert_eq!(ids, expected.iter().map(|row| row.transaction.id.to_string()).collect::<Vec<_>>());
    session.keys("x C-u '/nowhere/at/all' Enter");
    // What was typed stays there to be mended, with what is wrong of it.
    session.sees("> /nowhere/at/all");
    session.sees("│ /nowhere/at/all: there is no such folder; create it first");
    // Whoever types another path need not know how this one is taken out.
    session.keys(&format!("'{}' Enter", folder.path().display()));
    session.sees(&format!("{} rows written to ", expected.len()));
    session.sees_no("Esc closes");
    assert_eq!(files(&folder).len(), 3);
}

#[test]
fn a_folder_that_failed_is_not_offered_again() {
    let mut session = Session::open();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display().to_string();
    session.keys("3 x '/nowhere/at/all' Enter");
    session.sees("there is no such folder; create it first");
    // Moving in it mends it, and takes nothing out.
    session.keys("Left Backspace 'x'");
    session.sees("> /nowhere/at/axl");
    session.sees_no("type to replace");
    session.keys("Esc x");
    session.sees_no("/nowhere");
    session.pastes(&path);
    session.keys("Enter");
    session.sees(" written to ");
    session.keys("x 'nowhere' Enter");
    session.sees("nowhere: there is no such folder");
    session.sees_no(&format!("{path}nowhere"));
    session.keys("Esc x");
    session.sees(&format!("> {path}"));
    session.pastes(&path);
    session.keys("Enter");
    session.sees(" written to ");
    assert_eq!(files(&folder).len(), 2);
}

#[test]
fn a_first_read_ends_where_the_service_never_answers_a_whole_stretch_of_it() {
    const ROWS: u64 = 6_000;
    for fault in [Fault::Html, Fault::RateLimited { retry_after: Duration::from_secs(2) }] {
        let mut session = Session::unsettled(Setup { transactions: ROWS, ..Setup::default() });
        // A stretch takes some twenty requests.
        session.faults(vec![fault.on_paths("/v2/transactions").every_nth(8)]);
        session.connect();
        for _ in 0..60 {
            session.passes(Duration::from_mins(1));
            if session.store().progress().unwrap().complete {
                break;
            }
        }
        let progress = session.store().progress().unwrap();
        assert_eq!((progress.complete, progress.rows), (true, ROWS), "{fault:?}");
        assert!(session.service().faults_fired() >= ROWS / 100 / 8, "{fault:?}");
    }
}

#[test]
fn a_key_that_is_rejected_in_the_middle_of_a_stretch_is_not_tried_again() {
    let mut session = Session::unsettled(Setup { transactions: 6_000, ..Setup::default() });
    let rejected = Fault::KeyRejected.on_paths("/v2/transactions").only_query_containing("txType=incoming&pageNo=7&");
    session.faults(vec![rejected]);
    session.connect();
    for _ in 0..60 {
        session.passes(Duration::from_mins(1));
        if session.service().faults_fired() > 0 {
            break;
        }
    }
    session.passes(Duration::from_mins(10));
    session.sees("✗ key rejected");
    assert_eq!(session.service().faults_fired(), 1);
    assert!(session.store().progress().unwrap().rows >= 600, "what came before it is kept");
}

#[test]
fn what_is_copied_is_the_row_that_was_seen() {
    let mut session = Session::open();
    session.keys("3 j j y");
    let row = rows(&session, |_| true).remove(1);
    session.sees("Hash");
    session.keys("Enter");
    assert_eq!(session.clipboard.as_deref(), row.transaction.tx_hash.as_deref());
    session.sees("Hash sent to the terminal's clipboard (OSC 52); not every terminal accepts it");
    session.keys("y j Enter");
    assert_eq!(session.clipboard.as_deref(), Some(row.transaction.id.as_str()));
    session.keys("Enter y");
    session.sees("Counterparty address");
    session.keys("Esc");
    session.sees("First seen");
    session.keys("Esc 1 Tab j y Enter");
    assert!(session.clipboard.as_deref().is_some_and(|address| address.starts_with("0x") || address.len() > 30));
}

#[test]
fn a_transaction_is_shown_as_the_service_writes_it() {
    let mut session = Session::with(Setup { size: (120, 60), ..Setup::default() });
    // The last row of all stands on the last page of its list.
    session.keys("3 G Enter v");
    let id = rows(&session, |_| true).pop().unwrap().transaction.id;
    session.keys("G");
    session.sees(&format!("\"id\": \"{id}\""));
    session.sees("as the service sent it at ");
    // What the cache does not keep is there too.
    session.sees("\"workspaceId\": ");
    session.fault(Fault::Html);
    session.keys("Home v");
    session.sees("could not be read");
    session.sees_no("\"workspaceId\": ");
}

#[test]
fn what_the_service_writes_is_scrolled_to_and_left_with_the_same_key() {
    let mut session = Session::open();
    session.keys("3 j Enter");
    session.sees("First seen");
    session.keys("v");
    session.sees(" As JSON         as the service sent it at ");
    session.sees_no("lines 1–");
    session.sees_no("First seen");
    session.keys("v");
    session.sees("lines 1–");
    session.sees("First seen");
}

#[test]
fn a_transaction_of_a_test_network_links_to_the_explorer_of_that_network() {
    let mut session = Session::with(Setup { size: (120, 60), ..Setup::default() });
    session.keys("3 / 'chain:ethereum' Enter Enter");
    session.sees("https://sepolia.etherscan.io/tx/0x");
}

#[test]
fn a_failed_row_to_which_the_service_gives_no_time_has_that_of_its_neighbours() {
    let mut session = Session::open();
    session.keys("3 / 'status:failed' Enter");
    let is_untimed = |row: &HistoryRow| row.transaction.reported_time().is_none();
    let untimed = rows(&session, |row| is_untimed(row) && row.transaction.status == Some(Status::Failed));
    assert!(!untimed.is_empty());
    assert!(untimed.iter().all(|row| row.seen_at == untimed[0].seen_at), "all were seen with the first read");
    for row in &untimed {
        assert!(row.time.age(row.seen_at) > Duration::from_hours(24), "it failed long before it was read: {row:?}");
        session.sees(&row.time.format("≈%m-%d %H:%M "));
    }
    // It is none of today's, though it was first read today; what is pending is.
    session.keys("j Enter");
    session.sees("First seen");
    for (question, text) in [("today status:failed", "nothing matches"), ("today status:pending", "seen 12:03:20")] {
        session.keys("Esc / C-u");
        session.types(question);
        session.keys("Enter");
        session.sees(text);
    }
}

#[test]
fn what_may_have_moved_on_is_dim_while_the_history_is_stale() {
    let mut session = Session::open();
    session.keys("3 / 'status:pending' Enter");
    // The head of the column, and what stands under it in the second row.
    let styles = |session: &Session| {
        let screen = session.screen();
        let (y, line) = screen.lines().enumerate().find(|(_, line)| line.contains("Status ")).unwrap();
        let x = line[..line.find("Status ").unwrap()].chars().count();
        let style = |y: usize| session.buffer()[(u16::try_from(x).unwrap(), u16::try_from(y).unwrap())].style();
        assert!(screen.lines().nth(y + 2).unwrap().contains(" pending "), "{screen}");
        (style(y), style(y + 2))
    };
    let (head, fresh) = styles(&session);
    assert_ne!(fresh, head);
    session.fault(Fault::ConnectionCut);
    session.passes(Duration::from_mins(1));
    session.sees("stale ");
    assert_eq!(styles(&session), (head, head), "as dim as the heads of columns");
}
