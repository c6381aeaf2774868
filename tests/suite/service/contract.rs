//! What holds for every operation alike: what it says of objects that nobody has, and of bodies that are none.

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::test_service::{OUTSIDE, TestService, payment_of, send_and_read, text};

/// Identifiers that nobody has: one in the form of the service's own, and where the specification asks for a string
/// alone one in another form.
const NOBODY: [&str; 2] = ["0b5c7d2e-1111-4222-8333-444455556666", "sub-wallet-7"];

#[tokio::test]
async fn an_object_that_nobody_has_is_not_found_by_any_operation() {
    let house = TestService::open().await;
    let (user, wallet) = (house.treasury_user().await, house.treasury("base").await);
    let before = house.all("/v2/transactions").await.len();
    for nobody in NOBODY {
        let is_uuid = Uuid::try_parse(nobody).is_ok();
        let key = || json!(Uuid::new_v4());
        let reads = [
            "/v2/users?userId=",
            "/v2/users/balances?userId=",
            "/v2/users/stats?userId=",
            "/v1/sub-wallet?subWalletId=",
            "/v1/sub-wallet/assets?subWalletId=",
            "/v1/sub-wallet/deposit?subWalletId=",
            "/v1/sub-wallet/withdraw?subWalletId=",
            "/v1/sub-wallet/deposit/list?subWalletId=",
            "/v1/sub-wallet/transfer/list?subWalletId=",
            "/v1/sandbox/sub-wallet/assets?subWalletId=",
        ];
        for path in reads {
            house.get(&format!("{path}{nobody}")).await.expect_error(404, path.split('?').next().unwrap());
        }
        // What only narrows a list leaves nothing of it.
        for name in ["userId", "walletId", "accountId"] {
            let none = house.get(&format!("/v2/transactions?{name}={nobody}")).await;
            assert_eq!(
                (none.status, &none.body["data"], &none.body["totalPage"]),
                (200, &json!([]), &json!(0)),
                "{name}"
            );
        }
        let internal = |from: &str, to: &str| {
            json!({ "destination": "internal_transfer", "coin": "USDC", "chain": "base", "amount": "1",
                    "status": "success", "fromWalletId": from, "toWalletId": to })
        };
        let own = json!({ "idempotencyKey": key(), "accountId": wallet["accountId"], "blockchain": "base" });
        let with = |mut body: Value, name: &str, value: &str| {
            body[name] = json!(value);
            body
        };
        let strings = [
            (Method::PATCH, "/v2/users", json!({ "userId": nobody, "displayName": "n" })),
            (Method::POST, "/v2/wallets", with(own.clone(), "userId", nobody)),
            (Method::PATCH, "/v2/wallets", json!({ "walletId": wallet["id"], "userId": nobody })),
            (Method::POST, "/v1/sub-wallet/address", json!({ "subWalletId": nobody, "coin": "USDC", "chain": "base" })),
            (
                Method::POST,
                "/v1/withdraw/create",
                json!({ "subWalletId": nobody, "coin": "USDC", "chain": "base", "withdrawalAddress": OUTSIDE, "amount": "1" }),
            ),
            (Method::POST, "/v1/sandbox/sub-wallet/deposit", internal(nobody, &user)),
            (Method::POST, "/v1/sandbox/sub-wallet/deposit", internal(&user, nobody)),
            (
                Method::POST,
                "/v1/instant-swap",
                json!({ "walletId": nobody, "fromCoin": "USDC", "fromAmount": "1", "toCoin": "ETH" }),
            ),
        ];
        for (method, path, body) in strings {
            send_and_read(house.request(method, path).json(&body)).await.expect_error(404, path);
        }
        // Where the specification asks for a UUID, what is none is malformed.
        let uuids = [
            (Method::POST, "/v2/wallets", with(own, "accountId", nobody)),
            (Method::PATCH, "/v2/wallets", json!({ "walletId": nobody, "name": "n" })),
            (Method::POST, "/v2/transactions/withdraw", payment_of(nobody)),
            (
                Method::POST,
                "/v2/transactions/withdraw/batch",
                json!({ "idempotencyKey": key(), "walletId": nobody, "token": "USDC", "blockchain": "base",
                        "to": [{ "address": OUTSIDE, "amount": "1" }] }),
            ),
            (
                Method::POST,
                "/v2/swap",
                json!({ "idempotencyKey": key(), "walletId": nobody, "blockchain": "base", "fromCoin": "USDC",
                        "fromAmount": "1", "toCoin": "ETH" }),
            ),
        ];
        for (method, path, body) in uuids {
            send_and_read(house.request(method, path).json(&body))
                .await
                .expect_error(if is_uuid { 404 } else { 422 }, path);
        }
    }
    assert_eq!(house.all("/v2/transactions").await.len(), before, "something was executed");
}

#[tokio::test]
async fn no_change_takes_what_is_no_json_object() {
    let house = TestService::open().await;
    let document = send_and_read(house.bare_request(Method::GET, "/openapi.json")).await.body;
    let mut count = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in ["post", "patch"].into_iter().filter(|method| methods[method].is_object()) {
            let ask = |kind: &'static str, body: &'static str| {
                let request = house.request(method.to_uppercase().parse().unwrap(), path);
                send_and_read(request.header("content-type", kind).body(body))
            };
            for (kind, body) in [
                ("application/json", ""),
                ("application/json", "{\"name\":"),
                ("application/json", "[{}]"),
                ("application/json", "{} {}"),
                ("text/plain", "{}"),
            ] {
                let message = ask(kind, body).await.expect_error(400, path);
                assert!(text(&message).contains("JSON"), "{method} {path} says of {body}: {message}");
            }
            count += 1;
        }
    }
    assert_eq!(count, 14, "every change of the document");
}
