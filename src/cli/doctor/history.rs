//! The history: how far it was read, and what was seen of how this service lists it.

use std::path::Path;

use super::Finding;
use crate::domain::history::{Progress, Proof, Shown};
use crate::store::Store;

/// Looks at the cache of a service, which may be in use.
pub(super) fn look(folder: &Path) -> Vec<Finding> {
    match Store::peek(folder) {
        Ok(Some((progress, proof))) => told(&progress, proof),
        Ok(None) => vec![Finding::note("history", "nothing was read from this service under this key yet")],
        Err(error) => vec![Finding::note("history", error.to_string())],
    }
}

fn told(progress: &Progress, proof: Proof) -> Vec<Finding> {
    let rows = progress.rows;
    let extent = match (&progress.partial, progress.complete, progress.unreadable) {
        (Some(why), ..) => Finding::note(
            "history",
            format!("{rows} rows, partial: {why}; no balance is derived from it, and no order called not seen"),
        ),
        (None, true, 0) => Finding::good("history", format!("{rows} rows, read to the end of both lists")),
        (None, true, unreadable) => Finding::note("history", format!("{rows} rows, {unreadable} could not be read")),
        (None, false, _) => Finding::note("history", format!("{rows} rows so far; the first read goes on")),
    };
    let about = |words: &str, shown: Shown| match shown {
        Shown::Holds => Finding::good("history", format!("{words}: seen to hold")),
        Shown::NotYet => Finding::note("history", format!("{words}: too little was seen to tell")),
        Shown::Fails => Finding::note("history", format!("{words}: does not hold")),
    };
    vec![
        extent,
        about("pages follow each other without a gap", proof.paging),
        about("txType is honoured", proof.filter),
        about("the newest row comes first", proof.order),
    ]
}
