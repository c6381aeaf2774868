//! Watches of the profile: what is asked for them, how they stand, and whom they call.

use super::events::Kind;
use super::model::Model;
use super::msg::{Dataset, Effect, Question, Turn};
use super::panes::Tone;
use crate::domain::history::Scope;
use crate::domain::watch::{Crossing, Gauge, Looked, Watch};

/// The watches, and how each stands.
#[derive(Debug, Clone, Default)]
pub struct Watching {
    watches: Vec<Watch>,
    gauges: Vec<Gauge>,
    /// What was read for each, as far as anything was.
    looked: Vec<Looked>,
    turn: Turn,
}

impl Watching {
    /// These watches, none of them raised.
    pub fn new(watches: Vec<Watch>) -> Self {
        let gauges = watches.iter().map(|_| Gauge::default()).collect();
        Self { watches, gauges, looked: Vec::new(), turn: Turn::default() }
    }

    /// How many are raised.
    pub fn raised(&self) -> usize {
        self.gauges.iter().filter(|gauge| gauge.raised().is_some()).count()
    }

    /// How many cannot tell.
    pub fn blind(&self) -> usize {
        self.gauges.iter().filter(|gauge| gauge.blind().is_some()).count()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.watches.len()
    }

    /// Whose balances are read for them, besides everybody's.
    pub(super) fn scopes(&self) -> Vec<Scope> {
        let mut scopes: Vec<Scope> = Vec::new();
        for scope in self.looked.iter().filter_map(|looked| looked.scope.clone()) {
            if scope != Scope::All && !scopes.contains(&scope) {
                scopes.push(scope);
            }
        }
        scopes
    }
}

/// A data set was read: whether a watch looks at it, and so is to be looked after.
pub(super) fn look(model: &mut Model, what: &Dataset) -> Vec<Effect> {
    let told = matches!(
        what,
        Dataset::Head | Dataset::Back | Dataset::Lists { .. } | Dataset::Balances(_) | Dataset::Watched(_)
    );
    if !told || model.watching.watches.is_empty() {
        return Vec::new();
    }
    let question = Question::Watched(model.watching.watches.clone());
    vec![Effect::Ask { question, turn: model.watching.turn.advance() }]
}

/// The store told what the watches look at.
pub(super) fn looked(model: &mut Model, turn: Turn, looked: Vec<Looked>) {
    if turn == model.watching.turn && looked.len() == model.watching.watches.len() {
        model.watching.looked = looked;
    }
}

/// Judges every watch. To be called after every message: figures age with the time alone.
pub(super) fn judge(model: &mut Model) -> Vec<Effect> {
    let (now, period) = (model.now, model.period);
    let Watching { watches, gauges, looked, .. } = &mut model.watching;
    let mut told = Vec::new();
    for ((watch, gauge), looked) in watches.iter().zip(gauges).zip(looked.iter()) {
        if let Some(crossing) = gauge.take(watch, &looked.reading, now, period) {
            let figure = gauge.figure().unwrap_or("—");
            let title = watch.title();
            let (words, tone) = match crossing {
                Crossing::Raised => (format!("⚑ {title}: {figure}"), Tone::Bad),
                Crossing::Cleared => (format!("clear again: {title}: {figure}"), Tone::Good),
                Crossing::Blind => (format!("cannot tell: {title}: {}", gauge.blind().unwrap_or("—")), Tone::Warn),
                Crossing::Sees => (format!("can tell again: {title}: {figure}"), Tone::Text),
            };
            told.push((words, tone, (crossing == Crossing::Raised).then_some(watch.alert)));
        }
    }
    let mut effects = Vec::new();
    for (words, tone, alert) in told {
        if let Some(alert) = alert.filter(|alert| alert.bell || alert.notification) {
            effects.push(Effect::Alert { alert, words: words.clone() });
        }
        model.note(Kind::Watch, tone, words);
    }
    effects
}
