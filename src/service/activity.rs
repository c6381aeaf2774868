//! What happens in the workspace of the demo: an invented business with a past, and its lively present.
//!
//! Both come from a seed alone. Every event throws its own dice, made from the seed and the event's number, and looks
//! at nothing but the books as earlier events left them: so a past whose making was cut off is continued where it
//! stopped, and comes out the same, byte for byte.

mod amounts;
mod counterparties;
mod customer_names;
mod events;
mod founding;
mod live_activity;
mod sample_names;
mod scene;
mod scene_setup;
mod script;
mod timeline;

use serde::{Deserialize, Serialize};

use super::ledger::{Ledger, RequestError, Tenant, begin_bulk};
use super::rng::Rng;
use crate::domain::Timestamp;

pub use live_activity::LiveActivity;
pub use scene::Scene;
pub use scene_setup::{SceneSetup, scene_setup};

/// What business to invent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SamplePlan {
    /// From where everything is drawn.
    pub seed: u64,
    /// Rows of history; at most [`SamplePlan::MOST`] are made.
    pub transactions: u64,
}

impl SamplePlan {
    /// Rows of history where nothing else was asked for.
    pub const USUAL: u64 = 400;
    /// The most rows of history.
    pub const MOST: u64 = 5_000_000;
}

/// How far the making of a sample business has come, as the ledger keeps it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Marker {
    tenant: i64,
    seed: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scene: Option<Scene>,
    start: i64,
    transactions: u64,
    next_event: u64,
    done: bool,
}

/// The name under which the ledger keeps the marker.
const FACT: &str = "sample";

/// Rows that one commit makes.
const BATCH: u64 = 50_000;

/// Makes the sample business with its history ending at `present`, or finishes one whose making was cut off (by that
/// one's own plan and present). Tells `progress` how many rows of how many there are. Must be alone with the ledger:
/// let no request in before it returns.
pub fn make(
    ledger: &Ledger,
    plan: SamplePlan,
    present: Timestamp,
    progress: &dyn Fn(u64, u64),
) -> Result<Tenant, RequestError> {
    make_while(ledger, plan, None, present, &|done, total| {
        progress(done, total);
        true
    })
}

/// The same for a scene, as long as `go_on` says so: it is told how many rows of how many there are, and its no cuts the making
/// off, which another start then finishes.
pub fn make_while(
    ledger: &Ledger,
    plan: SamplePlan,
    scene: Option<Scene>,
    present: Timestamp,
    go_on: &dyn Fn(u64, u64) -> bool,
) -> Result<Tenant, RequestError> {
    let mut marker = match read_marker(ledger)? {
        Some(marker) => marker,
        None => begin(ledger, plan, scene, present)?,
    };
    let tenant = Tenant::of_number(marker.tenant);
    if marker.done {
        return Ok(tenant);
    }
    let large = marker.transactions > BATCH;
    if large {
        ledger.write(|connection| Ok(begin_bulk(connection)?))?;
    }
    let cast = std::sync::Arc::new(founding::BusinessState::load(ledger, &marker)?);
    cast.scene_profile.set(ledger);
    while !marker.done {
        let cast = cast.clone();
        let rows;
        (marker, rows) = ledger.execute_in_workspace(
            tenant,
            // The books carry on from their last row, however long ago that was.
            Timestamp::from_millis(0),
            super::ledger::IdSource::Seeded(Rng::new(marker.seed, strand::BUSINESS)),
            move |books| events::play_past(books, &cast, marker, BATCH),
        )?;
        if !go_on(rows.min(marker.transactions), marker.transactions) && !marker.done {
            return Err(RequestError::BadRequest("the creation of the sample business was interrupted".into()));
        }
    }
    Ok(tenant)
}

/// The plan of a sample business whose making was cut off, and how many rows it has; `None` where none was begun or
/// all is done.
pub fn unfinished(ledger: &Ledger) -> Result<Option<(SamplePlan, u64)>, RequestError> {
    let Some(marker) = read_marker(ledger)?.filter(|marker| !marker.done) else { return Ok(None) };
    let rows = ledger.workspace(Tenant::of_number(marker.tenant))?.transactions();
    Ok(Some((SamplePlan { seed: marker.seed, transactions: marker.transactions }, rows)))
}

/// Strands of the seed: what is drawn for one purpose never depends on another.
mod strand {
    pub(super) const BUSINESS: u64 = 1;
    pub(super) const STRANGERS: u64 = 2;
    pub(super) const PROPS: u64 = 3;
    pub(super) const PAST: u64 = 1 << 40;
    pub(super) const PAST_IDS: u64 = 2 << 40;
    pub(super) const LIVELY: u64 = 3 << 40;
    pub(super) const LIVELY_IDS: u64 = 4 << 40;
    pub(super) const LIVELY_GAPS: u64 = 5 << 40;
}

fn read_marker(ledger: &Ledger) -> Result<Option<Marker>, RequestError> {
    let Some(text) = ledger.fact(FACT)? else { return Ok(None) };
    serde_json::from_str(&text)
        .map(Some)
        .map_err(|error| RequestError::Internal(format!("the sample's marker: {error}")))
}

fn begin(ledger: &Ledger, plan: SamplePlan, scene: Option<Scene>, present: Timestamp) -> Result<Marker, RequestError> {
    if !ledger.workspaces()?.is_empty() {
        return Err(RequestError::BadRequest(
            "a sample business needs an empty ledger, and this one has a workspace".into(),
        ));
    }
    let plan = SamplePlan { transactions: plan.transactions.min(SamplePlan::MOST), ..plan };
    founding::found_business(ledger, plan, scene, present)
}

#[cfg(test)]
mod tests;
