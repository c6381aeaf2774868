//! Watches of the profile: the data they need, their states and their alerts.

use std::time::Duration;

use super::events::EventKind;
use crate::app::data::poll;
use crate::app::model::Model;
use crate::app::msg::{Dataset, Effect, RequestId, StoreQuery};
use crate::app::pages::Tone;
use crate::domain::history::Scope;
use crate::domain::watch::{ScopedReading, Watch, WatchCondition, WatchCrossing, WatchGauge, WatchReading};
use crate::domain::{AddressBook, ValuationAmount};

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

/// Queries the data of watches, if the data set may have changed them.
pub(in crate::app) fn query_if_affected(model: &mut Model, what: &Dataset) -> Vec<Effect> {
    let told = matches!(
        what,
        Dataset::Latest
            | Dataset::Backfill
            | Dataset::Lists { .. }
            | Dataset::Balances(_)
            | Dataset::WatchedBalances(_)
    );
    if !told || model.watches.watches.is_empty() {
        return Vec::new();
    }
    // The address book is needed only to name counterparties.
    let names_counterparty =
        model.watches.watches.iter().any(|watch| matches!(watch.condition, WatchCondition::Counterparty { .. }));
    let book = if names_counterparty { model.forms.book.clone() } else { AddressBook::default() };
    let query = StoreQuery::WatchedData(model.watches.watches.clone(), Box::new(book));
    vec![Effect::QueryStore { query, request_id: model.watches.request_id.advance() }]
}

pub(in crate::app) fn apply_data(model: &mut Model, request_id: RequestId, looked: Vec<ScopedReading>) {
    if request_id == model.watches.request_id && looked.len() == model.watches.watches.len() {
        model.watches.readings = looked;
    }
}

/// Judges every watch. Called after every message: data become stale by time alone.
pub(in crate::app) fn judge_watches(model: &mut Model) -> Vec<Effect> {
    let (now, period) = (model.now, model.period);
    // A live and complete history reports whose balance changed, and such users are read first: then sums may be older.
    let head = model.remotes.latest.last_success;
    let follows = model.progress.complete && model.progress.partial.is_none();
    let total = model.watches.watches.iter().any(Watch::is_of_total).then(|| total_reading(model));
    let WatchList { watches, gauges, readings: looked, .. } = &mut model.watches;
    let mut told = Vec::new();
    for ((watch, gauge), looked) in watches.iter().zip(gauges).zip(looked.iter()) {
        let reading = total.as_ref().filter(|_| watch.is_of_total()).unwrap_or(&looked.reading);
        let is_live = follows && head.is_some_and(|head| head.age(now) <= watch.max_age(period));
        let believed_for = match &looked.scope {
            Some(scope @ (Scope::All | Scope::Account(_))) if is_live && watch.max_age.is_none() => {
                poll::normal_watched_age(scope, looked.users, period)
            }
            _ => Duration::ZERO,
        };
        if let Some(crossing) = gauge.update_within(watch, reading, now, period, believed_for) {
            let figure = gauge.figure_text().unwrap_or("—");
            let title = watch.title();
            let (words, tone) = match crossing {
                WatchCrossing::Raised => (format!("⚑ {title}: {figure}"), Tone::Bad),
                WatchCrossing::Cleared => (format!("cleared: {title}: {figure}"), Tone::Good),
                WatchCrossing::Unavailable => {
                    (format!("unavailable: {title}: {}", gauge.unavailable_reason().unwrap_or("—")), Tone::Warn)
                }
                WatchCrossing::Available => (format!("available again: {title}: {figure}"), Tone::Text),
            };
            told.push((words, tone, (crossing == WatchCrossing::Raised && !watch.is_muted).then_some(watch.alert)));
        }
    }
    let mut effects = Vec::new();
    for (words, tone, alert) in told {
        if let Some(alert) = alert.filter(|alert| alert.bell || alert.notification) {
            effects.push(Effect::Alert { alert, words: words.clone() });
        }
        model.record_event(EventKind::Watch, tone, words);
    }
    effects
}

/// The value of everything, if every token has a price.
fn total_reading(model: &Model) -> WatchReading {
    let Some(holdings) = &model.total.holdings else {
        return WatchReading::Unknown("the balances have not been read yet".into());
    };
    let Some(valuation) = &model.prices.settings.valuation else {
        return WatchReading::Unknown("the profile names no valuation currency".into());
    };
    let value = model.prices.value_holdings(holdings);
    let as_of = [model.total.read_since, value.at].into_iter().flatten().min();
    match (value.total.and_then(ValuationAmount::amount), as_of) {
        _ if value.missing > 0 => {
            WatchReading::Unknown(format!("{} of {} tokens have no price in {valuation}", value.missing, value.count))
        }
        (Some(amount), Some(as_of)) => WatchReading::Balance { amount, as_of },
        _ => WatchReading::Unknown("the total is not known yet".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{Settings, Size};
    use crate::domain::watch::{AlertChannels, WatchScope};
    use crate::domain::{Amount, Timestamp};

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
