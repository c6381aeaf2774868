//! The sample business of the demo: an invented history, and live events.
//!
//! Both follow from a seed alone. Every event has its own random numbers, seeded from the seed and the event's number,
//! and depends only on the ledger as earlier events left it: an interrupted history continues where it stopped and
//! comes out the same, byte for byte.

mod amounts;
mod counterparties;
mod customer_names;
mod events;
mod live_activity;
mod past_market;
mod past_orders;
mod sample_business;
mod sample_names;
mod scene;
mod scene_setup;
mod script;
mod timeline;

use serde::{Deserialize, Serialize};

use super::ledger::{Ledger, RequestError, WorkspaceNumber, begin_bulk_insert};
use super::rng::Rng;
use crate::domain::Timestamp;

pub use live_activity::LiveActivity;
pub use scene::Scene;
pub use scene_setup::{SceneExtras, load_scene_extras};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SamplePlan {
    pub seed: u64,
    /// Rows of history; at most [`SamplePlan::MOST`] are created.
    pub transactions: u64,
}

impl SamplePlan {
    /// Default rows of history.
    pub const USUAL: u64 = 400;
    /// The most rows of history.
    pub const MOST: u64 = 5_000_000;
}

/// Progress of the sample business, as the ledger stores it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct SampleMarker {
    #[serde(rename = "tenant")]
    workspace_number: i64,
    seed: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scene: Option<Scene>,
    start: i64,
    transactions: u64,
    next_event: u64,
    /// Number of the next event of the scene's script.
    #[serde(default)]
    next_line: u64,
    done: bool,
}

/// Name of the ledger setting for the marker.
const SAMPLE_SETTING: &str = "sample";

/// Rows per commit.
const ROWS_PER_COMMIT: u64 = 50_000;

/// Creates the sample business with a history ending at `present`, or finishes an interrupted one by its own plan and
/// present. Calls `progress` with the rows so far and in total. Needs the ledger to itself: admit no request before it
/// returns.
pub fn create_sample(
    ledger: &Ledger,
    plan: SamplePlan,
    present: Timestamp,
    progress: &dyn Fn(u64, u64),
) -> Result<WorkspaceNumber, RequestError> {
    create_interruptible_sample(ledger, plan, None, present, &|done, total| {
        progress(done, total);
        true
    })
}

/// The same for a scene. `go_on` gets the rows so far and in total; `false` interrupts, and another start then
/// finishes.
pub fn create_interruptible_sample(
    ledger: &Ledger,
    plan: SamplePlan,
    scene: Option<Scene>,
    present: Timestamp,
    go_on: &dyn Fn(u64, u64) -> bool,
) -> Result<WorkspaceNumber, RequestError> {
    let mut marker = match read_sample_marker(ledger)? {
        Some(marker) => marker,
        None => begin_sample(ledger, plan, scene, present)?,
    };
    let workspace_number = WorkspaceNumber::from_i64(marker.workspace_number);
    if marker.done {
        return Ok(workspace_number);
    }
    let large = marker.transactions > ROWS_PER_COMMIT;
    if large {
        ledger.write(|connection| Ok(begin_bulk_insert(connection)?))?;
    }
    let business = std::sync::Arc::new(sample_business::BusinessState::load(ledger, &marker)?);
    business.scene_profile.apply_failure_policy(ledger);
    while !marker.done {
        let business = business.clone();
        let rows;
        (marker, rows) = ledger.execute_in_workspace(
            workspace_number,
            // The ledger continues from its last row, however old that is.
            Timestamp::from_millis(0),
            super::ledger::IdSource::Seeded(Rng::new(marker.seed, seed_stream::BUSINESS)),
            move |books| events::play_history_batch(books, &business, marker, ROWS_PER_COMMIT),
        )?;
        if !go_on(rows.min(marker.transactions), marker.transactions) && !marker.done {
            return Err(RequestError::BadRequest("the creation of the sample business was interrupted".into()));
        }
    }
    Ok(workspace_number)
}

/// The plan of an interrupted sample business, and its rows so far; `None` if none was begun or all is complete.
pub fn find_unfinished_sample(ledger: &Ledger) -> Result<Option<(SamplePlan, u64)>, RequestError> {
    let Some(marker) = read_sample_marker(ledger)?.filter(|marker| !marker.done) else { return Ok(None) };
    let rows = ledger.workspace(WorkspaceNumber::from_i64(marker.workspace_number))?.transaction_count();
    Ok(Some((SamplePlan { seed: marker.seed, transactions: marker.transactions }, rows)))
}

/// What the sample business of a ledger was made by; `None` if there is none.
pub(super) fn load_sample_plan_and_scene(ledger: &Ledger) -> Result<Option<(SamplePlan, Option<Scene>)>, RequestError> {
    let marker = read_sample_marker(ledger)?;
    Ok(marker.map(|marker| (SamplePlan { seed: marker.seed, transactions: marker.transactions }, marker.scene)))
}

/// Strands of the seed: random numbers for one purpose never depend on another.
mod seed_stream {
    pub(super) const BUSINESS: u64 = 1;
    pub(super) const COUNTERPARTIES: u64 = 2;
    pub(super) const SCENE_SETUP: u64 = 3;
    pub(super) const PAST_ORDERS: u64 = 4;
    pub(super) const HISTORY_EVENTS: u64 = 1 << 40;
    pub(super) const HISTORY_IDS: u64 = 2 << 40;
    pub(super) const LIVE_EVENTS: u64 = 3 << 40;
    pub(super) const LIVE_EVENT_IDS: u64 = 4 << 40;
    pub(super) const LIVE_EVENT_GAPS: u64 = 5 << 40;
}

fn read_sample_marker(ledger: &Ledger) -> Result<Option<SampleMarker>, RequestError> {
    let Some(text) = ledger.load_setting(SAMPLE_SETTING)? else { return Ok(None) };
    serde_json::from_str(&text)
        .map(Some)
        .map_err(|error| RequestError::Internal(format!("the sample's marker: {error}")))
}

fn begin_sample(
    ledger: &Ledger,
    plan: SamplePlan,
    scene: Option<Scene>,
    present: Timestamp,
) -> Result<SampleMarker, RequestError> {
    if !ledger.workspaces()?.is_empty() {
        return Err(RequestError::BadRequest(
            "a sample business needs an empty ledger, and this one has a workspace".into(),
        ));
    }
    let plan = SamplePlan { transactions: plan.transactions.min(SamplePlan::MOST), ..plan };
    sample_business::found_business(ledger, plan, scene, present)
}

#[cfg(test)]
mod tests;
