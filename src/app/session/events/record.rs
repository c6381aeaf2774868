//! Events recorded as the model changes, and their list.

use super::EventKind;
use crate::app::model::{Mode, Model};
use crate::app::pages::Tone;
use crate::domain::Text;
use crate::domain::history::Window;

impl Model {
    pub fn record_event(&mut self, kind: EventKind, tone: Tone, text: String) {
        self.pages.events.record(self.now, kind, tone, text, None);
    }
}

/// Records a change of API key between requests. The key is read for each review, so a change shows here first.
pub(in crate::app) fn record_key_change(model: &mut Model, mark: &Text) {
    // A separate paying key differs from the reading key from the start, which is no change.
    let reads = if model.console.has_separate_keys { Text::default() } else { model.console.key_mark.clone() };
    let before = model.pages.events.last_key_mark.replace(mark.clone()).unwrap_or(reads);
    if !before.is_empty() && before != *mark {
        let message = if model.console.has_separate_keys {
            "the paying API key was changed: requests now use the new key"
        } else {
            "the API key was changed: requests now use the new key, and reads continue with the previous key"
        };
        model.record_event(EventKind::Console, Tone::Warn, message.into());
    }
}

/// Rebuilds the list where it is outdated.
pub(in crate::app) fn rebuild_list(model: &mut Model) {
    if matches!(model.mode, Mode::Browse | Mode::Filter { .. }) {
        model.pages.events.unread = 0;
    }
    let inputs = (model.pages.events.revision, model.pages.events.filter.clone());
    if model.pages.events.listed_inputs.as_ref() != Some(&inputs) {
        let ids = model.pages.events.matching_ids(&inputs.1);
        model.pages.events.listing.apply_window(Window::whole(ids));
        model.pages.events.listed_inputs = Some(inputs);
    }
}
