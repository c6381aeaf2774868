//! `bursar watch`: a real command and a real receiver are called once for each change, also over a restart.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use bursar::api::{SignatureOptions, SignatureScheme, WebhookListener, WebhookOptions};
use bursar::domain::Redaction;
use bursar::runtime::Clock;
use bursar::service::{self, Options, RunningService, Sample};
use secrecy::ExposeSecret;
use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::harness::wait::{ends, waits_until};

const SECRET: &str = "a secret that only the receiver knows";

/// A service, a home with a profile, and a receiver of notifications.
struct WatchedDesk {
    runtime: Runtime,
    service: RunningService,
    _receiver: WebhookListener,
    received: Arc<AtomicU32>,
    rejected: Arc<AtomicU32>,
    home: TempDir,
    config: String,
}

impl WatchedDesk {
    fn open() -> Self {
        let runtime = Runtime::new().unwrap();
        let options =
            Options { sample: Some(Sample { seed: 1, transactions: 60 }), with_lists: true, ..Options::temporary() };
        let service = runtime.block_on(service::start(options)).unwrap();
        let (received, rejected) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
        let counters = (Arc::clone(&received), Arc::clone(&rejected));
        let takes = Arc::new(move |hints: bursar::domain::WebhookHints| {
            counters.0.fetch_add(hints.received, Ordering::SeqCst);
            counters.1.fetch_add(hints.rejected.values().sum(), Ordering::SeqCst);
        });
        let listening = WebhookOptions {
            address: ([127, 0, 0, 1], 0).into(),
            path: "/alerts".into(),
            signature: Some(SignatureOptions {
                scheme: SignatureScheme::TimestampBody,
                header: "x-webhook-signature".into(),
                timestamp_header: "x-webhook-timestamp".into(),
                secret: SECRET.to_owned().into(),
            }),
            per_minute: 100,
            redaction: Redaction::default(),
        };
        let now = Arc::new(|| Clock::System.now());
        let receiver = runtime.block_on(WebhookListener::open(listening, now, takes)).unwrap();
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join(".config/bursar")).unwrap();
        private(&home.path().join("secret"), SECRET, 0o600);
        private(&home.path().join("alert"), "#!/bin/sh\n(cat; echo; env) >> \"$HOME/alerts\"\n", 0o700);
        let config = format!(
            "[profiles.harbour]\nbase_url = \"{}\"\nsecrets = \"environment\"\npoll_seconds = 1\n\
             [profiles.harbour.notify]\ncommand = [\"{home}/alert\"]\nurl = \"http://{}/alerts\"\n\
             secret_file = \"{home}/secret\"\n",
            service.base_url(),
            receiver.address(),
            home = home.path().display(),
        );
        Self { runtime, service, _receiver: receiver, received, rejected, home, config }
    }

    fn watches(&self, watches: &[&str]) {
        let tables = watches.iter().map(|watch| format!("[[profiles.harbour.watch]]\n{watch}\n"));
        let text = self.config.clone() + &tables.collect::<String>();
        private(&self.home.path().join(".config/bursar/config.toml"), &text, 0o600);
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bursar"));
        let key = self.service.api_key().unwrap();
        command.env_clear().env("HOME", self.home.path()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("BURSAR_API_KEY", key.expose_secret()).env("BURSAR_DATA_DIR", self.home.path().join("data"));
        command.arg("watch").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn start(&self) -> Child {
        self.command().spawn().unwrap()
    }

    /// What the command was given, a notification each.
    fn alerts(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.home.path().join("alerts")).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Whether everything that was reported was also recorded as delivered.
    fn is_settled(&self) -> bool {
        let state_file = fs::read_to_string(self.home.path().join("data/watch-harbour.json")).unwrap_or_default();
        state_file.contains("\"deliveries\":[]")
    }

    /// Waits until the command and the receiver were called so often, and that is recorded.
    fn wait_for(&self, description: &str, alerts: usize, notifications: u32) {
        waits_until(description, || {
            self.alerts().len() == alerts && self.notification_count() == notifications && self.is_settled()
        });
    }

    fn notification_count(&self) -> u32 {
        self.received.load(Ordering::SeqCst)
    }
}

fn private(path: &Path, text: &str, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn stop(mut child: Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    ends(&mut child);
}

#[test]
fn a_command_and_a_receiver_are_called_once_for_each_change_also_over_a_restart() {
    let desk = WatchedDesk::open();
    let first = "name = \"enough\"\ntoken = \"USDC\"\nabove = \"1\"";
    let second = "token = \"USDT\"\nabove = \"1\"";
    desk.watches(&[first]);
    let watch = desk.start();
    desk.wait_for("the first alert", 1, 1);
    stop(watch);
    let alert = &desk.alerts()[0];
    assert_eq!((alert["type"].as_str(), alert["watch"]["title"].as_str()), (Some("watch.raised"), Some("enough")));
    assert_eq!(alert["profile"].as_str(), Some("harbour"));
    // No child gets a secret, and no receiver an unsigned word.
    let environment = fs::read_to_string(desk.home.path().join("alerts")).unwrap();
    assert!(!environment.contains("BURSAR_") && !environment.contains(SECRET), "{environment}");
    // What was reported is not reported again; a new change is, to both.
    desk.watches(&[first, second]);
    let watch = desk.start();
    desk.wait_for("the second alert", 2, 2);
    stop(watch);
    assert_eq!(desk.alerts()[1]["watch"]["title"].as_str(), Some("USDT above 1"));
    assert_eq!(desk.rejected.load(Ordering::SeqCst), 0, "each was signed");
    assert!(desk.alerts().iter().all(|alert| alert["id"].as_str().is_some_and(|id| id.len() == 36)));
    let status = desk.command().arg("--test").status().unwrap();
    assert!(status.success());
    desk.wait_for("the test notification", 3, 3);
    drop(desk.runtime);
}

#[test]
fn a_notification_that_was_delivered_and_not_recorded_comes_once_more_under_the_same_identifier() {
    let desk = WatchedDesk::open();
    // The command kills the program that called it, the first time.
    let kills = "#!/bin/sh\n(cat; echo) >> \"$HOME/alerts\"\n\
                 [ -e \"$HOME/killed\" ] || { : > \"$HOME/killed\"; kill -KILL $PPID; }\n";
    private(&desk.home.path().join("alert"), kills, 0o700);
    let first = "name = \"enough\"\ntoken = \"USDC\"\nabove = \"1\"";
    desk.watches(&[first]);
    ends(&mut desk.start());
    assert_eq!((desk.alerts().len(), desk.notification_count()), (1, 0));
    let watch = desk.start();
    desk.wait_for("the delivery that was not recorded", 2, 1);
    stop(watch);
    let ids: Vec<String> = desk.alerts().iter().map(|alert| alert["id"].to_string()).collect();
    assert_eq!(ids[0], ids[1], "the receiver can tell");
    // From then on it is over, also for a third run.
    desk.watches(&[first, "token = \"USDT\"\nabove = \"1\""]);
    let watch = desk.start();
    desk.wait_for("another alert", 3, 2);
    stop(watch);
    assert_eq!(desk.alerts()[2]["watch"]["title"].as_str(), Some("USDT above 1"));
}

#[test]
fn watches_that_are_changed_meanwhile_count_and_a_second_program_is_turned_away() {
    let desk = WatchedDesk::open();
    let first = "name = \"enough\"\ntoken = \"USDC\"\nabove = \"1\"";
    desk.watches(&[first]);
    let watch = desk.start();
    desk.wait_for("the first alert", 1, 1);
    let second = desk.command().stderr(Stdio::piped()).output().unwrap();
    let stderr = String::from_utf8(second.stderr).unwrap();
    assert!(
        !second.status.success() && stderr.contains("another `bursar watch` of this profile is running"),
        "{stderr}"
    );
    // A muted watch calls nobody; what is muted and what stays is not told again.
    desk.watches(&[
        &format!("{first}\nmuted = true"),
        "token = \"USDT\"\nabove = \"1\"\nmuted = true",
        "token = \"TRX\"\nabove = \"0.1\"",
    ]);
    desk.wait_for("the alert of the new watch", 2, 2);
    desk.watches(&[first, "token = \"USDC\"\nbelow = \"999999999999\""]);
    desk.wait_for("another one", 3, 3);
    stop(watch);
    let titles: Vec<String> = desk.alerts().iter().map(|alert| alert["watch"]["title"].to_string()).collect();
    assert_eq!(titles, ["\"enough\"", "\"TRX above 0.1\"", "\"USDC below 999,999,999,999\""]);
}

#[test]
fn a_receiver_of_another_secret_takes_nothing() {
    let desk = WatchedDesk::open();
    private(&desk.home.path().join("secret"), "a secret that nobody else knows", 0o600);
    desk.watches(&[]);
    assert!(!desk.command().arg("--test").status().unwrap().success());
    waits_until("the rejection", || desk.rejected.load(Ordering::SeqCst) == 1);
    assert_eq!(desk.notification_count(), 0);
}
