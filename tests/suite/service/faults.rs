//! The faults that tests of a client ask for do what they say.

use std::process::Command;
use std::sync::mpsc::{self, TryRecvError};
use std::thread;
use std::time::Duration;

use bursar::service::Fault;
use reqwest::Method;
use serde_json::json;

use super::test_service::{TestService, send_and_read};

const PATH: &str = "/v2/users/stats";

#[tokio::test]
async fn a_service_that_is_down_comes_back_on_the_same_port() {
    let house = TestService::open().await;
    let before = house.get(PATH).await;
    house.service.set_fault(Fault::Down).await;
    for _ in 0..3 {
        let error = house.request(Method::GET, PATH).send().await.unwrap_err();
        assert!(error.is_connect(), "{error:?}");
    }
    assert!(house.service.faults_fired() >= 2, "the connection that stood was cut");
    house.service.set_fault(Fault::Down).await;
    house.service.set_fault(Fault::None).await;
    assert_eq!(house.get(PATH).await, before);
    assert_eq!(house.service.faults_fired(), 0);
}

/// A process that is being started holds a copy of every socket for a moment.
#[cfg(unix)]
#[tokio::test]
async fn a_service_comes_back_on_its_port_while_processes_are_started() {
    let house = TestService::open().await;
    let (stop, stopped) = mpsc::channel::<()>();
    let starting = thread::spawn(move || {
        while stopped.try_recv() == Err(TryRecvError::Empty) {
            Command::new("true").status().unwrap();
        }
    });
    for _ in 0..200 {
        house.service.set_fault(Fault::Down).await;
        house.service.set_fault(Fault::None).await;
        assert_eq!(house.get(PATH).await.status, 200);
    }
    drop(stop);
    starting.join().unwrap();
}

#[tokio::test]
async fn refusals_carry_the_common_body_and_how_long_to_wait() {
    let house = TestService::open().await;
    let retry_after = Duration::from_secs(7);
    for (fault, status) in
        [(Fault::KeyRejected, 401), (Fault::Busy { retry_after }, 503), (Fault::RateLimited { retry_after }, 429)]
    {
        house.service.set_fault(fault).await;
        let response = house.request(Method::GET, PATH).send().await.unwrap();
        let told_to_wait = response.headers().get("retry-after").map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(told_to_wait.as_deref(), (status != 401).then_some("7"), "{}", fault.description());
        house.get(PATH).await.expect_error(status, PATH);
        assert_eq!(house.service.faults_fired(), 2, "{}", fault.description());
    }
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_no_answer() {
    let house = TestService::open().await;
    house.service.set_fault(Fault::Truncated).await;
    let response = house.request(Method::GET, PATH).send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert!(response.content_length().unwrap() > 100);
    assert!(response.bytes().await.is_err());
    house.service.set_fault(Fault::ConnectionCut).await;
    assert!(house.request(Method::GET, PATH).send().await.is_err());
    assert_eq!(house.service.faults_fired(), 1);
}

#[tokio::test]
async fn a_payment_is_executed_behind_an_answer_that_never_comes() {
    let house = TestService::open().await;
    let payment = house.payment().await;
    let path = "/v2/transactions/withdraw";
    house.service.set_fault(Fault::ConnectionCut).await;
    assert!(house.request(Method::POST, path).json(&payment).send().await.is_err());
    house.service.set_fault(Fault::None).await;
    let newest = house.get("/v2/transactions?txType=outgoing&pageLimit=1").await;
    assert_eq!(newest.body["data"][0]["idempotencyKey"], payment["idempotencyKey"]);
    let retry = house.post(path, &payment).await;
    assert_eq!(retry.body["data"]["id"], newest.body["data"][0]["id"]);
}

#[tokio::test]
async fn answers_of_the_wrong_kind_are_what_they_say() {
    let house = TestService::open().await;
    let tokens = "/v1/blockchains/tokens-with-blockchains";
    let right = house.get(tokens).await;
    house.service.set_fault(Fault::Html).await;
    let page = send_and_read(house.request(Method::GET, tokens)).await;
    assert!((page.status, page.text.starts_with("<!doctype html>")) == (200, true), "{}", page.text);
    house.service.set_fault(Fault::WrongTypes).await;
    let odd = house.get(tokens).await;
    assert_ne!(odd.body["data"], right.body["data"]);
    assert_eq!(odd.body["pageNo"], json!("1"));
    house.service.set_fault(Fault::EscapeSequences).await;
    let marked = house.get(tokens).await;
    assert!(marked.body["data"][0]["name"].as_str().unwrap().contains('\u{1b}'));
    house.service.set_fault_on("/v2", Fault::Html).await;
    assert_eq!(house.get(tokens).await, right, "other paths are spared");
    assert_eq!(house.service.faults_fired(), 0);
}

#[tokio::test]
async fn a_huge_answer_is_made_as_it_is_read() {
    let house = TestService::open().await;
    house.service.set_fault(Fault::HugeBody).await;
    let mut response = house.request(Method::GET, PATH).send().await.unwrap();
    let mut length = 0;
    while length < 8 * 1024 * 1024 {
        length += response.chunk().await.unwrap().unwrap().len();
    }
    assert_eq!(house.service.faults_fired(), 1);
}

#[tokio::test]
async fn a_late_answer_is_the_right_one() {
    let house = TestService::open().await;
    let right = house.get(PATH).await;
    house.service.set_fault(Fault::Delayed(Duration::from_millis(60))).await;
    assert_eq!(house.get(PATH).await, right);
    assert_eq!(house.service.faults_fired(), 1);
    house.service.set_fault(Fault::Delayed(Duration::from_hours(1))).await;
    let hurried = house.request(Method::GET, PATH).timeout(Duration::from_millis(100)).send().await;
    assert!(hurried.unwrap_err().is_timeout());
    house.service.set_fault(Fault::SlowBody(Duration::from_micros(1))).await;
    assert_eq!(house.get(PATH).await, right, "byte by byte it is the same");
}
