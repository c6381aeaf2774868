//! Watches: whether what they look at is known here.

use std::path::PathBuf;

use super::Finding;
use crate::domain::watch::{Looked, Reading, Watch};
use crate::runtime::watching;
use crate::store::{Place, Store, StoreError};

const ABOUT: &str = "watches";

/// Looks at the watches of a profile, in what was read of its service into a folder.
pub(super) fn look(watches: &[Watch], folder: PathBuf) -> Vec<Finding> {
    if watches.is_empty() {
        return Vec::new();
    }
    if !matches!(Store::peek(&folder), Ok(Some(_))) {
        let words = format!("{}; whether what they name is known is told when the service was read", watches.len());
        return vec![Finding::note(ABOUT, words)];
    }
    let opened = match Store::open(&Place::Folder(folder.clone())) {
        // A console has it open: a copy tells the same.
        Err(StoreError::Locked { .. }) => Store::open(&Place::Copy(folder)),
        opened => opened,
    };
    let looked = opened.and_then(|opened| {
        let looked = watching::look(&opened.store, watches);
        opened.store.discard();
        looked
    });
    match looked {
        Ok(looked) => told(watches, &looked),
        Err(error) => vec![Finding::note(ABOUT, error.to_string())],
    }
}

fn told(watches: &[Watch], looked: &[Looked]) -> Vec<Finding> {
    let blind = |(watch, looked): (&Watch, &Looked)| match &looked.reading {
        // A name that leads nowhere will not mend itself; what was not read yet may.
        Reading::Nowhere(why) => Some(Finding::wrong(ABOUT, format!("{}: {why}", watch.title()))),
        Reading::Unknown(why) => Some(Finding::note(ABOUT, format!("{}: {why}", watch.title()))),
        _ => None,
    };
    let mut findings: Vec<Finding> = watches.iter().zip(looked).filter_map(blind).collect();
    let seeing = watches.len() - findings.len();
    findings.insert(0, Finding::good(ABOUT, format!("{seeing} of {} look at something that is known", watches.len())));
    findings
}
