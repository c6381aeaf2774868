//! Watches of the profile: the data they need, their states and their alerts.

mod judge;

use crate::app::msg::RequestId;
use crate::domain::history::Scope;
use crate::domain::watch::{ScopedReading, Watch, WatchGauge};
pub(in crate::app) use judge::{apply_data, judge_watches, query_if_affected};

#[derive(Debug, Clone, Default)]
pub struct WatchList {
    watches: Vec<Watch>,
    gauges: Vec<WatchGauge>,
    /// The last data of each watch; empty before the first read.
    readings: Vec<ScopedReading>,
    request_id: RequestId,
}

impl WatchList {
    pub fn new(watches: Vec<Watch>) -> Self {
        let gauges = watches.iter().map(|_| WatchGauge::default()).collect();
        Self { watches, gauges, readings: Vec::new(), request_id: RequestId::default() }
    }

    pub fn raised_count(&self) -> usize {
        self.gauges.iter().filter(|gauge| gauge.raised_since().is_some()).count()
    }

    /// How many watches cannot be judged for lack of data.
    pub fn blind_count(&self) -> usize {
        self.gauges.iter().filter(|gauge| gauge.unavailable_reason().is_some()).count()
    }

    pub fn count(&self) -> usize {
        self.watches.len()
    }

    /// The scopes whose balances watches need, besides the balances of all.
    pub(in crate::app) fn scopes(&self) -> Vec<Scope> {
        let mut scopes: Vec<Scope> = Vec::new();
        for scope in self.readings.iter().filter_map(|looked| looked.scope.clone()) {
            if scope != Scope::All && !scopes.contains(&scope) {
                scopes.push(scope);
            }
        }
        scopes
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
        model.watches = WatchList::new(vec![Watch {
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
        model.watches.readings = vec![ScopedReading { scope: Some(Scope::All), reading, users }];
        model.now = START.plus(Duration::from_mins(minutes));
        model.remotes.latest.last_success = Some(model.now);
        model.progress.complete = true;
        change(&mut model);
        judge_watches(&mut model);
        model
    }

    #[test]
    fn a_watch_on_six_hundred_users_can_tell_while_the_history_is_live_and_whole() {
        let can_tell = |model: &Model| model.watches.gauges[0].doubt_reason().is_none();
        // 75 reads, one each 20 seconds, are a round.
        assert!(can_tell(&model_after_minutes(49, 600, None, |_| ())));
        assert_eq!(model_after_minutes(49, 600, None, |_| ()).watches.raised_count(), 1);
        assert!(!can_tell(&model_after_minutes(51, 600, None, |_| ())));
        assert!(!can_tell(&model_after_minutes(2, 1, None, |_| ())), "one user is read within a minute");
        assert!(
            !can_tell(&model_after_minutes(49, 600, Some(Duration::from_mins(5)), |_| ())),
            "the operator's own word"
        );
        assert!(!can_tell(&model_after_minutes(49, 600, None, |model| model.progress.complete = false)));
        assert!(!can_tell(&model_after_minutes(49, 600, None, |model| model.progress.partial = Some("a gap".into()))));
        assert!(
            !can_tell(&model_after_minutes(49, 600, None, |model| model.remotes.latest.last_success = Some(START)))
        );
    }
}
