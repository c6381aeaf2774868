//! The first run: from nothing to the dashboard with only the screen to go by.

use std::fs;

use bursar::app::pages::welcome::view::view;
use bursar::app::pages::welcome::{FieldRules, ProfileDraft, SetupResult, Welcome};
use bursar::domain::Appearance;
use bursar::service::{self, Options, Sample};
use crossterm::event::KeyCode;
use insta::assert_snapshot;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tempfile::TempDir;

use super::keyring::{Desk, Policy};
use super::pty::PtySession;

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 36), (40, 10)];

const RULES: FieldRules = FieldRules {
    name: |_| None,
    base_url: |_| Some("the base address lacks https:// in front; write it like https://api.example.com".into()),
    api_key: |_| None,
    wallet_secret: |_| None,
    passphrase: |_| None,
};

const NO_KEYRING: &str =
    "this machine has no keyring for this session (no D-Bus session, as over SSH); use an encrypted file";

/// What a page looks like, at each size.
fn at_each_size(name: &str, page: &Welcome) {
    for (width, height) in SIZES {
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        view(page, area, &mut buffer);
        let rows = buffer.content.chunks(usize::from(width));
        let text: Vec<String> = rows
            .map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect::<String>().trim_end().to_owned())
            .collect();
        assert_snapshot!(format!("{name}-{width}x{height}"), text.join("\n"));
    }
}

fn types(page: &mut Welcome, text: &str) {
    for character in text.chars() {
        page.handle_key(if character == '\t' { KeyCode::Tab.into() } else { KeyCode::Char(character).into() });
    }
}

fn harbour() -> Welcome {
    let draft = ProfileDraft { name: "harbour".into(), base_url: "https://api.example.com".into() };
    Welcome::for_profile_without_key(Appearance::default(), RULES, draft, None).0
}

#[test]
fn welcome_start() {
    at_each_size("welcome-start", &Welcome::new(Appearance::default(), RULES));
}

#[test]
fn welcome_service() {
    let mut page = Welcome::new(Appearance::default(), RULES);
    types(&mut page, "s\tapi\t");
    at_each_size("welcome-service", &page);
}

#[test]
fn welcome_place() {
    let mut page = harbour();
    page.apply_result(SetupResult::Keyring(Err(NO_KEYRING.into())));
    at_each_size("welcome-place", &page);
}

#[test]
fn welcome_keys() {
    let mut page = harbour();
    page.apply_result(SetupResult::Keyring(Err(NO_KEYRING.into())));
    types(&mut page, "fsk_123456789\t\tcorrect\t");
    at_each_size("welcome-keys", &page);
}

#[test]
fn welcome_done() {
    let mut page = harbour();
    page.apply_result(SetupResult::Keyring(Ok(())));
    types(&mut page, "sk_1\t");
    page.handle_key(KeyCode::Enter.into());
    page.apply_result(SetupResult::Stored(Ok(())));
    at_each_size("welcome-done", &page);
}

#[test]
fn welcome_environment() {
    let mut page = harbour();
    page.apply_result(SetupResult::Keyring(Err(NO_KEYRING.into())));
    types(&mut page, "e");
    page.apply_result(SetupResult::Environment(Ok(())));
    at_each_size("welcome-environment", &page);
}

/// A terminal with the program in it, in a home of its own.
fn open_console(home: &TempDir, environment: &[(&str, &str)]) -> PtySession {
    let home = home.path().to_str().unwrap();
    PtySession::open_with(&[], &[&[("HOME", home)], environment].concat())
}

#[test]
fn the_first_run_leads_to_the_demo_and_out_again() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = open_console(&home, &[]);
    terminal.waits_for("first run");
    terminal.types("d");
    terminal.waits_for("Treasury");
    terminal.waits_for("1 unresolved");
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);
    terminal.is_whole();

    let mut terminal = open_console(&home, &[]);
    terminal.waits_for("set up a service");
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);
    terminal.is_whole();
    assert!(!home.path().join(".config").exists(), "whoever only looked has left nothing behind");
}

#[test]
#[ignore = "needs dbus and gnome-keyring"]
fn from_nothing_to_the_dashboard_with_a_key_in_the_keyring() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let sample = Some(Sample { seed: 1, transactions: 40 });
    let service = runtime.block_on(service::start(Options { sample, ..Options::temporary() })).unwrap();
    let key = service.credentials().unwrap();
    let secret = |secret: &secrecy::SecretString| secrecy::ExposeSecret::expose_secret(secret).to_owned();
    let api_key = secret(&key.api_key);

    let desk = Desk::unlocked();
    let home = tempfile::tempdir().unwrap();
    let session = [("DBUS_SESSION_BUS_ADDRESS", desk.address())];
    let mut terminal = open_console(&home, &session);
    terminal.waits_for("set up a service");
    terminal.types("s");
    terminal.waits_for("base address");
    terminal.types("\x15harbour\r\x15");
    terminal.types(service.base_url());
    terminal.types("\r\x1b[C\r");
    terminal.waits_for("stored in");
    // A key is pasted, as a person would.
    terminal.types(&format!("\x1b[200~{api_key}\x1b[201~\r"));
    terminal.types("ws_1\r");
    terminal.waits_for("the keys are stored");
    terminal.never_showed(&api_key);
    terminal.types("\r");
    terminal.waits_for("harbour");
    terminal.waits_for("live");
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);
    terminal.is_whole();
    let config = fs::read_to_string(home.path().join(".config/bursar/config.toml")).unwrap();
    let expected = format!(
        "default_profile = \"harbour\"\n\n[profiles.harbour]\nbase_url = \"{}\"\nenvironment = \"testnet\"\nsecrets = \"keyring\"\n",
        service.base_url()
    );
    assert_eq!(config, expected);

    // And once more, without a question.
    let mut terminal = open_console(&home, &session);
    terminal.waits_for("live");
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);
    runtime.block_on(service.stop()).unwrap();
}

#[test]
#[ignore = "needs dbus and gnome-keyring"]
fn without_a_keyring_a_sealed_file_is_offered_and_opened_with_its_passphrase() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let sample = Some(Sample { seed: 1, transactions: 40 });
    let service = runtime.block_on(service::start(Options { sample, ..Options::temporary() })).unwrap();
    let key = service.credentials().unwrap();
    let api_key = secrecy::ExposeSecret::expose_secret(&key.api_key).to_owned();

    let desk = Desk::new(&Policy::Open);
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".config/bursar");
    fs::create_dir_all(&folder).unwrap();
    let toml = format!("[profiles.harbour]\nbase_url = \"{}\"\nenvironment = \"testnet\"\n", service.base_url());
    fs::write(folder.join("config.toml"), toml).unwrap();
    let session = [("DBUS_SESSION_BUS_ADDRESS", desk.address())];
    let mut terminal = open_console(&home, &session);
    terminal.waits_for("no keyring program is running");
    terminal.types("f");
    terminal.waits_for("passphrase");
    terminal.types(&format!("{api_key}\r\rcorrect horse\rcorrect horse\r"));
    terminal.waits_for("the keys are stored");
    terminal.types("\r");
    terminal.waits_for("live");
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);

    let mut terminal = open_console(&home, &session);
    terminal.waits_for("Passphrase for the keys of harbour");
    terminal.types("correct horse\r");
    terminal.waits_for("live");
    terminal.never_showed("correct horse");
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);

    let mut terminal = open_console(&home, &session);
    terminal.waits_for("Passphrase for the keys of harbour");
    terminal.types("wrong horse\r");
    terminal.waits_for("The passphrase is wrong; 2 tries are left.");
    terminal.types("\r");
    terminal.waits_for("No passphrase was typed; this is the last try.");
    terminal.types("wrong again\r");
    assert_eq!(terminal.ends().exit_code(), 1);
    terminal.waits_for("was not given in 3 tries");
    terminal.is_whole();

    // Nobody has to start anew, where the next try would land in the shell's history.
    let mut terminal = open_console(&home, &session);
    terminal.waits_for("Passphrase for the keys of harbour");
    terminal.types("wrong horse\r");
    terminal.waits_for("The passphrase is wrong; 2 tries are left.");
    terminal.types("correct horse\r");
    terminal.waits_for("live");
    terminal.never_showed("correct horse");
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);
    runtime.block_on(service.stop()).unwrap();
}

#[test]
#[ignore = "needs dbus and gnome-keyring"]
fn a_key_is_asked_for_at_a_prompt_that_shows_nothing() {
    let desk = Desk::unlocked();
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".config/bursar");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), "[profiles.harbour]\nbase_url = \"https://api.example.com\"\n").unwrap();
    let environment = [("HOME", home.path().to_str().unwrap()), ("DBUS_SESSION_BUS_ADDRESS", desk.address())];
    let mut terminal = PtySession::open_with(&["key", "set"], &environment);
    terminal.waits_for("API key of harbour");
    terminal.types("sk_plantedX\x7f\r");
    terminal.waits_for("wallet secret");
    terminal.types("\r");
    assert_eq!(terminal.ends().exit_code(), 0);
    terminal.waits_for("is kept in the keyring");
    terminal.never_showed("sk_planted");
    terminal.is_whole();

    let mut terminal = PtySession::open_with(&["key", "set", "wallet-secret"], &environment);
    terminal.waits_for("wallet secret of harbour");
    terminal.types("ws_planted\x03");
    assert_eq!(terminal.ends().exit_code(), 1);
    terminal.waits_for("cancelled; nothing was changed");
    terminal.is_whole();
}

#[test]
#[ignore = "needs dbus and gnome-keyring"]
fn a_prompt_that_shows_nothing_leaves_the_terminal_whole_when_it_is_ended() {
    use rustix::process::{Pid, Signal, kill_process};
    let desk = Desk::unlocked();
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".config/bursar");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), "[profiles.harbour]\nbase_url = \"https://api.example.com\"\n").unwrap();
    let environment = [("HOME", home.path().to_str().unwrap()), ("DBUS_SESSION_BUS_ADDRESS", desk.address())];
    for (signal, code) in [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129)] {
        let mut terminal = PtySession::open_with(&["key", "set"], &environment);
        terminal.waits_for("API key of harbour");
        terminal.types("sk_planted");
        kill_process(Pid::from_raw(terminal.id().try_into().unwrap()).unwrap(), signal).unwrap();
        assert_eq!(terminal.ends().exit_code(), code);
        terminal.never_showed("sk_planted");
        terminal.is_whole();
    }
}
