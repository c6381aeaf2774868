//! Events: signed, told at least once, in order, and not lost by a restart.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use bursar::service::{self, Options, ServiceClock};
use hmac::{Hmac, KeyInit, Mac};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use uuid::Uuid;

use super::test_service::{OUTSIDE, TestService, folder, text};

/// An event as it arrived.
#[derive(Debug)]
pub(crate) struct ReceivedEvent {
    headers: HeaderMap,
    bytes: Bytes,
    pub(crate) body: Value,
}

/// Somebody who is told, and answers as the test says: 204 once the list of statuses is used up.
pub(crate) struct WebhookReceiver {
    pub(crate) url: String,
    events: UnboundedReceiver<ReceivedEvent>,
    statuses: Arc<Mutex<Vec<u16>>>,
}

#[derive(Clone)]
struct ReceiverState {
    sender: UnboundedSender<ReceivedEvent>,
    statuses: Arc<Mutex<Vec<u16>>>,
}

/// The amount of a deposit that the listener never takes.
const UNWANTED: &str = "666.000000";

async fn hear(State(ear): State<ReceiverState>, headers: HeaderMap, bytes: Bytes) -> StatusCode {
    let body: Value = serde_json::from_slice(&bytes).unwrap();
    let status = if body["params"]["amount"]["value"] == UNWANTED {
        500
    } else {
        ear.statuses.lock().unwrap().pop().unwrap_or(204)
    };
    ear.sender.send(ReceivedEvent { headers, bytes, body }).unwrap();
    StatusCode::from_u16(status).unwrap()
}

impl WebhookReceiver {
    /// Statuses are used from the last to the first.
    pub(crate) async fn open(statuses: &[u16]) -> Self {
        let (sender, events) = unbounded_channel();
        let statuses = Arc::new(Mutex::new(statuses.to_vec()));
        let router = Router::new()
            .route("/events", post(hear))
            .with_state(ReceiverState { sender, statuses: Arc::clone(&statuses) });
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}/events", listener.local_addr().unwrap());
        tokio::spawn(axum::serve(listener, router).into_future());
        Self { url, events, statuses }
    }

    pub(crate) async fn next(&mut self) -> ReceivedEvent {
        tokio::time::timeout(Duration::from_secs(30), self.events.recv()).await.expect("an event was awaited").unwrap()
    }
}

impl WebhookReceiver {
    /// Refuses so many of the next events.
    pub(crate) fn refuses(&self, times: usize) {
        *self.statuses.lock().unwrap() = vec![503; times];
    }

    /// Lets time pass until something is told. The pause begins when the service has read the refusal, which nobody
    /// outside sees, so that the clock is moved until it is over.
    async fn next_in_time(&mut self, house: &TestService) -> ReceivedEvent {
        for _ in 0..600 {
            house.wait(1).await;
            if let Ok(event) = tokio::time::timeout(Duration::from_millis(50), self.events.recv()).await {
                return event.unwrap();
            }
        }
        panic!("nothing was told in ten minutes");
    }
}

async fn service_telling(listener: &WebhookReceiver) -> TestService {
    let url = listener.url.parse().unwrap();
    TestService::with(|options| options.webhooks = vec![url]).await
}

/// The same, when everything that was pending at the start is settled and told.
async fn quiet_service(listener: &mut WebhookReceiver) -> TestService {
    let house = service_telling(listener).await;
    house.wait(3_600).await;
    while let Ok(Some(_settled_before)) = tokio::time::timeout(Duration::from_millis(500), listener.events.recv()).await
    {
    }
    house
}

/// A deposit of one USDC into an address of the treasury on Base, there at once.
async fn deposit(house: &TestService) -> Value {
    deposit_of(house, "1.5").await
}

async fn deposit_of(house: &TestService, amount: &str) -> Value {
    let address = house.treasury("base").await["address"].clone();
    let deposit = json!({ "destination": "on_chain", "coin": "USDC", "amount": amount, "chain": "base",
                          "status": "success", "fromAddress": OUTSIDE, "toAddress": address });
    let answer = house.post("/v1/sandbox/sub-wallet/deposit", &deposit).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.body["data"]["depositId"].clone()
}

#[tokio::test]
async fn a_deposit_is_told_signed_and_with_its_amount_and_wallet() {
    let mut listener = WebhookReceiver::open(&[]).await;
    let house = service_telling(&listener).await;
    let id = deposit(&house).await;
    let event = listener.next().await;
    assert_eq!(
        (&event.body["topic"], &event.body["params"]["transactionId"]),
        (&json!("wallets:deposit.success"), &id)
    );
    assert_eq!(event.body["params"]["amount"], json!({ "value": "1.500000", "rawValue": "1500000" }));
    let wallet = house.treasury("base").await;
    for field in ["id", "address", "blockchain", "userId", "accountId"] {
        assert_eq!(event.body["params"]["wallet"][field], wallet[field], "{field}");
    }
    let header = |name: &str| event.headers[name].to_str().unwrap().to_owned();
    assert_eq!(header("x-webhook-id"), text(&event.body["id"]));
    assert_eq!(header("content-type"), "application/json");
    let secret = house.service.signing_secret().unwrap().expose_secret();
    let mut code = Hmac::<sha2::Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    code.update(format!("{}.", header("x-webhook-timestamp")).as_bytes());
    code.update(&event.bytes);
    code.verify_slice(&hex::decode(header("x-webhook-signature")).unwrap()).unwrap();
}

#[tokio::test]
async fn withdrawals_and_swaps_are_told_when_the_chain_has_confirmed_them() {
    let mut listener = WebhookReceiver::open(&[]).await;
    let house = quiet_service(&mut listener).await;
    let swap = json!({ "idempotencyKey": Uuid::new_v4(), "walletId": house.treasury("base").await["id"],
                       "blockchain": "base", "fromCoin": "USDC", "fromAmount": "50", "toCoin": "ETH" });
    let answer = house.post("/v2/transactions/withdraw", &house.payment().await).await;
    assert_eq!((answer.status, house.post("/v2/swap", &swap).await.status), (201, 201));
    house.wait(600).await;
    let mut topics = Vec::new();
    for _ in 0..2 {
        let event = listener.next().await;
        assert!(event.body["params"]["txHash"].is_string());
        topics.push(text(&event.body["topic"]));
    }
    topics.sort();
    assert_eq!(topics, ["wallets:swap.success", "wallets:withdraw.success"]);
}

#[tokio::test]
async fn what_is_not_taken_is_told_again_later_in_the_same_bytes() {
    let mut listener = WebhookReceiver::open(&[]).await;
    let house = quiet_service(&mut listener).await;
    listener.statuses.lock().unwrap().extend([503, 302, 500]);
    let first = deposit(&house).await;
    let attempt = listener.next().await;
    assert_eq!(attempt.body["params"]["transactionId"], first);
    for _ in 0..2 {
        let retry = listener.next_in_time(&house).await;
        assert_eq!(retry.bytes, attempt.bytes, "the same event, byte for byte");
        assert_eq!(retry.headers["x-webhook-id"], attempt.headers["x-webhook-id"]);
        assert_ne!(retry.headers["x-webhook-timestamp"], attempt.headers["x-webhook-timestamp"]);
    }
    assert_eq!(listener.next_in_time(&house).await.bytes, attempt.bytes);
    let second = deposit(&house).await;
    assert_eq!(listener.next().await.body["params"]["transactionId"], second, "what was taken is told no more");
    assert!(listener.statuses.lock().unwrap().is_empty());
}

#[tokio::test]
async fn an_event_outlives_a_restart() {
    let (_folder, place) = folder();
    let mut listener = WebhookReceiver::open(&[500]).await;
    let url: bursar::service::WebhookUrl = listener.url.parse().unwrap();
    let house = TestService::with(|options| {
        options.ledger_location = place.clone();
        options.webhooks = vec![url.clone()];
    })
    .await;
    let secret = house.service.signing_secret().unwrap().expose_secret().to_owned();
    let id = deposit(&house).await;
    let first_attempt = listener.next().await;
    let now = house.clock.now();
    house.service.stop().await.unwrap();

    let clock = ServiceClock::manual(now.plus(Duration::from_secs(5)));
    let options = Options {
        ledger_location: place.clone(),
        clock: clock.clone(),
        webhooks: vec![url.clone()],
        ..Options::temporary()
    };
    let restarted_service = service::start(options).await.unwrap();
    let event = listener.next().await;
    assert_eq!((&event.body["params"]["transactionId"], &event.bytes), (&id, &first_attempt.bytes));
    assert_eq!(restarted_service.signing_secret().unwrap().expose_secret(), secret, "receivers keep their secret");
    restarted_service.stop().await.unwrap();
}

#[tokio::test]
async fn one_receiver_that_fails_keeps_nobody_else_waiting() {
    let listener_of_nobody = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let silent = format!("http://{}/", listener_of_nobody.local_addr().unwrap()).parse().unwrap();
    let mut listener = WebhookReceiver::open(&[]).await;
    let url = listener.url.parse().unwrap();
    let house = TestService::with(|options| options.webhooks = vec![silent, url]).await;
    for _ in 0..3 {
        let id = deposit(&house).await;
        assert_eq!(listener.next().await.body["params"]["transactionId"], id);
    }
    house.service.stop().await.unwrap();
}

#[tokio::test]
async fn an_event_that_nobody_takes_for_a_day_is_dropped() {
    let mut listener = WebhookReceiver::open(&[]).await;
    let house = quiet_service(&mut listener).await;
    let unwanted = deposit_of(&house, "666").await;
    assert_eq!(listener.next().await.body["params"]["transactionId"], unwanted);
    assert_eq!(listener.next_in_time(&house).await.body["params"]["transactionId"], unwanted);
    house.wait(90_000).await;
    // Whether there is a last attempt depends on which came first, the day's end or the note of the refusal.
    let next = deposit(&house).await;
    let transaction = listener.next_in_time(&house).await.body["params"]["transactionId"].clone();
    if transaction != next {
        assert_eq!(
            (transaction, &listener.next_in_time(&house).await.body["params"]["transactionId"]),
            (unwanted, &next)
        );
    }
    for _ in 0..2 {
        house.wait(7_200).await;
        let next = deposit(&house).await;
        assert_eq!(listener.next_in_time(&house).await.body["params"]["transactionId"], next, "it is dropped");
    }
}
