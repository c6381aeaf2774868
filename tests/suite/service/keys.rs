//! Who may do what, over HTTP and from the command line.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::path::Path;
use std::process::{Command, Output};

use bursar::service::{NewKey, Permission};
use reqwest::Method;
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use super::test_service::{TestResponse, TestService, folder, payment_of, send_and_read};

/// A change of each kind, with the permission that it needs.
const CHANGES: &[(Permission, &str, &str)] = &[
    (Permission::Wallet, "POST", "/v2/users"),
    (Permission::Wallet, "PATCH", "/v2/users"),
    (Permission::Wallet, "POST", "/v2/accounts"),
    (Permission::Wallet, "POST", "/v2/wallets"),
    (Permission::Wallet, "PATCH", "/v2/wallets"),
    (Permission::Withdrawal, "POST", "/v2/transactions/withdraw"),
    (Permission::Withdrawal, "POST", "/v2/transactions/withdraw/batch"),
];

async fn with_key(house: &TestService, new: NewKey) -> (String, String) {
    let created = house.service.create_key(new).await.unwrap();
    (created.api_key.expose_secret().to_owned(), created.wallet_secret.expose_secret().to_owned())
}

async fn ask(
    house: &TestService,
    (key, secret): &(String, String),
    method: &str,
    path: &str,
    body: &Value,
) -> TestResponse {
    let method: Method = method.parse().unwrap();
    let request = house.bare_request(method.clone(), path).bearer_auth(key).header("x-wallet-secret", secret);
    send_and_read(if method == Method::GET { request } else { request.json(body) }).await
}

#[tokio::test]
async fn each_operation_needs_its_permission_and_nothing_is_done_without() {
    let house = TestService::open().await;
    for permission in Permission::ALL {
        let permissions = [permission].into_iter().collect();
        let key = with_key(&house, NewKey { name: "one".into(), permissions, trusted_addresses: Vec::new() }).await;
        let reading = ask(&house, &key, "GET", "/v2/transactions", &Value::Null).await;
        if permission == Permission::Read {
            assert_eq!(reading.status, 200);
        } else {
            reading.expect_error(403, "/v2/transactions");
        }
        for (needed, method, path) in CHANGES {
            // A body without fields is refused with 422 by whoever got so far.
            let answer = ask(&house, &key, method, path, &json!({})).await;
            let expected = if permission == *needed { 422 } else { 403 };
            let message = answer.expect_error(expected, path);
            assert_eq!(
                message.to_string().contains(&format!("permission {}", needed.name())),
                expected == 403,
                "{method} {path}: {message}"
            );
        }
    }
    let before = house.all("/v2/transactions").await.len();
    let permissions = [Permission::Read, Permission::Wallet, Permission::Trading].into_iter().collect();
    let key = with_key(&house, NewKey { permissions, ..NewKey::owner() }).await;
    let payment = payment_of(house.treasury("base").await["id"].as_str().unwrap());
    let path = "/v2/transactions/withdraw";
    ask(&house, &key, "POST", path, &payment).await.expect_error(403, path);
    assert_eq!(house.all("/v2/transactions").await.len(), before);
}

#[tokio::test]
async fn a_key_that_trusts_other_addresses_is_taken_from_none_but_those() {
    let house = TestService::open().await;
    let elsewhere: IpAddr = "10.0.0.7".parse().unwrap();
    let local_address: IpAddr = "127.0.0.1".parse().unwrap();
    let path = "/v2/users/stats";
    let strict = with_key(&house, NewKey { trusted_addresses: vec![elsewhere], ..NewKey::owner() }).await;
    ask(&house, &strict, "GET", path, &Value::Null).await.expect_error(403, path);
    let forwarded = house.bare_request(Method::GET, path).bearer_auth(&strict.0).header("x-forwarded-for", "10.0.0.7");
    send_and_read(forwarded).await.expect_error(403, path);
    let local = with_key(&house, NewKey { trusted_addresses: vec![elsewhere, local_address], ..NewKey::owner() }).await;
    assert_eq!(ask(&house, &local, "GET", path, &Value::Null).await.status, 200);
}

#[tokio::test]
async fn a_key_may_ask_so_often_a_second_and_is_told_when_to_come_back() {
    let house = TestService::with(|options| options.rate_limit = NonZeroU32::new(5)).await;
    let (key, _) = house.keys();
    let path = "/v2/users/stats";
    let ask = || house.bare_request(Method::GET, path).bearer_auth(&key).send();
    let mut statuses = Vec::new();
    for _ in 0..6 {
        statuses.push(ask().await.unwrap().status().as_u16());
    }
    assert_eq!(statuses, [200, 200, 200, 200, 200, 429]);
    let answer = ask().await.unwrap();
    assert_eq!(answer.headers()["retry-after"], "1");
    house.wait(1).await;
    assert_eq!(ask().await.unwrap().status(), 200);
    let other = with_key(&house, NewKey::owner()).await;
    assert_eq!(
        send_and_read(house.bare_request(Method::GET, path).bearer_auth(other.0)).await.status,
        200,
        "each key counts alone"
    );
}

fn bursar(data: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bursar"));
    command.env_clear().args(["serve", "key"]).args(arguments).arg("--data").arg(data).output().unwrap()
}

fn stdout_text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[tokio::test]
async fn keys_are_made_shown_and_ended_on_the_folder_of_a_running_service() {
    let (folder, place) = folder();
    let house = TestService::with(|options| options.ledger_location = place).await;
    let data = folder.path().join("data");
    let created_output = stdout_text(&bursar(
        &data,
        &["create", "--name", "reports", "--permissions", "read", "--trusted", "127.0.0.1"],
    ));
    let word = |label: &str| {
        let line = created_output.lines().find(|line| line.starts_with(label)).unwrap();
        line.split_whitespace().last().unwrap().to_owned()
    };
    let (number, key) = (word("key"), (word("API key"), word("wallet secret")));
    let path = "/v2/users/stats";
    assert_eq!(ask(&house, &key, "GET", path, &Value::Null).await.status, 200);
    ask(&house, &key, "POST", "/v2/users", &json!({ "refId": "x" })).await.expect_error(403, "/v2/users");
    let listing = stdout_text(&bursar(&data, &["list"]));
    assert!(listing.contains("reports") && listing.contains("permissions read  from 127.0.0.1"), "{listing}");
    assert!(!listing.contains(&key.0) && !listing.contains(&key.1));
    stdout_text(&bursar(&data, &["revoke", &number]));
    ask(&house, &key, "GET", path, &Value::Null).await.expect_error(401, path);
    assert!(stdout_text(&bursar(&data, &["list"])).contains("revoked"));
    assert_eq!(house.get(path).await.status, 200, "other keys stay");
    for (arguments, complaint) in [
        (&["revoke", "99"][..], "no active key 99"),
        (&["create", "--permissions", "read,pay"], "withdrawal"),
        (&["create", "--trusted", "1.1.1.1,1.1.1.2,1.1.1.3,1.1.1.4,1.1.1.5,1.1.1.6"], "5 addresses"),
        (&["create", "--trusted", "here"], "IP"),
    ] {
        let output = bursar(&data, arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && stderr.contains(complaint), "{arguments:?}: {stderr}");
    }
    let nowhere = bursar(&folder.path().join("nowhere"), &["list"]);
    assert!(String::from_utf8_lossy(&nowhere.stderr).contains("no service"));
    assert!(!folder.path().join("nowhere").exists());
}
