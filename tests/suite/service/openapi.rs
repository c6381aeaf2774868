//! The document of the interface says what the specification says, and the service does what the document says.

use reqwest::Method;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::test_service::{OUTSIDE, TestService, payment_of, send_and_read, text};

/// The operations of the specification's tables and of its mapping from v1 to v2.
const OPERATIONS: &[(&str, &str)] = &[
    ("post", "/v2/users"),
    ("get", "/v2/users"),
    ("patch", "/v2/users"),
    ("post", "/v2/accounts"),
    ("post", "/v2/wallets"),
    ("patch", "/v2/wallets"),
    ("get", "/v2/users/stats"),
    ("get", "/v2/users/balances"),
    ("post", "/v2/transactions/withdraw"),
    ("post", "/v2/transactions/withdraw/batch"),
    ("get", "/v2/transactions"),
    ("post", "/v2/swap"),
    ("post", "/v1/sub-wallet/create"),
    ("post", "/v1/sub-wallet/address"),
    ("get", "/v1/sub-wallet/deposit/list"),
    ("get", "/v1/sub-wallet/transfer/list"),
    ("post", "/v1/sandbox/sub-wallet/deposit"),
    ("post", "/v1/sandbox/wallet/address"),
    ("get", "/v1/sandbox/sub-wallet/assets"),
    ("get", "/v1/sandbox/wallet/assets"),
    ("get", "/v1/sandbox/wallet/address/list"),
    ("get", "/v1/instant-swap/quote"),
    ("get", "/v1/blockchains/tokens-with-blockchains"),
    ("get", "/v1/swap/pairs"),
    ("post", "/v1/withdraw/create"),
    ("get", "/v1/sub-wallet/assets"),
    ("get", "/v1/sub-wallet"),
    ("get", "/v1/sub-wallet/deposit"),
    ("get", "/v1/sub-wallet/withdraw"),
    ("post", "/v1/instant-swap"),
];

/// Fields of the specification's tables, by the name of the resource in the document.
const RESOURCES: &[(&str, &str)] = &[
    ("SubWallet", "id clientUserId email name isActive language canTrade createdAt updatedAt workspaceId"),
    ("User", "id refId email displayName isActive createdAt updatedAt workspaceId"),
    (
        "UserStats",
        "depositsCount depositsCountIn30Days transactionVolumeCount transactionVolumeCountIn30Days withdrawsCount \
         withdrawsCountIn30Days",
    ),
    ("Account", "id name type state network evmDetails solanaDetails workspaceId createdAt updatedAt"),
    (
        "Wallet",
        "id address blockchain protocol network isEvmCompatible type intent gaslessWithdraw autoSweep state custodyType \
         userId accountId workspaceId createdAt updatedAt decimals name refId",
    ),
    (
        "Transaction",
        "id refId idempotencyKey tokenName tokenSymbol tokenTicker tokenAddress decimals chainDecimals isNative amount \
         totalAmount totalFee blockchain protocol environment network standard txType txSubType status fromAddress \
         toAddress txHash feeLevel feeToken isBatch note triggerOrigin transactionGroupId confirmation confirmed \
         confirmedAt userId walletId accountId workspaceId",
    ),
    ("UserBalance", "token amount environment createdAt updatedAt"),
    ("HeldToken", "name symbol blockchain tokenAddress isNative standard decimals"),
    ("Amount", "formatted raw"),
    ("WalletAddress", "id coin chain network address workspaceId createdAt walletId tag"),
    ("Asset", "coin balance frozen updatedAt"),
    (
        "Deposit",
        "id destination workspaceId fromWalletId toWalletId coin chain network amount status networkFee confirmation \
         createdAt updatedAt clientTxId fromAddress toAddress hash transactionLink tagMemo",
    ),
    (
        "Transfer",
        "id workspaceId clientTxId fromWalletId toWalletId coin amount status networkFee tagMemo confirmed confirmedAt \
         createdAt",
    ),
    ("Quote", "fee fromCoin fromAmount toCoin toAmount swapPrice"),
    ("Token", "name symbol decimals isNative standards media features blockchains"),
    ("Blockchain", "slug name symbol decimals onchain nativeCurrency isTestnet standards media blockExplorer"),
    ("Error", "statusCode path timestamp message"),
];

pub(crate) async fn document(house: &TestService) -> Value {
    let answer = send_and_read(house.bare_request(Method::GET, "/openapi.json")).await;
    assert_eq!(answer.status, 200);
    answer.body
}

fn names(schema: &Value) -> Vec<String> {
    let mut names: Vec<_> = schema["properties"].as_object().unwrap().keys().cloned().collect();
    names.sort_unstable();
    names
}

#[tokio::test]
async fn every_operation_and_every_field_of_the_specification_is_in_it() {
    let house = TestService::with(|options| options.with_lists = false).await;
    let document = document(&house).await;
    assert_eq!(document["openapi"], "3.1.0");
    let mut operations = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        operations.extend(methods.as_object().unwrap().keys().map(|method| (method.as_str(), path.as_str())));
    }
    let mut expected: Vec<_> = OPERATIONS.iter().copied().chain([("get", "/healthz")]).collect();
    operations.sort_unstable();
    expected.sort_unstable();
    assert_eq!(operations, expected);
    for (resource, fields) in RESOURCES {
        let mut fields: Vec<_> = fields.split_whitespace().map(str::to_owned).collect();
        fields.sort_unstable();
        assert_eq!(names(&document["components"]["schemas"][resource]), fields, "{resource}");
    }
    let body = |path: &str, method: &str| {
        names(&document["paths"][path][method]["requestBody"]["content"]["application/json"]["schema"])
    };
    assert_eq!(
        body("/v2/transactions/withdraw/batch", "post"),
        ["blockchain", "idempotencyKey", "metadata", "note", "queue", "refId", "to", "token", "walletId"]
    );
    assert_eq!(
        body("/v1/sandbox/sub-wallet/deposit", "post"),
        ["amount", "chain", "coin", "destination", "fromAddress", "fromWalletId", "status", "toAddress", "toWalletId"]
    );
    assert_eq!(body("/v2/wallets", "patch"), ["autoSweep", "isActive", "name", "userId", "walletId"]);
    let secret = &document["paths"]["/v2/swap"]["post"]["security"][0]["walletSecret"];
    assert!(
        secret.is_array() && document["paths"]["/v1/instant-swap"]["post"]["security"][0]["walletSecret"].is_null()
    );
}

/// A value that is not of the type of a schema.
fn wrong_value(schema: &Value) -> Value {
    match schema["type"].as_str() {
        Some("string") => json!(7),
        Some("boolean") => json!("yes"),
        Some("integer") => json!("many"),
        Some("object" | "array") => json!("text"),
        other => panic!("no wrong value for {other:?}"),
    }
}

#[tokio::test]
async fn each_field_that_is_missing_or_of_another_type_is_named_and_unknown_ones_are_left_alone() {
    let house = TestService::with(|options| options.with_control = true).await;
    let document = document(&house).await;
    let mut count = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let Some(properties) = schema["properties"].as_object() else { continue };
            let ask = |body: Value| {
                let method: Method = method.to_uppercase().parse().unwrap();
                let request = house.request(method, path).json(&body);
                async move { send_and_read(request).await.expect_error(422, path) }
            };
            // What needs nothing would be done.
            if path.starts_with("/control/") && schema["required"].as_array().unwrap().is_empty() {
                continue;
            }
            let complaints = ask(json!({})).await;
            for name in schema["required"].as_array().unwrap() {
                let message = format!("{} is required", text(name));
                assert!(complaints.as_array().unwrap().contains(&json!(message)), "{method} {path}: {complaints}");
            }
            assert_eq!(ask(json!({ "nobodyAskedForThis": { "deep": [1] } })).await, complaints, "{method} {path}");
            let spoilt: Map<_, _> =
                properties.iter().map(|(name, schema)| (name.clone(), wrong_value(schema))).collect();
            let message = ask(Value::Object(spoilt)).await;
            let conditional = ["fromAddress", "toAddress", "fromWalletId", "toWalletId"];
            for name in properties.keys().filter(|name| !conditional.contains(&name.as_str())) {
                let is_named = |sentence: &Value| text(sentence).starts_with(&format!("{name} must be"));
                assert!(message.as_array().unwrap().iter().any(is_named), "{method} {path} {name}: {message}");
            }
            count += 1;
        }
    }
    assert_eq!(count, 16, "every change of the document, and the control requests that need anything");
}

#[tokio::test]
async fn it_says_where_the_service_is_and_what_its_webhooks_carry() {
    let house = TestService::with(|options| options.with_control = true).await;
    let document = document(&house).await;
    assert_eq!(document["servers"][0]["url"], house.service.base_url());
    let described: Vec<_> = document["webhooks"].as_object().unwrap().keys().collect();
    assert_eq!(described, ["deposit", "swap", "withdraw"]);
    let controls = document["paths"].as_object().unwrap().keys().filter(|path| path.starts_with("/control/"));
    assert_eq!(controls.count(), 5);
}

#[tokio::test]
async fn each_parameter_that_is_missing_or_no_number_is_named() {
    let house = TestService::open().await;
    let document = document(&house).await;
    let mut count = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        let Some(parameters) = methods["get"]["parameters"].as_array() else { continue };
        let required: Vec<_> = parameters.iter().filter(|parameter| parameter["required"] == true).collect();
        if !required.is_empty() {
            let message = house.get(path).await.expect_error(422, path);
            for parameter in required {
                assert!(message.to_string().contains(&format!("{} is required", text(&parameter["name"]))), "{path}");
            }
        }
        for parameter in parameters.iter().filter(|parameter| parameter["schema"]["type"] == "integer") {
            let name = text(&parameter["name"]);
            let message = house.get(&format!("{path}?{name}=many")).await.expect_error(422, path);
            assert!(message.to_string().contains(&name), "{path}: {message}");
        }
        count += 1;
    }
    assert!(count >= 16, "{count}");
}

/// Everything in which a value is not as its schema says.
pub(super) fn differences(value: &Value, schema: &Value, document: &Value, place: &str, mismatches: &mut Vec<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap();
        return differences(value, &document["components"]["schemas"][name], document, place, mismatches);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let fits = |choice: &Value| {
            let mut mismatches = Vec::new();
            differences(value, choice, document, place, &mut mismatches);
            mismatches.is_empty()
        };
        if !choices.iter().any(fits) {
            mismatches.push(format!("{place}: {value} is none of {}", schema["anyOf"]));
        }
        return;
    }
    if !schema["const"].is_null() && schema["const"] != *value {
        mismatches.push(format!("{place}: {value} is not {}", schema["const"]));
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_u64() || number.is_i64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fits = |type_name: &str| type_name == kind || (type_name == "number" && kind == "integer");
    let is_right = match &schema["type"] {
        Value::String(type_name) => fits(type_name),
        Value::Array(type_name) => type_name.iter().any(|type_name| fits(type_name.as_str().unwrap())),
        _ => true,
    };
    if !is_right {
        mismatches.push(format!("{place}: {value} is no {}", schema["type"]));
    }
    if let Some(fields) = value.as_object().filter(|_| schema["properties"].is_object()) {
        for name in schema["required"].as_array().unwrap() {
            if !fields.contains_key(name.as_str().unwrap()) {
                mismatches.push(format!("{place}: {name} is missing"));
            }
        }
        for (name, value) in fields {
            match schema["properties"].get(name) {
                Some(schema) => differences(value, schema, document, &format!("{place}.{name}"), mismatches),
                None => mismatches.push(format!("{place}.{name} is not in the document")),
            }
        }
    }
    for (n, item) in value.as_array().into_iter().flatten().enumerate() {
        differences(item, &schema["items"], document, &format!("{place}[{n}]"), mismatches);
    }
}

#[tokio::test]
async fn every_answer_is_as_its_schema_says() {
    let house = TestService::open().await;
    let document = document(&house).await;
    // With lists one path answers in two shapes, of which the document of a service without lists has the other one.
    let plain = self::document(&TestService::with(|options| options.with_lists = false).await).await;
    let user = house.treasury_user().await;
    let wallet = house.treasury("base").await;
    let key = || json!(Uuid::new_v4());
    let to = json!([{ "address": OUTSIDE, "amount": "1" }]);
    let requests = [
        ("post", "/v2/users", "", json!({ "refId": "x", "email": "a@example.com", "displayName": "A" })),
        ("get", "/v2/users", "?userId={user}", Value::Null),
        ("patch", "/v2/users", "", json!({ "userId": user, "displayName": "B" })),
        ("post", "/v2/accounts", "", json!({ "idempotencyKey": key(), "name": "n" })),
        ("get", "/v2/accounts", "", Value::Null),
        (
            "post",
            "/v2/wallets",
            "",
            json!({ "idempotencyKey": key(), "accountId": wallet["accountId"], "blockchain": "base" }),
        ),
        ("patch", "/v2/wallets", "", json!({ "walletId": wallet["id"], "name": "ops" })),
        ("get", "/v2/wallets", "", Value::Null),
        ("get", "/v2/users/stats", "", Value::Null),
        ("get", "/v2/users/balances", "?userId={user}", Value::Null),
        ("post", "/v2/transactions/withdraw", "", payment_of(&text(&wallet["id"]))),
        (
            "post",
            "/v2/transactions/withdraw/batch",
            "",
            json!({ "idempotencyKey": key(), "walletId": wallet["id"], "token": "USDC", "blockchain": "base", "to": to }),
        ),
        ("get", "/v2/transactions", "?pageLimit=100", Value::Null),
        (
            "post",
            "/v2/swap",
            "",
            json!({ "idempotencyKey": key(), "walletId": wallet["id"], "blockchain": "base", "fromCoin": "USDC",
                    "fromAmount": "5", "toCoin": "ETH" }),
        ),
        ("post", "/v1/sub-wallet/create", "", json!({ "name": "n" })),
        ("get", "/v1/sub-wallet", "?subWalletId={user}", Value::Null),
        ("get", "/v1/sub-wallet/list", "", Value::Null),
        ("post", "/v1/sub-wallet/address", "", json!({ "subWalletId": user, "coin": "USDC", "chain": "base" })),
        ("get", "/v1/sub-wallet/assets", "?subWalletId={user}", Value::Null),
        ("get", "/v1/sub-wallet/deposit/list", "?pageLimit=100", Value::Null),
        (
            "post",
            "/v1/sandbox/sub-wallet/deposit",
            "",
            json!({ "destination": "on_chain", "coin": "USDC", "chain": "base", "amount": "1", "status": "success",
                    "fromAddress": OUTSIDE, "toAddress": wallet["address"] }),
        ),
        ("get", "/v1/sub-wallet/transfer/list", "", Value::Null),
        ("get", "/v1/sub-wallet/deposit", "?subWalletId={user}", Value::Null),
        ("get", "/v1/sub-wallet/withdraw", "?subWalletId={user}", Value::Null),
        (
            "post",
            "/v1/withdraw/create",
            "",
            json!({ "subWalletId": user, "coin": "USDC", "chain": "base", "withdrawalAddress": OUTSIDE, "amount": "1" }),
        ),
        ("post", "/v1/sandbox/wallet/address", "", json!({ "coin": "USDC", "chain": "base" })),
        ("get", "/v1/sandbox/sub-wallet/assets", "", Value::Null),
        ("get", "/v1/sandbox/wallet/assets", "", Value::Null),
        ("get", "/v1/sandbox/wallet/address/list", "", Value::Null),
        ("get", "/v1/instant-swap/quote", "?fromCoin=USDC&fromAmount=5&toCoin=ETH", Value::Null),
        (
            "post",
            "/v1/instant-swap",
            "",
            json!({ "walletId": user, "fromCoin": "USDC", "fromAmount": "5", "toCoin": "ETH" }),
        ),
        ("get", "/v1/swap/pairs", "", Value::Null),
        ("get", "/v1/blockchains/tokens-with-blockchains", "", Value::Null),
    ];
    let described: usize = document["paths"].as_object().unwrap().values().map(|m| m.as_object().unwrap().len()).sum();
    assert_eq!(requests.len() + 1, described, "every operation but /healthz is tried here");
    for (method, path, query, body) in requests {
        let target = format!("{path}{}", query.replace("{user}", &user));
        let request = house.request(method.to_uppercase().parse().unwrap(), &target);
        let answer = send_and_read(if body.is_null() { request } else { request.json(&body) }).await;
        let document = if query.starts_with("?userId") { &plain } else { &document };
        let responses = &document["paths"][path][method]["responses"];
        let schema = &responses[answer.status.to_string()]["content"]["application/json"]["schema"];
        assert!(answer.status < 300, "{method} {path}: {}", answer.text);
        assert!(schema.is_object(), "{method} {path} does not say what {} carries", answer.status);
        let mut faults = Vec::new();
        differences(&answer.body, schema, document, "", &mut faults);
        assert_eq!(faults, Vec::<String>::new(), "{method} {path}");
        let answer = send_and_read(house.bare_request(method.to_uppercase().parse().unwrap(), &target)).await;
        let error = &responses["401"]["content"]["application/json"]["schema"];
        differences(&answer.body, error, document, "", &mut faults);
        assert_eq!((answer.status, faults), (401, Vec::<String>::new()), "{method} {path}");
    }
}
