//! Checks folders and files, and other users' access to them.

use std::path::Path;

use super::{CheckResult, display_path};
use crate::cli::journal::verification_summary;
use crate::config::Config;
use crate::journal::{self, JournalError};
use crate::secrets::private_file::access_by_others;

pub(super) fn check_files(config: &Config) -> Vec<CheckResult> {
    let mut findings = Vec::new();
    match config.folders.config_file() {
        None => findings.push(CheckResult::note("configuration", "no folder is known; set HOME or --config-dir")),
        Some(file) if !file.exists() => {
            findings.push(CheckResult::note("configuration", format!("{} does not exist yet", display_path(&file))));
        }
        Some(file) => {
            // The file has no secret, but it decides where the keys are sent.
            let folder = file.parent().unwrap_or(Path::new("."));
            findings.push(check_access("configuration", &file, "chmod 600", false));
            findings.extend(
                Some(check_access("configuration", folder, "chmod 700", false)).filter(|result| !is_check_ok(result)),
            );
        }
    }
    let Some(data) = config.folders.data_folder() else {
        findings.push(CheckResult::wrong("data", "no folder is known; set HOME or --data-dir"));
        return findings;
    };
    if !data.exists() {
        findings.push(CheckResult::note(
            "data",
            format!("{} does not exist yet; bursar creates it when needed", display_path(data)),
        ));
        return findings;
    }
    findings.push(check_access("data", data, "chmod 700", true));
    let mut below: Vec<_> = ["keys", "journal", "cache"].map(|name| data.join(name)).into();
    below.extend(folder_entries(&data.join("keys")));
    below.push(data.join("bursar.log"));
    for path in below.iter().filter(|path| path.exists()) {
        let command = if path.is_dir() { "chmod 700" } else { "chmod 600" };
        findings.extend(Some(check_access("data", path, command, true)).filter(|result| !is_check_ok(result)));
    }
    findings.push(check_cache_size(&data.join("cache")));
    findings.push(check_journal(&data.join("journal")));
    findings
}

/// Checks other users' access to a file or folder. `secret` makes read access a fault, too.
fn check_access(about: &'static str, path: &Path, command: &str, secret: bool) -> CheckResult {
    let name = display_path(path);
    match access_by_others(path) {
        None => CheckResult::ok(about, format!("{name}, accessible only to you")),
        Some(access) if secret || access.contains("write") => {
            CheckResult::wrong(about, format!("{name}: {access}; run `{command} {name}`"))
        }
        Some(access) => CheckResult::note(about, format!("{name}: {access}, which is harmless")),
    }
}

fn is_check_ok(finding: &CheckResult) -> bool {
    finding.verdict == super::CheckStatus::Good
}

fn check_cache_size(folder: &Path) -> CheckResult {
    let (caches, bytes) = folder_size(folder);
    let message = match caches {
        0 => "nothing is cached yet".to_owned(),
        1 => format!("1 service, {}; safe to delete", format_bytes(bytes)),
        _ => format!("{caches} services, {}; safe to delete", format_bytes(bytes)),
    };
    CheckResult::ok("cache", message)
}

/// The state of the journal: every record is verified.
fn check_journal(folder: &Path) -> CheckResult {
    let verified = match journal::verify(folder) {
        Ok(verified) => verified,
        Err(JournalError::Missing { .. }) => return CheckResult::ok("journal", "no order has been recorded yet"),
        Err(error) => return CheckResult::wrong("journal", error.to_string()),
    };
    let summary =
        format!("{}, {}; do not delete it", verification_summary(&verified), format_bytes(folder_size(folder).1));
    match verified.faults.first() {
        None => CheckResult::ok("journal", summary),
        Some(fault) => {
            let place = fault.record.map_or_else(String::new, |record| format!("record {record}: "));
            let remedy = "`bursar journal verify` gives details, `bursar journal restore` restores a backup";
            CheckResult::wrong(
                "journal",
                format!("{summary}; {place}{}; no payment is possible with this journal; {remedy}", fault.message),
            )
        }
    }
}

fn folder_entries(folder: &Path) -> Vec<std::path::PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// The number of entries of a folder, and the bytes of all files below it.
fn folder_size(folder: &Path) -> (usize, u64) {
    let entries = folder_entries(folder);
    let bytes = entries.iter().map(|path| bytes_below(path)).fold(0, u64::saturating_add);
    (entries.len(), bytes)
}

fn bytes_below(path: &Path) -> u64 {
    match path.symlink_metadata() {
        Ok(about) if about.is_dir() => {
            folder_entries(path).iter().map(|path| bytes_below(path)).fold(0, u64::saturating_add)
        }
        Ok(about) => about.len(),
        Err(_) => 0,
    }
}

fn format_bytes(bytes: u64) -> String {
    match bytes {
        0..10_240 => format!("{bytes} bytes"),
        10_240..10_485_760 => format!("{} KiB", bytes / 1024),
        _ => format!("{} MiB", bytes / (1024 * 1024)),
    }
}
