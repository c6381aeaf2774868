//! Checks what approvals need: the people, this console's key, the folder, the recorded rules; and says what binds.

use std::cmp::Ordering;
use std::path::Path;

use tokio::runtime::Builder;

use super::{CheckResult, display_path};
use crate::cli::approvals::{impossible_rules, people_count, people_who_sign, recorded_policy};
use crate::config::{Config, Profile};
use crate::domain::Timestamp;
use crate::domain::approval::{ApprovalPolicy, DeskRole, PolicyRecord, StatementKind};
use crate::runtime::effect_runner::ApprovalSources;
use crate::runtime::{Clock, HostPermission};
use crate::secrets::private_file::access_by_others;
use crate::secrets::ssh_agent::agent_keys;
use crate::secrets::ssh_key_file::{KeyFile, read_key_file};

const SUBJECT: &str = "approvals";

/// Nothing where no rule asks for approvals, here or in the journal.
pub(super) fn check_approvals(config: &Config, profile: &Profile, journal: Option<&Path>) -> Vec<CheckResult> {
    let base_url = profile.base_url.to_string();
    if profile.policy.approval.is_empty() {
        return check_removed(journal, &base_url).into_iter().collect();
    }
    let sources = ApprovalSources::of_settings(&profile.approvals, &HostPermission::for_local_operator());
    let policy = match sources.policy_with_signers(&profile.policy.approval) {
        Ok(policy) => policy,
        Err(reason) => return vec![CheckResult::wrong(SUBJECT, reason)],
    };
    let now = Clock::System.now();
    let mut findings = check_people(&policy, now);
    findings.push(check_access(&profile.approvals.signers));
    findings.push(check_key(&sources, &policy, profile.approvals.key.as_deref(), now));
    findings.push(check_folder(sources.folder.as_deref()));
    findings.push(check_recorded(&policy, journal, &base_url));
    findings.push(check_binding(config, profile));
    findings
}

/// The rules are gone from the configuration, while the journal has some.
fn check_removed(journal: Option<&Path>, base_url: &str) -> Option<CheckResult> {
    let recorded = recorded_policy(journal?, base_url).ok()??;
    (recorded.rules_hash() != ApprovalPolicy::default().hash()).then(|| {
        CheckResult::wrong(
            SUBJECT,
            format!(
                "the configuration has no rule of approval any more, and the journal records {}: nothing is paid from here; \
                 put the rules back, or have {} people sign that they end (`bursar approvals policy --propose`)",
                recorded.rule_texts().len(),
                recorded.people_needed_to_change()
            ),
        )
    })
}

/// Who can sign now, and whether they are enough for every rule.
fn check_people(policy: &ApprovalPolicy, now: Timestamp) -> Vec<CheckResult> {
    let (count, names) = people_who_sign(policy, now);
    let mut findings = vec![CheckResult::ok(SUBJECT, format!("{} may sign now: {names}", people_count(count)))];
    findings.extend(impossible_rules(policy, now).into_iter().map(|reason| CheckResult::wrong(SUBJECT, reason)));
    findings.extend(check_people_to_change(policy, now));
    findings
}

/// Whether the rules could be changed if one person left.
fn check_people_to_change(policy: &ApprovalPolicy, now: Timestamp) -> Option<CheckResult> {
    let standings = policy.signers.signing_fault_by_person(StatementKind::Policy, now);
    let people = standings.values().filter(|fault| fault.is_none()).count();
    let needs = PolicyRecord::new("", None, policy).people_needed_to_change();
    let message =
        format!("a change of these rules needs {} to sign, and {} can", people_count(needs), people_count(people));
    match people.cmp(&needs) {
        Ordering::Less => Some(CheckResult::wrong(
            SUBJECT,
            format!("{message}: once they are recorded, nobody can change them any more"),
        )),
        Ordering::Equal => Some(CheckResult::note(
            SUBJECT,
            format!("{message}: if one of them is gone, nobody can change them; name one more"),
        )),
        Ordering::Greater => None,
    }
}

/// Whoever can write the file of signers makes himself an approver, until the recorded rules are compared.
fn check_access(signers: &Path) -> CheckResult {
    let name = display_path(signers);
    match access_by_others(signers) {
        Some(access) if access.contains("write") => {
            CheckResult::wrong(SUBJECT, format!("{name}: {access}; run `chmod 600 {name}`"))
        }
        _ => CheckResult::ok(SUBJECT, format!("{name}, which only you can change")),
    }
}

fn check_key(sources: &ApprovalSources, policy: &ApprovalPolicy, file: Option<&Path>, now: Timestamp) -> CheckResult {
    let Ok(runtime) = Builder::new_current_thread().enable_all().build() else {
        return CheckResult::note(SUBJECT, "whether a key is at hand could not be checked");
    };
    let key = sources.signing_key(StatementKind::Approve, policy, &[], now);
    match runtime.block_on(async { (key.await, missing_key(file).await) }) {
        (Ok(key), Some(reason)) => {
            CheckResult::wrong(SUBJECT, format!("this console cannot sign as {}: {reason}", key.person))
        }
        (Ok(key), None) if key.is_forwarded() => CheckResult::note(
            SUBJECT,
            format!(
                "this console signs as {}, by a key on another machine that SSH forwards here: whoever is root here can use \
                 it during the login",
                key.person
            ),
        ),
        (Ok(key), None) => CheckResult::ok(SUBJECT, format!("this console signs as {}", key.person)),
        (Err(reason), _) => CheckResult::wrong(SUBJECT, format!("this console cannot sign: {reason}")),
    }
}

/// Why the agent cannot sign with the key of a file that needs the agent: one that is encrypted, in a security key, or
/// public.
async fn missing_key(file: Option<&Path>) -> Option<String> {
    let Ok(KeyFile::InAgent(public)) = read_key_file(file?) else { return None };
    let private = file?.with_extension("");
    let name =
        display_path(if file?.extension().is_some_and(|extension| extension == "pub") { &private } else { file? });
    match agent_keys().await {
        Ok(keys) if keys.iter().any(|(key, _)| *key == public) => None,
        Ok(_) => Some(format!(
            "the key of {name} is not in the SSH agent, which alone can sign with it; run `ssh-add {name}`"
        )),
        Err(fault) => Some(format!("only an SSH agent can sign with the key of {name}: {fault}")),
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
        Ok(Some(Some(recorded))) if recorded.rules_hash() == policy.hash() => {
            CheckResult::ok(SUBJECT, "the rules and the people are those that the journal records")
        }
        Ok(Some(Some(_))) => CheckResult::wrong(
            SUBJECT,
            "the rules or the people are not those that the journal records: nothing is paid from here; \
             `bursar approvals policy` shows the difference",
        ),
        Ok(_) => CheckResult::note(
            SUBJECT,
            "the journal records no rules yet; this console records these when it is opened next, or when somebody signs",
        ),
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
            "binding: convention (role = \"both\"). This console proposes and sends with one API key and obeys its rules; that \
             guards against mistakes and leaves evidence, not against a thief of the key",
        ),
        DeskRole::Propose => CheckResult::note(
            SUBJECT,
            "role = \"propose\": this console proposes and approves, and never sends. That binds a thief of this machine only if \
             its API key cannot pay, which nobody can see from here: make sure at the service that the key only reads",
        ),
        DeskRole::Release => CheckResult::note(
            SUBJECT,
            "role = \"release\": this console sends what others proposed, and drafts nothing. That binds others only if no API \
             key but the one here can pay, which nobody can see from here: make sure of it at the service",
        ),
    }
}
