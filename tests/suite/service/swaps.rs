//! Quotes, swaps of both versions, and what is swept.

use serde_json::{Value, json};
use uuid::Uuid;

use super::test_service::{OUTSIDE, TestService, text};

const QUOTE: &[&str] = &["fee", "fromAmount", "fromCoin", "swapPrice", "toAmount", "toCoin"];

async fn quote(house: &TestService, from: &str, amount: &str, to: &str) -> Value {
    let answer = house.get(&format!("/v1/instant-swap/quote?fromCoin={from}&fromAmount={amount}&toCoin={to}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.body["data"].clone()
}

async fn swap(house: &TestService, chain: &str) -> Value {
    json!({
        "idempotencyKey": Uuid::new_v4(), "walletId": house.treasury(chain).await["id"], "blockchain": chain,
        "fromCoin": "USDC", "fromAmount": "1000", "toCoin": "ETH", "refId": "hedge-1", "note": "to ether",
    })
}

#[tokio::test]
async fn a_quote_is_all_texts_and_stands_for_half_a_minute() {
    let house = TestService::open().await;
    let first = quote(&house, "USDC", "1000", "ETH").await;
    assert_eq!(first.as_object().unwrap().keys().collect::<Vec<_>>(), QUOTE);
    assert!(first.as_object().unwrap().values().all(Value::is_string));
    assert_eq!((&first["fee"], &first["fromAmount"]), (&json!("1"), &json!("1000")));
    house.wait(29).await;
    assert_eq!(quote(&house, "usdc", "1000", "eth").await, first);
    house.wait(1).await;
    assert_ne!(quote(&house, "USDC", "1000", "ETH").await["toAmount"], first["toAmount"]);
    let path = "/v1/instant-swap/quote";
    for (query, word) in [
        ("", "fromCoin is required"),
        ("?fromCoin=NONE&fromAmount=1&toCoin=ETH", "fromCoin"),
        ("?fromCoin=USDC&fromAmount=1&toCoin=NONE", "toCoin"),
        ("?fromCoin=USDC&fromAmount=1&toCoin=USDC", "toCoin"),
        ("?fromCoin=USDC&fromAmount=1e3&toCoin=ETH", "fromAmount"),
        ("?fromCoin=USDC&fromAmount=0&toCoin=ETH", "fromAmount"),
        ("?fromCoin=USDC&fromAmount=0.0000001&toCoin=ETH", "fromAmount"),
    ] {
        let message = house.get(&format!("{path}{query}")).await.expect_error(422, path);
        assert!(message.to_string().contains(word), "{query}: {message}");
    }
    house
        .get(&format!("{path}?fromCoin=SHIB&fromAmount=0.000000000000000001&toCoin=USDC"))
        .await
        .expect_error(400, path);
}

#[tokio::test]
async fn a_swap_settles_as_quoted_in_two_rows_of_one_group() {
    let house = TestService::open().await;
    house.wait(3_600).await;
    let user = house.treasury_user().await;
    for attempt in 0.. {
        let before = (house.balance_of(&user, "base", "USDC").await, house.balance_of(&user, "base", "ETH").await);
        let request = swap(&house, "base").await;
        let quote_given = quote(&house, "USDC", "1000", "ETH").await;
        let answer = house.post("/v2/swap", &request).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        let row = &answer.body["data"];
        assert_eq!((&row["txSubType"], &row["txType"]), (&json!("SWAP"), &json!("outgoing")));
        assert_eq!((&row["totalAmount"]["formatted"], &row["refId"]), (&json!("1000.000000"), &request["refId"]));
        assert_eq!(house.balance_of(&user, "base", "USDC").await, before.0 - 1_000_000_000);
        assert_eq!(house.balance_of(&user, "base", "ETH").await, before.1, "what is bought counts when it is final");
        assert_eq!(house.post("/v2/swap", &request).await, answer, "the same request gets the same bytes");
        house.wait(600).await;
        let rows = house.all("/v2/transactions").await;
        let rows_of_swap: Vec<_> =
            rows.iter().filter(|other| other["transactionGroupId"] == row["transactionGroupId"]).collect();
        assert_eq!(rows_of_swap.len(), 2);
        assert!(
            rows_of_swap
                .iter()
                .all(|side| side["txHash"] == row["txHash"] && side["status"] == rows_of_swap[0]["status"])
        );
        let incoming = rows_of_swap.iter().find(|side| side["txType"] == "incoming").unwrap();
        assert_eq!(
            text(&incoming["amount"]["formatted"]).trim_end_matches('0'),
            text(&quote_given["toAmount"]).trim_end_matches('0')
        );
        let amount_gained: u128 = text(&incoming["amount"]["raw"]).parse().unwrap();
        let after = (house.balance_of(&user, "base", "USDC").await, house.balance_of(&user, "base", "ETH").await);
        house.service.ledger().check().unwrap();
        if rows_of_swap[0]["status"] == "success" {
            assert_eq!(after, (before.0 - 1_000_000_000, before.1 + amount_gained));
            break;
        }
        assert_eq!(after, before, "a swap that fails gives back what was sold");
        assert!(attempt < 20, "chains do not drop everything");
    }
}

#[tokio::test]
async fn a_swap_that_cannot_be_done_says_why() {
    let house = TestService::open().await;
    let path = "/v2/swap";
    let good = swap(&house, "base").await;
    for (field, value, status, word) in [
        ("idempotencyKey", json!("x"), 422, "idempotencyKey"),
        ("walletId", json!(Uuid::new_v4()), 404, "wallet"),
        ("blockchain", json!("none"), 422, "blockchain"),
        ("blockchain", json!("ethereum"), 400, "the wallet is on Base"),
        ("fromCoin", json!("NONE"), 422, "fromCoin"),
        ("toCoin", json!("SHIB"), 422, "toCoin: SHIB is not listed on Base"),
        ("toCoin", json!("USDC"), 422, "toCoin"),
        ("fromAmount", json!("999999999"), 400, "insufficient"),
        ("fromAmount", json!(1000), 422, "fromAmount"),
        ("note", json!([]), 422, "note"),
    ] {
        let mut request = good.clone();
        request[field] = value;
        let message = house.post(path, &request).await.expect_error(status, path);
        assert!(message.to_string().contains(word), "{field}: {message}");
    }
    let message = house.post(path, &json!({})).await.expect_error(422, path);
    assert_eq!(message.as_array().unwrap().len(), 6, "{message}");
    assert_eq!(house.post(path, &good).await.status, 201);
}

#[tokio::test]
async fn v1_swaps_out_of_whichever_wallet_has_the_coins() {
    let house = TestService::open().await;
    let user = house.treasury_user().await;
    let quoted = quote(&house, "USDC", "250", "SOL").await;
    let path = "/v1/instant-swap";
    let request = json!({ "walletId": user, "fromCoin": "USDC", "fromAmount": "250", "toCoin": "SOL", "extId": "s-1" });
    let answer = house.post(path, &request).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    let mut swap = answer.body["data"].clone();
    let id = swap.as_object_mut().unwrap().remove("swapId").unwrap();
    assert_eq!(swap, quoted);
    let rows = house.all("/v2/transactions").await;
    let rows_of_swap: Vec<_> = rows.iter().filter(|row| row["transactionGroupId"] == id).collect();
    assert_eq!(rows_of_swap.len(), 2);
    assert!(rows_of_swap.iter().all(|row| row["blockchain"] == "solana"), "where both coins live");
    let too_much = json!({ "walletId": user, "fromCoin": "USDC", "fromAmount": "99999999", "toCoin": "SOL" });
    house.post(path, &too_much).await.expect_error(400, path);
    let impossible_pair = json!({ "walletId": user, "fromCoin": "BNB", "fromAmount": "1", "toCoin": "SOL" });
    house.post(path, &impossible_pair).await.expect_error(400, path);
    let of_nobody = json!({ "walletId": Uuid::new_v4(), "fromCoin": "USDC", "fromAmount": "1", "toCoin": "SOL" });
    house.post(path, &of_nobody).await.expect_error(404, path);
    house.post(path, &json!({})).await.expect_error(422, path);
}

#[tokio::test]
async fn pairs_are_coins_that_live_on_one_chain() {
    let house = TestService::open().await;
    let pairs = house.all("/v1/swap/pairs").await;
    let is_pair = |from: &str, to: &str| pairs.contains(&json!({ "fromCoin": from, "toCoin": to }));
    assert!(is_pair("USDC", "ETH") && is_pair("ETH", "USDC") && is_pair("SOL", "USDT"));
    assert!(!is_pair("SOL", "BNB") && !is_pair("USDC", "USDC"));
}

#[tokio::test]
async fn native_coins_are_swept_into_the_settlement_account_and_others_stay() {
    let house = TestService::open().await;
    let user = house.post("/v2/users", &json!({ "refId": "swept" })).await.body["data"]["id"].clone();
    let accounts = house.all("/v2/accounts").await;
    let account = accounts.iter().find(|account| account["type"] == "USERS").unwrap();
    let swap = house
        .post(
            "/v2/wallets",
            &json!({ "idempotencyKey": Uuid::new_v4(), "accountId": account["id"], "userId": user,
                                      "blockchain": "ethereum", "refId": "swept", "autoSweep": true }),
        )
        .await;
    let wallet = swap.body["data"].clone();
    for (coin, amount) in [("USDC", "30"), ("ETH", "2.5"), ("ETH", "0.0001")] {
        let deposit = json!({ "destination": "on_chain", "coin": coin, "amount": amount, "chain": "ethereum",
                              "status": "success", "fromAddress": OUTSIDE, "toAddress": wallet["address"] });
        let answer = house.post("/v1/sandbox/sub-wallet/deposit", &deposit).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
    }
    let rows = house.all(&format!("/v2/transactions?walletId={}", text(&wallet["id"]))).await;
    let swept: Vec<_> = rows.iter().filter(|row| row["txSubType"] == "SWEEP").collect();
    assert_eq!(swept.len(), 1, "what does not cover its fee stays");
    let out = swept[0];
    assert_eq!((&out["txType"], &out["toAddress"]), (&json!("outgoing"), &house.treasury("ethereum").await["address"]));
    assert_eq!(
        (&out["totalAmount"]["formatted"], &out["triggerOrigin"]),
        (&json!("2.500000000000000000"), &json!("AUTO_SWEEP"))
    );
    house.wait(3_600).await;
    let rows_of_sweep: Vec<_> = house
        .all("/v2/transactions")
        .await
        .into_iter()
        .filter(|row| row["transactionGroupId"] == out["transactionGroupId"])
        .collect();
    assert_eq!(rows_of_sweep.len(), 2);
    assert!(rows_of_sweep.iter().all(|row| row["txSubType"] == "SWEEP" && row["txHash"] == out["txHash"]));
    let user = text(&user);
    assert_eq!(house.balance_of(&user, "ethereum", "USDC").await, 30_000_000);
    if rows_of_sweep[0]["status"] == "success" {
        assert_eq!(house.balance_of(&user, "ethereum", "ETH").await, 100_000_000_000_000);
    }
    house.service.ledger().check().unwrap();
}
