//! `bursar doctor`: everything that somebody would ask who is to help.
//!
//! Each room of `doctor/` looks at one thing and returns what it found; nothing here changes anything, the canary of
//! the keyring aside, which is removed again. No secret is shown, nor anything from which one could be told.

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

use super::{Context, Ended, output, unlock};
use crate::config::{Config, ConfigError, Profile};
use crate::domain::text::wrap;
use crate::secrets::{core_dumps_are_off, forgo_core_dumps};

/// What `bursar doctor` may be told.
#[derive(Debug, clap::Args)]
pub(super) struct DoctorArguments {
    /// Write what was found as JSON
    #[arg(long)]
    json: bool,
    /// Ask nothing of the service
    #[arg(long)]
    offline: bool,
}

/// How something that was found is to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// It is as it should be.
    Good,
    /// Worth knowing.
    Note,
    /// A person has to do something.
    Wrong,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Good => "ok",
            Self::Note => "note",
            Self::Wrong => "wrong",
        }
    }
}

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Finding {
    about: &'static str,
    verdict: Verdict,
    words: String,
}

impl Finding {
    fn good(about: &'static str, words: impl Into<String>) -> Self {
        Self { about, verdict: Verdict::Good, words: words.into() }
    }

    fn note(about: &'static str, words: impl Into<String>) -> Self {
        Self { about, verdict: Verdict::Note, words: words.into() }
    }

    fn wrong(about: &'static str, words: impl Into<String>) -> Self {
        Self { about, verdict: Verdict::Wrong, words: words.into() }
    }
}

/// Columns for what is said behind its head, on a terminal of 80.
const ROOM: u16 = 80 - 25;

pub(super) fn run(context: &Context, arguments: &DoctorArguments) -> anyhow::Result<Ended> {
    forgo_core_dumps();
    let mut findings = vec![program(), memory()];
    findings.extend(terminal::look(&context.environment));
    match context.config() {
        Ok(config) => examine(context, arguments, &config, &mut findings)?,
        Err(error) => findings.push(Finding::wrong("configuration", whole(&error))),
    }
    // What two rooms found is said once.
    let mut said: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings {
        if !said.contains(&finding) {
            said.push(finding);
        }
    }
    let findings = said;
    if arguments.json {
        let found = |finding: &Finding| json!({ "about": finding.about, "verdict": finding.verdict.word(), "words": finding.words });
        let all: Vec<_> = findings.iter().map(found).collect();
        let needs_person = findings.iter().any(|finding| finding.verdict == Verdict::Wrong);
        let whole = serde_json::to_string_pretty(&json!({ "needsPerson": needs_person, "findings": all }))?;
        whole.lines().for_each(output::line);
    } else {
        for Finding { about, verdict, words } in &findings {
            let mut head = format!("{:<5}  {about:<16}  ", verdict.word());
            for line in wrap(words, ROOM) {
                output::line(&format!("{head}{line}"));
                head = " ".repeat(head.chars().count());
            }
        }
    }
    let wrong = findings.iter().filter(|finding| finding.verdict == Verdict::Wrong).count();
    if wrong == 0 {
        return Ok(Ended::Normally);
    }
    if !arguments.json {
        output::line("");
        output::line(&format!("{wrong} of these {} a person", if wrong == 1 { "needs" } else { "need" }));
    }
    Ok(Ended::NeedsPerson)
}

fn examine(
    context: &Context,
    arguments: &DoctorArguments,
    config: &Config,
    findings: &mut Vec<Finding>,
) -> anyhow::Result<()> {
    findings.extend(files::look(config));
    for (name, words) in &config.faulty {
        findings.push(Finding::wrong("configuration", format!("profile {name} cannot be used: {words}")));
    }
    let profile = match config.profile() {
        Ok(profile) => profile,
        Err(error @ ConfigError::NoService { .. }) => {
            findings.push(Finding::note("profile", whole(&error)));
            findings.extend(keys::keyring(None));
            return Ok(());
        }
        // It was told above.
        Err(ConfigError::FaultyProfile { .. }) => return Ok(()),
        Err(error) => {
            findings.push(Finding::wrong("profile", whole(&error)));
            return Ok(());
        }
    };
    findings.push(about_profile(config, profile));
    let vault = unlock::known(config.vault(profile, &context.environment)?)?;
    let (found, keys) = keys::look(context, config, profile, &vault)?;
    findings.extend(found);
    if let Some(listener) = &profile.listener {
        findings.extend(listener::look(listener, &vault));
    }
    if let (Some(keys), Some(data)) = (&keys, config.folders.data_folder()) {
        let folder = data.join(profile.cache_folder(&keys.api_key));
        findings.extend(history::look(&folder));
        findings.extend(tokens::look(profile, folder.clone()));
        findings.extend(watches::look(&profile.watches, folder));
    }
    match keys {
        _ if arguments.offline => findings.push(Finding::note("service", "not asked, as --offline says")),
        Some(keys) => findings.extend(service::look(profile, keys.api_key, vault.redaction())?),
        None => findings.push(Finding::note("service", "not asked, since there is no key to ask with")),
    }
    Ok(())
}

fn program() -> Finding {
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    Finding::good("program", format!("bursar {} on {os} {arch}", env!("CARGO_PKG_VERSION")))
}

fn memory() -> Finding {
    match core_dumps_are_off() {
        Some(true) => Finding::good("memory", "core dumps are switched off while keys are held"),
        Some(false) => {
            Finding::wrong("memory", "the system refuses to switch core dumps off; a crash may write keys to a file")
        }
        None => Finding::note("memory", "whether core dumps are off cannot be told on this system"),
    }
}

fn about_profile(config: &Config, profile: &Profile) -> Finding {
    let read_only = if config.is_read_only(profile) { ", read-only" } else { "" };
    let words = format!("{} at {}", profile.title(), profile.base_url);
    match profile.network {
        Some(network) => Finding::good("profile", format!("{words}, {}{read_only}", network.word())),
        None => Finding::note(
            "profile",
            format!(
                "{words}{read_only}; it does not say mainnet or testnet, so a mix-up cannot be noticed (environment = …)"
            ),
        ),
    }
}

/// An error with all its causes.
fn whole(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        words = format!("{words}: {source}");
        cause = source.source();
    }
    words
}

/// A path as it is told.
fn shown(path: &Path) -> String {
    path.display().to_string()
}
