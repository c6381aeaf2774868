//! From one profile to another, without leaving the program.
//!
//! Nothing of a profile is carried over: this console ends as it does when it is left, and another one starts in the same
//! terminal. So it is refused while this one holds what would be lost, or follows what must not be left alone.

use super::model::{Mode, Model};
use super::msg::Effect;
use super::orders;
use super::panes::orders::unresolved;
use crate::domain::Text;

/// Another profile of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbour {
    /// Its name.
    pub name: Text,
    /// Where its service is, and on which network.
    pub place: Text,
}

/// Why another profile cannot be opened now, if so. `mode` is what has the keys.
pub(super) fn refusal(model: &Model, mode: &Mode) -> Option<String> {
    let words = if orders::is_waiting_for_any(model) {
        "a request of this profile is on its way; wait for its answer"
    } else if unresolved(model) > 0 {
        "an order of this profile is unresolved and followed from here; page 4 says what can be done"
    } else if matches!(mode, Mode::Form(_)) || !model.forms.kept.is_empty() {
        "a form holds what was not sent; take it up again, and send it or start it anew"
    } else if model.exports.under_way.is_some() {
        "a file is being written; wait for it, or x stops it"
    } else {
        return None;
    };
    Some(words.to_owned())
}

/// Ends this console, to open another profile.
pub(super) fn open(profile: &Text) -> Vec<Effect> {
    vec![Effect::OpenProfile(profile.clone())]
}
