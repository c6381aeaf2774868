//! What can go wrong with a payment, each shown over HTTP with a look into the ledger.

use std::net::SocketAddr;
use std::time::Duration;

use bursar::service::{Fault, FaultBody, FaultRule, PaymentField};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use uuid::Uuid;

use super::test_service::{TestResponse, TestService, payment_of, send_and_read, text};
use crate::harness::named_faults::named_faults;
use crate::harness::wait::comes_true;

const PATH: &str = "/v2/transactions/withdraw";

fn key(payment: &Value) -> Uuid {
    text(&payment["idempotencyKey"]).parse().unwrap()
}

/// A house, and the wallet of its treasury on Base: faults that are set must not befall the question for it.
async fn open() -> (TestService, String) {
    let house = TestService::open().await;
    let wallet = text(&house.treasury("base").await["id"]);
    (house, wallet)
}

/// How often the ledger has a payment.
fn count_payments(house: &TestService, payment: &Value) -> usize {
    house.service.find_payments_with_key(key(payment)).unwrap().len()
}

/// Pays under a fault, and gives what came back; `None` where nothing did.
async fn pay(house: &TestService, payment: &Value, rules: Vec<FaultRule>) -> Option<TestResponse> {
    house.service.set_faults(rules).await;
    let request = house.request(Method::POST, PATH).json(payment).timeout(Duration::from_secs(2));
    let response = request.send().await.ok()?;
    let status = response.status().as_u16();
    let text = response.text().await.ok()?;
    let body = serde_json::from_str(&text).unwrap_or(Value::Null);
    Some(TestResponse { status, text, body })
}

#[tokio::test]
async fn a_wrong_status_leaves_the_ledger_as_it_says() {
    let (house, wallet) = open().await;
    for status in [200, 400, 401, 403, 404, 408, 409, 422, 425, 429, 500, 502, 503, 504] {
        for executed in [true, false] {
            for body in [
                FaultBody::ErrorBody,
                FaultBody::IdempotencyKeyUsed,
                FaultBody::OtherStatus,
                FaultBody::Empty,
                FaultBody::HtmlPage,
                FaultBody::SuccessFalse,
                FaultBody::ForeignJson,
            ] {
                let fault = Fault::Status { status, body, executed };
                let payment = payment_of(&wallet);
                let answer = pay(&house, &payment, vec![fault.on_paths(PATH)]).await.unwrap();
                assert_eq!((answer.status, house.service.faults_fired()), (status, 1), "{fault}");
                assert_eq!(count_payments(&house, &payment), usize::from(executed), "{fault}");
                match body {
                    FaultBody::ErrorBody => drop(answer.expect_error(status, PATH)),
                    FaultBody::IdempotencyKeyUsed => {
                        assert_eq!(answer.text.matches("idempotencyKey was already used").count(), 1);
                    }
                    FaultBody::OtherStatus => assert_ne!(answer.body["statusCode"], json!(status), "{fault}"),
                    FaultBody::Empty => assert_eq!(answer.text, ""),
                    FaultBody::HtmlPage => assert!(answer.text.starts_with("<!doctype html>"), "{}", answer.text),
                    FaultBody::SuccessFalse => assert_eq!(answer.body["success"], json!(false)),
                    FaultBody::ForeignJson => assert_eq!(answer.body, json!({ "error": { "code": status } })),
                }
            }
        }
    }
    house.service.ledger().check().unwrap();
}

#[tokio::test]
async fn an_answer_that_is_lost_hides_a_payment_that_was_made() {
    let (house, wallet) = open().await;
    let whole = house.post(PATH, &payment_of(&wallet)).await.text.len();
    let cuts = [0, 1, whole / 2, whole - 1].map(Fault::CutAt);
    for fault in [Fault::ConnectionCut, Fault::Truncated, Fault::NoAnswer { executed: true }].into_iter().chain(cuts) {
        let payment = payment_of(&wallet);
        assert_eq!(pay(&house, &payment, vec![fault.always()]).await, None, "{fault}");
        assert_eq!((count_payments(&house, &payment), house.service.faults_fired()), (1, 1), "{fault}");
        let retry = pay(&house, &payment, Vec::new()).await.unwrap();
        assert_eq!((retry.status, count_payments(&house, &payment)), (201, 1), "{fault}");
    }
    let payment = payment_of(&wallet);
    assert_eq!(pay(&house, &payment, vec![Fault::NoAnswer { executed: false }.always()]).await, None);
    assert_eq!(count_payments(&house, &payment), 0);
    // What is not cut is no fault.
    let payment = payment_of(&wallet);
    assert_eq!(pay(&house, &payment, vec![Fault::CutAt(1_000_000).always()]).await.unwrap().status, 201);
    assert_eq!(house.service.faults_fired(), 0);
}

#[tokio::test]
async fn a_service_that_hangs_still_stops() {
    let house = TestService::open().await;
    house.service.set_fault(Fault::NoAnswer { executed: false }).await;
    let (request, service) = (house.request(Method::GET, "/v2/users/stats"), house.service);
    let hung = tokio::spawn(request.send());
    comes_true("the fault", || service.faults_fired() > 0).await;
    service.stop().await.unwrap();
    assert!(hung.await.unwrap().is_err());
}

#[tokio::test]
async fn faults_come_in_a_row_one_for_each_request() {
    let (house, wallet) = open().await;
    let payment = payment_of(&wallet);
    let rules = vec![
        Fault::ConnectionCut.on_paths(PATH).times(1),
        Fault::with_status(400).on_paths(PATH).times(1),
        Fault::executed_with_status(503).on_paths(PATH).times(2),
    ];
    assert_eq!(pay(&house, &payment, rules).await, None);
    for status in [400, 503, 503] {
        house.post(PATH, &payment).await.expect_error(status, PATH);
    }
    assert_eq!(house.service.faults_fired_per_rule(), [1, 1, 2]);
    assert_eq!(house.post(PATH, &payment).await.status, 201);
    assert_eq!((count_payments(&house, &payment), house.service.faults_fired()), (1, 4));
}

#[tokio::test]
async fn a_fault_of_changes_spares_reads_and_other_paths() {
    let (house, wallet) = open().await;
    house.service.set_fault_times("/v2/transactions", Fault::with_status(500), 1).await;
    assert_eq!(house.get("/v2/transactions").await.status, 200);
    assert_eq!(house.post("/v2/users", &json!({ "refId": "x" })).await.status, 201);
    assert_eq!(house.service.faults_fired(), 0);
    house.post(PATH, &payment_of(&wallet)).await.expect_error(500, PATH);
    assert_eq!(house.post(PATH, &payment_of(&wallet)).await.status, 201);
    house.service.set_faults(vec![Fault::KeyRejected.on_reads()]).await;
    assert_eq!(house.post(PATH, &payment_of(&wallet)).await.status, 201);
    house.get("/v2/transactions").await.expect_error(401, "/v2/transactions");
}

#[tokio::test]
async fn a_redirect_names_another_address_and_is_followed_by_nobody_here() {
    let decoy = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let to: SocketAddr = decoy.local_addr().unwrap();
    let (house, wallet) = open().await;
    let client = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    for (status, executed) in [(302, false), (307, true), (308, false)] {
        house.service.set_fault_on(PATH, Fault::Redirect { status, to, executed }).await;
        let payment = payment_of(&wallet);
        let request = house.request(Method::POST, PATH).json(&payment).build().unwrap();
        let response = client.execute(request).await.unwrap();
        assert_eq!(response.status().as_u16(), status);
        assert_eq!(response.headers()["location"].to_str().unwrap(), format!("http://{to}{PATH}"));
        assert_eq!((count_payments(&house, &payment), house.service.faults_fired()), (usize::from(executed), 1));
    }
}

#[tokio::test]
async fn rows_are_hidden_for_so_many_reads_or_for_a_while() {
    let (house, wallet) = open().await;
    let is_listed = async |house: &TestService, payment: &Value| {
        let rows = house.get("/v2/transactions?txType=outgoing").await;
        rows.body["data"].as_array().unwrap().iter().any(|row| row["idempotencyKey"] == payment["idempotencyKey"])
    };
    let payment = payment_of(&wallet);
    house.service.set_faults(vec![Fault::ConnectionCut.on_changes(), Fault::RowsHidden.on_reads().times(2)]).await;
    assert!(!is_listed(&house, &payment).await);
    assert_eq!(house.service.faults_fired(), 0, "there was nothing to hide yet");
    assert!(house.request(Method::POST, PATH).json(&payment).send().await.is_err());
    assert_eq!(count_payments(&house, &payment), 1);
    let visible =
        [is_listed(&house, &payment).await, is_listed(&house, &payment).await, is_listed(&house, &payment).await];
    assert_eq!(visible, [false, false, true]);
    assert_eq!(house.service.faults_fired_per_rule(), [1, 2]);

    let payment = payment_of(&wallet);
    house.service.set_faults(vec![Fault::RowsHidden.on_reads().lasting(Duration::from_secs(30))]).await;
    assert_eq!(house.post(PATH, &payment).await.status, 201);
    for (seconds, visible) in [(0, false), (29, false), (1, true)] {
        house.wait(seconds).await;
        assert_eq!(is_listed(&house, &payment).await, visible);
    }
}

#[tokio::test]
async fn a_history_that_lags_is_the_one_from_before_page_by_page() {
    let (house, wallet) = open().await;
    for limit in [1, 7, 20] {
        let pages = async |house: &TestService| {
            let mut pages = Vec::new();
            loop {
                let page = pages.len() + 1;
                let path = format!("/v2/transactions?txType=outgoing&pageLimit={limit}&pageNo={page}");
                let body = house.get(&path).await.body;
                let ids: Vec<_> = body["data"].as_array().unwrap().iter().map(|row| text(&row["id"])).collect();
                if ids.is_empty() || page > 12 {
                    return pages;
                }
                pages.push((body["totalPage"].as_u64().unwrap(), ids));
            }
        };
        house.service.set_faults(Vec::new()).await;
        let before = pages(&house).await;
        assert!(before.len() > 2);
        house.service.set_faults(vec![Fault::ConnectionCut.on_changes(), Fault::HistoryLags.on_reads()]).await;
        for _ in 0..2 {
            assert!(house.request(Method::POST, PATH).json(&payment_of(&wallet)).send().await.is_err());
            assert_eq!(pages(&house).await, before, "{limit} a page");
        }
        assert_eq!(
            house.service.faults_fired_per_rule()[1],
            if limit == 1 { 3 } else { 2 },
            "pages from which something was left out"
        );
        house.service.set_faults(Vec::new()).await;
        let after: usize = pages(&house).await.iter().map(|(_, ids)| ids.len()).sum();
        assert!(after >= before.iter().map(|(_, ids)| ids.len()).sum::<usize>());
    }
}

#[tokio::test]
async fn an_old_answer_belongs_to_another_request() {
    let (house, wallet) = open().await;
    for executed in [false, true] {
        let (first, mut second) = (payment_of(&wallet), payment_of(&wallet));
        second["amount"] = json!("26");
        let right = pay(&house, &first, vec![Fault::StaleAnswer { executed }.on_changes()]).await.unwrap();
        assert_eq!((right.status, house.service.faults_fired()), (201, 0));
        assert_eq!(house.post(PATH, &second).await, right);
        assert_eq!((count_payments(&house, &first), count_payments(&house, &second)), (1, usize::from(executed)));
        assert_eq!(house.service.faults_fired(), 1);
    }
}

#[tokio::test]
async fn an_echo_says_that_another_thing_was_done() {
    let (house, wallet) = open().await;
    for (part, field) in [
        (PaymentField::Amount, "amount"),
        (PaymentField::Address, "toAddress"),
        (PaymentField::Token, "tokenSymbol"),
        (PaymentField::Blockchain, "blockchain"),
        (PaymentField::Wallet, "walletId"),
        (PaymentField::Key, "idempotencyKey"),
        (PaymentField::Reference, "refId"),
    ] {
        let payment = payment_of(&wallet);
        let answer = pay(&house, &payment, vec![Fault::WrongEcho(part).always()]).await.unwrap();
        let (answered_fields, row) =
            (&answer.body["data"], &house.service.find_payments_with_key(key(&payment)).unwrap()[0]);
        let stored_fields = serde_json::to_value(row).unwrap();
        assert_ne!(answered_fields[field], stored_fields[field], "{part:?}");
        let spoilt = ["tokenTicker", "totalAmount"];
        for (name, value) in stored_fields.as_object().unwrap() {
            assert!(
                name == field || spoilt.contains(&name.as_str()) || answered_fields[name] == *value,
                "{part:?} spares {name}"
            );
        }
        assert_eq!(house.service.faults_fired(), 1);
    }
}

#[tokio::test]
async fn a_payment_can_be_failed_and_confirmed_at_once() {
    let (house, wallet) = open().await;
    let answer = pay(&house, &payment_of(&wallet), vec![Fault::FailedYetConfirmed.always()]).await.unwrap();
    assert_eq!((&answer.body["data"]["status"], &answer.body["data"]["confirmed"]), (&json!("failed"), &json!(true)));
    let rows = house.get("/v2/transactions?pageLimit=100").await;
    for row in rows.body["data"].as_array().unwrap() {
        let odd = row["status"] == "failed" && row["confirmed"] == true;
        assert_eq!(odd, row["txType"] == "outgoing", "{row}");
    }
}

#[tokio::test]
async fn lists_go_wrong_in_every_way_that_pages_can() {
    let house = TestService::open().await;
    let page = |n: u64| format!("/v2/transactions?txType=outgoing&pageNo={n}&pageLimit=10");
    let rows = |answer: &TestResponse| answer.body["data"].as_array().unwrap().clone();
    let right = [rows(&house.get(&page(1)).await), rows(&house.get(&page(2)).await)];
    house.service.set_fault(Fault::PagesOverlap).await;
    assert_eq!(rows(&house.get(&page(1)).await), right[0]);
    assert_eq!(house.service.faults_fired(), 0);
    let shifted = rows(&house.get(&page(2)).await);
    assert_eq!((&shifted[0], &shifted[1..]), (&right[0][9], &right[1][..9]));
    house.service.set_fault(Fault::PagingIgnored).await;
    let whole = house.get("/v2/transactions?txType=outgoing").await;
    assert_eq!(house.service.faults_fired(), 0);
    assert_eq!(house.get(&page(2)).await, whole);
    assert_eq!(house.service.faults_fired(), 1);
    house.service.set_fault(Fault::RowsReversed).await;
    let reversed: Vec<_> = right[0].iter().rev().cloned().collect();
    assert_eq!(rows(&house.get(&page(1)).await), reversed);
    house.service.set_fault(Fault::RowsShuffled).await;
    let (one, other) = (rows(&house.get(&page(1)).await), rows(&house.get(&page(1)).await));
    assert_ne!(one, other);
    assert!(one.len() == 10 && right[0].iter().all(|row| one.contains(row) && other.contains(row)));
    house.service.set_fault(Fault::FirstRowRepeated).await;
    let repeated = rows(&house.get(&page(1)).await);
    assert_eq!((&repeated[0], &repeated[1..]), (&right[0][0], &right[0][..]));
    house.service.set_fault(Fault::EndlessList).await;
    let mut keys = std::collections::HashSet::new();
    for n in [1, 2, 3, 1_000_000] {
        let answer = house.get(&page(n)).await;
        assert_eq!((&answer.body["pageNo"], &answer.body["totalPage"]), (&json!(n), &json!(n + 1)));
        assert!(rows(&answer).len() == 10 && rows(&answer).iter().all(|row| keys.insert(text(&row["id"]))), "page {n}");
    }
    assert_eq!(house.service.faults_fired(), 4);
}

#[tokio::test]
async fn a_service_may_name_the_moment_at_which_to_come_back() {
    let house = TestService::open().await;
    house.service.set_fault(Fault::RateLimitedUntil { retry_after: Duration::from_secs(90) }).await;
    let answer = house.request(Method::GET, "/v2/users/stats").send().await.unwrap();
    let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(answer.status(), 429);
    assert_eq!(header("date"), "Mon, 05 Jan 2026 12:00:00 GMT");
    assert_eq!(header("retry-after"), "Mon, 05 Jan 2026 12:01:30 GMT");
}

#[tokio::test]
async fn bombs_are_small_on_the_wire_and_large_once_unpacked() {
    let house = TestService::open().await;
    house.service.set_fault(Fault::CompressionBomb).await;
    let client = reqwest::Client::builder().no_proxy().no_gzip().build().unwrap();
    let request = house.request(Method::GET, "/v2/transactions").build().unwrap();
    let compressed = client.execute(request).await.unwrap().bytes().await.unwrap();
    assert!(compressed.starts_with(&[0x1f, 0x8b]) && compressed.len() < 1_100_000, "{}", compressed.len());
    let mut unpacked = flate2::read::DeflateDecoder::new(&compressed[10..]);
    let (mut head, mut length) = (Vec::new(), 0);
    let mut block = vec![0; 1 << 16];
    loop {
        let count = std::io::Read::read(&mut unpacked, &mut block).unwrap();
        if count == 0 {
            break;
        }
        if head.is_empty() {
            head.extend_from_slice(&block[..100]);
        }
        length += count;
    }
    assert!(length > 157 << 20, "{length}");
    assert!(String::from_utf8(head).unwrap().starts_with(r#"{"success":true,"totalPage":1,"#));
    house.service.set_fault(Fault::DeepNesting).await;
    let deep = send_and_read(house.request(Method::GET, "/v2/transactions")).await;
    assert!(deep.text.len() > 2_000_000 && deep.body.is_null());
}

#[tokio::test]
async fn a_mutated_answer_differs_from_the_right_one() {
    let house = TestService::open().await;
    let right = house.get("/v2/transactions?pageLimit=2").await;
    for seed in 0..60 {
        house.service.set_fault(Fault::Mutated(seed)).await;
        let answer = house.get("/v2/transactions?pageLimit=2").await;
        assert_ne!(answer.text, right.text, "{seed}");
        assert_eq!((answer.status, house.service.faults_fired()), (200, 1));
    }
}

#[tokio::test]
async fn every_named_fault_fires_on_a_payment_a_swap_or_a_read() {
    let (house, wallet) = open().await;
    let swap =
        json!({ "walletId": house.treasury_user().await, "fromCoin": "USDC", "fromAmount": "5", "toCoin": "SOL" });
    for (name, rules) in named_faults() {
        house.service.set_faults(rules).await;
        for _ in 0..2 {
            for request in [
                house.request(Method::POST, PATH).json(&payment_of(&wallet)),
                house.request(Method::GET, "/v1/instant-swap/quote?fromCoin=USDC&fromAmount=5&toCoin=SOL"),
                house.request(Method::POST, "/v1/instant-swap").json(&swap),
                house.request(Method::GET, "/v2/transactions?pageNo=2&pageLimit=5"),
                house.request(Method::GET, "/v2/transactions?pageLimit=5"),
            ] {
                // What comes back is looked at elsewhere; here it counts that something went wrong.
                let _whatever = request.timeout(Duration::from_millis(100)).send().await;
            }
        }
        assert!(house.service.faults_fired() > 0, "{name}");
    }
}
