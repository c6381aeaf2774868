//! Watches are judged after every message.

use std::time::Duration;

use super::WatchList;
use crate::app::data::poll;
use crate::app::data::poll::Dataset;
use crate::app::model::{Model, Page};
use crate::app::msg::{Effect, StoreQuery};
use crate::app::pages::Tone;
use crate::app::request_id::RequestId;
use crate::app::screen::Pane;
use crate::app::session::events::EventKind;
use crate::domain::history::Scope;
use crate::domain::watch::{ScopedReading, TotalReading, Watch, WatchCrossing, WatchEdit, WatchNotice, WatchReading};
use crate::domain::{AddressBook, Failure};

/// Queries the data of watches, if the data set may have changed them.
pub(in crate::app) fn query_if_affected(model: &mut Model, dataset: &Dataset) -> Vec<Effect> {
    let may_affect_watches = matches!(
        dataset,
        Dataset::Latest
            | Dataset::Backfill
            | Dataset::Lists { .. }
            | Dataset::Balances(_)
            | Dataset::WatchedBalances(_)
    );
    if may_affect_watches { query_data(model) } else { Vec::new() }
}

fn query_data(model: &mut Model) -> Vec<Effect> {
    if model.session.watches.watches.is_empty() {
        return Vec::new();
    }
    // The address book is needed only to name counterparties.
    let names_counterparty = model.session.watches.watches.iter().any(|watch| watch.condition.counterparty().is_some());
    let book = if names_counterparty { model.journal.book.clone() } else { AddressBook::default() };
    let query = StoreQuery::WatchedData(model.session.watches.watches.clone(), Box::new(book));
    vec![Effect::QueryStore { query, request_id: model.session.watches.request_id.advance() }]
}

/// Takes the result of a change: why it counts only until this console closes, where it is not in the profile.
pub(in crate::app) fn apply_edit_result(
    model: &mut Model,
    edit: &WatchEdit,
    result: Result<Option<&'static str>, Failure>,
) -> Vec<Effect> {
    let why_not_saved = match result {
        Ok(reason) => reason,
        Err(failure) => {
            model.notice = Some(format!("the watch was not changed: {failure}"));
            return Vec::new();
        }
    };
    if let Err(reason) = model.session.watches.apply_edit(edit) {
        model.notice = Some(reason.into());
        return Vec::new();
    }
    // On a low screen, the page shows one pane alone: that of the new watch.
    if matches!(edit, WatchEdit::Add(_)) && model.page == Page::Attention {
        model.set_focus(Pane::Watches);
    }
    let summary = edit.summary();
    model.record_event(EventKind::Watch, Tone::Text, summary.clone());
    model.notice = Some(match why_not_saved {
        None => summary,
        Some(reason) => format!("{summary}; until this console closes: {reason}"),
    });
    query_data(model)
}

pub(in crate::app) fn apply_data(model: &mut Model, request_id: RequestId, readings: Vec<ScopedReading>) {
    if request_id == model.session.watches.request_id && readings.len() == model.session.watches.watches.len() {
        model.session.watches.readings = readings;
    }
}

/// Judges every watch. Called after every message: data become stale by time alone.
pub(in crate::app) fn judge_watches(model: &mut Model) -> Vec<Effect> {
    let (now, period) = (model.now, model.console.preferences.poll_period);
    // A live and complete history reports whose balance changed, and such users are read first: then sums may be older.
    let head = model.data.remotes.latest.last_success;
    let follows = model.data.progress.complete && model.data.progress.partial.is_none();
    let total = model.session.watches.watches.iter().any(Watch::is_of_total).then(|| total_reading(model));
    let WatchList { watches, alert_states, readings, .. } = &mut model.session.watches;
    let (mut watch_events, mut reports) = (Vec::new(), Vec::new());
    for ((watch, alert_state), scoped_reading) in watches.iter().zip(alert_states).zip(readings.iter()) {
        let reading = total.as_ref().filter(|_| watch.is_of_total()).unwrap_or(&scoped_reading.reading);
        let is_live = follows && head.is_some_and(|head| head.age(now) <= watch.max_age(period));
        let accepted_age = match &scoped_reading.scope {
            Some(scope @ (Scope::All | Scope::Account(_))) if is_live && watch.max_age.is_none() => {
                poll::normal_watched_sum_age(scope, scoped_reading.users, period)
            }
            _ => Duration::ZERO,
        };
        if let Some(crossing) = alert_state.update_with_accepted_age(watch, reading, now, period, accepted_age) {
            let figure = alert_state.figure_text().unwrap_or("—");
            let title = watch.title();
            let (message, tone) = match crossing {
                WatchCrossing::Raised => (format!("⚑ {title}: {figure}"), Tone::Bad),
                WatchCrossing::Cleared => (format!("cleared: {title}: {figure}"), Tone::Good),
                WatchCrossing::Unavailable => (
                    format!("unavailable: {title}: {}", alert_state.alerted_unavailable_reason().unwrap_or("—")),
                    Tone::Warn,
                ),
                WatchCrossing::Available => (format!("available again: {title}: {figure}"), Tone::Text),
            };
            let figure = match crossing {
                WatchCrossing::Unavailable => alert_state.alerted_unavailable_reason().unwrap_or("—").to_owned(),
                WatchCrossing::Raised | WatchCrossing::Cleared | WatchCrossing::Available => figure.to_owned(),
            };
            let notice = WatchNotice { watch: watch.clone(), crossing, at: now, figure };
            reports.push(Effect::ReportWatch(Box::new(notice)));
            watch_events.push((
                message,
                tone,
                (crossing == WatchCrossing::Raised && !watch.is_muted).then_some(watch.alert),
            ));
        }
    }
    let mut effects = reports;
    for (text, tone, alert) in watch_events {
        if let Some(alert) = alert.filter(|alert| alert.bell || alert.notification) {
            effects.push(Effect::Alert { alert, text: text.clone() });
        }
        model.record_event(EventKind::Watch, tone, text);
    }
    effects
}

/// The value of everything, if every token has a price.
fn total_reading(model: &Model) -> WatchReading {
    let Some(holdings) = &model.data.total.holdings else {
        return WatchReading::Unknown("the balances have not been read yet".into());
    };
    let Some(valuation) = &model.data.prices.settings.valuation else {
        return WatchReading::Unknown("the profile names no valuation currency".into());
    };
    let value = model.data.prices.value_holdings(holdings);
    WatchReading::of_total(&TotalReading {
        value: value.total,
        valuation,
        tokens: value.count,
        missing: value.missing,
        as_of: [model.data.total.read_since, value.at].into_iter().flatten().min(),
    })
}
