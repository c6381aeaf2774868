//! What is called when a watch changes its state: a command, a URL, or both.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::Context as _;
use serde_json::json;
use uuid::Uuid;

use super::delivery::{Delivery, Target};
use crate::api::NotificationSender;
use crate::config::{NotifyConfig, Profile};
use crate::domain::watch::{WatchCrossing, WatchNotice};
use crate::domain::{Network, Timestamp};
use crate::secrets::Vault;

/// A command that takes longer is stopped, and counts as failed.
const COMMAND_TIME_OUT: Duration = Duration::from_secs(30);
const COMMAND_POLL_PERIOD: Duration = Duration::from_millis(20);
/// What a command gets of this program's environment: nothing of it is a secret.
const PASSED_VARIABLES: [&str; 6] = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR"];

pub(super) struct Notifier {
    command: Option<Vec<String>>,
    sender: Option<NotificationSender>,
    profile: String,
    environment: Option<&'static str>,
}

/// A change in one line, for the log of whoever runs the command.
pub(super) fn describe(notice: &WatchNotice) -> String {
    format!("{}  {}  {}: {}", notice.at, notice.crossing.word(), notice.watch.title(), notice.figure)
}

impl Notifier {
    pub(super) fn new(notify: &NotifyConfig, vault: &Vault, profile: &Profile) -> anyhow::Result<Self> {
        let secret = notify.signing_secret(vault)?;
        let sender = notify.url.clone().map(|url| NotificationSender::new(url, secret)).transpose();
        Ok(Self {
            command: notify.command.clone(),
            sender: sender.map_err(|reason| anyhow::anyhow!("{reason}"))?,
            profile: profile.name.clone(),
            environment: profile.network.map(Network::name),
        })
    }

    /// Whom a change is to be delivered to.
    pub(super) fn targets(&self) -> impl Iterator<Item = Target> {
        let command = self.command.is_some().then_some(Target::Command);
        command.into_iter().chain(self.sender.is_some().then_some(Target::Url))
    }

    /// The body of a notification: exact strings, and the same at every attempt.
    pub(super) fn body(&self, id: Uuid, notice: &WatchNotice) -> String {
        self.body_of_type(
            id,
            &format!("watch.{}", notice.crossing.word()),
            notice.at,
            &json!({
                "name": notice.watch.name.as_deref(),
                "title": notice.watch.title(),
                "condition": notice.watch.condition_text(),
                "sentence": notice.watch.sentence(),
                "raised": notice.crossing == WatchCrossing::Raised,
                "figure": notice.figure,
            }),
        )
    }

    fn body_of_type(&self, id: Uuid, kind: &str, at: Timestamp, watch: &serde_json::Value) -> String {
        json!({
            "id": id.to_string(),
            "type": kind,
            "at": at.to_string(),
            "profile": self.profile,
            "environment": self.environment,
            "watch": watch,
        })
        .to_string()
    }

    /// Delivers once to everyone, to try it out.
    pub(super) async fn send_test(&self, now: Timestamp) -> anyhow::Result<()> {
        let id = Uuid::new_v4();
        let body = self.body_of_type(id, "watch.test", now, &serde_json::Value::Null);
        for target in self.targets() {
            let delivery = Delivery::new(target, id, body.clone(), now);
            self.deliver(&delivery, now).await.map_err(|reason| anyhow::anyhow!("{reason}"))?;
        }
        Ok(())
    }

    /// Delivers one notification.
    ///
    /// # Errors
    /// Why it was not accepted.
    pub(super) async fn deliver(&self, delivery: &Delivery, now: Timestamp) -> Result<(), String> {
        match (delivery.target, &self.command, &self.sender) {
            (Target::Command, Some(command), _) => {
                run_command(command, &delivery.body).await.map_err(|error| format!("{error:#}"))
            }
            (Target::Url, _, Some(sender)) => sender.post(&delivery.id.to_string(), &delivery.body, now).await,
            // It is no longer configured: nobody is to be told.
            (Target::Command | Target::Url, ..) => Ok(()),
        }
    }
}

/// Runs the command with the notification as its standard input, in an environment without secrets.
async fn run_command(command: &[String], body: &str) -> anyhow::Result<()> {
    let (program, arguments) = command.split_first().context("the command is empty")?;
    let passed = PASSED_VARIABLES.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
    let mut child = Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(passed)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::inherit())
        .spawn()
        .with_context(|| format!("{program} cannot be started"))?;
    if let Some(mut input) = child.stdin.take() {
        // It fits into a pipe. A command that does not read its input is no failure.
        let _may_be_closed = input.write_all(body.as_bytes());
    }
    let ended = async {
        loop {
            if let Some(status) = child.try_wait()? {
                return anyhow::Ok(status);
            }
            tokio::time::sleep(COMMAND_POLL_PERIOD).await;
        }
    };
    let Ok(status) = tokio::time::timeout(COMMAND_TIME_OUT, ended).await else {
        // It may have ended by now.
        let _may_have_ended = child.kill();
        let _status = child.wait();
        anyhow::bail!("{program} did not end within 30 seconds");
    };
    let status = status?;
    anyhow::ensure!(status.success(), "{program} ended with {status}");
    Ok(())
}
