//! `--scene`: which words there are, what goes together with them, and what a scene asks of the dashboard.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::watch::Duty;
use crate::runtime::perform::Staged;
use crate::service::{Props, Scene};

/// Reads the word of a scene, and lists them all in the long help.
pub(super) fn word() -> impl TypedValueParser<Value = Scene> {
    let words = Scene::ALL.map(|scene| PossibleValue::new(scene.word()).help(scene.sentence()));
    PossibleValuesParser::new(words).try_map(|word| Scene::find(&word).ok_or("there is no such scene"))
}

/// Whether a scene can be set so; else why not.
pub(super) fn check(scene: Option<Scene>, transactions: u64, read_only: bool) -> Result<(), String> {
    let Some(scene) = scene else { return Ok(()) };
    let (word, room) = (scene.word(), Scene::TRANSACTIONS);
    if !room.contains(&transactions) {
        let (fewest, most) = (room.start(), room.end());
        return Err(format!("the scene {word} is set on {fewest} to {most} transactions, not on {transactions}"));
    }
    if scene.needs_journal() && read_only {
        return Err(format!("the scene {word} begins with something that the console did; leave out --read-only"));
    }
    Ok(())
}

/// What a scene asks of the dashboard.
pub(super) fn duty(props: Option<Props>) -> Duty {
    let Some(Props { scene, known, sent, .. }) = props else { return Duty::default() };
    Duty { cues: scene.cues(), staged: Staged { known, sent }, ..Duty::default() }
}
