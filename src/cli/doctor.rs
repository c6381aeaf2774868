//! `bursar doctor`: everything that a support person would ask about.
//!
//! Each file of `doctor/` checks one subject and returns its findings; nothing here changes anything, except the
//! keyring's canary entry, which is removed again. No secret is shown, nor anything from which one could be derived.

mod approvals;
mod check_result;
mod files;
mod history;
mod keys;
mod listener;
mod service;
mod terminal;
mod tokens;
mod watches;

use std::path::Path;

use serde_json::json;

use super::journal::JOURNAL_FOLDER_NAME;
use super::payment_context::profile_destination;
use super::{CommandContext, Exit, output, passphrase};
use crate::config::{Config, ConfigError, Profile};
use crate::domain::Text;
use crate::journal::{JournalSnapshot, RecordedBookChanges};
use crate::secrets::{core_dumps_are_off, disable_core_dumps};
use check_result::{CheckResult, CheckStatus, error_with_causes};

/// What `bursar doctor` may be told.
#[derive(Debug, clap::Args)]
pub(super) struct DoctorArguments {
    /// Write the findings as JSON
    #[arg(long)]
    json: bool,
    /// Do not contact the service
    #[arg(long)]
    offline: bool,
}

/// Columns of a message beside its heading, on a terminal of 80.
const MESSAGE_COLUMNS: usize = 80 - 25;

pub(super) fn run(context: &CommandContext, arguments: &DoctorArguments) -> anyhow::Result<Exit> {
    disable_core_dumps();
    let mut findings = vec![check_program(), check_core_dumps()];
    findings.extend(terminal::check_terminal(&context.environment));
    match context.config() {
        Ok(config) => check_configured_parts(context, arguments, &config, &mut findings)?,
        Err(error) => findings.push(CheckResult::wrong("configuration", error_with_causes(&error))),
    }
    // A finding of two checks is reported once.
    let mut unique_findings: Vec<CheckResult> = Vec::with_capacity(findings.len());
    for finding in findings {
        if !unique_findings.contains(&finding) {
            unique_findings.push(finding);
        }
    }
    let findings = unique_findings;
    if arguments.json {
        let finding_json = |finding: &CheckResult| json!({ "about": finding.subject, "verdict": finding.verdict.label(), "words": finding.message });
        let all: Vec<_> = findings.iter().map(finding_json).collect();
        let needs_person = findings.iter().any(|finding| finding.verdict == CheckStatus::Wrong);
        let whole = serde_json::to_string_pretty(&json!({ "needsPerson": needs_person, "findings": all }))?;
        whole.lines().for_each(output::print_line);
    } else {
        for CheckResult { subject: about, verdict, message } in &findings {
            let mut head = format!("{:<5}  {about:<16}  ", verdict.label());
            for line in output::wrap_words(message, MESSAGE_COLUMNS) {
                output::print_line(&format!("{head}{line}"));
                head = " ".repeat(head.chars().count());
            }
        }
    }
    let wrong = findings.iter().filter(|finding| finding.verdict == CheckStatus::Wrong).count();
    if wrong == 0 {
        return Ok(Exit::Normally);
    }
    if !arguments.json {
        output::print_line("");
        output::print_line(&format!("{wrong} of these {} a person", if wrong == 1 { "needs" } else { "need" }));
    }
    Ok(Exit::WithTrouble)
}

fn check_configured_parts(
    context: &CommandContext,
    arguments: &DoctorArguments,
    config: &Config,
    findings: &mut Vec<CheckResult>,
) -> anyhow::Result<()> {
    findings.extend(files::check_files(config));
    for (name, fault) in &config.invalid_profiles {
        findings.push(CheckResult::wrong("configuration", format!("profile {name} cannot be used: {fault}")));
    }
    let profile = match config.profile() {
        Ok(profile) => profile,
        Err(error @ ConfigError::NoService { .. }) => {
            findings.push(CheckResult::note("profile", error_with_causes(&error)));
            findings.extend(keys::check_keyring(None));
            return Ok(());
        }
        // Reported above.
        Err(ConfigError::FaultyProfile { .. }) => return Ok(()),
        Err(error) => {
            findings.push(CheckResult::wrong("profile", error_with_causes(&error)));
            return Ok(());
        }
    };
    findings.push(check_profile(config, profile));
    let vault = passphrase::prompt_passphrase_if_needed(config.vault(profile, &context.environment)?)?;
    let (key_findings, keys) = keys::check_keys(context, config, profile, &vault)?;
    findings.extend(key_findings);
    let journal = config.folders.data_folder().map(|data| data.join(JOURNAL_FOLDER_NAME));
    findings.extend(approvals::check_approvals(config, profile, journal.as_deref()));
    if let Some(listener) = &profile.listener {
        findings.extend(listener::check_listener(listener, &vault));
    }
    if let (Some(keys), Some(data)) = (&keys, config.folders.data_folder()) {
        let folder = data.join(profile.cache_folder(&keys.api_key));
        findings.extend(history::check_history(&folder));
        findings.extend(tokens::check_tokens(profile, folder.clone()));
        let destination = profile_destination(profile, Text::default());
        let book = JournalSnapshot::open(&data.join(JOURNAL_FOLDER_NAME))
            .and_then(|journal| Ok(RecordedBookChanges::replay_book(&journal.book_changes(&destination)?)));
        findings.extend(watches::check_watches(&profile.watches, folder, &book.unwrap_or_default()));
    }
    match keys {
        _ if arguments.offline => findings.push(CheckResult::note("service", "not contacted because of --offline")),
        Some(keys) => findings.extend(service::check_service(profile, keys.api_key, vault.redaction())?),
        None => findings.push(CheckResult::note("service", "not contacted: there is no API key")),
    }
    Ok(())
}

fn check_program() -> CheckResult {
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    CheckResult::ok("program", format!("bursar {} on {os} {arch}", env!("CARGO_PKG_VERSION")))
}

fn check_core_dumps() -> CheckResult {
    match core_dumps_are_off() {
        Some(true) => CheckResult::ok("memory", "core dumps are switched off while keys are held"),
        Some(false) => CheckResult::wrong(
            "memory",
            "the system refuses to switch core dumps off; a crash may write keys to a file",
        ),
        None => CheckResult::note("memory", "this system does not report whether core dumps are off"),
    }
}

fn check_profile(config: &Config, profile: &Profile) -> CheckResult {
    let read_only = if config.is_read_only(profile) { ", read-only" } else { "" };
    let description = format!("{} at {}", profile.display_name(), profile.base_url);
    match profile.network {
        Some(network) => CheckResult::ok("profile", format!("{description}, {}{read_only}", network.name())),
        None => CheckResult::note(
            "profile",
            format!(
                "{description}{read_only}; the profile does not set mainnet or testnet, so a mix-up cannot be detected (environment = …)"
            ),
        ),
    }
}

fn display_path(path: &Path) -> String {
    path.display().to_string()
}
