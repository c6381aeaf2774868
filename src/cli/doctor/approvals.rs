//! Checks what approvals need: the people, this console's key, the folder, the recorded rules; and says what binds.

use std::path::Path;

use tokio::runtime::Builder;

use super::{CheckResult, display_path};
use crate::cli::approvals::recorded_policy;
use crate::config::{Config, Profile};
use crate::domain::Text;
use crate::domain::approval::{ApprovalPolicy, DeskRole, StatementKind};
use crate::runtime::effect_runner::ApprovalDesk;
use crate::runtime::{Clock, HostPermission};
use crate::secrets::private_file::access_by_others;

const SUBJECT: &str = "approvals";

/// Nothing where no rule asks for approvals.
pub(super) fn check_approvals(config: &Config, profile: &Profile, journal: Option<&Path>) -> Vec<CheckResult> {
    if profile.policy.approval.is_empty() {
        return Vec::new();
    }
    let desk = ApprovalDesk::of_settings(&profile.approvals, &HostPermission::for_local_operator());
    let policy = match desk.policy(&profile.policy.approval) {
        Ok(policy) => policy,
        Err(why) => return vec![CheckResult::wrong(SUBJECT, why)],
    };
    let mut findings = vec![check_people(&policy), check_access(&profile.approvals.signers)];
    findings.push(check_key(&desk, &policy));
    findings.push(check_folder(desk.folder.as_deref()));
    findings.push(check_recorded(&policy, journal, &profile.base_url.to_string()));
    findings.push(check_binding(config, profile));
    findings
}

/// Whether there are enough people for every rule.
fn check_people(policy: &ApprovalPolicy) -> CheckResult {
    let people: Vec<&str> = policy.signers.people().map(Text::as_str).collect();
    let needs = policy.rules.iter().map(|rule| usize::from(rule.needs)).max().unwrap_or(0);
    let words = format!("{} people may sign: {}", people.len(), people.join(", "));
    if people.len() <= needs {
        let more = format!("a rule needs {needs} besides the maker, so that no payment under it can ever be sent");
        return CheckResult::wrong(SUBJECT, format!("{words}; {more}"));
    }
    CheckResult::ok(SUBJECT, words)
}

/// Whoever can write the file of signers makes himself an approver, until the recorded rules are compared.
fn check_access(signers: &Path) -> CheckResult {
    let name = display_path(signers);
    match access_by_others(signers) {
        Some(words) if words.contains("write") => {
            CheckResult::wrong(SUBJECT, format!("{name}: {words}; run `chmod 600 {name}`"))
        }
        _ => CheckResult::ok(SUBJECT, format!("{name}, which only you can change")),
    }
}

fn check_key(desk: &ApprovalDesk, policy: &ApprovalPolicy) -> CheckResult {
    let Ok(runtime) = Builder::new_current_thread().enable_all().build() else {
        return CheckResult::note(SUBJECT, "whether a key is at hand could not be checked");
    };
    let key = desk.signing_key(StatementKind::Approve, policy, None, Clock::System.now());
    match runtime.block_on(key) {
        Ok(key) if key.is_forwarded() => CheckResult::note(
            SUBJECT,
            format!(
                "this console signs as {}, by a key on another machine that SSH forwards here: whoever is root here can use \
                 it during the login",
                key.person
            ),
        ),
        Ok(key) => CheckResult::ok(SUBJECT, format!("this console signs as {}", key.person)),
        Err(why) => CheckResult::wrong(SUBJECT, format!("this console cannot sign: {why}")),
    }
}

fn check_folder(folder: Option<&Path>) -> CheckResult {
    let Some(folder) = folder else {
        return CheckResult::note(SUBJECT, "no folder is set: proposals and signatures are carried as text");
    };
    let name = display_path(folder);
    if !folder.is_dir() {
        return CheckResult::wrong(SUBJECT, format!("{name}: there is no such folder; create it, or mount it"));
    }
    match rustix::fs::access(folder, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK) {
        Ok(()) => CheckResult::ok(SUBJECT, format!("{name} can be read and written")),
        Err(error) => CheckResult::wrong(SUBJECT, format!("{name} cannot be written: {error}")),
    }
}

fn check_recorded(policy: &ApprovalPolicy, journal: Option<&Path>, base_url: &str) -> CheckResult {
    let recorded = journal.map(|folder| recorded_policy(folder, base_url));
    match recorded.transpose() {
        Ok(Some(Some(recorded))) if recorded.hash() == policy.hash() => {
            CheckResult::ok(SUBJECT, "the rules and the people are those that the journal records")
        }
        Ok(Some(Some(_))) => CheckResult::wrong(
            SUBJECT,
            "the rules or the people are not those that the journal records: nothing is paid from here; \
             `bursar approvals policy` shows the difference",
        ),
        Ok(_) => CheckResult::note(SUBJECT, "the journal records no rules yet; the first payment records these"),
        Err(error) => CheckResult::wrong(SUBJECT, format!("the recorded rules cannot be read: {error:#}")),
    }
}

/// What keeps a payment from being sent without approvals, and against whom.
fn check_binding(config: &Config, profile: &Profile) -> CheckResult {
    let role = profile.policy.role;
    if config.is_read_only(profile) {
        return CheckResult::note(SUBJECT, "read-only: nothing is proposed, signed or sent from here");
    }
    match role {
        DeskRole::Both => CheckResult::note(
            SUBJECT,
            "binding: convention. This console proposes and sends with one API key and obeys its rules; that guards against \
             mistakes and leaves evidence, not against a thief of the key (role = \"propose\", role = \"release\")",
        ),
        DeskRole::Propose => CheckResult::ok(
            SUBJECT,
            "binding: split keys. This console proposes and approves, and never sends; give it an API key that only reads",
        ),
        DeskRole::Release => CheckResult::ok(
            SUBJECT,
            "binding: split keys. This console sends what others proposed and drafts nothing; the paying key belongs here \
             alone",
        ),
    }
}
