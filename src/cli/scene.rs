//! `--scene`: which words there are, what goes together with them, and what a scene asks of the dashboard.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::run_loop::DashboardOptions;
use crate::runtime::effect_runner::DemoSeed;
use crate::service::{Scene, SceneSetup};

/// Reads the word of a scene, and lists them all in the long help.
pub(super) fn word() -> impl TypedValueParser<Value = Scene> {
    let words = Scene::ALL.map(|scene| PossibleValue::new(scene.name()).help(scene.description()));
    PossibleValuesParser::new(words).try_map(|word| Scene::from_name(&word).ok_or("there is no such scene"))
}

/// Whether a scene can be set so; else why not.
pub(super) fn check(scene: Option<Scene>, transactions: u64, read_only: bool) -> Result<(), String> {
    let Some(scene) = scene else { return Ok(()) };
    let (word, room) = (scene.name(), Scene::TRANSACTIONS);
    if !room.contains(&transactions) {
        let (fewest, most) = (room.start(), room.end());
        return Err(format!("the scene {word} needs {fewest} to {most} transactions, not {transactions}"));
    }
    if scene.needs_journal() && read_only {
        return Err(format!("the scene {word} begins with an order of the console; leave out --read-only"));
    }
    Ok(())
}

/// What a scene asks of the dashboard.
pub(super) fn dashboard_options(props: Option<SceneSetup>) -> DashboardOptions {
    let Some(SceneSetup { scene, contacts: known, unanswered_payment: sent, .. }) = props else {
        return DashboardOptions::default();
    };
    DashboardOptions {
        cues: scene.cues(),
        demo_seed: DemoSeed { contacts: known, unresolved_payment: sent },
        ..DashboardOptions::default()
    }
}
