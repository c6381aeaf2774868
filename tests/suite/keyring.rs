//! The keyring as it is met: absent, without a provider, locked, denied, unlocked, gone, changed behind our back.
//!
//! Each test has a bus and a real gnome-keyring of its own. Nothing here touches the session of whoever runs it.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use secrecy::ExposeSecret;
use tempfile::TempDir;

use bursar::secrets::{KeyStoreFault, Keyring, Owner, Vault};

use crate::harness::wait::waits_until;

/// What this needs of the machine.
const PACKAGES: &str =
    "this test needs the Debian packages dbus and gnome-keyring (apt-get install dbus gnome-keyring)";

/// What the bus lets through.
pub(crate) enum Policy {
    /// Everything.
    Open,
    /// Everything but the keyring.
    NoSecrets,
}

/// A session of its own: a bus, and perhaps a keyring on it. All ends with it.
pub(crate) struct Desk {
    home: TempDir,
    address: String,
    bus: Child,
    keyring: Option<Child>,
}

impl Desk {
    /// A session without a keyring.
    pub(crate) fn new(policy: &Policy) -> Self {
        let home = tempfile::tempdir().unwrap();
        let denied = match policy {
            Policy::Open => "",
            Policy::NoSecrets => r#"<deny send_destination="org.freedesktop.secrets"/>"#,
        };
        // Without folders of services nothing is started by itself.
        let config = format!(
            r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:dir={}</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>{denied}</policy>
</busconfig>"#,
            home.path().display()
        );
        let file = home.path().join("bus.conf");
        std::fs::write(&file, config).unwrap();
        let mut bus = Command::new("dbus-daemon")
            .arg("--nofork")
            .arg("--print-address")
            .arg(format!("--config-file={}", file.display()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect(PACKAGES);
        let mut address = String::new();
        BufReader::new(bus.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let address = address.trim().to_owned();
        assert!(address.starts_with("unix:"), "the bus says no address: {address}");
        Self { home, address, bus, keyring: None }
    }

    /// A session with an unlocked keyring.
    pub(crate) fn unlocked() -> Self {
        let mut desk = Self::new(&Policy::Open);
        desk.start_keyring(Some("a password"));
        desk
    }

    /// Starts the keyring, which makes its collection under the first password that it is given and opens it under no
    /// other; without one nobody has ever unlocked it.
    pub(crate) fn start_keyring(&mut self, password: Option<&str>) {
        let mut command = Command::new("gnome-keyring-daemon");
        command.args(["--foreground", "--components=secrets"]).args(password.map(|_| "--unlock"));
        self.dress(&mut command);
        let mut daemon =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect(PACKAGES);
        let mut stdin = daemon.stdin.take().unwrap();
        stdin.write_all(password.unwrap_or_default().as_bytes()).unwrap();
        drop(stdin);
        self.keyring = Some(daemon);
        self.waits_for_keyring(true);
    }

    /// Waits until the bus says that the keyring is there, or that it is not.
    fn waits_for_keyring(&self, is_expected: bool) {
        waits_until("the keyring comes or goes", || {
            let mut command = Command::new("dbus-send");
            command.args([
                "--session",
                "--dest=org.freedesktop.DBus",
                "--print-reply=literal",
                "/org/freedesktop/DBus",
            ]);
            command.args(["org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"]);
            let answer = self.dress(&mut command).output().expect(PACKAGES);
            let answer = String::from_utf8_lossy(&answer.stdout).into_owned();
            assert!(answer.contains("boolean"), "the bus is gone: {answer}");
            answer.contains("true") == is_expected
        });
    }

    /// Ends the keyring.
    pub(crate) fn stop_keyring(&mut self) {
        if let Some(mut daemon) = self.keyring.take() {
            daemon.kill().unwrap();
            daemon.wait().unwrap();
            self.waits_for_keyring(false);
        }
    }

    /// Lets the keyring answer nobody, or everybody again.
    fn freeze_keyring(&self, frozen: bool) {
        let id = i32::try_from(self.keyring.as_ref().unwrap().id()).unwrap();
        let signal = if frozen { Signal::STOP } else { Signal::CONT };
        kill_process(Pid::from_raw(id).unwrap(), signal).unwrap();
    }

    /// Ends the bus, and with it the session.
    pub(crate) fn stop_bus(&mut self) {
        self.bus.kill().unwrap();
        self.bus.wait().unwrap();
    }

    /// Gives a command the environment of this session and nothing else.
    pub(crate) fn dress<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        let home = self.home.path();
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", home).env("XDG_RUNTIME_DIR", home).env("DBUS_SESSION_BUS_ADDRESS", &self.address);
        command
    }

    /// Where its bus is.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        for child in self.keyring.iter_mut().chain([&mut self.bus]) {
            let _ended_already = child.kill();
            let _nothing_more_can_be_done = child.wait();
        }
    }
}

/// Another process of this test binary that asks the keyring when it is told to: the address of a session is read from
/// the environment of a process, which nobody may change while it runs.
struct Asker {
    child: Child,
    answers: BufReader<std::process::ChildStdout>,
}

/// Tells a process that it is the other process, and how many milliseconds its vault is patient.
const ROLE: &str = "BURSAR_TEST_ASKER";

impl Asker {
    fn new(desk: &Desk, patience: Duration) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        desk.dress(&mut command).env(ROLE, patience.as_millis().to_string());
        let test_name = "keyring::a_vault_notices_what_happens_to_the_keyring_meanwhile";
        command.args(["--exact", test_name, "--include-ignored", "--nocapture"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Self { child, answers }
    }

    /// Has the other process ask, and returns what it made of the answer.
    fn asks(&mut self) -> String {
        let stdin = self.child.stdin.as_mut().unwrap();
        writeln!(stdin, "read").and_then(|()| stdin.flush()).unwrap();
        loop {
            let mut line = String::new();
            assert_ne!(self.answers.read_line(&mut line).unwrap(), 0, "the other process has ended");
            if let Some(answer) = line.trim_end().split("ANSWER ").nth(1) {
                return answer.to_owned();
            }
        }
    }
}

impl Drop for Asker {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _nothing_more_can_be_done = self.child.wait();
    }
}

/// What the other process does: one vault for as long as it lives, as a console has.
fn answer_questions(patience: &OsStr) {
    let patience = Duration::from_millis(patience.to_str().unwrap().parse().unwrap());
    let vault = Vault::in_keyring(harbour(), Keyring::new(patience));
    for question in std::io::stdin().lines() {
        assert_eq!(question.unwrap(), "read");
        let answer = match vault.keys() {
            Ok(keys) => format!(
                "{} {}",
                keys.api_key.into_secret().expose_secret(),
                keys.wallet_secret.map_or("none".into(), |secret| secret.into_secret().expose_secret().to_owned())
            ),
            Err(KeyStoreFault::NotSet { .. }) => "NotSet".to_owned(),
            Err(KeyStoreFault::Locked(_)) => "Locked".to_owned(),
            Err(fault) => format!("{fault:?}"),
        };
        // The harness of tests catches what is printed, and not what is written.
        writeln!(std::io::stdout(), "ANSWER {answer}").unwrap();
    }
}

fn harbour() -> Owner {
    Owner { profile: "harbour".into(), base_url: "https://api.example.com".into() }
}

const SERVICE: &str = "[profiles.harbour]\nbase_url = \"https://api.example.com\"\n";

/// A desk with a configuration, and the program on it.
fn write_config(desk: &Desk) -> PathBuf {
    let file = desk.home().join(".config/bursar/config.toml");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, SERVICE).unwrap();
    file
}

/// Runs the program; returns its exit code and all that it said.
pub(crate) fn says(desk: &Desk, arguments: &[&str], input: &str) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bursar"));
    desk.dress(&mut command).args(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It may have said all that it has to say, and ended, without reading.
    let _reader_may_be_gone = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let output_text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(output_text).unwrap())
}

#[test]
#[ignore = "needs dbus and gnome-keyring"]
fn a_vault_notices_what_happens_to_the_keyring_meanwhile() {
    if let Some(patience) = std::env::var_os(ROLE) {
        return answer_questions(&patience);
    }
    let mut desk = Desk::unlocked();
    let mut console = Asker::new(&desk, Keyring::UNLOCK_TIMEOUT);
    assert_eq!(console.asks(), "NotSet");

    write_config(&desk);
    assert_eq!(says(&desk, &["key", "set"], "sk_first\nws_first\n").0, 0);
    assert_eq!(console.asks(), "sk_first ws_first", "what another program set is seen");
    assert_eq!(says(&desk, &["key", "set", "api-key"], "sk_second\n").0, 0);
    assert_eq!(console.asks(), "sk_second ws_first", "a rotated key is seen, and its wallet secret stays");

    desk.stop_keyring();
    assert_eq!(console.asks(), "Gone");
    desk.start_keyring(Some("another password"));
    assert_eq!(console.asks(), "Locked");
    desk.stop_keyring();
    desk.start_keyring(Some("a password"));
    assert_eq!(console.asks(), "sk_second ws_first", "a keyring that came back is found again");

    assert_eq!(says(&desk, &["key", "remove", "wallet-secret"], "").0, 0);
    assert_eq!(console.asks(), "sk_second none");
    assert_eq!(says(&desk, &["key", "set", "wallet-secret"], "ws_second\n").0, 0);
    let (code, output) = says(&desk, &["key", "remove"], "");
    assert!(code == 0 && output.starts_with("removed: API key, wallet secret of harbour"), "{output}");
    assert_eq!(console.asks(), "NotSet");
    let (_, output) = says(&desk, &["key", "remove"], "");
    assert!(output.starts_with("not found: any key of harbour"), "{output}");
    desk.stop_bus();
    assert_eq!(console.asks(), "Gone");
}

#[test]
#[ignore = "needs dbus and gnome-keyring"]
fn a_keyring_that_waits_for_a_person_holds_nobody_up_for_ever() {
    let desk = Desk::unlocked();
    let mut console = Asker::new(&desk, Duration::from_millis(300));
    desk.freeze_keyring(true);
    assert_eq!(console.asks(), "NoAnswer(300ms)");
    desk.freeze_keyring(false);
    write_config(&desk);
    assert_eq!(says(&desk, &["key", "set", "api-key"], "sk_1").0, 0);
    let mut patient = Asker::new(&desk, Keyring::UNLOCK_TIMEOUT);
    assert_eq!(patient.asks(), "sk_1 none");
}

#[test]
#[ignore = "needs dbus and gnome-keyring"]
fn without_a_session_and_without_a_keyring_the_fallbacks_are_named() {
    let mut desk = Desk::new(&Policy::Open);
    write_config(&desk);
    let (code, output) = says(&desk, &["key", "status"], "");
    assert_eq!(code, 1);
    assert!(output.contains("no keyring program is running or installed"), "{output}");
    desk.stop_bus();
    for command in [&["key", "status"][..], &["key", "set"], &["key", "remove"], &[]] {
        let (code, output) = says(&desk, command, "sk_1\n");
        assert_eq!(code, 1);
        for text in ["no keyring for this session", "`bursar key set --file`", "BURSAR_API_KEY"] {
            assert!(output.contains(text), "{output}");
        }
    }
}

#[test]
#[ignore = "needs dbus and gnome-keyring"]
fn a_keyring_that_nobody_unlocked_is_locked_and_not_empty() {
    let mut desk = Desk::new(&Policy::Open);
    desk.start_keyring(None);
    write_config(&desk);
    for command in [&["key", "status"][..], &["key", "set"], &["key", "remove"], &[]] {
        let (code, output) = says(&desk, command, "sk_1\n");
        assert_eq!(code, 1, "{output}");
        assert!(output.contains("the keyring is locked") && !output.contains("sk_1"), "{output}");
    }
}

#[test]
#[ignore = "needs dbus and gnome-keyring"]
fn a_session_that_lets_nobody_at_the_keyring_says_so() {
    let mut desk = Desk::new(&Policy::NoSecrets);
    desk.start_keyring(Some("a password"));
    write_config(&desk);
    let (code, output) = says(&desk, &["key", "set"], "sk_1\n");
    assert_eq!(code, 1);
    assert!(output.contains("the keyring refuses this program"), "{output}");
}

#[test]
#[ignore = "needs dbus and gnome-keyring"]
fn a_key_is_kept_for_its_profile_and_address_and_leaves_no_canary() {
    let desk = Desk::unlocked();
    let file = write_config(&desk);
    let (code, output) = says(&desk, &["key", "set"], "sk_planted_1\nws_planted_1\n");
    assert_eq!(code, 0, "{output}");
    assert!(
        output.contains("the API key of harbour is kept in the keyring") && output.contains("next: bursar"),
        "{output}"
    );
    assert!(!output.contains("planted"), "{output}");
    let config_text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(config_text, format!("{SERVICE}secrets = \"keyring\"\n"));

    // Read by somebody else's program: what is there, and nothing more.
    let mut search = Command::new("secret-tool");
    search.args(["search", "--all", "service", "bursar"]);
    if let Ok(search_output) = desk.dress(&mut search).output() {
        let items = String::from_utf8([search_output.stdout, search_output.stderr].concat()).unwrap();
        assert_eq!(items.matches("attribute.service = bursar").count(), 2, "{items}");
        assert!(items.contains("secret = sk_planted_1") && items.contains("secret = ws_planted_1"), "{items}");
    }

    let (code, output) = says(&desk, &["key", "status"], "");
    assert_eq!((code, output.matches("in the keyring (mark ").count()), (0, 2), "{output}");
    // Whoever edits the address has not sent the key there.
    std::fs::write(&file, config_text.replace("api.example.com", "api.elsewhere.com")).unwrap();
    let (code, output) = says(&desk, &["key", "status"], "");
    assert_eq!(code, 1);
    assert!(output.contains("profile harbour has no API key for https://api.elsewhere.com in the keyring"), "{output}");
    let (code, output) = says(&desk, &[], "");
    assert_eq!(code, 1);
    assert!(output.contains("has no API key for https://api.elsewhere.com"), "{output}");
    // The former one can still be removed, by name and address.
    let former = ["key", "remove", "--profile", "harbour", "--base-url", "https://api.example.com"];
    assert!(
        says(&desk, &former, "").1.starts_with("removed: API key, wallet secret of harbour at https://api.example.com")
    );
    assert!(says(&desk, &former, "").1.starts_with("not found: "));
}

#[test]
#[ignore = "needs dbus and gnome-keyring"]
fn removing_a_profile_takes_its_keys_along_if_asked_to() {
    let desk = Desk::unlocked();
    let file = write_config(&desk);
    assert_eq!(says(&desk, &["key", "set"], "sk_1\nws_1\n").0, 0);
    let (code, output) = says(&desk, &["profile", "remove", "harbour"], "");
    assert_eq!(code, 0);
    let command = "bursar key remove --profile harbour --base-url https://api.example.com";
    assert!(output.contains("its keys stay") && output.contains(command), "{output}");
    std::fs::write(&file, SERVICE).unwrap();
    assert_eq!(says(&desk, &["key", "status"], "").0, 0, "they are still there");
    let (code, output) = says(&desk, &["profile", "remove", "harbour", "--with-keys"], "");
    assert!(code == 0 && output.contains("its keys are removed"), "{output}");
    std::fs::write(&file, SERVICE).unwrap();
    assert_eq!(says(&desk, &["key", "status"], "").0, 1, "they are gone");
}

#[test]
#[ignore = "needs dbus and gnome-keyring"]
fn the_secret_of_a_listener_is_kept_with_the_keys_and_found_there() {
    let desk = Desk::unlocked();
    let file = write_config(&desk);
    assert_eq!(says(&desk, &["key", "set"], "sk_1\nws_1\n").0, 0);
    let (code, output) = says(&desk, &["key", "set", "listener-secret"], "hook_planted\n");
    assert!(code == 0 && output.contains("the profile has no listener yet"), "{output}");
    let toml = format!("{SERVICE}[profiles.harbour.listener]\naddress = \"127.0.0.1:0\"\n");
    std::fs::write(&file, &toml).unwrap();
    let (code, output) = says(&desk, &["key", "set", "listener-secret"], "hook_planted\n");
    assert!(code == 0 && output.contains("accepts only signed webhooks from now on"), "{output}");
    assert!(!output.contains("planted"), "{output}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), format!("{toml}signed = true\n"));
    let doctor = || says(&desk, &["doctor", "--offline"], "").1.split_whitespace().collect::<Vec<_>>().join(" ");
    let report = doctor();
    assert!(report.contains("listener 127.0.0.1:0/events, signed: the port is free"), "{report}");
    assert!(report.contains("listener its secret is kept with the keys"), "{report}");
    let (code, output) = says(&desk, &["key", "status"], "");
    assert!(code == 0 && output.matches("in the keyring (mark ").count() == 3, "{output}");
    let (code, output) = says(&desk, &["key", "remove", "listener-secret"], "");
    assert!(code == 0 && output.starts_with("removed: listener secret of harbour"), "{output}");
    let report = doctor();
    assert!(report.contains("bursar key set listener-secret --profile harbour"), "{report}");
}
