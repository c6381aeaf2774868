//! What a payment does to balances and history, as the chains go on.

use bursar::service::FailurePolicy;
use serde_json::{Value, json};
use uuid::Uuid;

use super::test_service::{TestService, payment_of, text};

fn raw(amount: &Value) -> u128 {
    text(&amount["raw"]).parse().unwrap()
}

#[tokio::test]
async fn a_payment_leaves_the_balance_at_once_and_settles_block_by_block() {
    let house = TestService::open().await;
    let user = house.treasury_user().await;
    // What was pending at the start settles first, so that it does not mix in.
    house.wait(3_600).await;
    let before = house.balance_of(&user, "base", "USDC").await;
    let answer = house.post("/v2/transactions/withdraw", &house.payment().await).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    let payment_row = answer.body["data"].clone();
    assert_eq!((&payment_row["status"], &payment_row["confirmation"]), (&json!("pending"), &json!(0)));
    assert_eq!(raw(&payment_row["amount"]), 25_000_000);
    assert_eq!(raw(&payment_row["totalAmount"]), raw(&payment_row["amount"]) + raw(&payment_row["totalFee"]));
    assert_eq!(payment_row["feeToken"], "USDC");
    assert_eq!(house.balance_of(&user, "base", "USDC").await, before - raw(&payment_row["totalAmount"]));

    let mut statuses = Vec::new();
    let last = loop {
        house.wait(1).await;
        let rows = house.get("/v2/transactions?txType=outgoing&pageLimit=5").await;
        let row =
            rows.body["data"].as_array().unwrap().iter().find(|row| row["id"] == payment_row["id"]).unwrap().clone();
        statuses.push(row["confirmation"].as_u64().unwrap());
        if row["status"] != "pending" {
            break row;
        }
        assert!(statuses.len() < 120, "the default settles in seconds: {statuses:?}");
    };
    assert!(statuses.first() < statuses.last() && statuses.is_sorted(), "{statuses:?}");
    let after = house.balance_of(&user, "base", "USDC").await;
    assert_eq!((&last["status"], &last["confirmed"]), (&json!("success"), &json!(true)));
    assert_eq!(after, before - raw(&payment_row["totalAmount"]));
    assert!(last["confirmedAt"].is_string());
    house.service.ledger().check().unwrap();
}

#[tokio::test]
async fn a_payment_that_fails_on_its_chain_comes_back_with_its_fee() {
    let house = TestService::open().await;
    let user = house.treasury_user().await;
    house.wait(3_600).await;
    house.service.set_failure_policy(FailurePolicy::Always);
    let before = house.balance_of(&user, "ethereum", "USDC").await;
    let mut payment = payment_of(house.treasury("ethereum").await["id"].as_str().unwrap());
    payment["blockchain"] = json!("ethereum");
    let payment_row = house.post("/v2/transactions/withdraw", &payment).await.body["data"].clone();
    assert!(raw(&payment_row["totalFee"]) > 0, "{payment_row}");
    assert_eq!(house.balance_of(&user, "ethereum", "USDC").await, before - raw(&payment_row["totalAmount"]));
    house.wait(60).await;
    let rows = house.get("/v2/transactions?txType=outgoing&pageLimit=1").await;
    let last = &rows.body["data"][0];
    assert_eq!((&last["id"], &last["status"]), (&payment_row["id"], &json!("failed")));
    assert_eq!((&last["confirmed"], &last["confirmedAt"]), (&json!(false), &Value::Null));
    assert_eq!(house.balance_of(&user, "ethereum", "USDC").await, before);
    house.service.ledger().check().unwrap();
}

#[tokio::test]
async fn a_payment_to_an_address_of_this_service_arrives_under_the_same_hash() {
    let house = TestService::open().await;
    let wallets = house.all("/v2/wallets").await;
    let treasury = house.treasury("base").await;
    let customer =
        wallets.iter().find(|wallet| wallet["blockchain"] == "base" && wallet["userId"] != treasury["userId"]).unwrap();
    let user = text(&customer["userId"]);
    house.wait(3_600).await;
    let before = house.balance_of(&user, "base", "USDC").await;
    let mut payment = house.payment().await;
    payment["withdrawalAddress"] = customer["address"].clone();
    let answer = house.post("/v2/transactions/withdraw", &payment).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    assert_eq!(house.balance_of(&user, "base", "USDC").await, before, "a deposit counts when it is final");
    house.wait(120).await;
    let hash = &answer.body["data"]["txHash"];
    let find = |rows: Vec<Value>| rows.into_iter().find(|row| row["txHash"] == *hash);
    let outgoing = find(house.all("/v2/transactions?txType=outgoing").await).unwrap();
    let deposit =
        find(house.all(&format!("/v2/transactions?txType=incoming&walletId={}", text(&customer["id"]))).await);
    if outgoing["status"] == "success" {
        let deposit = deposit.unwrap();
        assert_eq!((&deposit["status"], &deposit["txSubType"]), (&json!("success"), &json!("DEPOSIT")));
        assert_eq!((&deposit["amount"], &deposit["toAddress"]), (&outgoing["amount"], &customer["address"]));
        assert_eq!(house.balance_of(&user, "base", "USDC").await, before + 25_000_000);
    } else {
        assert_eq!(house.balance_of(&user, "base", "USDC").await, before);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_balance_is_spent_twice_by_payments_that_race() {
    let house = TestService::open().await;
    let user = house.treasury_user().await;
    house.wait(3_600).await;
    let balance = house.balance_of(&user, "base", "USDC").await;
    // A little more than a third each: two can be paid and the others cannot.
    let amount = format!("{}", balance / 1_000_000 * 2 / 5);
    let mut payments = Vec::new();
    for _ in 0..8 {
        let mut payment = house.payment().await;
        payment["amount"] = json!(amount);
        payments.push(payment);
    }
    let requests = payments.iter().map(|payment| house.post("/v2/transactions/withdraw", payment));
    let answers = futures::future::join_all(requests).await;
    let statuses = |status: u16| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!((statuses(201), statuses(400)), (2, 6), "{:?}", answers.iter().map(|a| &a.text).collect::<Vec<_>>());
    house.service.ledger().check().unwrap();
}

#[tokio::test]
async fn a_wallet_switched_off_pays_nothing() {
    let house = TestService::open().await;
    let wallet = house.treasury("base").await;
    let answer = house.patch("/v2/wallets", &json!({ "walletId": wallet["id"], "isActive": false })).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.body["data"]["state"], "INACTIVE");
    let path = "/v2/transactions/withdraw";
    let payment = house.payment().await;
    house.post(path, &payment).await.expect_error(400, path);
    let on = house.patch("/v2/wallets", &json!({ "walletId": wallet["id"], "isActive": true, "name": "ops" })).await;
    assert_eq!((&on.body["data"]["state"], &on.body["data"]["name"]), (&json!("LIVE"), &json!("ops")));
    assert_eq!(house.post(path, &payment).await.status, 201);
}

#[tokio::test]
async fn wallets_follow_their_rules() {
    let house = TestService::open().await;
    let path = "/v2/wallets";
    let treasury = house.treasury("ethereum").await;
    let request = |chain: &str, reference: &str| {
        json!({ "idempotencyKey": Uuid::new_v4(), "accountId": treasury["accountId"], "blockchain": chain,
                "refId": reference, "userId": treasury["userId"] })
    };
    assert_eq!(house.post(path, &request("ethereum", "cold-1")).await.status, 201);
    house.post(path, &request("ethereum", "cold-1")).await.expect_error(400, path);
    house.post(path, &request("dogecoin", "cold-1")).await.expect_error(422, path);
    let mut unknown = request("base", "cold-1");
    unknown["accountId"] = json!(Uuid::new_v4());
    house.post(path, &unknown).await.expect_error(404, path);
    let mut unknown = request("base", "cold-1");
    unknown["userId"] = json!(Uuid::new_v4());
    house.post(path, &unknown).await.expect_error(404, path);
    house.patch(path, &json!({ "walletId": Uuid::new_v4(), "name": "x" })).await.expect_error(404, path);
    let other = house.post("/v2/users", &json!({ "refId": "newcomer" })).await;
    let patch = json!({ "walletId": treasury["id"], "userId": other.body["data"]["id"] });
    house.patch(path, &patch).await.expect_error(400, path);
}

#[tokio::test]
async fn amounts_and_addresses_are_read_strictly() {
    let house = TestService::open().await;
    let path = "/v2/transactions/withdraw";
    let payment = house.payment().await;
    for amount in ["", "0", "-1", "+1", "1e3", "1,000", " 1", "01", ".5", "5.", "0.0000001", "0x10", "１"] {
        let mut invalid = payment.clone();
        invalid["amount"] = json!(amount);
        let message = house.post(path, &invalid).await.expect_error(422, path);
        assert!(text(&message[0]).contains("amount"), "{amount}: {message}");
    }
    for address in
        ["", "0x", "0x5290", "52908400098527886E0F7030069857D2E4169EE7", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"]
    {
        let mut invalid = payment.clone();
        invalid["withdrawalAddress"] = json!(address);
        let message = house.post(path, &invalid).await.expect_error(422, path);
        assert!(text(&message[0]).contains("withdrawalAddress"), "{address}: {message}");
    }
    let mut lower = payment;
    lower["withdrawalAddress"] = json!(super::test_service::OUTSIDE.to_lowercase());
    assert_eq!(house.post(path, &lower).await.status, 201);
}
