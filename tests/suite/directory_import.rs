//! Bringing in what neither the history nor a list of the service tells of: all of a file or nothing, and for longer than
//! the cache.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

use super::harness::{Session, Setup};

fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn session() -> Session {
    Session::with(Setup { size: (200, 60), transactions: 60, with_lists: false, ..Setup::default() })
}

/// Types a line into the import, and presses Enter.
fn imports(session: &mut Session, line: &str) {
    session.keys("i");
    session.sees("wallet ID CHAIN [ADDRESS]");
    session.types(line);
    session.keys("Enter");
}

#[test]
fn a_file_with_wrong_rows_is_told_row_by_row_and_nothing_of_it_is_taken_in() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "known.csv", "kind,id,name\nuser,zebra-1,Zebra Stores\nrobot,x,\nuser,,Nobody\n");
    let mut session = session();
    imports(&mut session, &path);
    session.sees("nothing was imported, 2 rows are wrong");
    session.sees("line 3: “robot” is not a kind");
    session.sees("line 4: id is missing");
    session.keys("Esc 2 / 'zebra' Enter");
    session.sees_no("Zebra Stores");
    assert_eq!(session.till().opens().journal.imports(session.service().base_url(), None).unwrap(), []);
}

#[test]
fn what_was_imported_and_what_was_made_come_back_after_the_cache_was_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "known.csv", "kind,id,name\nuser,zebra-1,Zebra Stores\naccount,acc-9,Ninth Acct\n");
    let mut session = session();
    imports(&mut session, &path);
    session.sees("known.csv: 2 imported");
    session.sees("Ninth Acct");
    imports(&mut session, &path);
    session.sees("nothing new");
    imports(&mut session, "user zebra-2 Zebra Kiosk");
    session.sees("typed in: 1 imported");
    session.keys("n a 'Operations' Tab Enter");
    session.confirms();
    session.keys("Esc Esc Esc 2");
    // The service lists nobody: who has no name yet is asked for by and by.
    session.passes(std::time::Duration::from_secs(30));
    let before = all_entries(&session);
    let rows = session.store().progress().unwrap().rows;
    session.loses_its_cache();
    assert_eq!(session.store().progress().unwrap().rows, 0, "the cache is gone");
    session.connect();
    session.keys("2 / 'zebra' Enter");
    session.sees("Zebra Stores");
    session.sees("Zebra Kiosk");
    session.passes(std::time::Duration::from_secs(30));
    assert_eq!(all_entries(&session), before);
    assert_eq!(session.store().progress().unwrap().rows, rows);
}

/// All that is known, with where each is known from, in an order of its own: a name that comes late moves nobody on screen.
fn all_entries(session: &Session) -> Vec<String> {
    use bursar::domain::history::Scope;
    let store = session.store();
    let accounts = store.accounts().unwrap().into_iter().map(|sourced| format!("{sourced:?}"));
    let users = store.users(&Scope::All, "", 0, 10_000).unwrap().rows.into_iter().map(|sourced| format!("{sourced:?}"));
    let wallets =
        store.wallets(&Scope::All, "", 0, 10_000).unwrap().rows.into_iter().map(|sourced| format!("{sourced:?}"));
    let mut entries: Vec<String> = accounts.chain(users).chain(wallets).collect();
    entries.sort_unstable();
    entries
}

#[test]
fn what_another_program_imports_appears_without_a_key_being_pressed() {
    let mut session = session();
    let other = session.till().opens();
    let entries = vec![bursar::domain::directory::parse_typed_entry("account acc-9 Ninth Acct").unwrap()];
    let import = bursar::domain::DirectoryImport::new("elsewhere.csv", entries);
    other.journal.record_import(&other.destination, import, session.now()).unwrap();
    session.passes(std::time::Duration::from_secs(3));
    session.sees("Ninth Acct");
}

#[test]
fn a_console_that_only_reads_says_where_to_import_instead() {
    let mut session = Session::with(Setup { transactions: 60, can_pay: false, ..Setup::default() });
    session.keys("i");
    session.sees("bursar directory import");
}

/// The program in an empty environment, with a profile that nobody serves.
struct Shell {
    home: TempDir,
}

impl Shell {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join(".config/bursar");
        fs::create_dir_all(&folder).unwrap();
        let profile = "[profiles.main]\nbase_url = \"https://api.example.com\"\nsecrets = \"environment\"\n";
        fs::write(folder.join("config.toml"), profile).unwrap();
        Self { home }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::cargo_bin("bursar").unwrap();
        command.env_clear().env("HOME", self.home.path()).env("BURSAR_API_KEY", "sk_test_4f9a1c");
        command.current_dir(self.home.path()).arg("directory").args(arguments).output().unwrap()
    }

    #[track_caller]
    fn says(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}

#[test]
fn the_command_line_checks_imports_adds_and_lists() {
    let shell = Shell::new();
    file(
        shell.home.path(),
        "known.json",
        "[\n{\"kind\": \"sub-wallet\", \"id\": 42, \"name\": \"Zebra\"},\n{\"kind\": \"wallet\", \"id\": \"w-1\", \"blockchain\": \"base\"}\n]",
    );
    assert_eq!(
        shell.says(&["import", "known.json", "--check"]),
        "entry 1, on line 2: user 42\nentry 2, on line 3: wallet w-1\n"
    );
    assert!(shell.says(&["list"]).starts_with("no users, wallets or accounts are known yet"));
    assert_eq!(shell.says(&["import", "known.json"]), "known.json: 2 imported\n");
    assert_eq!(shell.says(&["import", "known.json"]), "known.json: nothing new, everything was imported before\n");
    assert_eq!(shell.says(&["add", "account", "a-7", "Main", "Vault"]), "typed in: 1 imported\n");
    // What takes the place of something, or cannot be checked, is said.
    assert_eq!(
        shell.says(&["add", "wallet", "w-9", "etherum", "0x52908400098527886E0F7030069857D2E4169EE7"]),
        "typed in: 1 imported\netherum is not a blockchain that bursar knows: addresses on it are not checked\n"
    );
    assert_eq!(
        shell.says(&["add", "wallet", "w-9", "ethereum"]),
        "typed in: 1 imported\nreplaced an earlier import: \
         wallet w-9: etherum 0x52908400098527886E0F7030069857D2E4169EE7\n"
    );
    let listing = shell.says(&["list"]);
    for text in ["Main Vault", "imported: known.json, by ", "imported: typed in, by ", "w-1", "base", "42", "Zebra"] {
        assert!(listing.contains(text), "no {text} in\n{listing}");
    }
    // Nothing of it is in the cache alone.
    fs::remove_dir_all(shell.home.path().join(".local/share/bursar/cache")).unwrap();
    assert_eq!(shell.says(&["list"]), listing);
    file(shell.home.path(), "wrong.csv", "kind,id\nuser,u-1\nuser,\n");
    let output = shell.run(&["import", "wrong.csv"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("line 3: id is missing"));
    assert!(String::from_utf8(output.stderr).unwrap().contains("nothing was imported; rows with errors: 1"));
    assert_eq!(shell.says(&["list"]), listing);
    file(shell.home.path(), "crew.csv", "Art;Nr;Name\nuser;u-1;Ada\nrobot;u-2;Bob\n");
    let output = shell.run(&["import", "crew.csv", "--columns", "kind=Art id=Nr", "--errors"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = fs::read_to_string(shell.home.path().join("crew-errors.csv")).unwrap();
    assert!(errors.starts_with("Art;Nr;Name;reason\nrobot;u-2;Bob;\"“robot” is not a kind; "), "{errors}");
    assert_eq!(shell.says(&["list"]), listing);
}
