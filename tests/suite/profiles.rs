//! From one profile to another inside the program: nothing of the one is left when the other opens.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use bursar::service::{self, Options, RequestLog, RunningService, Sample};
use secrecy::ExposeSecret;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::harness::wait::{comes_true, ends};
use super::pty::PtySession;

const PASSPHRASE: &str = "correct horse";

/// A home with profiles, each with a service and with its keys in a sealed file.
struct Home {
    folder: TempDir,
    runtime: Runtime,
    services: Vec<RunningService>,
}

impl Home {
    /// `harbour` with the sample business, on a test network, and `quay`, an empty workspace that is said to be in
    /// production; and `lost`, whose key is nowhere.
    fn new() -> Self {
        let runtime = Runtime::new().unwrap();
        let sample = Some(Sample { seed: 1, transactions: 40 });
        let services = [sample, None].map(|sample| {
            runtime.block_on(service::start(Options { sample, with_lists: true, ..Options::temporary() })).unwrap()
        });
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join(".config/bursar");
        fs::create_dir_all(&config).unwrap();
        let profile = |name: &str, service: &RunningService, network: &str, secrets: &str| {
            format!(
                "[profiles.{name}]\nbase_url = \"{}\"\nenvironment = \"{network}\"\npoll_seconds = 1\nsecrets = \"{secrets}\"\n",
                service.base_url()
            )
        };
        let toml = [
            profile("harbour", &services[0], "testnet", "file"),
            profile("quay", &services[1], "mainnet", "file") + "time = \"local\"\n",
            profile("lost", &services[1], "testnet", "environment"),
        ];
        fs::write(config.join("config.toml"), toml.concat()).unwrap();
        let home = Self { folder, runtime, services: services.into() };
        for (name, service) in ["harbour", "quay"].into_iter().zip(&home.services) {
            let credentials = service.credentials().unwrap();
            let keys = [&credentials.api_key, &credentials.wallet_secret].map(ExposeSecret::expose_secret);
            home.keeps(name, &keys);
        }
        home
    }

    fn variables(&self) -> [(&'static str, &str); 3] {
        let home = self.folder.path().to_str().unwrap();
        [("HOME", home), ("BURSAR_PASSPHRASE", PASSPHRASE), ("TZ", "XYZ-5:30")]
    }

    /// Puts keys into the sealed file of a profile.
    fn keeps(&self, name: &str, keys: &[&str]) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bursar"));
        command.env_clear().envs(self.variables()).args(["--profile", name, "key", "set", "--file"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(keys.join("\n").as_bytes()).unwrap();
        assert!(ends(&mut child).success());
    }

    fn tap(&self, service: usize) -> RequestLog {
        self.services[service].record_requests()
    }

    /// Waits until a service was asked so many times more.
    fn hears(&self, tap: &RequestLog, further: usize) {
        let request_count = tap.requests().len() + further;
        self.runtime.block_on(comes_true("the service is asked", || tap.requests().len() >= request_count));
    }
}

#[test]
fn a_profile_is_left_for_another_and_nothing_of_it_stays() {
    let home = Home::new();
    let [harbour, quay] = [0, 1].map(|service| home.tap(service));
    let mut terminal = PtySession::open_with(&["--profile", "harbour"], &home.variables());
    terminal.waits_for("Treasury");
    terminal.waits_for("● live");
    assert!(terminal.contents().contains("harbour testnet") || terminal.contents().contains("harbour  testnet"));
    assert_eq!(quay.requests(), [], "a service was asked whose profile is not open");

    terminal.types(":profile quay\r");
    terminal.waits_for("PRODUCTION mainnet");
    terminal.waits_for("● live");
    // The clock on the wall is that of quay's profile alone.
    terminal.waits_for("+05:30");
    harbour.clear();
    let screen = terminal.contents();
    // The service behind it is a test, which is an alarm of its own: its word says nothing of the profile that was left.
    for old in ["harbour", "Treasury", "SHIB"] {
        assert!(!screen.contains(old), "{old} is left on\n{screen}");
    }
    home.hears(&quay, 6);
    assert_eq!(harbour.requests(), [], "the profile that was left is still read");

    // Back again: its cache was let go of, so that this is no second console of it.
    terminal.types(":profile harbour\r");
    terminal.waits_for("Treasury");
    terminal.waits_for("● live");
    terminal.waits_for("testnet");
    assert!(!terminal.contents().contains("own cache"), "{}", terminal.contents());
    assert!(!terminal.contents().contains("+05:30"), "{}", terminal.contents());

    // One that cannot be opened leads back, and says why.
    terminal.types(":profile lost\r");
    terminal.waits_for("profile lost was not opened: no API key");
    terminal.waits_for("Treasury");
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);
    terminal.is_whole();
}

/// Whoever may write the configuration decides where payments go.
#[test]
fn a_configuration_that_others_may_write_is_watched_by_and_not_paid_by() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let file = home.folder.path().join(".config/bursar/config.toml");
    let tap = home.tap(0);
    for (mode, is_barred) in [(0o664, true), (0o600, false)] {
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        let mut terminal = PtySession::open_with(&["--profile", "harbour"], &home.variables());
        terminal.waits_for("Treasury");
        terminal.waits_for("● live");
        if is_barred {
            terminal.waits_for("Payments disabled: others may write to the configuration: run chmod go-w");
            terminal.types("w");
            terminal.waits_for("others may write to the configuration");
        } else {
            let screen = terminal.contents();
            assert!(!screen.contains("others may write") && !screen.contains("read-only"), "{screen}");
        }
        terminal.types("q");
        assert_eq!(terminal.ends().exit_code(), 0);
    }
    assert!(tap.changes().is_empty());
}

#[test]
fn before_a_veiled_screen_nobody_is_told_whose_keys_are_unlocked() {
    let home = Home::new();
    let variables = home.variables().into_iter().filter(|(name, _)| *name != "BURSAR_PASSPHRASE");
    let variables: Vec<_> = variables.collect();
    let mut terminal = PtySession::open_with(&["--profile", "harbour", "--veil"], &variables);
    terminal.waits_for("Passphrase: ");
    terminal.types(&format!("{PASSPHRASE}\r"));
    terminal.waits_for("veiled");
    terminal.waits_for("● live");
    terminal.types("q");
    assert_eq!(terminal.ends().exit_code(), 0);
    for planted in ["harbour", "Treasury", home.services[0].base_url()] {
        terminal.never_showed(planted);
    }
}
