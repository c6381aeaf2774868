//! The reports on the screen, against the rows of the store.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use bursar::domain::history::{PriceList, Query, Scope};
use bursar::domain::report::ReportKind;
use bursar::domain::report::gas::GAS_DAYS;
use bursar::domain::{AddressBook, Amount, Direction, ExportFormat, Period, ReportedAmount, Text, Timestamp};
use bursar::runtime::address_names::collect_names;
use bursar::runtime::export::report::write_report;
use bursar::store::{Cancel, ReportRequest};

use super::exports::{Shell, write_export};
use super::harness::{BEGINNING, Session, Setup};

const MINUTE: Duration = Duration::from_mins(1);

fn priced_session(size: (u16, u16)) -> Session {
    let mut session = Session::with(Setup { size, transactions: 400, ..Setup::default() });
    session.passes(2 * MINUTE);
    session
}

#[test]
fn a_statement_on_the_screen_adds_up_to_the_rows_of_the_store() {
    let mut session = priced_session((200, 60));
    session.keys(": 'statement' Enter");
    session.settle();
    session.sees("Statement · ");
    // The totals by token alone.
    session.keys("O");
    let month = session.line("Statement · ");
    let title_words: Vec<&str> = month.split_whitespace().collect();
    let at = title_words.iter().rposition(|word| *word == "·").unwrap();
    let month = format!("{} {}", title_words[at + 1], title_words[at + 2]);
    let mut sums: BTreeMap<String, Amount> = BTreeMap::new();
    session
        .store()
        .walk_rows(&Query::default(), &Cancel::new(), &mut |_| {}, &mut |row| {
            let transaction = &row.transaction;
            let at = transaction.reported_time().unwrap_or(row.seen_at);
            let is_settled = transaction.status.as_ref().is_some_and(|status| status.word() == "success");
            if at.format("%B %Y") == month
                && is_settled
                && !row.internal
                && !row.suspicious
                && transaction.direction == Direction::Incoming
            {
                let amount = transaction.amount.as_ref().and_then(ReportedAmount::exact).unwrap();
                let sum = sums.entry(transaction.symbol.to_string()).or_insert(Amount::zero(0));
                *sum = sum.checked_add_rescaled(amount).unwrap();
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    assert!(sums.len() > 1, "{sums:?}");
    for (symbol, sum) in sums {
        let screen = session.screen();
        let is_of = |line: &&str| {
            !line.contains("Statement") && line.contains(" all accounts ") && line.contains(&format!(" {symbol} "))
        };
        let line = screen.lines().find(is_of).unwrap_or_else(|| panic!("{symbol}\n{screen}"));
        assert!(line.contains(&sum.format_grouped()), "{symbol} {}\n{line}", sum.format_grouped());
    }
}

#[test]
fn a_line_of_a_report_opens_its_rows_and_is_copied_with_its_columns() {
    let mut session = priced_session((120, 36));
    session.keys("= Tab Tab Tab");
    session.settle();
    session.keys("j y");
    let copied_table = session.clipboard.clone().unwrap();
    let (names, cells) = copied_table.split_once('\n').unwrap();
    assert!(names.starts_with("level\tmonth\tblockchain\tfee_token\tfees\t"), "{copied_table}");
    assert_eq!(names.split('\t').count(), cells.split('\t').count());
    session.keys("Enter");
    session.settle();
    session.sees("Transactions");
    session.sees("/dir:out chain:bsc from:2026-11-01 to:2026-11-30");
}

#[test]
fn the_reports_open_with_the_value_and_then_where_they_were_left() {
    let mut session = priced_session((120, 36));
    session.keys("=");
    session.sees("─ Value · ");
    session.keys("Tab Tab Tab Esc");
    session.sees_no("Fees · ");
    session.keys("3 =");
    session.sees("─ Fees · ");
    // Digits are pages here too.
    session.keys("4");
    session.sees_no("Fees · ");
    session.keys(": 'statement' Enter Esc =");
    session.sees("─ Statement · ");
}

#[test]
fn a_statement_shows_all_that_its_closing_balance_is_made_of_also_on_a_narrow_screen() {
    for (size, with_own) in [((80, 24), false), ((120, 36), true), ((200, 60), true)] {
        let mut session = priced_session(size);
        session.keys(": 'statement' Enter");
        session.settle();
        let screen = session.screen();
        let heads = screen.lines().nth(4).unwrap();
        let mut at = 0;
        for head in [" Token ", " Opening ", " In ", " Out ", " Fees ", " Closing"] {
            at += heads[at..].find(head).unwrap_or_else(|| panic!("{head}\n{screen}"));
        }
        for (one, other) in [("Own in", "Own out"), ("≈ In", "≈ Out")] {
            assert_eq!(heads.contains(one), heads.contains(other), "{heads}");
        }
        assert_eq!(heads.contains("Own in"), with_own, "{heads}");
    }
}

#[test]
fn the_months_and_what_was_before_them_add_up_to_what_is_held() {
    let mut session = priced_session((200, 60));
    // Three months, and one before them.
    session.ticks(Duration::from_hours(24 * 40));
    session.keys(": 'months' Enter ] ] O");
    session.settle();
    session.sees("─ Months · all accounts · last 3 months");
    let screen = session.screen();
    let earlier = screen.lines().find(|line| line.trim_start_matches(['▌', ' ']).starts_with("earlier"));
    let earlier = earlier.unwrap_or_else(|| panic!("{screen}"));
    // Its rows are all before the first of the months, and its bar would dwarf theirs.
    assert!(!earlier.contains('█'), "{earlier}");
    session.keys("G");
    session.sees("▌earlier");
    session.keys("Enter");
    session.settle();
    session.sees(" to:2026-09-30");
}

#[test]
fn the_period_of_a_report_is_changed_and_has_an_end() {
    let mut session = priced_session((120, 36));
    session.keys("= Tab Tab");
    session.sees("Counterparties · all accounts · last 30 days");
    session.keys("[");
    session.sees("Counterparties · all accounts · last 90 days");
    session.keys("] ]");
    session.sees("Counterparties · all accounts · last 7 days");
    session.keys("]");
    session.sees("shortest or latest period");
    session.keys("Esc");
    session.sees_no("Counterparties · ");
}

#[test]
fn each_report_is_exported_as_the_command_line_writes_it_and_shows_the_same_figures() {
    let mut session = priced_session((200, 60));
    let folder = tempfile::tempdir().unwrap();
    let now = Timestamp::parse_iso(BEGINNING).unwrap();
    let months = |count| Period::spanning_last_months(count, now).unwrap();
    let account = session.store().accounts().unwrap().remove(0).entry.id;
    let valuation = Text::clean("USDT");
    let symbols: BTreeSet<Text> =
        session.store().holdings(&Scope::All).unwrap().into_iter().map(|holding| holding.symbol).collect();
    let price = |symbol: Text| session.price(&symbol)?.amount().map(|price| (symbol, price));
    let prices = symbols.into_iter().filter_map(price).collect();
    let latest = PriceList { token: valuation.clone(), at: None, prices };
    session.keys("=");
    for (kind, period) in [
        (ReportKind::Value, Period::last_days(30, now)),
        (ReportKind::Allocation, Period::last_days(1, now)),
        (ReportKind::Counterparties, Period::last_days(30, now)),
        (ReportKind::Fees, months(12)),
        (ReportKind::Gas, Period::last_days(GAS_DAYS, now)),
        (ReportKind::Months, months(12)),
        (ReportKind::Statement, Period::month_of(now).unwrap()),
    ] {
        session.settle();
        // The lines of single tokens are shown too.
        if matches!(kind, ReportKind::Counterparties | ReportKind::Months) {
            session.keys("O");
        }
        let scope = match kind {
            ReportKind::Value | ReportKind::Allocation => Scope::Account(account.clone()),
            _ => Scope::All,
        };
        let store = session.store();
        let request = ReportRequest {
            kind,
            scope,
            period,
            prices: store.price_history(&valuation).unwrap().with_latest(&latest, now),
            names: Arc::new(collect_names(store, &AddressBook::default()).unwrap()),
            now,
        };
        let table = store.report(&request, &Cancel::new()).unwrap();
        let mut expected = Vec::new();
        write_report(&table, ExportFormat::Csv, &mut expected).unwrap();
        let screen = session.screen();
        assert!(screen.contains(&format!("─ {} · ", kind.title())), "{screen}");
        let value = table.columns.iter().position(|column| table.bars.first() == Some(&column.name));
        for line in table.lines.iter().take(20) {
            let Some(cell) = value.map(|at| &line.cells[at]) else { continue };
            assert!(screen.contains(&cell.screen_text()), "{cell:?}\n{screen}");
        }
        session.keys("x");
        let file = write_export(&mut session, folder.path(), kind.word());
        assert_eq!(file, String::from_utf8(expected).unwrap(), "{kind:?}");
        session.keys("Tab");
    }
}

#[test]
fn a_counterparty_has_its_name_on_screen_and_on_the_command_line() {
    let mut session = priced_session((200, 60));
    let folder = tempfile::tempdir().unwrap();
    session.keys("3 / 'dir:out' Blank 'date:2026-10' Blank 'token:dai' Enter j N 'Coldstore' Enter");
    session.sees("address named Coldstore");
    session.passes(MINUTE);
    session.keys("= Tab Tab [ [ [ [");
    session.sees("Counterparties · all accounts · last month");
    session.settle();
    session.sees(" Coldstore ");
    session.keys("O");
    session.keys("x");
    let from_screen = write_export(&mut session, folder.path(), "counterparties");
    let shell = Shell::beside(&session);
    let from_command = shell.runs(&["report", "counterparties", "--period", "2026-10"]);
    // The command line has prices of its own, and ranks by them.
    let exact = |text: &str| -> BTreeMap<Vec<String>, Vec<String>> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let names = reader.headers().unwrap().clone();
        let cells = |row: &csv::StringRecord, headings: &[&str]| -> Vec<String> {
            let at = |name: &&str| names.iter().position(|column| column == *name).unwrap();
            headings.iter().map(|name| row[at(name)].to_owned()).collect()
        };
        let line = |row: csv::StringRecord| {
            (
                cells(&row, &["level", "counterparty", "address", "token"]),
                cells(&row, &["in", "out", "movements", "unclear", "first_at", "last_at"]),
            )
        };
        reader.records().map(|row| line(row.unwrap())).collect()
    };
    let (from_screen, from_command) = (exact(&from_screen), exact(&from_command));
    assert!(from_screen.keys().any(|line| line[1] == "Coldstore"), "{from_screen:#?}");
    assert_eq!(from_screen, from_command);
}

#[test]
fn the_rows_that_a_line_opens_have_its_sums() {
    let mut session = priced_session((200, 60));
    let mut opened_count = 0;
    session.keys("= Tab Tab Esc");
    for down in 1..12 {
        session.keys("1 = O");
        session.settle();
        session.keys(&format!("{}y", "j ".repeat(down)));
        let copied_table = session.clipboard.clone().unwrap();
        let (names, cells) = copied_table.split_once('\n').unwrap();
        let line: BTreeMap<&str, &str> = names.split('\t').zip(cells.split('\t')).collect();
        if line["level"] != "token" {
            session.keys("Esc");
            continue;
        }
        session.keys("Enter");
        session.settle();
        let sum = session.line("Sum of ");
        for (side, sign) in [("in", '+'), ("out", '−')] {
            let amount = Amount::parse(line[side], 18).unwrap();
            let figure = format!("{sign}{}", amount.format_grouped());
            assert!(amount.is_zero() || sum.contains(line["token"]) && sum.contains(&figure), "{copied_table}\n{sum}");
        }
        opened_count += 1;
        session.keys("Esc");
    }
    assert!(opened_count > 2);
}
