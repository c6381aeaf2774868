//! What is read when: what is on screen first and oftener, everything else slowly. Pure.

use std::time::Duration;

use super::link::Link;
use super::model::{Model, Page};
use super::msg::{Dataset, Effect};
use super::remote::Remote;
use crate::domain::Timestamp;
use crate::domain::history::Scope;

/// The state of reading each data set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Remotes {
    /// The newest rows of the history.
    pub head: Remote,
    /// The first read of the history.
    pub back: Remote,
    /// Accounts, wallets and users.
    pub lists: Remote,
    /// Balances of what is selected.
    pub visible: Remote,
    /// Balances of everybody, slowly.
    pub everybody: Remote,
    /// Counts of the workspace.
    pub stats: Remote,
    /// Tokens and blockchains.
    pub markets: Remote,
}

impl Remotes {
    /// Every data set's state, in the order in which they are worth reading.
    fn all_mut(&mut self) -> [&mut Remote; 7] {
        [
            &mut self.head,
            &mut self.visible,
            &mut self.lists,
            &mut self.back,
            &mut self.markets,
            &mut self.stats,
            &mut self.everybody,
        ]
    }

    fn all(&self) -> [&Remote; 7] {
        [&self.head, &self.visible, &self.lists, &self.back, &self.markets, &self.stats, &self.everybody]
    }

    /// Reads everything again at once.
    pub fn want_all(&mut self) {
        for remote in self.all_mut() {
            remote.want();
        }
    }

    /// Whether any request is under way.
    pub fn any_in_flight(&self) -> bool {
        self.all().iter().any(|remote| remote.in_flight.is_some())
    }
}

/// The state of reading a data set.
pub fn remote_mut<'a>(model: &'a mut Model, what: &Dataset) -> &'a mut Remote {
    let remotes = &mut model.remotes;
    match what {
        Dataset::Head => &mut remotes.head,
        Dataset::Back => &mut remotes.back,
        Dataset::Lists => &mut remotes.lists,
        Dataset::Balances(Scope::All) => &mut remotes.everybody,
        Dataset::Balances(_) => &mut remotes.visible,
        Dataset::Stats => &mut remotes.stats,
        Dataset::Markets => &mut remotes.markets,
    }
}

/// How long to wait after a good answer. Each is a multiple of the profile's poll period.
pub fn pause(what: &Dataset, period: Duration) -> Duration {
    match what {
        Dataset::Back => Duration::ZERO,
        Dataset::Head => period,
        Dataset::Balances(Scope::All) => period.saturating_mul(4),
        Dataset::Balances(_) => period,
        Dataset::Stats => period.saturating_mul(12),
        // Served or not, the lists change only when somebody makes an account, a wallet or a user.
        Dataset::Lists => period.saturating_mul(60).max(Duration::from_secs(60)),
        Dataset::Markets => period.saturating_mul(120).max(Duration::from_secs(600)),
    }
}

/// What is wanted now: the data sets of this page, each unless nothing would come of it.
fn wanted(model: &Model) -> Vec<Dataset> {
    let mut wanted = vec![Dataset::Head];
    let visible = model.scope();
    if model.page == Page::Overview && visible != Scope::All {
        wanted.push(Dataset::Balances(visible));
    }
    if model.probe_lists && !model.lists_absent {
        wanted.push(Dataset::Lists);
    }
    // The first read goes on only behind a head that was read, so that nothing falls between the two.
    if model.remotes.head.last_good.is_some() && !model.progress.complete && model.progress.partial.is_none() {
        wanted.push(Dataset::Back);
    }
    wanted.extend([Dataset::Markets, Dataset::Stats, Dataset::Balances(Scope::All)]);
    wanted
}

/// Starts every read that is due.
pub fn start_due(model: &mut Model) -> Vec<Effect> {
    if model.link == Link::KeyRejected {
        return Vec::new();
    }
    let now = model.now;
    let mut effects = Vec::new();
    for what in wanted(model) {
        let remote = remote_mut(model, &what);
        if remote.is_due(now) {
            let turn = remote.start(now);
            effects.push(Effect::Load { what, turn });
        }
    }
    effects
}

/// When something is next due: a read, or a figure on screen that ages.
pub fn next_due(model: &Model) -> Option<Timestamp> {
    let mut model_only = model.next_aging();
    if model.link == Link::KeyRejected {
        return model_only;
    }
    for what in wanted(model) {
        let remote = match what {
            Dataset::Head => &model.remotes.head,
            Dataset::Back => &model.remotes.back,
            Dataset::Lists => &model.remotes.lists,
            Dataset::Balances(Scope::All) => &model.remotes.everybody,
            Dataset::Balances(_) => &model.remotes.visible,
            Dataset::Stats => &model.remotes.stats,
            Dataset::Markets => &model.remotes.markets,
        };
        if remote.in_flight.is_none() {
            let due = remote.due.unwrap_or(model.now);
            model_only = Some(model_only.map_or(due, |earliest| earliest.min(due)));
        }
    }
    model_only
}

#[cfg(test)]
mod tests;
