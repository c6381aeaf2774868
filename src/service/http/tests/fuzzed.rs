//! Requests of any bytes: each is done once or refused in the common body, and what is refused leaves no trace.

use std::cell::RefCell;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, Uri};
use axum::response::Response;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::super::operation::Operation;
use super::super::operations;
use super::{TestService, open_test_service};
use crate::domain::{Amount, Timestamp};
use crate::fuzzing::{choice, decimal, grown, target, text};

/// An answer that came.
struct TestResponse {
    status: u16,
    bytes: Vec<u8>,
    json: Value,
}

/// A service with a wallet that holds something, and the words that stand for what it calls its things.
struct FuzzedService {
    service: TestService,
    runtime: tokio::runtime::Runtime,
    placeholders: Vec<(&'static str, String)>,
}

thread_local! {
    static HOUSE: RefCell<Option<(FuzzedService, u32)>> = const { RefCell::new(None) };
}

/// Runs with a service that earlier inputs have used: what they left must not matter, though it must not pile up.
fn with_fuzzed_service<T>(run: impl FnOnce(&FuzzedService) -> T) -> T {
    HOUSE.with_borrow_mut(|house| {
        let (house, visits) = house.get_or_insert_with(|| (FuzzedService::open(), 0));
        *visits += 1;
        if *visits > 5_000 {
            (*house, *visits) = (FuzzedService::open(), 1);
        }
        run(house)
    })
}

impl FuzzedService {
    fn open() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let mut house = Self { service: open_test_service(), runtime, placeholders: Vec::new() };
        let create = |house: &Self, path: &str, body: Value| {
            let answered = house.send_operation(operation("POST", path), &body.to_string());
            assert_eq!(answered.status, 201, "{}", answered.json);
            answered.json["data"].clone()
        };
        let word = |value: &Value| value.as_str().unwrap().to_owned();
        let user = word(&create(&house, "/v2/users", json!({ "refId": "r" }))["id"]);
        let account =
            word(&create(&house, "/v2/accounts", json!({ "idempotencyKey": Uuid::new_v4(), "name": "a" }))["id"]);
        let wallet = create(
            &house,
            "/v2/wallets",
            json!({ "idempotencyKey": Uuid::new_v4(), "accountId": account, "userId": user, "blockchain": "base" }),
        );
        let deposit = json!({
            "destination": "on_chain", "coin": "USDC", "amount": "1000000000000000000000000", "chain": "base",
            "status": "success", "fromAddress": RECIPIENT, "toAddress": wallet["address"],
        });
        create(&house, "/v1/sandbox/sub-wallet/deposit", deposit);
        house.placeholders = vec![
            ("$WALLET", word(&wallet["id"])),
            ("$ADDRESS", word(&wallet["address"])),
            ("$USER", user),
            ("$ACCOUNT", account),
        ];
        house
    }

    /// A text with the names of things in it, and a key of its own.
    fn fill_placeholders(&self, text: &str) -> String {
        let spelled = self.placeholders.iter().fold(text.to_owned(), |text, (word, id)| text.replace(word, id));
        spelled.replace("$KEY", &Uuid::new_v4().to_string())
    }

    fn send_operation(&self, operation: &Operation, body: &str) -> TestResponse {
        let request = Request::builder().method(operation.method).uri(operation.path);
        let request = request.header("content-type", "application/json").body(Body::from(body.to_owned())).unwrap();
        self.send_request(request)
    }

    /// How many rows the ledger has had.
    fn ledger_row_count(&self) -> i64 {
        let tables = ["accounts", "users", "wallets", "parties", "books", "entries", "history", "outbox"];
        let last = tables.map(|table| format!("(SELECT coalesce(max(no), 0) FROM {table})")).join("+");
        self.service.ledger.read(|file| Ok(file.query_row(&format!("SELECT {last}"), [], |row| row.get(0))?)).unwrap()
    }

    /// Asks with the owner's key, and looks at what every answer must be.
    fn send_request(&self, mut request: Request) -> TestResponse {
        let headers = request.headers_mut();
        for (name, value) in [("authorization", &self.service.key), ("x-wallet-secret", &self.service.secret)] {
            if !headers.contains_key(name) {
                headers.insert(name, HeaderValue::from_str(value).unwrap());
            }
        }
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let before = self.ledger_row_count();
        let response: Response = self.runtime.block_on(self.service.pipeline.handle(request));
        let status = response.status().as_u16();
        let id = response.headers()["x-request-id"].to_str().unwrap().to_owned();
        assert!(Uuid::try_parse(&id).is_ok(), "{id}");
        let bytes = self.runtime.block_on(to_bytes(response.into_body(), usize::MAX)).unwrap().to_vec();
        let json: Value = serde_json::from_slice(&bytes).unwrap();
        match status {
            200 | 201 => assert!(json["success"] == true, "{method} {path}: {json}"),
            400 | 401 | 404 | 422 => {
                assert!(is_error_body(&json, status, &path), "{method} {path}: {status} {json}");
                assert_eq!(self.ledger_row_count(), before, "a refusal wrote: {method} {path}: {json}");
            }
            _ => panic!("{method} {path}: {status} {json}"),
        }
        TestResponse { status, bytes, json }
    }
}

const RECIPIENT: &str = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

fn operation(method: &str, path: &str) -> &'static Operation {
    operations::ALL.iter().find(|operation| (operation.method, operation.path) == (method, path)).unwrap()
}

/// Whether it is the error body of the specification and nothing beside.
fn is_error_body(json: &Value, status: u16, path: &str) -> bool {
    let has_message = match &json["message"] {
        Value::String(sentence) => status != 422 && !sentence.is_empty(),
        Value::Array(all) => {
            status == 422 && !all.is_empty() && all.iter().all(|one| one.as_str().is_some_and(|one| !one.is_empty()))
        }
        _ => false,
    };
    let time = json["timestamp"].as_str().and_then(Timestamp::parse_iso).map(|time| time.to_string());
    has_message
        && json["statusCode"] == status
        && json["path"] == path
        && time.as_deref() == json["timestamp"].as_str()
        && json.as_object().is_some_and(|members| members.len() == 4)
}

/// What an answer to a payment must repeat of its request.
fn check_payment(body: &Map<String, Value>, answer: &Value) {
    let paid_amount = answer["data"]["amount"]["formatted"].as_str().and_then(decimal);
    assert!(paid_amount.is_some() && paid_amount == body["amount"].as_str().and_then(decimal), "{answer}");
    let to = answer["data"]["toAddress"].as_str().unwrap();
    assert!(body["withdrawalAddress"].as_str().unwrap().eq_ignore_ascii_case(to), "{answer}");
}

#[test]
fn a_change_is_done_once_as_it_says_or_refused_without_a_trace() {
    let withdraw = format!(
        "\x05{{\"idempotencyKey\":\"$KEY\",\"walletId\":\"$WALLET\",\"amount\":\"1.5\",\"withdrawalAddress\":\"{RECIPIENT}\",\"token\":\"USDC\",\"blockchain\":\"base\",\"metadata\":{{\"a\":1}}}}"
    );
    let batch = format!(
        "\x06{{\"idempotencyKey\":\"$KEY\",\"walletId\":\"$WALLET\",\"token\":\"USDC\",\"blockchain\":\"base\",\"to\":[{{\"address\":\"{RECIPIENT}\",\"amount\":\"0.01\"}}],\"queue\":true}}"
    );
    let seeds: [&[u8]; 18] = [
        b"\0{\"email\":\"a@b.c\",\"displayName\":\"Ada\",\"refId\":\"r\"}",
        b"\x01{\"userId\":\"$USER\",\"displayName\":\"Ada\"}",
        b"\x02{\"idempotencyKey\":\"$KEY\",\"name\":\"Reserve\"}",
        b"\x03{\"idempotencyKey\":\"$KEY\",\"accountId\":\"$ACCOUNT\",\"blockchain\":\"polygon\",\"name\":\"w\",\"userId\":\"$USER\",\"autoSweep\":true}",
        b"\x04{\"walletId\":\"$WALLET\",\"name\":\"w\",\"isActive\":true,\"autoSweep\":false}",
        withdraw.as_bytes(),
        batch.as_bytes(),
        b"\x07{\"idempotencyKey\":\"$KEY\",\"walletId\":\"$WALLET\",\"blockchain\":\"base\",\"fromCoin\":\"USDC\",\"fromAmount\":\"1\",\"toCoin\":\"ETH\"}",
        b"\x08{\"email\":\"a@b.c\",\"name\":\"Ada\",\"clientUserId\":\"c\",\"canTrade\":true}",
        b"\x09{\"subWalletId\":\"$USER\",\"coin\":\"USDC\",\"chain\":\"base\"}",
        b"\x0a{\"subWalletId\":\"$USER\",\"coin\":\"USDC\",\"chain\":\"base\",\"withdrawalAddress\":\"$ADDRESS\",\"amount\":\"1\",\"clientTxId\":\"$KEY\",\"fee\":\"9\",\"memo\":\"m\"}",
        b"\x0b{\"destination\":\"on_chain\",\"coin\":\"ETH\",\"amount\":\"2\",\"chain\":\"base\",\"status\":\"pending\",\"fromAddress\":\"$ADDRESS\",\"toAddress\":\"$ADDRESS\"}",
        b"\x0b{\"destination\":\"internal_transfer\",\"coin\":\"USDC\",\"amount\":\"2\",\"chain\":\"base\",\"status\":\"success\",\"fromWalletId\":\"$USER\",\"toWalletId\":\"$USER\"}",
        b"\x0c{\"coin\":\"USDC\",\"chain\":\"base\"}",
        b"\x0d{\"walletId\":\"$USER\",\"fromCoin\":\"USDC\",\"fromAmount\":\"1\",\"toCoin\":\"ETH\",\"extId\":\"e\"}",
        b"\x02[1]",
        b"\0{\"email\":\"a@b.c\",\"displayName\":\"Ada\",\"fromAmount\":\"1null\"}",
        b"\x02{\"idempotencyKey\":\"$KEY\",\"idempotencyKey\":7,\"name\":\"a\",\"metadata\":1e999}",
    ];
    let changes: Vec<&Operation> = operations::ALL.iter().filter(|operation| operation.method != "GET").collect();
    target(&seeds, |input| {
        with_fuzzed_service(|house| {
            let (which, rest) = choice(input, 16);
            let Some(operation) = changes.get(which) else { return };
            let body = house.fill_placeholders(text(rest));
            let answered = house.send_operation(operation, &body);
            let parsed_body: Option<Map<String, Value>> = serde_json::from_str(&body).ok();
            let Some(members) = parsed_body else {
                assert_eq!(answered.status, 400, "{body}");
                return;
            };
            let is_keyed = operation.needs_wallet_secret && operation.method == "POST";
            let repeated = house.send_operation(operation, &format!("\n{body} "));
            let more = house.send_operation(operation, &grown(&body));
            if answered.status >= 400 {
                // What is wrong stays so, whatever stands beside it.
                for other in [&repeated, &more] {
                    assert_eq!((other.status, &other.json), (answered.status, &answered.json), "{body}");
                }
                return;
            }
            if is_keyed {
                assert_eq!((repeated.status, &repeated.bytes), (answered.status, &answered.bytes), "{body}");
                assert_eq!(more.status, 400, "another request got the answer of its key: {body}");
            } else if !members.contains_key("amount") && !members.contains_key("fromAmount") {
                // What can be spent once or twice and not three times tells nothing of unknown members.
                assert_eq!(more.status, repeated.status, "an unknown member changed {body}");
            }
            // Elsewhere a member of this name is one that nobody knows.
            let name = match operation.path {
                "/v2/transactions/withdraw" | "/v1/withdraw/create" | "/v1/sandbox/sub-wallet/deposit" => {
                    Some("amount")
                }
                "/v2/swap" | "/v1/instant-swap" => Some("fromAmount"),
                _ => None,
            };
            if let Some(amount) = name.and_then(|name| members.get(name)) {
                let amount = amount.as_str().unwrap();
                assert!((0..=18).any(|decimals| Amount::parse(amount, decimals).is_ok()), "{amount} was taken");
            }
            if operation.path == "/v2/transactions/withdraw" {
                check_payment(&members, &answered.json);
            }
        });
    });
}

#[test]
fn a_read_is_answered_the_same_whatever_unknown_is_asked_beside() {
    let seeds: [&[u8]; 14] = [
        b"\x00?userId=$USER",
        b"\x02?pageNo=1&pageLimit=3",
        b"\x03?userId=$USER",
        b"\x04?userId=$USER&",
        b"\x05?txType=outgoing&walletId=$WALLET&pageLimit=101",
        b"\x05?txType=&txType=incoming&pageNo=99999999999999999999",
        b"\x06?subWalletId=$USER",
        b"\x09?subWalletId=$USER&coin=USDC&chain=base&hash=%00&fromAddress=$ADDRESS",
        b"\x10?fromCoin=ETH&fromAmount=1.5&toCoin=USDC",
        b"\x12?token=USDC&blockchain=base",
        b"\x13/v2/users/../users?x",
        b"\x13/V2/users/balances/",
        b"\x13//v2%2fusers?%ff",
        b"\x10?fromAmount=1e5&fromCoin=%F0%9F%98%80&toCoin=+",
    ];
    let reads: Vec<&Operation> = operations::ALL.iter().filter(|operation| operation.method == "GET").collect();
    target(&seeds, |input| {
        with_fuzzed_service(|house| {
            let (which, rest) = choice(input, reads.len() + 1);
            let query = house.fill_placeholders(text(rest));
            let path = reads.get(which).map_or(String::new(), |operation| operation.path.to_owned());
            let Ok(uri) = format!("{path}{query}").parse::<Uri>() else { return };
            let ask = |uri: &Uri| house.send_request(Request::get(uri.clone()).body(Body::empty()).unwrap());
            if ["/healthz", "/openapi.json"].contains(&uri.path()) {
                return;
            }
            let answered = ask(&uri);
            if !reads.iter().any(|operation| operation.path == uri.path()) {
                assert_eq!(answered.status, 404, "{uri}");
                assert_eq!(answered.json["message"], format!("Cannot GET {}", uri.path()), "{uri}");
                return;
            }
            assert_eq!(ask(&uri).bytes, answered.bytes, "{uri}");
            let separator = if uri.query().is_some() { '&' } else { '?' };
            let more: Uri = format!("{uri}{separator}unknownToAll=1").parse().unwrap();
            assert_eq!(ask(&more).bytes, answered.bytes, "{more}");
            if let Some(limit) = answered.json["pageLimit"].as_u64() {
                let rows = answered.json["data"].as_array().unwrap().len();
                let (no, pages) = (&answered.json["pageNo"], &answered.json["totalPage"]);
                assert!((1..=100).contains(&limit) && rows <= 100 && no.as_u64() >= Some(1) && pages.is_u64(), "{uri}");
            }
        });
    });
}

#[test]
fn nobody_comes_in_but_by_the_key_and_its_secret() {
    let seeds: [&[u8]; 9] = [
        b"\0Bearer $OWNER",
        b"\0bearer  $OWNER ",
        b"\0Basic $OWNER",
        b"\0Bearer bursar_key_00",
        b"\x01$SECRET",
        b"\x01$SECRET ",
        b"\x02application/json; charset=utf-8",
        b"\x02text/json",
        "\x02application/json; charset=utEī".as_bytes(),
    ];
    target(&seeds, |input| {
        with_fuzzed_service(|house| {
            let (which, rest) = choice(input, 3);
            let owner = house.service.key.strip_prefix("Bearer ").unwrap();
            let value = text(rest).replace("$OWNER", owner).replace("$SECRET", &house.service.secret);
            let Ok(header) = HeaderValue::from_str(&value) else { return };
            let body = json!({ "idempotencyKey": Uuid::new_v4(), "name": "Reserve" }).to_string();
            let mut request = Request::post("/v2/accounts").body(Body::from(body)).unwrap();
            request.headers_mut().insert("content-type", HeaderValue::from_static("application/json"));
            let name = ["authorization", "x-wallet-secret", "content-type"][which];
            request.headers_mut().insert(name, header);
            let status = house.send_request(request).status;
            // Other bytes than ASCII are none of a header's text.
            let is_sound = match name {
                "authorization" => {
                    value.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("bearer "))
                        && value[7..].trim() == owner
                }
                "x-wallet-secret" => value == house.service.secret,
                _ => value.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json"),
            };
            let wrong = if name == "content-type" { 400 } else { 401 };
            assert_eq!(status, if is_sound && value.is_ascii() { 201 } else { wrong }, "{name}: {value}");
        });
    });
}
