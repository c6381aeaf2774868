//! `bursar journal` and `bursar export`.

use std::fs;
use std::path::PathBuf;
use std::process::{Output, Stdio};

use assert_cmd::Command;
use bursar::domain::order::OrderEnd;
use serde_json::Value;
use tempfile::TempDir;

use super::sample_orders::{at, confirmation, destination, open, withdrawal};

/// The program in an empty environment, with a data folder of its own.
struct Shell {
    home: TempDir,
}

impl Shell {
    fn new() -> Self {
        Self { home: tempfile::tempdir().unwrap() }
    }

    /// One with a journal of format 1, as an early version wrote it.
    fn with_fixture() -> Self {
        let shell = Self::new();
        fs::create_dir_all(shell.journal()).unwrap();
        fs::write(shell.journal().join("journal.sqlite"), include_bytes!("../../fixtures/journal-1.sqlite")).unwrap();
        shell
    }

    fn journal(&self) -> PathBuf {
        self.home.path().join("data/journal")
    }

    fn run(&self, line: &str) -> Output {
        self.run_in("data", line)
    }

    fn run_in(&self, data: &str, line: &str) -> Output {
        self.command(data, line).output().unwrap()
    }

    fn command(&self, data: &str, line: &str) -> Command {
        let mut command = Command::cargo_bin("bursar").unwrap();
        command.env_clear().env("HOME", self.home.path()).current_dir(self.home.path());
        command.args(["--data-dir", data]).args(line.split_whitespace());
        command
    }
}

fn good(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What a run that could not do its work says last, and how it exits.
fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr.clone()).unwrap();
    message.lines().last().unwrap().strip_prefix("bursar: ").unwrap().to_owned()
}

#[test]
fn a_journal_of_format_1_is_read_as_it_was_meant_and_written_on() {
    let shell = Shell::with_fixture();
    let output = shell.run("export orders --format json");
    assert_eq!(good(&output), include_str!("../../fixtures/journal-1.orders.json"));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "bursar: the journal is whole: 29 records, 8 orders, 3 open orders\n"
    );
    let journal = open(&shell.journal());
    let order = journal.orders(&destination(), 9).unwrap().pop().unwrap();
    journal.record_confirmation(order.id, confirmation(), at(999)).unwrap();
    drop(journal);
    assert!(good(&shell.run("journal verify")).starts_with("whole: 30 records, 8 orders, 4 open orders\n"));
}

#[test]
fn a_backup_moves_a_journal_to_another_place() {
    let shell = Shell::with_fixture();
    assert_eq!(good(&shell.run("journal backup moved")), "moved: 29 records and 3 open orders\n");
    let message = good(&shell.run("journal verify moved"));
    assert!(message.starts_with("whole: 30 records") && message.contains("a backup, made on "), "{message}");
    assert!(complaint(&shell.run("journal backup moved")).contains("moved exists already"));
    let stderr = complaint(&shell.run_in("other", "journal restore moved"));
    assert!(stderr.starts_with("3 orders were open") && stderr.contains("--take-over"), "{stderr}");
    let message = good(&shell.run_in("other", "journal restore moved --take-over"));
    assert!(message.contains("3 orders open at that time"), "{message}");
    assert!(complaint(&shell.run_in("other", "journal restore moved --take-over")).contains("31 records"));
    assert!(good(&shell.run_in("other", "journal verify")).starts_with("whole: 31 records"));
    // What was exported before is what is exported there.
    let orders = |data| good(&shell.run_in(data, "export orders --format json"));
    assert_eq!(orders("other"), orders("data"));
}

#[test]
fn without_a_journal_it_says_that_nothing_was_recorded() {
    let shell = Shell::new();
    for line in ["journal verify", "journal backup x", "export orders", "export audit"] {
        assert!(complaint(&shell.run(line)).starts_with("no order was ever recorded"), "{line}");
    }
    assert!(complaint(&shell.run("journal verify missing")).contains("missing"));
    assert!(!shell.home.path().join("x").exists());
}

#[test]
fn a_backup_needs_its_folder_and_a_file_that_is_none_is_named() {
    let shell = Shell::with_fixture();
    let message = complaint(&shell.run("journal backup missing/x"));
    assert_eq!(message, "there is no folder missing; create it first, or name a file in another folder");
    assert!(!shell.home.path().join("missing").exists(), "it made the folder by itself");
    let folder = shell.home.path();
    fs::write(folder.join("notes.txt"), "paid 25 to Ada\n").unwrap();
    let other = rusqlite::Connection::open(folder.join("other.db")).unwrap();
    other.execute_batch("CREATE TABLE record (seq INTEGER PRIMARY KEY); INSERT INTO record VALUES (1)").unwrap();
    drop(other);
    for name in ["notes.txt", "other.db"] {
        let before = fs::read(folder.join(name)).unwrap();
        let message = complaint(&shell.run(&format!("journal verify {name}")));
        assert_eq!(message, format!("{name} is not a journal of bursar"));
        let message = complaint(&shell.run_in("other", &format!("journal restore {name}")));
        assert_eq!(message, format!("{name} is not a journal of bursar"));
        assert_eq!(fs::read(folder.join(name)).unwrap(), before);
    }
}

#[test]
fn doctor_says_that_a_journal_is_damaged_and_what_to_do() {
    let shell = Shell::with_fixture();
    let data = shell.home.path().join("data");
    for path in [data.clone(), shell.journal(), shell.journal().join("journal.sqlite")] {
        let mode = if path.is_dir() { 0o700 } else { 0o600 };
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
    }
    let toml =
        "[profiles.a]\nbase_url = \"http://127.0.0.1:9\"\nenvironment = \"testnet\"\nsecrets = \"environment\"\n";
    let config = shell.home.path().join(".config/bursar");
    fs::create_dir_all(&config).unwrap();
    fs::write(config.join("config.toml"), toml).unwrap();
    let doctor = || {
        let mut command = shell.command("data", "doctor --offline --json");
        command.env("LANG", "C.UTF-8").env("BURSAR_API_KEY", "sk").env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/no-bus");
        command.output().unwrap()
    };
    let journal = |output: &Output| {
        let verdict: Value = serde_json::from_slice(&output.stdout).unwrap();
        let findings = verdict["findings"].as_array().unwrap().clone();
        findings.into_iter().find(|finding| finding["about"] == "journal").unwrap()
    };
    let whole = doctor();
    let sound = journal(&whole);
    assert!(sound["words"].as_str().unwrap().contains("29 records"), "{sound}");
    assert_eq!(whole.status.code(), Some(0), "{}", String::from_utf8_lossy(&whole.stdout));
    let file = shell.journal().join("journal.sqlite");
    let mut bytes = fs::read(&file).unwrap();
    let place = bytes.windows(12).position(|window| window == b"paid by hand").unwrap();
    bytes[place] = b'P';
    fs::write(&file, bytes).unwrap();
    let report_output = doctor();
    let report = journal(&report_output);
    assert_eq!(report_output.status.code(), Some(1));
    assert_ne!(report["verdict"], sound["verdict"]);
    let text = report["words"].as_str().unwrap();
    for part in [
        "record 24: its content does not match its hash",
        "no payment is possible with this journal",
        "`bursar journal verify`",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn the_audit_has_every_record_and_says_whether_the_chain_is_whole() {
    let shell = Shell::with_fixture();
    let records: Value = serde_json::from_str(&good(&shell.run("export audit --format json"))).unwrap();
    let records = records.as_array().unwrap();
    assert_eq!(records.len(), 29);
    for pair in records.windows(2) {
        assert_eq!(pair[1]["prev_hash"], pair[0]["hash"]);
    }
    let csv = good(&shell.run("export audit"));
    assert_eq!(csv::Reader::from_reader(csv.as_bytes()).records().flatten().count(), 29);
    let file = shell.journal().join("journal.sqlite");
    let mut bytes = fs::read(&file).unwrap();
    let place = bytes.windows(12).position(|window| window == b"paid by hand").unwrap();
    bytes[place] = b'P';
    fs::write(&file, bytes).unwrap();
    let broken = shell.run("export audit --format json");
    assert!(complaint(&broken).contains("the journal is damaged"));
    // The evidence is exported all the same.
    assert_eq!(serde_json::from_slice::<Value>(&broken.stdout).unwrap().as_array().unwrap().len(), 29);
    assert!(String::from_utf8(broken.stderr).unwrap().contains("damaged, 1 fault"));
    let output = shell.run("export orders");
    assert!(complaint(&output).contains("bursar journal verify") && output.stdout.is_empty());
    let output = shell.run("journal verify");
    assert!(complaint(&output).contains("is damaged; nothing was changed"));
    let message = String::from_utf8(output.stdout).unwrap();
    assert!(message.contains("record 24: its content does not match its hash"), "{message}");
}

#[test]
fn orders_are_exported_with_exact_text_and_without_formulas() {
    let shell = Shell::new();
    let journal = open(&shell.journal());
    let note = "=HYPERLINK(\"https://evil.example\",\"pay\")";
    let id = journal.record_draft(withdrawal(Some(note)), at(0)).unwrap().id;
    journal.record_end(id, OrderEnd::Abandoned(None), at(1)).unwrap();
    let mut bay = withdrawal(None);
    bay.destination.profile = "bay".into();
    journal.record_draft(bay, at(2)).unwrap();
    // A console may be open meanwhile.
    let csv = good(&shell.run("export orders"));
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    let cell = |row: usize, name: &str| rows[row][headers.iter().position(|header| header == name).unwrap()].to_owned();
    assert_eq!(rows.len(), 2);
    assert_eq!(cell(0, "note"), format!("'{note}"));
    assert_eq!(
        (cell(0, "amount"), cell(0, "amount_raw"), cell(0, "decimals")),
        ("25.50".into(), "25500000".into(), "6".into())
    );
    assert_eq!((cell(0, "state"), cell(1, "state")), ("given up".into(), "drafted".into()));
    let json: Value = serde_json::from_str(&good(&shell.run("export orders --format json --profile bay"))).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 1);
    assert_eq!((&json[0]["profile"], &json[0]["note"]), (&Value::from("bay"), &Value::Null));
    drop(journal);
}

#[test]
fn a_reader_that_has_read_enough_is_no_error() {
    let shell = Shell::with_fixture();
    let program = Command::cargo_bin("bursar").unwrap().get_program().to_owned();
    for line in ["export audit --format json", "export orders", "journal verify"] {
        let mut child = std::process::Command::new(&program)
            .env_clear()
            .env("HOME", shell.home.path())
            .current_dir(shell.home.path())
            .args(["--data-dir", "data"])
            .args(line.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
        assert!(!String::from_utf8(output.stderr).unwrap().contains("panicked"), "{line}");
    }
}
