//! A service that enforces approvals: a request that moves money is executed with the signatures that its rules ask for,
//! and with nothing less. A stolen paying key alone moves nothing.

use std::time::Duration;

use bursar::domain::approval::{
    APPROVALS_HEADER, ApprovalPolicy, ApprovalRule, PrivateKey, Proposal, Signers, StatementKind, Touch, encode_header,
    key_of_seed, sign_with,
};
use bursar::domain::{Amount, Network, OrderId, Timestamp};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::service::openapi::document;
use super::service::test_service::{NOON, OUTSIDE, TestResponse, TestService, payment_of, send_and_read, text};
use StatementKind::{Approve, Propose};

const DAY: Duration = Duration::from_hours(24);
const WITHDRAW: &str = "/v2/transactions/withdraw";
const ANNA: u8 = 1;
const BERT: u8 = 2;
const CARLA: u8 = 3;
const STRANGER: u8 = 9;
/// Whose key signs, and for what.
type Signature = (u8, StatementKind);
type Change = fn(&mut Proposal);

/// Anna proposes, Bert and Carla approve.
const SIGNED: [Signature; 3] = [(ANNA, Propose), (BERT, Approve), (CARLA, Approve)];

fn rule(token: &str, above: Option<&str>, needs: u8) -> ApprovalRule {
    ApprovalRule {
        token: token.into(),
        chain: None,
        above: above.map(|above| Amount::parse(above, 6).unwrap()),
        always: above.is_none(),
        needs,
        touch: Touch::None,
        within: DAY,
    }
}

fn key_line(person: u8) -> String {
    let key: PrivateKey = key_of_seed(person);
    key.public_key().to_openssh().unwrap()
}

fn policy(rule: ApprovalRule, revoked: &str) -> ApprovalPolicy {
    let people = [("anna", ANNA), ("bert", BERT), ("carla", CARLA)];
    let lines: Vec<String> = people.iter().map(|(name, seed)| format!("{name} {}", key_line(*seed))).collect();
    let lines = lines.join("\n");
    ApprovalPolicy { rules: vec![rule], signers: Signers::parse(&lines, revoked).unwrap() }
}

/// A service at which every payment needs two people besides its maker.
async fn strict_service() -> TestService {
    enforcing_service(rule("*", None, 2), "").await
}

async fn enforcing_service(rule: ApprovalRule, revoked: &str) -> TestService {
    let policy = policy(rule, revoked);
    TestService::with(|options| options.approvals = Some(policy)).await
}

fn noon() -> Timestamp {
    Timestamp::parse_iso(NOON).unwrap()
}

/// Anna's proposal of a request.
fn proposal(path: &str, body: &Value) -> Proposal {
    Proposal {
        order: OrderId(Uuid::new_v4()),
        record_hash: [7; 32],
        base_url: "https://desk.example.com".into(),
        environment: Some(Network::Testnet),
        method: "POST".into(),
        path: path.into(),
        made_at: noon(),
        expires: noon().plus(DAY),
        rule: "every token".into(),
        policy_hash: "ab".repeat(32),
        maker: "anna".into(),
        body: body.to_string(),
    }
}

fn header(proposal: &Proposal, signatures: &[Signature]) -> String {
    let file = proposal.to_file();
    let sign = |(seed, kind): &Signature| sign_with(&key_of_seed(*seed), kind.namespace(), file.as_bytes()).unwrap();
    let signatures: Vec<String> = signatures.iter().map(sign).collect();
    encode_header(&file, &proposal.body, signatures.iter().map(String::as_str)).unwrap()
}

async fn pay(house: &TestService, path: &str, body: &Value, header: Option<&str>) -> TestResponse {
    let request = house.request(Method::POST, path).header("content-type", "application/json").body(body.to_string());
    send_and_read(match header {
        Some(header) => request.header(APPROVALS_HEADER, header),
        None => request,
    })
    .await
}

/// How often money left.
async fn payments(house: &TestService) -> usize {
    house.all("/v2/transactions?txType=outgoing").await.len()
}

/// A request of each operation that moves money, and whether it has an idempotency key.
async fn requests(house: &TestService) -> [(&'static str, Value, bool); 5] {
    let (wallet, user) = (house.treasury("base").await["id"].clone(), house.treasury_user().await);
    let key = || json!(Uuid::new_v4());
    [
        (WITHDRAW, payment_of(&text(&wallet)), true),
        (
            "/v2/transactions/withdraw/batch",
            json!({ "idempotencyKey": key(), "walletId": wallet, "token": "USDC", "blockchain": "base",
                    "to": [{ "address": OUTSIDE, "amount": "15" }, { "address": OUTSIDE, "amount": "10.5" }] }),
            true,
        ),
        (
            "/v2/swap",
            json!({ "idempotencyKey": key(), "walletId": wallet, "blockchain": "base", "fromCoin": "USDC",
                    "fromAmount": "25", "toCoin": "ETH" }),
            true,
        ),
        (
            "/v1/withdraw/create",
            json!({ "subWalletId": user, "coin": "USDC", "chain": "base", "withdrawalAddress": OUTSIDE, "amount": "25" }),
            false,
        ),
        (
            "/v1/instant-swap",
            json!({ "walletId": user, "fromCoin": "USDC", "fromAmount": "25", "toCoin": "ETH" }),
            false,
        ),
    ]
}

#[track_caller]
fn assert_refused(response: &TestResponse, path: &str, reason: &str) {
    assert_eq!(response.expect_error(403, path), json!(format!("approval_required: {reason}")));
}

#[tokio::test]
async fn the_document_names_the_header_for_each_operation_that_may_spend_and_only_where_approvals_are_enforced() {
    let house = strict_service().await;
    let enforcing_document = document(&house).await;
    let (mut spending, mut guarded) = (Vec::new(), Vec::new());
    for (path, methods) in enforcing_document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let description = operation["description"].as_str().unwrap_or_default();
            let may_spend = description.contains("`withdrawal`") || description.contains("`trading`");
            if may_spend && method != "get" {
                spending.push(path.as_str());
            }
            if operation.to_string().contains("Bursar-Approvals") {
                guarded.push(path.as_str());
                assert_eq!(operation["parameters"][0]["in"], "header", "{path}");
                assert!(text(&operation["responses"]["403"]["description"]).contains("approval_required"), "{path}");
                assert!(operation["responses"]["409"].is_object(), "{path}");
            }
        }
    }
    let mut paths_with_approval: Vec<_> = requests(&house).await.iter().map(|(path, ..)| *path).collect();
    paths_with_approval.sort_unstable();
    spending.sort_unstable();
    guarded.sort_unstable();
    assert_eq!((&spending, &guarded), (&paths_with_approval, &paths_with_approval));
    let plain = document(&TestService::open().await).await.to_string();
    assert!(!plain.to_lowercase().contains("approvals"), "nothing of it where nothing is enforced");
}

#[tokio::test]
async fn a_stolen_paying_key_moves_nothing_and_each_operation_is_executed_once_with_all_signatures() {
    let house = strict_service().await;
    for (path, body, has_key) in requests(&house).await {
        let before = payments(&house).await;
        let proposal = proposal(path, &body);
        let needs = "this payment needs 2 approvals and";
        assert_refused(&pay(&house, path, &body, None).await, path, &format!("{needs} was not proposed"));
        let short = pay(&house, path, &body, Some(&header(&proposal, &SIGNED[..2]))).await;
        assert_refused(&short, path, &format!("{needs} has 1: bert"));
        assert_eq!(payments(&house).await, before, "{path}");

        let approval = header(&proposal, &SIGNED);
        let answer = pay(&house, path, &body, Some(&approval)).await;
        assert_eq!(answer.status, 201, "{path}: {}", answer.text);
        let after = payments(&house).await;
        assert!(after > before, "{path}");
        let retry = pay(&house, path, &body, Some(&approval)).await;
        if has_key {
            assert_eq!(retry, answer, "{path}");
        } else {
            let message = "the approved order was executed before; nothing was executed";
            assert_eq!(retry.expect_error(409, path), json!(message));
        }
        assert_eq!(payments(&house).await, after, "{path}");
    }
}

#[tokio::test]
async fn an_approval_is_for_one_request_one_environment_and_a_time() {
    let house = strict_service().await;
    let body = house.payment().await;
    let before = payments(&house).await;
    let changes: [(Change, &str); 8] = [
        (|proposal| proposal.body.push(' '), "the proposal's body was changed: its SHA-256 is not the one in the head"),
        (
            |proposal| proposal.path = "/v1/withdraw/create".into(),
            "the proposal is for another request: /v1/withdraw/create instead of /v2/transactions/withdraw",
        ),
        (|proposal| proposal.method = "PATCH".into(), "the proposal is for another request: PATCH instead of POST"),
        (
            |proposal| proposal.environment = Some(Network::Mainnet),
            "the proposal is for the environment mainnet; this service is for testnet",
        ),
        (|proposal| proposal.environment = None, "the proposal names no environment; this service is for testnet"),
        (
            |proposal| {
                proposal.made_at = Timestamp::parse_iso("2026-01-04T11:00:00.000Z").unwrap();
                proposal.expires = noon();
            },
            "the proposal stands longer than the rule “every token, every amount: 2 approvals within 24 hours” allows; \
             propose the payment again",
        ),
        (
            |proposal| proposal.expires = noon(),
            "the proposal expired at 2026-01-05T12:00:00.000Z; propose the payment again",
        ),
        (
            |proposal| proposal.made_at = noon().plus(Duration::from_mins(6)),
            "the payment was proposed in the future, at 2026-01-05T12:06:00.000Z; check the clocks of both machines",
        ),
    ];
    for (change, reason) in changes {
        let mut proposal = proposal(WITHDRAW, &body);
        change(&mut proposal);
        assert_refused(&pay(&house, WITHDRAW, &body, Some(&header(&proposal, &SIGNED))).await, WITHDRAW, reason);
    }
    // The signatures stay what they are while time passes.
    let approval = header(&proposal(WITHDRAW, &body), &SIGNED);
    house.wait(DAY.as_secs()).await;
    let late = pay(&house, WITHDRAW, &body, Some(&approval)).await;
    assert_refused(&late, WITHDRAW, "the proposal expired at 2026-01-06T12:00:00.000Z; propose the payment again");
    assert_eq!(
        house.service.find_payments_with_key(Uuid::parse_str(&text(&body["idempotencyKey"])).unwrap()),
        Ok(Vec::new())
    );
    assert_eq!(payments(&house).await, before);
}

#[tokio::test]
async fn people_are_counted_by_the_signers_of_the_service_alone() {
    let house = enforcing_service(rule("*", None, 1), &key_line(CARLA)).await;
    let body = house.payment().await;
    let needs = "this payment needs 1 approval and has none";
    let cases: [(&[Signature], String); 6] = [
        (&[(ANNA, Propose)], needs.into()),
        (
            &[(ANNA, Propose), (ANNA, Approve)],
            format!("{needs}; not counted: anna (a maker does not approve the own proposal)"),
        ),
        (&[(ANNA, Propose), (CARLA, Approve)], format!("{needs}; not counted: carla (the key is revoked)")),
        (&[(BERT, Approve)], "anna is named as the maker and did not sign the proposal: there is no signature".into()),
        (&[(BERT, Propose), (BERT, Approve)], "the proposal names anna as its maker and is signed by bert".into()),
        (&[(ANNA, Propose), (BERT, Approve), (BERT, StatementKind::Refuse)], "bert refused this payment".into()),
    ];
    for (signatures, reason) in cases {
        let header = header(&proposal(WITHDRAW, &body), signatures);
        assert_refused(&pay(&house, WITHDRAW, &body, Some(&header)).await, WITHDRAW, &reason);
    }
    let strange = header(&proposal(WITHDRAW, &body), &[(ANNA, Propose), (STRANGER, Approve)]);
    let message = pay(&house, WITHDRAW, &body, Some(&strange)).await.expect_error(403, WITHDRAW);
    assert!(text(&message).ends_with("(the key is not among the signers)"), "{message}");
    let unreadable = "the header Bursar-Approvals is not written as bursar writes it";
    for header in ["", "approved", &"A".repeat(64)] {
        assert_refused(&pay(&house, WITHDRAW, &body, Some(header)).await, WITHDRAW, unreadable);
    }
    let long = "A".repeat(9_000);
    let reason = "the proposal and its signatures take 9000 bytes; the header Bursar-Approvals has at most 8192";
    assert_refused(&pay(&house, WITHDRAW, &body, Some(&long)).await, WITHDRAW, reason);
    let approval = header(&proposal(WITHDRAW, &body), &[(BERT, Approve), (ANNA, Propose)]);
    assert_eq!(pay(&house, WITHDRAW, &body, Some(&approval)).await.status, 201);
}

#[tokio::test]
async fn an_order_is_executed_once_under_whatever_idempotency_key_and_however_many_ask_at_once() {
    let house = strict_service().await;
    let first = house.payment().await;
    let order = proposal(WITHDRAW, &first);
    assert_eq!(pay(&house, WITHDRAW, &first, Some(&header(&order, &SIGNED))).await.status, 201);
    let mut second = first.clone();
    second["idempotencyKey"] = json!(Uuid::new_v4());
    let other = Proposal { order: order.order, ..proposal(WITHDRAW, &second) };
    let before = payments(&house).await;
    pay(&house, WITHDRAW, &second, Some(&header(&other, &SIGNED))).await.expect_error(409, WITHDRAW);
    assert_eq!(payments(&house).await, before);

    // What could not be done was not executed: its order may be tried again.
    let mut too_much = house.payment().await;
    too_much["amount"] = json!("999999999999");
    let order = header(&proposal(WITHDRAW, &too_much), &SIGNED);
    for _ in 0..2 {
        pay(&house, WITHDRAW, &too_much, Some(&order)).await.expect_error(400, WITHDRAW);
    }

    let [.., (path, body, _), _] = requests(&house).await;
    assert_eq!(path, "/v1/withdraw/create");
    let approval = header(&proposal(path, &body), &SIGNED);
    let all = (0..8).map(|_| pay(&house, path, &body, Some(&approval)));
    let mut statuses: Vec<_> = futures::future::join_all(all).await.iter().map(|response| response.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409, 409, 409, 409, 409]);
    assert_eq!(payments(&house).await, before + 1);
}

#[tokio::test]
async fn a_payment_that_no_rule_is_for_needs_nothing_and_what_cannot_be_read_needs_everything() {
    let house = enforcing_service(rule("USDC", Some("25"), 1), "").await;
    let cases = [
        (json!({ "amount": "25" }), 201),
        (json!({ "amount": "25", "token": "usdc" }), 201),
        (json!({ "amount": "25.000001" }), 403),
        // No rule is for it, and Base has none of it.
        (json!({ "amount": "26", "token": "EURC" }), 422),
        (json!({ "amount": "26", "token": null }), 403),
        (json!({ "amount": 5 }), 403),
    ];
    for (change, status) in cases {
        let mut body = house.payment().await;
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let response = pay(&house, WITHDRAW, &body, None).await;
        assert_eq!(response.status, status, "{change}: {}", response.text);
    }
    for (path, body, _) in requests(&house).await {
        // The batch has 25.5 in all, of two recipients; the others have 25.
        let expected = if path.ends_with("batch") { 403 } else { 201 };
        assert_eq!(pay(&house, path, &body, None).await.status, expected, "{path}");
    }
}

#[tokio::test]
async fn a_service_without_rules_takes_a_request_with_the_header_as_one_without() {
    let house = TestService::open().await;
    for (path, body, has_key) in requests(&house).await {
        let approval = header(&proposal(path, &body), &SIGNED[..1]);
        let answer = pay(&house, path, &body, Some(&approval)).await;
        assert_eq!(answer.status, 201, "{path}: {}", answer.text);
        let retry = pay(&house, path, &body, Some("anything")).await;
        assert_eq!((retry.status, retry == answer), (201, has_key), "{path}");
    }
}
