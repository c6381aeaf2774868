//! Control requests: over HTTP, where the service was started with them, and never where money may be real.

use bursar::domain::Timestamp;
use bursar::service::ledger::{Ledger, NewWorkspace};
use bursar::service::{self, FailurePolicy, Options, Pace, ServiceClock};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::openapi;
use super::test_service::{NOON, TestService, folder, send_and_read, text};
use super::webhooks::WebhookReceiver;

/// A service that accepts control requests, whose chains decide by chance what becomes of transactions.
async fn controlled_service() -> TestService {
    let house = TestService::with(|options| options.with_control = true).await;
    house.service.set_failure_policy(FailurePolicy::ById);
    house
}

/// Sends a control request, and proves its answer by the document of the interface.
async fn control(house: &TestService, path: &str, body: Value) -> Value {
    let answer = house.post(path, &body).await;
    assert_eq!(answer.status, 201, "{path}: {}", answer.text);
    let document = openapi::document(house).await;
    let schema = &document["paths"][path]["post"]["responses"]["201"]["content"]["application/json"]["schema"];
    let mut faults = Vec::new();
    openapi::differences(&answer.body, schema, &document, "", &mut faults);
    assert_eq!(faults, Vec::<String>::new(), "{path}");
    answer.body["data"].clone()
}

/// The status of a transaction by now.
async fn status_of(house: &TestService, id: &Value) -> String {
    let rows = house.get("/v2/transactions?pageLimit=100").await.body["data"].clone();
    text(&rows.as_array().unwrap().iter().find(|row| row["id"] == *id).unwrap()["status"])
}

#[tokio::test]
async fn a_deposit_arrives_as_it_was_asked_for() {
    let house = controlled_service().await;
    let (user, wallet) = (house.treasury_user().await, house.treasury("base").await);
    let before = house.balance_of(&user, "base", "USDC").await;
    let mut arriving = Vec::new();
    for (status, at_first) in [(json!(null), "pending"), (json!("failed"), "pending"), (json!("success"), "success")] {
        let deposit = json!({ "walletId": wallet["id"], "token": "USDC", "amount": "12.5", "status": status });
        let row = control(&house, "/control/deposits", deposit).await;
        assert_eq!((&row["status"], &row["txType"]), (&json!(at_first), &json!("incoming")));
        assert_eq!(row["toAddress"], wallet["address"]);
        arriving.push(row["id"].clone());
    }
    assert_eq!(house.balance_of(&user, "base", "USDC").await, before + 12_500_000, "one is credited at once");
    control(&house, "/control/clock", json!({ "advance": "5m" })).await;
    for (id, status) in arriving.iter().zip(["success", "failed", "success"]) {
        assert_eq!(status_of(&house, id).await, status);
    }
    assert_eq!(house.balance_of(&user, "base", "USDC").await, before + 25_000_000);
    let elsewhere = json!({ "walletId": wallet["id"], "token": "SOL", "amount": "1" });
    house.post("/control/deposits", &elsewhere).await.expect_error(422, "/control/deposits");
}

#[tokio::test]
async fn the_clock_moves_forward_and_the_chains_with_it_and_stays_there_after_a_restart() {
    let (_folder, place) = folder();
    let options = || Options {
        ledger_location: place.clone(),
        clock: ServiceClock::movable(),
        with_control: true,
        ..Options::temporary()
    };
    let service = service::start(options()).await.unwrap();
    let house = TestService::around(service, ServiceClock::System);
    let keys = house.keys();
    let time = |clock: &Value| Timestamp::parse_iso(&text(&clock["now"])).unwrap();
    let first = time(&control(&house, "/control/clock", json!({ "advance": "1s" })).await);
    let time_ahead = time(&control(&house, "/control/clock", json!({ "advance": "2h" })).await);
    assert!((7_200..7_500).contains(&first.age(time_ahead).as_secs()), "{first} {time_ahead}");
    house.service.stop().await.unwrap();
    let restarted_service = service::start(options()).await.unwrap();
    let house = TestService::knowing(restarted_service, ServiceClock::System, keys.0, keys.1);
    let later = time(&control(&house, "/control/clock", json!({ "advance": "1s" })).await);
    assert!(later >= time_ahead, "{later}");
    for amount in ["0s", "400days", "-1s", "soon"] {
        house.post("/control/clock", &json!({ "advance": amount })).await.expect_error(422, "/control/clock");
    }
}

#[tokio::test]
async fn the_next_payment_fails_on_its_chain_and_the_one_after_it_does_not() {
    let house = controlled_service().await;
    assert_eq!(control(&house, "/control/payments/fail", json!({})).await, json!({ "count": 1 }));
    let mut refused_payment = house.payment().await;
    refused_payment["amount"] = json!("999999999");
    house.post("/v2/transactions/withdraw", &refused_payment).await.expect_error(400, "/v2/transactions/withdraw");
    let mut ids = Vec::new();
    for _ in 0..2 {
        let answer = house.post("/v2/transactions/withdraw", &house.payment().await).await;
        assert_eq!((answer.status, &answer.body["data"]["status"]), (201, &json!("pending")), "{}", answer.text);
        ids.push(answer.body["data"]["id"].clone());
    }
    house.wait(300).await;
    assert_eq!(status_of(&house, &ids[0]).await, "failed", "the refused one used nothing up");
    assert_eq!(status_of(&house, &ids[1]).await, "success");
}

/// By chance is for the ledger's own tests: it takes hundreds.
#[tokio::test]
async fn payments_of_callers_fail_as_the_service_was_told() {
    for (failures, expected) in [(FailurePolicy::Never, "success"), (FailurePolicy::Always, "failed")] {
        let house = TestService::with(|options| options.failures_of_callers = failures).await;
        house.service.set_failure_policy(FailurePolicy::ById);
        for _ in 0..3 {
            assert_eq!(house.post("/v2/transactions/withdraw", &house.payment().await).await.status, 201);
        }
        house.wait(300).await;
        let rows = house.all("/v2/transactions?txType=outgoing").await;
        let statuses: Vec<_> =
            rows.iter().filter(|row| row["refId"] == "invoice-2291").map(|row| &row["status"]).collect();
        assert_eq!(statuses, [expected; 3], "{failures:?}");
    }
}

#[tokio::test]
async fn events_are_sent_again_with_their_identifiers_and_bytes() {
    let mut receiver = WebhookReceiver::open(&[]).await;
    let url = receiver.url.parse().unwrap();
    let house = TestService::with(|options| {
        options.webhooks = vec![url];
        options.with_control = true;
        options.sample = None;
    })
    .await;
    let wallet = funded_wallet(&house).await;
    let deposit = |amount: &str| json!({ "walletId": wallet, "token": "USDC", "amount": amount, "status": "success" });
    for amount in ["1", "2"] {
        control(&house, "/control/deposits", deposit(amount)).await;
    }
    let document = openapi::document(&house).await;
    let mut events = Vec::new();
    for _ in 0..3 {
        let event = receiver.next().await;
        let mut faults = Vec::new();
        openapi::differences(
            &event.body,
            &document["components"]["schemas"]["WebhookEvent"],
            &document,
            "",
            &mut faults,
        );
        assert_eq!(faults, Vec::<String>::new());
        events.push(event.body);
    }
    assert_eq!(control(&house, "/control/webhooks/replay", json!({ "last": 2 })).await, json!({ "deliveries": 2 }));
    assert_eq!([receiver.next().await.body, receiver.next().await.body], events[1..]);
    assert_eq!(control(&house, "/control/webhooks/replay", json!({})).await, json!({ "deliveries": 3 }));
    for event in events {
        assert_eq!(receiver.next().await.body, event);
    }
}

/// A wallet on Base in a workspace of its own, with a little in it.
async fn funded_wallet(house: &TestService) -> Value {
    let key = || json!(Uuid::new_v4());
    let account = house.post("/v2/accounts", &json!({ "idempotencyKey": key(), "name": "Treasury" })).await;
    let wallet = json!({ "idempotencyKey": key(), "accountId": account.body["data"]["id"], "blockchain": "base" });
    let wallet = house.post("/v2/wallets", &wallet).await.body["data"]["id"].clone();
    let deposit = json!({ "walletId": wallet, "token": "USDC", "amount": "100", "status": "success" });
    control(house, "/control/deposits", deposit).await;
    wallet
}

#[tokio::test]
async fn a_reset_begins_anew_under_the_same_keys() {
    for sample in [true, false] {
        let house = TestService::with(|options| {
            options.with_control = true;
            options.lively = true;
            options.sample = options.sample.filter(|_| sample);
        })
        .await;
        house.service.set_failure_policy(FailurePolicy::ById);
        let lists = ["/v2/transactions", "/v2/wallets", "/v2/users", "/v2/accounts"];
        let mut first = Vec::new();
        for list in lists {
            first.push(house.all(list).await);
        }
        funded_wallet(&house).await;
        house.post("/v2/users", &json!({ "refId": "x", "email": "a@example.com", "displayName": "A" })).await;
        assert_ne!(house.all("/v2/transactions").await, first[0]);
        let reset = control(&house, "/control/reset", json!({})).await;
        assert_eq!(reset, json!({ "now": NOON }));
        for (list, before) in lists.iter().zip(first) {
            assert_eq!(house.all(list).await, before, "{list}");
        }
        house.service.ledger().check().unwrap();
        house.wait(60).await;
        assert_eq!(house.all("/v2/transactions").await.len() > 240, sample, "its business goes on");
    }
}

#[tokio::test]
async fn control_requests_are_served_only_where_asked_for_and_never_where_money_may_be_real() {
    let requests = [
        ("/control/deposits", json!({ "walletId": "w", "token": "USDC", "amount": "1" })),
        ("/control/clock", json!({ "advance": "1m" })),
        ("/control/payments/fail", json!({})),
        ("/control/webhooks/replay", json!({})),
        ("/control/reset", json!({})),
    ];
    let house = TestService::open().await;
    for (path, body) in &requests {
        house.post(path, body).await.expect_error(404, path);
    }
    let (_folder, place) = folder();
    let now = Timestamp::parse_iso(NOON).unwrap();
    let ledger = Ledger::open(&place, Pace::USUAL).unwrap();
    ledger.create_workspace(NewWorkspace::with_random_id("Live", "mainnet"), now).unwrap();
    drop(ledger);
    let clock = ServiceClock::manual(now);
    let options = Options { ledger_location: place, clock: clock.clone(), with_control: true, ..Options::temporary() };
    let house = TestService::around(service::start(options).await.unwrap(), clock);
    for (path, body) in &requests {
        let message = text(&house.post(path, body).await.expect_error(403, path));
        assert!(message.contains("this one is on mainnet"), "{message}");
        let stranger = house.bare_request(Method::POST, path).json(body);
        send_and_read(stranger).await.expect_error(401, path);
    }
    assert_eq!(house.clock.now(), now);
}
