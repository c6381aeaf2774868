//! What the lists of the console write, held against what the command line writes.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use assert_cmd::Command;
use bursar::domain::history::Scope;
use secrecy::ExposeSecret;
use tempfile::TempDir;

use super::harness::{Session, Setup};

const SUPPLIER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

/// The command line at the service of a session, with its journal and a cache of its own.
pub(super) struct Shell {
    home: TempDir,
    base_url: String,
    api_key: String,
}

impl Shell {
    pub(super) fn beside(session: &Session) -> Self {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("data")).unwrap();
        std::os::unix::fs::symlink(session.till().folder(), home.path().join("data/journal")).unwrap();
        let key = &session.service().credentials().unwrap().api_key;
        Self { home, base_url: session.service().base_url().to_owned(), api_key: key.expose_secret().to_owned() }
    }

    /// What it writes to standard output.
    #[track_caller]
    fn writes(&self, arguments: &[&str]) -> String {
        self.runs(&[&["export"], arguments].concat())
    }

    /// What a command writes to standard output.
    #[track_caller]
    pub(super) fn runs(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    pub(super) fn output(&self, arguments: &[&str]) -> Output {
        let mut command = Command::cargo_bin("bursar").unwrap();
        command.env_clear().env("HOME", self.home.path()).env("BURSAR_DATA_DIR", self.home.path().join("data"));
        command.env("BURSAR_BASE_URL", &self.base_url).env("BURSAR_API_KEY", &self.api_key);
        command.args(arguments).output().unwrap()
    }
}

/// Has the list that has the focus written into a folder, and reads the file.
#[track_caller]
pub(super) fn write_export(session: &mut Session, folder: &Path, pages: &str) -> String {
    let files = || -> BTreeSet<PathBuf> { fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect() };
    let before = files();
    session.keys(&format!("C-u '{}' Enter", folder.display()));
    session.sees(" written to ");
    let new: Vec<PathBuf> = files().difference(&before).cloned().collect();
    let [file] = new.as_slice() else { panic!("{new:?}") };
    let name = file.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with(&format!("bursar-{pages}-")), "{name}");
    fs::read_to_string(file).unwrap()
}

#[test]
fn the_number_in_the_form_is_that_of_the_list_and_of_the_file() {
    let mut session = Session::with(Setup { lively: true, size: (120, 36), ..Setup::default() });
    let folder = tempfile::tempdir().unwrap();
    session.keys("3 / 'dir:in' Enter");
    session.settle();
    session.sees("x export");
    session.keys("x");
    let stated_count = |session: &Session| -> usize {
        let line = session.line(" transactions, filtered by dir:in");
        let count = line.split(" transactions").next().unwrap().rsplit(' ').next().unwrap();
        count.parse().unwrap()
    };
    let at_first = stated_count(&session);
    // Rows come in while the form is open.
    session.passes(Duration::from_mins(2));
    let count = stated_count(&session);
    assert!(count > at_first, "{count}");
    assert!(session.line("─ Transactions").contains(&format!(" {count} ")), "{count}\n{}", session.screen());
    assert_eq!(write_export(&mut session, folder.path(), "transactions").lines().count(), count + 1);
}

#[test]
fn lists_of_the_directory_are_those_of_the_command_line() {
    let mut session = Session::open();
    let folder = tempfile::tempdir().unwrap();
    let shell = Shell::beside(&session);
    let user_count = |session: &Session, filter: &str| {
        session.store().users(&Scope::All, filter, 0, u32::MAX).unwrap().count.number()
    };
    let all = user_count(&session, "");
    let mut letters = ('a'..='z').map(String::from);
    let filter = letters.find(|letter| (2..all).contains(&user_count(&session, letter))).expect("some share a letter");
    let expected_count = user_count(&session, &filter);
    session.keys(&format!("2 / '{filter}' Enter x"));
    session.sees(&format!("{expected_count} users, filtered by {filter}"));
    let users = write_export(&mut session, folder.path(), "users");
    assert_eq!(u64::try_from(users.lines().count()).unwrap(), expected_count + 1);
    assert_eq!(users, shell.writes(&["users", "--filter", &filter]));

    session.keys("1 x");
    assert_eq!(write_export(&mut session, folder.path(), "accounts"), shell.writes(&["accounts"]));
    // Every wallet stands in some account.
    session.keys("Esc Tab / 'eth' Enter x");
    session.sees(", filtered by eth");
    assert_eq!(write_export(&mut session, folder.path(), "wallets"), shell.writes(&["wallets", "--filter", "eth"]));
}

#[test]
fn tokens_are_those_of_the_command_line() {
    let mut session = Session::open();
    let folder = tempfile::tempdir().unwrap();
    session.keys("5 x");
    session.sees("14 tokens");
    let from_screen = write_export(&mut session, folder.path(), "tokens");
    assert_eq!(csv::Reader::from_reader(from_screen.as_bytes()).records().count(), 14);
    assert_eq!(from_screen, Shell::beside(&session).writes(&["tokens"]));
}

#[test]
fn balances_of_an_account_are_those_of_the_command_line() {
    let mut session = Session::open();
    let folder = tempfile::tempdir().unwrap();
    let shell = Shell::beside(&session);
    session.keys("1 Tab Tab x");
    session.sees(" balances of Treasury; ");
    let lines = |text: &str| -> BTreeSet<Vec<String>> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let as_of = reader.headers().unwrap().iter().position(|column| column == "as_of").unwrap();
        let rows = reader.records().map(|row| row.unwrap());
        // Each says when it read, which is not the same.
        rows.map(|row| row.iter().enumerate().filter(|(at, _)| *at != as_of).map(|(_, cell)| cell.to_owned()).collect())
            .collect()
    };
    let from_screen = lines(&write_export(&mut session, folder.path(), "balances"));
    let from_command = lines(&shell.writes(&["balances"]));
    assert!(from_screen.len() > 3 && from_screen.is_subset(&from_command), "{from_screen:#?}\n{from_command:#?}");
    let imitates = |row: &Vec<String>| row[11] == "true";
    assert!(!from_screen.iter().any(imitates), "what is hidden stays out");
    session.keys("h x Enter");
    session.sees(" written to ");
}

#[test]
fn orders_are_those_of_the_command_line_in_the_order_of_the_screen() {
    let mut session = Session::open();
    let folder = tempfile::tempdir().unwrap();
    let shell = Shell::beside(&session);
    for amount in ["25", "26"] {
        session.reviews("base-ops", "USDC", amount, SUPPLIER);
        session.confirms();
    }
    session.keys("4 x");
    session.sees("2 orders");
    let from_screen = write_export(&mut session, folder.path(), "orders");
    // Names come from what was read before.
    shell.writes(&["balances"]);
    let from_command = shell.writes(&["orders"]);
    // A cell may hold several lines, so that rows are told apart by what reads them.
    let rows = |text: &str| -> Vec<csv::StringRecord> {
        csv::Reader::from_reader(text.as_bytes()).records().map(Result::unwrap).collect()
    };
    let (from_screen, mut from_command) = (rows(&from_screen), rows(&from_command));
    // The newest stands first on the screen, and last in the journal.
    from_command.reverse();
    assert_eq!((from_screen.len(), &from_screen), (2, &from_command));
}

#[test]
fn a_users_deposits_and_events_are_written_and_stop_at_nothing_that_is_no_list() {
    let mut session = Session::open();
    let folder = tempfile::tempdir().unwrap();
    session.keys("2 Tab x");
    session.sees("x exports lists, and this is not a list; Tab goes on to one");
    session.keys("Tab x");
    session.sees(" of ");
    let csv_text = write_export(&mut session, folder.path(), "balances");
    assert!(
        csv_text.lines().next().is_some_and(|heads| heads.ends_with("wallet,wallet_name,user,user_name")),
        "{csv_text}"
    );
    session.keys("6 x");
    session.sees(" events");
    let events = write_export(&mut session, folder.path(), "events");
    assert!(events.starts_with("at,first_at,times,about,words,order") && events.contains("written to "), "{events}");
}
