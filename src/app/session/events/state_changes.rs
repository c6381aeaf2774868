//! Derives events from a message: compares the model before it with the model after it.

use std::collections::HashMap;

use super::{EventKind, OrderStanding};
use crate::app::data::connection::ConnectionState;
use crate::app::data::poll::Dataset;
use crate::app::model::Model;
use crate::app::orders::{
    AttentionLevel, alarm_messages, approval_count, approval_message, attention_level, order_title, refusal_statement,
    signer_and_reason, state_label,
};
use crate::app::pages::{Tone, group_thousands};
use crate::domain::order::OrderState;
use crate::domain::{Order, OrderId, Skew};

/// The parts of the model whose change is an event.
pub(in crate::app) struct PreviousState {
    connection: ConnectionState,
    complete: bool,
    store_failed: bool,
    skew: Skew,
    page: crate::app::model::Page,
}

impl PreviousState {
    pub(in crate::app) fn capture(model: &Model) -> Self {
        Self {
            connection: model.data.connection,
            complete: model.data.progress.complete,
            store_failed: model.data.store_failure.is_some(),
            skew: model.data.skew,
            page: model.page,
        }
    }
}

pub(in crate::app) fn record_changes(model: &mut Model, before: &PreviousState) {
    if std::mem::discriminant(&before.connection) != std::mem::discriminant(&model.data.connection) {
        record_connection_change(model, before.connection);
    }
    if model.data.progress.complete && !before.complete {
        let rows = group_thousands(model.data.progress.rows);
        let (tone, message) = match &model.data.progress.partial {
            None => (Tone::Good, format!("the initial sync is complete: {rows} rows")),
            Some(reason) => (Tone::Warn, format!("the history is partial, {rows} rows: {reason}")),
        };
        let unreadable = match model.data.progress.unreadable {
            0 => String::new(),
            unreadable => format!("; {} cannot be read", group_thousands(unreadable)),
        };
        model.record_event(EventKind::Console, tone, message + &unreadable);
    }
    match &model.data.store_failure {
        Some(failure) if !before.store_failed => {
            let message = format!("{failure}; the screen may be out of date");
            model.record_event(EventKind::Console, Tone::Bad, message);
        }
        None if before.store_failed => {
            model.record_event(EventKind::Console, Tone::Good, "what is read is stored again".into());
        }
        _ => {}
    }
    if model.data.skew.exceeds_tolerance() != before.skew.exceeds_tolerance() {
        let (tone, message) = match model.data.skew.display_text() {
            Some(apart) => (Tone::Bad, format!("this machine's clock is {apart}: correct it before anything is paid")),
            None => (Tone::Good, "this machine's clock agrees with the service's again".into()),
        };
        model.record_event(EventKind::Connection, tone, message);
    }
    record_order_changes(model);
    // On leaving the Events page, all of its events count as read.
    if before.page == crate::app::model::Page::Events && model.page != before.page {
        model.pages.events.unread = 0;
    }
}

fn record_connection_change(model: &mut Model, before: ConnectionState) {
    let failure = model.data.remotes.latest.failure.as_ref().map(|(failure, _)| failure.to_string());
    let reason = failure.map_or_else(String::new, |failure| format!(": {failure}"));
    let (message, tone) = match model.data.connection {
        ConnectionState::Connecting => ("connecting to the service again".to_owned(), Tone::Text),
        ConnectionState::Live if before == ConnectionState::Connecting => {
            // Right after the start, a working connection is no news.
            return model.record_event(EventKind::Console, Tone::Good, "connected: the service answers".into());
        }
        ConnectionState::Live => ("live again: answers arrive in time".to_owned(), Tone::Good),
        ConnectionState::Slow => ("slow: answers are late".to_owned(), Tone::Warn),
        // The header shows until when; with the time in it, each rate limit would be an event of its own.
        ConnectionState::Busy => ("rate-limited by the service".to_owned(), Tone::Warn),
        ConnectionState::Offline { .. } => (format!("the history cannot be read{reason}"), Tone::Bad),
        ConnectionState::KeyRejected => (format!("the service rejected the API key{reason}"), Tone::Bad),
    };
    model.record_event(EventKind::Connection, tone, message);
}

/// Reports a data set that the API key may not read: the console works without it.
pub(in crate::app) fn record_forbidden_reads(model: &mut Model, dataset: &Dataset) {
    let subject = dataset.subject();
    let message = format!("the API key has no permission to read {subject}; retried after growing pauses, or press r");
    model.record_event(EventKind::Console, Tone::Bad, message);
}

/// Records orders whose state changed, also by time alone.
fn record_order_changes(model: &mut Model) {
    let now = model.now;
    if !model.pages.events.is_journal_read {
        return;
    }
    let Some(last_states) = model.pages.events.last_order_states.take() else {
        // Older states are no events, but unresolved orders of an earlier run are reported once.
        let unresolved = model.journal.orders.iter().filter(|order| order.is_unresolved(now)).count();
        model.pages.events.last_order_states =
            Some(model.journal.orders.iter().map(|order| (order.id, order_standing(order, model))).collect());
        if unresolved > 0 {
            let orders = if unresolved == 1 { "1 order".to_owned() } else { format!("{unresolved} orders") };
            let message = format!("the outcome of {orders} from an earlier run is unknown");
            model.record_event(EventKind::Order, Tone::Bad, message);
        }
        return;
    };
    let mut now_known: HashMap<OrderId, OrderStanding> = HashMap::with_capacity(last_states.len());
    let mut order_events = Vec::new();
    for order in &model.journal.orders {
        let order_standing = order_standing(order, model);
        let before = last_states.get(&order.id);
        if before != Some(&order_standing) {
            let parties = model.address_formatter();
            let OrderStanding { state, alarms, approvals } = &order_standing;
            let (state, approvals) = (*state, *approvals);
            let has_moved = before.is_none_or(|before| before.state != state);
            // What another desk proposed and approved comes with its approvals, which are no news.
            if before.is_some_and(|before| approvals > before.approvals)
                && let Some(message) = approval_message(model, order)
            {
                order_events.push((order.id, Tone::Good, format!("{}: {message}", order_title(order, &parties))));
            }
            // An order that was not sent yet is no news.
            if has_moved && !matches!(state, OrderState::Drafted | OrderState::Confirmed) {
                let label = state_label(order, now);
                let text = refusal_statement(order)
                    .map_or_else(|| label.to_owned(), |refusal| format!("{label} by {}", signer_and_reason(refusal)));
                order_events.push((
                    order.id,
                    order_tone(order, model),
                    format!("{}: {text}", order_title(order, &parties)),
                ));
            }
            for alarm in alarms.iter().filter(|alarm| before.is_none_or(|before| !before.alarms.contains(alarm))) {
                order_events.push((order.id, Tone::Bad, format!("{}: {alarm}", order_title(order, &parties))));
            }
        }
        now_known.insert(order.id, order_standing);
    }
    model.pages.events.last_order_states = Some(now_known);
    for (id, tone, text) in order_events {
        model.pages.events.record(now, EventKind::Order, tone, text, Some(id));
    }
}

fn order_standing(order: &Order, model: &Model) -> OrderStanding {
    OrderStanding {
        state: order.state(model.now),
        alarms: alarm_messages(order, model.now),
        approvals: approval_count(order),
    }
}

fn order_tone(order: &Order, model: &Model) -> Tone {
    match attention_level(order, model.now) {
        AttentionLevel::Quiet => Tone::Dim,
        AttentionLevel::Open => Tone::Text,
        AttentionLevel::Good => Tone::Good,
        AttentionLevel::Bad | AttentionLevel::Alarm => Tone::Bad,
    }
}
