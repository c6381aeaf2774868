//! Orders with approvals: the header goes with them, and with no other order.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use bursar::domain::Network;
use bursar::domain::approval::{
    ApprovalRule, Envelope, Proposal, SignedStatement, Signers, StatementKind, StatementWithProposal, Touch,
    key_of_seed, sign_with,
};

use super::*;

fn policy() -> ApprovalPolicy {
    let key = |seed| key_of_seed(seed).public_key().to_openssh().unwrap();
    let signers = Signers::parse(&format!("anna {}\nbert {}\n", key(1), key(2)), "").unwrap();
    let rule = ApprovalRule {
        token: "*".into(),
        chain: None,
        above: None,
        always: true,
        needs: 1,
        touch: Touch::None,
        within: ApprovalRule::DEFAULT_VALIDITY,
    };
    ApprovalPolicy { rules: vec![rule], signers }
}

/// Anna proposes an order, and Bert approves it.
fn approve(office: &Office, order: &Order) -> Proposal {
    let request = &order.drafted.request;
    let proposal = Proposal {
        order: order.id,
        record_hash: office.journal.draft_hash(order.id).unwrap(),
        base_url: office.base_url.as_str().into(),
        environment: Some(Network::Testnet),
        method: request.method.clone(),
        path: request.path.clone(),
        made_at: noon(),
        expires: noon().plus(Duration::from_hours(24)),
        rule: "every token".into(),
        policy_hash: policy().hash(),
        maker: "anna".into(),
        body: request.body.clone(),
    };
    let file = proposal.to_file();
    for (seed, kind) in [(1, StatementKind::Propose), (2, StatementKind::Approve)] {
        let signature = sign_with(&key_of_seed(seed), kind.namespace(), file.as_bytes()).unwrap();
        let statement = SignedStatement::from_signature(&file, &signature, &policy().signers, noon()).unwrap();
        office
            .journal
            .record_statement(order.id, StatementWithProposal { file: file.clone(), statement }, noon())
            .unwrap();
    }
    proposal
}

#[tokio::test]
async fn a_service_that_enforces_approvals_pays_what_was_approved_and_nothing_else() {
    let office = Office::with(|options| options.approvals = Some(policy())).await;
    let draft = office.payment().await;
    let (unapproved_key, approved_key) = (Uuid::new_v4(), Uuid::new_v4());
    let order = office.confirmed_order(draft.clone(), unapproved_key);
    let answer = office.send(&office.operator(), &order, SendReason::Confirmed).await;
    assert_eq!(
        (answer.outcome, answer.status, office.executions(unapproved_key)),
        (Outcome::ProbablyRefused { wait: None }, Some(403), 0)
    );
    let message = "approval_required: this payment needs 1 approval and was not proposed";
    assert!(answer.message.contains(message), "{}", answer.message);

    let order = office.confirmed_order(draft, approved_key);
    approve(&office, &order);
    let answer = office.send(&office.operator(), &order, SendReason::Confirmed).await;
    assert_eq!((answer.outcome, office.executions(approved_key)), (Outcome::Accepted, 1), "{}", answer.message);
}

/// A listener that takes one request after the other, hangs up, and gives what came.
fn wiretap(requests: usize) -> (String, thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}", listener.local_addr().unwrap());
    let worker = thread::spawn(move || {
        let take = |_| {
            let (mut stream, _) = listener.accept().unwrap();
            let (mut bytes, mut piece) = (Vec::new(), [0; 4_096]);
            while !bytes.ends_with(b"}") {
                let count = stream.read(&mut piece).unwrap();
                bytes.extend_from_slice(&piece[..count]);
            }
            stream.write_all(b"HTTP/1.1 500 Down\r\ncontent-length: 0\r\n\r\n").unwrap();
            String::from_utf8(bytes).unwrap()
        };
        (0..requests).map(take).collect()
    });
    (base_url, worker)
}

#[tokio::test]
async fn an_order_without_approvals_is_not_a_byte_longer_and_one_with_them_by_one_header() {
    let mut office = Office::open().await;
    let draft = office.payment().await;
    let (base_url, tap) = wiretap(2);
    office.base_url = base_url;
    let key = Uuid::new_v4();
    let plain = office.confirmed_order(draft.clone(), key);
    office.send(&office.operator(), &plain, SendReason::Confirmed).await;
    let order = office.confirmed_order(draft, key);
    let proposal = approve(&office, &order);
    office.send(&office.operator(), &order, SendReason::Confirmed).await;

    let [plain, approved_request] = <[String; 2]>::try_from(tap.join().unwrap()).unwrap();
    assert!(!plain.to_lowercase().contains("approvals"), "{plain}");
    let line = approved_request.lines().find(|line| line.starts_with("bursar-approvals: ")).unwrap();
    assert_eq!(approved_request.replacen(&format!("{line}\r\n"), "", 1), plain);
    let (_, value) = line.split_once(": ").unwrap();
    let envelope = Envelope::from_header(value.trim_end(), &proposal.body).unwrap();
    assert_eq!((envelope.file, envelope.signatures.len()), (proposal.to_file(), 2));
}
