//! Exactly once, whoever asks twice.

use bursar::service::ServiceClock;
use futures::future::join_all;
use serde_json::json;
use uuid::Uuid;

use super::test_service::{TestService, folder, text};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn twins_that_arrive_together_get_one_payment_and_the_same_bytes() {
    let house = TestService::open().await;
    let payment = house.payment().await;
    let before = house.all("/v2/transactions?txType=outgoing").await.len();
    let answers = join_all((0..12).map(|_| house.post("/v2/transactions/withdraw", &payment))).await;
    for answer in &answers {
        assert_eq!(answer, &answers[0]);
    }
    assert_eq!(answers[0].status, 201, "{}", answers[0].text);
    let after = house.all("/v2/transactions?txType=outgoing").await;
    assert_eq!(after.len(), before + 1);
    assert_eq!(after[0]["idempotencyKey"], payment["idempotencyKey"]);
    assert_eq!(after[0]["id"], answers[0].body["data"]["id"]);
}

#[tokio::test]
async fn a_key_outlives_a_restart_and_time() {
    let (_folder, place) = folder();
    let house = TestService::with(|options| options.ledger_location = place.clone()).await;
    let payment = house.payment().await;
    let first = house.post("/v2/transactions/withdraw", &payment).await;
    assert_eq!(first.status, 201, "{}", first.text);
    house.wait(86_400).await;
    let (key, secret) = house.keys();
    let now = house.clock.now();
    house.service.stop().await.unwrap();

    let clock = ServiceClock::manual(now);
    let mut options = bursar::service::Options::temporary();
    options.ledger_location = place;
    options.clock = clock.clone();
    let restarted_service = bursar::service::start(options).await.unwrap();
    assert!(restarted_service.api_key().is_none(), "a key is shown once");
    let house = TestService::knowing(restarted_service, clock, key, secret);
    let retry = house.post("/v2/transactions/withdraw", &payment).await;
    assert_eq!(retry, first);
    let rows = house.all("/v2/transactions?txType=outgoing").await;
    assert_eq!(rows.iter().filter(|row| row["idempotencyKey"] == payment["idempotencyKey"]).count(), 1);
}

#[tokio::test]
async fn a_key_belongs_to_one_body_over_all_operations() {
    let house = TestService::open().await;
    let key = Uuid::new_v4();
    let first = house.post("/v2/accounts", &json!({ "idempotencyKey": key, "name": "Reserve" })).await;
    assert_eq!(first.status, 201, "{}", first.text);
    let loud = text(&json!(key)).to_uppercase();
    let same = house.post("/v2/accounts", &json!({ "name": "Reserve", "idempotencyKey": loud })).await;
    assert_eq!(same, first, "the order of members and the case of the key do not count");
    let path = "/v2/accounts";
    house.post(path, &json!({ "idempotencyKey": key, "name": "Other" })).await.expect_error(400, path);
    house.post(path, &json!({ "idempotencyKey": key, "name": "Reserve", "more": 1 })).await.expect_error(400, path);
    let mut payment = house.payment().await;
    payment["idempotencyKey"] = json!(key);
    let path = "/v2/transactions/withdraw";
    house.post(path, &payment).await.expect_error(400, path);
    let mut plain = house.payment().await;
    let answer = house.post(path, &plain).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    plain["amount"] = json!("25.0");
    house.post(path, &plain).await.expect_error(400, path);
}

#[tokio::test]
async fn a_refused_request_does_not_use_up_its_key() {
    let house = TestService::open().await;
    let path = "/v2/transactions/withdraw";
    let mut payment = house.payment().await;
    for (status, field, value) in [
        (400, "amount", json!("999999999999")),
        (422, "amount", json!("1e3")),
        (404, "walletId", json!(Uuid::new_v4())),
        (422, "withdrawalAddress", json!("0x52908400098527886E0F7030069857D2E4169Ee7")),
        (422, "token", json!("NOSUCH")),
    ] {
        let mut invalid = payment.clone();
        invalid[field] = value;
        house.post(path, &invalid).await.expect_error(status, path);
    }
    payment["note"] = json!("the one that is right");
    assert_eq!(house.post(path, &payment).await.status, 201);
}
