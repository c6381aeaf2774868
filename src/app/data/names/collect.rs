//! When names are collected.

use crate::app::data::analyses::AnalysisQuery;
use crate::app::model::Model;
use crate::app::msg::Effect;

/// Starts the collection of names if known addresses were collected since.
pub(in crate::app) fn start_due(model: &mut Model) -> Option<Effect> {
    let generation = model.data.analyses.look_alikes.generation();
    let collected = &mut model.data.analyses.names;
    if collected.in_flight || collected.generation == Some(generation) {
        return None;
    }
    (collected.generation, collected.in_flight) = (Some(generation), true);
    let request_id = collected.request_id.advance();
    Some(Effect::RunAnalysis { query: AnalysisQuery::Names(Box::new(model.journal.book.clone())), request_id })
}
