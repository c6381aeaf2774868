//! The operations of v1, field for field, and that they and v2 look at one ledger.

use serde_json::{Value, json};
use uuid::Uuid;

use super::test_service::{OUTSIDE, TestService, text};

const SUB_WALLET: &[&str] = &[
    "id",
    "clientUserId",
    "email",
    "name",
    "isActive",
    "language",
    "canTrade",
    "createdAt",
    "updatedAt",
    "workspaceId",
];
const ADDRESS: &[&str] = &["id", "coin", "chain", "network", "address", "workspaceId", "createdAt", "walletId", "tag"];
const ASSET: &[&str] = &["coin", "balance", "frozen", "updatedAt"];
const DEPOSIT: &[&str] = &[
    "id",
    "destination",
    "workspaceId",
    "fromWalletId",
    "toWalletId",
    "coin",
    "chain",
    "network",
    "amount",
    "status",
    "networkFee",
    "confirmation",
    "createdAt",
    "updatedAt",
    "clientTxId",
    "fromAddress",
    "toAddress",
    "hash",
    "transactionLink",
    "tagMemo",
];
const TRANSFER: &[&str] = &[
    "id",
    "workspaceId",
    "clientTxId",
    "fromWalletId",
    "toWalletId",
    "coin",
    "amount",
    "status",
    "networkFee",
    "tagMemo",
    "confirmed",
    "confirmedAt",
    "createdAt",
];

#[track_caller]
fn has(value: &Value, fields: &[&str]) {
    let mut expected = fields.to_vec();
    expected.sort_unstable();
    let members: Vec<_> = value.as_object().unwrap_or_else(|| panic!("{value} is no object")).keys().collect();
    assert_eq!(members, expected);
}

/// What a change gave, under `data`.
async fn post_ok(house: &TestService, path: &str, body: Value) -> Value {
    let answer = house.post(path, &body).await;
    assert_eq!(answer.status, 201, "{path}: {}", answer.text);
    has(&answer.body, &["success", "data"]);
    answer.body["data"].clone()
}

async fn sub_wallet(house: &TestService, name: &str) -> String {
    let sub_wallet = post_ok(house, "/v1/sub-wallet/create", json!({ "clientUserId": name, "name": name })).await;
    text(&sub_wallet["id"])
}

/// Credits an address of a sub-wallet and gives it.
async fn fund_address(house: &TestService, sub_wallet: &str, coin: &str, chain: &str, amount: &str) -> String {
    let request = json!({ "subWalletId": sub_wallet, "coin": coin, "chain": chain });
    let address = text(&post_ok(house, "/v1/sub-wallet/address", request).await["address"]);
    let deposit = json!({
        "destination": "on_chain", "coin": coin, "amount": amount, "chain": chain, "status": "success",
        "fromAddress": OUTSIDE, "toAddress": address,
    });
    post_ok(house, "/v1/sandbox/sub-wallet/deposit", deposit).await;
    address
}

async fn asset(house: &TestService, sub_wallet: &str, coin: &str) -> (String, String) {
    let answer = house.get(&format!("/v1/sub-wallet/assets?subWalletId={sub_wallet}&coin={coin}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    has(&answer.body, &["success", "data", "totalPage", "pageNo", "pageLimit"]);
    match answer.body["data"].as_array().unwrap().first() {
        Some(asset) => {
            has(asset, ASSET);
            (text(&asset["balance"]), text(&asset["frozen"]))
        }
        None => ("0".into(), "0".into()),
    }
}

#[tokio::test]
async fn a_sub_wallet_is_a_user_of_v2() {
    let house = TestService::open().await;
    let request = json!({ "email": "ada@example.com", "name": "Ada Quill", "clientUserId": "c-1", "canTrade": false });
    let sub_wallet = post_ok(&house, "/v1/sub-wallet/create", request).await;
    has(&sub_wallet, SUB_WALLET);
    assert_eq!((&sub_wallet["canTrade"], &sub_wallet["isActive"]), (&json!(false), &json!("true")));
    let language = text(&sub_wallet["language"]);
    assert_eq!((language.len(), language.as_bytes()[2]), (5, b'_'), "of the form xx_XX");
    let id = text(&sub_wallet["id"]);
    let answer = house.get(&format!("/v1/sub-wallet?subWalletId={id}")).await;
    assert_eq!(answer.body["data"], sub_wallet);
    let user = house.get(&format!("/v2/users?userId={id}")).await;
    assert_eq!((&user.body["data"]["refId"], &user.body["data"]["displayName"]), (&json!("c-1"), &json!("Ada Quill")));
    let other = house.post("/v2/users", &json!({ "refId": "from v2" })).await;
    let response = house.get(&format!("/v1/sub-wallet?subWalletId={}", text(&other.body["data"]["id"]))).await;
    assert_eq!(
        (&response.body["data"]["clientUserId"], &response.body["data"]["canTrade"]),
        (&json!("from v2"), &json!(true))
    );
    house.get(&format!("/v1/sub-wallet?subWalletId={}", Uuid::new_v4())).await.expect_error(404, "/v1/sub-wallet");
    house.get("/v1/sub-wallet").await.expect_error(422, "/v1/sub-wallet");
    let path = "/v1/sub-wallet/create";
    house.post(path, &json!({})).await.expect_error(422, path);
    let message =
        house.post(path, &json!({ "name": 5, "canTrade": "yes", "email": "nobody" })).await.expect_error(422, path);
    assert_eq!(message.as_array().unwrap().len(), 3, "{message}");
    let sub_wallets = house.all("/v1/sub-wallet/list").await;
    assert!(sub_wallets.contains(&sub_wallet));
}

#[tokio::test]
async fn an_address_is_made_once_for_each_chain_and_shown_again() {
    let house = TestService::open().await;
    let id = sub_wallet(&house, "ada").await;
    let path = "/v1/sub-wallet/address";
    let request = |coin: &str, chain: &str| json!({ "subWalletId": id, "coin": coin, "chain": chain });
    let first = post_ok(&house, path, request("USDC", "base")).await;
    has(&first, ADDRESS);
    assert_eq!((&first["walletId"], &first["coin"], &first["chain"]), (&json!(id), &json!("USDC"), &json!("base")));
    assert_eq!(post_ok(&house, path, request("USDC", "base")).await, first);
    assert_eq!(
        post_ok(&house, path, request("eth", "Base")).await["address"],
        first["address"],
        "one wallet for all coins"
    );
    assert_ne!(post_ok(&house, path, request("USDC", "solana")).await["address"], first["address"]);
    let wallets = house.all("/v2/wallets").await;
    let wallet = wallets.iter().find(|wallet| wallet["address"] == first["address"]).unwrap();
    assert_eq!((&wallet["userId"], &wallet["id"]), (&json!(id), &first["id"]));
    let accounts = house.all("/v2/accounts").await;
    let account = accounts.iter().find(|account| account["id"] == wallet["accountId"]).unwrap();
    assert_eq!(account["type"], "USERS");
    for (body, status, word) in [
        (request("USDC", "dogecoin"), 422, "chain"),
        (request("NONE", "base"), 422, "coin"),
        (request("SHIB", "base"), 422, "coin"),
        (json!({}), 422, "subWalletId"),
        (json!({ "subWalletId": Uuid::new_v4(), "coin": "USDC", "chain": "base" }), 404, "sub-wallet"),
    ] {
        let message = house.post(path, &body).await.expect_error(status, path);
        assert!(message.to_string().contains(word), "{message}");
    }
}

#[tokio::test]
async fn the_prime_wallet_is_the_settlement_account() {
    let house = TestService::open().await;
    let path = "/v1/sandbox/wallet/address";
    let created_address = post_ok(&house, path, json!({ "coin": "USDT", "chain": "ethereum" })).await;
    has(&created_address, ADDRESS);
    assert_eq!(created_address["address"], house.treasury("ethereum").await["address"], "the existing one");
    let accounts = house.all("/v2/accounts").await;
    let settlement = accounts.iter().find(|account| account["type"] == "SETTLEMENT").unwrap();
    assert_eq!(created_address["walletId"], settlement["id"]);
    let addresses = house.all("/v1/sandbox/wallet/address/list").await;
    for address in &addresses {
        has(address, ADDRESS);
    }
    assert!(addresses.contains(&created_address));
    let addresses = house.all("/v1/sandbox/wallet/address/list?coin=USDC&chain=base").await;
    assert_eq!(addresses.len(), 1);
    assert_eq!((&addresses[0]["coin"], &addresses[0]["chain"]), (&json!("USDC"), &json!("base")));
    let assets = house.all("/v1/sandbox/wallet/assets").await;
    for asset in &assets {
        has(asset, ASSET);
    }
    let user = house.treasury_user().await;
    let balances = house.get(&format!("/v2/users/balances?userId={user}")).await;
    let shib =
        balances.body["data"].as_array().unwrap().iter().find(|balance| balance["token"]["symbol"] == "SHIB").unwrap();
    let asset = assets.iter().find(|asset| asset["coin"] == "SHIB").unwrap();
    assert_eq!(asset["balance"], shib["amount"]["formatted"]);
    assert_eq!(house.all("/v1/sandbox/wallet/assets?coin=SHIB").await, std::slice::from_ref(asset));
    house.get("/v1/sandbox/wallet/assets?coin=NONE").await.expect_error(422, "/v1/sandbox/wallet/assets");
    house.post(path, &json!({ "coin": "USDT" })).await.expect_error(422, path);
}

#[tokio::test]
async fn an_empty_workspace_has_a_prime_wallet_as_soon_as_it_is_asked_for() {
    let house = TestService::with(|options| options.sample = None).await;
    assert_eq!(house.all("/v1/sandbox/wallet/assets").await, Vec::<Value>::new());
    assert_eq!(house.all("/v1/sandbox/wallet/address/list").await, Vec::<Value>::new());
    let id = sub_wallet(&house, "first").await;
    fund_address(&house, &id, "USDC", "base", "12.5").await;
    assert_eq!(asset(&house, &id, "USDC").await, ("12.5".into(), "0".into()));
    let accounts = house.all("/v2/accounts").await;
    let kinds: Vec<_> = accounts.iter().map(|account| text(&account["type"])).collect();
    assert_eq!(kinds, ["USERS", "SETTLEMENT"]);
}

#[tokio::test]
async fn a_sandbox_deposit_is_there_at_once_or_waits_for_its_chain() {
    let house = TestService::open().await;
    let id = sub_wallet(&house, "ada").await;
    let address = fund_address(&house, &id, "USDT", "bsc", "1.000000000000000001").await;
    assert_eq!(asset(&house, &id, "USDT").await, ("1.000000000000000001".into(), "0".into()));
    let path = "/v1/sandbox/sub-wallet/deposit";
    let pending = json!({
        "destination": "on_chain", "coin": "USDT", "amount": "2", "chain": "bsc", "status": "pending",
        "fromAddress": OUTSIDE.to_lowercase(), "toAddress": address,
    });
    let deposit = post_ok(&house, path, pending.clone()).await;
    has(&deposit, &["depositId"]);
    let find = format!("/v1/sub-wallet/deposit/list?depositId={}", text(&deposit["depositId"]));
    let record = house.get(&find).await.body["data"][0].clone();
    has(&record, DEPOSIT);
    assert_eq!((&record["status"], &record["destination"]), (&json!("pending"), &json!("on_chain")));
    assert_eq!((&record["toWalletId"], &record["fromAddress"]), (&json!(id), &json!(OUTSIDE)));
    assert_eq!(record["amount"], json!(2));
    house.wait(3_600).await;
    let deposit = house.get(&find).await.body["data"][0].clone();
    assert_eq!((&deposit["status"], &deposit["hash"]), (&json!("success"), &record["hash"]));
    assert!(text(&deposit["transactionLink"]).contains(&text(&deposit["hash"])));
    assert!(deposit["confirmation"].as_u64() > Some(0));
    assert_eq!(asset(&house, &id, "USDT").await.0, "3.000000000000000001");
    let in_v2 = house.all(&format!("/v2/transactions?txType=incoming&userId={id}")).await;
    assert_eq!((in_v2.len(), &in_v2[0]["txHash"]), (2, &deposit["hash"]));
    for (field, value, status, word) in [
        ("status", json!("updated"), 422, "status"),
        ("destination", json!("elsewhere"), 422, "destination"),
        ("fromAddress", Value::Null, 422, "fromAddress"),
        ("toAddress", json!("nobody"), 422, "toAddress"),
        ("toAddress", json!(OUTSIDE), 400, "toAddress"),
        ("amount", json!(2), 422, "amount"),
        ("amount", json!("0"), 422, "amount"),
        ("coin", json!("NONE"), 422, "coin"),
        ("chain", json!("none"), 422, "chain"),
    ] {
        let mut body = pending.clone();
        body[field] = value;
        let message = house.post(path, &body).await.expect_error(status, path);
        assert!(message.to_string().contains(word), "{field}: {message}");
    }
    house.service.ledger().check().unwrap();
}

#[tokio::test]
async fn amounts_of_v1_are_exact_numbers() {
    let house = TestService::open().await;
    let id = sub_wallet(&house, "whale").await;
    let amount = "123456789012345678901234567890.123456789012345678";
    fund_address(&house, &id, "DAI", "ethereum", amount).await;
    let answer = house.get(&format!("/v1/sub-wallet/deposit?subWalletId={id}")).await;
    assert!(answer.text.contains(&format!("\"amount\":{amount},")), "{}", answer.text);
}

#[tokio::test]
async fn deposits_are_found_by_everything_that_the_specification_filters_by() {
    let house = TestService::open().await;
    let whole = house.all("/v1/sub-wallet/deposit/list").await;
    let deposits: Vec<_> = house
        .all("/v2/transactions?txType=incoming")
        .await
        .into_iter()
        .filter(|row| row["txSubType"] == "DEPOSIT")
        .collect();
    assert_eq!(whole.len(), deposits.len());
    for record in &whole {
        has(record, DEPOSIT);
    }
    let sample = &whole[whole.len() / 2];
    for (parameter, field) in [
        ("subWalletId", "toWalletId"),
        ("depositId", "id"),
        ("hash", "hash"),
        ("fromAddress", "fromAddress"),
        ("toAddress", "toAddress"),
        ("chain", "chain"),
    ] {
        let value = text(&sample[field]);
        let deposits = house.all(&format!("/v1/sub-wallet/deposit/list?{parameter}={value}")).await;
        let expected: Vec<_> = whole.iter().filter(|record| record[field] == value.as_str()).cloned().collect();
        assert!(deposits.contains(sample), "{parameter}");
        assert_eq!(deposits, expected, "{parameter}");
    }
    let usdc = house.all("/v1/sub-wallet/deposit/list?coin=usdc").await;
    assert!(!usdc.is_empty() && usdc.iter().all(|record| record["coin"] == "USDC"));
    let none = house.get(&format!("/v1/sub-wallet/deposit/list?depositId={}", Uuid::new_v4())).await;
    assert_eq!((&none.body["data"], &none.body["totalPage"]), (&json!([]), &json!(0)));
    for query in ["coin=NONE", "chain=none", "pageNo=0"] {
        house
            .get(&format!("/v1/sub-wallet/deposit/list?{query}"))
            .await
            .expect_error(422, "/v1/sub-wallet/deposit/list");
    }
    let path = "/v1/sub-wallet/deposit/list";
    house.get(&format!("{path}?subWalletId={}", Uuid::new_v4())).await.expect_error(404, path);
}

#[tokio::test]
async fn an_internal_transfer_is_free_off_the_chain_and_seen_on_both_sides() {
    let house = TestService::open().await;
    let (ada, bob) = (sub_wallet(&house, "ada").await, sub_wallet(&house, "bob").await);
    fund_address(&house, &ada, "USDC", "ethereum", "100").await;
    let path = "/v1/sandbox/sub-wallet/deposit";
    let transfer = |from: &str, to: &str, amount: &str, status: &str| {
        json!({ "destination": "internal_transfer", "coin": "USDC", "amount": amount, "chain": "ethereum",
                "status": status, "fromWalletId": from, "toWalletId": to })
    };
    post_ok(&house, path, transfer(&ada, &bob, "40", "success")).await;
    assert_eq!(asset(&house, &ada, "USDC").await, ("60".into(), "0".into()));
    assert_eq!(asset(&house, &bob, "USDC").await, ("40".into(), "0".into()));
    post_ok(&house, path, transfer(&ada, &bob, "10", "pending")).await;
    assert_eq!(asset(&house, &ada, "USDC").await, ("50".into(), "10".into()), "frozen stands beside the balance");
    assert_eq!(asset(&house, &bob, "USDC").await.0, "40");
    house.wait(3_600).await;
    assert_eq!((asset(&house, &ada, "USDC").await.1, asset(&house, &bob, "USDC").await.0), ("0".into(), "50".into()));

    let list = "/v1/sub-wallet/transfer/list";
    let transfers = house.all(&format!("{list}?subWalletId={ada}")).await;
    assert_eq!(transfers.len(), 2);
    for record in &transfers {
        has(record, TRANSFER);
        assert_eq!((&record["fromWalletId"], &record["toWalletId"]), (&json!(ada), &json!(bob)));
        assert_eq!((&record["networkFee"], &record["confirmed"]), (&json!(0), &json!(true)));
    }
    assert_eq!(house.all(&format!("{list}?toWalletId={bob}&coin=USDC")).await, transfers);
    assert_eq!(house.all(&format!("{list}?subWalletId={bob}")).await, transfers);
    let one = house.all(&format!("{list}?transferId={}", text(&transfers[0]["id"]))).await;
    assert_eq!(one, transfers[..1]);
    assert_eq!(house.all(&format!("{list}?toWalletId={ada}")).await, Vec::<Value>::new());

    let deposits = house.all(&format!("/v1/sub-wallet/deposit?subWalletId={bob}")).await;
    assert!(deposits.iter().all(|record| record["destination"] == "internal_transfer" && record["hash"].is_null()));
    let rows = house.all(&format!("/v2/transactions?userId={bob}")).await;
    for row in &rows {
        assert_eq!((&row["txSubType"], &row["txHash"]), (&json!("INTERNAL_TRANSFER"), &Value::Null));
        assert!(row["transactionGroupId"].is_string());
    }
    house.post(path, &transfer(&ada, &bob, "1000", "success")).await.expect_error(400, path);
    house.post(path, &transfer(&ada, &ada, "1", "success")).await.expect_error(400, path);
    house.post(path, &transfer(&Uuid::new_v4().to_string(), &bob, "1", "success")).await.expect_error(404, path);
    let to_nobody = json!({ "destination": "internal_transfer", "coin": "USDC", "amount": "1", "chain": "ethereum",
                         "status": "success" });
    let message = house.post(path, &to_nobody).await.expect_error(422, path);
    assert_eq!(message, json!(["fromWalletId is required", "toWalletId is required"]));
    house.service.ledger().check().unwrap();
}

#[tokio::test]
async fn a_v1_withdrawal_is_paid_once_under_its_client_tx_id() {
    let house = TestService::open().await;
    let ada = sub_wallet(&house, "ada").await;
    fund_address(&house, &ada, "USDC", "ethereum", "100").await;
    let path = "/v1/withdraw/create";
    let request = json!({
        "subWalletId": ada, "coin": "USDC", "chain": "ethereum", "withdrawalAddress": OUTSIDE, "amount": "20",
        "clientTxId": "payout-7", "fee": "1.25", "memo": "104377",
    });
    let record = post_ok(&house, path, request.clone()).await;
    has(&record, DEPOSIT);
    assert_eq!((&record["clientTxId"], &record["tagMemo"]), (&json!("payout-7"), &json!("104377")));
    assert_eq!(
        (&record["amount"], &record["networkFee"], &record["status"]),
        (&json!(20), &json!(1.25), &json!("pending"))
    );
    assert_eq!((&record["fromWalletId"], &record["toAddress"]), (&json!(ada), &json!(OUTSIDE)));
    assert_eq!(asset(&house, &ada, "USDC").await, ("78.75".into(), "21.25".into()));
    let message = house.post(path, &request).await.expect_error(400, path);
    assert!(text(&message).contains("clientTxId was used before"), "{message}");
    assert_eq!(house.service.find_payments_with_reference("payout-7").unwrap().len(), 1);
    let history = house.all(&format!("/v1/sub-wallet/withdraw?subWalletId={ada}")).await;
    assert_eq!(history, [record]);
    for (field, value, status, word) in [
        ("fee", json!("1.24"), 400, "fee"),
        ("fee", json!("much"), 422, "fee"),
        ("amount", json!("79"), 400, "insufficient"),
        ("amount", json!(5), 422, "amount"),
        ("withdrawalAddress", json!("nobody"), 422, "withdrawalAddress"),
        ("coin", json!("SOL"), 422, "coin"),
        ("chain", json!("base"), 400, "no working wallet"),
        ("chain", json!("none"), 422, "chain"),
        ("subWalletId", json!(Uuid::new_v4()), 404, "sub-wallet"),
        ("subWalletId", Value::Null, 422, "subWalletId"),
    ] {
        let mut body = request.clone();
        body["clientTxId"] = json!("payout-8");
        body[field] = value;
        let message = house.post(path, &body).await.expect_error(status, path);
        assert!(message.to_string().contains(word), "{field}: {message}");
    }
    let mut next = request;
    next["clientTxId"] = json!("payout-8");
    assert_eq!(house.post(path, &next).await.status, 201, "a refused request does not use its clientTxId up");
    house.wait(3_600).await;
    assert_eq!(asset(&house, &ada, "USDC").await.1, "0");
    house.service.ledger().check().unwrap();
}

#[tokio::test]
async fn a_withdrawal_leaves_whichever_wallet_can_pay_it() {
    let house = TestService::open().await;
    let ada = sub_wallet(&house, "ada").await;
    let account = text(&house.treasury("base").await["accountId"]);
    let mut addresses = Vec::new();
    for reference in ["one", "two"] {
        let response = house
            .post(
                "/v2/wallets",
                &json!({ "idempotencyKey": Uuid::new_v4(), "accountId": account, "userId": ada,
                                          "blockchain": "base", "refId": reference }),
            )
            .await;
        addresses.push(text(&response.body["data"]["address"]));
    }
    for (address, amount) in addresses.iter().zip(["5", "50"]) {
        let deposit = json!({ "destination": "on_chain", "coin": "USDC", "amount": amount, "chain": "base",
                              "status": "success", "fromAddress": OUTSIDE, "toAddress": address });
        post_ok(&house, "/v1/sandbox/sub-wallet/deposit", deposit).await;
    }
    let request = |amount: &str| json!({ "subWalletId": ada, "coin": "USDC", "chain": "base", "withdrawalAddress": OUTSIDE, "amount": amount });
    let path = "/v1/withdraw/create";
    assert_eq!(post_ok(&house, path, request("20")).await["fromAddress"], addresses[1].as_str());
    assert_eq!(post_ok(&house, path, request("1")).await["fromAddress"], addresses[0].as_str());
    house.post(path, &request("33")).await.expect_error(400, path);
}
