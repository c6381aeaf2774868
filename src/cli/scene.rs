//! `--scene`: its names, its conditions, and its options for the dashboard.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::run_loop::DashboardOptions;
use crate::service::{Scene, SceneExtras};

/// Parses the name of a scene, and lists all in the long help.
pub(super) fn scene_name_parser() -> impl TypedValueParser<Value = Scene> {
    let scene_names = Scene::ALL.map(|scene| PossibleValue::new(scene.name()).help(scene.description()));
    PossibleValuesParser::new(scene_names).try_map(|word| Scene::from_name(&word).ok_or("there is no such scene"))
}

/// An error message where a scene cannot be shown with the other arguments.
pub(super) fn check_scene_options(scene: Option<Scene>, transactions: u64, read_only: bool) -> Result<(), String> {
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

/// The scene of a demo for which none was named, where its business has room for it.
pub(super) fn scene_or_showcase(scene: Option<Scene>, transactions: u64, read_only: bool) -> Option<Scene> {
    scene.or_else(|| (!read_only && Scene::TRANSACTIONS.contains(&transactions)).then_some(Scene::Showcase))
}

pub(super) fn scene_dashboard_options(props: Option<SceneExtras>) -> DashboardOptions {
    let Some(SceneExtras { scene, mut seed, .. }) = props else { return DashboardOptions::default() };
    let (watches, views) = (std::mem::take(&mut seed.watches), std::mem::take(&mut seed.views));
    DashboardOptions { cues: scene.presenter_cues(), watches, views, demo_seed: seed, ..DashboardOptions::default() }
}
