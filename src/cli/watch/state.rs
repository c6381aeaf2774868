//! What `bursar watch` keeps between runs: which watches are raised, and what is still to be delivered.

use std::fs::{self, File, TryLockError};
use std::path::PathBuf;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::delivery::{Delivery, Target};
use super::notification::Notifier;
use crate::domain::Timestamp;
use crate::domain::watch::{AlertState, Watch, WatchCrossing, WatchNotice};
use crate::secrets::private_file;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct RaisedWatch {
    key: String,
    since: i64,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Content {
    raised: Vec<RaisedWatch>,
    deliveries: Vec<Delivery>,
}

#[derive(Debug)]
pub(super) struct KeptState {
    path: PathBuf,
    content: Content,
    /// Held for as long as this program runs: two of them would notify twice.
    _lock: File,
}

impl KeptState {
    /// Reads the file, if there is one.
    pub(super) fn open(path: PathBuf) -> anyhow::Result<Self> {
        let lock_path = path.with_extension("lock");
        let lock = File::create(&lock_path).with_context(|| format!("cannot write {}", lock_path.display()))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => anyhow::bail!("another `bursar watch` of this profile is running"),
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {}", lock_path.display()));
            }
        }
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self { path, content: Content::default(), _lock: lock });
            }
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        let content = serde_json::from_str(&text).with_context(|| {
            format!("{} cannot be read; remove it, and every raised watch is reported again", path.display())
        })?;
        Ok(Self { path, content, _lock: lock })
    }

    /// Each watch with its state of the last run.
    pub(super) fn alert_states(&self, watches: &[Watch]) -> Vec<(Watch, AlertState)> {
        let alert_state = |watch: &Watch| {
            let raised = self.content.raised.iter().find(|raised| raised.key == watch.key());
            raised.map_or_else(AlertState::default, |raised| {
                AlertState::from_raised_since(Timestamp::from_millis(raised.since))
            })
        };
        watches.iter().map(|watch| (watch.clone(), alert_state(watch))).collect()
    }

    /// Forgets watches that the profile no longer has: if they come back, their state is news again.
    pub(super) fn retain(&mut self, watches: &[Watch]) {
        self.content.raised.retain(|raised| watches.iter().any(|watch| watch.key() == raised.key));
    }

    /// Records a change of state and what is to be delivered of it: of a muted watch, nothing.
    pub(super) fn record(&mut self, notice: &WatchNotice, notifier: &Notifier) -> anyhow::Result<()> {
        let key = notice.watch.key();
        match notice.crossing {
            WatchCrossing::Raised => {
                self.content.raised.retain(|raised| raised.key != key);
                self.content.raised.push(RaisedWatch { key, since: notice.at.millis() });
            }
            WatchCrossing::Cleared => self.content.raised.retain(|raised| raised.key != key),
            WatchCrossing::Unavailable | WatchCrossing::Available => {}
        }
        if !notice.watch.is_muted {
            let id = Uuid::new_v4();
            let body = notifier.body(id, notice);
            let deliveries = notifier.targets().map(|target| Delivery::new(target, id, body.clone(), notice.at));
            self.content.deliveries.extend(deliveries);
        }
        self.write()
    }

    pub(super) fn next_delivery_at(&self) -> Option<Timestamp> {
        self.content.deliveries.iter().map(Delivery::due_at).min()
    }

    /// What is due, in the order of the changes: a later one waits for the earlier ones of its target.
    pub(super) fn due_deliveries(&self, now: Timestamp) -> Vec<Delivery> {
        let mut due: Vec<Delivery> = Vec::new();
        for target in [Target::Command, Target::Url] {
            let of_target = self.content.deliveries.iter().filter(|delivery| delivery.target == target);
            due.extend(of_target.take_while(|delivery| delivery.due_at() <= now).cloned());
        }
        due
    }

    pub(super) fn remove_delivery(&mut self, done: &Delivery) -> anyhow::Result<()> {
        self.content.deliveries.retain(|delivery| !delivery.is_same(done));
        self.write()
    }

    /// Tries again later; drops it after a day.
    pub(super) fn postpone_delivery(&mut self, failed: &Delivery, now: Timestamp) -> anyhow::Result<()> {
        if failed.is_too_old(now) {
            tracing::error!(id = %failed.id, "a notification is a day old and was never accepted; it is dropped");
            return self.remove_delivery(failed);
        }
        if let Some(delivery) = self.content.deliveries.iter_mut().find(|delivery| delivery.is_same(failed)) {
            delivery.postpone(now);
        }
        self.write()
    }

    fn write(&self) -> anyhow::Result<()> {
        let text = serde_json::to_string(&self.content)?;
        let written = private_file::write_atomically(&self.path, text.as_bytes());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}
