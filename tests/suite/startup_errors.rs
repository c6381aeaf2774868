//! What the program says, in a real terminal, where its journal is damaged, its keyring is not there, or its port taken.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;

use rusqlite::Connection;

use super::crashes::{Business, confirms, fills_in};
use super::pty::PtySession;

/// The journal's file.
fn file(business: &Business) -> PathBuf {
    business.folder.path().join("data/journal/journal.sqlite")
}

/// Changes what the first record says, as neither bursar nor a bit that flips would.
fn falsifies(business: &Business) {
    let journal = Connection::open(file(business)).unwrap();
    let triggers = "SELECT name FROM sqlite_schema WHERE type = 'trigger'";
    let names: Vec<String> =
        journal.prepare(triggers).unwrap().query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let remaining: Vec<String> = names
        .iter()
        .map(|name| {
            let sql = "SELECT sql FROM sqlite_schema WHERE name = ?1";
            journal.query_row(sql, [name], |row| row.get(0)).unwrap()
        })
        .collect();
    for name in &names {
        journal.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    let row_count =
        journal.execute("UPDATE record SET body = replace(body, '25.5', '26.5') WHERE seq = 1", []).unwrap();
    assert_eq!(row_count, 1);
    for sql in remaining {
        journal.execute_batch(&sql).unwrap();
    }
}

/// A business with one order, drafted and not sent.
fn draft_order() -> Business {
    let business = Business::new(Vec::new());
    let terminal = business.opens(None);
    fills_in(&terminal).unwrap();
    terminal.types("\r");
    terminal.waits_for("To send, type");
    // The review is left open: the order stays drafted.
    terminal.types("\x03");
    business.is_left(terminal);
    assert_eq!(business.orders().len(), 1);
    business
}

#[test]
fn a_journal_that_is_damaged_at_the_start_is_told_and_watching_goes_on_without_paying() {
    let business = draft_order();
    falsifies(&business);
    let before = fs::read(file(&business)).unwrap();
    let terminal = business.opens(None);
    terminal.waits_for("Payments disabled, no orders shown: the journal is damaged at record 1");
    terminal.waits_for("base-ops");
    terminal.waits_for("● live");
    terminal.types("w");
    terminal.waits_for("this console is read-only: the journal is damaged");
    terminal.types("4");
    terminal.waits_for("orders are not shown, not even open ones");
    terminal.waits_for("journal verify` gives details");
    terminal.waits_for("restores a");
    business.is_left(terminal);
    assert_eq!(fs::read(file(&business)).unwrap(), before, "a damaged journal is left as it is");
    assert_eq!(business.tap.changes(), []);
}

/// Nobody reads old records while nothing is done with them; before money is sent, they are read anew.
#[test]
fn a_journal_that_is_damaged_under_a_console_is_noticed_before_anything_is_sent() {
    let business = Business::new(Vec::new());
    let terminal = business.opens(None);
    fills_in(&terminal).unwrap();
    terminal.types("\r");
    terminal.waits_for("To send, type");
    falsifies(&business);
    confirms(&terminal).unwrap();
    terminal.waits_for("the journal is damaged at record 1");
    terminal.waits_for("Nothing was sent");
    assert_eq!(business.tap.changes(), []);
    terminal.types("\x03");
    business.is_left(terminal);
}

#[test]
fn a_keyring_that_is_not_there_at_the_start_is_named_with_what_can_be_done() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".config/bursar");
    fs::create_dir_all(&folder).unwrap();
    let toml = "[profiles.quay]\nbase_url = \"https://api.example.com\"\nsecrets = \"keyring\"\n";
    fs::write(folder.join("config.toml"), toml).unwrap();
    let bus_address = format!("unix:path={}", home.path().join("no-bus").display());
    let variables = [("HOME", home.path().to_str().unwrap()), ("DBUS_SESSION_BUS_ADDRESS", bus_address.as_str())];
    let mut terminal = PtySession::open_with(&[], &variables);
    assert_eq!(terminal.ends().exit_code(), 1);
    for text in ["no keyring for this session", "bursar key set --file", "BURSAR_API_KEY"] {
        terminal.waits_for(text);
    }
    terminal.is_whole();
}

#[test]
fn a_port_that_is_taken_is_told_with_what_would_be_right_and_listened_at_once_it_is_free() {
    let business = Business::new(Vec::new());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    business.has_profile(&format!("[profiles.quay.listener]\naddress = \"{address}\""));
    let terminal = business.opens(None);
    terminal.waits_for("● live");
    terminal.waits_for("no webhooks");
    terminal.waits_for("6 Events +1");
    terminal.types("6");
    // In its row, and not only where the selected event stands whole.
    terminal.waits_for(&format!("link     no webhooks: {address} is taken, by another console?"));
    // Whoever had it has gone.
    drop(listener);
    terminal.waits_for(&format!("link     listening for webhooks at {address}"));
    terminal.types("1");
    terminal.waits_for_no("no webhooks");
    business.is_left(terminal);
}
