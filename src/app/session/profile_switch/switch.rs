//! When another profile may be opened.

use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::orders;
use crate::app::orders::unresolved_count;
use crate::app::session::lock;
use crate::domain::order::OrderState;
use crate::domain::{Order, Text};

/// Why another profile cannot be opened now. `mode` has the keys.
pub(in crate::app) fn refusal(model: &Model, mode: &Mode) -> Option<String> {
    // An answer that could not be recorded yet is recorded later by this console alone.
    let is_under_way = |order: &Order| order.state(model.now) == OrderState::Sending;
    let reason = if model.session.lock.locked_since().is_some() {
        lock::LOCKED_MESSAGE
    } else if orders::is_awaiting_any_answer(model) || model.journal.orders.iter().any(is_under_way) {
        "a request of this profile is on its way; wait for its answer"
    } else if unresolved_count(model) > 0 {
        "an order of this profile is unresolved and tracked by this console; page 4 shows what can be done"
    } else if matches!(mode, Mode::Form(_)) || !model.forms.drafts.is_empty() {
        "a form holds an unsent draft; reopen the form, then send or clear the draft"
    } else if model.overlays.exports.progress.is_some() || model.overlays.exports.retry_form.is_some() {
        "a file is being written; wait for it, or x stops it"
    } else {
        return None;
    };
    Some(reason.to_owned())
}

pub(in crate::app) fn open_profile(profile: &Text) -> Vec<Effect> {
    vec![Effect::OpenProfile(profile.clone())]
}
