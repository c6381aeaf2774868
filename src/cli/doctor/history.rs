//! The history: how far it was read, and what was seen of how this service lists it.

use std::path::Path;

use super::CheckResult;
use crate::domain::history::{Evidence, ListingEvidence, Progress};
use crate::store::Store;

/// Looks at the cache of a service, which may be in use.
pub(super) fn check_history(folder: &Path) -> Vec<CheckResult> {
    match Store::read_progress(folder) {
        Ok(Some((progress, proof))) => history_results(&progress, proof),
        Ok(None) => vec![CheckResult::note("history", "nothing was read from this service under this key yet")],
        Err(error) => vec![CheckResult::note("history", error.to_string())],
    }
}

fn history_results(progress: &Progress, proof: ListingEvidence) -> Vec<CheckResult> {
    let rows = progress.rows;
    let extent = match (&progress.partial, progress.complete, progress.unreadable) {
        (Some(why), ..) => CheckResult::note(
            "history",
            format!("{rows} rows, partial: {why}; no balance is derived from it, and no order called not seen"),
        ),
        (None, true, 0) => CheckResult::good("history", format!("{rows} rows, read to the end of both lists")),
        (None, true, unreadable) => {
            CheckResult::note("history", format!("{rows} rows, {unreadable} could not be read"))
        }
        (None, false, _) => CheckResult::note("history", format!("{rows} rows so far; the first read goes on")),
    };
    let about = |words: &str, shown: Evidence| match shown {
        Evidence::Confirmed => CheckResult::good("history", format!("{words}: seen to hold")),
        Evidence::Unknown => CheckResult::note("history", format!("{words}: too little was seen to tell")),
        Evidence::Refuted => CheckResult::note("history", format!("{words}: does not hold")),
    };
    vec![
        extent,
        about("pages follow each other without a gap", proof.paging),
        about("txType is honoured", proof.filter),
        about("the newest row comes first", proof.order),
    ]
}
