//! Received webhooks: a reason to read now, and a row on the Events page that shows whether they arrive.

use super::EventKind;
use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::domain::WebhookHints;

/// Takes in webhooks. However many there were, they cause at most one read of each data set a second.
pub(in crate::app) fn apply_hints(model: &mut Model, hints: &WebhookHints) {
    let now = model.now;
    if hints.received > 0 {
        let remotes = &mut model.data.remotes;
        for remote in [
            &mut remotes.latest,
            &mut remotes.scope_balances,
            &mut remotes.user,
            &mut remotes.watched_balances,
            &mut remotes.orders,
        ] {
            remote.apply_hint(now);
        }
        let message = if hints.topics.is_empty() {
            "webhook received: reading now".to_owned()
        } else {
            let topics: Vec<&str> = hints.topics.iter().map(crate::domain::Text::as_str).collect();
            format!("webhook received: {}; reading now", topics.join(", "))
        };
        model.pages.events.record_repeated(now, EventKind::Hint, Tone::Text, message, hints.received);
    }
    for (reason, count) in &hints.rejected {
        model.pages.events.record_repeated(
            now,
            EventKind::Hint,
            Tone::Warn,
            format!("a webhook was rejected: {reason}"),
            *count,
        );
    }
}

/// Whether webhooks are received, and at which address; or the failure, which the header shows while it lasts.
pub(in crate::app) fn apply_listener_state(model: &mut Model, result: Result<String, String>) {
    let was_deaf = std::mem::replace(&mut model.console.is_webhook_down, result.is_err());
    match result {
        Ok(place) => {
            // Listening at the start is routine; after a failure it is news.
            let (kind, tone) =
                if was_deaf { (EventKind::Connection, Tone::Good) } else { (EventKind::Console, Tone::Text) };
            model.record_event(kind, tone, format!("listening for webhooks at {place}"));
        }
        Err(reason) => model.record_event(EventKind::Connection, Tone::Warn, reason),
    }
}
