//! Checks how far the history was read, and how this service lists it.

use std::path::Path;

use super::CheckResult;
use crate::domain::history::{ListingProperties, PropertyEvidence, SyncProgress};
use crate::store::Store;

/// Checks the cache of a service, which may be in use.
pub(super) fn check_history(folder: &Path) -> Vec<CheckResult> {
    match Store::read_progress_in_folder(folder) {
        Ok(Some((progress, proof))) => history_check_results(&progress, proof),
        Ok(None) => vec![CheckResult::note("history", "nothing has been read from this service with this API key yet")],
        Err(error) => vec![CheckResult::note("history", error.to_string())],
    }
}

fn history_check_results(progress: &SyncProgress, proof: ListingProperties) -> Vec<CheckResult> {
    let rows = progress.rows;
    let extent = match (&progress.partial, progress.complete, progress.unreadable) {
        (Some(reason), ..) => CheckResult::note(
            "history",
            format!(
                "{rows} rows, partial: {reason}; no balance is calculated from a partial history, and no order is reported as not seen"
            ),
        ),
        (None, true, 0) => CheckResult::ok("history", format!("{rows} rows, read to the end of both lists")),
        (None, true, unreadable) => {
            CheckResult::note("history", format!("{rows} rows, {unreadable} could not be read"))
        }
        (None, false, _) => {
            CheckResult::note("history", format!("{rows} rows so far; the initial sync is not complete"))
        }
    };
    let about = |text: &str, evidence: PropertyEvidence| match evidence {
        PropertyEvidence::Confirmed => CheckResult::ok("history", format!("{text}: confirmed")),
        PropertyEvidence::Unknown => CheckResult::note("history", format!("{text}: not enough data to confirm")),
        PropertyEvidence::Refuted => CheckResult::note("history", format!("{text}: does not hold")),
    };
    vec![
        extent,
        about("pages follow each other without a gap", proof.paging),
        about("txType is honoured", proof.filter),
        about("the newest row comes first", proof.order),
    ]
}
