//! One order with everything that is known of it.

use super::{find, state};
use crate::app::Model;
use crate::app::panes::Tone;
use crate::app::panes::detail::{Fact, NAMES};
use crate::domain::text::wrap;
use crate::domain::{Intent, IntentId};

/// Everything that is known of an order, in lines of so many columns.
pub fn lines(model: &Model, id: IntentId, columns: u16) -> Vec<Fact> {
    let Some(intent) = find(model, id) else {
        let value = "this order is not among those that were read; it stands in the journal".into();
        return vec![Fact { name: "", value, tone: Tone::Warn }];
    };
    let room = columns.saturating_sub(NAMES + 3).max(8);
    let mut lines = Vec::new();
    for Fact { mut name, value, tone } in facts(model, intent) {
        for value in wrap(&value, room) {
            lines.push(Fact { name: std::mem::take(&mut name), value, tone });
        }
    }
    lines
}

fn facts(model: &Model, intent: &Intent) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut line = |name, value: String, tone| facts.push(Fact { name, value, tone });
    let (word, tone) = state(intent, model.now);
    line("State", word, tone);
    line("Operation", intent.drafted.draft.operation().title().to_owned(), Tone::Text);
    facts
}
