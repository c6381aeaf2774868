//! Approvals on the command line as a person signs at a terminal: a refusal, a proposal on standard input, and a change of
//! the rules.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use bursar::domain::OrderId;
use bursar::domain::approval::{Envelope, PolicyRecord, StatementKind, verify};
use bursar::guard::challenge_range;
use tempfile::TempDir;

use super::approvals_commands::{
    Desk, RECIPIENT, allowed_signers, destination, key, now, policy, proposes, short, signature,
};
use super::pty::PtySession;

const PHRASE: &str = "approve without this machine's check";

/// Runs the program at a terminal, with standard input and output as a shell directs them.
fn opens_redirected(desk: &Desk, arguments: &str) -> PtySession {
    let script = format!("cd \"$HOME\" && exec \"$0\" {arguments}");
    desk.opens_command(&["/bin/sh", "-c", &script, env!("CARGO_BIN_EXE_bursar")])
}

/// A desk without a folder: proposals and signatures are carried.
fn without_folder(desk: &Desk) {
    let path = desk.path(".config/bursar/config.toml");
    let config = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = config.lines().filter(|line| !line.starts_with("folder")).collect();
    fs::write(path, lines.join("\n")).unwrap();
}

fn approves(terminal: &PtySession) {
    terminal.waits_for_bytes("Type the amount, in digits");
    terminal.types("25\n");
    terminal.waits_for_bytes("that are missing in");
    terminal.types(&format!("{}\n", &RECIPIENT[challenge_range(RECIPIENT)]));
    terminal.waits_for_bytes(PHRASE);
    terminal.types(&format!("{PHRASE}\n"));
}

/// Bert refuses what anna proposed.
fn refuses(bert: &Desk, id: OrderId) {
    let mut terminal = bert.opens(&["refuse", &short(id), "--reason", "no such invoice"]);
    terminal.waits_for_bytes("Type “refuse”");
    terminal.types("refuse\n");
    assert!(terminal.ends().success(), "{}", terminal.contents());
    terminal.waits_for_bytes("signed by bert");
}

#[test]
fn a_refusal_is_signed_at_a_terminal_with_its_reason_and_ends_the_proposal() {
    let folder = TempDir::new().unwrap();
    let (anna, bert) = (Desk::new(0, &folder, 1), Desk::new(1, &folder, 1));
    let (id, file) = proposes(&anna, &folder, 1);
    let mut terminal = bert.opens(&["refuse", &short(id), "--reason", "no such invoice"]);
    // What was typed before the question answers nothing, and a wrong answer is asked for again.
    terminal.types("refuse\n");
    terminal.waits_for_bytes("Type “refuse”: ");
    for answer in ["2 tries are left", "this is the last try", "nothing was signed: “approve” does not match"] {
        terminal.types("approve\n");
        terminal.waits_for_bytes(answer);
    }
    assert!(!terminal.ends().success());
    refuses(&bert, id);
    let armour = fs::read_to_string(folder.path().join(format!("{id}.bert.refuse.sig"))).unwrap();
    let signature = verify(file.as_bytes(), StatementKind::Refuse.namespace(), &armour).unwrap();
    assert_eq!(signature.key.to_ssh().key_data(), key(1).public_key().key_data());
    let reason = fs::read_to_string(folder.path().join(format!("{id}.bert.refuse.reason"))).unwrap();
    assert_eq!(reason, "no such invoice");
    for desk in [&anna, &bert] {
        let listing = desk.prints(&["approvals", "list"]);
        assert!(listing.contains("refused"), "{listing}");
        assert!(desk.prints(&["approvals", "show", &short(id)]).contains("no such invoice"));
    }
    let stderr = bert.ends(1, &["approve", &short(id)]);
    assert!(stderr.contains("bert refused this payment: no such invoice"), "{stderr}");
}

#[test]
#[ignore = "needs ssh-keygen"]
fn a_refusal_is_verified_by_stock_openssh() {
    let folder = TempDir::new().unwrap();
    let (anna, bert) = (Desk::new(0, &folder, 1), Desk::new(1, &folder, 1));
    let (id, _) = proposes(&anna, &folder, 1);
    refuses(&bert, id);
    fs::write(folder.path().join("allowed_signers"), allowed_signers(&[0, 1, 2])).unwrap();
    let verify = |person: &str, namespace: &str| {
        let mut command = Command::new("ssh-keygen");
        command.current_dir(folder.path()).args(["-Y", "verify", "-f", "allowed_signers", "-I", person]);
        command.args(["-n", namespace, "-s", &format!("{id}.bert.refuse.sig")]);
        let proposal = fs::File::open(folder.path().join(format!("{id}.proposal"))).unwrap();
        command.stdin(proposal).output().unwrap().status.success()
    };
    assert!(verify("bert", "refuse@bursar"));
    assert!(!verify("bert", "approve@bursar") && !verify("carla", "refuse@bursar"));
}

#[test]
fn a_proposal_on_standard_input_is_approved_at_the_terminal() {
    let folder = TempDir::new().unwrap();
    let (anna, bert) = (Desk::new(0, &folder, 1), Desk::new(1, &folder, 1));
    let (id, _) = proposes(&anna, &folder, 1);
    fs::write(bert.path("proposal.txt"), anna.prints(&["approvals", "show", &short(id), "--envelope"])).unwrap();
    without_folder(&bert);
    let mut terminal = opens_redirected(&bert, "approve - < proposal.txt > approved.txt");
    approves(&terminal);
    assert!(terminal.ends().success(), "{}", terminal.contents());
    terminal.waits_for_bytes("signed by bert, 1 of 1");
    let envelope = Envelope::parse(&fs::read_to_string(bert.path("approved.txt")).unwrap()).unwrap();
    assert_eq!((envelope.proposal.order, envelope.signatures.len()), (id, 2));
    assert!(bert.prints(&["approvals", "verify", "approved.txt"]).contains("approved, 1 of 1; proposed by anna"));
}

/// As `ssh desk bursar approve - < file` does, which has no terminal there.
#[test]
fn a_proposal_on_standard_input_without_a_terminal_is_not_signed_and_the_way_is_shown() {
    let folder = TempDir::new().unwrap();
    let (anna, bert) = (Desk::new(0, &folder, 1), Desk::new(1, &folder, 1));
    let (id, _) = proposes(&anna, &folder, 1);
    let path = bert.path("proposal.txt");
    fs::write(&path, anna.prints(&["approvals", "show", &short(id), "--envelope"])).unwrap();
    without_folder(&bert);
    for arguments in [["approve", "-"].as_slice(), &["refuse", "-", "--reason", "no such invoice"]] {
        let mut command = Command::new("setsid");
        command.args(["--wait", env!("CARGO_BIN_EXE_bursar")]).args(arguments).env_clear().env("HOME", bert.path(""));
        command.env("BURSAR_API_KEY", "sk_test_4f9a1c").env("BURSAR_DATA_DIR", bert.path("data"));
        let output = command.stdin(Stdio::from(fs::File::open(&path).unwrap())).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{stderr}");
        let expected = format!(
            "nothing was signed: there is no terminal to confirm at. Over SSH, copy the proposal there first, and then: \
             ssh -t HOST bursar {} FILE",
            arguments[0]
        );
        assert!(stderr.contains(&expected), "{stderr}");
    }
}

/// Types the phrase that a change of the rules asks for.
fn signs_change(terminal: &mut PtySession, phrase: &str, succeeds: bool) {
    terminal.waits_for_bytes("Type “change the rules” to sign");
    terminal.types(&format!("{phrase}\n"));
    assert_eq!(terminal.ends().success(), succeeds, "{}", terminal.contents());
}

fn copies(from: &Desk, to: &Desk, name: &str) {
    fs::copy(from.path(name), to.path(name)).unwrap();
}

#[test]
fn a_change_of_the_rules_is_proposed_signed_and_adopted_at_terminals() {
    let folder = TempDir::new().unwrap();
    let (anna, bert) = (Desk::new(0, &folder, 1), Desk::new(1, &folder, 1));
    let destination = destination();
    for desk in [&anna, &bert] {
        let first = PolicyRecord::new(&destination.base_url, None, &policy(1));
        desk.journal().record_approval_policy(&destination, first, now()).unwrap();
        let path = desk.path(".config/bursar/config.toml");
        let loose = fs::read_to_string(&path).unwrap().replace("above = \"20\"", "above = \"2000\"");
        fs::write(path, loose).unwrap();
    }
    signs_change(&mut opens_redirected(&anna, "approvals policy --propose > policy.txt"), "yes", false);
    assert_eq!(fs::read_to_string(anna.path("policy.txt")).unwrap(), "");
    let mut terminal = opens_redirected(&anna, "approvals policy --propose > policy.txt");
    signs_change(&mut terminal, "change the rules", true);
    for text in ["- rule    USDC above 20:", "+ rule    USDC above 2,000:", "signed by anna: 1 of 2"] {
        terminal.waits_for_bytes(text);
    }
    let stderr = anna.ends(1, &["approvals", "policy", "--adopt", "policy.txt"]);
    assert!(stderr.contains("needs 2 people of those who were named before, and 1 signed it"), "{stderr}");
    copies(&anna, &bert, "policy.txt");
    let mut terminal = opens_redirected(&bert, "approvals policy --sign - < policy.txt > signed.txt");
    signs_change(&mut terminal, "change the rules", true);
    terminal.waits_for_bytes("signed by bert: 2 of 2");
    let mut terminal = bert.opens(&["approvals", "policy", "--sign", path_text(&bert.path("policy.txt"))]);
    signs_change(&mut terminal, "change the rules", true);
    let read_file = |name: &str| fs::read_to_string(bert.path(name)).unwrap();
    assert_eq!(read_file("policy.txt"), read_file("signed.txt"), "a key of this kind signs alike each time");
    let mut terminal = bert.opens(&["approvals", "policy", "--sign", path_text(&bert.path("policy.txt"))]);
    signs_change(&mut terminal, "change the rules", false);
    terminal.waits_for_bytes("bert signed this already");
    copies(&bert, &anna, "policy.txt");
    for desk in [&anna, &bert] {
        let output = desk.prints(&["approvals", "policy", "--adopt", "policy.txt"]);
        assert!(output.contains("these rules and people are in force"), "{output}");
        assert!(desk.prints(&["approvals", "policy"]).contains("recorded  the same"));
    }
    let stderr = anna.ends(1, &["approvals", "policy", "--adopt", "policy.txt"]);
    assert!(stderr.contains("these rules are recorded already"), "{stderr}");
}

fn path_text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Whose files make other rules than those of the text signs nothing, and is told what differs.
#[test]
fn nobody_signs_rules_that_the_own_files_do_not_make() {
    let folder = TempDir::new().unwrap();
    let (anna, bert) = (Desk::new(0, &folder, 1), Desk::new(1, &folder, 1));
    let destination = destination();
    for desk in [&anna, &bert] {
        let first = PolicyRecord::new(&destination.base_url, None, &policy(1));
        desk.journal().record_approval_policy(&destination, first, now()).unwrap();
    }
    let before = PolicyRecord::new(&destination.base_url, None, &policy(1));
    let change = PolicyRecord::new(&destination.base_url, Some(&before), &policy(2));
    let signed_file = change.file.clone() + &signature(0, StatementKind::Policy, &change.file);
    fs::write(bert.path("policy.txt"), &signed_file).unwrap();
    let stderr = bert.ends(1, &["approvals", "policy", "--sign", "policy.txt"]);
    for text in ["is not the one that the files of this console make", "1 approval", "2 approvals"] {
        assert!(stderr.contains(text), "no {text} in\n{stderr}");
    }
    fs::write(bert.path("policy.txt"), signed_file.replace("\"needs\": 2", "\"needs\": 0")).unwrap();
    let stderr = bert.ends(1, &["approvals", "policy", "--sign", "policy.txt"]);
    assert!(stderr.contains("a signature does not belong to this policy"), "{stderr}");
}
