//! What the command line says of approvals at a desk: in the status, of what is over, of people and rules.

use std::fs;
use std::time::Duration;

use bursar::domain::Timestamp;
use bursar::domain::approval::{
    ApprovalPolicy, PolicyRecord, SignedStatement, Signers, StatementKind, StatementWithProposal,
};
use bursar::domain::order::{OrderEnd, SendReason};
use bursar::domain::{OrderId, Text};
use bursar::journal::JournalError;
use serde_json::Value;
use tempfile::TempDir;

use super::approvals_commands::{
    Desk, RECIPIENT, allowed_signers, approves_in_folder, destination, key, now, policy, proposes, short, signature,
    statement,
};

fn configures(desk: &Desk, change: impl Fn(&str) -> String) {
    let path = desk.path(".config/bursar/config.toml");
    fs::write(&path, change(&fs::read_to_string(&path).unwrap())).unwrap();
}

/// Records the rules of both files as the first ones.
fn records_rules(desk: &Desk, rules: &ApprovalPolicy) {
    let destination = destination();
    let first = PolicyRecord::new(&destination.base_url, None, rules);
    desk.journal().record_approval_policy(&destination, first, now()).unwrap();
}

/// Bert's approval is recorded, and the order is sent.
fn sends(desk: &Desk, id: OrderId, file: &str) -> Timestamp {
    let (journal, at) = (desk.journal(), now());
    let signed_statement =
        StatementWithProposal { file: file.to_owned(), statement: statement(1, StatementKind::Approve, file) };
    journal.record_statement(id, signed_statement, at).unwrap();
    let gives_up = at.plus(Duration::from_secs(30));
    let permit =
        journal.permit_send(id, SendReason::Confirmed, &destination(), at, gives_up, None, &policy(1)).unwrap();
    assert_eq!(permit.id(), id);
    at
}

/// The findings of the doctor about approvals, a line each.
fn findings(desk: &Desk) -> String {
    let output = desk.run(&["doctor", "--offline", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let of_approvals = |finding: &&Value| finding["about"] == "approvals";
    let line =
        |finding: &Value| format!("{} {}", finding["verdict"].as_str().unwrap(), finding["words"].as_str().unwrap());
    report["findings"].as_array().unwrap().iter().filter(of_approvals).map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn status_needs_somebody_for_what_can_be_approved_or_sent_from_here() {
    let folder = TempDir::new().unwrap();
    let (anna, bert) = (Desk::new(0, &folder, 1), Desk::new(1, &folder, 1));
    let status = ["status", "--offline"];
    assert!(!bert.ends(0, &status).contains("approv"));
    let (id, file) = proposes(&anna, &folder, 1);
    // Its maker waits for others.
    assert!(!anna.ends(0, &status).contains("proposed by anna"));
    let waits = bert.ends(3, &status);
    let summary = format!(
        "! approval: 25 USDC on Base to {RECIPIENT}, proposed by anna: bert could approve it (bursar approve {}; role both)",
        short(id)
    );
    assert!(waits.contains(&summary), "{waits}");
    let status_json: Value = serde_json::from_slice(&bert.run(&["status", "--offline", "--json"]).stdout).unwrap();
    assert_eq!(status_json["needs_person"][0]["item"], format!("approval {id}"));
    approves_in_folder(&folder, id, 1, &file);
    for desk in [&anna, &bert] {
        let ready = desk.ends(3, &status);
        assert!(ready.contains("enough people approved it, and it can be sent from here (role both)"), "{ready}");
    }
    configures(&anna, |text| text.replace("signing_key", "role = \"propose\"\nsigning_key"));
    anna.ends(0, &status);
    configures(&bert, |text| text.replace("secrets", "read_only = true\nsecrets"));
    bert.ends(0, &status);
    fs::remove_dir_all(folder.path()).unwrap();
    assert!(anna.ends(1, &status).contains("proposals cannot be read: "));
}

#[test]
fn a_proposal_is_shown_also_when_it_was_sent_or_refused() {
    let folder = TempDir::new().unwrap();
    let (anna, other) = (Desk::new(0, &folder, 1), Desk::new(0, &folder, 1));
    let (id, file) = proposes(&anna, &folder, 1);
    let sent_at = sends(&anna, id, &file);
    let proposal = anna.prints(&["approvals", "show", &short(id)]);
    let sent_line = format!("sent        {sent_at} by anna on quay");
    for text in
        [sent_line.as_str(), "pays        25 USDC on Base", "approvals   1 of 1", "  approved  bert with SHA256:"]
    {
        assert!(proposal.contains(text), "no {text} in\n{proposal}");
    }
    assert_eq!(anna.prints(&["approvals", "show", &short(id), "--raw"]), file);
    assert!(anna.prints(&["approvals", "show", &short(id), "--envelope"]).starts_with(&file));
    // Also after the rules and the people have changed.
    configures(&anna, |text| text.replace("above = \"20\"", "above = \"2000\""));
    fs::write(anna.path(".config/bursar/allowed_signers"), allowed_signers(&[0, 2])).unwrap();
    assert!(anna.prints(&["approvals", "show", &short(id)]).contains("approvals   1 of 1"));

    let (id, file) = proposes(&other, &folder, 1);
    {
        let journal = other.journal();
        let reason = Some(Text::clean("no such invoice"));
        let refusal = SignedStatement { reason, ..statement(1, StatementKind::Refuse, &file) };
        journal.record_statement(id, StatementWithProposal { file: file.clone(), statement: refusal }, now()).unwrap();
        journal.record_end(id, OrderEnd::Abandoned(Some("bert refused it: no such invoice".into())), now()).unwrap();
    }
    let proposal = other.prints(&["approvals", "show", &short(id)]);
    for text in ["given up    ", "by anna on quay: bert refused it: no such invoice", "approvals   refused"] {
        assert!(proposal.contains(text), "no {text} in\n{proposal}");
    }
    let stderr = other.ends(1, &["refuse", &short(id), "--reason", "again"]);
    assert!(stderr.contains("this order was given up; it will not be sent"), "{stderr}");
}

#[test]
fn people_whose_keys_are_revoked_or_expired_are_not_counted_and_rules_that_ask_for_too_many_are_wrong() {
    let folder = TempDir::new().unwrap();
    let anna = Desk::new(0, &folder, 2);
    assert!(anna.prints(&["approvals", "policy"]).contains("people    3: anna, bert, carla\n"));
    assert!(
        findings(&anna)
            .contains("note a change of these rules needs 3 people to sign, and 3 people can: if one of them is")
    );
    let revoked = key(2).public_key().to_openssh().unwrap();
    fs::write(anna.path(".config/bursar/revoked_signers"), format!("{revoked}\n")).unwrap();
    let expired = allowed_signers(&[0, 1, 2]).replace("bert ", "bert valid-before=\"20200101Z\" ");
    let impossible = |people: &str| {
        format!(
            "USDC above 20: 2 approvals within 24 hours: {people} can give that besides the maker, so no payment under this \
             rule can ever be sent"
        )
    };
    let output = anna.prints(&["approvals", "policy"]);
    for text in ["people    2: anna, bert; not counted: carla (the key is revoked)", &impossible("1 person")] {
        assert!(output.contains(text), "no {text} in\n{output}");
    }
    assert!(findings(&anna).contains("wrong a change of these rules needs 3 people to sign, and 2 people can"));
    let checks = findings(&anna);
    for text in ["ok 2 people may sign now: anna, bert", &format!("wrong {}", impossible("1 person"))] {
        assert!(checks.contains(text), "no {text} in\n{checks}");
    }
    fs::write(anna.path(".config/bursar/allowed_signers"), expired).unwrap();
    let checks = findings(&anna);
    assert!(
        checks.contains(
            "ok 1 person may sign now: anna; not counted: bert (the key has expired), carla (the key is revoked)"
        ),
        "{checks}"
    );
    assert!(checks.contains(&impossible("0 people")), "{checks}");
}

#[test]
fn a_key_that_only_an_agent_can_sign_with_is_wrong_while_the_agent_does_not_have_it() {
    let folder = TempDir::new().unwrap();
    let bert = Desk::new(1, &folder, 1);
    fs::write(bert.path(".config/bursar/key.pub"), key(1).public_key().to_openssh().unwrap()).unwrap();
    configures(&bert, |text| text.replace("signing_key = \"key\"", "signing_key = \"key.pub\""));
    let checks = findings(&bert);
    assert!(
        checks.contains("wrong this console cannot sign as bert: only an SSH agent can sign with the key of "),
        "{checks}"
    );
    assert!(checks.contains("/key: no SSH agent: SSH_AUTH_SOCK is not set"), "{checks}");
}

/// Whoever deletes the rules from the configuration pays nothing, until the people of the rules agree.
#[test]
fn rules_that_were_deleted_from_the_configuration_still_keep_everything_from_being_paid() {
    let folder = TempDir::new().unwrap();
    let anna = Desk::new(0, &folder, 1);
    let (id, file) = proposes(&anna, &folder, 1);
    configures(&anna, |text| text[..text.find("[[profiles.main.policy.approval]]").unwrap()].to_owned());
    let checks = findings(&anna);
    assert!(
        checks.contains("wrong the configuration has no rule of approval any more, and the journal records 1"),
        "{checks}"
    );
    let none = ApprovalPolicy::default();
    {
        let (journal, at) = (anna.journal(), now());
        let signed_statement =
            StatementWithProposal { file: file.clone(), statement: statement(1, StatementKind::Approve, &file) };
        journal.record_statement(id, signed_statement, at).unwrap();
        let gives_up = at.plus(Duration::from_secs(30));
        let result = journal.permit_send(id, SendReason::Confirmed, &destination(), at, gives_up, None, &none);
        assert!(matches!(result, Err(JournalError::Illegal(_))), "{result:?}");
    }
    let before = PolicyRecord::new(&destination().base_url, None, &policy(1));
    let change = PolicyRecord::new(&destination().base_url, Some(&before), &none);
    let signatures = [0, 1].map(|person| signature(person, StatementKind::Policy, &change.file)).concat();
    fs::write(anna.path("policy.txt"), change.file + &signatures).unwrap();
    anna.prints(&["approvals", "policy", "--adopt", "policy.txt"]);
    assert_eq!(findings(&anna), "");
}

#[test]
fn a_file_of_signers_that_differs_in_its_line_ends_is_said_to() {
    let folder = TempDir::new().unwrap();
    let anna = Desk::new(0, &folder, 1);
    records_rules(&anna, &policy(1));
    let signers = anna.path(".config/bursar/allowed_signers");
    let text = fs::read_to_string(&signers).unwrap();
    let prints_difference = |text: &str, difference: &str| {
        fs::write(&signers, text).unwrap();
        let output = anna.prints(&["approvals", "policy"]);
        assert!(
            output.contains("OTHERS; nothing is paid") && output.contains(difference),
            "no {difference} in\n{output}"
        );
    };
    prints_difference(
        &text.replace('\n', "\r\n"),
        "~ the file of signers: its lines end with CR LF, and with LF as recorded",
    );
    prints_difference(
        &format!("{text}\n"),
        "~ the file of signers: blanks at the ends of lines, or the line end of the last one",
    );
    let reversed: Vec<&str> = text.lines().rev().collect();
    prints_difference(&reversed.join("\n"), "~ the file of signers: the same lines in another order");
    prints_difference(&format!("# people\n{text}"), "+ signer  # people");
}

#[test]
fn whoever_missed_changes_of_the_rules_adopts_all_of_them_in_order() {
    let folder = TempDir::new().unwrap();
    let (anna, destination) = (Desk::new(0, &folder, 2), destination());
    records_rules(&anna, &policy(1));
    let first = PolicyRecord::new(&destination.base_url, None, &policy(1));
    let mut without_carla = policy(1);
    without_carla.signers = Signers::parse(&allowed_signers(&[0, 1]), "").unwrap();
    let second = PolicyRecord::new(&destination.base_url, Some(&first), &without_carla);
    let third = PolicyRecord::new(&destination.base_url, Some(&second), &policy(2));
    let write = |name: &str, change: &PolicyRecord, people: &[usize]| {
        let signatures = people.iter().map(|person| signature(*person, StatementKind::Policy, &change.file));
        fs::write(anna.path(name), change.file.clone() + &signatures.collect::<String>()).unwrap();
    };
    write("1.txt", &first, &[]);
    write("2.txt", &second, &[0, 1]);
    write("3.txt", &third, &[0, 2]);
    let adopt = ["approvals", "policy", "--adopt"];
    let stderr = anna.ends(1, &[adopt.as_slice(), &["3.txt"]].concat());
    assert!(stderr.contains("follows other rules than those that this journal records"), "{stderr}");
    let stderr = anna.ends(1, &[adopt.as_slice(), &["2.txt"]].concat());
    assert!(stderr.contains("this policy is not the one that the files of this console make"), "{stderr}");
    // Carla had left by then, and is none of those who decide.
    let stderr = anna.ends(1, &[adopt.as_slice(), &["2.txt", "3.txt"]].concat());
    assert!(stderr.contains("3.txt: the change of the approval rules needs 2 people"), "{stderr}");
    assert!(anna.prints(&["approvals", "policy"]).contains("OTHERS"), "nothing is recorded by half");
    write("3.txt", &third, &[0, 1]);
    anna.prints(&[adopt.as_slice(), &["1.txt", "2.txt", "3.txt"]].concat());
    assert!(anna.prints(&["approvals", "policy"]).contains("recorded  the same"));
}
