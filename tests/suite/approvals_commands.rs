//! Approvals on the command line: what waits, who signed, and what an exported journal proves.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Output;

use assert_cmd::Command;
use bursar::api::{BaseUrl, WireNames, encode};
use bursar::domain::address::{format_grouped, split_into_groups};
use bursar::domain::approval::{
    ApprovalPolicy, ApprovalRule, Envelope, PolicyRecord, PrivateKey, Proposal, SignedStatement, Signers,
    StatementKind, StatementWithProposal, Touch, key_of_seed, sign_with,
};
use bursar::domain::draft::{Metadata, Sender, Withdrawal};
use bursar::domain::order::{Confirmation, ConsoleIdentity, DraftedOrder, SendReason, ServiceDestination};
use bursar::domain::{Amount, Draft, OrderId, Text, Timestamp, TokenKey, WalletId};
use bursar::guard::challenge_range;
use bursar::journal::{Journal, JournalLocation};
use bursar::runtime::effect_runner::approval_folder;
use bursar::runtime::{Clock, HostPermission};
use serde_json::Value;
use ssh_key::LineEnding;
use tempfile::TempDir;
use uuid::Uuid;

use super::pty::PtySession;

pub(super) const RECIPIENT: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const PEOPLE: [&str; 3] = ["anna", "bert", "carla"];

pub(super) fn key(person: usize) -> PrivateKey {
    key_of_seed(u8::try_from(person).unwrap() + 1)
}

pub(super) fn allowed_signers(people: &[usize]) -> String {
    let line = |at: &usize| format!("{} {}", PEOPLE[*at], key(*at).public_key().to_openssh().unwrap());
    people.iter().map(line).collect::<Vec<_>>().join("\n")
}

pub(super) fn signature(person: usize, kind: StatementKind, file: &str) -> String {
    sign_with(&key(person), kind.namespace(), file.as_bytes()).unwrap()
}

pub(super) fn statement(person: usize, kind: StatementKind, file: &str) -> SignedStatement {
    SignedStatement {
        kind,
        signature: signature(person, kind, file),
        principal: PEOPLE[person].into(),
        key: Text::clean(
            &bursar::domain::approval::PublicKey::from_ssh(key(person).public_key()).unwrap().fingerprint(),
        ),
        reason: None,
    }
}

pub(super) fn now() -> Timestamp {
    Clock::System.now()
}

/// The desk of one person: an own home and journal, and the folder that all reach.
pub(super) struct Desk {
    home: TempDir,
}

impl Desk {
    pub(super) fn new(person: usize, folder: &TempDir, needs: u8) -> Self {
        let desk = Self { home: tempfile::tempdir().unwrap() };
        let settings = desk.path(".config/bursar");
        fs::create_dir_all(&settings).unwrap();
        let config = format!(
            r#"[profiles.main]
base_url = "https://api.example.com"
secrets = "environment"
[profiles.main.approvals]
folder = "{}"
signing_key = "key"
[[profiles.main.policy.approval]]
token = "USDC"
above = "20"
needs = {needs}
"#,
            folder.path().display()
        );
        fs::write(settings.join("config.toml"), config).unwrap();
        fs::write(settings.join("allowed_signers"), allowed_signers(&[0, 1, 2])).unwrap();
        let private = key(person).to_openssh(LineEnding::default()).unwrap();
        fs::write(settings.join("key"), private.as_bytes()).unwrap();
        fs::set_permissions(settings.join("key"), fs::Permissions::from_mode(0o600)).unwrap();
        desk
    }

    pub(super) fn path(&self, below: &str) -> PathBuf {
        self.home.path().join(below)
    }

    fn data(&self) -> PathBuf {
        self.path("data")
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::cargo_bin("bursar").unwrap();
        command.env_clear().env("HOME", self.home.path()).env("BURSAR_API_KEY", "sk_test_4f9a1c");
        command.env("BURSAR_DATA_DIR", self.data());
        command.current_dir(self.home.path()).args(arguments).output().unwrap()
    }

    /// Both streams of a run that ends with this code.
    #[track_caller]
    pub(super) fn ends(&self, code: i32, arguments: &[&str]) -> String {
        let Output { status, stdout, stderr } = self.run(arguments);
        let text = String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap();
        assert_eq!(status.code(), Some(code), "{text}");
        text
    }

    #[track_caller]
    pub(super) fn prints(&self, arguments: &[&str]) -> String {
        let Output { status, stdout, stderr } = self.run(arguments);
        assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).unwrap()
    }

    /// The program at a terminal of its own.
    pub(super) fn opens(&self, arguments: &[&str]) -> PtySession {
        self.opens_command(&[&[env!("CARGO_BIN_EXE_bursar")], arguments].concat())
    }

    /// A command at a terminal of its own.
    pub(super) fn opens_command(&self, command: &[&str]) -> PtySession {
        let (home, data) = (self.home.path().to_str().unwrap(), self.data());
        let environment =
            [("HOME", home), ("BURSAR_API_KEY", "sk_test_4f9a1c"), ("BURSAR_DATA_DIR", data.to_str().unwrap())];
        PtySession::open_command(command, &environment)
    }

    pub(super) fn journal(&self) -> Journal {
        let by = ConsoleIdentity { user: "anna".into(), host: "quay".into(), run: Uuid::new_v4() };
        fs::create_dir_all(self.data()).unwrap();
        Journal::open(&JournalLocation::Folder(self.data().join("journal")), by).unwrap().journal
    }
}

pub(super) fn destination() -> ServiceDestination {
    let base_url = BaseUrl::parse("https://api.example.com").unwrap().to_string();
    ServiceDestination {
        profile: "main".into(),
        environment: None,
        base_url: Text::clean(&base_url),
        key_mark: Text::default(),
    }
}

pub(super) fn policy(needs: u8) -> ApprovalPolicy {
    let rule = ApprovalRule {
        token: "USDC".into(),
        chain: None,
        above: Some(Amount::parse("20", 6).unwrap()),
        always: false,
        needs,
        touch: Touch::None,
        within: ApprovalRule::DEFAULT_VALIDITY,
    };
    ApprovalPolicy { rules: vec![rule], signers: Signers::parse(&allowed_signers(&[0, 1, 2]), "").unwrap() }
}

/// Anna proposes 25 USDC, in her journal and in the folder. The order, and the file.
pub(super) fn proposes(desk: &Desk, folder: &TempDir, needs: u8) -> (OrderId, String) {
    let (journal, policy, at, to) = (desk.journal(), policy(needs), now(), destination());
    journal.record_approval_policy(&to, PolicyRecord::new(&to.base_url, None, &policy), at).unwrap();
    let draft = Draft::Withdraw(Withdrawal {
        wallet: WalletId::from_text("wallet-1"),
        blockchain: "base".into(),
        token: "USDC".into(),
        amount: "25".into(),
        to: RECIPIENT.into(),
        ref_id: Some("rent-november".into()),
        note: None,
        metadata: Metadata::default(),
    });
    let sender = Sender {
        name: None,
        address: None,
        account: None,
        user: None,
        token: TokenKey::new("base", Some("0x833589fcd6edb6e08f4c7c32d4f71b54bda02913")),
        amount: Amount::parse("25", 6).unwrap(),
    };
    let request = encode(&draft, Uuid::new_v4(), &WireNames::default());
    let requirement = policy.requirement_for_draft(&draft, Some(&sender)).unwrap();
    let drafted = DraftedOrder {
        draft,
        sender: Some(sender),
        request: request.clone(),
        destination: to.clone(),
        newest: Vec::new(),
        anchors: Vec::new(),
        template: None,
    };
    let id = journal.record_draft(drafted, at).unwrap().id;
    let proposal = Proposal {
        order: id,
        record_hash: journal.draft_hash(id).unwrap(),
        base_url: to.base_url,
        environment: None,
        method: request.method,
        path: request.path,
        made_at: at,
        expires: at.plus(requirement.within),
        rule: requirement.rule,
        policy_hash: policy.hash(),
        maker: "anna".into(),
        body: request.body,
    };
    let file = proposal.to_file();
    let statement = statement(0, StatementKind::Propose, &file);
    let confirmation = Confirmation { typed: Vec::new(), findings: Vec::new(), agreed: None };
    journal.record_confirmation(id, confirmation, at).unwrap();
    let signed_statement = StatementWithProposal { file: file.clone(), statement: statement.clone() };
    journal.record_statement(id, signed_statement, at).unwrap();
    let host = HostPermission::for_local_operator();
    approval_folder::write_proposal(&host, folder.path(), id, &file).unwrap();
    approval_folder::write_statement(&host, folder.path(), id, &statement).unwrap();
    (id, file)
}

pub(super) fn approves_in_folder(folder: &TempDir, id: OrderId, person: usize, file: &str) {
    let path = folder.path().join(format!("{id}.{}.approve.sig", PEOPLE[person]));
    fs::write(path, signature(person, StatementKind::Approve, file)).unwrap();
}

pub(super) fn short(id: OrderId) -> String {
    id.to_string()[..8].to_owned()
}

#[test]
fn what_waits_is_listed_and_shown_on_the_desk_of_another_person() {
    let folder = TempDir::new().unwrap();
    let (anna, bert) = (Desk::new(0, &folder, 1), Desk::new(1, &folder, 1));
    assert_eq!(bert.prints(&["approvals", "list"]), "nothing waits for approval\n");
    let (id, file) = proposes(&anna, &folder, 1);
    for desk in [&anna, &bert] {
        let listing = desk.prints(&["approvals", "list"]);
        for text in [&short(id), "0 of 1", "25 USDC on Base", RECIPIENT, "anna", "23h"] {
            assert!(listing.contains(text), "no {text} in\n{listing}");
        }
    }
    bert.prints(&["book", "add", "Norrland Shipping", RECIPIENT, "--chain", "base"]);
    assert!(bert.prints(&["approvals", "list"]).contains(&format!("{RECIPIENT} (Norrland Shipping)")));
    let output = bert.prints(&["approvals", "show", &short(id)]);
    let grouped = format!("Norrland Shipping, {}", format_grouped(RECIPIENT));
    for text in ["pays        25 USDC on Base", &grouped, "wallet wallet-1", "rent-november", "by anna", "0 of 1"] {
        assert!(output.contains(text), "no {text} in\n{output}");
    }
    assert_eq!(bert.prints(&["approvals", "show", &short(id), "--raw"]), file);
    approves_in_folder(&folder, id, 1, &file);
    let rows: Value = serde_json::from_str(&bert.prints(&["approvals", "list", "--json"])).unwrap();
    let row = &rows[0];
    assert_eq!((row["standing"].as_str(), row["approvedBy"][0].as_str()), (Some("1 of 1"), Some("bert")));
    assert_eq!(row["recipients"][0]["name"], "Norrland Shipping");
    let stderr = bert.ends(1, &["approvals", "show", "1234567"]);
    assert!(stderr.contains("no proposal has this identifier, here or in the folder"), "{stderr}");
}

#[test]
fn an_envelope_is_approved_not_approved_or_broken_by_its_signatures() {
    let folder = TempDir::new().unwrap();
    let (anna, bert) = (Desk::new(0, &folder, 2), Desk::new(1, &folder, 2));
    let (id, file) = proposes(&anna, &folder, 2);
    approves_in_folder(&folder, id, 1, &file);
    let envelope = bert.prints(&["approvals", "show", &short(id), "--envelope"]);
    let path = bert.path("envelope.txt");
    let verify = |text: &str, code: i32| {
        fs::write(&path, text).unwrap();
        bert.ends(code, &["approvals", "verify", path.to_str().unwrap()])
    };
    let report = verify(&envelope, 3);
    assert!(report.contains("this payment needs 2 approvals and has 1: bert"), "{report}");
    let with = |person: usize| {
        let mut more = Envelope::parse(&envelope).unwrap();
        more.signatures.push(signature(person, StatementKind::Approve, &file));
        more.to_text()
    };
    // Whoever made it does not count.
    assert!(verify(&with(0), 3).contains("a maker does not approve the own proposal"));
    assert!(verify(&with(2), 0).contains("approved, 2 of 2; proposed by anna"));
    // Somebody changes the amount: its hash, and then also the hash in the head.
    assert!(verify(&envelope.replace("\"25\"", "\"26\""), 1).contains("the proposal's body was changed"));
    let mut forged_envelope = Envelope::parse(&envelope).unwrap();
    forged_envelope.proposal.maker = "carla".into();
    forged_envelope.file = forged_envelope.proposal.to_file();
    assert!(verify(&forged_envelope.to_text(), 1).contains("are not over this proposal"));
    assert!(verify("nothing", 1).contains("the file is no proposal"));
}

#[test]
fn nobody_approves_without_a_terminal_or_the_own_proposal() {
    let folder = TempDir::new().unwrap();
    let (anna, bert) = (Desk::new(0, &folder, 1), Desk::new(1, &folder, 1));
    let (id, file) = proposes(&anna, &folder, 1);
    let stderr = anna.ends(1, &["approve", &short(id)]);
    assert!(stderr.contains("anna proposed it, and somebody else must sign"), "{stderr}");
    let stderr = bert.ends(1, &["approve", &short(id)]);
    assert!(stderr.contains("a person must confirm at a terminal"), "{stderr}");
    assert!(stderr.contains("this machine could not check the payment"), "{stderr}");
    let path = bert.path("other.proposal");
    fs::write(&path, file.replace("\"25\"", "\"26\"")).unwrap();
    let stderr = bert.ends(1, &["approve", path.to_str().unwrap()]);
    assert!(stderr.contains("the proposal's body was changed"), "{stderr}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing was signed");
    assert!(bert.ends(1, &["refuse", &short(id), "--reason", " "]).contains("a refusal needs its reason"));
}

#[test]
fn somebody_else_approves_at_a_terminal_by_what_the_bytes_state() {
    let folder = TempDir::new().unwrap();
    let (anna, bert) = (Desk::new(0, &folder, 1), Desk::new(1, &folder, 1));
    let (id, _) = proposes(&anna, &folder, 1);
    let group = &RECIPIENT[challenge_range(RECIPIENT)];
    assert!(split_into_groups(RECIPIENT).contains(&group));
    let terminal = bert.opens(&["approve", &short(id)]);
    terminal.waits_for_bytes("Type the amount, in digits");
    terminal.types("26\n");
    terminal.waits_for_bytes("does not match the proposal");
    let right = bert.opens(&["approve", &short(id)]);
    right.waits_for_bytes("Type the amount, in digits");
    right.types("25\n");
    right.waits_for_bytes("that are missing in");
    right.types(&format!("{group}\n"));
    right.waits_for_bytes("approve without this machine's check");
    right.types("approve without this machine's check\n");
    right.waits_for_bytes("signed by bert, 1 of 1; nothing was sent from here");
    assert!(folder.path().join(format!("{id}.bert.approve.sig")).is_file());
    let audit: Value = serde_json::from_str(&bert.prints(&["export", "audit", "--format", "json"])).unwrap();
    let kinds: Vec<&str> = audit.as_array().unwrap().iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["policy", "approved"]);
    assert!(anna.prints(&["approvals", "list"]).contains("1 of 1"));
    assert!(bert.ends(1, &["approve", &short(id)]).contains("bert signed this already"));
}

#[test]
fn an_exported_journal_proves_its_approvals_on_a_machine_that_has_nothing_else() {
    let folder = TempDir::new().unwrap();
    let anna = Desk::new(0, &folder, 1);
    let (id, file) = proposes(&anna, &folder, 1);
    {
        let (journal, at) = (anna.journal(), now());
        let statement = statement(1, StatementKind::Approve, &file);
        journal.record_statement(id, StatementWithProposal { file, statement }, at).unwrap();
        let gives_up = at.plus(std::time::Duration::from_secs(30));
        let _permit =
            journal.permit_send(id, SendReason::Confirmed, &destination(), at, gives_up, None, &policy(1)).unwrap();
    }
    let audit = anna.prints(&["export", "audit", "--format", "json"]);
    let audit_folder = TempDir::new().unwrap();
    let (export, signers) = (audit_folder.path().join("audit.json"), audit_folder.path().join("allowed_signers"));
    fs::write(&signers, allowed_signers(&[0, 1, 2])).unwrap();
    let verify = |text: &str| {
        fs::write(&export, text).unwrap();
        let mut command = Command::cargo_bin("bursar").unwrap();
        let command = command.env_clear().current_dir(audit_folder.path());
        let arguments = ["approvals", "verify", "--all", "audit.json", "--signers", "allowed_signers"];
        let Output { status, stdout, .. } = command.args(arguments).output().unwrap();
        (status.code(), String::from_utf8(stdout).unwrap())
    };
    let (code, report) = verify(&audit);
    assert_eq!(code, Some(0), "{report}");
    for text in [
        "2 signatures about proposals, by 2 people; 0 wrong",
        "payments sent with their approvals: 1; without a proposal: 0",
        "ok, approved by bert",
        "not proven:",
    ] {
        assert!(report.contains(text), "no {text} in\n{report}");
    }
    // A name, a record and the list of people are changed.
    let (code, report) = verify(&audit.replace("\\\"principal\\\":\\\"bert\\\"", "\\\"principal\\\":\\\"carla\\\""));
    assert_eq!(code, Some(1));
    for text in ["the record names carla, and bert signed", "its content does not match its hash"] {
        assert!(report.contains(text), "no {text} in\n{report}");
    }
    let rows: Vec<Value> = serde_json::from_str(&audit).unwrap();
    let without: Vec<&Value> = rows.iter().filter(|row| row["kind"] != "approved").collect();
    let (code, report) = verify(&serde_json::to_string(&without).unwrap());
    assert_eq!(code, Some(1));
    for text in [
        "sent without its approvals: this payment needs 1 approval and has none",
        "it does not follow the record before it",
    ] {
        assert!(report.contains(text), "no {text} in\n{report}");
    }
    fs::write(&signers, allowed_signers(&[0, 2])).unwrap();
    let (code, report) = verify(&audit);
    assert_eq!(code, Some(1));
    assert!(report.contains("the key is not among the signers"), "{report}");
}

/// A proposal names the record of its draft: one that names another is not sent, and an export shows it.
#[test]
fn a_proposal_of_another_record_than_the_journal_has_is_not_sent_and_an_export_shows_it() {
    let folder = TempDir::new().unwrap();
    let anna = Desk::new(0, &folder, 1);
    let (id, file) = proposes(&anna, &folder, 1);
    let other = Proposal { record_hash: [7; 32], ..Proposal::parse(&file).unwrap() }.to_file();
    let permit_send = |journal: &Journal| {
        let (at, to) = (now(), destination());
        let gives_up = at.plus(std::time::Duration::from_secs(30));
        journal.permit_send(id, SendReason::Confirmed, &to, at, gives_up, None, &policy(1)).map(|permit| permit.id())
    };
    let record = |journal: &Journal, file: &str| {
        for (person, kind) in [(0, StatementKind::Propose), (1, StatementKind::Approve)] {
            let signed_statement =
                StatementWithProposal { file: file.to_owned(), statement: statement(person, kind, file) };
            journal.record_statement(id, signed_statement, now()).unwrap();
        }
    };
    {
        let journal = anna.journal();
        record(&journal, &other);
        let error = permit_send(&journal).unwrap_err().to_string();
        assert!(error.contains("the journal's record of this payment is not the one that was proposed"), "{error}");
    }
    let audit = anna.path("audit.json");
    let verify = |code: i32| {
        fs::write(&audit, anna.prints(&["export", "audit", "--format", "json"])).unwrap();
        let signers = anna.path(".config/bursar/allowed_signers");
        let (audit, signers) = (audit.to_str().unwrap(), signers.to_str().unwrap());
        anna.ends(code, &["approvals", "verify", "--all", audit, "--signers", signers])
    };
    let report = verify(1);
    assert!(report.contains("the proposal names another record of the order's draft"), "{report}");
    // Proposed anew by its own record, it is sent.
    let journal = anna.journal();
    record(&journal, &file);
    assert_eq!(permit_send(&journal).unwrap(), id);
    drop(journal);
    assert!(verify(1).contains("payments sent with their approvals: 1"));
}

#[test]
fn rules_change_only_with_the_signatures_of_those_before() {
    let folder = TempDir::new().unwrap();
    let anna = Desk::new(0, &folder, 1);
    proposes(&anna, &folder, 1);
    assert!(anna.prints(&["approvals", "policy"]).contains("recorded  the same"));
    let config = anna.path(".config/bursar/config.toml");
    let loose = fs::read_to_string(&config).unwrap().replace("above = \"20\"", "above = \"2000\"");
    fs::write(&config, loose).unwrap();
    let output = anna.prints(&["approvals", "policy"]);
    for text in ["OTHERS; nothing is paid", "- rule    USDC above 20:", "+ rule    USDC above 2,000:", "2 people"] {
        assert!(output.contains(text), "no {text} in\n{output}");
    }
    let before = PolicyRecord::new(&destination().base_url, None, &policy(1));
    let mut after = policy(1);
    after.rules[0].above = Some(Amount::parse("2000", 6).unwrap());
    let change = PolicyRecord::new(&destination().base_url, Some(&before), &after);
    let adopt = |people: &[usize]| {
        let signatures = people.iter().map(|person| signature(*person, StatementKind::Policy, &change.file));
        fs::write(anna.path("policy.txt"), change.file.clone() + &signatures.collect::<String>()).unwrap();
        anna.run(&["approvals", "policy", "--adopt", "policy.txt"])
    };
    // One person signs twice, and counts once.
    let output = adopt(&[0, 0]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("needs 2 people"), "{output:?}");
    assert!(adopt(&[0, 1]).status.success());
    assert!(anna.prints(&["approvals", "policy"]).contains("recorded  the same"));
}

#[test]
fn doctor_says_who_signs_here_and_what_binds() {
    let folder = TempDir::new().unwrap();
    let anna = Desk::new(0, &folder, 1);
    let lines = |desk: &Desk| {
        let output = desk.run(&["doctor", "--offline", "--json"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let of_approvals = |finding: &&Value| finding["about"] == "approvals";
        let line = |finding: &Value| {
            format!("{} {}", finding["verdict"].as_str().unwrap(), finding["words"].as_str().unwrap())
        };
        report["findings"].as_array().unwrap().iter().filter(of_approvals).map(line).collect::<Vec<_>>().join("\n")
    };
    let audit_lines = lines(&anna);
    for text in [
        "ok 3 people may sign now: anna, bert, carla",
        "ok this console signs as anna",
        "can be read and written",
        "note the journal records no rules yet",
        "note binding: convention (role = \"both\").",
    ] {
        assert!(audit_lines.contains(text), "no {text} in\n{audit_lines}");
    }
    proposes(&anna, &folder, 1);
    assert!(lines(&anna).contains("ok the rules and the people are those that the journal records"));
    let config = anna.path(".config/bursar/config.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(
        &config,
        text.replace("signing_key", "role = \"propose\"\nsigning_key").replace("needs = 1", "needs = 3"),
    )
    .unwrap();
    fs::remove_dir_all(folder.path()).unwrap();
    let audit_lines = lines(&anna);
    for text in [
        "no payment under this rule can ever be sent",
        "there is no such folder",
        "wrong the rules or the people are not those that the journal records",
        "note role = \"propose\": this console proposes and approves, and never sends.",
    ] {
        assert!(audit_lines.contains(text), "no {text} in\n{audit_lines}");
    }
    fs::write(anna.path(".config/bursar/allowed_signers"), "anna nothing\n").unwrap();
    assert!(lines(&anna).contains("wrong "), "{}", lines(&anna));
}

#[test]
#[ignore = "needs ssh-keygen"]
fn the_folder_is_verified_by_stock_openssh_as_the_manual_says() {
    let folder = TempDir::new().unwrap();
    let anna = Desk::new(0, &folder, 1);
    let (id, file) = proposes(&anna, &folder, 1);
    approves_in_folder(&folder, id, 1, &file);
    let signers = folder.path().join("allowed_signers");
    fs::write(&signers, allowed_signers(&[0, 1, 2])).unwrap();
    let verify = |person: &str, kind: &str| {
        let proposal = fs::File::open(folder.path().join(format!("{id}.proposal"))).unwrap();
        let mut command = std::process::Command::new("ssh-keygen");
        command.current_dir(folder.path()).args(["-Y", "verify", "-f", "allowed_signers", "-I", person]);
        command.args(["-n", &format!("{kind}@bursar"), "-s", &format!("{id}.{person}.{kind}.sig")]);
        command.stdin(proposal).output().unwrap().status.success()
    };
    assert!(verify("anna", "propose") && verify("bert", "approve"));
    let path = folder.path().join(format!("{id}.proposal"));
    fs::write(&path, file.replace("\"25\"", "\"26\"")).unwrap();
    assert!(!verify("bert", "approve"));
}
