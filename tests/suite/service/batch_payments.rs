//! One payment to several recipients.

use serde_json::{Value, json};
use uuid::Uuid;

use super::test_service::{OUTSIDE, TestService, text};

const PATH: &str = "/v2/transactions/withdraw/batch";
const OTHER: &str = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

fn raw(amount: &Value) -> u128 {
    text(&amount["raw"]).parse().unwrap()
}

async fn batch(house: &TestService, chain: &str) -> Value {
    json!({
        "idempotencyKey": Uuid::new_v4(), "walletId": house.treasury(chain).await["id"], "token": "USDC",
        "blockchain": chain, "refId": "payroll-2026-01", "note": "January", "metadata": { "run": 7 }, "queue": false,
        "to": [{ "address": OUTSIDE, "amount": "10.5" }, { "address": OTHER, "amount": "4.5" }],
    })
}

#[tokio::test]
async fn a_batch_is_one_transaction_that_takes_its_sum_and_one_fee() {
    let house = TestService::open().await;
    house.wait(3_600).await;
    let user = house.treasury_user().await;
    let before = house.balance_of(&user, "ethereum", "USDC").await;
    let request = batch(&house, "ethereum").await;
    let answer = house.post(PATH, &request).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    let row = answer.body["data"].clone();
    assert_eq!((&row["isBatch"], &row["txSubType"]), (&json!(true), &json!("BATCH_WITHDRAW")));
    assert_eq!((raw(&row["amount"]), &row["toAddress"]), (15_000_000, &Value::Null));
    assert_eq!((&row["idempotencyKey"], &row["refId"]), (&request["idempotencyKey"], &request["refId"]));
    assert!(row["transactionGroupId"].is_string());
    // One and a half times the fee of a single withdrawal: each further recipient costs half.
    assert_eq!(raw(&row["totalFee"]), 1_875_000);
    assert_eq!(raw(&row["totalAmount"]), 16_875_000);
    assert_eq!(house.balance_of(&user, "ethereum", "USDC").await, before - 16_875_000);
    assert_eq!(house.post(PATH, &request).await, answer, "the same request gets the same bytes");
    let mut other = request.clone();
    other["to"][1]["amount"] = json!("4.6");
    house.post(PATH, &other).await.expect_error(400, PATH);
    house.wait(3_600).await;
    let rows = house.get("/v2/transactions?txType=outgoing&pageLimit=1").await;
    assert_eq!(rows.body["data"][0]["id"], row["id"]);
    assert_eq!(house.service.find_payments_with_reference("payroll-2026-01").unwrap().len(), 1);
    house.service.ledger().check().unwrap();
}

#[tokio::test]
async fn recipients_of_this_service_get_exactly_their_amount_under_the_same_hash() {
    let house = TestService::open().await;
    house.wait(3_600).await;
    let wallets = house.all("/v2/wallets").await;
    let treasury = house.treasury("base").await;
    let customers: Vec<_> = wallets
        .iter()
        .filter(|wallet| wallet["blockchain"] == "base" && wallet["userId"] != treasury["userId"])
        .take(2)
        .collect();
    let mut before = Vec::new();
    for customer in &customers {
        before.push(house.balance_of(&text(&customer["userId"]), "base", "USDC").await);
    }
    // A chain may drop a batch, and all of it then; another one is tried.
    for attempt in 0..20 {
        let mut request = batch(&house, "base").await;
        request["to"] = json!([
            { "address": customers[0]["address"], "amount": "1" },
            { "address": customers[1]["address"], "amount": "2.25" },
            { "address": customers[0]["address"], "amount": "0.5" },
            { "address": OUTSIDE, "amount": "3" },
        ]);
        let answer = house.post(PATH, &request).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        house.wait(600).await;
        let hash = &answer.body["data"]["txHash"];
        let rows = house.all("/v2/transactions").await;
        let same: Vec<_> = rows.iter().filter(|row| row["txHash"] == *hash).collect();
        assert_eq!(same.len(), 4, "one row out and three in");
        assert!(same.iter().all(|row| row["status"] == same[0]["status"]), "all or none");
        if same[0]["status"] == "success" {
            break;
        }
        assert!(attempt < 19, "chains do not drop everything");
    }
    let gained = [1_500_000, 2_250_000];
    for (place, customer) in customers.iter().enumerate() {
        let after = house.balance_of(&text(&customer["userId"]), "base", "USDC").await;
        assert_eq!(after, before[place] + gained[place]);
    }
    house.service.ledger().check().unwrap();
}

#[tokio::test]
async fn a_batch_of_one_names_its_recipient_and_a_queued_one_waits_a_block() {
    let house = TestService::open().await;
    let mut request = batch(&house, "base").await;
    request["to"] = json!([{ "address": OUTSIDE.to_lowercase(), "amount": "1" }]);
    request["queue"] = json!(true);
    let answer = house.post(PATH, &request).await;
    assert_eq!((answer.status, &answer.body["data"]["toAddress"]), (201, &json!(OUTSIDE)), "{}", answer.text);
    assert_eq!(answer.body["data"]["isBatch"], json!(true));
}

#[tokio::test]
async fn every_recipient_that_is_wrong_is_named_and_nothing_is_paid() {
    let house = TestService::open().await;
    let good = batch(&house, "base").await;
    let before = house.all("/v2/transactions").await.len();
    let with = |to: Value| {
        let mut request = good.clone();
        request["to"] = to;
        request
    };
    let to = json!([
        { "address": OUTSIDE, "amount": "1" },
        { "address": "nobody", "amount": "-1" },
        { "amount": 5 },
        "text",
    ]);
    let message = house.post(PATH, &with(to)).await.expect_error(422, PATH);
    assert_eq!(
        message,
        json!(["to[2].address is required", "to[2].amount must be a string", "to[3] must be an object"])
    );
    let to = json!([{ "address": OUTSIDE, "amount": "1" }, { "address": "nobody", "amount": "0" }]);
    let message = house.post(PATH, &with(to)).await.expect_error(422, PATH);
    let message = message.as_array().unwrap();
    assert!(text(&message[0]).starts_with("to[1].address:") && text(&message[1]).starts_with("to[1].amount:"));
    for (to, word) in [
        (Value::Null, "to is required"),
        (json!({}), "to must be an array"),
        (json!([]), "to must not be empty"),
        (json!(vec![json!({ "address": OUTSIDE, "amount": "0.01" }); 501]), "at most 500"),
    ] {
        let message = house.post(PATH, &with(to)).await.expect_error(422, PATH);
        assert!(text(&message[0]).contains(word), "{message}");
    }
    let too_much = json!([{ "address": OUTSIDE, "amount": "400000" }, { "address": OTHER, "amount": "900000" }]);
    house.post(PATH, &with(too_much)).await.expect_error(400, PATH);
    let itself = json!([{ "address": house.treasury("base").await["address"], "amount": "1" }]);
    house.post(PATH, &with(itself)).await.expect_error(400, PATH);
    let mut elsewhere = good.clone();
    elsewhere["blockchain"] = json!("polygon");
    house.post(PATH, &elsewhere).await.expect_error(400, PATH);
    let mut unknown = good.clone();
    unknown["walletId"] = json!(Uuid::new_v4());
    house.post(PATH, &unknown).await.expect_error(404, PATH);
    let most = json!(vec![json!({ "address": OUTSIDE, "amount": "0.01" }); 500]);
    assert_eq!(house.all("/v2/transactions").await.len(), before);
    assert_eq!(house.post(PATH, &with(most)).await.status, 201);
    house.service.ledger().check().unwrap();
}
