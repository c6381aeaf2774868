//! Field for field, what the specification's tables say.

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::test_service::{OUTSIDE, TestService, send_and_read, text};

const USER: &[&str] = &["id", "refId", "email", "displayName", "isActive", "createdAt", "updatedAt", "workspaceId"];
const STATS: &[&str] = &[
    "depositsCount",
    "depositsCountIn30Days",
    "transactionVolumeCount",
    "transactionVolumeCountIn30Days",
    "withdrawsCount",
    "withdrawsCountIn30Days",
];
const ACCOUNT: &[&str] =
    &["id", "name", "type", "state", "network", "evmDetails", "solanaDetails", "workspaceId", "createdAt", "updatedAt"];
const WALLET: &[&str] = &[
    "id",
    "address",
    "blockchain",
    "protocol",
    "network",
    "isEvmCompatible",
    "type",
    "intent",
    "gaslessWithdraw",
    "autoSweep",
    "state",
    "custodyType",
    "userId",
    "accountId",
    "workspaceId",
    "createdAt",
    "updatedAt",
    "decimals",
    "name",
    "refId",
];
const TRANSACTION: &[&str] = &[
    "id",
    "refId",
    "idempotencyKey",
    "tokenName",
    "tokenSymbol",
    "tokenTicker",
    "tokenAddress",
    "decimals",
    "chainDecimals",
    "isNative",
    "amount",
    "totalAmount",
    "totalFee",
    "blockchain",
    "protocol",
    "environment",
    "network",
    "standard",
    "txType",
    "txSubType",
    "status",
    "fromAddress",
    "toAddress",
    "txHash",
    "feeLevel",
    "feeToken",
    "isBatch",
    "note",
    "triggerOrigin",
    "transactionGroupId",
    "confirmation",
    "confirmed",
    "confirmedAt",
    "userId",
    "walletId",
    "accountId",
    "workspaceId",
];
const BALANCE: &[&str] = &["token", "amount", "environment", "createdAt", "updatedAt"];
const HELD_TOKEN: &[&str] = &["name", "symbol", "blockchain", "tokenAddress", "isNative", "standard", "decimals"];
const AMOUNT: &[&str] = &["formatted", "raw"];
const TOKEN: &[&str] = &["name", "symbol", "decimals", "isNative", "standards", "media", "features", "blockchains"];
const BLOCKCHAIN: &[&str] = &[
    "slug",
    "name",
    "symbol",
    "decimals",
    "onchain",
    "nativeCurrency",
    "isTestnet",
    "standards",
    "media",
    "blockExplorer",
];

#[track_caller]
fn has(value: &Value, fields: &[&str]) {
    let mut expected = fields.to_vec();
    expected.sort_unstable();
    let mut members: Vec<_> = value.as_object().unwrap_or_else(|| panic!("{value} is no object")).keys().collect();
    members.sort_unstable();
    assert_eq!(members, expected);
}

#[track_caller]
fn success(body: &Value) -> &Value {
    has(body, &["success", "data"]);
    assert_eq!(body["success"], json!(true));
    &body["data"]
}

#[track_caller]
fn list(body: &Value) -> &Vec<Value> {
    has(body, &["success", "data", "totalPage", "pageNo", "pageLimit"]);
    assert_eq!(body["success"], json!(true));
    for number in ["totalPage", "pageNo", "pageLimit"] {
        assert!(body[number].is_u64(), "{number}");
    }
    body["data"].as_array().unwrap()
}

/// The formatted amount is the raw one with its point `decimals` digits from the right.
#[track_caller]
fn agrees(amount: &Value, decimals: &Value) {
    has(amount, AMOUNT);
    let formatted = text(&amount["formatted"]);
    let (whole, fraction) = formatted.split_once('.').unwrap_or((&formatted, ""));
    let decimals = usize::try_from(decimals.as_u64().unwrap()).unwrap();
    let digits = format!("{whole}{fraction:0<decimals$}");
    let digits = digits.trim_start_matches('0');
    assert_eq!(if digits.is_empty() { "0" } else { digits }, text(&amount["raw"]));
}

#[tokio::test]
async fn a_user_is_made_read_and_changed() {
    let house = TestService::open().await;
    let request = json!({ "email": "ada@example.com", "displayName": "Ada Quill", "refId": "c-1001" });
    let created = house.post("/v2/users", &request).await;
    assert_eq!(created.status, 201, "{}", created.text);
    let user = success(&created.body).clone();
    has(&user, USER);
    for (field, value) in request.as_object().unwrap() {
        assert_eq!(&user[field], value);
    }
    assert_eq!(user["isActive"], "true");
    assert_eq!(user["createdAt"], super::test_service::NOON);
    let answer = house.get(&format!("/v2/users?userId={}", text(&user["id"]))).await;
    assert_eq!((answer.status, success(&answer.body)), (200, &user));
    let patched = house.patch("/v2/users", &json!({ "userId": user["id"], "displayName": "Ada B. Quill" })).await;
    assert_eq!(patched.status, 200, "{}", patched.text);
    assert_eq!(success(&patched.body)["displayName"], "Ada B. Quill");
    assert_eq!(success(&patched.body)["email"], "ada@example.com");
    let unknown = house.get(&format!("/v2/users?userId={}", Uuid::new_v4())).await;
    unknown.expect_error(404, "/v2/users");
    for path in ["/v2/users", "/v2/users/balances", "/v2/users/stats"] {
        house.get(&format!("{path}?userId=sub-wallet-7")).await.expect_error(404, path);
    }
    let nobody = json!({ "userId": "sub-wallet-7", "displayName": "Nobody" });
    house.patch("/v2/users", &nobody).await.expect_error(404, "/v2/users");
}

#[tokio::test]
async fn accounts_and_wallets_are_made_as_the_tables_say() {
    let house = TestService::open().await;
    let account = house.post("/v2/accounts", &json!({ "idempotencyKey": Uuid::new_v4(), "name": "Reserve" })).await;
    assert_eq!(account.status, 201, "{}", account.text);
    let account = success(&account.body);
    has(account, ACCOUNT);
    has(&account["evmDetails"], &["address", "refId"]);
    has(&account["solanaDetails"], &["address", "refId"]);
    assert_eq!((&account["type"], &account["state"]), (&json!("USERS"), &json!("LIVE")));

    let mut addresses = Vec::new();
    for (chain, protocol, decimals) in [
        ("base", "EVM", 18),
        ("Polygon", "EVM", 18),
        ("bsc-testnet", "EVM", 18),
        ("solana", "SOLANA", 9),
        ("tron", "TRON", 6),
        ("bitcoin", "BITCOIN", 8),
        ("xrp-testnet", "XRP", 6),
        ("ton", "TON", 9),
    ] {
        let wallet = house
            .post(
                "/v2/wallets",
                &json!({
                    "idempotencyKey": Uuid::new_v4(), "accountId": account["id"], "blockchain": chain, "name": "reserve",
                    "refId": "reserve-1", "userId": house.treasury_user().await, "autoSweep": true,
                }),
            )
            .await;
        assert_eq!(wallet.status, 201, "{}", wallet.text);
        let wallet = success(&wallet.body);
        has(wallet, WALLET);
        assert_eq!(wallet["protocol"], protocol);
        assert_eq!(wallet["isEvmCompatible"], json!(protocol == "EVM"));
        assert_eq!(wallet["decimals"], json!(decimals));
        assert_eq!((&wallet["type"], &wallet["intent"]), (&json!("smart_wallet"), &json!("deposit")));
        assert_eq!((&wallet["custodyType"], &wallet["state"]), (&json!("DEVELOPER"), &json!("LIVE")));
        assert_eq!(wallet["autoSweep"], json!(true));
        assert_eq!(wallet["accountId"], account["id"]);
        addresses.push(text(&wallet["address"]));
    }
    assert!(
        addresses[..3].iter().all(|address| *address == addresses[0]),
        "one reference, one address on every EVM chain"
    );
    assert_ne!(addresses[0], addresses[3]);
}

#[tokio::test]
async fn balances_add_up_and_say_of_what() {
    let house = TestService::open().await;
    let balances = house.get(&format!("/v2/users/balances?userId={}", house.treasury_user().await)).await;
    assert_eq!(balances.status, 200, "{}", balances.text);
    let rows = success(&balances.body).as_array().unwrap();
    assert!(rows.len() >= 5, "{}", balances.text);
    for row in rows {
        has(row, BALANCE);
        has(&row["token"], HELD_TOKEN);
        agrees(&row["amount"], &row["token"]["decimals"]);
        assert_eq!(row["token"]["isNative"], json!(row["token"]["standard"] == "native"));
    }
    let stats = house.get("/v2/users/stats").await;
    let stats = success(&stats.body);
    has(stats, STATS);
    let fetch_succeeded =
        |path: &'static str| async { house.all(path).await.iter().filter(|row| row["status"] == "success").count() };
    let (incoming, outgoing) = (
        fetch_succeeded("/v2/transactions?txType=incoming").await,
        fetch_succeeded("/v2/transactions?txType=outgoing").await,
    );
    assert_eq!(stats["depositsCount"], json!(incoming));
    assert_eq!(stats["withdrawsCount"], json!(outgoing));
    assert_eq!(stats["transactionVolumeCount"], json!(incoming + outgoing));
    let own = house.get(&format!("/v2/users/stats?userId={}", house.treasury_user().await)).await;
    assert!(success(&own.body)["depositsCount"].as_u64() < stats["depositsCount"].as_u64());
}

#[tokio::test]
async fn transactions_have_every_field_of_the_table() {
    let house = TestService::open().await;
    let rows = house.all("/v2/transactions").await;
    assert_eq!(rows.len(), 240);
    for row in &rows {
        has(row, TRANSACTION);
        for amount in ["amount", "totalAmount", "totalFee"] {
            agrees(&row[amount], &row["decimals"]);
        }
        assert_eq!(row["confirmed"], json!(row["status"] == "success"), "{row}");
        assert_eq!(row["confirmedAt"].is_string(), row["status"] == "success", "{row}");
        assert_eq!(row["isNative"], json!(row["tokenAddress"].is_null()), "{row}");
    }
    let answer = house.post("/v2/transactions/withdraw", &house.payment().await).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    has(success(&answer.body), TRANSACTION);
}

#[tokio::test]
async fn tokens_are_listed_with_their_chains() {
    let house = TestService::open().await;
    let answer = house.get("/v1/blockchains/tokens-with-blockchains?pageLimit=100").await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    for token in list(&answer.body) {
        has(token, TOKEN);
        has(&token["media"], &["url", "type"]);
        for chain in token["blockchains"].as_array().unwrap() {
            has(chain, BLOCKCHAIN);
            has(&chain["onchain"], &["protocol", "chainId"]);
            has(&chain["nativeCurrency"], &["name", "symbol", "decimals"]);
        }
    }
    let usdt = house.get("/v1/blockchains/tokens-with-blockchains?token=USDT").await;
    let usdt = &list(&usdt.body)[0];
    let decimals = |slug: &str| {
        let chains = usdt["blockchains"].as_array().unwrap();
        chains.iter().find(|chain| chain["slug"] == slug).unwrap()["decimals"].clone()
    };
    assert_eq!((decimals("ethereum"), decimals("bsc")), (json!(6), json!(18)));
    let on_solana = house.get("/v1/blockchains/tokens-with-blockchains?token=&blockchain=solana").await;
    let symbols: Vec<_> = list(&on_solana.body).iter().map(|token| text(&token["symbol"])).collect();
    assert!(symbols.contains(&"SOL".into()) && !symbols.contains(&"BNB".into()), "{symbols:?}");
}

#[tokio::test]
async fn what_is_missing_or_malformed_is_named_parameter_by_parameter() {
    let house = TestService::open().await;
    let cases = [
        (Method::POST, "/v2/accounts", json!({}), vec!["idempotencyKey", "name"]),
        (Method::POST, "/v2/accounts", json!({ "idempotencyKey": "x", "name": 1 }), vec!["idempotencyKey", "name"]),
        (Method::POST, "/v2/wallets", json!({}), vec!["idempotencyKey", "accountId", "blockchain"]),
        (Method::PATCH, "/v2/wallets", json!({ "isActive": "true" }), vec!["walletId", "isActive"]),
        (Method::POST, "/v2/users", json!({}), vec!["email"]),
        (
            Method::POST,
            "/v2/transactions/withdraw",
            json!({ "amount": 25, "toAddress": OUTSIDE }),
            vec!["idempotencyKey", "walletId", "token", "blockchain", "withdrawalAddress", "amount"],
        ),
    ];
    for (method, path, body, names) in cases {
        let answer = send_and_read(house.request(method, path).json(&body)).await;
        let message = answer.expect_error(422, path);
        let message = message.as_array().unwrap();
        assert_eq!(message.len(), names.len(), "{}", answer.text);
        for (sentence, name) in message.iter().zip(names) {
            assert!(text(sentence).contains(name), "{sentence} names {name}");
        }
    }
    for path in ["/v2/users/balances", "/v2/transactions?txType=sideways", "/v2/transactions?pageNo=0&pageLimit=x"] {
        house.get(path).await.expect_error(422, path.split('?').next().unwrap());
    }
}

#[tokio::test]
async fn what_is_no_json_object_is_refused() {
    let house = TestService::open().await;
    let path = "/v2/accounts";
    for body in ["", "{", "[]", "\"text\"", "{\"name\":\"a\"} more", "\u{feff}{}"] {
        let request = house.request(Method::POST, path).header("content-type", "application/json").body(body);
        send_and_read(request).await.expect_error(400, path);
    }
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""] {
        let request = house.request(Method::POST, path).header("content-type", kind).body("{}");
        send_and_read(request).await.expect_error(400, path);
    }
    let request =
        house.request(Method::POST, path).header("content-type", "application/json; charset=utf-8").body("{}");
    send_and_read(request).await.expect_error(422, path);
    let huge = house.request(Method::POST, path).header("content-type", "application/json").body("x".repeat(1_100_000));
    send_and_read(huge).await.expect_error(400, path);
    let deep = house.request(Method::POST, path).header("content-type", "application/json").body("[".repeat(100_000));
    send_and_read(deep).await.expect_error(400, path);
}

#[tokio::test]
async fn unknown_paths_and_methods_cannot_be_served() {
    let house = TestService::with(|options| options.with_lists = false).await;
    for (method, path) in [
        (Method::GET, "/v3/x"),
        (Method::GET, "/"),
        (Method::DELETE, "/v2/users"),
        (Method::GET, "/v2/accounts"),
        (Method::GET, "/v2/wallets"),
        (Method::GET, "/v2/users/"),
    ] {
        let answer = send_and_read(house.request(method.clone(), path)).await;
        assert_eq!(answer.expect_error(404, path), json!(format!("Cannot {method} {path}")));
    }
    house.get("/v2/users").await.expect_error(422, "/v2/users");
}

#[tokio::test]
async fn nothing_is_told_or_done_without_the_right_key_and_secret() {
    let house = TestService::open().await;
    let path = "/v2/transactions";
    let (key, secret) = house.keys();
    for header in ["", "Bearer", "Bearer ", "Basic abc", "Bearer wrong", &format!("Bearer {secret}"), &key] {
        let answer = send_and_read(house.bare_request(Method::GET, path).header("authorization", header)).await;
        answer.expect_error(401, path);
    }
    send_and_read(house.bare_request(Method::GET, path)).await.expect_error(401, path);
    let before = house.all("/v2/accounts").await;
    let path = "/v2/accounts";
    let body = json!({ "idempotencyKey": Uuid::new_v4(), "name": "Reserve" });
    for secret_sent in [None, Some("wrong"), Some(key.as_str())] {
        let mut request = house.bare_request(Method::POST, path).bearer_auth(&key).json(&body);
        if let Some(secret_sent) = secret_sent {
            request = request.header("x-wallet-secret", secret_sent);
        }
        send_and_read(request).await.expect_error(401, path);
    }
    assert_eq!(house.all("/v2/accounts").await, before);
    assert_eq!(house.post(path, &body).await.status, 201, "a refused request does not use up its key");
    let reading = send_and_read(house.bare_request(Method::GET, path).bearer_auth(&key)).await;
    assert_eq!(reading.status, 200, "reading needs no wallet secret");
}
