//! Watches of the profile: the data they need, their states and their alerts.

mod judge;

use crate::app::listing::{Keyed, Listing};
use crate::app::request_id::RequestId;
use crate::domain::attention::{AttentionId, AttentionItem, AttentionKind, AttentionTarget};
use crate::domain::history::{Scope, Window};
use crate::domain::watch::{AlertState, ScopedReading, Watch, WatchEdit, WatchReading, WatchStanding};
pub(in crate::app) use judge::{apply_data, apply_edit_result, judge_watches, query_if_affected};

#[derive(Debug, Clone, Default)]
pub struct WatchList {
    watches: Vec<Watch>,
    alert_states: Vec<AlertState>,
    /// The last data of each watch; empty before the first read.
    readings: Vec<ScopedReading>,
    request_id: RequestId,
    pub listing: Listing<WatchIndex>,
}

/// A watch in the list, by its position in the profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WatchIndex {
    pub index: usize,
}

impl WatchList {
    pub fn new(watches: Vec<Watch>) -> Self {
        Self::with_alert_states(watches.into_iter().map(|watch| (watch, AlertState::default())).collect())
    }

    /// Watches that may have been raised before this program started.
    pub fn with_alert_states(watches: Vec<(Watch, AlertState)>) -> Self {
        let (watches, alert_states): (Vec<Watch>, Vec<AlertState>) = watches.into_iter().unzip();
        let mut list = Self { watches, alert_states, ..Self::default() };
        list.rebuild_rows();
        list
    }

    fn rebuild_rows(&mut self) {
        let rows = (0..self.watches.len()).map(|index| WatchIndex { index }).collect();
        self.listing.apply_window(Window::whole(rows));
    }

    /// Applies a change; watches that stay as they are keep their state.
    pub(in crate::app) fn apply_edit(&mut self, edit: &WatchEdit) -> Result<(), &'static str> {
        edit.apply(&mut self.watches)?;
        match edit {
            WatchEdit::Add(_) => self.alert_states.push(AlertState::default()),
            WatchEdit::Replace { was, now, .. } if was.condition == now.condition && was.key() == now.key() => {}
            WatchEdit::Replace { index, .. } => {
                if let Some(alert_state) = self.alert_states.get_mut(*index) {
                    *alert_state = AlertState::default();
                }
            }
            WatchEdit::Remove { index, .. } => drop(self.alert_states.remove(*index)),
        }
        // Readings are of other watches now; those under way are dropped.
        self.readings.clear();
        let _dropped = self.request_id.advance();
        self.rebuild_rows();
        if matches!(edit, WatchEdit::Add(_)) {
            self.listing.select(&self.watches.len().saturating_sub(1));
        }
        Ok(())
    }

    pub fn selected(&self) -> Option<(usize, Watch)> {
        let row = self.listing.selected().or_else(|| self.listing.rows().first())?;
        let index = row.index;
        Some((index, self.watches.get(index)?.clone()))
    }

    pub fn index_of(&self, key: &str) -> Option<usize> {
        self.watches.iter().position(|watch| watch.key() == key)
    }

    /// A watch and how it stands.
    pub fn watch_and_standing(&self, index: usize) -> Option<(&Watch, WatchStanding)> {
        let watch = self.watches.get(index)?;
        Some((watch, self.alert_states.get(index).map(AlertState::standing)?))
    }

    fn watches_with_alert_states(&self) -> impl Iterator<Item = (&Watch, &AlertState)> {
        self.watches.iter().zip(&self.alert_states)
    }

    /// Watches that are raised, and those that will never have a figure.
    pub(in crate::app) fn attention_items(&self) -> Vec<AttentionItem> {
        let judged = self.watches_with_alert_states().zip(&self.readings);
        judged
            .filter_map(|((watch, alert_state), scoped_reading)| {
                attention_item(watch, alert_state, &scoped_reading.reading)
            })
            .collect()
    }

    /// The identifiers of items that certainly do not stand: those of watches that are clear, and of muted ones.
    pub(in crate::app) fn ids_of_clear_watches(&self) -> Vec<AttentionId> {
        let clear = self
            .watches_with_alert_states()
            .filter(|(_, alert_state)| matches!(alert_state.standing(), WatchStanding::Clear { .. }));
        clear
            .flat_map(|(watch, _)| {
                [AttentionKind::Watch, AttentionKind::BlindWatch].map(|kind| AttentionId::new(kind, &watch.key()))
            })
            .collect()
    }

    pub fn raised_count(&self) -> usize {
        self.alert_states.iter().filter(|alert_state| alert_state.raised_since().is_some()).count()
    }

    /// How many watches cannot be judged for lack of data.
    pub fn blind_count(&self) -> usize {
        self.alert_states.iter().filter(|alert_state| alert_state.alerted_unavailable_reason().is_some()).count()
    }

    pub fn count(&self) -> usize {
        self.watches.len()
    }

    /// The scopes whose balances watches need, besides the balances of all.
    pub(in crate::app) fn watched_scopes(&self) -> Vec<Scope> {
        let mut scopes: Vec<Scope> = Vec::new();
        for scope in self.readings.iter().filter_map(|scoped_reading| scoped_reading.scope.clone()) {
            if scope != Scope::All && !scopes.contains(&scope) {
                scopes.push(scope);
            }
        }
        scopes
    }
}

/// What a watch raises by its last reading: it is raised, or will never have a figure. A muted one raises nothing.
pub fn attention_item(watch: &Watch, alert_state: &AlertState, reading: &WatchReading) -> Option<AttentionItem> {
    if watch.is_muted {
        return None;
    }
    let item = |kind, since, text: &str| {
        let subject = format!("{}: {text}", watch.full_title());
        AttentionItem::new(kind, &watch.key(), since, subject, AttentionTarget::Watch(watch.key()))
    };
    match (alert_state.raised_since(), reading, alert_state.unusable_reading_since()) {
        (Some(since), ..) => Some(item(AttentionKind::Watch, since, alert_state.figure_text().unwrap_or("—"))),
        (None, WatchReading::NotFound(reason), Some(since)) => Some(item(AttentionKind::BlindWatch, since, reason)),
        _ => None,
    }
}

impl Keyed for WatchIndex {
    type Key = usize;
    fn key(&self) -> usize {
        self.index
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::model::Model;
    use crate::app::{Settings, Size};
    use crate::domain::watch::{AlertChannels, WatchScope};
    use crate::domain::watch::{WatchCondition, WatchReading};
    use crate::domain::{Amount, Timestamp};
    use std::time::Duration;

    const START: Timestamp = Timestamp::from_millis(1_793_620_000_000);

    /// A watch on a sum over so many users, whose oldest part was read at the start, at this minute.
    fn model_after_minutes(minutes: u64, users: u64, max_age: Option<Duration>, change: impl Fn(&mut Model)) -> Model {
        let mut model = Model::new(Settings::sample(), Size { width: 80, height: 24 }, START);
        let units = |units| Amount::parse(units, 6).unwrap();
        model.session.watches = WatchList::new(vec![Watch {
            name: None,
            token: Some("USDC".into()),
            chain: None,
            scope: WatchScope::Everything,
            condition: WatchCondition::Above { limit: units("1"), margin: units("0") },
            max_age,
            alert: AlertChannels::default(),
            is_muted: false,
        }]);
        let reading = WatchReading::Balance { amount: units("50"), as_of: START };
        model.session.watches.readings = vec![ScopedReading { scope: Some(Scope::All), reading, users }];
        model.now = START.plus(Duration::from_mins(minutes));
        model.data.remotes.latest.last_success = Some(model.now);
        model.data.progress.complete = true;
        change(&mut model);
        judge_watches(&mut model);
        model
    }

    #[test]
    fn a_watch_on_six_hundred_users_can_tell_while_the_history_is_live_and_whole() {
        let can_tell = |model: &Model| model.session.watches.alert_states[0].unusable_reading_reason().is_none();
        // 75 reads, one each 20 seconds, are a round.
        assert!(can_tell(&model_after_minutes(49, 600, None, |_| ())));
        assert_eq!(model_after_minutes(49, 600, None, |_| ()).session.watches.raised_count(), 1);
        assert!(!can_tell(&model_after_minutes(51, 600, None, |_| ())));
        assert!(!can_tell(&model_after_minutes(2, 1, None, |_| ())), "one user is read within a minute");
        assert!(
            !can_tell(&model_after_minutes(49, 600, Some(Duration::from_mins(5)), |_| ())),
            "the operator's own word"
        );
        assert!(!can_tell(&model_after_minutes(49, 600, None, |model| model.data.progress.complete = false)));
        assert!(!can_tell(
            &model_after_minutes(49, 600, None, |model| model.data.progress.partial = Some("a gap".into()))
        ));
        assert!(!can_tell(
            &model_after_minutes(49, 600, None, |model| model.data.remotes.latest.last_success = Some(START))
        ));
    }
}
