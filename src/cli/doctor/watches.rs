//! Checks whether the figures of watches are available.

use std::path::PathBuf;

use super::CheckResult;
use crate::domain::AddressBook;
use crate::domain::watch::{ScopedReading, Watch, WatchReading};
use crate::runtime::watch_readings;
use crate::store::{CacheLocation, Store, StoreError};

const SUBJECT: &str = "watches";

/// Evaluates the watches of a profile in the cache in a folder.
pub(super) fn check_watches(watches: &[Watch], folder: PathBuf, book: &AddressBook) -> Vec<CheckResult> {
    if watches.is_empty() {
        return Vec::new();
    }
    if !matches!(Store::read_progress_in_folder(&folder), Ok(Some(_))) {
        let message = format!(
            "{}; whether the names in them are known can be checked once the service has been read",
            watches.len()
        );
        return vec![CheckResult::note(SUBJECT, message)];
    }
    let opened = match Store::open(&CacheLocation::Folder(folder.clone())) {
        // A console has it open: a copy has the same data.
        Err(StoreError::Locked { .. }) => Store::open(&CacheLocation::Copy(folder)),
        opened => opened,
    };
    let readings = opened.and_then(|opened| {
        let readings = watch_readings::read_watches(&opened.store, watches, book);
        opened.store.remove_if_temporary();
        readings
    });
    match readings {
        Ok(readings) => watch_check_results(watches, &readings),
        Err(error) => vec![CheckResult::note(SUBJECT, error.to_string())],
    }
}

fn watch_check_results(watches: &[Watch], readings: &[ScopedReading]) -> Vec<CheckResult> {
    let blind = |(watch, scoped): (&Watch, &ScopedReading)| match &scoped.reading {
        // A wrong name needs a correction; data that was not read yet may still come.
        WatchReading::NotFound(reason) => Some(CheckResult::wrong(SUBJECT, format!("{}: {reason}", watch.title()))),
        WatchReading::Unknown(reason) => Some(CheckResult::note(SUBJECT, format!("{}: {reason}", watch.title()))),
        _ => None,
    };
    let mut findings: Vec<CheckResult> = watches.iter().zip(readings).filter_map(blind).collect();
    let seeing = watches.len() - findings.len();
    findings.insert(0, CheckResult::ok(SUBJECT, format!("{seeing} of {} refer to something known", watches.len())));
    findings
}
